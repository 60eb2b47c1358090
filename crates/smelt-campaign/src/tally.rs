//! What a campaign counts.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use smelt_triage::Class;

use crate::schedule::Yield;

/// Counts by a reason, a solver or a strategy.
pub type Counts = BTreeMap<String, u64>;

/// Everything that is counted: groups of named numbers. The journal keeps it once a second, `--json` and other machines get it as it
/// is.
///
/// What must add up is counted in one place, and nowhere else: [`Tally::count_test`] keeps the tests of strategies and the answers of
/// each solver equal to the tests, [`Tally::count_finding`] the findings of strategies equal to those of classes,
/// [`SeedCounts::of`] the seeds equal to those that were given.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Tally {
    /// What has no further name.
    pub total: Total,
    /// Tests of a strategy.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    strategy_tests: Counts,
    /// Tests of a strategy that a solver refused.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    strategy_rejected: Counts,
    /// CPU seconds of solvers and smelt for a strategy.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    strategy_cpu: BTreeMap<String, f64>,
    /// Findings of a strategy.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    strategy_findings: Counts,
    /// Refusals of strategies: strategy and reason.
    #[serde(rename = "refusal", skip_serializing_if = "BTreeMap::is_empty")]
    pub refusals: Counts,
    /// What each solver said to the tests, by kind; why it said nothing is a kind, too.
    #[serde(rename = "answer", skip_serializing_if = "BTreeMap::is_empty")]
    answers: BTreeMap<String, Counts>,
    /// Runs that were refused under options or a tactic that were varied, which says nothing about the script: solver and reason.
    #[serde(rename = "refused-under-options", skip_serializing_if = "BTreeMap::is_empty")]
    pub overvaried: Counts,
    /// Rejections: solver and reason.
    #[serde(rename = "rejection", skip_serializing_if = "BTreeMap::is_empty")]
    pub rejections: Counts,
    /// What became of the seeds, in this process.
    pub seeds: SeedCounts,
    /// Seeds that are not used, by reason, in this process.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub skipped: Counts,
    /// Options that seeds set and that a solver gets, by name: seeds.
    #[serde(rename = "seed-option-kept", skip_serializing_if = "BTreeMap::is_empty")]
    pub options_kept: Counts,
    /// Options that seeds set and that no solver gets, by name: seeds.
    #[serde(rename = "seed-option-dropped", skip_serializing_if = "BTreeMap::is_empty")]
    pub options_dropped: Counts,
    /// Checks of seeds beside the one that a chain works on, by the strategy that leaves them out.
    #[serde(rename = "check-left-out", skip_serializing_if = "BTreeMap::is_empty")]
    pub checks_left_out: Counts,
    /// Instances of rules that seeds asked for, by what came of them.
    #[serde(rename = "rule-instance", skip_serializing_if = "BTreeMap::is_empty")]
    pub proofs: Counts,
    /// Words of a grammar and models of them, by what came of them.
    #[serde(rename = "word", skip_serializing_if = "BTreeMap::is_empty")]
    pub words: Counts,
    /// New findings by class.
    #[serde(rename = "finding", skip_serializing_if = "BTreeMap::is_empty")]
    findings: BTreeMap<Class, u64>,
    /// New bugs by class: findings that are one bug are counted once.
    #[serde(rename = "bug", skip_serializing_if = "BTreeMap::is_empty")]
    pub bugs: BTreeMap<Class, u64>,
    /// CPU seconds of solvers in earlier runs of the campaign.
    #[serde(skip)]
    pub earlier_cpu: f64,
}

/// What became of the seeds of a process: the three parts are all that were given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SeedCounts {
    /// Seeds that were given, with what was left out of folders.
    pub given: u64,
    /// Seeds that tests are made of.
    pub used: u64,
    /// Seeds that are not used, for some reason.
    pub skipped: u64,
    /// Seeds that had no turn yet.
    pub waiting: u64,
}

