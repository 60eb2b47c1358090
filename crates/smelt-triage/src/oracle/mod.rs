//! Oracles: each looks at what was seen of one check and accuses. One file and one line of the table each.
//!
//! Only facts that an oracle is shown count: nothing is decided by who is more trusted.

mod core;
mod crash;
mod incremental;
mod model;
mod relation;
mod self_check;
mod slowness;
mod soundness;

pub use slowness::PATIENCE;

use crate::diagnosis::{Diagnosis, Observation, Truth};
use crate::evidence::Evidence;
use crate::judge::ModelVerdict;
use crate::target_id::TargetId;
use smelt_solver::Status;

/// Which answers that are lacking are wanted: nobody is accused of what is not.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// Answers in time.
    pub time: bool,
    /// Answers in the place of `unknown`, where an older release has one, or where the script before the step is decided.
    pub unknown: bool,
    /// Which solver is older than which.
    pub older: Vec<(TargetId, TargetId)>,
}

/// What an oracle may look at.
pub struct Facts<'a> {
    /// What all solvers said.
    pub all: &'a [Observation],
    /// What the solvers said on whose answers there may be a verdict.
    pub seen: Vec<&'a Observation>,
    /// What is known without them.
    pub truth: Truth,
    /// Why the check is certainly satisfiable, if it is.
    pub proof_of_sat: Option<Evidence>,
    /// Which answers that are lacking are wanted.
    pub wanted: &'a Wanted,
}

impl<'a> Facts<'a> {
    /// Gathers the facts. A true model is one, whoever gave it.
    pub fn new(all: &'a [Observation], truth: Truth, wanted: &'a Wanted) -> Self {
        let true_model = all.iter().find(|o| o.model == Some(ModelVerdict::True));
        let flat_model = all
            .iter()
            .find(|o| o.flat.as_ref().is_some_and(|f| f.model == Some(ModelVerdict::True)));
        // Where the standard leaves something open, its values may be others for others.
        let pinned = all.iter().filter(|_| !truth.partial).find_map(|o| {
            let voice = o.pinned.as_ref()?.proven_by()?;
            let who = format!("the model of {} with the values of {}'s", voice.solver, o.solver);
            Some(Evidence::Witness(who))
        });
        let proof_of_sat = match (true_model, flat_model) {
            (Some(o), _) => Some(Evidence::Witness(format!("the model of {}", o.solver))),
            (None, Some(o)) => {
                let who = format!("the model of {} for the check alone", o.solver);
                Some(Evidence::Witness(who))
            }
            _ if pinned.is_some() => pinned,
            _ if truth.witness => {
                Some(Evidence::Witness("the witness that the script was made with".to_owned()))
            }
            _ if truth.brute_force == Status::Sat => Some(Evidence::FoundModel),
            _ => None,
        };
        let seen = all.iter().filter(|o| o.no_verdict.is_none()).collect();
        Self { all, seen, truth, proof_of_sat, wanted }
    }

    /// Whether an answer to the check is proven wrong.
    fn refutes(&self, answer: Status) -> bool {
        match answer {
            Status::Sat => self.truth.brute_force == Status::Unsat,
            _ => self.proof_of_sat.is_some(),
        }
    }

    /// Whether a `sat` with this model may rest on what the standard leaves open. Solvers may differ there, and all be right.
    fn rests_on_open(&self, model: Option<&ModelVerdict>) -> bool {
        match model {
            Some(ModelVerdict::Unspecified(_) | ModelVerdict::TrueAsChosen) => true,
            Some(ModelVerdict::True) => false,
            // No model tells, or a bad one, beside which there may be another: the operators say whether it may.
            _ => self.truth.partial,
        }
    }
}

/// An oracle.
pub struct Oracle {
    /// Its name.
    pub name: &'static str,
    /// What it accuses of whom.
    pub judge: fn(&Facts<'_>) -> Vec<Diagnosis>,
}

/// All oracles. Each looks at one check.
pub const ORACLES: &[Oracle] = &[
    Oracle { name: "soundness", judge: soundness::judge },
    Oracle { name: "model", judge: model::judge },
    Oracle { name: "core", judge: core::judge },
    Oracle { name: "incremental", judge: incremental::judge },
    Oracle { name: "self-check", judge: self_check::judge },
    Oracle { name: "crash", judge: crash::judge },
    Oracle { name: "slowness", judge: slowness::judge },
    Oracle { name: "relation", judge: relation::judge },
];
