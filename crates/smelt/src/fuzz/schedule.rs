//! What to do next: weights of strategies that follow what they yield, and seeds that are set aside when they yield nothing.

use std::time::Duration;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// What a strategy has yielded.
#[derive(Clone, Copy, Debug, Default)]
pub struct Yield {
    /// Tests that at least one solver answered.
    pub tests: f64,
    /// Tests that a solver refused.
    pub rejected: f64,
    /// CPU seconds of solvers and smelt.
    pub cpu: f64,
    /// Findings with a new signature.
    pub findings: f64,
}

/// The least share of tests that every strategy keeps.
const LEAST: f64 = 0.02;

/// Shares of the strategies: they sum to one and none is below 2 %.
pub fn shares(yields: &[Yield]) -> Vec<f64> {
    let score = |y: &Yield| {
        // Before anything is known all are equal; one CPU second of hope keeps early luck small.
        let useful = (y.tests - y.rejected).max(0.0) + 20.0;
        let rate = useful / (y.cpu + 1.0);
        let luck = (y.findings + 0.5) / (y.cpu + 30.0);
        // Tests are worth something, findings much more; roots keep one of them from drowning all others.
        rate.sqrt() * luck.sqrt()
    };
    let scores: Vec<f64> = yields.iter().map(score).collect();
    let total: f64 = scores.iter().sum();
    let rest = 1.0 - LEAST * yields.len() as f64;
    scores.iter().map(|s| LEAST + rest * s / total).collect()
}

/// A choice by shares.
pub fn pick(shares: &[f64], random: &mut ChaCha8Rng) -> usize {
    let mut at: f64 = random.random::<f64>() * shares.iter().sum::<f64>();
    for (i, s) in shares.iter().enumerate() {
        at -= s;
        if at < 0.0 {
            return i;
        }
    }
    shares.len() - 1
}

/// How a seed has done so far.
#[derive(Clone, Copy, Debug)]
pub struct Record {
    /// Limit of CPU time for its mutants.
    pub limit: Duration,
    /// Chains in a row that gave nothing.
    pub idle: u32,
    /// Chains to pass over before it is tried again.
    pub rest: u32,
}

/// The first limit of a seed.
const FIRST_LIMIT: Duration = Duration::from_millis(250);

impl Default for Record {
    fn default() -> Self {
        Self { limit: FIRST_LIMIT, idle: 0, rest: 0 }
    }
}

/// What one chain gave, as far as it concerns the seed.
#[derive(Clone, Copy, Debug, Default)]
pub struct ChainResult {
    /// Tests made.
    pub tests: u32,
    /// Tests that some solver decided.
    pub decided: u32,
    /// Tests that some solver could not finish in time.
    pub slow: u32,
    /// Decided tests that took more than half of the limit.
    pub near: u32,
}

impl Record {
    /// Whether the seed is to be used now; a seed at rest comes nearer to its turn.
    pub fn turn(&mut self) -> bool {
        let now = self.rest == 0;
        self.rest = self.rest.saturating_sub(1);
        now
    }

    /// Learns from a chain: the limit grows when answers come near to it, and shrinks when it only costs time.
    pub fn learn(&mut self, r: ChainResult, most: Duration) {
        if r.decided * 4 < r.tests || r.tests == 0 {
            self.idle += 1;
            self.rest = 1 << self.idle.min(10);
            if r.decided == 0 && r.slow > 0 {
                self.limit = (self.limit / 2).max(FIRST_LIMIT / 2);
            }
        } else {
            self.idle = 0;
            if r.near > 0 && r.slow > 0 {
                self.limit = (self.limit * 2).min(most);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_strategy_keeps_its_least_share() {
        let good = Yield { tests: 1e6, rejected: 0.0, cpu: 1e3, findings: 50.0 };
        let bad = Yield { tests: 10.0, rejected: 10.0, cpu: 1e3, findings: 0.0 };
        let shares = shares(&[good, bad, Yield::default()]);
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        assert!(shares.iter().all(|&s| s >= LEAST));
        assert!(shares[0] > 5.0 * shares[1], "{shares:?}");
        let equal = super::shares(&[Yield::default(); 4]);
        assert!(equal.iter().all(|s| (s - 0.25).abs() < 1e-9));
    }

    #[test]
    fn hard_seeds_rest() {
        let most = Duration::from_secs(4);
        let mut r = Record::default();
        assert!(r.turn());
        let hard = ChainResult { tests: 3, decided: 0, slow: 3, near: 0 };
        r.learn(hard, most);
        r.learn(hard, most);
        assert_eq!((0..5).filter(|_| r.turn()).count(), 1, "four turns at rest, then one");
        // Answers just below the limit, and some above: it grows, up to the bound.
        let near = ChainResult { tests: 9, decided: 6, slow: 3, near: 2 };
        (0..10).for_each(|_| r.learn(near, most));
        assert_eq!(r.limit, most);
        assert_eq!(r.idle, 0);
    }
}
