//! The evaluator that is judged.

use smelt_eval::{Undetermined, eval_ground, value_to_smtlib};
use smelt_smtlib::{Script, Term};

/// Why smelt gives no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoValue {
    /// The standard leaves it open.
    Partial,
    /// Anything else.
    Because(String),
}

/// The value that smelt gives a ground term, as text.
pub fn smelt_value(script: &Script, term: Term) -> Result<String, NoValue> {
    let value = eval_ground(&script.arena, term).map_err(|why| match why {
        Undetermined::Partial(_) | Undetermined::WrongSelector(_) => NoValue::Partial,
        other => NoValue::Because(other.to_string()),
    })?;
    value_to_smtlib(&script.arena, &value, script.arena.sort(term))
        .ok_or_else(|| NoValue::Because("the value cannot be written".into()))
}
