//! Core: an unsat core that has a model. Whoever ran the core alone found one that smelt's evaluator finds true.

use smelt_solver::Answer;

use super::Facts;
use crate::class::Class;
use crate::diagnosis::{CoreVerdict, Diagnosis};
use crate::evidence::Evidence;

pub(super) fn judge(facts: &Facts<'_>) -> Vec<Diagnosis> {
    // If the whole script is satisfiable, the answer itself is the fault, and the core only follows.
    if facts.proof_of_sat.is_some() {
        return Vec::new();
    }
    let refuted = facts.seen.iter().filter(|o| o.answer == Answer::Unsat);
    refuted
        .filter_map(|o| {
            let Some(CoreVerdict::RefutedBy(who)) = &o.core else { return None };
            let evidence = Evidence::CoreRefuted(who.clone());
            Some(Diagnosis::new(o, Class::InvalidCore, evidence))
        })
        .collect()
}
