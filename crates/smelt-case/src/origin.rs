//! Where a case comes from.

use serde::{Deserialize, Serialize};

use crate::recipe::{Recipe, SeedRef};

/// Where a case comes from: enough to make it again from the texts of its seeds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// A strategy made it.
    Mutant(Recipe),
    /// A seed as it is.
    Seed(SeedRef),
    /// It was made of another case.
    Derived {
        /// Of which.
        from: Box<Origin>,
        /// In which way.
        how: Derivation,
    },
}

/// How a script is made of another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Derivation {
    /// What a fault does not need was left out.
    Reduced,
    /// What the standard leaves open has a name.
    Totalised,
    /// The values of a model were put in.
    Residual,
}

impl Origin {
    /// Who made a seed as it is, in tables.
    pub const SEED: &'static str = "seed";

    /// The case that it was made of in the end.
    pub fn root(&self) -> &Self {
        match self {
            Self::Derived { from, .. } => from.root(),
            own => own,
        }
    }

    /// How the strategy made it, if one did.
    pub fn recipe(&self) -> Option<&Recipe> {
        match self.root() {
            Self::Mutant(recipe) => Some(recipe),
            _ => None,
        }
    }

    /// The seeds that it was made of, the one that it resembles first.
    pub fn seeds(&self) -> &[SeedRef] {
        match self.root() {
            Self::Mutant(recipe) => &recipe.seeds,
            Self::Seed(seed) => std::slice::from_ref(seed),
            Self::Derived { .. } => &[],
        }
    }

    /// Digest of the first seed, by which cases of one seed are known; empty if there is none.
    pub fn first_hash(&self) -> &str {
        self.seeds().first().map_or("", |s| &s.hash)
    }

    /// Who made it, for people: the strategy, or nobody but the author of the seed.
    pub fn maker(&self) -> &str {
        self.recipe().map_or(Self::SEED, |r| &r.strategy)
    }

    /// What is made of it in this way.
    #[must_use]
    pub fn derived(self, how: Derivation) -> Self {
        Self::Derived { from: Box::new(self), how }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_text_and_back() {
        let seed = SeedRef { name: "a.smt2".into(), hash: "00".into() };
        let origin = Origin::Seed(seed.clone()).derived(Derivation::Totalised);
        let origin = origin.derived(Derivation::Reduced);
        assert_eq!(origin.seeds(), [seed]);
        assert_eq!((origin.maker(), origin.first_hash()), ("seed", "00"));
        let text = serde_json::to_string(&origin).unwrap();
        assert_eq!(
            text,
            r#"{"derived":{"from":{"derived":{"from":{"seed":{"name":"a.smt2","hash":"00"}},"how":"totalised"}},"how":"reduced"}}"#
        );
        assert_eq!(serde_json::from_str::<Origin>(&text).unwrap(), origin);
    }
}
