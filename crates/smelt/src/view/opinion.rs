//! What solvers say of a file: a table for people, one JSON object for machines.

use std::collections::BTreeMap;
use std::io::{Result, Write};

use serde_json::{Value as Json, json};
use smelt_triage::{Diagnosis, Observation};
use smelt_trial::opinion::{Conclusion, Opinion, Run};

use crate::printable::Printable;
use crate::voice;

/// The table. Who is accused stands below it, in colour where there is any.
pub fn table(name: &str, opinion: &Opinion, out: &mut Printable<impl Write>) -> Result<()> {
    writeln!(out, "{name}")?;
    let width = opinion.runs.iter().map(|r| r.solver.len()).max().unwrap_or(0).max(6);
    writeln!(out, "  {:width$}  {:>8}  {:>8}  answer, model", "solver", "CPU", "memory")?;
    for r in &opinion.runs {
        let (cpu, memory, said) = match &r.outcome {
            Ok(o) => {
                (format!("{:.3} s", cpu(r)), format!("{:.0} MB", o.peak_rss as f64 / 1e6), said(r))
            }
            Err(fault) => ("-".to_owned(), "-".to_owned(), fault.clone()),
        };
        writeln!(out, "  {:width$}  {cpu:>8}  {memory:>8}  {said}", r.solver)?;
    }
    if let Some(unsent) = unsent(&opinion.runs) {
        writeln!(out, "  not sent: {unsent} (--trust-scripts sends everything)")?;
    }
    let checks = opinion.checks();
    for k in 0..checks {
        let place = if checks > 1 { format!("check {}: ", k + 1) } else { String::new() };
        for conclusion in opinion.conclusions(k) {
            let line = format!("  => {place}{conclusion}");
            match conclusion {
                Conclusion::Accused(_) => out.accuse(&line)?,
                _ => writeln!(out, "{line}")?,
            }
        }
    }
    for (whose, script) in &opinion.beside {
        voice::detail(|| format!("{whose}:\n{}", script.trim_end()));
    }
    match &opinion.unread {
        Some(why) => {
            writeln!(out, "  smelt cannot read this script, so models are not judged: {why}")
        }
        None => Ok(()),
    }
}

/// CPU seconds of a run, with the start of the process.
fn cpu(run: &Run) -> f64 {
    run.outcome.as_ref().map_or(0.0, |o| (o.cpu + o.overhead_cpu).as_secs_f64())
}

/// What was answered to each check.
fn said(run: &Run) -> String {
    let one = |o: &Observation| {
        let model = o.model.as_ref().map_or(String::new(), |v| format!(", model {v}"));
        let caveat = o.no_verdict.as_ref().map_or(String::new(), |c| format!(" (no verdict: {c})"));
        format!("{}{model}{caveat}", o.answer)
    };
    match &run.seen[..] {
        [] => "no check".to_owned(),
        all => all.iter().map(one).collect::<Vec<_>>().join("; "),
    }
}

/// The commands that were not sent, each with how often at most.
fn unsent(runs: &[Run]) -> Option<String> {
    let mut all: BTreeMap<&str, u32> = BTreeMap::new();
    for (name, n) in runs.iter().filter_map(|r| r.outcome.as_ref().ok()).flat_map(|o| &o.unsent) {
        let most = all.entry(name).or_default();
        *most = (*most).max(*n);
    }
    let named = |(name, n): (&&str, &u32)| match n {
        1 => (*name).to_owned(),
        n => format!("{name} ({n} times)"),
    };
    (!all.is_empty()).then(|| all.iter().map(named).collect::<Vec<_>>().join(", "))
}

/// The object.
pub fn json(name: &str, opinion: &Opinion) -> Json {
    let check = |o: &Observation| {
        json!({
            "answer": o.answer.kind(),
            "detail": o.answer.to_string(),
            "model": o.model.as_ref().map(ToString::to_string),
            "no_verdict": o.no_verdict,
        })
    };
    let run = |r: &Run| {
        let outcome = r.outcome.as_ref().ok();
        json!({
            "solver": r.solver,
            "checks": r.seen.iter().map(check).collect::<Vec<_>>(),
            "cpu_seconds": outcome.map(|_| cpu(r)),
            "peak_rss": outcome.map(|o| o.peak_rss),
            "fault": r.outcome.as_ref().err(),
            "unsent": outcome.map(|o| &o.unsent),
        })
    };
    let diagnosis = |(k, d): &(usize, Diagnosis)| {
        json!({
            "check": k + 1,
            "solver": d.solver,
            "class": d.class.to_string(),
            "grade": format!("{:?}", d.evidence.grade()).to_lowercase(),
            "evidence": d.evidence.to_string(),
        })
    };
    json!({
        "kind": "file",
        "file": name,
        "solvers": opinion.runs.iter().map(run).collect::<Vec<_>>(),
        "diagnoses": opinion.diagnoses.iter().map(diagnosis).collect::<Vec<_>>(),
    })
}
