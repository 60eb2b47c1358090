//! A term with everything known folded: what a model says is put in, and what follows from it is computed. What is left are
//! applications of symbols that the model does not interpret, and what depends on them.
//!
//! Every step keeps the value of the term under every interpretation of these symbols.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use smelt_smtlib::{Arena, Binder, Fun, FunKind, Head, Idx, Op, Sort, SortKind, Term};

use super::Reason;
use super::simplify::Step;
use crate::eval::Evaluator;
use crate::model::Model;
use crate::model_parse::is_free_sort;
use crate::outcome::Limits;
use crate::value::Value;
use crate::value_term::value_term_with;

/// What waits on the stack.
pub(super) enum Frame {
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
    pub(super) ev: Evaluator,
    pub(super) done: FxHashMap<Term, Term>,
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
        let known = self.ev.known(&self.a, t);
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
    pub(super) fn keep(&mut self, t: Term, why: Reason) {
        self.opaque.insert(t, why);
        self.finish(t, t);
    }

    pub(super) fn again(t: Term, new: Term, stack: &mut Vec<Frame>) {
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
