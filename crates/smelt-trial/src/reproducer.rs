//! Does a fault still show? The one predicate behind confirming, rates, fewer options, smaller scripts, replaying and comparing builds.

use std::cell::RefCell;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use smelt_eval::{Limits as EvalLimits, ModelOptions, model_text, parse_model};
use smelt_smtlib::{Query, Script, write_symbol};
use smelt_solver::{
    Answer, Cancel, Crash, CrashKind, Limits, Mode, Outcome, RunError, Status, signal_name,
};
use smelt_triage::{
    Class, FollowUp, ModelVerdict, Observation, PATIENCE, Says, TargetId, is_fault,
    judge_model_within,
};

use crate::follow_up::before::declared;
use crate::follow_up::{self, Asked, Fresh, Met, Place};
use crate::panel::Panel;
use crate::relation::relation;
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
    /// A model by which the script is known to be satisfiable, in the words of the standard. What the script has not is left out of it.
    #[serde(default)]
    pub witness: Option<String>,
    /// How the solver is named that has the answer which the accused lacks.
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
    /// The rule that leads from the one to the other, or the name of a relation that holds in every theory.
    pub rule: String,
}

impl Pair {
    /// The other script of a step, in words.
    pub const STEP: &str = "the script before the step";

    /// The other script in words, and whether the relation holds in every theory.
    pub fn words(&self) -> (String, bool) {
        match relation(&self.rule) {
            Some(r) => (r.text.to_owned(), true),
            None => (Self::STEP.to_owned(), false),
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
        let row = self.class.row();
        if let Some(why) = self.excuse(target, scripts.script) {
            let what = format!("no verdict: {why}");
            return Ok(Shown::new(Says::Open, what, String::new(), None));
        }
        let mut script = scripts.script.clone();
        let queries = script.queries();
        if let (Some(Status::Unsat), Some(witness), None) =
            (row.wrong, &self.witness, scripts.transcript)
            && !queries.get(self.check).is_some_and(|q| satisfies(witness, &mut script, q))
        {
            // No solver need be asked whether it is wrong about another question.
            let what = "the witness does not satisfy this script".to_owned();
            return Ok(Shown::new(Says::Open, what, String::new(), None));
        }
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
        let what = self.words(&o);
        let reference = self.reference.as_deref().and_then(|spec| panel.find(spec));
        if row.asks(FollowUp::Reference) && self.reference.is_some() && reference.is_none() {
            let what = format!("{what}, and the solver that has the answer is not at hand");
            return Ok(Shown::new(Says::Open, what, text, Some(outcome)));
        }
        let mut place = Place {
            script: &mut script,
            query: &queries[self.check],
            check: self.check,
            mode: &self.mode,
            said: outcome.checks.get(self.check),
            then: terms.then,
            before: scripts.before,
            pair: self.pair.as_ref(),
            reference: reference.map(|who| (who, self.factor)),
            what,
        };
        let mut beside = None;
        for way in follow_up::of(self) {
            let asked = (way.make)(&mut fresh, &mut place, &mut o)?;
            beside = beside.or(asked);
        }
        let what = place.what;
        let mut says = self.class.shown(&o, terms.then);
        if says == Says::Open && o.own_crash().is_some() {
            says = Says::Other(Class::Crash);
        }
        let outcome = Some(outcome);
        Ok(Shown { says, what, text, outcome, seen: Some(o), beside })
    }

    /// Why nothing that the solver does on the script counts. A meaning that differs from the standard's excuses an answer, and no crash.
    fn excuse<'t>(&self, target: &'t Target, script: &Script) -> Option<&'t str> {
        match self.class.row().ends {
            true => target.crash_excuse_on(script),
            false => target.caveat_on(script),
        }
    }

    /// What the solver said, in words.
    fn words(&self, o: &Observation) -> String {
        match (&o.model, &o.answer) {
            (Some(m), a) => format!("{a}, model {m}"),
            (None, Answer::Sat) if self.class.row().asks(FollowUp::Unchecked) => {
                "sat, without a model".to_owned()
            }
            (None, a) => a.to_string(),
        }
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

    fn name_frames(
        &self,
        target: &Target,
        text: &str,
        outcome: &mut Outcome,
        terms: &Terms<'_>,
    ) -> Result<(), RunError> {
        if terms.frames && self.class.row().frames {
            target.name_frames(text, &self.mode, outcome, terms.cpu, terms.cancel)?;
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
        // The end that its own checker made is sought only if it is the one that was found.
        let by_checker = self.crash.as_deref().is_some_and(|text| target.is_complaint_text(text));
        let crash = if by_checker { target.any_crash(&outcome) } else { target.crash(&outcome) };
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

/// A model in the words of the standard, as the solver that printed it writes them. `None` if it has values that cannot be written so.
pub fn standard_text(text: &str, options: &ModelOptions, script: &mut Script) -> Option<String> {
    let mark = script.arena.mark();
    let model = parse_model(script, text.as_bytes(), options).ok();
    let text = model.and_then(|m| model_text(script, &m).ok());
    script.arena.rollback(mark);
    text
}

/// Whether a witness satisfies a check, as far as it is about its symbols.
pub fn satisfies(witness: &str, script: &mut Script, query: &Query) -> bool {
    let judge = |script: &mut Script, text: &str| {
        let (options, limits) = (ModelOptions::default(), EvalLimits::default());
        judge_model_within(script, query, text, &options, limits)
    };
    match judge(script, witness) {
        ModelVerdict::Unreadable(_) => {
            let known = restricted(witness, script);
            judge(script, &known) == ModelVerdict::True
        }
        verdict => verdict == ModelVerdict::True,
    }
}

/// A witness without the definitions of symbols that a script does not declare.
fn restricted(witness: &str, script: &Script) -> String {
    let declared: Vec<String> = declared(script)
        .map(|f| {
            let mut name = String::new();
            write_symbol(script.arena.name(script.arena.fun(f).name), &mut name);
            name
        })
        .collect();
    let text = witness.trim();
    let inner = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')).unwrap_or_default();
    let mut kept = String::from("(\n");
    for item in smelt_solver::sexpr::items(inner) {
        let name = item.text.trim_start_matches("(define-fun ");
        let known = |d: &String| name.strip_prefix(&**d).is_some_and(|rest| rest.starts_with(' '));
        // Elements of sorts, and what else is no definition, stay.
        if item.head() != "define-fun" || declared.iter().any(known) {
            kept.push_str(item.text);
            kept.push('\n');
        }
    }
    kept.push(')');
    kept
}
