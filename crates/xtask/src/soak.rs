//! `cargo xtask soak`: a campaign that is killed again and again, on seeds among which some are broken, and at last on a
//! full disk. Nothing that was found may be lost, no process may stay behind, and no kill may become a finding.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

use crate::judge::install::target_dir;

/// What to run.
#[derive(clap::Args)]
pub struct Options {
    /// How many minutes, the full disk not counted.
    #[arg(long, default_value_t = 30.0)]
    minutes: f64,
    /// Seed of the random moments.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Solvers to fuzz: old ones, so that there is something to lose.
    #[arg(long, default_values_t = ["z3@4.8.7".to_owned(), "cvc5@latest".to_owned()])]
    solver: Vec<String>,
    /// The `smelt` to try; without it, the one in the release build folder.
    #[arg(long)]
    smelt: Option<PathBuf>,
    /// Where to work; emptied first.
    #[arg(long)]
    work: Option<PathBuf>,
}

/// Marks all processes of a run, in their environment.
pub const MARK: &str = "SMELT_SOAK";

/// Runs and prints what was done; fails on the first thing that went wrong.
pub fn run(o: &Options) -> Result<()> {
    let smelt = o.smelt.clone().unwrap_or_else(|| target_dir().join("release/smelt"));
    ensure!(smelt.is_file(), "{} is not there: cargo build --release first", smelt.display());
    let work = o.work.clone().unwrap_or_else(|| target_dir().join("soak"));
    if work.exists() {
        fs::remove_dir_all(&work)?;
    }
    fs::create_dir_all(&work)?;
    let broken = make_seeds(&work.join("seeds"))?;
    let mut soak = Soak {
        smelt,
        campaign: work.join("campaign"),
        token: format!("{}-{}", std::process::id(), o.seed),
        random: ChaCha8Rng::seed_from_u64(o.seed),
        kept: BTreeSet::new(),
        runs: 0,
        ended: 0,
        solvers: 0,
        most_lost: 0,
    };
    let end = Instant::now() + Duration::from_secs_f64(o.minutes * 60.0);
    while Instant::now() < end {
        soak.life(o, &work.join("seeds"), end)?;
    }
    let tests = soak.count()?;
    println!(
        "{:.1} minutes: smelt was killed {} times and ended by itself {} times, solvers were killed {} times",
        o.minutes,
        soak.runs - soak.ended,
        soak.ended,
        soak.solvers
    );
    println!(
        "{tests} tests and {} findings kept; at most {} tests were forgotten at a kill; {broken} broken seeds",
        soak.kept.len(),
        soak.most_lost
    );
    full_disk(&soak.smelt, o, &work)
}

/// Copies the embedded seeds, and puts files among them that nobody can use.
fn make_seeds(folder: &Path) -> Result<usize> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let copy = Command::new("cp").arg("-r").arg(&corpus).arg(folder).status()?;
    ensure!(copy.success(), "cannot copy {}", corpus.display());
    let deep =
        format!("(assert {}true{})(check-sat)", "(not ".repeat(300_000), ")".repeat(300_000));
    let broken: [(&str, &[u8]); 9] = [
        ("empty.smt2", b""),
        ("truncated.smt2", b"(declare-const x Int)(assert (> x"),
        ("unbalanced.smt2", b"(declare-const x Int))(assert (> x 0))(check-sat)"),
        ("binary.smt2", b"\x7fELF\x00\x01\x02\xff\xfe(check-sat)"),
        ("latin1.smt2", b"(set-info :source |caf\xe9|)(check-sat)"),
        ("unsorted.smt2", b"(declare-const x Int)(assert (bvadd x x))(check-sat)"),
        ("torn.smt2.gz", b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xcb"),
        ("nothing.smt2.zst", b"not compressed at all"),
        ("deep.smt2", deep.as_bytes()),
    ];
    for (name, text) in &broken {
        fs::write(folder.join(name), text)?;
    }
    std::os::unix::fs::symlink("nowhere", folder.join("dangling.smt2"))?;
    Ok(broken.len() + 1)
}

