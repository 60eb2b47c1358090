//! `cargo xtask throughput`: formulas of grammars per CPU second, by `smelt enumerate` and by one process for each formula and solver.
//!
//! Of smelt all CPU time is counted, with the start of its solvers, models and their evaluation. Of the processes only what the solvers use
//! themselves, with models asked for: files, shells and comparing answers are free there.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use dashu_int::UBig;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use smelt_smtlib::{LogicChoice, PrintOptions, parse, print};
use smelt_solver::{Limits, Requests, Script, Setup, testing};
use smelt_strategy::grammar::{Cost, Enumerator, Grammar, shipped};

use crate::judge::install::target_dir;

/// What to measure.
#[derive(clap::Args)]
pub struct Options {
    /// Grammars inside smelt.
    #[arg(long, value_delimiter = ',', default_values = ["core", "ints", "strings"])]
    grammars: Vec<String>,
    /// Solvers.
    #[arg(long, value_delimiter = ',', default_values = ["z3@latest", "cvc5@latest"])]
    solvers: Vec<String>,
    /// Formulas for smelt.
    #[arg(long, default_value_t = 3000)]
    formulas: u64,
    /// Formulas for single processes, evenly spread among the others.
    #[arg(long, default_value_t = 150)]
    alone: u64,
    /// CPU limit of a solver for one formula, in seconds.
    #[arg(long, default_value_t = 0.25)]
    limit: f64,
    /// The `smelt` to measure; without it, the one in the release build folder.
    #[arg(long)]
    smelt: Option<PathBuf>,
}

/// Options of `smelt enumerate` that say how scripts are kept apart and declared.
const WAYS: [&[&str]; 3] = [&[], &["--logic", "ALL"], &["--push-pop"]];

/// Measures and prints a table.
pub fn run(o: &Options) -> Result<()> {
    let smelt = o.smelt.clone().unwrap_or_else(|| target_dir().join("release/smelt"));
    ensure!(smelt.is_file(), "{} is not there: cargo build --release first", smelt.display());
    println!("formulas per CPU second, {}", o.solvers.join(" and "));
    println!(
        "{:<10}{:<24}{:>18}{:>10}{:>8}",
        "grammar", "options", "process for each", "smelt", "ratio"
    );
    for grammar in &o.grammars {
        let alone = alone(o, grammar)?;
        for options in WAYS {
            let smelt = enumerated(o, &smelt, grammar, options)?;
            let shown = options.join(" ");
            println!("{grammar:<10}{shown:<24}{alone:>18.1}{smelt:>10.1}{:>8.2}", smelt / alone);
        }
    }
    Ok(())
}

/// Formulas per CPU second of the solvers, each in a process of its own.
fn alone(o: &Options, grammar: &str) -> Result<f64> {
    let text =
        shipped::text(grammar).with_context(|| format!("{grammar} is no grammar of smelt"))?;
    let read = |e: smelt_smtlib::Error| anyhow::anyhow!("{grammar}: {e}");
    let mut words =
        Enumerator::new(&Grammar::read(text).map_err(read)?, Cost::Thesis).map_err(read)?;
    words.reach(&UBig::from(o.formulas));
    let setup = Setup {
        models: true,
        limits: Limits::cpu(Duration::from_secs_f64(o.limit)),
        ..Setup::default()
    };
    let mut cpu = Duration::ZERO;
    for name in &o.solvers {
        let solver = testing::solver(name);
        for i in 0..o.alone {
            let index = UBig::from(i * o.formulas / o.alone);
            let word = words.nth(&index).context("the grammar has fewer formulas")?;
            let script = parse(word.text().as_bytes()).map_err(read)?;
            let options = PrintOptions { logic: LogicChoice::Smallest, ..PrintOptions::default() };
            let script = Script::new(&print(&script, &options));
            let ran =
                solver.run_cold(&script, &setup, Requests { model: true, core: false }, None)?;
            cpu += ran.cpu + ran.overhead_cpu;
        }
    }
    Ok(o.alone as f64 / cpu.as_secs_f64())
}

/// Formulas per CPU second of `smelt enumerate` with all of its processes.
fn enumerated(o: &Options, smelt: &Path, grammar: &str, options: &[&str]) -> Result<f64> {
    let out = target_dir().join("throughput").join(grammar);
    if out.exists() {
        std::fs::remove_dir_all(&out)?;
    }
    let mut command = Command::new(smelt);
    command.args(["enumerate", grammar, "-q", "--ask-again", "--jobs", "1"]).args(options);
    command.args(["-n", &o.formulas.to_string(), "--limit", &o.limit.to_string()]);
    for s in &o.solvers {
        command.args(["--solver", s]);
    }
    command.arg("--out").arg(&out).env("SMELT_HOME", testing::home().root());
    let before = children()?;
    let status = command.stdout(Stdio::null()).status()?;
    ensure!(matches!(status.code(), Some(0 | 10)), "smelt enumerate {grammar}: {status}");
    Ok(o.formulas as f64 / (children()? - before))
}

/// CPU seconds of all children that have ended, with theirs.
fn children() -> Result<f64> {
    let used = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    Ok((used.user_time().num_microseconds() + used.system_time().num_microseconds()) as f64 / 1e6)
}
