//! Does a script mean the same after smelt has printed it? Ask the solvers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use rand::seq::SliceRandom;
use rand::{SeedableRng, rngs::SmallRng};
use smelt_smtlib::{LogicChoice, PrintOptions};
use smelt_solver::{Answer, Limits, Requests, Script, Setup, Solver, testing};

/// Options of `cargo xtask reprint`.
#[derive(Args)]
pub struct Options {
    /// Folders of scripts (default: the embedded seeds, and SMELT_CORPUS if it is set).
    folders: Vec<PathBuf>,
    /// How many files to sample.
    #[arg(long, default_value_t = 500)]
    files: usize,
    /// The sample.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print with the smallest logic instead of the declared one.
    #[arg(long)]
    smallest_logic: bool,
    /// Solvers.
    #[arg(long, default_values_t = ["z3@latest".to_owned(), "cvc5@latest".to_owned()])]
    solver: Vec<String>,
    /// CPU seconds per run.
    #[arg(long, default_value_t = 5)]
    limit: u64,
}

/// Runs the task: prints counts and every difference; fails if there is one.
pub fn run(options: &Options) -> anyhow::Result<()> {
    let mut folders = options.folders.clone();
    if folders.is_empty() {
        folders.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus"));
        folders.extend(std::env::var_os("SMELT_CORPUS").map(PathBuf::from));
    }
    let mut files = Vec::new();
    for f in &folders {
        collect(f, &mut files).with_context(|| format!("cannot read {}", f.display()))?;
    }
    files.sort();
    files.shuffle(&mut SmallRng::seed_from_u64(options.seed));
    files.truncate(options.files);
    let solvers: Vec<Solver> = options.solver.iter().map(|s| testing::solver(s)).collect();
    let counts: Mutex<BTreeMap<(String, &'static str), usize>> = Mutex::default();
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(f) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    for (who, what) in one(f, &solvers, options) {
                        let mut counts = counts.lock().unwrap_or_else(|e| e.into_inner());
                        *counts.entry((who, what)).or_default() += 1;
                    }
                }
            });
        }
    });
    let counts = counts.into_inner().unwrap_or_else(|e| e.into_inner());
    println!("{} files", files.len());
    let mut differ = 0;
    for ((who, what), n) in &counts {
        println!("{who:<16} {what:<28} {n}");
        if *what == DIFFERENT {
            differ += n;
        }
    }
    if differ > 0 {
        bail!("{differ} answers differ");
    }
    Ok(())
}

const DIFFERENT: &str = "DIFFERENT";

fn collect(dir: &Path, out: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for e in std::fs::read_dir(dir)? {
        let p = e?.path();
        if p.is_dir() {
            collect(&p, out)?;
        } else if p.extension().is_some_and(|e| e == "smt2") {
            out.push(p);
        }
    }
    Ok(())
}

fn one(file: &Path, solvers: &[Solver], options: &Options) -> Vec<(String, &'static str)> {
    let Ok(text) = std::fs::read_to_string(file) else {
        return vec![("smelt".into(), "not UTF-8")];
    };
    let Ok(script) = smelt_smtlib::parse(text.as_bytes()) else {
        return vec![("smelt".into(), "rejected")];
    };
    let logic = if options.smallest_logic { LogicChoice::Smallest } else { LogicChoice::Keep };
    let printed = smelt_smtlib::print(&script, &PrintOptions { logic, ..PrintOptions::default() });
    let setup =
        Setup { limits: Limits::cpu(Duration::from_secs(options.limit)), ..Setup::default() };
    let mut out = vec![("smelt".to_owned(), "printed")];
    for s in solvers {
        let ask = |text: &str| s.run_cold(&Script::new(text), &setup, Requests::default(), None);
        let (Ok(a), Ok(b)) = (ask(&text), ask(&printed)) else {
            out.push((s.label().to_owned(), "did not run"));
            continue;
        };
        let answers = |o: &smelt_solver::Outcome| -> Vec<Answer> {
            o.checks.iter().map(|c| c.answer.clone()).collect()
        };
        let (a, b) = (answers(&a), answers(&b));
        let undecided = |l: &[Answer]| {
            l.iter()
                .any(|a| matches!(a, Answer::Unknown(_) | Answer::Timeout(_) | Answer::OutOfMemory))
        };
        let accepted = a.iter().all(|a| {
            !matches!(a, Answer::Rejected { .. } | Answer::Unsupported(_) | Answer::Unreadable(_))
        });
        let kinds = |l: &[Answer]| l.iter().map(Answer::kind).collect::<Vec<_>>();
        let what = if !accepted {
            "original not accepted"
        } else if kinds(&a) == kinds(&b) {
            "same"
        } else if undecided(&a) || undecided(&b) {
            "unknown or timeout"
        } else {
            println!("{} on {}: {a:?} -> {b:?}", s.label(), file.display());
            DIFFERENT
        };
        out.push((s.label().to_owned(), what));
    }
    out
}
