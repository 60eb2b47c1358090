//! What solvers say of a file: a table for people, one JSON object for machines.

use std::collections::BTreeMap;
use std::io::{Result, Write};

use serde_json::{Value as Json, json};
use smelt_campaign::survey::Row;
use smelt_trial::opinion::judged::{Accusation, Follows, Judged, Kind, Ran, Said};

use crate::printable::Printable;
use crate::voice;

/// The table. Who is accused stands below it, in colour where there is any.
pub fn table(name: &str, judged: &Judged, out: &mut Printable<impl Write>) -> Result<()> {
    out.line(name)?;
    let width = judged.runs.iter().map(|r| r.solver.len()).max().unwrap_or(0).max(6);
    writeln!(out, "  {:width$}  {:>8}  {:>8}  answer, model", "solver", "CPU", "memory")?;
    for r in &judged.runs {
        let (cpu, memory, said) = match &r.fault {
            None => {
                let memory = format!("{:.0} MB", r.peak_rss as f64 / 1e6);
                (format!("{:.3} s", r.cpu_seconds), memory, said(r))
            }
            Some(fault) => ("-".to_owned(), "-".to_owned(), fault.clone()),
        };
        out.line(&format!("  {:width$}  {cpu:>8}  {memory:>8}  {said}", r.solver))?;
    }
    if let Some(unsent) = unsent(&judged.runs) {
        out.line(&format!("  not sent: {unsent} (--trust-scripts sends everything)"))?;
    }
    for c in &judged.conclusions {
        conclusion("  => ", c, judged.checks(), out)?;
    }
    for (whose, script) in &judged.beside {
        voice::detail(|| format!("{whose}:\n{}", script.trim_end()));
    }
    match &judged.unread {
        Some(why) => out.line(&format!("  {}", cannot_read(why))),
        None => Ok(()),
    }
}

/// What is wrong about a file, one line for each thing, behind the file's name.
pub fn lines(name: &str, judged: &Judged, out: &mut Printable<impl Write>) -> Result<()> {
    for c in judged.conclusions.iter().filter(|c| c.kind != Kind::Undecided) {
        conclusion(&format!("{name}: "), c, judged.checks(), out)?;
    }
    for r in &judged.runs {
        if let Some(fault) = &r.fault {
            out.line(&format!("{name}: {}: {fault}", r.solver))?;
        }
    }
    match &judged.unread {
        Some(why) => out.line(&format!("{name}: {}", cannot_read(why))),
        None => Ok(()),
    }
}

fn conclusion(
    before: &str,
    c: &Follows,
    checks: usize,
    out: &mut Printable<impl Write>,
) -> Result<()> {
    let place = if checks > 1 { format!("check {}: ", c.check + 1) } else { String::new() };
    let line = format!("{before}{place}{}", c.text);
    match c.kind {
        Kind::Accused => out.accuse(&line),
        _ => out.line(&line),
    }
}

fn cannot_read(why: &str) -> String {
    format!("smelt cannot read this script, so models are not judged: {why}")
}

/// What was answered to each check.
fn said(run: &Ran) -> String {
    let one = |s: &Said| {
        let model = s.model.as_ref().map_or(String::new(), |v| format!(", model {v}"));
        let caveat = s.no_verdict.as_ref().map_or(String::new(), |c| format!(" (no verdict: {c})"));
        format!("{}{model}{caveat}", s.detail)
    };
    match &run.checks[..] {
        [] => "no check".to_owned(),
        all => all.iter().map(one).collect::<Vec<_>>().join("; "),
    }
}

/// The commands that were not sent, each with how often at most.
fn unsent(runs: &[Ran]) -> Option<String> {
    let mut all: BTreeMap<&str, u32> = BTreeMap::new();
    for (name, n) in runs.iter().flat_map(|r| &r.unsent) {
        let most = all.entry(name).or_default();
        *most = (*most).max(*n);
    }
    let named = |(name, n): (&&str, &u32)| match n {
        1 => (*name).to_owned(),
        n => format!("{name} ({n} times)"),
    };
    (!all.is_empty()).then(|| all.iter().map(named).collect::<Vec<_>>().join(", "))
}

/// The object of a file.
pub fn json(row: &Row) -> Json {
    let (nothing, error) = (Judged::default(), row.judged.as_ref().err());
    let judged = row.judged().unwrap_or(&nothing);
    let check = |s: &Said| {
        json!({
            "answer": s.answer,
            "detail": s.detail,
            "model": s.model,
            "no_verdict": s.no_verdict,
        })
    };
    let run = |r: &Ran| {
        let ran = r.fault.is_none();
        json!({
            "solver": r.solver,
            "checks": r.checks.iter().map(check).collect::<Vec<_>>(),
            "cpu_seconds": ran.then_some(r.cpu_seconds),
            "start_seconds": ran.then_some(r.start_seconds),
            "peak_rss": ran.then_some(r.peak_rss),
            "fault": r.fault,
            "unsent": ran.then_some(&r.unsent),
        })
    };
    let diagnosis = |d: &Accusation| {
        json!({
            "check": d.check + 1,
            "solver": d.solver,
            "class": d.class.to_string(),
            "word": d.class.word(),
            "grade": d.grade,
            "evidence": d.evidence,
        })
    };
    let follows = |c: &Follows| json!({ "check": c.check + 1, "kind": c.kind, "text": c.text });
    json!({
        "kind": "file",
        "file": row.name,
        "hash": row.hash,
        "error": error,
        "unread": judged.unread,
        "solvers": judged.runs.iter().map(run).collect::<Vec<_>>(),
        "diagnoses": judged.diagnoses.iter().map(diagnosis).collect::<Vec<_>>(),
        "conclusions": judged.conclusions.iter().map(follows).collect::<Vec<_>>(),
    })
}
