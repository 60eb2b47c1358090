//! The words of a grammar, in order: a position of the schedule is a block of places.

use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use dashu_int::UBig;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};
use smelt_case::{Cost, GrammarRef, Index, Origin, digest};
use smelt_smtlib::{Script, parse};
use smelt_solver::{Mode, RunError};
use smelt_strategy::grammar::{Derivation, Enumerator, Grammar, Symmetry};
use smelt_triage::{TargetId, Truth};
use smelt_trial::Target;
use smelt_trial::bench::Bench;

use super::{Case, CaseSource, Done, Lease, Seen, Work};
use crate::control::Control;
use crate::journal::LeaseLine;
use crate::plan::Plan;
use crate::tally::Counts;

/// Words of one position.
const BLOCK: u64 = 32;

/// Places beyond 10 to this power are not looked for: their tables would not fit into memory.
const DIGITS: usize = 4000;

/// Which words of a grammar are tested; kept in the journal for `--resume`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Enumeration {
    /// The grammar's name, for people.
    pub name: String,
    /// Its text.
    pub text: String,
    /// What its sizes are.
    pub cost: Cost,
    /// The first place, in decimal digits.
    pub from: String,
    /// How many places; without it, as many as there are.
    pub count: Option<u64>,
    /// Words of this size only; `from` counts from the first of them.
    pub size: Option<u32>,
    /// Random words of the size instead of all in order: the seed of randomness.
    pub sample: Option<u64>,
    /// The part of all blocks that is tested here, from 0, and how many parts there are.
    pub shard: (u64, u64),
    /// Words are passed over that say the same as an earlier one with other names for the variables.
    pub canonical: bool,
    /// Words are passed over, too, that say the same as an earlier one with exchanged arguments.
    pub commutative: bool,
    /// The logic that scripts are declared in, if not the smallest that holds each.
    pub logic: Option<String>,
}

/// The words that an [`Enumeration`] names, ready to be walked over.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// All words, counted as far as they are needed.
    pub words: Enumerator,
    /// The first place.
    pub from: UBig,
    /// How many places there are in all shards.
    pub count: u64,
    asked: Enumeration,
}

impl Chosen {
    /// Reads the grammar and counts its words; an error says what is wrong with it, or that it has no such words.
    pub fn new(asked: &Enumeration) -> Result<Self> {
        let file = &asked.name;
        let shown = |e: smelt_smtlib::Error| {
            anyhow!("{}", e.render(asked.text.as_bytes(), file).trim_end())
        };
        let grammar = Grammar::read(&asked.text).map_err(shown)?;
        let mut words = Enumerator::new(&grammar, asked.cost).map_err(shown)?;
        if asked.from.len() > DIGITS {
            bail!("--from: smelt looks for places up to 10^{DIGITS}");
        }
        let mut from: UBig = asked.from.parse().ok().context("--from is no whole number")?;
        let mut most = None;
        if let Some(size) = asked.size {
            words.reach_size(size);
            let of_size = words.count(size).clone();
            if of_size <= from {
                bail!(
                    "grammar {file} has {of_size} words of size {size}, and none from number {from} of them on"
                );
            }
            most = asked.sample.is_none().then(|| &of_size - &from);
            from += words.first_of(size);
        }
        if !words.reach(&from) {
            bail!("grammar {file} has {} words, and none at number {from}", words.below());
        }
        let wanted = UBig::from(asked.count.unwrap_or(u64::MAX));
        let mut count = most.map_or(wanted.clone(), |most| most.min(wanted));
        if asked.sample.is_none() && asked.size.is_none() {
            if asked.count.is_none() && !words.is_whole() {
                bail!(
                    "a number of words (-n) or a size (--size) is needed: grammar {file} may have no end of them"
                );
            }
            if !words.reach(&(&from + &count)) {
                count = words.below() - &from;
            }
        }
        let count = u64::try_from(&count)
            .ok()
            .context("there are more words than can be tested: -n takes some of them")?;
        Ok(Self { words, from, count, asked: asked.clone() })
    }

    /// How many positions this shard has.
    pub fn positions(&self) -> u64 {
        let (own, shards) = self.asked.shard;
        let blocks = self.count.div_ceil(BLOCK);
        blocks.saturating_sub(own).div_ceil(shards)
    }

    /// Calls `each` with the words of a position and their places, and `passed` for each that is passed over, until `each` says that it is enough.
    pub fn each(
        &self,
        seq: u64,
        passed: &mut dyn FnMut(),
        each: &mut dyn FnMut(&UBig, &Derivation) -> Result<bool, RunError>,
    ) -> Result<(), RunError> {
        let (own, shards) = self.asked.shard;
        let first = (seq * shards + own) * BLOCK;
        let number = BLOCK.min(self.count.saturating_sub(first));
        let wants = self.asked.canonical || self.asked.commutative;
        let mut symmetry = wants.then(|| Symmetry::new(&self.words, self.asked.commutative));
        let begin = &self.from + first;
        let mut walk = self.words.words_from(&begin);
        let mut drawn = Derivation::default();
        for i in 0..number {
            let (index, word) = match (self.asked.sample, self.asked.size) {
                (Some(seed), Some(size)) => {
                    let mut random = ChaCha8Rng::seed_from_u64(seed);
                    random.set_stream(first + i);
                    let Some(index) = self.words.sample(size, &mut random) else { return Ok(()) };
                    self.words.select(&index, &mut drawn);
                    (index, &drawn)
                }
                _ => {
                    let Some(word) = walk.next() else { return Ok(()) };
                    (&begin + i, word)
                }
            };
            if symmetry.as_mut().is_some_and(|s| !s.is_first(&self.words, word)) {
                passed();
            } else if !each(&index, word)? {
                return Ok(());
            }
        }
        Ok(())
    }
}

