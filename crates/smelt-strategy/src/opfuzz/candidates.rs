//! The operators and functions that take given argument sorts and give a given result sort.

use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use smelt_case::OpSet;
use smelt_smtlib::invert::{Choose, Need, Number, invert, may_return};
use smelt_smtlib::op::P;
use smelt_smtlib::{Arena, Binder, Fun, FunKind, Head, Idx, Op, Sort, SortKind, Term, print_sort};

use crate::accepted;

/// What can stand at the top of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Candidate {
    Op(Op),
    Fun(Fun),
    Binder(Binder),
}

type Sorts = SmallVec<[Sort; 4]>;

/// Finds candidates and remembers them by type.
pub(super) struct Candidates {
    ops: OpSet,
    funs: FxHashMap<(Sorts, Sort), Vec<Fun>>,
    /// By type, which of the lists.
    known: FxHashMap<(Sorts, Sort), u32>,
    lists: Vec<Vec<Candidate>>,
}

impl Candidates {
    pub fn new(a: &Arena, ops: &OpSet) -> Self {
        let mut funs: FxHashMap<(Sorts, Sort), Vec<Fun>> = FxHashMap::default();
        for f in (0..a.fun_count()).filter_map(|i| a.fun_at(i)) {
            let d = a.fun(f);
            let kind = match d.kind {
                FunKind::Free | FunKind::Defined => true,
                FunKind::Constructor(..) | FunKind::Selector(..) => true,
                FunKind::Recursive | FunKind::Named | FunKind::Abstract | FunKind::External => {
                    false
                }
            };
            if kind && d.params.is_empty() && !d.args.is_empty() {
                funs.entry((d.args.iter().copied().collect(), d.ret)).or_default().push(f);
            }
        }
        Self { ops: ops.clone(), funs, known: FxHashMap::default(), lists: Vec::new() }
    }

    /// The number of the list of candidates for the top of a term, itself included.
    pub fn of(&mut self, a: &mut Arena, t: Term) -> Option<u32> {
        match a.head(t) {
            Head::Op(..) => {}
            Head::Fun(_) if !a.args(t).is_empty() => {}
            _ => return None,
        }
        let args: Sorts = a.args(t).iter().map(|&x| a.sort(x)).collect();
        let key = (args, a.sort(t));
        if let Some(&at) = self.known.get(&key) {
            return Some(at);
        }
        let ops = fitting(a, t, &key);
        let ops = ops.iter().filter(|&&op| self.ops.contains(op)).map(|&op| Candidate::Op(op));
        let funs = self.funs.get(&key).into_iter().flatten().map(|&f| Candidate::Fun(f));
        let at = self.lists.len() as u32;
        self.lists.push(ops.chain(funs).collect());
        self.known.insert(key, at);
        Some(at)
    }

    /// A list; empty if there is none of this number.
    pub fn list(&self, number: u32) -> &[Candidate] {
        self.lists.get(number as usize).map_or(&[], |l| l)
    }
}

/// How many types are remembered.
const MOST_TYPES: usize = 1 << 12;

/// What the table has for types that were asked for before, in any chain, by the texts of their sorts.
static TYPES: LazyLock<Mutex<FxHashMap<String, Arc<[Op]>>>> = LazyLock::new(Mutex::default);

/// The text of a type, if it means the same in every script.
fn text_of_type(a: &Arena, key: &(Sorts, Sort)) -> Option<String> {
    let mut text = String::new();
    let mut sorts: Sorts = key.0.clone();
    sorts.push(key.1);
    for &s in &sorts {
        text.push_str(&print_sort(a, s));
        text.push(' ');
    }
    while let Some(s) = sorts.pop() {
        if matches!(a.sort_kind(s), SortKind::Named(..) | SortKind::Param(_)) {
            return None;
        }
        a.sort_kind(s).for_each_child(|c| sorts.push(c));
    }
    Some(text)
}

/// All operators of the table that can stand at the top of a term, whose type is given too, in the order of the table.
fn fitting(a: &mut Arena, t: Term, key: &(Sorts, Sort)) -> Arc<[Op]> {
    let types = || TYPES.lock().unwrap_or_else(PoisonError::into_inner);
    let ty = text_of_type(a, key);
    if let Some(found) = ty.as_ref().and_then(|ty| types().get(ty).cloned()) {
        return found;
    }
    let n = key.0.len();
    let mut out = Vec::new();
    for op in Op::all().filter(|&op| usable(op)) {
        if n == 0 && !op.info().args.is_empty()
            || !op.info().arity_fits(n)
            || !accepted::arity(op, n)
            || !may_return(a, op, key.1)
            || !key.0.iter().enumerate().all(|(i, &s)| may_take(a, op, i, s))
        {
            continue;
        }
        // What is made only to see whether it can be made is forgotten again.
        let mark = a.mark();
        let mut random = ChaCha8Rng::seed_from_u64(op as u64);
        let c = Candidate::Op(op);
        let tries = if op.info().indices == Some(0) { 1 } else { 8 };
        let fits = (0..tries).any(|_| c.apply(a, t, &mut random).is_some());
        a.rollback(mark);
        if fits {
            out.push(op);
        }
    }
    let out: Arc<[Op]> = out.into();
    if let Some(ty) = ty {
        let mut types = types();
        if types.len() < MOST_TYPES {
            types.insert(ty, out.clone());
        }
    }
    out
}

