//! The operator table read backwards: from a wanted result sort to indices and argument sorts.
//!
//! A signature leaves things open: the width of the arguments of `bvult`, the bounds of an `extract` that must give
//! four bits, the element sort of the sequence of a `seq.len`. Whoever asks decides these by a [`Choose`], which keeps
//! this module free of randomness. Every [`Use`] that comes out is accepted by [`Arena::app`].

#[cfg(test)]
mod tests;
mod tuples;

use crate::arena::{Arena, Fun, FunKind, Sym};
use crate::op::{Assoc, Op, OpInfo, P};
use crate::sort::{Sort, SortDeclKind, SortKind};

/// What sort is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Any sort whose values can be compared: neither `RegLan` nor a function sort.
    Any,
    /// Int or Real.
    Number,
    /// A bit-vector whose width is within these bounds.
    BitVec(u32, u32),
    /// A floating-point sort.
    Float,
    /// A finite field.
    Field,
    /// A datatype (an instance, if it is parametric).
    Datatype,
}

/// What number is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// How many arguments an associative operator gets, or how many columns a tuple has.
    Count,
    /// A width, an index or a position that the sorts restrict.
    Index,
    /// The k-th index where sorts do not restrict it: `(_ divisible n)`, `(_ re.loop a b)`, `(_ rotate_left i)` …
    Free(u8),
    /// One of several equally good candidates.
    Pick,
}

/// Decides what a signature leaves open.
pub trait Choose {
    /// A sort of the wanted kind; `None` if there is none, which gives up this use of the operator.
    fn sort(&mut self, arena: &mut Arena, need: Need) -> Option<Sort>;
    /// A number within the bounds (both included).
    fn number(&mut self, op: Op, what: Number, low: u32, high: u32) -> u32;
}

/// A way to use an operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// The operator.
    pub op: Op,
    /// Its indices, as [`Arena::app`] takes them.
    pub indices: Vec<u32>,
    /// The sorts of its arguments.
    pub args: Vec<Sort>,
    /// The sort of the result. For an operator that needs `(as f S)`, this is S.
    pub ret: Sort,
}

/// No width that comes out of an inversion is larger, unless the wanted sort is.
pub const MAX_INVERTED_WIDTH: u32 = 4096;

/// Whether the result of the operator can have this sort. May say yes where [`invert`] then finds no arguments.
pub fn may_return(arena: &Arena, op: Op, sort: Sort) -> bool {
    let info = op.info();
    let kind = arena.sort_kind(sort);
    match op {
        Op::TupleMake => return matches!(kind, SortKind::Tuple(p) if !p.is_empty()),
        Op::TupleUnit => return matches!(kind, SortKind::Tuple(p) if p.is_empty()),
        Op::TupleProject => return matches!(kind, SortKind::Tuple(_)),
        Op::SeqEmpty => return matches!(kind, SortKind::Seq(_)),
        Op::SetEmpty | Op::SetUniverse => return matches!(kind, SortKind::Set(_)),
        Op::BagEmpty => return matches!(kind, SortKind::Bag(_)),
        Op::NullableNull => return matches!(kind, SortKind::Nullable(_)),
        Op::ConstArray => return matches!(kind, SortKind::Array(..)),
        Op::Update => {
            let SortKind::Named(d, _) = kind else { return false };
            return matches!(arena.sort_decl(*d).kind, SortDeclKind::Datatype { .. });
        }
        _ => {}
    }
    match info.ret {
        P::Bool => sort == Sort::BOOL,
        P::Int => sort == Sort::INT,
        P::Real => sort == Sort::REAL,
        P::Str => sort == Sort::STRING,
        P::Re => sort == Sort::REGLAN,
        P::Rm => sort == Sort::RM,
        P::Num => sort == Sort::INT || sort == Sort::REAL,
        P::A | P::B | P::C | P::Ascribed => {
            !matches!(kind, SortKind::RegLan | SortKind::Fun(..)) && !arena.sort_has_params(sort)
        }
        P::Bv1 => matches!(kind, SortKind::BitVec(1)),
        P::BvXPlusY | P::BvIPlusJ => matches!(kind, SortKind::BitVec(w) if *w >= 2),
        P::BvFp => matches!(kind, SortKind::BitVec(w) if *w >= 4),
        P::BvX | P::BvY | P::BvXPlusI | P::BvXTimesI | P::BvExtract | P::BvI => {
            matches!(kind, SortKind::BitVec(_))
        }
        P::Fp | P::FpI | P::FpXY => matches!(kind, SortKind::Float(..)),
        P::Ff => matches!(kind, SortKind::FiniteField(_)),
        P::ArrAB => matches!(kind, SortKind::Array(..)),
        P::SeqA | P::SeqB => matches!(kind, SortKind::Seq(_)),
        P::SetA | P::SetB => matches!(kind, SortKind::Set(_)),
        P::BagA | P::BagB => matches!(kind, SortKind::Bag(_)),
        P::NullA => matches!(kind, SortKind::Nullable(_)),
        P::FunAB | P::FunABool | P::FunABB => false,
    }
}

