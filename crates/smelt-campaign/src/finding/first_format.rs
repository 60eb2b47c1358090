//! The first format of `finding.json`, which had no number.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;

use serde::Deserialize;
use smelt_case::{Fact, Origin, Recipe};
use smelt_solver::Mode;
use smelt_triage::{Class, Grade};
use smelt_trial::Reproducer;

use super::{Accused, FORMAT, Peer, Verdict};

/// A finding as it was written: flat, with the mode taken apart.
#[derive(Deserialize)]
pub(super) struct Finding {
    id: String,
    class: Class,
    grade: Grade,
    evidence: String,
    solver: String,
    spec: String,
    profile: String,
    version: Option<String>,
    binary: String,
    command: Vec<String>,
    options: Vec<String>,
    #[serde(default = "yes")]
    models: bool,
    #[serde(default)]
    self_check: bool,
    #[serde(default)]
    cores: bool,
    #[serde(default)]
    push_pop: bool,
    tactic: Option<String>,
    answer: String,
    #[serde(default)]
    model: Option<String>,
    /// From 1.
    check: NonZeroUsize,
    rate: (u32, u32),
    #[serde(default)]
    session_dependent: bool,
    signature: String,
    logic: String,
    peers: Vec<Peer>,
    /// Of a seed as it is, the strategy is `seed`.
    recipe: Recipe,
    seeds: Vec<Vec<Fact>>,
    mutation: String,
    found: u64,
    cpu_seconds: f64,
}

fn yes() -> bool {
    true
}

impl From<Finding> for super::Finding {
    fn from(f: Finding) -> Self {
        let mode = Mode {
            bare: false,
            models: f.models,
            cores: f.cores,
            self_check: f.self_check,
            proofs: false,
            push_pop: f.push_pop,
            options: f.options,
            tactic: f.tactic,
            logic: None,
        };
        let origin = match &f.recipe.seeds[..] {
            [seed] if f.recipe.strategy == "seed" => Origin::Seed(seed.clone()),
            _ => Origin::Mutant(f.recipe),
        };
        Self {
            format: FORMAT,
            id: f.id,
            verdicts: vec![Verdict {
                class: f.class,
                grade: f.grade,
                evidence: f.evidence,
                withdrawn: None,
            }],
            accused: Accused {
                label: f.solver,
                spec: f.spec,
                profile: f.profile,
                version: f.version,
                binary: f.binary,
                command: f.command,
            },
            reproducer: Reproducer {
                crash: (f.class == Class::Crash).then(|| f.signature.clone()),
                session: f.session_dependent,
                ..Reproducer::new(f.class, mode, f.check.get() - 1)
            },
            answer: f.answer,
            model: f.model,
            rate: f.rate,
            signature: f.signature,
            logic: f.logic,
            peers: f.peers,
            totalised: false,
            origin,
            seeds: f.seeds,
            mutation: f.mutation,
            found: f.found,
            cpu_seconds: f.cpu_seconds,
            fingerprint: None,
            signatures: BTreeSet::new(),
            known: None,
            labels: Vec::new(),
            done: BTreeMap::new(),
            position: None,
            spent: None,
        }
    }
}
