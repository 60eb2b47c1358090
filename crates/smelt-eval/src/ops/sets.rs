//! Sets, relations, tuples and nullables (cvc5), except what calls functions.

use super::{Call, decided};
use crate::compound::{Data, Tag};
use crate::int::Int;
use crate::limit::Limit;
use crate::outcome::{Outcome, Undetermined};
use crate::relation;
use crate::set::Set;
use crate::value::Value;
use smelt_smtlib::Op;
use std::sync::Arc;

pub(super) fn apply(c: &Call<'_>) -> Outcome {
    let set = |i: usize| match c.arg(i)? {
        Value::Set(s) => Ok(s.as_ref()),
        _ => Err(Undetermined::Sorts),
    };
    let data = |i: usize| match c.arg(i)? {
        Value::Data(d) => Ok(d.as_ref()),
        _ => Err(Undetermined::Sorts),
    };
    let made = |s: Result<Set, Limit>| Ok(Value::Set(Arc::new(s?)));
    let left = |f: fn(&Set, &Set) -> Result<Set, Limit>| {
        c.fold(|a, b| match (&a, b) {
            (Value::Set(x), Value::Set(y)) => Ok(Value::Set(Arc::new(f(x, y)?))),
            _ => Err(Undetermined::Sorts),
        })
    };
    let known = |s: Option<Result<Set, Limit>>| Ok(Value::Set(Arc::new(decided(s)?)));
    match c.op {
        Op::SetEmpty => known(Set::new(Vec::new())),
        Op::SetSingleton => known(Set::new(vec![c.arg(0)?.clone()])),
        Op::SetUnion => left(Set::union),
        Op::SetInter => left(Set::inter),
        Op::SetMinus => left(Set::minus),
        Op::SetMember => set(1)?.member(c.arg(0)?).map(Value::Bool).ok_or(Undetermined::Equality),
        Op::SetSubset => Ok(Value::Bool(set(0)?.subset(set(1)?))),
        Op::SetInsert => {
            let last = c.args.len().checked_sub(1).ok_or(Undetermined::Sorts)?;
            let new = c.args[..last].iter().map(|v| (*v).clone()).collect();
            made(set(last)?.union(&decided(Set::new(new))?))
        }
        Op::SetCard => Ok(Value::Int(Int::from(set(0)?.card()))),
        Op::SetChoose => set(0)?.only().cloned().ok_or(Undetermined::Partial(c.op)),
        Op::SetIsEmpty => Ok(Value::Bool(set(0)?.card() == 0)),
        Op::SetIsSingleton => Ok(Value::Bool(set(0)?.card() == 1)),
        Op::RelTranspose => known(set(0)?.transpose()),
        Op::RelTclosure => known(set(0)?.transitive_closure()),
        Op::RelJoin => known(set(0)?.join(set(1)?)),
        Op::RelProduct => known(set(0)?.product(set(1)?)),
        Op::RelIden => known(set(0)?.iden()),
        Op::RelJoinImage => {
            let n = c.int(1)?;
            match (n.signum(), n.to_usize()) {
                // Every element has no or more images: only those that occur at all are listed.
                (s, _) if s <= 0 => Err(Undetermined::Partial(c.op)),
                (_, Some(n)) => known(set(0)?.join_image(n)),
                (_, None) => known(Set::new(Vec::new())),
            }
        }
        // Into which groups nothing is divided is not documented.
        Op::RelGroup if set(0)?.card() == 0 => Err(Undetermined::Partial(c.op)),
        Op::RelGroup => {
            let groups = relation::grouped(set(0)?.elements().items(), c.indices);
            let groups = groups.ok_or(Undetermined::Sorts)?;
            let made = |group| Ok(Value::Set(Arc::new(decided(Set::new(group))?)));
            let groups: Result<Vec<Value>, Undetermined> = groups.into_iter().map(made).collect();
            known(Set::new(groups?))
        }
        Op::RelProject => known(set(0)?.project(c.indices)),
        Op::RelTableJoin => known(set(0)?.table_join(set(1)?, c.indices)),
        Op::TupleMake | Op::TupleUnit => {
            Ok(Value::tuple(c.args.iter().map(|v| (*v).clone()).collect())?)
        }
        Op::TupleSelect => data(0)?.field(c.index(0)? as usize).cloned().ok_or(Undetermined::Sorts),
        Op::TupleUpdate => {
            let d = data(0)?.with_field(c.index(0)? as usize, c.arg(1)?.clone())?;
            Ok(Value::Data(Arc::new(d)))
        }
        Op::TupleProject => {
            let d = decided(relation::project_tuple(data(0)?, c.indices))?;
            Ok(Value::Data(Arc::new(d)))
        }
        Op::NullableNull => Ok(Value::Data(Arc::new(Data::new(Tag::Null, Vec::new())?))),
        Op::NullableSome => {
            Ok(Value::Data(Arc::new(Data::new(Tag::Some, vec![c.arg(0)?.clone()])?)))
        }
        Op::NullableVal => {
            let d = data(0)?;
            d.field(0).cloned().ok_or(Undetermined::Partial(c.op))
        }
        Op::NullableIsNull => Ok(Value::Bool(data(0)?.tag() == Tag::Null)),
        Op::NullableIsSome => Ok(Value::Bool(data(0)?.tag() == Tag::Some)),
        _ => Err(Undetermined::Unsupported(c.op)),
    }
}
