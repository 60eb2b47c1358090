//! Recipes: how to make a mutant again.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// A seed, by name and digest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeedRef {
    /// Its name when the mutant was made.
    pub name: String,
    /// Digest of its text.
    pub hash: String,
}

/// How a mutant was made. On the same version of smelt, with the same seed texts, it gives the same mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipe {
    /// The version of smelt.
    pub smelt: String,
    /// Name of the strategy.
    pub strategy: String,
    /// The strategy's parameters that differ from the defaults, as `name=value`.
    #[serde(default)]
    pub parameters: Vec<String>,
    /// Operators that must not be used (by their name in the table).
    #[serde(default)]
    pub without: Vec<String>,
    /// The campaign's seed of randomness.
    pub campaign: u64,
    /// The seed, then further seeds that the strategy used (partners of fusion, donors of terms).
    pub seeds: Vec<SeedRef>,
    /// Which chain on this seed.
    pub chain: u64,
    /// Which step of the chain, from 0; the steps before it are made first.
    pub step: u32,
}

impl Recipe {
    /// The step whose stream begins a chain.
    pub const START: u32 = u32::MAX;

    /// The random stream of one step: a function of campaign seed, seed texts, strategy, chain and step, of nothing else.
    pub fn stream(&self, step: u32) -> ChaCha8Rng {
        self.streams().step(step)
    }

    /// The streams of all steps of the chain.
    pub fn streams(&self) -> Streams {
        let mut h = Sha256::new();
        h.update(self.campaign.to_le_bytes());
        h.update(self.chain.to_le_bytes());
        h.update(self.strategy.as_bytes());
        for s in &self.seeds {
            h.update([0]);
            h.update(s.hash.as_bytes());
        }
        Streams(h.finalize().into())
    }
}

/// The random streams of a chain, one per step.
#[derive(Clone, Copy, Debug)]
pub struct Streams([u8; 32]);

impl Streams {
    /// The stream of a step.
    pub fn step(&self, step: u32) -> ChaCha8Rng {
        let mut random = ChaCha8Rng::from_seed(self.0);
        random.set_stream(u64::from(step));
        random
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::rand_core::Rng;

    fn recipe() -> Recipe {
        Recipe {
            smelt: "0".into(),
            strategy: "opfuzz".into(),
            parameters: Vec::new(),
            without: Vec::new(),
            campaign: 7,
            seeds: vec![SeedRef { name: "a".into(), hash: "00".into() }],
            chain: 3,
            step: 2,
        }
    }

    /// Names and version do not reach the stream; everything else does.
    #[test]
    fn streams() {
        let r = recipe();
        let first = |r: &Recipe, step| r.stream(step).next_u64();
        assert_eq!(first(&r, 2), first(&r, 2));
        let mut renamed = recipe();
        renamed.seeds[0].name = "b".into();
        assert_eq!(first(&r, 2), first(&renamed, 2));
        let mut others = vec![first(&r, 3)];
        for change in [
            |r: &mut Recipe| r.campaign = 8,
            |r: &mut Recipe| r.chain = 4,
            |r: &mut Recipe| r.strategy = "typefuzz".into(),
            |r: &mut Recipe| r.seeds[0].hash = "01".into(),
            |r: &mut Recipe| r.seeds.push(r.seeds[0].clone()),
        ] {
            let mut r = recipe();
            change(&mut r);
            others.push(first(&r, 2));
        }
        assert!(!others.contains(&first(&r, 2)));
    }
}
