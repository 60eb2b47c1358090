//! Self-check: the solver's own checker complains. Our evaluator says whether the model is bad or the complaint is a false
//! alarm: two different classes.

use smelt_solver::Answer;

use super::Facts;
use crate::diagnosis::{Class, Diagnosis};
use crate::evidence::Evidence;
use crate::judge::ModelVerdict;

/// What is in a complaint about an unsat core. (The word alone may be in a symbol of the script.)
const ABOUT_CORES: [&str; 3] = ["UnsatCore", "unsat core", "satisfiable core"];

/// What is in a complaint about a proof.
const ABOUT_PROOFS: [&str; 4] =
    ["ProofChecker::check", "proof that is not closed", "proof_ensure_closed", "cyclic proof"];

pub(super) fn judge(facts: &Facts<'_>) -> Vec<Diagnosis> {
    let mut out = Vec::new();
    for o in facts.seen {
        let Some(complaint) = &o.complaint else { continue };
        let says = || Evidence::Contradiction(format!("its own checker says {complaint:?}"));
        let about = |texts: &[&str]| texts.iter().any(|p| complaint.contains(p));
        let (class, evidence) = match &o.model {
            // No model says anything about a proof.
            _ if about(&ABOUT_PROOFS) => (Class::InvalidProof, says()),
            Some(ModelVerdict::True) => (Class::FalseAlarm, Evidence::GoodModel(complaint.clone())),
            // The model oracle says so, with a proof.
            Some(ModelVerdict::False(_)) => continue,
            _ if about(&ABOUT_CORES) => (Class::InvalidCore, says()),
            // Whoever says `unsat` has given no model that could be bad.
            _ if o.answer == Answer::Unsat => continue,
            // Checkers know as little as others what 1 div 0 is.
            model if facts.rests_on_open(model.as_ref()) => {
                (Class::InvalidModel, Evidence::OpenComplaint(complaint.clone()))
            }
            _ => (Class::InvalidModel, says()),
        };
        out.push(Diagnosis { solver: o.solver.clone(), class, evidence });
    }
    out
}
