//! What a campaign counts.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use smelt_triage::Class;

use crate::schedule::Yield;

/// Counts by a reason, a solver or a strategy.
pub type Counts = BTreeMap<String, u64>;

/// Everything that is counted: groups of named numbers. The journal keeps it once a second, `--json` and other machines get it as it
/// is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Tally {
    /// What has no further name.
    pub total: Total,
    /// Tests of a strategy that at least one solver answered.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    strategy_tests: BTreeMap<String, f64>,
    /// Tests of a strategy that a solver refused.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    strategy_rejected: BTreeMap<String, f64>,
    /// CPU seconds of solvers and smelt for a strategy.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    strategy_cpu: BTreeMap<String, f64>,
    /// Findings of a strategy.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    strategy_findings: BTreeMap<String, f64>,
    /// Refusals of strategies: strategy and reason.
    #[serde(rename = "refusal", skip_serializing_if = "BTreeMap::is_empty")]
    pub refusals: Counts,
    /// Answers: solver and kind.
    #[serde(rename = "answer", skip_serializing_if = "BTreeMap::is_empty")]
    pub answers: Counts,
    /// Scripts that were not given to a solver because it does not have what is in them.
    #[serde(rename = "not-sent", skip_serializing_if = "BTreeMap::is_empty")]
    pub untaken: Counts,
    /// Runs that were refused under options or a tactic that were varied, which says nothing about the script: solver and reason.
    #[serde(rename = "refused-under-options", skip_serializing_if = "BTreeMap::is_empty")]
    pub overvaried: Counts,
    /// Rejections: solver and reason.
    #[serde(rename = "rejection", skip_serializing_if = "BTreeMap::is_empty")]
    pub rejections: Counts,
    /// Seeds that are not used, by reason.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub skipped: Counts,
    /// Instances of rules that seeds asked for, by what came of them.
    #[serde(rename = "rule-instance", skip_serializing_if = "BTreeMap::is_empty")]
    pub proofs: Counts,
    /// Words of a grammar and models of them, by what came of them.
    #[serde(rename = "word", skip_serializing_if = "BTreeMap::is_empty")]
    pub words: Counts,
    /// New findings by class.
    #[serde(rename = "finding", skip_serializing_if = "BTreeMap::is_empty")]
    pub findings: BTreeMap<Class, u64>,
    /// CPU seconds of solvers in earlier runs of the campaign.
    #[serde(skip)]
    pub earlier_cpu: f64,
}

/// Counts that have no further name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Total {
    /// Cases that were given to solvers.
    pub tests: u64,
    /// Chains that were begun.
    pub chains: u64,
    /// Candidates whose signature was found before.
    pub duplicates: u64,
    /// Candidates of a kind that gave nothing new again and again: most of those are passed over.
    pub not_looked_at: u64,
    /// Candidates that `known.toml` lists.
    pub suppressed: u64,
    /// Candidates that the base shows, too.
    pub same_on_base: u64,
    /// Candidates that no fresh process repeated.
    pub vanished: u64,
    /// Disagreements that nobody could settle.
    pub unsettled: u64,
    /// Seeds or rules whose expectation was refuted by a true model.
    pub quarantined: u64,
    /// Rules of smelt that a model has shown to be wrong.
    pub own_errors: u64,
    /// Mutants that did not survive printing and parsing (defects of smelt).
    pub reprint_failures: u64,
    /// Runs that failed on our side of the pipe.
    pub faults: u64,
    /// Leases that ended in a defect of smelt.
    pub panics: u64,
    /// CPU seconds of solvers.
    pub solver_cpu: f64,
}

/// A count as the journal keeps it: group, name, number.
pub type Row = (String, String, f64);

impl Tally {
    /// All numbers as rows. Whole ones are exact up to 2^53.
    pub fn rows(&self) -> Vec<Row> {
        let Ok(serde_json::Value::Object(groups)) = serde_json::to_value(self) else {
            return Vec::new();
        };
        let numbers = groups.into_iter().flat_map(|(group, names)| {
            let names = match names {
                serde_json::Value::Object(names) => names,
                _ => serde_json::Map::new(),
            };
            names.into_iter().filter_map(move |(name, n)| Some((group.clone(), name, n.as_f64()?)))
        });
        numbers.collect()
    }

