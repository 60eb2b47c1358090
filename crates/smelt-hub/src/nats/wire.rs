//! What hub and workers say to each other. All of it may come from a stranger: it is read whole or not at all, and nothing in it is a path
//! or a command.

use std::collections::BTreeSet;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use smelt_campaign::journal::LeaseLine;
use smelt_campaign::plan::{Config, Plan};
use smelt_campaign::seed_files::SeedFile;
use smelt_campaign::statement::identity_with;
use smelt_campaign::tally::Tally;
use smelt_case::digest;
use smelt_solver::SolverSpec;
use smelt_strategy::by_name;
use smelt_trial::Target;

/// Version of what is said; another one is refused.
pub const FORMAT: u32 = 1;
/// Most bytes of a message: servers refuse more than a megabyte, with what stands before it.
pub const MESSAGE: usize = 1_000_000;
/// Most positions of a block.
pub const BLOCK: usize = 1024;
/// Most bytes of a seed.
pub const SEED: u64 = 1_000_000;
/// Most seeds of a campaign.
pub const SEEDS: usize = 200_000;
/// Most names of a kind in what a position counts, and most bytes of one.
const NAMES: usize = 2000;
const NAME: usize = 400;
/// Largest number that a position counts.
const LARGEST: f64 = (1_u64 << 40) as f64;

/// What a campaign is: all that a worker needs to make the same cases.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanNote {
    /// Version of what is said.
    pub format: u32,
    /// The version of smelt.
    pub smelt: String,
    /// A digest of what decides which cases a position has.
    pub identity: String,
    /// How many seeds the hub has for workers; none if they are those inside smelt.
    pub seeds: Option<usize>,
    /// Seconds after which a lease is somebody else's if its holder is silent.
    pub silence: u64,
    /// What is to be done.
    pub task: Task,
}

/// What of a configuration a worker is told; the rest is its own affair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// Solvers, by their place in the plan.
    pub solvers: Vec<Build>,
    /// Names of strategies.
    pub strategies: Vec<String>,
    /// Seed of all randomness.
    pub seed: u64,
    /// The schedule does not depend on time or luck.
    pub deterministic: bool,
    /// Class of options.
    pub options: String,
    /// Most CPU seconds per query.
    pub limit: f64,
    /// Megabytes of a solver's process.
    pub memory: Option<u64>,
    /// Options that seeds set are dropped.
    pub drop_options: bool,
    /// Report slowness.
    pub performance: bool,
    /// Report `unknown` where an older release decides.
    pub incompleteness: bool,
}

/// A solver that a worker must have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Build {
    /// How it is named, or, if that is a program of the hub's own, its label.
    pub name: String,
    /// Its version.
    pub version: Option<String>,
    /// The digest of a program of the hub's own, which a worker has under this label.
    pub program: Option<String>,
}

impl Build {
    /// What a worker is told of a solver of the hub's.
    fn of(t: &Target) -> Self {
        let own = t.spec.contains('/');
        Self {
            name: match SolverSpec::parse(&t.spec) {
                Ok(spec) if own => spec.label,
                _ => t.spec.clone(),
            },
            version: t.solver.version().map(ToString::to_string),
            program: own.then(|| t.solver.hash().to_owned()),
        }
    }
}

impl Task {
    /// What a worker is told of a plan.
    pub fn of(plan: &Plan) -> Self {
        let config = &plan.config;
        let Config { strategies, seed, deterministic, options, limit, .. } = config.clone();
        let solvers = plan.panel.targets().iter().map(Build::of).collect();
        let Config { memory, drop_options, performance, incompleteness, .. } = *config;
        Self {
            solvers,
            strategies,
            seed,
            deterministic,
            options,
            limit,
            memory,
            drop_options,
            performance,
            incompleteness,
        }
    }

    /// The configuration of a worker's thread, with these seeds, and the solvers as they are named there.
    pub fn config(self, seeds: Vec<PathBuf>, solvers: Vec<String>) -> Result<Config> {
        if !(0.001..=3600.0).contains(&self.limit) {
            bail!("the hub's limit of time for a query is out of bounds");
        }
        if self.memory.is_some_and(|m| !(16..=16 << 20).contains(&m)) {
            bail!("the hub's limit of memory is out of bounds");
        }
        Ok(Config {
            seeds,
            solvers,
            strategies: self.strategies,
            seed: self.seed,
            deterministic: self.deterministic,
            options: self.options,
            limit: self.limit,
            memory: self.memory,
            drop_options: self.drop_options,
            performance: self.performance,
            incompleteness: self.incompleteness,
            jobs: 1,
            token: smelt_campaign::claim::new_token(),
            ..Config::default()
        })
    }
}

/// What decides which cases a position has, by the texts of seeds: those of a worker have other names.
pub fn identity(plan: &Plan) -> Result<String> {
    let named = |s: &SeedFile| -> Result<(String, u64)> {
        let text = s.read(SEED).with_context(|| format!("a worker cannot have {}", s.name()))?;
        Ok((digest(&text), text.len() as u64))
    };
    let named = |s: &SeedFile| match s {
        SeedFile::Embedded(source) => Ok((s.name(), source.text.len() as u64)),
        SeedFile::File(_) => named(s),
    };
    Ok(identity_with(plan, plan.seeds.iter().map(named).collect::<Result<_>>()?))
}

/// Positions that a worker takes together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// The positions.
    pub positions: Vec<u64>,
}

/// What was made of some positions.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Results {
    /// One for each position.
    pub all: Vec<Record>,
}

/// What was made of a position. Of several about one position the first counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The position.
    pub seq: u64,
    /// What was made of it, if anything was.
    pub line: Option<Line>,
    /// What was counted for it.
    pub tally: Tally,
}

