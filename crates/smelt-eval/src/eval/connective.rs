//! Connectives and `ite`, which need not know all arguments; and operators some of whose arguments are not known.

use super::{Env, Evaluator};
use crate::int::Int;
use crate::ops::{self, Call};
use crate::outcome::{Outcome, Undetermined};
use crate::rat::Rat;
use crate::value::Value;
use smelt_smtlib::op::Assoc;
use smelt_smtlib::{Op, Sort, Term};

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
        let open = args.iter().find_map(|&x| match self.memo.get(env.a, x) {
            Some(Err(e)) => Some(*e),
            _ => None,
        });
        self.put(env, t, open.map_or(Ok(Value::Bool(op == Op::And)), Err));
    }

    fn ite(&mut self, env: Env<'_>, t: Term, next: u32) {
        let &[condition, yes, no] = env.a.args(t) else {
            return self.put(env, t, Err(Undetermined::Sorts));
        };
        let chosen = match self.memo.get(env.a, condition) {
            None => return self.wait(t, 0, condition),
            Some(Ok(Value::Bool(b))) => Ok(if *b { yes } else { no }),
            Some(Ok(_)) => Err(Undetermined::Sorts),
            Some(Err(e)) => Err(*e),
        };
        // From here on `next` only says that the term has been counted.
        let next = next.max(1) as usize;
        let outcome = match chosen {
            Ok(branch) => match self.memo.get(env.a, branch) {
                None => return self.wait(t, next, branch),
                Some(known) => known.clone(),
            },
            // Not known which: the same value in both branches decides all the same.
            Err(reason) if yes == no => match self.memo.get(env.a, yes) {
                None => return self.wait(t, next, yes),
                Some(known) => known.clone().map_err(|_| reason),
            },
            Err(reason) => match (self.memo.get(env.a, yes), self.memo.get(env.a, no)) {
                (None, _) => return self.wait(t, next, yes),
                (_, None) => return self.wait(t, next, no),
                (Some(Ok(x)), Some(Ok(y))) if x.equals(y) == Some(true) => Ok(x.clone()),
                _ => Err(reason),
            },
        };
        self.put(env, t, outcome);
    }

    /// An operator of which at least one argument is not known.
    pub(super) fn with_unknowns(
        &mut self,
        env: Env<'_>,
        t: Term,
        op: Op,
        indices: &[u32],
    ) -> Outcome {
        let a = env.a;
        let args = a.args(t);
        let reason = args
            .iter()
            .find_map(|&x| self.memo.get(a, x).and_then(|o| o.as_ref().err()).copied())
            .unwrap_or(Undetermined::Unbound);
        let known = |e: &Self, x: Term| e.memo.get(a, x).and_then(|o| o.as_ref().ok()).cloned();
        match op.info().assoc {
            // A pair that is known to fail decides. A term equals itself, whatever its value.
            Assoc::Chain | Assoc::Pairwise => {
                let mut all_hold = true;
                for (i, &x) in args.iter().enumerate() {
                    let partners = match op.info().assoc {
                        Assoc::Chain => args.get(i + 1..i + 2),
                        _ => args.get(i + 1..),
                    };
                    for &y in partners.unwrap_or_default() {
                        let holds = if x == y { reflexive(op) } else { None };
                        let holds = holds.or_else(|| {
                            let (v, w) = (known(self, x)?, known(self, y)?);
                            let call = Call {
                                arena: a,
                                op,
                                indices,
                                args: &[&v, &w],
                                sort: Sort::BOOL,
                                first: a.sort(x),
                            };
                            match ops::apply(&mut self.cx, &call) {
                                Ok(Value::Bool(b)) => Some(b),
                                _ => None,
                            }
                        });
                        match holds {
                            Some(false) => return Ok(Value::FALSE),
                            Some(true) => {}
                            None => all_hold = false,
                        }
                    }
                }
                if all_hold { Ok(Value::TRUE) } else { Err(reason) }
            }
            _ => {
                let absorbing =
                    args.iter().find_map(|&x| known(self, x).filter(|v| absorbs(op, v)));
                absorbing.ok_or(reason)
            }
        }
    }
}

/// What a comparison says about a term and itself. (`fp.leq` and its kin say nothing: the value may be NaN.)
fn reflexive(op: Op) -> Option<bool> {
    match op {
        Op::Eq | Op::Le | Op::Ge | Op::StrLe => Some(true),
        Op::Distinct | Op::Lt | Op::Gt | Op::StrLt | Op::FpLt | Op::FpGt => Some(false),
        _ => None,
    }
}

/// Does one argument of this value make it the result, whatever the others are?
fn absorbs(op: Op, v: &Value) -> bool {
    match (op, v) {
        (Op::Mul, Value::Int(n)) => *n == Int::ZERO,
        (Op::Mul, Value::Real(q)) => *q == Rat::ZERO,
        (Op::BvMul | Op::BvAnd, Value::Bv(v)) => {
            crate::bv::Bv::zero(v.width()).is_ok_and(|z| z == *v)
        }
        (Op::BvOr, Value::Bv(v)) => crate::bv::Bv::ones(v.width()).is_ok_and(|o| o == *v),
        _ => false,
    }
}
