//! What came of a lab, as plain data: the page, the tables and the JSON are views of it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::plan::LabPlan;
use super::record::Cell;

/// What came of a lab.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The command line.
    pub command: String,
    /// What was asked for.
    pub plan: LabPlan,
    /// Each target by itself.
    pub targets: Vec<OnTarget>,
}

/// What came of all techniques on one target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OnTarget {
    /// Its name.
    pub name: String,
    /// Its solvers.
    pub solvers: Vec<String>,
    /// Each technique, in the order of the plan.
    pub techniques: Vec<Row>,
    /// The distinct bugs, those that count first.
    pub bugs: Vec<LabBug>,
    /// How many bugs were found by just these techniques, the most first.
    pub shared: Vec<Shared>,
}

/// A technique on a target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Its name.
    pub technique: String,
    /// What it is, in a few words.
    pub about: String,
    /// Each repetition that was begun.
    pub cells: Vec<CellRow>,
    /// Distinct bugs of a repetition: the middle, the fewest and the most; of those that are done.
    pub distinct: Option<Spread>,
    /// Distinct bugs in all repetitions together.
    pub together: u64,
    /// Bugs that no other technique has found.
    pub unique: u64,
    /// CPU seconds to the first bug: the middle over repetitions that have one.
    pub first: Option<f64>,
    /// Tests per CPU second, where tests are known.
    pub rate: Option<f64>,
    /// Which share of the tests a solver refused, where that is known.
    pub refused: Option<f64>,
    /// CPU seconds for each distinct bug of a repetition.
    pub cost: Option<f64>,
    /// CPU seconds that were not charged.
    pub apart: f64,
    /// Beside the baseline; nothing for the baseline itself.
    pub beside: Option<Beside>,
    /// How it went on.
    pub moments: Vec<Moment>,
    /// Bugs by the logic of the script that showed them first.
    pub logics: BTreeMap<String, u64>,
}

/// The middle and the ends of some numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// The median.
    pub median: f64,
    /// The least.
    pub low: f64,
    /// The most.
    pub high: f64,
}

/// One repetition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CellRow {
    /// Which, from 1.
    pub repetition: u32,
    /// Whether it is done.
    pub done: bool,
    /// What it came to.
    pub cell: Cell,
    /// Distinct bugs.
    pub distinct: u64,
    /// Findings, triggers of one bug each by itself.
    pub findings: u64,
    /// Findings of which no fingerprint could be taken: they are no bugs here.
    pub untold: u64,
    /// Findings on seeds as they are, which are no merit of a technique.
    pub on_seeds: u64,
}

/// A technique beside the baseline: distinct bugs of their repetitions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Beside {
    /// Repetitions of it and of the baseline.
    pub runs: (u64, u64),
    /// The exact rank-sum test of Mann and Whitney, two-sided.
    pub p: f64,
    /// The p with Holm's correction for all techniques on the target.
    pub holm: f64,
    /// How often a repetition of it has more bugs than one of the baseline (Vargha and Delaney's Â12).
    pub a12: f64,
}

impl Beside {
    /// The usual word for the size of the difference.
    pub fn word(&self) -> &'static str {
        super::effect::word(self.a12)
    }
}

/// Distinct bugs after so much CPU time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Moment {
    /// CPU seconds.
    pub cpu: f64,
    /// Over repetitions.
    pub bugs: Spread,
}

/// What newer releases say of a bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Truth {
    /// A newer release is right.
    Fixed,
    /// There is no newer release here, and smelt has proved it.
    Proven,
    /// All newer releases do the same: it does not count, for nothing but smelt says that it is one.
    Stays,
    /// Nobody can tell.
    Open,
}

impl Truth {
    /// Whether the bug counts.
    pub fn counts(self) -> bool {
        matches!(self, Self::Fixed | Self::Proven)
    }

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Fixed => "a newer release is right",
            Self::Proven => "proven; there is no newer release here",
            Self::Stays => "newer releases do the same",
            Self::Open => "nobody can tell",
        }
    }
}

/// A distinct bug.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabBug {
    /// The name of its smallest trigger.
    pub id: String,
    /// The folder of that trigger, from the lab's folder.
    pub path: String,
    /// The word of its class.
    pub class: String,
    /// Who has it.
    pub solver: String,
    /// The logic of the smallest trigger.
    pub logic: String,
    /// Which releases have it.
    pub releases: String,
    /// What newer releases say.
    pub truth: Truth,
    /// How many repetitions of each technique have found it.
    pub found: BTreeMap<String, u64>,
    /// The script of the smallest trigger.
    pub script: String,
}

/// Bugs that just these techniques have found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shared {
    /// The techniques.
    pub by: Vec<String>,
    /// How many bugs.
    pub bugs: u64,
}
