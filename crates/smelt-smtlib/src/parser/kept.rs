//! Tables that a thread keeps from one script to the next: campaigns read scripts of a page by the thousand, and making
//! room for each anew takes a good part of the time.

use std::cell::Cell;

use super::term::Frame;
use super::{FunList, Undo};
use crate::arena::{Sym, Term};

/// A table with room for more items than this is not kept.
const MOST: usize = 1 << 14;

/// The tables, all empty.
#[derive(Default)]
pub(super) struct Kept {
    pub funs: Vec<FunList>,
    pub locals: Vec<Option<Term>>,
    pub local_undo: Vec<(Sym, Option<Term>)>,
    pub undo: Vec<Undo>,
    pub frames: Vec<Frame>,
    pub values: Vec<Term>,
    pub pending: Vec<(Sym, Term)>,
    pub recent: Recent,
}

thread_local! {
    static KEPT: Cell<Option<Box<Kept>>> = const { Cell::new(None) };
}

impl Kept {
    /// Takes the tables of this thread, or new ones.
    pub fn take() -> Box<Self> {
        KEPT.take().unwrap_or_default()
    }

    /// Leaves the tables to the next script.
    pub fn leave(mut self: Box<Self>) {
        empty(&mut self.funs);
        empty(&mut self.locals);
        empty(&mut self.local_undo);
        empty(&mut self.undo);
        empty(&mut self.frames);
        empty(&mut self.values);
        empty(&mut self.pending);
        self.recent.0.fill((0, Sym(0)));
        KEPT.set(Some(self));
    }
}

fn empty<T>(table: &mut Vec<T>) {
    if table.capacity() > MOST {
        *table = Vec::new();
    }
    table.clear();
}

/// The names of up to 8 bytes that were read last, by their bytes: most names occur again soon.
pub(super) struct Recent([(u64, Sym); Self::PLACES]);

impl Default for Recent {
    fn default() -> Self {
        Self([(0, Sym(0)); Self::PLACES])
    }
}

impl Recent {
    const PLACES: usize = 128;

    /// The place for a name, and whether the name is there.
    #[inline]
    pub fn at(&mut self, bytes: u64) -> (&mut (u64, Sym), bool) {
        let place = bytes.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 57;
        let entry = &mut self.0[place as usize % Self::PLACES];
        let there = entry.0 == bytes;
        (entry, there)
    }
}
