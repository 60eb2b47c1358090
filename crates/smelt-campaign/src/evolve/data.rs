//! What is known of releases in the end, as plain data: the page, the tables and `evolution.json` are views of it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Limits at which solved queries are counted, in CPU seconds: 2^-6 … 2^3.
pub const THRESHOLDS: [f64; 10] = [0.015625, 0.03125, 0.0625, 0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0];

/// The end of a run that the wall clock cut off, which says more of the machine than of the solver.
pub const WALL: &str = "wall-timeout";

/// How releases did on queries.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Evolution {
    /// A name for people.
    pub title: String,
    /// The command that made it.
    pub command: String,
    /// CPU seconds of a run.
    pub limit: f64,
    /// Runs of each query by each release; more were made where one seemed to be slower than another.
    pub repeat: u32,
    /// The limits up to `limit` at which solved queries are counted.
    pub thresholds: Vec<f64>,
    /// Logics of a user's queries, or grammars.
    pub groups: Vec<Group>,
    /// The releases: those of one solver in a row, the oldest first.
    pub releases: Vec<Release>,
    /// Who did what in which group, release by release, group by group.
    pub cells: Vec<Cell>,
    /// Who is wrong where, on strong or proven evidence, with fresh processes.
    pub faults: Vec<Fault>,
    /// What got worse from one release to the next.
    pub regressions: Vec<Regression>,
    /// All queries of a user; of a grammar those about which there is something to say.
    pub matrix: Vec<QueryRow>,
    /// Which release may be taken in the place of the one in use.
    pub choice: Option<Choice>,
    /// Files that could not be read.
    pub unread: Vec<String>,
}

/// Queries that are counted together.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Group {
    /// A logic, or a grammar.
    pub name: String,
    /// How many there are.
    pub queries: u64,
    /// Whether they are words of a grammar.
    pub of_grammar: bool,
}

/// One release.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Release {
    /// How it is called here: `z3@4.8.7`.
    pub label: String,
    /// The solver's name.
    pub solver: String,
    /// The version, as far as it is known.
    pub version: String,
    /// How to name it on the command line.
    pub spec: String,
    /// CPU seconds of the start of its process.
    pub start_seconds: f64,
    /// Why each query was run in a process of its own, if it was.
    pub cold_because: Option<String>,
}

/// A mean of several runs, and the ends of what they gave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The least.
    pub low: f64,
    /// The most.
    pub high: f64,
}

/// What one release did in one group.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// Which release.
    pub release: usize,
    /// Which group.
    pub group: usize,
    /// Queries by how the first run ended; a query with several checks counts by the worst of its answers.
    pub ends: BTreeMap<String, u64>,
    /// Queries that are decided and not known to be wrong at each threshold; the start of the process is not counted.
    pub solved: Vec<Spread>,
    /// So, with the start of a process for each query.
    pub solved_with_start: Vec<Spread>,
    /// Queries with a fault, by the word of its class.
    pub faults: BTreeMap<String, u64>,
    /// Queries on which it contradicts others, and nobody knows who is wrong.
    pub disputed: u64,
    /// Models by what the evaluator says of them: true, false, open.
    pub models: BTreeMap<String, u64>,
    /// CPU seconds of all queries.
    pub seconds: Spread,
    /// Queries that all releases of this solver decide.
    pub joint: u64,
    /// CPU seconds of those.
    pub joint_seconds: Spread,
    /// Queries per CPU second.
    pub throughput: f64,
    /// Queries per CPU second, with the start of a process for each.
    pub throughput_with_start: f64,
    /// Queries that its predecessor decides in none of its runs, and it decides in all.
    pub gained: u64,
    /// Queries that its predecessor decides in all runs, and it decides in none; where only one run was made, of that one.
    pub lost: u64,
}

/// A fault of a release on a query.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Fault {
    /// Which release.
    pub release: usize,
    /// Which group.
    pub group: usize,
    /// The word of its class.
    pub class: String,
    /// What the evidence is worth: `proven` or `strong`.
    pub grade: String,
    /// The evidence, in words.
    pub evidence: String,
    /// The query.
    pub query: String,
    /// What shows it.
    pub command: String,
    /// The script; of many faults of one class, release and group only the smallest one's.
    pub script: Option<String>,
}

