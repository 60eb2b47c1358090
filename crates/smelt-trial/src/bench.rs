//! The warm sessions of one thread.

use std::cell::Cell;
use std::time::Duration;

use smelt_smtlib::Script;
use smelt_solver::{Answer, Cancel, Limits, Mode, Outcome, RunError, Session, Status};
use smelt_triage::TargetId;

use crate::follow_up::{Ask, Asked};
use crate::panel::Panel;
use crate::trial::seconds;

/// Sessions that are kept for one solver.
const SESSIONS: usize = 3;

/// Solvers with sessions.
pub struct Bench<'a> {
    panel: &'a Panel,
    /// Sessions of each solver with their modes, the last used last.
    pools: Vec<Vec<(Mode, Session)>>,
    /// Limits do not depend on time, as far as the solver can count.
    frozen: bool,
    cancel: &'a Cancel,
    /// CPU time of all runs that nobody has asked for yet.
    cpu: Cell<Duration>,
}

/// What one solver said to a script.
pub struct Run {
    /// Which solver.
    pub who: TargetId,
    /// How it was run.
    pub mode: Mode,
    /// What it did.
    pub outcome: Outcome,
    /// When in the life of its session: what that had been sent by then is the transcript.
    pub moment: Moment,
}

/// A point in the life of a session: which of its processes, and how much that one had been sent.
#[derive(Clone, Copy, Default)]
pub struct Moment {
    process: u64,
    sent: usize,
}

impl<'a> Bench<'a> {
    /// A bench without sessions yet.
    pub fn new(panel: &'a Panel, frozen: bool, cancel: &'a Cancel) -> Self {
        let pools = panel.all().map(|_| Vec::new()).collect();
        Self { panel, pools, frozen, cancel, cpu: Cell::default() }
    }

    /// Ends all sessions.
    pub fn clear(&mut self) {
        self.pools.iter_mut().for_each(Vec::clear);
    }

    /// CPU time of all runs since this was last asked for, with the start of their processes.
    pub fn take_cpu(&self) -> Duration {
        self.cpu.take()
    }

    /// A solver's answer to a script, with where it was in its session.
    pub fn run_in_session(
        &mut self,
        who: TargetId,
        mode: &Mode,
        script: &smelt_solver::Script,
        limit: Duration,
    ) -> Result<Run, RunError> {
        let outcome = self.run(who, mode, script, limit)?;
        let session = self.pools[who.0].last().map(|(_, s)| s);
        let moment = session.map_or(Moment::default(), |s| Moment {
            process: s.starts(),
            sent: s.transcript().len(),
        });
        Ok(Run { who, mode: mode.clone(), outcome, moment })
    }

    /// All that the process of a run had been sent by its end, if it is still known.
    pub fn transcript(&self, run: &Run) -> Option<&str> {
        let (_, session) = self.pools[run.who.0].iter().find(|(m, _)| *m == run.mode)?;
        let same = run.outcome.warm && session.starts() == run.moment.process;
        session.transcript().get(..run.moment.sent).filter(|_| same)
    }

    /// A solver's answer to a script.
    pub fn run(
        &mut self,
        who: TargetId,
        mode: &Mode,
        script: &smelt_solver::Script,
        limit: Duration,
    ) -> Result<Outcome, RunError> {
        let target = self.panel.get(who);
        let pool = &mut self.pools[who.0];
        let at = match pool.iter().position(|(m, _)| m == mode) {
            Some(at) => at,
            None => {
                if pool.len() >= SESSIONS {
                    // The plain session is used most: it is never the one to go.
                    let oldest = pool.iter().position(|(m, _)| *m != Mode::plain()).unwrap_or(0);
                    pool.remove(oldest);
                }
                let mut limits = Limits::cpu(limit);
                if self.frozen {
                    let rate = target.solver.profile().resource_limit.as_ref();
                    limits.resource =
                        rate.map(|r| (r.per_cpu_second as f64 * limit.as_secs_f64()) as u64);
                    // Time is only the backstop.
                    limits.cpu = Some(limit * 20);
                    limits.wall = limit * 60;
                }
                pool.push((mode.clone(), target.session(mode, limits, Some(self.cancel))));
                pool.len() - 1
            }
        };
        let mut entry = pool.remove(at);
        if !self.frozen {
            entry.1.set_time(limit, Limits::wall_of(limit));
        }
        let outcome = entry.1.run(script, mode.requests());
        entry.1.prepare();
        pool.push(entry);
        if let Ok(outcome) = &outcome {
            self.cpu.set(self.cpu.get() + outcome.cpu + outcome.overhead_cpu);
        }
        outcome
    }

    /// A way to ask for follow-ups in these sessions, with so much CPU time for each.
    pub fn within(&mut self, limit: Duration) -> Warm<'_, 'a> {
        Warm { bench: self, limit, cpu: 0.0 }
    }
}

/// Asks the sessions of a bench.
pub struct Warm<'b, 'a> {
    bench: &'b mut Bench<'a>,
    limit: Duration,
    /// CPU seconds of all that was asked.
    pub cpu: f64,
}

impl Ask for Warm<'_, '_> {
    fn panel(&self) -> &Panel {
        self.bench.panel
    }

    fn ask(
        &mut self,
        who: TargetId,
        script: &mut Script,
        mode: &Mode,
        known: Option<Status>,
    ) -> Result<Asked, RunError> {
        let target = self.bench.panel.get(who);
        let sent = target.print(script, mode);
        let outcome = self.bench.run(who, mode, &sent, self.limit)?;
        self.cpu += seconds(&outcome);
        let said = outcome.answer().and_then(Answer::decided);
        let seen = if said.is_some() && said == known {
            target.observe_unjudged(&outcome)
        } else {
            let queries = script.queries();
            target.observe(script, &queries, &outcome)
        };
        Ok(Asked { text: sent.text().to_owned(), outcome, seen })
    }
}
