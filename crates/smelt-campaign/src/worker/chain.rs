//! Chains of mutants.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use smelt_case::{Expectation, Follows, OpSet, Recipe};
use smelt_smtlib::{LogicChoice, PrintOptions, print};
use smelt_solver::Mode;
use smelt_solver::RunError;
use smelt_strategy::{Input, Strategy};
use smelt_triage::Truth;

use super::{Neighbour, Test, Worker};
use crate::schedule::{self, ChainResult, Yield};
use crate::seedbank::Prepared;
use crate::tally::bump;

/// Steps of one chain before another seed has its turn.
const VISIT: u32 = 100;
/// CPU seconds of one chain before another seed has its turn: cheap seeds give more tests.
const VISIT_CPU: f64 = 1.0;

impl Worker<'_> {
    /// Makes a chain of mutants and tests each.
    pub(super) fn chain(
        &mut self,
        strategy: &'static dyn Strategy,
        seeds: &[Arc<Prepared>],
        recipe: &mut Recipe,
        slot: usize,
        random: &mut ChaCha8Rng,
    ) -> Result<ChainResult, RunError> {
        let c = self.campaign;
        let mut result = ChainResult::default();
        let mode = crate::policy::choose_mode(random);
        let targets = if c.config.compare {
            seeds[0].targets.clone()
        } else {
            schedule::solver_set(&seeds[0].targets, random)
        };
        // Every solver that takes the seed must take what the strategy brings in.
        let mut ops = OpSet::all();
        targets.iter().for_each(|&t| ops.intersect(&c.targets[t].ops));
        recipe.without = smelt_smtlib::Op::all()
            .filter(|&op| !ops.contains(op))
            .map(|op| format!("{op:?}"))
            .collect();
        let mut modes: Vec<(usize, Mode)> =
            targets.iter().map(|&t| (t, c.targets[t].vary(&mode, random))).collect();
        if c.config.compare
            && let Some((_, chosen)) = modes.last().cloned()
        {
            // Two builds are compared in one mode.
            modes.iter_mut().for_each(|(_, m)| *m = chosen.clone());
        }
        let partners: Vec<&smelt_case::Seed> = seeds[1..].iter().map(|p| &p.seed).collect();
        let input = Input {
            seed: &seeds[0].seed,
            partners: &partners,
            ops: &ops,
            parameters: &recipe.parameters,
        };
        c.stats().chains += 1;
        let refuse = |reason: &str| {
            bump(&mut c.stats().refusals, format!("{}: {reason}", strategy.name()));
        };
        let begun = cpu_of_thread();
        let mut random = recipe.stream();
        let mut chain = match strategy.start(&input, &mut random) {
            Ok(chain) => chain,
            Err(reason) => {
                refuse(&reason);
                c.refuse(slot, strategy.name());
                return Ok(result);
            }
        };
        let limit = if c.config.deterministic {
            c.config.most()
        } else {
            c.slots[slot].record.lock().unwrap_or_else(PoisonError::into_inner).limit
        };
        let mut own = begun;
        let (mut late, mut useless) = (0, 0);
        let mut spent = 0.0;
        let mut last: Option<Neighbour> = None;
        for step in 0..strategy.chain_length().min(VISIT) {
            if c.is_spent() {
                c.control.end();
            }
            if c.control.stopped() {
                break;
            }
            let mutant = match chain.step(&mut random) {
                Ok(m) => m,
                Err(reason) => {
                    refuse(&reason);
                    if step == 0 {
                        c.refuse(slot, strategy.name());
                    }
                    break;
                }
            };
            recipe.step = step;
            let truths = mutant
                .expect
                .iter()
                .map(|e| match e {
                    Expectation::Open => Truth::default(),
                    Expectation::Sat(Some(_)) => {
                        Truth { witness: true, label: Some(true), ..Truth::default() }
                    }
                    Expectation::Sat(None) => Truth { label: Some(true), ..Truth::default() },
                    Expectation::Unsat => Truth { label: Some(false), ..Truth::default() },
                })
                .collect();
            let before = last.take().filter(|_| mutant.follows == Follows::LastStep);
            let related = c.slowness.unknown && mutant.follows != Follows::Nothing;
            let mut test = Test {
                script: mutant.script,
                truths,
                recipe,
                seeds,
                what: mutant.what.into_owned(),
                expect: mutant.expect.into_owned(),
                slot,
                before: before.as_ref(),
            };
            let done = self.test(&mut test, &modes, limit)?;
            let Some(done) = done else { break };
            // What is refused under its options would be refused to the end of the chain.
            let refused = |t: &usize| done.overvaried.contains(t);
            for (t, mode) in &mut modes {
                // Two builds are compared in one mode.
                if refused(t) || c.config.compare && !done.overvaried.is_empty() {
                    *mode = mode.unvaried();
                }
            }
            if related {
                let options = PrintOptions {
                    logic: LogicChoice::Smallest,
                    strip_status: true,
                    ..PrintOptions::default()
                };
                let text = print(test.script, &options);
                last = Some(Neighbour { text, decided_by: done.decided_by.clone() });
            }
            result.tests += 1;
            result.decided += u32::from(done.decided);
            result.slow += u32::from(done.slow);
            result.near += u32::from(done.near);
            let now = cpu_of_thread();
            {
                let mut stats = c.stats();
                stats.tests += 1;
                stats.solver_cpu += done.cpu;
                let one = Yield {
                    tests: 1.0,
                    rejected: f64::from(u8::from(done.rejected)),
                    cpu: done.cpu + (now - own),
                    findings: f64::from(done.findings),
                };
                stats.add_yield(strategy.name(), one);
            }
            own = now;
            late = if done.slow && !done.decided { late + 1 } else { 0 };
            useless = if done.useless { useless + 1 } else { 0 };
            // A hard or refused seed never blocks the run; a schedule that is frozen does not look at time.
            spent += done.cpu;
            let dear = spent > VISIT_CPU && result.tests >= 5;
            if !c.config.deterministic && (late >= 2 || result.slow > 8 || dear) || useless >= 2 {
                break;
            }
        }
        Ok(result)
    }
}

/// CPU seconds of this thread.
fn cpu_of_thread() -> f64 {
    use nix::time::{ClockId, clock_gettime};
    match clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID) {
        Ok(t) => Duration::from(t).as_secs_f64(),
        Err(_) => 0.0,
    }
}
