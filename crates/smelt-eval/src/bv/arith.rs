//! Arithmetic on bit-vectors, and the predicates that say whether it overflows.

use super::{Big, Bv, Small, sign_extended};
use crate::int::Int;
use dashu_int::UBig;

impl Bv {
    fn same_width(&self, other: &Bv) {
        debug_assert_eq!(self.width(), other.width(), "operands of different width");
    }

    /// `(bvneg x)`: `2^width - x`, modulo `2^width`.
    pub fn bvneg(&self) -> Bv {
        self.zero_like().bvsub(self)
    }

    /// `(bvadd x y)`.
    #[inline]
    pub fn bvadd(&self, other: &Bv) -> Bv {
        self.same_width(other);
        match (&self.0, &other.0) {
            (Small { width, bits: a }, Small { bits: b, .. }) => Bv::of(*width, a.wrapping_add(*b)),
            _ => Bv::of_big(self.width(), self.big().as_ref() + other.big().as_ref()),
        }
    }

    /// `(bvsub x y)`: `x + -y`.
    #[inline]
    pub fn bvsub(&self, other: &Bv) -> Bv {
        self.same_width(other);
        match (&self.0, &other.0) {
            (Small { width, bits: a }, Small { bits: b, .. }) => Bv::of(*width, a.wrapping_sub(*b)),
            _ => {
                let modulus = UBig::ONE << self.width() as usize;
                Bv::of_big(self.width(), modulus + self.big().as_ref() - other.big().as_ref())
            }
        }
    }

    /// `(bvmul x y)`.
    #[inline]
    pub fn bvmul(&self, other: &Bv) -> Bv {
        self.same_width(other);
        match (&self.0, &other.0) {
            (Small { width, bits: a }, Small { bits: b, .. }) => Bv::of(*width, a.wrapping_mul(*b)),
            _ => Bv::of_big(self.width(), self.big().as_ref() * other.big().as_ref()),
        }
    }

    /// `(bvudiv x y)`; by the standard, division by zero gives all ones.
    pub fn bvudiv(&self, other: &Bv) -> Bv {
        self.same_width(other);
        if other.is_zero() {
            return self.zero_like().bvnot();
        }
        match (&self.0, &other.0) {
            (Small { width, bits: a }, Small { bits: b, .. }) => Bv::of(*width, a / b),
            _ => Bv::of_big(self.width(), self.big().as_ref() / other.big().as_ref()),
        }
    }

    /// `(bvurem x y)`; by the standard, the remainder by zero is `x`.
    pub fn bvurem(&self, other: &Bv) -> Bv {
        self.same_width(other);
        if other.is_zero() {
            return self.clone();
        }
        match (&self.0, &other.0) {
            (Small { width, bits: a }, Small { bits: b, .. }) => Bv::of(*width, a % b),
            _ => Bv::of_big(self.width(), self.big().as_ref() % other.big().as_ref()),
        }
    }

    fn magnitude(&self) -> Bv {
        if self.sign_bit() { self.bvneg() } else { self.clone() }
    }

    /// `(bvsdiv x y)`: `bvudiv` of the magnitudes, negated if the signs differ (so it truncates towards zero;
    /// `x / 0` is 1 for a negative `x` and −1 otherwise).
    pub fn bvsdiv(&self, other: &Bv) -> Bv {
        let quotient = self.magnitude().bvudiv(&other.magnitude());
        if self.sign_bit() != other.sign_bit() { quotient.bvneg() } else { quotient }
    }

    /// `(bvsrem x y)`: `bvurem` of the magnitudes with the sign of the dividend.
    pub fn bvsrem(&self, other: &Bv) -> Bv {
        let remainder = self.magnitude().bvurem(&other.magnitude());
        if self.sign_bit() { remainder.bvneg() } else { remainder }
    }

    /// `(bvsmod x y)`: the remainder with the sign of the divisor; `x` if `y` is zero.
    pub fn bvsmod(&self, other: &Bv) -> Bv {
        let remainder = self.magnitude().bvurem(&other.magnitude());
        if remainder.is_zero() {
            return remainder;
        }
        match (self.sign_bit(), other.sign_bit()) {
            (false, false) => remainder,
            (true, false) => remainder.bvneg().bvadd(other),
            (false, true) => remainder.bvadd(other),
            (true, true) => remainder.bvneg(),
        }
    }

