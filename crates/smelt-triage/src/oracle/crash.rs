//! Crash: a signal, an assertion or an internal error. The failure is its own proof.

use smelt_solver::Answer;

use super::Facts;
use crate::diagnosis::{Class, Diagnosis};
use crate::evidence::Evidence;

pub(super) fn judge(facts: &Facts<'_>) -> Vec<Diagnosis> {
    let crashed = facts.seen.iter().filter(|o| o.complaint.is_none());
    crashed
        .filter_map(|o| match &o.answer {
            Answer::Crash(crash) => Some(Diagnosis {
                solver: o.solver.clone(),
                class: Class::Crash,
                evidence: Evidence::Observed(crash.to_string()),
            }),
            _ => None,
        })
        .collect()
}
