//! Findings with their scripts, the worst first.

use std::io::Write;

use anyhow::Result;
use smelt_campaign::finding::Finding;
use smelt_campaign::shelf::{self, file};
use smelt_smtlib::is_decidable;

use crate::printable::Printable;

/// Shows so many of these findings, which are in this folder.
pub fn show(findings: &[Finding], folder: &std::path::Path, most: usize) -> Result<()> {
    let read = |f: &Finding, name: &str| {
        let text = shelf::read_file(&folder.join(&f.id), name).ok()?;
        Some(String::from_utf8_lossy(&text).into_owned())
    };
    let mut all: Vec<(&Finding, String)> =
        findings.iter().filter_map(|f| Some((f, read(f, file::BUG)?))).collect();
    // The worst class, then what a solver could decide, then what is small.
    all.sort_by_key(|(f, bug)| (f.class(), !is_decidable(&f.logic), bug.len()));
    let mut out = Printable(std::io::BufWriter::new(std::io::stdout().lock()));
    for (n, (f, bug)) in all.iter().take(most).enumerate() {
        let verdict = f.verdict();
        let of = f.origin.made_of();
        let pair = f.reproducer.pair.as_ref();
        let rule =
            pair.map_or(String::new(), |p| format!(", expected {} by {}", p.expected, p.rule));
        writeln!(
            out,
            "\n{}. {}: {} on {of}{rule} ({}: {})",
            n + 1,
            verdict.class.word(),
            f.accused.label,
            verdict.grade,
            verdict.evidence
        )?;
        if let Some(before) = read(f, file::BEFORE) {
            writeln!(out, "   before the step:")?;
            indent(&before, &mut out)?;
            writeln!(out, "   after it:")?;
        }
        indent(bug, &mut out)?;
    }
    Ok(out.flush()?)
}

fn indent(text: &str, out: &mut impl Write) -> Result<()> {
    for line in text.lines() {
        writeln!(out, "     {line}")?;
    }
    Ok(())
}
