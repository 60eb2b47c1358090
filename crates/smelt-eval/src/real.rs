//! Arithmetic on values of sort Real, whatever is known of them: rational, algebraic, or an enclosure only.
//!
//! Results are as exact as they can be: rational where possible, algebraic as long as one root suffices, else an
//! enclosure at the asked precision. `Ok(None)` means that not even an enclosure is known.

use crate::algebraic::Algebraic;
use crate::int::Int;
use crate::interval::{Interval, pi};
use crate::limit::Limit;
use crate::rat::Rat;
use crate::value::Value;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

/// Bits of an enclosure that is made only to be compared.
const COMPARING: u32 = 512;

/// A real that is known by an enclosure. Two of them are equal if they are one number for certain: made by one
/// computation, or the same multiple of π. Others may be one number all the same.
#[derive(Clone)]
pub struct Enclosure(Arc<Enclosed>);

struct Enclosed {
    interval: Interval,
    /// The number is exactly so many times π.
    pis: Option<Rat>,
}

impl Enclosure {
    /// A number between these bounds, and different from all others as far as is known.
    pub fn new(interval: Interval) -> Enclosure {
        Enclosure(Arc::new(Enclosed { interval, pis: None }))
    }

    /// The factor, if the number is known to be a rational multiple of π.
    pub fn pis(&self) -> Option<&Rat> {
        self.0.pis.as_ref()
    }
}

impl Deref for Enclosure {
    type Target = Interval;

    fn deref(&self) -> &Interval {
        &self.0.interval
    }
}

impl PartialEq for Enclosure {
    fn eq(&self, other: &Enclosure) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.pis().is_some() && self.pis() == other.pis()
    }
}

impl Eq for Enclosure {}

impl Hash for Enclosure {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self.pis() {
            Some(factor) => factor.hash(state),
            None => self.0.interval.hash(state),
        }
    }
}

impl std::fmt::Debug for Enclosure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.interval.fmt(f)
    }
}

/// A rational multiple of π; `None` if it has no enclosure.
pub fn times_pi(factor: Rat, prec: u32) -> Option<Value> {
    if factor.is_zero() {
        return Some(Value::Real(Rat::ZERO));
    }
    let interval = pi(prec).mul(&Interval::from_rat(&factor, prec), prec)?;
    Some(Value::Approx(Enclosure(Arc::new(Enclosed { interval, pis: Some(factor) }))))
}

/// The factors of two multiples of π.
fn both_pis<'v>(a: &'v Value, b: &'v Value) -> Option<(&'v Rat, &'v Rat)> {
    match (a, b) {
        (Value::Approx(x), Value::Approx(y)) => x.pis().zip(y.pis()),
        _ => None,
    }
}

/// A result that may be unknown.
pub type Known = Result<Option<Value>, Limit>;

/// Is one of them a real that is not a rational? Then `==` does not decide.
pub(crate) fn mixed(a: &Value, b: &Value) -> bool {
    let inexact = |v: &Value| matches!(v, Value::Algebraic(_) | Value::Approx(_));
    inexact(a) || inexact(b)
}

/// A value of an algebraic number: rational if it is seen to be.
pub fn from_algebraic(x: Algebraic) -> Value {
    match x.to_rat() {
        Some(q) => Value::Real(q),
        None => Value::Algebraic(Arc::new(x)),
    }
}

/// A value of an enclosure: rational if it is a single number.
pub fn from_interval(x: Interval) -> Value {
    if x.is_point()
        && let Ok(q) = x.low().to_rat()
    {
        return Value::Real(q);
    }
    Value::Approx(Enclosure::new(x))
}

/// An enclosure of a real; `None` if the value is no real or there is none.
pub fn to_interval(x: &Value, prec: u32) -> Option<Interval> {
    match x {
        Value::Real(q) => Some(Interval::from_rat(q, prec)),
        Value::Int(n) => Some(Interval::from_rat(&Rat::from(n), prec)),
        Value::Algebraic(a) => a.to_interval(prec).ok().flatten(),
        Value::Approx(i) => Some(Interval::clone(i)),
        _ => None,
    }
}

