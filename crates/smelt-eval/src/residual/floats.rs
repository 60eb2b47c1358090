//! What facts say of floating-point terms: between which numbers each of them is, and which comparisons that decides.

use rustc_hash::FxHashMap;
use smelt_smtlib::{Head, Op, Sort, SortKind, Term};

use super::fold::Fold;
use super::search::atom;
use crate::fp::{Format, Fp, RoundingMode, Span};
use crate::value::Value;

/// How often facts are looked at again: what they say of one term says more of others.
const MAX_ROUNDS: usize = 4;

/// Where floating-point terms are.
#[derive(Clone, Default)]
pub(super) struct Floats {
    spans: FxHashMap<Term, Span>,
}

impl Floats {
    /// What follows from facts for the terms in them and in others; `None` if the facts contradict each other.
    pub fn of(fold: &mut Fold, facts: &[Term], others: &[Term]) -> Option<Floats> {
        let mut sorts = (0..fold.a.sort_count()).filter_map(|i| fold.a.sort_at(i));
        if !sorts.any(|s| format(fold, s).is_some()) {
            return Some(Floats::default());
        }
        let parts = fold.parts(&[facts, others].concat());
        let parts: Vec<(Term, Format)> =
            parts.into_iter().filter_map(|t| Some((t, format(fold, fold.a.sort(t))?))).collect();
        let mut all = Floats::default();
        if parts.is_empty() {
            return Some(all);
        }
        for _ in 0..MAX_ROUNDS {
            let before = all.spans.clone();
            // Children come first.
            for &(t, format) in &parts {
                let span = all.made(fold, t, format);
                all.narrow(t, &span);
            }
            for &fact in facts {
                all.learn(fold, fact);
                let (t, holds) = atom(fold, fact);
                if all.decide(fold, t) == Some(!holds) {
                    return None;
                }
            }
            if all.spans.values().any(Span::is_empty) {
                return None;
            }
            if all.spans == before {
                break;
            }
        }
        Some(all)
    }

    /// The unknown terms that can be one value only.
    pub fn only(&self, fold: &mut Fold) -> Vec<(Term, Value)> {
        let one = |(&t, span): (&Term, &Span)| Some((t, Value::Fp(span.only()?)));
        let mut all: Vec<_> = self.spans.iter().filter_map(one).collect();
        all.retain(|(t, _)| fold.is_unknown(*t));
        all.sort_unstable_by_key(|(t, _)| *t);
        all
    }

    fn span(&self, t: Term) -> Option<&Span> {
        self.spans.get(&t)
    }

    fn narrow(&mut self, t: Term, by: &Span) {
        match self.spans.get_mut(&t) {
            Some(span) => *span = span.meet(by),
            None => drop(self.spans.insert(t, by.clone())),
        }
    }

    /// What a term is by its parts.
    fn made(&self, fold: &mut Fold, t: Term, format: Format) -> Span {
        if let Some(Value::Fp(x)) = fold.value(t) {
            return Span::of(&x);
        }
        let Head::Op(op, _) = fold.a.head(t) else { return Span::all(format) };
        let args = fold.a.args(t).to_vec();
        let spans: Vec<Span> = args.iter().filter_map(|x| self.span(*x).cloned()).collect();
        match (op, &spans[..]) {
            (Op::FpNeg, [x]) => return x.neg(),
            (Op::FpAbs, [x]) => return x.abs(),
            (Op::FpMin, [x, y]) => return x.min(y),
            (Op::FpMax, [x, y]) => return x.max(y),
            (Op::Ite, [x, y]) => return x.join(y),
            _ => {}
        }
        let in_mode = |mode: RoundingMode| match (op, &spans[..]) {
            (Op::FpRoundToIntegral, [x]) => Some(x.round_to_integral(mode)),
            (Op::ToFpFp, [x]) => Some(x.to_format(mode, format)),
            (Op::FpSqrt, [x]) => Some(x.sqrt(mode)),
            (Op::FpAdd, [x, y]) => Some(x.add(mode, y)),
            (Op::FpSub, [x, y]) => Some(x.add(mode, &y.neg())),
            (Op::FpMul, [x, y]) => Some(x.mul(mode, y)),
            _ => None,
        };
        let modes = match args.first().and_then(|&m| fold.value(m)) {
            Some(Value::Rm(mode)) => vec![mode],
            _ => RoundingMode::ALL.to_vec(),
        };
        let all: Option<Vec<Span>> = modes.into_iter().map(in_mode).collect();
        let joined = all.and_then(|all| all.into_iter().reduce(|x, y| x.join(&y)));
        joined.unwrap_or_else(|| Span::all(format))
    }

