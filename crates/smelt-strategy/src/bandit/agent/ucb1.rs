//! UCB1 (Auer, Cesa-Bianchi, Fischer): the highest bound of confidence counts, so that what is little known is tried.

use rand_chacha::ChaCha8Rng;

use super::{Agent, Counts, Tally, best};

/// The agent.
pub struct Ucb1;

/// How far the true mean may be from the observed one.
fn margin(tally: Tally, of_all: u64) -> f64 {
    (2.0 * (of_all.max(1) as f64).ln() / tally.tried.max(1) as f64).sqrt()
}

impl Agent for Ucb1 {
    fn name(&self) -> &'static str {
        "ucb1"
    }

    fn about(&self) -> &'static str {
        "UCB1: the construct with the highest bound of confidence"
    }

    fn choose(&self, counts: &Counts, among: &[usize], random: &mut ChaCha8Rng) -> usize {
        let all = counts.tried();
        best(among, random, |&i| {
            let t = counts.0[i];
            match t.tried {
                0 => f64::INFINITY,
                n => t.rewards as f64 / n as f64 + margin(t, all),
            }
        })
    }

    fn interval(&self, tally: Tally, of_all: u64) -> (f64, f64) {
        if tally.tried == 0 {
            return (0.0, 1.0);
        }
        let (mean, margin) = (tally.rewards as f64 / tally.tried as f64, margin(tally, of_all));
        ((mean - margin).max(0.0), (mean + margin).min(1.0))
    }
}
