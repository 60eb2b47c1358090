//! Walking over words in order.

use dashu_int::UBig;

use super::{Derivation, Enumerator};

/// The words from a place on, as far as they are counted. It shares nothing that changes with anybody.
pub struct Words<'a> {
    of: &'a Enumerator,
    word: Derivation,
    /// The place of the first word, and how many have been given.
    from: UBig,
    given: u64,
}

impl<'a> Words<'a> {
    pub(super) fn new(of: &'a Enumerator, from: &UBig) -> Self {
        Self { of, word: Derivation::default(), from: from.clone(), given: 0 }
    }

    /// The next word.
    #[expect(
        clippy::should_implement_trait,
        reason = "it is lent: the next one stands in its place"
    )]
    pub fn next(&mut self) -> Option<&Derivation> {
        let is_there = match self.given {
            0 => self.of.select(&self.from, &mut self.word),
            _ => self.step(),
        };
        if !is_there {
            return None;
        }
        self.given += 1;
        Some(&self.word)
    }

    /// The place of the word that was given last.
    pub fn index(&self) -> UBig {
        &self.from + self.given.saturating_sub(1)
    }

    fn step(&mut self) -> bool {
        let tables = self.of.tables();
        if self.word.advance(tables) {
            return true;
        }
        let start = &self.of.counts.rules[self.of.grammar.start];
        let larger = self.word.size() + 1..self.of.sizes();
        let next = larger.into_iter().find(|&size| start.has(size as usize));
        if let Some(size) = next {
            self.word.first(tables, size);
        }
        next.is_some()
    }
}
