//! A term with everything known folded: what a model says is put in, and what follows from it is computed. What is left are
//! applications of symbols that the model does not interpret, and what depends on them.
//!
//! Every step keeps the value of the term under every interpretation of these symbols.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use smelt_smtlib::arena::Cases;
use smelt_smtlib::subst::Substitution;
use smelt_smtlib::{Arena, Binder, Fun, FunKind, Head, Idx, Op, Sort, SortKind, Term, VarList};

use super::Reason;
use super::simplify::Step;
use crate::eval::Evaluator;
use crate::function::Table;
use crate::model::{Interpretation, Model};
use crate::model_parse::is_free_sort;
use crate::outcome::Limits;
use crate::value::Value;
use crate::value_term::value_term_with;

/// Instances of one quantifier that are written down.
const MAX_INSTANCES: usize = 2000;
/// Listed points of a function that is applied to something unknown.
const MAX_POINTS: usize = 200;

/// What waits on the stack.
enum Frame {
    Enter(Term),
    /// The arguments are done.
    Leave(Term),
    /// The condition of an `ite` is done.
    Chosen(Term),
    /// The first term is worth what the second one is.
    Same(Term, Term),
    /// The instances of a quantifier are done.
    Instances(Term, Vec<Term>),
}

/// A fold of terms of one arena under one model.
pub(super) struct Fold {
    pub a: Arena,
    /// What is known; it interprets neither open functions nor what the solver left out.
    pub model: Model,
    ev: Evaluator,
    done: FxHashMap<Term, Term>,
    /// Terms that are assumed to be worth others, which are no keys here.
    assumed: FxHashMap<Term, Term>,
    /// Open functions that give candidates for values of operators which must satisfy a condition.
    candidates: FxHashMap<Fun, Op>,
    /// Conditions that open values satisfy by their range.
    ranges: Vec<Term>,
    /// Terms that are not looked into, and why: they may have any value of their sort.
    pub opaque: FxHashMap<Term, Reason>,
    /// Terms that may still be entered.
    steps: u64,
}

impl Fold {
    pub fn new(a: Arena, model: Model, candidates: FxHashMap<Fun, Op>, limits: Limits) -> Fold {
        Fold {
            a,
            model,
            ev: Evaluator::new(limits),
            done: FxHashMap::default(),
            assumed: FxHashMap::default(),
            candidates,
            ranges: Vec::new(),
            opaque: FxHashMap::default(),
            steps: limits.steps,
        }
    }

    /// Says what is assumed from now on: terms that are worth others. Terms that are assumed to be something are folded already.
    pub fn assume(&mut self, assumed: &FxHashMap<Term, Term>) {
        self.assumed.clone_from(assumed);
        self.done.clear();
    }

    /// Leaves at most so many steps for now, and says how many are put aside.
    pub fn lend(&mut self, steps: u64) -> u64 {
        let rest = self.steps.saturating_sub(steps);
        self.steps -= rest;
        rest
    }

    /// Gives back what was put aside.
    pub fn give_back(&mut self, rest: u64) {
        self.steps += rest;
    }

    /// The conditions on open values that were met since the last call.
    pub fn take_ranges(&mut self) -> Vec<Term> {
        std::mem::take(&mut self.ranges)
    }

    /// The term of a value, if it can be written.
    pub fn value_term(&mut self, value: &Value, sort: Sort) -> Option<Term> {
        // The number of an element is that of the constant that names it in the model.
        value_term_with(&mut self.a, value, sort, &mut |a, sort, id| {
            let f = a.fun_at(id as usize)?;
            let names = a.fun(f).args.is_empty() && a.fun(f).ret == sort;
            names.then(|| a.mk_fun(f))
        })
    }

    /// The value of a term, if it has the same one under every interpretation of what is unknown.
    pub fn value(&mut self, t: Term) -> Option<Value> {
        let known = self.ev.known(&self.a, t).cloned();
        known.unwrap_or_else(|| self.ev.eval(&self.a, &self.model, t)).ok()
    }

    fn literal(&mut self, t: Term) -> Option<Term> {
        let value = self.value(t)?;
        self.value_term(&value, self.a.sort(t))
    }

    /// Whether a term is an application of an uninterpreted symbol to values.
    pub fn is_unknown(&mut self, t: Term) -> bool {
        let Head::Fun(f) = self.a.head(t) else { return false };
        self.is_uninterpreted(f)
            && !self.opaque.contains_key(&t)
            && self.a.args(t).to_vec().into_iter().all(|x| self.value(x).is_some())
    }

