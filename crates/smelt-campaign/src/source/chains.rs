//! Chains of strategies on seeds: which seed, which strategy, which partners, in which mode.

use std::sync::Arc;
use std::time::Duration;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use smelt_case::{OpSet, Origin, Recipe, SeedRef, stream};
use smelt_smtlib::Op;
use smelt_solver::{Mode, RunError};
use smelt_strategy::{Input, Strategy};
use smelt_triage::TargetId;
use smelt_trial::bench::Bench;
use smelt_trial::shrink::plain;

use super::chain::{ChainLease, MOST_STEPS};
use super::{CaseSource, Neighbour, Work};
use crate::control::Control;
use crate::facts::{Facts, Lesson};
use crate::journal::{Journal, LeaseLine};
use crate::offline::operators;
use crate::plan::{Chosen, Plan};
use crate::policy::{self, Policy};
use crate::schedule::{self, ChainResult};
use crate::seedbank::{Asked, Prepared, Slot};
use crate::tally::bump;

/// The seeds and strategies of a campaign.
pub struct Chains<'a> {
    pub(super) plan: &'a Plan,
    pub(super) control: &'a Control,
    pub(super) journal: &'a Journal,
    pub(super) run: i64,
    pub(super) slots: Vec<Slot>,
    facts: &'a dyn Facts,
}

