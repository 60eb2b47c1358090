//! From what several solvers said about one check to who is wrong.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use smelt_solver::{Answer, Verdict};

use crate::evidence::Evidence;
use crate::judge::ModelVerdict;
use crate::oracle::{Facts, ORACLES};

/// Kinds of misbehaviour, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// `unsat` on a satisfiable script.
    RefutationSoundness,
    /// `sat` on an unsatisfiable script.
    SolutionSoundness,
    /// A model that does not satisfy the script.
    InvalidModel,
    /// An unsat core that is satisfiable.
    InvalidCore,
    /// A signal, an assertion or an internal error.
    Crash,
    /// An older release decides in time what this one does not.
    PerformanceRegression,
    /// An older release decides what this one calls `unknown`.
    IncompletenessRegression,
    /// A peer decides within a second, this one not within a minute.
    Performance,
    /// It decides a script from which this one follows (or which follows from it, if it is unsat), and calls this one `unknown`.
    ImplicationIncompleteness,
    /// The solver's own checker complains about a model that is right.
    FalseAlarm,
}

impl Class {
    /// All classes, the worst first.
    pub const ALL: [Self; 10] = [
        Self::RefutationSoundness,
        Self::SolutionSoundness,
        Self::InvalidModel,
        Self::InvalidCore,
        Self::Crash,
        Self::PerformanceRegression,
        Self::IncompletenessRegression,
        Self::Performance,
        Self::ImplicationIncompleteness,
        Self::FalseAlarm,
    ];

    /// A short name for tables, folders and `known.toml`.
    pub fn word(self) -> &'static str {
        match self {
            Self::RefutationSoundness => "refutation-soundness",
            Self::SolutionSoundness => "solution-soundness",
            Self::InvalidModel => "invalid-model",
            Self::InvalidCore => "invalid-core",
            Self::Crash => "crash",
            Self::PerformanceRegression => "performance-regression",
            Self::IncompletenessRegression => "incompleteness-regression",
            Self::ImplicationIncompleteness => "implication-incompleteness",
            Self::Performance => "performance",
            Self::FalseAlarm => "false-alarm",
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::RefutationSoundness => "refutation soundness (unsat on a satisfiable script)",
            Self::SolutionSoundness => "solution soundness (sat on an unsatisfiable script)",
            Self::InvalidModel => "invalid model",
            Self::InvalidCore => "invalid unsat core",
            Self::Crash => "crash",
            Self::PerformanceRegression => "performance regression",
            Self::IncompletenessRegression => "incompleteness regression",
            Self::ImplicationIncompleteness => "implication incompleteness",
            Self::Performance => "performance",
            Self::FalseAlarm => "false alarm of its own checker",
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
    /// What came of running its unsat core alone: who finds a model of it that the evaluator finds true.
    pub core_refuted_by: Option<String>,
    /// What the solver's own checker of models, proofs or cores complained about.
    pub complaint: Option<String>,
    /// What the same solver says of the same check without push and pop.
    pub flat: Option<Verdict>,
    /// CPU time, start-up not included.
    pub cpu: Duration,
}

impl Observation {
    /// An answer with nothing beside it.
    pub fn new(solver: &str, family: &str, answer: Answer, model: Option<ModelVerdict>) -> Self {
        Self {
            solver: solver.to_owned(),
            family: family.to_owned(),
            answer,
            model,
            core_refuted_by: None,
            complaint: None,
            flat: None,
            cpu: Duration::ZERO,
        }
    }
}

/// What is known about a check without any solver.
#[derive(Clone, Copy, Debug, Default)]
pub struct Truth {
    /// By exhausting a finite domain.
    pub brute_force: Option<bool>,
    /// The mutant was made with a model that the evaluator finds true.
    pub witness: bool,
    /// What a label says: the script's own, or the seed's with a rule that keeps it.
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
        write!(f, "{}: {} ({}: {})", self.solver, self.class, self.evidence.grade(), self.evidence)
    }
}

/// Who is wrong, with the strongest evidence for each accusation; the best proven first, then the worst class.
pub fn diagnose(seen: &[Observation], truth: Truth) -> Vec<Diagnosis> {
    let facts = Facts::new(seen, truth);
    let mut out: Vec<Diagnosis> = ORACLES.iter().flat_map(|o| (o.judge)(&facts)).collect();
    out.sort_by_key(|d| (std::cmp::Reverse(d.evidence.grade()), d.class));
    out
}

