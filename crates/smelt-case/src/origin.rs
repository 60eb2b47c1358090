//! Where a case comes from.

use serde::{Deserialize, Serialize};

use crate::recipe::{Recipe, SeedRef};

/// Where a case comes from: enough to make it again from the texts of its seeds, or of its grammar.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// A strategy made it.
    Mutant(Recipe),
    /// A seed as it is.
    Seed(SeedRef),
    /// A grammar has it at this place of its order.
    Enumerated {
        /// The grammar.
        grammar: GrammarRef,
        /// The place, from 0.
        index: Index,
        /// By which sizes words are in order.
        #[serde(default, skip_serializing_if = "Cost::is_default")]
        cost: Cost,
    },
    /// A generator made it of random numbers, without a seed.
    Generated(Generation),
    /// It was made of another case.
    Derived {
        /// Of which.
        from: Box<Origin>,
        /// In which way.
        how: Derivation,
    },
}

/// A grammar, by name and digest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GrammarRef {
    /// Its name when the case was made.
    pub name: String,
    /// Digest of its text.
    pub hash: String,
}

/// A place in the order of a grammar's words. There is no largest one.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Index {
    /// One that fits into a machine word.
    Small(u64),
    /// In decimal digits.
    Large(String),
}

impl Index {
    /// The place with these decimal digits.
    pub fn of_digits(digits: &str) -> Self {
        digits.parse().map_or_else(|_| Self::Large(digits.to_owned()), Self::Small)
    }

    /// The place, or as much of it as fits.
    pub fn low(&self) -> u64 {
        match self {
            Self::Small(n) => *n,
            Self::Large(_) => u64::MAX,
        }
    }
}

impl std::fmt::Display for Index {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Small(n) => n.fmt(f),
            Self::Large(digits) => f.write_str(digits),
        }
    }
}

/// What an alternative of a grammar's rule adds to the size of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cost {
    /// Definition 7.3.1 of the thesis: 1 if it uses a rule, 0 if it is text alone.
    #[default]
    Thesis,
    /// As the published tool counts: 1 if it uses its own rule or `ParOpen`, else 0. In a grammar without a rule `ParOpen`, a literal
    /// that begins with a parenthesis, beside a rule, stands for it.
    Published,
}

impl Cost {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// How a case was generated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Generation {
    /// The version of smelt.
    pub smelt: String,
    /// Name of the generator.
    pub generator: String,
    /// Its parameters that differ from the defaults, as `name=value`.
    #[serde(default)]
    pub parameters: Vec<String>,
    /// The campaign's seed of randomness.
    pub campaign: u64,
    /// Which position of the schedule.
    pub seq: u64,
    /// Which case of the position, from 0.
    pub step: u32,
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
    /// Who made what a grammar has, in tables.
    pub const GRAMMAR: &'static str = "grammar";

    /// The case that it was made of in the end.
    pub fn root(&self) -> &Self {
        let mut own = self;
        while let Self::Derived { from, .. } = own {
            own = from;
        }
        own
    }

    /// How the strategy made it, if one did.
    pub fn recipe(&self) -> Option<&Recipe> {
        match self.root() {
            Self::Mutant(recipe) => Some(recipe),
            _ => None,
        }
    }

    /// The seeds that it was made of, the one that it resembles first; none of what needs no seed.
    pub fn seeds(&self) -> &[SeedRef] {
        match self.root() {
            Self::Mutant(recipe) => &recipe.seeds,
            Self::Seed(seed) => std::slice::from_ref(seed),
            Self::Enumerated { .. } | Self::Generated(_) | Self::Derived { .. } => &[],
        }
    }

    /// A text by which cases of one kin are known: the digest of their first seed, or of their grammar. Empty if they have none.
    pub fn kin(&self) -> &str {
        match self.root() {
            Self::Enumerated { grammar, .. } => &grammar.hash,
            _ => self.seeds().first().map_or("", |s| &s.hash),
        }
    }

    /// What it was made of, in a word for people: the name of its first seed or of its grammar, or its generator.
    pub fn made_of(&self) -> &str {
        match self.root() {
            Self::Enumerated { grammar, .. } => &grammar.name,
            Self::Generated(how) => &how.generator,
            _ => self.seeds().first().map_or("?", |s| &s.name),
        }
    }

