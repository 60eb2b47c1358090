//! ε-greedy: the best so far, and one time in ten any construct.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::{Agent, Counts, Tally, any, best, posterior};

/// How often any construct is chosen.
const EPSILON: f64 = 0.1;

/// The agent.
pub struct Epsilon;

impl Agent for Epsilon {
    fn name(&self) -> &'static str {
        "epsilon"
    }

    fn about(&self) -> &'static str {
        "ε-greedy: the best construct so far, and one time in ten any"
    }

    fn choose(&self, counts: &Counts, among: &[usize], random: &mut ChaCha8Rng) -> usize {
        if random.random_bool(EPSILON) {
            return any(among, random);
        }
        best(among, random, |&i| counts.0[i].mean())
    }

    fn interval(&self, tally: Tally, _: u64) -> (f64, f64) {
        posterior(tally)
    }
}
