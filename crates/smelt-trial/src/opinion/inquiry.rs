//! What is asked on of several solvers, where an opinion leaves something open: the worth of models, the script with names for its open
//! values, and a solver's own words.

use std::time::Duration;

use smelt_eval::prove;
use smelt_smtlib::{Query, Script, flatten, totalise};
use smelt_solver::{Mode, RunError, Status};
use smelt_triage::{
    Before, Complaint, Diagnosis, Evidence, FollowUp, ModelVerdict, Observation, TargetId, Truth,
    Wanted, closed_part, diagnose,
};

use super::Run;
use crate::content::Content;
use crate::follow_up::pinned::changes_question;
use crate::follow_up::related::{contradiction, joint_logic, values_of};
use crate::follow_up::{Ask, Place, pinned};

/// The script with names for what the standard leaves open, in words.
const TOTALISED: &str = "the totalised script";
/// The script without the assertions that leave something open, in words.
const CLOSED: &str = "the assertions that leave nothing open";

/// Asks for the script with the values of each model that the evaluator leaves open, at most of so many, and lets its solver check it.
/// For each of these models: whose it is, with that script, if the answers to it speak against the model.
pub(super) fn weigh_models(
    ask: &mut dyn Ask,
    script: &mut Script,
    query: &Query,
    check: usize,
    runs: &mut [Run],
    most: usize,
) -> Result<Vec<Option<(String, String)>>, RunError> {
    let mode = Mode::plain();
    let mut weighed = Vec::new();
    for run in runs {
        let (Some(o), Ok(outcome)) = (run.seen.get_mut(check), &run.outcome) else { continue };
        if o.no_verdict.is_some() || !o.model.as_ref().is_some_and(ModelVerdict::is_open) {
            continue;
        }
        if weighed.len() == most {
            break;
        }
        let mut place = Place {
            script,
            query,
            check,
            mode: &mode,
            said: outcome.checks.get(check),
            then: None,
            before: None,
            pair: None,
            reference: None,
            what: String::new(),
        };
        let asked = pinned::make(ask, &mut place, o)?;
        let refused = o.pinned.as_ref().is_some_and(|p| !p.stands());
        let values = asked
            .filter(|_| refused)
            .map(|a| (format!("{}, with the values of its model", o.solver), a.text));
        weighed.push(values);
        let model = outcome.checks.get(check).and_then(|c| c.model.as_deref());
        if let (None, Some(model)) = (&o.complaint, model) {
            o.complaint = own_check(ask, &mut flatten(script, query), model, o)?;
        }
    }
    Ok(weighed)
}

/// What the solver's own checker says of a model, if it has a checker, and gives that model again for the check alone.
fn own_check(
    ask: &mut dyn Ask,
    script: &mut Script,
    model: &str,
    o: &Observation,
) -> Result<Option<Complaint>, RunError> {
    if ask.panel().get(o.who).solver.profile().self_check_args.is_empty() {
        return Ok(None);
    }
    let mode = Mode { self_check: true, ..Mode::plain() };
    let asked = ask.ask(o.who, script, &mode, None)?;
    let printed = asked.outcome.checks.first().and_then(|c| c.model.as_deref());
    let same = printed.is_some_and(|m| pinned::words(m) == pinned::words(model));
    Ok(asked.seen.into_iter().next().filter(|_| same).and_then(|o| o.complaint))
}

/// A check alone, with names for what it leaves open, and what solvers say of it.
pub(super) struct Base {
    script: Script,
    /// Which script it is, in words, if it is not the check itself.
    on: Option<&'static str>,
    /// What was seen of it; of the check itself, if nothing was open.
    seen: Vec<Observation>,
    /// Who calls the check itself satisfiable, and does not say so of this script: it is then satisfiable, too, whatever values that
    /// solver gives to what is open.
    claims: Vec<Observation>,
    truth: Truth,
    /// The models that were printed for it.
    models: Vec<(TargetId, String)>,
    older: Wanted,
}

