//! What came of `smelt lab`: tables and sentences for people, JSON, and the files of its folder.

mod csv;

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use smelt_campaign::lab::data::{OnTarget, Row, Spread};
use smelt_campaign::lab::{Event, LabPlan, Place, Report};
use smelt_solver::write_atomically;

use crate::printable::{self, Coloured, in_one_line, quoted};

/// What happens, in a line.
pub fn line(plan: &LabPlan, event: Event<'_>) -> String {
    let name = |p: &Place| {
        let (target, technique) =
            (&plan.targets[p.target].name, &plan.techniques[p.technique].name);
        format!("{technique} on {target}, {} of {}", p.repetition + 1, plan.repetitions)
    };
    match event {
        Event::Begun(place) => name(place),
        Event::Done(place, cell) => match &cell.failure {
            Some(why) => in_one_line(&format!("{}: {why}", name(place))),
            None => format!(
                "{}: {:.0} CPU seconds, and {:.0} for confirming and telling apart",
                name(place),
                cell.spent,
                cell.apart
            ),
        },
        Event::Message(text) => in_one_line(&text),
    }
}

/// Writes the page, the data and the tables.
pub fn write(report: &Report, folder: &Path) -> Result<()> {
    for (name, text) in [
        ("lab.json", serde_json::to_string(report)?),
        ("index.html", smelt_page::lab::html(report)),
        ("cells.csv", csv::cells(report)),
        ("bugs.csv", csv::bugs(report)),
        ("curves.csv", csv::curves(report)),
    ] {
        let path = folder.join(name);
        write_atomically(&path, text.as_bytes())
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// Says what came of it.
pub fn tell(report: &Report, json: bool, folder: &Path) -> Result<()> {
    let mut out = printable::stdout();
    if json {
        let mut line = serde_json::to_value(report)?;
        line["kind"] = "lab".into();
        writeln!(out, "{line}")?;
        return Ok(out.flush()?);
    }
    for target in &report.targets {
        on_target(report, target, &mut out)?;
    }
    writeln!(out, "page, data and tables: {}", quoted(folder))?;
    Ok(out.flush()?)
}

fn on_target(report: &Report, target: &OnTarget, out: &mut Coloured) -> Result<()> {
    let plan = &report.plan;
    out.line(&format!(
        "{} ({}): {} CPU seconds, {} repetitions",
        target.name,
        target.solvers.join(", "),
        plan.budget,
        plan.repetitions
    ))?;
    writeln!(
        out,
        "technique            done  distinct bugs  together  unique  first s  tests/s  refused  s/bug   apart s  beside {}",
        plan.baseline
    )?;
    for row in &target.techniques {
        out.line(&table_line(row))?;
    }
    let failures = target.techniques.iter().flat_map(|r| r.cells.iter().map(move |c| (r, c)));
    for (row, cell) in failures {
        if let Some(why) = &cell.cell.failure {
            out.line(&in_one_line(&format!("{} {}: {why}", row.technique, cell.repetition)))?;
        }
    }
    for shared in target.shared.iter().filter(|s| s.by.len() > 1) {
        writeln!(out, "{} bugs by {}", shared.bugs, shared.by.join(" and "))?;
    }
    let not = target.bugs.iter().filter(|b| !b.truth.counts()).count();
    if not > 0 {
        writeln!(out, "{not} more do not count: newer releases do the same, or nobody can tell")?;
    }
    Ok(())
}

fn table_line(row: &Row) -> String {
    let number =
        |n: Option<f64>, digits: usize| n.map_or("–".to_owned(), |n| format!("{n:.digits$}"));
    let done = row.cells.iter().filter(|c| c.done).count();
    let beside = row.beside.map_or(String::new(), |b| {
        format!("Â12 {:.2} {}, p {:.3} (Holm {:.3})", b.a12, b.word(), b.p, b.holm)
    });
    format!(
        "{:<20} {done:>4}  {:>13}  {:>8}  {:>6}  {:>7}  {:>7}  {:>7}  {:>5}  {:>8.0}  {beside}",
        row.technique,
        row.distinct.map_or("–".to_owned(), spread),
        row.together,
        row.unique,
        number(row.first, 1),
        number(row.rate, 1),
        row.refused.map_or("–".to_owned(), |r| format!("{:.2} %", 100.0 * r)),
        number(row.cost, 1),
        row.apart,
    )
}

/// The middle, with the ends behind it.
fn spread(s: Spread) -> String {
    format!("{} ({}–{})", s.median, s.low, s.high)
}
