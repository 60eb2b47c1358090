//! Ints, Reals, both together, and finite fields.

use super::{Call, Context, undecided};
use crate::field::Ff;
use crate::int::Int;
use crate::limit::Limit;
use crate::outcome::{Outcome, Undetermined};
use crate::rat::Rat;
use crate::real::{self, Known};
use crate::value::Value;
use smelt_smtlib::{Literal, Op};
use std::cmp::Ordering;

pub(super) fn apply(cx: &mut Context, c: &Call<'_>) -> Outcome {
    let prec = cx.precision;
    match c.op {
        Op::Neg => match c.arg(0)? {
            Value::Int(n) => Ok(Value::Int(n.neg())),
            x => real::neg(x).ok_or(Undetermined::Sorts),
        },
        Op::Add => c.fold(|a, b| number(&a, b, |x, y| Ok(x.add(y)), |x, y| real::add(x, y, prec))),
        Op::Sub => c.fold(|a, b| number(&a, b, |x, y| Ok(x.sub(y)), |x, y| real::sub(x, y, prec))),
        Op::Mul => c.fold(|a, b| number(&a, b, Int::mul, |x, y| real::mul(x, y, prec))),
        Op::Abs => match c.arg(0)? {
            Value::Int(n) => Ok(Value::Int(n.abs())),
            x => real::abs(x).ok_or(Undetermined::Precision),
        },
        Op::Le => c.chain(|a, b| Ok(compare(a, b)?.is_le())),
        Op::Lt => c.chain(|a, b| Ok(compare(a, b)?.is_lt())),
        Op::Ge => c.chain(|a, b| Ok(compare(a, b)?.is_ge())),
        Op::Gt => c.chain(|a, b| Ok(compare(a, b)?.is_gt())),
        Op::IntDiv => ints(c, |a, b| a.div(b).ok_or(Undetermined::Partial(c.op))),
        Op::Mod => ints(c, |a, b| a.modulo(b).ok_or(Undetermined::Partial(c.op))),
        Op::Rem => ints(c, |a, b| a.z3_rem(b).ok_or(Undetermined::Partial(c.op))),
        Op::IntDivTotal => ints(c, |a, b| Ok(a.div(b).unwrap_or(Int::ZERO))),
        Op::ModTotal => ints(c, |a, b| Ok(a.modulo(b).unwrap_or_else(|| a.clone()))),
        Op::Divisible => match c.arena.lit_at(c.index(0)?) {
            Literal::Int(n) => Ok(Value::Bool(c.int(0)?.divisible(&Int::from(n.clone())))),
            _ => Err(Undetermined::Sorts),
        },
        Op::Div => c.fold(|a, b| match zero(b)? {
            true => Err(Undetermined::Partial(c.op)),
            false => known(real::div(&a, b, prec)),
        }),
        Op::DivTotal => c.fold(|a, b| match zero(b)? {
            true => Ok(Value::Real(Rat::ZERO)),
            false => known(real::div(&a, b, prec)),
        }),
        Op::ToReal => match c.arg(0)? {
            Value::Int(n) => Ok(Value::Real(Rat::from(n))),
            x @ (Value::Real(_) | Value::Algebraic(_) | Value::Approx(_)) => Ok(x.clone()),
            _ => Err(Undetermined::Sorts),
        },
        Op::ToInt => match c.arg(0)? {
            Value::Int(n) => Ok(Value::Int(n.clone())),
            x => real::to_int(x).map(Value::Int).ok_or_else(|| undecided(&[x])),
        },
        Op::IsInt => match c.arg(0)? {
            Value::Int(_) => Ok(Value::TRUE),
            x => real::is_int(x).map(Value::Bool).ok_or_else(|| undecided(&[x])),
        },
        Op::Pow => pow(c, prec),
        Op::Pow2 => Ok(Value::Int(c.int(0)?.pow2()?)),
        Op::Log2 => Ok(Value::Int(c.int(0)?.log2())),
        Op::IsPow2 => Ok(Value::Bool(c.int(0)?.is_pow2())),
        Op::Iand => Ok(Value::Int(c.int(0)?.iand(c.int(1)?, c.index(0)?)?)),
        Op::Piand => {
            let (k, a, b) = (c.int(0)?, c.int(1)?, c.int(2)?);
            // The bitwise and of the numbers modulo 2^k; nothing is left of them for k <= 0.
            if k.signum() <= 0 {
                return Ok(Value::Int(Int::ZERO));
            }
            let k = k.to_u32().ok_or(Limit::TooLarge)?;
            Ok(Value::Int(a.iand(b, k)?))
        }
        _ => Err(Undetermined::Unsupported(c.op)),
    }
}

