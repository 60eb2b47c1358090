//! The sort checker: applies the table's signatures, with the conversions between Int and Real that solvers accept.

use smallvec::{SmallVec, smallvec};

use crate::arena::{Arena, Fun, FunKind, Head, Idx, Term};
use crate::literal::{Literal, MAX_WIDTH};
use crate::op::{Assoc, Op, OpInfo, P};
use crate::sort::{Sort, SortKind};

/// Why an application is not well-sorted, in one sentence.
pub type SortResult<T> = Result<T, String>;

/// The variables of one signature.
#[derive(Default)]
struct Bindings {
    a: Option<Sort>,
    b: Option<Sort>,
    c: Option<Sort>,
    num: Option<Sort>,
    x: Option<u32>,
    y: Option<u32>,
    fp: Option<(u32, u32)>,
    ff: Option<Sort>,
}

fn bind<T: PartialEq + Copy>(slot: &mut Option<T>, value: T) -> bool {
    match slot {
        Some(old) => *old == value,
        None => {
            *slot = Some(value);
            true
        }
    }
}

impl Bindings {
    fn sort_slot(&mut self, p: P) -> Option<&mut Option<Sort>> {
        match p {
            P::A => Some(&mut self.a),
            P::B => Some(&mut self.b),
            P::C => Some(&mut self.c),
            P::Num => Some(&mut self.num),
            _ => None,
        }
    }
}

type Args = SmallVec<[Term; 8]>;

impl Arena {
    /// Applies an operator, checking sorts. Int arguments become Real where that is what is meant.
    pub fn app(&mut self, op: Op, indices: &[u32], args: &[Term]) -> SortResult<Term> {
        let idx = self.idx(indices);
        self.app_op(op, idx, args, None)
    }

    /// Applies an operator whose result sort must be given, as `(as seq.empty (Seq Int))`.
    pub fn app_as(&mut self, op: Op, args: &[Term], sort: Sort) -> SortResult<Term> {
        self.app_op(op, Idx::NONE, args, Some(sort))
    }

    pub(crate) fn app_op(
        &mut self,
        op: Op,
        idx: Idx,
        args: &[Term],
        ascribed: Option<Sort>,
    ) -> SortResult<Term> {
        if idx == Idx::NONE
            && let Some(t) = self.app_uniform(op, args)
        {
            return Ok(t);
        }
        self.app_general(op, idx, args, ascribed)
    }

    /// The most frequent case, without the general machinery: all arguments have one sort, or it is an `ite`.
    #[inline]
    pub(crate) fn app_uniform(&mut self, op: Op, args: &[Term]) -> Option<Term> {
        let uniform = op.uniform();
        let (args_of_one_sort, to_bool) = match uniform.args {
            Some(p) if uniform.takes(args.len()) => {
                let s = self.sort(args[0]);
                let fits = match p {
                    P::Bool => s == Sort::BOOL,
                    P::Int => s == Sort::INT,
                    P::Num => s == Sort::INT || s == Sort::REAL,
                    P::BvX => matches!(self.sort_kind(s), SortKind::BitVec(_)),
                    P::Fp => matches!(self.sort_kind(s), SortKind::Float(..)),
                    _ => true,
                };
                if !fits {
                    return None;
                }
                (args, uniform.to_bool)
            }
            None if op == Op::Ite && args.len() == 3 && self.sort(args[0]) == Sort::BOOL => {
                (&args[1..], false)
            }
            _ => return None,
        };
        let (&first, rest) = args_of_one_sort.split_first()?;
        let s = self.sort(first);
        if rest.iter().any(|&t| self.sort(t) != s) {
            return None;
        }
        Some(self.mk(Head::Op(op, Idx::NONE), args, if to_bool { Sort::BOOL } else { s }))
    }

