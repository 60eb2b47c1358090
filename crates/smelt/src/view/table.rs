//! What solvers do with many files: totals for people, lines of JSON and CSV for machines.

use std::io::{Result, Write};
use std::time::Duration;

use serde_json::{Value as Json, json};
use smelt_campaign::survey::slower::{FACTOR, LEAST, SlowFile, Slower};
use smelt_campaign::survey::total::{Total, decided_only, mislabelled, totals};
use smelt_campaign::survey::{Outcome, Row};
use smelt_trial::opinion::judged::Said;

use crate::printable::in_one_line;
use crate::voice;

/// Files of a list that are named, unless all are asked for.
const NAMED: usize = 5;

/// What a survey gave, and under which conditions.
pub struct Table<'a> {
    /// What it gave.
    pub outcome: &'a Outcome,
    /// The solvers' labels, in their order.
    pub labels: &'a [String],
    /// CPU seconds of a run.
    pub limit: f64,
    /// Threads.
    pub jobs: usize,
    /// How long it took, in this process.
    pub elapsed: Duration,
}

/// A column of the table for people: its head, and what it shows of a solver.
type Column = (&'static str, fn(&Total) -> String);

const COLUMNS: [Column; 14] = [
    ("solver", |t| t.solver.clone()),
    ("sat", |t| t.sat.to_string()),
    ("unsat", |t| t.unsat.to_string()),
    ("unknown", |t| t.unknown.to_string()),
    ("timeout", |t| t.timeout.to_string()),
    ("memory", |t| t.out_of_memory.to_string()),
    ("rejected", |t| t.rejected.to_string()),
    ("crash", |t| t.crash.to_string()),
    ("other", |t| t.other.to_string()),
    ("wrong", |t| t.wrong.to_string()),
    ("bad model", |t| t.bad_model.to_string()),
    ("CPU s", |t| format!("{:.2}", t.cpu_seconds)),
    ("start s", |t| format!("{:.2}", t.start_seconds)),
    ("PAR-2 s", |t| format!("{:.2}", t.par2_seconds)),
];

impl Table<'_> {
    fn totals(&self) -> Vec<Total> {
        totals(self.labels, &self.outcome.rows, self.limit)
    }

    /// Totals, and lists of what is particular.
    pub fn show(&self, out: &mut impl Write) -> Result<()> {
        let totals = self.totals();
        let cells: Vec<Vec<String>> =
            totals.iter().map(|t| COLUMNS.iter().map(|(_, of)| of(t)).collect()).collect();
        let width = |i: usize| {
            let longest = cells.iter().map(|r| r[i].chars().count()).max().unwrap_or(0);
            longest.max(COLUMNS[i].0.len())
        };
        let heads: Vec<String> = COLUMNS.iter().map(|(head, _)| (*head).to_owned()).collect();
        for row in std::iter::once(&heads).chain(&cells) {
            let mut line = format!("{:<w$}", row[0], w = width(0));
            for (i, cell) in row.iter().enumerate().skip(1) {
                line += &format!("  {cell:>w$}", w = width(i));
            }
            writeln!(out, "{line}")?;
        }
        writeln!(out, "{}", self.summary(&totals))?;
        self.lists(out)
    }

    fn summary(&self, totals: &[Total]) -> String {
        let rows = &self.outcome.rows;
        let sum = |of: fn(&Total) -> u64| totals.iter().map(of).sum::<u64>();
        let checks = totals.first().map_or(0, |t| t.checks);
        let accused = rows.iter().filter(|r| r.judged().is_some_and(|j| j.accuses())).count();
        let unread = rows.iter().filter(|r| r.judged.is_err()).count();
        let mut text = format!(
            "{} files, {checks} checks, {} solvers; limit {} s of CPU, {} jobs, {}",
            rows.len(),
            totals.len(),
            self.limit,
            self.jobs,
            took(self.elapsed),
        );
        for (n, what) in [
            (sum(|t| t.timeout), "timeouts"),
            (sum(|t| t.out_of_memory), "out of memory"),
            (accused as u64, "files on which a solver is accused"),
            (unread as u64, "files that cannot be read"),
        ] {
            if n > 0 || what == "timeouts" {
                text += &format!("; {n} {what}");
            }
        }
        text
    }

    fn lists(&self, out: &mut impl Write) -> Result<()> {
        let rows = &self.outcome.rows;
        for s in self.outcome.slower.iter().filter(|s| !s.files.is_empty()) {
            let more = match s.not_timed_again {
                0 => String::new(),
                n => format!(", {n} more in one run"),
            };
            let head = format!(
                "{} is slower than {} by more than {:.0} % on {} of {} files{more}",
                s.solver,
                s.than,
                (FACTOR - 1.0) * 100.0,
                s.files.len(),
                s.compared
            );
            list(&head, s.files.iter().map(slow_file), out)?;
        }
        let only = decided_only(self.labels.len(), rows);
        for (label, files) in self.labels.iter().zip(only).filter(|(_, f)| !f.is_empty()) {
            let head = format!("decided only by {label}: {} files", files.len());
            list(&head, files.iter().map(|r| r.name.clone()), out)?;
        }
        let wrong = mislabelled(rows);
        if !wrong.is_empty() {
            let head = format!("the :status is proven wrong in {} files", wrong.len());
            list(&head, wrong.iter().map(|r| r.name.clone()), out)?;
        }
        Ok(())
    }

    /// Lines of JSON that stand behind those of the files.
    pub fn json(&self) -> Vec<Json> {
        let (rows, totals) = (&self.outcome.rows, self.totals());
        let names = |rows: &[&Row]| rows.iter().map(|r| r.name.clone()).collect::<Vec<_>>();
        let only = decided_only(self.labels.len(), rows);
        let only = self.labels.iter().zip(only).filter(|(_, f)| !f.is_empty());
        let only: Vec<Json> =
            only.map(|(label, f)| json!({ "solver": label, "files": names(&f) })).collect();
        let slower: Vec<&Slower> =
            self.outcome.slower.iter().filter(|s| !s.files.is_empty()).collect();
        let table = json!({
            "kind": "table",
            "files": rows.len(),
            "unreadable": rows.iter().filter(|r| r.judged.is_err()).count(),
            "checks": totals.first().map_or(0, |t| t.checks),
            "limit_seconds": self.limit,
            "jobs": self.jobs,
            "elapsed_seconds": self.elapsed.as_secs_f64(),
            "complete": self.outcome.complete,
            "slower": slower,
            "decided_only": only,
            "mislabelled": names(&mislabelled(rows)),
        });
        let total = |t: &Total| {
            let mut line = json!(t);
            line["kind"] = json!("total");
            line
        };
        totals.iter().map(total).chain([table]).collect()
    }

    /// The totals as CSV.
    pub fn totals_csv(&self) -> String {
        let mut text = String::new();
        for (i, t) in self.totals().iter().map(|t| json!(t)).enumerate() {
            let Some(fields) = t.as_object() else { continue };
            if i == 0 {
                text += &csv_line(fields.keys().cloned());
            }
            let word = |v: &Json| v.as_str().map_or_else(|| v.to_string(), str::to_owned);
            text += &csv_line(fields.values().map(word));
        }
        text
    }

    /// A line of CSV per file and solver.
    pub fn answers_csv(&self) -> String {
        let head =
            "file,hash,solver,answers,models,faults,cpu_seconds,start_seconds,peak_rss,error";
        let mut text = format!("{head}\n");
        for row in &self.outcome.rows {
            let judged = match &row.judged {
                Ok(judged) => judged,
                Err(why) => {
                    let mut cells = vec![row.name.clone()];
                    cells.resize(9, String::new());
                    cells.push(why.clone());
                    text += &csv_line(cells);
                    continue;
                }
            };
            for (who, r) in judged.runs.iter().enumerate() {
                let all =
                    |of: fn(&Said) -> String| r.checks.iter().map(of).collect::<Vec<_>>().join(";");
                let guilty = judged.diagnoses.iter().filter(|d| d.who.0 == who);
                let guilty = guilty.filter(|d| d.is_reportable()).map(|d| d.class.word());
                text += &csv_line([
                    row.name.clone(),
                    row.hash.clone(),
                    r.solver.clone(),
                    all(|s| s.answer.clone()),
                    all(|s| s.model.clone().unwrap_or_default()),
                    guilty.collect::<Vec<_>>().join(";"),
                    r.cpu_seconds.to_string(),
                    r.start_seconds.to_string(),
                    r.peak_rss.to_string(),
                    r.fault.clone().unwrap_or_default(),
                ]);
            }
        }
        text
    }
}

