//! Looking for contradictions in what the solvers said.

use smelt_eval::brute_force;
use smelt_smtlib::Script;
use smelt_smtlib::{flat_commands, is_incremental};
use smelt_solver::Mode;
use smelt_solver::{Answer, Crash, Outcome, RunError};
use smelt_triage::{
    Class, Diagnosis, Evidence, Flat, Grade, ModelVerdict, Observation, Says, diagnose,
    label_refuted, leaves_open,
};
use smelt_trial::Target;
use smelt_trial::{comparable, core};

use super::pursue::Suspicion;
use super::{Run, Test, Worker};

/// Checks of one script that a solver is asked alone.
const FLAT: usize = 16;
/// CPU seconds for them.
const FLAT_CPU: f64 = 1.0;

/// What judging gave.
pub(super) struct Judged {
    /// New findings.
    pub findings: u32,
    /// CPU seconds of the solvers, for checks and cores alone.
    pub cpu: f64,
}

impl Worker<'_> {
    /// Looks for contradictions, confirms and keeps what can be shown.
    pub(super) fn judge(&mut self, test: &mut Test<'_>, runs: &[Run]) -> Result<Judged, RunError> {
        let c = self.campaign;
        let queries = test.script.queries();
        let mut seen: Vec<(usize, Vec<Observation>)> = Vec::with_capacity(runs.len());
        for run in runs {
            let all = c.targets[run.target].observe(test.script, &queries, &run.outcome);
            seen.push((run.target, all));
        }
        let mut cpu = 0.0;
        if is_incremental(test.script) {
            // From one mutant of a chain to the next, other checks have their turn.
            let turn = test.recipe.step as usize;
            cpu += self.compare_flat(test.script, &queries, turn, runs, &mut seen)?;
        }
        cpu += self.refute_cores(test.script, runs, &mut seen)?;
        let mut found = 0;
        for (k, query) in queries.iter().enumerate() {
            let here: Vec<Observation> =
                seen.iter().filter_map(|(_, all)| all.get(k).cloned()).collect();
            let who: Vec<usize> =
                seen.iter().filter(|(_, all)| all.len() > k).map(|(t, _)| *t).collect();
            let mut truth = test.truths.get(k).copied().unwrap_or_default();
            let mut all = diagnose(&here, truth);
            if !all.is_empty() && leaves_open(test.script, query) {
                truth.partial = true;
                all = diagnose(&here, truth);
            }
            if all.iter().any(|d| d.evidence.grade() == Grade::Weak) {
                truth.brute_force = brute_force(test.script, query).decided();
                all = diagnose(&here, truth);
            }
            let mut lost = c.slowness.diagnose(&here);
            for (o, t) in here.iter().zip(&who) {
                let decides = test.before.is_some_and(|b| b.decided_by.contains(t));
                let new = lost.iter().all(|d| d.solver != o.solver);
                if decides && new && matches!(o.answer, Answer::Unknown(_)) {
                    let class = Class::ImplicationIncompleteness;
                    let evidence = Evidence::Observed("it decides the step before".to_owned());
                    lost.push(Diagnosis { solver: o.solver.clone(), class, evidence });
                }
            }
            lost.retain(|d| {
                let unknown = here.iter().zip(&who).find(|(o, _)| o.solver == d.solver);
                !unknown.is_some_and(|(o, &t)| excused(o, &c.targets[t]))
            });
            all.extend(lost);
            if label_refuted(&here, truth) && test.recipe.strategy != "seed" {
                // What rests on the label falls; what is proven stands.
                self.quarantine(test, k);
                all.retain(|d| d.evidence.grade() == Grade::Proven);
            }
            for d in all {
                let Some(n) = here.iter().position(|o| o.solver == d.solver) else { continue };
                // The base is no better: nothing that the new one does worse.
                if !c.reports(who[n], d.class) {
                    continue;
                }
                if c.config.compare && same_on_base(&here, &d) {
                    c.stats().same_on_base += 1;
                    continue;
                }
                let Some(run) = runs.iter().find(|r| r.target == who[n]) else { continue };
                let seen = &here[n];
                let s = Suspicion { truth, seen, diagnosis: d, check: k, run, on: None };
                found += self.pursue(test, s)?;
            }
        }
        Ok(Judged { findings: found, cpu })
    }

    /// The same solver on checks alone: on each, or on some of many. Gives the CPU time.
    fn compare_flat(
        &mut self,
        script: &mut Script,
        queries: &[smelt_smtlib::Query],
        turn: usize,
        runs: &[Run],
        seen: &mut [(usize, Vec<Observation>)],
    ) -> Result<f64, RunError> {
        let limit = self.seed_limit();
        let mut total = 0.0;
        for ((t, all), run) in seen.iter_mut().zip(runs) {
            let plain = Mode { push_pop: false, cores: false, ..run.mode.clone() };
            let decided: Vec<usize> = (0..all.len().min(queries.len()))
                .filter(|&k| all[k].answer.decided().is_some())
                .filter(|&k| comparable::is_comparable(script, &queries[k]))
                .collect();
            let mut cpu = 0.0;
            for k in spread(decided.len(), FLAT, turn).map(|i| decided[i]) {
                let (o, q) = (&mut all[k], &queries[k]);
                let Some(said) = o.answer.decided() else { continue };
                // A schedule that is frozen does not look at time.
                if cpu > FLAT_CPU && !self.campaign.config.deterministic {
                    break;
                }
                let target: &Target = &self.campaign.targets[*t];
                // The terms stay where they are: only the commands are others for a while.
                let flat = flat_commands(script, q);
                let whole = std::mem::replace(&mut script.commands, flat);
                let sent = target.print(script, &plain);
                let outcome = self.ask(*t, &plain, &sent, limit);
                let alone = script.queries();
                o.flat = match &outcome {
                    // The same answer: nobody needs to know whether this model is good.
                    Ok(outcome) if outcome.answer().and_then(Answer::decided) == Some(said) => {
                        Some(Flat { answer: said, model: None })
                    }
                    Ok(outcome) => {
                        let judged = target.observe(script, &alone, outcome);
                        judged.first().and_then(comparable::flat)
                    }
                    Err(_) => None,
                };
                script.commands = whole;
                cpu += seconds(&outcome?);
            }
            total += cpu;
        }
        Ok(total)
    }

    /// Runs unsat cores alone. Gives the CPU time.
    fn refute_cores(
        &mut self,
        script: &Script,
        runs: &[Run],
        seen: &mut [(usize, Vec<Observation>)],
    ) -> Result<f64, RunError> {
        let limit = self.seed_limit();
        let mut cpu = 0.0;
        for (i, run) in runs.iter().enumerate() {
            let [check] = run.outcome.checks.as_slice() else { continue };
            let (true, Some(text)) = (run.mode.cores, &check.core) else { continue };
            let Some(mut part) = core::core_script(&core::named(script), text) else { continue };
            let queries = part.queries();
            let targets: Vec<usize> = runs.iter().map(|r| r.target).collect();
            for t in targets {
                let target: &Target = &self.campaign.targets[t];
                let sent = target.print(&part, &Mode::plain());
                let o = self.ask(t, &Mode::plain(), &sent, limit)?;
                cpu += seconds(&o);
                let judged = target.observe(&mut part, &queries, &o);
                if judged.first().is_some_and(|s| s.model == Some(ModelVerdict::True)) {
                    if let Some(o) = seen[i].1.first_mut() {
                        o.core_refuted_by = Some(target.label.clone());
                    }
                    break;
                }
            }
        }
        Ok(cpu)
    }
}

