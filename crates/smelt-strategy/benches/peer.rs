//! OpFuzz, TypeFuzz and Semantic Fusion next to the mutators of YinYang, without solvers:
//! `cargo bench -p smelt-strategy --bench peer`.
//!
//! YinYang is installed by pip into the build folder. Both tools make chains of mutants from the same seeds (up to 2 KB or
//! `SMELT_MAX_BYTES`; the embedded ones, or every `SMELT_EVERY`-th below `SMELT_CORPUS`, as far as YinYang can use them) and
//! write every mutant as text. Two rates of processor time are compared: of making and writing mutants alone, and of all work including
//! preparation (reading the seed, starting the chain). The peer makes one replacement per mutant, as smelt does. Fusion takes
//! pairs of seeds of the same status: unsat ones as they are labelled, and scripts that were made satisfiable under a random
//! assignment (which is the model that smelt needs). Arguments choose opfuzz, typefuzz or fusion alone.
#![allow(clippy::print_stdout)]

#[path = "../tests/walk/mod.rs"]
mod walk;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use smelt_case::{Basis, Known, OpSet, Recipe, Seed, SeedRef, Status, digest};
use smelt_smtlib::op::Dialect;
use smelt_smtlib::{LogicChoice, Op, PrintOptions, Reprinter};
use smelt_strategy::satisfy::satisfy;
use smelt_strategy::{Input, by_name};

/// The largest seed, if nothing else is said.
const MAX_BYTES: u64 = 2048;
/// How many seeds.
const SEEDS: usize = 60;
/// How often smelt does the work, so that its time is long enough to be measured.
const ROUNDS: u64 = 30;

type Failure = Box<dyn std::error::Error>;

fn cpu() -> f64 {
    let t = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    t.tv_sec as f64 + t.tv_nsec as f64 / 1e9
}

/// The folder of the installed peer: `target/yinyang`.
fn install() -> Result<PathBuf, Failure> {
    let program = std::env::current_exe()?;
    let target = program.ancestors().find(|p| p.join("deps").is_dir()).and_then(Path::parent);
    let folder = target.ok_or("no build folder")?.join("yinyang");
    if !folder.join("yinyang").is_dir() {
        let status = Command::new("python3")
            .args(["-m", "pip", "install", "--quiet", "--target"])
            .arg(&folder)
            .arg("yinyang")
            .status()?;
        if !status.success() {
            return Err("pip cannot install yinyang".into());
        }
    }
    Ok(folder)
}

struct Run {
    mutants: u64,
    bytes: u64,
    preparing: f64,
    mutating: f64,
}

impl Run {
    fn rate(&self) -> f64 {
        self.mutants as f64 / self.mutating
    }

    fn whole(&self) -> f64 {
        self.mutants as f64 / (self.mutating + self.preparing)
    }

    fn show(&self, name: &str) {
        println!(
            "{name:<20}{:>9}{:>10.3}{:>12.3}{:>14.0}{:>12.0}{:>8}",
            self.mutants,
            self.preparing,
            self.mutating,
            self.rate(),
            self.whole(),
            self.bytes / self.mutants.max(1)
        );
    }
}

/// Runs the peer; also gives the seeds that it could use.
fn peer(
    folder: &Path,
    mode: &str,
    steps: u32,
    seeds: &[PathBuf],
) -> Result<(Vec<PathBuf>, Run), Failure> {
    let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/peer.py");
    let mut child = Command::new("python3")
        .arg(driver)
        .args([mode, &steps.to_string()])
        .env("PYTHONPATH", folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let list: Vec<String> = seeds.iter().map(|p| p.display().to_string()).collect();
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(list.join("\n").as_bytes())?;
    }
    let out = child.wait_with_output()?;
    let text = String::from_utf8(out.stdout)?;
    let line = text.lines().last().ok_or("the peer said nothing")?;
    let v: serde_json::Value = serde_json::from_str(line)?;
    let number = |k: &str| v[k].as_f64().unwrap_or(0.0);
    let used = v["seeds"].as_array().into_iter().flatten().filter_map(|s| s.as_str());
    let run = Run {
        mutants: number("mutants") as u64,
        bytes: number("bytes") as u64,
        preparing: number("preparing"),
        mutating: number("mutating"),
    };
    Ok((used.map(PathBuf::from).collect(), run))
}

fn smelt(name: &str, steps: u32, paths: &[PathBuf]) -> Result<Run, Failure> {
    let mut run = Run { mutants: 0, bytes: 0, preparing: 0.0, mutating: 0.0 };
    for path in paths {
        for round in 0..ROUNDS {
            let began = cpu();
            let text = std::fs::read(path)?;
            let Ok(script) = smelt_smtlib::parse(&text) else { continue };
            let checks = vec![Known::default(); script.queries().len()];
            let seed = Seed::new(path.display().to_string(), digest(&text), script, checks);
            run.preparing += cpu() - began;
            chain(name, steps, &[&seed], round, &mut run)?;
        }
    }
    Ok(run)
}

