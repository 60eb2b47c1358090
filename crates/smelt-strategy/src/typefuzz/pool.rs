//! Expressions by sort, with what decides where they can be used.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rustc_hash::{FxHashMap, FxHashSet};
use smelt_smtlib::{Arena, Head, Sort, Term, Var};

use crate::visible::{Span, Visible};

/// An expression with more nodes is not used as an argument.
const LARGEST: u64 = 60;

/// An expression.
#[derive(Clone, Copy)]
pub(super) struct Expr {
    pub term: Term,
    /// Where its symbols are visible.
    span: Span,
    /// Whether a binder is in it.
    pub binds: bool,
}

/// Expressions by sort.
#[derive(Default)]
pub(super) struct Pool {
    by_sort: FxHashMap<Sort, Vec<Expr>>,
    /// The sorts, in the order in which they came.
    pub sorts: Vec<Sort>,
    seen: FxHashSet<Term>,
}

impl Pool {
    /// Adds all expressions below some roots.
    pub fn add(&mut self, a: &Arena, visible: &Visible, roots: &[Term]) {
        let mut known: FxHashMap<Term, (Span, bool)> = FxHashMap::default();
        for t in a.dag(roots) {
            let mut span = visible.head(a, t);
            let mut binds = matches!(a.head(t), Head::Bind(..) | Head::Match(_));
            for c in a.args(t) {
                if let Some(&(s, b)) = known.get(c) {
                    span = span.and(s);
                    binds |= b;
                }
            }
            known.insert(t, (span, binds));
            let fits = a.tree_size(t) <= LARGEST && !matches!(a.head(t), Head::Annot(_));
            if fits && self.seen.insert(t) {
                let sort = a.sort(t);
                let list = self.by_sort.entry(sort).or_default();
                if list.is_empty() {
                    self.sorts.push(sort);
                }
                list.push(Expr { term: t, span, binds });
            }
        }
    }

    /// An expression of a sort, other than the one given, that can be used in a command with these variables in scope.
    pub fn pick(
        &self,
        a: &Arena,
        sort: Sort,
        not: Term,
        scope: &[Var],
        command: usize,
        random: &mut ChaCha8Rng,
    ) -> Option<Expr> {
        let list = self.by_sort.get(&sort)?;
        let start = random.random_range(0..list.len());
        let fits = |e: &&Expr| {
            e.term != not
                && e.span.holds(command)
                && a.free_vars(e.term).iter().all(|v| scope.contains(v))
        };
        // Most fit: the first one does, nearly always.
        list[start..].iter().chain(&list[..start]).find(fits).copied()
    }
}
