//! Several solvers examined at a time, with how far that is. Nothing here prints.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use smelt_solver::probe::steps;

use crate::in_order::in_order;

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

/// Examines solvers, as many at a time as there are cores. `work` examines one, and may tell how many [`steps`] are done; what comes of it
/// is given to `each` in the order of the solvers.
pub fn examine_all<T: Sync, R: Send>(
    solvers: &[(String, T)],
    work: impl Fn(&T, &dyn Fn(usize)) -> R + Sync,
    each: &mut dyn FnMut(R),
    tell: &dyn Fn(&Far),
) {
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let stages: Vec<Stage> = solvers.iter().map(|_| Stage::default()).collect();
    let far = || {
        let here = |(name, s): (&(String, T), &Stage)| s.is_here().then(|| name.0.clone());
        Far {
            done: stages.iter().map(|s| s.done.load(Ordering::Relaxed)).sum(),
            all: stages.len() * steps(),
            names: solvers.iter().zip(&stages).filter_map(here).collect(),
        }
    };
    let staged = |i: usize, (_, solver): &(String, T)| {
        let stage = &stages[i];
        stage.begun.store(true, Ordering::Relaxed);
        let step = |n: usize| stage.done.store(n.min(steps() - 1), Ordering::Relaxed);
        let result = work(solver, &step);
        stage.done.store(steps(), Ordering::Relaxed);
        result
    };
    in_order(solvers, jobs, staged, each, &|| tell(&far()));
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
    use std::time::Duration;

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
