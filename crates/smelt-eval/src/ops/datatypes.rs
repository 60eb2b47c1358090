//! Datatypes.

use super::Call;
use crate::compound::Tag;
use crate::outcome::{Outcome, Undetermined};
use crate::value::Value;
use smelt_smtlib::{Arena, Fun, FunKind, Op};
use std::sync::Arc;

pub(super) fn apply(c: &Call<'_>) -> Outcome {
    match c.op {
        Op::Is => match c.arg(0)? {
            Value::Data(d) => Ok(Value::Bool(d.tag() == Tag::Constructor(c.index(0)?))),
            _ => Err(Undetermined::Sorts),
        },
        Op::Update => {
            let selector = c.arena.fun_at(c.index(0)? as usize).ok_or(Undetermined::Sorts)?;
            let FunKind::Selector(constructor, i) = c.arena.fun(selector).kind else {
                return Err(Undetermined::Sorts);
            };
            let value = c.arg(1)?.clone();
            match c.arg(0)? {
                Value::Data(d) if d.tag() == tag(constructor) => {
                    Ok(Value::Data(Arc::new(d.with_field(i as usize, value)?)))
                }
                // Of another constructor: unchanged.
                d @ Value::Data(_) => Ok(d.clone()),
                _ => Err(Undetermined::Sorts),
            }
        }
        _ => Err(Undetermined::Unsupported(c.op)),
    }
}

fn tag(constructor: Fun) -> Tag {
    Tag::Constructor(constructor.index() as u32)
}

/// A constructor applied to fields.
pub(crate) fn construct(constructor: Fun, fields: &[&Value]) -> Outcome {
    let fields = fields.iter().map(|v| (*v).clone()).collect();
    Ok(Value::data(constructor.index() as u32, fields)?)
}

/// A selector applied to a value; `None` if the value has another constructor.
pub(crate) fn select_field(
    a: &Arena,
    selector: Fun,
    value: &Value,
) -> Result<Option<Value>, Undetermined> {
    let (FunKind::Selector(constructor, i), Value::Data(d)) = (a.fun(selector).kind, value) else {
        return Err(Undetermined::Sorts);
    };
    if d.tag() != tag(constructor) {
        return Ok(None);
    }
    d.field(i as usize).cloned().map(Some).ok_or(Undetermined::Sorts)
}
