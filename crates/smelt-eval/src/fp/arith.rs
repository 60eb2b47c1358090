//! Addition, multiplication, division, fused multiply-add and square root: exact, then rounded once.

use super::round::round;
use super::{Dyadic, Format, Fp, Kind, RoundingMode};
use dashu_base::{BitTest, DivRem, SquareRootRem};
use dashu_int::UBig;

impl Fp {
    fn same_format(&self, other: &Fp) {
        debug_assert_eq!(self.format(), other.format(), "operands of different format");
    }

    /// `(fp.add mode x y)`.
    pub fn add(&self, mode: RoundingMode, other: &Fp) -> Fp {
        self.same_format(other);
        sum(self.format(), mode, self.kind(), other.kind())
    }

    /// `(fp.sub mode x y)`.
    pub fn sub(&self, mode: RoundingMode, other: &Fp) -> Fp {
        self.add(mode, &other.neg())
    }

    /// `(fp.mul mode x y)`.
    pub fn mul(&self, mode: RoundingMode, other: &Fp) -> Fp {
        self.same_format(other);
        let format = self.format();
        match product(self.kind(), other.kind()) {
            Kind::Nan => Fp::nan(format),
            Kind::Inf { neg } => Fp::infinity(format, neg),
            Kind::Zero { neg } => Fp::zero(format, neg),
            Kind::Finite(x) => round(format, mode, &x, false),
        }
    }

    /// `(fp.fma mode x y z)`: `x·y + z` with a single rounding.
    pub fn fma(&self, mode: RoundingMode, factor: &Fp, addend: &Fp) -> Fp {
        self.same_format(factor);
        self.same_format(addend);
        sum(self.format(), mode, product(self.kind(), factor.kind()), addend.kind())
    }

    /// `(fp.div mode x y)`.
    pub fn div(&self, mode: RoundingMode, other: &Fp) -> Fp {
        self.same_format(other);
        let format = self.format();
        match (self.kind(), other.kind()) {
            (Kind::Nan, _)
            | (_, Kind::Nan)
            | (Kind::Inf { .. }, Kind::Inf { .. })
            | (Kind::Zero { .. }, Kind::Zero { .. }) => Fp::nan(format),
            (Kind::Inf { neg }, y) => Fp::infinity(format, neg != negative(&y)),
            (x, Kind::Inf { neg }) => Fp::zero(format, neg != negative(&x)),
            (Kind::Zero { neg }, y) => Fp::zero(format, neg != negative(&y)),
            (x, Kind::Zero { neg }) => Fp::infinity(format, neg != negative(&x)),
            (Kind::Finite(x), Kind::Finite(y)) => {
                quotient(format, mode, x.neg != y.neg, (x.mant, x.exp), (y.mant, y.exp))
            }
        }
    }

    /// `(fp.sqrt mode x)`.
    pub fn sqrt(&self, mode: RoundingMode) -> Fp {
        let format = self.format();
        match self.kind() {
            Kind::Nan | Kind::Inf { neg: true } => Fp::nan(format),
            Kind::Inf { neg: false } | Kind::Zero { .. } => self.clone(),
            Kind::Finite(x) if x.neg => Fp::nan(format),
            Kind::Finite(x) => {
                // The root of 2(sb + 2) bits has sb + 2 of them: more than are kept. The exponent must be even.
                let wanted = 2 * (format.sb as usize + 2);
                let mut shift = wanted.saturating_sub(x.mant.bit_len());
                if (x.exp - shift as i64) % 2 != 0 {
                    shift += 1;
                }
                let exp = (x.exp - shift as i64) / 2;
                let (mant, rest) = (x.mant << shift).sqrt_rem();
                round(format, mode, &Dyadic { neg: false, mant, exp }, !rest.is_zero())
            }
        }
    }
}

/// The sign of anything but NaN.
pub(super) fn negative(x: &Kind) -> bool {
    match x {
        Kind::Nan => false,
        Kind::Inf { neg } | Kind::Zero { neg } => *neg,
        Kind::Finite(x) => x.neg,
    }
}

