//! The exponential function and the hyperbolic ones.

use super::{Dyadic, Interval};

impl Interval {
    /// `(exp x)`.
    pub fn exp(&self, prec: u32) -> Option<Interval> {
        self.increasing(|x| exp(x, prec))
    }

    /// z3's `(sinh x)`.
    pub fn sinh(&self, prec: u32) -> Option<Interval> {
        self.increasing(|x| sinh(x, prec))
    }

    /// z3's `(cosh x)`.
    pub fn cosh(&self, prec: u32) -> Option<Interval> {
        // Even, and increasing from zero on.
        self.abs().increasing(|x| {
            if x.signum() == 0 {
                return Some(Interval::int(1));
            }
            let (up, down) = (exp(x, prec + 8)?, exp(&x.neg(), prec + 8)?);
            let sum = up.add(&down, prec + 8).scale(-1);
            // Never below 1, whatever was lost by rounding.
            Some(Interval { low: sum.low.max(Dyadic::from_i64(1)), high: sum.high })
        })
    }

    /// z3's `(tanh x)`.
    pub fn tanh(&self, prec: u32) -> Option<Interval> {
        self.increasing(|x| {
            let work = prec + 8;
            let quotient = sinh(x, work)?.div(&Interval::point(x.clone()).cosh(work)?, work)?;
            let one = Dyadic::from_i64(1);
            Some(Interval { low: quotient.low.max(one.neg()), high: quotient.high.min(one) })
        })
    }
}

fn sinh(x: &Dyadic, prec: u32) -> Option<Interval> {
    if x.signum() == 0 {
        return Some(Interval::int(0));
    }
    // For a small x the two exponentials cancel: as many more bits as they have in common.
    let common = u32::try_from((-x.end()).max(0)).ok().filter(|&bits| bits <= 1 << 13)?;
    let work = prec + 2 * common + 8;
    let (up, down) = (exp(x, work)?, exp(&x.neg(), work)?);
    Some(up.sub(&down, work).scale(-1))
}

fn exp(x: &Dyadic, prec: u32) -> Option<Interval> {
    if x.signum() == 0 {
        return Some(Interval::int(1));
    }
    if x.end() > 36 {
        return None;
    }
    // exp(x) = exp(x/2^k)^(2^k) with |x/2^k| < 2^-8. Each squaring doubles the relative error: k guard bits.
    let k = (x.end() + 8).max(0);
    let work = prec + k as u32 + 16;
    let y = Interval::point(x.scale(-k));
    let terms = i64::from(work) / 8 + 2;
    let (mut sum, mut term) = (Interval::int(1), Interval::int(1));
    for i in 1..terms {
        term = term.mul(&y, work)?.div(&Interval::int(i), work)?;
        sum = sum.add(&term, work);
    }
    // The rest of the series is below 2·|y|^terms.
    let rest = Dyadic::from_i64(1).scale(1 - 8 * terms);
    sum = sum.add(&Interval { low: rest.neg(), high: rest }, work);
    for _ in 0..k {
        sum = sum.mul(&sum, work)?;
    }
    Some(sum)
}
