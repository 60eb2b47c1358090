//! Sets of floating-point numbers between two ends, and what operations make of all numbers of such sets.
//!
//! Rounding is monotone, and so are the operations here in each of their arguments, if zeros are ordered by their signs (−0 below +0). So the
//! ends of a result are the results at ends; what is not sure to be left out is in.

use std::cmp::Ordering;

use super::{Extremum, Format, Fp, RoundingMode};

/// All numbers from one to another, and perhaps NaN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    format: Format,
    ends: Option<(Fp, Fp)>,
    nan: bool,
}

impl Span {
    /// Everything of a format.
    pub fn all(format: Format) -> Span {
        let ends = Some((Fp::infinity(format, true), Fp::infinity(format, false)));
        Span { format, ends, nan: true }
    }

    /// Nothing but this value.
    pub fn of(x: &Fp) -> Span {
        let format = x.format();
        match x.is_nan() {
            true => Span { format, ends: None, nan: true },
            false => Span { format, ends: Some((x.clone(), x.clone())), nan: false },
        }
    }

    /// The numbers from one to another, without NaN.
    pub fn between(low: Fp, high: Fp) -> Span {
        let format = low.format();
        let ends = Some((low, high)).filter(|(l, h)| l.rank(h).is_le());
        Span { format, ends, nan: false }
    }

    /// With NaN, or without it.
    pub fn with_nan(mut self, nan: bool) -> Span {
        self.nan = nan;
        self
    }

