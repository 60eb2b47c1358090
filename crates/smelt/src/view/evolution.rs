//! How releases did on queries: a table and sentences for people, files for other programs.

mod csv;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use smelt_campaign::evolve::data::{Cell, Decline, Regression, WALL};
use smelt_campaign::evolve::items::Items;
use smelt_campaign::evolve::{Evolution, Far, Stage};
use smelt_solver::write_atomically;

use crate::printable::{self, in_one_line, printable};
use crate::voice;

/// Sentences of one kind that are shown, unless all are asked for.
const SHOWN: usize = 8;

/// The command line, as it was given.
pub fn command() -> String {
    let quoted = |word: String| match word.contains([' ', ';', '\'', '"']) {
        true => format!("'{}'", word.replace('\'', "'\\''")),
        false => word,
    };
    let words = std::env::args().skip(1).map(quoted);
    std::iter::once("smelt".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}

/// Shows how far it is.
pub fn show_far(bar: &ProgressBar, (stage, done, all): Far) {
    let what = match stage {
        Stage::Running => "runs",
        Stage::Judging => "queries judged",
        Stage::Timing => "pairs timed again",
    };
    let style = format!("{{bar:30}} {{pos}}/{{len}} {what}, {{eta}} left");
    if let Ok(style) = ProgressStyle::with_template(&style) {
        bar.set_style(style);
    }
    bar.set_length(all as u64);
    bar.set_position(done as u64);
}

/// Writes the page, the data, and the queries that sentences name.
pub fn write(found: &Evolution, items: &Items, folder: &Path) -> Result<()> {
    let json = serde_json::to_string(found)?;
    for (name, text) in [
        ("evolution.json", json),
        ("cells.csv", csv::cells(found)),
        ("queries.csv", csv::queries(found)),
        ("index.html", smelt_page::evolution::html(found)),
    ] {
        let path = folder.join(name);
        write_atomically(&path, text.as_bytes())
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    let faulty = found.faults.iter().map(|f| &f.query);
    let named: BTreeSet<&String> =
        found.regressions.iter().filter_map(|r| r.query.as_ref()).chain(faulty).collect();
    for item in items.all.iter().filter(|i| items.is_word(i) && named.contains(&i.name)) {
        let path = folder.join("queries").join(format!("{}.smt2", item.name));
        std::fs::create_dir_all(folder.join("queries"))
            .and_then(|()| std::fs::write(&path, &item.text))
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// Says what came of it.
pub fn tell(found: &Evolution, json: bool, elapsed: Duration, folder: &Path) -> Result<()> {
    let mut out = printable::stdout();
    if json {
        let mut line = serde_json::to_value(found)?;
        line["kind"] = "evolution".into();
        writeln!(out, "{line}")?;
        return Ok(out.flush()?);
    }
    table(found, &mut out)?;
    faults(found, &mut out)?;
    let kinds = [
        (Decline::Lost, "No longer decided:"),
        (Decline::Slower, "Slower as a whole:"),
        (Decline::SlowQuery, "Slower on single queries, confirmed by repeated runs:"),
    ];
    for (kind, head) in kinds {
        let all: Vec<&Regression> = found.regressions.iter().filter(|r| r.kind == kind).collect();
        sentences(head, &all, &|r| replay(found, r, folder), &mut out)?;
    }
    if let Some(choice) = &found.choice {
        beside(found, &mut out)?;
        writeln!(out, "\n{}", choice.sentence)?;
    }
    let all: u64 = found.groups.iter().map(|g| g.queries).sum();
    let page = folder.join("index.html");
    writeln!(
        out,
        "\n{all} queries, {} releases, {} s of CPU each, {:.0} s; the page: {}",
        found.releases.len(),
        found.limit,
        elapsed.as_secs_f64(),
        page.display()
    )?;
    Ok(out.flush()?)
}

/// A line per release.
fn table(found: &Evolution, out: &mut impl Write) -> Result<()> {
    let mut rows = vec![
        [
            "release", "solved", "sat", "unsat", "unknown", "timeout", "wall", "memory",
            "rejected", "crash", "other", "wrong", "gained", "lost", "CPU s", "±", "start ms",
        ]
        .map(str::to_owned),
    ];
    for (r, release) in found.releases.iter().enumerate() {
        let cells: Vec<_> = (0..found.groups.len()).filter_map(|g| found.cell(r, g)).collect();
        let end =
            |word: &str| cells.iter().filter_map(|c| c.ends.get(word)).sum::<u64>().to_string();
        let sum = |of: &dyn Fn(&Cell) -> f64| cells.iter().map(|c| of(c)).sum::<f64>();
        let solved = sum(&|c| c.solved.last().map_or(0.0, |s| s.mean));
        let wrong = found.faults.iter().filter(|f| f.release == r).map(|f| &f.query);
        let wrong: BTreeSet<&String> = wrong.collect();
        rows.push([
            release.label.clone(),
            format!("{solved:.0}"),
            end("sat"),
            end("unsat"),
            end("unknown"),
            end("timeout"),
            end(WALL),
            end("out-of-memory"),
            end("rejected"),
            end("crash"),
            end("other"),
            wrong.len().to_string(),
            format!("{:.0}", sum(&|c| c.gained as f64)),
            format!("{:.0}", sum(&|c| c.lost as f64)),
            format!("{:.2}", sum(&|c| c.seconds.mean)),
            format!("{:.2}", sum(&|c| (c.seconds.high - c.seconds.low) / 2.0)),
            format!("{:.0}", release.start_seconds * 1e3),
        ]);
    }
    columns(&rows, out)
}

fn columns<const N: usize>(rows: &[[String; N]], out: &mut impl Write) -> Result<()> {
    let width = |i: usize| rows.iter().map(|r| r[i].chars().count()).max().unwrap_or(0);
    for row in rows {
        let mut line = format!("{:<w$}", row[0], w = width(0));
        for (i, cell) in row.iter().enumerate().skip(1) {
            let _ = write!(line, "  {cell:>w$}", w = width(i));
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

/// Who is wrong on what, with the evidence.
fn faults(found: &Evolution, out: &mut impl Write) -> Result<()> {
    if found.faults.is_empty() {
        return Ok(writeln!(out, "\nNo release is known to be wrong.")?);
    }
    writeln!(out, "\nWrong:")?;
    let most = if voice::is_verbose() { usize::MAX } else { SHOWN };
    for (r, release) in found.releases.iter().enumerate() {
        let of: Vec<_> = found.faults.iter().filter(|f| f.release == r).collect();
        for f in of.iter().take(most) {
            let (query, why) = (in_one_line(&f.query), in_one_line(&f.evidence));
            writeln!(out, "  {}: {} on {query} ({}: {why})", release.label, f.class, f.grade)?;
        }
        if of.len() > most {
            writeln!(out, "  {}: {} more (--verbose shows all)", release.label, of.len() - most)?;
        }
    }
    Ok(())
}

/// The command that replays what got worse, from here: in the data, files of words are named from the folder of results.
fn replay(found: &Evolution, r: &Regression, folder: &Path) -> Option<String> {
    let command = r.command.as_ref()?;
    let is_word = found.groups.get(r.group).is_some_and(|g| g.of_grammar);
    let there = command.replacen("'queries/", &format!("'{}/queries/", folder.display()), 1);
    Some(if is_word { there } else { command.clone() })
}

fn sentences(
    head: &str,
    all: &[&Regression],
    replay: &dyn Fn(&Regression) -> Option<String>,
    out: &mut impl Write,
) -> Result<()> {
    if all.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{head}")?;
    let most = if voice::is_verbose() { usize::MAX } else { SHOWN };
    for r in all.iter().take(most) {
        writeln!(out, "  {}", in_one_line(&r.text))?;
        if let Some(command) = replay(r) {
            writeln!(out, "    {}", printable(&command))?;
        }
    }
    if all.len() > most {
        writeln!(out, "  and {} more (--verbose shows all)", all.len() - most)?;
    }
    Ok(())
}

/// The releases beside the one in use.
fn beside(found: &Evolution, out: &mut impl Write) -> Result<()> {
    let Some(choice) = &found.choice else { return Ok(()) };
    let current = &found.releases[choice.current].label;
    writeln!(out, "\nBeside {current}:")?;
    let mut rows = vec![
        ["release", "wrong", "lost", "gained", "slower", "time", "verdict"].map(str::to_owned),
    ];
    for b in &choice.rows {
        rows.push([
            found.releases[b.release].label.clone(),
            b.wrong.len().to_string(),
            b.lost.len().to_string(),
            b.gained.to_string(),
            b.slower.len().to_string(),
            format!("{:.2}×", b.factor),
            if b.worse.is_empty() { "not worse".to_owned() } else { b.worse.join(", ") },
        ]);
    }
    columns(&rows, out)
}
