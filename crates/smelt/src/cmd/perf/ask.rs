//! What instances of `smelt perf` are made of, and how they are looked for.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use smelt_campaign::perf::{Against, Asked};
use smelt_strategy::bandit::{Language, Method, Objective, Parameters};
use smelt_trial::Panel;

use crate::args::at_least_one;

/// Instances and methods.
#[derive(Clone, Debug, clap::Args)]
pub struct Instances {
    /// What is looked for: instances on which the target is slow, or on which it is wrong.
    #[arg(long, value_enum, default_value_t = Aim::Performance)]
    objective: Aim,
    /// What instances are made of: fp (64-bit) and strings with the operators of the BanditFuzz paper, or all operators of all-strings, core,
    /// ints, reals, realints, transcendentals, bitvec, float (16-bit), arrays, seq, sets, relations,
    /// nullables, bags, fields.
    #[arg(long, value_name = "THEORY", default_value = "fp")]
    theory: String,
    /// Methods, by their names: thompson, ucb1, epsilon, uniform (mutational), random, evolution; may be repeated. Without any: thompson,
    /// uniform, random and evolution.
    #[arg(long, value_name = "METHOD")]
    method: Vec<String>,
    /// How often a method begins; the best instance of each is in its suite. With --objective bugs 400: 20,000 queries.
    #[arg(long, value_name = "N", default_value = "10", default_value_if("objective", "bugs", "400"), value_parser = at_least_one::<u64>)]
    restarts: u64,
    /// Queries of each restart, at most: it ends at 0.99 of the most.
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = at_least_one::<u32>)]
    queries: u32,
    /// Changes in a row that are no better, before a restart begins with another instance.
    #[arg(long, value_name = "N", default_value_t = 25, value_parser = at_least_one::<u32>)]
    patience: u32,
    /// Variables of each sort.
    #[arg(long, value_name = "N", default_value_t = 5)]
    variables: u32,
    /// Assertions of an instance: 5, or 3-5, as with --objective bugs.
    #[arg(long, value_name = "N[-M]", default_value = "5", default_value_if("objective", "bugs", "3-5"), value_parser = range)]
    assertions: (u32, u32),
    /// Constructs from the root of an assertion to a leaf: 3, or 2-4, as with --objective bugs.
    #[arg(long, value_name = "N[-M]", default_value = "3", default_value_if("objective", "bugs", "2-4"), value_parser = range)]
    depth: (u32, u32),
    /// Only these constructs; may be repeated.
    #[arg(long, value_name = "CONSTRUCT")]
    operator: Vec<String>,
    /// How often a construct grows, where 1 is usual: `fp.div=5`; may be repeated.
    #[arg(long, value_name = "CONSTRUCT=W", value_parser = weight)]
    weight: Vec<(String, f64)>,
    /// Which reference counts: the fastest that decides, or the slowest, as in the paper.
    #[arg(long, value_enum, default_value_t = Which::Fastest)]
    against: Which,
    /// Further runs with other seeds of the solvers before an improvement is believed.
    #[arg(long, value_name = "N", default_value_t = 1)]
    repeat: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Which {
    Fastest,
    Slowest,
}

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Aim {
    Performance,
    Bugs,
}

impl Instances {
    /// Whether bugs are looked for, and not slowness.
    pub fn are_for_bugs(&self) -> bool {
        self.objective == Aim::Bugs
    }

    /// How instances are made.
    pub fn parameters(&self) -> Result<Parameters> {
        let mut weights = BTreeMap::new();
        for (name, w) in &self.weight {
            if weights.insert(name.clone(), *w).is_some() {
                bail!("--weight names {name} twice");
            }
        }
        Ok(Parameters {
            theory: self.theory.clone(),
            variables: self.variables,
            assertions: self.assertions,
            depth: self.depth,
            operators: self.operator.clone(),
            weights,
            without_constants: Vec::new(),
        })
    }

    /// What is asked for, of these solvers.
    pub fn asked(
        &self,
        panel: &Panel,
        language: &Language,
        limit: f64,
        seed: u64,
    ) -> Result<Asked> {
        let mut methods: Vec<String> =
            self.method.iter().flat_map(|m| m.split(',')).map(str::to_owned).collect();
        if methods.is_empty() {
            methods = ["thompson", "uniform", "random", "evolution"].map(str::to_owned).to_vec();
        }
        for (i, name) in methods.iter().enumerate() {
            Method::named(name).map_err(|e| anyhow::anyhow!("--method: {e}"))?;
            if methods[..i].contains(name) {
                bail!("--method names {name} twice");
            }
        }
        let mut labels = panel.targets().iter().map(|t| t.label.clone());
        Ok(Asked {
            objective: match self.objective {
                Aim::Performance => Objective::Performance,
                Aim::Bugs => Objective::Bugs,
            },
            target: labels.next().context("there is a target")?,
            references: labels.collect(),
            parameters: language.parameters().clone(),
            without: language.lacking(),
            methods,
            restarts: self.restarts,
            queries: self.queries,
            limit,
            against: match self.against {
                Which::Fastest => Against::Fastest,
                Which::Slowest => Against::Slowest,
            },
            repeat: self.repeat,
            patience: self.patience,
            seed,
        })
    }
}

/// `5`, or `3-5`.
fn range(text: &str) -> Result<(u32, u32), String> {
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    match (from.parse(), to.parse()) {
        (Ok(from), Ok(to)) if 1 <= from && from <= to => Ok((from, to)),
        _ => Err("a number from 1 on is needed, or two as 3-5".into()),
    }
}

/// `fp.div=5`
fn weight(text: &str) -> Result<(String, f64), String> {
    let parts =
        text.rsplit_once('=').and_then(|(name, w)| Some((name.to_owned(), w.parse().ok()?)));
    parts
        .filter(|(_, w): &(String, f64)| w.is_finite() && *w >= 0.0)
        .ok_or_else(|| "CONSTRUCT=W is needed with a number W from 0 on, as fp.div=5".into())
}
