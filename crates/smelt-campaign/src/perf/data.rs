//! What came of a run, as plain data: the page, the table and the JSON are views of it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use smelt_strategy::bandit::{Objective, Ranked};

use super::Asked;
use super::record::Ran;

/// What came of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The command line.
    pub command: String,
    /// What was asked for.
    pub asked: Asked,
    /// What came of each method, in the order in which they were named.
    pub methods: Vec<Found>,
    /// Instances that the target and a reference decide in different ways, as files of the suite are named.
    pub contradictions: Vec<String>,
    /// Instances that were run with ten seeds of the solvers.
    pub slow: Vec<Slow>,
}

impl Report {
    /// Whether bugs were looked for, and not slowness.
    pub fn is_about_bugs(&self) -> bool {
        self.asked.objective == Objective::Bugs
    }
}

/// What a method has found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// Its name.
    pub method: String,
    /// A line about it.
    pub about: String,
    /// Positions that are done.
    pub positions: u64,
    /// Queries of these.
    pub queries: u64,
    /// CPU seconds of all solvers.
    pub cpu_seconds: f64,
    /// What the target answered, by kinds.
    pub answers: BTreeMap<String, u64>,
    /// Queries without a score: somebody gave up, crashed or refused.
    pub unscored: u64,
    /// The sum of the best scores of all positions.
    pub margin: f64,
    /// The most that it can be.
    pub perfect: f64,
    /// Beside each other method.
    pub beside: Vec<Beside>,
    /// The best instance of each position.
    pub suite: Vec<Best>,
    /// The constructs, the most rewarded first.
    pub ranking: Vec<Ranked>,
    /// How it went on.
    pub moments: Vec<Moment>,
    /// Bugs of the target, if they are what is looked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hunted: Option<Hunted>,
}

impl Found {
    /// How much of the perfect margin it has, in percent.
    pub fn share(&self) -> f64 {
        if self.perfect > 0.0 { 100.0 * self.margin / self.perfect } else { 0.0 }
    }
}

/// A method beside another one, in the positions that both have done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Beside {
    /// The other one.
    pub method: String,
    /// How much larger the margin is, in percent of the other's; nothing if the other has none.
    pub percent: Option<f64>,
    /// How likely the best scores of positions would rank so high if nothing differed (Mann and Whitney, one-sided).
    pub p: f64,
}

/// The best instance of a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Best {
    /// Its file.
    pub file: String,
    /// The position.
    pub seq: u64,
    /// The step.
    pub step: u32,
    /// What it is worth.
    pub score: f64,
    /// The target and its references: the worst kind of answer and the mean CPU seconds of all rounds.
    pub runs: Vec<Ran>,
    /// The script, under the standard's names.
    pub script: String,
}

/// How things stood after some queries.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Moment {
    /// Queries so far.
    pub queries: u64,
    /// The margin so far.
    pub margin: f64,
    /// Rewards so far.
    pub rewards: u64,
}

/// What a method has found that looks for bugs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Hunted {
    /// Inputs that show a bug, each text once.
    pub inputs: u64,
    /// Such inputs by classes of bugs; one may show several.
    pub classes: BTreeMap<String, u64>,
    /// Distinct bugs, in the order in which they were found.
    pub bugs: Vec<Bug>,
    /// Findings that no release was asked for yet: each counts as a bug of its own.
    pub untold: u64,
    /// How many inputs and bugs there were after so many queries.
    pub moments: Vec<(u64, u64, u64)>,
}

/// A bug of the target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bug {
    /// The name of its finding.
    pub id: String,
    /// What is wrong.
    pub class: String,
    /// After how many queries it was found first.
    pub queries: u64,
    /// Other findings that are the same bug.
    pub triggers: u64,
    /// Bytes of its smallest script.
    pub bytes: u64,
    /// The releases that have it, as far as they were asked.
    pub releases: String,
}

/// An instance that was run with several seeds of the solvers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Slow {
    /// Its file.
    pub file: String,
    /// Who is slow.
    pub target: String,
    /// Who is fast.
    pub reference: String,
    /// CPU seconds of the one by seed, from 1; the limit where it was not done.
    pub seconds: Vec<f64>,
    /// … and of the other.
    pub than: Vec<f64>,
    /// Seeds with which the target ran into the limit.
    pub timeouts: u64,
    /// How many times as long the target takes, by the means; at least, if it ran into the limit.
    pub factor: f64,
    /// How likely such times are by chance (Mann and Whitney, one-sided).
    pub p: f64,
    /// Whether it is confirmed: beyond chance, twice as long, and 0.2 s more.
    pub confirmed: bool,
    /// Why nothing can be said, if so.
    pub open: Option<String>,
    /// The releases that were asked, if it was looked for in them.
    pub history: Option<History>,
    /// A smaller script on which it is confirmed.
    pub smaller: Option<Smaller>,
}

/// Where in the releases of a solver it is slow.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct History {
    /// Releases that were asked, with what came of it.
    pub releases: Vec<(String, String)>,
    /// The last fast release and the first slow one, for each time that it became slow.
    pub since: Vec<(Option<String>, String)>,
}

/// A smaller script.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Smaller {
    /// Its file.
    pub file: String,
    /// Its text.
    pub script: String,
    /// Mean CPU seconds of the target and of the reference, over the same seeds.
    pub means: (f64, f64),
}