    /// Whether nothing is known about a symbol.
    pub fn is_uninterpreted(&self, f: Fun) -> bool {
        let d = self.a.fun(f);
        let open = match d.kind {
            FunKind::Free => true,
            // An element of a free sort is known by its name; a value of another sort was not read.
            FunKind::Abstract => !is_free_sort(&self.a, d.ret),
            _ => false,
        };
        open && self.model.get(f).is_none()
    }

    /// The folded term.
    pub fn fold(&mut self, root: Term) -> Result<Term, Reason> {
        let mut stack = vec![Frame::Enter(root)];
        while let Some(frame) = stack.pop() {
            match frame {
                Frame::Enter(t) => self.enter(t, &mut stack)?,
                Frame::Leave(t) => self.leave(t, &mut stack),
                Frame::Chosen(t) => self.chosen(t, &mut stack),
                Frame::Same(t, u) => {
                    let new = self.done[&u];
                    self.finish(t, new);
                }
                Frame::Instances(t, all) => {
                    let all: Vec<Term> = all.iter().map(|x| self.done[x]).collect();
                    let conjunction = matches!(self.a.head(t), Head::Bind(Binder::Forall, _));
                    let new = self.junction(conjunction, &all);
                    self.finish(t, new);
                }
            }
        }
        Ok(self.done[&root])
    }

    fn enter(&mut self, t: Term, stack: &mut Vec<Frame>) -> Result<(), Reason> {
        if self.done.contains_key(&t) {
            return Ok(());
        }
        self.steps = self.steps.checked_sub(1).ok_or(Reason::TooLarge)?;
        if let Some(value) = self.literal(t) {
            self.finish(t, value);
            return Ok(());
        }
        let args = self.a.args(t);
        match self.a.head(t) {
            Head::Annot(_) => stack.extend([Frame::Same(t, args[0]), Frame::Enter(args[0])]),
            Head::Op(Op::Ite, _) => stack.extend([Frame::Chosen(t), Frame::Enter(args[0])]),
            Head::Match(_) => stack.extend([Frame::Leave(t), Frame::Enter(args[0])]),
            Head::Bind(binder @ (Binder::Forall | Binder::Exists), vars) => {
                self.quantifier(t, binder, vars, stack);
            }
            Head::Bind(binder, _) => self.keep(t, Reason::Binder(binder)),
            Head::Op(..) if self.a.symbol(t).is_some() => self.keep(t, Reason::FunctionValue),
            Head::Fun(f) if args.is_empty() && !self.a.fun(f).args.is_empty() => {
                self.keep(t, Reason::FunctionValue);
            }
            _ => {
                stack.push(Frame::Leave(t));
                stack.extend(args.iter().map(|&x| Frame::Enter(x)));
            }
        }
        Ok(())
    }

    /// The result of a term.
    fn finish(&mut self, t: Term, new: Term) {
        let new = self.assumed.get(&new).copied().unwrap_or(new);
        self.done.insert(t, new);
        self.done.insert(new, new);
    }

    /// Leaves a term as it is: it may have any value.
    fn keep(&mut self, t: Term, why: Reason) {
        self.opaque.insert(t, why);
        self.finish(t, t);
    }

    fn again(t: Term, new: Term, stack: &mut Vec<Frame>) {
        stack.extend([Frame::Same(t, new), Frame::Enter(new)]);
    }

    fn chosen(&mut self, t: Term, stack: &mut Vec<Frame>) {
        let &[condition, yes, no] = self.a.args(t) else { return self.finish(t, t) };
        match self.truth(self.done[&condition]) {
            Some(holds) => Self::again(t, if holds { yes } else { no }, stack),
            None => stack.extend([Frame::Leave(t), Frame::Enter(yes), Frame::Enter(no)]),
        }
    }

    fn leave(&mut self, t: Term, stack: &mut Vec<Frame>) {
        let head = self.a.head(t);
        if let Head::Match(cases) = head {
            return self.matched(t, cases, stack);
        }
        let args: SmallVec<[Term; 8]> = self.a.args(t).iter().map(|x| self.done[x]).collect();
        let step = match head {
            Head::Fun(f) => match self.call(t, f, &args) {
                Ok(step) => step,
                Err(why) => return self.keep(t, why),
            },
            Head::Op(Op::Ite, _) if self.is_candidate(t, args[1]) => {
                self.ranges.push(args[0]);
                Step::Done(args[1])
            }
            Head::Op(op, idx) => self.operator(op, idx, &args, self.a.sort(t)),
            _ => Step::Done(self.a.with_args(t, &args)),
        };
        match step {
            Step::Done(new) => {
                let new = self.literal(new).unwrap_or(new);
                self.finish(t, new);
            }
            Step::Again(new) => Self::again(t, new, stack),
        }
    }

