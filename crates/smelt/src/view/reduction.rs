//! A reduction: how it goes, and what came of it.

use std::io::{IsTerminal, Write};
use std::path::Path;

use anyhow::Result;
use serde_json::{Value, json};
use smelt_smtlib::comment;
use smelt_trial::shrink::{AlsoFound, Progress, Reduced, Smaller, Stopped, plain};

use crate::args::{Json, Out};
use crate::exit::Exit;
use crate::printable::Printable;
use crate::voice::{complain, detail, is_quiet};

/// Shows progress on standard error: a line that changes on a terminal, details for who asks.
pub struct Watch {
    shown: bool,
}

impl Watch {
    /// Nothing is shown yet.
    pub fn new() -> Self {
        Self { shown: false }
    }

    /// Shows how it goes.
    pub fn tell(&mut self, p: &Progress) {
        let seconds = p.elapsed.as_secs_f64().max(0.001);
        let rate = p.tests.runs() as f64 / seconds;
        let line = format!(
            "{} of {} bytes, {} runs, {rate:.0}/s, {}",
            p.bytes,
            p.from,
            p.tests.runs(),
            if p.pass.is_empty() { "begun" } else { p.pass }
        );
        detail(|| line.clone());
        let mut err = std::io::stderr();
        if !is_quiet() && err.is_terminal() {
            self.shown = true;
            // Nobody sees it if this fails.
            let _ = write!(err, "\r{line:<70}");
            let _ = err.flush();
        }
    }

    /// Ends the line.
    pub fn end(&mut self) {
        if std::mem::take(&mut self.shown) {
            let _ = writeln!(std::io::stderr());
        }
    }
}

/// Where a result goes, and in which form.
pub struct Shown<'a> {
    /// The folder that it is written to.
    pub out: &'a Out,
    /// For people or for machines.
    pub json: Json,
}

impl Shown<'_> {
    /// Says why nothing was reduced.
    pub fn refused(&self, name: &str, why: &str) -> Result<Exit> {
        let mut out = Printable(std::io::stdout().lock());
        match self.json.json {
            true => writeln!(out, "{}", json!({ "kind": "reduced", "name": name, "why": why }))?,
            false => out.line(&format!("; {name}: {why}"))?,
        }
        Ok(Exit::No)
    }

    /// Shows a reduced script with what proves the fault, in comments.
    pub fn script(&self, name: &str, label: &str, r: &Reduced) -> Result<Exit> {
        let (text, files) = with_proof(label, r);
        let others: &[AlsoFound] = if r.left.is_some() { &[] } else { &r.also_found };
        let other = |o: &AlsoFound| json!({ "class": o.class.word(), "what": o.what, "script": plain(&o.script) });
        let line = json!({
            "kind": "reduced", "name": name, "solver": label,
            "class": r.reproducer.class.word(), "crash": r.reproducer.crash,
            "mode": r.reproducer.mode.to_string(), "witness": r.reproducer.witness,
            "bytes": bytes(&r.curve).1, "from_bytes": bytes(&r.curve).0, "runs": r.tests.runs(),
            "stopped": r.stopped.map(|s| s.to_string()), "script": r.text, "before": r.before,
            "transcript": r.transcript, "left": r.left,
            "also_found": others.iter().map(other).collect::<Vec<_>>(),
        });
        self.write(&text, &line, &files, r.is_smaller())
    }

    /// Shows a reduced text as it is: it may be what a test needs, to the letter.
    pub fn text(&self, name: &str, from: &str, s: &Smaller) -> Result<Exit> {
        detail(|| summary(&s.curve, s.tests.runs(), s.stopped).trim_end().to_owned());
        if let Some(left) = &s.left {
            complain(&what_is_left(left));
        }
        if let Some(why) = s.stopped {
            complain(&format!("it ended early: {why}; this is the smallest so far"));
        }
        let line = json!({
            "kind": "reduced", "name": name, "bytes": s.text.len(), "from_bytes": from.len(),
            "runs": s.tests.runs(), "stopped": s.stopped.map(|s| s.to_string()), "script": s.text,
            "left": s.left,
        });
        let files = [("reduced.smt2".to_owned(), s.text.clone())];
        self.write(&s.text, &line, &files, s.text.len() < from.len() || s.left.is_some())
    }

    /// Prints a result, and writes it to a folder if one is given.
    fn write(
        &self,
        text: &str,
        line: &Value,
        files: &[(String, String)],
        smaller: bool,
    ) -> Result<Exit> {
        let mut stdout = Printable(std::io::stdout().lock());
        match self.json.json {
            true => writeln!(stdout, "{line}")?,
            false => stdout.write_all(text.as_bytes())?,
        }
        stdout.flush()?;
        if let Some(folder) = &self.out.out
            && let Err(e) = keep(folder, files)
        {
            complain(&format!(
                "cannot write to {}: {e}; the result is on standard output",
                folder.display()
            ));
            return Ok(Exit::Unwritten);
        }
        Ok(if smaller { Exit::Fine } else { Exit::No })
    }
}

