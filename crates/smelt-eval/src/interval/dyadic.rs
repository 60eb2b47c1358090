//! Dyadic numbers, the end points of intervals: an integer times a power of two, rounded in a chosen direction.

use crate::int::Int;
use crate::limit::{Limit, MAX_NUMBER_BITS};
use crate::rat::Rat;
use dashu_base::{BitTest, DivRemEuclid, Sign, SquareRootRem, UnsignedAbs};
use dashu_int::{IBig, UBig};
use std::cmp::Ordering;

/// Where a result that needs too many bits goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Toward {
    /// To the next smaller number.
    Down,
    /// To the next greater number.
    Up,
}

/// `mant · 2^exp`. Normalised: `mant` is odd, or both are zero.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Dyadic {
    mant: IBig,
    exp: i64,
}

impl Dyadic {
    /// Zero.
    pub const ZERO: Dyadic = Dyadic { mant: IBig::ZERO, exp: 0 };

    /// `mant · 2^exp`.
    pub fn new(mant: IBig, exp: i64) -> Dyadic {
        match mant.trailing_zeros() {
            None => Dyadic::ZERO,
            Some(0) => Dyadic { mant, exp },
            Some(zeros) => Dyadic { mant: mant >> zeros, exp: exp + zeros as i64 },
        }
    }

    /// A small integer.
    pub fn from_i64(n: i64) -> Dyadic {
        Dyadic::new(IBig::from(n), 0)
    }

    /// The exponent of the bit above the most significant one.
    pub fn end(&self) -> i64 {
        self.exp + self.mant.bit_len() as i64
    }

    /// −1, 0 or 1.
    pub fn signum(&self) -> i32 {
        match (self.mant.is_zero(), self.mant.sign()) {
            (true, _) => 0,
            (_, Sign::Negative) => -1,
            (_, Sign::Positive) => 1,
        }
    }

    /// The number with the other sign.
    pub fn neg(&self) -> Dyadic {
        Dyadic { mant: -self.mant.clone(), exp: self.exp }
    }

    /// `self · 2^k`.
    pub fn scale(&self, k: i64) -> Dyadic {
        if self.mant.is_zero() {
            Dyadic::ZERO
        } else {
            Dyadic { mant: self.mant.clone(), exp: self.exp + k }
        }
    }

    /// At most `prec` bits of the number, rounded.
    pub fn round(&self, prec: u32, toward: Toward) -> Dyadic {
        let len = self.mant.bit_len();
        if len <= prec as usize {
            return self.clone();
        }
        let cut = len - prec as usize;
        Dyadic::new(shift_right(&self.mant, cut, toward), self.exp + cut as i64)
    }

    /// The sum, rounded. Numbers of very different size are not aligned.
    pub fn add(&self, other: &Dyadic, prec: u32, toward: Toward) -> Dyadic {
        let (big, small) = if self.signum() == 0 {
            return other.round(prec, toward);
        } else if other.signum() == 0 {
            return self.round(prec, toward);
        } else if self.end() >= other.end() {
            (self, other)
        } else {
            (other, self)
        };
        let extra = i64::from(prec) + 2;
        let unit = big.exp.min(big.end() - extra);
        let small = if small.end() < unit {
            // Less than a unit: moved outward to a whole one, or to none.
            let whole = match (toward, small.signum() < 0) {
                (Toward::Up, false) => 1,
                (Toward::Down, true) => -1,
                _ => 0,
            };
            &Dyadic::new(IBig::from(whole), unit)
        } else {
            small
        };
        let exp = big.exp.min(small.exp);
        if small.mant.is_zero() {
            return big.round(prec, toward);
        }
        let a = &big.mant << (big.exp - exp) as usize;
        let b = &small.mant << (small.exp - exp) as usize;
        Dyadic::new(a + b, exp).round(prec, toward)
    }

    /// The product, rounded.
    pub fn mul(&self, other: &Dyadic, prec: u32, toward: Toward) -> Dyadic {
        Dyadic::new(&self.mant * &other.mant, self.exp + other.exp).round(prec, toward)
    }