/// Whether an operator may have an argument of a sort in this place. Asking first is much cheaper than trying.
fn may_take(a: &Arena, op: Op, i: usize, sort: Sort) -> bool {
    let kind = a.sort_kind(sort);
    if op.info().args.is_empty() {
        return true;
    }
    match op.info().pattern(i) {
        P::Bool => sort == Sort::BOOL,
        P::Int => sort == Sort::INT,
        P::Real => sort == Sort::REAL,
        P::Num => sort == Sort::INT || sort == Sort::REAL,
        P::Str => sort == Sort::STRING,
        P::Re => sort == Sort::REGLAN,
        P::Rm => sort == Sort::RM,
        P::BvX | P::BvY | P::Bv1 | P::BvI | P::BvIPlusJ => matches!(kind, SortKind::BitVec(_)),
        P::Fp => matches!(kind, SortKind::Float(..)),
        P::Ff => matches!(kind, SortKind::FiniteField(_)),
        P::ArrAB => matches!(kind, SortKind::Array(..) | SortKind::Fun(..)),
        P::SeqA | P::SeqB => matches!(kind, SortKind::Seq(_)),
        P::SetA | P::SetB => matches!(kind, SortKind::Set(_)),
        P::BagA | P::BagB => matches!(kind, SortKind::Bag(_)),
        P::NullA => matches!(kind, SortKind::Nullable(_)),
        _ => true,
    }
}

/// Operators that others can become.
fn usable(op: Op) -> bool {
    // What needs values as arguments cannot take those that are there.
    accepted::values_only(op) == 0 && accepted::introduced(op)
}

impl Candidate {
    /// Whether this is the present top, with no index that could be drawn anew.
    pub fn is_plain(self, head: Head) -> bool {
        match (self, head) {
            (Self::Op(op), Head::Op(old, _)) => {
                op == old && !matches!(op.info().indices, Some(1..) | None)
            }
            (Self::Fun(f), Head::Fun(g)) => f == g,
            _ => false,
        }
    }

    /// The candidate on the arguments of a term, with the sort of that term: a term of a type that it fits.
    pub fn draw(self, a: &mut Arena, t: Term, random: &mut ChaCha8Rng) -> Option<Term> {
        let head = match self {
            Self::Op(op) if op.info().indices == Some(0) => Head::Op(op, Idx::NONE),
            Self::Fun(f) => Head::Fun(f),
            Self::Op(_) | Self::Binder(_) => return self.apply(a, t, random),
        };
        Some(a.with_head(t, head))
    }

    /// The candidate on the arguments of a term, if it has the sort of that term there.
    fn apply(self, a: &mut Arena, t: Term, random: &mut ChaCha8Rng) -> Option<Term> {
        let args: SmallVec<[Term; 8]> = a.args(t).into();
        let sort = a.sort(t);
        let new = match self {
            Self::Op(op) if op.info().ret == P::Ascribed => a.app_as(op, &args, sort).ok()?,
            Self::Op(op) if op.info().indices == Some(0) => a.app(op, &[], &args).ok()?,
            Self::Op(op) => {
                let sorts: Sorts = args.iter().map(|&x| a.sort(x)).collect();
                let widths = match (a.sort_kind(sort), sorts.first().map(|&s| a.sort_kind(s))) {
                    (SortKind::BitVec(w), Some(SortKind::BitVec(x))) => (*w, *x),
                    _ => (1, 1),
                };
                let mut steer = Steer { args: sorts, widths, free: 0, random };
                let found = invert(a, op, Some(sort), &mut steer)?;
                a.app(op, &found.indices, &args).ok()?
            }
            Self::Fun(f) => a.apply_fun(f, &args, None).ok()?,
            Self::Binder(_) => return None,
        };
        // Arguments that had to be converted are other arguments.
        let same_top = match (self, a.head(new)) {
            (Self::Op(op), Head::Op(made, _)) => op == made,
            (Self::Fun(f), Head::Fun(made)) => f == made,
            _ => false,
        };
        (same_top && a.sort(new) == sort && a.args(new) == &*args).then_some(new)
    }
}

/// Decides what a signature leaves open so that the arguments are the ones that are there.
struct Steer<'r> {
    args: Sorts,
    /// The widths of the result and of the first argument, if they are bit-vectors.
    widths: (u32, u32),
    /// The last index that was drawn freely.
    free: u32,
    random: &'r mut ChaCha8Rng,
}

impl Steer<'_> {
    fn first(&self, a: &Arena, fits: impl Fn(&SortKind) -> bool) -> Option<Sort> {
        self.args.iter().copied().find(|&s| fits(a.sort_kind(s)))
    }
}

impl Choose for Steer<'_> {
    fn sort(&mut self, a: &mut Arena, need: Need) -> Option<Sort> {
        match need {
            Need::Any => self.args.first().copied(),
            Need::Number => self.first(a, |k| matches!(k, SortKind::Int | SortKind::Real)),
            Need::BitVec(low, high) => {
                self.first(a, |k| matches!(k, SortKind::BitVec(w) if (low..=high).contains(w)))
            }
            Need::Float => self.first(a, |k| matches!(k, SortKind::Float(..))),
            Need::Field => self.first(a, |k| matches!(k, SortKind::FiniteField(_))),
            Need::Datatype => self.first(a, |k| matches!(k, SortKind::Named(..))),
        }
    }

    fn number(&mut self, op: Op, what: Number, low: u32, high: u32) -> u32 {
        match what {
            Number::Count => self.args.len() as u32,
            Number::Free(k) => {
                self.free = accepted::free_index(op, k, self.free, self.args.len(), self.random);
                self.free
            }
            // The index of `repeat` is one of the divisors of the result's width, in ascending order.
            Number::Pick if op == Op::Repeat => {
                let (w, x) = self.widths;
                (1..w / x).filter(|d| w % d == 0).count() as u32
            }
            Number::Index | Number::Pick => self.random.random_range(low..=high),
        }
    }
}
