//! Predicates, comparisons, sign operations, minimum and maximum.

use super::{Fp, Kind};
use crate::fp::Repr;
use std::cmp::Ordering;

/// The result of `fp.min` and `fp.max`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Extremum {
    /// The value.
    Is(Fp),
    /// The arguments were zeros of different sign: the standard allows either.
    EitherZero,
}

impl Fp {
    /// The bits without the sign, and those of infinity, if they fit a machine word.
    #[inline]
    fn small(&self) -> Option<(u64, u64)> {
        match self.0 {
            Repr::Small { eb, sb, bits } => {
                let (eb, fraction) = (u32::from(eb), u32::from(sb) - 1);
                let magnitude = bits & ((1 << (eb + fraction)) - 1);
                Some((magnitude, ((1 << eb) - 1) << fraction))
            }
            Repr::Big(_) => None,
        }
    }

    /// `(fp.isNaN x)`.
    #[inline]
    pub fn is_nan(&self) -> bool {
        match self.small() {
            Some((magnitude, infinity)) => magnitude > infinity,
            None => matches!(self.kind(), Kind::Nan),
        }
    }

    /// `(fp.isInfinite x)`.
    pub fn is_infinite(&self) -> bool {
        matches!(self.kind(), Kind::Inf { .. })
    }

    /// `(fp.isZero x)`.
    #[inline]
    pub fn is_zero(&self) -> bool {
        match self.small() {
            Some((magnitude, _)) => magnitude == 0,
            None => matches!(self.kind(), Kind::Zero { .. }),
        }
    }

    /// The sign, of NaN too.
    #[inline]
    fn sign(&self) -> bool {
        match self.0 {
            Repr::Small { eb, sb, bits } => bits >> (u32::from(eb) + u32::from(sb) - 1) & 1 == 1,
            Repr::Big(_) => self.fields().0,
        }
    }

    /// `(fp.isNormal x)`: finite, not zero, not subnormal.
    pub fn is_normal(&self) -> bool {
        let (_, exponent, _) = self.fields();
        exponent != 0 && exponent != self.format().top()
    }

    /// `(fp.isSubnormal x)`.
    pub fn is_subnormal(&self) -> bool {
        let (_, exponent, fraction) = self.fields();
        exponent == 0 && !fraction.is_zero()
    }

    /// `(fp.isNegative x)`: the sign is minus; false for NaN, true for −0.
    pub fn is_negative(&self) -> bool {
        !self.is_nan() && self.sign()
    }

    /// `(fp.isPositive x)`: the sign is plus; false for NaN, true for +0.
    pub fn is_positive(&self) -> bool {
        !self.is_nan() && !self.sign()
    }

    /// `(fp.neg x)`.
    pub fn neg(&self) -> Fp {
        if self.is_nan() {
            return self.clone();
        }
        if let Repr::Small { eb, sb, bits } = self.0 {
            let sign = 1 << (u32::from(eb) + u32::from(sb) - 1);
            return Fp(Repr::Small { eb, sb, bits: bits ^ sign });
        }
        let (neg, exponent, fraction) = self.fields();
        Fp::pack(self.format(), !neg, exponent, fraction)
    }

    /// `(fp.abs x)`.
    pub fn abs(&self) -> Fp {
        if self.is_negative() { self.neg() } else { self.clone() }
    }

    /// The order of the numbers; −0 and +0 are equal, NaN is unordered.
    fn order(&self, other: &Fp) -> Option<Ordering> {
        debug_assert_eq!(self.format(), other.format(), "operands of different format");
        if self.is_nan() || other.is_nan() {
            return None;
        }
        if self.is_zero() && other.is_zero() {
            return Some(Ordering::Equal);
        }
        let (a, b) = (self.sign(), other.sign());
        if a != b {
            return Some(if a { Ordering::Less } else { Ordering::Greater });
        }
        // With equal signs the magnitudes are ordered as their bits are.
        let magnitudes = match (&self.0, &other.0) {
            (Repr::Small { bits: x, .. }, Repr::Small { bits: y, .. }) => x.cmp(y),
            (Repr::Big(x), Repr::Big(y)) => x.1.cmp(&y.1),
            _ => return None,
        };
        Some(if a { magnitudes.reverse() } else { magnitudes })
    }

    /// `(fp.eq x y)`: IEEE equality; NaN equals nothing, −0 equals +0.
    pub fn ieee_eq(&self, other: &Fp) -> bool {
        self.order(other) == Some(Ordering::Equal)
    }

    /// `(fp.lt x y)`.
    pub fn lt(&self, other: &Fp) -> bool {
        self.order(other) == Some(Ordering::Less)
    }

    /// `(fp.leq x y)`.
    pub fn leq(&self, other: &Fp) -> bool {
        matches!(self.order(other), Some(Ordering::Less | Ordering::Equal))
    }

    /// `(fp.gt x y)`.
    pub fn gt(&self, other: &Fp) -> bool {
        other.lt(self)
    }

    /// `(fp.geq x y)`.
    pub fn geq(&self, other: &Fp) -> bool {
        other.leq(self)
    }

    /// `(fp.min x y)`: of a NaN and a number, the number.
    pub fn min(&self, other: &Fp) -> Extremum {
        self.extremum(other, Ordering::Less)
    }

    /// `(fp.max x y)`: of a NaN and a number, the number.
    pub fn max(&self, other: &Fp) -> Extremum {
        self.extremum(other, Ordering::Greater)
    }

    fn extremum(&self, other: &Fp, wanted: Ordering) -> Extremum {
        if self.is_nan() {
            return Extremum::Is(other.clone());
        }
        if self.is_zero() && other.is_zero() && self != other {
            return Extremum::EitherZero;
        }
        match self.order(other) {
            Some(order) if order != wanted => Extremum::Is(other.clone()),
            _ => Extremum::Is(self.clone()),
        }
    }
}
