//! What a campaign learns of seeds, strategies, solvers and suspicions: the one place where it is written and read.
//!
//! There are two ways to know. [`Learned`] steers by what has come of the tests so far. [`Frozen`] answers every question as
//! at the beginning, so that a position of the schedule has its cases, its solvers and their options whoever takes it, and
//! whatever was tested before.

mod backoff;
mod frozen;
mod learned;
mod strategies;

pub use self::backoff::Backoff;
pub use self::frozen::Frozen;
pub use self::learned::Learned;

use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use smelt_solver::{Mode, Outcome};
use smelt_triage::TargetId;
use smelt_trial::content::Content;

use crate::control::Control;
use crate::event::Resting;
use crate::plan::Plan;
use crate::schedule::ChainResult;

/// What is known in a campaign. Seeds have their number in the plan.
pub trait Facts: Sync {
    /// Whether the cases of a position depend on nothing but the position.
    fn is_frozen(&self) -> bool;

    /// A seed that nobody has looked at, if such a one is to be tried now.
    fn unseen(&self, random: &mut ChaCha8Rng) -> Option<usize>;

    /// Whether a seed is to be used now; one at rest comes nearer to its turn.
    fn turn(&self, seed: usize) -> bool;

    /// Whether a seed is not used any more.
    fn is_given_up(&self, seed: usize) -> bool;

    /// The seeds that rest. Where nothing is learned, none does.
    fn resting(&self) -> Resting {
        Resting::default()
    }

    /// Whether no test can be made of a seed, as far as is known. Where that is so of all seeds, the campaign ends.
    fn is_barren(&self, seed: usize) -> bool;

    /// CPU time for a mutant of a seed.
    fn limit(&self, seed: usize) -> Duration;

    /// The strategies that may be used on a seed, by their number in the plan.
    fn usable(&self, seed: usize) -> Vec<usize>;

    /// Which shares of the chains these strategies have.
    fn shares(&self, strategies: &[&str], random: &mut ChaCha8Rng) -> Vec<f64>;

    /// Adds options of a solver's own to a mode.
    fn vary(&self, who: TargetId, mode: &Mode, random: &mut ChaCha8Rng) -> Mode;

    /// Whether a script is held back from a solver, because that has refused what is in it.
    fn holds_back(&self, who: TargetId, content: &Content) -> bool;

    /// Whether a suspicion of this kind is to be looked into. `here` is what is known of suspicions of the lease alone.
    fn look(&self, here: &mut Backoff, kind: &str) -> bool;

    /// Learns.
    fn learn(&self, lesson: Lesson<'_>);
}

/// Something that a campaign can learn from.
pub enum Lesson<'a> {
    /// A strategy made nothing of a seed.
    Refused {
        /// The seed.
        seed: usize,
        /// The strategy.
        strategy: &'static str,
    },
    /// A chain on a seed has ended.
    Chain {
        /// The seed.
        seed: usize,
        /// What it has given.
        result: ChainResult,
    },
    /// What is known of a seed was refuted, or no strategy can use it.
    GiveUp {
        /// The seed.
        seed: usize,
    },
    /// A solver took a script, or refused it for what is in it.
    Content {
        /// The solver.
        who: TargetId,
        /// What is in the script.
        content: &'a Content,
        /// Whether it was refused.
        refused: bool,
    },
    /// A solver was run under options or a tactic that were varied.
    Options {
        /// The solver.
        who: TargetId,
        /// How it was run.
        mode: &'a Mode,
        /// What came of it.
        outcome: &'a Outcome,
    },
    /// What a suspicion of this kind led to is a bug of its own, though it was held for a known one.
    New {
        /// Which kind of suspicion.
        kind: String,
    },
    /// Looking into a suspicion gave nothing new.
    InVain {
        /// What is known of suspicions of the lease alone.
        here: &'a mut Backoff,
        /// Which kind of suspicion.
        kind: String,
    },
}

/// What the campaign of a plan knows at its beginning: it learns, unless it is to be deterministic.
pub fn of<'a>(plan: &'a Plan, control: &'a Control) -> Box<dyn Facts + 'a> {
    match plan.config.deterministic {
        true => Box::new(Frozen::new(plan)),
        false => Box::new(Learned::new(plan, control)),
    }
}