/// The words as cases.
pub struct Words<'a> {
    /// What is to be done.
    pub plan: &'a Plan,
    /// Where words are counted.
    pub control: &'a Control,
    /// The words.
    pub chosen: &'a Chosen,
}

impl CaseSource for Words<'_> {
    fn lease(
        &self,
        seq: u64,
        bench: &mut Bench<'_>,
        work: Work<'_>,
    ) -> Result<Option<LeaseLine>, RunError> {
        let asked = &self.chosen.asked;
        let grammar = GrammarRef { name: asked.name.clone(), hash: digest(asked.text.as_bytes()) };
        let targets = self.plan.panel.targets().iter().map(Target::id);
        let plain = Mode { logic: asked.logic.clone(), ..Mode::plain() };
        let mut lease = Block {
            cases: Vec::new(),
            at: 0,
            who: targets.map(|t| (t, plain.clone())).collect(),
            limit: self.plan.config.most(),
            counts: Counts::new(),
        };
        let mut passed = 0;
        self.chosen.each(seq, &mut || passed += 1, &mut |index, word| {
            match parse(word.text().as_bytes()) {
                Ok(script) => {
                    let index = Index::of_digits(&index.to_string());
                    let origin =
                        Origin::Enumerated { grammar: grammar.clone(), index, cost: asked.cost };
                    lease.cases.push((script, origin));
                }
                Err(_) => lease.count(SKIPPED, 1),
            }
            Ok(true)
        })?;
        lease.count(PASSED, passed);
        // A single assertion is its own core.
        let has_several = |(script, _): &(Script, Origin)| script.roots().len() > 1;
        if lease.cases.iter().any(has_several) {
            lease.who.iter_mut().for_each(|(_, mode)| mode.cores = true);
        }
        work(bench, &mut lease)?;
        // Only now: a block that is cut off is taken again as a whole.
        let mut tally = self.control.tally();
        for (kind, n) in lease.counts {
            *tally.words.entry(kind).or_insert(0) += n;
        }
        let steps = lease.cases.len() as u32;
        let (strategy, partners) = (Origin::GRAMMAR, String::new());
        Ok(Some(LeaseLine { seq, worker: 0, seed: grammar.hash, strategy, partners, steps }))
    }
}

/// Words that are no scripts.
pub const SKIPPED: &str = "skipped";
/// Words that say the same as an earlier one.
pub const PASSED: &str = "passed over";
/// Words on which all solvers that were asked decide, and agree.
pub const AGREED: &str = "agreed";
/// Words that one solver alone was asked for, and decides: the others do not have what is in them.
pub const ALONE: &str = "decided alone";
/// Words on which two solvers contradict each other.
pub const CONTRADICTED: &str = "contradicted";
/// Words that a solver does not decide, by what it answers; the first of them counts.
const OPEN: [&str; 4] = ["timeout", "unknown", "out-of-memory", "rejected"];
/// Words that a solver gives another answer to, or none.
pub const OTHER: &str = "other";
/// Models that make all assertions true.
pub const TRUE: &str = "true models";
/// Models that do not.
pub const FALSE: &str = "false models";
/// Models of which that is not known.
pub const UNDETERMINED: &str = "undetermined models";

/// One block of words.
struct Block {
    cases: Vec<(Script, Origin)>,
    at: usize,
    who: Vec<(TargetId, Mode)>,
    limit: Duration,
    counts: Counts,
}

impl Block {
    fn count(&mut self, kind: &str, n: u64) {
        if n > 0 {
            *self.counts.entry(kind.to_owned()).or_insert(0) += n;
        }
    }
}

impl Lease for Block {
    fn who(&self) -> &[(TargetId, Mode)] {
        &self.who
    }

    fn limit(&self) -> Duration {
        self.limit
    }

    fn next(&mut self) -> Option<Case<'_>> {
        let (script, origin) = self.cases.get_mut(self.at)?;
        self.at += 1;
        Some(Case {
            truths: vec![Truth::default(); script.queries().len()],
            script,
            expect: (&[]).into(),
            what: "a word of a grammar".into(),
            origin,
            seeds: &[],
            before: None,
            related: false,
            said: Vec::new(),
            apart: true,
        })
    }

    fn learn(&mut self, done: &Done) {
        let kind = kind(&done.seen);
        self.count(kind, 1);
        for seen in &done.seen {
            match seen.model {
                Some(Some(true)) => self.count(TRUE, 1),
                Some(Some(false)) => self.count(FALSE, 1),
                Some(None) => self.count(UNDETERMINED, 1),
                None => {}
            }
        }
    }
}

/// What came of a word.
fn kind(seen: &[Seen]) -> &'static str {
    let checks = seen.iter().map(|s| s.check).max().map_or(0, |c| c + 1);
    for check in 0..checks {
        let mut said = seen.iter().filter(|s| s.check == check).filter_map(|s| s.decided);
        let first = said.next();
        if said.any(|s| Some(s) != first) {
            return CONTRADICTED;
        }
    }
    if let Some(open) = OPEN.into_iter().find(|kind| seen.iter().any(|s| s.answer == *kind)) {
        return open;
    }
    if seen.is_empty() || seen.iter().any(|s| s.decided.is_none()) {
        return OTHER;
    }
    let who = |s: &Seen| s.who;
    if seen.iter().all(|s| who(s) == who(&seen[0])) { ALONE } else { AGREED }
}
