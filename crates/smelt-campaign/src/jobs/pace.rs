//! How fast jobs go on beside the tests.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use smelt_solver::Cancel;

/// The share of the cores that jobs may use while tests run.
pub const SHARE: f64 = 0.2;

/// Longest sleep at a time, so that an end is noticed.
const NAP: Duration = Duration::from_millis(50);

/// Keeps the work of jobs within a share of the time of all cores, on average since the beginning.
pub struct Pace {
    begun: Instant,
    /// Cores times share.
    allowed: f64,
    used: Mutex<Duration>,
}

/// The time of one thread that works on jobs.
pub struct Clock<'p> {
    pace: &'p Pace,
    since: Mutex<Instant>,
}

impl Pace {
    /// A pace for so many cores.
    pub fn new(cores: usize) -> Self {
        let allowed = SHARE * cores as f64;
        Self { begun: Instant::now(), allowed, used: Mutex::default() }
    }

    /// A clock for a thread, from now on.
    pub fn clock(&self) -> Clock<'_> {
        Clock { pace: self, since: Mutex::new(Instant::now()) }
    }

    fn is_over(&self) -> bool {
        let used = *self.used.lock().unwrap_or_else(PoisonError::into_inner);
        used.as_secs_f64() > self.allowed * self.begun.elapsed().as_secs_f64()
    }
}

impl Clock<'_> {
    /// Counts the time since the last call as work, and sleeps while that is more than is allowed, unless nobody is `busy` any more or it is
    /// cancelled.
    pub fn pause(&self, busy: &dyn Fn() -> bool, cancel: &Cancel) {
        let mut since = self.since.lock().unwrap_or_else(PoisonError::into_inner);
        *self.pace.used.lock().unwrap_or_else(PoisonError::into_inner) += since.elapsed();
        while busy() && !cancel.is_cancelled() && self.pace.is_over() {
            std::thread::sleep(NAP);
        }
        *since = Instant::now();
    }

    /// Counts no time up to now: there was nothing to do.
    pub fn idle(&self) {
        *self.since.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }
}
