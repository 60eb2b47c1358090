//! The warm sessions of a worker.

use std::time::Duration;

use smelt_solver::{Limits, Outcome, RunError};

use super::Worker;
use crate::fuzz::target::Mode;

/// Sessions that a worker keeps for one solver.
const SESSIONS: usize = 3;

impl Worker<'_> {
    /// A solver's answer to a script, from a warm session.
    pub(super) fn ask(
        &mut self,
        target: usize,
        mode: &Mode,
        script: &smelt_solver::Script,
        limit: Duration,
    ) -> Result<Outcome, RunError> {
        let c = self.campaign;
        let pool = &mut self.sessions[target];
        let at = match pool.iter().position(|(m, _)| m == mode) {
            Some(at) => at,
            None => {
                if pool.len() >= SESSIONS {
                    // The plain session is used most: it is never the one to go.
                    let oldest = pool.iter().position(|(m, _)| *m != Mode::plain()).unwrap_or(0);
                    pool.remove(oldest);
                }
                let mut limits = Limits::cpu(limit);
                if c.config.deterministic {
                    let rate = c.targets[target].solver.profile().resource_limit.as_ref();
                    limits.resource =
                        rate.map(|r| (r.per_cpu_second as f64 * limit.as_secs_f64()) as u64);
                    // Time is only the backstop.
                    limits.cpu = Some(limit * 20);
                    limits.wall = limit * 60;
                }
                pool.push((mode.clone(), c.targets[target].session(mode, limits, &c.cancel)));
                pool.len() - 1
            }
        };
        let mut entry = pool.remove(at);
        if !c.config.deterministic {
            entry.1.set_time(limit, limit * 4 + Duration::from_secs(1));
        }
        let outcome = entry.1.run(script, mode.requests());
        entry.1.prepare();
        pool.push(entry);
        outcome
    }
}
