//! What was found, and which of it a person should see first.

use std::fmt;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use smelt_smtlib::{Head, parse};
use smelt_solver::Verdict;

use super::Step;
use super::evidence::Evidence;

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A wrong `unsat`, shown by a witness.
    Wrong,
    /// Answers to neighbours that exclude each other: one of them is wrong.
    Contradiction,
    /// An older release decides it.
    Regression,
    /// It decides the stronger (weaker) neighbour.
    Implication,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Wrong => "wrong",
            Self::Contradiction => "contradiction",
            Self::Regression => "regression",
            Self::Implication => "implication",
        })
    }
}

/// A finding.
pub struct Finding {
    pub kind: Kind,
    pub solver: String,
    pub rule: String,
    pub seed: String,
    pub expected: Verdict,
    pub before: String,
    pub after: String,
    /// A model that smelt's evaluator finds true in the second script: the witness that it is sat, without which that is a claim.
    pub witness: Option<Evidence>,
    /// Why it is one.
    pub why: String,
    /// Findings of one rule on the same operators are one.
    pub key: String,
    /// How many there are.
    pub count: u32,
}

impl Finding {
    pub(super) fn new(kind: Kind, solver: &str, step: &Step<'_>, why: String) -> Self {
        Self {
            kind,
            solver: solver.to_owned(),
            rule: step.rule.to_owned(),
            seed: String::new(),
            expected: step.expected,
            before: step.before.to_owned(),
            after: step.after.to_owned(),
            witness: step.model.map(|m| m.given_for(step.after)),
            why,
            key: key(kind, solver, step.rule, step.after),
            count: 1,
        }
    }

    pub fn on(mut self, seed: &str) -> Self {
        seed.clone_into(&mut self.seed);
        self
    }

    /// Takes smaller scripts.
    pub fn replace(&mut self, before: String, after: String) {
        self.key = key(self.kind, &self.solver, &self.rule, &after);
        (self.before, self.after) = (before, after);
    }

    /// Becomes one of another kind.
    pub fn become_kind(&mut self, kind: Kind) {
        self.kind = kind;
        self.key = key(kind, &self.solver, &self.rule, &self.after);
    }

    /// Joins the others: one of a group is enough, the smaller. The place of this one, if it was taken.
    pub fn join(self, others: &mut Vec<Self>) -> Option<usize> {
        let Some(i) = others.iter().position(|g| g.key == self.key) else {
            others.push(self);
            return Some(others.len() - 1);
        };
        let old = &mut others[i];
        let count = old.count + self.count;
        let smaller = self.after.len() < old.after.len();
        if smaller {
            *old = self;
        }
        old.count = count;
        smaller.then_some(i)
    }

    /// Small comes first: wrong answers, then decidable logics, regressions before implications, then size.
    pub fn rank(&self) -> (bool, bool, Kind, usize) {
        let lost = self.kind > Kind::Contradiction;
        (lost, lost && !decidable(&self.after), self.kind, self.after.len())
    }

    pub fn show(&self, number: usize, out: &mut impl Write) -> Result<()> {
        writeln!(
            out,
            "\n{number}. {}: {} on {} (expected {} ({}), by {}; {} like it; {})",
            self.kind,
            self.solver,
            self.seed,
            self.expected,
            if self.witness.is_some() { "witness" } else { "claim" },
            self.rule,
            self.count,
            self.why
        )?;
        if self.kind != Kind::Wrong {
            // With models, a solver may decide what it does not decide without.
            writeln!(out, "   (default options; no model was asked for)")?;
        }
        let names = match self.kind {
            Kind::Implication => Some(["decided", "not decided"]),
            Kind::Contradiction => Some(["sat", "unsat"]),
            _ => None,
        };
        if let Some([before, after]) = names {
            writeln!(out, "   {before}:")?;
            indent(&self.before, out)?;
            writeln!(out, "   {after}:")?;
        }
        indent(&self.after, out)
    }

    /// What its folder is called behind a number.
    pub fn name(&self) -> String {
        format!("{}-{}", self.kind, self.rule.replace('/', "-"))
    }

    /// Writes its files to a folder.
    pub fn write(&self, folder: &Path) -> Result<()> {
        let say = || format!("cannot write {}", folder.display());
        std::fs::create_dir_all(folder).with_context(say)?;
        let write = |name: &str, text: &[u8]| std::fs::write(folder.join(name), text);
        write("before.smt2", self.before.as_bytes()).with_context(say)?;
        write("after.smt2", self.after.as_bytes()).with_context(say)?;
        let mut text = Vec::new();
        self.show(1, &mut text)?;
        if let Some(witness) = self.witness.as_ref().and_then(|w| w.script(&self.after)) {
            write("witness.smt2", witness.as_bytes()).with_context(say)?;
            writeln!(text, "   witness.smt2 asserts the values of a model of it")?;
        }
        write("report.txt", &text).with_context(say)
    }
}

/// What findings of one group have in common.
fn key(kind: Kind, solver: &str, rule: &str, after: &str) -> String {
    format!("{kind} {solver} {rule} {}", operators(after))
}

fn indent(text: &str, out: &mut impl Write) -> Result<()> {
    for line in text.lines() {
        writeln!(out, "     {line}")?;
    }
    Ok(())
}

/// The operators of a script, in order.
fn operators(text: &str) -> String {
    let Ok(script) = parse(text.as_bytes()) else { return String::new() };
    let a = &script.arena;
    let mut names: Vec<&str> = a
        .dag(&script.roots())
        .into_iter()
        .filter_map(|t| match a.head(t) {
            Head::Op(op, _) => Some(op.info().name),
            Head::Bind(b, _) => Some(b.name()),
            _ => None,
        })
        .collect();
    names.sort_unstable();
    names.dedup();
    names.join(" ")
}

/// Whether the logic of a script is one that a solver could decide.
fn decidable(text: &str) -> bool {
    let logic = text
        .split_once("(set-logic ")
        .and_then(|(_, rest)| rest.split_once(')'))
        .map_or("ALL", |(logic, _)| logic);
    match logic.strip_prefix("QF_") {
        Some(rest) => !rest.contains("NI") && !rest.contains('S') && !rest.contains("NA"),
        None => matches!(logic, "LIA" | "LRA" | "NRA" | "BV"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decidable_logics() {
        let check = |logic: &str, expect| {
            assert_eq!(decidable(&format!("(set-logic {logic})\n(check-sat)")), expect, "{logic}");
        };
        for logic in ["QF_LIA", "QF_NRA", "QF_AUFBV", "QF_FP", "LRA", "BV"] {
            check(logic, true);
        }
        for logic in ["QF_NIA", "QF_SLIA", "QF_UFNIA", "UFLIA", "ALL", "QF_UFNIRA"] {
            check(logic, false);
        }
    }
}