    #[inline(never)]
    fn app_general(
        &mut self,
        op: Op,
        idx: Idx,
        args: &[Term],
        ascribed: Option<Sort>,
    ) -> SortResult<Term> {
        let info = op.info();
        if let Some(n) = info.indices
            && n as usize != self.indices(idx).len()
        {
            return Err(format!(
                "`{}` takes {} but got {}",
                info.name,
                plural(n as usize, "index", "indices"),
                self.indices(idx).len()
            ));
        }
        if !info.arity_fits(args.len()) {
            if let Some(t) = self.degenerate(info, args)? {
                return Ok(t);
            }
            return Err(arity_error(info, args.len()));
        }
        if op == Op::ToReal && args.len() == 1 && self.sort(args[0]) == Sort::REAL {
            return Ok(args[0]);
        }
        if op == Op::Apply
            && let Some(t) = self.uncurry(args)?
        {
            return Ok(t);
        }
        let mut args = Args::from_slice(args);
        let mut bindings = Bindings::default();
        let sort = match info.special {
            Some(rule) => {
                self.check_args(info, idx, &mut args, &mut bindings, true)?;
                let indices: SmallVec<[u32; 4]> = self.indices(idx).into();
                rule(self, &indices, &args)?
            }
            None => {
                self.check_args(info, idx, &mut args, &mut bindings, false)?;
                self.result(info, idx, &args, &bindings, ascribed)?
            }
        };
        Ok(self.mk(Head::Op(op, idx), &args, sort))
    }

