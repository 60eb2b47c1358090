//! Model: `sat` with a model that smelt's evaluator finds false.

use smelt_solver::Answer;

use super::Facts;
use crate::class::Class;
use crate::diagnosis::Diagnosis;
use crate::evidence::Evidence;
use crate::judge::ModelVerdict;

pub(super) fn judge(facts: &Facts<'_>) -> Vec<Diagnosis> {
    let false_models = facts.seen.iter().filter_map(|o| match (&o.answer, &o.model) {
        (Answer::Sat, Some(ModelVerdict::False(n))) => Some((o, *n)),
        _ => None,
    });
    false_models
        .map(|(o, n)| Diagnosis::new(o, Class::InvalidModel, Evidence::ModelRefuted(n)))
        .collect()
}
