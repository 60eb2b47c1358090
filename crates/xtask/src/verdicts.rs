//! `cargo xtask verdicts`: are the models that solvers printed models?
//!
//! Reads what `cargo xtask models` left (`SOLVER/LOGIC/NAME.smt2` and `NAME.model`) and evaluates every assertion.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Result;
use smelt_eval::{Evaluator, Model, ModelOptions, Value, parse_model, trace, value_to_smtlib};
use smelt_smtlib::{Script, Term, parse, print_term};

use crate::judge::install::target_dir;

/// What to read and what to print.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    /// The folder of the models; by default where `cargo xtask models` puts them.
    #[arg(long)]
    models: Option<PathBuf>,
    /// Prints why each false assertion is false.
    #[arg(long)]
    explain: bool,
    /// Prints why each undetermined assertion is undetermined.
    #[arg(long)]
    open: bool,
    /// Names files that take longer than this many seconds.
    #[arg(long, default_value_t = 2)]
    slow: u64,
}

#[derive(Default, Clone, Copy)]
struct Counts {
    files: u64,
    unread: u64,
    yes: u64,
    no: u64,
    open: u64,
}

impl Counts {
    fn add(&mut self, c: &Counts) {
        self.files += c.files;
        self.unread += c.unread;
        self.yes += c.yes;
        self.no += c.no;
        self.open += c.open;
    }
}

/// Runs. Fails if a quantifier-free assertion is false, or if less than 97 % of a solver's are true.
pub fn run(options: &Options) -> Result<()> {
    let root = options.models.clone().unwrap_or_else(|| target_dir().join("models"));
    let mut table: BTreeMap<(String, String), Counts> = BTreeMap::new();
    let mut reasons: BTreeMap<(&str, String), u64> = BTreeMap::new();
    for path in models(&root) {
        let part = |n: usize| {
            let name = path.components().rev().nth(n);
            name.map_or(String::new(), |c| c.as_os_str().to_string_lossy().into_owned())
        };
        let kind = kind(&part(1));
        let counts = table.entry((part(2), part(1))).or_default();
        let started = Instant::now();
        counts.files += 1;
        let Some((script, model)) = read(&path)? else {
            counts.unread += 1;
            continue;
        };
        let mut evaluator = Evaluator::default();
        for t in script.queries().first().map(|q| q.assertions.clone()).unwrap_or_default() {
            let explain = match evaluator.eval(&script.arena, &model, t) {
                Ok(Value::Bool(true)) => {
                    counts.yes += 1;
                    false
                }
                Ok(_) => {
                    counts.no += 1;
                    options.explain
                }
                Err(e) => {
                    counts.open += 1;
                    *reasons.entry((kind, e.to_string())).or_default() += 1;
                    options.open
                }
            };
            if explain {
                println!("{}", path.display());
                show(&mut evaluator, &script, &model, t);
            }
        }
        if started.elapsed().as_secs() >= options.slow {
            println!("{}: {} s", path.display(), started.elapsed().as_secs());
        }
    }
    report(&table, &reasons)
}

fn kind(logic: &str) -> &'static str {
    if logic.starts_with("QF_") { "quantifier-free" } else { "other" }
}

/// The script and its model; says why, if they cannot be read.
fn read(path: &Path) -> Result<Option<(Script, Model)>> {
    let source = std::fs::read(path.with_extension("smt2"))?;
    let text = std::fs::read(path)?;
    let name = path.display().to_string();
    let mut script = match parse(&source) {
        Ok(s) => s,
        Err(e) => {
            println!("{}", e.render(&source, &name));
            return Ok(None);
        }
    };
    match parse_model(&mut script, &text, &ModelOptions::default()) {
        Ok(m) => Ok(Some((script, m))),
        Err(e) => {
            println!("{}", e.render(&text, &name));
            Ok(None)
        }
    }
}

fn show(evaluator: &mut Evaluator, script: &Script, model: &Model, t: Term) {
    let a = &script.arena;
    let cut = |text: String| text.chars().take(120).collect::<String>();
    for step in trace::trace(evaluator, a, model, t) {
        let value = match &step.value {
            Ok(v) => value_to_smtlib(a, v, a.sort(step.term)).unwrap_or_else(|| format!("{v:?}")),
            Err(e) => format!("undetermined ({e})"),
        };
        let (term, value) = (cut(print_term(a, step.term)), cut(value));
        println!("  {}{term} = {value} {:?}", "  ".repeat(step.depth), step.witness);
    }
}

fn report(
    table: &BTreeMap<(String, String), Counts>,
    reasons: &BTreeMap<(&str, String), u64>,
) -> Result<()> {
    println!(
        "{:<10}{:<16}{:>7}{:>8}{:>8}{:>7}{:>14}{:>8}",
        "solver", "logic", "files", "unread", "true", "false", "undetermined", "true %"
    );
    let share = |c: &Counts| 100.0 * c.yes as f64 / (c.yes + c.no + c.open).max(1) as f64;
    let row = |solver: &str, logic: &str, c: &Counts| {
        println!(
            "{solver:<10}{logic:<16}{:>7}{:>8}{:>8}{:>7}{:>14}{:>8.2}",
            c.files,
            c.unread,
            c.yes,
            c.no,
            c.open,
            share(c)
        );
    };
    let mut sums: BTreeMap<(&str, &str), Counts> = BTreeMap::new();
    for ((solver, logic), c) in table {
        row(solver, logic, c);
        sums.entry((solver, kind(logic))).or_default().add(c);
    }
    for ((solver, kind), c) in &sums {
        row(solver, kind, c);
    }
    for ((kind, reason), n) in reasons {
        println!("{n:>7} {kind}: {reason}");
    }
    for ((solver, kind), c) in &sums {
        if *kind == "quantifier-free" && (c.no > 0 || share(c) < 97.0) {
            anyhow::bail!("{solver}: {} false, {:.2} % true", c.no, share(c));
        }
    }
    Ok(())
}

fn models(root: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    let mut dirs = vec![root.to_owned()];
    while let Some(dir) = dirs.pop() {
        for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                dirs.push(path);
            } else if path.extension().is_some_and(|e| e == "model") {
                out.push(path);
            }
        }
    }
    out.sort();
    out
}
