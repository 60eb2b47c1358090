//! What `smelt solvers` shows of solvers.

use std::io::Write;
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::{Value, json};
use smelt_solver::Solver;
use smelt_solver::doctor::Health;

use crate::args::Json;
use crate::printable::printable;

/// Prints a line.
pub fn say(text: &str) -> Result<()> {
    writeln!(std::io::stdout(), "{text}").context("cannot write to standard output")
}

/// What is said of one solver after the other: a line or several of text, or a line of JSON of this kind.
pub struct Rows {
    json: Option<&'static str>,
}

impl Rows {
    /// Rows of text, or of JSON of a kind.
    pub fn new(json: Json, kind: &'static str) -> Self {
        Self { json: json.json.then_some(kind) }
    }

    /// Shows one of them.
    pub fn add(&self, mut row: Value, text: &str) -> Result<()> {
        match self.json {
            Some(kind) => {
                row["kind"] = json!(kind);
                say(&printable(&row.to_string()))
            }
            None => say(text),
        }
    }
}

/// The version, if it is known.
pub fn version_of(solver: &Solver) -> String {
    solver.version().map_or_else(|| String::from("?"), ToString::to_string)
}

/// Where it is.
pub fn path_of(solver: &Solver) -> String {
    let folder = solver.folder().unwrap_or_else(|| solver.program());
    folder.display().to_string()
}

/// A solver, for machines.
pub fn describe(solver: &Solver) -> Value {
    json!({
        "label": solver.label(),
        "name": solver.profile().name,
        "family": solver.profile().family,
        "version": solver.version().map(ToString::to_string),
        "path": path_of(solver),
        "digest": solver.hash(),
        "hosted": solver.hosted(),
        "profile_tested": solver.profile().tested,
    })
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// What was found out about a solver, for machines.
pub fn report(health: &Health) -> Value {
    let mut row = describe(&health.solver);
    row["complaints"] = json!(health.complaints);
    row["cold_cpu_ms"] = json!(milliseconds(health.cold_cpu));
    row["warm_cpu_ms"] = json!(health.warm_cpu.map(milliseconds));
    row["warm_trouble"] = json!(health.warm_trouble);
    let walls = health.solver.walls();
    row["sandbox"] = json!({
        "file_size": walls.file_size,
        "writes_files": health.solver.profile().writes_files,
        "landlock": walls.landlock,
        "open": if walls.any() { walls.gaps() } else { vec!["everything"] },
    });
    if let Some(known) = &health.capabilities {
        row["theories"] = json!(known.theories());
        row["unsupported_operators"] = json!(known.unsupported);
    }
    row
}

/// What was found out about a solver, for people.
pub fn text(label: &str, health: &Health) -> String {
    let solver = &health.solver;
    let state = if health.complaints.is_empty() { "ok " } else { "ILL" };
    let warm = |d| format!("warm {:.1} ms", milliseconds(d));
    let warm = health.warm_cpu.map_or_else(|| String::from("no warm mode"), warm);
    let mut lines = vec![format!(
        "{state} {label:<24} {:<12} cold {:.1} ms, {warm}  {}",
        version_of(solver),
        milliseconds(health.cold_cpu),
        path_of(solver)
    )];
    if !solver.profile().tested {
        lines.push("its profile is from the manual and was never tried".to_owned());
    }
    let trouble =
        |why| format!("{why}: every script is run in a process of its own, which is slow");
    lines.extend(health.warm_trouble.map(trouble));
    lines.push(format!("sandbox: {}", solver.sandbox_words()));
    lines.extend(health.complaints.iter().map(ToString::to_string));
    if let Some(known) = &health.capabilities {
        let theory = |(name, supported, all)| match supported {
            n if n == all => name,
            n => format!("{name} ({n}/{all})"),
        };
        let theories = known.theories().into_iter().filter(|(_, supported, _)| *supported > 0);
        lines.push(theories.map(theory).collect::<Vec<_>>().join(", "));
    }
    lines.join("\n      ")
}
