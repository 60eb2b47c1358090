//! From the set of a term to the sets of its arguments.
//!
//! Every rule is exact or smaller: if the argument's value is in the argument's set, and the other arguments keep the
//! model's values, then the term's value is in the term's set. The test of that property is with the tests of the strategy.

use std::sync::Arc;

use smelt_eval::bv::Bv;
use smelt_eval::incremental::Incremental;
use smelt_eval::rat::Rat;
use smelt_eval::{Value, real, writable};
use smelt_smtlib::{Arena, Head, Op, Sort, Term};

use super::abs::{Abs, Bound, interval, rational};

/// Operators whose arguments are left as they are: sets of divisors (and of dividends, for remainders) are scattered, and at
/// zero there is no value.
pub const EXACT: &[Op] = &[
    Op::Mod,
    Op::Rem,
    Op::IntDiv,
    Op::Div,
    Op::ModTotal,
    Op::IntDivTotal,
    Op::DivTotal,
    Op::Divisible,
    Op::BvUdiv,
    Op::BvUrem,
    Op::BvSdiv,
    Op::BvSrem,
    Op::BvSmod,
    Op::Pow,
    Op::Piand,
    Op::Iand,
];

/// Operators that give another result for every other value of one argument: below an exact value there is but one.
const INJECTIVE: &[Op] = &[
    Op::BvAdd,
    Op::BvSub,
    Op::BvNeg,
    Op::BvNot,
    Op::BvXor,
    Op::BvXnor,
    Op::Concat,
    Op::SignExtend,
    Op::ZeroExtend,
    Op::StrConcat,
    Op::SeqConcat,
    Op::SeqUnit,
    Op::SetSingleton,
    Op::TupleMake,
    Op::NullableSome,
    Op::FfAdd,
    Op::FfNeg,
];

/// Deeper than this, sets that go through an operator are not followed.
pub const MAX_NESTED: u32 = 6;

/// An arena and the values of its terms.
pub struct Known<'a> {
    pub a: &'a Arena,
    pub values: &'a mut Incremental,
}

