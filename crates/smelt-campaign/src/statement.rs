//! What a run has done, as plain files in the campaign's folder: for `smelt merge`, which opens no database of a stranger.
//!
//! `runs/KEY/statement.json` is written whole every ten seconds and at the end; `runs/KEY/positions.tsv` grows by a line for each position
//! that is finished. A position may stand there twice if a process was killed; who reads it takes each once.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use nix::fcntl::OFlag;
use serde::{Deserialize, Serialize};
use smelt_case::digest;
use smelt_solver::write_atomically;

use crate::control::Control;
use crate::journal::{Journal, LeaseLine, Sample};
use crate::plan::{Config, Plan};
use crate::sequence::Part;
use crate::shelf::read_file;
use crate::tally::Tally;

/// The folder of runs in a campaign's folder.
pub const RUNS: &str = "runs";
/// All of a run but its positions.
const STATEMENT: &str = "statement.json";
/// The positions that a run has finished.
const POSITIONS: &str = "positions.tsv";

/// Fields of a line of it: position, strategy, seed, partners, steps.
const FIELDS: usize = 5;
/// Version of the format of `statement.json`.
const FORMAT: u32 = 1;
/// How often the statement is written.
const EVERY: Duration = Duration::from_secs(10);
/// Most samples of how a run goes on that a statement has.
const SAMPLES: usize = 500;

/// A run of a campaign.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Statement {
    /// Version of the format.
    pub format: u32,
    /// The version of smelt.
    pub smelt: String,
    /// Name of its folder; no two runs have one.
    pub key: String,
    /// What is equal for all parts of one campaign, and for no others: a digest of what decides which cases a position has.
    pub campaign: String,
    /// The campaign's seed of randomness.
    pub seed: u64,
    /// Which part of the campaign it is.
    pub part: Part,
    /// The solvers, by label.
    pub solvers: Vec<String>,
    /// Seconds so far.
    pub elapsed: f64,
    /// Whether it has come to its end.
    pub done: bool,
    /// What it has counted.
    pub tally: Tally,
    /// How many seeds it was given.
    pub given: u64,
    /// What became of seeds, by number: nothing for one that is used, else why it is not.
    pub fates: BTreeMap<usize, Option<String>>,
    /// Seeds that are not used, by name, with the reason.
    pub skipped: Vec<(String, String)>,
    /// How it went on: seconds since 1970, seconds of the run, tests.
    pub samples: Vec<(u64, f64, u64)>,
}

/// Writes the statement of the run of this process.
pub struct Statements<'a> {
    folder: PathBuf,
    head: Head,
    plan: &'a Plan,
    run: i64,
    written: Mutex<Option<Instant>>,
    /// Whether the list of positions ends with a whole line that this process has written.
    whole: Mutex<bool>,
}

struct Head {
    key: String,
    campaign: String,
    part: Part,
}

impl<'a> Statements<'a> {
    /// Of a run in a campaign's folder.
    pub fn new(campaign: &Path, plan: &'a Plan, run: i64) -> Self {
        let config = &plan.config;
        // The token itself is what a campaign is known by to this user: it is nothing for others to read.
        let key = format!("{}-{run}", &digest(config.token.as_bytes())[..16]);
        let folder = campaign.join(RUNS).join(&key);
        let head = Head { key, campaign: identity(plan), part: config.part() };
        Self { folder, head, plan, run, written: Mutex::new(None), whole: Mutex::new(false) }
    }

    /// Writes the statement, if it is time or the run is over.
    pub fn write(
        &self,
        (journal, control): (&Journal, &Control),
        (elapsed, done): (f64, bool),
    ) -> Result<()> {
        let what = || format!("cannot write {}", self.folder.display());
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        if !done && written.is_some_and(|at| at.elapsed() < EVERY) {
            return Ok(());
        }
        let (given, fates) = control.fates();
        let statement = Statement {
            format: FORMAT,
            smelt: env!("CARGO_PKG_VERSION").to_owned(),
            key: self.head.key.clone(),
            campaign: self.head.campaign.clone(),
            seed: self.plan.config.seed,
            part: self.head.part,
            solvers: self.plan.panel.targets().iter().map(|t| t.label.clone()).collect(),
            elapsed,
            done,
            tally: control.counts(),
            given,
            fates,
            skipped: journal.skipped()?,
            samples: thinned(&journal.samples(self.run)?),
        };
        let json = serde_json::to_vec(&statement)?;
        let put = self.own_folder();
        let put = put.and_then(|()| write_atomically(&self.folder.join(STATEMENT), &json));
        put.with_context(what)?;
        *written = Some(Instant::now());
        Ok(())
    }

    /// Adds finished positions.
    pub fn add(&self, lines: &[LeaseLine]) -> Result<()> {
        if lines.is_empty() {
            return Ok(());
        }
        let words = self.plan.config.enumerate.is_some();
        let mut text = String::new();
        for line in lines {
            let seq = if words { self.head.part.position(line.seq) } else { line.seq };
            let fields = [line.strategy, &line.seed, &line.partners, &line.steps.to_string()];
            text += &format!("{seq}\t{}\n", fields.join("\t"));
        }
        // What was cut off when a process ended or a disk was full stays a line of its own.
        let mut whole = self.whole.lock().unwrap_or_else(PoisonError::into_inner);
        let text = if std::mem::replace(&mut *whole, false) { text } else { format!("\n{text}") };
        let path = self.folder.join(POSITIONS);
        let put = self.own_folder().and_then(|()| {
            let how = (OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK).bits();
            let mut file = fs::OpenOptions::new();
            file.append(true).create(true).custom_flags(how).open(&path)?.write_all(text.as_bytes())
        });
        put.with_context(|| format!("cannot write {}", path.display()))?;
        *whole = true;
        Ok(())
    }

