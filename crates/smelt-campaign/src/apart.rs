//! CPU time that no budget counts: of confirming, and of what is done with kept findings.

use std::time::Duration;

use smelt_solver::cold_cpu;

use crate::control::Control;

/// Such work of this thread, from its beginning on.
pub struct Apart {
    own: f64,
    solvers: Duration,
}

impl Apart {
    /// It begins now.
    pub fn begin() -> Self {
        Self { own: cpu_of_thread(), solvers: cold_cpu() }
    }

    /// Counts it, with the fresh processes that the thread has waited for; how much of it was the thread's own.
    pub fn end(self, control: &Control) -> f64 {
        let own = cpu_of_thread() - self.own;
        let solvers = cold_cpu().saturating_sub(self.solvers).as_secs_f64();
        control.tally().total.apart_cpu += own + solvers;
        own
    }
}

/// CPU seconds of this thread.
pub fn cpu_of_thread() -> f64 {
    use nix::time::{ClockId, clock_gettime};
    match clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID) {
        Ok(t) => Duration::from(t).as_secs_f64(),
        Err(_) => 0.0,
    }
}
