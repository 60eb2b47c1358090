//! Two scripts of one step, made smaller together, in fresh processes.

use smelt_reduce::pair::{Pair, shrink};
use smelt_smtlib::parse;
use smelt_solver::Status;

use super::budget::Budget;
use super::ground::{Ground, Left};
use super::{NotReduced, Reduced, plain};
use crate::reproducer::Scripts;

/// Makes both smaller while the fault shows in them.
pub(super) fn reduce(ground: Ground<'_>, mut budget: Budget<'_>) -> Result<Reduced, NotReduced> {
    let given = ground.given;
    let Some(before) = given.before else {
        return Err(NotReduced::DoesNotShow("the script before the step is not at hand".into()));
    };
    let (mut before, mut after) = (plain(before), plain(given.script));
    let pair = ground.reproducer.pair.as_ref();
    let (rule, status) =
        pair.map_or((String::new(), Status::Unknown), |p| (p.rule.clone(), p.expected));
    budget.begin(before.len() + after.len());
    let texts =
        Pair { before: &before, after: &after, rule: &rule, status, parameters: given.parameters };
    let made = shrink(&texts, |candidates| {
        for (n, (b, s)) in candidates.enumerate() {
            if budget.is_over() {
                return None;
            }
            let [Ok(first), Ok(script)] = [&b, &s].map(|t| parse(t.as_bytes())) else { continue };
            budget.counts.candidates += 1;
            let scripts = Scripts { script: &script, transcript: None, before: Some(&first) };
            if ground.shows(&scripts, &mut budget) {
                budget.smaller("step", b.len() + s.len());
                return Some((n, (b, s)));
            }
        }
        None
    });
    if let Some((b, a)) = made {
        (before, after) = (b, a);
    }
    let script = parse(after.as_bytes())
        .map_err(|e| NotReduced::DoesNotShow(format!("smelt cannot read what it prints: {e}")))?;
    let left = Left { script, text: after, before: Some(before), transcript: None };
    Ok(ground.done(left, budget))
}
