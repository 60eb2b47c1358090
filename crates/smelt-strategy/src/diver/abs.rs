//! Abstract values: which values may stand at a place so that the model stays one.

use std::sync::Arc;

use smelt_eval::Value;
use smelt_eval::bv::Bv;
use smelt_eval::incremental::Incremental;
use smelt_eval::int::Int;
use smelt_eval::rat::Rat;
use smelt_eval::{real, value_term};
use smelt_smtlib::{Arena, Head, Op, Sort, SortKind, Term};

/// A bound of an interval; `open` if it is not itself allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    pub at: Rat,
    pub open: bool,
}

/// A set of values of one sort.
#[derive(Clone, Debug)]
pub enum Abs {
    /// Every value.
    Top,
    /// One truth value.
    Bool(bool),
    /// Numbers between two bounds. Those of an Int are whole and not open.
    Interval(Option<Bound>, Option<Bound>),
    /// Bit-vectors v with v − start ≤ span (unsigned, modulo 2^width): intervals of either sign, also wrapped ones.
    Ring(Bv, Bv),
    /// Every value but these.
    NotIn(Vec<Value>),
    /// Values v for which the parent's operator, with v as this argument and the model's values as the others, gives a
    /// value of the inner set.
    Via {
        /// The parent.
        parent: Term,
        /// Which argument.
        arg: u32,
        /// The parent's set.
        inner: Arc<Abs>,
        /// How many of these are nested.
        nested: u32,
    },
    /// The present value only.
    Exact(Value),
}

impl Abs {
    /// One value, in its best form.
    pub fn only(v: Value) -> Self {
        match v {
            Value::Bool(b) => Self::Bool(b),
            v => Self::Exact(v),
        }
    }

    /// All values but one.
    pub fn but(v: Value) -> Self {
        match v {
            Value::Bool(b) => Self::Bool(!b),
            v => Self::NotIn(vec![v]),
        }
    }

    /// Whether a value is in the set; `None` if that is not decided here.
    pub fn contains(&self, v: &Value) -> Option<bool> {
        match self {
            Self::Top => Some(true),
            Self::Bool(b) => Some(*v == Value::Bool(*b)),
            Self::Interval(low, high) => {
                let side = |b: &Option<Bound>, wrong: std::cmp::Ordering| match b {
                    None => Some(true),
                    Some(b) => {
                        let order = real::compare(&number(v)?, &Value::Real(b.at.clone()))?;
                        Some(order != wrong && !(b.open && order.is_eq()))
                    }
                };
                let (l, h) =
                    (side(low, std::cmp::Ordering::Less), side(high, std::cmp::Ordering::Greater));
                Some(l? && h?)
            }
            Self::Ring(start, span) => match v {
                Value::Bv(v) => Some(v.bvsub(start).bvule(span)),
                _ => None,
            },
            Self::NotIn(list) => list.iter().try_fold(true, |all, x| Some(all && !v.equals(x)?)),
            Self::Exact(x) => v.equals(x),
            Self::Via { .. } => None,
        }
    }

    /// The published score: how easily a random term falls into the set.
    pub fn score(&self, a: &Arena, sort: Sort) -> f64 {
        const LEAST: f64 = 0.001;
        match self {
            Self::Top => 1.0,
            Self::Bool(_) => 0.5,
            Self::Interval(Some(l), Some(h)) => {
                let width = h.at.sub(&l.at).ok().map(|w| w.floor());
                match width.and_then(|w| w.to_i64()) {
                    Some(w) if w < 1000 => (w + 1) as f64 / 1000.0,
                    _ => 1.0,
                }
            }
            Self::Interval(..) => 1.0,
            Self::Ring(_, span) => match span.to_u64() {
                Some(n) if n < 1000 => (n + 1) as f64 / 1000.0,
                _ => 1.0,
            },
            Self::NotIn(list) => match a.sort_kind(sort) {
                SortKind::BitVec(w) if *w < 10 => {
                    (((1u64 << w) as f64 - list.len() as f64) / 1000.0).max(LEAST)
                }
                _ => 1.0,
            },
            Self::Via { parent, arg, inner, .. } => via_score(a, *parent, *arg, inner),
            Self::Exact(_) => LEAST,
        }
    }