impl SeedCounts {
    /// The counts of so many seeds, of which these are decided: `None` is used, a text the reason why not. The reasons are counted, too.
    pub fn of<'a>(given: u64, fates: impl Iterator<Item = Option<&'a str>>) -> (Self, Counts) {
        let (mut used, mut skipped) = (0, Counts::new());
        for fate in fates {
            match fate {
                None => used += 1,
                Some(reason) => bump(&mut skipped, reason.to_owned()),
            }
        }
        let out = skipped.values().sum();
        // More can be decided than was given only by a defect; then it shows.
        let waiting = given.saturating_sub(used + out);
        (Self { given: used + out + waiting, used, skipped: out, waiting }, skipped)
    }
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
    /// CPU seconds of solvers and smelt on seeds and tests: what a budget of CPU time counts.
    pub spent_cpu: f64,
    /// CPU seconds of confirming, and of what was done with kept findings.
    pub apart_cpu: f64,
}

/// What one test gave, to be counted as a whole.
pub struct Tested<'a> {
    /// The strategy that made it.
    pub maker: &'a str,
    /// What came of it with each solver of the campaign: its label, and the kind of its answer, or why it gave none.
    pub said: Vec<(&'a str, &'static str)>,
    /// Whether a solver refused it.
    pub rejected: bool,
    /// CPU seconds of solvers.
    pub solver_cpu: f64,
    /// CPU seconds of smelt.
    pub own_cpu: f64,
}

/// A count as the journal keeps it: group, name, number.
pub type Row = (String, String, f64);

impl Tally {
    /// All numbers as rows. Whole ones are exact up to 2^53.
    pub fn rows(&self) -> Vec<Row> {
        let Ok(serde_json::Value::Object(groups)) = serde_json::to_value(self) else {
            return Vec::new();
        };
        let mut rows = Vec::new();
        for (group, names) in groups {
            let serde_json::Value::Object(names) = names else { continue };
            for (name, n) in names {
                match n {
                    serde_json::Value::Object(inner) => {
                        rows.extend(inner.into_iter().filter_map(|(kind, n)| {
                            Some((group.clone(), format!("{name} {kind}"), n.as_f64()?))
                        }))
                    }
                    n => rows.extend(n.as_f64().map(|n| (group.clone(), name, n))),
                }
            }
        }
        rows
    }

    /// The tally of these rows. What this smelt does not count, or counts otherwise, is left out.
    pub fn of_rows(rows: &[Row]) -> Self {
        let mut groups = serde_json::Map::new();
        // A class that is no more would make all of it unreadable.
        let is_class = |name: &str| Class::all().any(|c| c.word() == name);
        for (group, name, n) in
            rows.iter().filter(|r| !["finding", "bug"].contains(&&*r.0) || is_class(&r.1))
        {
            let entry = groups.entry(group.clone()).or_insert_with(|| serde_json::json!({}));
            // Counts are whole numbers; seconds may be one by chance, which reads the same.
            let n: serde_json::Value =
                if n.fract() == 0.0 && *n >= 0.0 { (*n as u64).into() } else { (*n).into() };
            match name.rsplit_once(' ').filter(|_| group == "answer") {
                Some((solver, kind)) => entry[solver][kind] = n,
                None => entry[name] = n,
            }
        }
        let all: Self = serde_json::from_value(groups.into()).unwrap_or_default();
        Self { earlier_cpu: all.total.solver_cpu, ..all }
    }

    /// Adds what somebody else has counted, name by name.
    pub fn add(&mut self, other: &Self) {
        self.add_all([other]);
    }

