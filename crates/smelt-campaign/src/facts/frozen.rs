//! A campaign that learns nothing.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use smelt_solver::Mode;
use smelt_triage::TargetId;
use smelt_trial::content::Content;

use super::strategies::Refused;
use super::{Backoff, Facts, Lesson};
use crate::plan::Plan;

/// What is known at the beginning, for good.
pub struct Frozen<'a> {
    plan: &'a Plan,
    /// Says when to end, and nothing else: a campaign in which no strategy can use any seed would never make a test.
    refused: Refused,
    /// Whether any chain has made a test.
    is_fruitful: AtomicBool,
}

impl<'a> Frozen<'a> {
    /// The beginning of a plan.
    pub fn new(plan: &'a Plan) -> Self {
        Self { plan, refused: Refused::default(), is_fruitful: AtomicBool::new(false) }
    }
}

impl Facts for Frozen<'_> {
    fn is_frozen(&self) -> bool {
        true
    }

    fn unseen(&self, _: &mut ChaCha8Rng) -> Option<usize> {
        None
    }

    fn turn(&self, _: usize) -> bool {
        true
    }

    fn is_given_up(&self, _: usize) -> bool {
        false
    }

    fn is_barren(&self, seed: usize) -> bool {
        let fruitful = self.is_fruitful.load(Ordering::Relaxed);
        !fruitful && self.refused.usable(self.plan, seed).is_empty()
    }

    fn limit(&self, _: usize) -> Duration {
        self.plan.config.most()
    }

    fn usable(&self, _: usize) -> Vec<usize> {
        (0..self.plan.strategies.len()).collect()
    }

    fn shares(&self, strategies: &[&str], _: &mut ChaCha8Rng) -> Vec<f64> {
        vec![1.0; strategies.len()]
    }

    fn vary(&self, who: TargetId, mode: &Mode, random: &mut ChaCha8Rng) -> Mode {
        let target = self.plan.panel.get(who);
        target.vary(target.options(), mode, random)
    }

    fn holds_back(&self, _: TargetId, _: &Content) -> bool {
        false
    }

    /// Suspicions of other leases do not count: which of them came first is a matter of time.
    fn look(&self, here: &mut Backoff, kind: &str) -> bool {
        here.look(kind)
    }

    fn learn(&self, lesson: Lesson<'_>) {
        match lesson {
            Lesson::Refused { seed, strategy } => self.refused.note(seed, strategy),
            Lesson::Chain { result, .. } if result.tests > 0 => {
                self.is_fruitful.store(true, Ordering::Relaxed);
            }
            Lesson::InVain { here, kind } => here.in_vain(kind),
            Lesson::Chain { .. }
            | Lesson::GiveUp { .. }
            | Lesson::New { .. }
            | Lesson::Content { .. }
            | Lesson::Options { .. } => {}
        }
    }
}
