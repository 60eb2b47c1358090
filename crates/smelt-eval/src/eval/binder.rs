//! Binders: quantifiers by search, lambdas as closures.
//!
//! A domain that can be listed within the budget is exhausted. Of any other, values of the model and boundary values are
//! tried: one counterexample refutes `forall`, one witness proves `exists`, and nothing else follows.

use super::{Env, Evaluator, Frame, Scope};
use crate::closure::{Closure, Code};
use crate::int::Int;
use crate::limit::Limit;
use crate::outcome::{Outcome, Undetermined};
use crate::rat::Rat;
use crate::set::Set;
use crate::value::Value;
use smallvec::SmallVec;
use smelt_smtlib::{Arena, Binder, Sort, Term, Var, VarList};
use std::sync::Arc;

/// Values that are tried for one variable of an infinite sort, by the number of variables.
const TRIED: [usize; 5] = [200, 60, 14, 6, 3];

/// The search of one binder.
pub(super) struct Search {
    t: Term,
    binder: Binder,
    vars: SmallVec<[Var; 4]>,
    domains: SmallVec<[Arc<[Value]>; 4]>,
    at: SmallVec<[usize; 4]>,
    /// Whether the domains are the whole sorts.
    complete: bool,
    /// Whether an instance is being evaluated.
    running: bool,
    /// Whether it is the element of a comprehension.
    element: bool,
    /// Why an instance is not decided.
    open: Option<Undetermined>,
    left: u64,
    found: Vec<Value>,
}

impl Evaluator {
    pub(super) fn bind(&mut self, env: Env<'_>, t: Term, binder: Binder, list: VarList) {
        let a = env.a;
        if binder == Binder::Lambda {
            let outcome = self.lambda(env, t, list);
            return self.put(env, t, outcome);
        }
        let vars: SmallVec<[Var; 4]> = a.vars(list).into();
        let (domains, complete) = self.domains(env, binder, a.args(t)[0], &vars);
        if domains.iter().any(|d| d.is_empty())
            || (!complete && !matches!(binder, Binder::Forall | Binder::Exists))
        {
            return self.put(env, t, Err(Undetermined::Domain));
        }
        if self.memo.scopes.len() >= self.limits.calls {
            return self.put(env, t, Err(Limit::Budget.into()));
        }
        let at = domains.iter().map(|_| 0).collect();
        self.memo.scopes.push(Scope::default());
        self.frames.push(Frame::Bind(Box::new(Search {
            t,
            binder,
            vars,
            domains,
            at,
            complete,
            running: false,
            element: false,
            open: None,
            left: self.limits.instances,
            found: Vec::new(),
        })));
    }

    /// What the variables range over, and whether that is everything.
    fn domains(
        &mut self,
        env: Env<'_>,
        binder: Binder,
        body: Term,
        vars: &[Var],
    ) -> (SmallVec<[Arc<[Value]>; 4]>, bool) {
        let a = env.a;
        let most = self.limits.instances;
        let mut whole: SmallVec<[Option<Arc<[Value]>>; 4]> = SmallVec::new();
        for &v in vars {
            let sort = a.var(v).sort;
            let all = match sort {
                Sort::INT => self.range(env, binder, body, v, vars),
                _ => self.cx.domains.all(a, sort, most),
            };
            whole.push(all);
        }
        let total = whole.iter().try_fold(1u64, |n, d| n.checked_mul(d.as_ref()?.len() as u64));
        if total.is_some_and(|n| n <= most) {
            // An empty range leaves nothing to try: one value outside of it will do as well as any.
            let filled = whole
                .into_iter()
                .flatten()
                .map(|d| if d.is_empty() { Arc::from([Value::Int(Int::ZERO)]) } else { d });
            return (filled.collect(), true);
        }
        let few = TRIED[(vars.len() - 1).min(TRIED.len() - 1)];
        let some = vars.iter().zip(whole).map(|(&v, all)| match all {
            Some(all) if !all.is_empty() && all.len() <= few => all,
            _ => {
                let tried = self.tried(env, a.var(v).sort);
                if tried.len() <= few { tried } else { tried[..few].into() }
            }
        });
        (some.collect(), false)
    }

    /// Values of a sort that are worth trying, those of the model first.
    fn tried(&mut self, env: Env<'_>, sort: Sort) -> Arc<[Value]> {
        if let Some(known) = self.samples.get(&sort) {
            return known.clone();
        }
        let plain = self.cx.domains.samples(env.a, sort, 40);
        let mut all = env.m.values_of(env.a, sort);
        all.truncate(60);
        let near: Vec<Value> = all.iter().flat_map(neighbours).collect();
        // A few plain values come first: they are often enough, and the model may have very many.
        let mut list: Vec<Value> = plain.iter().take(2).cloned().collect();
        list.extend(all);
        list.extend(plain);
        list.extend(near);
        let mut seen = rustc_hash::FxHashSet::default();
        list.retain(|v| seen.insert(v.clone()));
        list.truncate(TRIED[0]);
        let list: Arc<[Value]> = list.into();
        self.samples.insert(sort, list.clone());
        list
    }

