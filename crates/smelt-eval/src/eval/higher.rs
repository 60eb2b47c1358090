//! Operators that call functions, and operators on functions and arrays that are given by a body.

use super::{Env, Evaluator};
use crate::array::Array;
use crate::closure::{Closure, Code};
use crate::int::Int;
use crate::model::Interpretation;
use crate::ops::{self, Call};
use crate::outcome::{Outcome, Undetermined};
use crate::value::Value;
use smelt_smtlib::{Arena, Op, Sort, SortKind, Term};
use std::sync::Arc;

/// Does the operator call a function, or name one by an index?
pub(crate) fn calls_functions(op: Op) -> bool {
    matches!(
        op,
        Op::Apply
            | Op::AsArray
            | Op::ArrayMap
            | Op::SeqMap
            | Op::SeqMapi
            | Op::SeqFoldl
            | Op::SeqFoldli
            | Op::SetMap
            | Op::SetFilter
            | Op::SetAll
            | Op::SetSome
            | Op::SetFold
            | Op::BagMap
            | Op::BagFilter
            | Op::BagAll
            | Op::BagSome
            | Op::BagFold
            | Op::RelAggregate
            | Op::TableAggregate
            | Op::BagPartition
    )
}

impl Evaluator {
    pub(super) fn higher(
        &mut self,
        env: Env<'_>,
        t: Term,
        op: Op,
        indices: &[u32],
        args: &[Value],
    ) -> Outcome {
        let a = env.a;
        let arity = a.args(t).first().map_or(0, |&f| arity(a, a.sort(f)));
        let arg = |i: usize| args.get(i).ok_or(Undetermined::Sorts);
        match op {
            Op::Apply | Op::Select => {
                let (f, given) = args.split_first().ok_or(Undetermined::Sorts)?;
                self.call(env, f, arity, given.to_vec())
            }
            Op::AsArray => self.as_array(env, indices),
            Op::ArrayMap => self.array_map(env, t, indices, args),
            Op::Store => self.store(env, t, args),
            Op::Eq => self.functions_equal(env, t, args),
            Op::Distinct => {
                let mut open = None;
                for (i, f) in args.iter().enumerate() {
                    for g in &args[i + 1..] {
                        match self.same_function(env, a.sort(a.args(t)[0]), f, g) {
                            Ok(true) => return Ok(Value::FALSE),
                            Ok(false) => {}
                            Err(e) => open = Some(e),
                        }
                    }
                }
                open.map_or(Ok(Value::TRUE), Err)
            }
            Op::SeqMap => self.map_seq(env, arg(0)?, arity, arg(1)?, None),
            Op::SeqMapi => self.map_seq(env, arg(0)?, arity, arg(2)?, Some(int(arg(1)?)?)),
            Op::SeqFoldl => self.fold_seq(env, arg(0)?, arity, None, arg(1)?, arg(2)?),
            Op::SeqFoldli => {
                let i = int(arg(1)?)?;
                self.fold_seq(env, arg(0)?, arity, Some(i), arg(2)?, arg(3)?)
            }
            Op::SetMap
            | Op::SetFilter
            | Op::SetAll
            | Op::SetSome
            | Op::SetFold
            | Op::RelAggregate => self.over_set(env, op, indices, arity, args),
            Op::BagMap
            | Op::BagFilter
            | Op::BagAll
            | Op::BagSome
            | Op::BagFold
            | Op::TableAggregate
            | Op::BagPartition => self.over_bag(env, op, indices, arity, args),
            _ => {
                // Functions as elements of something else, or as operands that are not looked into.
                let refs: Vec<&Value> = args.iter().collect();
                let first = a.args(t).first().map_or(a.sort(t), |&x| a.sort(x));
                let call = Call { arena: a, op, indices, args: &refs, sort: a.sort(t), first };
                match ops::apply(&mut self.cx, &call) {
                    Err(Undetermined::Sorts) => Err(Undetermined::Equality),
                    outcome => outcome,
                }
            }
        }
    }

