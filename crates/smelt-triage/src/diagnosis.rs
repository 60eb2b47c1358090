//! From what several solvers said about one check to who is wrong.

use std::collections::BTreeSet;
use std::fmt;

use smelt_solver::{Answer, Verdict};

use crate::evidence::Evidence;
use crate::judge::ModelVerdict;

/// Kinds of misbehaviour, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// `unsat` on a satisfiable script.
    RefutationSoundness,
    /// `sat` on an unsatisfiable script.
    SolutionSoundness,
    /// A model that does not satisfy the script.
    InvalidModel,
    /// A signal, an assertion or an internal error.
    Crash,
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::RefutationSoundness => "refutation soundness (unsat on a satisfiable script)",
            Self::SolutionSoundness => "solution soundness (sat on an unsatisfiable script)",
            Self::InvalidModel => "invalid model",
            Self::Crash => "crash",
        })
    }
}

/// What one solver said about one check.
#[derive(Clone, Debug)]
pub struct Observation {
    /// Name and version.
    pub solver: String,
    /// Solvers of one family are not independent of each other.
    pub family: String,
    /// The answer.
    pub answer: Answer,
    /// What the evaluator says of its model, if it gave one.
    pub model: Option<ModelVerdict>,
}

/// What is known about a check without any solver.
#[derive(Clone, Copy, Debug, Default)]
pub struct Truth {
    /// By exhausting a finite domain.
    pub brute_force: Option<bool>,
    /// The script's own label.
    pub label: Option<bool>,
}

/// One accusation (or, with weak evidence, one suspicion).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnosis {
    /// Who.
    pub solver: String,
    /// Of what.
    pub class: Class,
    /// How it is known.
    pub evidence: Evidence,
}

impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.evidence.grade() {
            crate::Grade::Proven => "proven",
            crate::Grade::Strong => "strong",
            crate::Grade::Weak => "unproven",
        };
        write!(f, "{}: {} ({word}: {})", self.solver, self.class, self.evidence)
    }
}

/// Who is wrong, with the strongest evidence for each accusation; the best proven first, then the worst class.
pub fn diagnose(seen: &[Observation], truth: Truth) -> Vec<Diagnosis> {
    let mut out = Vec::new();
    let proof_of_sat = proof_of_sat(seen, truth);
    for o in seen {
        let accuse = |class, evidence| Diagnosis { solver: o.solver.clone(), class, evidence };
        match (&o.answer, &o.model) {
            (Answer::Crash(crash), _) => {
                out.push(accuse(Class::Crash, Evidence::Observed(crash.to_string())));
            }
            (Answer::Unsat, _) => {
                let evidence = proof_of_sat.clone().or_else(|| against(seen, o, truth));
                out.extend(evidence.map(|e| accuse(Class::RefutationSoundness, e)));
            }
            (Answer::Sat, model) => {
                if let Some(ModelVerdict::False(n)) = model {
                    out.push(accuse(Class::InvalidModel, Evidence::ModelRefuted(*n)));
                }
                // A model that the evaluator finds true settles the matter for `sat`.
                if proof_of_sat.is_none() {
                    let evidence = match truth.brute_force {
                        Some(false) => Some(Evidence::BruteForce),
                        _ => against(seen, o, truth),
                    };
                    out.extend(evidence.map(|e| accuse(Class::SolutionSoundness, e)));
                }
            }
            _ => {}
        }
    }
    out.sort_by_key(|d| (std::cmp::Reverse(d.evidence.grade()), d.class));
    out
}

fn proof_of_sat(seen: &[Observation], truth: Truth) -> Option<Evidence> {
    let true_model = seen.iter().find(|o| o.model == Some(ModelVerdict::True));
    match (true_model, truth.brute_force) {
        (Some(o), _) => Some(Evidence::Witness(format!("the model of {}", o.solver))),
        (None, Some(true)) => Some(Evidence::BruteForce),
        _ => None,
    }
}