/// The exact product.
fn product(x: Kind, y: Kind) -> Kind {
    let neg = negative(&x) != negative(&y);
    match (x, y) {
        (Kind::Nan, _) | (_, Kind::Nan) => Kind::Nan,
        (Kind::Inf { .. }, Kind::Zero { .. }) | (Kind::Zero { .. }, Kind::Inf { .. }) => Kind::Nan,
        (Kind::Inf { .. }, _) | (_, Kind::Inf { .. }) => Kind::Inf { neg },
        (Kind::Zero { .. }, _) | (_, Kind::Zero { .. }) => Kind::Zero { neg },
        (Kind::Finite(x), Kind::Finite(y)) => {
            Kind::Finite(Dyadic { neg, mant: x.mant * y.mant, exp: x.exp + y.exp })
        }
    }
}

/// The rounded sum. An exact zero sum of numbers that are not both negative (or both positive) zeros is +0, and −0 when
/// rounding toward negative.
fn sum(format: Format, mode: RoundingMode, x: Kind, y: Kind) -> Fp {
    let cancelled = mode == RoundingMode::TowardNegative;
    match (x, y) {
        (Kind::Nan, _) | (_, Kind::Nan) => Fp::nan(format),
        (Kind::Inf { neg: a }, Kind::Inf { neg: b }) if a != b => Fp::nan(format),
        (Kind::Inf { neg }, _) | (_, Kind::Inf { neg }) => Fp::infinity(format, neg),
        (Kind::Zero { neg: a }, Kind::Zero { neg: b }) => {
            Fp::zero(format, if a == b { a } else { cancelled })
        }
        (Kind::Zero { .. }, Kind::Finite(x)) | (Kind::Finite(x), Kind::Zero { .. }) => {
            round(format, mode, &x, false)
        }
        (Kind::Finite(x), Kind::Finite(y)) => match finite_sum(format, x, y) {
            None => Fp::zero(format, cancelled),
            Some((sum, more)) => round(format, mode, &sum, more),
        },
    }
}

/// The sum of two finite numbers, `None` if it is zero. Where the smaller one lies far below the last place that
/// matters, it is only marked, so that no shift is larger than the significands.
fn finite_sum(format: Format, x: Dyadic, y: Dyadic) -> Option<(Dyadic, bool)> {
    let (big, small) = if x.end() >= y.end() { (x, y) } else { (y, x) };
    let extra = format.sb as usize + 3;
    if big.exp - small.end() > extra as i64 {
        // small < one unit of the mantissa extended by `extra` bits, which leaves more than sb bits.
        let mut mant = big.mant << extra;
        if big.neg != small.neg {
            mant -= UBig::ONE;
        }
        return Some((Dyadic { neg: big.neg, mant, exp: big.exp - extra as i64 }, true));
    }
    let exp = big.exp.min(small.exp);
    let a = big.mant << (big.exp - exp) as usize;
    let b = small.mant << (small.exp - exp) as usize;
    let (neg, mant) = match (big.neg == small.neg, a >= b) {
        (true, _) => (big.neg, a + b),
        (false, true) => (big.neg, a - b),
        (false, false) => (small.neg, b - a),
    };
    (!mant.is_zero()).then_some((Dyadic { neg, mant, exp }, false))
}

/// Rounds the quotient of two positive numbers, each an integer times a power of two.
pub(super) fn quotient(
    format: Format,
    mode: RoundingMode,
    neg: bool,
    (num, num_exp): (UBig, i64),
    (den, den_exp): (UBig, i64),
) -> Fp {
    // The quotient of n + sb + 2 bits by n bits has at least sb + 2 bits: more than are kept.
    let wanted = den.bit_len() + format.sb as usize + 2;
    let shift = wanted.saturating_sub(num.bit_len());
    let (mant, rest) = (num << shift).div_rem(den);
    let exp = num_exp - den_exp - shift as i64;
    round(format, mode, &Dyadic { neg, mant, exp }, !rest.is_zero())
}