struct Soak {
    smelt: PathBuf,
    campaign: PathBuf,
    token: String,
    random: ChaCha8Rng,
    /// Findings that were whole at some time.
    kept: BTreeSet<String>,
    runs: u32,
    ended: u32,
    solvers: u32,
    most_lost: u64,
}

impl Soak {
    /// One run of smelt, from its start to its violent end (one in five may end by itself).
    fn life(&mut self, o: &Options, seeds: &Path, end: Instant) -> Result<()> {
        let first = self.runs == 0;
        self.runs += 1;
        let seconds = self.random.random_range(5..90u64);
        let peaceful = self.random.random_range(0..5) == 0;
        let mut command = Command::new(&self.smelt);
        command.arg("fuzz").arg("--json").arg("--out").arg(&self.campaign);
        if first {
            command.arg(seeds);
            o.solver.iter().for_each(|s| {
                command.arg("--solver").arg(s);
            });
        } else {
            command.arg("--resume");
        }
        command.arg("--time").arg(format!("{}s", if peaceful { seconds } else { 86_400 }));
        let mut child = command
            .env(MARK, &self.token)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .context("cannot start smelt")?;
        let (out, err) = (child.stdout.take(), child.stderr.take());
        let last = AtomicU64::new(0);
        let stop = end.min(Instant::now() + Duration::from_secs(seconds));
        let said = std::thread::scope(|scope| -> Result<Option<String>> {
            let reader = scope.spawn(|| {
                for line in
                    out.into_iter().flat_map(|o| BufReader::new(o).lines()).map_while(Result::ok)
                {
                    if let Some(n) = tests_of(&line) {
                        last.store(n, Ordering::Relaxed);
                    }
                }
            });
            let errors = scope.spawn(|| {
                let lines =
                    err.into_iter().flat_map(|e| BufReader::new(e).lines()).map_while(Result::ok);
                lines.collect::<Vec<_>>().join("\n")
            });
            let mut code = None;
            loop {
                std::thread::sleep(Duration::from_millis(self.random.random_range(20..2000)));
                if let Some(status) = child.try_wait()? {
                    code = Some(status.code());
                    break;
                }
                if Instant::now() >= stop
                    && !(peaceful && Instant::now() < stop + Duration::from_secs(120))
                {
                    child.kill()?;
                    child.wait()?;
                    break;
                }
                self.kill_a_solver(child.id());
            }
            let _ = reader.join();
            let errors = errors.join().unwrap_or_default();
            ensure!(!errors.contains("panicked"), "smelt panicked:\n{errors}");
            Ok(code.map(|c| format!("{c:?}: {errors}")))
        })?;
        match said {
            Some(said) if said.starts_with("Some(0)") || said.starts_with("Some(10)") => {
                self.ended += 1
            }
            Some(said) => bail!("smelt ended with {said}"),
            None => {}
        }
        self.nobody_left()?;
        self.nothing_lost(last.into_inner())
    }

    /// Kills one of the solvers that run for this smelt.
    fn kill_a_solver(&mut self, smelt: u32) {
        let solvers: Vec<u32> = marked(&self.token)
            .into_iter()
            .filter(|&(pid, ref command)| pid != smelt && !command.contains("__launch"))
            .map(|(pid, _)| pid)
            .collect();
        if solvers.is_empty() {
            return;
        }
        let one = solvers[self.random.random_range(0..solvers.len())];
        if kill(Pid::from_raw(one as i32), Signal::SIGKILL).is_ok() {
            self.solvers += 1;
        }
    }