impl Base {
    /// Asks solvers for the totalised check, if it leaves something open. `None` if what it leaves open cannot be named.
    pub fn of(
        ask: &mut dyn Ask,
        script: &Script,
        query: &Query,
        check: usize,
        runs: &[Run],
        truth: Truth,
        wanted: &Wanted,
    ) -> Result<Option<Self>, RunError> {
        let flat = flatten(script, query);
        let Ok(total) = totalise(&flat) else { return Ok(None) };
        let older = Wanted { older: wanted.older.clone(), ..Wanted::default() };
        let said = runs.iter().filter_map(|r| {
            let (o, outcome) = (r.seen.get(check)?, r.outcome.as_ref().ok()?);
            Some((o, outcome.checks.get(check)?.model.clone()))
        });
        let said: Vec<(&Observation, Option<String>)> =
            said.filter(|(o, _)| o.no_verdict.is_none()).collect();
        let model = |(o, m): (&Observation, Option<String>)| Some((o.who, m?));
        if total.open.is_empty() {
            let seen = said.iter().map(|(o, _)| (*o).clone()).collect();
            let models = said.into_iter().filter_map(model).collect();
            let claims = Vec::new();
            return Ok(Some(Self { script: flat, on: None, seen, claims, truth, models, older }));
        }
        let mut script = total.script;
        let Some(query) = script.queries().into_iter().next() else { return Ok(None) };
        let content = Content::of(&script);
        let (mut seen, mut claims, mut models) = (Vec::new(), Vec::new(), Vec::new());
        for (before, _) in said {
            // What its model rests on does not count: its answer is held against what holds under every convention.
            let refuted = |m: &ModelVerdict| matches!(m, ModelVerdict::False(_));
            let claim =
                Observation { model: before.model.clone().filter(refuted), ..before.clone() };
            if !ask.panel().get(before.who).takes(&content) {
                continue;
            }
            let asked = ask.ask(before.who, &mut script, &Mode::plain(), None)?;
            let Some(o) = asked.seen.into_iter().next() else { continue };
            match (before.answer.decided(), o.answer.decided()) {
                (then, now) if then == now => {
                    let printed = asked.outcome.checks.into_iter().next().and_then(|c| c.model);
                    models.extend(printed.map(|m| (o.who, m)));
                    seen.push(o);
                }
                // Satisfiable under its convention, and under none: its own words.
                (Some(Status::Sat), Some(expected @ Status::Unsat)) if o.counts() => {
                    // Both are asked in one logic and mode.
                    let logic = Some(joint_logic(&flat, &script).to_owned());
                    let mode = Mode { logic, ..Mode::plain() };
                    if changes_question(ask.panel().get(o.who), &mode, &flat) {
                        continue;
                    }
                    let mut said = Vec::new();
                    for s in [&flat, &script] {
                        let asked = ask.ask(o.who, &mut s.clone(), &mode, None)?;
                        let first = asked.seen.into_iter().next().filter(Observation::counts);
                        said.push(first.and_then(|o| o.answer.decided()));
                    }
                    if said == [Some(Status::Sat), Some(Status::Unsat)] {
                        let (what, universal) = (TOTALISED.to_owned(), true);
                        let said = Before { answer: o.answer, expected, what, universal };
                        seen.push(Observation { before: Some(said), ..claim });
                    } else {
                        claims.push(claim);
                    }
                }
                (Some(Status::Sat), _)
                    if !changes_question(ask.panel().get(before.who), &Mode::plain(), &flat) =>
                {
                    claims.push(claim);
                }
                // Another answer may be due to its convention.
                _ => {}
            }
        }
        let brute_force = prove(&script, &query);
        let truth = Truth { brute_force, label: truth.label, ..Truth::default() };
        Ok(Some(Self { script, on: Some(TOTALISED), seen, claims, truth, models, older }))
    }

    /// Asks those who call a check unsatisfiable for its assertions that leave nothing open. Who calls it satisfiable says so of these,
    /// too. `None` if there are no such assertions, or all are.
    pub fn of_closed_part(
        ask: &mut dyn Ask,
        script: &Script,
        query: &Query,
        seen: &[Observation],
        wanted: &Wanted,
    ) -> Result<Option<Self>, RunError> {
        let Some(part) = closed_part(script, query) else { return Ok(None) };
        let mut script = flatten(script, &part);
        let mut answers = Vec::new();
        for o in seen.iter().filter(|o| o.no_verdict.is_none()) {
            match o.answer.decided() {
                Some(Status::Sat) => answers.push(o.clone()),
                Some(Status::Unsat) => {
                    let asked = ask.ask(o.who, &mut script, &Mode::plain(), None)?;
                    answers.extend(asked.seen.into_iter().next().filter(Observation::counts));
                }
                _ => {}
            }
        }
        let older = Wanted { older: wanted.older.clone(), ..Wanted::default() };
        let (truth, claims, models) = (Truth::default(), Vec::new(), Vec::new());
        let on = Some(CLOSED);
        Ok(Some(Self { script, on, seen: answers, claims, truth, models, older }))
    }

    /// Whether it is another script than the check itself.
    pub fn is_other(&self) -> bool {
        self.on.is_some()
    }

    /// Who is wrong, with evidence that may be reported.
    pub fn diagnoses(&self) -> Vec<Diagnosis> {
        let mut all = diagnose(&self.seen, self.truth, &self.older);
        // A claim may be held against what others say of this script; it is no word on the script itself.
        for claim in &self.claims {
            let seen: Vec<Observation> = self.seen.iter().chain([claim]).cloned().collect();
            let against = diagnose(&seen, self.truth, &self.older);
            all.extend(against.into_iter().filter(|d| d.who == claim.who));
        }
        all.retain(|d| {
            let row = d.class.row();
            d.is_reportable() && (row.wrong.is_some() || row.asks(FollowUp::Before))
        });
        // A contradiction names both scripts.
        for d in all.iter_mut().filter(|d| d.class.row().wrong.is_some()) {
            if let Some(on) = self.on {
                d.evidence = Evidence::On(on, Box::new(d.evidence.clone()));
            }
        }
        all
    }

    /// Asks each solver for scripts whose answers follow from its own.
    /// Gives the scripts by which one contradicts itself, with whose words they are.
    pub fn ask_own_words(
        &mut self,
        ask: &mut dyn Ask,
        budget: Duration,
    ) -> Result<Vec<(String, String)>, RunError> {
        let mut beside = Vec::new();
        let panel = ask.panel();
        let values: Vec<(TargetId, Script)> = (self.models.iter())
            .filter_map(|(who, text)| {
                let o = self.seen.iter().find(|o| o.who == *who)?;
                Some((*who, values_of(panel.get(*who), &self.script, o, Some(text))?))
            })
            .collect();
        for o in &mut self.seen {
            let Some(answer) = o.answer.decided().filter(|_| o.before.is_none()) else { continue };
            let others = values.iter().filter(|(who, _)| *who != o.who);
            let others: Vec<Script> = others.map(|(_, s)| s.clone()).collect();
            let (script, mode) = (&self.script, Mode::plain());
            let found = contradiction(ask, o.who, script, answer, &mode, &others, budget)?;
            let Some(found) = found else { continue };
            let (other, _) = found.pair.words();
            beside.push((format!("{}, to {other}", o.solver), found.text));
            o.before = found.seen.before;
        }
        Ok(beside)
    }
}
