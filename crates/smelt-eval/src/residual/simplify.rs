//! Operators at arguments that are folded and not all known.

use smallvec::SmallVec;
use smelt_smtlib::op::Assoc;
use smelt_smtlib::{FunKind, Head, Idx, Op, Sort, Term};

use super::fold::Fold;
use crate::value::Value;

/// What becomes of a term.
pub(super) enum Step {
    /// This; its arguments are folded.
    Done(Term),
    /// What becomes of this term.
    Again(Term),
}

/// More pairs than this are not written out.
const MAX_PAIRS: usize = 60;

impl Fold {
    /// An application of an operator to folded arguments.
    pub fn operator(&mut self, op: Op, idx: Idx, args: &[Term], sort: Sort) -> Step {
        let done = match (op, args) {
            (Op::Not, &[x]) => self.not(x),
            (Op::And, _) => self.junction(true, args),
            (Op::Or, _) => self.junction(false, args),
            (Op::Implies, _) => {
                let (&last, before) = args.split_last().unwrap_or((&args[0], &[]));
                let mut all: Vec<Term> = before.iter().map(|&x| self.not(x)).collect();
                all.push(last);
                self.junction(false, &all)
            }
            (Op::Xor, &[x, y]) => {
                let same = self.mk(Op::Eq, &[x, y], Sort::BOOL);
                return Step::Again(self.mk(Op::Not, &[same], Sort::BOOL));
            }
            (Op::Ite, &[condition, yes, no]) => return self.ite(condition, yes, no, sort),
            (_, &[x, y]) if is_comparison(op) => return self.comparison(op, x, y),
            (_, args) if is_comparison(op) && args.len() > 2 => {
                if let Some(all) = self.pairs(op, args) {
                    return Step::Again(all);
                }
                self.a.mk(Head::Op(op, idx), args, sort)
            }
            (Op::Is, &[x]) => match self.tested(idx, x) {
                Some(holds) => self.a.mk_bool(holds),
                None => self.a.mk(Head::Op(op, idx), args, sort),
            },
            (Op::SetMember, &[x, set]) => match self.member(x, set) {
                Some(t) => return Step::Again(t),
                None => self.a.mk(Head::Op(op, idx), args, sort),
            },
            (Op::StrInRe, &[word, re]) => match self.word_in(word, re) {
                Some(t) => return Step::Again(t),
                None => self.a.mk(Head::Op(op, idx), args, sort),
            },
            (Op::FpRoundToIntegral, &[_, x]) if self.is_integral(x) => x,
            (Op::Select, &[array, index]) => match self.selected(array, index, sort) {
                Some(step) => return step,
                None => self.a.mk(Head::Op(op, idx), args, sort),
            },
            _ => self.a.mk(Head::Op(op, idx), args, sort),
        };
        if matches!(op, Op::Not | Op::And | Op::Or | Op::Implies) {
            return Step::Done(done);
        }
        match self.lifted(done, args) {
            Some(new) => Step::Again(new),
            None => Step::Done(done),
        }
    }

    /// `(not t)`
    pub fn not(&mut self, t: Term) -> Term {
        let opposite = match self.a.head(t) {
            Head::Op(Op::True, _) => return self.a.mk_bool(false),
            Head::Op(Op::False, _) => return self.a.mk_bool(true),
            Head::Op(Op::Not, _) => return self.a.args(t)[0],
            Head::Op(Op::Lt, _) => Op::Ge,
            Head::Op(Op::Le, _) => Op::Gt,
            Head::Op(Op::Gt, _) => Op::Le,
            Head::Op(Op::Ge, _) => Op::Lt,
            _ => return self.mk(Op::Not, &[t], Sort::BOOL),
        };
        // One of two numbers is below the other, or they are equal.
        match *self.a.args(t) {
            [x, y] => self.mk(opposite, &[x, y], Sort::BOOL),
            _ => self.mk(Op::Not, &[t], Sort::BOOL),
        }
    }

