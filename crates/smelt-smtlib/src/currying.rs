//! Higher-order declarations and applications as they were written.
//!
//! A symbol has all its arguments in [`FunDecl::args`](crate::arena::FunDecl::args), also those that a function sort
//! behind the list of its declaration has. To cvc5 that makes no difference. z3 reads function sorts as arrays: there
//! `(-> A (-> B C))` is not `(-> A B C)`, and a function declared by the first is applied as `((f x) y)`, which cvc5 does
//! not read. So the source's way is kept for printing.

use crate::arena::{Arena, Fun};
use crate::sort::{Sort, SortKind};

/// How declarations and applications were written.
#[derive(Clone, Default)]
pub(crate) struct Currying {
    /// By ascending symbol: the arguments in the list of the declaration, and the sort behind it.
    written: Vec<(Fun, u32, Sort)>,
    pub juxtaposes: bool,
}

impl Currying {
    pub fn of(&self, f: Fun) -> Option<(usize, Sort)> {
        let at = self.written.binary_search_by_key(&f, |&(g, ..)| g).ok()?;
        let (_, n, ret) = self.written[at];
        Some((n as usize, ret))
    }

    pub fn note(&mut self, f: Fun, args: usize, ret: Sort) {
        let at = self.written.partition_point(|&(g, ..)| g < f);
        self.written.insert(at, (f, args as u32, ret));
    }

    pub fn truncate(&mut self, funs: usize) {
        let keep = self.written.partition_point(|(f, ..)| f.index() < funs);
        self.written.truncate(keep);
    }
}

impl Arena {
    /// The arguments and the result of a function sort, through all function sorts that it results in.
    pub fn uncurried(&self, s: Sort) -> Option<(Vec<Sort>, Sort)> {
        let mut all = Vec::new();
        let mut s = s;
        while let SortKind::Fun(args, ret) = self.sort_kind(s) {
            all.extend_from_slice(args);
            s = *ret;
        }
        (!all.is_empty()).then_some((all, s))
    }
}
