//! What came of `smelt perf`: a table and sentences for people, JSON, and the files of its folder.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use smelt_campaign::perf::Far;
use smelt_campaign::perf::data::{Found, Report, Slow};
use smelt_solver::write_atomically;

use crate::printable::{self, Coloured, quoted};

/// Constructs of a ranking that are named.
const NAMED: usize = 5;

/// Shows how far it is.
pub fn show_far(bar: &ProgressBar, (done, all): Far) {
    if bar.length() != Some(all) {
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} queries, {eta} left")
        {
            bar.set_style(style);
        }
        bar.set_length(all);
    }
    bar.set_position(done);
}

/// Writes the page, the data and the instances.
pub fn write(report: &Report, folder: &Path) -> Result<()> {
    let suite = folder.join("suite");
    std::fs::create_dir_all(&suite).with_context(|| format!("cannot make {}", suite.display()))?;
    let mut files = vec![
        (folder.join("perf.json"), serde_json::to_string(report)?),
        (folder.join("index.html"), smelt_page::perf::html(report)),
        (folder.join("times.csv"), times(report)),
    ];
    let best = report.methods.iter().flat_map(|m| &m.suite);
    files.extend(best.map(|b| (suite.join(&b.file), b.script.clone())));
    let small = report.slow.iter().filter_map(|s| s.smaller.as_ref());
    files.extend(small.map(|s| (suite.join(&s.file), s.script.clone())));
    for (path, text) in files {
        write_atomically(&path, text.as_bytes())
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// The times of all solvers on the instances of the suite.
fn times(report: &Report) -> String {
    let mut s = "file,score,solver,answer,seconds\n".to_owned();
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let solvers = || std::iter::once(&report.asked.target).chain(&report.asked.references);
    for best in report.methods.iter().flat_map(|m| &m.suite) {
        for (solver, run) in solvers().zip(&best.runs) {
            let (file, score, solver) = (&best.file, best.score, quoted(solver));
            s += &format!("{file},{score:.6},{solver},{},{:.6}\n", run.answer, run.seconds);
        }
    }
    s
}

/// Says what came of it.
pub fn tell(report: &Report, json: bool, folder: &Path) -> Result<()> {
    let mut out = printable::stdout();
    if json {
        let mut line = serde_json::to_value(report)?;
        line["kind"] = "perf".into();
        writeln!(out, "{line}")?;
        return Ok(out.flush()?);
    }
    match report.is_about_bugs() {
        false => table(report, &mut out)?,
        true => bugs(report, &mut out)?,
    }
    for m in report.methods.iter().filter(|m| m.ranking.iter().any(|c| c.tally.tried > 0)) {
        out.line(&ranking(m))?;
    }
    remarks(report).iter().try_for_each(|line| out.line(line))?;
    for slow in &report.slow {
        match slow.confirmed {
            true => out.accuse(&sentence(slow))?,
            false => out.line(&sentence(slow))?,
        }
    }
    writeln!(out, "page, data and instances: {}", quoted(folder))?;
    Ok(out.flush()?)
}

/// A row for each method that has looked for bugs, and the classes of what it found.
fn bugs(report: &Report, out: &mut Coloured) -> Result<()> {
    let asked = &report.asked;
    out.line(&format!(
        "bugs of {} by {}, beside {}: {} s of CPU for a query",
        asked.target,
        asked.parameters.theory,
        asked.references.join(", "),
        asked.limit
    ))?;
    writeln!(out, "method      inputs    bugs  not told apart   queries    CPU s")?;
    for (m, h) in report.methods.iter().filter_map(|m| Some((m, m.hunted.as_ref()?))) {
        writeln!(
            out,
            "{:<10} {:>7} {:>7} {:>15} {:>9} {:>8.0}",
            m.method,
            h.inputs,
            h.bugs.len(),
            h.untold,
            m.queries,
            m.cpu_seconds
        )?;
    }
    for (m, h) in report.methods.iter().filter_map(|m| Some((m, m.hunted.as_ref()?))) {
        let classes: Vec<String> = h.classes.iter().map(|(c, n)| format!("{n} {c}")).collect();
        if !classes.is_empty() {
            out.line(&format!("inputs by {}: {}", m.method, classes.join(", ")))?;
        }
    }
    compared(report, "inputs", out)
}

/// A row for each method.
fn table(report: &Report, out: &mut Coloured) -> Result<()> {
    let asked = &report.asked;
    out.line(&format!(
        "{} against {} on {}: {} s of CPU for a query",
        asked.target,
        asked.references.join(", "),
        asked.parameters.theory,
        asked.limit
    ))?;
    writeln!(out, "method       margin  of perfect   queries  without a score  CPU s")?;
    for m in &report.methods {
        writeln!(
            out,
            "{:<10} {:>7.3} s    {:>5.1} %  {:>8}  {:>15}  {:>5.0}",
            m.method,
            m.margin,
            m.share(),
            m.queries,
            m.unscored,
            m.cpu_seconds
        )?;
    }
    compared(report, "margin", out)
}

/// The first method beside each other one.
fn compared(report: &Report, what: &str, out: &mut Coloured) -> Result<()> {
    let Some((first, others)) = report.methods.split_first() else { return Ok(()) };
    for other in others {
        let beside = first.beside.iter().find(|b| b.method == other.method);
        if let Some((percent, p)) = beside.and_then(|b| Some((b.percent?, b.p))) {
            let (own, than) = (&first.method, &other.method);
            writeln!(out, "{own}: {what} {percent:+.1} % beside {than} (p {p:.3})")?;
        }
    }
    Ok(())
}

fn ranking(m: &Found) -> String {
    let tried = m.ranking.iter().filter(|c| c.tally.tried > 0).take(NAMED);
    let named: Vec<String> = tried
        .map(|c| format!("{} {:.2} ({:.2}–{:.2})", c.construct, c.mean, c.interval.0, c.interval.1))
        .collect();
    format!("constructs by {}: {}", m.method, named.join(", "))
}

/// What makes numbers say less than they seem to.
fn remarks(report: &Report) -> Vec<String> {
    let (target, mut all) = (&report.asked.target, Vec::new());
    let sum = |kinds: &[&str]| -> u64 {
        let of = |m: &Found| kinds.iter().filter_map(|k| m.answers.get(*k)).sum::<u64>();
        report.methods.iter().map(of).sum()
    };
    let queries: u64 = report.methods.iter().map(|m| m.queries).sum();
    if queries == 0 {
        all.push("no restart is done".to_owned());
    } else if sum(&["timeout"]) == queries {
        all.push(format!(
            "{target} decided none of {queries} instances in time: a longer --limit tells constructs apart"
        ));
    } else if sum(&["sat", "unsat", "timeout"]) == 0 {
        let kinds = report.methods.iter().flat_map(|m| m.answers.keys()).next();
        let answers = kinds.map_or("nothing", String::as_str);
        all.push(format!("{target} decides nothing here: it answers {answers}"));
    } else if report.is_about_bugs() {
        // Where nobody is wrong, the table says so.
    } else if report.methods.iter().all(|m| m.margin <= 0.0) {
        all.push(format!("{target} was slower than its references nowhere"));
    }
    if !report.contradictions.is_empty() {
        let named = report.contradictions.join(", ");
        all.push(format!(
            "they contradict each other on {named}: --show prints one, `smelt check` says who is wrong"
        ));
    }
    all
}

fn sentence(slow: &Slow) -> String {
    let mean = |all: &[f64]| all.iter().sum::<f64>() / all.len().max(1) as f64;
    let mut s = format!(
        "{}: {} takes {:.3} s and {} {:.3} s, means over {} seeds ({:.1}×, p {:.5}): ",
        slow.file,
        slow.target,
        mean(&slow.seconds),
        slow.reference,
        mean(&slow.than),
        slow.seconds.len(),
        slow.factor,
        slow.p
    );
    s += match (&slow.open, slow.confirmed) {
        (Some(why), _) => why,
        (None, true) => "confirmed",
        (None, false) => "not confirmed",
    };
    for (good, first) in slow.history.iter().flat_map(|h| &h.since) {
        s += &match good {
            Some(good) => format!("; since {first}, not in {good}"),
            None => format!("; in {first} or before"),
        };
    }
    if let Some(small) = &slow.smaller {
        s += &format!("; {} bytes in {}", small.script.len(), small.file);
    }
    s
}

#[cfg(test)]
mod tests {
    use super::*;
    use smelt_campaign::perf::{Against, Asked};
    use smelt_strategy::bandit::{Objective, Parameters};

    /// A target that is never done in time, one that decides nothing, references that are always slower, nothing done: a sentence each.
    #[test]
    fn numbers_that_say_little() {
        let asked = Asked {
            objective: Objective::Performance,
            target: "z3".into(),
            references: vec!["cvc5".into()],
            parameters: Parameters::performance("fp"),
            without: Vec::new(),
            methods: vec!["random".into()],
            restarts: 1,
            queries: 4,
            limit: 0.25,
            against: Against::Fastest,
            repeat: 1,
            patience: 25,
            seed: 0,
        };
        let check = |answers: &[(&str, u64)], margin: f64, expect: &[&str]| {
            let found = Found {
                method: "random".into(),
                about: String::new(),
                positions: 1,
                queries: answers.iter().map(|a| a.1).sum(),
                cpu_seconds: 0.0,
                answers: answers.iter().map(|(a, n)| ((*a).to_owned(), *n)).collect(),
                unscored: 0,
                margin,
                perfect: 0.5,
                beside: Vec::new(),
                suite: Vec::new(),
                ranking: Vec::new(),
                moments: Vec::new(),
                hunted: None,
            };
            let (methods, asked) = (vec![found], asked.clone());
            let none = Vec::new();
            let (command, slow) = (String::new(), Vec::new());
            let report = Report { command, asked, methods, contradictions: none, slow };
            assert_eq!(remarks(&report), expect);
        };
        let late =
            "z3 decided none of 4 instances in time: a longer --limit tells constructs apart";
        check(&[("timeout", 4)], 0.4, &[late]);
        check(&[("timeout", 3), ("sat", 1)], 0.4, &[]);
        check(&[("unknown", 4)], 0.0, &["z3 decides nothing here: it answers unknown"]);
        check(&[("sat", 4)], -0.1, &["z3 was slower than its references nowhere"]);
        check(&[], 0.0, &["no restart is done"]);
    }
}
