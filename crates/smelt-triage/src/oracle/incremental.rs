//! Incremental: a solver that answers a check of a push/pop script otherwise than the same check alone is wrong in one of
//! them. Which one, its answers do not say: where a proof or other solvers do, that answer is accused of what it is.

use smelt_solver::Status;

use super::Facts;
use crate::class::Class;
use crate::diagnosis::Diagnosis;
use crate::evidence::Evidence;

pub(super) fn judge(facts: &Facts<'_>) -> Vec<Diagnosis> {
    let mut out = Vec::new();
    for o in &facts.seen {
        let (Some(own), Some(flat)) = (o.answer.decided(), &o.flat) else { continue };
        let model = if own == Status::Sat { &o.model } else { &flat.model };
        if own == flat.answer || facts.rests_on_open(model.as_ref()) {
            continue;
        }
        // The soundness oracle says which of the two is wrong.
        if facts.refutes(own) {
            continue;
        }
        let says = format!(
            "its answers to the check in its script with push and pop ({own}) and to the flattened query ({}, flat.smt2) exclude each other; \
            which of the two is wrong is not settled",
            flat.answer
        );
        out.push(Diagnosis::new(o, Class::SelfContradiction, Evidence::Contradiction(says)));
    }
    out
}