    /// The quotient, rounded; `None` if the divisor is zero.
    pub fn div(&self, other: &Dyadic, prec: u32, toward: Toward) -> Option<Dyadic> {
        if other.mant.is_zero() {
            return None;
        }
        let shift = (other.mant.bit_len() + prec as usize + 2).saturating_sub(self.mant.bit_len());
        let num = &self.mant << shift;
        let (num, den) = match other.mant.sign() {
            Sign::Positive => (num, other.mant.clone()),
            Sign::Negative => (-num, -other.mant.clone()),
        };
        let (mut quotient, rest) = num.div_rem_euclid(den);
        if !rest.is_zero() && toward == Toward::Up {
            quotient += IBig::ONE;
        }
        Some(Dyadic::new(quotient, self.exp - other.exp - shift as i64).round(prec, toward))
    }

    /// The square root, rounded; `None` for a negative number.
    pub fn sqrt(&self, prec: u32, toward: Toward) -> Option<Dyadic> {
        if self.signum() < 0 {
            return None;
        }
        let mut shift = (2 * prec as usize + 4).saturating_sub(self.mant.bit_len());
        if (self.exp - shift as i64) % 2 != 0 {
            shift += 1;
        }
        let (root, rest) = ((&self.mant).unsigned_abs() << shift).sqrt_rem();
        let mut root = IBig::from(root);
        if !rest.is_zero() && toward == Toward::Up {
            root += IBig::ONE;
        }
        Some(Dyadic::new(root, (self.exp - shift as i64) / 2).round(prec, toward))
    }

    /// The greatest integer not above the number; `None` if it is too large.
    pub fn floor(&self) -> Option<IBig> {
        if self.end() > MAX_NUMBER_BITS as i64 {
            return None;
        }
        if self.exp >= 0 {
            return Some(&self.mant << self.exp as usize);
        }
        if self.end() < 0 {
            return Some(if self.signum() < 0 { IBig::NEG_ONE } else { IBig::ZERO });
        }
        Some(shift_right(&self.mant, self.exp.unsigned_abs() as usize, Toward::Down))
    }

    /// The least integer not below the number; `None` if it is too large.
    pub fn ceil(&self) -> Option<IBig> {
        self.neg().floor().map(|n| -n)
    }

    /// The rational number, rounded.
    pub fn from_rat(x: &Rat, prec: u32, toward: Toward) -> Dyadic {
        let num = Dyadic::new(x.numerator().to_big(), 0);
        let den = Dyadic::new(x.denominator().to_big(), 0);
        // A denominator is not zero.
        num.div(&den, prec, toward).unwrap_or(Dyadic::ZERO)
    }

    /// The number as an exact rational.
    pub fn to_rat(&self) -> Result<Rat, Limit> {
        let size = usize::try_from(self.exp.unsigned_abs()).unwrap_or(usize::MAX);
        if size > MAX_NUMBER_BITS {
            return Err(Limit::TooLarge);
        }
        if self.exp < 0 {
            Rat::dyadic(self.mant.clone(), size)
        } else {
            Ok(Rat::from(&Int::from(&self.mant << size)))
        }
    }
}

/// Cuts the low bits off, rounding.
fn shift_right(mant: &IBig, cut: usize, toward: Toward) -> IBig {
    let magnitude: UBig = mant.unsigned_abs();
    let (low, mut high) = magnitude.split_bits(cut);
    let away = match toward {
        Toward::Down => Sign::Negative,
        Toward::Up => Sign::Positive,
    };
    if !low.is_zero() && mant.sign() == away {
        high += UBig::ONE;
    }
    IBig::from_parts(mant.sign(), high)
}

impl Ord for Dyadic {
    fn cmp(&self, other: &Dyadic) -> Ordering {
        let signs = self.signum().cmp(&other.signum());
        if signs.is_ne() || self.signum() == 0 {
            return signs;
        }
        let magnitudes = match self.end().cmp(&other.end()) {
            Ordering::Equal => {
                // The shifts are less than the lengths, for the ends are equal.
                let exp = self.exp.min(other.exp);
                let a: UBig = (&self.mant).unsigned_abs() << (self.exp - exp) as usize;
                a.cmp(&((&other.mant).unsigned_abs() << (other.exp - exp) as usize))
            }
            unequal => unequal,
        };
        if self.signum() < 0 { magnitudes.reverse() } else { magnitudes }
    }
}

impl PartialOrd for Dyadic {
    fn partial_cmp(&self, other: &Dyadic) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