    /// A conjunction or disjunction of folded terms.
    pub fn junction(&mut self, conjunction: bool, args: &[Term]) -> Term {
        let op = if conjunction { Op::And } else { Op::Or };
        let mut all: Vec<Term> = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        for &x in args {
            let parts: SmallVec<[Term; 4]> = match self.a.head(x) {
                Head::Op(inner, _) if inner == op => self.a.args(x).into(),
                _ => SmallVec::from_slice(&[x]),
            };
            for part in parts {
                match self.truth(part) {
                    Some(b) if b == conjunction => {}
                    Some(b) => return self.a.mk_bool(b),
                    None if seen.insert(part) => all.push(part),
                    None => {}
                }
            }
        }
        for &x in &all {
            let opposite = self.not(x);
            if seen.contains(&opposite) {
                return self.a.mk_bool(!conjunction);
            }
        }
        match *all {
            [] => self.a.mk_bool(conjunction),
            [one] => one,
            _ => self.mk(op, &all, Sort::BOOL),
        }
    }

    fn ite(&mut self, condition: Term, yes: Term, no: Term, sort: Sort) -> Step {
        if yes == no {
            return Step::Done(yes);
        }
        let (condition, yes, no) = match self.a.head(condition) {
            Head::Op(Op::Not, _) => (self.a.args(condition)[0], no, yes),
            _ => (condition, yes, no),
        };
        if sort != Sort::BOOL {
            return Step::Done(self.mk(Op::Ite, &[condition, yes, no], sort));
        }
        let otherwise = self.not(condition);
        let done = match (self.truth(yes), self.truth(no)) {
            (Some(true), _) => self.junction(false, &[condition, no]),
            (Some(false), _) => self.junction(true, &[otherwise, no]),
            (_, Some(true)) => self.junction(false, &[otherwise, yes]),
            (_, Some(false)) => self.junction(true, &[condition, yes]),
            _ => self.mk(Op::Ite, &[condition, yes, no], sort),
        };
        Step::Done(done)
    }

    /// A comparison of several terms as one of pairs.
    fn pairs(&mut self, op: Op, args: &[Term]) -> Option<Term> {
        let all: Vec<(Term, Term)> = match op.info().assoc {
            Assoc::Chain => args.windows(2).map(|p| (p[0], p[1])).collect(),
            _ => {
                let from = |i: usize| args[i + 1..].iter().map(move |&y| (args[i], y));
                (0..args.len()).flat_map(from).collect()
            }
        };
        if all.len() > MAX_PAIRS {
            return None;
        }
        let all: Vec<Term> =
            all.into_iter().map(|(x, y)| self.mk(op, &[x, y], Sort::BOOL)).collect();
        Some(self.mk(Op::And, &all, Sort::BOOL))
    }

    /// A comparison of two terms, of which at most one is known; that one is brought to the right.
    fn comparison(&mut self, op: Op, x: Term, y: Term) -> Step {
        if op == Op::Distinct {
            let equal = self.mk(Op::Eq, &[x, y], Sort::BOOL);
            return Step::Again(self.mk(Op::Not, &[equal], Sort::BOOL));
        }
        let turn = match (self.value(x).is_some(), self.value(y).is_some()) {
            (true, false) => true,
            (false, true) => false,
            _ => op == Op::Eq && y < x,
        };
        let (op, x, y) = if turn { (mirrored(op), y, x) } else { (op, x, y) };
        if op == Op::Eq
            && let Some(step) = self.equality(x, y)
        {
            return step;
        }
        let done = self.mk(op, &[x, y], Sort::BOOL);
        match self.lifted(done, &[x, y]) {
            Some(new) => Step::Again(new),
            None => Step::Done(done),
        }
    }

