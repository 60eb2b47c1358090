//! What the workers of a campaign share.

mod backoff;

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use smelt_solver::Cancel;
use smelt_strategy::Strategy;
use smelt_triage::Slowness;
use smelt_triage::{Class, Finding, KnownBugs};
use smelt_trial::Target;

use self::backoff::Backoff;
use crate::folder::{self, Contents};
use crate::log::Log;
use crate::proofs::Proofs;
use crate::seedbank::Slot;
use crate::stats::Stats;
use crate::store::{ChainLine, Store};

/// What a run was asked to do; kept in the store for `--resume`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Config {
    /// Seed files and folders; empty for the embedded ones.
    pub seeds: Vec<PathBuf>,
    /// Solvers, as they are named from any folder.
    pub solvers: Vec<String>,
    /// Compare: the first of the solvers is the base, only the second is accused.
    pub compare: bool,
    /// Names of strategies.
    pub strategies: Vec<String>,
    /// Parameters of strategies: `strategy.name=value`, with the texts of files, not their names.
    #[serde(rename = "parameter_texts")]
    pub parameters: Vec<String>,
    /// Seconds.
    pub time: Option<f64>,
    /// Tests.
    pub tests: Option<u64>,
    /// New findings.
    pub findings: Option<u64>,
    /// Seed of all randomness.
    pub seed: u64,
    /// The schedule does not depend on time or luck.
    pub deterministic: bool,
    /// Worker threads.
    pub jobs: usize,
    /// Class of options.
    pub options: String,
    /// Most CPU seconds per query.
    pub limit: f64,
    /// Report slowness.
    pub performance: bool,
    /// Report `unknown` where an older release decides.
    pub incompleteness: bool,
    /// List of known bugs.
    pub known: Option<PathBuf>,
    /// A random number by which the user's data folder knows a campaign that was begun here: one that comes from elsewhere may
    /// name any command as its solver.
    #[serde(default)]
    pub token: String,
}