/// A list: all with `--verbose`, else the first few.
fn list(
    head: &str,
    items: impl ExactSizeIterator<Item = String>,
    out: &mut impl Write,
) -> Result<()> {
    writeln!(out, "{head}")?;
    let named = if voice::is_verbose() { items.len() } else { NAMED };
    let left = items.len().saturating_sub(named);
    for item in items.take(named) {
        writeln!(out, "  {}", in_one_line(&item))?;
    }
    if left > 0 {
        writeln!(out, "  … and {left} more (-v names all)")?;
    }
    Ok(())
}

fn slow_file(f: &SlowFile) -> String {
    let best = f.cpu_seconds.iter().copied().fold(f64::INFINITY, f64::min);
    let worst = f.than_cpu_seconds.iter().copied().fold(0.0, f64::max);
    let times = match f.timeout {
        true => format!("timeout, not {worst:.3} s"),
        false => format!("{best:.3} s, not {worst:.3} s"),
    };
    // Less than that is not measured.
    let factor = if worst < LEAST { "> " } else { "" };
    format!("{times} ({factor}{:.1}×)  {}", best / worst.max(LEAST), f.file)
}

fn took(time: Duration) -> String {
    let s = time.as_secs();
    match s / 60 {
        0 => format!("{:.1} s", time.as_secs_f64()),
        m => format!("{m} min {} s", s % 60),
    }
}

pub(super) fn csv_line(cells: impl IntoIterator<Item = String>) -> String {
    let quoted = |c: String| match c.contains(['"', ',', '\n', '\r']) {
        true => format!("\"{}\"", c.replace('"', "\"\"")),
        false => c,
    };
    cells.into_iter().map(quoted).collect::<Vec<_>>().join(",") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_csv() {
        let line = |cells: &[&str]| csv_line(cells.iter().map(|c| (*c).to_owned()));
        assert_eq!(line(&["a", "", "b c"]), "a,,b c\n");
        assert_eq!(
            line(&["a,b", "say \"x\"", "two\nlines"]),
            "\"a,b\",\"say \"\"x\"\"\",\"two\nlines\"\n"
        );
    }
}
