//! Function symbols, calls and `match`.

use super::{CallKey, Env, Evaluator, Frame, Scope};
use crate::closure::{Closure, Code};
use crate::compound::Tag;
use crate::limit::Limit;
use crate::model::Interpretation;
use crate::open::Key;
use crate::ops;
use crate::outcome::{Outcome, Undetermined};
use crate::value::Value;
use smallvec::SmallVec;
use smelt_smtlib::arena::Cases;
use smelt_smtlib::sort::SortDeclKind;
use smelt_smtlib::{Arena, Fun, FunKind, Sort, SortKind, Term, Var, VarList};
use std::sync::Arc;

/// Calls that go through the machine's stack: more of them than this are refused.
const MAX_NESTED: u32 = 60;

type Bindings = SmallVec<[(Var, Outcome); 4]>;

impl Evaluator {
    /// A symbol whose arguments have all been evaluated.
    pub(super) fn symbol(&mut self, env: Env<'_>, t: Term, f: Fun) {
        let a = env.a;
        let d = a.fun(f);
        let args = a.args(t);
        if args.is_empty() && !d.args.is_empty() {
            let value = self.function_value(env, f);
            return self.put(env, t, value);
        }
        match d.kind {
            FunKind::Constructor(..) => {
                let outcome = self.all_known(env, args).and_then(|v| ops::construct(f, &v));
                self.put(env, t, outcome);
            }
            FunKind::Selector(..) => {
                let outcome = self.select_field(env, f, args);
                self.put_call(env, t, f, outcome);
            }
            FunKind::Defined | FunKind::Named | FunKind::Recursive => match d.def {
                Some((params, body)) => self.enter(env, t, f, params, body),
                None => self.put(env, t, Err(Undetermined::NoInterpretation(f))),
            },
            FunKind::Free | FunKind::External | FunKind::Abstract => match env.m.get(f) {
                Some(Interpretation::Value(v)) if args.is_empty() => {
                    let value = v.clone();
                    self.put(env, t, Ok(value));
                }
                Some(Interpretation::Value(v)) => {
                    let known = self.all_known(env, args);
                    let known: Result<Vec<Value>, _> =
                        known.map(|v| v.into_iter().cloned().collect());
                    let outcome = known.and_then(|given| self.call(env, v, args.len(), given));
                    self.put_call(env, t, f, outcome);
                }
                Some(Interpretation::Table(table)) => {
                    let known = self.all_known(env, args);
                    let known: Result<SmallVec<[Value; 4]>, _> =
                        known.map(|v| v.into_iter().cloned().collect());
                    let outcome = match known {
                        Ok(v) => {
                            let v = self.canonical_all(a, &d.args, v);
                            table.apply(&v).cloned().ok_or(Undetermined::Equality)
                        }
                        // A table without entries has one value everywhere, whatever the arguments are.
                        Err(_) if table.entries().is_empty() => Ok(table.default().clone()),
                        Err(e) => Err(e),
                    };
                    self.put_call(env, t, f, outcome);
                }
                Some(&Interpretation::Body(params, body)) if a.vars(params).len() == args.len() => {
                    self.enter(env, t, f, params, body);
                }
                // A function printed as a value, or an array printed as a function.
                Some(&Interpretation::Body(params, body)) => {
                    let known = self.all_known(env, args);
                    let known: Result<Vec<Value>, _> =
                        known.map(|v| v.into_iter().cloned().collect());
                    let function = if a.vars(params).is_empty() {
                        self.run_body(env, Bindings::new(), body)
                    } else {
                        closure(Code::Body { params, body })
                    };
                    let outcome =
                        known.and_then(|given| self.call(env, &function?, d.args.len(), given));
                    self.put_call(env, t, f, outcome);
                }
                None if d.kind == FunKind::Abstract => {
                    let outcome = element(a, f, d.ret);
                    self.put(env, t, outcome);
                }
                None if env.m.is_unknown(f) => {
                    self.put_call(env, t, f, Err(Undetermined::Unreadable(f)));
                }
                None => self.put_call(env, t, f, Err(Undetermined::NoInterpretation(f))),
            },
        }
    }