/// A campaign.
pub struct Campaign {
    /// What it was asked to do.
    pub config: Config,
    /// The campaign's folder.
    pub folder: PathBuf,
    /// Solvers under test.
    pub targets: Vec<Target>,
    /// Solvers that are asked when those cannot settle a disagreement.
    pub arbiters: Vec<Target>,
    /// The seeds.
    pub slots: Vec<Slot>,
    /// The strategies, each with its parameters.
    pub strategies: Vec<(&'static dyn Strategy, Vec<String>)>,
    /// Known bugs.
    pub known: KnownBugs,
    /// What is proved about rules.
    pub proofs: Proofs,
    /// Where every answer is noted, if that is wanted.
    pub log: Option<Log>,
    /// What counts as slow.
    pub slowness: Slowness,
    /// The database.
    pub store: Store,
    /// The number of this run there.
    pub run: i64,
    /// Position in the schedule.
    pub next: AtomicU64,
    looked_at: AtomicU64,
    failure: Mutex<Option<String>>,
    refused: Mutex<HashMap<(usize, &'static str), u32>>,
    /// Ends tests.
    pub stop: AtomicBool,
    /// Ends waits for tests.
    pub cancel: Cancel,
    /// Ends waits for confirmations too.
    pub cancel_all: Cancel,
    stats: Mutex<Stats>,
    chains: Mutex<Vec<ChainLine>>,
    signatures: Mutex<HashSet<String>>,
    backoff: Mutex<Backoff>,
    pending: Mutex<Vec<Contents>>,
    news: Mutex<Vec<String>>,
}

impl Campaign {
    /// Puts the parts together.
    #[expect(
        clippy::too_many_arguments,
        reason = "made in one place, from parts that have no order among themselves"
    )]
    pub fn new(
        config: Config,
        folder: PathBuf,
        targets: Vec<Target>,
        arbiters: Vec<Target>,
        slots: Vec<Slot>,
        strategies: Vec<(&'static dyn Strategy, Vec<String>)>,
        known: KnownBugs,
        slowness: Slowness,
        store: Store,
        run: i64,
        signatures: HashSet<String>,
    ) -> std::io::Result<Self> {
        Ok(Self {
            config,
            folder,
            targets,
            arbiters,
            slots,
            strategies,
            known,
            proofs: Proofs::default(),
            log: None,
            slowness,
            store,
            run,
            next: AtomicU64::new(0),
            looked_at: AtomicU64::new(0),
            failure: Mutex::default(),
            refused: Mutex::default(),
            stop: AtomicBool::new(false),
            cancel: Cancel::new()?,
            cancel_all: Cancel::new()?,
            stats: Mutex::default(),
            chains: Mutex::default(),
            signatures: Mutex::new(signatures),
            backoff: Mutex::default(),
            pending: Mutex::default(),
            news: Mutex::default(),
        })
    }

    /// The counters.
    pub fn stats(&self) -> MutexGuard<'_, Stats> {
        self.stats.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Most CPU time per query.
    pub fn most(&self) -> Duration {
        Duration::from_secs_f64(self.config.limit)
    }

    /// Whether there are as many tests or findings as were asked for.
    pub fn is_spent(&self) -> bool {
        let stats = self.stats();
        self.config.tests.is_some_and(|n| stats.tests >= n)
            || self.config.findings.is_some_and(|n| stats.findings.values().sum::<u64>() >= n)
    }

    /// Whether workers should end.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Ends all tests; confirmations that have begun go on.
    pub fn end(&self) {
        self.stop.store(true, Ordering::Relaxed);
        self.cancel.cancel();
    }

    /// The next seed that nobody has looked at; each is given once. Their order is mixed, so that a folder's first files are
    /// not all that a short run sees.
    pub fn unseen(&self) -> Option<usize> {
        let n = self.looked_at.fetch_add(1, Ordering::Relaxed) as usize;
        let all = self.slots.len();
        // A step that shares no factor with the number of seeds visits each once.
        let gcd = |mut a: usize, mut b: usize| {
            while b != 0 {
                (a, b) = (b, a % b);
            }
            a
        };
        let golden = all * 618 / 1000;
        let step = (golden.max(1)..).find(|&s| gcd(s, all) == 1)?;
        (n < all).then(|| (n * step + self.config.seed as usize % all) % all)
    }

    /// Journals a chain.
    pub fn journal(&self, line: ChainLine) {
        self.chains.lock().unwrap_or_else(PoisonError::into_inner).push(line);
    }

    /// Lines for people that workers have to say.
    pub fn say(&self, line: String) {
        self.news.lock().unwrap_or_else(PoisonError::into_inner).push(line);
    }

    /// Takes these lines.
    pub fn news(&self) -> Vec<String> {
        std::mem::take(&mut self.news.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Ends the campaign for a reason.
    pub fn fail(&self, reason: String) {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(reason);
        self.end();
    }

    /// The reason why it ended before its time.
    pub fn failure(&self) -> Option<String> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Notes that a strategy made nothing of a seed.
    pub fn refuse(&self, slot: usize, strategy: &'static str) {
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        *refused.entry((slot, strategy)).or_insert(0) += 1;
    }

    /// Whether it did so again and again.
    pub fn is_refused(&self, slot: usize, strategy: &'static str) -> bool {
        let refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        refused.get(&(slot, strategy)).is_some_and(|n| *n >= 3)
    }

    /// Whether a suspicion of this kind is to be confirmed now; if not, it is counted.
    pub fn worth_trying(&self, kind: &str) -> bool {
        let worth = self.backoff.lock().unwrap_or_else(PoisonError::into_inner).look(kind);
        if !worth {
            self.stats().not_looked_at += 1;
        }
        worth
    }

    /// Notes that confirming a suspicion of this kind gave nothing new.
    pub fn in_vain(&self, kind: String) {
        self.backoff.lock().unwrap_or_else(PoisonError::into_inner).in_vain(kind);
    }

    /// Whether a bug was found before.
    pub fn is_known(&self, solver: &str, signature: &str) -> bool {
        let known = self.signatures.lock().unwrap_or_else(PoisonError::into_inner);
        known.contains(&bug_key(solver, signature))
    }

    /// Keeps a finding, if it is new; true if it is.
    pub fn keep(&self, contents: Contents) -> bool {
        let signature = contents.finding.signature.clone();
        let class = contents.finding.class;
        let key = bug_key(&contents.finding.solver, &signature);
        let new = self.signatures.lock().unwrap_or_else(PoisonError::into_inner).insert(key);
        if !new {
            self.duplicate(&signature);
            return false;
        }
        *self.stats().findings.entry(class).or_insert(0) += 1;
        let f = &contents.finding;
        self.say(format!(
            "{}: {} {} ({}): {}",
            f.id,
            f.solver,
            f.class.word(),
            f.grade,
            f.evidence
        ));
        if let Err(e) = self.write(&contents) {
            self.say(format!("smelt: {e:#}; it is kept in memory and tried again"));
            self.pending.lock().unwrap_or_else(PoisonError::into_inner).push(contents);
        }
        true
    }

    /// Counts a candidate that is known already.
    pub fn duplicate(&self, signature: &str) {
        self.stats().duplicates += 1;
        // A lost count is no loss.
        let _ = self.store.hit(signature);
    }

    fn write(&self, contents: &Contents) -> anyhow::Result<()> {
        let finding = folder::write(&self.folder.join("findings"), contents)?;
        // The folder is the truth; the index can be made again.
        let _ = self.store.index(&finding);
        Ok(())
    }

    /// Tries again what could not be written; gives what still cannot.
    pub fn write_pending(&self) -> Vec<(Finding, String)> {
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        pending.retain(|c| self.write(c).is_err());
        pending.iter().map(|c| (c.finding.clone(), c.bug.clone())).collect()
    }

    /// Writes counters and journal.
    pub fn flush(&self, elapsed: f64, done: bool) -> anyhow::Result<()> {
        let rows = self.stats().rows();
        let mut chains = self.chains.lock().unwrap_or_else(PoisonError::into_inner);
        self.store.flush(self.run, elapsed, done, &rows, &chains)?;
        chains.clear();
        Ok(())
    }

    /// Which class of accusations against whom this campaign is about.
    pub fn reports(&self, accused: usize, class: Class) -> bool {
        let slow = matches!(class, Class::Performance | Class::PerformanceRegression);
        (!self.config.compare || accused == 1) && (!slow || self.config.performance)
    }
}

/// What tells bugs apart: who, and the signature.
pub fn bug_key(solver: &str, signature: &str) -> String {
    format!("{solver}\0{signature}")
}
