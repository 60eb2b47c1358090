//! The semantics of operators on known values, one file per theory.
//!
//! [`apply`] is strict: all arguments are values. What is not strict (connectives, `ite`), what calls functions and what
//! binds is with the evaluator. Where an operator is partial, [`Undetermined::Partial`] is answered and the evaluator
//! looks for an interpretation in the model.

mod arith;
mod arrays;
mod bags;
mod bitvec;
mod core;
mod datatypes;
mod float;
mod seq;
mod sets;
mod strings;
mod trans;

pub(crate) use datatypes::{construct, select_field};

use crate::bv::Bv;
use crate::domain::Domains;
use crate::effort::Effort;
use crate::fp::{Fp, RoundingMode};
use crate::int::Int;
use crate::limit::Limit;
use crate::open::Opens;
use crate::outcome::{Outcome, Undetermined};
use crate::regex::{Re, RegexStore};
use crate::string::Str;
use crate::value::Value;
use smelt_smtlib::op::Theory;
use smelt_smtlib::{Arena, Op, Sort};

/// What operators need beside their arguments.
pub(crate) struct Context {
    pub regex: RegexStore,
    pub regex_steps: u64,
    /// Bits of enclosures.
    pub precision: u32,
    pub domains: Domains,
    pub effort: Effort,
    pub opens: Opens,
}

/// One application.
pub(crate) struct Call<'a> {
    pub arena: &'a Arena,
    pub op: Op,
    pub indices: &'a [u32],
    pub args: &'a [&'a Value],
    /// The sort of the result.
    pub sort: Sort,
    /// The sort of the first argument (of the result, if there is none).
    pub first: Sort,
}

/// Applies an operator to values.
#[inline]
pub(crate) fn apply(cx: &mut Context, c: &Call<'_>) -> Outcome {
    match c.op.info().theory {
        Theory::Core | Theory::PseudoBoolean => core::apply(cx, c),
        Theory::Ints | Theory::Reals | Theory::RealsInts => arith::apply(cx, c),
        Theory::BitVec => bitvec::apply(c),
        Theory::Float => float::apply(cx, c),
        Theory::Strings | Theory::Regex => strings::apply(cx, c),
        Theory::Arrays => arrays::apply(cx, c),
        Theory::Datatypes => datatypes::apply(c),
        Theory::Seq => seq::apply(c),
        Theory::Sets | Theory::Relations | Theory::Tuples | Theory::Nullables => sets::apply(c),
        Theory::Bags => bags::apply(c),
        Theory::Fields => arith::field(c),
        Theory::Transcendentals => trans::apply(cx, c),
        Theory::HigherOrder | Theory::Separation => Err(Undetermined::Unsupported(c.op)),
    }
}

/// Equality of two values, with the help of the regex store.
pub(crate) fn equal(cx: &mut Context, a: &Value, b: &Value) -> Result<bool, Undetermined> {
    if let (Value::Re(x), Value::Re(y)) = (a, b) {
        let mut budget = crate::limit::Budget::new(cx.regex_steps);
        let same = cx.regex.equivalent(*x, *y, &mut budget);
        cx.effort.count_regex(cx.regex_steps - budget.left())?;
        return Ok(same?);
    }
    a.equals(b).ok_or_else(|| undecided(&[a, b]))
}

/// Why a comparison is not decided: enclosures can be refined, everything else cannot.
pub(crate) fn undecided(args: &[&Value]) -> Undetermined {
    if args.iter().any(|v| matches!(v, Value::Approx(_) | Value::Algebraic(_))) {
        Undetermined::Precision
    } else {
        Undetermined::Equality
    }
}

