//! What to do next: weights of strategies that follow what they yield, and seeds that are set aside when they yield nothing.

use std::time::Duration;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use smelt_triage::TargetId;

/// What a strategy has yielded.
#[derive(Clone, Copy, Debug, Default)]
pub struct Yield {
    /// Tests that were made.
    pub tests: u64,
    /// Tests that a solver refused.
    pub rejected: u64,
    /// CPU seconds of solvers and smelt.
    pub cpu: f64,
    /// Findings with a new signature.
    pub findings: u64,
}

/// The least share of tests that every strategy keeps.
const LEAST: f64 = 0.02;

/// Shares of chains: of a strategy that has made less than 2 % of the tests, most of the time; else by what they yield.
///
/// Chains of strategies differ in length, so that a share of the chains is none of the tests. (A strategy that can make
/// no tests at all must not hold up the others: they keep a quarter of the time.)
pub fn shares(yields: &[Yield], random: &mut ChaCha8Rng) -> Vec<f64> {
    match behind(yields).filter(|_| random.random_range(0..4) > 0) {
        Some(at) => (0..yields.len()).map(|i| f64::from(u8::from(i == at))).collect(),
        None => by_yield(yields),
    }
}

/// The strategy with the fewest tests, if these are less than its least share.
fn behind(yields: &[Yield]) -> Option<usize> {
    let total: u64 = yields.iter().map(|y| y.tests).sum();
    let least = yields.iter().enumerate().min_by_key(|(_, y)| y.tests)?;
    ((least.1.tests as f64) < LEAST * total as f64).then_some(least.0)
}

/// The solvers of one chain: two of those that take the seed, or all of them in one of four chains. With two of many there
/// are more tests in the same time, and every pair has its turn.
pub fn solver_set(all: &[TargetId], random: &mut ChaCha8Rng) -> Vec<TargetId> {
    if all.len() <= 2 || random.random_range(0..4) == 0 {
        return all.to_vec();
    }
    let first = random.random_range(0..all.len());
    let second = (first + random.random_range(1..all.len())) % all.len();
    vec![all[first.min(second)], all[first.max(second)]]
}

/// Shares that sum to one; none is below 2 %.
fn by_yield(yields: &[Yield]) -> Vec<f64> {
    let score = |y: &Yield| {
        // Before anything is known all are equal; one CPU second of hope keeps early luck small.
        let useful = y.tests.saturating_sub(y.rejected) as f64 + 20.0;
        let rate = useful / (y.cpu + 1.0);
        let luck = (y.findings as f64 + 0.5) / (y.cpu + 30.0);
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
    use rand_chacha::rand_core::SeedableRng;

    #[test]
    fn every_strategy_keeps_its_least_share() {
        let good = Yield { tests: 1_000_000, rejected: 0, cpu: 1e3, findings: 50 };
        let bad = Yield { tests: 10, rejected: 10, cpu: 1e3, findings: 0 };
        let shares = by_yield(&[good, bad, Yield::default()]);
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        assert!(shares.iter().all(|&s| s >= LEAST));
        assert!(shares[0] > 5.0 * shares[1], "{shares:?}");
        let equal = by_yield(&[Yield::default(); 4]);
        assert!(equal.iter().all(|s| (s - 0.25).abs() < 1e-9));
    }

    /// Chains of 100, 100 and 3 tests: the short ones still make 2 % of the tests, in the long run.
    #[test]
    fn every_strategy_keeps_its_least_share_of_tests() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut yields = [Yield::default(); 3];
        for _ in 0..3000 {
            let shares = shares(&yields, &mut random);
            let at = pick(&shares, &mut random);
            let (tests, findings) = [(100, 1), (100, 0), (3, 0)][at];
            yields[at].tests += tests;
            yields[at].cpu += 1.0;
            yields[at].findings += findings;
        }
        let total: u64 = yields.iter().map(|y| y.tests).sum();
        let least = yields.iter().map(|y| y.tests as f64 / total as f64).fold(1.0, f64::min);
        assert!(least >= LEAST * 0.95, "{least}");
    }

    #[test]
    fn every_pair_of_solvers_has_its_turn() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut set = |all: &[usize]| -> Vec<usize> {
            let all: Vec<TargetId> = all.iter().map(|&t| TargetId(t)).collect();
            solver_set(&all, &mut random).into_iter().map(|t| t.0).collect()
        };
        assert_eq!(set(&[0, 3]), [0, 3]);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..1000 {
            *counts.entry(set(&[0, 2, 3])).or_insert(0) += 1;
        }
        let sets: Vec<&[usize]> = counts.keys().map(Vec::as_slice).collect();
        assert_eq!(sets, [&[0, 2][..], &[0, 2, 3], &[0, 3], &[2, 3]]);
        assert!(counts.values().all(|n| (150..350).contains(n)), "{counts:?}");
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