    /// One form for applications: `(@ (@ f x) y)` is `(@ f x y)`, and `(f x y)` if f is a symbol of two arguments.
    fn uncurry(&mut self, args: &[Term]) -> SortResult<Option<Term>> {
        let Some((&f, given)) = args.split_first() else { return Ok(None) };
        match self.head(f) {
            Head::Op(Op::Apply, _) => {
                let all: Args = self.args(f).iter().chain(given).copied().collect();
                self.app_op(Op::Apply, Idx::NONE, &all, None).map(Some)
            }
            Head::Fun(g) if self.args(f).is_empty() => {
                let arity = self.fun(g).args.len();
                if arity == 0 || given.len() < arity || !self.fun(g).params.is_empty() {
                    return Ok(None);
                }
                let t = self.apply_fun(g, &given[..arity], None)?;
                if given.len() == arity {
                    return Ok(Some(t));
                }
                let all: Args = std::iter::once(t).chain(given[arity..].iter().copied()).collect();
                self.app_op(Op::Apply, Idx::NONE, &all, None).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// `(and)`, `(or x)`, `(+ x)`, `(distinct x)` …: not standard, but accepted by z3.
    fn degenerate(&mut self, info: &OpInfo, args: &[Term]) -> SortResult<Option<Term>> {
        Ok(match (info.assoc, args) {
            (Assoc::Left | Assoc::Right, &[t]) if info.op != Op::Sub => {
                let mut one: Args = smallvec![t];
                self.check_args(info, Idx::NONE, &mut one, &mut Bindings::default(), false)?;
                Some(one[0])
            }
            (Assoc::Chain | Assoc::Pairwise, &[_]) => Some(self.mk_bool(true)),
            (_, []) if info.op == Op::And => Some(self.mk_bool(true)),
            (_, []) if info.op == Op::Or => Some(self.mk_bool(false)),
            _ => None,
        })
    }

    fn check_args(
        &mut self,
        info: &OpInfo,
        idx: Idx,
        args: &mut Args,
        b: &mut Bindings,
        loose: bool,
    ) -> SortResult<()> {
        if info.args.is_empty() {
            return Ok(());
        }
        for i in 0..args.len() {
            let p = info.pattern(i);
            let s = self.sort(args[i]);
            if loose && i >= 1 && info.assoc != Assoc::Fixed {
                // Each argument of `concat` has its own width.
                let mut own = Bindings::default();
                if !self.matches(p, s, idx, &mut own) {
                    return Err(self.mismatch(info, i, p, s, &own, idx));
                }
                continue;
            }
            if self.matches(p, s, idx, b) {
                continue;
            }
            if s == Sort::INT && (p == P::Real || self.wants_real(p, b)) {
                args[i] = self.to_real(args[i]);
                continue;
            }
            // An Int came first, now a Real: convert the earlier ones.
            if s == Sort::REAL
                && let Some(slot) = b.sort_slot(p)
                && *slot == Some(Sort::INT)
                && (0..i).all(|j| self.direct(info, j, p))
            {
                *slot = Some(Sort::REAL);
                for j in 0..i {
                    if info.pattern(j) == p {
                        args[j] = self.to_real(args[j]);
                    }
                }
                continue;
            }
            return Err(self.mismatch(info, i, p, s, b, idx));
        }
        Ok(())
    }

    fn wants_real(&self, p: P, b: &mut Bindings) -> bool {
        b.sort_slot(p).is_some_and(|slot| *slot == Some(Sort::REAL))
    }

    /// Whether argument `j` binds the variable `p` only by being of that sort itself.
    fn direct(&self, info: &OpInfo, j: usize, p: P) -> bool {
        let q = info.pattern(j);
        q == p || matches!(q, P::Bool | P::Int | P::Real | P::Rm)
    }

    /// Converts an Int term to Real: literals by value, anything else by `to_real`.
    pub fn to_real(&mut self, t: Term) -> Term {
        match self.head(t) {
            Head::Lit(l) => {
                if let Literal::Int(v) = self.lit(l) {
                    let digits = v.clone();
                    return self.mk_literal(Literal::Real { digits, scale: 0 });
                }
            }
            Head::Op(Op::Neg, i) => {
                let inner = self.args(t)[0];
                if matches!(self.head(inner), Head::Lit(_)) {
                    let inner = self.to_real(inner);
                    return self.mk(Head::Op(Op::Neg, i), &[inner], Sort::REAL);
                }
            }
            _ => {}
        }
        self.mk(Head::Op(Op::ToReal, Idx::NONE), &[t], Sort::REAL)
    }

    fn matches(&mut self, p: P, s: Sort, idx: Idx, b: &mut Bindings) -> bool {
        let kind = self.sort_kind(s);
        match (p, kind) {
            (P::Bool, _) => s == Sort::BOOL,
            (P::Int, _) => s == Sort::INT,
            (P::Real, _) => s == Sort::REAL,
            (P::Str, _) => s == Sort::STRING,
            (P::Re, _) => s == Sort::REGLAN,
            (P::Rm, _) => s == Sort::RM,
            (P::Num, SortKind::Int | SortKind::Real) => bind(&mut b.num, s),
            (P::A, _) => bind(&mut b.a, s) || b.a.is_some_and(|t| self.interchangeable(t, s)),
            (P::B, _) => bind(&mut b.b, s) || b.b.is_some_and(|t| self.interchangeable(t, s)),
            (P::C, _) => bind(&mut b.c, s),
            (P::BvX, &SortKind::BitVec(w)) => bind(&mut b.x, w),
            (P::BvY, &SortKind::BitVec(w)) => bind(&mut b.y, w),
            (P::Bv1, &SortKind::BitVec(w)) => w == 1,
            (P::BvI, &SortKind::BitVec(w)) => self.indices(idx).first() == Some(&w),
            (P::BvIPlusJ, &SortKind::BitVec(w)) => {
                matches!(*self.indices(idx), [i, j] if i.checked_add(j) == Some(w))
            }
            (P::Fp, &SortKind::Float(e, m)) => bind(&mut b.fp, (e, m)),
            (P::Ff, SortKind::FiniteField(_)) => bind(&mut b.ff, s),
            (P::ArrAB, &SortKind::Array(i, e)) => bind(&mut b.a, i) && bind(&mut b.b, e),
            (P::ArrAB, SortKind::Fun(args, ret)) => {
                let (i, more, ret) = (args[0], args[1..].to_vec(), *ret);
                let e = if more.is_empty() {
                    ret
                } else {
                    self.mk_sort(SortKind::Fun(more.into(), ret))
                };
                bind(&mut b.a, i) && bind(&mut b.b, e)
            }
            (P::SeqA, &SortKind::Seq(e)) | (P::SetA, &SortKind::Set(e)) => bind(&mut b.a, e),
            (P::BagA, &SortKind::Bag(e)) | (P::NullA, &SortKind::Nullable(e)) => bind(&mut b.a, e),
            (P::SeqB, &SortKind::Seq(e)) | (P::SetB, &SortKind::Set(e)) => bind(&mut b.b, e),
            (P::BagB, &SortKind::Bag(e)) => bind(&mut b.b, e),
            (P::FunAB, SortKind::Fun(args, ret)) => match **args {
                [a] => bind(&mut b.a, a) && bind(&mut b.b, *ret),
                _ => false,
            },
            (P::FunABool, SortKind::Fun(args, ret)) => match **args {
                [a] => *ret == Sort::BOOL && bind(&mut b.a, a),
                _ => false,
            },
            (P::FunABB, SortKind::Fun(..)) => match self.uncurried(s) {
                Some((args, ret)) if args.len() == 2 => {
                    bind(&mut b.a, args[0]) && bind(&mut b.b, args[1]) && ret == args[1]
                }
                _ => false,
            },
            _ => false,
        }
    }

    fn result(
        &mut self,
        info: &OpInfo,
        idx: Idx,
        args: &[Term],
        b: &Bindings,
        ascribed: Option<Sort>,
    ) -> SortResult<Sort> {
        let index = |a: &Self, k: usize| a.indices(idx).get(k).copied().unwrap_or(0);
        let unbound = || format!("the sort of `{}` cannot be determined", info.name);
        let kind = match info.ret {
            P::Bool => return Ok(Sort::BOOL),
            P::Int => return Ok(Sort::INT),
            P::Real => return Ok(Sort::REAL),
            P::Str => return Ok(Sort::STRING),
            P::Re => return Ok(Sort::REGLAN),
            P::Rm => return Ok(Sort::RM),
            P::Num => return b.num.ok_or_else(unbound),
            P::A => return b.a.ok_or_else(unbound),
            P::B => return b.b.ok_or_else(unbound),
            P::C => return b.c.ok_or_else(unbound),
            P::Ff => return b.ff.ok_or_else(unbound),
            P::BvX => SortKind::BitVec(b.x.ok_or_else(unbound)?),
            P::BvY => SortKind::BitVec(b.y.ok_or_else(unbound)?),
            P::Bv1 => SortKind::BitVec(1),
            P::BvXPlusY => SortKind::BitVec(width(
                u64::from(b.x.ok_or_else(unbound)?) + u64::from(b.y.ok_or_else(unbound)?),
            )?),
            P::BvXPlusI => SortKind::BitVec(width(
                u64::from(b.x.ok_or_else(unbound)?) + u64::from(index(self, 0)),
            )?),
            P::BvXTimesI => SortKind::BitVec(width(
                u64::from(b.x.ok_or_else(unbound)?) * u64::from(index(self, 0)),
            )?),
            P::BvExtract => {
                let (i, j, w) = (index(self, 0), index(self, 1), b.x.ok_or_else(unbound)?);
                if !(j <= i && i < w) {
                    return Err(format!(
                        "`extract {i} {j}` needs {j} <= {i} < {w}, the width of its argument"
                    ));
                }
                SortKind::BitVec(i - j + 1)
            }
            P::BvI => SortKind::BitVec(width(u64::from(index(self, 0)))?),
            P::BvIPlusJ => {
                SortKind::BitVec(width(u64::from(index(self, 0)) + u64::from(index(self, 1)))?)
            }
            P::Fp => {
                let (e, m) = b.fp.ok_or_else(unbound)?;
                SortKind::Float(e, m)
            }
            P::FpI => float(index(self, 0), index(self, 1))?,
            P::FpXY => float(b.x.ok_or_else(unbound)?, b.y.ok_or_else(unbound)?.saturating_add(1))?,
            P::BvFp => {
                let (e, m) = b.fp.ok_or_else(unbound)?;
                SortKind::BitVec(e + m)
            }
            P::ArrAB => SortKind::Array(b.a.ok_or_else(unbound)?, b.b.ok_or_else(unbound)?),
            P::SeqA => SortKind::Seq(b.a.ok_or_else(unbound)?),
            P::SeqB => SortKind::Seq(b.b.ok_or_else(unbound)?),
            P::SetA => SortKind::Set(b.a.ok_or_else(unbound)?),
            P::SetB => SortKind::Set(b.b.ok_or_else(unbound)?),
            P::BagA => SortKind::Bag(b.a.ok_or_else(unbound)?),
            P::BagB => SortKind::Bag(b.b.ok_or_else(unbound)?),
            P::NullA => SortKind::Nullable(b.a.ok_or_else(unbound)?),
            P::FunAB | P::FunABool | P::FunABB => return Err(unbound()),
            P::Ascribed => return self.ascribed(info, args, ascribed),
        };
        let s = self.mk_sort(kind);
        if self.sort_too_deep(s) {
            return Err("this sort is nested too deeply or too large".into());
        }
        Ok(s)
    }

    fn ascribed(&mut self, info: &OpInfo, args: &[Term], sort: Option<Sort>) -> SortResult<Sort> {
        let Some(s) = sort else {
            return Err(format!("`{0}` needs its sort: write `(as {0} SORT)`", info.name));
        };
        let ok = match (info.op, self.sort_kind(s)) {
            (Op::ConstArray, &SortKind::Array(_, e)) => self.sort(args[0]) == e,
            (Op::SeqEmpty, SortKind::Seq(_))
            | (Op::SetEmpty | Op::SetUniverse, SortKind::Set(_))
            | (Op::BagEmpty, SortKind::Bag(_))
            | (Op::NullableNull, SortKind::Nullable(_))
            | (Op::SepNil, _) => true,
            _ => false,
        };
        if ok {
            return Ok(s);
        }
        Err(format!("`{}` cannot have the sort {}", info.name, self.show_sort(s)))
    }

    /// Applies a function symbol, checking sorts; sort parameters are found by matching.
    pub fn apply_fun(&mut self, f: Fun, args: &[Term], ascribed: Option<Sort>) -> SortResult<Term> {
        let d = self.fun(f);
        if args.is_empty() && d.params.is_empty() {
            return Ok(self.mk_fun(f));
        }
        if args.len() != d.args.len() {
            if args.len() < d.args.len() && !args.is_empty() && d.params.is_empty() {
                return self.partial_application(f, args);
            }
            let result_is_fun = matches!(self.sort_kind(d.ret), SortKind::Fun(..));
            if args.len() > d.args.len() && result_is_fun {
                let n = d.args.len();
                let head = self.apply_fun(f, &args[..n], None)?;
                let rest: Args = std::iter::once(head).chain(args[n..].iter().copied()).collect();
                return self.app_op(Op::Apply, Idx::NONE, &rest, None);
            }
            return Err(format!(
                "`{}` takes {} but got {}",
                self.name(d.name),
                plural(d.args.len(), "argument", "arguments"),
                args.len()
            ));
        }
        if d.params.is_empty() && d.args.iter().zip(args).all(|(&s, &t)| s == self.sort(t)) {
            let ret = d.ret;
            return Ok(self.mk(Head::Fun(f), args, ret));
        }
        let mut args = Args::from_slice(args);
        if d.params.is_empty() {
            for i in 0..args.len() {
                let (want, have) = (self.fun(f).args[i], self.sort(args[i]));
                if want == have {
                    continue;
                }
                if want == Sort::REAL && have == Sort::INT {
                    args[i] = self.to_real(args[i]);
                } else if !self.interchangeable(want, have) {
                    return Err(self.fun_mismatch(f, i, want, have));
                }
            }
            let ret = self.fun(f).ret;
            return Ok(self.mk(Head::Fun(f), &args, ret));
        }
        let (params, sorts, ret) = (d.params.clone(), d.args.clone(), d.ret);
        let mut map = Vec::with_capacity(params.len());
        if let Some(s) = ascribed
            && !self.match_sort(ret, s, &mut map)
        {
            let name = self.name(self.fun(f).name).to_owned();
            return Err(format!("`{name}` cannot have the sort {}", self.show_sort(s)));
        }
        for i in 0..args.len() {
            let have = self.sort(args[i]);
            let before = map.len();
            if !self.match_sort(sorts[i], have, &mut map) {
                map.truncate(before);
                let want = self.subst_sort(sorts[i], &map);
                if want == Sort::REAL && have == Sort::INT {
                    args[i] = self.to_real(args[i]);
                } else {
                    return Err(self.fun_mismatch(f, i, want, have));
                }
            }
        }
        if params.iter().any(|p| map.iter().all(|(q, _)| q != p)) {
            let d = self.fun(f);
            // A selector that does not mention a parameter is fixed by its argument; only results can be open.
            let name = self.name(d.name).to_owned();
            return Err(format!("`{name}` needs its sort: write `(as {name} SORT)`"));
        }
        let sort = self.subst_sort(ret, &map);
        Ok(self.mk(Head::Fun(f), &args, sort))
    }

    fn partial_application(&mut self, f: Fun, args: &[Term]) -> SortResult<Term> {
        if matches!(self.fun(f).kind, FunKind::Constructor(..) | FunKind::Selector(..)) {
            let d = self.fun(f);
            return Err(format!(
                "`{}` takes {} but got {}",
                self.name(d.name),
                plural(d.args.len(), "argument", "arguments"),
                args.len()
            ));
        }
        let head = self.mk_fun(f);
        let all: Args = std::iter::once(head).chain(args.iter().copied()).collect();
        self.app_op(Op::Apply, Idx::NONE, &all, None)
    }

    /// z3 reads arrays as functions: `(-> A B)` and `(Array A B)` may stand for each other there. To cvc5 `(-> A (-> B C))`
    /// is `(-> A B C)`.
    pub(crate) fn interchangeable(&self, a: Sort, b: Sort) -> bool {
        if !self.has_arrow(a) && !self.has_arrow(b) {
            return false;
        }
        let ((from, to), (from2, to2)) = (self.flat(a), self.flat(b));
        let same = |a: Sort, b: Sort| a == b || self.interchangeable(a, b);
        from.len() == from2.len() && to == to2 && from.iter().zip(&from2).all(|(&a, &b)| same(a, b))
    }

    fn has_arrow(&self, s: Sort) -> bool {
        matches!(self.sort_kind(s), SortKind::Fun(..))
    }

    /// Index sorts and final element of nested arrays and functions.
    fn flat(&self, mut s: Sort) -> (SmallVec<[Sort; 4]>, Sort) {
        let mut from = SmallVec::new();
        loop {
            match self.sort_kind(s) {
                &SortKind::Array(i, e) => {
                    from.push(i);
                    s = e;
                }
                SortKind::Fun(args, ret) => {
                    from.extend_from_slice(args);
                    s = *ret;
                }
                _ => return (from, s),
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn fun_mismatch(&self, f: Fun, i: usize, want: Sort, have: Sort) -> String {
        format!(
            "argument {} of `{}` has sort {}, but {} is needed",
            i + 1,
            self.name(self.fun(f).name),
            self.show_sort(have),
            self.show_sort(want)
        )
    }

    #[cold]
    #[inline(never)]
    fn mismatch(&self, info: &OpInfo, i: usize, p: P, s: Sort, b: &Bindings, idx: Idx) -> String {
        let show = |s: Option<Sort>, any: &str| s.map_or(any.into(), |s| self.show_sort(s));
        let want = match p {
            P::Bool => "Bool".into(),
            P::Int => "Int".into(),
            P::Real => "Real".into(),
            P::Str => "String".into(),
            P::Re => "RegLan".into(),
            P::Rm => "RoundingMode".into(),
            P::Num => show(b.num, "Int or Real"),
            P::A => show(b.a, "another sort"),
            P::B => show(b.b, "another sort"),
            P::C => show(b.c, "another sort"),
            P::BvX => b.x.map_or("a bit-vector".into(), |w| format!("(_ BitVec {w})")),
            P::BvY => b.y.map_or("a bit-vector".into(), |w| format!("(_ BitVec {w})")),
            P::Bv1 => "(_ BitVec 1)".into(),
            P::BvI | P::BvIPlusJ => {
                format!(
                    "(_ BitVec {})",
                    self.indices(idx).iter().map(|&i| u64::from(i)).sum::<u64>()
                )
            }
            P::Fp => b.fp.map_or("a floating-point sort".into(), |(e, m)| {
                format!("(_ FloatingPoint {e} {m})")
            }),
            P::Ff => show(b.ff, "a finite field"),
            P::ArrAB => "an array".into(),
            P::SeqA | P::SeqB => "a sequence".into(),
            P::SetA | P::SetB => "a set".into(),
            P::BagA | P::BagB => "a bag".into(),
            P::NullA => "a nullable".into(),
            _ => "a function".into(),
        };
        format!(
            "argument {} of `{}` has sort {}, but {want} is needed",
            i + 1,
            info.name,
            self.show_sort(s)
        )
    }

    /// A sort as text, for messages.
    pub fn show_sort(&self, s: Sort) -> String {
        let mut out = String::new();
        crate::printer::write_sort(self, s, &mut out);
        if out.len() > 200 {
            let cut = (0..=200).rev().find(|&i| out.is_char_boundary(i)).unwrap_or(0);
            out.truncate(cut);
            out.push('…');
        }
        out
    }
}

pub(crate) fn width(w: u64) -> SortResult<u32> {
    match u32::try_from(w) {
        Ok(0) => Err("a bit-vector needs a width of at least 1".into()),
        Ok(n) if n <= MAX_WIDTH => Ok(n),
        _ => Err(format!("a bit-vector of {w} bits is wider than the limit of {MAX_WIDTH}")),
    }
}

pub(crate) fn float(eb: u32, sb: u32) -> SortResult<SortKind> {
    if eb < 2 || sb < 2 {
        return Err(format!(
            "a floating-point sort needs at least 2 exponent and 2 significand bits, not {eb} and {sb}"
        ));
    }
    width(u64::from(eb) + u64::from(sb))?;
    Ok(SortKind::Float(eb, sb))
}

fn plural(n: usize, one: &str, many: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {many}") }
}

#[cold]
#[inline(never)]
fn arity_error(info: &OpInfo, n: usize) -> String {
    let want = match info.assoc {
        Assoc::Fixed => plural(info.args.len(), "argument", "arguments"),
        Assoc::Rest => format!("at least {}", plural(info.args.len(), "argument", "arguments")),
        _ => "at least 2 arguments".into(),
    };
    format!("`{}` takes {want} but got {n}", info.name)
}
