//! ArraysEx, and what z3 and cvc5 add, except what calls functions.

use super::{Call, Context, equal};
use crate::array::{Array, Extent};
use crate::int::Int;
use crate::outcome::{Outcome, Undetermined};
use crate::value::Value;
use smelt_smtlib::{Op, SortKind};
use std::borrow::Cow;
use std::sync::Arc;

pub(super) fn apply(cx: &mut Context, c: &Call<'_>) -> Outcome {
    let array = |i: usize| match c.arg(i)? {
        Value::Array(a) => Ok(a.as_ref()),
        _ => Err(Undetermined::Sorts),
    };
    match c.op {
        Op::Select => {
            let index = index_of(cx, c)?;
            array(0)?.select(&index).cloned().ok_or(Undetermined::Equality)
        }
        Op::Store => {
            let index = index_of(cx, c)?;
            let value = c.arg(2)?.clone();
            let stored = match c.arg(0)? {
                Value::Array(a) => {
                    a.store(index.into_owned(), value).map(|a| Ok(Value::Array(Arc::new(a?))))
                }
                Value::Closure(f) => {
                    f.store(index.into_owned(), value).map(|f| Ok(Value::Closure(Arc::new(f?))))
                }
                _ => return Err(Undetermined::Sorts),
            };
            stored.ok_or(Undetermined::Equality)?
        }
        Op::ConstArray => {
            let SortKind::Array(index, _) = *c.arena.sort_kind(c.sort) else {
                return Err(Undetermined::Sorts);
            };
            let size = cx.domains.extent(c.arena, index);
            Ok(Value::Array(Arc::new(Array::constant(c.arg(0)?.clone(), size)?)))
        }
        // The value at almost every index: over a finite sort there is no such thing.
        Op::ArrayDefault => match array(0)? {
            a if a.domain() == Extent::Infinite => Ok(a.default().clone()),
            _ => Err(Undetermined::Partial(c.op)),
        },
        // z3's Skolem function: any index where two arrays differ.
        Op::ArrayExt => match c.args {
            [_, _] => Err(Undetermined::Partial(c.op)),
            _ => Err(Undetermined::Sorts),
        },
        Op::EqRange => eq_range(cx, array(0)?, array(1)?, c),
        _ => Err(Undetermined::Unsupported(c.op)),
    }
}

/// The index of `select` and `store` in its normal form.
fn index_of<'a>(cx: &mut Context, c: &Call<'a>) -> Result<Cow<'a, Value>, Undetermined> {
    let value = c.arg(1)?;
    match c.arena.sort_kind(c.first) {
        SortKind::Array(index, _) => Ok(cx.domains.canonical(c.arena, *index, value)),
        _ => Ok(Cow::Borrowed(value)),
    }
}

/// The place of a value in the order of integers or of unsigned bit-vectors.
fn place(v: &Value) -> Result<Int, Undetermined> {
    match v {
        Value::Int(n) => Ok(n.clone()),
        Value::Bv(b) => Ok(b.ubv_to_int()),
        _ => Err(Undetermined::Equality),
    }
}

/// cvc5's `(eqrange a b i j)`: equal at all indices from `i` to `j`.
fn eq_range(cx: &mut Context, a: &Array, b: &Array, c: &Call<'_>) -> Outcome {
    let (low, high) = (place(c.arg(2)?)?, place(c.arg(3)?)?);
    if low > high {
        return Ok(Value::TRUE);
    }
    let mut listed: Vec<&Value> = Vec::new();
    for (i, _) in a.entries().iter().chain(b.entries()) {
        let at = place(i)?;
        if low <= at && at <= high && !listed.contains(&i) {
            listed.push(i);
        }
    }
    let mut open = None;
    let mut check = |x: &Value, y: &Value| match equal(cx, x, y) {
        Ok(same) => same,
        Err(e) => {
            open = Some(e);
            true
        }
    };
    for i in &listed {
        let (x, y) = (a.select(i), b.select(i));
        let (Some(x), Some(y)) = (x, y) else { return Err(Undetermined::Equality) };
        if !check(x, y) {
            return Ok(Value::FALSE);
        }
    }
    let all = high.sub(&low).add(&Int::ONE);
    if Int::from(listed.len()) < all && !check(a.default(), b.default()) {
        return Ok(Value::FALSE);
    }
    open.map_or(Ok(Value::TRUE), Err)
}
