//! Sets and bags under functions: maps, filters, folds, aggregates, partitions.

use super::{Env, Evaluator, settled};
use crate::bag::Bag;
use crate::closure::Code;
use crate::int::Int;
use crate::limit::Limit;
use crate::outcome::{Outcome, Undetermined};
use crate::relation::grouped;
use crate::set::Set;
use crate::value::Value;
use smelt_smtlib::{Arena, Head, Op, Term, Var};
use std::sync::Arc;

/// Most elements of a collection that is folded in every order.
const MAX_ORDERS: usize = 4;
/// Most elements of a bag that is folded.
const MAX_FOLDED: usize = 10_000;
/// Most elements of a bag that is partitioned.
const MAX_PARTITIONED: usize = 100;

impl Evaluator {
    pub(super) fn over_set(
        &mut self,
        env: Env<'_>,
        op: Op,
        indices: &[u32],
        arity: usize,
        args: &[Value],
    ) -> Outcome {
        let (Some(f), Some(Value::Set(set))) = (args.first(), args.last()) else {
            return Err(Undetermined::Sorts);
        };
        let items = set.elements().items();
        match (op, args) {
            (Op::SetFold, [_, start, _]) => {
                self.fold_any_order(env, op, f, arity, start, items.to_vec())
            }
            (Op::RelAggregate, [_, start, _]) => {
                let results = self.aggregates(env, op, indices, arity, (f, start), items)?;
                made_set(results)
            }
            _ => {
                let items = items.iter().map(|x| (x.clone(), Int::ONE));
                finish_set(op, self.map_items(env, op, f, arity, items)?)
            }
        }
    }

    pub(super) fn over_bag(
        &mut self,
        env: Env<'_>,
        op: Op,
        indices: &[u32],
        arity: usize,
        args: &[Value],
    ) -> Outcome {
        let (Some(f), Some(Value::Bag(bag))) = (args.first(), args.last()) else {
            return Err(Undetermined::Sorts);
        };
        match (op, args) {
            (Op::BagFold, [_, start, _]) => {
                self.fold_any_order(env, op, f, arity, start, each(bag)?)
            }
            (Op::TableAggregate, [_, start, _]) => {
                let rows = each(bag)?;
                let results = self.aggregates(env, op, indices, arity, (f, start), &rows)?;
                made_bag(results.into_iter().map(|v| (v, Int::ONE)).collect())
            }
            (Op::BagPartition, _) => self.partition(env, f, arity, bag),
            _ => {
                let items = bag.entries().iter().cloned();
                finish_bag(op, self.map_items(env, op, f, arity, items)?)
            }
        }
    }

    /// The folds of the groups of rows that agree at some places.
    fn aggregates(
        &mut self,
        env: Env<'_>,
        op: Op,
        places: &[u32],
        arity: usize,
        (f, start): (&Value, &Value),
        rows: &[Value],
    ) -> Result<Vec<Value>, Undetermined> {
        // Into which groups nothing is divided is not documented.
        if rows.is_empty() {
            return Err(Undetermined::Partial(op));
        }
        let groups = grouped(rows, places).ok_or(Undetermined::Sorts)?;
        let fold = |group: Vec<Value>| self.fold_any_order(env, op, f, arity, start, group);
        groups.into_iter().map(fold).collect()
    }

