//! Binders: quantifiers by search, lambdas as closures.
//!
//! A search gives values to the variables one after the other. Before a variable gets one, the body is evaluated with
//! open values for it and those behind it: what is decided then is decided for all their values. Otherwise the values that
//! matter are tried: all of a small sort, those that guards allow, one per cell of linear constraints ([`super::cells`]).
//! Where that is not known, values of the model and boundary values are tried: one counterexample refutes `forall`, one
//! witness proves `exists`, and nothing else follows.

use super::cells::Record;
use super::{Env, Evaluator, Frame, Scope, settled};
use crate::closure::{Closure, Code};
use crate::int::Int;
use crate::limit::Limit;
use crate::model::Model;
use crate::open::Open;
use crate::outcome::{Outcome, Undetermined};
use crate::rat::Rat;
use crate::set::Set;
use crate::value::Value;
use smallvec::SmallVec;
use smelt_smtlib::{Arena, Binder, Sort, Term, Var, VarList};
use std::sync::Arc;

/// Values that are tried for one variable of an infinite sort, by the number of variables.
const TRIED: [usize; 5] = [200, 60, 14, 6, 3];
/// Of sorts with so many values all are tried, also where that is too much for all variables together.
const SMALL: usize = 4;
/// So many instances are tried without looking for what holds for all of them.
const FEW: u64 = 64;
/// The part of the steps that is spent on the body with open values.
const PROBE: u64 = 4;

/// The search of one binder.
pub(super) struct Search {
    t: Term,
    binder: Binder,
    vars: SmallVec<[Var; 4]>,
    /// Values that stand for the variables as long as they have no other.
    opens: SmallVec<[Open; 4]>,
    /// All values of the variables' sorts, where they are to be tried.
    whole: SmallVec<[Option<Arc<[Value]>>; 4]>,
    /// The scope of the first variable; each has its own.
    base: usize,
    /// The values of the first variables: a list, and the place in it.
    levels: SmallVec<[(Arc<[Value]>, usize); 4]>,
    /// The first variable that has another value than when something was evaluated last.
    changed: usize,
    /// Whether all values that matter are tried.
    complete: bool,
    /// Whether the body is evaluated with open values.
    probes: bool,
    running: Running,
    /// Steps that are held back while the body is evaluated with open values.
    held_back: u64,
    /// Why an instance is not decided.
    open: Option<Undetermined>,
    left: u64,
    found: Vec<Value>,
}

/// What is being evaluated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Running {
    Nothing,
    /// The body, some variables being open.
    Probe,
    /// The body, all variables having values.
    Instance,
    /// The element of a comprehension.
    Element,
}

/// What an evaluation of the body says.
enum Decision {
    /// The value of the binder.
    Whole(Outcome),
    /// Nothing about other values.
    Neutral,
    /// The element of the comprehension is to be evaluated.
    Element,
    /// Not decided.
    Open(Undetermined),
}

impl Evaluator {
    pub(super) fn bind(&mut self, env: Env<'_>, t: Term, binder: Binder, list: VarList) {
        let a = env.a;
        if binder == Binder::Lambda {
            let outcome = self.lambda(env, t, list);
            return self.put(env, t, outcome);
        }
        let vars: SmallVec<[Var; 4]> = a.vars(list).into();
        if self.memo.scopes.len() + vars.len() >= self.limits.calls {
            return self.put(env, t, Err(Limit::Budget.into()));
        }
        let base = self.memo.scopes.len();
        let opens = self.scopes_of(a, &vars);
        let most = self.limits.instances;
        let mut whole: SmallVec<[Option<Arc<[Value]>>; 4]> =
            vars.iter().map(|&v| self.cx.domains.all(a, a.var(v).sort, most)).collect();
        let total = whole.iter().try_fold(1u64, |n, d| n.checked_mul(d.as_ref()?.len() as u64));
        if total.is_none_or(|n| n > most) {
            let few = few(vars.len()).max(SMALL);
            whole.iter_mut().for_each(|d| drop(d.take_if(|d| d.len() > few)));
        }
        let quantifier = matches!(binder, Binder::Forall | Binder::Exists);
        self.frames.push(Frame::Bind(Box::new(Search {
            t,
            binder,
            vars,
            opens,
            whole,
            base,
            levels: SmallVec::new(),
            changed: 0,
            complete: true,
            probes: quantifier && total.is_none_or(|n| n > FEW),
            running: Running::Nothing,
            held_back: 0,
            open: None,
            left: most,
            found: Vec::new(),
        })));
    }

    /// Opens a scope for each of the variables, whose values are open.
    fn scopes_of(&mut self, a: &Arena, vars: &[Var]) -> SmallVec<[Open; 4]> {
        let mut opens = SmallVec::new();
        for &v in vars {
            let open = self.cx.opens.variable(a.var(v).sort);
            opens.push(open);
            let bound = [(v, Ok(Value::Open(open)))].into_iter().collect();
            self.memo.scopes.push(Scope::new(bound));
        }
        opens
    }

