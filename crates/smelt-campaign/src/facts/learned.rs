//! A campaign that steers by what has come of its tests.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use smelt_solver::{Choice, Mode, OptionFuzzer};
use smelt_triage::TargetId;
use smelt_trial::content::Content;
use smelt_trial::refusals::Refusals;

use super::strategies::Refused;
use super::{Backoff, Facts, Lesson};
use crate::control::Control;
use crate::event::{Rest, Resting};
use crate::plan::Plan;
use crate::schedule::{self, Record};

/// What the tests of this process have taught. What strategies yield is counted in the tally, and so it is known again when
/// the campaign goes on after an end.
pub struct Learned<'a> {
    plan: &'a Plan,
    control: &'a Control,
    seeds: Vec<OfSeed>,
    /// How many seeds were given as unseen.
    looked_at: AtomicU64,
    refused: Refused,
    solvers: Vec<OfSolver>,
    backoff: Mutex<Backoff>,
}

/// What is known of a seed.
#[derive(Default)]
struct OfSeed {
    record: Mutex<Record>,
    is_given_up: AtomicBool,
}

/// What is known of a solver.
struct OfSolver {
    refusals: Mutex<Refusals>,
    options: Mutex<OptionFuzzer>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a> Learned<'a> {
    /// Nothing is known yet, but for what the tally says.
    pub fn new(plan: &'a Plan, control: &'a Control) -> Self {
        let new = |options: &OptionFuzzer| OfSolver {
            refusals: Mutex::default(),
            options: Mutex::new(options.clone()),
        };
        Self {
            plan,
            control,
            seeds: plan.seeds.iter().map(|_| OfSeed::default()).collect(),
            looked_at: AtomicU64::new(0),
            refused: Refused::default(),
            solvers: plan.panel.targets().iter().map(|t| new(t.options())).collect(),
            backoff: Mutex::default(),
        }
    }
}

impl Facts for Learned<'_> {
    fn is_frozen(&self) -> bool {
        false
    }

    /// Half of the time, while there are any: good seeds should be found early. Each is given once. Their order is mixed, so
    /// that a folder's first files are not all that a short run sees.
    fn unseen(&self, random: &mut ChaCha8Rng) -> Option<usize> {
        if !random.random::<bool>() {
            return None;
        }
        let n = self.looked_at.fetch_add(1, Ordering::Relaxed) as usize;
        let all = self.seeds.len();
        // A step that shares no factor with the number of seeds visits each once.
        let gcd = |mut a: usize, mut b: usize| {
            while b != 0 {
                (a, b) = (b, a % b);
            }
            a
        };
        let golden = all * 618 / 1000;
        let step = (golden.max(1)..).find(|&s| gcd(s, all) == 1)?;
        (n < all).then(|| (n * step + self.plan.config.seed as usize % all) % all)
    }

    fn turn(&self, seed: usize) -> bool {
        lock(&self.seeds[seed].record).turn()
    }

    fn is_given_up(&self, seed: usize) -> bool {
        self.seeds[seed].is_given_up.load(Ordering::Relaxed)
    }

    fn resting(&self) -> Resting {
        let rest = |i: usize| Some((lock(&self.seeds[i].record).rest, i)).filter(|r| r.0 > 0);
        let used = (0..self.seeds.len()).filter(|&i| !self.is_given_up(i));
        let mut all: Vec<(u32, usize)> = used.filter_map(rest).collect();
        all.sort_unstable_by_key(|&(turns, i)| (std::cmp::Reverse(turns), i));
        let named = all.iter().take(Resting::NAMED);
        let rest = |&(turns, i): &(u32, usize)| Rest { seed: self.plan.seeds[i].name(), turns };
        Resting { seeds: all.len() as u64, longest: named.map(rest).collect() }
    }

    fn is_barren(&self, seed: usize) -> bool {
        self.is_given_up(seed)
    }

    fn limit(&self, seed: usize) -> Duration {
        lock(&self.seeds[seed].record).limit
    }

    fn usable(&self, seed: usize) -> Vec<usize> {
        self.refused.usable(self.plan, seed)
    }

    fn shares(&self, strategies: &[&str], random: &mut ChaCha8Rng) -> Vec<f64> {
        let tally = self.control.tally();
        let yields: Vec<_> = strategies.iter().map(|s| tally.yield_of(s)).collect();
        drop(tally);
        schedule::shares(&yields, random)
    }

    fn vary(&self, who: TargetId, mode: &Mode, random: &mut ChaCha8Rng) -> Mode {
        let options = lock(&self.solvers[who.0].options);
        self.plan.panel.get(who).vary(&options, mode, random)
    }

    fn holds_back(&self, who: TargetId, content: &Content) -> bool {
        lock(&self.solvers[who.0].refusals).blocks(&content.uses)
    }

    /// Suspicions of all leases count.
    fn look(&self, _: &mut Backoff, kind: &str) -> bool {
        lock(&self.backoff).look(kind)
    }

    fn learn(&self, lesson: Lesson<'_>) {
        match lesson {
            Lesson::Refused { seed, strategy } => self.refused.note(seed, strategy),
            Lesson::Chain { seed, result } => {
                lock(&self.seeds[seed].record).learn(result, self.plan.config.most());
            }
            Lesson::GiveUp { seed } => {
                self.seeds[seed].is_given_up.store(true, Ordering::Relaxed);
            }
            Lesson::Content { who, content, refused } => {
                lock(&self.solvers[who.0].refusals).note(&content.uses, refused);
            }
            Lesson::Options { who, mode, outcome } => {
                let choice = Choice { args: mode.options.clone(), tactic: mode.tactic.clone() };
                lock(&self.solvers[who.0].options).learn(&choice, outcome);
            }
            Lesson::InVain { kind, .. } => lock(&self.backoff).in_vain(kind),
            Lesson::New { kind } => lock(&self.backoff).forget(&kind),
        }
    }
}
