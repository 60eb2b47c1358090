//! A worker: takes chains from the schedule and tests their mutants, with sessions of its own.

use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use smelt_case::{Expectation, OpSet, Recipe, SeedRef, Status};
use smelt_smtlib::{LogicChoice, PrintOptions, Script, alpha_equal, parse, print};
use smelt_solver::{Answer, Limits, Outcome, RunError, Session};
use smelt_strategy::recheck::{Recheck, recheck};
use smelt_strategy::{Input, Strategy};
use smelt_triage::{
    Class, Diagnosis, Evidence, Grade, ModelVerdict, Observation, Truth, brute_force, diagnose,
    label_refuted,
};

use super::campaign::Campaign;
use super::confirm::{Candidate, Confirmed, Court};
use super::schedule::{self, ChainResult};
use super::seedbank::{self, Asked, Prepared, SeedAnswer, Slot};
use super::stats::bump;
use super::store::ChainLine;
use super::target::{Content, Mode, Target};
use super::{core, finding, incremental};

/// Steps of one chain before another seed has its turn.
const VISIT: u32 = 100;
/// CPU seconds of one chain before another seed has its turn: cheap seeds give more tests.
const VISIT_CPU: f64 = 1.0;
/// Sessions that a worker keeps for one solver.
const SESSIONS: usize = 3;
/// Mutants that grow beyond this are not worth their time.
const MAX_TEXT: usize = 64 << 10;
/// Every so many tests, a mutant is parsed again and compared.
const REPRINT_EVERY: u64 = 256;
/// Confirmations of one kind of suspicion on one seed.
const TRIES_PER_SEED: u32 = 2;
/// CPU time for the seeds themselves.
const SEED_LIMIT: Duration = Duration::from_secs(1);

/// A worker.
pub struct Worker<'c> {
    campaign: &'c Campaign,
    number: usize,
    /// Sessions of each target with their modes, the last used last.
    sessions: Vec<Vec<(Mode, Session)>>,
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
}

/// Gives a seed back when preparing it fails.
struct Release<'a>(&'a Slot);

impl Drop for Release<'_> {
    fn drop(&mut self) {
        self.0.release();
    }
}

/// What one test cost and gave.
#[derive(Default)]
struct Done {
    decided: bool,
    slow: bool,
    near: bool,
    rejected: bool,
    cpu: f64,
    findings: u32,
    /// Refused by every solver.
    useless: bool,
}

impl<'c> Worker<'c> {
    /// A worker of a campaign.
    pub fn new(campaign: &'c Campaign, number: usize) -> Self {
        let sessions = campaign.targets.iter().map(|_| Vec::new()).collect();
        Self { campaign, number, sessions, faults_in_a_row: 0, tests: 0 }
    }