/// CPU seconds of a run, with what came before the script.
pub(super) fn seconds(outcome: &Outcome) -> f64 {
    (outcome.cpu + outcome.overhead_cpu).as_secs_f64()
}

/// So many of `0..n`, evenly spread, and others at each turn; all, if there are no more.
fn spread(n: usize, most: usize, turn: usize) -> impl Iterator<Item = usize> {
    let count = n.min(most);
    let first = if n > most { turn % n } else { 0 };
    (0..count).map(move |i| (i * n / count + first) % n)
}

/// Whether it says why it does not know, and cannot be blamed for that.
fn excused(o: &Observation, target: &Target) -> bool {
    let profile = target.solver.profile();
    matches!(&o.answer, Answer::Unknown(reason) if profile.excuses(reason.as_deref()))
}

/// Whether the base (the first solver) is accused of the same. Of bare signals only frames can tell, which are looked at when
/// a crash is confirmed.
fn same_on_base(here: &[Observation], d: &Diagnosis) -> bool {
    let Some(base) = here.first().filter(|o| o.solver != d.solver) else { return false };
    let Some(new) = here.iter().find(|o| o.solver == d.solver) else { return false };
    let bare = |o: &Observation| o.crash().is_some_and(Crash::is_bare);
    let both_bare = d.class == Class::Crash && bare(base) && bare(new);
    !both_bare && d.class.shown(base, Some(new)) == Says::Holds
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
