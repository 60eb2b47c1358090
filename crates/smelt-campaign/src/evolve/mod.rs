//! How a solver has evolved: many queries, all its releases (`smelt evolve`).
//!
//! Every release takes every query in warm sessions (`pass`), what it says is judged (`judge`), times are compared beyond noise ([`pace`]),
//! and all of it is added up (`sum`, `words`, `choice`) to an [`Evolution`]. All runs are in the journal of a survey: whatever ends the
//! process, the next one goes on behind it, and a release that is added later costs its own runs only.

mod choice;
pub mod data;
pub mod items;
mod judge;
pub mod pace;
mod pass;
pub mod statistics;
mod sum;
mod words;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Result, bail};
use smelt_smtlib::ParseOptions;
use smelt_solver::Cancel;
use smelt_trial::{Panel, Target};

pub use self::data::Evolution;
use self::items::{Item, Items};
use self::judge::Points;
use self::pace::Pair;
use self::pass::Turn;
use crate::survey::store::Key;
use crate::survey::{Store, in_threads};

/// What is asked of whom.
#[derive(Clone, Copy)]
pub struct Evolve<'a> {
    /// The queries.
    pub items: &'a Items,
    /// The releases, those of one solver in a row, the oldest first; arbiters are heard where somebody may be wrong.
    pub panel: &'a Panel,
    /// How queries are read.
    pub options: &'a ParseOptions,
    /// CPU time of a run.
    pub limit: Duration,
    /// Runs of each query by each release.
    pub repeat: u32,
    /// The release in use.
    pub current: Option<usize>,
    /// Threads.
    pub jobs: usize,
    /// Where runs are kept.
    pub store: &'a Store,
    /// Ends it.
    pub cancel: &'a Cancel,
}

/// What is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Releases are run.
    Running,
    /// What they said is judged.
    Judging,
    /// Some are run again for their times.
    Timing,
}

/// How far it is: the stage, what is done of it, and all of it.
pub type Far = (Stage, usize, usize);

impl Evolve<'_> {
    /// Makes all runs and adds them up; nothing if it was cancelled.
    pub fn run(&self, watch: &mut dyn FnMut(Far) -> Result<()>) -> Result<Option<Evolution>> {
        if self.items.all.is_empty() {
            bail!("there are no queries");
        }
        let turns = pass::turns(self);
        let all = turns.iter().map(|t| t.runs(self)).sum();
        let take = |turn: &Turn| turn.take(self).map(|()| turn.runs(self));
        self.each(&turns, take, (Stage::Running, all), watch)?;
        let points = self.judged(watch)?;
        let pairs = self.pairs();
        let wanted = pace::wanted(&points, &pairs);
        let again = |&(item, (slow, fast), rounds): &(usize, Pair, u32)| {
            // In turn, so that what else the machine does is no matter of one alone.
            for round in 0..rounds {
                for who in [slow, fast] {
                    if !self.cancel.is_cancelled() {
                        pass::time(self, &self.items.all[item], who, round)?;
                    }
                }
            }
            Ok(1)
        };
        self.each(&wanted, again, (Stage::Timing, wanted.len()), watch)?;
        let points = if wanted.is_empty() { points } else { self.judged(watch)? };
        if self.cancel.is_cancelled() {
            return Ok(None);
        }
        Ok(Some(sum::evolution(self, &points)))
    }

    /// What releases made of each query.
    fn judged(&self, watch: &mut dyn FnMut(Far) -> Result<()>) -> Result<Vec<Points>> {
        let items: Vec<usize> = (0..self.items.all.len()).collect();
        let mut all: Vec<Points> = vec![Points::new(); items.len()];
        let next = AtomicUsize::new(0);
        let mut done = 0;
        in_threads(
            (self.jobs, self.cancel),
            |send| {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    if i >= items.len() || self.cancel.is_cancelled() {
                        return;
                    }
                    let points = judge::points(self, &self.items.all[i]);
                    if send.send(points.map(|p| (i, p))).is_err() {
                        return;
                    }
                }
            },
            &mut |judged| {
                if let Some((i, points)) = judged {
                    all[i] = points;
                    done += 1;
                }
                watch((Stage::Judging, done, items.len()))
            },
        )?;
        Ok(all)
    }

    /// Lets threads do all of something, each of which says how much it was.
    fn each<T: Sync>(
        &self,
        all: &[T],
        work: impl Fn(&T) -> Result<usize> + Sync,
        (stage, whole): (Stage, usize),
        watch: &mut dyn FnMut(Far) -> Result<()>,
    ) -> Result<()> {
        let next = AtomicUsize::new(0);
        let mut done = 0;
        in_threads(
            (self.jobs, self.cancel),
            |send| {
                while let Some(one) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if self.cancel.is_cancelled() || send.send(work(one)).is_err() {
                        return;
                    }
                }
            },
            &mut |more| {
                done += more.unwrap_or(0);
                watch((stage, done, whole))
            },
        )
    }

    /// Who is compared with whom: each release with its predecessor, and with the one in use.
    fn pairs(&self) -> Vec<Pair> {
        let targets = self.panel.targets();
        let same = |a: usize, b: usize| name(&targets[a]) == name(&targets[b]);
        let mut pairs: Vec<Pair> =
            (1..targets.len()).filter(|&i| same(i, i - 1)).map(|i| (i, i - 1)).collect();
        if let Some(current) = self.current {
            let later = (current + 1..targets.len()).filter(|&i| same(i, current));
            pairs.extend(later.map(|i| (i, current)));
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// How often a query may have been run by a release.
    fn most_rounds(&self) -> u32 {
        self.repeat.max(pace::ROUNDS)
    }

    fn key<'k>(&self, item: &'k Item, target: &'k str, round: u32) -> Key<'k> {
        Key { query: &item.hash, target, limit: self.limit, round }
    }
}

fn name(target: &Target) -> &str {
    &target.solver.profile().name
}

/// The newest release of each solver.
fn newest(panel: &Panel) -> Vec<usize> {
    let targets = panel.targets();
    let last = |i: &usize| targets.get(i + 1).is_none_or(|next| name(next) != name(&targets[*i]));
    (0..targets.len()).filter(last).collect()
}

/// Puts the releases of one solver in a row, the oldest first; solvers stay in the order in which they were named.
pub fn in_order(mut targets: Vec<Target>) -> Vec<Target> {
    let mut names: Vec<String> = Vec::new();
    for target in &targets {
        if !names.iter().any(|n| n == name(target)) {
            names.push(name(target).to_owned());
        }
    }
    let place = |t: &Target| names.iter().position(|n| n == name(t));
    targets.sort_by(|a, b| {
        place(a).cmp(&place(b)).then_with(|| a.solver.version().cmp(&b.solver.version()))
    });
    targets
}