    /// What a literal says of the terms in it.
    fn learn(&mut self, fold: &Fold, literal: Term) {
        let (t, holds) = atom(fold, literal);
        let Head::Op(op, _) = fold.a.head(t) else { return };
        match (op, fold.a.args(t)) {
            (Op::FpLt, &[x, y]) => self.ordered(x, y, false, holds),
            (Op::FpLeq, &[x, y]) => self.ordered(x, y, true, holds),
            (Op::FpGt, &[x, y]) => self.ordered(y, x, false, holds),
            (Op::FpGeq, &[x, y]) => self.ordered(y, x, true, holds),
            (Op::FpEq, &[x, y]) if holds => {
                self.ordered(x, y, true, true);
                self.ordered(y, x, true, true);
            }
            (Op::Eq, &[x, y]) if holds => {
                if let (Some(one), Some(other)) = (self.span(x).cloned(), self.span(y).cloned()) {
                    self.narrow(x, &other);
                    self.narrow(y, &one);
                }
            }
            (_, &[x]) => {
                let Some(format) = format(fold, fold.a.sort(x)) else { return };
                if let Some(span) = tested(op, holds, format) {
                    self.narrow(x, &span);
                }
            }
            _ => {}
        }
    }

    /// The first term is below the second one (or equal to it), or is not.
    fn ordered(&mut self, x: Term, y: Term, or_equal: bool, holds: bool) {
        let (Some(low), Some(high)) = (self.span(x).cloned(), self.span(y).cloned()) else {
            return;
        };
        if holds {
            self.narrow(x, &Span::below(&high, or_equal));
            self.narrow(y, &Span::above(&low, or_equal));
            return;
        }
        // Then it is the other way round, or one of them is NaN.
        let nan = |s: &Span| s.contains(&Fp::nan(s.format()));
        if !nan(&high) {
            self.narrow(x, &Span::above(&high, !or_equal).with_nan(true));
        }
        if !nan(&low) {
            self.narrow(y, &Span::below(&low, !or_equal).with_nan(true));
        }
    }

    /// Whether an atom holds, for all that is known of its terms.
    pub fn decide(&self, fold: &Fold, t: Term) -> Option<bool> {
        let Head::Op(op, _) = fold.a.head(t) else { return None };
        match *fold.a.args(t) {
            [x, y] => {
                let (x, y) = (self.span(x)?, self.span(y)?);
                match op {
                    Op::FpLt => x.is_below(y, false),
                    Op::FpLeq => x.is_below(y, true),
                    Op::FpGt => y.is_below(x, false),
                    Op::FpGeq => y.is_below(x, true),
                    Op::FpEq => x.is_ieee_equal(y),
                    Op::Eq => x.is_equal(y),
                    _ => None,
                }
            }
            [x] => {
                let span = self.span(x)?;
                let signed = matches!(op, Op::FpIsNegative | Op::FpIsPositive | Op::FpIsNan);
                let span = if signed { span.clone() } else { span.abs() };
                span.is_within(&class(op, span.format())?)
            }
            _ => None,
        }
    }
}

fn format(fold: &Fold, sort: Sort) -> Option<Format> {
    match *fold.a.sort_kind(sort) {
        SortKind::Float(eb, sb) => Format::new(eb, sb).ok(),
        _ => None,
    }
}

/// The values for which a test holds; of tests that do not look at the sign, those that have none.
fn class(op: Op, format: Format) -> Option<Span> {
    let (zero, infinity) = (Fp::zero(format, false), Fp::infinity(format, false));
    let (smallest, largest) = (Fp::least_normal(format), Fp::largest(format, false));
    Some(match op {
        Op::FpIsNan => Span::of(&Fp::nan(format)),
        Op::FpIsInfinite => Span::of(&infinity),
        Op::FpIsZero => Span::of(&zero),
        Op::FpIsNormal => Span::between(smallest, largest),
        Op::FpIsSubnormal => {
            let below = Span::below(&Span::of(&smallest), false);
            below.meet(&Span::above(&Span::of(&zero), false))
        }
        Op::FpIsPositive => Span::between(zero, infinity),
        Op::FpIsNegative => Span::between(zero, infinity).neg(),
        _ => return None,
    })
}

/// All values for which a test holds, or does not, and what is between them.
fn tested(op: Op, holds: bool, format: Format) -> Option<Span> {
    let class = class(op, format)?;
    Some(match (op, holds) {
        (Op::FpIsNan | Op::FpIsPositive | Op::FpIsNegative, true) => class,
        (_, true) => class.join(&class.neg()),
        (Op::FpIsNan, false) => Span::all(format).with_nan(false),
        (Op::FpIsPositive | Op::FpIsNegative, false) => class.neg().with_nan(true),
        (Op::FpIsInfinite, false) => {
            let largest = |neg| Fp::largest(format, neg);
            Span::between(largest(true), largest(false)).with_nan(true)
        }
        (_, false) => return None,
    })
}
