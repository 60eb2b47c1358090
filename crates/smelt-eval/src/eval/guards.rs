//! Which values of a variable matter, by the guards that a body is written with.

use super::{Env, Evaluator, settled};
use crate::int::Int;
use crate::open::Open;
use crate::rat::Rat;
use crate::value::Value;
use smelt_smtlib::{Arena, Head, Op, Term};

/// Most formulas that are looked at.
const MAX_FORMULAS: usize = 1000;
/// Most variables whose bounds are used for each other.
const MAX_VARIABLES: usize = 4;
/// Bounds that are evaluated inside of others: more of them than this are not looked at.
const MAX_NESTED: u32 = 40;

/// The values of a variable for which a formula may have a wanted value.
#[derive(Clone, Debug)]
pub(super) enum Allowed {
    /// Any.
    Any,
    /// These, if at all.
    Values(Vec<Value>),
    /// The integers between these bounds.
    Ints(Option<Int>, Option<Int>),
}

impl Allowed {
    /// What both allow; it may be more.
    fn meet(self, other: Allowed) -> Allowed {
        use Allowed::{Any, Ints, Values};
        match (self, other) {
            (Any, x) | (x, Any) => x,
            (Values(x), Values(y)) => Values(if x.len() <= y.len() { x } else { y }),
            (Values(x), Ints(..)) | (Ints(..), Values(x)) => Values(x),
            (Ints(a, b), Ints(c, d)) => {
                let low = [a, c].into_iter().flatten().max();
                Ints(low, [b, d].into_iter().flatten().min())
            }
        }
    }

    /// What one of them allows; it may be more.
    fn join(self, other: Allowed) -> Allowed {
        use Allowed::{Any, Ints, Values};
        match (self, other) {
            (Any, _) | (_, Any) => Any,
            (Values(x), y) | (y, Values(x)) if x.is_empty() => y,
            (Values(mut x), Values(y)) => {
                x.extend(y);
                Values(x)
            }
            (Ints(a, b), Ints(c, d)) => {
                Ints(a.zip(c).map(|(a, c)| a.min(c)), b.zip(d).map(|(b, d)| b.max(d)))
            }
            (Values(x), Ints(a, b)) | (Ints(a, b), Values(x)) => {
                x.iter().fold(Ints(a, b), |all, v| match v {
                    Value::Int(n) => all.join(Ints(Some(n.clone()), Some(n.clone()))),
                    _ => Any,
                })
            }
        }
    }

    /// The values, if there are at most so many.
    pub fn values(self, integer: bool, most: u64) -> Option<Vec<Value>> {
        match self {
            Allowed::Any => None,
            Allowed::Values(mut list) => {
                let mut seen = rustc_hash::FxHashSet::default();
                list.retain(|v| seen.insert(v.clone()));
                (list.len() as u64 <= most).then_some(list)
            }
            Allowed::Ints(low, high) => {
                let (low, high) = low.zip(high).filter(|_| integer)?;
                let n = high.sub(&low).add(&Int::ONE);
                let n = if n.is_negative() { 0 } else { n.to_usize()? };
                if n as u64 > most {
                    return None;
                }
                let next = |n: &Int| Some(n.add(&Int::ONE));
                Some(std::iter::successors(Some(low), next).take(n).map(Value::Int).collect())
            }
        }
    }
}

/// What is left to do.
enum Todo {
    /// A formula, and the value that it is to have.
    Formula(Term, bool),
    /// So many results become one, which is what all of them allow, or one of them.
    Combine(usize, bool),
}

/// The operator of a term.
fn op_of(a: &Arena, t: Term) -> Option<Op> {
    match a.head(t) {
        Head::Op(op, _) => Some(op),
        _ => None,
    }
}

impl Evaluator {
    /// The values of the first variable that matter under `forall` (or `exists`): for others the body is true (or false).
    pub(super) fn guarded(
        &mut self,
        env: Env<'_>,
        forall: bool,
        body: Term,
        variables: &[Open],
    ) -> Option<Allowed> {
        let (&first, others) = variables.split_first()?;
        let alone = self.allowed(env, forall, body, first);
        let bounded = !matches!(
            alone,
            None | Some(Allowed::Any | Allowed::Ints(None, _) | Allowed::Ints(_, None))
        );
        if bounded || others.is_empty() || others.len() > MAX_VARIABLES {
            return alone;
        }
        // The bounds of the others may bound it.
        for &v in others.iter().rev().chain(others) {
            if let Some(Allowed::Ints(low, high)) = self.allowed(env, forall, body, v) {
                let end = |n: Option<Int>| n.map(|n| Rat::from(&n));
                self.cx.opens.bound(&Value::Open(v), (end(low), end(high)));
            }
        }
        let found = self.allowed(env, forall, body, first);
        others.iter().for_each(|&v| self.cx.opens.unbound(v));
        found
    }

