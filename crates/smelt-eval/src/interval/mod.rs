//! Rigorous interval arithmetic: reals that are known only up to an enclosure.
//!
//! The value of `(sin 1.0)` has no finite form. An [`Interval`] certainly holds it, because every step rounds outward;
//! a comparison of two intervals is answered only if it is the same for all numbers in them. `None` from an
//! operation means: no finite enclosure (a pole, an argument that may be outside the domain, or one too large).

mod arctan;
mod dyadic;
mod exponential;
mod trigonometric;

pub use arctan::pi;
pub use dyadic::{Dyadic, Toward};

use crate::rat::Rat;
use std::cmp::Ordering;

/// The least and the largest sensible precision, in bits.
pub const PRECISIONS: std::ops::RangeInclusive<u32> = 16..=1 << 14;

/// Beyond `2^MAGNITUDE` (and below its inverse) exponents are not followed.
const MAGNITUDE: i64 = 1 << 40;

/// A closed interval of reals, not empty.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Interval {
    low: Dyadic,
    high: Dyadic,
}

impl Interval {
    /// The interval of two ends; `None` if they are in the wrong order.
    pub fn new(low: Dyadic, high: Dyadic) -> Option<Interval> {
        (low <= high).then_some(Interval { low, high })
    }

    /// A single number.
    pub fn point(x: Dyadic) -> Interval {
        Interval { low: x.clone(), high: x }
    }

    fn int(n: i64) -> Interval {
        Interval::point(Dyadic::from_i64(n))
    }

    /// An enclosure of a rational; a single number if `prec` bits suffice.
    pub fn from_rat(x: &Rat, prec: u32) -> Interval {
        Interval {
            low: Dyadic::from_rat(x, prec, Toward::Down),
            high: Dyadic::from_rat(x, prec, Toward::Up),
        }
    }

    /// The lower end.
    pub fn low(&self) -> &Dyadic {
        &self.low
    }

    /// The upper end.
    pub fn high(&self) -> &Dyadic {
        &self.high
    }

    /// Is it a single number, thus known exactly?
    pub fn is_point(&self) -> bool {
        self.low == self.high
    }

    /// Does it hold zero?
    pub fn has_zero(&self) -> bool {
        self.low.signum() <= 0 && self.high.signum() >= 0
    }

    /// May it hold a given rational? (Answered exactly unless an end is too large to be written as a rational.)
    pub fn contains(&self, x: &Rat) -> bool {
        match (self.low.to_rat(), self.high.to_rat()) {
            (Ok(low), Ok(high)) => low <= *x && *x <= high,
            _ => true,
        }
    }

    /// The order of any two numbers of the two intervals, if it is the same for all.
    pub fn compare(&self, other: &Interval) -> Option<Ordering> {
        if self.high < other.low {
            Some(Ordering::Less)
        } else if self.low > other.high {
            Some(Ordering::Greater)
        } else if self.is_point() && self == other {
            Some(Ordering::Equal)
        } else {
            None
        }
    }

    /// The sign of the numbers, if it is the same for all.
    pub fn signum(&self) -> Option<i32> {
        let (low, high) = (self.low.signum(), self.high.signum());
        (low == high).then_some(low)
    }

    fn hull(&self, other: &Interval) -> Interval {
        Interval {
            low: self.low.clone().min(other.low.clone()),
            high: self.high.clone().max(other.high.clone()),
        }
    }

    /// Drops an enclosure whose exponents run away.
    fn bounded(self) -> Option<Interval> {
        let tame = |x: &Dyadic| x.end().abs() < MAGNITUDE;
        (tame(&self.low) && tame(&self.high)).then_some(self)
    }

    /// `-x`.
    pub fn neg(&self) -> Interval {
        Interval { low: self.high.neg(), high: self.low.neg() }
    }

    /// `|x|`.
    pub fn abs(&self) -> Interval {
        if self.low.signum() >= 0 {
            self.clone()
        } else if self.high.signum() <= 0 {
            self.neg()
        } else {
            Interval { low: Dyadic::ZERO, high: self.low.neg().max(self.high.clone()) }
        }
    }

    /// `x + y`.
    pub fn add(&self, other: &Interval, prec: u32) -> Interval {
        Interval {
            low: self.low.add(&other.low, prec, Toward::Down),
            high: self.high.add(&other.high, prec, Toward::Up),
        }
    }

    /// `x - y`.
    pub fn sub(&self, other: &Interval, prec: u32) -> Interval {
        self.add(&other.neg(), prec)
    }

    /// `x · y`; `None` beyond the exponents followed.
    pub fn mul(&self, other: &Interval, prec: u32) -> Option<Interval> {
        let ends = [
            (&self.low, &other.low),
            (&self.low, &other.high),
            (&self.high, &other.low),
            (&self.high, &other.high),
        ];
        let low = ends.iter().map(|(a, b)| a.mul(b, prec, Toward::Down)).min()?;
        let high = ends.iter().map(|(a, b)| a.mul(b, prec, Toward::Up)).max()?;
        Interval { low, high }.bounded()
    }

    /// `x · 2^k`.
    fn scale(&self, k: i64) -> Interval {
        Interval { low: self.low.scale(k), high: self.high.scale(k) }
    }

    /// `x / y`; `None` if the divisor may be zero.
    pub fn div(&self, other: &Interval, prec: u32) -> Option<Interval> {
        if other.has_zero() {
            return None;
        }
        let ends = [
            (&self.low, &other.low),
            (&self.low, &other.high),
            (&self.high, &other.low),
            (&self.high, &other.high),
        ];
        let low = ends.iter().filter_map(|(a, b)| a.div(b, prec, Toward::Down)).min()?;
        let high = ends.iter().filter_map(|(a, b)| a.div(b, prec, Toward::Up)).max()?;
        Interval { low, high }.bounded()
    }

    /// `x` to the power `n`.
    pub fn pow(&self, n: u32, prec: u32) -> Option<Interval> {
        // An even power is that of the magnitude: no dependence of the factors on each other's sign.
        let base = if n.is_multiple_of(2) { self.abs() } else { self.clone() };
        let mut result = Interval::int(1);
        for i in (0..32 - n.leading_zeros()).rev() {
            result = if result.low.signum() >= 0 {
                result.mul(&result, prec)?
            } else {
                result.abs().mul(&result.abs(), prec)?
            };
            if n >> i & 1 == 1 {
                result = result.mul(&base, prec)?;
            }
        }
        Some(result)
    }

    /// `(sqrt x)`; `None` if an argument may be negative.
    pub fn sqrt(&self, prec: u32) -> Option<Interval> {
        Some(Interval {
            low: self.low.sqrt(prec, Toward::Down)?,
            high: self.high.sqrt(prec, Toward::Up)?,
        })
    }

    /// The image under an increasing function, from its enclosures at the ends.
    fn increasing(&self, f: impl Fn(&Dyadic) -> Option<Interval>) -> Option<Interval> {
        let low = f(&self.low)?;
        if self.is_point() {
            return Some(low);
        }
        Some(Interval { low: low.low, high: f(&self.high)?.high })
    }
}
