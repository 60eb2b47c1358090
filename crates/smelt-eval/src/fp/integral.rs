//! Rounding to integers, and the IEEE remainder.

use super::round::{round, to_integer};
use super::{Dyadic, Fp, Kind, RoundingMode};
use dashu_base::BitTest;
use dashu_int::UBig;
use std::cmp::Ordering;

impl Dyadic {
    /// The magnitude rounded to an integer; the caller has bounded the exponent.
    pub(super) fn to_integer(&self, mode: RoundingMode) -> UBig {
        if self.exp >= 0 {
            &self.mant << self.exp as usize
        } else {
            to_integer(mode, self.neg, &self.mant, self.exp.unsigned_abs(), false)
        }
    }
}

impl Fp {
    /// `(fp.roundToIntegral mode x)`; a zero keeps the sign of `x`. In a format so narrow that the integer is beyond
    /// the largest number, it is rounded as any result is.
    pub fn round_to_integral(&self, mode: RoundingMode) -> Fp {
        let format = self.format();
        match self.kind() {
            Kind::Finite(x) if x.exp < 0 => {
                let mant = x.to_integer(mode);
                if mant.is_zero() {
                    return Fp::zero(format, x.neg);
                }
                round(format, mode, &Dyadic { neg: x.neg, mant, exp: 0 }, false)
            }
            _ => self.clone(),
        }
    }

    /// `(fp.rem x y)`: `x - y·n`, where `n` is the integer nearest to `x/y`, the even one of two. Always exact; a
    /// zero has the sign of `x`.
    pub fn rem(&self, other: &Fp) -> Fp {
        debug_assert_eq!(self.format(), other.format(), "operands of different format");
        let format = self.format();
        let (x, y) = match (self.kind(), other.kind()) {
            (Kind::Nan | Kind::Inf { .. }, _) | (_, Kind::Nan | Kind::Zero { .. }) => {
                return Fp::nan(format);
            }
            (Kind::Zero { .. }, _) | (_, Kind::Inf { .. }) => return self.clone(),
            (Kind::Finite(x), Kind::Finite(y)) => (x, y),
        };
        if x.end() < y.end() - 1 {
            // |x| < |y|/2: n is 0.
            return self.clone();
        }
        // Both over a common unit 2^exp: x = a·2^shift, y = b. The shift may be astronomic, b is not.
        let exp = x.exp.min(y.exp);
        let shift = (x.exp - exp) as u64;
        let b = y.mant << (y.exp - exp) as usize;
        // a·2^shift modulo 2b gives the remainder modulo b and whether the quotient is odd.
        let double = &b << 1usize;
        let (mut rest, mut odd) = (shifted_modulo(&x.mant, shift, &double), false);
        if rest >= b {
            rest -= &b;
            odd = true;
        }
        let mut neg = x.neg;
        let up = match (&rest << 1usize).cmp(&b) {
            Ordering::Less => false,
            Ordering::Equal => odd,
            Ordering::Greater => true,
        };
        if up {
            rest = b - rest;
            neg = !neg;
        }
        if rest.is_zero() {
            return Fp::zero(format, x.neg);
        }
        // |rest| <= |y|/2 and its last place is not below those of x and y: it is a number of the format.
        round(format, RoundingMode::NearestEven, &Dyadic { neg, mant: rest, exp }, false)
    }
}

/// `a · 2^shift mod m`, by repeated squaring.
fn shifted_modulo(a: &UBig, shift: u64, m: &UBig) -> UBig {
    if shift <= 2 * m.bit_len() as u64 {
        return (a << shift as usize) % m;
    }
    let mut power = UBig::ONE % m;
    for i in (0..64 - shift.leading_zeros()).rev() {
        power = &power * &power % m;
        if shift >> i & 1 == 1 {
            power = (power << 1usize) % m;
        }
    }
    a * power % m
}