impl<'a> Chains<'a> {
    /// All seeds of a plan, none of them looked at. What solvers say of seeds is remembered in the journal.
    pub fn new(
        plan: &'a Plan,
        control: &'a Control,
        (journal, run): (&'a Journal, i64),
        facts: &'a dyn Facts,
    ) -> Self {
        let slots = plan.seeds.iter().cloned().map(Slot::new).collect();
        Self { plan, control, journal, run, slots, facts }
    }

    /// CPU time for what is asked beside the mutants; a frozen schedule knows one limit only.
    pub(super) fn seed_limit(&self) -> Duration {
        policy::seed_limit(&self.plan.config)
    }

    /// Notes that a strategy made nothing of a seed.
    fn refuse(&self, seed: usize, strategy: &'static str, reason: &str, counts: bool) {
        bump(&mut self.control.tally().refusals, format!("{strategy}: {reason}"));
        if counts {
            self.facts.learn(Lesson::Refused { seed, strategy });
            self.end_if_barren();
        }
    }

    /// A seed is not to be used any more, if the campaign learns.
    fn give_up(&self, seed: usize, reason: &str) {
        self.facts.learn(Lesson::GiveUp { seed });
        if self.facts.is_given_up(seed) {
            self.skip(seed, reason);
        }
    }

    /// Counts and names a seed that is not used, or not any more.
    pub(super) fn skip(&self, seed: usize, reason: &str) {
        self.control.skip_seed(seed, reason);
        let _ = self.journal.skip(self.run, &self.slots[seed].file.name(), reason);
    }

    /// Ends a campaign in which no test can be made of any seed.
    fn end_if_barren(&self) {
        let barren = |(i, slot): (usize, &Slot)| slot.is_skipped() || self.facts.is_barren(i);
        if self.slots.iter().enumerate().all(barren) {
            let skipped = self.control.counts().skipped;
            let mut reasons: Vec<String> =
                skipped.iter().map(|(why, n)| format!("{n}: {why}")).collect();
            // A frozen schedule gives up no seed for that, and so has not counted it.
            let left = |&i: &usize| !self.slots[i].is_skipped() && !self.facts.is_given_up(i);
            let left = (0..self.slots.len()).filter(left).count();
            if left > 0 {
                reasons.push(format!("{left}: no strategy can use it"));
            }
            self.control.fail(format!("no seed can be used ({})", reasons.join("; ")));
        }
    }

    /// A seed that is ready; prepares it if nobody has.
    fn pick_seed(
        &self,
        random: &mut ChaCha8Rng,
        bench: &mut Bench<'_>,
        work: Work<'_>,
    ) -> Result<Option<(usize, Arc<Prepared>)>, RunError> {
        for _ in 0..1000 {
            if self.control.stopped() {
                return Err(RunError::Cancelled);
            }
            let unseen = self.facts.unseen(random);
            let i = unseen.unwrap_or_else(|| random.random_range(0..self.slots.len()));
            if self.slots[i].is_skipped() || self.facts.is_given_up(i) || !self.facts.turn(i) {
                continue;
            }
            if let Some(p) = self.obtain(i, bench, work)? {
                return Ok(Some((i, p)));
            }
        }
        self.end_if_barren();
        // Others are at the few seeds that there are.
        std::thread::sleep(Duration::from_millis(5));
        Ok(None)
    }

    /// A seed, prepared now if nobody has. `None` if it cannot be used or another worker is at it; a frozen schedule waits.
    fn obtain(
        &self,
        i: usize,
        bench: &mut Bench<'_>,
        work: Work<'_>,
    ) -> Result<Option<Arc<Prepared>>, RunError> {
        let slot = &self.slots[i];
        loop {
            match slot.ask() {
                Asked::Ready(p) => return Ok(Some(p)),
                Asked::Prepare => {
                    // Whatever happens meanwhile, the seed is not lost.
                    let _guard = Release(slot);
                    let prepared = self.prepare(i, bench, work)?;
                    if prepared.is_some() {
                        self.control.use_seed(i);
                    }
                    slot.settle(prepared);
                }
                Asked::No
                    if self.facts.is_frozen() && !slot.is_skipped() && !self.control.stopped() =>
                {
                    std::thread::sleep(Duration::from_millis(2));
                }
                Asked::No => return Ok(None),
            }
        }
    }

    /// Seeds that go with a seed: among those that are ready, or (in a frozen schedule) among all.
    fn partners(
        &self,
        strategy: &dyn Strategy,
        seed: &Arc<Prepared>,
        random: &mut ChaCha8Rng,
        bench: &mut Bench<'_>,
        work: Work<'_>,
    ) -> Result<Vec<Arc<Prepared>>, RunError> {
        let mut out: Vec<Arc<Prepared>> = Vec::new();
        for _ in 0..strategy.partners() * 20 {
            if out.len() >= strategy.partners() {
                break;
            }
            let i = random.random_range(0..self.slots.len());
            let found = match self.facts.is_frozen() {
                true => self.obtain(i, bench, work)?,
                false => self.slots[i].ready().filter(|_| !self.facts.is_given_up(i)),
            };
            let Some(p) = found else { continue };
            // What comes from a partner must be understood by every solver that takes the seed.
            let taken = seed.targets.iter().all(|t| p.targets.contains(t));
            if taken && p.seed.hash != seed.seed.hash && strategy.may_partner(&seed.seed, &p.seed) {
                out.push(p);
            }
        }
        Ok(out)
    }

    /// Which strategy a seed gets, with its parameters; `None` if there is none for it.
    fn pick_strategy(&self, seed: usize, random: &mut ChaCha8Rng) -> Option<&Chosen> {
        let usable = self.facts.usable(seed);
        let chosen: Vec<&Chosen> = usable.iter().map(|&i| &self.plan.strategies[i]).collect();
        let names: Vec<&str> = chosen.iter().map(|(s, _)| s.name()).collect();
        if names.is_empty() {
            return None;
        }
        let shares = self.facts.shares(&names, random);
        Some(chosen[schedule::pick(&shares, random)])
    }

    /// Who is asked about a chain on this seed, and how; and what all of them understand.
    fn who(&self, seed: &Prepared, random: &mut ChaCha8Rng) -> (Vec<(TargetId, Mode)>, OpSet) {
        let policy = self.plan.config.policy();
        let mode = policy.mode(random);
        let who = policy.who(&seed.targets, random);
        let mut ops = match policy {
            Policy::Releases => operators(&seed.seed, &[]),
            Policy::Peers | Policy::Compare => OpSet::all(),
        };
        who.iter().for_each(|&t| ops.intersect(&self.plan.panel.get(t).ops));
        if !(self.plan.config.without.is_empty() && self.plan.config.seed_only.is_empty()) {
            ops.intersect(&self.plan.operators(&seed.seed));
        }
        let mut modes: Vec<(TargetId, Mode)> = who
            .iter()
            .map(|&t| (t, seed.with_options(t, self.facts.vary(t, &mode, random))))
            .collect();
        if policy == Policy::Compare
            && let Some((_, chosen)) = modes.last().cloned()
        {
            // Two builds are compared in one mode.
            modes.iter_mut().for_each(|(_, m)| *m = chosen.clone());
        }
        (modes, ops)
    }

    /// Makes a chain and gives it to `work`; what came of it.
    fn chain(
        &self,
        (strategy, slot): (&'static dyn Strategy, usize),
        seeds: &[Arc<Prepared>],
        mut recipe: Recipe,
        random: &mut ChaCha8Rng,
        bench: &mut Bench<'_>,
        work: Work<'_>,
    ) -> Result<ChainResult, RunError> {
        let config = &self.plan.config;
        let (who, ops) = self.who(&seeds[0], random);
        recipe.without =
            Op::all().filter(|&op| !ops.contains(op)).map(|op| format!("{op:?}")).collect();
        let partners: Vec<&smelt_case::Seed> = seeds[1..].iter().map(|p| &p.seed).collect();
        let parameters = recipe.parameters.clone();
        let input =
            Input { seed: &seeds[0].seed, partners: &partners, ops: &ops, parameters: &parameters };
        self.control.tally().total.chains += 1;
        let mut random = recipe.stream();
        let chain = match strategy.start(&input, &mut random) {
            Ok(chain) => chain,
            Err(reason) => {
                self.refuse(slot, strategy.name(), &reason, true);
                return Ok(ChainResult::default());
            }
        };
        let checks = seeds[0].seed.checks.len() as u64;
        if strategy.leaves_checks_out() && checks > 1 {
            let mut tally = self.control.tally();
            *tally.checks_left_out.entry(strategy.name().to_owned()).or_default() += checks - 1;
        }
        let first = (config.policy() == Policy::Releases).then(|| {
            let text = plain(chain.first().unwrap_or(&seeds[0].seed.script));
            Neighbour { text, decided_by: seeds[0].decided_by.clone() }
        });
        let mut lease = ChainLease {
            chain,
            random,
            origin: Origin::Mutant(recipe),
            seeds,
            who,
            limit: self.facts.limit(slot),
            policy: config.policy(),
            frozen: self.facts.is_frozen(),
            compared: self.plan.wanted.unknown,
            last: first.clone(),
            first,
            before: None,
            left: strategy.chain_length().min(config.steps.unwrap_or(MOST_STEPS)),
            result: ChainResult::default(),
            refusal: None,
            refuted: false,
            late: 0,
            useless: 0,
            spent: 0.0,
            labelled: None,
        };
        work(bench, &mut lease)?;
        if let Some(reason) = &lease.refusal {
            self.refuse(slot, strategy.name(), reason, lease.result.tests == 0);
        }
        if lease.refuted {
            self.give_up(slot, "its status or a rule was refuted");
        }
        Ok(lease.result)
    }
}

impl CaseSource for Chains<'_> {
    fn lease(
        &self,
        seq: u64,
        bench: &mut Bench<'_>,
        work: Work<'_>,
    ) -> Result<Option<LeaseLine>, RunError> {
        let config = &self.plan.config;
        // The schedule has a stream of its own, beside those of the strategies.
        let mut random = stream(config.seed, seq, "schedule", &[]);
        let Some((slot, first)) = self.pick_seed(&mut random, bench, work)? else {
            return Ok(None);
        };
        let Some((strategy, parameters)) = self.pick_strategy(slot, &mut random) else {
            self.give_up(slot, "no strategy can use it");
            return Ok(None);
        };
        let mut seeds = vec![first];
        let partners = self.partners(*strategy, &seeds[0], &mut random, bench, work)?;
        seeds.extend(partners);
        let mut parameters = parameters.clone();
        self.plan.proofs.give_proofs(*strategy, &seeds[0].wanted, &mut parameters);
        let named =
            seeds.iter().map(|p| SeedRef { name: p.seed.name.clone(), hash: p.seed.hash.clone() });
        let recipe = Recipe {
            smelt: env!("CARGO_PKG_VERSION").to_owned(),
            strategy: strategy.name().to_owned(),
            parameters,
            without: Vec::new(),
            campaign: config.seed,
            seeds: named.collect(),
            chain: seq,
            step: 0,
        };
        let result = self.chain((*strategy, slot), &seeds, recipe, &mut random, bench, work)?;
        if result.tests == 0 {
            return Ok(None);
        }
        self.facts.learn(Lesson::Chain { seed: slot, result });
        let partners: Vec<&str> = seeds[1..].iter().map(|p| p.seed.hash.as_str()).collect();
        Ok(Some(LeaseLine {
            seq,
            worker: 0,
            seed: seeds[0].seed.hash.clone(),
            strategy: strategy.name(),
            partners: partners.join(" "),
            steps: result.tests,
        }))
    }
}

/// Gives a seed back when preparing it fails.
struct Release<'a>(&'a Slot);

impl Drop for Release<'_> {
    fn drop(&mut self) {
        self.0.release();
    }
}
