//! One script and what several solvers said to it: what follow-ups show beside it, and who is wrong.

use smelt_eval::brute_force;
use smelt_smtlib::{Query, Script, is_incremental};
use smelt_solver::{Answer, Mode, Outcome, RunError, Status};
use smelt_triage::{
    Before, Class, Diagnosis, Grade, Observation, TargetId, Truth, Wanted, diagnose, label_refuted,
    leaves_open,
};

use crate::bench::Run;
use crate::follow_up::{Ask, core, flat};
use crate::reproducer::Pair;

/// Checks of one script that a solver is asked alone.
const FLAT: usize = 16;
/// CPU seconds for them.
const FLAT_CPU: f64 = 1.0;

/// A script with what solvers said to it.
pub struct Trial<'t> {
    /// The script.
    pub script: &'t mut Script,
    /// What each solver did.
    pub runs: &'t [Run],
    /// What is known of each check without them.
    pub truths: &'t [Truth],
    /// What the answers to this script and to the one before it must be, and who decides the one before so, if the two are related.
    pub before: Option<(Status, &'t [TargetId])>,
    /// Answers that are missed where they are lacking.
    pub wanted: &'t Wanted,
    /// Other checks of many are asked alone at each turn.
    pub turn: usize,
    /// The follow-ups that are made do not depend on time.
    pub frozen: bool,
}

/// What is held against solvers in one check.
pub struct Held {
    /// Which check, from 0.
    pub check: usize,
    /// What is known of it without solvers.
    pub truth: Truth,
    /// What was seen of it.
    pub seen: Vec<Observation>,
    /// The accusations.
    pub diagnoses: Vec<Diagnosis>,
    /// Whether what was expected of it is proven wrong: whoever expected it is wrong, and what rests on it falls.
    pub label_refuted: bool,
}

impl Trial<'_> {
    /// Makes the follow-ups and looks for contradictions: what is held against whom in each check.
    pub fn judge(&mut self, ask: &mut impl Ask) -> Result<Vec<Held>, RunError> {
        let queries = self.script.queries();
        let mut seen = Vec::with_capacity(self.runs.len());
        for run in self.runs {
            let target = ask.panel().get(run.who);
            seen.push(target.observe(self.script, &queries, &run.outcome));
        }
        if is_incremental(self.script) {
            for (run, all) in self.runs.iter().zip(&mut seen) {
                self.compare_flat(ask, &queries, run, all)?;
            }
        }
        self.refute_cores(ask, &mut seen)?;
        self.relate(&mut seen);
        let held = queries.iter().enumerate().map(|(k, query)| {
            let here = seen.iter().filter_map(|all| all.get(k).cloned()).collect();
            self.hold(k, query, here)
        });
        Ok(held.collect())
    }

    /// Asks a solver for the checks of its run alone: for each, or for some of many.
    fn compare_flat(
        &mut self,
        ask: &mut impl Ask,
        queries: &[Query],
        run: &Run,
        all: &mut [Observation],
    ) -> Result<(), RunError> {
        let plain = Mode { push_pop: false, cores: false, ..run.mode.clone() };
        let decided: Vec<usize> = (0..all.len().min(queries.len()))
            .filter(|&k| flat::wants(&all[k]))
            .filter(|&k| flat::is_comparable(self.script, &queries[k]))
            .collect();
        let mut cpu = 0.0;
        for k in spread(decided.len(), FLAT, self.turn).map(|i| decided[i]) {
            if cpu > FLAT_CPU && !self.frozen {
                break;
            }
            let asked = flat::flat(ask, self.script, &queries[k], &plain, &mut all[k])?;
            cpu += asked.map_or(0.0, |a| seconds(&a.outcome));
        }
        Ok(())
    }

    /// Runs unsat cores alone.
    fn refute_cores(
        &self,
        ask: &mut impl Ask,
        seen: &mut [Vec<Observation>],
    ) -> Result<(), RunError> {
        for (run, all) in self.runs.iter().zip(seen) {
            let ([check], [o]) = (run.outcome.checks.as_slice(), all.as_mut_slice()) else {
                continue;
            };
            let (true, Some(text)) = (run.mode.cores, &check.core) else { continue };
            let judges = self.runs.iter().map(|r| r.who);
            core::core(ask, judges, &core::named(self.script), text, o)?;
        }
        Ok(())
    }

    /// Notes who decides the script before the step.
    fn relate(&self, seen: &mut [Vec<Observation>]) {
        let Some((expected, decided_by)) = self.before else { return };
        let answer = match expected {
            Status::Sat => Answer::Sat,
            _ => Answer::Unsat,
        };
        for o in seen.iter_mut().flatten().filter(|o| decided_by.contains(&o.who)) {
            let (what, universal) = (Pair::STEP.to_owned(), false);
            o.before = Some(Before { answer: answer.clone(), expected, what, universal });
        }
    }

    /// Who is wrong about one check. What costs more is looked at only where somebody may be.
    fn hold(&self, check: usize, query: &Query, seen: Vec<Observation>) -> Held {
        let mut truth = self.truths.get(check).copied().unwrap_or_default();
        let mut diagnoses = diagnose(&seen, truth, self.wanted);
        if !diagnoses.is_empty() && leaves_open(self.script, query) {
            truth.partial = true;
            diagnoses = diagnose(&seen, truth, self.wanted);
        }
        if diagnoses.iter().any(|d| d.evidence.grade() == Grade::Weak) {
            truth.brute_force = brute_force(self.script, query);
            diagnoses = diagnose(&seen, truth, self.wanted);
        }
        let held: Vec<(TargetId, Class)> = diagnoses.iter().map(|d| (d.who, d.class)).collect();
        diagnoses.retain(|d| {
            let better = d.class.row().yields_to;
            better.is_none_or(|class| !held.contains(&(d.who, class)))
        });
        let label_refuted = label_refuted(&seen, truth);
        Held { check, truth, seen, diagnoses, label_refuted }
    }
}

/// CPU seconds of a run, with what came before the script.
pub fn seconds(outcome: &Outcome) -> f64 {
    (outcome.cpu + outcome.overhead_cpu).as_secs_f64()
}

/// So many of `0..n`, evenly spread, and others at each turn; all, if there are no more.
fn spread(n: usize, most: usize, turn: usize) -> impl Iterator<Item = usize> {
    let count = n.min(most);
    let first = if n > most { turn % n } else { 0 };
    (0..count).map(move |i| (i * n / count + first) % n)
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn some_of_many() {
        for (n, most, turn, expect) in [
            (0, 4, 3, vec![]),
            (3, 4, 5, vec![0, 1, 2]),
            (4, 4, 1, vec![0, 1, 2, 3]),
            (10, 4, 0, vec![0, 2, 5, 7]),
            (10, 4, 1, vec![1, 3, 6, 8]),
            (10, 4, 13, vec![3, 5, 8, 0]),
        ] {
            let got: Vec<usize> = spread(n, most, turn).collect();
            assert_eq!(got, expect, "{n} {most} {turn}");
        }
        // In the end each has its turn.
        let all: std::collections::BTreeSet<usize> =
            (0..100).flat_map(|turn| spread(1000, 16, turn)).collect();
        assert_eq!(all.len(), 1000);
    }
}