    /// Whether an `ite` asks whether a candidate for the open value of an operator is in the range, and takes the operator
    /// itself if it is not. At known arguments some value is in the range, and nothing else is known of the candidate, so it
    /// may be taken to be one.
    fn is_candidate(&mut self, choice: Term, yes: Term) -> bool {
        let (Head::Fun(f), &[_, _, no]) = (self.a.head(yes), self.a.args(choice)) else {
            return false;
        };
        match (self.candidates.get(&f), self.a.head(no)) {
            (Some(&op), Head::Op(itself, _)) => op == itself && self.is_unknown(yes),
            _ => false,
        }
    }

    /// An application of a function symbol to folded arguments.
    fn call(&mut self, t: Term, f: Fun, args: &[Term]) -> Result<Step, Reason> {
        let d = self.a.fun(f);
        let rebuilt = |s: &mut Self| Step::Done(s.a.with_args(t, args));
        match d.kind {
            FunKind::Constructor(..) => Ok(rebuilt(self)),
            FunKind::Selector(constructor, i) => Ok(match self.a.head(args[0]) {
                Head::Fun(g) if g == constructor => Step::Done(self.a.args(args[0])[i as usize]),
                _ => match self.lifted(t, args) {
                    Some(new) => Step::Again(new),
                    None => rebuilt(self),
                },
            }),
            FunKind::Recursive => Err(Reason::Recursive(self.a.name(d.name).to_owned())),
            FunKind::Defined | FunKind::Named => match d.def {
                Some((params, body)) => self.unfolded(params, body, args),
                None => Err(Reason::FunctionValue),
            },
            FunKind::External => Err(Reason::External(self.a.name(d.name).to_owned())),
            FunKind::Free | FunKind::Abstract => match self.model.get(f) {
                None => Ok(rebuilt(self)),
                Some(&Interpretation::Body(params, body)) => self.unfolded(params, body, args),
                Some(Interpretation::Table(table)) => {
                    let table = table.clone();
                    self.listed(f, &table, args)
                }
                Some(Interpretation::Value(_)) if args.is_empty() => Err(Reason::Value),
                Some(Interpretation::Value(_)) => Err(Reason::FunctionValue),
            },
        }
    }

    fn unfolded(&mut self, params: VarList, body: Term, args: &[Term]) -> Result<Step, Reason> {
        let params = self.a.vars(params);
        if params.len() != args.len() {
            return Err(Reason::FunctionValue);
        }
        let given = params.iter().zip(args);
        let map = given.fold(Substitution::new(), |map, (&v, &x)| map.var(v, x));
        Ok(Step::Again(map.apply(&mut self.a, body)))
    }

    /// A function with listed values, at arguments that are not all known: one `ite` for each point.
    fn listed(&mut self, f: Fun, table: &Table, args: &[Term]) -> Result<Step, Reason> {
        let (sorts, ret) = (self.a.fun(f).args.clone(), self.a.fun(f).ret);
        if table.entries().len() > MAX_POINTS || sorts.len() != args.len() {
            return Err(Reason::TooLarge);
        }
        let mut value = self.value_term(table.default(), ret).ok_or(Reason::Value)?;
        for (point, here) in table.entries() {
            let here = self.value_term(here, ret).ok_or(Reason::Value)?;
            let mut equal: SmallVec<[Term; 4]> = SmallVec::new();
            for ((v, &sort), &x) in point.iter().zip(&sorts).zip(args) {
                let v = self.value_term(v, sort).ok_or(Reason::Value)?;
                equal.push(self.mk(Op::Eq, &[x, v], Sort::BOOL));
            }
            let at = match *equal {
                [one] => one,
                _ => self.mk(Op::And, &equal, Sort::BOOL),
            };
            value = self.mk(Op::Ite, &[at, here, value], ret);
        }
        Ok(Step::Again(value))
    }

