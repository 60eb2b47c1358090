//! A worker: takes chains from the schedule and tests their mutants, with sessions of its own.
//!
//! `seeds` chooses seeds and prepares them, `chain` makes mutants, `sessions` and `test` give them to solvers, `judge` looks for
//! contradictions, `pursue` confirms and keeps what can be shown.

mod chain;
mod judge;
mod pursue;
mod seeds;
mod sessions;
mod test;

use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use smelt_case::{Expectation, Recipe, SeedRef};
use smelt_smtlib::{Reprinter, Script};
use smelt_solver::Mode;
use smelt_solver::{Outcome, RunError, Session};
use smelt_strategy::Strategy;
use smelt_triage::Truth;
use smelt_trial::Target;

use crate::campaign::Campaign;
use crate::journal::LeaseLine;
use crate::schedule;
use crate::seedbank::Prepared;
use crate::tally::bump;

/// CPU time for the seeds themselves.
const SEED_LIMIT: Duration = Duration::from_secs(1);

/// A worker.
pub struct Worker<'c> {
    campaign: &'c Campaign,
    number: usize,
    /// Sessions of each target with their modes, the last used last.
    sessions: Vec<Vec<(Mode, Session)>>,
    /// Prints the mutants for each target.
    printers: Vec<Reprinter>,
    faults_in_a_row: u32,
    tests: u64,
}

/// A mutant on its way through the solvers.
struct Test<'a> {
    script: &'a mut Script,
    truths: Vec<Truth>,
    recipe: &'a Recipe,
    /// The seeds' texts.
    seeds: &'a [Arc<Prepared>],
    what: String,
    /// What the strategy knows, with its witnesses.
    expect: Vec<Expectation>,
    /// Which seed.
    slot: usize,
    /// The script that the last step came from, if it must have the same answer.
    before: Option<&'a Neighbour>,
}

/// A script that is related to the next one of its chain.
struct Neighbour {
    text: String,
    /// The targets that decide it as expected.
    decided_by: Vec<usize>,
}

/// What one solver said to a script.
struct Run {
    /// Which target.
    target: usize,
    mode: Mode,
    outcome: Outcome,
    /// Where in the life of its session.
    moment: Moment,
}

/// A point in the life of a session: which of its processes, and how much that one had been sent.
#[derive(Clone, Copy, Default)]
struct Moment {
    process: u64,
    sent: usize,
}

impl<'c> Worker<'c> {
    /// A worker of a campaign.
    pub fn new(campaign: &'c Campaign, number: usize) -> Self {
        let sessions = campaign.targets.iter().map(|_| Vec::new()).collect();
        let printers = campaign.targets.iter().map(Target::reprinter).collect();
        Self { campaign, number, sessions, printers, faults_in_a_row: 0, tests: 0 }
    }

    /// Works until the campaign ends, or ends it because nothing can be run any more.
    pub fn run(&mut self) {
        while !self.campaign.control.stopped() {
            let seq = self.campaign.next.fetch_add(1, Ordering::Relaxed);
            // A defect of smelt costs the chain that met it, not the campaign.
            let visit = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| self.visit(seq)));
            match visit {
                Ok(Ok(())) => self.faults_in_a_row = 0,
                Ok(Err(RunError::Cancelled)) => {}
                Ok(Err(e)) => {
                    self.campaign.stats().faults += 1;
                    self.faults_in_a_row += 1;
                    self.sessions.iter_mut().for_each(Vec::clear);
                    if self.faults_in_a_row >= 100 {
                        let why = format!("100 runs in a row failed, the last because: {e}");
                        return self.campaign.control.fail(why);
                    }
                    let pause = Duration::from_millis(50) * self.faults_in_a_row;
                    std::thread::sleep(pause.min(Duration::from_secs(1)));
                }
                Err(_) => {
                    self.campaign.stats().panics += 1;
                    self.campaign.control.say(format!(
                        "smelt: chain {seq} met a defect of smelt itself: please report it with the campaign seed"
                    ));
                    self.sessions.iter_mut().for_each(Vec::clear);
                }
            }
        }
    }

    /// One entry of the schedule: a chain of one strategy on one seed.
    fn visit(&mut self, seq: u64) -> Result<(), RunError> {
        let c = self.campaign;
        let mut recipe = Recipe {
            smelt: env!("CARGO_PKG_VERSION").to_owned(),
            strategy: "schedule".to_owned(),
            parameters: Vec::new(),
            without: Vec::new(),
            campaign: c.config.seed,
            seeds: Vec::new(),
            chain: seq,
            step: 0,
        };
        let mut random = recipe.stream();
        let Some((slot, first)) = self.pick_seed(&mut random)? else { return Ok(()) };
        let usable: Vec<&(&'static dyn Strategy, Vec<String>)> =
            c.strategies.iter().filter(|(s, _)| !c.is_refused(slot, s.name())).collect();
        if usable.is_empty() {
            bump(&mut c.stats().skipped, "no strategy can use it".to_owned());
            c.slots[slot].settle(None);
            return Ok(());
        }
        let names: Vec<&'static str> = usable.iter().map(|(s, _)| s.name()).collect();
        let shares = if c.config.deterministic {
            vec![1.0; names.len()]
        } else {
            let stats = c.stats();
            let yields: Vec<_> = names.iter().map(|n| stats.yield_of(n)).collect();
            drop(stats);
            schedule::shares(&yields, &mut random)
        };
        let (strategy, parameters) = usable[schedule::pick(&shares, &mut random)];
        let mut seeds = vec![first];
        let partners = self.partners(*strategy, &seeds[0], &mut random)?;
        seeds.extend(partners);
        recipe.strategy = strategy.name().to_owned();
        recipe.parameters = parameters.clone();
        c.proofs.give_proofs(*strategy, &seeds[0].wanted, &mut recipe.parameters);
        recipe.seeds = seeds
            .iter()
            .map(|p| SeedRef { name: p.seed.name.clone(), hash: p.seed.hash.clone() })
            .collect();
        let result = self.chain(*strategy, &seeds, &mut recipe, slot, &mut random)?;
        if result.tests == 0 {
            return Ok(());
        }
        c.slots[slot]
            .record
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .learn(result, c.config.most());
        c.journal(LeaseLine {
            seq,
            worker: self.number,
            seed: seeds[0].seed.hash.clone(),
            strategy: strategy.name(),
            chain: seq,
            partners: recipe.seeds[1..]
                .iter()
                .map(|s| s.hash.as_str())
                .collect::<Vec<_>>()
                .join(" "),
            steps: result.tests,
        });
        Ok(())
    }

    /// CPU time for what is asked beside the mutants; a frozen schedule knows one limit only.
    fn seed_limit(&self) -> Duration {
        let most = self.campaign.config.most();
        if self.campaign.config.deterministic { most } else { SEED_LIMIT.min(most) }
    }
}
