//! Core, and z3's pseudo-Boolean constraints.

use super::{Call, Context, equal};
use crate::limit::{Limit, MAX_PAIRS};
use crate::outcome::{Outcome, Undetermined};
use crate::value::Value;
use smelt_smtlib::Op;

pub(super) fn apply(cx: &mut Context, c: &Call<'_>) -> Outcome {
    match c.op {
        Op::True => Ok(Value::TRUE),
        Op::False => Ok(Value::FALSE),
        Op::Not => Ok(Value::Bool(!c.bool(0)?)),
        Op::And => all(c, true).map(Value::Bool),
        Op::Or => all(c, false).map(|found| Value::Bool(!found)),
        Op::Xor => {
            let mut odd = false;
            for i in 0..c.args.len() {
                odd ^= c.bool(i)?;
            }
            Ok(Value::Bool(odd))
        }
        Op::Implies => {
            // True as soon as the last holds or one before it does not.
            let last = c.args.len().checked_sub(1).ok_or(Undetermined::Sorts)?;
            for i in 0..last {
                if !c.bool(i)? {
                    return Ok(Value::TRUE);
                }
            }
            c.bool(last).map(Value::Bool)
        }
        Op::Eq => c.chain(|a, b| equal(cx, a, b)),
        Op::Distinct => distinct(cx, c),
        Op::Ite => Ok(if c.bool(0)? { c.arg(1)? } else { c.arg(2)? }.clone()),
        Op::AtMost => count(c, c.index(0)?.into(), |_| 1, |n, k| n <= k),
        Op::AtLeast => count(c, c.index(0)?.into(), |_| 1, |n, k| n >= k),
        Op::PbLe => weighted(c, |n, k| n <= k),
        Op::PbGe => weighted(c, |n, k| n >= k),
        Op::PbEq => weighted(c, |n, k| n == k),
        _ => Err(Undetermined::Unsupported(c.op)),
    }
}

/// Are all arguments this?
fn all(c: &Call<'_>, this: bool) -> Result<bool, Undetermined> {
    for i in 0..c.args.len() {
        if c.bool(i)? != this {
            return Ok(false);
        }
    }
    Ok(true)
}

fn distinct(cx: &mut Context, c: &Call<'_>) -> Outcome {
    // Many canonical values: a set finds a repetition in linear time.
    if c.args.len() > 8 && c.args.iter().all(|v| v.is_canonical()) {
        let mut seen = rustc_hash::FxHashSet::default();
        return Ok(Value::Bool(c.args.iter().all(|v| seen.insert(*v))));
    }
    let mut open = None;
    let mut left = MAX_PAIRS;
    for (i, a) in c.args.iter().enumerate() {
        for b in &c.args[i + 1..] {
            left = left.checked_sub(1).ok_or(Limit::Budget)?;
            match equal(cx, a, b) {
                Ok(true) => return Ok(Value::FALSE),
                Ok(false) => {}
                Err(e) => open = Some(e),
            }
        }
    }
    open.map_or(Ok(Value::TRUE), Err)
}

fn count(
    c: &Call<'_>,
    bound: i64,
    weight: impl Fn(usize) -> i64,
    holds: fn(i64, i64) -> bool,
) -> Outcome {
    let mut sum = 0i64;
    for i in 0..c.args.len() {
        if c.bool(i)? {
            sum = sum.saturating_add(weight(i));
        }
    }
    Ok(Value::Bool(holds(sum, bound)))
}

/// `((_ pble k w1 w2 …) p1 p2 …)`
fn weighted(c: &Call<'_>, holds: fn(i64, i64) -> bool) -> Outcome {
    let (bound, weights) = c.indices.split_first().ok_or(Undetermined::Sorts)?;
    if weights.len() != c.args.len() {
        return Err(Undetermined::Sorts);
    }
    count(c, i64::from(*bound), |i| i64::from(weights[i]), holds)
}
