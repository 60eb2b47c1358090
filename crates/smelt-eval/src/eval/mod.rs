//! The evaluator: what is a term worth under a model?
//!
//! It works with its own stack, so that terms may be nested as deeply as they like, and remembers the value of each
//! distinct sub-term. Everything is three-valued: a term whose value is not known is [`Undetermined`], and still
//! `(or true undetermined)` is true. Where two ways of reading the standard (or the model) would give different values,
//! there is no value.

mod binder;
mod calls;
mod cells;
mod collections;
mod connective;
mod guards;
mod higher;
mod literal;
mod memo;
mod unknown;

pub(crate) use higher::calls_functions;

use crate::domain::Domains;
use crate::effort::Effort;
use crate::limit::Limit;
use crate::model::Model;
use crate::open::Opens;
use crate::ops::{self, Call, Context};
use crate::outcome::{Limits, Outcome, Undetermined};
use crate::regex::RegexStore;
use crate::value::Value;
use memo::{Memo, Scope};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use smelt_smtlib::op::Assoc;
use smelt_smtlib::{Arena, Fun, Head, Op, Sort, Term, Var};
use std::sync::Arc;
use unknown::Applied;

/// The steps of so many terms that use up their own are given to all terms together.
const TERMS: u64 = 8;

/// What waits on the stack.
enum Frame {
    /// A term; the arguments before `next` are known.
    Node { t: Term, next: u32 },
    /// The body of a call is known: its value is that of `t`.
    Return { t: Term, body: Term, key: Option<CallKey> },
    /// A binder that goes through the values of its variables.
    Bind(Box<binder::Search>),
}

/// A call that may be met again.
type CallKey = (Fun, Box<[Value]>);

/// An evaluator with its caches. It may be used for many terms of one arena under one model; see
/// [`crate::incremental`] for the rules when the arena changes.
pub struct Evaluator {
    limits: Limits,
    cx: Context,
    memo: Memo,
    frames: Vec<Frame>,
    steps: u64,
    /// Steps for all terms together.
    all_steps: u64,
    nested: u32,
    /// Results of calls of recursive functions.
    calls: FxHashMap<CallKey, Outcome>,
    /// Of quantifiers that were decided by one instance: which.
    witnesses: FxHashMap<Term, Vec<(Var, Value)>>,
    /// Values worth trying for a quantified variable.
    samples: FxHashMap<Sort, Arc<[Value]>>,
    /// Of bodies that are evaluated with open values for their variables: on what they depend.
    records: Vec<cells::Record>,
    /// Whether something was not decided for want of precision.
    imprecise: bool,
}

/// The arena and the model of one run.
#[derive(Clone, Copy)]
struct Env<'a> {
    a: &'a Arena,
    m: &'a Model,
}

impl Default for Evaluator {
    fn default() -> Evaluator {
        Evaluator::new(Limits::default())
    }
}

/// The value of a term under a model.
pub fn eval(arena: &Arena, model: &Model, term: Term) -> Outcome {
    Evaluator::default().eval(arena, model, term)
}

/// The value of a term without free symbols.
pub fn eval_ground(arena: &Arena, term: Term) -> Outcome {
    eval(arena, &Model::new(), term)
}

impl Evaluator {
    /// An evaluator with bounds.
    pub fn new(limits: Limits) -> Evaluator {
        Evaluator {
            limits,
            cx: Context {
                regex: RegexStore::new(),
                regex_steps: limits.regex_steps,
                precision: limits.first_precision,
                domains: Domains::default(),
                effort: Effort::default(),
                opens: Opens::default(),
            },
            memo: Memo::default(),
            frames: Vec::new(),
            steps: 0,
            all_steps: limits.steps.saturating_mul(TERMS),
            nested: 0,
            calls: FxHashMap::default(),
            witnesses: FxHashMap::default(),
            samples: FxHashMap::default(),
            records: Vec::new(),
            imprecise: false,
        }
    }

