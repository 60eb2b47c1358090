//! The evaluator that is judged.

use smelt_eval::{eval_ground, value_to_smtlib};
use smelt_smtlib::{Script, Term};

/// The value that smelt gives a ground term, as text; `None` while it is undetermined.
pub fn smelt_value(script: &Script, term: Term) -> Option<String> {
    let value = eval_ground(&script.arena, term).ok()?;
    value_to_smtlib(&script.arena, &value, script.arena.sort(term))
}
