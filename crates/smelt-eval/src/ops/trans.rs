//! Transcendental functions, by enclosures.
//!
//! Where cvc5 and z3 do not define a value (poles, arguments outside the domain) or their definitions differ
//! (`arccot`, `arcsec`, `arccsc` off the positive axis), there is none here.

use super::{Call, Context};
use crate::interval::{Interval, pi};
use crate::outcome::{Outcome, Undetermined};
use crate::rat::Rat;
use crate::real;
use crate::value::Value;
use smelt_smtlib::Op;
use std::cmp::Ordering;

type Function = fn(&Interval, u32) -> Option<Interval>;

pub(super) fn apply(cx: &mut Context, c: &Call<'_>) -> Outcome {
    let function: Function = match c.op {
        Op::Pi => return Ok(real::from_interval(pi(cx.precision))),
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
    if !matches!(x, Value::Real(_) | Value::Algebraic(_) | Value::Approx(_)) {
        return Err(Undetermined::Sorts);
    }
    if !inside(c.op, x)? {
        return Err(Undetermined::Partial(c.op));
    }
    if let (Op::Sqrt, Value::Real(q)) = (c.op, x)
        && let Some(root) = exact_root(q)
    {
        return Ok(Value::Real(root));
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

/// The square root of a square of a rational.
fn exact_root(q: &Rat) -> Option<Rat> {
    use dashu_base::SquareRoot;
    let root = |n: crate::int::Int| {
        let n = n.magnitude();
        let r = n.sqrt();
        (&r * &r == n).then(|| crate::int::Int::from(r))
    };
    if q.signum() < 0 {
        return None;
    }
    Rat::new(&root(q.numerator())?, &root(q.denominator())?)
}