    fn nobody_left(&self) -> Result<()> {
        for _ in 0..100 {
            if marked(&self.token).is_empty() {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        bail!("processes are left: {:?}", marked(&self.token))
    }

    fn nothing_lost(&mut self, reported: u64) -> Result<()> {
        let now = findings(&self.campaign.join("findings"))?;
        if let Some(id) = self.kept.difference(&now).next() {
            bail!("the finding {id} is lost");
        }
        self.kept = now;
        let kept = self.count()?;
        self.most_lost = self.most_lost.max(reported.saturating_sub(kept));
        Ok(())
    }

    /// How many tests the campaign's folder knows of.
    fn count(&self) -> Result<u64> {
        let out = Command::new(&self.smelt)
            .args(["fuzz", "--resume", "--tests", "0", "--json", "--out"])
            .arg(&self.campaign)
            .env(MARK, &self.token)
            .output()?;
        let text = String::from_utf8_lossy(&out.stdout);
        text.lines().rev().find_map(tests_of).with_context(|| {
            format!("the campaign cannot be resumed: {}", String::from_utf8_lossy(&out.stderr))
        })
    }
}

/// The number of tests in a line of JSON.
fn tests_of(line: &str) -> Option<u64> {
    let v: Value = serde_json::from_str(line).ok()?;
    v["counts"]["total"]["tests"].as_f64().map(|n| n as u64)
}

/// The processes whose environment has the mark, with their command lines.
pub fn marked(token: &str) -> Vec<(u32, String)> {
    let wanted = format!("{MARK}={token}");
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries
        .filter_map(|e| e.file_name().to_str()?.parse::<u32>().ok())
        .filter(|pid| {
            let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
            environment.split(|&b| b == 0).any(|v| v == wanted.as_bytes())
        })
        .map(|pid| {
            let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            (pid, String::from_utf8_lossy(&line).replace('\0', " "))
        })
        .collect()
}

/// The findings of a folder. Each must be whole, and none may be about a kill.
fn findings(folder: &Path) -> Result<BTreeSet<String>> {
    let mut out = BTreeSet::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with('.') {
            continue;
        }
        let text = fs::read_to_string(path.join("finding.json"))
            .with_context(|| format!("the finding {name} is not whole"))?;
        let _: Value =
            serde_json::from_str(&text).with_context(|| format!("the finding {name}"))?;
        for file in ["bug.smt2", "original.smt2", "report.md", "repro.sh"] {
            ensure!(path.join(file).is_file(), "the finding {name} has no {file}");
        }
        ensure!(!text.contains("SIGKILL"), "the finding {name} is about a kill");
        out.insert(name);
    }
    Ok(out)
}

/// A campaign on a disk of a few hundred kilobytes, in a mount namespace of its own: nothing may be lost.
fn full_disk(smelt: &Path, o: &Options, work: &Path) -> Result<()> {
    let (disk, copy) = (work.join("disk"), work.join("full-disk-findings"));
    fs::create_dir_all(&disk)?;
    let solvers: Vec<String> = o.solver.iter().map(|s| format!("--solver '{s}'")).collect();
    let script = format!(
        "mount -t tmpfs -o size=400k none '{disk}' || exit 99\n\
         '{smelt}' fuzz '{seeds}' {solvers} --time 90s --out '{disk}/c' 2>&1\n\
         code=$?\n\
         df -k '{disk}' | tail -1\n\
         cp -r '{disk}/c/findings' '{copy}'\n\
         exit $code\n",
        disk = disk.display(),
        smelt = smelt.display(),
        seeds = work.join("seeds").display(),
        solvers = solvers.join(" "),
        copy = copy.display(),
    );
    let out = Command::new("unshare").args(["-rm", "sh", "-c", &script]).output()?;
    let text = String::from_utf8_lossy(&out.stdout);
    let code = out.status.code();
    if code == Some(99) {
        println!("full disk: not tried, no file system can be mounted here");
        return Ok(());
    }
    ensure!(!text.contains("panicked"), "smelt panicked on a full disk:\n{text}");
    ensure!(
        text.contains("No space left") || text.contains("disk is full"),
        "no word about the disk:\n{text}"
    );
    let whole = findings(&copy)?.len();
    let said: Vec<&str> =
        text.lines().filter(|l| l.contains("space") || l.contains("full")).collect();
    println!(
        "full disk: exit code {code:?}, {whole} findings, all whole; {} lines about it, the first:",
        said.len()
    );
    println!("  {}", said.first().unwrap_or(&""));
    Ok(())
}
