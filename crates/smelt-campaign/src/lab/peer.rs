//! Another tool at work: it runs until its budget is used, again and again if it ends before, and what it writes into its folder of bugs is
//! noted with the CPU time at which it was there.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};
use smelt_case::stream;
use smelt_solver::{Cancel, Ended, Launcher, MEMORY, Solver, Tool, run_tool};

use super::record::lines;
use crate::seed_files::SeedFile;

/// What stands for something in a peer's arguments, and for what.
const PLACES: [(&str, &str); 6] = [
    ("{seeds}", "the files of the seeds, an argument each"),
    ("{bugs}", "the folder for bugs"),
    ("{logs}", "a folder for logs"),
    ("{scratch}", "a folder for what is needed on the way"),
    ("{number}", "a random number, another one in each run"),
    ("{solvers}", "the command lines of the solvers, with ; between them"),
];

/// So many runs in a row that use less than this end a peer that does nothing.
const RUNS: u32 = 3;
const LEAST: Duration = Duration::from_millis(500);

/// How often the CPU time is noted where no bug is found.
const EVERY: Duration = Duration::from_secs(2);

/// Refuses arguments of a peer that cannot work.
pub fn check(argv: &[String]) -> Result<()> {
    let Some(program) = argv.first() else { bail!("peer: it names no program") };
    if program.contains('{') {
        bail!("peer: it begins with a program, not with {program}");
    }
    if !argv.iter().any(|a| a.contains("{bugs}")) {
        bail!(
            "peer: {{bugs}} is lacking in {}: the folder that is looked at for bugs",
            argv.join(" ")
        );
    }
    if find(program).is_none() {
        bail!("peer: there is no program {program} here");
    }
    Ok(())
}

/// A program by its path or by its name on PATH.
fn find(program: &str) -> Option<PathBuf> {
    if program.contains('/') {
        return Some(PathBuf::from(program)).filter(|p| p.is_file());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|p| p.is_file())
}

/// A line of the record of a peer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Noted {
    /// CPU seconds so far, in all runs of it.
    pub cpu: f64,
    /// A bug that was there by then: a path from the folder of bugs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bug: Option<String>,
    /// How a run of it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<String>,
}

/// A peer in a cell.
pub struct Peer<'a> {
    /// Program and arguments, with places that are filled in.
    pub argv: &'a [String],
    /// The solvers.
    pub solvers: &'a [Solver],
    /// The seeds.
    pub seeds: &'a [SeedFile],
    /// CPU seconds.
    pub budget: f64,
    /// The seed of randomness.
    pub seed: u64,
    /// Where it works.
    pub folder: &'a Path,
    /// What starts it.
    pub launcher: &'a Launcher,
    /// Ends it.
    pub cancel: &'a Cancel,
}

