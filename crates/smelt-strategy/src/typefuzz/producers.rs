//! What can produce a term of a sort: operators, functions, or another term.

use std::rc::Rc;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashMap;
use smelt_case::OpSet;
use smelt_smtlib::invert::{Choose, Need, Number, field_sort, field_sorts, may_return};
use smelt_smtlib::op::P;
use smelt_smtlib::{Arena, FunKind, Op, Sort, SortKind};

use super::pool::Pool;
use super::signatures::Signatures;
use crate::accepted;

/// A way to a term.
#[derive(Debug)]
pub(super) enum Producer {
    /// Another expression as it is.
    Same,
    /// An operator of the table; its argument sorts are drawn.
    Op(Op),
    /// A function symbol on arguments of these sorts.
    Fun(smelt_smtlib::Fun, Box<[Sort]>),
    /// One of these operators (of one name) on arguments of these sorts, from a file of signatures.
    Given(Box<[Op]>, Box<[Sort]>),
}

enum Source {
    Table(Vec<Op>),
    Given(Signatures),
    Nothing,
}

/// Finds producers and remembers them by sort.
pub(super) struct Producers {
    source: Source,
    known: FxHashMap<Sort, Rc<[Producer]>>,
}

impl Producers {
    /// Operators of the table.
    pub fn table(ops: &OpSet) -> Self {
        let ops = ops.iter().filter(|&op| accepted::introduced(op)).collect();
        Self { source: Source::Table(ops), known: FxHashMap::default() }
    }

    /// Signatures from a file.
    pub fn given(mut signatures: Signatures, ops: &OpSet) -> Self {
        signatures.keep(|op| ops.contains(op));
        Self { source: Source::Given(signatures), known: FxHashMap::default() }
    }

    /// Only other expressions.
    pub fn same_only() -> Self {
        Self { source: Source::Nothing, known: FxHashMap::default() }
    }

    /// What can produce the sort; never empty.
    pub fn of(&mut self, a: &mut Arena, pool: &Pool, sort: Sort) -> Rc<[Producer]> {
        if let Some(list) = self.known.get(&sort) {
            return list.clone();
        }
        let mut list = vec![Producer::Same];
        match &self.source {
            Source::Table(ops) => {
                let functions =
                    pool.sorts.iter().any(|&s| matches!(a.sort_kind(s), SortKind::Fun(..)));
                for &op in ops {
                    if may_return(a, op, sort) && (functions || !takes_function(op)) {
                        list.push(Producer::Op(op));
                    }
                }
                functions_to(a, pool, sort, &mut list);
            }
            Source::Given(signatures) => signatures.producers(a, pool, sort, &mut list),
            Source::Nothing => {}
        }
        let list: Rc<[Producer]> = list.into();
        self.known.insert(sort, list.clone());
        list
    }
}

fn takes_function(op: Op) -> bool {
    op.info().args.iter().any(|p| matches!(p, P::FunAB | P::FunABool | P::FunABB | P::C))
}

/// Declared functions, constructors and selectors whose result has the sort.
fn functions_to(a: &mut Arena, pool: &Pool, sort: Sort, out: &mut Vec<Producer>) {
    for i in 0..a.fun_count() {
        let Some(f) = a.fun_at(i) else { continue };
        let d = a.fun(f);
        match d.kind {
            FunKind::Free | FunKind::Defined if !d.args.is_empty() && d.ret == sort => {
                out.push(Producer::Fun(f, d.args.clone()));
            }
            FunKind::Constructor(..) => {
                if let Some(sorts) = field_sorts(a, f, sort) {
                    out.push(Producer::Fun(f, sorts.into()));
                }
            }
            FunKind::Selector(..) => {
                for &s in &pool.sorts {
                    if matches!(a.sort_kind(s), SortKind::Named(..))
                        && field_sort(a, f, s) == Some(sort)
                    {
                        out.push(Producer::Fun(f, [s].into()));
                    }
                }
            }
            _ => {}
        }
    }
}

/// Decides what a signature leaves open: sorts that the script has, and small numbers.
pub(super) struct Draw<'d> {
    pool: &'d Pool,
    random: &'d mut ChaCha8Rng,
    free: u32,
}

impl<'d> Draw<'d> {
    pub fn new(pool: &'d Pool, random: &'d mut ChaCha8Rng) -> Self {
        Self { pool, random, free: 0 }
    }

    fn one_of(&mut self, fits: impl Fn(Sort) -> bool) -> Option<Sort> {
        let all = self.pool.sorts.iter().copied().filter(|&s| fits(s));
        let n = all.clone().count();
        if n == 0 {
            return None;
        }
        all.clone().nth(self.random.random_range(0..n))
    }
}

impl Choose for Draw<'_> {
    fn sort(&mut self, a: &mut Arena, need: Need) -> Option<Sort> {
        match need {
            Need::Any => {
                self.one_of(|s| !matches!(a.sort_kind(s), SortKind::RegLan | SortKind::Fun(..)))
            }
            Need::Number => self.one_of(|s| s == Sort::INT || s == Sort::REAL),
            Need::BitVec(low, high) => {
                let found = self.one_of(
                    |s| matches!(a.sort_kind(s), SortKind::BitVec(w) if (low..=high).contains(w)),
                );
                Some(found.unwrap_or_else(|| {
                    let high = high.min(low.saturating_add(8));
                    let width = self.random.random_range(low..=high);
                    a.bv_sort(width)
                }))
            }
            Need::Float => self.one_of(|s| matches!(a.sort_kind(s), SortKind::Float(..))),
            Need::Field => self.one_of(|s| matches!(a.sort_kind(s), SortKind::FiniteField(_))),
            Need::Datatype => self.one_of(|s| matches!(a.sort_kind(s), SortKind::Named(..))),
        }
    }

    fn number(&mut self, op: Op, what: Number, low: u32, high: u32) -> u32 {
        match what {
            Number::Count => {
                let more = self.random.random_bool(0.2) && accepted::arity(op, low as usize + 1);
                low + u32::from(more && high > low)
            }
            Number::Free(k) => {
                self.free = accepted::free_index(op, k, self.free, 2, self.random);
                self.free
            }
            Number::Index | Number::Pick => self.random.random_range(low..=high),
        }
    }
}