    fn equality(&mut self, x: Term, y: Term) -> Option<Step> {
        if x == y {
            return Some(Step::Done(self.a.mk_bool(true)));
        }
        if self.a.sort(x) == Sort::BOOL {
            let opposite = self.not(x);
            return match self.truth(y) {
                Some(true) => Some(Step::Done(x)),
                Some(false) => Some(Step::Done(opposite)),
                None if opposite == y => Some(Step::Done(self.a.mk_bool(false))),
                None => None,
            };
        }
        if self.a.sort(x) == Sort::STRING {
            return self.equal_words(x, y);
        }
        let constructor = |s: &Self, t: Term| match s.a.head(t) {
            Head::Fun(f) if matches!(s.a.fun(f).kind, FunKind::Constructor(..)) => Some(f),
            _ => None,
        };
        let (f, g) = (constructor(self, x)?, constructor(self, y)?);
        if f != g {
            return Some(Step::Done(self.a.mk_bool(false)));
        }
        let pairs: Vec<(Term, Term)> =
            self.a.args(x).iter().copied().zip(self.a.args(y).iter().copied()).collect();
        let all: Vec<Term> =
            pairs.into_iter().map(|(x, y)| self.mk(Op::Eq, &[x, y], Sort::BOOL)).collect();
        Some(match *all {
            [] => Step::Done(self.a.mk_bool(true)),
            [one] => Step::Again(one),
            _ => Step::Again(self.mk(Op::And, &all, Sort::BOOL)),
        })
    }

    /// Whether a term is made by the constructor that a tester names.
    fn tested(&self, idx: Idx, x: Term) -> Option<bool> {
        let constructor = *self.a.indices(idx).first()? as usize;
        match self.a.head(x) {
            Head::Fun(f) if matches!(self.a.fun(f).kind, FunKind::Constructor(..)) => {
                Some(f.index() == constructor)
            }
            _ => None,
        }
    }

    /// Whether a term is one of the elements of a known set.
    fn member(&mut self, x: Term, set: Term) -> Option<Term> {
        let Some(Value::Set(set)) = self.value(set) else { return None };
        let (items, sort) = (set.elements().items(), self.a.sort(x));
        let all: Option<Vec<Term>> = items.iter().map(|v| self.value_term(v, sort)).collect();
        let equal = all?.into_iter().map(|v| self.mk(Op::Eq, &[x, v], Sort::BOOL));
        let all: Vec<Term> = equal.collect();
        Some(match *all {
            [] => self.a.mk_bool(false),
            [one] => one,
            _ => self.mk(Op::Or, &all, Sort::BOOL),
        })
    }

    /// Whether a floating-point term is rounded to an integral number already, in whatever mode: it is one, infinite or NaN.
    fn is_integral(&mut self, mut t: Term) -> bool {
        while let Head::Op(Op::FpNeg | Op::FpAbs, _) = self.a.head(t) {
            t = self.a.args(t)[0];
        }
        matches!(self.a.head(t), Head::Op(Op::FpRoundToIntegral, _))
    }

    /// What is at an index of an array that is written down.
    fn selected(&mut self, array: Term, index: Term, sort: Sort) -> Option<Step> {
        match (self.a.head(array), self.a.args(array)) {
            (Head::Op(Op::ConstArray, _), &[element]) => Some(Step::Done(element)),
            (Head::Op(Op::Store, _), &[below, at, element]) => {
                let here = self.mk(Op::Eq, &[at, index], Sort::BOOL);
                let below = self.mk(Op::Select, &[below, index], sort);
                Some(Step::Again(self.mk(Op::Ite, &[here, element, below], sort)))
            }
            _ => None,
        }
    }

    /// `(p v (ite c x y))` as `(ite c (p v x) (p v y))`, if all other arguments are known.
    pub fn lifted(&mut self, t: Term, args: &[Term]) -> Option<Term> {
        let mut place = None;
        for (i, &x) in args.iter().enumerate() {
            if self.value(x).is_none() {
                let choice = matches!(self.a.head(x), Head::Op(Op::Ite, _));
                if place.is_some() || !choice {
                    return None;
                }
                place = Some(i);
            }
        }
        let i = place?;
        let &[condition, yes, no] = self.a.args(args[i]) else { return None };
        let original = self.a.with_args(t, args);
        let yes = self.a.with_arg(original, i, yes);
        let no = self.a.with_arg(original, i, no);
        let sort = self.a.sort(t);
        Some(self.mk(Op::Ite, &[condition, yes, no], sort))
    }
}

fn is_comparison(op: Op) -> bool {
    matches!(op, Op::Eq | Op::Distinct | Op::Lt | Op::Le | Op::Gt | Op::Ge)
}

fn mirrored(op: Op) -> Op {
    match op {
        Op::Lt => Op::Gt,
        Op::Le => Op::Ge,
        Op::Gt => Op::Lt,
        Op::Ge => Op::Le,
        other => other,
    }
}