impl Peer<'_> {
    /// The folder for its bugs.
    pub fn bugs(folder: &Path) -> PathBuf {
        folder.join("bugs")
    }

    /// What was noted of it.
    pub fn noted(folder: &Path) -> Result<Vec<Noted>> {
        lines(&folder.join("cpu.jsonl"))
    }

    /// Lets it use the rest of its budget; false if it was cut off.
    pub fn work(&self, watch: &dyn Fn(f64)) -> Result<bool> {
        for folder in ["bugs", "logs", "scratch", "seeds"] {
            let folder = self.folder.join(folder);
            std::fs::create_dir_all(&folder)
                .with_context(|| format!("cannot make {}", folder.display()))?;
        }
        let seeds = self.seed_paths()?;
        let noted = Self::noted(self.folder)?;
        let mut used = noted.last().map_or(0.0, |n| n.cpu);
        let mut known: BTreeSet<String> = noted.iter().filter_map(|n| n.bug.clone()).collect();
        let mut runs = noted.iter().filter(|n| n.ended.is_some()).count() as u64;
        let mut idle = 0;
        while used < self.budget {
            let (argv, number) = (self.arguments(&seeds, runs), runs.to_string());
            let env = [("PYTHONHASHSEED".to_owned(), number)];
            let left = Duration::from_secs_f64(self.budget - used);
            let tool = Tool {
                argv: &argv,
                folder: self.folder,
                env: &env,
                cpu: left,
                memory: Some(2 * MEMORY),
            };
            let mut last = Instant::now();
            let mut failure = None;
            let worked = run_tool(self.launcher, &tool, self.cancel, &mut |now| {
                let cpu = used + now.as_secs_f64();
                watch(cpu);
                let found = self.note_bugs(cpu, &mut known);
                let due = last.elapsed() >= EVERY && !matches!(found, Ok(true));
                let noted =
                    if due { self.note(Noted { cpu, bug: None, ended: None }) } else { Ok(()) };
                if due || matches!(found, Ok(true)) {
                    last = Instant::now();
                }
                failure = failure.take().or(found.err()).or(noted.err());
            })?;
            failure.map_or(Ok(()), Err)?;
            used += worked.cpu.as_secs_f64();
            runs += 1;
            self.note_bugs(used, &mut known)?;
            let ended = match &worked.ended {
                Ended::Itself(exit) => format!("{exit}: {}", last_line(&worked.printed)),
                Ended::Budget => "its budget was used".to_owned(),
                Ended::Memory => "it used too much memory".to_owned(),
                Ended::Cancelled => "cut off".to_owned(),
            };
            self.note(Noted { cpu: used, bug: None, ended: Some(ended.clone()) })?;
            if worked.ended == Ended::Cancelled {
                return Ok(false);
            }
            idle = if worked.cpu < LEAST { idle + 1 } else { 0 };
            if idle >= RUNS && used < self.budget {
                bail!("{} ended {RUNS} times at once, the last time with {ended}", self.argv[0]);
            }
        }
        Ok(true)
    }

    /// The files of the seeds; those inside smelt are written to its folder.
    fn seed_paths(&self) -> Result<Vec<String>> {
        let mut all = Vec::new();
        for seed in self.seeds {
            let path = match seed {
                SeedFile::File(path) => path.clone(),
                SeedFile::Embedded(source) => {
                    let name: String = source
                        .name
                        .chars()
                        .map(|c| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' })
                        .collect();
                    let path = self.folder.join("seeds").join(name);
                    std::fs::write(&path, &source.text)
                        .with_context(|| format!("cannot write {}", path.display()))?;
                    path
                }
            };
            let path =
                path.canonicalize().with_context(|| format!("cannot read {}", path.display()))?;
            all.push(path.display().to_string());
        }
        Ok(all)
    }

    /// The arguments of a run: seeds in another order each time, so that one on which it dies is not always the first.
    fn arguments(&self, seeds: &[String], run: u64) -> Vec<String> {
        let mut seeds = seeds.to_vec();
        seeds.shuffle(&mut stream(self.seed, run, "peer", &[]));
        let path = |name: &str| self.folder.join(name).display().to_string();
        let commands: Vec<String> =
            self.solvers.iter().map(|s| s.bare_command().join(" ")).collect();
        let number = self.seed.wrapping_mul(1000).wrapping_add(run) % (1 << 31);
        let [_, (bugs, _), (logs, _), (scratch, _), (random, _), (all, _)] = PLACES;
        let mut argv = Vec::new();
        for argument in self.argv {
            if argument == "{seeds}" {
                argv.append(&mut seeds);
                continue;
            }
            let mut filled = argument
                .replace(bugs, &path("bugs"))
                .replace(logs, &path("logs"))
                .replace(scratch, &path("scratch"))
                .replace(random, &number.to_string())
                .replace(all, &commands.join(";"));
            for (i, command) in commands.iter().enumerate() {
                filled = filled.replace(&format!("{{solver{}}}", i + 1), command);
            }
            argv.push(filled);
        }
        argv
    }

    /// Notes bugs that were not there before; true if there are any.
    fn note_bugs(&self, cpu: f64, known: &mut BTreeSet<String>) -> Result<bool> {
        let mut found = false;
        for bug in scripts(&Self::bugs(self.folder)) {
            if known.insert(bug.clone()) {
                self.note(Noted { cpu, bug: Some(bug), ended: None })?;
                found = true;
            }
        }
        Ok(found)
    }

    fn note(&self, noted: Noted) -> Result<()> {
        let path = self.folder.join("cpu.jsonl");
        let line = serde_json::to_string(&noted)? + "\n";
        let file = std::fs::OpenOptions::new().create(true).append(true).open(&path);
        file.and_then(|mut f| f.write_all(line.as_bytes()))
            .with_context(|| format!("cannot write {}", path.display()))
    }
}

/// Scripts below a folder, by their paths from there.
pub fn scripts(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut todo = vec![PathBuf::new()];
    while let Some(below) = todo.pop() {
        for entry in std::fs::read_dir(folder.join(&below)).into_iter().flatten().flatten() {
            let Ok(kind) = entry.file_type() else { continue };
            let path = below.join(entry.file_name());
            if kind.is_dir() {
                todo.push(path);
            } else if kind.is_file() && path.extension().is_some_and(|e| e == "smt2") {
                found.extend(path.to_str().map(str::to_owned));
            }
        }
    }
    found.sort();
    found
}

/// The last line that says something.
fn last_line(text: &str) -> String {
    let line = text.lines().rev().find(|l| !l.trim().is_empty()).unwrap_or("it printed nothing");
    line.trim().chars().take(200).collect()
}
