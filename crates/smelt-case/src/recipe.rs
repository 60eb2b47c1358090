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
    /// The random stream of a chain: a function of campaign seed, seed texts, strategy and chain, of nothing else.
    ///
    /// The start of the chain and its steps draw from it one after the other. A step needs those before it anyway, and
    /// few of the numbers that a stream makes at a time.
    pub fn stream(&self) -> ChaCha8Rng {
        stream(self.campaign, self.chain, &self.strategy, &self.seeds)
    }
}

/// The stream of random numbers that has a name, at a place of a campaign.
pub fn stream(campaign: u64, place: u64, name: &str, seeds: &[SeedRef]) -> ChaCha8Rng {
    let mut h = Sha256::new();
    h.update(campaign.to_le_bytes());
    h.update(place.to_le_bytes());
    h.update(name.as_bytes());
    for s in seeds {
        h.update([0]);
        h.update(s.hash.as_bytes());
    }
    ChaCha8Rng::from_seed(h.finalize().into())
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

    /// Names, version and step do not reach the stream; everything else does.
    #[test]
    fn streams() {
        let r = recipe();
        let first = |r: &Recipe| r.stream().next_u64();
        assert_eq!(first(&r), first(&r));
        let mut renamed = recipe();
        renamed.seeds[0].name = "b".into();
        assert_eq!(first(&r), first(&renamed));
        let mut others = Vec::new();
        for change in [
            |r: &mut Recipe| r.campaign = 8,
            |r: &mut Recipe| r.chain = 4,
            |r: &mut Recipe| r.strategy = "typefuzz".into(),
            |r: &mut Recipe| r.seeds[0].hash = "01".into(),
            |r: &mut Recipe| r.seeds.push(r.seeds[0].clone()),
        ] {
            let mut r = recipe();
            change(&mut r);
            others.push(first(&r));
        }
        assert!(!others.contains(&first(&r)));
    }
}
