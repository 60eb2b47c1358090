//! The table of a run.

use std::collections::BTreeMap;

use super::{Opinion, Report};
use crate::generate::Target;

/// How a term came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Two or more gave one value.
    Agreed,
    /// One alone gave a value.
    Single,
    /// Nobody gave a value.
    None,
    /// Values differ where the standard leaves them open.
    Partial,
    /// Values differ by a known bug of a solver.
    Known,
    /// Values differ.
    Disagreed,
}

/// What one judge did over the terms of a target.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    answered: u64,
    open: u64,
    rejected: u64,
    failed: u64,
}

/// The counts of one target.
#[derive(Clone, Debug, Default)]
pub struct Row {
    theory: String,
    dialect: String,
    terms: u64,
    agreed: u64,
    single: u64,
    none: u64,
    partial: u64,
    known: u64,
    disagreed: u64,
    judges: BTreeMap<&'static str, Tally>,
}

impl Row {
    pub(super) fn count(
        &mut self,
        target: Target,
        verdict: Verdict,
        names: &[&'static str],
        said: &[&Opinion],
    ) {
        self.theory = format!("{:?}", target.theory());
        self.dialect = format!("{:?}", target.dialect());
        self.terms += 1;
        let slot = match verdict {
            Verdict::Agreed => &mut self.agreed,
            Verdict::Single => &mut self.single,
            Verdict::None => &mut self.none,
            Verdict::Partial => &mut self.partial,
            Verdict::Known => &mut self.known,
            Verdict::Disagreed => &mut self.disagreed,
        };
        *slot += 1;
        for (name, o) in names.iter().zip(said) {
            let tally = self.judges.entry(name).or_default();
            match o {
                Opinion::Value(_) => tally.answered += 1,
                Opinion::Open(_) => tally.open += 1,
                Opinion::Rejected(_) => tally.rejected += 1,
                Opinion::Failed(_) => tally.failed += 1,
                Opinion::NotAsked => {}
            }
        }
    }

    fn add(&mut self, other: &Self) {
        self.terms += other.terms;
        self.agreed += other.agreed;
        self.single += other.single;
        self.none += other.none;
        self.partial += other.partial;
        self.known += other.known;
        self.disagreed += other.disagreed;
        for (name, t) in &other.judges {
            let own = self.judges.entry(name).or_default();
            own.answered += t.answered;
            own.open += t.open;
            own.rejected += t.rejected;
            own.failed += t.failed;
        }
    }

    /// Terms for which two or more gave one value.
    #[cfg(test)]
    pub fn agreed(&self) -> u64 {
        self.agreed
    }

    /// All terms.
    #[cfg(test)]
    pub fn terms(&self) -> u64 {
        self.terms
    }

    fn line(&self, name: &str) -> String {
        let mut out = format!(
            "{name:<26} {:>8} {:>8} {:>7} {:>7} {:>7} {:>5} {:>8} ",
            self.terms,
            self.agreed,
            self.single,
            self.none,
            self.partial,
            self.known,
            self.disagreed
        );
        for t in self.judges.values() {
            let cell = if t.answered + t.open + t.rejected + t.failed == 0 {
                "-".into()
            } else {
                format!("{}/{}/{}/{}", t.answered, t.open, t.rejected, t.failed)
            };
            out.push_str(&format!(" {cell:>22}"));
        }
        out
    }
}

impl Report {
    /// Prints the tables, per operator and per theory, and what went wrong.
    pub fn print(&self, reasons: bool) {
        let mut all = Row::default();
        let mut theories: BTreeMap<&str, Row> = BTreeMap::new();
        for row in self.rows.values() {
            all.add(row);
            theories.entry(&row.theory).or_default().add(row);
        }
        let mut header = format!(
            "{:<26} {:>8} {:>8} {:>7} {:>7} {:>7} {:>5} {:>8} ",
            "", "terms", "agreed", "single", "none", "partial", "known", "DISAGREE"
        );
        for name in all.judges.keys() {
            header.push_str(&format!(" {name:>22}"));
        }
        println!("A cell of a judge: answered/open/rejected/failed.\n{header}");
        let mut rows: Vec<(&String, &Row)> = self.rows.iter().collect();
        rows.sort_by_key(|(name, r)| (&r.theory, &r.dialect, *name));
        let mut last = ("", "");
        for (name, row) in rows {
            if last != (&row.theory, &row.dialect) {
                last = (&row.theory, &row.dialect);
                println!("-- {} ({})", row.theory, row.dialect);
            }
            println!("{}", row.line(name));
        }
        println!("\n{header}");
        for (name, row) in &theories {
            println!("{}", row.line(name));
        }
        println!("{}", all.line("all"));
        if reasons {
            println!("\nRejected or open:");
            for ((target, judge, why), (n, example)) in &self.reasons {
                let why = why.replace('\n', " ");
                println!("{n:>6} {target} {judge}: {why}\n         {example}");
            }
        }
        let mut kinds: BTreeMap<(&str, String), (u64, &str)> = BTreeMap::new();
        for (judge, why, term) in &self.faults {
            let short: String = why.chars().take(100).collect();
            let slot = kinds.entry((judge, short)).or_insert((0, term));
            slot.0 += 1;
            if term.len() < slot.1.len() {
                slot.1 = term;
            }
        }
        for ((judge, why), (n, term)) in kinds {
            println!("\nfault of {judge}, {n} times: {}\n  {term}", why.replace('\n', " "));
        }
        let mut by_culprit: BTreeMap<&str, Vec<&super::Disagreement>> = BTreeMap::new();
        for d in &self.disagreements {
            by_culprit.entry(&d.culprit).or_default().push(d);
        }
        for (culprit, list) in by_culprit {
            println!("\ndisagreement on {culprit}, {} times; the shortest:", list.len());
            let mut list = list;
            list.sort_by_key(|d| d.term.len());
            for d in list.iter().take(3) {
                println!("  (simplify {})", d.term);
                for (name, value) in &d.says {
                    println!("    {name}: {value}");
                }
                if let Some(why) = d.known {
                    println!("    known: {why}");
                }
            }
        }
    }
}