    /// `(_ as-array f)`
    fn as_array(&mut self, env: Env<'_>, indices: &[u32]) -> Outcome {
        let f = indices.first().and_then(|&i| env.a.fun_at(i as usize));
        let f = f.ok_or(Undetermined::Sorts)?;
        let d = env.a.fun(f);
        let code = match (d.def, env.m.get(f)) {
            (Some((params, body)), _) | (None, Some(&Interpretation::Body(params, body))) => {
                Code::Body { params, body }
            }
            (None, Some(Interpretation::Table(table))) => {
                if d.args.len() == 1 {
                    let size = self.cx.domains.extent(env.a, d.args[0]);
                    let entries = table.entries().iter().map(|(k, v)| (k[0].clone(), v.clone()));
                    let array = Array::new(table.default().clone(), entries, size);
                    return Ok(Value::Array(Arc::new(array.ok_or(Undetermined::Equality)??)));
                }
                Code::Table(table.clone(), d.args.len())
            }
            _ => return Err(Undetermined::NoInterpretation(f)),
        };
        Ok(Value::Closure(Arc::new(Closure::new(code, Vec::new(), Vec::new(), Vec::new())?)))
    }

    fn store(&mut self, env: Env<'_>, t: Term, args: &[Value]) -> Outcome {
        let [array, index, value] = args else { return Err(Undetermined::Sorts) };
        let index = match env.a.sort_kind(env.a.sort(t)) {
            SortKind::Array(i, _) => self.cx.domains.canonical(env.a, *i, index).into_owned(),
            _ => index.clone(),
        };
        match array {
            Value::Array(x) => {
                let x = x.store(index, value.clone()).ok_or(Undetermined::Equality)??;
                Ok(Value::Array(Arc::new(x)))
            }
            Value::Closure(f) => {
                let f = f.store(index, value.clone()).ok_or(Undetermined::Equality)??;
                Ok(Value::Closure(Arc::new(f)))
            }
            Value::Fun(table) => {
                let code = Code::Table(table.clone(), arity(env.a, env.a.sort(t)));
                let stored = vec![(index, value.clone())];
                let f = Closure::new(code, Vec::new(), Vec::new(), stored)?;
                Ok(Value::Closure(Arc::new(f)))
            }
            _ => Err(Undetermined::Sorts),
        }
    }

    /// Functions are equal if they are everywhere; this is searched where the domain is small, else a difference may be
    /// found at a point that one of them lists.
    fn functions_equal(&mut self, env: Env<'_>, t: Term, args: &[Value]) -> Outcome {
        let a = env.a;
        let sort = a.sort(a.args(t)[0]);
        let mut open = None;
        for pair in args.windows(2) {
            match self.same_function(env, sort, &pair[0], &pair[1]) {
                Ok(true) => {}
                Ok(false) => return Ok(Value::FALSE),
                Err(e) => open = Some(e),
            }
        }
        open.map_or(Ok(Value::TRUE), Err)
    }

    fn same_function(
        &mut self,
        env: Env<'_>,
        sort: Sort,
        f: &Value,
        g: &Value,
    ) -> Result<bool, Undetermined> {
        if let Some(known) = f.equals(g) {
            return Ok(known);
        }
        let (from, _) = signature(env.a, sort).ok_or(Undetermined::Equality)?;
        let mut lists = Vec::new();
        let mut complete = true;
        let mut total = 1u64;
        for &s in &from {
            let all = self.cx.domains.all(env.a, s, self.limits.instances);
            let list = match all {
                Some(all) => all,
                None => {
                    complete = false;
                    points_of(&[f, g], lists.len()).into()
                }
            };
            total = total.saturating_mul(list.len() as u64);
            lists.push(list);
        }
        if total == 0 || total > self.limits.instances {
            return Err(Undetermined::Equality);
        }
        let mut open = None;
        let mut at = vec![0usize; lists.len()];
        loop {
            let point: Vec<Value> = lists.iter().zip(&at).map(|(l, &i)| l[i].clone()).collect();
            let x = self.call(env, f, from.len(), point.clone());
            let y = self.call(env, g, from.len(), point);
            let same = x.and_then(|x| y.and_then(|y| ops::equal(&mut self.cx, &x, &y)));
            match same {
                Ok(true) => {}
                Ok(false) => return Ok(false),
                Err(e) => open = Some(e),
            }
            if !advance(&mut at, &lists) {
                break;
            }
        }
        match open {
            Some(e) => Err(e),
            None if complete => Ok(true),
            None => Err(Undetermined::Equality),
        }
    }

