//! Model: `sat` with a model that smelt's evaluator finds false, or, where it cannot tell, one with whose values solvers find no model.

use smelt_solver::{Answer, Status};

use super::Facts;
use crate::class::Class;
use crate::diagnosis::{Diagnosis, Observation};
use crate::evidence::Evidence;
use crate::judge::ModelVerdict;

pub(super) fn judge(facts: &Facts<'_>) -> Vec<Diagnosis> {
    let sat = facts.seen.iter().filter(|o| o.answer == Answer::Sat);
    sat.flat_map(|o| match &o.model {
        Some(ModelVerdict::False(n)) => {
            vec![Diagnosis::new(o, Class::InvalidModel, Evidence::ModelRefuted(*n))]
        }
        Some(m) if m.is_open() => by_values(o),
        _ => Vec::new(),
    })
    .collect()
}

/// What the answers to the script with the values of the model say. That they are right is said by a true model only.
fn by_values(o: &Observation) -> Vec<Diagnosis> {
    let Some(pinned) = &o.pinned else { return Vec::new() };
    let mut out = Vec::new();
    if pinned.own == Some(Status::Unsat) {
        let says = "it gives a model, and says unsat to the script with the values of this model";
        out.push(Diagnosis::new(o, Class::ModelContradiction, Evidence::OwnWords(says.to_owned())));
    }
    if pinned.proven_by().is_none()
        && let Some(who) = o.values_are_refused()
    {
        out.push(Diagnosis::new(o, Class::InvalidModel, Evidence::ValuesRefused(who)));
    }
    out
}
