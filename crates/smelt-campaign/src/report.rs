//! What people read of a finding: `report.md` and `repro.sh`.

use std::fmt::Write;

use smelt_case::Origin;

use smelt_trial::reproducer::Pair;

use crate::finding::Finding;
use crate::shelf::{Contents, file};

/// The text of `report.md`.
pub fn markdown(c: &Contents) -> String {
    let f = &c.finding;
    let mut s = String::new();
    let (accused, mode, check) = (&f.accused, &f.reproducer.mode, f.reproducer.check + 1);
    let version = accused.version.as_deref().unwrap_or("unknown version");
    let _ = writeln!(s, "# {} {version}: {}\n", accused.profile, f.class());
    for (i, v) in f.verdicts.iter().enumerate() {
        let class = if i == 0 { String::new() } else { format!(" of {}", v.class) };
        let _ = writeln!(s, "**Evidence**{class} ({}): {}.\n", v.grade, v.evidence);
    }
    if f.totalised {
        s.push_str(
            "The script says itself what the standard leaves open: functions stand for the values of partial operators outside of their \
            domains, so that no convention excuses an answer.\n\n",
        );
    }
    let mut options = mode.options.clone();
    if !mode.models {
        options.push("models off".to_owned());
    }
    if mode.self_check {
        options.push("its own checks on".to_owned());
    }
    if mode.cores {
        options.push("unsat cores on".to_owned());
    }
    let options =
        if options.is_empty() { "default options".to_owned() } else { options.join(", ") };
    let _ = write!(s, "`{}` answers **{}**", accused.label, f.answer);
    let checks = smelt_solver::Script::new(&c.bug).checks();
    if checks > 1 && !f.reproducer.session {
        let _ = write!(s, " to check {check} of {checks}");
    }
    let _ = write!(s, " with {options}");
    if let Some(tactic) = &mode.tactic {
        let _ = write!(s, " and the tactic `{tactic}`");
    }
    let _ = writeln!(s, " ({} of {} runs in fresh processes).\n", f.rate.0, f.rate.1);
    if f.reproducer.session {
        s.push_str("It happens only in a process that ran other scripts before; `bug.smt2` is the whole transcript.\n\n");
    }
    s.push_str("```smt2\n");
    s.push_str(c.bug.trim_end());
    s.push_str("\n```\n\n");
    if !f.peers.is_empty() || f.model.is_some() {
        s.push_str("| solver | answer | model, by smelt's evaluator |\n|---|---|---|\n");
        let model = f.model.as_deref().unwrap_or("");
        let _ = writeln!(s, "| **{}** | {} | {model} |", accused.label, f.answer);
        for p in &f.peers {
            let model = p.model.as_deref().unwrap_or("");
            let _ = writeln!(s, "| {} | {} | {model} |", p.solver, p.answer);
        }
        s.push('\n');
    }
    if let Some(before) = &c.before {
        let _ = match f.reproducer.pair.as_ref().map(Pair::words) {
            Some((other, true)) => {
                writeln!(s, "Its answer to `before.smt2`, which is {other}, excludes this one:\n")
            }
            _ => writeln!(
                s,
                "It decides `before.smt2`, from which one step leads here ({}):\n",
                f.mutation
            ),
        };
        let _ = writeln!(s, "```smt2\n{}\n```\n", before.trim_end());
    }
    if let Some(flat) = &c.flat {
        let _ =
            writeln!(s, "To `flat.smt2`, which is check {check} alone, it says the opposite:\n");
        let _ = writeln!(s, "```smt2\n{}\n```\n", flat.trim_end());
    }
    if c.values.is_some() {
        s.push_str("`values.smt2` is the script with the values of the model that it gave.\n\n");
    }
    if c.witness.is_some() {
        s.push_str("`witness.smt2` asserts the values of a model: any solver can check it without smelt.\n\n");
    }
    let _ = writeln!(s, "Command: `{}`\n", accused.command.join(" ").replace("{file}", file::BUG));
    let of = f.origin.made_of();
    let _ = match f.origin.root() {
        Origin::Mutant(r) => writeln!(
            s,
            "Made by smelt {} with {} from {of} (chain {}, step {}): {}",
            r.smelt, r.strategy, r.chain, r.step, f.mutation
        ),
        Origin::Generated(g) => writeln!(
            s,
            "Made by smelt {} with {of} (position {}, step {}): {}",
            g.smelt, g.seq, g.step, f.mutation
        ),
        Origin::Enumerated { index, .. } => {
            writeln!(s, "It is number {index} of the grammar {of}: {}", f.mutation)
        }
        Origin::Seed(_) | Origin::Derived { .. } => writeln!(s, "It is {of}: {}", f.mutation),
    };
    let _ = writeln!(s, "\nSignature: `{}`", f.signature);
    s
}

/// A report with a paragraph behind its title for each verdict that is withdrawn; without those of an earlier judgement.
pub fn marked(report: &str, finding: &Finding) -> String {
    let (title, mut rest) = report.split_once("\n\n").unwrap_or((report, ""));
    while let Some((first, more)) = rest.split_once("\n\n")
        && first.starts_with(WITHDRAWN)
    {
        rest = more;
    }
    let mut out = format!("{title}\n\n");
    for v in &finding.verdicts {
        if let Some(why) = &v.withdrawn {
            let _ = write!(out, "{WITHDRAWN} {}: {}.\n\n", v.class, plain_words(why));
        }
    }
    out + rest
}

/// How the paragraph begins that says that a verdict is withdrawn.
const WITHDRAWN: &str = "**Withdrawn**, smelt no longer stands by the";

/// A text on one line in which nothing means anything to Markdown.
fn plain_words(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let special = |c: char| c.is_ascii_punctuation() && !",.:;()'-".contains(c);
    let escape = |c: char| if special(c) { vec!['\\', c] } else { vec![c] };
    words.chars().filter(|c| !c.is_control()).flat_map(escape).collect()
}

/// The text of `repro.sh`.
pub fn repro(c: &Contents) -> String {
    let command = c.finding.accused.command.iter();
    let quoted: Vec<String> =
        command.map(|w| if w == "{file}" { file::BUG.to_owned() } else { quote(w) }).collect();
    let mut s = String::from(
        "#!/bin/sh\n# Runs the accused solver on bug.smt2, as smelt did.\ncd \"$(dirname \"$0\")\" || exit 2\n",
    );
    let named = quoted.iter().any(|w| w == file::BUG);
    let input = if named { "" } else { " < bug.smt2" };
    let _ = writeln!(s, "exec {}{input}", quoted.join(" "));
    s
}

fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./:@,+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