    /// The format.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.ends.is_none() && !self.nan
    }

    /// The only value in it.
    pub fn only(&self) -> Option<Fp> {
        match &self.ends {
            None => self.nan.then(|| Fp::nan(self.format)),
            Some((l, h)) => (l == h && !self.nan).then(|| l.clone()),
        }
    }

    /// Whether a value is in it.
    pub fn contains(&self, x: &Fp) -> bool {
        match &self.ends {
            _ if x.is_nan() => self.nan,
            None => false,
            Some((l, h)) => l.rank(x).is_le() && x.rank(h).is_le(),
        }
    }

    /// What is in both.
    pub fn meet(&self, other: &Span) -> Span {
        let ends = match (&self.ends, &other.ends) {
            (Some((a, b)), Some((c, d))) => {
                let low = if a.rank(c).is_ge() { a } else { c };
                let high = if b.rank(d).is_le() { b } else { d };
                Some((low.clone(), high.clone())).filter(|(l, h)| l.rank(h).is_le())
            }
            _ => None,
        };
        Span { format: self.format, ends, nan: self.nan && other.nan }
    }

    /// What is in one of them, and between.
    pub fn join(&self, other: &Span) -> Span {
        let ends = match (&self.ends, &other.ends) {
            (Some((a, b)), Some((c, d))) => {
                let low = if a.rank(c).is_le() { a } else { c };
                let high = if b.rank(d).is_ge() { b } else { d };
                Some((low.clone(), high.clone()))
            }
            (one, None) => one.clone(),
            (None, one) => one.clone(),
        };
        Span { format: self.format, ends, nan: self.nan || other.nan }
    }

    /// Those below the numbers of another one (or equal to them, as `fp.leq` has it), for all that is known of these.
    pub fn below(other: &Span, or_equal: bool) -> Span {
        let least = Fp::infinity(other.format, true);
        let high = other.ends.as_ref().and_then(|(_, h)| match (or_equal, h.is_zero()) {
            (true, true) => Some(Fp::zero(other.format, false)),
            (true, false) => Some(h.clone()),
            (false, true) => Fp::zero(other.format, true).before(),
            (false, false) => h.before(),
        });
        Span::up_to(other.format, high.map(|h| (least, h)))
    }

    /// Those above the numbers of another one (or equal to them, as `fp.geq` has it), for all that is known of these.
    pub fn above(other: &Span, or_equal: bool) -> Span {
        Span::below(&other.neg(), or_equal).neg()
    }

    fn up_to(format: Format, ends: Option<(Fp, Fp)>) -> Span {
        Span { format, ends, nan: false }
    }

    /// `(fp.neg x)`
    pub fn neg(&self) -> Span {
        let ends = self.ends.as_ref().map(|(l, h)| (h.neg(), l.neg()));
        Span { ends, ..self.clone() }
    }

    /// `(fp.abs x)`
    pub fn abs(&self) -> Span {
        let zero = Fp::zero(self.format, false);
        let positive = Span::between(zero, Fp::infinity(self.format, false));
        let own = self.meet(&positive);
        own.join(&self.neg().meet(&positive)).with_nan(self.nan)
    }

    /// What a monotone operation makes of it that makes NaN of NaN only.
    fn map(&self, format: Format, f: impl Fn(&Fp) -> Fp) -> Span {
        Span { format, ends: self.ends.as_ref().map(|(l, h)| (f(l), f(h))), nan: self.nan }
    }

    /// `(fp.roundToIntegral mode x)`
    pub fn round_to_integral(&self, mode: RoundingMode) -> Span {
        self.map(self.format, |x| x.round_to_integral(mode))
    }

    /// `((_ to_fp eb sb) mode x)`
    pub fn to_format(&self, mode: RoundingMode, format: Format) -> Span {
        self.map(format, |x| x.to_format(mode, format))
    }

    /// `(fp.sqrt mode x)`: NaN below −0.
    pub fn sqrt(&self, mode: RoundingMode) -> Span {
        let zero = Fp::zero(self.format, true);
        let has_root = Span::between(zero, Fp::infinity(self.format, false));
        let negative = self.ends.as_ref().is_some_and(|(l, _)| l.is_negative() && !l.is_zero());
        self.meet(&has_root).with_nan(self.nan || negative).map(self.format, |x| x.sqrt(mode))
    }

    /// `(fp.add mode x y)`
    pub fn add(&self, mode: RoundingMode, other: &Span) -> Span {
        let (Some((a, b)), Some((c, d))) = (&self.ends, &other.ends) else {
            return Span::of(&Fp::nan(self.format));
        };
        let (low, high) = (a.add(mode, c), b.add(mode, d));
        if low.is_nan() || high.is_nan() {
            return Span::all(self.format);
        }
        let opposite = |x: &Fp, y: &Fp| x.is_infinite() && y.is_infinite() && x != y;
        let nan = self.nan || other.nan || opposite(a, d) || opposite(b, c);
        Span::between(low, high).with_nan(nan)
    }

    /// `(fp.mul mode x y)`
    pub fn mul(&self, mode: RoundingMode, other: &Span) -> Span {
        let mut all = Span::of(&Fp::nan(self.format)).with_nan(self.nan || other.nan);
        for (x, x_neg) in self.signs() {
            for (y, y_neg) in other.signs() {
                // Of magnitudes, the product grows with both.
                let product = match (x.mul_magnitudes(mode, &y, x_neg != y_neg), x_neg != y_neg) {
                    (Some(product), _) => product,
                    (None, neg) => {
                        let (zero, infinity) =
                            (Fp::zero(self.format, neg), Fp::infinity(self.format, neg));
                        match neg {
                            true => Span::between(infinity, zero),
                            false => Span::between(zero, infinity),
                        }
                        .with_nan(true)
                    }
                };
                all = all.join(&product);
            }
        }
        all
    }

    /// The magnitudes of its negative and of its positive numbers, and whether they are negative.
    fn signs(&self) -> Vec<(Span, bool)> {
        let positive = |s: &Span| {
            let zero = Fp::zero(s.format, false);
            let part = s.meet(&Span::between(zero, Fp::infinity(s.format, false)));
            part.with_nan(false)
        };
        let both = [(positive(&self.neg()), true), (positive(self), false)];
        both.into_iter().filter(|(part, _)| !part.is_empty()).collect()
    }

    /// The products of positive numbers, negated if `neg`; `None` if an end has none.
    fn mul_magnitudes(&self, mode: RoundingMode, other: &Span, neg: bool) -> Option<Span> {
        let ((a, b), (c, d)) = (self.ends.as_ref()?, other.ends.as_ref()?);
        let sign = |x: &Fp| if neg { x.neg() } else { x.clone() };
        let (low, high) = (a.mul(mode, &sign(c)), b.mul(mode, &sign(d)));
        if low.is_nan() || high.is_nan() {
            return None;
        }
        let nan = |zero: &Fp, infinity: &Fp| zero.is_zero() && infinity.is_infinite();
        let ends = if neg { (high, low) } else { (low, high) };
        Some(Span::between(ends.0, ends.1).with_nan(nan(a, d) || nan(c, b)))
    }

    /// `(fp.max x y)`: of a NaN and a number, the number; of zeros of different sign, either.
    pub fn max(&self, other: &Span) -> Span {
        let of_numbers = match (&self.ends, &other.ends) {
            (Some((a, b)), Some((c, d))) => {
                let greater = |x: &Fp, y: &Fp, either: bool| match x.max(y) {
                    Extremum::Is(z) => match z.is_zero() && self.has_zero() && other.has_zero() {
                        true => Fp::zero(self.format, either),
                        false => z,
                    },
                    Extremum::EitherZero => Fp::zero(self.format, either),
                };
                Span::between(greater(a, c, true), greater(b, d, false))
            }
            _ => Span::of(&Fp::nan(self.format)).with_nan(false),
        };
        let own = if other.nan { self } else { &of_numbers };
        let others = if self.nan { other } else { &of_numbers };
        let all = of_numbers.join(own).join(others);
        all.with_nan(self.nan && other.nan)
    }

    /// `(fp.min x y)`
    pub fn min(&self, other: &Span) -> Span {
        self.neg().max(&other.neg()).neg()
    }

    fn has_zero(&self) -> bool {
        [true, false].into_iter().any(|neg| self.contains(&Fp::zero(self.format, neg)))
    }

    /// Whether all pairs of values of the two are related by a comparison of numbers, or none is: `fp.lt`, `fp.leq`.
    pub fn is_below(&self, other: &Span, or_equal: bool) -> Option<bool> {
        let (Some((a, b)), Some((c, d))) = (&self.ends, &other.ends) else { return Some(false) };
        let holds = |x: &Fp, y: &Fp| if or_equal { x.leq(y) } else { x.lt(y) };
        match (holds(b, c), holds(a, d)) {
            (true, _) if !self.nan && !other.nan => Some(true),
            (_, false) => Some(false),
            _ => None,
        }
    }

    /// `(fp.eq x y)`, of all pairs of values.
    pub fn is_ieee_equal(&self, other: &Span) -> Option<bool> {
        match (self.is_below(other, true), other.is_below(self, true)) {
            (Some(true), Some(true)) => Some(true),
            (Some(false), _) | (_, Some(false)) => Some(false),
            _ => None,
        }
    }

    /// `(= x y)`, of all pairs of values.
    pub fn is_equal(&self, other: &Span) -> Option<bool> {
        match (self.only(), other.only()) {
            (Some(x), Some(y)) => Some(x == y),
            _ => self.meet(other).is_empty().then_some(false),
        }
    }

    /// Whether all values are within another one, or none is.
    pub fn is_within(&self, other: &Span) -> Option<bool> {
        let both = self.meet(other);
        match (both.is_empty(), both == *self) {
            (true, _) => Some(false),
            (_, true) => Some(true),
            _ => None,
        }
    }
}

impl Fp {
    /// The order of numbers with −0 below +0; of NaN, the order of its bits.
    fn rank(&self, other: &Fp) -> Ordering {
        if self == other {
            return Ordering::Equal;
        }
        match self.lt(other) || self.is_zero() && other.is_zero() && self.is_negative() {
            true => Ordering::Less,
            false => Ordering::Greater,
        }
    }

    /// The number before this one: of +0, that is −0; there is none before −∞.
    fn before(&self) -> Option<Fp> {
        let format = self.format();
        if self.is_zero() && self.is_positive() {
            return Some(self.neg());
        }
        if self.is_nan() || *self == Fp::infinity(format, true) {
            return None;
        }
        // The bits behind the sign are ordered as magnitudes are.
        let bits = self.to_bits();
        let one = crate::bv::Bv::new(format.width(), 1).ok()?;
        let bits = if self.is_negative() { bits.bvadd(&one) } else { bits.bvsub(&one) };
        Fp::from_bits(format, &bits)
    }
}

#[cfg(test)]
mod tests;
