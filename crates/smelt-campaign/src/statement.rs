//! What a run has done, as plain files in the campaign's folder: for `smelt merge`, which opens no database of a stranger.
//!
//! `runs/KEY/statement.json` is written whole every ten seconds and at the end; `runs/KEY/positions.tsv` grows by a line for each position
//! that is finished. A position may stand there twice if a process was killed; who reads it takes each once.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use nix::fcntl::OFlag;
use serde::{Deserialize, Serialize};
use smelt_case::digest;
use smelt_solver::write_atomically;
use smelt_trial::Target;

use crate::control::Control;
use crate::journal::{Journal, LeaseLine, Sample};
use crate::plan::{Config, Plan};
use crate::seed_files::SeedFile;
use crate::sequence::Part;
use crate::shelf::{is_folder, read_file};
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
/// Most bytes of a line of it.
const LINE: u64 = 1 << 16;
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
    /// A digest of what decides which cases a position has, equal for all parts of one campaign: of seeds their names and lengths, of solvers the
    /// releases, or the programs themselves.
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
        journal: &Journal,
        control: &Control,
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
            samples: thinned(&journal.samples(self.run)?),
        };
        let json = serde_json::to_vec(&statement)?;
        let put = own_folder(&self.folder);
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
        let mut text = String::new();
        for line in lines {
            let seq = self.plan.config.position(line.seq);
            let fields = [line.strategy, &line.seed, &line.partners, &line.steps.to_string()];
            text += &format!("{seq}\t{}\n", fields.join("\t"));
        }
        // What was cut off when a process ended or a disk was full stays a line of its own.
        let mut whole = self.whole.lock().unwrap_or_else(PoisonError::into_inner);
        let text = if std::mem::replace(&mut *whole, false) { text } else { format!("\n{text}") };
        let path = self.folder.join(POSITIONS);
        let put = own_folder(&self.folder).and_then(|()| {
            let how = (OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK).bits();
            let mut file = fs::OpenOptions::new();
            file.append(true).create(true).custom_flags(how).open(&path)?.write_all(text.as_bytes())
        });
        put.with_context(|| format!("cannot write {}", path.display()))?;
        *whole = true;
        Ok(())
    }
}

/// What decides which cases a position of a campaign has, as a digest.
fn identity(plan: &Plan) -> String {
    let named = |s: &SeedFile| match s {
        SeedFile::Embedded(source) => (s.name(), source.text.len() as u64),
        SeedFile::File(path) => {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            (name, fs::metadata(path).map_or(0, |m| m.len()))
        }
    };
    identity_with(plan, plan.seeds.iter().map(named).collect())
}