    /// The tally of these rows. What this smelt does not count, or counts otherwise, is left out.
    pub fn of_rows(rows: &[Row]) -> Self {
        let mut groups = serde_json::Map::new();
        // A class that is no more would make all of it unreadable.
        let is_class = |name: &str| Class::all().any(|c| c.word() == name);
        for (group, name, n) in rows.iter().filter(|r| r.0 != "finding" || is_class(&r.1)) {
            let entry = groups.entry(group.clone()).or_insert_with(|| serde_json::json!({}));
            // Counts are whole numbers; seconds may be one by chance, which reads the same.
            entry[name] =
                if n.fract() == 0.0 && *n >= 0.0 { (*n as u64).into() } else { (*n).into() };
        }
        let all: Self = serde_json::from_value(groups.into()).unwrap_or_default();
        Self { earlier_cpu: all.total.solver_cpu, ..all }
    }

    /// What a strategy has yielded.
    pub fn yield_of(&self, strategy: &str) -> Yield {
        let of = |map: &BTreeMap<String, f64>| map.get(strategy).copied().unwrap_or_default();
        Yield {
            tests: of(&self.strategy_tests),
            rejected: of(&self.strategy_rejected),
            cpu: of(&self.strategy_cpu),
            findings: of(&self.strategy_findings),
        }
    }

    /// Adds what a strategy has yielded.
    pub fn add_yield(&mut self, strategy: &str, more: Yield) {
        for (map, n) in [
            (&mut self.strategy_tests, more.tests),
            (&mut self.strategy_rejected, more.rejected),
            (&mut self.strategy_cpu, more.cpu),
            (&mut self.strategy_findings, more.findings),
        ] {
            match map.get_mut(strategy) {
                Some(sum) => *sum += n,
                None => drop(map.insert(strategy.to_owned(), n)),
            }
        }
    }

    /// The strategies that have made tests.
    pub fn strategies(&self) -> impl Iterator<Item = (&str, Yield)> {
        self.strategy_tests.keys().map(|name| (name.as_str(), self.yield_of(name)))
    }
}

/// One more of something.
pub fn bump(map: &mut Counts, key: String) {
    *map.entry(key).or_insert(0) += 1;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_back() {
        let total = Total {
            tests: 5,
            vanished: 2,
            same_on_base: 4,
            not_looked_at: 7,
            solver_cpu: 1.5,
            ..Total::default()
        };
        let mut t = Tally { total, ..Tally::default() };
        let one = Yield { tests: 5.0, rejected: 1.0, cpu: 2.5, findings: 1.0 };
        t.add_yield("opfuzz", one);
        t.add_yield("opfuzz", Yield { tests: 1.0, ..Yield::default() });
        bump(&mut t.answers, "z3 sat".to_owned());
        bump(&mut t.proofs, "proved".to_owned());
        bump(&mut t.overvaried, "cvc5 unsupported: no".to_owned());
        t.findings.insert(Class::Crash, 3);
        let rows = t.rows();
        let row = |group: &str, name: &str, n| rows.contains(&(group.into(), name.into(), n));
        // The names that databases of earlier smelts have.
        assert!(row("total", "tests", 5.0) && row("total", "same-on-base", 4.0), "{rows:?}");
        assert!(row("strategy-tests", "opfuzz", 6.0) && row("strategy-cpu", "opfuzz", 2.5));
        assert!(row("answer", "z3 sat", 1.0) && row("finding", "crash", 3.0), "{rows:?}");
        let mut odd = rows.clone();
        odd.push(("what-is-not-counted-any-more".into(), "it".into(), 1.0));
        odd.push(("finding".into(), "what-is-no-class-any-more".into(), 1.0));
        assert_eq!(Tally::of_rows(&odd), Tally { earlier_cpu: 1.5, ..t });
    }
}
