//! Sine, cosine and the functions made from them.

use super::arctan::pi;
use super::{Dyadic, Interval, Toward};
use dashu_base::RemEuclid;
use dashu_int::IBig;

/// Arguments beyond `2^LARGEST` are not reduced.
const LARGEST: i64 = 1 << 12;

impl Interval {
    /// `(sin x)`.
    pub fn sin(&self, prec: u32) -> Option<Interval> {
        self.wave(prec, 1, |x| Some(sin_cos(x, prec)?.0))
    }

    /// `(cos x)`.
    pub fn cos(&self, prec: u32) -> Option<Interval> {
        self.wave(prec, 0, |x| Some(sin_cos(x, prec)?.1))
    }

    /// `(tan x)`; `None` if there may be a pole.
    pub fn tan(&self, prec: u32) -> Option<Interval> {
        if self.quarters(prec)?.has(1, 2) {
            return None;
        }
        self.increasing(|x| {
            let (sin, cos) = sin_cos(x, prec + 8)?;
            sin.div(&cos, prec)
        })
    }

    /// `(cot x)`; `None` if there may be a pole.
    pub fn cot(&self, prec: u32) -> Option<Interval> {
        if self.quarters(prec)?.has(0, 2) {
            return None;
        }
        // Decreasing between its poles.
        let negated = self.increasing(|x| {
            let (sin, cos) = sin_cos(x, prec + 8)?;
            Some(cos.div(&sin, prec)?.neg())
        });
        negated.map(|y| y.neg())
    }

    /// `(sec x)`; `None` if there may be a pole.
    pub fn sec(&self, prec: u32) -> Option<Interval> {
        Interval::int(1).div(&self.cos(prec + 8)?, prec)
    }

    /// `(csc x)`; `None` if there may be a pole.
    pub fn csc(&self, prec: u32) -> Option<Interval> {
        Interval::int(1).div(&self.sin(prec + 8)?, prec)
    }

    /// The image under a function with the maximum 1 at the quarter turns `top + 4k`, the minimum −1 two quarters
    /// later, and monotonic between.
    fn wave(
        &self,
        prec: u32,
        top: i64,
        f: impl Fn(&Dyadic) -> Option<Interval>,
    ) -> Option<Interval> {
        let low = f(&self.low)?;
        if self.is_point() {
            return Some(low);
        }
        let mut image = low.hull(&f(&self.high)?);
        let quarters = self.quarters(prec)?;
        if quarters.has(top, 4) {
            image = image.hull(&Interval::int(1));
        }
        if quarters.has(top + 2, 4) {
            image = image.hull(&Interval::int(-1));
        }
        Some(image)
    }

    /// The multiples of π/2 that may lie in the interval. A point that is 0 is the multiple 0; any other point is
    /// none, for a dyadic number other than 0 is not a multiple of π.
    fn quarters(&self, prec: u32) -> Option<Quarters> {
        if self.is_point() && self.low.signum() != 0 {
            return Some(Quarters { first: IBig::ONE, last: IBig::ZERO });
        }
        let size = self.low.end().max(self.high.end());
        if size > LARGEST {
            return None;
        }
        let work = prec + size.max(0) as u32 + 8;
        let quarter = pi(work).scale(-1);
        let turns = self.div(&quarter, work)?;
        Some(Quarters { first: turns.low.ceil()?, last: turns.high.floor()? })
    }
}

/// The integers `first ..= last`.
struct Quarters {
    first: IBig,
    last: IBig,
}

impl Quarters {
    /// Is there one that leaves `rest` modulo `modulus`?
    fn has(&self, rest: i64, modulus: i64) -> bool {
        let away = (IBig::from(rest) - &self.first).rem_euclid(IBig::from(modulus));
        &self.first + IBig::from(away) <= self.last
    }
}

/// Enclosures of sine and cosine at a point.
fn sin_cos(x: &Dyadic, prec: u32) -> Option<(Interval, Interval)> {
    if x.signum() == 0 {
        return Some((Interval::int(0), Interval::int(1)));
    }
    if x.end() > LARGEST {
        return None;
    }
    let work = prec + 24;
    let size = x.end().max(0) as u32;
    // x = n·π/2 + r with |r| <= π/4, about. For a tiny x there is nothing to reduce.
    let (n, r) = if x.end() < 0 {
        (IBig::ZERO, Interval::point(x.clone()))
    } else {
        let quarter = pi(work + size).scale(-1);
        let turns = x.div(&quarter.low, size + 8, Toward::Down)?;
        let half = Dyadic::from_i64(1).scale(-1);
        let n = turns.add(&half, size + 8, Toward::Down).floor()?;
        let whole = Interval::point(Dyadic::new(n.clone(), 0)).mul(&quarter, work + size)?;
        (n, Interval::point(x.clone()).sub(&whole, work + size))
    };
    if r.abs().high > Dyadic::from_i64(1) {
        return None;
    }
    let (sin, cos) = series(&r, work)?;
    let quadrant = i64::try_from(n.rem_euclid(IBig::from(4))).ok()?;
    Some(match quadrant {
        0 => (sin, cos),
        1 => (cos, sin.neg()),
        2 => (sin.neg(), cos.neg()),
        _ => (cos.neg(), sin),
    })
}

/// The Taylor series of sine and cosine for |r| <= 1.
fn series(r: &Interval, work: u32) -> Option<(Interval, Interval)> {
    let (mut sin, mut cos) = (Interval::int(0), Interval::int(1));
    let mut term = Interval::int(1);
    let mut i = 1i64;
    // Until the next term, thus the alternating rest, is below 2^-work relative to r, the leading term of sine.
    let small = r.abs().high.end() - i64::from(work);
    loop {
        term = term.mul(r, work)?.div(&Interval::int(i), work)?;
        let bound = term.abs().high;
        if bound.signum() == 0 || bound.end() < small {
            let rest = Interval { low: bound.neg(), high: bound };
            let unit = Interval::int(1);
            let clip = |y: Interval| Interval {
                low: y.low.max(unit.low.neg()),
                high: y.high.min(unit.high.clone()),
            };
            return Some((clip(sin.add(&rest, work)), clip(cos.add(&rest, work))));
        }
        match i % 4 {
            0 => cos = cos.add(&term, work),
            1 => sin = sin.add(&term, work),
            2 => cos = cos.sub(&term, work),
            _ => sin = sin.sub(&term, work),
        }
        i += 1;
    }
}
