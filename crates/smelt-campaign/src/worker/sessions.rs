//! The warm sessions of a worker.

use std::time::Duration;

use smelt_solver::Mode;
use smelt_solver::{Limits, Outcome, RunError};

use super::{Moment, Run, Worker};

/// Sessions that a worker keeps for one solver.
const SESSIONS: usize = 3;

impl Worker<'_> {
    /// A solver's answer to a script, with where it was in its session.
    pub(super) fn run_in_session(
        &mut self,
        target: usize,
        mode: &Mode,
        script: &smelt_solver::Script,
        limit: Duration,
    ) -> Result<Run, RunError> {
        let outcome = self.ask(target, mode, script, limit)?;
        let session = self.sessions[target].last().map(|(_, s)| s);
        let moment = session.map_or(Moment::default(), |s| Moment {
            process: s.starts(),
            sent: s.transcript().len(),
        });
        Ok(Run { target, mode: mode.clone(), outcome, moment })
    }

    /// All that the process of a run had been sent by its end, if it is still known.
    pub(super) fn transcript(&self, run: &Run) -> Option<&str> {
        let (_, session) = self.sessions[run.target].iter().find(|(m, _)| *m == run.mode)?;
        let same = run.outcome.warm && session.starts() == run.moment.process;
        session.transcript().get(..run.moment.sent).filter(|_| same)
    }

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
                pool.push((
                    mode.clone(),
                    c.targets[target].session(mode, limits, Some(&c.control.cancel)),
                ));
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