/// What decides which cases a position of a campaign has, as a digest; its seeds are these, by name and length.
pub fn identity_with(plan: &Plan, seeds: Vec<(String, u64)>) -> String {
    // A release is the same on all machines; a program of one's own may be built anew under its name.
    let solver = |t: &Target| match t.spec.contains('/') {
        true => t.solver.hash().to_owned(),
        false => t.label.clone(),
    };
    let mut enumerate = plan.config.enumerate.clone();
    enumerate.iter_mut().for_each(|words| words.shard = (0, 1));
    let Config { strategies, parameters, seed, deterministic, options, limit, .. } = &plan.config;
    let Config { without, seed_only, steps, max_bytes, as_is, compare, releases, .. } =
        &plan.config;
    let parts = serde_json::json!([
        [strategies, parameters, seed, deterministic, options, limit],
        [without, seed_only, steps, max_bytes, as_is, compare, releases, plan.config.drop_options],
        seeds,
        plan.panel.targets().iter().map(solver).collect::<Vec<_>>(),
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
    folder: PathBuf,
}

impl Run {
    /// All runs of a campaign's folder, which may be anybody's; and what cannot be read, with the reason.
    pub fn read_all(campaign: &Path) -> (Vec<Self>, Vec<(PathBuf, String)>) {
        let (mut all, mut unreadable) = (Vec::new(), Vec::new());
        let runs = campaign.join(RUNS);
        if fs::symlink_metadata(&runs).is_ok_and(|_| !is_folder(&runs)) {
            unreadable.push((runs, STRANGE.to_owned()));
            return (all, unreadable);
        }
        let entries = fs::read_dir(&runs).into_iter().flatten();
        let mut folders: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
        // Files that a desktop leaves there are nobody's run.
        folders.retain(|p| !fs::symlink_metadata(p).is_ok_and(|m| m.is_file()));
        folders.sort();
        for folder in folders {
            match Self::read(&folder) {
                Ok(run) => all.push(run),
                Err(e) => unreadable.push((folder, format!("{e:#}"))),
            }
        }
        (all, unreadable)
    }

    fn read(folder: &Path) -> Result<Self> {
        let statement = Statement::read(folder)?;
        let mut positions = BTreeSet::new();
        each_line(folder, &mut |position, _| {
            positions.insert(position);
            Ok(())
        })?;
        Ok(Self { statement, positions, folder: folder.to_owned() })
    }

    /// Writes it into another campaign's folder: the positions first, so that a run that is stated has them.
    pub fn copy(&self, campaign: &Path) -> Result<()> {
        let folder = campaign.join(RUNS).join(&self.statement.key);
        if folder == self.folder {
            return Ok(());
        }
        let put = || -> Result<()> {
            own_folder(&folder)?;
            let temporary = folder.join(format!(".{POSITIONS}.{}", std::process::id()));
            let _ = fs::remove_file(&temporary);
            let mut file = BufWriter::new(fs::File::create_new(&temporary)?);
            each_line(&self.folder, &mut |_, line| Ok(writeln!(file, "{line}")?))?;
            file.into_inner()?.sync_all()?;
            fs::rename(&temporary, folder.join(POSITIONS))?;
            let json = serde_json::to_vec(&self.statement)?;
            Ok(write_atomically(&folder.join(STATEMENT), &json)?)
        };
        put().with_context(|| format!("cannot write {}", folder.display()))
    }
}

impl Statement {
    /// What the runs of a campaign's folder state, without their positions. What cannot be read is left out.
    pub fn read_all(campaign: &Path) -> Vec<Self> {
        let runs = campaign.join(RUNS);
        let entries = fs::read_dir(&runs).into_iter().flatten().filter(|_| is_folder(&runs));
        let mut folders: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
        folders.sort();
        folders.iter().filter_map(|folder| Self::read(folder).ok()).collect()
    }

    fn read(folder: &Path) -> Result<Self> {
        if !is_folder(folder) {
            bail!(STRANGE);
        }
        let json = read_file(folder, STATEMENT)?;
        let statement: Self =
            serde_json::from_slice(&json).context("it is no statement of a run, or damaged")?;
        if statement.format != FORMAT {
            bail!("it has format {}, and this smelt reads format {FORMAT}", statement.format);
        }
        let plain = |c: char| c.is_ascii_hexdigit() || c == '-';
        let name = folder.file_name().unwrap_or_default();
        if !statement.key.chars().all(plain) || name != statement.key.as_str() {
            bail!("it is damaged: its key is not the name of its folder");
        }
        if !statement.is_sound() {
            bail!("it is damaged: its numbers are out of bounds");
        }
        Ok(statement)
    }

    /// Whether its numbers can be those of a run: they may be a stranger's, and are added to others.
    fn is_sound(&self) -> bool {
        let seconds = |s: f64| s.is_finite() && (0.0..LARGEST).contains(&s);
        let Part { own, of } = self.part;
        let samples = &self.samples;
        own < of
            && of <= LARGEST as u64
            && seconds(self.elapsed)
            && self.given <= LARGEST as u64
            && self.tally.rows().iter().all(|(.., n)| (0.0..LARGEST).contains(n))
            && samples.len() <= SAMPLES + 1
            && samples.iter().all(|(at, s, n)| seconds(*s) && (at | n) <= LARGEST as u64)
    }
}

/// Largest number of a statement: many of them can be added.
const LARGEST: f64 = (1_u64 << 48) as f64;

/// Why something in a campaign's folder is not read.
const STRANGE: &str = "it is no folder of the campaign's own";

/// Calls `each` with every whole line of the positions of a run. A line that was cut off lacks some of its fields. A run that was killed at once
/// has no such file.
fn each_line(folder: &Path, each: &mut dyn FnMut(u64, &str) -> Result<()>) -> Result<()> {
    let path = folder.join(POSITIONS);
    let what = || format!("cannot read {}", path.display());
    match fs::symlink_metadata(&path) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Ok(m) if m.is_file() => {}
        _ => bail!("{}: it is no plain file of the folder", what()),
    }
    let how = (OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK).bits();
    let file =
        fs::OpenOptions::new().read(true).custom_flags(how).open(&path).with_context(what)?;
    let mut lines = BufReader::new(file);
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = (&mut lines).take(LINE).read_until(b'\n', &mut line).with_context(what)?;
        if read == 0 {
            return Ok(());
        }
        let Ok(text) = std::str::from_utf8(&line) else { continue };
        let text = text.trim_end_matches('\n');
        let mut fields = text.split('\t');
        let position = fields.next().and_then(|n| n.parse::<u64>().ok());
        if let Some(position) = position.filter(|_| fields.count() == FIELDS - 1) {
            each(position, text)?;
        }
    }
}

/// Makes the folder of a run. A campaign's folder may come from anybody: what is written there must not go elsewhere.
fn own_folder(folder: &Path) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    let runs = folder.parent().unwrap_or(folder);
    match is_folder(runs) && is_folder(folder) {
        true => Ok(()),
        false => Err(std::io::Error::other(STRANGE)),
    }
}