    fn lambda(&mut self, env: Env<'_>, t: Term, params: VarList) -> Outcome {
        let captured = env.a.free_vars(t).iter().map(|&v| (v, self.memo.variable(v).clone()));
        let code = Code::Body { params, body: env.a.args(t)[0] };
        let closure = Closure::new(code, captured.collect(), Vec::new(), Vec::new())?;
        Ok(Value::Closure(Arc::new(closure)))
    }

    /// Goes on with a search: takes the result of what ran, then starts the next.
    pub(super) fn search(&mut self, env: Env<'_>, mut s: Box<Search>) {
        let record = (s.running == Running::Probe).then(|| self.probed(&mut s));
        let goes_on = match self.decides(env, &mut s) {
            Decision::Whole(outcome) => return self.finish(env, &s, outcome),
            Decision::Element => {
                s.running = Running::Element;
                let element = env.a.args(s.t)[1];
                self.frames.push(Frame::Bind(s));
                self.frames.push(Frame::Node { t: element, next: 0 });
                return;
            }
            Decision::Open(_) if record.is_some() => {
                self.descend(env, &mut s, record.as_ref()) || s.advance()
            }
            Decision::Open(why) => {
                s.open = Some(why);
                s.advance()
            }
            Decision::Neutral => s.running == Running::Nothing || s.advance(),
        };
        if !goes_on {
            let outcome = exhausted(&s);
            return self.finish(env, &s, outcome);
        }
        while s.levels.len() < s.vars.len() && !s.probes {
            if !self.descend(env, &mut s, None) && !s.advance() {
                let outcome = exhausted(&s);
                return self.finish(env, &s, outcome);
            }
        }
        // Whoever asks whether something holds for all values tries no single ones.
        let given_up = !s.complete && !self.records.is_empty() && self.is_open(env, s.t);
        if s.left == 0 || self.steps == 0 || given_up {
            let limit = if s.complete { Limit::Budget.into() } else { Undetermined::Domain };
            let reason = s.open.unwrap_or(limit);
            return self.finish(env, &s, Err(reason));
        }
        self.start(env, s);
    }

    /// Whether a term depends on a variable that has an open value.
    fn is_open(&self, env: Env<'_>, t: Term) -> bool {
        let open = |v: &Var| matches!(self.memo.variable(*v), Ok(Value::Open(_)));
        env.a.free_vars(t).iter().any(open)
    }

    /// Evaluates the body with the values that the variables have.
    fn start(&mut self, env: Env<'_>, mut s: Box<Search>) {
        s.left -= 1;
        self.steps -= 1;
        self.place(&mut s);
        s.running = Running::Instance;
        if s.levels.len() < s.vars.len() {
            s.running = Running::Probe;
            let given = self.steps / PROBE;
            s.held_back = self.steps - given;
            self.steps = given;
            self.records.push(Record::default());
        }
        let body = env.a.args(s.t)[0];
        self.frames.push(Frame::Bind(s));
        self.frames.push(Frame::Node { t: body, next: 0 });
    }

    /// Gives the scopes of the variables the values that these have.
    fn place(&mut self, s: &mut Search) {
        let scopes = self.memo.scopes[s.base..].iter_mut();
        for (i, scope) in scopes.enumerate().take(s.vars.len()).skip(s.changed) {
            let value = match s.levels.get(i) {
                Some((values, at)) => values[*at].clone(),
                None => Value::Open(s.opens[i]),
            };
            scope.vars[0].1 = Ok(value);
            scope.forget();
        }
        s.changed = s.vars.len();
    }

    /// Ends the evaluation of the body with open values: on what it depends. Whoever evaluates this binder in the same way
    /// hears of it.
    fn probed(&mut self, s: &mut Search) -> Record {
        self.steps += s.held_back;
        let record = self.records.pop().unwrap_or_default();
        self.steps = self.steps.saturating_sub(record.cost());
        if let Some(outer) = self.records.last_mut() {
            outer.absorb(&record, &s.opens[s.levels.len()..], &self.cx.opens);
        }
        record
    }

    /// What the last evaluation says.
    fn decides(&mut self, env: Env<'_>, s: &mut Search) -> Decision {
        let args = env.a.args(s.t);
        match s.running {
            Running::Nothing => return Decision::Neutral,
            Running::Element => {
                return match settled(self.outcome(env, args[1])) {
                    Ok(v) => {
                        s.found.push(v);
                        Decision::Neutral
                    }
                    Err(e) => Decision::Open(e),
                };
            }
            Running::Probe | Running::Instance => {}
        }
        match (s.binder, settled(self.outcome(env, args[0]))) {
            (Binder::Forall, Ok(Value::Bool(false))) | (Binder::Exists, Ok(Value::Bool(true))) => {
                if env.a.is_closed(s.t) {
                    self.witnesses.insert(s.t, s.instance().collect());
                }
                Decision::Whole(Ok(Value::Bool(s.binder == Binder::Exists)))
            }
            (Binder::Choice, Ok(Value::Bool(true))) => {
                let first = s.instance().next();
                s.found.extend(first.map(|(_, v)| v));
                Decision::Neutral
            }
            (Binder::SetComprehension, Ok(Value::Bool(true))) => Decision::Element,
            (_, Err(e)) => Decision::Open(e),
            (_, Ok(Value::Bool(_))) => Decision::Neutral,
            (_, Ok(_)) => Decision::Open(Undetermined::Sorts),
        }
    }

