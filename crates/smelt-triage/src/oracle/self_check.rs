//! Self-check: the solver's own checker complains. Our evaluator says whether the model is bad or the complaint is a false
//! alarm: two different classes.

use smelt_solver::Answer;

use super::Facts;
use crate::diagnosis::{Class, Diagnosis};
use crate::evidence::Evidence;
use crate::judge::ModelVerdict;

/// What is in a complaint about an unsat core. (The word alone may be in a symbol of the script.)
const ABOUT_CORES: [&str; 3] = ["UnsatCore", "unsat core", "satisfiable core"];

pub(super) fn judge(facts: &Facts<'_>) -> Vec<Diagnosis> {
    let mut out = Vec::new();
    for o in facts.seen {
        let Some(complaint) = &o.complaint else { continue };
        let says = || Evidence::Contradiction(format!("its own checker says {complaint:?}"));
        let (class, evidence) = match &o.model {
            Some(ModelVerdict::True) => (Class::FalseAlarm, Evidence::GoodModel(complaint.clone())),
            // The model oracle says so, with a proof.
            Some(ModelVerdict::False(_)) => continue,
            _ if ABOUT_CORES.iter().any(|p| complaint.contains(p)) => (Class::InvalidCore, says()),
            // Whoever says `unsat` has given no model that could be bad.
            _ if o.answer == Answer::Unsat => continue,
            _ => (Class::InvalidModel, says()),
        };
        out.push(Diagnosis { solver: o.solver.clone(), class, evidence });
    }
    out
}
