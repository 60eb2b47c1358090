//! The exponential function.

use super::{Dyadic, Interval};

impl Interval {
    /// `(exp x)`.
    pub fn exp(&self, prec: u32) -> Option<Interval> {
        self.increasing(|x| exp(x, prec))
    }
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
