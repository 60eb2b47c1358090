//! ET: every small formula of a grammar, in order.
//!
//! Paper: "Validating SMT Solvers via Grammar-Based Enumeration" (chapter 7 of "Solidifying Modern SMT Solvers"), with the enumeration of FEAT
//! (Duregård, Jansson, Wang: "Feat: Functional Enumeration of Algebraic Types").
//!
//! A [`Grammar`] is read from a file (`syntax`), an [`Enumerator`] counts its words by size (`counts`, exact), finds the word at any place
//! (`rank`), the place of any word (`parse`), and goes from a word to the next one at the cost of what changes
//! (`derivation`). Sizes are those of a [`Cost`] model. Places range over derivations: a word that is ill-sorted keeps its place.

mod check;
mod compiled;
mod cost;
mod counts;
mod derivation;
mod example;
mod lint;
mod parse;
mod rank;
pub mod shipped;
mod symmetry;
mod syntax;
mod table;
mod words;

pub use derivation::Derivation;
pub use lint::lint;
pub use smelt_case::Cost;
pub use symmetry::Symmetry;
pub use syntax::{Alternative, Grammar, Rule, Symbol, SymbolKind};
pub use table::{Recipe, from_table};
pub use words::Words;

use dashu_int::UBig;
use rand::Rng;
use smelt_smtlib::Result;

use check::cycle;
use compiled::Compiled;
use counts::Counts;
use derivation::Tables;

/// The words of a grammar in the order of their sizes, up to a size that grows on demand.
///
/// Once it reaches far enough it is not changed any more, and any number of threads can walk over it, each with [`Words`] of its own.
#[derive(Clone, Debug)]
pub struct Enumerator {
    grammar: Compiled,
    counts: Counts,
    /// The largest size, if the grammar has only so many words.
    largest: Option<u32>,
}

/// Where a word stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its place, from 0; one of them, if it has several derivations.
    pub index: UBig,
    /// Its size.
    pub size: u32,
    /// Whether it has several derivations, and so several places.
    pub is_ambiguous: bool,
}

impl Enumerator {
    /// The words of a grammar. An error if some size of this cost model has no end of words.
    pub fn new(grammar: &Grammar, cost: Cost) -> Result<Self> {
        let grammar = Compiled::new(grammar, cost)?;
        let counts = Counts::new(&grammar);
        let largest = largest(&grammar);
        Ok(Self { grammar, counts, largest })
    }

    /// Counts the words up to a size.
    pub fn reach_size(&mut self, size: u32) {
        let size = self.largest.map_or(size, |most| most.min(size));
        while self.counts.sizes() <= size as usize {
            self.counts.grow(&self.grammar);
        }
    }

    /// Counts words until this place is among them; false if the grammar has not so many.
    pub fn reach(&mut self, index: &UBig) -> bool {
        while self.below() <= index {
            if self.is_whole() {
                return false;
            }
            self.counts.grow(&self.grammar);
        }
        true
    }

    /// The number of words that are counted so far.
    pub fn below(&self) -> &UBig {
        &self.counts.below[self.counts.sizes()]
    }

    /// Whether all words are counted: the grammar has no others.
    pub fn is_whole(&self) -> bool {
        self.largest.is_some_and(|most| self.counts.sizes() > most as usize)
    }

    /// How many sizes are counted.
    pub fn sizes(&self) -> u32 {
        self.counts.sizes() as u32
    }

    /// The number of words of a size that is counted.
    pub fn count(&self, size: u32) -> &UBig {
        self.counts.rules[self.grammar.start].at(size as usize)
    }

    /// The place of the first word of a size that is counted: how many are smaller.
    pub fn first_of(&self, size: u32) -> &UBig {
        &self.counts.below[(size as usize).min(self.counts.sizes())]
    }

    /// The size of the word at a place that is reached.
    pub fn size_at(&self, index: &UBig) -> Option<u32> {
        let size = self.counts.below.partition_point(|below| below <= index);
        (size < self.counts.below.len()).then(|| size as u32 - 1)
    }

    /// The word at a place that is reached.
    pub fn nth(&self, index: &UBig) -> Option<Derivation> {
        let mut word = Derivation::default();
        self.select(index, &mut word).then_some(word)
    }

    /// Makes `word` the one at a place that is reached; false if there is none.
    pub fn select(&self, index: &UBig, word: &mut Derivation) -> bool {
        let Some(size) = self.size_at(index) else { return false };
        word.select(self.tables(), size, index - self.first_of(size));
        true
    }

    /// The words from a place on, in order, as far as they are counted.
    pub fn words_from(&self, index: &UBig) -> Words<'_> {
        Words::new(self, index)
    }

    /// A place among the words of a size that is counted, each with the same probability; none if there is no such word.
    pub fn sample(&self, size: u32, random: &mut impl Rng) -> Option<UBig> {
        let count = self.count(size);
        if count.is_zero() {
            return None;
        }
        Some(self.first_of(size) + below(count, random))
    }

    /// Where a word stands; none if it is not of the grammar. Symbols are divided by one blank. Counts sizes up to its own.
    pub fn index_of(&mut self, word: &str) -> Option<Place> {
        let parsed = parse::parse(&self.grammar, word)?;
        Some(self.placed(&parsed).1)
    }

    /// A word with its place. Counts sizes up to its own.
    fn placed(&mut self, parsed: &parse::Parsed) -> (Derivation, Place) {
        let word = parsed.derivation(self.tables());
        let size = word.size();
        self.reach_size(size);
        let index = self.first_of(size) + word.place(self.tables());
        (word, Place { index, size, is_ambiguous: parsed.is_ambiguous })
    }

    fn tables(&self) -> Tables<'_> {
        Tables { grammar: &self.grammar, counts: &self.counts }
    }
}

/// A random number below this one, which is not 0.
fn below(count: &UBig, random: &mut impl Rng) -> UBig {
    use dashu_int::ops::BitTest;
    let bits = count.bit_len();
    let mut bytes = vec![0u8; bits.div_ceil(8)];
    loop {
        random.fill_bytes(&mut bytes);
        if let Some(top) = bytes.last_mut() {
            *top &= 0xff >> (bits.div_ceil(8) * 8 - bits);
        }
        let n = UBig::from_le_bytes(&bytes);
        if n < *count {
            return n;
        }
    }
}

/// The size of the largest word, if there is one.
fn largest(grammar: &Compiled) -> Option<u32> {
    let used = |r: usize| -> Vec<usize> {
        let all = &grammar.productions[grammar.rules[r].clone()];
        all.iter().flat_map(|p| p.children.iter().map(|&c| c as usize)).collect()
    };
    if cycle(grammar.rules.len(), &used).is_some() {
        return None;
    }
    let mut largest = vec![0u32; grammar.rules.len()];
    // As many rounds as a path without a repetition has rules.
    for _ in 0..grammar.rules.len() {
        for r in 0..grammar.rules.len() {
            let all = grammar.productions[grammar.rules[r].clone()].iter();
            let sizes =
                all.map(|p| p.cost + p.children.iter().map(|&c| largest[c as usize]).sum::<u32>());
            largest[r] = sizes.max().unwrap_or_default();
        }
    }
    Some(largest[grammar.start])
}