    /// Adds what several others have counted.
    pub fn add_all<'a>(&mut self, others: impl IntoIterator<Item = &'a Self>) {
        let mut sum: BTreeMap<(String, String), f64> = BTreeMap::new();
        let others = others.into_iter().flat_map(Self::rows);
        for (group, name, n) in self.rows().into_iter().chain(others) {
            *sum.entry((group, name)).or_default() += n;
        }
        let rows: Vec<Row> = sum.into_iter().map(|((group, name), n)| (group, name, n)).collect();
        *self = Self { earlier_cpu: 0.0, ..Self::of_rows(&rows) };
    }

    /// Counts a test: once in all, once for its strategy, and once for each solver.
    pub fn count_test(&mut self, test: &Tested<'_>) {
        self.total.tests += 1;
        self.total.solver_cpu += test.solver_cpu;
        bump(&mut self.strategy_tests, test.maker.to_owned());
        *self.strategy_rejected.entry(test.maker.to_owned()).or_default() +=
            u64::from(test.rejected);
        *self.strategy_cpu.entry(test.maker.to_owned()).or_default() +=
            test.solver_cpu + test.own_cpu;
        for (solver, kind) in &test.said {
            bump(self.answers.entry((*solver).to_owned()).or_default(), (*kind).to_owned());
        }
    }

    /// Counts a new finding: once for its class, and once for who made the script.
    pub fn count_finding(&mut self, maker: &str, class: Class) {
        *self.findings.entry(class).or_insert(0) += 1;
        bump(&mut self.strategy_findings, maker.to_owned());
    }

    /// Counts findings anew: these are all of them, each with who made it.
    pub fn recount_findings<'a>(&mut self, all: impl Iterator<Item = (&'a str, Class)>) {
        self.findings.clear();
        self.strategy_findings.clear();
        all.for_each(|(maker, class)| self.count_finding(maker, class));
    }

    /// New findings.
    pub fn found(&self) -> u64 {
        self.findings.values().sum()
    }

    /// New findings by class, the worst first.
    pub fn findings(&self) -> &BTreeMap<Class, u64> {
        &self.findings
    }

    /// What each solver said to the tests, by kind: each sums up to the tests.
    pub fn answers(&self) -> &BTreeMap<String, Counts> {
        &self.answers
    }

    /// How often a solver gave an answer of one of these kinds.
    pub fn said(&self, solver: &str, kinds: &[&str]) -> u64 {
        let all = self.answers.get(solver);
        kinds.iter().filter_map(|kind| all?.get(*kind)).sum()
    }

    /// What a strategy has yielded.
    pub fn yield_of(&self, strategy: &str) -> Yield {
        let of = |map: &Counts| map.get(strategy).copied().unwrap_or_default();
        Yield {
            tests: of(&self.strategy_tests),
            rejected: of(&self.strategy_rejected),
            cpu: self.strategy_cpu.get(strategy).copied().unwrap_or_default(),
            findings: of(&self.strategy_findings),
        }
    }

    /// Those who have made tests or findings.
    pub fn strategies(&self) -> impl Iterator<Item = (&str, Yield)> {
        let names: std::collections::BTreeSet<&String> =
            self.strategy_tests.keys().chain(self.strategy_findings.keys()).collect();
        names.into_iter().map(|name| (name.as_str(), self.yield_of(name)))
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
        let total = Total { vanished: 2, same_on_base: 4, not_looked_at: 7, ..Total::default() };
        let mut t = Tally { total, ..Tally::default() };
        for (maker, said) in [("opfuzz", "sat"), ("opfuzz", "not-asked"), ("storm", "sat")] {
            let said = vec![("z3 (4.8.7) #2", said), ("it", "unknown")];
            let rejected = maker == "storm";
            t.count_test(&Tested { maker, said, rejected, solver_cpu: 0.5, own_cpu: 0.75 });
        }
        t.count_finding("seed", Class::Crash);
        bump(&mut t.proofs, "proved".to_owned());
        bump(&mut t.overvaried, "cvc5 unsupported: no".to_owned());
        (t.seeds, t.skipped) = SeedCounts::of(5, [None, Some("no check"), None].into_iter());
        assert_eq!((t.seeds.used, t.seeds.skipped, t.seeds.waiting), (2, 1, 2));
        let rows = t.rows();
        let row = |group: &str, name: &str, n| rows.contains(&(group.into(), name.into(), n));
        // The names that databases of earlier smelts have.
        assert!(row("total", "tests", 3.0) && row("total", "same-on-base", 4.0), "{rows:?}");
        assert!(row("strategy-tests", "opfuzz", 2.0) && row("strategy-cpu", "opfuzz", 2.5));
        assert!(row("answer", "z3 (4.8.7) #2 sat", 2.0) && row("finding", "crash", 1.0));
        let mut odd = rows.clone();
        odd.push(("what-is-not-counted-any-more".into(), "it".into(), 1.0));
        odd.push(("finding".into(), "what-is-no-class-any-more".into(), 1.0));
        assert_eq!(Tally::of_rows(&odd), Tally { earlier_cpu: 1.5, ..t });
    }
}
