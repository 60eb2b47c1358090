//! Does a fault still show? The one predicate behind rates, smaller scripts, replaying and comparing builds.

use std::time::Duration;

use smelt_eval::Limits as EvalLimits;
use smelt_smtlib::{Script, flatten};
use smelt_solver::{Answer, Cancel, Crash, Limits, Mode, Outcome, RunError, signal_name};
use smelt_triage::{Class, FollowUp, Observation, Says, is_fault};

use crate::comparable;
use crate::core::{CoreVerdict, judge_core};
use crate::target::Target;

/// A fault, and how it is looked for.
pub struct Reproducer<'a> {
    /// Of which class.
    pub class: Class,
    /// How the solver is run.
    pub mode: &'a Mode,
    /// Which check of the script, from 0.
    pub check: usize,
    /// Which crash, if it is about one.
    pub crash: Sought<'a>,
    /// What was seen of the accused when it was found, if that is at hand.
    pub then: Option<&'a Observation>,
    /// Whether a debugger names the frames of a crash about which nothing else is known.
    pub frames: bool,
    /// CPU time of a run.
    pub cpu: Duration,
    /// Ends every wait.
    pub cancel: &'a Cancel,
    /// Who is asked whether an unsat core has a model.
    pub judges: &'a [&'a Target],
}

/// Which crash is looked for.
#[derive(Clone, Copy)]
pub enum Sought<'a> {
    /// Any.
    Any,
    /// One like this.
    Like(&'a Crash),
    /// One whose signature ends this text.
    Signed(&'a str),
}

impl Sought<'_> {
    fn is(self, crash: &Crash) -> bool {
        match self {
            Sought::Any => true,
            Sought::Like(seen) => seen.resembles(crash),
            Sought::Signed(text) => {
                // Frames are not known of every run.
                let bare = match &crash.kind {
                    smelt_solver::CrashKind::Signal { signal, frames } if frames.is_empty() => {
                        text.contains(&signal_name(*signal))
                    }
                    _ => false,
                };
                bare || text.ends_with(&crash.signature())
            }
        }
    }
}

/// What a fault is looked for in.
pub struct Scripts<'a> {
    /// The script.
    pub script: &'a Script,
    /// All that a session was sent, if it takes that: the script is its end.
    pub transcript: Option<&'a str>,
    /// The script before the step that led to this one, if the fault is about both.
    pub before: Option<&'a Script>,
}

/// What a run showed.
pub struct Shown {
    /// Whether the fault is there.
    pub says: Says,
    /// What was seen, for people.
    pub what: String,
    /// The run, if it came as far as the script.
    pub outcome: Option<Outcome>,
    /// What was seen of the check, if the run came as far as that.
    pub seen: Option<Observation>,
}

impl Shown {
    fn open(what: &str, outcome: Option<Outcome>) -> Self {
        Self { says: Says::Open, what: what.to_owned(), outcome, seen: None }
    }
}