    /// Gives the next variable its first value; false if none matters.
    fn descend(&mut self, env: Env<'_>, s: &mut Search, record: Option<&Record>) -> bool {
        let values = match self.values(env, s, record) {
            Some(values) => values,
            None => {
                s.complete = false;
                let tried = self.tried(env, env.a.var(s.vars[s.levels.len()]).sort);
                let few = few(s.vars.len());
                if tried.len() <= few { tried } else { tried[..few].into() }
            }
        };
        s.changed = s.changed.min(s.levels.len());
        let found = !values.is_empty();
        if found {
            s.levels.push((values, 0));
        }
        found
    }

    /// All values that matter for the next variable, if they are known.
    fn values(
        &mut self,
        env: Env<'_>,
        s: &mut Search,
        record: Option<&Record>,
    ) -> Option<Arc<[Value]>> {
        let next = s.levels.len();
        let sort = env.a.var(s.vars[next]).sort;
        let most = self.limits.instances;
        let cells = record.and_then(|r| r.values(&s.opens[next..], &self.cx.opens));
        let whole = s.whole[next].clone();
        let mut listed = None;
        // Guards are for what is not small already.
        if cells.is_none()
            && whole.as_ref().is_none_or(|w| w.len() > SMALL)
            && s.binder != Binder::Choice
        {
            self.place(s);
            let body = env.a.args(s.t)[0];
            let guarded = self.guarded(env, s.binder == Binder::Forall, body, &s.opens[next..]);
            listed = guarded.and_then(|g| g.values(sort == Sort::INT, most));
        }
        let lists = [cells.map(Arc::from), whole, listed.map(Arc::from)];
        lists.into_iter().flatten().min_by_key(|l: &Arc<[Value]>| l.len())
    }

    /// The values that decide a closed quantifier, for each of its variables, if they can be listed: for others its body is true (under
    /// `forall`) or false.
    pub(crate) fn listed(
        &mut self,
        a: &Arena,
        m: &Model,
        forall: bool,
        body: Term,
        vars: &[Var],
    ) -> Option<SmallVec<[Arc<[Value]>; 4]>> {
        let (env, most) = (Env { a, m }, self.limits.instances);
        let base = self.memo.scopes.len();
        let opens = self.scopes_of(a, vars);
        let mut lists = SmallVec::new();
        for (i, &v) in vars.iter().enumerate() {
            let sort = a.var(v).sort;
            let mut list = self.cx.domains.all(a, sort, most);
            if list.is_none() {
                let others = opens.iter().enumerate().filter(|(k, _)| *k != i).map(|(_, &o)| o);
                let first: SmallVec<[Open; 4]> = [opens[i]].into_iter().chain(others).collect();
                let guarded = self.guarded(env, forall, body, &first);
                let values = guarded.and_then(|g| g.values(sort == Sort::INT, most));
                // An empty range leaves nothing to try: one value outside of it will do as well as any.
                let zero = || vec![Value::Int(Int::ZERO)];
                list = values.map(|v| if v.is_empty() { zero() } else { v }.into());
            }
            lists.extend(list);
        }
        self.memo.scopes.truncate(base);
        self.cx.opens.forget_variables(&opens);
        (lists.len() == vars.len()).then_some(lists)
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

    fn finish(&mut self, env: Env<'_>, s: &Search, outcome: Outcome) {
        self.memo.scopes.truncate(s.base);
        self.cx.opens.forget_variables(&s.opens);
        let quantifier = matches!(s.binder, Binder::Forall | Binder::Exists);
        let outcome = match outcome {
            // On what a quantifier depends was said where its body was evaluated with open values.
            Err(e @ (Undetermined::Limit(_) | Undetermined::Sorts | Undetermined::Unbound)) => {
                Err(e)
            }
            Err(e) if quantifier => Ok(Value::Open(self.cx.opens.fresh(e))),
            other => other,
        };
        self.put(env, s.t, outcome);
    }
}

impl Search {
    fn instance(&self) -> impl Iterator<Item = (Var, Value)> + '_ {
        let values = self.levels.iter().map(|(list, at)| list[*at].clone());
        self.vars.iter().copied().zip(values)
    }

    /// The next values of the variables that have some; false after the last.
    fn advance(&mut self) -> bool {
        while let Some((list, at)) = self.levels.last_mut() {
            *at += 1;
            let found = *at < list.len();
            self.changed = self.changed.min(self.levels.len() - 1);
            if found {
                return true;
            }
            self.levels.pop();
        }
        false
    }
}

/// How many values of a large sort are tried, by the number of variables.
fn few(vars: usize) -> usize {
    TRIED[(vars - 1).min(TRIED.len() - 1)]
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