    /// Makes the folder. A campaign's folder may come from anybody: what is written there must not go elsewhere.
    fn own_folder(&self) -> std::io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        let runs = self.folder.parent().unwrap_or(&self.folder);
        for folder in [runs, &self.folder] {
            if !fs::symlink_metadata(folder)?.is_dir() {
                return Err(std::io::Error::other("it is no folder of the campaign's own"));
            }
        }
        Ok(())
    }
}

/// What decides which cases a position of a campaign has, as a digest.
fn identity(plan: &Plan) -> String {
    let base = |name: String| name.rsplit('/').next().unwrap_or_default().to_owned();
    let mut enumerate = plan.config.enumerate.clone();
    enumerate.iter_mut().for_each(|words| words.shard = (0, 1));
    let Config { strategies, parameters, seed, deterministic, options, limit, .. } = &plan.config;
    let Config { without, seed_only, steps, max_bytes, as_is, compare, releases, .. } =
        &plan.config;
    let parts = serde_json::json!([
        [strategies, parameters, seed, deterministic, options, limit],
        [without, seed_only, steps, max_bytes, as_is, compare, releases, plan.config.drop_options],
        plan.seeds.iter().map(|s| base(s.name())).collect::<Vec<_>>(),
        plan.panel.targets().iter().map(|t| t.label.as_str()).collect::<Vec<_>>(),
        [serde_json::to_value(enumerate).ok(), serde_json::to_value(&plan.config.grammars).ok()],
    ]);
    digest(parts.to_string().as_bytes())[..32].to_owned()
}

/// Some of many samples, the first and the last among them.
fn thinned(all: &[Sample]) -> Vec<(u64, f64, u64)> {
    let step = all.len().div_ceil(SAMPLES).max(1);
    let last = all.len().saturating_sub(1);
    let kept = all.iter().enumerate().filter(|(i, _)| i % step == 0 || *i == last);
    kept.map(|(_, s)| (s.at, s.elapsed, s.tests)).collect()
}

/// A run of a folder: what it states, and the positions that it has finished.
pub struct Run {
    /// What it states.
    pub statement: Statement,
    /// The positions.
    pub positions: BTreeSet<u64>,
    /// Their lines, as they stand in the file.
    lines: String,
}

impl Run {
    /// All runs of a campaign's folder, which may be anybody's; and what cannot be read, with the reason.
    pub fn read_all(campaign: &Path) -> (Vec<Self>, Vec<(PathBuf, String)>) {
        let (mut all, mut unreadable) = (Vec::new(), Vec::new());
        let entries = fs::read_dir(campaign.join(RUNS)).into_iter().flatten();
        let mut folders: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
        folders.sort();
        for folder in folders {
            let is_folder = fs::symlink_metadata(&folder).is_ok_and(|m| m.is_dir());
            match Self::read(&folder) {
                _ if !is_folder => {
                    unreadable.push((folder, "it is no folder of the campaign's own".to_owned()));
                }
                Ok(run) => all.push(run),
                Err(e) => unreadable.push((folder, format!("{e:#}"))),
            }
        }
        (all, unreadable)
    }

    fn read(folder: &Path) -> Result<Self> {
        let json = read_file(folder, STATEMENT)?;
        let statement: Statement =
            serde_json::from_slice(&json).context("it is no statement of a run, or damaged")?;
        if statement.format != FORMAT {
            bail!("it has format {}, and this smelt reads format {FORMAT}", statement.format);
        }
        let name = folder.file_name().unwrap_or_default();
        let plain = |c: char| c.is_ascii_hexdigit() || c == '-';
        if !statement.key.chars().all(plain) || name != statement.key.as_str() {
            bail!("it is damaged: its key is not the name of its folder");
        }
        // A run that was killed at once has finished none.
        let lines = match fs::symlink_metadata(folder.join(POSITIONS)) {
            Ok(_) => String::from_utf8_lossy(&read_file(folder, POSITIONS)?).into_owned(),
            Err(_) => String::new(),
        };
        // A line that was cut off lacks some of its fields.
        let position = |line: &str| {
            let mut fields = line.split('\t');
            let number = fields.next()?.parse::<u64>().ok()?;
            (fields.count() == FIELDS - 1).then_some(number)
        };
        let whole = |line: &&str| position(line).is_some();
        let lines: String = lines.lines().filter(whole).map(|l| format!("{l}\n")).collect();
        let positions = lines.lines().filter_map(position).collect();
        Ok(Self { statement, positions, lines })
    }

    /// Writes it into another campaign's folder.
    pub fn copy(&self, campaign: &Path) -> Result<()> {
        let folder = campaign.join(RUNS).join(&self.statement.key);
        let what = || format!("cannot write {}", folder.display());
        let json = serde_json::to_vec(&self.statement)?;
        write_atomically(&folder.join(POSITIONS), self.lines.as_bytes()).with_context(what)?;
        write_atomically(&folder.join(STATEMENT), &json).with_context(what)
    }
}
