//! One real root of a polynomial, isolated.

use super::poly::{Poly, changes, sign};
use crate::int::Int;
use crate::limit::{Limit, MAX_NUMBER_BITS};
use dashu_base::BitTest;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use std::sync::Arc;

/// Largest degree that is isolated.
const MAX_DEGREE: usize = 64;
/// Largest coefficient, in bits.
const MAX_COEFFICIENT: usize = 1 << 12;
/// Most bisections of one root.
pub(super) const MAX_BITS: u32 = 1 << 13;

/// The only root of `poly` between `low` and `high`, neither of which is a root; or a rational, if they are equal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Root {
    /// Without multiple roots.
    pub poly: Poly,
    /// Dyadic, as the upper bound is.
    pub low: RBig,
    pub high: RBig,
    /// Which root it is, counted from 1 upward, as z3 writes it.
    pub index: usize,
    /// Other roots, as polynomials in this one.
    pub parts: Vec<(Arc<Root>, Poly)>,
}

impl Root {
    /// The `index`-th distinct real root, counted from 1, from the least on; `None` if there is no such root.
    pub fn isolate(coefficients: &[Int], index: usize) -> Result<Option<Root>, Limit> {
        let large = coefficients.iter().any(|c| c.bit_len() > MAX_COEFFICIENT);
        if large || coefficients.len() > MAX_DEGREE + 1 {
            return Err(Limit::TooLarge);
        }
        let given = Poly::new(coefficients.iter().map(|c| RBig::from(c.to_big())).collect());
        if given.degree() == 0 || index == 0 {
            return Ok(None);
        }
        // Divided by what it shares with its derivative: the same roots, each once. Then a leading 1.
        let poly = given.div_rem(&given.gcd(&given.derivative())).0.normalised();
        let poly = if poly.sign_at_end(true) < 0 { poly.neg() } else { poly };
        let chain = poly.sturm();
        let at = |x: &RBig| changes(chain.iter().map(|p| p.sign_at(x)));
        let first = changes(chain.iter().map(|p| p.sign_at_end(false)));
        let count = first - changes(chain.iter().map(|p| p.sign_at_end(true)));
        if index > count {
            return Ok(None);
        }
        // Cauchy: all roots lie strictly within 1 + the greatest coefficient (the leading one is 1).
        let bound = poly.0.iter().map(magnitude_bits).max().unwrap_or(0) + 1;
        let mut high = RBig::from(IBig::ONE << bound);
        let mut low = -high.clone();
        // Roots in (low, x], by Sturm: first - at(x), for there are none up to low.
        let (mut below_low, mut below_high) = (0, count);
        for _ in 0..MAX_BITS {
            if below_low == index - 1 && below_high == index {
                if poly.sign_at(&high) == 0 {
                    low = high.clone();
                    return Ok(Some(Root { poly, low, high, index, parts: Vec::new() }));
                }
                // The interval is (low, high]; low may be the root before.
                if poly.sign_at(&low) != 0 {
                    return Ok(Some(Root { poly, low, high, index, parts: Vec::new() }));
                }
            }
            let middle = (&low + &high) / RBig::from(2u8);
            let below = first - at(&middle);
            if below >= index {
                (high, below_high) = (middle, below);
            } else {
                (low, below_low) = (middle, below);
            }
        }
        Err(Limit::Budget)
    }

    /// The number itself, if it was found to be rational.
    pub fn rational(&self) -> Option<&RBig> {
        (self.low == self.high).then_some(&self.low)
    }

    /// This root, between bounds that differ by at most `2^-bits`.
    pub fn refined(&self, bits: u32) -> Result<Root, Limit> {
        let mut root = self.clone();
        let width = RBig::from_parts(IBig::ONE, UBig::ONE << bits as usize);
        let before = self.poly.sign_at(&self.low);
        for _ in 0..MAX_BITS + bits {
            if &root.high - &root.low <= width {
                return Ok(root);
            }
            let middle = (&root.low + &root.high) / RBig::from(2u8);
            match self.poly.sign_at(&middle) {
                0 => (root.low, root.high) = (middle.clone(), middle),
                s if s == before => root.low = middle,
                _ => root.high = middle,
            }
        }
        Err(Limit::Budget)
    }

    /// Is a root of `p` equal to this one? `p` is not zero.
    pub fn is_root_of(&self, p: &Poly) -> bool {
        if let Some(x) = self.rational() {
            return p.sign_at(x) == 0;
        }
        // The common roots are those of the common divisor; it has this one if it changes sign between the bounds,
        // for it has no multiple roots and none of the bounds is a root.
        let common = self.poly.gcd(p);
        common.degree() > 0 && common.sign_at(&self.low) != common.sign_at(&self.high)
    }

    /// Are two isolated roots the same number?
    pub fn same(&self, other: &Root) -> bool {
        match (self.rational(), other.rational()) {
            (Some(a), Some(b)) => return a == b,
            (Some(a), None) => {
                return other.low < *a && *a < other.high && other.poly.sign_at(a) == 0;
            }
            (None, Some(_)) => return other.same(self),
            (None, None) => {}
        }
        let low = (&self.low).max(&other.low);
        let high = (&self.high).min(&other.high);
        if low >= high {
            return false;
        }
        // No bound is a common root: each is no root of its own polynomial.
        let common = self.poly.gcd(&other.poly);
        common.degree() > 0 && common.sign_at(low) * common.sign_at(high) < 0
    }

    /// This root as a polynomial in another one, if that one was made of it.
    pub fn within(&self, other: &Root) -> Option<Poly> {
        if std::ptr::eq(self, other) || self.poly == other.poly && self.same(other) {
            return Some(Poly::variable());
        }
        other
            .parts
            .iter()
            .find_map(|(part, p)| self.within(part).map(|inner| inner.at(p, &other.poly)))
    }

    /// The bounds written as integers over `2^bits`, rounded outward.
    pub fn scaled(&self, bits: u32) -> (IBig, IBig) {
        let scale = RBig::from(IBig::ONE << bits as usize);
        ((&self.low * &scale).floor(), (&self.high * &scale).ceil())
    }
}

/// A number of bits that bounds the magnitude: `|x| < 2^bits`.
fn magnitude_bits(x: &RBig) -> usize {
    let integer = if sign(x) < 0 { x.floor() } else { x.ceil() };
    integer.bit_len().min(MAX_NUMBER_BITS) + 1
}