/// A line of the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    strategy: String,
    seed: String,
    partners: String,
    steps: u32,
}

impl Line {
    /// As it is sent.
    pub fn of(line: &LeaseLine) -> Self {
        let LeaseLine { strategy, seed, partners, steps, .. } = line;
        let (seed, partners) = (seed.clone(), partners.clone());
        Self { strategy: (*strategy).to_owned(), seed, partners, steps: *steps }
    }

    /// As it is written; an error if it is none.
    pub fn read(self, seq: u64, worker: usize) -> Result<LeaseLine> {
        let Self { strategy, seed, partners, steps } = self;
        let strategy = by_name(&strategy).context("it names no strategy")?.name();
        let plain = |s: &str| {
            s.len() <= 4096 && s.bytes().all(|b| b.is_ascii_alphanumeric() || b" ,-".contains(&b))
        };
        if !plain(&seed) || !plain(&partners) {
            bail!("it names no seeds");
        }
        Ok(LeaseLine { seq, worker, seed, strategy, partners, steps })
    }
}

impl Record {
    /// Refuses numbers and names that no position can have. What is counted of findings is dropped: that is the hub's to say.
    pub fn checked(mut self) -> Result<Self> {
        let findings: [(&str, smelt_triage::Class); 0] = [];
        self.tally.recount_findings(findings.into_iter());
        self.tally.bugs.clear();
        let rows = self.tally.rows();
        let sound = |(_, name, n): &(String, String, f64)| {
            (0.0..LARGEST).contains(n) && name.len() <= NAME && !name.chars().any(char::is_control)
        };
        if rows.len() > NAMES || !rows.iter().all(sound) {
            bail!("it counts what no position can have");
        }
        Ok(self)
    }
}

/// How the campaign stands, as the hub tells it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Total {
    /// Whether it is over.
    pub ended: bool,
    /// What all workers have counted.
    pub tally: Tally,
    /// Digests of what bugs are known by.
    pub known: BTreeSet<String>,
}

/// How a worker stands, as it tells it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Status {
    /// The version of smelt.
    pub smelt: String,
    /// What people call the machine.
    pub machine: String,
    /// Threads.
    pub jobs: usize,
    /// Solvers: label, version, digest of the program.
    pub solvers: Vec<(String, String, String)>,
    /// Positions that it has finished.
    pub positions: u64,
    /// Tests.
    pub tests: u64,
    /// Findings that it has sent, and those that wait.
    pub sent: u64,
    /// Findings that wait to be sent.
    pub waiting: u64,
    /// Seconds since it began.
    pub elapsed: f64,
    /// Whether it leaves.
    pub leaves: bool,
}

impl Status {
    /// Refuses what is longer than anybody needs.
    pub fn checked(self) -> Result<Self> {
        let plain = |s: &String| s.len() <= 200 && !s.chars().any(char::is_control);
        let solvers = self.solvers.iter().flat_map(|(a, b, c)| [a, b, c]);
        let sound = self.elapsed.is_finite() && self.elapsed >= 0.0 && self.solvers.len() <= 100;
        if !sound || ![&self.smelt, &self.machine].into_iter().chain(solvers).all(plain) {
            bail!("it is no status");
        }
        Ok(self)
    }
}

/// Reads a message.
pub fn read<T: for<'a> Deserialize<'a>>(payload: &[u8]) -> Result<T> {
    if payload.len() > MESSAGE {
        bail!("it is too large");
    }
    serde_json::from_slice(payload).context("it is no message of smelt's, or damaged")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(tally: Tally, strategy: &str, seed: &str) -> Record {
        let line = Line {
            strategy: strategy.into(),
            seed: seed.into(),
            partners: String::new(),
            steps: 3,
        };
        Record { seq: 7, line: Some(line), tally }
    }

    #[test]
    fn what_no_position_has() {
        let mut tally = Tally::default();
        tally.total.tests = 5;
        tally.count_finding("opfuzz", smelt_triage::Class::Crash);
        let own = record(tally.clone(), "opfuzz", "ab12");
        let sent = serde_json::to_vec(&own).unwrap();
        let back: Record = read::<Record>(&sent).unwrap().checked().unwrap();
        assert_eq!((back.tally.total.tests, back.tally.found()), (5, 0));
        assert!(back.line.unwrap().read(7, 0).is_ok());
        for (strategy, seed) in [("rm -rf", "ab12"), ("opfuzz", "a\tb\n9\tx"), ("opfuzz", "../x")] {
            assert!(record(Tally::default(), strategy, seed).line.unwrap().read(7, 0).is_err());
        }
        tally.total.solver_cpu = 1e300;
        assert!(record(tally.clone(), "opfuzz", "").checked().is_err());
        tally.total.solver_cpu = -1.0;
        assert!(record(tally.clone(), "opfuzz", "").checked().is_err());
        tally.total.solver_cpu = 1.0;
        tally.refusals.insert("x\u{1b}[31m".to_owned(), 1);
        assert!(record(tally, "opfuzz", "").checked().is_err());
    }

    #[test]
    fn another_plan() {
        let mut task = Task {
            solvers: Vec::new(),
            strategies: Vec::new(),
            seed: 1,
            deterministic: true,
            options: "none".to_owned(),
            limit: 2.0,
            memory: None,
            drop_options: false,
            performance: false,
            incompleteness: false,
        };
        let config = |task: &Task| task.clone().config(Vec::new(), Vec::new());
        assert!(config(&task).is_ok());
        for limit in [f64::NAN, 1e9, 0.0] {
            task.limit = limit;
            assert!(config(&task).is_err());
        }
        let more = br#"{"format":1,"smelt":"x","identity":"","seeds":null,"silence":1,"run":"sh","task":{}}"#;
        assert!(read::<PlanNote>(more).is_err());
    }
}
