//! Transcendental functions, by enclosures.
//!
//! Where cvc5 and z3 do not define a value (poles, arguments outside the domain) or their definitions differ
//! (`arccot`, `arcsec`, `arccsc` off the positive axis), there is none here.

use super::{Call, Context};
use crate::algebraic::Algebraic;
use crate::int::Int;
use crate::interval::Interval;
use crate::outcome::{Outcome, Undetermined};
use crate::rat::Rat;
use crate::real;
use crate::value::Value;
use smelt_smtlib::Op;
use std::cmp::Ordering;

type Function = fn(&Interval, u32) -> Option<Interval>;

pub(super) fn apply(cx: &mut Context, c: &Call<'_>) -> Outcome {
    let function: Function = match c.op {
        Op::Pi => return real::times_pi(Rat::ONE, cx.precision).ok_or(Undetermined::Precision),
        Op::Sin => Interval::sin,
        Op::Cos => Interval::cos,
        Op::Tan => Interval::tan,
        Op::Csc => Interval::csc,
        Op::Sec => Interval::sec,
        Op::Cot => Interval::cot,
        Op::Asin => Interval::arcsin,
        Op::Acos => Interval::arccos,
        Op::Atan => Interval::arctan,
        Op::Acsc => Interval::arccsc,
        Op::Asec => Interval::arcsec,
        Op::Acot => Interval::arccot,
        Op::Exp => Interval::exp,
        Op::Sqrt => Interval::sqrt,
        Op::Sinh => Interval::sinh,
        Op::Cosh => Interval::cosh,
        Op::Tanh => Interval::tanh,
        _ => return Err(Undetermined::Unsupported(c.op)),
    };
    let x = c.arg(0)?;
    if let Some(exact) = exact(c.op, x, cx.precision) {
        return exact;
    }
    if !matches!(x, Value::Real(_) | Value::Algebraic(_) | Value::Approx(_)) {
        return Err(Undetermined::Sorts);
    }
    if !inside(c.op, x)? {
        return Err(Undetermined::Partial(c.op));
    }
    if let (Op::Sqrt, Value::Real(q)) = (c.op, x)
        && let Some(root) = root(q)
    {
        return Ok(root);
    }
    real::apply(function, x, cx.precision).ok_or(Undetermined::Precision)
}

/// Is the argument where all agree on the function?
fn inside(op: Op, x: &Value) -> Result<bool, Undetermined> {
    let against =
        |q: i64| real::compare(x, &Value::Real(Rat::from(q))).ok_or(Undetermined::Precision);
    Ok(match op {
        Op::Asin | Op::Acos => against(-1)? != Ordering::Less && against(1)? != Ordering::Greater,
        Op::Sqrt => against(0)? != Ordering::Less,
        Op::Acot => against(0)? == Ordering::Greater,
        Op::Acsc | Op::Asec => against(1)? != Ordering::Less,
        Op::Csc | Op::Cot => {
            // Zero is the only pole that is a rational number; others are never met exactly.
            !matches!(x, Value::Real(q) if q.is_zero())
        }
        _ => true,
    })
}

/// The square root of a rational that is not negative; `None` if the number is too large to be exact.
fn root(q: &Rat) -> Option<Value> {
    use dashu_base::SquareRoot;
    let root = |n: Int| {
        let n = n.magnitude();
        let r = n.sqrt();
        (&r * &r == n).then(|| Int::from(r))
    };
    if let (Some(n), Some(d)) = (root(q.numerator()), root(q.denominator())) {
        return Rat::new(&n, &d).map(Value::Real);
    }
    // The greater root of d·x² − n.
    let polynomial = [q.numerator().neg(), Int::ZERO, q.denominator()];
    Algebraic::root(&polynomial, 2).ok().flatten().map(real::from_algebraic)
}

fn fraction(n: i64, d: i64) -> Option<Rat> {
    Rat::new(&Int::from(n), &Int::from(d))
}