/// The order of two reals, if it is decided.
pub fn compare(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Real(x), Value::Real(y)) => Some(x.cmp(y)),
        (Value::Algebraic(x), Value::Real(y)) => x.compare_rat(y).ok(),
        (Value::Real(x), Value::Algebraic(y)) => y.compare_rat(x).ok().map(Ordering::reverse),
        (Value::Algebraic(x), Value::Algebraic(y)) => x.compare(y).ok().flatten(),
        (Value::Approx(x), Value::Approx(y)) if x == y => Some(Ordering::Equal),
        (Value::Approx(x), Value::Approx(y)) if x.pis().is_some() && y.pis().is_some() => {
            Some(x.pis().cmp(&y.pis()))
        }
        _ => to_interval(a, COMPARING)?.compare(&to_interval(b, COMPARING)?),
    }
}

/// The sign of a real, if it is decided.
pub fn signum(x: &Value) -> Option<i32> {
    compare(x, &Value::Real(Rat::ZERO)).map(|order| order as i32)
}

fn by_interval(
    a: &Value,
    b: &Value,
    prec: u32,
    f: impl Fn(&Interval, &Interval) -> Option<Interval>,
) -> Known {
    let both = to_interval(a, prec).zip(to_interval(b, prec));
    Ok(both.and_then(|(x, y)| f(&x, &y)).map(from_interval))
}

/// `(+ a b)`
pub fn add(a: &Value, b: &Value, prec: u32) -> Known {
    if let Some((x, y)) = both_pis(a, b) {
        return Ok(times_pi(x.add(y)?, prec));
    }
    let exact = match (a, b) {
        (Value::Real(x), Value::Real(y)) => return x.add(y).map(|q| Some(Value::Real(q))),
        (Value::Real(q), Value::Algebraic(x)) | (Value::Algebraic(x), Value::Real(q)) => {
            Some(x.add_rat(q))
        }
        (Value::Algebraic(x), Value::Algebraic(y)) => x.add(y),
        _ => None,
    };
    match exact {
        Some(sum) => sum.map(|x| Some(from_algebraic(x))),
        None => by_interval(a, b, prec, |x, y| Some(x.add(y, prec))),
    }
}

/// `(- a)`; `None` if the value is no real.
pub fn neg(a: &Value) -> Option<Value> {
    match a {
        Value::Approx(x) if x.pis().is_some() => {
            let pis = x.pis().map(Rat::neg);
            Some(Value::Approx(Enclosure(Arc::new(Enclosed { interval: Interval::neg(x), pis }))))
        }
        Value::Real(q) => Some(Value::Real(q.neg())),
        Value::Algebraic(x) => Some(from_algebraic(x.neg())),
        Value::Approx(i) => Some(from_interval(i.neg())),
        _ => None,
    }
}

/// `(- a b)`
pub fn sub(a: &Value, b: &Value, prec: u32) -> Known {
    if matches!((a, b), (Value::Approx(x), Value::Approx(y)) if x == y) {
        return Ok(Some(Value::Real(Rat::ZERO)));
    }
    match neg(b) {
        Some(negated) => add(a, &negated, prec),
        None => Ok(None),
    }
}

/// `(* a b)`
pub fn mul(a: &Value, b: &Value, prec: u32) -> Known {
    let exact = match (a, b) {
        (Value::Real(x), Value::Real(y)) => return x.mul(y).map(|q| Some(Value::Real(q))),
        // Zero times anything is zero, also where the other factor is known only roughly.
        (Value::Real(q), other) | (other, Value::Real(q)) if q.is_zero() => {
            return Ok(to_interval(other, 16).map(|_| Value::Real(Rat::ZERO)));
        }
        (Value::Real(q), Value::Algebraic(x)) | (Value::Algebraic(x), Value::Real(q)) => {
            Some(x.mul_rat(q))
        }
        (Value::Real(q), Value::Approx(x)) | (Value::Approx(x), Value::Real(q)) => match x.pis() {
            Some(factor) => return Ok(times_pi(factor.mul(q)?, prec)),
            None => None,
        },
        (Value::Algebraic(x), Value::Algebraic(y)) => x.mul(y),
        _ => None,
    };
    match exact {
        Some(product) => product.map(|x| Some(from_algebraic(x))),
        None => by_interval(a, b, prec, |x, y| x.mul(y, prec)),
    }
}

