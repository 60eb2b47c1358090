//! Polynomials with rational coefficients, in one variable.

use dashu_base::Sign;
use dashu_int::IBig;
use dashu_ratio::RBig;

/// Coefficients from the constant upward; the last one is not zero. The zero polynomial has none.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Poly(pub Vec<RBig>);

impl Poly {
    pub fn new(mut coefficients: Vec<RBig>) -> Poly {
        while coefficients.last().is_some_and(RBig::is_zero) {
            coefficients.pop();
        }
        Poly(coefficients)
    }

    pub fn constant(c: RBig) -> Poly {
        Poly::new(vec![c])
    }

    pub fn variable() -> Poly {
        Poly(vec![RBig::ZERO, RBig::ONE])
    }

    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// The degree; 0 also for the zero polynomial.
    pub fn degree(&self) -> usize {
        self.0.len().saturating_sub(1)
    }

    fn leading(&self) -> Option<&RBig> {
        self.0.last()
    }

    pub fn eval(&self, x: &RBig) -> RBig {
        self.0.iter().rev().fold(RBig::ZERO, |sum, c| sum * x + c)
    }

    pub fn sign_at(&self, x: &RBig) -> i32 {
        sign(&self.eval(x))
    }

    /// The sign for x towards −∞ (`false`) or +∞ (`true`).
    pub fn sign_at_end(&self, positive: bool) -> i32 {
        let leading = self.leading().map_or(0, sign);
        if positive || self.degree().is_multiple_of(2) { leading } else { -leading }
    }

    pub fn derivative(&self) -> Poly {
        let terms = self.0.iter().enumerate().skip(1);
        Poly::new(terms.map(|(i, c)| c * RBig::from(IBig::from(i))).collect())
    }

    pub fn add(&self, other: &Poly) -> Poly {
        let at = |p: &Poly, i: usize| p.0.get(i).cloned().unwrap_or(RBig::ZERO);
        let len = self.0.len().max(other.0.len());
        Poly::new((0..len).map(|i| at(self, i) + at(other, i)).collect())
    }

    pub fn neg(&self) -> Poly {
        Poly(self.0.iter().map(|c| -c.clone()).collect())
    }

    pub fn mul(&self, other: &Poly) -> Poly {
        if self.is_zero() || other.is_zero() {
            return Poly(Vec::new());
        }
        let mut product = vec![RBig::ZERO; self.0.len() + other.0.len() - 1];
        for (i, a) in self.0.iter().enumerate() {
            for (j, b) in other.0.iter().enumerate() {
                product[i + j] += a * b;
            }
        }
        Poly::new(product)
    }

    /// The value at a polynomial, modulo another.
    pub fn at(&self, x: &Poly, modulus: &Poly) -> Poly {
        let zero = Poly(Vec::new());
        self.0
            .iter()
            .rev()
            .fold(zero, |sum, c| sum.mul(x).add(&Poly::constant(c.clone())).div_rem(modulus).1)
    }

    /// Quotient and remainder; the divisor is not zero (else the quotient is zero).
    pub fn div_rem(&self, by: &Poly) -> (Poly, Poly) {
        let mut rest = self.0.clone();
        let (Some(leading), true) = (by.leading(), self.0.len() >= by.0.len()) else {
            return (Poly(Vec::new()), self.clone());
        };
        let mut quotient = vec![RBig::ZERO; self.0.len() - by.0.len() + 1];
        for i in (0..quotient.len()).rev() {
            let factor = &rest[i + by.degree()] / leading;
            if !factor.is_zero() {
                for (j, c) in by.0.iter().enumerate() {
                    rest[i + j] -= &factor * c;
                }
            }
            quotient[i] = factor;
        }
        (Poly::new(quotient), Poly::new(rest))
    }

    /// Divided by the magnitude of the leading coefficient: the signs stay.
    pub fn normalised(self) -> Poly {
        match self.leading() {
            None => self,
            Some(leading) => {
                let by = if leading.sign() == Sign::Negative {
                    -leading.clone()
                } else {
                    leading.clone()
                };
                Poly(self.0.iter().map(|c| c / &by).collect())
            }
        }
    }

    /// A greatest common divisor.
    pub fn gcd(&self, other: &Poly) -> Poly {
        let (mut a, mut b) = (self.clone().normalised(), other.clone().normalised());
        while !b.is_zero() {
            let rest = a.div_rem(&b).1.normalised();
            a = b;
            b = rest;
        }
        a
    }

    /// The inverse of `self` modulo `p`, if they have no common divisor.
    pub fn inverse_modulo(&self, p: &Poly) -> Option<Poly> {
        // Extended Euclid: r = s·self modulo p all along.
        let (mut r0, mut s0) = (p.clone(), Poly(Vec::new()));
        let (mut r1, mut s1) = (self.div_rem(p).1, Poly::constant(RBig::ONE));
        while !r1.is_zero() {
            let (q, rest) = r0.div_rem(&r1);
            let s = s0.add(&q.mul(&s1).neg());
            (r0, s0) = (r1, s1);
            (r1, s1) = (rest, s);
        }
        if r0.degree() > 0 || r0.is_zero() {
            return None;
        }
        let scale = Poly::constant(RBig::ONE / r0.0[0].clone());
        Some(s0.mul(&scale).div_rem(p).1)
    }

    /// Sturm's chain of a polynomial without multiple roots.
    pub fn sturm(&self) -> Vec<Poly> {
        let mut chain = vec![self.clone(), self.derivative().normalised()];
        while let [.., a, b] = &chain[..] {
            let next = a.div_rem(b).1.neg().normalised();
            if next.is_zero() {
                break;
            }
            chain.push(next);
        }
        chain
    }
}

pub(crate) fn sign(x: &RBig) -> i32 {
    match (x.is_zero(), x.sign()) {
        (true, _) => 0,
        (_, Sign::Negative) => -1,
        (_, Sign::Positive) => 1,
    }
}

/// How often the signs change along a chain, zeros left out.
pub(crate) fn changes(signs: impl Iterator<Item = i32>) -> usize {
    let (mut last, mut count) = (0, 0);
    for s in signs.filter(|&s| s != 0) {
        if last != 0 && s != last {
            count += 1;
        }
        last = s;
    }
    count
}
