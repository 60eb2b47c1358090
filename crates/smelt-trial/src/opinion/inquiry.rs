//! What is asked on of several solvers, where an opinion leaves something open: the worth of models, the script with names for its open
//! values, and a solver's own words.

use std::time::Duration;

use smelt_eval::brute_force;
use smelt_smtlib::{Query, Script, flatten, totalise};
use smelt_solver::{Mode, RunError, Status};
use smelt_triage::{
    Complaint, Diagnosis, Evidence, Grade, ModelVerdict, Observation, Truth, Wanted, diagnose,
};

use super::Run;
use crate::content::Content;
use crate::follow_up::related::{BUDGET, contradiction, values_of};
use crate::follow_up::{Ask, Fresh, Place, pinned};

/// The script with names for what the standard leaves open, in words.
const TOTALISED: &str = "the totalised script (smelt check --totalise)";

/// Asks for the script with the values of each model that the evaluator leaves open, and lets its solver check it.
pub(super) fn weigh_models(
    fresh: &mut Fresh<'_>,
    script: &mut Script,
    query: &Query,
    check: usize,
    runs: &mut [Run],
) -> Result<(), RunError> {
    let mode = Mode::plain();
    for run in runs {
        let (Some(o), Ok(outcome)) = (run.seen.get_mut(check), &run.outcome) else { continue };
        if o.no_verdict.is_some() || !o.model.as_ref().is_some_and(ModelVerdict::is_open) {
            continue;
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
        pinned::make(fresh, &mut place, o)?;
        if o.complaint.is_none() {
            o.complaint = own_check(fresh, script, check, o)?;
        }
    }
    Ok(())
}

/// What the solver's own checker says of its model, if it has one.
fn own_check(
    fresh: &mut Fresh<'_>,
    script: &mut Script,
    check: usize,
    o: &Observation,
) -> Result<Option<Complaint>, RunError> {
    if fresh.panel.get(o.who).solver.profile().self_check_args.is_empty() {
        return Ok(None);
    }
    let mode = Mode { self_check: true, ..Mode::plain() };
    let asked = fresh.ask(o.who, script, &mode, None)?;
    Ok(asked.seen.into_iter().nth(check).and_then(|o| o.complaint))
}

/// Who is wrong on the totalised script, with evidence that may be reported, and says the same to the script itself.
pub(super) fn on_totalised(
    fresh: &mut Fresh<'_>,
    total: &mut Script,
    label: Status,
    seen: &[Observation],
) -> Result<Vec<Diagnosis>, RunError> {
    let Some(query) = total.queries().into_iter().next() else { return Ok(Vec::new()) };
    let content = Content::of(total);
    let mut answers = Vec::new();
    for o in seen.iter().filter(|o| o.no_verdict.is_none()) {
        if fresh.panel.get(o.who).takes(&content) {
            answers.extend(fresh.ask(o.who, total, &Mode::plain(), None)?.seen.into_iter().next());
        }
    }
    let truth = Truth { brute_force: brute_force(total, &query), label, ..Truth::default() };
    let mut all = diagnose(&answers, truth, &Wanted::default());
    all.retain(|d| {
        let said = |all: &[Observation]| {
            all.iter().find(|o| o.who == d.who).and_then(|o| o.answer.decided())
        };
        d.is_reportable() && d.class.row().wrong.is_some() && said(seen) == said(&answers)
    });
    for d in &mut all {
        d.evidence = Evidence::On(TOTALISED, Box::new(d.evidence.clone()));
    }
    Ok(all)
}

/// Who contradicts itself. `total` is the totalised script, if the script leaves something open.
pub(super) fn own_words(
    fresh: &mut Fresh<'_>,
    base: &Script,
    is_total: bool,
    runs: &[Run],
    check: usize,
    cpu: Duration,
) -> Result<Vec<Diagnosis>, RunError> {
    let panel = fresh.panel;
    let printed = |r: &Run| {
        let said = r.outcome.as_ref().ok()?.checks.get(check)?;
        values_of(panel.get(r.who), base, r.seen.get(check)?, said.model.as_deref())
    };
    let mut out = Vec::new();
    for run in runs {
        let Some(o) = run.seen.get(check).filter(|o| o.no_verdict.is_none()) else { continue };
        let Some(answer) = o.answer.decided() else { continue };
        let others = runs.iter().filter(|r| r.who != run.who);
        let values: Vec<Script> = match answer {
            Status::Unsat => others.filter_map(printed).collect(),
            _ => Vec::new(),
        };
        let mode = Mode::plain();
        let found = contradiction(fresh, run.who, base, answer, &mode, &values, cpu * BUDGET)?;
        let Some(found) = found else { continue };
        let seen = std::slice::from_ref(&found.seen);
        for mut d in diagnose(seen, Truth::default(), &Wanted::default()) {
            if d.evidence.grade() == Grade::Proven && is_total {
                d.evidence = Evidence::On(TOTALISED, Box::new(d.evidence));
            }
            out.push(d);
        }
    }
    Ok(out)
}

/// The check alone, with names for what it leaves open if it leaves something open; whether it does. `None` if that cannot be named.
pub(super) fn base(script: &Script, query: &Query) -> Option<(Script, bool)> {
    let flat = flatten(script, query);
    let total = totalise(&flat).ok()?;
    let open = !total.open.is_empty();
    Some((if open { total.script } else { flat }, open))
}
