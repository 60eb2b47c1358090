//! Choosing seeds, and preparing them when they are first needed.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use smelt_case::{Recipe, SeedRef, Status};
use smelt_smtlib::Script;
use smelt_solver::Mode;
use smelt_solver::{Answer, RunError};
use smelt_strategy::Strategy;
use smelt_triage::{ModelVerdict, Truth};
use smelt_trial::content::Content;

use super::{Run, Test, Worker};
use crate::seedbank::{self, Asked, Prepared, SeedAnswer, Slot};

/// Gives a seed back when preparing it fails.
struct Release<'a>(&'a Slot);

impl Drop for Release<'_> {
    fn drop(&mut self) {
        self.0.release();
    }
}

impl Worker<'_> {
    /// A seed that is ready; prepares it if nobody has.
    pub(super) fn pick_seed(
        &mut self,
        random: &mut ChaCha8Rng,
    ) -> Result<Option<(usize, Arc<Prepared>)>, RunError> {
        let c = self.campaign;
        for _ in 0..1000 {
            if c.control.stopped() {
                return Ok(None);
            }
            // Half of the time a seed that nobody has looked at yet, while there are any: good ones should be found early.
            let fresh = !c.config.deterministic && random.random::<bool>();
            let unseen = if fresh { c.unseen() } else { None };
            let i = unseen.unwrap_or_else(|| random.random_range(0..c.slots.len()));
            let slot = &c.slots[i];
            if slot.is_skipped() {
                continue;
            }
            let turn = slot.record.lock().unwrap_or_else(PoisonError::into_inner).turn();
            if !turn && !c.config.deterministic {
                continue;
            }
            if let Some(p) = self.obtain(i)? {
                return Ok(Some((i, p)));
            }
        }
        if c.slots.iter().all(Slot::is_skipped) {
            c.control.fail("no seed can be used".to_owned());
        }
        // Others are at the few seeds that there are.
        std::thread::sleep(Duration::from_millis(5));
        Ok(None)
    }

    /// A seed, prepared now if nobody has. `None` if it cannot be used or another worker is at it; a frozen schedule waits.
    pub(super) fn obtain(&mut self, i: usize) -> Result<Option<Arc<Prepared>>, RunError> {
        let c = self.campaign;
        let slot = &c.slots[i];
        loop {
            match slot.ask() {
                Asked::Ready(p) => return Ok(Some(p)),
                Asked::Prepare => {
                    // Whatever happens meanwhile, the seed is not lost.
                    let _guard = Release(slot);
                    let prepared = self.prepare(i)?;
                    slot.settle(prepared);
                }
                Asked::No
                    if c.config.deterministic && !slot.is_skipped() && !c.control.stopped() =>
                {
                    std::thread::sleep(Duration::from_millis(2));
                }
                Asked::No => return Ok(None),
            }
        }
    }

    /// Seeds that go with a seed: among those that are ready, or (in a frozen schedule) among all.
    pub(super) fn partners(
        &mut self,
        strategy: &dyn Strategy,
        seed: &Arc<Prepared>,
        random: &mut ChaCha8Rng,
    ) -> Result<Vec<Arc<Prepared>>, RunError> {
        let mut out: Vec<Arc<Prepared>> = Vec::new();
        let slots = &self.campaign.slots;
        for _ in 0..strategy.partners() * 20 {
            if out.len() >= strategy.partners() {
                break;
            }
            let i = random.random_range(0..slots.len());
            let found =
                if self.campaign.config.deterministic { self.obtain(i)? } else { slots[i].ready() };
            let Some(p) = found else { continue };
            // What comes from a partner must be understood by every solver that takes the seed.
            let taken = seed.targets.iter().all(|t| p.targets.contains(t));
            if taken && p.seed.hash != seed.seed.hash && strategy.may_partner(&seed.seed, &p.seed) {
                out.push(p);
            }
        }
        Ok(out)
    }

    /// Reads a seed, gives it to the solvers once, and tests their answers. `None` if it cannot be used.
    fn prepare(&mut self, i: usize) -> Result<Option<Arc<Prepared>>, RunError> {
        let c = self.campaign;
        let slot = &c.slots[i];
        let skip = |reason: String| {
            c.control.skip(&reason);
            let _ = c.folder.journal.skip(c.run, &slot.file.name(), &reason);
        };
        let (text, mut script) = match seedbank::read(&slot.file, c.largest_seed()) {
            Ok(read) => read,
            Err(reason) => {
                skip(reason);
                return Ok(None);
            }
        };
        let content = Content::of(&script);
        let targets: Vec<usize> =
            (0..c.targets.len()).filter(|&t| c.targets[t].takes(&content)).collect();
        if targets.is_empty() {
            skip("no solver takes its operators".to_owned());
            return Ok(None);
        }
        let queries = script.queries();
        let mut answers = Vec::new();
        let mut known = Vec::new();
        let mut refused: Vec<usize> = Vec::new();
        let mut to_cache = Vec::new();
        let mode = Mode::plain();
        let limit = self.seed_limit();
        let asked: Vec<_> = targets
            .iter()
            .map(|&t| {
                let sent = c.targets[t].print(&script, &mode);
                let key = seedbank::cache_key(sent.text(), &c.targets[t], limit);
                let keys: Vec<String> = (0..queries.len()).map(|k| format!("{key}-{k}")).collect();
                (t, sent, keys)
            })
            .collect();
        // Answers are compared with each other: all are remembered, or all are given again.
        let remembered: Option<Vec<_>> =
            asked.iter().map(|(t, _, keys)| Some((*t, self.remembered(keys)?))).collect();
        let new = if remembered.is_some() { Vec::new() } else { asked };
        for (t, all) in remembered.into_iter().flatten() {
            if all.iter().any(|(kind, _)| matches!(kind.as_str(), "rejected" | "unsupported")) {
                refused.push(t);
            }
            let said = all.into_iter().map(|(kind, model)| {
                let verdict = match kind.as_str() {
                    "sat" => Some(smelt_solver::Verdict::Sat),
                    "unsat" => Some(smelt_solver::Verdict::Unsat),
                    _ => None,
                };
                SeedAnswer { verdict, model }
            });
            answers.push((&c.targets[t], said.collect()));
        }
        for (t, sent, keys) in new {
            let target = &c.targets[t];
            let run = self.run_in_session(t, &mode, &sent, limit)?;
            let outcome = &run.outcome;
            let seen = target.observe(&mut script, &queries, outcome);
            let said: Vec<SeedAnswer> = seen
                .iter()
                .zip(&outcome.checks)
                .map(|(o, check)| SeedAnswer {
                    verdict: o.answer.decided(),
                    model: check.model.clone().filter(|_| o.model == Some(ModelVerdict::True)),
                })
                .collect();
            if said.len() == keys.len() {
                let cpu = outcome.cpu.as_secs_f64();
                let all = keys.into_iter().zip(&said).zip(&outcome.checks);
                to_cache.extend(
                    all.map(|((key, one), check)| {
                        (key, check.answer.kind(), one.model.clone(), cpu)
                    }),
                );
            }
            known.push(run);
            answers.push((target, said));
        }
        refused.extend(known.iter().filter_map(|run: &Run| match run.outcome.answer() {
            Some(Answer::Rejected { .. } | Answer::Unsupported(_)) => Some(run.target),
            _ => None,
        }));
        let usable: Vec<usize> = targets.iter().copied().filter(|t| !refused.contains(t)).collect();
        let mut facts = seedbank::facts(&script, &answers);
        if let ([fact], Some(&t)) = (&mut *facts, usable.first())
            && fact.status == Status::Unsat
            && let Some(model) = self.model_of_negation(t, &script, limit)?
        {
            fact.model = Some(model);
            fact.old_escapes = c.targets[t].model_options().old_escapes;
        }
        let seed = seedbank::make(slot.file.name(), &text, script, &facts);
        if usable.is_empty() {
            skip("refused by every solver".to_owned());
            return Ok(None);
        }
        let unproved = c.strategies.iter().flat_map(|(s, p)| s.unproved(&seed, p)).collect();
        let wanted = c.proofs.want(unproved);
        let prepared = Arc::new(Prepared { seed, text, facts, targets: usable, wanted });
        // The seed itself is the first test: what fails on it is no merit of a strategy.
        if !known.is_empty() {
            let mut script = prepared.seed.workspace();
            let truths = (0..queries.len())
                .map(|k| Truth {
                    label: smelt_trial::opinion::label(&prepared.seed.script, queries[k].command),
                    ..Truth::default()
                })
                .collect();
            let recipe = Recipe {
                smelt: env!("CARGO_PKG_VERSION").to_owned(),
                strategy: "seed".to_owned(),
                parameters: Vec::new(),
                without: Vec::new(),
                campaign: c.config.seed,
                seeds: vec![SeedRef {
                    name: prepared.seed.name.clone(),
                    hash: prepared.seed.hash.clone(),
                }],
                chain: 0,
                step: 0,
            };
            let mut test = Test {
                script: &mut script,
                truths,
                recipe: &recipe,
                seeds: std::slice::from_ref(&prepared),
                what: "the seed itself".to_owned(),
                expect: Vec::new(),
                slot: i,
                before: None,
            };
            self.judge(&mut test, &known)?;
        }
        // Only now: what was not judged must be asked again.
        for (key, kind, model, cpu) in to_cache {
            let _ = c.folder.journal.put_answer(&key, kind, model.as_deref(), cpu);
        }
        Ok(Some(prepared))
    }

    /// What a solver said to the checks of a seed, with models that are true, if all of it is in the store.
    fn remembered(&self, keys: &[String]) -> Option<Vec<(String, Option<String>)>> {
        let one = |key: &String| self.campaign.folder.journal.answer(key).ok().flatten();
        keys.iter().map(|key| one(key).map(|(kind, model, _)| (kind, model))).collect()
    }

    /// A model of the negated assertions of an unsat seed, if the evaluator finds it true.
    fn model_of_negation(
        &mut self,
        target: usize,
        script: &Script,
        limit: Duration,
    ) -> Result<Option<String>, RunError> {
        let c = self.campaign;
        let Some(mut negated) = seedbank::negation(script) else { return Ok(None) };
        let sent = c.targets[target].print(&negated, &Mode::plain());
        let key = seedbank::cache_key(sent.text(), &c.targets[target], limit);
        if let Ok(Some((_, model, _))) = c.folder.journal.answer(&key) {
            return Ok(model);
        }
        let outcome = self.ask(target, &Mode::plain(), &sent, limit)?;
        let queries = negated.queries();
        let seen = c.targets[target].observe(&mut negated, &queries, &outcome);
        let ([seen], [check]) = (&*seen, &*outcome.checks) else { return Ok(None) };
        let model = check.model.clone().filter(|_| seen.model == Some(ModelVerdict::True));
        let cpu = outcome.cpu.as_secs_f64();
        let _ = c.folder.journal.put_answer(&key, check.answer.kind(), model.as_deref(), cpu);
        Ok(model)
    }
}
