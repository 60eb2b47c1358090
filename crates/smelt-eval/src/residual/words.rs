//! Words: membership in an expression that is written out, and equations of concatenations.

use smelt_smtlib::{Head, Op, Sort, Term};

use super::fold::Fold;
use super::simplify::Step;
use crate::string::Str;
use crate::value::Value;

impl Fold {
    /// A word is in an expression: said of the parts of the expression, where that is a matter of truth values alone.
    pub(super) fn word_in(&mut self, word: Term, re: Term) -> Option<Term> {
        let Head::Op(op, _) = self.a.head(re) else { return None };
        let args = self.a.args(re).to_vec();
        let within = |fold: &mut Self, r: Term| fold.mk(Op::StrInRe, &[word, r], Sort::BOOL);
        let done = match (op, &args[..]) {
            (Op::StrToRe, &[only]) => self.mk(Op::Eq, &[word, only], Sort::BOOL),
            (Op::ReNone, _) => self.a.mk_bool(false),
            (Op::ReAll, _) => self.a.mk_bool(true),
            (Op::ReComp, &[r]) => {
                let inside = within(self, r);
                self.mk(Op::Not, &[inside], Sort::BOOL)
            }
            (Op::ReInter | Op::ReUnion, [_, _, ..]) => {
                let all: Vec<Term> = args.iter().map(|&r| within(self, r)).collect();
                let op = if op == Op::ReInter { Op::And } else { Op::Or };
                self.mk(op, &all, Sort::BOOL)
            }
            // `(re.diff r s t)` is `(re.diff (re.diff r s) t)`.
            (Op::ReDiff, [first, rest @ ..]) => {
                let mut all = vec![within(self, *first)];
                for &r in rest {
                    let inside = within(self, r);
                    all.push(self.mk(Op::Not, &[inside], Sort::BOOL));
                }
                self.mk(Op::And, &all, Sort::BOOL)
            }
            _ => return None,
        };
        Some(done)
    }

    /// Two words are equal: what both begin or end with is taken off.
    pub(super) fn equal_words(&mut self, x: Term, y: Term) -> Option<Step> {
        let (mut left, mut right) = (self.word_parts(x), self.word_parts(y));
        if left.len() + right.len() == 2 {
            return None;
        }
        let before = left.len();
        let same = left.iter().zip(&right).take_while(|(l, r)| l == r).count();
        left.drain(..same);
        right.drain(..same);
        let same = left.iter().rev().zip(right.iter().rev()).take_while(|(l, r)| l == r).count();
        left.truncate(left.len() - same);
        right.truncate(right.len() - same);
        if left.is_empty() || right.is_empty() {
            let rest = if left.is_empty() { right } else { left };
            if rest.iter().any(|&t| self.is_letters(t)) {
                return Some(Step::Done(self.a.mk_bool(false)));
            }
            let empty = self.value_term(&Value::Str(Str::EMPTY), Sort::STRING)?;
            let all: Vec<Term> =
                rest.iter().map(|&t| self.mk(Op::Eq, &[t, empty], Sort::BOOL)).collect();
            return Some(match *all {
                [] => Step::Done(self.a.mk_bool(true)),
                [one] => Step::Again(one),
                _ => Step::Again(self.mk(Op::And, &all, Sort::BOOL)),
            });
        }
        if self.begins_otherwise(left[0], right[0]) {
            return Some(Step::Done(self.a.mk_bool(false)));
        }
        if left.len() == before {
            return None;
        }
        let (left, right) = (self.joined(&left), self.joined(&right));
        Some(Step::Again(self.mk(Op::Eq, &[left, right], Sort::BOOL)))
    }

    /// Parts of a concatenation, without empty ones.
    fn word_parts(&mut self, t: Term) -> Vec<Term> {
        let mut parts = Vec::new();
        let mut stack = vec![t];
        while let Some(t) = stack.pop() {
            match self.a.head(t) {
                Head::Op(Op::StrConcat, _) => stack.extend(self.a.args(t).iter().rev()),
                _ if matches!(self.value(t), Some(Value::Str(s)) if s.is_empty()) => {}
                _ => parts.push(t),
            }
        }
        parts
    }

    /// Whether a part of a concatenation is known, and so not empty.
    fn is_letters(&mut self, part: Term) -> bool {
        matches!(self.value(part), Some(Value::Str(s)) if !s.is_empty())
    }

    /// Whether two known words differ at a place that both have.
    fn begins_otherwise(&mut self, x: Term, y: Term) -> bool {
        match (self.value(x), self.value(y)) {
            (Some(Value::Str(x)), Some(Value::Str(y))) => {
                x.iter().zip(y.iter()).any(|(x, y)| x != y)
            }
            _ => false,
        }
    }

    fn joined(&mut self, parts: &[Term]) -> Term {
        match *parts {
            [one] => one,
            _ => self.mk(Op::StrConcat, parts, Sort::STRING),
        }
    }
}