    /// The result of a symbol applied to the arguments of `t`. One that is not known has the value that it has at equal
    /// arguments elsewhere.
    fn put_call(&mut self, env: Env<'_>, t: Term, f: Fun, outcome: Outcome) {
        let outcome = match outcome {
            Err(why) if !matches!(why, Undetermined::Sorts | Undetermined::Unbound) => {
                let terms = env.a.args(t);
                let first = env.a.sort(terms.first().copied().unwrap_or(t));
                let args = self.all_known(env, terms);
                let args: Result<Box<[Value]>, _> = args.map(|v| v.into_iter().cloned().collect());
                args.map(|args| {
                    self.obscure_by(&args);
                    self.cx.opens.application(Key::Fun(f, first, args), why)
                })
            }
            known => known,
        };
        self.put(env, t, outcome);
    }

    fn canonical_all(
        &mut self,
        a: &Arena,
        sorts: &[Sort],
        mut values: SmallVec<[Value; 4]>,
    ) -> SmallVec<[Value; 4]> {
        for (v, &s) in values.iter_mut().zip(sorts) {
            if !v.is_canonical() {
                let normal = self.cx.domains.canonical(a, s, v).into_owned();
                *v = normal;
            }
        }
        values
    }

    pub(super) fn all_known<'e>(
        &'e self,
        env: Env<'_>,
        args: &[Term],
    ) -> Result<SmallVec<[&'e Value; 4]>, Undetermined> {
        args.iter()
            .map(|&x| match self.memo.get(env.a, x) {
                Some(Ok(v)) => Ok(v),
                Some(Err(e)) => Err(*e),
                None => Err(Undetermined::Unbound),
            })
            .collect()
    }

    fn select_field(&mut self, env: Env<'_>, f: Fun, args: &[Term]) -> Outcome {
        let value = self.all_known(env, args)?.first().map(|v| (*v).clone());
        let value = value.ok_or(Undetermined::Sorts)?;
        self.selected(env, f, value)
    }

    fn selected(&mut self, env: Env<'_>, f: Fun, value: Value) -> Outcome {
        if let Value::Open(open) = value {
            return Err(open.why());
        }
        if let Some(field) = ops::select_field(env.a, f, &value)? {
            return Ok(field);
        }
        match env.m.get(f) {
            Some(meaning) => self.interpret(env, meaning, vec![value]),
            None => Err(Undetermined::WrongSelector(f)),
        }
    }

    /// Goes on with the body of a function, its parameters bound to the arguments of `t`.
    fn enter(&mut self, env: Env<'_>, t: Term, f: Fun, params: VarList, body: Term) {
        let a = env.a;
        let (params, args) = (a.vars(params), a.args(t));
        if params.len() != args.len() {
            return self.put(env, t, Err(Undetermined::Sorts));
        }
        if params.is_empty() {
            // A constant is its body.
            return match self.memo.get(a, body) {
                Some(known) => {
                    let known = known.clone();
                    self.put(env, t, known);
                }
                // Its own value would be in its body only if the definition went in a circle.
                None if self.memo.scopes.len() >= self.limits.calls => {
                    self.put(env, t, Err(Limit::Budget.into()));
                }
                None => {
                    self.memo.scopes.push(Scope::default());
                    self.frames.push(Frame::Return { t, body, key: None });
                    self.frames.push(Frame::Node { t: body, next: 0 });
                }
            };
        }
        let vars: Bindings =
            params.iter().zip(args).map(|(&v, &x)| (v, self.outcome(env, x))).collect();
        let mut key = None;
        if a.fun(f).kind == FunKind::Recursive {
            key = call_key(f, &vars);
            if let Some(known) = key.as_ref().and_then(|k| self.calls.get(k)) {
                let known = known.clone();
                return self.put(env, t, known);
            }
        }
        if self.memo.scopes.len() >= self.limits.calls || self.steps == 0 {
            return self.put(env, t, Err(Limit::Budget.into()));
        }
        self.steps -= 1;
        self.memo.scopes.push(Scope::new(vars));
        self.frames.push(Frame::Return { t, body, key });
        self.frames.push(Frame::Node { t: body, next: 0 });
    }

    /// A function symbol that is not applied.
    fn function_value(&self, env: Env<'_>, f: Fun) -> Outcome {
        let d = env.a.fun(f);
        let code = match (d.def, env.m.get(f)) {
            (Some((params, body)), _) | (None, Some(&Interpretation::Body(params, body))) => {
                Code::Body { params, body }
            }
            (None, Some(Interpretation::Table(table))) => {
                return Ok(Value::Fun(table.clone()));
            }
            (None, Some(Interpretation::Value(v))) => return Ok(v.clone()),
            (None, None) => return Err(Undetermined::NoInterpretation(f)),
        };
        closure(code)
    }

    /// A function symbol applied to values.
    pub(super) fn call_fun(&mut self, env: Env<'_>, f: Fun, args: Vec<Value>) -> Outcome {
        let d = env.a.fun(f);
        match d.kind {
            FunKind::Constructor(..) => ops::construct(f, &args.iter().collect::<Vec<_>>()),
            FunKind::Selector(..) => {
                let value = args.into_iter().next().ok_or(Undetermined::Sorts)?;
                self.selected(env, f, value)
            }
            _ => match (d.def, env.m.get(f)) {
                (Some((params, body)), _) => {
                    self.interpret(env, &Interpretation::Body(params, body), args)
                }
                (None, Some(meaning)) => self.interpret(env, meaning, args),
                (None, None) => Err(Undetermined::NoInterpretation(f)),
            },
        }
    }

    /// A meaning applied to values.
    pub(super) fn interpret(
        &mut self,
        env: Env<'_>,
        meaning: &Interpretation,
        args: Vec<Value>,
    ) -> Outcome {
        match meaning {
            Interpretation::Value(v) if args.is_empty() => Ok(v.clone()),
            Interpretation::Value(v) => self.call(env, v, args.len(), args),
            Interpretation::Table(t) => t.apply(&args).cloned().ok_or(Undetermined::Equality),
            &Interpretation::Body(params, body) => {
                let params = env.a.vars(params);
                if params.len() != args.len() {
                    return Err(Undetermined::Sorts);
                }
                let vars = params.iter().copied().zip(args.into_iter().map(Ok)).collect();
                self.run_body(env, vars, body)
            }
        }
    }

    fn run_body(&mut self, env: Env<'_>, vars: Bindings, body: Term) -> Outcome {
        if self.nested >= MAX_NESTED || self.memo.scopes.len() >= self.limits.calls {
            return Err(Limit::Budget.into());
        }
        self.nested += 1;
        self.memo.scopes.push(Scope::new(vars));
        let outcome = self.run_term(env, body);
        self.memo.scopes.pop();
        self.nested -= 1;
        outcome
    }

    /// A value of function (or array) sort applied to values; the function takes `arity` arguments.
    pub(super) fn call(
        &mut self,
        env: Env<'_>,
        f: &Value,
        arity: usize,
        mut args: Vec<Value>,
    ) -> Outcome {
        if args.is_empty() {
            return Ok(f.clone());
        }
        let (result, rest) = match f {
            Value::Array(array) => {
                let rest = args.split_off(1);
                (array.select(&args[0]).cloned().ok_or(Undetermined::Equality)?, rest)
            }
            Value::Fun(table) => {
                if args.len() < arity {
                    let code = Code::Table(table.clone(), arity);
                    let closure = Closure::new(code, Vec::new(), args, Vec::new())?;
                    return Ok(Value::Closure(Arc::new(closure)));
                }
                let rest = args.split_off(arity);
                (table.apply(&args).cloned().ok_or(Undetermined::Equality)?, rest)
            }
            Value::Closure(c) => {
                if !c.stored.is_empty() {
                    let found = c.stored_at(&args[0]).ok_or(Undetermined::Equality)?;
                    if let Some(v) = found {
                        let (v, rest) = (v.clone(), args.split_off(1));
                        return self.call(env, &v, rest.len(), rest);
                    }
                }
                let takes = match &c.code {
                    Code::Body { params, .. } => env.a.vars(*params).len(),
                    Code::Table(_, arity) => *arity,
                };
                let missing = takes.saturating_sub(c.given.len());
                if args.len() < missing {
                    return Ok(Value::Closure(Arc::new(c.partial(&args)?)));
                }
                let rest = args.split_off(missing);
                let all: Vec<Value> = c.given.iter().cloned().chain(args).collect();
                let result = match &c.code {
                    Code::Table(table, _) => {
                        table.apply(&all).cloned().ok_or(Undetermined::Equality)?
                    }
                    Code::Body { params, body } => {
                        let params = env.a.vars(*params).iter().copied();
                        let bound = params.zip(all.into_iter().map(Ok));
                        let vars = c.captured.iter().cloned().chain(bound).collect();
                        self.run_body(env, vars, *body)?
                    }
                };
                (result, rest)
            }
            _ => return Err(Undetermined::Sorts),
        };
        let arity = rest.len();
        self.call(env, &result, arity, rest)
    }

    /// Goes on with the case of a `match` that fits.
    pub(super) fn match_case(&mut self, env: Env<'_>, t: Term, cases: Cases) {
        let a = env.a;
        let args = a.args(t);
        let value = match self.outcome(env, args[0]) {
            Ok(Value::Open(open)) => return self.put(env, t, Err(open.why())),
            Ok(v) => v,
            Err(e) => return self.put(env, t, Err(e)),
        };
        let Value::Data(data) = &value else {
            return self.put(env, t, Err(Undetermined::Sorts));
        };
        for (case, &body) in a.case_list(cases).iter().zip(&args[1..]) {
            let vars = a.vars(case.vars).iter().copied();
            let bound: Bindings = match case.constructor {
                Some(c) if data.tag() != Tag::Constructor(c.index() as u32) => continue,
                Some(_) => vars.zip(data.fields().items().iter().cloned().map(Ok)).collect(),
                None => vars.map(|v| (v, Ok(value.clone()))).collect(),
            };
            self.memo.scopes.push(Scope::new(bound));
            self.frames.push(Frame::Return { t, body, key: None });
            self.frames.push(Frame::Node { t: body, next: 0 });
            return;
        }
        // The standard demands that the cases cover everything.
        self.put(env, t, Err(Undetermined::Sorts));
    }
}

/// A function that captures nothing.
fn closure(code: Code) -> Outcome {
    Ok(Value::Closure(Arc::new(Closure::new(code, Vec::new(), Vec::new(), Vec::new())?)))
}

fn call_key(f: Fun, vars: &Bindings) -> Option<CallKey> {
    let values = vars.iter().map(|(_, o)| match o {
        Ok(v) if v.is_canonical() => Some(v.clone()),
        _ => None,
    });
    Some((f, values.collect::<Option<_>>()?))
}

/// The value of a name such as `(as @T_0 T)`: an element of a free sort, itself; of any other sort it cannot be read.
fn element(a: &Arena, f: Fun, sort: Sort) -> Outcome {
    match a.sort_kind(sort) {
        SortKind::Named(d, _) if a.sort_decl(*d).kind == SortDeclKind::Free => {
            Ok(Value::Uninterpreted { sort: sort.index() as u32, id: f.index() as u32 })
        }
        _ => Err(Undetermined::Unreadable(f)),
    }
}
