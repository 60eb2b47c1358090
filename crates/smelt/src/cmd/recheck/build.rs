//! `smelt recheck --solver`: what became of bugs in another build.

use std::fmt::Write as _;
use std::io::Write;
use std::time::Instant;

use anyhow::{Context, Result};
use smelt_campaign::recheck::build::{Again, Fate, SeenBug};
use smelt_solver::Cancel;

use super::Args;
use crate::exit::Exit;
use crate::printable::{Printable, in_one_line};
use crate::voice::detail;

/// Runs all kept triggers on the build of --solver.
pub(super) fn run(args: &Args) -> Result<Exit> {
    let registry = args.walls.registry()?.limiting_memory(args.limit.bytes());
    let target = args.solvers.target(&registry)?;
    let cancel = Cancel::new()?;
    let again = Again {
        registry: &registry,
        solver: &target.solver,
        cpu: args.limit.cpu(),
        threads: args.jobs.or_cores(),
        cancel: &cancel,
    };
    let begun = Instant::now();
    let mut bugs = Vec::new();
    for folder in &args.folders {
        bugs.extend(again.run(folder, &|seen| {
            detail(|| format!("{}: {}: {}", seen.finding.id, seen.fate.word(), seen.what));
        })?);
    }
    let mut out = Printable(std::io::stdout().lock());
    for bug in &bugs {
        show(bug, &target.label, args.json, &mut out)?;
    }
    let count = |fate: Fate| bugs.iter().filter(|b| b.fate() == fate).count();
    let (gone, remain, new, open) =
        (count(Fate::Gone), count(Fate::Remains), count(Fate::New), count(Fate::Open));
    if !args.json {
        let label = &target.label;
        writeln!(out, "{label}: {gone} gone, {remain} remain, {new} new, {open} open")?;
    }
    if let Some(path) = &args.junit {
        let text = junit(&bugs, &target.label, begun.elapsed().as_secs_f64());
        smelt_solver::write_atomically(path, text.as_bytes())
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(match (remain + new, open) {
        (0, 0) => Exit::Fine,
        (0, _) => Exit::Open,
        _ => Exit::Found,
    })
}

/// A bug with its triggers.
fn show(bug: &SeenBug, label: &str, json: bool, out: &mut dyn Write) -> std::io::Result<()> {
    let Some(first) = bug.triggers.first() else { return Ok(()) };
    if json {
        let trigger = |t: &smelt_campaign::recheck::build::Seen| serde_json::json!({ "id": t.finding.id, "says": t.fate.word(), "what": t.what });
        let triggers: Vec<_> = bug.triggers.iter().map(trigger).collect();
        let line = serde_json::json!({
            "kind": "rechecked-bug", "id": first.finding.id, "says": bug.fate().word(),
            "solver": label, "triggers": triggers,
        });
        return writeln!(out, "{line}");
    }
    writeln!(out, "{}: {}", in_one_line(&first.finding.id), bug.fate().word())?;
    for t in &bug.triggers {
        let (id, what) = (in_one_line(&t.finding.id), in_one_line(&t.what));
        writeln!(out, "  {id}: {}: {what}", t.fate.word())?;
    }
    Ok(())
}

/// The bugs as a suite of tests for CI: a trigger that shows its fault, or another one, fails; one of which nobody can tell is skipped.
fn junit(bugs: &[SeenBug], label: &str, seconds: f64) -> String {
    let all: Vec<_> = bugs.iter().flat_map(|b| &b.triggers).collect();
    let count = |fates: &[Fate]| all.iter().filter(|t| fates.contains(&t.fate)).count();
    let mut s = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(
        s,
        "<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\" errors=\"0\" time=\"{seconds:.3}\">",
        xml(label),
        all.len(),
        count(&[Fate::Remains, Fate::New]),
        count(&[Fate::Open]),
    );
    for bug in bugs {
        let Some(first) = bug.triggers.first() else { continue };
        for t in &bug.triggers {
            let (class, name) = (xml(&first.finding.id), xml(&t.finding.id));
            let _ = write!(s, "  <testcase classname=\"{class}\" name=\"{name}\"");
            let _ = match t.fate {
                Fate::Gone => writeln!(s, "/>"),
                Fate::Open => {
                    writeln!(s, "><skipped message=\"{}\"/></testcase>", xml(&t.what))
                }
                Fate::Remains | Fate::New => {
                    let word = t.fate.word();
                    writeln!(
                        s,
                        "><failure type=\"{word}\" message=\"{}\"/></testcase>",
                        xml(&t.what)
                    )
                }
            };
        }
    }
    s + "</testsuite>\n"
}

/// A text within an attribute; what XML cannot hold is a question mark.
fn xml(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\n' => out += "&#10;",
            c if c.is_control() => out.push('?'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn attributes() {
        assert_eq!(super::xml("a<b> & \"c\"\n\u{1b}d"), "a&lt;b&gt; &amp; &quot;c&quot;&#10;?d");
    }
}
