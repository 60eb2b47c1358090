//! Findings: what is written to `finding.json`, the truth that the database only indexes.

use serde::{Deserialize, Serialize};
use smelt_case::{Fact, Recipe};

use crate::class::Class;
use crate::evidence::Grade;

/// What another solver said of the same script, in a fresh process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Peer {
    /// Name and version.
    pub solver: String,
    /// Its answer.
    pub answer: String,
    /// What smelt's evaluator says of its model.
    pub model: Option<String>,
}

/// What findings of smelts say that did not write a field down.
fn yes() -> bool {
    true
}

/// A confirmed finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// Name of its folder.
    pub id: String,
    /// What kind of misbehaviour.
    pub class: Class,
    /// What the evidence is worth.
    pub grade: Grade,
    /// The evidence in words.
    pub evidence: String,
    /// The accused, as it was named.
    pub solver: String,
    /// How to name it on the command line.
    pub spec: String,
    /// Name of its profile.
    pub profile: String,
    /// Its version.
    pub version: Option<String>,
    /// Digest of its binary.
    pub binary: String,
    /// The whole command line of the confirming run.
    pub command: Vec<String>,
    /// Options beyond the profile's usual ones that are needed; empty if the defaults suffice.
    pub options: Vec<String>,
    /// Whether models are asked for, as they are by default.
    #[serde(default = "yes")]
    pub models: bool,
    /// Whether the solver's own checks must be on.
    #[serde(default)]
    pub self_check: bool,
    /// Whether unsat cores must be on.
    #[serde(default)]
    pub cores: bool,
    /// Whether the solver must be made ready for push and pop.
    #[serde(default)]
    pub push_pop: bool,
    /// A tactic that is needed.
    pub tactic: Option<String>,
    /// What it answered to the check in question.
    pub answer: String,
    /// What smelt's evaluator says of its model, if it gave one.
    #[serde(default)]
    pub model: Option<String>,
    /// Which check of the script, from 1.
    pub check: usize,
    /// In how many of how many fresh processes it happened.
    pub rate: (u32, u32),
    /// Only in a process that ran other scripts before: the script is then a transcript.
    #[serde(default)]
    pub session_dependent: bool,
    /// The same text for what is likely the same bug.
    pub signature: String,
    /// The smallest logic of the script.
    pub logic: String,
    /// What the others said.
    pub peers: Vec<Peer>,
    /// How the mutant was made; the script itself is beside it.
    pub recipe: Recipe,
    /// What was known about the checks of each seed.
    pub seeds: Vec<Vec<Fact>>,
    /// What the strategy says it did in the last step.
    pub mutation: String,
    /// When it was found, in seconds since 1970.
    pub found: u64,
    /// CPU seconds of the accused in the confirming run.
    pub cpu_seconds: f64,
}