/// A sum or product of two numbers of one sort.
fn number(
    a: &Value,
    b: &Value,
    int: impl Fn(&Int, &Int) -> Result<Int, Limit>,
    real: impl Fn(&Value, &Value) -> Known,
) -> Outcome {
    match (a, b) {
        (Value::Int(x), Value::Int(y)) => Ok(Value::Int(int(x, y)?)),
        _ => known(real(a, b)),
    }
}

fn known(result: Known) -> Outcome {
    // A real operation is open only where an enclosure is too wide.
    result?.ok_or(Undetermined::Precision)
}

fn zero(x: &Value) -> Result<bool, Undetermined> {
    real::signum(x).map(|s| s == 0).ok_or_else(|| undecided(&[x]))
}

fn compare(a: &Value, b: &Value) -> Result<Ordering, Undetermined> {
    match (a, b) {
        (Value::Int(x), Value::Int(y)) => Ok(x.cmp(y)),
        _ => real::compare(a, b).ok_or_else(|| undecided(&[a, b])),
    }
}

fn ints(c: &Call<'_>, f: impl Fn(&Int, &Int) -> Result<Int, Undetermined>) -> Outcome {
    c.fold(|a, b| match (&a, b) {
        (Value::Int(x), Value::Int(y)) => f(x, y).map(Value::Int),
        _ => Err(Undetermined::Sorts),
    })
}

/// `(^ a b)`: natural powers, and whole powers of a real other than zero. Solvers differ on the rest, and on `0^0`.
fn pow(c: &Call<'_>, prec: u32) -> Outcome {
    let open = Undetermined::Partial(c.op);
    match (c.arg(0)?, c.arg(1)?) {
        (Value::Int(a), Value::Int(n)) => {
            if n.is_negative() || (a.is_zero() && n.is_zero()) {
                return Err(open);
            }
            if let Some(small) = a.to_i64().filter(|a| a.abs() <= 1) {
                // The power of a unit follows from the parity of any exponent.
                let even = n.modulo(&Int::from(2i64)).is_some_and(|r| r.is_zero());
                return Ok(Value::Int(Int::from(if even { small * small } else { small })));
            }
            let n = n.to_i64().ok_or(Limit::TooLarge)?;
            Ok(Value::Int(a.pow(n as u64)?))
        }
        (a, n) => {
            let Value::Real(n) = n else { return Err(open) };
            if !n.is_int() {
                return Err(open);
            }
            let n = n.numerator();
            if n.signum() <= 0 && zero(a)? {
                return Err(open);
            }
            known(real::pow(a, n.to_i64().ok_or(Limit::TooLarge)?, prec))
        }
    }
}

/// Finite fields.
pub(super) fn field(c: &Call<'_>) -> Outcome {
    let mut parts = Vec::with_capacity(c.args.len());
    for v in c.args {
        match v {
            Value::Ff(x) => parts.push(x.as_ref().clone()),
            _ => return Err(Undetermined::Sorts),
        }
    }
    if parts.windows(2).any(|w| w[0].order() != w[1].order()) {
        return Err(Undetermined::Sorts);
    }
    let all = |f: fn(&Ff, &Ff) -> Ff| parts.iter().cloned().reduce(|a, b| f(&a, &b));
    let result = match c.op {
        Op::FfAdd => all(Ff::add),
        Op::FfMul => all(Ff::mul),
        Op::FfNeg => parts.first().map(Ff::neg),
        Op::FfBitsum => Ff::bitsum(&parts),
        _ => return Err(Undetermined::Unsupported(c.op)),
    };
    result.map(|x| Value::Ff(x.into())).ok_or(Undetermined::Sorts)
}
