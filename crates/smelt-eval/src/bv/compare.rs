//! Comparisons of bit-vectors, unsigned and in two's complement.

use super::{Bv, Small};
use std::cmp::Ordering;

impl Bv {
    fn unsigned_cmp(&self, other: &Bv) -> Ordering {
        debug_assert_eq!(self.width(), other.width(), "operands of different width");
        match (&self.0, &other.0) {
            (Small { bits: a, .. }, Small { bits: b, .. }) => a.cmp(b),
            _ => self.big().as_ref().cmp(other.big().as_ref()),
        }
    }

    fn signed_cmp(&self, other: &Bv) -> Ordering {
        // With equal signs two's complement is ordered as the bits are; else the negative one is less.
        match (self.sign_bit(), other.sign_bit()) {
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            _ => self.unsigned_cmp(other),
        }
    }

    /// `(bvcomp x y)`: `#b1` if equal, else `#b0`.
    pub fn bvcomp(&self, other: &Bv) -> Bv {
        debug_assert_eq!(self.width(), other.width(), "operands of different width");
        Bv::of(1, u64::from(self == other))
    }

    /// `(bvult x y)`.
    pub fn bvult(&self, other: &Bv) -> bool {
        self.unsigned_cmp(other).is_lt()
    }

    /// `(bvule x y)`.
    pub fn bvule(&self, other: &Bv) -> bool {
        self.unsigned_cmp(other).is_le()
    }

    /// `(bvugt x y)`.
    pub fn bvugt(&self, other: &Bv) -> bool {
        self.unsigned_cmp(other).is_gt()
    }

    /// `(bvuge x y)`.
    pub fn bvuge(&self, other: &Bv) -> bool {
        self.unsigned_cmp(other).is_ge()
    }

    /// `(bvslt x y)`.
    pub fn bvslt(&self, other: &Bv) -> bool {
        self.signed_cmp(other).is_lt()
    }

    /// `(bvsle x y)`.
    pub fn bvsle(&self, other: &Bv) -> bool {
        self.signed_cmp(other).is_le()
    }

    /// `(bvsgt x y)`.
    pub fn bvsgt(&self, other: &Bv) -> bool {
        self.signed_cmp(other).is_gt()
    }

    /// `(bvsge x y)`.
    pub fn bvsge(&self, other: &Bv) -> bool {
        self.signed_cmp(other).is_ge()
    }
}