    /// The value of a term. Enclosures are refined until they decide or the largest precision is reached.
    ///
    /// Between two calls the arena may only grow and the model must stay the same; see [`Evaluator::truncate`] and
    /// [`Evaluator::clear`].
    pub fn eval(&mut self, arena: &Arena, model: &Model, term: Term) -> Outcome {
        if let Some(Ok(known)) = self.memo.get(arena, term)
            && known.open_part().is_none()
        {
            return Ok(known.clone());
        }
        let env = Env { a: arena, m: model };
        self.cx.domains.follow(model);
        self.cx.precision = self.limits.first_precision;
        self.imprecise = false;
        loop {
            let given = self.limits.steps.min(self.all_steps);
            self.steps = given;
            let outcome = settled(self.run_term(env, term));
            self.all_steps -= given - self.steps;
            let refine = self.imprecise || outcome == Err(Undetermined::Precision);
            if outcome.is_ok() || !refine || self.cx.precision >= self.limits.last_precision {
                return outcome;
            }
            self.cx.precision = (self.cx.precision * 2).min(self.limits.last_precision);
            self.imprecise = false;
            self.forget();
        }
    }

    /// Forgets all values of terms.
    fn forget(&mut self) {
        self.memo.clear();
        self.calls.clear();
        self.cx.opens.clear();
    }

    /// The value of an assertion. One that is false because of a default of smelt's ([`Model::completed`]) is not
    /// determined: such a value accuses nobody. One that is true thanks to a default is true.
    pub fn judge(&mut self, arena: &Arena, model: &Model, assertion: Term) -> Outcome {
        let value = self.eval(arena, model, assertion);
        if value != Ok(Value::FALSE) {
            return value;
        }
        // An element that stands for a symbol which the model leaves out is also a value that quantifiers are tried at, so that a default
        // may matter to an assertion without the symbol.
        match model.default_used(arena, assertion).or_else(|| model.any_default()) {
            None => value,
            // False whatever the open symbols are?
            Some(f) => {
                let bare =
                    Evaluator::new(self.limits).eval(arena, &model.without_defaults(), assertion);
                if bare == value { bare } else { Err(Undetermined::Defaulted(f)) }
            }
        }
    }

    /// The value of a sub-term of what was evaluated, if it was needed.
    pub fn known(&self, arena: &Arena, term: Term) -> Option<Outcome> {
        self.memo.get(arena, term).cloned().map(settled)
    }

    /// The instance that decided a quantifier, if one did.
    pub fn witness(&self, quantifier: Term) -> Option<&[(Var, Value)]> {
        self.witnesses.get(&quantifier).map(|w| &**w)
    }

    /// Forgets what is beyond the end of an arena that was rolled back.
    pub fn truncate(&mut self, arena: &Arena) {
        self.cx.effort = Effort::default();
        self.all_steps = self.limits.steps.saturating_mul(TERMS);
        self.memo.truncate(arena.term_count());
        self.cx.opens.forget_names();
        if self.cx.opens.is_large() {
            self.forget();
        }
        self.cx.domains.truncate(arena.sort_count());
        self.samples.retain(|s, _| s.index() < arena.sort_count());
        if !self.witnesses.is_empty() {
            self.witnesses.retain(|t, _| t.index() < arena.term_count());
        }
        if !self.calls.is_empty() {
            self.calls.retain(|(f, _), _| f.index() < arena.fun_count());
        }
    }

    /// Forgets every value: to be called when the model changes. The arena is still the same.
    pub fn clear(&mut self) {
        let domains = std::mem::take(&mut self.cx.domains);
        *self = Evaluator::new(self.limits);
        // Lists of values are long, and depend on the model only where it has elements of free sorts.
        if !domains.follows() {
            self.cx.domains = domains;
        }
    }

    fn run_term(&mut self, env: Env<'_>, t: Term) -> Outcome {
        let floor = self.frames.len();
        self.frames.push(Frame::Node { t, next: 0 });
        self.run(env, floor);
        self.outcome(env, t)
    }

