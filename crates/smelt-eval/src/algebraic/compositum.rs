//! Two roots as polynomials in one: the field that two numbers generate.
//!
//! In the algebra ℚ[x, y] / (P(x), Q(y)) almost every γ = x + k·y generates everything. The powers of γ are vectors over
//! the products xⁱyʲ; where they are independent, the next power gives the polynomial of γ, and x and y are combinations
//! of them. Both polynomials have no multiple roots, so neither has that of γ.

use super::poly::{Poly, changes};
use super::root::Root;
use dashu_base::BitTest;
use dashu_int::IBig;
use dashu_ratio::RBig;
use std::sync::Arc;

/// Largest degree of the polynomial of γ.
const MAX_DEGREE: usize = 12;
/// Largest coefficient of the given polynomials, in bits.
const MAX_COEFFICIENT: usize = 256;
/// Largest coefficient of the polynomial of γ, in bits.
const MAX_RESULT: usize = 1 << 12;
/// Factors k that are tried.
const FACTORS: [i64; 4] = [1, -1, 2, 3];

/// The root γ, which knows both roots as polynomials in it; `None` if it would be too large.
pub(super) fn join(a: &Arc<Root>, b: &Arc<Root>) -> Option<Arc<Root>> {
    let small = |r: &Root| r.poly.0.iter().all(|c| bits(c) <= MAX_COEFFICIENT);
    if a.poly.degree() * b.poly.degree() > MAX_DEGREE || !small(a) || !small(b) {
        return None;
    }
    FACTORS.iter().find_map(|&k| generated(a, b, k))
}

fn bits(c: &RBig) -> usize {
    c.numerator().bit_len().max(c.denominator().bit_len())
}

fn generated(a: &Arc<Root>, b: &Arc<Root>, k: i64) -> Option<Arc<Root>> {
    let algebra = Algebra { p: &a.poly, q: &b.poly };
    let n = a.poly.degree() * b.poly.degree();
    let factor = RBig::from(IBig::from(k));
    let mut powers = vec![algebra.product(0, 0)];
    for _ in 0..n {
        let last = &powers[powers.len() - 1];
        let (x, y) = (algebra.times_x(last), algebra.times_y(last));
        powers.push(x.iter().zip(&y).map(|(x, y)| x + y * &factor).collect());
    }
    let next = powers.pop()?;
    let wanted = [next, algebra.product(1, 0), algebra.product(0, 1)];
    let [power, x, y] = &combinations(&powers, &wanted)?[..] else { return None };
    let mut coefficients: Vec<RBig> = power.iter().map(|c| -c.clone()).collect();
    coefficients.push(RBig::ONE);
    if coefficients.iter().any(|c| bits(c) > MAX_RESULT) {
        return None;
    }
    let poly = Poly::new(coefficients);
    let parts = vec![(a.clone(), Poly::new(x.clone())), (b.clone(), Poly::new(y.clone()))];
    isolated(poly, a, b, &factor).map(|root| Arc::new(Root { parts, ..root }))
}

/// The polynomial of least degree that a polynomial's value at all roots of another satisfies; it has no multiple roots.
/// `None` if the degree is too large.
pub(super) fn annihilator(value: &Poly, modulus: &Poly) -> Option<Poly> {
    let n = modulus.degree();
    if n > MAX_DEGREE {
        return None;
    }
    // Independent powers, each reduced by those before to a row with a leading 1, and how it was combined.
    let mut rows: Vec<(usize, Poly, Poly)> = Vec::new();
    let mut power = Poly::constant(RBig::ONE);
    for degree in 0..=n {
        let mut combined = Poly::new([vec![RBig::ZERO; degree], vec![RBig::ONE]].concat());
        let mut rest = power.clone();
        for (lead, row, combination) in &rows {
            let Some(c) = rest.0.get(*lead).filter(|c| !c.is_zero()) else { continue };
            let factor = Poly::constant(-c.clone());
            rest = rest.add(&row.mul(&factor));
            combined = combined.add(&combination.mul(&factor));
        }
        if rest.is_zero() {
            let large = combined.0.iter().any(|c| bits(c) > MAX_RESULT);
            return (!large).then_some(combined);
        }
        let lead = rest.degree();
        let inverse = Poly::constant(RBig::ONE / rest.0[lead].clone());
        rows.push((lead, rest.mul(&inverse), combined.mul(&inverse)));
        power = power.mul(value).div_rem(modulus).1;
    }
    None
}

