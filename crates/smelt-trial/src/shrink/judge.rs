//! Which candidates show a fault of a solver: the evaluator first, warm sessions next, fresh processes last, several candidates at a
//! time.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use smelt_eval::{Exhausted, exhaust};
use smelt_reduce::{Judge, Reducible, Subject, Witness};
use smelt_smtlib::Status;
use smelt_solver::{Crash, Outcome, RunError};
use smelt_triage::{Class, Observation, Says, TargetId};

use super::budget::{Budget, Counts};
use super::evidence::{Need, Said, may_show, opinions};
use super::{AlsoFound, Effort, Stopped};
use crate::bench::Bench;
use crate::panel::Panel;
use crate::reproducer::{Reproducer, Scripts, Terms};

/// Other faults that are kept.
const MOST_OTHERS: usize = 8;

/// A fault that is to stay.
pub(super) struct Fault<'a> {
    panel: &'a Panel,
    who: TargetId,
    reproducer: Reproducer,
    need: Need,
    then: Option<Observation>,
    effort: Effort<'a>,
    others: Mutex<Vec<AlsoFound>>,
}

impl<'a> Fault<'a> {
    pub fn new(
        panel: &'a Panel,
        who: TargetId,
        reproducer: &Reproducer,
        need: Need,
        then: Option<Observation>,
        effort: &Effort<'a>,
    ) -> Self {
        let reproducer = reproducer.clone();
        Self { panel, who, reproducer, need, then, effort: *effort, others: Mutex::default() }
    }

    /// The other faults that were met.
    pub fn also_found(&self) -> Vec<AlsoFound> {
        std::mem::take(&mut self.others.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn note(&self, class: Class, c: &Subject, what: &str, crash: Option<&Crash>) {
        let mut others = self.others.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |o: &AlsoFound| {
            o.class == class
                && match (&o.crash, crash) {
                    (Some(a), Some(b)) => a.resembles(b),
                    (a, b) => a.is_none() && b.is_none(),
                }
        };
        if others.len() < MOST_OTHERS && !others.iter().any(same) {
            others.push(AlsoFound {
                class,
                script: c.script.clone(),
                check: c.check.unwrap_or(0),
                mode: self.reproducer.mode.clone(),
                crash: crash.cloned(),
                what: what.to_owned(),
            });
        }
    }

    /// Whether frames tell this crash from others: then they must be named in each run.
    fn needs_frames(&self) -> bool {
        let row = self.reproducer.class.row();
        row.frames
            && self
                .reproducer
                .crash
                .as_ref()
                .is_some_and(|c| c.starts_with("SIG") && c.contains(": "))
    }

    /// Whether a fresh process shows the fault in a candidate.
    fn shows_cold(&self, c: &Subject, counts: &mut Counts) -> Result<bool, RunError> {
        let mut reproducer = self.reproducer.clone();
        reproducer.check = c.check.unwrap_or(0);
        if let Some(witness) = &c.witness {
            reproducer.witness = Some(witness.text(&c.script));
        }
        let scripts = Scripts { script: &c.script, transcript: None, before: None };
        let terms = Terms {
            then: self.then.as_ref(),
            frames: self.needs_frames(),
            ..Terms::new(self.effort.cpu, self.effort.cancel)
        };
        for _ in 0..self.effort.votes.max(1) {
            counts.cold += 1;
            let shown = reproducer.shows(self.panel, self.who, &scripts, &terms)?;
            match shown.says {
                Says::Holds => return Ok(true),
                Says::Other(class) => {
                    let crash = shown.seen.as_ref().and_then(Observation::crash);
                    self.note(class, c, &shown.what, crash);
                }
                Says::DoesNot | Says::Open => {}
            }
        }
        Ok(false)
    }
}

/// A thread's sessions.
struct Worker<'a> {
    bench: Bench<'a>,
    counts: Counts,
}

/// Judges candidates of one fault.
pub(super) struct NativeJudge<'f, 'a> {
    fault: &'f Fault<'a>,
    budget: Budget<'a>,
    workers: Vec<Worker<'f>>,
    /// Whether warm sessions show the fault: else only fresh processes are asked.
    warm: bool,
    /// CPU time of a warm run: a candidate that takes many times as long as the first script is not waited for.
    pace: Duration,
}

impl<'f, 'a> NativeJudge<'f, 'a> {
    pub fn new(
        fault: &'f Fault<'a>,
        mut budget: Budget<'a>,
        first: &Subject,
    ) -> Result<Self, RunError> {
        budget.begin(first.text().len());
        let workers = (0..fault.effort.threads.max(1))
            .map(|_| Worker {
                bench: Bench::new(fault.panel, false, fault.effort.cancel),
                counts: Counts::default(),
            })
            .collect();
        let mut judge = Self { fault, budget, workers, warm: false, pace: fault.effort.cpu };
        let row = fault.reproducer.class.row();
        if !row.slow && !row.compares {
            let (may, outcome) = judge.warm(0, first)?;
            judge.warm = may;
            let took = (outcome.cpu * 5).max(Duration::from_secs(1));
            judge.pace = took.min(fault.effort.cpu);
            judge.gather();
        }
        Ok(judge)
    }

    /// What was spent and how it went.
    pub fn finish(self) -> Budget<'a> {
        self.budget
    }