/// One chain of a seed and its partners.
fn chain(
    name: &str,
    steps: u32,
    seeds: &[&Seed],
    round: u64,
    run: &mut Run,
) -> Result<(), Failure> {
    let strategy = by_name(name).ok_or("no such strategy")?;
    let ops: OpSet = Op::all().filter(|op| op.info().dialect == Dialect::Standard).collect();
    let options =
        PrintOptions { logic: LogicChoice::Smallest, strip_status: true, ..Default::default() };
    let mut printer = Reprinter::new(options);
    let recipe = Recipe {
        smelt: String::new(),
        strategy: name.into(),
        parameters: Vec::new(),
        without: Vec::new(),
        campaign: 1,
        seeds: seeds
            .iter()
            .map(|s| SeedRef { name: s.name.clone(), hash: s.hash.clone() })
            .collect(),
        chain: round,
        step: 0,
    };
    let began = cpu();
    let input = Input { seed: seeds[0], partners: &seeds[1..], ops: &ops, parameters: &[] };
    let mut random = recipe.stream();
    let Ok(mut chain) = strategy.start(&input, &mut random) else {
        return Ok(());
    };
    let started = cpu();
    run.preparing += started - began;
    for _ in 0..steps {
        let Ok(m) = chain.step(&mut random) else { break };
        run.bytes += printer.print(m.script).len() as u64;
        run.mutants += 1;
    }
    run.mutating += cpu() - started;
    Ok(())
}

/// A status, and two seeds of it with their files.
type Pair = (&'static str, [(PathBuf, Seed); 2]);

/// Pairs of seeds of one status, each written to a file of the folder.
fn pairs(paths: &[PathBuf], folder: &Path) -> Result<Vec<Pair>, Failure> {
    std::fs::create_dir_all(folder)?;
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let (mut sat, mut unsat) = (Vec::new(), Vec::new());
    for (i, path) in paths.iter().enumerate() {
        let text = std::fs::read(path)?;
        let Ok(script) = smelt_smtlib::parse(&text) else { continue };
        if script.queries().len() != 1 {
            continue;
        }
        let known = match script.status() {
            Status::Unsat => Known { status: Status::Unsat, basis: Basis::Annotated, model: None },
            _ => Known::default(),
        };
        let labelled = known.status == Status::Unsat;
        let seed = Seed::new(path.display().to_string(), digest(&text), script, vec![known]);
        let seed = if labelled { Some(seed) } else { satisfy(&seed, &mut random) };
        let Some(seed) = seed else { continue };
        let file = folder.join(format!("{i}.smt2"));
        std::fs::write(&file, smelt_smtlib::print(&seed.script, &PrintOptions::default()))?;
        if labelled { unsat.push((file, seed)) } else { sat.push((file, seed)) }
    }
    let mut out = Vec::new();
    for (status, list) in [("sat", sat), ("unsat", unsat)] {
        let mut rest = list.into_iter();
        while let (Some(a), Some(b)) = (rest.next(), rest.next()) {
            out.push((status, [a, b]));
        }
    }
    Ok(out)
}

/// Both tools on the same pairs; seeds that one of them cannot fuse are left out.
fn fusion(folder: &Path, steps: u32, paths: &[PathBuf]) -> Result<(), Failure> {
    let pairs = pairs(paths, &folder.with_file_name("peer-seeds"))?;
    let line = |(status, [a, b]): &(&str, [(PathBuf, Seed); 2])| {
        PathBuf::from(format!("{status}\t{}\t{}", a.0.display(), b.0.display()))
    };
    let mut usable = Vec::new();
    for p in &pairs {
        let mut run = Run { mutants: 0, bytes: 0, preparing: 0.0, mutating: 0.0 };
        chain("fusion", 1, &[&p.1[0].1, &p.1[1].1], 0, &mut run)?;
        if run.mutants > 0 {
            usable.push(line(p));
        }
    }
    let (used, theirs) = peer(folder, "yinyang", steps, &usable)?;
    let mut ours = Run { mutants: 0, bytes: 0, preparing: 0.0, mutating: 0.0 };
    for p in pairs.iter().filter(|p| used.contains(&line(p))) {
        for round in 0..ROUNDS {
            let began = cpu();
            for (file, _) in &p.1 {
                let text = std::fs::read(file)?;
                std::hint::black_box(smelt_smtlib::parse(&text).is_ok());
            }
            ours.preparing += cpu() - began;
            chain("fusion", steps, &[&p.1[0].1, &p.1[1].1], round, &mut ours)?;
        }
    }
    println!("fusion: {steps} mutants of each of {} pairs (of {})", used.len(), pairs.len());
    compare(&theirs, &ours);
    Ok(())
}

fn compare(theirs: &Run, ours: &Run) {
    println!(
        "{:<20}{:>9}{:>10}{:>12}{:>14}{:>12}{:>8}",
        "", "mutants", "prepare s", "mutate s", "mutants/cpu-s", "all/cpu-s", "bytes"
    );
    theirs.show("YinYang");
    ours.show("smelt");
    println!(
        "  smelt makes {:.1} times as many per second of processor time; with preparation {:.1} times\n",
        ours.rate() / theirs.rate(),
        ours.whole() / theirs.whole()
    );
}

fn main() -> Result<(), Failure> {
    let folder = install()?;
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let paths = walk::scripts(&walk::corpus(), number("SMELT_MAX_BYTES").unwrap_or(MAX_BYTES));
    let every = number("SMELT_EVERY").map_or(paths.len() / SEEDS, |n| n as usize).max(1);
    let paths: Vec<PathBuf> = paths.into_iter().step_by(every).collect();
    // The paper of TypeFuzz uses chains of 10 to 100; 300 is YinYang's own number for OpFuzz.
    let chosen: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    for (mode, steps) in [("opfuzz", 300), ("typefuzz", 100)] {
        if !chosen.is_empty() && !chosen.iter().any(|c| c == mode) {
            continue;
        }
        let (used, theirs) = peer(&folder, mode, steps, &paths)?;
        let ours = smelt(mode, steps, &used)?;
        println!("{mode}: {steps} mutants of each of {} seeds (of {})", used.len(), paths.len());
        compare(&theirs, &ours);
    }
    if chosen.is_empty() || chosen.iter().any(|c| c == "fusion") {
        fusion(&folder, 30, &paths)?;
    }
    Ok(())
}
