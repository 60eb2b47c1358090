//! Looking for contradictions in what the solvers said.

use smelt_smtlib::Script;
use smelt_solver::{Answer, RunError};
use smelt_triage::{
    Class, Diagnosis, Evidence, Flat, Grade, ModelVerdict, Observation, brute_force, diagnose,
    label_refuted, leaves_open,
};

use super::pursue::Suspicion;
use super::{Run, Test, Worker};
use crate::fuzz::target::{Mode, Target};
use crate::fuzz::{core, incremental};

impl Worker<'_> {
    /// Looks for contradictions, confirms and keeps what can be shown. Gives the number of new findings.
    pub(super) fn judge(&mut self, test: &mut Test<'_>, runs: &[Run]) -> Result<u32, RunError> {
        let c = self.campaign;
        let queries = test.script.queries();
        let mut seen: Vec<(usize, Vec<Observation>)> = Vec::with_capacity(runs.len());
        for run in runs {
            let all = c.targets[run.target].observe(test.script, &queries, &run.outcome);
            seen.push((run.target, all));
        }
        if incremental::is_incremental(test.script) {
            self.compare_flat(test.script, &queries, runs, &mut seen)?;
        }
        self.refute_cores(test.script, runs, &mut seen)?;
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
                truth.brute_force = brute_force(test.script, query);
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
                    c.stats().shared += 1;
                    continue;
                }
                let Some(run) = runs.iter().find(|r| r.target == who[n]) else { continue };
                let seen = &here[n];
                let s = Suspicion { truth, seen, diagnosis: d, check: k, run, on: None };
                found += self.pursue(test, s)?;
            }
        }
        Ok(found)
    }

    /// The same solver on each check alone.
    fn compare_flat(
        &mut self,
        script: &mut Script,
        queries: &[smelt_smtlib::Query],
        runs: &[Run],
        seen: &mut [(usize, Vec<Observation>)],
    ) -> Result<(), RunError> {
        let limit = self.seed_limit();
        for ((t, all), run) in seen.iter_mut().zip(runs) {
            let plain = Mode { push_pop: false, cores: false, ..run.mode.clone() };
            for (o, q) in all.iter_mut().zip(queries) {
                let Some(said) = o.answer.decided() else { continue };
                if !incremental::is_comparable(script, q) {
                    continue;
                }
                let target: &Target = &self.campaign.targets[*t];
                // The terms stay where they are: only the commands are others for a while.
                let flat = incremental::flat_commands(script, q);
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
                        judged.first().and_then(incremental::flat)
                    }
                    Err(_) => None,
                };
                script.commands = whole;
                outcome?;
            }
        }
        Ok(())
    }

    /// Runs unsat cores alone.
    fn refute_cores(
        &mut self,
        script: &Script,
        runs: &[Run],
        seen: &mut [(usize, Vec<Observation>)],
    ) -> Result<(), RunError> {
        let limit = self.seed_limit();
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
                let judged = target.observe(&mut part, &queries, &o);
                if judged.first().is_some_and(|s| s.model == Some(ModelVerdict::True)) {
                    if let Some(o) = seen[i].1.first_mut() {
                        o.core_refuted_by = Some(target.label.clone());
                    }
                    break;
                }
            }
        }
        Ok(())
    }
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
    let complains = base.complains_of(d.class);
    match (d.class, &base.answer, &new.answer) {
        (Class::Crash, ..) => {
            let both = base.crash().zip(new.crash());
            both.is_some_and(|(a, b)| !(a.is_bare() && b.is_bare()) && a.resembles(b))
        }
        (Class::SelfContradiction, ..) => incremental::contradicts(base),
        (Class::InvalidModel, ..) => {
            complains || matches!(base.model, Some(ModelVerdict::False(_)))
        }
        (Class::InvalidCore, ..) => complains || base.core_refuted_by.is_some(),
        (Class::FalseAlarm | Class::InvalidProof, ..) => complains,
        (_, a, b) => a.kind() == b.kind(),
    }
}
