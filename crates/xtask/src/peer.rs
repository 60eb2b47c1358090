//! `cargo xtask peer`: smelt and yinyang (its `opfuzz` and `typefuzz`) on the same seeds and the same two solvers, one process
//! at a time, in one run. What is compared is tests per CPU second of everything: fuzzer, solvers, start-up.
//!
//! A test is one mutant given to both solvers with its models checked: by smelt's evaluator here, by the solvers' own
//! checkers there. yinyang goes through all seeds once, 30 mutants of each, with fixed randomness: what it does in less depends
//! on the seeds that it happens to draw first. smelt then gets the time that yinyang took. yinyang's typefuzz may die on a
//! seed: that is part of its result, and it goes on with the others.

mod yinyang;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use nix::sys::resource::{UsageWho, getrusage};

use crate::judge::install::{packages, target_dir};

/// Which seeds and how long.
#[derive(clap::Args)]
pub struct Options {
    /// Folder of seeds; without it, smelt's own.
    #[arg(long)]
    corpus: Option<PathBuf>,
    /// Largest seed in bytes; 0 for any.
    #[arg(long, default_value_t = 2000)]
    largest: u64,
    /// How many seeds, spread evenly over the folder.
    #[arg(long, default_value_t = 60)]
    seeds: usize,
    /// Most seconds for each run: yinyang ends before if it is through with the seeds.
    #[arg(long, default_value_t = 900)]
    seconds: u64,
    /// The first solver.
    #[arg(long, default_value = "z3")]
    z3: String,
    /// The second: a program with a command line, since yinyang needs one. Debian's cvc5 is 1.0.3.
    #[arg(long, default_value = "cvc5")]
    cvc5: String,
    /// The `smelt` to measure; without it, the one that `cargo build --profile dist` made.
    #[arg(long)]
    smelt: Option<PathBuf>,
    /// How smelt names the solvers, if not as `--z3` and `--cvc5` do (for releases that have no program of their own).
    #[arg(long)]
    smelt_solvers: Option<String>,
    /// Only these: opfuzz, typefuzz.
    #[arg(long, value_delimiter = ',', default_value = "opfuzz,typefuzz")]
    strategies: Vec<String>,
    /// Worker threads of smelt; yinyang has one.
    #[arg(long, default_value_t = 1)]
    jobs: u32,
}

/// Runs the comparison.
pub fn run(o: &Options) -> Result<()> {
    let bin = packages("peer", &["yinyang==0.3.0"])?;
    let smelt = match &o.smelt {
        Some(path) => path.clone(),
        None => target_dir().join("dist/smelt"),
    };
    if !smelt.exists() {
        bail!("{} is not there: cargo build --profile dist first", smelt.display());
    }
    let work = target_dir().join("peer-work");
    let _ = std::fs::remove_dir_all(&work);
    let seeds = work.join("seeds");
    std::fs::create_dir_all(&seeds)?;
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let own = here.ancestors().nth(2).unwrap_or(here).join("corpus");
    let count = choose(o.corpus.as_deref().unwrap_or(&own), o, &seeds)?;
    println!("{count} seeds, at most {} s for each tool; {} and {}", o.seconds, o.z3, o.cvc5);
    for strategy in &o.strategies {
        let show = |name: &str, r: &Rate| {
            println!(
                "{strategy:<9} {name:<8} {:>7} tests, {:>6.1} s CPU, {:>7.2} tests per CPU second, {:>6.1} per second, {} bug triggers",
                r.tests,
                r.cpu,
                r.tests / r.cpu,
                r.tests / r.wall,
                r.bugs
            );
        };
        let theirs = yinyang::run(&bin, strategy, o, &work)?;
        show("yinyang", &theirs);
        if theirs.deaths > 0 {
            println!("{strategy:<9} yinyang  died {} times", theirs.deaths);
        }
        let ours = ours(&smelt, strategy, theirs.wall, o, &work)?;
        show("smelt", &ours);
        if theirs.tests > 0.0 {
            let ratio = (ours.tests / ours.cpu) / (theirs.tests / theirs.cpu);
            println!("{strategy:<9} ratio    {ratio:.1} x per CPU second");
        } else {
            println!("{strategy:<9} ratio    none: yinyang made no test");
        }
    }
    Ok(())
}

struct Rate {
    tests: f64,
    cpu: f64,
    wall: f64,
    bugs: u64,
    /// How often the tool ended by an error of its own.
    deaths: u32,
}

/// All scripts below a folder up to a size (0 for any), sorted.
fn smt2_files(from: &Path, largest: u64) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut dirs = vec![from.to_owned()];
    while let Some(d) = dirs.pop() {
        for e in std::fs::read_dir(&d).with_context(|| d.display().to_string())? {
            let e = e?;
            let path = e.path();
            if e.file_type()?.is_dir() {
                dirs.push(path);
            } else if path.extension().is_some_and(|x| x == "smt2")
                && (largest == 0 || e.metadata()?.len() <= largest)
            {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Copies some seeds to a folder of their own.
fn choose(from: &Path, o: &Options, to: &Path) -> Result<usize> {
    let files = smt2_files(from, o.largest)?;
    let step = (files.len() / o.seeds.max(1)).max(1);
    let mut n = 0;
    for (i, f) in files.iter().step_by(step).take(o.seeds).enumerate() {
        std::fs::copy(f, to.join(format!("{i:04}.smt2")))?;
        n += 1;
    }
    Ok(n)
}

/// CPU seconds of all processes that were started and waited for.
pub fn cpu_of_children() -> Result<f64> {
    let u = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let seconds = |t: nix::sys::time::TimeVal| t.tv_sec() as f64 + t.tv_usec() as f64 / 1e6;
    Ok(seconds(u.user_time()) + seconds(u.system_time()))
}

fn ours(smelt: &Path, strategy: &str, seconds: f64, o: &Options, work: &Path) -> Result<Rate> {
    let dir = work.join(format!("smelt-{strategy}"));
    std::fs::create_dir_all(&dir)?;
    let before = cpu_of_children()?;
    let begun = Instant::now();
    let solvers = o.smelt_solvers.clone().unwrap_or_else(|| format!("{};{}", o.z3, o.cvc5));
    let out = Command::new(smelt)
        .args(["fuzz", "--json", "--seed", "1", "--strategy", strategy])
        .args(["--time", &format!("{}s", seconds.ceil()), "--jobs", &o.jobs.to_string()])
        .args(["--solver", &solvers, "--out"])
        .arg(&dir)
        .arg(work.join("seeds"))
        .stdin(Stdio::null())
        .output()
        .context("smelt")?;
    let wall = begun.elapsed().max(Duration::from_millis(1)).as_secs_f64();
    let cpu = cpu_of_children()? - before;
    let text = String::from_utf8_lossy(&out.stdout);
    let end: serde_json::Value =
        text.lines().last().and_then(|l| serde_json::from_str(l).ok()).with_context(|| {
            format!("smelt printed no summary:\n{text}{}", String::from_utf8_lossy(&out.stderr))
        })?;
    let tests = end["counts"]["total"]["tests"].as_f64().context("no count")?;
    let bugs = end["new_findings"].as_array().map_or(0, |a| a.len() as u64);
    Ok(Rate { tests, cpu, wall, bugs, deaths: 0 })
}