    /// `(bag.partition r b)`: the classes of an equivalence. What another relation divides is not documented.
    fn partition(&mut self, env: Env<'_>, r: &Value, arity: usize, bag: &Bag) -> Outcome {
        let open = Undetermined::Partial(Op::BagPartition);
        let entries = bag.entries();
        if entries.is_empty() {
            return Err(open);
        }
        if entries.len() > MAX_PARTITIONED {
            return Err(Limit::Budget.into());
        }
        let mut related: Vec<Vec<bool>> = Vec::new();
        for (x, _) in entries {
            let mut row = Vec::new();
            for (y, _) in entries {
                match settled(self.call(env, r, arity, vec![x.clone(), y.clone()]))? {
                    Value::Bool(b) => row.push(b),
                    _ => return Err(Undetermined::Sorts),
                }
            }
            related.push(row);
        }
        // An equivalence: each is related to itself, and to the same ones as those it is related to.
        let is_equivalence = related
            .iter()
            .enumerate()
            .all(|(i, row)| row[i] && (0..row.len()).all(|j| !row[j] || related[j] == *row));
        if !is_equivalence {
            return Err(open);
        }
        let mut classes = Vec::new();
        for (i, row) in related.iter().enumerate() {
            // Each class where its first element is met.
            if row.iter().position(|b| *b) == Some(i) {
                let members = entries.iter().zip(row).filter(|(_, b)| **b);
                classes.push((made_bag(members.map(|(e, _)| e.clone()).collect())?, Int::ONE));
            }
        }
        made_bag(classes)
    }

    /// Elements with the results of the function.
    fn map_items(
        &mut self,
        env: Env<'_>,
        op: Op,
        f: &Value,
        arity: usize,
        items: impl Iterator<Item = (Value, Int)>,
    ) -> Result<Vec<(Value, Int, Value)>, Undetermined> {
        let mut out = Vec::new();
        for (x, n) in items {
            let y = settled(self.call(env, f, arity, vec![x.clone()]));
            match (op, &y) {
                // One element decides, whatever the others do.
                (Op::SetAll | Op::BagAll, Ok(Value::Bool(false)))
                | (Op::SetSome | Op::BagSome, Ok(Value::Bool(true))) => {
                    return Ok(vec![(x, n, y?)]);
                }
                _ => out.push((x, n, y)),
            }
        }
        out.into_iter().map(|(x, n, y)| Ok((x, n, y?))).collect()
    }

    /// The order of a fold is not specified: all orders must agree. One is enough where the step shows that.
    fn fold_any_order(
        &mut self,
        env: Env<'_>,
        op: Op,
        f: &Value,
        arity: usize,
        start: &Value,
        items: Vec<Value>,
    ) -> Outcome {
        let (orders, complete) = match items.len() {
            n if n <= MAX_ORDERS => (orders(n), true),
            n if commutes(env.a, f) => (vec![(0..n).collect()], true),
            n => (vec![(0..n).collect(), (0..n).rev().collect()], false),
        };
        let mut result: Option<Value> = None;
        for order in orders {
            let mut acc = start.clone();
            for i in order {
                acc = self.call(env, f, arity, vec![items[i].clone(), acc])?;
            }
            match result.as_ref().map(|r| r.equals(&acc)) {
                None => result = Some(acc),
                Some(Some(true)) => {}
                Some(Some(false)) => return Err(Undetermined::Partial(op)),
                Some(None) => return Err(Undetermined::Equality),
            }
        }
        if complete { result.ok_or(Undetermined::Sorts) } else { Err(Limit::Budget.into()) }
    }
}

/// Does a step `(lambda ((x A) (acc B)) …)` give one result in every order? It does if it joins something to the
/// accumulator by an associative and commutative operator, or leaves it as it is, as x alone decides.
fn commutes(a: &Arena, f: &Value) -> bool {
    let Value::Closure(closure) = f else { return false };
    let (Code::Body { params, body }, true) =
        (&closure.code, closure.given.is_empty() && closure.stored.is_empty())
    else {
        return false;
    };
    let &[_, acc] = a.vars(*params) else { return false };
    let mut by = None;
    let mut todo = vec![*body];
    while let Some(t) = todo.pop() {
        let args = a.args(t);
        match a.head(t) {
            Head::Var(v) if v == acc => {}
            Head::Op(Op::Ite, _) if !mentions(a, args[0], acc) => todo.extend(&args[1..]),
            Head::Op(op, _) if joins(op) && *by.get_or_insert(op) == op => {
                let mut inner = args.iter().filter(|&&x| mentions(a, x, acc));
                let (Some(&one), None) = (inner.next(), inner.next()) else { return false };
                todo.push(one);
            }
            _ => return false,
        }
    }
    true
}

