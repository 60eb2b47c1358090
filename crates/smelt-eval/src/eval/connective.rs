//! Connectives and `ite`, which need not know all arguments.

use super::{Env, Evaluator};
use crate::open::{Key, Open};
use crate::outcome::{Outcome, Undetermined};
use crate::value::Value;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use smelt_smtlib::{Op, Sort, Term};
use std::sync::Arc;

impl Evaluator {
    pub(super) fn connective(&mut self, env: Env<'_>, t: Term, op: Op, next: u32) {
        if op == Op::Ite {
            return self.ite(env, t, next);
        }
        let args = env.a.args(t);
        let last = args.len().wrapping_sub(1);
        // What decides the term alone: for the premises of `=>` it is false, for its conclusion true.
        let decides = |i: usize| match op {
            Op::And => false,
            Op::Or => true,
            _ => i == last,
        };
        for (i, &x) in args.iter().enumerate().skip(next as usize) {
            match self.memo.get(env.a, x) {
                None => return self.wait(t, i, x),
                Some(Ok(Value::Bool(b))) if *b == decides(i) => {
                    return self.put(env, t, Ok(Value::Bool(op != Op::And)));
                }
                Some(_) => {}
            }
        }
        let mut open: SmallVec<[(Open, bool); 4]> = SmallVec::new();
        let mut error = None;
        for (i, &x) in args.iter().enumerate() {
            match self.memo.get(env.a, x) {
                Some(Ok(Value::Open(part))) => open.push((*part, op == Op::Implies && i != last)),
                Some(Ok(Value::Bool(_))) => {}
                Some(Err(e)) => error = Some(*e),
                Some(Ok(_)) | None => error = Some(Undetermined::Sorts),
            }
        }
        let outcome = match (error, open.is_empty()) {
            (Some(e), _) => Err(e),
            (None, true) => Ok(Value::Bool(op == Op::And)),
            (None, false) => Ok(self.junction(op == Op::And, &open)),
        };
        self.put(env, t, outcome);
    }

    /// The conjunction (or disjunction) of open truth values, some of them negated; the others are neutral.
    fn junction(&mut self, and: bool, parts: &[(Open, bool)]) -> Value {
        let opens = &mut self.cx.opens;
        let mut values: Vec<Value> = Vec::with_capacity(parts.len());
        let mut seen: FxHashSet<Value> = FxHashSet::default();
        for &(part, negated) in parts {
            let value = if negated { opens.negated(part) } else { Value::Open(part) };
            if !seen.insert(value.clone()) {
                continue;
            }
            // A part together with its negation decides.
            if let Value::Open(part) = value
                && seen.contains(&opens.negated(part))
            {
                return Value::Bool(!and);
            }
            values.push(value);
        }
        if let [one] = &values[..] {
            return one.clone();
        }
        let op = if and { Op::And } else { Op::Or };
        let key = Key::Op(op, [].into(), [Sort::BOOL; 2], values.into());
        opens.application(key, parts[0].0.why())
    }

    fn ite(&mut self, env: Env<'_>, t: Term, next: u32) {
        let &[condition, yes, no] = env.a.args(t) else {
            return self.put(env, t, Err(Undetermined::Sorts));
        };
        let chosen = match self.memo.get(env.a, condition) {
            None => return self.wait(t, 0, condition),
            Some(Ok(Value::Bool(b))) => Ok(if *b { yes } else { no }),
            Some(Ok(Value::Open(open))) => Err(*open),
            Some(Ok(_)) => return self.put(env, t, Err(Undetermined::Sorts)),
            Some(Err(e)) => {
                let e = *e;
                return self.put(env, t, Err(e));
            }
        };
        // From here on `next` only says that the term has been counted.
        let next = next.max(1) as usize;
        let outcome = match chosen {
            Ok(branch) => match self.memo.get(env.a, branch) {
                None => return self.wait(t, next, branch),
                Some(known) => known.clone(),
            },
            // Not known which: one value in both branches decides all the same.
            Err(open) => match (self.memo.get(env.a, yes), self.memo.get(env.a, no)) {
                (None, _) => return self.wait(t, next, yes),
                (_, None) => return self.wait(t, next, no),
                (Some(Ok(x)), Some(Ok(y))) => {
                    let (x, y) = (x.clone(), y.clone());
                    self.either(open, x, y, env.a.sort(t))
                }
                (Some(Err(e)), _) | (_, Some(Err(e))) => Err(*e),
            },
        };
        self.put(env, t, outcome);
    }

    /// One of two values, by an open condition. What both have in common is kept: the constructor, and fields.
    fn either(&mut self, condition: Open, yes: Value, no: Value, sort: Sort) -> Outcome {
        if let (Value::Data(x), Value::Data(y)) = (&yes, &no)
            && x.tag() == y.tag()
            && x.fields().len() == y.fields().len()
            && !x.fields().is_empty()
        {
            let pairs = x.fields().items().iter().zip(y.fields().items());
            // The sort only tells equal applications apart, and fields have values of one sort each.
            let fields =
                pairs.map(|(x, y)| self.cx.opens.choice(condition, x.clone(), y.clone(), sort));
            let data = crate::compound::Data::new(x.tag(), fields.collect())?;
            return Ok(Value::Data(Arc::new(data)));
        }
        Ok(self.cx.opens.choice(condition, yes, no, sort))
    }
}