    /// Works until the campaign ends. The error is one that ends the whole campaign.
    pub fn run(&mut self) -> Result<(), String> {
        while !self.campaign.stopped() {
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
                        return Err(format!("100 runs in a row failed, the last because: {e}"));
                    }
                    let pause = Duration::from_millis(50) * self.faults_in_a_row;
                    std::thread::sleep(pause.min(Duration::from_secs(1)));
                }
                Err(_) => {
                    self.campaign.stats().panics += 1;
                    self.campaign.say(format!(
                        "smelt: chain {seq} met a defect of smelt itself: please report it with the campaign seed"
                    ));
                    self.sessions.iter_mut().for_each(Vec::clear);
                }
            }
        }
        Ok(())
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
        let mut random = recipe.stream(Recipe::START);
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
            let yields: Vec<_> =
                names.iter().map(|n| stats.yields.get(n).copied().unwrap_or_default()).collect();
            drop(stats);
            schedule::shares(&yields)
        };
        let (strategy, parameters) = usable[schedule::pick(&shares, &mut random)];
        let mut seeds = vec![first];
        let partners = self.partners(*strategy, &seeds[0], &mut random)?;
        seeds.extend(partners);
        recipe.strategy = strategy.name().to_owned();
        recipe.parameters = parameters.clone();
        recipe.seeds = seeds
            .iter()
            .map(|p| SeedRef { name: p.seed.name.clone(), hash: p.seed.hash.clone() })
            .collect();
        let result = self.chain(*strategy, &seeds, &mut recipe, slot, &mut random)?;
        if result.tests == 0 {
            return Ok(());
        }
        c.slots[slot].record.lock().unwrap_or_else(PoisonError::into_inner).learn(result, c.most());
        c.journal(ChainLine {
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

    /// A seed that is ready; prepares it if nobody has.
    fn pick_seed(
        &mut self,
        random: &mut ChaCha8Rng,
    ) -> Result<Option<(usize, Arc<Prepared>)>, RunError> {
        let c = self.campaign;
        for _ in 0..1000 {
            if c.stopped() {
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
            c.fail("no seed can be used".to_owned());
        }
        // Others are at the few seeds that there are.
        std::thread::sleep(Duration::from_millis(5));
        Ok(None)
    }

    /// A seed, prepared now if nobody has. `None` if it cannot be used or another worker is at it; a frozen schedule waits.
    fn obtain(&mut self, i: usize) -> Result<Option<Arc<Prepared>>, RunError> {
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
                Asked::No if c.config.deterministic && !slot.is_skipped() && !c.stopped() => {
                    std::thread::sleep(Duration::from_millis(2));
                }
                Asked::No => return Ok(None),
            }
        }
    }

    /// Seeds that go with a seed: among those that are ready, or (in a frozen schedule) among all.
    fn partners(
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
            // The reason without its details, which would make every seed a kind of its own.
            let kind = reason.split(':').next().unwrap_or("").to_owned();
            bump(&mut c.stats().skipped, kind);
            let _ = c.store.skip(c.run, &slot.origin.name(), &reason);
        };
        let (text, mut script) = match seedbank::read(&slot.origin) {
            Ok(read) => read,
            Err(reason) => {
                skip(reason);
                return Ok(None);
            }
        };
        let content = Content::of(&script);
        let printed = print(&script, &PrintOptions::default());
        let targets: Vec<usize> =
            (0..c.targets.len()).filter(|&t| c.targets[t].takes(&content, &printed)).collect();
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
        for &t in &targets {
            let target = &c.targets[t];
            let sent = target.print(&script, &mode);
            let key = seedbank::cache_key(sent.text(), target, limit);
            if let Ok(Some((answer, model, _))) = c.store.answer(&key)
                && queries.len() == 1
            {
                let verdict = match answer.as_str() {
                    "sat" => Some(smelt_solver::Verdict::Sat),
                    "unsat" => Some(smelt_solver::Verdict::Unsat),
                    _ => None,
                };
                if matches!(answer.as_str(), "rejected" | "unsupported") {
                    refused.push(t);
                }
                answers.push((target, vec![SeedAnswer { verdict, model }]));
                continue;
            }
            let outcome = self.ask(t, &mode, &sent, limit)?;
            let seen = target.observe(&mut script, &queries, &outcome);
            let said: Vec<SeedAnswer> = seen
                .iter()
                .zip(&outcome.checks)
                .map(|(o, check)| SeedAnswer {
                    verdict: o.answer.decided(),
                    model: check.model.clone().filter(|_| o.model == Some(ModelVerdict::True)),
                })
                .collect();
            if let ([one], [check]) = (said.as_slice(), outcome.checks.as_slice()) {
                let cpu = outcome.cpu.as_secs_f64();
                to_cache.push((key, check.answer.kind(), one.model.clone(), cpu));
            }
            known.push((t, outcome));
            answers.push((target, said));
        }
        refused.extend(known.iter().filter_map(|(t, o): &(usize, Outcome)| match o.answer() {
            Some(Answer::Rejected { .. } | Answer::Unsupported(_)) => Some(*t),
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
        let seed = seedbank::make(slot.origin.name(), &text, script, &facts);
        if usable.is_empty() {
            skip("refused by every solver".to_owned());
            return Ok(None);
        }
        let prepared = Arc::new(Prepared { seed, text, facts, targets: usable });
        // The seed itself is the first test: what fails on it is no merit of a strategy.
        if !known.is_empty() {
            let mut script = prepared.seed.workspace();
            let truths = (0..queries.len())
                .map(|k| Truth {
                    label: seedbank::label(&prepared.seed.script, queries[k].command),
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
            };
            let runs = known.into_iter().map(|(t, o)| (t, mode.clone(), o)).collect::<Vec<_>>();
            self.judge(&mut test, &runs)?;
        }
        // Only now: what was not judged must be asked again.
        for (key, kind, model, cpu) in to_cache {
            let _ = c.store.put_answer(&key, kind, model.as_deref(), cpu);
        }
        Ok(Some(prepared))
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
        if let Ok(Some((_, model, _))) = c.store.answer(&key) {
            return Ok(model);
        }
        let outcome = self.ask(target, &Mode::plain(), &sent, limit)?;
        let queries = negated.queries();
        let seen = c.targets[target].observe(&mut negated, &queries, &outcome);
        let ([seen], [check]) = (&*seen, &*outcome.checks) else { return Ok(None) };
        let model = check.model.clone().filter(|_| seen.model == Some(ModelVerdict::True));
        let cpu = outcome.cpu.as_secs_f64();
        let _ = c.store.put_answer(&key, check.answer.kind(), model.as_deref(), cpu);
        Ok(model)
    }

    /// Makes a chain of mutants and tests each.
    fn chain(
        &mut self,
        strategy: &'static dyn Strategy,
        seeds: &[Arc<Prepared>],
        recipe: &mut Recipe,
        slot: usize,
        random: &mut ChaCha8Rng,
    ) -> Result<ChainResult, RunError> {
        let c = self.campaign;
        let mut result = ChainResult::default();
        let mode = Mode::choose(random);
        let targets = &seeds[0].targets;
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
        let mut chain = match strategy.start(&input, &mut recipe.stream(Recipe::START)) {
            Ok(chain) => chain,
            Err(reason) => {
                refuse(&reason);
                c.refuse(slot, strategy.name());
                return Ok(result);
            }
        };
        let limit = if c.config.deterministic {
            c.most()
        } else {
            c.slots[slot].record.lock().unwrap_or_else(PoisonError::into_inner).limit
        };
        let mut own = begun;
        let (mut late, mut useless) = (0, 0);
        let mut spent = 0.0;
        for step in 0..strategy.chain_length().min(VISIT) {
            if c.config.tests.is_some_and(|n| c.stats().tests >= n) {
                c.end();
            }
            if c.stopped() {
                break;
            }
            let mut stream = recipe.stream(step);
            let mutant = match chain.step(&mut stream) {
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
            let mut test = Test {
                script: mutant.script,
                truths,
                recipe,
                seeds,
                what: mutant.what,
                expect: mutant.expect,
                slot,
            };
            let done = self.test(&mut test, &modes, limit)?;
            let Some(done) = done else { break };
            result.tests += 1;
            result.decided += u32::from(done.decided);
            result.slow += u32::from(done.slow);
            result.near += u32::from(done.near);
            let now = cpu_of_thread();
            {
                let mut stats = c.stats();
                stats.tests += 1;
                stats.solver_cpu += done.cpu;
                let y = stats.yields.entry(strategy.name()).or_default();
                y.tests += 1.0;
                y.rejected += f64::from(u8::from(done.rejected));
                y.cpu += done.cpu + (now - own);
                y.findings += f64::from(done.findings);
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

    /// CPU time for what is asked beside the mutants; a frozen schedule knows one limit only.
    fn seed_limit(&self) -> Duration {
        let most = self.campaign.most();
        if self.campaign.config.deterministic { most } else { SEED_LIMIT.min(most) }
    }

    /// Gives one mutant to the solvers and judges what they say. `None` if it is too large.
    fn test(
        &mut self,
        test: &mut Test<'_>,
        modes: &[(usize, Mode)],
        limit: Duration,
    ) -> Result<Option<Done>, RunError> {
        let c = self.campaign;
        self.tests += 1;
        if self.tests.is_multiple_of(REPRINT_EVERY) {
            self.reprint(test.script);
        }
        let mut named = None;
        let mut done = Done::default();
        let mut runs: Vec<(usize, Mode, Outcome)> = Vec::new();
        let mut refused = 0;
        let content = Content::of(test.script);
        for (t, mode) in modes {
            let target = &c.targets[*t];
            let script: &Script = if mode.cores && target.has_cores {
                named.get_or_insert_with(|| core::named(test.script))
            } else {
                test.script
            };
            let sent = target.print(script, mode);
            if sent.text().len() > MAX_TEXT {
                return Ok(None);
            }
            if !target.takes(&content, sent.text()) {
                bump(&mut c.stats().untaken, target.label.clone());
                continue;
            }
            let outcome = self.ask(*t, mode, &sent, limit)?;
            done.cpu += (outcome.cpu + outcome.overhead_cpu).as_secs_f64();
            let kind = outcome.answer().map_or("nothing", Answer::kind);
            let mut stats = c.stats();
            bump(&mut stats.answers, format!("{} {kind}", target.label));
            if let Some(Answer::Rejected { error, .. } | Answer::Unsupported(error)) =
                outcome.answer()
            {
                let unknown_option = target.learn(mode, &outcome);
                // What an option forbids says nothing about the mutant.
                if !unknown_option && !mode.options.is_empty() {
                    let with = format!("{} with {}", target.label, mode.options.join(" "));
                    bump(&mut stats.untaken, with);
                } else if !unknown_option {
                    let reason = format!("{} {kind}: {}", target.label, reason_kind(error));
                    bump(&mut stats.rejections, reason);
                    done.rejected = true;
                }
                refused += 1;
            }
            drop(stats);
            for answer in outcome.answers() {
                done.decided |= answer.decided().is_some();
                done.slow |= matches!(answer, Answer::Timeout(_));
                done.near |= answer.decided().is_some() && outcome.cpu > limit / 2;
            }
            runs.push((*t, mode.clone(), outcome));
        }
        done.useless = refused == runs.len();
        done.findings = self.judge(test, &runs)?;
        Ok(Some(done))
    }

    /// A solver's answer to a script, from a warm session.
    fn ask(
        &mut self,
        target: usize,
        mode: &Mode,
        script: &smelt_solver::Script,
        limit: Duration,
    ) -> Result<Outcome, RunError> {
        let c = self.campaign;
        let pool = &mut self.sessions[target];
        let at = match pool.iter().position(|(m, _)| m == mode) {
            Some(at) => at,
            None => {
                if pool.len() >= SESSIONS {
                    // The plain session is used most: it is never the one to go.
                    let oldest = pool.iter().position(|(m, _)| *m != Mode::plain()).unwrap_or(0);
                    pool.remove(oldest);
                }
                let mut limits = Limits::cpu(limit);
                if c.config.deterministic {
                    let rate = c.targets[target].solver.profile().resource_limit.as_ref();
                    limits.resource =
                        rate.map(|r| (r.per_cpu_second as f64 * limit.as_secs_f64()) as u64);
                    // Time is only the backstop.
                    limits.cpu = Some(limit * 20);
                    limits.wall = limit * 60;
                }
                pool.push((mode.clone(), c.targets[target].session(mode, limits, &c.cancel)));
                pool.len() - 1
            }
        };
        let mut entry = pool.remove(at);
        if !c.config.deterministic {
            entry.1.set_time(limit, limit * 4 + Duration::from_secs(1));
        }
        let outcome = entry.1.run(script, mode.requests());
        entry.1.prepare();
        pool.push(entry);
        outcome
    }

    /// Looks for contradictions, confirms and keeps what can be shown. Gives the number of new findings.
    fn judge(
        &mut self,
        test: &mut Test<'_>,
        runs: &[(usize, Mode, Outcome)],
    ) -> Result<u32, RunError> {
        let c = self.campaign;
        let queries = test.script.queries();
        let mut seen: Vec<(usize, Vec<Observation>)> = Vec::with_capacity(runs.len());
        for (t, _, outcome) in runs {
            let all = c.targets[*t].observe(test.script, &queries, outcome);
            seen.push((*t, all));
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
            if all.iter().any(|d| d.evidence.grade() == Grade::Weak) {
                truth.brute_force = brute_force(test.script, query);
                all = diagnose(&here, truth);
            }
            all.extend(c.slowness.diagnose(&here));
            if label_refuted(&here, truth) && test.recipe.strategy != "seed" {
                // What rests on the label falls; what is proven stands.
                self.quarantine(test, k);
                all.retain(|d| d.evidence.grade() == Grade::Proven);
            }
            for d in all {
                let Some(n) = here.iter().position(|o| o.solver == d.solver) else { continue };
                // The base is no better: nothing that the new one does worse.
                let shared = c.config.compare && same_on_base(&here, &d);
                if !c.reports(who[n], d.class) || shared {
                    continue;
                }
                let run = runs.iter().find(|(t, _, _)| *t == who[n]);
                let Some((_, mode, _)) = run else { continue };
                found +=
                    u32::from(self.pursue(test, truth, &here[n], d, who[n], k, mode.clone())?);
            }
        }
        Ok(found)
    }

    /// The same solver on each check alone.
    fn compare_flat(
        &mut self,
        script: &Script,
        queries: &[smelt_smtlib::Query],
        runs: &[(usize, Mode, Outcome)],
        seen: &mut [(usize, Vec<Observation>)],
    ) -> Result<(), RunError> {
        let limit = self.seed_limit();
        for ((t, all), (_, mode, _)) in seen.iter_mut().zip(runs) {
            let plain = Mode { push_pop: false, cores: false, ..mode.clone() };
            for (o, q) in all.iter_mut().zip(queries) {
                if o.answer.decided().is_none() {
                    continue;
                }
                let mut flat = incremental::flatten(script, q);
                let target: &Target = &self.campaign.targets[*t];
                let sent = target.print(&flat, &plain);
                let outcome = self.ask(*t, &plain, &sent, limit)?;
                let alone = flat.queries();
                let judged = target.observe(&mut flat, &alone, &outcome);
                o.flat = judged.first().and_then(incremental::verdict);
            }
        }
        Ok(())
    }

    /// Runs unsat cores alone.
    fn refute_cores(
        &mut self,
        script: &Script,
        runs: &[(usize, Mode, Outcome)],
        seen: &mut [(usize, Vec<Observation>)],
    ) -> Result<(), RunError> {
        let limit = self.seed_limit();
        for (i, (_, mode, outcome)) in runs.iter().enumerate() {
            let [check] = outcome.checks.as_slice() else { continue };
            let (true, Some(text)) = (mode.cores, &check.core) else { continue };
            let Some(mut part) = core::core_script(&core::named(script), text) else { continue };
            let queries = part.queries();
            let targets: Vec<usize> = runs.iter().map(|(t, _, _)| *t).collect();
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

    /// Confirms one accusation and keeps it; true if it is a new finding.
    #[expect(clippy::too_many_arguments, reason = "one call, all of it needed")]
    fn pursue(
        &mut self,
        test: &Test<'_>,
        truth: Truth,
        seen: &Observation,
        d: Diagnosis,
        accused: usize,
        check: usize,
        mode: Mode,
    ) -> Result<bool, RunError> {
        let c = self.campaign;
        // A crash tells its signature at once; other suspicions are alike when solver, class and seed are.
        let profile = &c.targets[accused].solver.profile().name;
        let weak = d.evidence.grade() == Grade::Weak;
        let key = match &seen.answer {
            Answer::Crash(crash) if d.class == Class::Crash => {
                let signature = format!("{profile} {}: {}", d.class.word(), crash.signature());
                if c.is_known(&c.targets[accused].label, &signature) {
                    c.duplicate(&signature);
                    return Ok(false);
                }
                format!("{accused} {signature}")
            }
            _ => format!("{accused} {} {weak} {}", d.class.word(), test.recipe.seeds[0].hash),
        };
        if !c.worth_trying(&key, TRIES_PER_SEED) {
            c.stats().duplicates += 1;
            return Ok(false);
        }
        let targets: Vec<&Target> = c.targets.iter().collect();
        let arbiters: Vec<&Target> = c.arbiters.iter().collect();
        let court = Court {
            targets: &targets,
            arbiters: &arbiters,
            cpu: (c.most() * 2).max(Duration::from_secs(5)),
            slowness: &c.slowness,
            cancel: &c.cancel_all,
        };
        let candidate = Candidate {
            accused,
            class: d.class,
            check,
            transcript: self.sessions[accused]
                .iter()
                .find(|(m, _)| *m == mode)
                .map(|(_, s)| s.transcript().to_owned())
                .unwrap_or_default(),
            mode,
        };
        let named;
        let script = if d.class == Class::InvalidCore {
            named = core::named(test.script);
            &named
        } else {
            &*test.script
        };
        // A witness is checked once more, apart from the strategy that made it, before it proves anything.
        let mut truth = truth;
        if truth.witness && !matches!(recheck(test.script, &test.expect), Recheck::Agrees(_)) {
            truth.witness = false;
        }
        let Some(confirmed) = court.confirm(script, truth, &candidate)? else {
            c.in_vain(key);
            let mut stats = c.stats();
            if weak {
                stats.unsettled += 1;
                drop(stats);
                self.note_unsettled(test, &d);
            } else {
                stats.vanished += 1;
            }
            return Ok(false);
        };
        if c.config.compare && self.base_too(&confirmed)? {
            c.in_vain(key);
            return Ok(false);
        }
        let made_with = match test.expect.get(check) {
            Some(Expectation::Sat(Some(model))) if truth.witness => Some(model.as_ref()),
            _ => None,
        };
        let made = finding::Made {
            recipe: test.recipe,
            seeds: test.seeds,
            original: test.script,
            what: &test.what,
            witness: made_with,
        };
        let contents = finding::contents(c, &made, accused, confirmed);
        let f = &contents.finding;
        let version = c.targets[accused].solver.version();
        if c.known.find(&f.profile, version, f.class, &f.signature).is_some() {
            c.stats().suppressed += 1;
            c.in_vain(key);
            return Ok(false);
        }
        let new = c.keep(contents);
        if !new {
            c.in_vain(key);
        }
        Ok(new)
    }

    /// Whether the base does the same in the same mode, or cannot be asked: then the new build is not worse.
    fn base_too(&self, found: &Confirmed) -> Result<bool, RunError> {
        let base = &self.campaign.targets[0];
        let mut script = found.script.clone();
        let sent = base.print(&script, &found.mode);
        if !base.takes(&Content::of(&script), sent.text()) {
            return Ok(true);
        }
        let cpu = (self.campaign.most() * 2).max(Duration::from_secs(5));
        let outcome = base.run_cold(&sent, &found.mode, cpu, &self.campaign.cancel_all)?;
        let queries = script.queries();
        let seen = base.observe(&mut script, &queries, &outcome);
        let Some(o) = seen.get(found.check) else { return Ok(true) };
        let new = &found.seen[0];
        Ok(match found.diagnosis.class {
            // The diagnosis itself rests on what the base says.
            Class::IncompletenessRegression | Class::PerformanceRegression => false,
            Class::Crash => matches!(o.answer, Answer::Crash(_)),
            Class::InvalidModel => {
                matches!(o.model, Some(ModelVerdict::False(_))) || o.complaint.is_some()
            }
            Class::FalseAlarm => o.complaint.is_some(),
            _ => {
                o.answer.kind() == new.answer.kind() && found.diagnosis.class != Class::InvalidCore
            }
        })
    }

    /// Keeps a disagreement that nobody could settle, one per seed and solver, for people to look at.
    fn note_unsettled(&self, test: &Test<'_>, d: &Diagnosis) {
        if matches!(d.evidence, Evidence::Label) {
            return;
        }
        let text = print(
            test.script,
            &PrintOptions { logic: LogicChoice::Smallest, ..PrintOptions::default() },
        );
        let head = format!("; {d}\n; {}\n", test.what.replace('\n', " "));
        let name: String =
            format!("{}-{}", d.class.word(), &smelt_case::digest(text.as_bytes())[..8]);
        let _ = super::note(&self.campaign.folder, "unsettled", &name, &(head + &text));
    }

    /// What smelt expected is wrong: nobody is accused, and the case is kept for us to look at.
    fn quarantine(&self, test: &Test<'_>, check: usize) {
        let c = self.campaign;
        c.stats().quarantined += 1;
        c.slots[test.slot].settle(None);
        bump(&mut c.stats().skipped, "its status or a rule was refuted".to_owned());
        let text = print(
            test.script,
            &PrintOptions { logic: LogicChoice::Smallest, ..PrintOptions::default() },
        );
        let head = format!(
            "; check {}: the expectation of {} is refuted by a true model\n; seed {}\n; {}\n",
            check + 1,
            test.recipe.strategy,
            test.recipe.seeds[0].name,
            test.what.replace('\n', " ")
        );
        let name = smelt_case::digest(text.as_bytes())[..12].to_owned();
        let _ = super::note(&c.folder, "quarantine", &name, &(head + &text));
    }

    /// A mutant must survive printing and parsing; if it does not, smelt is wrong.
    fn reprint(&self, script: &Script) {
        let options = PrintOptions {
            logic: LogicChoice::Smallest,
            strip_status: true,
            ..PrintOptions::default()
        };
        let text = print(script, &options);
        let same = parse(text.as_bytes()).is_ok_and(|mut back| {
            let mut own = script.clone();
            // The header is the printer's.
            let plain = |s: &mut Script| {
                s.commands.retain(|c| {
                    !matches!(
                        c,
                        smelt_smtlib::Command::SetLogic(_) | smelt_smtlib::Command::SetInfo(..)
                    )
                });
            };
            plain(&mut back);
            plain(&mut own);
            alpha_equal(&own, &back).is_ok()
        });
        if !same {
            self.campaign.stats().reprint_failures += 1;
            let name = smelt_case::digest(text.as_bytes())[..12].to_owned();
            let _ = super::note(&self.campaign.folder, "reprint-failures", &name, &text);
        }
    }
}

/// Whether the base (the first solver) is accused of the same.
fn same_on_base(here: &[Observation], d: &Diagnosis) -> bool {
    let Some(base) = here.first().filter(|o| o.solver != d.solver) else { return false };
    let Some(new) = here.iter().find(|o| o.solver == d.solver) else { return false };
    match (&base.answer, &new.answer) {
        (Answer::Crash(a), Answer::Crash(b)) => a.signature() == b.signature(),
        (a, b) => {
            let bad = |o: &Observation| matches!(o.model, Some(ModelVerdict::False(_)));
            a.kind() == b.kind() && bad(base) == bad(new)
        }
    }
}

/// A refusal without names and numbers, so that the same reason is counted once.
fn reason_kind(error: &str) -> String {
    let line = error.lines().find(|l| !l.trim().is_empty()).unwrap_or("");
    let mut out = String::new();
    for ch in line.chars().take(160) {
        if ch.is_ascii_digit() {
            if !out.ends_with('#') {
                out.push('#');
            }
        } else {
            out.push(ch);
        }
    }
    out
}

/// CPU seconds of this thread.
fn cpu_of_thread() -> f64 {
    use nix::time::{ClockId, clock_gettime};
    match clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID) {
        Ok(t) => Duration::from(t).as_secs_f64(),
        Err(_) => 0.0,
    }
}