    fn outcome(&self, env: Env<'_>, t: Term) -> Outcome {
        self.memo.get(env.a, t).cloned().unwrap_or(Err(Undetermined::Unbound))
    }

    fn run(&mut self, env: Env<'_>, floor: usize) {
        while self.frames.len() > floor {
            match self.frames.pop() {
                Some(Frame::Node { t, next }) => self.node(env, t, next),
                Some(Frame::Return { t, body, key }) => {
                    let outcome = self.outcome(env, body);
                    self.memo.scopes.pop();
                    if let Some(key) = key {
                        self.calls.insert(key, outcome.clone());
                    }
                    self.put(env, t, outcome);
                }
                Some(Frame::Bind(search)) => self.search(env, search),
                None => return,
            }
        }
    }

    #[inline]
    fn put(&mut self, env: Env<'_>, t: Term, outcome: Outcome) {
        let outcome = match outcome {
            Err(e) => {
                self.obscure();
                match e {
                    Undetermined::Sorts | Undetermined::Unbound => Err(e),
                    _ => Ok(Value::Open(self.cx.opens.fresh(e))),
                }
            }
            known => known,
        };
        if let Ok(Value::Open(open)) = &outcome {
            self.imprecise |= open.why() == Undetermined::Precision;
        }
        self.memo.put(env.a, t, outcome);
    }

    /// Something depends on the variables of a binder in a way that is not looked into.
    fn obscure(&mut self) {
        if let Some(record) = self.records.last_mut() {
            record.obscure();
        }
    }

    /// An application to these values is not known. On what it depends, if that is not said otherwise.
    fn obscure_by(&mut self, args: &[Value]) {
        if !self.records.is_empty() && args.iter().any(|v| self.cx.opens.value_varies(v)) {
            self.obscure();
        }
    }

    /// Are all arguments from `next` to `end` known? If not, the first unknown one is put on the stack above the term.
    #[inline]
    fn ready(&mut self, env: Env<'_>, t: Term, next: u32, end: usize) -> bool {
        let args = env.a.args(t);
        for (i, &x) in args.iter().enumerate().take(end).skip(next as usize) {
            if self.memo.get(env.a, x).is_none() {
                self.wait(t, i, x);
                return false;
            }
        }
        true
    }

    /// Puts a term back, to go on with argument `next` when `first` is known.
    #[inline]
    fn wait(&mut self, t: Term, next: usize, first: Term) {
        self.frames.push(Frame::Node { t, next: next as u32 });
        self.frames.push(Frame::Node { t: first, next: 0 });
    }

    fn node(&mut self, env: Env<'_>, t: Term, next: u32) {
        let a = env.a;
        if next == 0 {
            if self.memo.get(a, t).is_some() {
                return;
            }
            // Only what is below binders and in function bodies can be more work than the script is long.
            if !a.is_closed(t) {
                if self.steps == 0 {
                    return self.put(env, t, Err(Limit::Budget.into()));
                }
                self.steps -= 1;
            }
        }
        match a.head(t) {
            Head::Op(op, idx) => match op {
                Op::And | Op::Or | Op::Implies | Op::Ite => self.connective(env, t, op, next),
                _ if self.ready(env, t, next, usize::MAX) => {
                    let outcome = self.operator(env, t, op, a.indices(idx)).and_then(|v| {
                        self.cx.effort.count(&v)?;
                        Ok(v)
                    });
                    self.put(env, t, outcome);
                }
                _ => {}
            },
            Head::Fun(f) => {
                if self.ready(env, t, next, usize::MAX) {
                    self.symbol(env, t, f);
                }
            }
            // A variable's value is with its scope.
            Head::Var(_) => {}
            Head::Lit(l) => self.put(env, t, literal::value(a.lit(l))),
            Head::Bind(binder, vars) => self.bind(env, t, binder, vars),
            Head::Match(cases) => {
                if self.ready(env, t, next, 1) {
                    self.match_case(env, t, cases);
                }
            }
            Head::Annot(_) => {
                if self.ready(env, t, next, 1) {
                    let outcome = self.outcome(env, a.args(t)[0]);
                    self.put(env, t, outcome);
                }
            }
        }
    }

