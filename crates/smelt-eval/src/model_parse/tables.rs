//! Bodies of a model's functions as values and tables.

use crate::eval::Evaluator;
use crate::function::Table;
use crate::model::{Interpretation, Model};
use crate::outcome::Outcome;
use crate::value::Value;
use smallvec::SmallVec;
use smelt_smtlib::{Arena, Head, Op, SortKind, Term, Var, VarList};
use std::sync::Arc;

/// Turns bodies into values and tables where that is possible: constants, and chains of `ite` over listed points.
pub(super) fn settle(a: &Arena, model: &mut Model) {
    let mut evaluator = Evaluator::default();
    for f in model.symbols() {
        let Some(&Interpretation::Body(params, body)) = model.get(f) else { continue };
        let d = a.fun(f);
        if a.vars(params).is_empty() {
            let outcome = evaluator.eval(a, model, body);
            if let Ok(v) = outcome
                && keeps(&v)
            {
                model.set_value(f, v);
            }
        } else if d.args.is_empty() {
            // An array that is printed as a function.
            if let (SortKind::Array(index, _), Some(table)) =
                (a.sort_kind(d.ret), tabulate(a, model, &mut evaluator, params, body))
            {
                let size = crate::domain::Domains::of_model(model).extent(a, *index);
                let entries = table.entries().iter().map(|(k, v)| (k[0].clone(), v.clone()));
                let default = table.default().clone();
                if let Some(Ok(array)) = crate::array::Array::new(default, entries, size) {
                    model.set_value(f, Value::Array(Arc::new(array)));
                }
            }
        } else if let Some(table) = tabulate(a, model, &mut evaluator, params, body) {
            model.set(f, Interpretation::Table(Arc::new(table)));
        }
    }
}

/// May a value outlive the evaluator that made it? Regular expressions belong to its store.
fn keeps(v: &Value) -> bool {
    !matches!(v, Value::Re(_) | Value::Approx(_))
}

/// The table of a body that is a chain of `ite` whose conditions name single points.
fn tabulate(
    a: &Arena,
    model: &Model,
    evaluator: &mut Evaluator,
    params: VarList,
    body: Term,
) -> Option<Table> {
    let params: SmallVec<[Var; 4]> = a.vars(params).into();
    let mut points = Vec::new();
    let mut t = body;
    loop {
        let mut value = |t: Term| -> Option<Value> {
            if !a.is_closed(t) {
                return None;
            }
            let outcome: Outcome = evaluator.eval(a, model, t);
            outcome.ok().filter(keeps)
        };
        match a.head(t) {
            Head::Op(Op::Ite, _) => {
                let &[condition, yes, no] = a.args(t) else { return None };
                points.push((point(a, condition, &params, &mut value)?, value(yes)?));
                t = no;
            }
            _ => {
                let default = value(t)?;
                return Table::new(points, default)?.ok();
            }
        }
    }
}

/// The only point where a conjunction of equations between parameters and values holds.
fn point(
    a: &Arena,
    condition: Term,
    params: &[Var],
    value: &mut dyn FnMut(Term) -> Option<Value>,
) -> Option<Box<[Value]>> {
    let mut found: Vec<Option<Value>> = vec![None; params.len()];
    let mut todo = vec![condition];
    while let Some(t) = todo.pop() {
        let Head::Op(op, _) = a.head(t) else { return None };
        match (op, a.args(t)) {
            (Op::True, _) => {}
            (Op::And, parts) => todo.extend_from_slice(parts),
            (Op::Eq, &[x, y]) => {
                let (v, other) = match (a.head(x), a.head(y)) {
                    (Head::Var(v), _) => (v, y),
                    (_, Head::Var(v)) => (v, x),
                    _ => return None,
                };
                let i = params.iter().position(|&p| p == v)?;
                let new = value(other)?;
                match &found[i] {
                    Some(old) if *old != new => return None,
                    _ => found[i] = Some(new),
                }
            }
            _ => return None,
        }
    }
    found.into_iter().collect()
}
