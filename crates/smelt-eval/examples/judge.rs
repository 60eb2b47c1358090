//! Evaluates the assertions of scripts under models that solvers printed for them.
//!
//! `cargo run --release -p smelt-eval --example judge -- MODELS [--false] [--open]`, where the folder holds
//! `SOLVER/LOGIC/NAME.smt2` and `NAME.model` (as `cargo xtask models` leaves them). Prints, per solver and logic, how
//! many assertions are true, false and undetermined; with `--false` why each false one is false, with `--open` why each
//! undetermined one is.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use smelt_eval::{Evaluator, ModelOptions, Value, parse_model, trace, value_to_smtlib};
use smelt_smtlib::{parse, print_term};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

#[derive(Default, Clone, Copy)]
struct Counts {
    files: u64,
    unread: u64,
    yes: u64,
    no: u64,
    open: u64,
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let flag = |f: &str| args.iter().any(|a| a == f);
    let Some(root) = args.iter().find(|a| !a.starts_with("--")) else {
        eprintln!("usage: judge MODELS [--false] [--open]");
        std::process::exit(2);
    };
    let mut table: BTreeMap<(String, String), Counts> = BTreeMap::new();
    let mut reasons: BTreeMap<String, u64> = BTreeMap::new();
    for model in models(Path::new(root)) {
        let part = |n: usize| {
            let names: Vec<_> = model.components().rev().collect();
            names.get(n).map_or(String::new(), |c| c.as_os_str().to_string_lossy().into_owned())
        };
        let counts = table.entry((part(2), part(1))).or_default();
        let script = std::fs::read(model.with_extension("smt2"));
        let (Ok(script), Ok(text)) = (script, std::fs::read(&model)) else { continue };
        counts.files += 1;
        let started = std::time::Instant::now();
        let mut script = match parse(&script) {
            Ok(s) => s,
            Err(e) => {
                counts.unread += 1;
                println!("{}: the script: {e}", model.display());
                continue;
            }
        };
        let m = match parse_model(&mut script, &text, &ModelOptions::default()) {
            Ok(m) => m,
            Err(e) => {
                counts.unread += 1;
                println!("{}", e.render(&text, &model.display().to_string()));
                continue;
            }
        };
        let mut evaluator = Evaluator::default();
        let a = &script.arena;
        for t in script.queries().first().map(|q| q.assertions.clone()).unwrap_or_default() {
            let outcome = evaluator.eval(a, &m, t);
            let verbose = match outcome {
                Ok(Value::Bool(true)) => {
                    counts.yes += 1;
                    false
                }
                Ok(_) => {
                    counts.no += 1;
                    flag("--false")
                }
                Err(e) => {
                    counts.open += 1;
                    *reasons
                        .entry(format!(
                            "{} {e}",
                            if part(1).starts_with("QF") { "QF" } else { "quantified" }
                        ))
                        .or_default() += 1;
                    flag("--open")
                }
            };
            if verbose {
                println!("{}", model.display());
                for step in trace::trace(&mut evaluator, a, &m, t) {
                    let text: String = print_term(a, step.term).chars().take(120).collect();
                    let value = match &step.value {
                        Ok(v) => value_to_smtlib(a, v, a.sort(step.term))
                            .unwrap_or_else(|| format!("{v:?}")),
                        Err(e) => format!("? {e}"),
                    };
                    let value: String = value.chars().take(120).collect();
                    println!("  {}{text} = {value} {:?}", "  ".repeat(step.depth), step.witness);
                }
            }
        }
        if started.elapsed().as_secs() >= 2 {
            println!("{}: {} s", model.display(), started.elapsed().as_secs());
        }
    }
    println!(
        "{:<10}{:<16}{:>7}{:>8}{:>8}{:>7}{:>8}{:>8}",
        "solver", "logic", "files", "unread", "true", "false", "open", "true %"
    );
    let mut sums: BTreeMap<(String, &str), Counts> = BTreeMap::new();
    let row = |solver: &str, logic: &str, c: &Counts| {
        let all = c.yes + c.no + c.open;
        let share = 100.0 * c.yes as f64 / all.max(1) as f64;
        println!(
            "{solver:<10}{logic:<16}{:>7}{:>8}{:>8}{:>7}{:>8}{share:>8.2}",
            c.files, c.unread, c.yes, c.no, c.open
        );
    };
    for ((solver, logic), c) in &table {
        row(solver, logic, c);
        let kind = if logic.starts_with("QF_") { "QF all" } else { "other all" };
        let s = sums.entry((solver.clone(), kind)).or_default();
        s.files += c.files;
        s.unread += c.unread;
        s.yes += c.yes;
        s.no += c.no;
        s.open += c.open;
    }
    for ((solver, kind), c) in &sums {
        row(solver, kind, c);
    }
    for (reason, n) in reasons {
        println!("{n:>7} {reason}");
    }
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