/// Values that are exact: at 0 and 1, at rational multiples of π, and rational multiples of π.
fn exact(op: Op, x: &Value, prec: u32) -> Option<Outcome> {
    let known = |q: Rat| Some(Ok(Value::Real(q)));
    let turn = |n: i64, d: i64| real::times_pi(fraction(n, d)?, prec).map(Ok);
    let q = match x {
        Value::Approx(x) => return at_turn(op, x.pis()?),
        Value::Real(q) => q,
        _ => return None,
    };
    let is = |n: i64, d: i64| fraction(n, d).is_some_and(|f| f == *q);
    match op {
        Op::Sin | Op::Tan | Op::Asin | Op::Atan | Op::Sinh | Op::Tanh if q.is_zero() => {
            known(Rat::ZERO)
        }
        Op::Cos | Op::Sec | Op::Exp | Op::Cosh if q.is_zero() => known(Rat::ONE),
        Op::Asin if is(1, 1) => turn(1, 2),
        Op::Asin if is(-1, 1) => turn(-1, 2),
        Op::Asin if is(1, 2) => turn(1, 6),
        Op::Asin if is(-1, 2) => turn(-1, 6),
        Op::Acos | Op::Asec if is(1, 1) => known(Rat::ZERO),
        Op::Acos if is(1, 2) => turn(1, 3),
        Op::Acos if q.is_zero() => turn(1, 2),
        Op::Acos if is(-1, 2) => turn(2, 3),
        Op::Acos if is(-1, 1) => turn(1, 1),
        Op::Asec if is(2, 1) => turn(1, 3),
        Op::Acsc if is(1, 1) => turn(1, 2),
        Op::Acsc if is(2, 1) => turn(1, 6),
        Op::Atan | Op::Acot if is(1, 1) => turn(1, 4),
        Op::Atan if is(-1, 1) => turn(-1, 4),
        _ => None,
    }
}

/// Values at a multiple of π. By Niven's theorem sine and cosine are rational only at twelfths of a turn.
fn at_turn(op: Op, pis: &Rat) -> Option<Outcome> {
    let half = fraction(1, 2)?;
    let sine = |x: &Rat| {
        // Sixths of π in a full turn.
        let sixths = x.mul(&Rat::from(6i64)).ok().filter(Rat::is_int)?.numerator();
        let at = sixths.modulo(&Int::from(12i64))?.to_i64()?;
        let twice = match at {
            0 | 6 => 0,
            1 | 5 => 1,
            3 => 2,
            7 | 11 => -1,
            9 => -2,
            _ => return None,
        };
        fraction(twice, 2)
    };
    let cosine = |x: &Rat| sine(&x.add(&half).ok()?);
    // Quarters of π in a half turn.
    let quarters = pis.mul(&Rat::from(4i64)).ok().filter(Rat::is_int).map(|q| q.numerator());
    let quarter = quarters.and_then(|q| q.modulo(&Int::from(4i64))?.to_i64());
    let open = Some(Err(Undetermined::Partial(op)));
    let inverse = |q: Rat| match q.recip() {
        Some(q) => Some(Ok(Value::Real(q))),
        None => Some(Err(Undetermined::Partial(op))),
    };
    let known = |n: i64| Some(Ok(Value::Real(Rat::from(n))));
    match (op, quarter) {
        (Op::Sin, _) => sine(pis).map(|q| Ok(Value::Real(q))),
        (Op::Cos, _) => cosine(pis).map(|q| Ok(Value::Real(q))),
        (Op::Csc, _) => inverse(sine(pis)?),
        (Op::Sec, _) => inverse(cosine(pis)?),
        (Op::Tan, Some(0)) | (Op::Cot, Some(2)) => known(0),
        (Op::Tan | Op::Cot, Some(1)) => known(1),
        (Op::Tan, Some(2)) | (Op::Cot, Some(0)) => open,
        (Op::Tan | Op::Cot, Some(3)) => known(-1),
        _ => None,
    }
}