/// Whether what smelt expected is itself refuted by what it can prove: then the label or the rule behind it is wrong, nobody
/// is accused on its ground, and the seed must not be used any more.
pub fn label_refuted(seen: &[Observation], truth: Truth) -> bool {
    let facts = Facts::new(seen, truth);
    match truth.label {
        Some(false) => facts.proof_of_sat.is_some(),
        Some(true) => truth.brute_force == Some(false),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn see(solver: &str, answer: &str, model: Option<ModelVerdict>) -> Observation {
        let family = solver.split('@').next().unwrap_or(solver);
        let answer = match answer {
            "sat" => Answer::Sat,
            "unsat" => Answer::Unsat,
            _ => Answer::Unknown(None),
        };
        Observation::new(solver, family, answer, model)
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
        // Where the standard leaves it open, nobody need be wrong.
        let partial = Some(ModelVerdict::Unspecified("x".into()));
        check(
            &[
                see("z3@1", "sat", partial.clone()),
                see("cvc5@1", "sat", partial),
                see("yices@2", "unsat", None),
            ],
            t,
            &[
                "yices@2: refutation soundness (unsat on a satisfiable script) (unproven: z3@1 says the opposite, and neither is proven)",
                "z3@1: solution soundness (sat on an unsatisfiable script) (unproven: yices@2 says the opposite, and neither is proven)",
                "cvc5@1: solution soundness (sat on an unsatisfiable script) (unproven: yices@2 says the opposite, and neither is proven)",
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
        let unsat = Truth { brute_force: Some(false), ..t };
        check(
            &[see("z3@1", "sat", None)],
            unsat,
            &[
                "z3@1: solution soundness (sat on an unsatisfiable script) (proven: smelt tried every value of the finite domain)",
            ],
        );
        let sat = Truth { brute_force: Some(true), ..t };
        check(
            &[see("z3@1", "unsat", None)],
            sat,
            &[
                "z3@1: refutation soundness (unsat on a satisfiable script) (proven: smelt tried every value of the finite domain)",
            ],
        );
        // A label alone is a suspicion; a true model overrules it.
        let label = Truth { label: Some(false), ..t };
        check(
            &[see("z3@1", "sat", None)],
            label,
            &[
                "z3@1: solution soundness (sat on an unsatisfiable script) (unproven: the script's own :status says otherwise)",
            ],
        );
        check(&[see("z3@1", "sat", yes.clone())], label, &[]);
        assert!(label_refuted(&[see("z3@1", "sat", yes)], label));
        assert!(!label_refuted(&[see("z3@1", "sat", None)], label));
        // The witness of a mutant is a proof; no solver is needed beside the accused.
        let witness = Truth { witness: true, ..t };
        check(
            &[see("z3@1", "unsat", None)],
            witness,
            &[
                "z3@1: refutation soundness (unsat on a satisfiable script) (proven: smelt's evaluator finds the witness that the script was made with true)",
            ],
        );
    }

    #[test]
    fn own_contradictions() {
        let t = Truth::default();
        let yes = Some(ModelVerdict::True);
        let complaint = |model| Observation {
            complaint: Some("invalid model".into()),
            ..see("z3@1", "sat", model)
        };
        check(
            &[complaint(yes)],
            t,
            &[
                "z3@1: false alarm of its own checker (proven: its own checker says \"invalid model\", but smelt's evaluator finds the model true)",
            ],
        );
        check(
            &[complaint(Some(ModelVerdict::False(1)))],
            t,
            &["z3@1: invalid model (proven: its model makes assertion 1 false)"],
        );
        check(
            &[complaint(None)],
            t,
            &["z3@1: invalid model (strong: its own checker says \"invalid model\")"],
        );
        check(
            &[Observation { core_refuted_by: Some("cvc5@1".into()), ..see("z3@1", "unsat", None) }],
            t,
            &[
                "z3@1: invalid unsat core (proven: smelt's evaluator finds the model of cvc5@1 true of the core)",
            ],
        );
        check(
            &[Observation { flat: Some(Verdict::Sat), ..see("z3@1", "unsat", None) }],
            t,
            &[
                "z3@1: refutation soundness (unsat on a satisfiable script) (strong: it answers sat to the same check without push and pop)",
            ],
        );
        check(&[Observation { flat: Some(Verdict::Unsat), ..see("z3@1", "unsat", None) }], t, &[]);
    }
}
