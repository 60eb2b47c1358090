//! Two scripts of one step, made smaller together, in fresh processes.

use smelt_reduce::pair::{Pair, shrink};
use smelt_smtlib::{Script, parse};
use smelt_solver::Status;
use smelt_triage::{Says, TargetId};

use super::budget::Budget;
use super::{Effort, Given, NotReduced, Reduced, plain};
use crate::panel::Panel;
use crate::reproducer::{Reproducer, Scripts, Terms};

/// Makes both smaller while the fault shows in them.
pub(super) fn reduce(
    panel: &Panel,
    who: TargetId,
    reproducer: Reproducer,
    given: &Given<'_>,
    effort: &Effort<'_>,
    mut budget: Budget<'_>,
) -> Result<Reduced, NotReduced> {
    let Some(before) = given.before else {
        return Err(NotReduced::DoesNotShow("the script before the step is not at hand".into()));
    };
    let (mut before, mut after) = (plain(before), plain(given.script));
    let (rule, status) = reproducer
        .pair
        .as_ref()
        .map_or((String::new(), Status::Unknown), |p| (p.rule.clone(), p.expected));
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
            let terms = Terms { then: given.then, ..Terms::new(effort.cpu, effort.cancel) };
            let holds = (0..effort.votes.max(1)).any(|_| {
                budget.counts.cold += 1;
                reproducer
                    .shows(panel, who, &scripts, &terms)
                    .is_ok_and(|shown| shown.says == Says::Holds)
            });
            if holds {
                budget.smaller("step", b.len() + s.len());
                return Some((n, (b, s)));
            }
        }
        None
    });
    if let Some((b, a)) = made {
        (before, after) = (b, a);
    }
    let script: Script = parse(after.as_bytes())
        .map_err(|e| NotReduced::DoesNotShow(format!("smelt cannot read what it prints: {e}")))?;
    Ok(Reduced {
        script,
        text: after,
        before: Some(before),
        transcript: None,
        reproducer,
        also_found: Vec::new(),
        curve: budget.curve,
        tests: budget.counts,
        stopped: budget.stopped,
    })
}
