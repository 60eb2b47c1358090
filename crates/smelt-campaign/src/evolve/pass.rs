//! The runs: every query by every release in warm sessions, kept in the journal at once.
//!
//! Releases take turns at blocks of queries, in fresh sessions: what else the machine does in the meantime is no matter of one release
//! alone. A block that was run before is not run again.

use anyhow::Result;
use smelt_smtlib::{Script, parse_with};
use smelt_solver::{Cancel, Mode, Outcome, RunError};
use smelt_trial::bench::Bench;
use smelt_trial::opinion::Run;
use smelt_trial::{Panel, Target};

use super::Evolve;
use super::items::Item;
use crate::survey::store::{Key, target_key};

/// Queries that a release takes in one turn.
const BLOCK: usize = 50;

/// A script that a fresh session takes first: what a solver does once in its life is no part of the first query.
const FIRST: &str = "(declare-fun smelt_first () Bool)\n(assert smelt_first)\n(check-sat)\n";

/// Which runs belong together: a round, the first query, and who.
#[derive(Clone, Copy)]
pub(super) struct Turn {
    round: u32,
    first: usize,
    who: usize,
}

/// All turns, those of one block beside each other. Every other round goes the other way, so that what changes slowly shows as spread.
pub(super) fn turns(evolve: &Evolve<'_>) -> Vec<Turn> {
    let (queries, releases) = (evolve.items.all.len(), evolve.panel.targets().len());
    let mut all = Vec::new();
    for round in 0..evolve.repeat {
        for first in (0..queries).step_by(BLOCK) {
            let turn = |i: usize| {
                let who = if round % 2 == 0 { i } else { releases - 1 - i };
                Turn { round, first, who }
            };
            all.extend((0..releases).map(turn));
        }
    }
    all
}

/// What the runs of a release in sessions are known by in the journal.
pub(super) fn session_key(target: &Target) -> String {
    format!("{}/session", target_key(target))
}

impl Turn {
    /// The queries of the block.
    fn items<'e>(&self, evolve: &Evolve<'e>) -> &'e [Item] {
        let all = &evolve.items.all;
        &all[self.first..all.len().min(self.first + BLOCK)]
    }

    /// How many runs it has.
    pub fn runs(&self, evolve: &Evolve<'_>) -> usize {
        self.items(evolve).len()
    }

    /// Makes the runs that were not made before.
    pub fn take(&self, evolve: &Evolve<'_>) -> Result<()> {
        let target = &evolve.panel.targets()[self.who];
        let name = session_key(target);
        let mut seat = Seat::new(evolve.panel, evolve.cancel);
        for item in self.items(evolve) {
            if evolve.cancel.is_cancelled() {
                return Ok(());
            }
            let key = evolve.key(item, &name, self.round);
            if !evolve.store.has(key)? {
                seat.run_and_keep(evolve, item, target, key)?;
            }
        }
        Ok(())
    }
}

/// Times a query once more, by a release in a fresh session.
pub(super) fn time(evolve: &Evolve<'_>, item: &Item, who: usize, round: u32) -> Result<()> {
    let target = &evolve.panel.targets()[who];
    let name = session_key(target);
    let key = evolve.key(item, &name, round);
    if evolve.store.has(key)? {
        return Ok(());
    }
    Seat::new(evolve.panel, evolve.cancel).run_and_keep(evolve, item, target, key)
}

/// A place at which one release is asked for one query after the other.
struct Seat<'a> {
    bench: Bench<'a>,
    fresh: bool,
}

impl<'a> Seat<'a> {
    fn new(panel: &'a Panel, cancel: &'a Cancel) -> Self {
        Self { bench: Bench::new(panel, false, cancel), fresh: true }
    }

    fn run_and_keep(
        &mut self,
        evolve: &Evolve<'_>,
        item: &Item,
        target: &Target,
        key: Key<'_>,
    ) -> Result<()> {
        let mut script = parse_with(&item.text, evolve.options).ok();
        let words = String::from_utf8_lossy(&item.text);
        let ran = self.run(evolve, target, &words, script.as_ref());
        let outcome = match ran {
            Err(RunError::Cancelled) => return Ok(()),
            _ if evolve.cancel.is_cancelled() => return Ok(()),
            // Nothing is learnt of the solver; the next time it is tried again.
            Err(_) => return Ok(()),
            Ok(outcome) => outcome,
        };
        let seen = match &mut script {
            Some(script) => {
                let queries = script.queries();
                target.observe(script, &queries, &outcome)
            }
            None => target.observe_unread(&words, &outcome),
        };
        let solver = target.label.clone();
        let run = Run { who: target.id(), solver, seen, outcome: Ok(outcome) };
        evolve.store.keep(key, &run)
    }

    fn run(
        &mut self,
        evolve: &Evolve<'_>,
        target: &Target,
        words: &str,
        script: Option<&Script>,
    ) -> Result<Outcome, RunError> {
        let (who, mode, limit) = (target.id(), Mode::plain(), evolve.limit);
        if std::mem::take(&mut self.fresh) && target.cold_because.is_none() {
            self.bench.run(who, &mode, &smelt_solver::Script::new(FIRST), limit)?;
        }
        target.run_own_by(words, script, &mode, |sent| self.bench.run(who, &mode, sent, limit))
    }
}

/// CPU seconds up to the last answer: what comes behind it, a model and the reset, is no part of it.
pub(super) fn seconds(outcome: &Outcome) -> f64 {
    let answered = outcome.checks.iter().all(|c| c.answer.decided().is_some());
    let times: Option<f64> = outcome.checks.iter().map(|c| Some(c.cpu?.as_secs_f64())).sum();
    times.filter(|_| answered).unwrap_or(outcome.cpu.as_secs_f64())
}