/// The strongest evidence against an answer that is not a proof.
fn against(seen: &[Observation], accused: &Observation, truth: Truth) -> Option<Evidence> {
    let own = accused.answer.decided()?;
    // A `sat` whose model is false is no argument.
    let others: Vec<&Observation> = seen
        .iter()
        .filter(|o| o.family != accused.family)
        .filter(|o| o.answer.decided().is_some_and(|v| v != own))
        .filter(|o| !matches!(o.model, Some(ModelVerdict::False(_))))
        .collect();
    let families: BTreeSet<&str> = others.iter().map(|o| o.family.as_str()).collect();
    // Families that are split, or that side with the accused, are not counted against it.
    let support =
        seen.iter().any(|o| o.family != accused.family && o.answer.decided() == Some(own));
    if families.len() >= 2 && !support {
        return Some(Evidence::Agreement(others.iter().map(|o| o.solver.clone()).collect()));
    }
    // Another release of the same family may disagree too: a suspicion, which says where to look.
    let opposed = seen
        .iter()
        .filter(|o| !matches!(o.model, Some(ModelVerdict::False(_))))
        .find(|o| o.answer.decided().is_some_and(|v| v != own));
    match (opposed, truth.label) {
        (Some(o), _) => Some(Evidence::Disagreement(o.solver.clone())),
        (None, Some(label)) if label != (own == Verdict::Sat) => Some(Evidence::Label),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn see(solver: &str, answer: &str, model: Option<ModelVerdict>) -> Observation {
        Observation {
            solver: solver.into(),
            family: solver.split('@').next().unwrap_or(solver).into(),
            answer: match answer {
                "sat" => Answer::Sat,
                "unsat" => Answer::Unsat,
                _ => Answer::Unknown(None),
            },
            model,
        }
    }

    fn check(seen: &[Observation], truth: Truth, expect: &[&str]) {
        let got: Vec<String> = diagnose(seen, truth).iter().map(ToString::to_string).collect();
        assert_eq!(got, expect);
    }

    #[test]
    fn evidence() {
        let t = Truth::default();
        let yes = Some(ModelVerdict::True);
        let no = Some(ModelVerdict::False(2));
        let open = Some(ModelVerdict::Undetermined("x".into()));
        check(&[see("z3@1", "sat", yes.clone()), see("cvc5@1", "sat", None)], t, &[]);
        check(&[see("z3@1", "unsat", None), see("cvc5@1", "unsat", None)], t, &[]);
        check(&[see("z3@1", "unsat", None), see("cvc5@1", "unknown", None)], t, &[]);
        check(
            &[see("z3@1", "unsat", None), see("cvc5@1", "sat", yes.clone())],
            t,
            &[
                "z3@1: refutation soundness (unsat on a satisfiable script) (proven: smelt's evaluator finds the model of cvc5@1 true)",
            ],
        );
        // A false model accuses its own solver; the soundness of `sat` stays open.
        check(
            &[see("z3@1", "sat", no.clone())],
            t,
            &["z3@1: invalid model (proven: its model makes assertion 2 false)"],
        );
        check(
            &[see("z3@1", "sat", no.clone()), see("cvc5@1", "unsat", None)],
            t,
            &[
                "z3@1: invalid model (proven: its model makes assertion 2 false)",
                "z3@1: solution soundness (sat on an unsatisfiable script) (unproven: cvc5@1 says the opposite, and neither is proven)",
            ],
        );
        // Two other families are strong evidence, two releases of one are not.
        check(
            &[
                see("z3@1", "sat", open.clone()),
                see("cvc5@1", "unsat", None),
                see("yices@2", "unsat", None),
            ],
            t,
            &[
                "z3@1: solution soundness (sat on an unsatisfiable script) (strong: cvc5@1 and yices@2 say the opposite)",
                "cvc5@1: refutation soundness (unsat on a satisfiable script) (unproven: z3@1 says the opposite, and neither is proven)",
                "yices@2: refutation soundness (unsat on a satisfiable script) (unproven: z3@1 says the opposite, and neither is proven)",
            ],
        );
        check(
            &[see("z3@1", "sat", open.clone()), see("z3@2", "unsat", None)],
            t,
            &[
                "z3@2: refutation soundness (unsat on a satisfiable script) (unproven: z3@1 says the opposite, and neither is proven)",
                "z3@1: solution soundness (sat on an unsatisfiable script) (unproven: z3@2 says the opposite, and neither is proven)",
            ],
        );
        // A finite domain settles it.
        let unsat = Truth { brute_force: Some(false), label: None };
        check(
            &[see("z3@1", "sat", None)],
            unsat,
            &[
                "z3@1: solution soundness (sat on an unsatisfiable script) (proven: smelt tried every value of the finite domain)",
            ],
        );
        let sat = Truth { brute_force: Some(true), label: None };
        check(
            &[see("z3@1", "unsat", None)],
            sat,
            &[
                "z3@1: refutation soundness (unsat on a satisfiable script) (proven: smelt tried every value of the finite domain)",
            ],
        );
        // A label alone is a suspicion; a true model overrules it.
        let label = Truth { brute_force: None, label: Some(false) };
        check(
            &[see("z3@1", "sat", None)],
            label,
            &[
                "z3@1: solution soundness (sat on an unsatisfiable script) (unproven: the script's own :status says otherwise)",
            ],
        );
        check(&[see("z3@1", "sat", yes)], label, &[]);
    }
}
