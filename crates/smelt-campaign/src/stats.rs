//! Counters of a campaign.

use std::collections::BTreeMap;

use smelt_triage::Class;

use crate::schedule::Yield;

/// Everything that is counted. Written to the store once a second.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    /// Mutants (and seeds) that were given to solvers.
    pub tests: u64,
    /// Chains that were begun.
    pub chains: u64,
    /// By strategy.
    pub yields: BTreeMap<&'static str, Yield>,
    /// Refusals of strategies: strategy and reason.
    pub refusals: BTreeMap<String, u64>,
    /// Answers: solver and kind.
    pub answers: BTreeMap<String, u64>,
    /// Mutants that were not given to a solver because it does not have what is in them.
    pub untaken: BTreeMap<String, u64>,
    /// Runs that were refused under options or a tactic that were varied, which says nothing about the script: solver and reason.
    pub overvaried: BTreeMap<String, u64>,
    /// Rejections: solver and reason.
    pub rejections: BTreeMap<String, u64>,
    /// Seeds that are not used, by reason.
    pub skipped: BTreeMap<String, u64>,
    /// Instances of rules that seeds asked for, by what came of them.
    pub proofs: BTreeMap<String, u64>,
    /// New findings by class.
    pub findings: BTreeMap<Class, u64>,
    /// Candidates whose signature was found before.
    pub duplicates: u64,
    /// Candidates of a kind that gave nothing new again and again: most of those are passed over.
    pub not_looked_at: u64,
    /// Candidates that `known.toml` lists.
    pub suppressed: u64,
    /// Candidates that the base shows, too.
    pub shared: u64,
    /// Candidates that no fresh process repeated.
    pub vanished: u64,
    /// Disagreements that nobody could settle.
    pub unsettled: u64,
    /// Seeds or rules whose expectation was refuted by a true model.
    pub quarantined: u64,
    /// Mutants that did not survive printing and parsing (defects of smelt).
    pub reprint_failures: u64,
    /// Runs that failed on our side of the pipe.
    pub faults: u64,
    /// Chains that ended in a defect of smelt.
    pub panics: u64,
    /// CPU seconds of solvers.
    pub solver_cpu: f64,
    /// What of it earlier runs of the campaign used; not kept.
    pub earlier_cpu: f64,
}

impl Stats {
    /// All counters as rows.
    pub fn rows(&self) -> Vec<(String, String, f64)> {
        let mut out = Vec::new();
        let mut put = |kind: &str, name: &str, n: f64| {
            out.push((kind.to_owned(), name.to_owned(), n));
        };
        put("total", "tests", self.tests as f64);
        put("total", "chains", self.chains as f64);
        put("total", "duplicates", self.duplicates as f64);
        put("total", "not-looked-at", self.not_looked_at as f64);
        put("total", "suppressed", self.suppressed as f64);
        put("total", "same-on-base", self.shared as f64);
        put("total", "vanished", self.vanished as f64);
        put("total", "unsettled", self.unsettled as f64);
        put("total", "quarantined", self.quarantined as f64);
        put("total", "reprint-failures", self.reprint_failures as f64);
        put("total", "faults", self.faults as f64);
        put("total", "panics", self.panics as f64);
        put("total", "solver-cpu", self.solver_cpu);
        for (name, y) in &self.yields {
            put("strategy-tests", name, y.tests);
            put("strategy-rejected", name, y.rejected);
            put("strategy-cpu", name, y.cpu);
            put("strategy-findings", name, y.findings);
        }
        for (map, kind) in [
            (&self.refusals, "refusal"),
            (&self.answers, "answer"),
            (&self.untaken, "not-sent"),
            (&self.overvaried, "refused-under-options"),
            (&self.rejections, "rejection"),
            (&self.skipped, "skipped"),
            (&self.proofs, "rule-instance"),
        ] {
            map.iter().for_each(|(name, n)| put(kind, name, *n as f64));
        }
        for (class, n) in &self.findings {
            put("finding", class.word(), *n as f64);
        }
        out
    }

    /// Takes up the counters of an earlier part of the run.
    pub fn restore(&mut self, rows: &[(String, String, f64)], strategies: &[&'static str]) {
        for (kind, name, n) in rows {
            let count = *n as u64;
            let strategy = strategies.iter().copied().find(|s| *s == name.as_str());
            let mut of = |f: fn(&mut Yield) -> &mut f64| {
                if let Some(s) = strategy {
                    *f(self.yields.entry(s).or_default()) = *n;
                }
            };
            match (kind.as_str(), name.as_str()) {
                ("strategy-tests", _) => of(|y| &mut y.tests),
                ("strategy-rejected", _) => of(|y| &mut y.rejected),
                ("strategy-cpu", _) => of(|y| &mut y.cpu),
                ("strategy-findings", _) => of(|y| &mut y.findings),
                ("refusal", _) => drop(self.refusals.insert(name.clone(), count)),
                ("answer", _) => drop(self.answers.insert(name.clone(), count)),
                ("not-sent", _) => drop(self.untaken.insert(name.clone(), count)),
                ("refused-under-options", _) => {
                    self.overvaried.insert(name.clone(), count);
                }
                ("rule-instance", _) => drop(self.proofs.insert(name.clone(), count)),
                ("rejection", _) => drop(self.rejections.insert(name.clone(), count)),
                ("finding", word) => {
                    if let Some(class) = Class::all().find(|c| c.word() == word) {
                        self.findings.insert(class, count);
                    }
                }
                ("total", "tests") => self.tests = count,
                ("total", "chains") => self.chains = count,
                ("total", "duplicates") => self.duplicates = count,
                ("total", "not-looked-at") => self.not_looked_at = count,
                ("total", "suppressed") => self.suppressed = count,
                ("total", "same-on-base") => self.shared = count,
                ("total", "vanished") => self.vanished = count,
                ("total", "unsettled") => self.unsettled = count,
                ("total", "quarantined") => self.quarantined = count,
                ("total", "reprint-failures") => self.reprint_failures = count,
                ("total", "faults") => self.faults = count,
                ("total", "panics") => self.panics = count,
                ("total", "solver-cpu") => (self.solver_cpu, self.earlier_cpu) = (*n, *n),
                _ => {}
            }
        }
    }
}

/// One more of something.
pub fn bump(map: &mut BTreeMap<String, u64>, key: String) {
    *map.entry(key).or_insert(0) += 1;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_back() {
        let mut s = Stats {
            tests: 5,
            vanished: 2,
            shared: 4,
            not_looked_at: 7,
            solver_cpu: 1.5,
            ..Stats::default()
        };
        s.yields.insert("opfuzz", Yield { tests: 5.0, rejected: 1.0, cpu: 2.0, findings: 1.0 });
        bump(&mut s.answers, "z3 sat".to_owned());
        bump(&mut s.proofs, "proved".to_owned());
        bump(&mut s.overvaried, "cvc5 unsupported: no".to_owned());
        s.findings.insert(Class::Crash, 3);
        let mut back = Stats::default();
        back.restore(&s.rows(), &["opfuzz"]);
        assert_eq!(back.rows(), s.rows());
    }
}
