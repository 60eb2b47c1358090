//! Does a fault still show? The one predicate behind confirming, rates, fewer options, smaller scripts, replaying and comparing builds.

use std::cell::RefCell;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use smelt_eval::Limits as EvalLimits;
use smelt_smtlib::{Query, Script};
use smelt_solver::{
    Answer, Cancel, Crash, CrashKind, Limits, Mode, Outcome, RunError, Status, signal_name,
};
use smelt_triage::{Class, CoreVerdict, FollowUp, Observation, PATIENCE, Says, TargetId, is_fault};

use crate::follow_up::{self, Asked, Fresh, Met};
use crate::panel::Panel;
use crate::target::Target;

/// A fault, as it is written down: all that is needed to look for it again, but for the scripts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reproducer {
    /// Of which class.
    pub class: Class,
    /// How the solver is run.
    pub mode: Mode,
    /// Which check of the script, from 0.
    pub check: usize,
    /// The signature of the crash, or a text that ends with it, if it is about one; without it any crash will do.
    #[serde(default)]
    pub crash: Option<String>,
    /// Only in a process that ran other scripts before: the script is then the end of a transcript.
    #[serde(default)]
    pub session: bool,
    /// A model of the script, as a solver printed it, by which it is known to be satisfiable.
    #[serde(default)]
    pub witness: Option<String>,
    /// The label of the solver that has the answer which the accused lacks.
    #[serde(default)]
    pub reference: Option<String>,
    /// How many times as long as the reference the accused takes, at least.
    #[serde(default)]
    pub factor: Option<f64>,
    /// How the script is related to the one before it, if it is about both.
    #[serde(default)]
    pub pair: Option<Pair>,
}

/// How two scripts are related.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pair {
    /// What the answer to both must be.
    pub expected: Status,
    /// The rule that leads from the one to the other.
    pub rule: String,
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

/// On which terms it is looked for.
#[derive(Clone, Copy)]
pub struct Terms<'a> {
    /// CPU time of a run; what is slow is given a minute at least.
    pub cpu: Duration,
    /// Ends every wait.
    pub cancel: &'a Cancel,
    /// Whether a debugger names the frames of a crash about which nothing else is known.
    pub frames: bool,
    /// What was seen of the accused when the fault was found, if that is at hand.
    pub then: Option<&'a Observation>,
    /// Where crashes are kept that are met on the way.
    pub met: Option<&'a RefCell<Vec<Met>>>,
}

impl<'a> Terms<'a> {
    /// With so much CPU time for a run, and nothing else.
    pub fn new(cpu: Duration, cancel: &'a Cancel) -> Self {
        Self { cpu, cancel, frames: false, then: None, met: None }
    }
}

/// What a run showed.
pub struct Shown {
    /// Whether the fault is there.
    pub says: Says,
    /// What was seen, for people.
    pub what: String,
    /// What the solver was sent.
    pub text: String,
    /// The run, if it came as far as the script.
    pub outcome: Option<Outcome>,
    /// What was seen of the check, if the run came as far as that.
    pub seen: Option<Observation>,
    /// The follow-up on another script, if there was one: the check alone, or the script before the step.
    pub beside: Option<Asked>,
}

impl Shown {
    fn new(says: Says, what: String, text: String, outcome: Option<Outcome>) -> Self {
        Self { says, what, text, outcome, seen: None, beside: None }
    }
}

/// A run of the accused.
struct Ran {
    text: String,
    outcome: Outcome,
    /// What was seen of the checks of the script; of a transcript that ends in a fault, nothing.
    seen: Vec<Observation>,
}

impl Reproducer {
    /// A fault of a class that a solver in this mode shows in this check, and nothing else is known of it.
    pub fn new(class: Class, mode: Mode, check: usize) -> Self {
        Self {
            class,
            mode,
            check,
            crash: None,
            session: false,
            witness: None,
            reference: None,
            factor: None,
            pair: None,
        }
    }

