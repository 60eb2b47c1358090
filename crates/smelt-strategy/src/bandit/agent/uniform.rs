//! Uniform: any construct, whatever it has earned. This is the paper's mutational fuzzing.

use rand_chacha::ChaCha8Rng;

use super::{Agent, Counts, Tally, any, posterior};

/// The agent.
pub struct Uniform;

impl Agent for Uniform {
    fn name(&self) -> &'static str {
        "uniform"
    }

    fn about(&self) -> &'static str {
        "any construct: mutational fuzzing without learning"
    }

    fn choose(&self, _: &Counts, among: &[usize], random: &mut ChaCha8Rng) -> usize {
        any(among, random)
    }

    fn interval(&self, tally: Tally, _: u64) -> (f64, f64) {
        posterior(tally)
    }
}