/// The root of the polynomial that is α + k·β.
fn isolated(poly: Poly, a: &Root, b: &Root, k: &RBig) -> Option<Root> {
    let enclosed = |precision: u32| {
        let (a, b) = (a.refined(precision).ok()?, b.refined(precision).ok()?);
        let (x, y) = (&b.low * k, &b.high * k);
        let (x, y) = if x <= y { (x, y) } else { (y, x) };
        Some((&a.low + x, &a.high + y))
    };
    only_root(poly, enclosed)
}

/// The root of a polynomial without multiple roots that lies between the bounds, which get closer with the precision.
pub(super) fn only_root(
    poly: Poly,
    enclosed: impl Fn(u32) -> Option<(RBig, RBig)>,
) -> Option<Root> {
    let chain = poly.sturm();
    let at = |x: &RBig| changes(chain.iter().map(|p| p.sign_at(x)));
    let first = changes(chain.iter().map(|p| p.sign_at_end(false)));
    for precision in [16, 64, 256, 1024] {
        let (low, high) = enclosed(precision)?;
        let (at_low, at_high) = (poly.sign_at(&low) == 0, poly.sign_at(&high) == 0);
        // Sturm counts the roots above the lower and up to the upper bound.
        if at(&low) - at(&high) + usize::from(at_low) == 1 {
            let index = first - at(&high);
            let (low, high) = match (at_low, at_high) {
                (true, _) => (low.clone(), low),
                (_, true) => (high.clone(), high),
                _ => (low, high),
            };
            return Some(Root { poly, low, high, index, parts: Vec::new() });
        }
    }
    None
}

/// ℚ[x, y] / (p(x), q(y)); both polynomials have a leading 1. An element is its coefficients of xⁱyʲ, j running first.
struct Algebra<'a> {
    p: &'a Poly,
    q: &'a Poly,
}

impl Algebra<'_> {
    /// xⁱyʲ, which is an element of the basis unless the degree of p or q is 1: such roots are rational, and not here.
    fn product(&self, i: usize, j: usize) -> Vec<RBig> {
        let (n, m) = (self.p.degree(), self.q.degree());
        let mut out = vec![RBig::ZERO; n * m];
        out[i * m + j] = RBig::ONE;
        out
    }

    fn times_x(&self, v: &[RBig]) -> Vec<RBig> {
        let (n, m) = (self.p.degree(), self.q.degree());
        let mut out = vec![RBig::ZERO; n * m];
        for j in 0..m {
            let top = &v[(n - 1) * m + j];
            for i in 0..n {
                let below = if i > 0 { v[(i - 1) * m + j].clone() } else { RBig::ZERO };
                out[i * m + j] = below - top * &self.p.0[i];
            }
        }
        out
    }

    fn times_y(&self, v: &[RBig]) -> Vec<RBig> {
        let (n, m) = (self.p.degree(), self.q.degree());
        let mut out = vec![RBig::ZERO; n * m];
        for i in 0..n {
            let top = &v[i * m + m - 1];
            for j in 0..m {
                let below = if j > 0 { v[i * m + j - 1].clone() } else { RBig::ZERO };
                out[i * m + j] = below - top * &self.q.0[j];
            }
        }
        out
    }
}

/// The wanted vectors as combinations of the given ones; `None` if these are not independent.
fn combinations(given: &[Vec<RBig>], wanted: &[Vec<RBig>]) -> Option<Vec<Vec<RBig>>> {
    let n = given.len();
    let columns = given.iter().chain(wanted);
    let mut rows: Vec<Vec<RBig>> = vec![Vec::new(); n];
    for column in columns {
        for (row, c) in rows.iter_mut().zip(column) {
            row.push(c.clone());
        }
    }
    for i in 0..n {
        let pivot = (i..n).find(|&r| !rows[r][i].is_zero())?;
        rows.swap(i, pivot);
        let inverse = RBig::ONE / rows[i][i].clone();
        rows[i].iter_mut().for_each(|c| *c *= &inverse);
        let pivot = rows[i].clone();
        for (r, row) in rows.iter_mut().enumerate() {
            if r == i || row[i].is_zero() {
                continue;
            }
            let factor = row[i].clone();
            row.iter_mut().zip(&pivot).for_each(|(c, p)| *c -= &factor * p);
        }
    }
    Some((0..wanted.len()).map(|w| rows.iter().map(|row| row[n + w].clone()).collect()).collect())
}
