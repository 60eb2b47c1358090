//! Which words of which grammar.

use std::path::Path;

use anyhow::{Context, Result, anyhow};
use clap::ValueEnum;
use smelt_campaign::words::{Bursts, Enumeration, Header};
use smelt_case::OpSet;
use smelt_strategy::grammar::{Recipe, from_table};

use super::grammars::{Model, grammar, whole};
use super::{Seed, at_least_one};

/// Which words of a grammar, in which order.
#[derive(Clone, Debug, clap::Args)]
pub struct Words {
    /// Make the grammar from smelt's operator table: all operators of a theory; may be repeated.
    #[arg(long, value_name = "THEORY", conflicts_with = "grammar")]
    pub theory: Vec<String>,
    /// With --theory: a sort of its terms instead of those that suit the theory; may be repeated.
    #[arg(long, value_name = "SORT", requires = "theory")]
    sorts: Vec<String>,
    /// With --theory: variables of each sort.
    #[arg(long, value_name = "N", requires = "theory", default_value_t = 2)]
    variables: u32,
    /// With --theory: a constant instead of those that suit the theory; may be repeated.
    #[arg(long, value_name = "TERM", requires = "theory")]
    constants: Vec<String>,
    /// How many words.
    #[arg(short = 'n', value_name = "N", value_parser = at_least_one::<u64>)]
    pub number: Option<u64>,
    /// The place of the first word, from 0: a number, or one like `1e275`.
    #[arg(long, value_name = "INDEX", default_value = "0", value_parser = whole)]
    from: String,
    /// Words of this size only.
    #[arg(long, value_name = "SIZE")]
    pub size: Option<u32>,
    /// Random words of the size, each with the same probability.
    #[arg(long, requires = "size", requires = "number")]
    sample: bool,
    /// Begin at a word of so many bytes: the place is multiplied by ten until there is one.
    #[arg(long, value_name = "BYTES", conflicts_with = "size", requires = "number")]
    min_bytes: Option<usize>,
    /// Several bursts of -n words: each begins at the place of the one before, multiplied by this.
    #[arg(long, value_name = "FACTOR", value_parser = whole, conflicts_with = "size", requires = "number")]
    stride_mul: Option<String>,
    /// With --stride-mul: how many bursts.
    #[arg(long, value_name = "N", requires = "stride_mul", default_value_t = 6, value_parser = at_least_one::<u32>)]
    bursts: u32,
    /// What the size of a word is.
    #[arg(long, value_name = "MODEL", default_value = "thesis")]
    cost: Model,
    /// Pass over words that are an earlier one with other names for its variables.
    #[arg(long)]
    canonical: bool,
    /// As --canonical; and pass over words that are an earlier one with the arguments of commutative operators exchanged.
    #[arg(long)]
    commutative: bool,
    /// Test the I-th of N parts of the words, from 1.
    #[arg(long, value_name = "I/N", default_value = "1/1", value_parser = shard)]
    shard: (u64, u64),
    /// The logic that scripts are declared in; with `none`, words are sent letter by letter. Without it: smallest, and none for files that end in
    /// .g4, as the published grammars do.
    #[arg(long)]
    logic: Option<Logic>,
    /// Keep scripts apart by push and pop instead of a reset: the solvers' incremental code, at a fraction of the cost. All are in the logic ALL
    /// then, unless --logic says otherwise.
    #[arg(long)]
    push_pop: bool,
}

/// A logic on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Logic {
    Smallest,
    None,
    #[value(name = "ALL")]
    All,
}

impl Words {
    /// The words that are meant of a grammar: a file, the name of one inside smelt, or nothing for the one of --theory.
    pub fn of(&self, given: Option<&str>, random: Seed) -> Result<Enumeration> {
        let (name, text) = match given {
            Some(name) => grammar(name)?,
            None => (self.theory.join("-"), self.theories()?),
        };
        let is_published = Path::new(&name).extension().is_some_and(|e| e == "g4");
        let (part, parts) = self.shard;
        Ok(Enumeration {
            cost: self.cost.into(),
            from: self.from.clone(),
            count: self.number,
            size: self.size,
            sample: self.sample.then(|| random.or_zero()),
            min_bytes: self.min_bytes,
            bursts: self.stride_mul.clone().map(|factor| Bursts { number: self.bursts, factor }),
            shard: (part - 1, parts),
            canonical: self.canonical,
            commutative: self.commutative,
            header: match self.logic {
                Some(Logic::None) => Header::Verbatim,
                Some(Logic::All) => Header::Given("ALL".to_owned()),
                Some(Logic::Smallest) => Header::Smallest,
                None if is_published => Header::Verbatim,
                // A session by push and pop has one logic: another one begins a process.
                None if self.push_pop => Header::Given("ALL".to_owned()),
                None => Header::Smallest,
            },
            push_pop: self.push_pop,
            name,
            text,
            ..Enumeration::default()
        })
    }

    /// The text of a grammar of the theories that are named.
    fn theories(&self) -> Result<String> {
        let mut all: Option<Recipe> = None;
        for word in &self.theory {
            let next = Recipe::of_theory(word).map_err(|e| anyhow!("--theory: {e}"))?;
            all = Some(match all {
                None => next,
                Some(a) => a.with(next),
            });
        }
        let mut recipe = all.context("--theory names no theory")?;
        recipe.variables = self.variables;
        if !self.sorts.is_empty() {
            recipe.sorts.clone_from(&self.sorts);
            recipe.constants.clear();
        }
        if !self.constants.is_empty() {
            recipe.constants.clone_from(&self.constants);
        }
        from_table(&recipe, &OpSet::all()).map_err(anyhow::Error::msg)
    }
}

/// `2/8`
pub fn shard(text: &str) -> Result<(u64, u64), String> {
    let parts = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    match parts {
        Some((i, n)) if 1 <= i && i <= n => Ok((i, n)),
        _ => Err("I/N is needed with 1 <= I <= N, such as 2/8".into()),
    }
}