/// `(/ a b)` for a divisor that is not zero; `Ok(None)` if it may be.
pub fn div(a: &Value, b: &Value, prec: u32) -> Known {
    match b {
        Value::Real(q) => match q.recip() {
            Some(inverse) => mul(a, &Value::Real(inverse), prec),
            None => Ok(None),
        },
        Value::Algebraic(x) => match x.recip()? {
            Some(inverse) => mul(a, &from_algebraic(inverse), prec),
            None => Ok(None),
        },
        _ => match (both_pis(a, b), a == b) {
            (Some((x, y)), _) => x.div(y).transpose().map(|q| q.map(Value::Real)),
            // A quotient of a number by itself, if it is known not to be zero.
            (None, true) => by_interval(a, b, prec, |x, y| {
                x.div(y, prec).map(|_| Interval::from_rat(&Rat::ONE, prec))
            }),
            _ => by_interval(a, b, prec, |x, y| x.div(y, prec)),
        },
    }
}

/// `a` to an integer power; `Ok(None)` for a negative power of what may be zero.
pub fn pow(a: &Value, n: i64, prec: u32) -> Known {
    if let Value::Real(q) = a {
        return q.pow(n).transpose().map(|p| p.map(Value::Real));
    }
    if n < 0 {
        return match pow(a, n.checked_neg().ok_or(Limit::TooLarge)?, prec)? {
            Some(power) => div(&Value::Real(Rat::ONE), &power, prec),
            None => Ok(None),
        };
    }
    let mut result = Value::Real(Rat::ONE);
    for i in (0..64 - n.leading_zeros()).rev() {
        let Some(square) = mul(&result, &result, prec)? else { return Ok(None) };
        result = square;
        if n >> i & 1 == 1 {
            let Some(product) = mul(&result, a, prec)? else { return Ok(None) };
            result = product;
        }
    }
    Ok(Some(result))
}

/// `(abs a)`, if the sign is decided or an enclosure suffices.
pub fn abs(a: &Value) -> Option<Value> {
    match (a, signum(a)) {
        (_, Some(sign)) => {
            if sign < 0 {
                neg(a)
            } else {
                Some(a.clone())
            }
        }
        (Value::Approx(i), None) => Some(from_interval(i.abs())),
        _ => None,
    }
}

/// `(to_int a)`, if it is decided.
pub fn to_int(a: &Value) -> Option<Int> {
    match a {
        Value::Real(q) => Some(q.floor()),
        Value::Algebraic(x) => x.floor().ok(),
        Value::Approx(i) => {
            let (low, high) = (i.low().floor()?, i.high().floor()?);
            (low == high).then(|| Int::from(low))
        }
        _ => None,
    }
}

/// `(is_int a)`, if it is decided.
pub fn is_int(a: &Value) -> Option<bool> {
    match a {
        Value::Real(q) => Some(q.is_int()),
        Value::Algebraic(x) => x.is_int().ok(),
        Value::Approx(i) => {
            // No integer between the ends: certainly not.
            (i.low().ceil()? > i.high().floor()?).then_some(false)
        }
        _ => None,
    }
}

/// A function of [`Interval`] applied to a real: `apply(Interval::sin, x, 256)`.
pub fn apply(f: fn(&Interval, u32) -> Option<Interval>, x: &Value, prec: u32) -> Option<Value> {
    f(&to_interval(x, prec)?, prec).map(from_interval)
}
