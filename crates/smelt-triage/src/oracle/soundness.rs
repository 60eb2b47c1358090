//! Soundness: an answer that contradicts what is proven, what solvers of two other families say, or (unproven) what one other
//! or a label says. The status and the differential oracle in one: the evaluator is the arbiter of both.

use smelt_solver::profile::independent;
use smelt_solver::{Answer, Status};

use super::Facts;
use crate::class::Class;
use crate::diagnosis::{Diagnosis, Observation};
use crate::evidence::Evidence;
use crate::judge::ModelVerdict;

pub(super) fn judge(facts: &Facts<'_>) -> Vec<Diagnosis> {
    let mut out = Vec::new();
    for o in &facts.seen {
        let found = match &o.answer {
            Answer::Unsat => {
                let evidence = facts.proof_of_sat.clone().or_else(|| against(facts, o));
                evidence.map(|e| (Class::RefutationSoundness, e))
            }
            // A model that the evaluator finds true settles the matter for `sat`.
            Answer::Sat if facts.proof_of_sat.is_none() => {
                let evidence = match facts.truth.brute_force {
                    Status::Unsat => Some(Evidence::BruteForce),
                    _ => against(facts, o),
                };
                evidence.map(|e| (Class::SolutionSoundness, e))
            }
            _ => None,
        };
        out.extend(found.map(|(class, evidence)| Diagnosis::new(o, class, evidence)));
    }
    out
}

/// The strongest evidence against an answer that is not a proof.
fn against(facts: &Facts<'_>, accused: &Observation) -> Option<Evidence> {
    let seen = || facts.seen.iter().copied();
    let own = accused.answer.decided()?;
    // A `sat` whose model is false is no argument.
    let others: Vec<&Observation> = seen()
        .filter(|o| o.family != accused.family)
        .filter(|o| o.answer.decided().is_some_and(|v| v != own))
        .filter(|o| !matches!(o.model, Some(ModelVerdict::False(_))))
        .collect();
    let families = independent(others.iter().map(|o| (o.family.as_str(), &o.shared[..])));
    // Families that are split, or that side with the accused, are not counted against it.
    let support = seen().any(|o| o.family != accused.family && o.answer.decided() == Some(own));
    // Where it depends on what the standard leaves open, solvers may differ and all be right.
    let open = [accused]
        .iter()
        .chain(&others)
        .any(|o| o.answer == Answer::Sat && facts.rests_on_open(o.model.as_ref()));
    if families >= 2 && !support && !open {
        return Some(Evidence::Agreement(others.iter().map(|o| o.solver.clone()).collect()));
    }
    // Another release of the same family may disagree too: a suspicion, which says where to look.
    let opposed = seen()
        .filter(|o| !matches!(o.model, Some(ModelVerdict::False(_))))
        .find(|o| o.answer.decided().is_some_and(|v| v != own));
    match (opposed, facts.truth.label) {
        (Some(o), _) => Some(Evidence::Disagreement(o.solver.clone())),
        (None, Status::Unknown) => None,
        (None, label) => (label != own).then_some(Evidence::Label),
    }
}
