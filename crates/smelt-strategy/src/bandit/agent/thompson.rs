//! Thompson sampling: each construct has a Beta distribution of its mean reward; one number is drawn of each, and the highest one counts.

use rand_chacha::ChaCha8Rng;

use super::{Agent, Counts, Tally, best, parameters, posterior};
use crate::bandit::beta;

/// The paper's agent.
pub struct Thompson;

impl Agent for Thompson {
    fn name(&self) -> &'static str {
        "thompson"
    }

    fn about(&self) -> &'static str {
        "Thompson sampling: BanditFuzz as published"
    }

    fn choose(&self, counts: &Counts, among: &[usize], random: &mut ChaCha8Rng) -> usize {
        let drawn: Vec<f64> =
            among.iter().map(|&i| beta::sample(parameters(counts.0[i]), random)).collect();
        let mut drawn = drawn.into_iter();
        best(among, random, |_| drawn.next().unwrap_or(0.0))
    }

    /// The middle 95 % of its distribution.
    fn interval(&self, tally: Tally, _: u64) -> (f64, f64) {
        posterior(tally)
    }
}
