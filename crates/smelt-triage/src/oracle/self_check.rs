//! Self-check: the solver's own checker complains. Our evaluator says whether the model is bad or the complaint is a false
//! alarm: two different classes.

use smelt_solver::{Answer, Checked};

use super::Facts;
use crate::class::Class;
use crate::diagnosis::{Complaint, Diagnosis};
use crate::evidence::Evidence;
use crate::judge::ModelVerdict;

pub(super) fn judge(facts: &Facts<'_>) -> Vec<Diagnosis> {
    let mut out = Vec::new();
    for o in &facts.seen {
        let Some(Complaint { about, text }) = &o.complaint else { continue };
        let says = || Evidence::Contradiction(format!("its own checker says {text:?}"));
        let (class, evidence) = match (about, &o.model) {
            // No model says anything about a proof.
            (Checked::Proof, _) => (Class::InvalidProof, says()),
            // If the whole script is satisfiable, the answer itself is the fault, and the core only follows.
            (Checked::Core, _) if o.answer == Answer::Unsat && facts.proof_of_sat.is_some() => {
                continue;
            }
            (Checked::Core, _) => (Class::InvalidCore, says()),
            (Checked::Model, Some(m)) if m.holds() => {
                (Class::FalseAlarm, Evidence::GoodModel(text.clone()))
            }
            // The model oracle says so, with a proof.
            (Checked::Model, Some(ModelVerdict::False(_))) => continue,
            // Whoever neither says `sat` nor is ended by its checker has given no model that could be bad.
            (Checked::Model, _) if !matches!(o.answer, Answer::Sat | Answer::Crash(_)) => continue,
            (Checked::Model, None) if o.unchecked.as_ref().is_some_and(ModelVerdict::holds) => {
                let what =
                    "smelt's evaluator finds the model true that it gives where the checker is off";
                let evidence = format!("its own checker says {text:?}, but {what}");
                (Class::FalseAlarm, Evidence::Contradiction(evidence))
            }
            (Checked::Model, None) if matches!(o.unchecked, Some(ModelVerdict::False(_))) => {
                let what = "smelt's evaluator finds the model false that it gives where the checker is off";
                let evidence = format!("its own checker says {text:?}, and {what}");
                (Class::InvalidModel, Evidence::Contradiction(evidence))
            }
            // Somebody completes it: its values are right.
            (Checked::Model, Some(_)) if o.completed().is_some() => {
                let what = "smelt's evaluator finds a model true that has its values";
                let who = o.completed().unwrap_or_default();
                let evidence = format!("its own checker says {text:?}, but {what}, by {who}");
                (Class::FalseAlarm, Evidence::Contradiction(evidence))
            }
            // Checkers know as little as others what 1 div 0 is.
            (Checked::Model, Some(model)) if facts.rests_on_open(Some(model)) => {
                (Class::InvalidModel, Evidence::OpenComplaint(text.clone()))
            }
            (Checked::Model, None) if matches!(o.unchecked, Some(ModelVerdict::Unspecified(_))) => {
                (Class::InvalidModel, Evidence::OpenComplaint(text.clone()))
            }
            (Checked::Model, _) => (Class::InvalidModel, says()),
        };
        out.push(Diagnosis::new(o, class, evidence));
    }
    out
}