    fn small_signed(&self, other: &Bv) -> Option<(i128, i128, u32)> {
        match (&self.0, &other.0) {
            (Small { width, bits: a }, Small { bits: b, .. }) => Some((
                i128::from(sign_extended(*width, *a)),
                i128::from(sign_extended(*width, *b)),
                *width,
            )),
            _ => None,
        }
    }

    fn is_min_signed(&self) -> bool {
        match &self.0 {
            Small { width, bits } => *bits == 1 << (width - 1),
            Big { width, bits } => bits.trailing_zeros() == Some(*width as usize - 1),
        }
    }

    /// `(bvnego x)`: −x is out of the signed range, i.e. `x` is the least value.
    pub fn bvnego(&self) -> bool {
        self.is_min_signed()
    }

    /// `(bvuaddo x y)`: the unsigned sum does not fit.
    pub fn bvuaddo(&self, other: &Bv) -> bool {
        // The wrapped sum is below an operand exactly if it wrapped.
        self.bvadd(other).bvult(self)
    }

    /// `(bvusubo x y)`: the unsigned difference is negative.
    pub fn bvusubo(&self, other: &Bv) -> bool {
        self.bvult(other)
    }

    /// `(bvumulo x y)`: the unsigned product does not fit.
    pub fn bvumulo(&self, other: &Bv) -> bool {
        self.same_width(other);
        match (&self.0, &other.0) {
            (Small { width, bits: a }, Small { bits: b, .. }) => {
                (u128::from(*a) * u128::from(*b)) >> width != 0
            }
            _ => {
                use dashu_base::BitTest;
                (self.big().as_ref() * other.big().as_ref()).bit_len() > self.width() as usize
            }
        }
    }

    /// `(bvsaddo x y)`: the signed sum does not fit.
    pub fn bvsaddo(&self, other: &Bv) -> bool {
        let sum = self.bvadd(other).sign_bit();
        self.sign_bit() == other.sign_bit() && sum != self.sign_bit()
    }

    /// `(bvssubo x y)`: the signed difference does not fit.
    pub fn bvssubo(&self, other: &Bv) -> bool {
        let difference = self.bvsub(other).sign_bit();
        self.sign_bit() != other.sign_bit() && difference != self.sign_bit()
    }

    /// Is the exact signed product above the range (`Greater`), below it (`Less`) or inside?
    fn signed_product(&self, other: &Bv) -> std::cmp::Ordering {
        use std::cmp::Ordering::{Equal, Greater, Less};
        if let Some((a, b, width)) = self.small_signed(other) {
            let product = a * b;
            let limit = 1i128 << (width - 1);
            return if product >= limit {
                Greater
            } else if product < -limit {
                Less
            } else {
                Equal
            };
        }
        self.same_width(other);
        let limit = Int::from(UBig::ONE << (self.width() as usize - 1));
        let (a, b) = (self.sbv_to_int().to_big(), other.sbv_to_int().to_big());
        let product = Int::from(a * b);
        if product >= limit {
            Greater
        } else if product < limit.neg() {
            Less
        } else {
            Equal
        }
    }

    /// `(bvsmulo x y)`: the signed product does not fit.
    pub fn bvsmulo(&self, other: &Bv) -> bool {
        self.signed_product(other).is_ne()
    }

    /// `(bvsdivo x y)`: the signed quotient does not fit: the least value divided by −1.
    pub fn bvsdivo(&self, other: &Bv) -> bool {
        self.same_width(other);
        self.is_min_signed() && other.bvnot().is_zero()
    }

    /// z3's `(bvumul_noovfl x y)`: not `bvumulo`.
    pub fn bvumul_noovfl(&self, other: &Bv) -> bool {
        !self.bvumulo(other)
    }

    /// z3's `(bvsmul_noovfl x y)`: the signed product is not above the range.
    pub fn bvsmul_noovfl(&self, other: &Bv) -> bool {
        self.signed_product(other).is_le()
    }

    /// z3's `(bvsmul_noudfl x y)`: the signed product is not below the range.
    pub fn bvsmul_noudfl(&self, other: &Bv) -> bool {
        self.signed_product(other).is_ge()
    }
}
