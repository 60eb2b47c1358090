//! `cargo xtask verdicts`: are the models that solvers printed models?
//!
//! Reads what `cargo xtask models` left (`SOLVER/LOGIC/NAME.smt2` and `NAME.model`) and evaluates every assertion.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Result;
use smelt_eval::{Evaluator, Limits, ModelOptions, parse_model, trace, value_to_smtlib};
use smelt_smtlib::{Script, Term, parse, print_term};
use smelt_solver::testing;
use smelt_triage::ModelVerdict;
use smelt_trial::Target;

use crate::judge::install::target_dir;
use crate::models::release_of;

/// What to read and what to print.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    /// The folder of the models; by default where `cargo xtask models` puts them.
    #[arg(long)]
    models: Option<PathBuf>,
    /// Prints why each false model is false.
    #[arg(long)]
    explain: bool,
    /// Prints which models are undetermined, and why.
    #[arg(long)]
    open: bool,
    /// Names files that take longer than this many seconds.
    #[arg(long, default_value_t = 2)]
    slow: u64,
}

/// Models, by what is said of them.
#[derive(Default, Clone, Copy)]
struct Counts {
    files: u64,
    unread: u64,
    /// True.
    yes: u64,
    /// True with the open values that they give.
    chosen: u64,
    no: u64,
    open: u64,
}

impl Counts {
    fn add(&mut self, c: &Counts) {
        self.files += c.files;
        self.unread += c.unread;
        self.yes += c.yes;
        self.chosen += c.chosen;
        self.no += c.no;
        self.open += c.open;
    }
}

/// Runs: each model is judged as `smelt check` judges it. Fails if a model of a quantifier-free script is false, or if less than 97 % of a
/// solver's are true.
pub fn run(options: &Options) -> Result<()> {
    let root = options.models.clone().unwrap_or_else(|| target_dir().join("models"));
    let mut table: BTreeMap<(String, String), Counts> = BTreeMap::new();
    let mut reasons: BTreeMap<(&str, String), u64> = BTreeMap::new();
    let mut targets: BTreeMap<String, Target> = BTreeMap::new();
    let mut spent = Duration::ZERO;
    for path in models(&root) {
        let part = |n: usize| {
            let name = path.components().rev().nth(n);
            name.map_or(String::new(), |c| c.as_os_str().to_string_lossy().into_owned())
        };
        let (solver, kind) = (part(2), kind(&part(1)));
        let target = targets
            .entry(solver.clone())
            .or_insert_with(|| Target::unprobed(testing::solver(&release_of(&solver))));
        let counts = table.entry((solver, part(1))).or_default();
        counts.files += 1;
        let Some(mut script) = read(&path)? else {
            counts.unread += 1;
            continue;
        };
        let text = String::from_utf8_lossy(&std::fs::read(&path)?).into_owned();
        let queries = script.queries();
        let Some(query) = queries.first() else { continue };
        let started = Instant::now();
        let verdict = target.judge(&mut script, query, &text, Limits::default());
        let took = started.elapsed();
        spent += took;
        let shown = match &verdict {
            ModelVerdict::True => count(&mut counts.yes, false),
            ModelVerdict::TrueAsChosen => count(&mut counts.chosen, false),
            ModelVerdict::False(_) => count(&mut counts.no, options.explain),
            ModelVerdict::Unreadable(_) => count(&mut counts.unread, true),
            ModelVerdict::Unspecified(why) | ModelVerdict::Undetermined(why) => {
                *reasons.entry((kind, why.clone())).or_default() += 1;
                count(&mut counts.open, options.open)
            }
        };
        if shown {
            println!("{}: {verdict}", path.display());
        }
        if let (ModelVerdict::False(n), true) = (&verdict, shown) {
            show(&mut script, &text, target.model_options(), query.assertions[n - 1]);
        }
        if took.as_secs() >= options.slow {
            println!("{}: {} s", path.display(), took.as_secs());
        }
    }
    println!("all judged in {:.1} s", spent.as_secs_f64());
    report(&table, &reasons)
}

/// Counts one more, and hands on whether it is to be shown.
fn count(n: &mut u64, shown: bool) -> bool {
    *n += 1;
    shown
}

fn kind(logic: &str) -> &'static str {
    if logic.starts_with("QF_") { "quantifier-free" } else { "other" }
}

/// The script beside a model; says why, if it cannot be read.
fn read(path: &Path) -> Result<Option<Script>> {
    let source = std::fs::read(path.with_extension("smt2"))?;
    match parse(&source) {
        Ok(s) => Ok(Some(s)),
        Err(e) => {
            println!("{}", e.render(&source, &path.display().to_string()));
            Ok(None)
        }
    }
}

fn show(script: &mut Script, text: &str, options: &ModelOptions, t: Term) {
    let Ok(model) = parse_model(script, text.as_bytes(), options) else { return };
    let (a, mut evaluator) = (&script.arena, Evaluator::default());
    let cut = |text: String| text.chars().take(120).collect::<String>();
    for step in trace::trace(&mut evaluator, a, &model, t) {
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
        "{:<16}{:<16}{:>7}{:>8}{:>8}{:>8}{:>7}{:>14}{:>8}",
        "solver", "logic", "files", "unread", "true", "chosen", "false", "undetermined", "true %"
    );
    let share = |c: &Counts| {
        let (yes, all) = (c.yes + c.chosen, c.yes + c.chosen + c.no + c.open);
        100.0 * yes as f64 / all.max(1) as f64
    };
    let row = |solver: &str, logic: &str, c: &Counts| {
        println!(
            "{solver:<16}{logic:<16}{:>7}{:>8}{:>8}{:>8}{:>7}{:>14}{:>8.2}",
            c.files,
            c.unread,
            c.yes,
            c.chosen,
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
