//! Sums of open numbers with rational factors.

use super::{Key, Meaning, Open, Opens};
use crate::limit::Limit;
use crate::outcome::Undetermined;
use crate::rat::Rat;
use crate::value::Value;
use smelt_smtlib::Sort;
use std::cmp::Ordering;

/// Longer sums are not taken apart.
const MAX_TERMS: usize = 32;

/// A constant, and open numbers with factors that are not zero, sorted by number.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Linear {
    constant: Rat,
    terms: Vec<(Open, Rat)>,
}

impl Linear {
    pub fn constant(q: Rat) -> Linear {
        Linear { constant: q, terms: Vec::new() }
    }

    /// The number that this is, if it has no open part.
    pub fn known(&self) -> Option<&Rat> {
        self.terms.is_empty().then_some(&self.constant)
    }

    /// The factor of an open number, and the rest.
    pub fn without(&self, open: Open) -> (Rat, Linear) {
        let factor = self.terms.iter().find(|(o, _)| o.id == open.id);
        let rest = self.terms.iter().filter(|(o, _)| o.id != open.id).cloned().collect();
        let rest = Linear { constant: self.constant.clone(), terms: rest };
        (factor.map_or(Rat::ZERO, |(_, q)| q.clone()), rest)
    }

    /// The form with the first factor 1, which has the same zeros; `None` if it has no open part, or is too large.
    pub fn normalised(&self) -> Option<Linear> {
        let (_, factor) = self.terms.first()?;
        self.scaled(&factor.recip()?).ok()
    }

    /// Whether the value is an integer whatever the variables are.
    pub fn is_whole(&self, opens: &Opens) -> bool {
        let integer = |(o, q): &(Open, Rat)| q.is_int() && opens.is_integer(*o) == Some(true);
        self.constant.is_int() && self.terms.iter().all(integer)
    }

    /// The open numbers in it.
    pub fn parts(&self) -> impl Iterator<Item = Open> + '_ {
        self.terms.iter().map(|(o, _)| *o)
    }

    pub fn scaled(&self, by: &Rat) -> Result<Linear, Limit> {
        if by.is_zero() {
            return Ok(Linear::constant(Rat::ZERO));
        }
        let terms = self.terms.iter().map(|(o, q)| Ok((*o, q.mul(by)?)));
        Ok(Linear {
            constant: self.constant.mul(by)?,
            terms: terms.collect::<Result<Vec<_>, Limit>>()?,
        })
    }

    /// `self + other`; `None` if it is too long.
    pub fn plus(&self, other: &Linear) -> Result<Option<Linear>, Limit> {
        let mut terms = self.terms.clone();
        for (o, q) in &other.terms {
            match terms.binary_search_by_key(&o.id, |(p, _)| p.id) {
                Ok(at) => terms[at].1 = terms[at].1.add(q)?,
                Err(at) => terms.insert(at, (*o, q.clone())),
            }
        }
        terms.retain(|(_, q)| !q.is_zero());
        let constant = self.constant.add(&other.constant)?;
        Ok((terms.len() <= MAX_TERMS).then_some(Linear { constant, terms }))
    }

    /// `self - other`, if it can be formed.
    pub fn minus(&self, other: &Linear) -> Option<Linear> {
        let negated = other.scaled(&Rat::ONE.neg()).ok()?;
        self.plus(&negated).ok().flatten()
    }
}

impl Opens {
    /// A number as a sum; `None` if it is not rational and not open.
    pub fn linear(&self, v: &Value) -> Option<Linear> {
        match v {
            Value::Int(n) => Some(Linear::constant(Rat::from(n))),
            Value::Real(q) => Some(Linear::constant(q.clone())),
            Value::Open(open) => Some(match self.meaning(*open) {
                Some(Meaning::Sum(sum)) => sum.clone(),
                _ => Linear { constant: Rat::ZERO, terms: vec![(*open, Rat::ONE)] },
            }),
            _ => None,
        }
    }

    /// The value of a sum of sort Int or Real. (The factors of a sum of integers are integers.)
    pub fn sum(&mut self, sum: Linear, sort: Sort, why: Undetermined) -> Value {
        match &sum.terms[..] {
            [] if sort == Sort::INT => Value::Int(sum.constant.floor()),
            [] => Value::Real(sum.constant),
            [(open, factor)] if *factor == Rat::ONE && sum.constant.is_zero() => Value::Open(*open),
            _ => self.named(Key::Sum(sum.clone(), sort), |opens| {
                let open = opens.fresh(why);
                if sum.parts().any(|o| opens.varies(o)) {
                    opens.varying.insert(open.id);
                }
                opens.define(open, Meaning::Sum(sum));
                Value::Open(open)
            }),
        }
    }

    /// How a sum compares with zero where that is decided: the orders that are possible.
    fn orders(&self, sum: &Linear) -> [bool; 3] {
        let (low, high) = self.bounds(sum).unwrap_or_default();
        let below = low.as_ref().is_none_or(|q| q.signum() < 0);
        let above = high.as_ref().is_none_or(|q| q.signum() > 0);
        let zero = low.is_none_or(|q| q.signum() <= 0) && high.is_none_or(|q| q.signum() >= 0);
        [below, zero, above]
    }

    /// The least and the greatest value of a sum.
    pub fn bounds(&self, sum: &Linear) -> Result<super::Range, Limit> {
        let (mut low, mut high) = (Some(sum.constant.clone()), Some(sum.constant.clone()));
        for (open, factor) in &sum.terms {
            let (l, h) = self.range(*open);
            let (l, h) = if factor.signum() < 0 { (h, l) } else { (l, h) };
            let add = |sum: Option<Rat>, end: Option<Rat>| match (sum, end) {
                (Some(sum), Some(end)) => end.mul(factor)?.add(&sum).map(Some),
                _ => Ok(None),
            };
            (low, high) = (add(low, l)?, add(high, h)?);
        }
        Ok((low, high))
    }

    /// Whether the order of a sum and zero is among those wanted; `None` if that is not decided.
    pub fn compares(&self, sum: &Linear, wanted: fn(Ordering) -> bool) -> Option<bool> {
        let possible = self.orders(sum);
        let all = [Ordering::Less, Ordering::Equal, Ordering::Greater];
        let mut answers = all.iter().zip(possible).filter(|(_, p)| *p).map(|(o, _)| wanted(*o));
        let first = answers.next()?;
        answers.all(|answer| answer == first).then_some(first)
    }
}