    fn lambda(&mut self, env: Env<'_>, t: Term, params: VarList) -> Outcome {
        let captured = env.a.free_vars(t).iter().map(|&v| (v, self.memo.variable(v).clone()));
        let code = Code::Body { params, body: env.a.args(t)[0] };
        let closure = Closure::new(code, captured.collect(), Vec::new(), Vec::new())?;
        Ok(Value::Closure(Arc::new(closure)))
    }

    /// Goes on with a search: takes the result of the instance that ran, then starts the next.
    pub(super) fn search(&mut self, env: Env<'_>, mut s: Box<Search>) {
        let a = env.a;
        if s.running {
            s.running = false;
            if let Some(outcome) = self.decides(env, &mut s) {
                return self.finish(env, &s, outcome);
            }
            if s.running {
                // The element of a comprehension comes next.
                let element = a.args(s.t)[1];
                self.frames.push(Frame::Bind(s));
                self.frames.push(Frame::Node { t: element, next: 0 });
                return;
            }
            if !s.advance() {
                let outcome = exhausted(&s);
                return self.finish(env, &s, outcome);
            }
        }
        if s.left == 0 || self.steps == 0 {
            s.complete = false;
            let reason = s.open.unwrap_or(Limit::Budget.into());
            return self.finish(env, &s, Err(reason));
        }
        s.left -= 1;
        self.steps -= 1;
        if let Some(scope) = self.memo.scopes.last_mut() {
            scope.vars = s.instance().map(|(v, x)| (v, Ok(x))).collect();
            scope.forget();
        }
        s.running = true;
        let body = a.args(s.t)[0];
        self.frames.push(Frame::Bind(s));
        self.frames.push(Frame::Node { t: body, next: 0 });
    }

    /// The result of the search, if this instance decides it.
    fn decides(&mut self, env: Env<'_>, s: &mut Search) -> Option<Outcome> {
        let args = env.a.args(s.t);
        if s.element {
            s.element = false;
            match self.outcome(env, args[1]) {
                Ok(v) => s.found.push(v),
                Err(e) => s.open = Some(e),
            }
            return None;
        }
        match (s.binder, super::settled(self.outcome(env, args[0]))) {
            (Binder::Forall, Ok(Value::Bool(false))) | (Binder::Exists, Ok(Value::Bool(true))) => {
                if env.a.is_closed(s.t) {
                    self.witnesses.insert(s.t, s.instance().collect());
                }
                return Some(Ok(Value::Bool(s.binder == Binder::Exists)));
            }
            (Binder::Choice, Ok(Value::Bool(true))) => {
                let first = s.instance().next()?.1;
                s.found.push(first);
            }
            (Binder::SetComprehension, Ok(Value::Bool(true))) => {
                s.element = true;
                s.running = true;
            }
            (_, Err(e)) => s.open = Some(e),
            (_, Ok(Value::Bool(_))) => {}
            (_, Ok(_)) => s.open = Some(Undetermined::Sorts),
        }
        None
    }

    fn finish(&mut self, env: Env<'_>, s: &Search, outcome: Outcome) {
        self.memo.scopes.pop();
        self.put(env, s.t, outcome);
    }
}

impl Search {
    fn instance(&self) -> impl Iterator<Item = (Var, Value)> + '_ {
        let values = self.domains.iter().zip(&self.at).map(|(d, &i)| d[i].clone());
        self.vars.iter().copied().zip(values)
    }

    /// The next instance; false after the last.
    fn advance(&mut self) -> bool {
        for (i, d) in self.at.iter_mut().zip(&self.domains).rev() {
            *i += 1;
            if *i < d.len() {
                return true;
            }
            *i = 0;
        }
        false
    }
}

/// The result when no instance decided.
fn exhausted(s: &Search) -> Outcome {
    if let Some(reason) = s.open {
        return Err(reason);
    }
    if !s.complete {
        return Err(Undetermined::Domain);
    }
    match s.binder {
        Binder::Forall => Ok(Value::TRUE),
        Binder::Exists => Ok(Value::FALSE),
        // The only value that satisfies the body; of several, or if there is none, any may be chosen.
        Binder::Choice => match &s.found[..] {
            [one] => Ok(one.clone()),
            _ => Err(Undetermined::Domain),
        },
        Binder::SetComprehension => match Set::new(s.found.clone()) {
            Some(set) => Ok(Value::Set(Arc::new(set?))),
            None => Err(Undetermined::Equality),
        },
        Binder::Lambda => Err(Undetermined::Sorts),
    }
}

