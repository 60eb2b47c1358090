//! Crash: a signal, an assertion or an internal error. The failure is its own proof.

use super::Facts;
use crate::class::Class;
use crate::diagnosis::Diagnosis;
use crate::evidence::Evidence;

pub(super) fn judge(facts: &Facts<'_>) -> Vec<Diagnosis> {
    let seen = facts.seen.iter();
    seen.filter_map(|o| {
        let evidence = Evidence::Observed(o.own_crash()?.to_string());
        Some(Diagnosis::new(o, Class::Crash, evidence))
    })
    .collect()
}