    /// Looks for the fault in a solver of a panel: in a fresh process, with what else the class needs.
    pub fn shows(
        &self,
        panel: &Panel,
        who: TargetId,
        scripts: &Scripts<'_>,
        terms: &Terms<'_>,
    ) -> Result<Shown, RunError> {
        let target = panel.get(who);
        if let Some(why) = target.caveat_on(scripts.script) {
            let what = format!("no verdict: {why}");
            return Ok(Shown::new(Says::Open, what, String::new(), None));
        }
        let row = self.class.row();
        let mut script = scripts.script.clone();
        let queries = script.queries();
        let cpu = if row.slow { terms.cpu.max(PATIENCE) } else { terms.cpu };
        let mut fresh = Fresh { panel, cpu, cancel: terms.cancel, met: terms.met };
        let Some(ran) =
            self.run(target, &mut script, &queries, scripts.transcript, &fresh, terms)?
        else {
            let what = "it did not come as far as the script".to_owned();
            return Ok(Shown::new(Says::Open, what, String::new(), None));
        };
        let Ran { text, outcome, seen } = ran;
        if row.ends {
            return Ok(self.end(target, scripts.transcript, text, outcome, seen));
        }
        let Some(mut o) = seen.into_iter().nth(self.check) else {
            // What ended an earlier check leaves this one open.
            let what = match outcome.answer() {
                Some(a) => format!("it came as far as check {}: {a}", outcome.checks.len()),
                None => "it gave no answer".to_owned(),
            };
            return Ok(Shown::new(Says::Open, what, text, Some(outcome)));
        };
        let mut what = match (&o.model, &o.answer) {
            (Some(m), a) => format!("{a}, model {m}"),
            (None, Answer::Sat) if row.follow_up == Some(FollowUp::Unchecked) => {
                "sat, without a model".to_owned()
            }
            (None, a) => a.to_string(),
        };
        let core = outcome.checks.get(self.check).and_then(|c| c.core.as_deref());
        let place = Place {
            script: &mut script,
            query: &queries[self.check],
            before: scripts.before,
            core,
        };
        let beside = self.follow_up(&mut fresh, place, terms.then, &mut o, &mut what)?;
        let mut says = self.class.shown(&o, terms.then);
        if says == Says::Open && o.own_crash().is_some() {
            says = Says::Other(Class::Crash);
        }
        let outcome = Some(outcome);
        Ok(Shown { says, what, text, outcome, seen: Some(o), beside })
    }

    /// Runs the accused in a fresh process. `None` if it did not come to the end of a transcript.
    fn run(
        &self,
        target: &Target,
        script: &mut Script,
        queries: &[Query],
        transcript: Option<&str>,
        fresh: &Fresh<'_>,
        terms: &Terms<'_>,
    ) -> Result<Option<Ran>, RunError> {
        let ends = self.class.row().ends;
        let Some(sent) = transcript else {
            // A death without a word was no lack of memory, which has been seen: one run tells, with memory for all that it
            // asks for.
            let silent = terms.then.and_then(Observation::crash).is_some_and(Crash::is_silent);
            let limits = Limits { resident: silent, ..target.limits(fresh.cpu) };
            let mut asked = fresh.run(target.id(), script, &self.mode, limits)?;
            let sought = ends.then_some(self.check);
            fresh.meet(target.id(), &self.mode, script, &asked.seen, sought);
            self.name_frames(target, &asked.text, &mut asked.outcome, terms)?;
            let Asked { text, outcome, seen } = asked;
            return Ok(Some(Ran { text, outcome, seen }));
        };
        let text = sent.to_owned();
        let cpu = fresh.cpu * 10;
        if ends {
            let sent = smelt_solver::Script::new(sent);
            let mut outcome = target.run_cold(&sent, &self.mode, cpu, fresh.cancel)?;
            self.name_frames(target, &text, &mut outcome, terms)?;
            return Ok(Some(Ran { text, outcome, seen: Vec::new() }));
        }
        let ran = target.run_transcript(sent, queries.len(), &self.mode, cpu, fresh.cancel)?;
        Ok(ran.map(|outcome| {
            let seen = target.observe_within(script, queries, &outcome, EvalLimits::default());
            Ran { text, outcome, seen }
        }))
    }