impl<'a> Call<'a> {
    fn arg(&self, i: usize) -> Result<&'a Value, Undetermined> {
        self.args.get(i).copied().ok_or(Undetermined::Sorts)
    }

    fn index(&self, i: usize) -> Result<u32, Undetermined> {
        self.indices.get(i).copied().ok_or(Undetermined::Sorts)
    }

    fn bool(&self, i: usize) -> Result<bool, Undetermined> {
        match self.arg(i)? {
            Value::Bool(b) => Ok(*b),
            _ => Err(Undetermined::Sorts),
        }
    }

    fn int(&self, i: usize) -> Result<&'a Int, Undetermined> {
        match self.arg(i)? {
            Value::Int(n) => Ok(n),
            _ => Err(Undetermined::Sorts),
        }
    }

    fn bv(&self, i: usize) -> Result<&'a Bv, Undetermined> {
        match self.arg(i)? {
            Value::Bv(v) => Ok(v),
            _ => Err(Undetermined::Sorts),
        }
    }

    /// Two bit-vectors of one width.
    fn bvs(&self) -> Result<(&'a Bv, &'a Bv), Undetermined> {
        let (a, b) = (self.bv(0)?, self.bv(1)?);
        if a.width() == b.width() { Ok((a, b)) } else { Err(Undetermined::Sorts) }
    }

    fn fp(&self, i: usize) -> Result<&'a Fp, Undetermined> {
        match self.arg(i)? {
            Value::Fp(x) => Ok(x),
            _ => Err(Undetermined::Sorts),
        }
    }

    fn rm(&self, i: usize) -> Result<RoundingMode, Undetermined> {
        match self.arg(i)? {
            Value::Rm(m) => Ok(*m),
            _ => Err(Undetermined::Sorts),
        }
    }

    fn str(&self, i: usize) -> Result<&'a Str, Undetermined> {
        match self.arg(i)? {
            Value::Str(s) => Ok(s),
            _ => Err(Undetermined::Sorts),
        }
    }

    fn re(&self, i: usize) -> Result<Re, Undetermined> {
        match self.arg(i)? {
            Value::Re(r) => Ok(*r),
            _ => Err(Undetermined::Sorts),
        }
    }

    /// Folds all arguments from the left.
    fn fold(&self, f: impl FnMut(Value, &Value) -> Outcome) -> Outcome {
        let (first, rest) = self.args.split_first().ok_or(Undetermined::Sorts)?;
        rest.iter().copied().try_fold((*first).clone(), f)
    }

    /// Does a comparison hold for all neighbours? A definite "no" counts also where another pair is not decided.
    fn chain(&self, mut f: impl FnMut(&Value, &Value) -> Result<bool, Undetermined>) -> Outcome {
        let mut open = None;
        for pair in self.args.windows(2) {
            match f(pair[0], pair[1]) {
                Ok(true) => {}
                Ok(false) => return Ok(Value::FALSE),
                Err(e @ (Undetermined::Sorts | Undetermined::Unsupported(_))) => return Err(e),
                Err(e) => open = Some(e),
            }
        }
        open.map_or(Ok(Value::TRUE), Err)
    }
}

/// A result that is `None` where elements are not canonical or comparisons not decided.
fn decided<T>(found: Option<Result<T, Limit>>) -> Result<T, Undetermined> {
    match found {
        Some(result) => Ok(result?),
        None => Err(Undetermined::Equality),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smelt_smtlib::op::Dialect;

    /// Operators of dialects that have no semantics here, each with the reason.
    const WITHOUT: &[(&str, &str)] = &[
        ("dt.size", "cvc5's size of a term; cvc5 1.4.2 reads no script with it"),
        (
            "set.universe",
            "by cvc5's manual not all elements of the sort, but any set that holds all others",
        ),
        ("set.complement", "as set.universe: cvc5 1.4.2 simplifies that of {true} to {}"),
        ("sep", "separation logic needs a heap"),
        ("wand", "separation logic needs a heap"),
        ("pto", "separation logic needs a heap"),
        ("sep.emp", "separation logic needs a heap"),
        ("sep.nil", "separation logic needs a heap"),
    ];

    #[test]
    fn every_operator_has_semantics() {
        let arena = Arena::new();
        let mut cx = Context {
            regex: RegexStore::new(),
            regex_steps: 1000,
            precision: 64,
            domains: Domains::default(),
            effort: Effort::default(),
            opens: Opens::default(),
        };
        let mut without = Vec::new();
        for op in Op::all() {
            let sort = Sort::BOOL;
            let call = Call { arena: &arena, op, indices: &[], args: &[], sort, first: Sort::BOOL };
            // Without arguments, an operator that is known complains about them.
            let unknown = apply(&mut cx, &call) == Err(Undetermined::Unsupported(op));
            if unknown && !crate::eval::calls_functions(op) {
                assert_ne!(op.info().dialect, Dialect::Standard, "{}", op.info().name);
                without.push(op.info().name);
            }
        }
        let listed: Vec<&str> = WITHOUT.iter().map(|(name, _)| *name).collect();
        without.sort_unstable();
        let mut sorted = listed.clone();
        sorted.sort_unstable();
        assert_eq!(without, sorted);
        assert!(without.len() <= 40);
    }
}
