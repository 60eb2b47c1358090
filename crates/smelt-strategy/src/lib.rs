//! The techniques: from a seed to mutants with known or comparable answers.
//!
//! A [`Strategy`] is one file and one line in [`STRATEGIES`]. It never calls a solver: what it needs to know is in the
//! [`Seed`]. It never reads a clock or ambient randomness: a step of a [`Chain`] is a function of its input and the stream
//! that it is given.

mod accepted;
mod assignment;
mod atoms;
pub mod bandit;
mod companions;
mod constant;
pub mod diver;
mod effort;
mod forms;
pub mod frame;
pub mod fusion;
pub mod grammar;
pub mod janus;
mod known_check;
#[cfg(test)]
mod no_lie;
pub mod opfuzz;
mod parameters;
mod parity;
mod places;
pub mod recheck;
mod rule_book;
pub mod rules;
pub mod satisfy;
pub mod sparrow;
pub mod storm;
mod term_source;
mod theories;
pub mod typefuzz;
mod visible;

use std::borrow::Cow;

use rand_chacha::ChaCha8Rng;
use smelt_case::{Mutant, OpSet, Seed};
use smelt_smtlib::Script;

use rules::compile::Unproved;

/// What a strategy works with.
pub struct Input<'a> {
    /// The seed.
    pub seed: &'a Seed,
    /// As many further seeds as [`Strategy::partners`] asked for, or fewer if there are none.
    pub partners: &'a [&'a Seed],
    /// Operators that may be brought into the script. (The seed may use others.)
    pub ops: &'a OpSet,
    /// The strategy's own parameters, as `name=value`; unknown ones are refused by [`Strategy::start`].
    pub parameters: &'a [String],
}

/// Why a strategy cannot use a seed, or cannot go on: a normal result, counted by reason.
pub type Refusal = Cow<'static, str>;

/// A parameter of a strategy: its name, and one line about its values and what they do.
pub type Parameter = (&'static str, &'static str);

/// A technique.
///
/// `start` looks at the seed and either refuses it or gives a chain. Its cost is paid once per chain (some hundred steps),
/// so it may analyse the whole script.
pub trait Strategy: Sync {
    /// Its name on the command line and in recipes.
    fn name(&self) -> &'static str;
    /// One line for `smelt mutate --list` and reports.
    fn about(&self) -> &'static str;
    /// How many steps of one chain are worth making.
    fn chain_length(&self) -> u32;
    /// All of its parameters.
    fn parameters(&self) -> &'static [Parameter];
    /// Those of its parameters whose value is the text of a file. A strategy does no IO: whoever takes the parameter from a
    /// user takes the file's name and passes its text on, so that a recipe does not depend on the file.
    fn file_parameters(&self) -> &'static [&'static str] {
        &[]
    }
    /// Instances of rules that it could use on this seed if they were proved. Whoever has solvers may ask them, and pass proofs
    /// on as the parameter `proofs`.
    fn unproved(&self, _seed: &Seed, _parameters: &[String]) -> Vec<Unproved> {
        Vec::new()
    }
    /// How many further seeds it wants.
    fn partners(&self) -> usize {
        0
    }
    /// Whether it works on one check of a seed and leaves the others out; who else keeps them, or is made of all of them.
    fn leaves_checks_out(&self) -> bool {
        false
    }
    /// Whether this seed may be a partner of that one; the campaign then need not start in vain.
    fn may_partner(&self, _seed: &Seed, _partner: &Seed) -> bool {
        true
    }
    /// Begins a chain.
    fn start<'a>(
        &self,
        input: &Input<'a>,
        random: &mut ChaCha8Rng,
    ) -> Result<Box<dyn Chain + 'a>, Refusal>;
}

/// A chain of mutants from one seed.
pub trait Chain {
    /// Makes the next mutant. A refusal ends the chain, not the campaign.
    fn step(&mut self, random: &mut ChaCha8Rng) -> Result<Mutant<'_>, Refusal>;

    /// Before the first step: the script that it is made from, if the seed was brought into another form for it.
    fn first(&self) -> Option<&Script> {
        None
    }
}

/// All strategies.
pub const STRATEGIES: &[&dyn Strategy] = &[
    &opfuzz::OpFuzz,
    &typefuzz::TypeFuzz { donors: 0 },
    &typefuzz::TypeFuzz { donors: 8 },
    &storm::Storm,
    &diver::Diver,
    &fusion::Fusion,
    &janus::Janus,
    &sparrow::Sparrow,
];

/// The strategy with this name.
pub fn by_name(name: &str) -> Option<&'static dyn Strategy> {
    STRATEGIES.iter().copied().find(|s| s.name() == name)
}
