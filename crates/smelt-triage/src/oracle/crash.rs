//! Crash: a signal, an assertion or an internal error. The failure is its own proof.

use super::Facts;
use crate::diagnosis::{Class, Diagnosis};
use crate::evidence::Evidence;

pub(super) fn judge(facts: &Facts<'_>) -> Vec<Diagnosis> {
    let crashed = facts.seen.iter().filter(|o| o.complaint.is_none());
    crashed
        .filter_map(|o| {
            Some(Diagnosis {
                solver: o.solver.clone(),
                class: Class::Crash,
                evidence: Evidence::Observed(o.crash()?.to_string()),
            })
        })
        .collect()
}