fn neighbours(v: &Value) -> Vec<Value> {
    match v {
        Value::Int(n) => vec![Value::Int(n.add(&Int::ONE)), Value::Int(n.sub(&Int::ONE))],
        Value::Real(q) => {
            let near = [q.add(&Rat::ONE), q.sub(&Rat::ONE)];
            near.into_iter().flatten().map(Value::Real).collect()
        }
        Value::Bv(b) => match crate::bv::Bv::new(b.width(), 1) {
            Ok(one) => vec![Value::Bv(b.bvadd(&one)), Value::Bv(b.bvsub(&one))],
            Err(_) => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// The conjuncts that must hold (under `exists`) or must all hold for the rest to matter (under `forall`).
fn guards(a: &Arena, binder: Binder, body: Term) -> Vec<Term> {
    use smelt_smtlib::{Head, Op};
    let op = |t: Term| match a.head(t) {
        Head::Op(op, _) => Some(op),
        _ => None,
    };
    let mut out = Vec::new();
    let mut todo: Vec<(Term, bool)> = Vec::new();
    // (term, wanted value): the body is decided trivially unless the term has that value.
    todo.push((body, binder != Binder::Forall));
    while let Some((t, wanted)) = todo.pop() {
        let args = a.args(t);
        match (op(t), wanted) {
            (None, _) if matches!(a.head(t), Head::Annot(_)) => todo.push((args[0], wanted)),
            (Some(Op::Not), _) => todo.push((args[0], !wanted)),
            (Some(Op::And), true) => todo.extend(args.iter().map(|&x| (x, true))),
            (Some(Op::Or), false) => todo.extend(args.iter().map(|&x| (x, false))),
            (Some(Op::Implies), false) => {
                let last = args.len() - 1;
                todo.extend(args[..last].iter().map(|&x| (x, true)));
                todo.push((args[last], false));
            }
            (Some(Op::Le | Op::Lt | Op::Ge | Op::Gt | Op::Eq), true) => out.push(t),
            _ => {}
        }
        if out.len() > 100 || todo.len() > 1000 {
            break;
        }
    }
    out
}

impl Evaluator {
    /// The integers that matter for a variable, where comparisons with terms of known value bound it from both sides:
    /// outside of them the body is true under `forall` and false under `exists`.
    fn range(
        &mut self,
        env: Env<'_>,
        binder: Binder,
        body: Term,
        v: Var,
        vars: &[Var],
    ) -> Option<Arc<[Value]>> {
        use smelt_smtlib::{Head, Op};
        if !matches!(binder, Binder::Forall | Binder::Exists | Binder::SetComprehension) {
            return None;
        }
        let a = env.a;
        let (mut low, mut high): (Option<Int>, Option<Int>) = (None, None);
        for guard in guards(a, binder, body) {
            let Head::Op(op, _) = a.head(guard) else { continue };
            for pair in a.args(guard).windows(2) {
                let is_var = |t: Term| a.head(t) == Head::Var(v);
                let (bound, op) = match (is_var(pair[0]), is_var(pair[1])) {
                    (true, false) => (pair[1], op),
                    (false, true) => (pair[0], mirrored(op)),
                    _ => continue,
                };
                if a.free_vars(bound).iter().any(|w| vars.contains(w)) || self.nested > 40 {
                    continue;
                }
                self.nested += 1;
                let value = self.run_term(env, bound);
                self.nested -= 1;
                let Ok(Value::Int(n)) = value else { continue };
                let raise = |low: &mut Option<Int>, n: Int| {
                    *low = Some(low.take().map_or(n.clone(), |m| m.max(n)));
                };
                let lower = |high: &mut Option<Int>, n: Int| {
                    *high = Some(high.take().map_or(n.clone(), |m| m.min(n)));
                };
                match op {
                    Op::Le => lower(&mut high, n),
                    Op::Lt => lower(&mut high, n.sub(&Int::ONE)),
                    Op::Ge => raise(&mut low, n),
                    Op::Gt => raise(&mut low, n.add(&Int::ONE)),
                    _ => {
                        lower(&mut high, n.clone());
                        raise(&mut low, n);
                    }
                }
            }
        }
        let (low, high) = (low?, high?);
        let n = high.sub(&low).add(&Int::ONE);
        let n = if n.is_negative() { 0 } else { n.to_usize()? };
        if n as u64 > self.limits.instances {
            return None;
        }
        let mut out = Vec::with_capacity(n);
        let mut next = low;
        for _ in 0..n {
            out.push(Value::Int(next.clone()));
            next = next.add(&Int::ONE);
        }
        Some(out.into())
    }
}

fn mirrored(op: smelt_smtlib::Op) -> smelt_smtlib::Op {
    use smelt_smtlib::Op;
    match op {
        Op::Le => Op::Ge,
        Op::Lt => Op::Gt,
        Op::Ge => Op::Le,
        Op::Gt => Op::Lt,
        other => other,
    }
}
