//! Preparing a seed when it is first needed: it is read, given to the solvers once, and is the first case itself.

use std::sync::Arc;
use std::time::Duration;

use smelt_case::{Origin, SeedRef, Status};
use smelt_smtlib::Script;
use smelt_solver::{Answer, Mode, RunError};
use smelt_triage::{ModelVerdict, TargetId, Truth};
use smelt_trial::Target;
use smelt_trial::bench::{Bench, Run};
use smelt_trial::content::Content;
use smelt_trial::follow_up::core::labelled;
use smelt_trial::opinion::label;

use super::chains::Chains;
use super::{Case, Done, Lease, Work, options};
use crate::policy::Policy;
use crate::seedbank::{self, Options, Prepared, SeedAnswer, Understood};

/// What solvers say of a seed.
#[derive(Default)]
struct Said {
    /// Their answers, by solver.
    answers: Vec<(TargetId, Vec<SeedAnswer>)>,
    /// Who refuses it.
    refused: Vec<TargetId>,
    /// The runs, if it was not remembered.
    runs: Vec<Run>,
    /// What is to be remembered: key, kind of answer, model, CPU seconds.
    to_remember: Vec<(String, &'static str, Option<String>, f64)>,
}

impl Chains<'_> {
    /// Reads a seed, gives it to the solvers once, and has their answers tested. `None` if it cannot be used.
    pub(super) fn prepare(
        &self,
        i: usize,
        bench: &mut Bench<'_>,
        work: Work<'_>,
    ) -> Result<Option<Arc<Prepared>>, RunError> {
        let file = &self.slots[i].file;
        let skip = |reason: &str| self.skip(i, reason);
        let (text, seed) = match seedbank::read(file, self.plan.largest_seed()) {
            Ok(read) => read,
            Err(reason) => {
                skip(&reason);
                return Ok(None);
            }
        };
        let Understood { script, options, names } = seed;
        let content = Content::of(&script);
        let panel = &self.plan.panel;
        let targets: Vec<TargetId> =
            panel.targets().iter().filter(|t| t.takes(&content)).map(Target::id).collect();
        let releases = self.plan.config.policy() == Policy::Releases;
        let tested = panel.targets().last().filter(|_| releases);
        if targets.is_empty() || tested.is_some_and(|t| !targets.contains(&t.id())) {
            let caveat = tested.and_then(|t| t.caveat(&content));
            let why = caveat.map(|why| format!("no verdict ({why})"));
            skip(why.as_deref().unwrap_or("no solver takes its operators"));
            return Ok(None);
        }
        let limit = self.seed_limit();
        let mut options = options::of(self.plan, self.control, &options);
        let mut as_written = labelled(&script, &names);
        let said = self.ask(&mut as_written, &targets, &mut options, limit, bench)?;
        let usable: Vec<TargetId> =
            targets.iter().copied().filter(|t| !said.refused.contains(t)).collect();
        let answers: Vec<_> = said.answers.iter().map(|(t, a)| (panel.get(*t), a)).collect();
        let mut facts = seedbank::facts(&script, &answers);
        if let ([fact], Some(&t)) = (&mut *facts, usable.first())
            && fact.status == Status::Unsat
            && let Some(model) = self.model_of_negation(t, &script, limit, bench)?
        {
            fact.model = Some(model);
            fact.old_escapes = panel.get(t).model_options().old_escapes;
        }
        let status = facts.first().map_or(Status::Unknown, |f| f.status);
        let decides =
            |a: &[SeedAnswer]| a.first().and_then(|a| a.verdict).is_some_and(|v| v == status);
        let decided_by = said.answers.iter().filter(|(_, a)| decides(a)).map(|(t, _)| *t).collect();
        let seed = seedbank::make(file.name(), &text, script, &facts);
        if usable.is_empty() {
            skip("refused by every solver");
            return Ok(None);
        }
        let strategies = &self.plan.strategies;
        let unproved = strategies.iter().flat_map(|(s, p)| s.unproved(&seed, p)).collect();
        let wanted = self.plan.proofs.want(unproved);
        let prepared = Arc::new(Prepared {
            seed,
            text,
            facts,
            targets: usable,
            options,
            names,
            decided_by,
            wanted,
        });
        if !said.runs.is_empty() {
            work(bench, &mut SeedLease::new(&prepared, said.runs))?;
        }
        // Only now: what was not judged must be asked again.
        for (key, kind, model, cpu) in said.to_remember {
            let _ = self.journal.put_answer(&key, kind, model.as_deref(), cpu);
        }
        // What the tested release does not decide, none of its mutants can lose.
        if tested.is_some_and(|t| !prepared.decided_by.contains(&t.id())) {
            skip("the tested release does not decide it, or not as others do");
            return Ok(None);
        }
        Ok(Some(prepared))
    }

