//! `smelt check --solver …`: one file as a table of its own, many as totals.

use std::io::Write;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use smelt_campaign::survey::{Outcome, Row, Store, Survey, Told};
use smelt_smtlib::ParseOptions;
use smelt_solver::{Cancel, write_atomically};
use smelt_trial::Panel;

use super::Args;
use crate::exit::Exit;
use crate::interrupt;
use crate::printable::{self, Coloured};
use crate::view::opinion;
use crate::view::table::Table;
use crate::voice;

/// Runs solvers on the scripts.
pub fn run(args: &Args, options: &ParseOptions) -> Result<Exit> {
    let files = args.seeds.files()?;
    let registry =
        args.walls.registry_trusting(args.trust_scripts)?.limiting_memory(args.limit.bytes());
    let panel = Panel::new(args.solvers.targets(&registry)?, Vec::new());
    let store = match &args.out.out {
        Some(folder) => Store::open(folder)?,
        None => Store::forgetful()?,
    };
    let (limit, jobs, cancel) = (args.limit.cpu(), args.jobs.or_cores(), Cancel::new()?);
    interrupt::ends(&[&cancel], &cancel)?;
    let survey = Survey {
        files: &files,
        panel: &panel,
        options,
        limit,
        jobs,
        store: &store,
        cancel: &cancel,
    };
    let alone = files.len() == 1 && !args.csv && args.out.out.is_none();
    let begun = Instant::now();
    let mut shown = Shown::new(args, alone);
    let outcome = survey.run(&mut |told| shown.tell(&told))?;
    shown.bar.finish_and_clear();
    let labels: Vec<String> = panel.targets().iter().map(|t| t.label.clone()).collect();
    let (limit, elapsed) = (limit.as_secs_f64(), begun.elapsed());
    let table = Table { outcome: &outcome, labels: &labels, limit, jobs, elapsed };
    if !alone {
        shown.end(&table)?;
    }
    if let Some(folder) = &args.out.out {
        write(&table, folder)?;
    }
    if !outcome.complete {
        interrupted(&outcome, files.len(), args.out.out.as_deref());
    }
    Ok(exit(&outcome))
}

/// What is shown while it goes on, and at the end.
struct Shown<'a> {
    args: &'a Args,
    /// There is one file, and it is shown as a table of its own.
    alone: bool,
    out: Coloured,
    bar: ProgressBar,
}

impl<'a> Shown<'a> {
    fn new(args: &'a Args, alone: bool) -> Self {
        let bar = if alone { ProgressBar::hidden() } else { voice::bar() };
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} runs, {eta} left") {
            bar.set_style(style);
        }
        Self { args, alone, out: printable::stdout(), bar }
    }

    fn tell(&mut self, told: &Told<'_>) -> Result<()> {
        match told {
            Told::Progress { done, all } => {
                self.bar.set_length(*all as u64);
                self.bar.set_position(*done as u64);
                Ok(())
            }
            Told::Row(row) => {
                let bar = self.bar.clone();
                bar.suspend(|| self.row(row))
            }
        }
    }

    fn row(&mut self, row: &Row) -> Result<()> {
        let out = &mut self.out;
        if let Err(why) = &row.judged {
            voice::complain(&printable::in_one_line(why));
        }
        match &row.judged {
            _ if self.args.json.json => writeln!(out, "{}", opinion::json(row))?,
            _ if self.args.csv => {}
            Ok(judged) if self.alone && voice::is_quiet() && judged.is_plain() => {}
            Ok(judged) if self.alone || voice::is_verbose() => {
                opinion::table(&row.name, judged, out)?;
            }
            Ok(judged) if judged.is_wrong() => opinion::lines(&row.name, judged, out)?,
            _ => {}
        }
        Ok(out.flush()?)
    }

    fn end(&mut self, table: &Table<'_>) -> Result<()> {
        let out = &mut self.out;
        if self.args.json.json {
            table.json().iter().try_for_each(|line| writeln!(out, "{line}"))?;
        } else if self.args.csv {
            write!(out, "{}", table.answers_csv())?;
        } else {
            table.show(out)?;
        }
        Ok(out.flush()?)
    }
}

/// Writes what other programs may want to read.
fn write(table: &Table<'_>, folder: &Path) -> Result<()> {
    let lines = table.outcome.rows.iter().map(opinion::json).chain(table.json());
    let lines: String = lines.map(|l| format!("{l}\n")).collect();
    for (name, text) in [
        ("answers.csv", table.answers_csv()),
        ("totals.csv", table.totals_csv()),
        ("table.json", lines),
    ] {
        let path = folder.join(name);
        write_atomically(&path, text.as_bytes())
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

fn interrupted(outcome: &Outcome, files: usize, folder: Option<&Path>) {
    let done = format!("interrupted: {} of {files} files are done", outcome.rows.len());
    voice::complain(&match folder {
        Some(folder) => format!("{done}; the same command with --out {} goes on", folder.display()),
        None => format!("{done}; with --out DIR the next run would go on"),
    });
}

fn exit(outcome: &Outcome) -> Exit {
    let accuses = |r: &Row| r.judged().is_some_and(|j| j.accuses());
    if outcome.rows.iter().any(accuses) {
        return Exit::Found;
    }
    match outcome.complete && outcome.rows.iter().all(|r| r.judged.is_ok()) {
        true => Exit::Fine,
        false => Exit::Error,
    }
}
