//! Things done side by side, with results in the order of the things.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// How often whoever waits is called.
const TICK: Duration = Duration::from_millis(100);

/// Does `work` with each thing, on so many threads at most. What comes of it is given to `each` in the order of the things, as soon as those
/// before it are done; `tick` is called all the while.
pub fn in_order<T: Sync, R: Send>(
    things: &[T],
    threads: usize,
    work: impl Fn(usize, &T) -> R + Sync,
    each: &mut dyn FnMut(R),
    tick: &dyn Fn(),
) {
    let next = AtomicUsize::new(0);
    let (send, receive) = channel();
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1).min(things.len()) {
            let (send, next, work) = (send.clone(), &next, &work);
            scope.spawn(move || {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    let Some(thing) = things.get(i) else { return };
                    if send.send((i, work(i, thing))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        let mut results: Vec<Option<R>> = things.iter().map(|_| None).collect();
        let mut given = 0;
        loop {
            match receive.recv_timeout(TICK) {
                Ok((i, result)) => results[i] = Some(result),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            tick();
            while let Some(result) = results.get_mut(given).and_then(Option::take) {
                given += 1;
                each(result);
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Results come in the order of the things, whoever is done first, with any number of threads.
    #[test]
    fn in_their_order() {
        let things: Vec<u64> = (0..20).collect();
        for threads in [0, 1, 3, 100] {
            let mut got = Vec::new();
            let work = |_: usize, n: &u64| {
                std::thread::sleep(Duration::from_millis((7 * n) % 5));
                *n
            };
            in_order(&things, threads, work, &mut |n| got.push(n), &|| {});
            assert_eq!(got, things, "{threads}");
        }
        in_order(&[], 2, |_, (): &()| panic!(), &mut |(): ()| panic!(), &|| {});
    }
}
