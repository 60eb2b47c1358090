//! Several solvers examined at a time, with how far that is. Nothing here prints.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use smelt_solver::probe::steps;

/// How far several examinations are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Far {
    /// Steps that are done.
    pub done: usize,
    /// All steps.
    pub all: usize,
    /// Who is being examined.
    pub names: Vec<String>,
}

/// How often it is told how far they are.
const TICK: Duration = Duration::from_millis(100);

/// Examines solvers, as many at a time as there are cores. `work` examines one, and may tell how many [`steps`] are done; what comes of it
/// is given to `each` in the order of the solvers.
pub fn examine_all<T: Sync, R: Send>(
    solvers: &[(String, T)],
    work: impl Fn(&T, &dyn Fn(usize)) -> R + Sync,
    each: &mut dyn FnMut(R),
    tell: &dyn Fn(&Far),
) {
    let jobs = std::thread::available_parallelism().map_or(1, usize::from).min(solvers.len());
    let (next, stages) = (AtomicUsize::new(0), solvers.iter().map(|_| Stage::default()));
    let stages: Vec<Stage> = stages.collect();
    let far = || {
        let here = |(name, s): (&(String, T), &Stage)| s.is_here().then(|| name.0.clone());
        Far {
            done: stages.iter().map(|s| s.done.load(Ordering::Relaxed)).sum(),
            all: stages.len() * steps(),
            names: solvers.iter().zip(&stages).filter_map(here).collect(),
        }
    };
    let (send, receive) = channel();
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            let (send, next, stages, work) = (send.clone(), &next, &stages, &work);
            scope.spawn(move || {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    let Some(((_, solver), stage)) = solvers.get(i).zip(stages.get(i)) else {
                        return;
                    };
                    stage.begun.store(true, Ordering::Relaxed);
                    let step = |n: usize| stage.done.store(n.min(steps() - 1), Ordering::Relaxed);
                    let result = work(solver, &step);
                    stage.done.store(steps(), Ordering::Relaxed);
                    if send.send((i, result)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        let mut results: Vec<Option<R>> = solvers.iter().map(|_| None).collect();
        let mut given = 0;
        loop {
            match receive.recv_timeout(TICK) {
                Ok((i, result)) => results[i] = Some(result),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            tell(&far());
            while let Some(result) = results.get_mut(given).and_then(Option::take) {
                given += 1;
                each(result);
            }
        }
    });
}

/// How far one examination is.
#[derive(Default)]
struct Stage {
    begun: AtomicBool,
    done: AtomicUsize,
}

impl Stage {
    fn is_here(&self) -> bool {
        self.begun.load(Ordering::Relaxed) && self.done.load(Ordering::Relaxed) < steps()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    /// Results come in the order of the solvers, whoever is done first, and the steps add up.
    #[test]
    fn in_order() {
        let solvers: Vec<(String, usize)> = (0..20).map(|i| (format!("s{i}"), i)).collect();
        let (mut got, last) = (Vec::new(), RefCell::new(Far::default()));
        let work = |n: &usize, tell: &dyn Fn(usize)| {
            std::thread::sleep(Duration::from_millis((7 * *n as u64) % 5));
            tell(1_000_000);
            *n
        };
        let tell = |far: &Far| {
            assert!(far.done >= last.borrow().done && far.done <= far.all);
            last.replace(far.clone());
        };
        examine_all(&solvers, work, &mut |n| got.push(n), &tell);
        assert_eq!(got, (0..20).collect::<Vec<_>>());
        let last = last.into_inner();
        assert_eq!((last.done, last.all), (20 * steps(), 20 * steps()));
        examine_all(&[], work, &mut |_: usize| panic!(), &|_| {});
    }
}
