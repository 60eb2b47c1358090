//! Seeds beside those that are given, and what becomes of options that seeds set.

use anyhow::Result;
use clap::ValueEnum;
use smelt_campaign::words::Enumeration;

use super::grammars;

/// Words of a grammar that are looked at for seeds, if no number is given.
const WORDS: u64 = 1000;

/// Seeds beside those that are given, and what becomes of options that seeds set.
#[derive(Clone, Debug, clap::Args)]
pub struct SeedOptions {
    /// Also use small formulas of a grammar, as seeds and as donors of terms: a file, or the name of one inside smelt (`smelt enumerate --list`).
    /// With a number, `ints:5000`, those of the 5,000 smallest that differ in more than names and order; of 1,000 without. May be repeated.
    #[arg(long, value_name = "GRAMMAR[:N]")]
    grammar: Vec<String>,
    /// What becomes of options that seeds set: kept where a solver's profile knows them and they ask the same question, or dropped. What is
    /// dropped is counted by name.
    #[arg(long, value_enum, default_value_t = Fate::Keep)]
    seed_options: Fate,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Fate {
    /// Solvers get those that their profiles know.
    Keep,
    /// No solver gets any.
    Drop,
}

impl SeedOptions {
    /// Whether no solver gets any.
    pub fn are_dropped(&self) -> bool {
        self.seed_options == Fate::Drop
    }

    /// The words of grammars that are seeds, too.
    pub fn grammars(&self) -> Result<Vec<Enumeration>> {
        let one = |text: &String| {
            let (name, count) = grammars::numbered(text, WORDS)?;
            let (name, text) = grammars::grammar(name)?;
            let (from, count, shard) = ("0".to_owned(), Some(count), (0, 1));
            Ok(Enumeration {
                name,
                text,
                from,
                count,
                shard,
                commutative: true,
                ..Enumeration::default()
            })
        };
        self.grammar.iter().map(one).collect()
    }
}
