//! Operators some of whose arguments are not known: what follows whatever they are.

use super::Evaluator;
use crate::int::Int;
use crate::limit::MAX_PAIRS;
use crate::open::{Key, Linear, Meaning, Open};
use crate::ops::{self, Call};
use crate::outcome::{Outcome, Undetermined};
use crate::rat::Rat;
use crate::value::Value;
use smallvec::SmallVec;
use smelt_smtlib::op::Assoc;
use smelt_smtlib::{Arena, Op, Sort};
use std::cmp::Ordering;

/// So many conditions of `ite` are tried both ways.
const SPLITS: u32 = 4;

/// An application, to values some of which are open.
pub(super) struct Applied<'a> {
    pub arena: &'a Arena,
    pub op: Op,
    pub indices: &'a [u32],
    /// The sort of the result.
    pub sort: Sort,
    /// The sort of the first argument.
    pub first: Sort,
}

impl Applied<'_> {
    fn key(&self, args: &[Value]) -> Key {
        Key::Op(self.op, self.indices.into(), [self.sort, self.first], args.into())
    }
}

fn is_open(v: &Value) -> bool {
    matches!(v, Value::Open(_))
}

impl Evaluator {
    /// The value of an application whose result is not known, for this reason: an open value, the one that it has
    /// wherever it is met.
    pub(super) fn unknown(
        &mut self,
        c: &Applied<'_>,
        args: &[Value],
        why: Undetermined,
    ) -> Outcome {
        let why = match args.iter().find(|v| is_open(v)).and_then(Value::open_part) {
            Some(open) => open.why(),
            None if matches!(why, Undetermined::Sorts | Undetermined::Unbound) => return Err(why),
            None => why,
        };
        // Comparisons of numbers have left their forms.
        if !(is_comparison(c.op) && matches!(c.first, Sort::INT | Sort::REAL)) {
            self.obscure_by(args);
        }
        // The zeros of `fp.min` and `fp.max` are the only open values that have a range of two.
        if let (Op::FpMin | Op::FpMax, [yes @ Value::Fp(_), no @ Value::Fp(_)]) = (c.op, args) {
            let (yes, no, sort) = (yes.clone(), no.clone(), c.sort);
            return Ok(self.cx.opens.named(c.key(args), |opens| {
                let condition = opens.fresh(why);
                opens.choice(condition, yes, no, sort)
            }));
        }
        let value = self.cx.opens.application(c.key(args), why);
        self.cx.opens.bound(&value, range(c.op, args));
        Ok(value)
    }

    /// The value of an application that is known by an enclosure: the one that it has wherever it is met.
    pub(super) fn enclosed(&mut self, c: &Applied<'_>, args: &[Value], value: Value) -> Value {
        self.cx.opens.named(c.key(args), |_| value)
    }

    /// What is known of an application to values of which at least one is open.
    pub(super) fn with_unknowns(
        &mut self,
        c: &Applied<'_>,
        args: &[Value],
        splits: u32,
    ) -> Outcome {
        if let Some(found) = self.split(c, args, splits) {
            return Ok(found);
        }
        if let Some(found) = self.simplified(c, args) {
            return Ok(found);
        }
        let sum = self.sum(c, args);
        match sum {
            Some(sum) => Ok(sum),
            None => self.unknown(c, args, Undetermined::Equality),
        }
    }

    pub(super) fn open_operator(&mut self, c: &Applied<'_>, args: &[Value]) -> Outcome {
        self.with_unknowns(c, args, SPLITS)
    }

    /// The operator on values, some of which may be open.
    fn applied(&mut self, c: &Applied<'_>, args: &[Value], splits: u32) -> Outcome {
        let refs: SmallVec<[&Value; 6]> = args.iter().collect();
        let call = Call {
            arena: c.arena,
            op: c.op,
            indices: c.indices,
            args: &refs,
            sort: c.sort,
            first: c.first,
        };
        match ops::apply(&mut self.cx, &call) {
            Ok(v) => Ok(v),
            Err(_) if args.iter().any(is_open) => self.with_unknowns(c, args, splits),
            Err(e) => self.unknown(c, args, e),
        }
    }

    /// Both ways of the first condition that an argument depends on.
    fn split(&mut self, c: &Applied<'_>, args: &[Value], splits: u32) -> Option<Value> {
        if splits == 0 || super::calls_functions(c.op) {
            return None;
        }
        let opens = &self.cx.opens;
        let condition = args.iter().find_map(|v| match v {
            Value::Open(open) => match opens.meaning(*open) {
                Some(Meaning::Choice(condition, ..)) => Some(*condition),
                _ => None,
            },
            _ => None,
        })?;
        let assuming = |holds: bool| -> Vec<Value> {
            let chosen = args.iter().map(|v| match v {
                Value::Open(open) => match opens.meaning(*open) {
                    Some(Meaning::Choice(c, yes, no)) if *c == condition => {
                        if holds {
                            yes.clone()
                        } else {
                            no.clone()
                        }
                    }
                    _ => v.clone(),
                },
                _ => v.clone(),
            });
            chosen.collect()
        };
        let (yes, no) = (assuming(true), assuming(false));
        // A partial operator may be inside its domain for one of them only, and what the model says there is not
        // asked for here.
        if c.op.info().partial {
            return None;
        }
        let yes = self.applied(c, &yes, splits - 1).ok()?;
        let no = self.applied(c, &no, splits - 1).ok()?;
        Some(self.cx.opens.choice(condition, yes, no, c.sort))
    }