    fn gather(&mut self) {
        for w in &mut self.workers {
            self.budget.counts.add(&std::mem::take(&mut w.counts));
        }
    }

    fn warm(&mut self, worker: usize, c: &Subject) -> Result<(bool, Outcome), RunError> {
        ask_warm(self.fault, &mut self.workers[worker], c, self.pace)
    }
}

/// What a warm session of the accused says to a candidate: whether the fault may be there.
fn ask_warm(
    fault: &Fault<'_>,
    w: &mut Worker<'_>,
    c: &Subject,
    limit: Duration,
) -> Result<(bool, Outcome), RunError> {
    let target = fault.panel.get(fault.who);
    let mode = &fault.reproducer.mode;
    w.counts.warm += 1;
    let outcome = w.bench.run(fault.who, mode, &target.print(&c.script, mode), limit)?;
    let mut script = c.script.clone();
    let queries = script.queries();
    let seen = target.observe(&mut script, &queries, &outcome);
    let row = fault.reproducer.class.row();
    let may = match row.ends {
        true => seen.iter().any(|o| o.crash().is_some()) || outcome.crash.is_some(),
        false => seen.get(c.check.unwrap_or(0)).is_some_and(|o| may_show(&fault.reproducer, o)),
    };
    Ok((may, outcome))
}

/// Whether a candidate shows the fault; it comes back with the witness that proves it.
fn test(
    fault: &Fault<'_>,
    w: &mut Worker<'_>,
    mut c: Subject,
    warm: bool,
    pace: Duration,
) -> Result<Option<Subject>, RunError> {
    w.counts.candidates += 1;
    let check = c.check.unwrap_or(0);
    let alone = fault.panel.all().count() < 2;
    let proven = match &fault.need {
        Need::Nothing => true,
        Need::Witness(_) => c.witness_holds(),
        Need::Agreement(Status::Unsat, _) => {
            let query = c.script.queries().into_iter().nth(check);
            query.is_some_and(|q| matches!(exhaust(&c.script, &q), Some(Exhausted::Unsat)))
        }
        Need::Agreement(..) => false,
    };
    if !proven && alone {
        // Nobody can show that an answer to this question is wrong.
        w.counts.evaluated += 1;
        return Ok(None);
    }
    if warm && !ask_warm(fault, w, &c, pace)?.0 {
        return Ok(None);
    }
    if !proven && !settle(fault, w, &mut c, pace)? {
        return Ok(None);
    }
    Ok(fault.shows_cold(&c, &mut w.counts)?.then_some(c))
}

/// Whether others prove the answer wrong that the accused gives to a candidate.
fn settle(
    fault: &Fault<'_>,
    w: &mut Worker<'_>,
    c: &mut Subject,
    pace: Duration,
) -> Result<bool, RunError> {
    let check = c.check.unwrap_or(0);
    let mut script = c.script.clone();
    let Some(query) = script.queries().into_iter().nth(check) else { return Ok(false) };
    let right = match &fault.need {
        Need::Nothing => return Ok(true),
        Need::Witness(_) => Status::Sat,
        Need::Agreement(right, _) => *right,
    };
    w.counts.others += 1;
    let said = opinions(&mut w.bench.within(pace), fault.who, &mut script, &query, check, right)?;
    Ok(match (said, &fault.need) {
        (Said::Model(text), Need::Witness(_)) => {
            c.witness = Some(Witness::read(&text));
            c.witness_holds()
        }
        (Said::Agree(n), Need::Agreement(_, most)) => *most > 0 && n >= *most,
        (Said::Model(_), Need::Agreement(Status::Sat, _)) => true,
        _ => false,
    })
}

impl Judge<Subject> for NativeJudge<'_, '_> {
    fn width(&self) -> usize {
        self.workers.len()
    }

    fn judge(&mut self, candidates: Vec<Subject>) -> Vec<Option<Subject>> {
        let (fault, warm, pace) = (self.fault, self.warm, self.pace);
        let results: Vec<Result<Option<Subject>, RunError>> = if let [_] = candidates[..] {
            let w = &mut self.workers[0];
            candidates.into_iter().map(|c| test(fault, w, c, warm, pace)).collect()
        } else {
            std::thread::scope(|scope| {
                let handles: Vec<_> = candidates
                    .into_iter()
                    .zip(&mut self.workers)
                    .map(|(c, w)| scope.spawn(move || test(fault, w, c, warm, pace)))
                    .collect();
                let join = |h: std::thread::ScopedJoinHandle<'_, _>| {
                    h.join().unwrap_or_else(|p| std::panic::resume_unwind(p))
                };
                handles.into_iter().map(join).collect()
            })
        };
        self.gather();
        results
            .into_iter()
            .map(|r| match r {
                Ok(found) => found,
                Err(RunError::Cancelled) => None,
                // A solver that is gone ends the search: the best so far is kept.
                Err(_) => {
                    self.budget.stopped.get_or_insert(Stopped::Fault);
                    None
                }
            })
            .collect()
    }

    fn is_over(&mut self) -> bool {
        self.budget.is_over()
    }

    fn smaller(&mut self, best: &Subject, pass: &'static str) {
        self.budget.smaller(pass, best.text().len());
    }
}