    /// What the solvers say of a seed. Answers are compared with each other: all are remembered, or all are given again.
    fn ask(
        &self,
        script: &mut Script,
        targets: &[TargetId],
        options: &mut Options,
        limit: Duration,
        bench: &mut Bench<'_>,
    ) -> Result<Said, RunError> {
        let panel = &self.plan.panel;
        let queries = script.queries();
        let of = |options: &Options, t: TargetId| Mode {
            options: options.get(&t).cloned().unwrap_or_default(),
            ..Mode::plain()
        };
        let asked: Vec<_> = targets
            .iter()
            .map(|&t| {
                let mode = of(options, t);
                let sent = panel.get(t).print(script, &mode);
                let key = self.key(sent.text(), panel.get(t), &mode.options, limit);
                let keys: Vec<String> = (0..queries.len()).map(|k| format!("{key}-{k}")).collect();
                (t, sent, keys)
            })
            .collect();
        let remembered: Option<Vec<_>> =
            asked.iter().map(|(t, _, keys)| Some((*t, self.remembered(keys)?))).collect();
        let mut said = Said::default();
        if let Some(all) = remembered {
            for (t, kinds) in all {
                // The last answer counts, as it does below when it is given.
                if kinds.last().is_some_and(|(k, _)| matches!(&**k, "rejected" | "unsupported")) {
                    said.refused.push(t);
                }
                let one = |(kind, model): (String, Option<String>)| SeedAnswer {
                    verdict: verdict_of(&kind),
                    model,
                };
                said.answers.push((t, kinds.into_iter().map(one).collect()));
            }
            return Ok(said);
        }
        for (t, sent, keys) in asked {
            let mut run = bench.run_in_session(t, &of(options, t), &sent, limit)?;
            let mut keys = keys;
            // A release need not know what its profile knows. What it says without is not remembered under these options.
            while let Some(refusal) = run.outcome.refusal()
                && let Some(own) = options.get_mut(&t)
            {
                if !options::drop_refused(own, &refusal.to_string()) {
                    options.remove(&t);
                }
                run = bench.run_in_session(t, &of(options, t), &sent, limit)?;
                keys.clear();
            }
            let outcome = &run.outcome;
            let answers = SeedAnswer::all(panel.get(t), script, outcome);
            if answers.len() == keys.len() {
                let cpu = outcome.cpu.as_secs_f64();
                for ((key, one), check) in keys.into_iter().zip(&answers).zip(&outcome.checks) {
                    said.to_remember.push((key, check.answer.kind(), one.model.clone(), cpu));
                }
            }
            if let Some(Answer::Rejected { .. } | Answer::Unsupported(_)) = outcome.answer() {
                said.refused.push(t);
            }
            said.runs.push(run);
            said.answers.push((t, answers));
        }
        Ok(said)
    }

    fn key(&self, text: &str, target: &Target, options: &[String], limit: Duration) -> String {
        seedbank::cache_key(text, target, options, limit, self.plan.config.deterministic)
    }

    /// What a solver said to the checks of a seed, with models that are true, if all of it is remembered.
    fn remembered(&self, keys: &[String]) -> Option<Vec<(String, Option<String>)>> {
        let one = |key: &String| self.journal.answer(key).ok().flatten();
        keys.iter().map(|key| one(key).map(|(kind, model, _)| (kind, model))).collect()
    }

    /// A model of the negated assertions of an unsat seed, if the evaluator finds it true.
    fn model_of_negation(
        &self,
        who: TargetId,
        script: &Script,
        limit: Duration,
        bench: &mut Bench<'_>,
    ) -> Result<Option<String>, RunError> {
        let Some(mut negated) = seedbank::negation(script) else { return Ok(None) };
        let target = self.plan.panel.get(who);
        let sent = target.print(&negated, &Mode::plain());
        let key = self.key(sent.text(), target, &[], limit);
        if let Ok(Some((_, model, _))) = self.journal.answer(&key) {
            return Ok(model);
        }
        let outcome = bench.run(who, &Mode::plain(), &sent, limit)?;
        let queries = negated.queries();
        let seen = target.observe(&mut negated, &queries, &outcome);
        let ([seen], [check]) = (&*seen, &*outcome.checks) else { return Ok(None) };
        let model = check.model.clone().filter(|_| seen.model == Some(ModelVerdict::True));
        let cpu = outcome.cpu.as_secs_f64();
        let _ = self.journal.put_answer(&key, check.answer.kind(), model.as_deref(), cpu);
        Ok(model)
    }
}

/// The answer of a remembered kind, if it decides.
fn verdict_of(kind: &str) -> Option<Status> {
    match kind {
        "sat" => Some(Status::Sat),
        "unsat" => Some(Status::Unsat),
        _ => None,
    }
}

/// The seed itself, to which the solvers have answered: what fails on it is no merit of a strategy.
struct SeedLease<'a> {
    prepared: &'a Arc<Prepared>,
    script: Script,
    origin: Origin,
    said: Vec<Run>,
}

impl<'a> SeedLease<'a> {
    fn new(prepared: &'a Arc<Prepared>, said: Vec<Run>) -> Self {
        let Prepared { seed, .. } = &**prepared;
        let (name, hash) = (seed.name.clone(), seed.hash.clone());
        let origin = Origin::Seed(SeedRef { name, hash });
        Self { prepared, script: prepared.labelled(seed.workspace()), origin, said }
    }
}

impl Lease for SeedLease<'_> {
    fn who(&self) -> &[(TargetId, Mode)] {
        &[]
    }

    fn limit(&self) -> Duration {
        Duration::ZERO
    }

    fn next(&mut self) -> Option<Case<'_>> {
        let said = std::mem::take(&mut self.said);
        if said.is_empty() {
            return None;
        }
        let script = &self.prepared.seed.script;
        let truth = |command| Truth { label: label(script, command), ..Truth::default() };
        Some(Case {
            truths: script.queries().iter().map(|q| truth(q.command)).collect(),
            seeds: std::slice::from_ref(self.prepared),
            said,
            ..Case::open(&mut self.script, &self.origin, "the seed itself")
        })
    }

    fn learn(&mut self, _: &Done) {}
}