/// A way to use the operator so that its result has the wanted sort (any sort, if none is given).
pub fn invert(
    arena: &mut Arena,
    op: Op,
    want: Option<Sort>,
    choose: &mut dyn Choose,
) -> Option<Use> {
    if want.is_some_and(|s| !may_return(arena, op, s)) {
        return None;
    }
    let mut v = Inversion { arena, choose, op, open: Open::default(), indices: Vec::new() };
    let (args, ret) = match v.by_rule(want)? {
        Some(done) => done,
        None => v.by_patterns(want)?,
    };
    Some(Use { op, indices: v.indices, args, ret })
}

/// The variables of a signature, as far as they are decided.
#[derive(Default)]
struct Open {
    a: Option<Sort>,
    b: Option<Sort>,
    c: Option<Sort>,
    num: Option<Sort>,
    x: Option<u32>,
    y: Option<u32>,
    fp: Option<(u32, u32)>,
    ff: Option<Sort>,
}

type Sorts = (Vec<Sort>, Sort);

struct Inversion<'a> {
    arena: &'a mut Arena,
    choose: &'a mut dyn Choose,
    op: Op,
    open: Open,
    indices: Vec<u32>,
}

impl Inversion<'_> {
    // ---- choices

    fn any(&mut self) -> Option<Sort> {
        self.choose.sort(self.arena, Need::Any)
    }

    fn a(&mut self) -> Option<Sort> {
        if self.open.a.is_none() {
            self.open.a = Some(self.any()?);
        }
        self.open.a
    }

    fn b(&mut self) -> Option<Sort> {
        if self.open.b.is_none() {
            self.open.b = Some(self.any()?);
        }
        self.open.b
    }

    /// A sort of collections of A.
    fn over_a(&mut self, make: fn(Sort) -> SortKind) -> Option<Sort> {
        let kind = make(self.a()?);
        Some(self.mk(kind))
    }

    /// A sort of collections of B.
    fn over_b(&mut self, make: fn(Sort) -> SortKind) -> Option<Sort> {
        let kind = make(self.b()?);
        Some(self.mk(kind))
    }

    fn width_within(&mut self, low: u32, high: u32) -> Option<u32> {
        let s = self.choose.sort(self.arena, Need::BitVec(low, high))?;
        self.width_of(s).filter(|w| (low..=high).contains(w))
    }

    fn width_of(&self, s: Sort) -> Option<u32> {
        match *self.arena.sort_kind(s) {
            SortKind::BitVec(w) => Some(w),
            _ => None,
        }
    }

    fn x(&mut self) -> Option<u32> {
        if self.open.x.is_none() {
            self.open.x = Some(self.width_within(1, MAX_INVERTED_WIDTH)?);
        }
        self.open.x
    }

    fn format(&mut self) -> Option<(u32, u32)> {
        if self.open.fp.is_none() {
            let s = self.choose.sort(self.arena, Need::Float)?;
            self.open.fp = match *self.arena.sort_kind(s) {
                SortKind::Float(e, m) => Some((e, m)),
                _ => None,
            };
        }
        self.open.fp
    }

    fn number(&mut self, what: Number, low: u32, high: u32) -> u32 {
        self.choose.number(self.op, what, low, high).clamp(low, high)
    }

    fn free_indices(&mut self, n: u8) {
        for k in 0..n {
            let i = self.number(Number::Free(k), 0, u32::MAX);
            self.indices.push(i);
        }
    }

    fn count(&mut self, low: u32, high: u32) -> usize {
        self.number(Number::Count, low, high) as usize
    }

    fn bv(&mut self, w: u32) -> Sort {
        self.arena.bv_sort(w)
    }

    fn mk(&mut self, kind: SortKind) -> Sort {
        self.arena.mk_sort(kind)
    }

    // ---- operators that patterns describe

    fn by_patterns(&mut self, want: Option<Sort>) -> Option<Sorts> {
        let info = self.op.info();
        if let Some(s) = want {
            self.bind_result(info.ret, s);
        }
        self.open_indices(info, want)?;
        let n = match info.assoc {
            Assoc::Fixed => info.args.len(),
            Assoc::Rest => self.count(info.args.len() as u32, info.args.len() as u32 + 3),
            _ => self.count(2, 4),
        };
        if info.indices.is_none() {
            // Pseudo-Boolean constraints: the bound, then one coefficient per argument.
            self.free_indices(n as u8 + 1);
        }
        let mut args = Vec::with_capacity(n);
        for i in 0..n {
            args.push(self.argument(info.pattern(i))?);
        }
        let ret = match want {
            Some(s) => s,
            None => self.result(info.ret)?,
        };
        Some((args, ret))
    }

    /// Decides what the wanted result sort decides.
    fn bind_result(&mut self, p: P, want: Sort) {
        let kind = self.arena.sort_kind(want).clone();
        match (p, kind) {
            (P::A, _) => self.open.a = Some(want),
            (P::B, _) => self.open.b = Some(want),
            (P::C, _) => self.open.c = Some(want),
            (P::Num, _) => self.open.num = Some(want),
            (P::Ff, _) => self.open.ff = Some(want),
            (P::BvX, SortKind::BitVec(w)) => self.open.x = Some(w),
            (P::BvY, SortKind::BitVec(w)) => self.open.y = Some(w),
            (P::Fp, SortKind::Float(e, m)) => self.open.fp = Some((e, m)),
            (P::FpXY, SortKind::Float(e, m)) => {
                self.open.x = Some(e);
                self.open.y = Some(m - 1);
            }
            (P::BvFp, SortKind::BitVec(w)) => {
                let e = self.number(Number::Index, 2, w - 2);
                self.open.fp = Some((e, w - e));
            }
            (P::ArrAB, SortKind::Array(i, e)) => {
                self.open.a = Some(i);
                self.open.b = Some(e);
            }
            (P::SeqA, SortKind::Seq(e)) | (P::SetA, SortKind::Set(e)) => self.open.a = Some(e),
            (P::BagA, SortKind::Bag(e)) | (P::NullA, SortKind::Nullable(e)) => {
                self.open.a = Some(e);
            }
            (P::SeqB, SortKind::Seq(e)) | (P::SetB, SortKind::Set(e)) => self.open.b = Some(e),
            (P::BagB, SortKind::Bag(e)) => self.open.b = Some(e),
            _ => {}
        }
    }

    /// Decides the indices, and the widths that depend on them.
    fn open_indices(&mut self, info: &OpInfo, want: Option<Sort>) -> Option<()> {
        let width = want.and_then(|s| self.width_of(s));
        match info.ret {
            P::BvXPlusI => {
                let i = match width {
                    Some(w) => {
                        let x = self.width_within(1, w)?;
                        self.open.x = Some(x);
                        w - x
                    }
                    None => {
                        let x = self.x()?;
                        self.number(Number::Index, 0, MAX_INVERTED_WIDTH.saturating_sub(x))
                    }
                };
                self.indices.push(i);
            }
            P::BvXTimesI => {
                let i = match width {
                    Some(w) => {
                        let divisors: Vec<u32> = (1..=w).filter(|d| w % d == 0).collect();
                        let k = self.number(Number::Pick, 0, divisors.len() as u32 - 1);
                        let i = divisors[k as usize];
                        self.open.x = Some(w / i);
                        i
                    }
                    None => {
                        let x = self.x()?;
                        self.number(Number::Index, 1, (MAX_INVERTED_WIDTH / x).max(1))
                    }
                };
                self.indices.push(i);
            }
            P::BvExtract => {
                let (high, low) = match width {
                    Some(w) => {
                        let x = self.width_within(w, w.saturating_add(MAX_INVERTED_WIDTH))?;
                        self.open.x = Some(x);
                        let low = self.number(Number::Index, 0, x - w);
                        (low + w - 1, low)
                    }
                    None => {
                        let x = self.x()?;
                        let high = self.number(Number::Index, 0, x - 1);
                        (high, self.number(Number::Index, 0, high))
                    }
                };
                self.indices.extend([high, low]);
            }
            P::BvI => {
                let w = match width {
                    Some(w) => w,
                    None => self.width_within(1, MAX_INVERTED_WIDTH)?,
                };
                self.indices.push(w);
            }
            P::FpI => {
                let format = match want.map(|s| self.arena.sort_kind(s).clone()) {
                    Some(SortKind::Float(e, m)) => Some((e, m)),
                    // The format of the argument, if there is one, is another.
                    _ => self.choose.sort(self.arena, Need::Float).and_then(|s| {
                        match *self.arena.sort_kind(s) {
                            SortKind::Float(e, m) => Some((e, m)),
                            _ => None,
                        }
                    }),
                };
                let (e, m) = format?;
                self.indices.extend([e, m]);
            }
            _ if self.op == Op::Divisible => {
                let n = self.number(Number::Free(0), 1, u32::MAX);
                let lit = self.arena.literal(crate::literal::Literal::Int(n.into()));
                self.indices.push(lit.index() as u32);
            }
            _ => self.free_indices(info.indices.unwrap_or(0)),
        }
        Some(())
    }

    fn argument(&mut self, p: P) -> Option<Sort> {
        Some(match p {
            P::Bool => Sort::BOOL,
            P::Int => Sort::INT,
            P::Real => Sort::REAL,
            P::Str => Sort::STRING,
            P::Re => Sort::REGLAN,
            P::Rm => Sort::RM,
            P::Num => {
                if self.open.num.is_none() {
                    self.open.num = Some(self.choose.sort(self.arena, Need::Number)?);
                }
                self.open.num?
            }
            P::A => self.a()?,
            P::B => self.b()?,
            P::C => {
                if self.open.c.is_none() {
                    self.open.c = Some(self.any()?);
                }
                self.open.c?
            }
            P::BvX => {
                let w = self.x()?;
                self.bv(w)
            }
            P::BvY => {
                if self.open.y.is_none() {
                    self.open.y = Some(self.width_within(1, MAX_INVERTED_WIDTH)?);
                }
                let w = self.open.y?;
                self.bv(w)
            }
            P::Bv1 => self.bv(1),
            P::BvI => {
                let w = *self.indices.first()?;
                self.bv(w)
            }
            P::BvIPlusJ => {
                let w = self.indices.iter().sum();
                self.bv(w)
            }
            P::Fp => {
                let (e, m) = self.format()?;
                self.mk(SortKind::Float(e, m))
            }
            P::Ff => {
                if self.open.ff.is_none() {
                    self.open.ff = Some(self.choose.sort(self.arena, Need::Field)?);
                }
                self.open.ff?
            }
            P::ArrAB => {
                let (a, b) = (self.a()?, self.b()?);
                self.mk(SortKind::Array(a, b))
            }
            P::SeqA => self.over_a(SortKind::Seq)?,
            P::SetA => self.over_a(SortKind::Set)?,
            P::BagA => self.over_a(SortKind::Bag)?,
            P::NullA => self.over_a(SortKind::Nullable)?,
            P::SeqB => self.over_b(SortKind::Seq)?,
            P::SetB => self.over_b(SortKind::Set)?,
            P::BagB => self.over_b(SortKind::Bag)?,
            P::FunAB => {
                let (a, b) = (self.a()?, self.b()?);
                self.mk(SortKind::Fun([a].into(), b))
            }
            P::FunABool => {
                let a = self.a()?;
                self.mk(SortKind::Fun([a].into(), Sort::BOOL))
            }
            P::FunABB => {
                let (a, b) = (self.a()?, self.b()?);
                self.mk(SortKind::Fun([a, b].into(), b))
            }
            // Patterns of results only.
            P::BvXPlusY
            | P::BvXPlusI
            | P::BvXTimesI
            | P::BvExtract
            | P::FpI
            | P::FpXY
            | P::BvFp
            | P::Ascribed => return None,
        })
    }

    /// The result sort after all arguments are decided.
    fn result(&mut self, p: P) -> Option<Sort> {
        let index = |v: &Self, k: usize| v.indices.get(k).copied();
        let w = match p {
            P::BvXPlusY => self.open.x? + self.open.y?,
            P::BvXPlusI => self.open.x? + index(self, 0)?,
            P::BvXTimesI => self.open.x? * index(self, 0)?,
            P::BvExtract => index(self, 0)? - index(self, 1)? + 1,
            P::BvFp => {
                let (e, m) = self.open.fp?;
                e + m
            }
            P::FpI => {
                let (e, m) = (index(self, 0)?, index(self, 1)?);
                return Some(self.mk(SortKind::Float(e, m)));
            }
            P::FpXY => {
                let (e, m) = (self.open.x?, self.open.y?);
                return Some(self.mk(SortKind::Float(e, m + 1)));
            }
            _ => return self.argument(p),
        };
        Some(self.bv(w))
    }

    // ---- operators with a rule in code

    /// `Some(None)` if the patterns suffice.
    fn by_rule(&mut self, want: Option<Sort>) -> Option<Option<Sorts>> {
        let done = match self.op {
            Op::Concat => self.concat(want)?,
            Op::FpMake => return self.make_float(want).map(|()| None),
            Op::BitToBool => {
                let x = self.x()?;
                let i = self.number(Number::Index, 0, x - 1);
                self.indices.push(i);
                (vec![self.bv(x)], Sort::BOOL)
            }
            Op::ConstArray => {
                let s = self.wanted(want, P::ArrAB)?;
                let SortKind::Array(_, e) = *self.arena.sort_kind(s) else { return None };
                (vec![e], s)
            }
            Op::SeqEmpty => (vec![], self.wanted(want, P::SeqA)?),
            Op::SetEmpty | Op::SetUniverse => (vec![], self.wanted(want, P::SetA)?),
            Op::BagEmpty => (vec![], self.wanted(want, P::BagA)?),
            Op::NullableNull => (vec![], self.wanted(want, P::NullA)?),
            Op::SepNil => (vec![], self.wanted(want, P::A)?),
            Op::ArrayMap => self.array_map(want)?,
            // Needs a function symbol, which is the script's and not the table's.
            Op::AsArray => return None,
            Op::Is => {
                let (s, f) = self.constructor()?;
                self.indices.push(f.index() as u32);
                (vec![s], Sort::BOOL)
            }
            Op::Update => self.update(want)?,
            Op::DtSize => (vec![self.choose.sort(self.arena, Need::Datatype)?], Sort::INT),
            Op::SeqMap | Op::SeqMapi | Op::SeqFoldl | Op::SeqFoldli => self.seq_fold(want)?,
            Op::SetInsert => {
                let s = self.wanted(want, P::SetA)?;
                let SortKind::Set(e) = *self.arena.sort_kind(s) else { return None };
                let n = self.count(1, 3);
                let mut args = vec![e; n];
                args.push(s);
                (args, s)
            }
            Op::Apply => {
                let ret = match want {
                    Some(s) => s,
                    None => self.any()?,
                };
                let n = self.count(1, 2);
                let from = (0..n).map(|_| self.any()).collect::<Option<Vec<_>>>()?;
                let f = self.mk(SortKind::Fun(from.clone().into(), ret));
                (std::iter::once(f).chain(from).collect(), ret)
            }
            _ if self.is_tuple_op() => self.tuple_op(want)?,
            _ => return Some(None),
        };
        Some(Some(done))
    }

    /// The wanted sort, or one made from the pattern.
    fn wanted(&mut self, want: Option<Sort>, p: P) -> Option<Sort> {
        match want {
            Some(s) => Some(s),
            None => self.argument(p),
        }
    }

    /// Each argument has its own width; they add up.
    fn concat(&mut self, want: Option<Sort>) -> Option<Sorts> {
        let mut parts = Vec::new();
        match want.map(|s| self.width_of(s)) {
            Some(total) => {
                let mut rest = total?;
                let n = self.count(2, rest.min(4)) as u32;
                for k in 1..n {
                    let w = self.width_within(1, rest - (n - k))?;
                    parts.push(w);
                    rest -= w;
                }
                parts.push(rest);
            }
            None => {
                for _ in 0..self.count(2, 4) {
                    parts.push(self.width_within(1, MAX_INVERTED_WIDTH)?);
                }
            }
        }
        let total = parts.iter().sum();
        let args = parts.into_iter().map(|w| self.bv(w)).collect();
        Some((args, self.bv(total)))
    }

    /// `fp` without a wanted sort: the fields of some format.
    fn make_float(&mut self, want: Option<Sort>) -> Option<()> {
        if want.is_none() {
            let (e, m) = self.format()?;
            self.open.x = Some(e);
            self.open.y = Some(m - 1);
        }
        Some(())
    }

    /// `(_ map op)` over arrays of the operator's arguments; the operator keeps the element sort.
    fn array_map(&mut self, want: Option<Sort>) -> Option<Sorts> {
        let s = self.wanted(want, P::ArrAB)?;
        let SortKind::Array(_, e) = *self.arena.sort_kind(s) else { return None };
        let ops: &[(Op, usize)] = match self.arena.sort_kind(e) {
            SortKind::Bool => &[(Op::Not, 1), (Op::And, 2), (Op::Or, 2), (Op::Xor, 2)],
            SortKind::Int | SortKind::Real => &[(Op::Add, 2), (Op::Mul, 2), (Op::Sub, 2)],
            SortKind::BitVec(_) => &[(Op::BvAdd, 2), (Op::BvNot, 1), (Op::BvAnd, 2)],
            // Not `str.++`: as an index, it is read as the operator on sequences.
            _ => return None,
        };
        let (op, n) = ops[self.number(Number::Pick, 0, ops.len() as u32 - 1) as usize];
        self.indices.extend([op as u32, 1]);
        Some((vec![s; n], s))
    }

    fn datatype_of(&self, s: Sort) -> Option<Vec<Fun>> {
        let SortKind::Named(d, _) = self.arena.sort_kind(s) else { return None };
        match &self.arena.sort_decl(*d).kind {
            SortDeclKind::Datatype { constructors, .. } => Some(constructors.clone()),
            SortDeclKind::Free => None,
        }
    }

    fn constructor(&mut self) -> Option<(Sort, Fun)> {
        let s = self.choose.sort(self.arena, Need::Datatype)?;
        let all = self.datatype_of(s)?;
        let k = self.number(Number::Pick, 0, all.len().checked_sub(1)? as u32);
        Some((s, all[k as usize]))
    }

    fn update(&mut self, want: Option<Sort>) -> Option<Sorts> {
        let s = match want {
            Some(s) => s,
            None => self.choose.sort(self.arena, Need::Datatype)?,
        };
        let SortKind::Named(d, _) = *self.arena.sort_kind(s) else { return None };
        let selectors: Vec<Fun> = (0..self.arena.fun_count())
            .filter_map(|i| self.arena.fun_at(i))
            .filter(|&f| match self.arena.fun(f).kind {
                FunKind::Selector(c, _) => {
                    matches!(self.arena.fun(c).kind, FunKind::Constructor(e, _) if d == e)
                }
                _ => false,
            })
            .collect();
        let k = self.number(Number::Pick, 0, selectors.len().checked_sub(1)? as u32);
        let f = selectors[k as usize];
        let field = field_sort(self.arena, f, s)?;
        self.indices.push(f.index() as u32);
        Some((vec![s, field], s))
    }

    fn seq_fold(&mut self, want: Option<Sort>) -> Option<Sorts> {
        let maps = matches!(self.op, Op::SeqMap | Op::SeqMapi);
        let counted = matches!(self.op, Op::SeqMapi | Op::SeqFoldli);
        if let Some(s) = want {
            self.bind_result(self.op.info().ret, s);
        }
        let (a, b) = (self.a()?, self.b()?);
        let mut from = Vec::new();
        let mut args = Vec::new();
        if counted {
            from.push(Sort::INT);
            args.push(Sort::INT);
        }
        if !maps {
            from.push(b);
            args.push(b);
        }
        from.push(a);
        args.push(self.mk(SortKind::Seq(a)));
        let f = self.mk(SortKind::Fun(from.into(), b));
        args.insert(0, f);
        let ret = if maps { self.mk(SortKind::Seq(b)) } else { b };
        Some((args, ret))
    }
}

/// The sort of a selector's field in an instance of its datatype.
pub fn field_sort(arena: &mut Arena, selector: Fun, of: Sort) -> Option<Sort> {
    let d = arena.fun(selector);
    let (from, ret) = (*d.args.first()?, d.ret);
    let mut map: Vec<(Sym, Sort)> = Vec::new();
    arena.match_sort(from, of, &mut map).then(|| arena.subst_sort(ret, &map))
}

/// The sorts of a constructor's fields in an instance of its datatype.
pub fn field_sorts(arena: &mut Arena, constructor: Fun, of: Sort) -> Option<Vec<Sort>> {
    let d = arena.fun(constructor);
    let (fields, ret) = (d.args.clone(), d.ret);
    let mut map: Vec<(Sym, Sort)> = Vec::new();
    if !arena.match_sort(ret, of, &mut map) {
        return None;
    }
    Some(fields.iter().map(|&f| arena.subst_sort(f, &map)).collect())
}