    /// `((_ map f) a b …)`
    fn array_map(&mut self, env: Env<'_>, t: Term, indices: &[u32], args: &[Value]) -> Outcome {
        let a = env.a;
        let SortKind::Array(index, element) = *a.sort_kind(a.sort(t)) else {
            return Err(Undetermined::Sorts);
        };
        let mut arrays = Vec::new();
        for v in args {
            match v {
                Value::Array(x) => arrays.push(x.clone()),
                _ => return Err(Undetermined::Equality),
            }
        }
        let mut at: Vec<Value> =
            arrays.iter().flat_map(|x| x.entries().iter().map(|(i, _)| i.clone())).collect();
        let mut seen = rustc_hash::FxHashSet::default();
        at.retain(|i| seen.insert(i.clone()));
        let element_sort = a.args(t).first().and_then(|&x| match a.kind(x) {
            SortKind::Array(_, e) => Some(*e),
            _ => None,
        });
        let point = |e: &mut Self, values: Vec<Value>| match *indices {
            [f, 0] => {
                let f = a.fun_at(f as usize).ok_or(Undetermined::Sorts)?;
                e.call_fun(env, f, values)
            }
            [op, _] => {
                let op = Op::all().nth(op as usize).ok_or(Undetermined::Sorts)?;
                let refs: Vec<&Value> = values.iter().collect();
                let first = element_sort.unwrap_or(element);
                let call = Call { arena: a, op, indices: &[], args: &refs, sort: element, first };
                ops::apply(&mut e.cx, &call)
            }
            _ => Err(Undetermined::Sorts),
        };
        let default = point(self, arrays.iter().map(|x| x.default().clone()).collect())?;
        let mut entries = Vec::with_capacity(at.len());
        for i in at {
            let values: Option<Vec<Value>> = arrays.iter().map(|x| x.select(&i).cloned()).collect();
            entries.push((i, point(self, values.ok_or(Undetermined::Equality)?)?));
        }
        let size = self.cx.domains.extent(a, index);
        let array = Array::new(default, entries, size).ok_or(Undetermined::Equality)??;
        Ok(Value::Array(Arc::new(array)))
    }

    fn map_seq(
        &mut self,
        env: Env<'_>,
        f: &Value,
        arity: usize,
        seq: &Value,
        from: Option<&Int>,
    ) -> Outcome {
        let Value::Seq(list) = seq else { return Err(Undetermined::Sorts) };
        let mut out = Vec::with_capacity(list.len());
        for (k, x) in list.items().iter().enumerate() {
            let mut given = Vec::new();
            given.extend(from.map(|i| Value::Int(i.add(&Int::from(k)))));
            given.push(x.clone());
            out.push(self.call(env, f, arity, given)?);
        }
        Ok(Value::seq(out)?)
    }

    fn fold_seq(
        &mut self,
        env: Env<'_>,
        f: &Value,
        arity: usize,
        from: Option<&Int>,
        start: &Value,
        seq: &Value,
    ) -> Outcome {
        let Value::Seq(list) = seq else { return Err(Undetermined::Sorts) };
        let mut acc = start.clone();
        for (k, x) in list.items().iter().enumerate() {
            let mut given = Vec::new();
            given.extend(from.map(|i| Value::Int(i.add(&Int::from(k)))));
            given.extend([acc, x.clone()]);
            acc = self.call(env, f, arity, given)?;
        }
        Ok(acc)
    }
}

fn int(v: &Value) -> Result<&Int, Undetermined> {
    match v {
        Value::Int(n) => Ok(n),
        _ => Err(Undetermined::Sorts),
    }
}

fn advance(at: &mut [usize], lists: &[Arc<[Value]>]) -> bool {
    for (i, l) in at.iter_mut().zip(lists).rev() {
        *i += 1;
        if *i < l.len() {
            return true;
        }
        *i = 0;
    }
    false
}

/// How many arguments a value of this sort takes, counted through nested functions.
fn arity(a: &Arena, sort: Sort) -> usize {
    a.uncurried(sort).map_or(1, |(args, _)| args.len())
}

/// What a function or an array takes and gives.
fn signature(a: &Arena, sort: Sort) -> Option<(Vec<Sort>, Sort)> {
    match a.sort_kind(sort) {
        SortKind::Fun(..) => a.uncurried(sort),
        SortKind::Array(i, e) => Some((vec![*i], *e)),
        _ => None,
    }
}

/// The values that tables, arrays and stores list as their `k`-th argument.
fn points_of(functions: &[&Value], k: usize) -> Vec<Value> {
    let mut out: Vec<Value> = Vec::new();
    for f in functions {
        match f {
            Value::Fun(t) => out.extend(t.entries().iter().filter_map(|(p, _)| p.get(k).cloned())),
            Value::Array(x) if k == 0 => out.extend(x.entries().iter().map(|(i, _)| i.clone())),
            Value::Closure(c) if k == 0 => out.extend(c.stored.iter().map(|(i, _)| i.clone())),
            _ => {}
        }
    }
    let mut seen = rustc_hash::FxHashSet::default();
    out.retain(|v| seen.insert(v.clone()));
    out
}
