//! Bags (cvc5), except what calls functions.

use super::{Call, decided};
use crate::bag::Bag;
use crate::compound::Tag;
use crate::int::Int;
use crate::limit::Limit;
use crate::outcome::{Outcome, Undetermined};
use crate::relation::grouped;
use crate::value::Value;
use smelt_smtlib::Op;
use std::sync::Arc;

/// Most pairs that a product looks at.
const MAX_PAIRS: usize = 1 << 20;

pub(super) fn apply(c: &Call<'_>) -> Outcome {
    let bag = |i: usize| match c.arg(i)? {
        Value::Bag(b) => Ok(b.as_ref()),
        _ => Err(Undetermined::Sorts),
    };
    let made = |b: Result<Bag, Limit>| Ok(Value::Bag(Arc::new(b?)));
    let left = |f: fn(&Bag, &Bag) -> Result<Bag, Limit>| {
        c.fold(|a, b| match (&a, b) {
            (Value::Bag(x), Value::Bag(y)) => Ok(Value::Bag(Arc::new(f(x, y)?))),
            _ => Err(Undetermined::Sorts),
        })
    };
    let known = |b: Option<Result<Bag, Limit>>| Ok(Value::Bag(Arc::new(decided(b)?)));
    match c.op {
        Op::BagEmpty => known(Bag::new(Vec::new())),
        Op::BagMake => known(Bag::new(vec![(c.arg(0)?.clone(), c.int(1)?.clone())])),
        Op::BagCount => bag(1)?.count(c.arg(0)?).map(Value::Int).ok_or(Undetermined::Equality),
        Op::BagMember => {
            let n = bag(1)?.count(c.arg(0)?).ok_or(Undetermined::Equality)?;
            Ok(Value::Bool(n.signum() > 0))
        }
        Op::BagUnionMax => left(Bag::union_max),
        Op::BagUnionDisjoint => left(Bag::union_disjoint),
        Op::BagInterMin => left(Bag::inter_min),
        Op::BagDiffSubtract => left(Bag::difference_subtract),
        Op::BagDiffRemove => left(Bag::difference_remove),
        Op::BagSubbag => Ok(Value::Bool(bag(0)?.subbag(bag(1)?))),
        Op::BagSetof => made(bag(0)?.setof()),
        Op::BagCard => Ok(Value::Int(bag(0)?.card())),
        Op::BagChoose => bag(0)?.only().cloned().ok_or(Undetermined::Partial(c.op)),
        Op::BagIsSingleton => Ok(Value::Bool(bag(0)?.is_singleton())),
        Op::BagFromSet => match c.arg(0)? {
            Value::Set(s) => made(Bag::from_set(s)),
            _ => Err(Undetermined::Sorts),
        },
        Op::BagToSet => Ok(Value::Set(Arc::new(bag(0)?.to_set()?))),
        // Into which groups nothing is divided is not documented.
        Op::TableGroup if bag(0)?.entries().is_empty() => Err(Undetermined::Partial(c.op)),
        Op::TableGroup => {
            let rows: Vec<Value> = bag(0)?.entries().iter().map(|(row, _)| row.clone()).collect();
            let groups = grouped(&rows, c.indices).ok_or(Undetermined::Sorts)?;
            let counted =
                |row: Value| bag(0)?.count(&row).map(|n| (row, n)).ok_or(Undetermined::Sorts);
            let made = |group: Vec<Value>| {
                let entries: Result<Vec<_>, Undetermined> =
                    group.into_iter().map(counted).collect();
                Ok((Value::Bag(Arc::new(decided(Bag::new(entries?))?)), Int::ONE))
            };
            let groups: Result<Vec<_>, Undetermined> = groups.into_iter().map(made).collect();
            known(Bag::new(groups?))
        }
        Op::TableProduct => product(bag(0)?, bag(1)?, &[]),
        Op::TableJoin => product(bag(0)?, bag(1)?, c.indices),
        Op::TableProject => {
            let mut entries = Vec::new();
            for (row, n) in bag(0)?.entries() {
                let row = columns(row)?;
                let chosen: Option<Vec<Value>> =
                    c.indices.iter().map(|&i| row.get(i as usize).cloned()).collect();
                entries.push((Value::tuple(chosen.ok_or(Undetermined::Sorts)?)?, n.clone()));
            }
            known(Bag::new(entries))
        }
        _ => Err(Undetermined::Unsupported(c.op)),
    }
}

fn columns(row: &Value) -> Result<&[Value], Undetermined> {
    match row {
        Value::Data(d) if d.tag() == Tag::Tuple => Ok(d.fields().items()),
        _ => Err(Undetermined::Sorts),
    }
}

/// All pairs of rows that agree at the places `m1` and `n1`, …; multiplicities multiply.
fn product(a: &Bag, b: &Bag, places: &[u32]) -> Outcome {
    if a.entries().len().saturating_mul(b.entries().len()) > MAX_PAIRS {
        return Err(Limit::TooLarge.into());
    }
    let mut entries: Vec<(Value, Int)> = Vec::new();
    for (x, m) in a.entries() {
        for (y, n) in b.entries() {
            let (x, y) = (columns(x)?, columns(y)?);
            let agree =
                places.chunks_exact(2).all(|p| x.get(p[0] as usize) == y.get(p[1] as usize));
            if agree {
                entries.push((Value::tuple([x, y].concat())?, m.mul(n)?));
            }
        }
    }
    Ok(Value::Bag(Arc::new(decided(Bag::new(entries))?)))
}