    /// Who made it, for people: the strategy, the generator, or nobody but the author of the seed or the grammar.
    pub fn maker(&self) -> &str {
        match self.root() {
            Self::Mutant(recipe) => &recipe.strategy,
            Self::Enumerated { .. } => Self::GRAMMAR,
            Self::Generated(how) => &how.generator,
            Self::Seed(_) | Self::Derived { .. } => Self::SEED,
        }
    }

    /// Which chain or position it belongs to, and at which step or place of it.
    pub fn place(&self) -> (u64, u64) {
        match self.root() {
            Self::Mutant(recipe) => (recipe.chain, recipe.step.into()),
            Self::Enumerated { index, .. } => (0, index.low()),
            Self::Generated(how) => (how.seq, how.step.into()),
            Self::Seed(_) | Self::Derived { .. } => (0, 0),
        }
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

    fn seed() -> SeedRef {
        SeedRef { name: "a.smt2".into(), hash: "00".into() }
    }

    /// The text is part of every finding: it must not change.
    #[test]
    fn as_text_and_back() {
        let check = |origin: &Origin, expect: &str| {
            let text = serde_json::to_string(origin).unwrap();
            assert_eq!(text, expect);
            assert_eq!(serde_json::from_str::<Origin>(&text).unwrap(), *origin);
        };
        let twice = Origin::Seed(seed()).derived(Derivation::Totalised);
        let twice = twice.derived(Derivation::Reduced);
        check(
            &twice,
            r#"{"derived":{"from":{"derived":{"from":{"seed":{"name":"a.smt2","hash":"00"}},"how":"totalised"}},"how":"reduced"}}"#,
        );
        let grammar = GrammarRef { name: "ints.g".into(), hash: "01".into() };
        let index = Index::Small(u64::MAX);
        let cost = Cost::Thesis;
        let enumerated = Origin::Enumerated { grammar: grammar.clone(), index, cost };
        check(
            &enumerated.derived(Derivation::Residual),
            r#"{"derived":{"from":{"enumerated":{"grammar":{"name":"ints.g","hash":"01"},"index":18446744073709551615}},"how":"residual"}}"#,
        );
        let index = Index::of_digits("18446744073709551616");
        check(
            &Origin::Enumerated { grammar, index, cost: Cost::Published },
            r#"{"enumerated":{"grammar":{"name":"ints.g","hash":"01"},"index":"18446744073709551616","cost":"published"}}"#,
        );
        check(
            &Origin::Generated(generation()),
            r#"{"generated":{"smelt":"1","generator":"bandit","parameters":["depth=3"],"campaign":7,"seq":9,"step":2}}"#,
        );
    }

    fn generation() -> Generation {
        Generation {
            smelt: "1".into(),
            generator: "bandit".into(),
            parameters: vec!["depth=3".into()],
            campaign: 7,
            seq: 9,
            step: 2,
        }
    }

    /// Who made it, of what, of which kin, where, and how many seeds it has; reducing it changes nothing of that.
    #[test]
    fn with_seeds_and_without() {
        let check = |origin: Origin, expect: (&str, &str, &str, (u64, u64), usize)| {
            for o in [origin.clone(), origin.derived(Derivation::Reduced)] {
                let got = (o.maker(), o.made_of(), o.kin(), o.place(), o.seeds().len());
                assert_eq!(got, expect, "{o:?}");
            }
        };
        check(Origin::Seed(seed()), ("seed", "a.smt2", "00", (0, 0), 1));
        let recipe = Recipe {
            smelt: String::new(),
            strategy: "fusion".into(),
            parameters: Vec::new(),
            without: Vec::new(),
            campaign: 1,
            seeds: vec![seed(), SeedRef { name: "b.smt2".into(), hash: "02".into() }],
            chain: 4,
            step: 3,
        };
        let damaged = Recipe { seeds: Vec::new(), ..recipe.clone() };
        check(Origin::Mutant(recipe), ("fusion", "a.smt2", "00", (4, 3), 2));
        check(Origin::Mutant(damaged), ("fusion", "?", "", (4, 3), 0));
        let grammar = GrammarRef { name: "ints.g".into(), hash: "01".into() };
        let index = Index::of_digits("5");
        let enumerated = Origin::Enumerated { grammar, index, cost: Cost::Published };
        check(enumerated, ("grammar", "ints.g", "01", (0, 5), 0));
        check(Origin::Generated(generation()), ("bandit", "bandit", "", (9, 2), 0));
    }
}