    /// A `match` as the body of the case that fits, or as a choice between cases by testers.
    fn matched(&mut self, t: Term, cases: Cases, stack: &mut Vec<Frame>) {
        let value = self.done[&self.a.args(t)[0]];
        let bodies: Vec<Term> = self.a.args(t)[1..].to_vec();
        let cases: Vec<_> = self.a.case_list(cases).to_vec();
        let mut otherwise: Option<Term> = None;
        for (case, body) in cases.iter().zip(bodies).rev() {
            let vars = self.a.vars(case.vars).to_vec();
            let Some(constructor) = case.constructor else {
                let map = vars.iter().fold(Substitution::new(), |map, &v| map.var(v, value));
                otherwise = Some(map.apply(&mut self.a, body));
                continue;
            };
            let Some(fields) = self.fields(value, constructor) else {
                return self.keep(t, Reason::Match);
            };
            let given = vars.iter().zip(fields);
            let map = given.fold(Substitution::new(), |map, (&v, x)| map.var(v, x));
            let body = map.apply(&mut self.a, body);
            otherwise = Some(match otherwise {
                None => body,
                Some(rest) => {
                    let index = [constructor.index() as u32];
                    let Ok(fits) = self.a.app(Op::Is, &index, &[value]) else {
                        return self.keep(t, Reason::Match);
                    };
                    self.mk(Op::Ite, &[fits, body, rest], self.a.sort(t))
                }
            });
        }
        match otherwise {
            Some(new) => Self::again(t, new, stack),
            None => self.keep(t, Reason::Match),
        }
    }

    /// The fields of a value under a constructor: its arguments, or selectors.
    fn fields(&mut self, value: Term, constructor: Fun) -> Option<Vec<Term>> {
        if self.a.head(value) == Head::Fun(constructor) {
            return Some(self.a.args(value).to_vec());
        }
        let all = (0..self.a.fun_count()).filter_map(|i| self.a.fun_at(i));
        let mut selectors: Vec<(u32, Fun)> = all
            .filter_map(|f| match self.a.fun(f).kind {
                FunKind::Selector(c, i) if c == constructor => Some((i, f)),
                _ => None,
            })
            .collect();
        selectors.sort_unstable();
        let fields = selectors.into_iter().map(|(_, f)| self.a.apply_fun(f, &[value], None).ok());
        let fields: Option<Vec<Term>> = fields.collect();
        fields.filter(|all| all.len() == self.a.fun(constructor).args.len())
    }

    /// A quantifier as its instances, where the values that matter can be listed.
    fn quantifier(&mut self, t: Term, binder: Binder, vars: VarList, stack: &mut Vec<Frame>) {
        let body = self.a.args(t)[0];
        let vars = self.a.vars(vars).to_vec();
        let lists = self.ev.listed(&self.a, &self.model, binder, body, &vars);
        let count = |n: usize, list: &std::sync::Arc<[Value]>| n.checked_mul(list.len());
        let rows = lists.as_ref().and_then(|l| l.iter().try_fold(1, count));
        let (Some(lists), Some(1..=MAX_INSTANCES)) = (lists, rows) else {
            return self.keep(t, Reason::Quantifier);
        };
        let mut terms: Vec<Vec<Term>> = Vec::new();
        for (&v, list) in vars.iter().zip(&lists) {
            let sort = self.a.var(v).sort;
            let list: Option<Vec<Term>> = list.iter().map(|x| self.value_term(x, sort)).collect();
            let Some(list) = list else { return self.keep(t, Reason::Value) };
            terms.push(list);
        }
        let mut instances = Vec::new();
        for row in 0..rows.unwrap_or(0) {
            let (mut rest, mut map) = (row, Substitution::new());
            for (&v, list) in vars.iter().zip(&terms) {
                map = map.var(v, list[rest % list.len()]);
                rest /= list.len();
            }
            instances.push(map.apply(&mut self.a, body));
        }
        stack.push(Frame::Instances(t, instances.clone()));
        stack.extend(instances.into_iter().map(Frame::Enter));
    }

    /// An application of an operator without indices whose sort is known.
    pub fn mk(&mut self, op: Op, args: &[Term], sort: Sort) -> Term {
        self.a.mk(Head::Op(op, Idx::NONE), args, sort)
    }

    /// Whether a folded term is `true` or `false`.
    pub fn truth(&self, t: Term) -> Option<bool> {
        match self.a.head(t) {
            Head::Op(Op::True, _) => Some(true),
            Head::Op(Op::False, _) => Some(false),
            _ => None,
        }
    }

    /// Whether a sort is one of functions.
    pub fn is_function(&self, sort: Sort) -> bool {
        matches!(self.a.sort_kind(sort), SortKind::Fun(..))
    }

    /// The distinct sub-terms of folded terms; what is kept as it is is not looked into.
    pub fn parts(&self, roots: &[Term]) -> Vec<Term> {
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let (mut stack, mut out) = (roots.to_vec(), Vec::new());
        while let Some(t) = stack.pop() {
            if seen.insert(t) {
                out.push(t);
                if !self.opaque.contains_key(&t) {
                    stack.extend_from_slice(self.a.args(t));
                }
            }
        }
        out.sort_unstable();
        out
    }
}