fn mentions(a: &Arena, t: Term, v: Var) -> bool {
    a.free_vars(t).contains(&v)
}

/// Operators that are associative and commutative, and defined everywhere.
fn joins(op: Op) -> bool {
    matches!(
        op,
        Op::Add
            | Op::Mul
            | Op::And
            | Op::Or
            | Op::Xor
            | Op::BvAdd
            | Op::BvMul
            | Op::BvAnd
            | Op::BvOr
            | Op::BvXor
            | Op::FfAdd
            | Op::FfMul
            | Op::SetUnion
            | Op::SetInter
            | Op::BagUnionMax
            | Op::BagUnionDisjoint
            | Op::BagInterMin
    )
}

/// The elements of a bag, each as often as it is there.
fn each(bag: &Bag) -> Result<Vec<Value>, Limit> {
    let mut out = Vec::new();
    for (x, n) in bag.entries() {
        let n = n.to_usize().filter(|n| out.len() + n <= MAX_FOLDED).ok_or(Limit::Budget)?;
        out.extend(std::iter::repeat_n(x.clone(), n));
    }
    Ok(out)
}

fn made_set(elements: Vec<Value>) -> Outcome {
    Ok(Value::Set(Arc::new(Set::new(elements).ok_or(Undetermined::Equality)??)))
}

fn made_bag(entries: Vec<(Value, Int)>) -> Outcome {
    Ok(Value::Bag(Arc::new(Bag::new(entries).ok_or(Undetermined::Equality)??)))
}

fn truths(kept: &[(Value, Int, Value)]) -> Result<Vec<bool>, Undetermined> {
    kept.iter()
        .map(|(_, _, y)| match y {
            Value::Bool(b) => Ok(*b),
            _ => Err(Undetermined::Sorts),
        })
        .collect()
}

fn finish_set(op: Op, kept: Vec<(Value, Int, Value)>) -> Outcome {
    let elements: Vec<Value> = match op {
        Op::SetAll => return Ok(Value::Bool(truths(&kept)?.iter().all(|b| *b))),
        Op::SetSome => return Ok(Value::Bool(truths(&kept)?.iter().any(|b| *b))),
        Op::SetFilter => {
            let truths = truths(&kept)?;
            kept.into_iter().zip(truths).filter(|(_, b)| *b).map(|((x, ..), _)| x).collect()
        }
        _ => kept.into_iter().map(|(_, _, y)| y).collect(),
    };
    made_set(elements)
}

fn finish_bag(op: Op, kept: Vec<(Value, Int, Value)>) -> Outcome {
    let entries: Vec<(Value, Int)> = match op {
        Op::BagAll => return Ok(Value::Bool(truths(&kept)?.iter().all(|b| *b))),
        Op::BagSome => return Ok(Value::Bool(truths(&kept)?.iter().any(|b| *b))),
        Op::BagFilter => {
            let truths = truths(&kept)?;
            kept.into_iter().zip(truths).filter(|(_, b)| *b).map(|((x, n, _), _)| (x, n)).collect()
        }
        _ => kept.into_iter().map(|(_, n, y)| (y, n)).collect(),
    };
    made_bag(entries)
}

/// All orders of `0 .. n`.
fn orders(n: usize) -> Vec<Vec<usize>> {
    let mut out = vec![Vec::new()];
    for i in 0..n {
        out = out
            .into_iter()
            .flat_map(|o: Vec<usize>| {
                (0..=o.len()).map(move |k| {
                    let mut p = o.clone();
                    p.insert(k, i);
                    p
                })
            })
            .collect();
    }
    out
}
