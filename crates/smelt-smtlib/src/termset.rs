//! Sets of terms for one walk over a script.

use rustc_hash::FxHashSet;

use crate::arena::{Arena, Term};

/// Up to so many terms a bitmap costs less to make than a hash table costs to fill.
const BITMAP: usize = 1 << 16;

/// A set of terms of one arena.
pub(crate) enum TermSet {
    Bits(Vec<u64>),
    Hash(FxHashSet<Term>),
}

impl TermSet {
    /// The empty set, for terms that exist now.
    pub fn new(a: &Arena) -> Self {
        let n = a.term_count();
        if n <= BITMAP { Self::Bits(vec![0; n / 64 + 1]) } else { Self::Hash(FxHashSet::default()) }
    }

    /// Adds a term; whether it is new.
    #[inline]
    pub fn insert(&mut self, t: Term) -> bool {
        match self {
            Self::Bits(bits) => {
                let (word, bit) = (&mut bits[t.index() / 64], 1 << (t.index() % 64));
                let new = *word & bit == 0;
                *word |= bit;
                new
            }
            Self::Hash(set) => set.insert(t),
        }
    }

    /// Whether a term is in it.
    #[inline]
    pub fn contains(&self, t: Term) -> bool {
        match self {
            Self::Bits(bits) => bits[t.index() / 64] >> (t.index() % 64) & 1 == 1,
            Self::Hash(set) => set.contains(&t),
        }
    }
}