    /// Makes the follow-up of the class, where the answer can be what it is about.
    fn follow_up(
        &self,
        fresh: &mut Fresh<'_>,
        place: Place<'_>,
        then: Option<&Observation>,
        o: &mut Observation,
        what: &mut String,
    ) -> Result<Option<Asked>, RunError> {
        let Place { script, query, before, core } = place;
        match self.class.row().follow_up {
            Some(FollowUp::Flat) => {
                let asked = follow_up::flat::flat(fresh, script, query, &self.mode, o)?;
                if let Some(asked) = &asked {
                    *what = format!("{what}; the check alone {}", asked.answer());
                }
                return Ok(asked);
            }
            Some(FollowUp::Before) => {
                let Some(before) = before else { return Ok(None) };
                let expected = self.pair.as_ref().map(|p| p.expected);
                let asked = follow_up::before::before(fresh, before, expected, &self.mode, o)?;
                *what = format!("{what}; before the step {}", asked.answer());
                return Ok(Some(asked));
            }
            Some(FollowUp::Core) if o.answer == Answer::Unsat => match core {
                None => what.push_str(", and no core was given"),
                Some(core) => {
                    let judges = fresh.panel.all().map(Target::id);
                    follow_up::core::core(fresh, judges, script, core, o)?;
                    let core = core.split_whitespace().collect::<Vec<_>>().join(" ");
                    *what = match &o.core {
                        Some(CoreVerdict::RefutedBy(by)) => {
                            format!("unsat, {by} has a model of its core {core}")
                        }
                        Some(CoreVerdict::Stands) => format!("unsat, and so is its core {core}"),
                        _ => format!("unsat, and nobody decides its core {core}"),
                    };
                }
            },
            Some(FollowUp::Unchecked) => {
                match then.filter(|t| t.who == o.who).and_then(|t| t.unchecked.clone()) {
                    // What the model is worth that its checker kept back is known.
                    Some(known) if o.complaint.is_some() && o.model.is_none() => {
                        o.unchecked = Some(known);
                    }
                    _ => follow_up::unchecked::unchecked(fresh, script, self.check, &self.mode, o)?,
                }
            }
            _ => {}
        }
        Ok(None)
    }

    fn name_frames(
        &self,
        target: &Target,
        text: &str,
        outcome: &mut Outcome,
        terms: &Terms<'_>,
    ) -> Result<(), RunError> {
        if terms.frames && self.class.row().frames {
            let setup = self.mode.setup(Limits::cpu(terms.cpu));
            let sent = smelt_solver::Script::new(text);
            target.solver.name_frames(&sent, &setup, outcome, Some(terms.cancel))?;
        }
        Ok(())
    }

    /// Whether a run ended by the crash that is looked for. Who cannot be run, is ended by somebody else, or dies behind an error
    /// has not crashed.
    fn end(
        &self,
        target: &Target,
        transcript: Option<&str>,
        text: String,
        outcome: Outcome,
        seen: Vec<Observation>,
    ) -> Shown {
        let answer = outcome.answer().map_or("it gave no answer".to_owned(), ToString::to_string);
        let crash = target.crash(&outcome);
        let (says, what) = match (&crash, &outcome.crash, outcome.answer()) {
            (Some(crash), ..) if self.is_sought(crash) => (Says::Holds, crash.to_string()),
            (Some(crash), ..) => (Says::Other(self.class), format!("another crash: {crash}")),
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
        let seen = match (transcript, crash) {
            // Whichever check of the session it was.
            (Some(_), crash) => crash.map(|c| target.said(Answer::Crash(c), None)),
            (None, _) => seen.into_iter().nth(self.check),
        };
        Shown { seen, ..Shown::new(says, what, text, Some(outcome)) }
    }

    /// Whether a crash is the one that is looked for. Frames are not known of every run.
    fn is_sought(&self, crash: &Crash) -> bool {
        let Some(text) = &self.crash else { return true };
        let bare = match &crash.kind {
            CrashKind::Signal { signal, frames } if frames.is_empty() => {
                text.contains(&signal_name(*signal))
            }
            CrashKind::Signal { signal, .. } => text.ends_with(&signal_name(*signal)),
            _ => false,
        };
        bare || text.ends_with(&crash.signature())
    }
}

/// Where a fault is looked for.
struct Place<'a> {
    script: &'a mut Script,
    query: &'a Query,
    before: Option<&'a Script>,
    /// The unsat core that the solver gave.
    core: Option<&'a str>,
}