    /// An operator whose arguments have all been evaluated.
    fn operator(&mut self, env: Env<'_>, t: Term, op: Op, indices: &[u32]) -> Outcome {
        let a = env.a;
        let terms = a.args(t);
        let mut args: SmallVec<[&Value; 6]> = SmallVec::new();
        for &x in terms {
            match self.memo.get(a, x) {
                Some(Ok(v)) => args.push(v),
                Some(Err(e)) => return Err(*e),
                None => return Err(Undetermined::Unbound),
            }
        }
        let first = terms.first().map_or(a.sort(t), |&x| a.sort(x));
        let higher = calls_functions(op) || args.iter().any(|v| is_function(v));
        let mut outcome = Err(Undetermined::Unsupported(op));
        if !higher {
            let call = Call { arena: a, op, indices, args: &args, sort: a.sort(t), first };
            outcome = ops::apply(&mut self.cx, &call);
            if outcome.as_ref().is_ok_and(|v| !matches!(v, Value::Approx(_))) {
                return outcome;
            }
        }
        let args: Vec<Value> = args.into_iter().cloned().collect();
        let applied = Applied { arena: a, op, indices, sort: a.sort(t), first };
        let outcome = match outcome {
            _ if higher => self.higher(env, t, op, indices, &args),
            Err(Undetermined::Partial(_)) if op.info().partial => self.partial(env, t, op, &args),
            other => other,
        };
        match outcome {
            Ok(v @ Value::Approx(_)) => Ok(self.enclosed(&applied, &args, v)),
            Ok(v) => Ok(v),
            Err(_) if args.iter().any(|v| matches!(v, Value::Open(_))) => {
                self.open_operator(&applied, &args)
            }
            Err(e) => self.unknown(&applied, &args, e),
        }
    }

    /// A partial operator outside its domain: as the model has it.
    fn partial(&mut self, env: Env<'_>, t: Term, op: Op, args: &[Value]) -> Outcome {
        let (a, m) = (env.a, env.m);
        let sorts: SmallVec<[_; 4]> = a.args(t).iter().map(|&x| a.sort(x)).collect();
        if op.info().assoc == Assoc::Left && args.len() > 2 {
            // `(/ a b c)`: one division after the other.
            let (first, rest) = args.split_first().ok_or(Undetermined::Sorts)?;
            let mut acc = first.clone();
            for x in rest {
                acc = self.partial_pair(env, t, op, &sorts[..2], acc, x)?;
            }
            return Ok(acc);
        }
        let meaning = m.partial(op, &sorts, a.sort(t)).ok_or(Undetermined::Partial(op))?;
        let given = args.iter().take(meaning.args.len()).cloned().collect();
        self.interpret(env, &meaning.meaning, given)
    }

    fn partial_pair(
        &mut self,
        env: Env<'_>,
        t: Term,
        op: Op,
        sorts: &[Sort],
        x: Value,
        y: &Value,
    ) -> Outcome {
        let sort = env.a.sort(t);
        let call = Call { arena: env.a, op, indices: &[], args: &[&x, y], sort, first: sorts[0] };
        match ops::apply(&mut self.cx, &call) {
            Err(Undetermined::Partial(_)) => {
                let meaning = env.m.partial(op, sorts, sort).ok_or(Undetermined::Partial(op))?;
                let given = [x, y.clone()].into_iter().take(meaning.args.len()).collect();
                self.interpret(env, &meaning.meaning, given)
            }
            outcome => outcome,
        }
    }
}

/// The outcome without open values: one that is or holds such a value is not determined.
fn settled(outcome: Outcome) -> Outcome {
    let v = outcome?;
    match v.open_part() {
        Some(open) => Err(open.why()),
        None => Ok(v),
    }
}

fn is_function(v: &Value) -> bool {
    matches!(v, Value::Fun(_) | Value::Closure(_))
}
