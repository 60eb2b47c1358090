//! Contradictions between two scripts: one of two answers is wrong, and a model may say which.

use smelt_smtlib::{Script, flatten, parse};
use smelt_solver::{Answer, Mode, RunError, Status};
use smelt_triage::{Class, ModelVerdict, Truth};

use super::{Attempt, Candidate, Confirmed, Court, Witness};
use crate::follow_up::Ask;
use crate::follow_up::before::with_symbols_of;
use crate::shrink::plain;

impl Court<'_> {
    /// A check in its script and alone: is the answer to the script the wrong one, the one to the check alone, or is it not known?
    pub(super) fn contradiction(
        &self,
        whole: &Attempt,
        truth: Truth,
        c: &Candidate,
    ) -> Result<Option<Confirmed>, RunError> {
        if let Some(class) = c.seen.answer.decided().and_then(Class::of_wrong) {
            let found = self.confirm_attempt(&Attempt { class, ..whole.clone() }, truth)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        let alone = alone(whole, c);
        let with = |model: Option<String>| {
            let model = model.map(|text| (text, "on the script with push and pop"));
            alone.clone().map(|a| Attempt { model, ..a })
        };
        if let Some(attempt) = with(c.model.clone()) {
            let found = self.confirm_attempt(&attempt, truth)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        let found = self.confirm_attempt(whole, truth)?;
        // A `sat` that turns out to have a true model: the `unsat` of the check alone is wrong.
        if let Some(found) = &found
            && let (Some(ModelVerdict::True), Some(Witness::Printed(_, text))) =
                (&found.seen[0].model, &found.witness)
            && let Some(attempt) = with(Some(text.clone()))
            && let Some(proven) = self.confirm_attempt(&attempt, truth)?
        {
            return Ok(Some(proven));
        }
        Ok(found)
    }

    /// A script and the one before it: their answers exclude each other by a proved rule. The error is a model by which the rule is wrong.
    pub(super) fn clash(
        &self,
        a: &Attempt,
        truth: Truth,
    ) -> Result<Result<Option<Confirmed>, String>, RunError> {
        let Some(found) = self.confirm_attempt(a, truth)? else { return Ok(Ok(None)) };
        let (Some((before, related)), Some(now)) = (&a.before, found.seen[0].answer.decided())
        else {
            return Ok(Ok(Some(found)));
        };
        // What was made smaller is settled by its own models; if they do not tell, the larger scripts may.
        let small = found.before.as_deref().filter(|_| found.foreign);
        let small = small.and_then(|text| parse(text.as_bytes()).ok());
        let pairs =
            [small.as_ref().map(|before| (before, &found.script)), Some((before, &a.script))];
        for (before, script) in pairs.into_iter().flatten() {
            // What is called sat implies the other, whichever way the step went.
            let [sat, unsat] =
                if now == Status::Unsat { [before, script] } else { [script, before] };
            match self.blame(a, found.mode(), sat, unsat)? {
                Blame::Rule(model) => return Ok(Err(model)),
                Blame::Open => {}
                Blame::Answer(attempt) => {
                    // The label was given to the script behind the step, and is of both.
                    let known = Truth { label: related.expected, ..Truth::default() };
                    if let Some(proven) = self.confirm_attempt(&attempt, known)? {
                        return Ok(Ok(Some(proven)));
                    }
                }
            }
        }
        Ok(Ok(Some(found)))
    }

    /// Which of two answers is wrong, by the model of the script that is called sat, which implies the other.
    fn blame(
        &self,
        a: &Attempt,
        mode: &Mode,
        sat: &Script,
        unsat: &Script,
    ) -> Result<Blame, RunError> {
        let accused = self.panel.get(a.accused);
        let mode = Mode { models: true, ..mode.clone() };
        let asked = self.fresh().ask(a.accused, &mut sat.clone(), &mode, None)?;
        let ([o], [check]) = (&*asked.seen, &*asked.outcome.checks) else { return Ok(Blame::Open) };
        let Some(model) = check.model.clone().filter(|_| o.answer == Answer::Sat) else {
            return Ok(Blame::Open);
        };
        let attempt = |class, script| Attempt {
            class,
            script,
            check: 0,
            mode: mode.clone(),
            transcript: String::new(),
            model: None,
            before: None,
            foreign: true,
            ..a.clone()
        };
        if matches!(o.model, Some(ModelVerdict::False(_))) {
            return Ok(Blame::Answer(Box::new(attempt(Class::InvalidModel, sat.clone()))));
        }
        let other = with_symbols_of(&plain(unsat), &plain(sat));
        let Some(mut other) = other.filter(|_| o.model == Some(ModelVerdict::True)) else {
            return Ok(Blame::Open);
        };
        let Some(query) = other.queries().into_iter().next() else { return Ok(Blame::Open) };
        Ok(match accused.judge(&mut other, &query, &model, smelt_eval::Limits::default()) {
            ModelVerdict::False(_) => Blame::Rule(model),
            ModelVerdict::True => {
                let attempt = attempt(Class::RefutationSoundness, other);
                Blame::Answer(Box::new(Attempt {
                    model: Some((model, "on its neighbour")),
                    ..attempt
                }))
            }
            _ => Blame::Open,
        })
    }
}

/// Who is to blame for answers that exclude each other.
enum Blame {
    /// One of the answers: what is to be shown of it.
    Answer(Box<Attempt>),
    /// The rule that relates the two scripts: this model refutes it.
    Rule(String),
    /// Nobody knows who.
    Open,
}

/// The check alone, and the accusation that its answer is the wrong one of a contradiction.
fn alone(whole: &Attempt, c: &Candidate) -> Option<Attempt> {
    let query = whole.script.queries().into_iter().nth(whole.check)?;
    Some(Attempt {
        class: Class::of_wrong(c.seen.flat.as_ref()?.answer)?,
        check: 0,
        transcript: String::new(),
        mode: Mode { cores: false, push_pop: false, ..whole.mode.clone() },
        script: flatten(&whole.script, &query),
        ..whole.clone()
    })
}
