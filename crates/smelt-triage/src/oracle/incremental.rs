//! Incremental: a solver that answers a check of a push/pop script otherwise than the same check alone is wrong in one of
//! them; the incremental answer is the one to look at first.

use smelt_solver::Verdict;

use super::Facts;
use crate::diagnosis::{Class, Diagnosis};
use crate::evidence::Evidence;

pub(super) fn judge(facts: &Facts<'_>) -> Vec<Diagnosis> {
    let mut out = Vec::new();
    for o in facts.seen {
        // Another family that gives the incremental answer speaks for it.
        let own = o.answer.decided();
        let backed = facts.seen.iter().any(|p| p.family != o.family && p.answer.decided() == own);
        let class = match (own, o.flat) {
            // A proof settles it, and the soundness oracle says so.
            _ if facts.proof_of_sat.is_some() || facts.truth.brute_force.is_some() || backed => {
                continue;
            }
            (Some(Verdict::Unsat), Some(Verdict::Sat)) => Class::RefutationSoundness,
            (Some(Verdict::Sat), Some(Verdict::Unsat)) => Class::SolutionSoundness,
            _ => continue,
        };
        let other = if class == Class::RefutationSoundness { "sat" } else { "unsat" };
        let says = format!("it answers {other} to the same check without push and pop");
        let evidence = Evidence::Contradiction(says);
        out.push(Diagnosis { solver: o.solver.clone(), class, evidence });
    }
    out
}