    /// The set as a formula about `x`; `None` if one of its values cannot be written.
    pub fn formula(&self, a: &mut Arena, values: &mut Incremental, x: Term) -> Option<Term> {
        let sort = a.sort(x);
        match self {
            Self::Top => Some(a.mk_bool(true)),
            Self::Bool(true) => Some(x),
            Self::Bool(false) => a.app(Op::Not, &[], &[x]).ok(),
            Self::Interval(low, high) => {
                let mut side = |b: &Option<Bound>, closed: Op, open: Op| {
                    let Some(b) = b else { return Some(None) };
                    let value = match sort == Sort::INT {
                        true => Value::Int(b.at.numerator()),
                        false => Value::Real(b.at.clone()),
                    };
                    let c = value_term(a, &value, sort)?;
                    Some(Some(a.app(if b.open { open } else { closed }, &[], &[x, c]).ok()?))
                };
                let low = side(low, Op::Ge, Op::Gt)?;
                let high = side(high, Op::Le, Op::Lt)?;
                match (low, high) {
                    (Some(l), Some(h)) => a.app(Op::And, &[], &[l, h]).ok(),
                    (Some(t), None) | (None, Some(t)) => Some(t),
                    (None, None) => Some(a.mk_bool(true)),
                }
            }
            Self::Ring(start, span) => {
                let zero = start.to_u64() == Some(0);
                let start = value_term(a, &Value::Bv(start.clone()), sort)?;
                let span = value_term(a, &Value::Bv(span.clone()), sort)?;
                let moved = if zero { x } else { a.app(Op::BvSub, &[], &[x, start]).ok()? };
                a.app(Op::BvUle, &[], &[moved, span]).ok()
            }
            Self::NotIn(list) => {
                let mut all = vec![x];
                for v in list {
                    all.push(value_term(a, v, sort)?);
                }
                if all.len() == 2 {
                    return a.app(Op::Distinct, &[], &all).ok();
                }
                let mut parts = Vec::new();
                for &c in &all[1..] {
                    parts.push(a.app(Op::Distinct, &[], &[x, c]).ok()?);
                }
                a.app(Op::And, &[], &parts).ok()
            }
            Self::Exact(v) => {
                let c = value_term(a, v, sort)?;
                a.app(Op::Eq, &[], &[x, c]).ok()
            }
            Self::Via { parent, arg, inner, .. } => {
                let mut args = a.args(*parent).to_vec();
                for (i, t) in args.iter_mut().enumerate() {
                    if i == *arg as usize {
                        *t = x;
                        continue;
                    }
                    // What has no constant (a regular expression, an element of a free sort) stays as it is.
                    let known = values.eval(a, *t).ok();
                    let sort = a.sort(*t);
                    if let Some(c) = known.and_then(|v| value_term(a, &v, sort)) {
                        *t = c;
                    }
                }
                let applied = a.with_args(*parent, &args);
                inner.formula(a, values, applied)
            }
        }
    }
}

/// A number as a Real.
fn number(v: &Value) -> Option<Value> {
    match v {
        Value::Int(n) => Some(Value::Real(Rat::from(n))),
        Value::Real(_) | Value::Algebraic(_) | Value::Approx(_) => Some(v.clone()),
        _ => None,
    }
}

/// The exact rational value of a number.
pub fn rational(v: &Value) -> Option<Rat> {
    match v {
        Value::Int(n) => Some(Rat::from(n)),
        Value::Real(q) => Some(q.clone()),
        _ => None,
    }
}

/// The set of numbers between two bounds, of a sort: bounds of an Int are rounded inwards.
pub fn interval(low: Option<Bound>, high: Option<Bound>, sort: Sort) -> Abs {
    if low.is_none() && high.is_none() {
        return Abs::Top;
    }
    if sort != Sort::INT {
        return Abs::Interval(low, high);
    }
    let whole = |n: Int| Bound { at: Rat::from(&n), open: false };
    let low = low.map(|b| {
        let up = b.at.ceil();
        whole(if b.open && b.at.is_int() { up.add(&Int::ONE) } else { up })
    });
    let high = high.map(|b| {
        let down = b.at.floor();
        whole(if b.open && b.at.is_int() { down.sub(&Int::ONE) } else { down })
    });
    Abs::Interval(low, high)
}

/// Languages with a star score 1, others 0.001, as published; other operators pass the score of the result on, those that
/// hit a given result rarely with a loss.
fn via_score(a: &Arena, parent: Term, arg: u32, inner: &Abs) -> f64 {
    let Head::Op(op, _) = a.head(parent) else { return 0.1 };
    let truth = match inner {
        Abs::Bool(b) => *b,
        _ => {
            let score = inner.score(a, a.sort(parent));
            let direct = matches!(
                op,
                Op::StrLen
                    | Op::SeqLen
                    | Op::Select
                    | Op::Store
                    | Op::Extract
                    | Op::SignExtend
                    | Op::ZeroExtend
            );
            return if direct { score } else { (score * 0.1).max(0.001) };
        }
    };
    match (op, arg) {
        // Free sorts have few elements; other values without a constant are hardly met by chance.
        (Op::Eq, _) if truth => match a.kind(a.args(parent)[0]) {
            SortKind::Named(..) => 0.3,
            _ => 0.001,
        },
        (Op::StrPrefixOf | Op::StrSuffixOf, 0) | (Op::StrContains, 1) if truth => 0.001,
        (Op::StrPrefixOf | Op::StrSuffixOf | Op::StrContains | Op::StrLt | Op::StrLe, _) => 1.0,
        (Op::StrInRe, 0) if truth => {
            let endless = |t: &Term| {
                let Head::Op(op, _) = a.head(*t) else { return false };
                matches!(
                    op,
                    Op::ReStar | Op::RePlus | Op::ReAll | Op::ReComp | Op::ReDiff | Op::ReLoopFrom
                )
            };
            if a.dag(&a.args(parent)[1..]).iter().any(endless) { 1.0 } else { 0.001 }
        }
        (Op::StrInRe, 0) => 1.0,
        (Op::FpEq | Op::FpIsNan | Op::FpIsInfinite | Op::FpIsZero | Op::FpIsSubnormal, _)
            if truth =>
        {
            0.1
        }
        (Op::FpLeq | Op::FpLt | Op::FpGeq | Op::FpGt, _) => 1.0,
        _ => 0.5,
    }
}