impl Reproducer<'_> {
    /// Runs a solver in a fresh process, with what else the class needs.
    pub fn shows(&self, target: &Target, scripts: &Scripts<'_>) -> Result<Shown, RunError> {
        let mut script = scripts.script.clone();
        let queries = script.queries();
        let outcome = match scripts.transcript {
            Some(sent) if self.class == Class::Crash => {
                let sent = smelt_solver::Script::new(sent);
                let mut outcome = target.run_cold(&sent, self.mode, self.cpu * 10, self.cancel)?;
                self.name_frames(target, &sent, &mut outcome)?;
                Some(outcome)
            }
            Some(sent) => {
                let (n, cpu) = (queries.len(), self.cpu * 10);
                target.run_transcript(sent, n, self.mode, cpu, self.cancel)?
            }
            None => {
                let sent = target.print(&script, self.mode);
                // A death without a word was no lack of memory, which has been seen: one run tells, with memory for all that it
                // asks for.
                let silent = self.then.and_then(Observation::crash).is_some_and(Crash::is_silent);
                let limits = Limits { resident: silent, ..target.limits(self.cpu) };
                let mut outcome = target.run_within(&sent, self.mode, limits, self.cancel)?;
                self.name_frames(target, &sent, &mut outcome)?;
                Some(outcome)
            }
        };
        let Some(outcome) = outcome else {
            return Ok(Shown::open("it did not come as far as the script", None));
        };
        if self.class == Class::Crash {
            return Ok(self.crash(target, outcome));
        }
        let limits = EvalLimits::default();
        let seen = target.observe_within(&mut script, &queries, &outcome, limits);
        let Some(mut o) = seen.into_iter().nth(self.check) else {
            // What ended an earlier check leaves this one open.
            let what = match outcome.answer() {
                Some(a) => format!("it came as far as check {}: {a}", outcome.checks.len()),
                None => "it gave no answer".to_owned(),
            };
            return Ok(Shown::open(&what, Some(outcome)));
        };
        let mut what = match (&o.model, &o.answer) {
            (Some(m), a) => format!("{a}, model {m}"),
            (None, Answer::Sat) if self.class == Class::InvalidModel => {
                "sat, without a model".to_owned()
            }
            (None, a) => a.to_string(),
        };
        let mut stands = false;
        match self.class.row().follow_up {
            Some(FollowUp::Flat) if o.answer.decided().is_some() => {
                let mut flat = flatten(&script, &queries[self.check]);
                let sent = target.print(&flat, self.mode);
                let alone = target.run_cold(&sent, self.mode, self.cpu, self.cancel)?;
                let queries = flat.queries();
                let seen = target.observe_within(&mut flat, &queries, &alone, limits);
                o.flat = seen.first().and_then(comparable::flat);
                let said = alone.answer().map_or("no answer".to_owned(), ToString::to_string);
                what = format!("{what}; the check alone {said}");
            }
            Some(FollowUp::Core) if o.answer == Answer::Unsat && !o.complains_of(self.class) => {
                match outcome.checks.get(self.check).and_then(|c| c.core.as_deref()) {
                    None => what.push_str(", and no core was given"),
                    Some(core) => {
                        let judges = self.judges.iter().copied();
                        let verdict = judge_core(&script, core, judges, self.cpu, self.cancel)?;
                        let core = core.split_whitespace().collect::<Vec<_>>().join(" ");
                        what = match verdict {
                            CoreVerdict::Refuted(by) => {
                                let what = format!("unsat, {by} has a model of its core {core}");
                                o.core_refuted_by = Some(by);
                                what
                            }
                            CoreVerdict::Stands => {
                                stands = true;
                                format!("unsat, and so is its core {core}")
                            }
                            CoreVerdict::Open => {
                                format!("unsat, and nobody decides its core {core}")
                            }
                        };
                    }
                }
            }
            Some(FollowUp::Unchecked) => match self.then.and_then(|t| t.unchecked.clone()) {
                // What the model is worth that the checker kept back is known.
                Some(known) if o.complaint.is_some() && o.model.is_none() => {
                    o.unchecked = Some(known);
                }
                _ => {
                    let patience = (self.cpu, self.cancel);
                    target.look_unchecked(&script, self.check, &mut o, self.mode, patience)?;
                }
            },
            Some(FollowUp::Before) => {
                if let Some(before) = scripts.before {
                    let sent = target.print(before, self.mode);
                    let run = target.run_cold(&sent, self.mode, self.cpu, self.cancel)?;
                    let said =
                        run.answer().map_or("it gave no answer".to_owned(), ToString::to_string);
                    what = format!("{what}; before the step {said}");
                    o.before = run.answer().cloned();
                }
            }
            _ => {}
        }
        let says = if stands { Says::DoesNot } else { self.class.shown(&o, self.then) };
        Ok(Shown { says, what, outcome: Some(outcome), seen: Some(o) })
    }

    fn name_frames(
        &self,
        target: &Target,
        sent: &smelt_solver::Script,
        outcome: &mut Outcome,
    ) -> Result<(), RunError> {
        if self.frames && self.class == Class::Crash {
            let setup = self.mode.setup(Limits::cpu(self.cpu));
            target.solver.name_frames(sent, &setup, outcome, Some(self.cancel))?;
        }
        Ok(())
    }

    /// Whether a run ended by the crash that is looked for. Who cannot be run, is ended by somebody else, or dies behind an error
    /// has not crashed.
    fn crash(&self, target: &Target, outcome: Outcome) -> Shown {
        let answer = outcome.answer().map_or("it gave no answer".to_owned(), ToString::to_string);
        let (says, what) = match (target.crash(&outcome), &outcome.crash, outcome.answer()) {
            (Some(crash), ..) if self.crash.is(&crash) => (Says::Holds, crash.to_string()),
            (Some(crash), ..) => (Says::Other, format!("another crash: {crash}")),
            (None, Some(crash), _) if is_fault(crash) => (Says::Open, crash.to_string()),
            (None, Some(crash), Some(Answer::Sat | Answer::Unsat | Answer::Unknown(_))) => {
                (Says::Open, format!("{answer}, and {crash} behind an error"))
            }
            (
                None,
                None,
                Some(Answer::Sat | Answer::Unsat | Answer::Unknown(_) | Answer::DeltaSat),
            ) => (Says::DoesNot, answer),
            _ => (Says::Open, answer),
        };
        Shown { says, what, outcome: Some(outcome), seen: None }
    }
}