/// A reduced script with what proves the fault, in comments, and the files of a folder with it.
fn with_proof(label: &str, r: &Reduced) -> (String, Vec<(String, String)>) {
    let mut text = summary(&r.curve, r.tests.runs(), r.stopped);
    let class = r.reproducer.class;
    text += &format!("; {label}: {class}\n");
    if let Some(crash) = &r.reproducer.crash {
        text += &format!("; {}\n", crash.replace('\n', " "));
    }
    let mode = &r.reproducer.mode;
    if mode.is_varied() || mode.push_pop {
        text += &format!("; {mode}\n");
    }
    if let Some(witness) = &r.reproducer.witness {
        text += "; this satisfies it:\n";
        witness.lines().for_each(|l| text += &format!("; {}\n", comment(l)));
    }
    if let Some(left) = &r.left {
        text += &format!("; {}\n", what_is_left(left));
    }
    // What was met on the way has the words that are to go.
    let others: &[AlsoFound] = if r.left.is_some() { &[] } else { &r.also_found };
    if others.len() < r.also_found.len() {
        text += &format!(
            "; also found on the way, with the original's words and not shown: {}\n",
            r.also_found.iter().map(|o| o.class.word()).collect::<Vec<_>>().join(", ")
        );
    }
    for other in others {
        text += &format!(
            "; also found on the way: {} ({}), in\n",
            other.class.word(),
            comment(&other.what)
        );
        let script = plain(&other.script);
        script.lines().for_each(|l| text += &format!(";   {}\n", comment(l)));
    }
    if let Some(before) = &r.before {
        text += "; the script before the step:\n";
        before.lines().for_each(|l| text += &format!(";   {}\n", comment(l)));
    }
    text += r.transcript.as_ref().unwrap_or(&r.text);
    let mut files = vec![("reduced.smt2".to_owned(), text.clone())];
    files.extend(r.before.clone().map(|t| ("before.smt2".to_owned(), t)));
    files.extend(r.reproducer.witness.clone().map(|t| ("witness.model".to_owned(), t)));
    for (n, other) in others.iter().enumerate() {
        let what = comment(&other.what);
        let head = format!("; {label}: {}: {what}\n; {}\n", other.class, other.mode);
        files.push((format!("also-found-{}.smt2", n + 1), head + &plain(&other.script)));
    }
    (text, files)
}

/// Which words of the original are left, of those that were to go.
fn what_is_left(left: &[String]) -> String {
    match left {
        [] => "no name, text or number of the original is left".to_owned(),
        left => {
            let left = left.join(" ").replace('\n', " ");
            format!("left of the original, because the fault does not show without it: {left}")
        }
    }
}

/// How many bytes there were at first, and at least.
fn bytes(curve: &[(u64, usize)]) -> (usize, usize) {
    (curve.first().map_or(0, |c| c.1), curve.iter().map(|c| c.1).min().unwrap_or(0))
}

fn summary(curve: &[(u64, usize)], runs: u64, stopped: Option<Stopped>) -> String {
    let (from, to) = bytes(curve);
    let early = stopped.map_or(String::new(), |why| format!("; it ended early: {why}"));
    format!("; {to} bytes, from {from}, in {runs} runs of solvers{early}\n")
}

fn keep(folder: &Path, files: &[(String, String)]) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    files.iter().try_for_each(|(name, text)| {
        smelt_solver::write_atomically(&folder.join(name), text.as_bytes())
    })
}