    /// The values of a variable that matter, as far as its own guards say.
    fn allowed(
        &mut self,
        env: Env<'_>,
        forall: bool,
        body: Term,
        variable: Open,
    ) -> Option<Allowed> {
        let a = env.a;
        let mut todo = vec![Todo::Formula(body, !forall)];
        let mut done: Vec<Allowed> = Vec::new();
        for _ in 0..MAX_FORMULAS {
            let (t, wanted) = match todo.pop() {
                None => return done.pop(),
                Some(Todo::Combine(n, all)) => {
                    let parts = done.split_off(done.len() - n);
                    let combine = if all { Allowed::meet } else { Allowed::join };
                    done.extend(parts.into_iter().reduce(combine));
                    continue;
                }
                Some(Todo::Formula(t, wanted)) => (t, wanted),
            };
            if matches!(self.memo.get(a, t), Some(Ok(Value::Bool(b))) if *b != wanted) {
                done.push(Allowed::Values(Vec::new()));
                continue;
            }
            let args = a.args(t);
            match op_of(a, t) {
                None if matches!(a.head(t), Head::Annot(_)) => {
                    todo.push(Todo::Formula(args[0], wanted));
                }
                Some(Op::Not) => todo.push(Todo::Formula(args[0], !wanted)),
                Some(op @ (Op::And | Op::Or)) => {
                    todo.push(Todo::Combine(args.len(), wanted == (op == Op::And)));
                    todo.extend(args.iter().map(|&x| Todo::Formula(x, wanted)));
                }
                Some(Op::Implies) => {
                    todo.push(Todo::Combine(args.len(), !wanted));
                    let last = args.len() - 1;
                    let parts = args.iter().enumerate();
                    todo.extend(parts.map(|(i, &x)| Todo::Formula(x, wanted == (i == last))));
                }
                Some(Op::Ite) => {
                    todo.push(Todo::Combine(2, false));
                    for (holds, branch) in [(true, args[1]), (false, args[2])] {
                        todo.push(Todo::Combine(2, true));
                        todo.push(Todo::Formula(args[0], holds));
                        todo.push(Todo::Formula(branch, wanted));
                    }
                }
                Some(op) => {
                    let allowed = self.compared(env, op, args, wanted, variable);
                    done.push(allowed);
                }
                None => done.push(Allowed::Any),
            }
        }
        None
    }

    /// The values for which a comparison may have the wanted value.
    fn compared(
        &mut self,
        env: Env<'_>,
        op: Op,
        args: &[Term],
        wanted: bool,
        variable: Open,
    ) -> Allowed {
        let op = match (op, wanted, args.len()) {
            (Op::Le | Op::Lt | Op::Ge | Op::Gt | Op::Eq, true, _) => op,
            (Op::Le, false, 2) => Op::Gt,
            (Op::Lt, false, 2) => Op::Ge,
            (Op::Ge, false, 2) => Op::Lt,
            (Op::Gt, false, 2) => Op::Le,
            (Op::Distinct, false, 2) => Op::Eq,
            _ => return Allowed::Any,
        };
        let mut allowed = Allowed::Any;
        for pair in args.windows(2) {
            let found = self.pair_allows(env, op, pair[0], pair[1], variable);
            allowed = allowed.meet(found.unwrap_or(Allowed::Any));
        }
        allowed
    }

    fn pair_allows(
        &mut self,
        env: Env<'_>,
        op: Op,
        x: Term,
        y: Term,
        variable: Open,
    ) -> Option<Allowed> {
        let (x_value, y_value) = (self.side(env, x)?, self.side(env, y)?);
        let whole = self.cx.opens.is_integer(variable);
        if whole.is_none() {
            let is_variable = |v: &Value| matches!(v, Value::Open(o) if *o == variable);
            let other = match (is_variable(&x_value), is_variable(&y_value)) {
                (true, false) => y_value,
                (false, true) => x_value,
                _ => return None,
            };
            return settled(Ok(other))
                .ok()
                .filter(|_| op == Op::Eq)
                .map(|v| Allowed::Values(vec![v]));
        }
        // factor · variable + rest compares with 0.
        let opens = &self.cx.opens;
        let difference = opens.linear(&x_value)?.minus(&opens.linear(&y_value)?)?;
        let (factor, rest) = difference.without(variable);
        let zero = rest.scaled(&factor.neg().recip()?).ok()?;
        let op = if factor.signum() < 0 { mirrored(op) } else { op };
        // Where the zero is not known, it is somewhere between these.
        let (least, greatest) = opens.bounds(&zero).ok()?;
        let highest = || greatest.as_ref().map(Rat::floor);
        if whole == Some(false) {
            let only = zero.known().filter(|_| op == Op::Eq)?;
            return Some(Allowed::Values(vec![Value::Real(only.clone())]));
        }
        Some(match op {
            Op::Le => Allowed::Ints(None, highest()),
            Op::Lt => Allowed::Ints(None, greatest.map(|q| q.ceil().sub(&Int::ONE))),
            Op::Ge => Allowed::Ints(least.map(|q| q.ceil()), None),
            Op::Gt => Allowed::Ints(least.map(|q| q.floor().add(&Int::ONE)), None),
            _ => match zero.known() {
                Some(q) if q.is_int() => Allowed::Values(vec![Value::Int(q.floor())]),
                Some(_) => Allowed::Values(Vec::new()),
                None => Allowed::Ints(least.map(|q| q.ceil()), highest()),
            },
        })
    }

    /// The value of one side of a comparison, which may be open.
    fn side(&mut self, env: Env<'_>, t: Term) -> Option<Value> {
        if let Some(known) = self.memo.get(env.a, t) {
            return known.clone().ok();
        }
        if self.nested > MAX_NESTED {
            return None;
        }
        self.nested += 1;
        let value = self.run_term(env, t);
        self.nested -= 1;
        value.ok()
    }
}

fn mirrored(op: Op) -> Op {
    match op {
        Op::Le => Op::Ge,
        Op::Lt => Op::Gt,
        Op::Ge => Op::Le,
        Op::Gt => Op::Lt,
        other => other,
    }
}
