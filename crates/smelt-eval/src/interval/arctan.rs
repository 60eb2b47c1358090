//! π, the arcus tangent, and the inverse functions made from it.
//!
//! The branches are the principal ones: arcsin, arctan, arccsc in [−π/2, π/2], arccos, arcsec in [0, π], and arccot in
//! (0, π) (cvc5's choice: `arccot(x) = π/2 − arctan(x)`).

use super::{Dyadic, Interval};
use dashu_int::IBig;

/// `real.pi`.
pub fn pi(prec: u32) -> Interval {
    // Machin: π = 16·arctan(1/5) − 4·arctan(1/239), in fixed point.
    let work = prec as usize + 16;
    let (a, error_a) = arctan_inverse(5, work);
    let (b, error_b) = arctan_inverse(239, work);
    let middle = a * IBig::from(16) - b * IBig::from(4);
    let error = IBig::from(16 * error_a + 4 * error_b);
    let end = |n: IBig| Dyadic::new(n, -(work as i64));
    Interval { low: end(&middle - &error), high: end(middle + error) }
}

/// `arctan(1/n) · 2^work` by the alternating series, and a bound of the error.
fn arctan_inverse(n: u32, work: usize) -> (IBig, u64) {
    let square = IBig::from(n) * IBig::from(n);
    let mut power = (IBig::ONE << work) / IBig::from(n);
    let (mut sum, mut i) = (IBig::ZERO, 0u64);
    while !power.is_zero() {
        let term = &power / IBig::from(2 * i + 1);
        if i % 2 == 0 {
            sum += term;
        } else {
            sum -= term;
        }
        power /= &square;
        i += 1;
    }
    // Each term is cut twice, by less than a unit each; the terms left out sum to less than one.
    (sum, 2 * i + 2)
}

/// An enclosure of arctan of an enclosure that is narrow.
fn arctan(x: &Interval, prec: u32) -> Option<Interval> {
    if x.low.signum() < 0 {
        if x.high.signum() > 0 {
            return None;
        }
        return arctan(&x.neg(), prec).map(|y| y.neg());
    }
    if x.is_point() && x.low.signum() == 0 {
        return Some(Interval::int(0));
    }
    let work = prec + 24;
    let one = Interval::int(1);
    let inverted = x.high > one.low;
    let mut y = if inverted { one.div(x, work)? } else { x.clone() };
    // Three halvings of the angle: below tan(π/4 / 8) < 1/8. (If x straddles 1, 1/x is at most a little above it.)
    for _ in 0..3 {
        let root = one.add(&y.pow(2, work)?, work).sqrt(work)?;
        y = y.div(&one.add(&root, work), work)?;
    }
    if y.high.end() > -2 {
        return None;
    }
    let square = y.pow(2, work)?;
    let (mut sum, mut power) = (y.clone(), y.clone());
    // |y| < 2^-2, so the n-th term is below 2^-(4n).
    let terms = i64::from(work) / 4 + 2;
    for i in 1..terms {
        power = power.mul(&square, work)?.neg();
        sum = sum.add(&power.div(&Interval::int(2 * i + 1), work)?, work);
    }
    // What is left out is below y·y^(2·terms): small also in relation to y.
    let rest = y.high.scale(-4 * terms);
    sum = sum.add(&Interval { low: rest.neg(), high: rest }, work);
    let angle = sum.scale(3);
    Some(if inverted { pi(work).scale(-1).sub(&angle, work) } else { angle })
}

impl Interval {
    /// `(arctan x)`.
    pub fn arctan(&self, prec: u32) -> Option<Interval> {
        self.increasing(|x| arctan(&Interval::point(x.clone()), prec))
    }

    /// `(arcsin x)`; `None` if an argument may be outside [−1, 1].
    pub fn arcsin(&self, prec: u32) -> Option<Interval> {
        self.increasing(|x| arcsin(x, prec))
    }

    /// `(arccos x)`; `None` if an argument may be outside [−1, 1].
    pub fn arccos(&self, prec: u32) -> Option<Interval> {
        let one = Dyadic::from_i64(1);
        if self.is_point() && self.low == one {
            return Some(Interval::int(0));
        }
        let work = prec + 16;
        Some(pi(work).scale(-1).sub(&self.arcsin(work)?, work))
    }

    /// `(arccot x)`, in (0, π).
    pub fn arccot(&self, prec: u32) -> Option<Interval> {
        let work = prec + 16;
        Some(pi(work).scale(-1).sub(&self.arctan(work)?, work))
    }

    /// `(arcsec x)`; `None` if an argument may be inside (−1, 1).
    pub fn arcsec(&self, prec: u32) -> Option<Interval> {
        self.reciprocal(prec)?.arccos(prec)
    }

    /// `(arccsc x)`; `None` if an argument may be inside (−1, 1).
    pub fn arccsc(&self, prec: u32) -> Option<Interval> {
        self.reciprocal(prec)?.arcsin(prec)
    }

    /// `1/x` for numbers of magnitude 1 or more, all of one sign.
    fn reciprocal(&self, prec: u32) -> Option<Interval> {
        let one = Interval::int(1);
        if self.abs().low < one.low {
            return None;
        }
        one.div(self, prec + 16)
    }
}

fn arcsin(x: &Dyadic, prec: u32) -> Option<Interval> {
    let one = Dyadic::from_i64(1);
    if x.signum() < 0 {
        return arcsin(&x.neg(), prec).map(|y| y.neg());
    }
    let work = prec + 16;
    if *x == one {
        return Some(pi(work).scale(-1));
    }
    // arcsin(x) = arctan(x / sqrt((1 − x)(1 + x))); the radicand is negative outside the domain.
    let unit = Interval::point(one);
    let point = Interval::point(x.clone());
    let radicand = unit.sub(&point, work).mul(&unit.add(&point, work), work)?;
    if radicand.low.signum() <= 0 {
        return None;
    }
    arctan(&point.div(&radicand.sqrt(work)?, work)?, work)
}
