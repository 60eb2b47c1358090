//! Sequences (z3, cvc5), except what calls functions.

use super::{Call, decided};
use crate::compound::List;
use crate::int::Int;
use crate::limit::Limit;
use crate::outcome::{Outcome, Undetermined};
use crate::value::Value;
use smelt_smtlib::Op;
use std::sync::Arc;

pub(super) fn apply(c: &Call<'_>) -> Outcome {
    let seq = |i: usize| match c.arg(i)? {
        Value::Seq(s) => Ok(s.as_ref()),
        _ => Err(Undetermined::Sorts),
    };
    let made = |s: Result<List, Limit>| Ok(Value::Seq(Arc::new(s?)));
    let found = |b: Option<bool>| b.map(Value::Bool).ok_or(Undetermined::Equality);
    let place = |n: Option<Int>| n.map(Value::Int).ok_or(Undetermined::Equality);
    match c.op {
        Op::SeqEmpty => Ok(Value::seq(Vec::new())?),
        Op::SeqUnit => Ok(Value::seq(vec![c.arg(0)?.clone()])?),
        Op::SeqConcat => c.fold(|a, b| match (&a, b) {
            (Value::Seq(x), Value::Seq(y)) => Ok(Value::Seq(Arc::new(x.concat(y)?))),
            _ => Err(Undetermined::Sorts),
        }),
        Op::SeqLen => Ok(Value::Int(Int::from(seq(0)?.len()))),
        Op::SeqExtract => made(seq(0)?.extract(c.int(1)?, c.int(2)?)),
        Op::SeqAt => made(seq(0)?.at(c.int(1)?)),
        Op::SeqNth => seq(0)?.nth(c.int(1)?).cloned().ok_or(Undetermined::Partial(c.op)),
        Op::SeqContains => found(seq(0)?.contains(seq(1)?)),
        Op::SeqPrefixOf => found(seq(0)?.prefix_of(seq(1)?)),
        Op::SeqSuffixOf => found(seq(0)?.suffix_of(seq(1)?)),
        Op::SeqIndexOf => place(seq(0)?.index_of(seq(1)?, c.int(2)?)),
        Op::SeqLastIndexOf => place(seq(0)?.last_index_of(seq(1)?)),
        Op::SeqReplace => made(Ok(decided(seq(0)?.replace(seq(1)?, seq(2)?))?)),
        Op::SeqReplaceAll => made(Ok(decided(seq(0)?.replace_all(seq(1)?, seq(2)?))?)),
        Op::SeqRev => made(seq(0)?.rev()),
        Op::SeqUpdate => made(seq(0)?.update(c.int(1)?, seq(2)?)),
        _ => Err(Undetermined::Unsupported(c.op)),
    }
}