impl Known<'_> {
    fn value(&mut self, t: Term) -> Option<Value> {
        self.values.eval(self.a, t).ok()
    }

    fn truth(&mut self, t: Term) -> Option<bool> {
        self.values.holds(self.a, t)
    }

    /// The set of the i-th argument of a closed term with this set; `None` if the argument has no known value and its
    /// value matters.
    pub fn argument(&mut self, t: Term, i: usize, abs: &Arc<Abs>) -> Option<Arc<Abs>> {
        if matches!(**abs, Abs::Top) {
            return Some(abs.clone());
        }
        let found = match self.a.head(t) {
            Head::Op(op, _) => self.by_operator(t, op, i, abs),
            _ => None,
        };
        match found {
            Some(found) => Some(found),
            None => self.through(t, i, abs),
        }
    }

    /// Where no rule says more.
    fn through(&mut self, t: Term, i: usize, abs: &Arc<Abs>) -> Option<Arc<Abs>> {
        let nested = match &**abs {
            Abs::Via { nested, .. } => nested + 1,
            _ => 1,
        };
        let exact = match self.a.head(t) {
            Head::Op(op, _) => EXACT.contains(&op),
            Head::Fun(_) => false,
            _ => true,
        };
        if exact || nested > MAX_NESTED {
            return self.value(self.a.args(t)[i]).map(|v| Arc::new(Abs::only(v)));
        }
        // The other arguments must have values, or nothing can be said about the result.
        for (j, &x) in self.a.args(t).iter().enumerate() {
            if j != i && self.value(x).is_none() {
                return None;
            }
        }
        Some(Arc::new(Abs::Via { parent: t, arg: i as u32, inner: abs.clone(), nested }))
    }

    fn by_operator(&mut self, t: Term, op: Op, i: usize, abs: &Arc<Abs>) -> Option<Arc<Abs>> {
        let args = self.a.args(t);
        match (op, &**abs) {
            (Op::Not, Abs::Bool(b)) => Some(Arc::new(Abs::Bool(!b))),
            (Op::And, Abs::Bool(b)) => self.junction(args, i, *b, |_| true),
            (Op::Or, Abs::Bool(b)) => self.junction(args, i, !b, |_| false),
            (Op::Implies, Abs::Bool(b)) => {
                let last = args.len() - 1;
                self.junction(args, i, !b, |k| k < last)
            }
            (Op::Eq, Abs::Bool(b)) => self.equality(args, i, *b),
            (Op::Distinct, Abs::Bool(b)) => self.distinct(args, i, *b),
            (Op::Ite, _) => self.ite(args, i, abs),
            (Op::Le | Op::Lt | Op::Ge | Op::Gt, Abs::Bool(b)) => self.comparison(op, args, i, *b),
            (
                Op::BvUlt
                | Op::BvUle
                | Op::BvUgt
                | Op::BvUge
                | Op::BvSlt
                | Op::BvSle
                | Op::BvSgt
                | Op::BvSge,
                Abs::Bool(b),
            ) => self.bv_comparison(op, args, i, *b),
            (_, Abs::Interval(..) | Abs::NotIn(_)) => self.arithmetic(op, args, i, abs),
            (_, Abs::Exact(_)) => self.below_exact(op, args, i),
            (_, Abs::Ring(start, span)) => self.ring(op, args, i, start, span),
            (Op::Store, Abs::Via { parent, arg: 0, inner, .. }) => {
                self.store(args, i, *parent, abs, inner)
            }
            _ => None,
        }
    }

    /// The arguments of a term that must keep its value: many values give it, unless the operator is one to one.
    fn below_exact(&mut self, op: Op, args: &[Term], i: usize) -> Option<Arc<Abs>> {
        let one_to_one = match self.affine(op, args, i) {
            Some((scale, _)) if scale.is_zero() => return Some(Arc::new(Abs::Top)),
            Some(_) => true,
            None => INJECTIVE.contains(&op),
        };
        let value = self.value(args[i]).filter(|_| one_to_one)?;
        Some(Arc::new(Abs::only(value)))
    }

    /// A conjunction of the arguments that `positive` names and the negations of the others (or, with `all` false, its
    /// negation): each argument counts as it stands there.
    fn junction(
        &mut self,
        args: &[Term],
        i: usize,
        all: bool,
        positive: impl Fn(usize) -> bool,
    ) -> Option<Arc<Abs>> {
        if all {
            return Some(Arc::new(Abs::Bool(positive(i))));
        }
        // False already because of another argument?
        let other = (0..args.len())
            .any(|k| k != i && self.truth(args[k]).is_some_and(|b| b != positive(k)));
        Some(Arc::new(if other { Abs::Top } else { Abs::Bool(!positive(i)) }))
    }

    fn equality(&mut self, args: &[Term], i: usize, truth: bool) -> Option<Arc<Abs>> {
        let first = self.value(args[usize::from(i == 0)])?;
        // What has no constant is described by the equality itself.
        if !writable(&first) {
            return None;
        }
        if truth {
            return Some(Arc::new(Abs::only(first)));
        }
        for (k, &x) in args.iter().enumerate() {
            if k != i && !self.value(x)?.equals(&first)? {
                // Two others differ.
                return Some(Arc::new(Abs::Top));
            }
        }
        Some(Arc::new(Abs::but(first)))
    }

    fn distinct(&mut self, args: &[Term], i: usize, truth: bool) -> Option<Arc<Abs>> {
        let mut others: Vec<Value> = Vec::new();
        for (k, &x) in args.iter().enumerate() {
            if k == i {
                continue;
            }
            let v = self.value(x).filter(writable)?;
            for w in &others {
                if v.equals(w)? && !truth {
                    return Some(Arc::new(Abs::Top));
                }
            }
            others.push(v);
        }
        match (truth, &others[..]) {
            (true, [Value::Bool(b)]) => Some(Arc::new(Abs::Bool(!b))),
            (true, _) => Some(Arc::new(Abs::NotIn(others))),
            (false, [v]) => Some(Arc::new(Abs::only(v.clone()))),
            (false, _) => self.value(args[i]).map(|v| Arc::new(Abs::only(v))),
        }
    }

    fn ite(&mut self, args: &[Term], i: usize, abs: &Arc<Abs>) -> Option<Arc<Abs>> {
        let condition = self.truth(args[0])?;
        let (taken, other) = if condition { (1, 2) } else { (2, 1) };
        if i == 0 {
            let free = self.value(args[other]).and_then(|v| abs.contains(&v)) == Some(true);
            return Some(Arc::new(if free { Abs::Top } else { Abs::Bool(condition) }));
        }
        Some(if i == taken { abs.clone() } else { Arc::new(Abs::Top) })
    }

    /// `<=` and its kin, chained.
    fn comparison(&mut self, op: Op, args: &[Term], i: usize, truth: bool) -> Option<Arc<Abs>> {
        let sort = self.a.sort(args[0]);
        let ascending = matches!(op, Op::Le | Op::Lt);
        let strict = matches!(op, Op::Lt | Op::Gt);
        let bound = |known: &mut Self, k: usize, open: bool| {
            let at = rational(&known.value(args[k])?)?;
            Some(Bound { at, open })
        };
        let (mut low, mut high) = (None, None);
        if truth {
            // The neighbour before is on the lower side if the chain ascends.
            if i > 0 {
                let b = bound(self, i - 1, strict)?;
                if ascending { low = Some(b) } else { high = Some(b) }
            }
            if i + 1 < args.len() {
                let b = bound(self, i + 1, strict)?;
                if ascending { high = Some(b) } else { low = Some(b) }
            }
            return Some(Arc::new(interval(low, high, sort)));
        }
        if args.len() == 2 {
            // x > y instead of x <= y.
            let b = bound(self, 1 - i, !strict)?;
            if ascending == (i == 0) {
                low = Some(b)
            } else {
                high = Some(b)
            }
            return Some(Arc::new(interval(low, high, sort)));
        }
        // False because of a pair without this argument?
        for k in 1..args.len() {
            if k == i || k - 1 == i {
                continue;
            }
            let order = real::compare(&self.value(args[k - 1])?, &self.value(args[k])?)?;
            let order = if ascending { order } else { order.reverse() };
            if order.is_gt() || strict && order.is_eq() {
                return Some(Arc::new(Abs::Top));
            }
        }
        None
    }

    fn bv_comparison(&mut self, op: Op, args: &[Term], i: usize, truth: bool) -> Option<Arc<Abs>> {
        let Value::Bv(other) = self.value(args[1 - i])? else { return None };
        let mut below = matches!(op, Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle);
        let mut strict = matches!(op, Op::BvUlt | Op::BvUgt | Op::BvSlt | Op::BvSgt);
        if !truth {
            (below, strict) = (!below, !strict);
        }
        if i == 1 {
            below = !below;
        }
        let w = other.width();
        let signed = matches!(op, Op::BvSlt | Op::BvSle | Op::BvSgt | Op::BvSge);
        let least = if signed { Bv::min_signed(w) } else { Bv::zero(w) }.ok()?;
        let one = Bv::new(w, 1).ok()?;
        let greatest = least.bvsub(&one);
        let (from, to) = if below {
            (least, if strict { other.bvsub(&one) } else { other })
        } else {
            (if strict { other.bvadd(&one) } else { other }, greatest)
        };
        Some(ring(from.clone(), to.bvsub(&from)))
    }

    /// Numbers: x ↦ s·x + c, and a few operators that are monotone.
    fn arithmetic(&mut self, op: Op, args: &[Term], i: usize, abs: &Arc<Abs>) -> Option<Arc<Abs>> {
        let sort = self.a.sort(args.get(i).copied()?);
        if let Some((scale, offset)) = self.affine(op, args, i) {
            if scale.is_zero() {
                return Some(Arc::new(Abs::Top));
            }
            let back = |x: &Rat| x.sub(&offset).ok()?.div(&scale)?.ok();
            return match &**abs {
                Abs::Interval(low, high) => {
                    let side = |b: &Option<Bound>| match b {
                        None => Some(None),
                        Some(b) => Some(Some(Bound { at: back(&b.at)?, open: b.open })),
                    };
                    let (low, high) = (side(low)?, side(high)?);
                    let (low, high) = if scale.signum() < 0 { (high, low) } else { (low, high) };
                    Some(Arc::new(interval(low, high, sort)))
                }
                Abs::NotIn(list) => {
                    let mut out = Vec::new();
                    for v in list {
                        let x = back(&rational(v)?)?;
                        match sort == Sort::INT {
                            true if x.is_int() => out.push(Value::Int(x.numerator())),
                            true => {}
                            false => out.push(Value::Real(x)),
                        }
                    }
                    Some(Arc::new(if out.is_empty() { Abs::Top } else { Abs::NotIn(out) }))
                }
                _ => None,
            };
        }
        let Abs::Interval(low, high) = &**abs else { return None };
        match (op, i) {
            // q·d ≤ x ≤ q·d + |d| − 1, whatever the sign of d.
            (Op::IntDiv, 0) if args.len() == 2 => {
                let d = rational(&self.value(args[1])?)?;
                if d.is_zero() {
                    return None;
                }
                let (low, high) = if d.signum() < 0 { (high, low) } else { (low, high) };
                let rest = d.abs().sub(&Rat::ONE).ok()?;
                let low = match low {
                    None => None,
                    Some(b) => Some(Bound { at: b.at.mul(&d).ok()?, open: false }),
                };
                let high = match high {
                    None => None,
                    Some(b) => Some(Bound { at: b.at.mul(&d).ok()?.add(&rest).ok()?, open: false }),
                };
                Some(Arc::new(interval(low, high, Sort::INT)))
            }
            (Op::Abs, 0) => {
                let minus = |b: &Bound| Bound { at: b.at.neg(), open: b.open };
                match (low, high) {
                    (Some(l), _) if l.at.signum() > 0 || l.at.is_zero() && l.open => {
                        let negative = rational(&self.value(args[0])?)?.signum() < 0;
                        Some(Arc::new(if negative {
                            interval(high.as_ref().map(minus), Some(minus(l)), sort)
                        } else {
                            interval(low.clone(), high.clone(), sort)
                        }))
                    }
                    (_, None) => Some(Arc::new(Abs::Top)),
                    (_, Some(h)) => Some(Arc::new(interval(Some(minus(h)), Some(h.clone()), sort))),
                }
            }
            // a ≤ ⌊x⌋ ≤ b is a ≤ x < b + 1.
            (Op::ToInt, 0) => {
                let high = match high {
                    None => None,
                    Some(b) => Some(Bound { at: b.at.add(&Rat::ONE).ok()?, open: true }),
                };
                Some(Arc::new(interval(low.clone(), high, Sort::REAL)))
            }
            _ => None,
        }
    }

    /// The operator as a function of its i-th argument alone: factor and summand.
    fn affine(&mut self, op: Op, args: &[Term], i: usize) -> Option<(Rat, Rat)> {
        let mut others = Vec::new();
        let mut fold =
            |known: &mut Self, start: Rat, f: fn(&Rat, &Rat) -> Option<Rat>, from: usize| {
                let mut acc = start;
                for (k, &x) in args.iter().enumerate().skip(from) {
                    if k != i {
                        let v = rational(&known.value(x)?)?;
                        acc = f(&acc, &v)?;
                        others.push(v);
                    }
                }
                Some(acc)
            };
        let one = Rat::ONE;
        match op {
            Op::Add => Some((one, fold(self, Rat::ZERO, |a, b| a.add(b).ok(), 0)?)),
            Op::Mul => Some((fold(self, one, |a, b| a.mul(b).ok(), 0)?, Rat::ZERO)),
            Op::Neg => Some((one.neg(), Rat::ZERO)),
            Op::ToReal => Some((one, Rat::ZERO)),
            Op::Sub => {
                let rest = fold(self, Rat::ZERO, |a, b| a.sub(b).ok(), 1)?;
                if i == 0 {
                    return Some((one, rest));
                }
                let first = rational(&self.value(args[0])?)?;
                Some((one.neg(), first.add(&rest).ok()?))
            }
            Op::Div if i == 0 => {
                let by = fold(self, one, |a, b| a.mul(b).ok(), 1)?;
                Some((by.recip()?, Rat::ZERO))
            }
            _ => None,
        }
    }

    fn ring(&mut self, op: Op, args: &[Term], i: usize, start: &Bv, span: &Bv) -> Option<Arc<Abs>> {
        let bits = |known: &mut Self, k: usize| match known.value(args[k])? {
            Value::Bv(v) => Some(v),
            _ => None,
        };
        let end = start.bvadd(span);
        match op {
            Op::BvAdd => {
                let mut from = start.clone();
                for k in (0..args.len()).filter(|&k| k != i) {
                    from = from.bvsub(&bits(self, k)?);
                }
                Some(ring(from, span.clone()))
            }
            Op::BvSub if i == 0 => Some(ring(start.bvadd(&bits(self, 1)?), span.clone())),
            Op::BvSub => Some(ring(bits(self, 0)?.bvsub(&end), span.clone())),
            Op::BvNeg => Some(ring(end.bvneg(), span.clone())),
            Op::BvNot => Some(ring(end.bvnot(), span.clone())),
            Op::Concat if args.len() == 2 && start.bvule(&end) => {
                let other = bits(self, 1 - i)?;
                let (low, high) = (start.to_big(), end.to_big());
                let own = start.width() - other.width();
                let shift = if i == 0 { other.width() } else { own } as usize;
                let one = dashu_int::UBig::ONE;
                let (from, to) = if i == 0 {
                    // The least and the greatest upper part that keep the whole between the bounds.
                    let rest = other.to_big();
                    let from = if low <= rest {
                        dashu_int::UBig::ZERO
                    } else {
                        (&low - &rest + (&one << shift) - &one) >> shift
                    };
                    if high < rest {
                        return None;
                    }
                    (from, (&high - &rest) >> shift)
                } else {
                    let base = other.to_big() << shift;
                    let last = &base + (&one << shift) - &one;
                    if high < base || low > last {
                        return None;
                    }
                    let from = if low > base { &low - &base } else { dashu_int::UBig::ZERO };
                    (from, high.min(last) - &base)
                };
                if from > to {
                    return None;
                }
                let span = Bv::from_big(own, &to - &from).ok()?;
                Some(ring(Bv::from_big(own, from).ok()?, span))
            }
            _ => None,
        }
    }

    /// `(select (store a k v) j)` is about v if k is j, else about a.
    fn store(
        &mut self,
        args: &[Term],
        i: usize,
        select: Term,
        abs: &Arc<Abs>,
        inner: &Arc<Abs>,
    ) -> Option<Arc<Abs>> {
        if !matches!(self.a.head(select), Head::Op(Op::Select, _)) || self.a.args(select).len() != 2
        {
            return None;
        }
        let wanted = self.value(self.a.args(select)[1])?;
        let hit = self.value(args[1])?.equals(&wanted)?;
        match (i, hit) {
            (0, true) | (2, false) => Some(Arc::new(Abs::Top)),
            (0, false) => Some(abs.clone()),
            (2, true) => Some(inner.clone()),
            (1, false) => Some(Arc::new(Abs::but(wanted))),
            _ => None,
        }
    }
}

/// A ring; all of it is no restriction.
fn ring(start: Bv, span: Bv) -> Arc<Abs> {
    let all = span.bvnot().to_u64() == Some(0) || span.bvnot().to_big() == dashu_int::UBig::ZERO;
    Arc::new(if all { Abs::Top } else { Abs::Ring(start, span) })
}