    /// Sums and differences, products with a number.
    fn sum(&mut self, c: &Applied<'_>, args: &[Value]) -> Option<Value> {
        let opens = &self.cx.opens;
        let why = args.iter().find_map(Value::open_part)?.why();
        let mut terms = args.iter().map(|v| opens.linear(v));
        let mut total = terms.next()??;
        let minus = Rat::ONE.neg();
        match c.op {
            Op::ToReal => {}
            Op::Neg => total = total.scaled(&minus).ok()?,
            Op::Add => {
                for term in terms {
                    total = total.plus(&term?).ok()??;
                }
            }
            Op::Sub => {
                for term in terms {
                    total = total.minus(&term?)?;
                }
            }
            Op::Mul => {
                for term in terms {
                    let term = term?;
                    total = match (total.known(), term.known()) {
                        (_, Some(q)) => total.scaled(q).ok()?,
                        (Some(q), None) => term.scaled(q).ok()?,
                        (None, None) => return None,
                    };
                }
            }
            Op::Div => {
                for term in terms {
                    total = total.scaled(&term?.known()?.recip()?).ok()?;
                }
            }
            _ => return None,
        }
        Some(self.cx.opens.sum(total, c.sort, why))
    }

    /// A result that needs none of the open arguments, or is one of them.
    fn simplified(&mut self, c: &Applied<'_>, args: &[Value]) -> Option<Value> {
        match (c.op, args) {
            (Op::Not, [Value::Open(open)]) => Some(self.cx.opens.negated(*open)),
            (Op::Xor, _) => self.parity(args),
            (Op::Eq, [Value::Bool(b), Value::Open(x)] | [Value::Open(x), Value::Bool(b)]) => {
                Some(if *b { Value::Open(*x) } else { self.cx.opens.negated(*x) })
            }
            (Op::Distinct, [Value::Bool(b), Value::Open(x)] | [Value::Open(x), Value::Bool(b)]) => {
                Some(if *b { self.cx.opens.negated(*x) } else { Value::Open(*x) })
            }
            _ if matches!(c.op.info().assoc, Assoc::Chain | Assoc::Pairwise) => {
                self.pairs(c, args).map(Value::Bool)
            }
            (Op::BvSub | Op::BvXor, [x, y]) if x == y => {
                let SortWidth(width) = SortWidth::of(c)?;
                crate::bv::Bv::zero(width).ok().map(Value::Bv)
            }
            (Op::BvAnd | Op::BvOr, _) if args.windows(2).all(|w| w[0] == w[1]) => {
                args.first().cloned()
            }
            (Op::StrPrefixOf | Op::StrSuffixOf | Op::SeqPrefixOf | Op::SeqSuffixOf, [x, y]) => {
                (x == y || is_empty(x)).then_some(Value::TRUE)
            }
            (Op::StrContains | Op::SeqContains, [x, y]) => {
                (x == y || is_empty(y)).then_some(Value::TRUE)
            }
            (Op::StrConcat | Op::SeqConcat, _) => {
                let mut rest = args.iter().filter(|v| !is_empty(v));
                rest.next().filter(|_| rest.next().is_none()).cloned()
            }
            _ => args.iter().find(|v| absorbs(c.op, v)).cloned(),
        }
    }

    /// `xor`: equal open parts cancel.
    fn parity(&mut self, args: &[Value]) -> Option<Value> {
        let mut odd = false;
        let mut left: Vec<Open> = Vec::new();
        for v in args {
            match v {
                Value::Bool(b) => odd ^= b,
                Value::Open(open) => {
                    let mut open = *open;
                    if let Some(Meaning::Not(inner)) = self.cx.opens.meaning(open) {
                        (open, odd) = (*inner, !odd);
                    }
                    match left.iter().position(|o| *o == open) {
                        Some(at) => drop(left.swap_remove(at)),
                        None => left.push(open),
                    }
                }
                _ => return None,
            }
        }
        match left[..] {
            [] => Some(Value::Bool(odd)),
            [one] if odd => Some(self.cx.opens.negated(one)),
            [one] => Some(Value::Open(one)),
            _ => None,
        }
    }

    /// Does a comparison hold for all pairs that it is about? One pair that is known to fail decides.
    fn pairs(&mut self, c: &Applied<'_>, args: &[Value]) -> Option<bool> {
        let mut all_hold = true;
        let mut left = MAX_PAIRS;
        for (i, x) in args.iter().enumerate() {
            let partners = match c.op.info().assoc {
                Assoc::Chain => args.get(i + 1..i + 2),
                _ => args.get(i + 1..),
            };
            for y in partners.unwrap_or_default() {
                let Some(fewer) = left.checked_sub(1) else {
                    self.obscure_by(args);
                    return None;
                };
                left = fewer;
                match self.pair(c, x, y) {
                    Some(false) => return Some(false),
                    Some(true) => {}
                    None => all_hold = false,
                }
            }
        }
        all_hold.then_some(true)
    }