/// What kind of thing got worse.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decline {
    /// Wrong where the predecessor was not.
    Wrong,
    /// Not decided any more.
    Lost,
    /// Slower on a group as a whole.
    #[default]
    Slower,
    /// Slower on a query.
    SlowQuery,
}

/// Something that got worse from one release to the next.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Regression {
    /// What.
    pub kind: Decline,
    /// Which release is worse.
    pub release: usize,
    /// Than which.
    pub than: usize,
    /// Where.
    pub group: usize,
    /// A sentence.
    pub text: String,
    /// How many times as long it takes, if it is slower.
    pub factor: Option<f64>,
    /// How likely such a difference is, or a larger one, if there is none.
    pub p: Option<f64>,
    /// The query that shows it best.
    pub query: Option<String>,
    /// The command that shows it.
    pub command: Option<String>,
}

/// One query, and what releases made of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct QueryRow {
    /// The query.
    pub query: String,
    /// Which group.
    pub group: usize,
    /// Its text, or how that begins.
    pub text: String,
    /// What each release made of it.
    pub ran: Vec<Ran>,
}

/// What a release made of a query.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ran {
    /// How it ended: `sat`, `unsat`, `timeout`, …; several checks are divided by blanks.
    pub answer: String,
    /// CPU seconds.
    pub seconds: Spread,
    /// How many runs that is of.
    pub runs: u32,
    /// What is wrong, in words.
    pub wrong: Option<String>,
    /// Whether it is confirmed to be slower than its predecessor, and how many times.
    pub slower: Option<f64>,
}

/// Which release may be taken in the place of the one in use.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    /// The release in use.
    pub current: usize,
    /// The newest that is not worse; none if all newer ones are worse.
    pub taken: Option<usize>,
    /// The answer, in one sentence.
    pub sentence: String,
    /// The releases of the solver beside the one in use.
    pub rows: Vec<Beside>,
}

/// A release beside the one in use.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Beside {
    /// Which release.
    pub release: usize,
    /// Queries on which it is wrong, and the one in use is not.
    pub wrong: Vec<String>,
    /// Queries that it does not decide, and the one in use does.
    pub lost: Vec<String>,
    /// Queries that it decides, and the one in use does not.
    pub gained: u64,
    /// Queries on which it is slower, confirmed by repeated runs.
    pub slower: Vec<String>,
    /// Queries that both decide.
    pub both: u64,
    /// How many times as long it takes for those, in all.
    pub factor: f64,
    /// How likely such times, or longer ones, are if it is not slower.
    pub p: f64,
    /// Why it is worse; empty if it is not.
    pub worse: Vec<String>,
}

impl Spread {
    /// The mean and the ends of some numbers.
    pub fn of(numbers: &[f64]) -> Self {
        if numbers.is_empty() {
            return Self::default();
        }
        Self {
            mean: numbers.iter().sum::<f64>() / numbers.len() as f64,
            low: numbers.iter().copied().fold(f64::INFINITY, f64::min),
            high: numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        }
    }
}

impl Evolution {
    /// What a release did in a group.
    pub fn cell(&self, release: usize, group: usize) -> Option<&Cell> {
        self.cells.get(release * self.groups.len() + group)
    }

    /// The solvers, each with its releases.
    pub fn solvers(&self) -> Vec<(&str, Vec<usize>)> {
        let mut all: Vec<(&str, Vec<usize>)> = Vec::new();
        for (i, release) in self.releases.iter().enumerate() {
            match all.iter_mut().find(|(name, _)| *name == release.solver) {
                Some((_, of)) => of.push(i),
                None => all.push((&release.solver, vec![i])),
            }
        }
        all
    }

    /// The words of all classes of faults that there are.
    pub fn classes(&self) -> Vec<String> {
        let mut all: Vec<String> =
            self.cells.iter().flat_map(|c| c.faults.keys().cloned()).collect();
        all.sort();
        all.dedup();
        all
    }
}