    /// The result depends on the sign of a form.
    fn depend(&mut self, form: &Linear) {
        let opens = &self.cx.opens;
        let Some(record) = self.records.last_mut() else { return };
        if form.parts().any(|o| opens.varies(o) && opens.is_integer(o).is_none()) {
            record.obscure();
        } else if form.parts().any(|o| opens.varies(o)) {
            record.add(form);
        }
    }

    fn pair(&mut self, c: &Applied<'_>, x: &Value, y: &Value) -> Option<bool> {
        if x == y {
            // Functions that are written in one way are one function, and so are enclosures of one computation.
            return reflexive(c.op);
        }
        if let (Value::Open(p), Value::Open(q)) = (x, y)
            && self.cx.opens.negated(*p) == Value::Open(*q)
            && c.first == Sort::BOOL
        {
            return reflexive(c.op).map(|same| !same);
        }
        let wanted: Option<fn(Ordering) -> bool> = match c.op {
            Op::Eq => Some(Ordering::is_eq),
            Op::Distinct => Some(Ordering::is_ne),
            Op::Le => Some(Ordering::is_le),
            Op::Lt => Some(Ordering::is_lt),
            Op::Ge => Some(Ordering::is_ge),
            Op::Gt => Some(Ordering::is_gt),
            _ => None,
        };
        if let (true, Some(wanted)) = (matches!(c.first, Sort::INT | Sort::REAL), wanted) {
            let opens = &self.cx.opens;
            let form = opens.linear(x).zip(opens.linear(y)).and_then(|(x, y)| x.minus(&y));
            match form {
                Some(form) => match opens.compares(&form, wanted) {
                    Some(answer) => return Some(answer),
                    None => self.depend(&form),
                },
                None => self.obscure_by(&[x.clone(), y.clone()]),
            }
        }
        if is_open(x) || is_open(y) {
            return None;
        }
        let call = Call {
            arena: c.arena,
            op: c.op,
            indices: c.indices,
            args: &[x, y],
            sort: Sort::BOOL,
            first: c.first,
        };
        match ops::apply(&mut self.cx, &call) {
            Ok(Value::Bool(b)) => Some(b),
            _ => None,
        }
    }
}

fn is_comparison(op: Op) -> bool {
    matches!(op, Op::Eq | Op::Distinct | Op::Le | Op::Lt | Op::Ge | Op::Gt)
}

/// The width of a result that is a bit-vector.
struct SortWidth(u32);

impl SortWidth {
    fn of(c: &Applied<'_>) -> Option<SortWidth> {
        match c.arena.sort_kind(c.sort) {
            smelt_smtlib::SortKind::BitVec(w) => Some(SortWidth(*w)),
            _ => None,
        }
    }
}

/// What a comparison says about a value and itself. (`fp.leq` and its kin say nothing: the value may be NaN.)
fn reflexive(op: Op) -> Option<bool> {
    match op {
        Op::Eq | Op::Le | Op::Ge | Op::StrLe => Some(true),
        Op::Distinct | Op::Lt | Op::Gt | Op::StrLt | Op::FpLt | Op::FpGt => Some(false),
        _ => None,
    }
}

/// The empty string or sequence.
fn is_empty(v: &Value) -> bool {
    match v {
        Value::Str(s) => s.len() == 0,
        Value::Seq(s) => s.is_empty(),
        _ => false,
    }
}

/// Does one argument of this value make it the result, whatever the others are?
fn absorbs(op: Op, v: &Value) -> bool {
    match (op, v) {
        (Op::Mul, Value::Int(n)) => *n == Int::ZERO,
        (Op::Mul, Value::Real(q)) => *q == Rat::ZERO,
        (Op::BvMul | Op::BvAnd, Value::Bv(v)) => {
            crate::bv::Bv::zero(v.width()).is_ok_and(|z| z == *v)
        }
        (Op::BvOr, Value::Bv(v)) => crate::bv::Bv::ones(v.width()).is_ok_and(|o| o == *v),
        _ => false,
    }
}

/// Between which numbers the value of an operator is, whatever its open arguments are.
fn range(op: Op, args: &[Value]) -> crate::open::Range {
    let number = |n: i64| Some(Rat::from(n));
    match op {
        Op::StrLen | Op::SeqLen | Op::SetCard | Op::BagCard | Op::BagCount | Op::Abs => {
            (number(0), None)
        }
        Op::StrIndexOf | Op::SeqIndexOf | Op::StrToInt => (number(-1), None),
        // Open also where the divisor is zero: the divisor must be known not to be.
        Op::Mod => match args {
            [_, Value::Int(n)] if !n.is_zero() => {
                (number(0), Rat::from(&n.abs()).sub(&Rat::ONE).ok())
            }
            _ => (None, None),
        },
        _ => (None, None),
    }
}
