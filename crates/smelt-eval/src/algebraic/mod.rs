//! Real algebraic numbers, as z3 prints them: `(root-obj (+ (^ x 2) (- 2)) 2)` is the second real root of x² − 2.
//!
//! A number is a polynomial expression in one isolated root α, kept modulo the polynomial of α. Sums, products and
//! quotients of numbers of the same α (and of rationals) are exact, and so are all comparisons between them: zero
//! is recognised by a common divisor, any other sign by refining α. Numbers of different roots are compared by
//! refinement first, else written in one root that generates both (`compositum`); where that would be too large,
//! the answer is `None`.

mod compositum;
mod poly;
mod root;

use crate::int::Int;
use crate::interval::{Dyadic, Interval};
use crate::limit::{Limit, MAX_NUMBER_BITS};
use crate::rat::Rat;
use dashu_base::BitTest;
use dashu_ratio::RBig;
use poly::Poly;
use root::{MAX_BITS, Root};
use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

/// A real algebraic number. `==` compares representations, of which a number has many: ask [`Algebraic::compare`].
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Algebraic {
    root: Arc<Root>,
    /// The number is this polynomial's value at the root; of lower degree than the root's polynomial.
    value: Poly,
}

impl Algebraic {
    /// The `index`-th distinct real root (counted from 1, the least first) of the polynomial with these coefficients,
    /// the constant first; `None` if there is none.
    pub fn root(coefficients: &[Int], index: usize) -> Result<Option<Algebraic>, Limit> {
        let Some(root) = Root::isolate(coefficients, index)? else { return Ok(None) };
        let value = match root.rational() {
            Some(x) => Poly::constant(x.clone()),
            None => Poly::variable().div_rem(&root.poly).1,
        };
        Ok(Some(Algebraic { root: Arc::new(root), value }))
    }

    /// The number as a rational, if it is seen to be one. (Exact after [`Algebraic::compare`] said `Equal` to it;
    /// here only constants are seen.)
    pub fn to_rat(&self) -> Option<Rat> {
        match &self.value.0[..] {
            [] => Some(Rat::ZERO),
            [c] => Some(Rat::from(c.clone())),
            _ => None,
        }
    }

    fn with(&self, value: Poly) -> Result<Algebraic, Limit> {
        let large = |c: &RBig| {
            c.numerator().bit_len().max(c.denominator().bit_len()) > MAX_NUMBER_BITS / 64
        };
        if value.0.iter().any(large) {
            return Err(Limit::TooLarge);
        }
        Ok(Algebraic { root: self.root.clone(), value: value.div_rem(&self.root.poly).1 })
    }

    /// This number over another root, if its own is known as a polynomial in that one.
    fn over(&self, root: &Arc<Root>) -> Option<Algebraic> {
        let value = if self.value.degree() == 0 {
            // A constant is at home with any root.
            self.value.clone()
        } else {
            self.value.at(&self.root.within(root)?, &root.poly)
        };
        Some(Algebraic { root: root.clone(), value })
    }

    /// Both numbers over one of their roots, if one of them generates the other.
    fn together(&self, other: &Algebraic) -> Option<(Algebraic, Algebraic)> {
        match other.over(&self.root) {
            Some(guest) => Some((self.clone(), guest)),
            None => self.over(&other.root).map(|guest| (guest, other.clone())),
        }
    }

    /// Both numbers over one root; `None` if that would be too large.
    fn joined(&self, other: &Algebraic) -> Option<(Algebraic, Algebraic)> {
        self.together(other).or_else(|| {
            let root = compositum::join(&self.root, &other.root)?;
            self.over(&root).zip(other.over(&root))
        })
    }

    /// `x + y`; `None` if a root that generates both would be too large.
    pub fn add(&self, other: &Algebraic) -> Option<Result<Algebraic, Limit>> {
        let (x, y) = self.joined(other)?;
        Some(x.with(x.value.add(&y.value)))
    }

    /// `x · y`; `None` if a root that generates both would be too large.
    pub fn mul(&self, other: &Algebraic) -> Option<Result<Algebraic, Limit>> {
        let (x, y) = self.joined(other)?;
        Some(x.with(x.value.mul(&y.value)))
    }

    /// `-x`.
    pub fn neg(&self) -> Algebraic {
        Algebraic { root: self.root.clone(), value: self.value.neg() }
    }

    /// `x + q` for a rational.
    pub fn add_rat(&self, q: &Rat) -> Result<Algebraic, Limit> {
        self.with(self.value.add(&Poly::constant(q.to_big())))
    }

    /// `x · q` for a rational.
    pub fn mul_rat(&self, q: &Rat) -> Result<Algebraic, Limit> {
        self.with(self.value.mul(&Poly::constant(q.to_big())))
    }

    /// `1 / x`; `Ok(None)` if `x` is zero.
    pub fn recip(&self) -> Result<Option<Algebraic>, Limit> {
        if self.is_zero() {
            return Ok(None);
        }
        if let Some(inverse) = self.value.inverse_modulo(&self.root.poly) {
            return self.with(inverse).map(Some);
        }
        // The polynomial of the root is not irreducible and shares a factor with the value, but not that of the
        // root: leave that factor out.
        let common = self.root.poly.gcd(&self.value);
        let poly = self.root.poly.div_rem(&common).0.normalised();
        let Some(inverse) = self.value.inverse_modulo(&poly) else { return Err(Limit::Budget) };
        self.with(inverse).map(Some)
    }

    fn is_zero(&self) -> bool {
        self.value.is_zero() || self.value.degree() > 0 && self.root.is_root_of(&self.value)
    }

    /// −1, 0 or 1.
    pub fn signum(&self) -> Result<i32, Limit> {
        if self.is_zero() {
            return Ok(0);
        }
        let mut bits = 64;
        while bits <= MAX_BITS {
            if let Some(sign) = self.enclosure(bits)?.and_then(|x| x.signum()) {
                return Ok(sign);
            }
            bits *= 2;
        }
        Err(Limit::Budget)
    }

    /// The number as a root of a polynomial of its own; `None` if that would be too large.
    fn bare(&self) -> Option<Root> {
        if self.value == Poly::variable() {
            return Some(Root::clone(&self.root));
        }
        let poly = compositum::annihilator(&self.value, &self.root.poly)?;
        compositum::only_root(poly, |bits| {
            let x = self.enclosure(bits).ok()??;
            Some((x.low().to_rat().ok()?.to_big(), x.high().to_rat().ok()?.to_big()))
        })
    }

    /// The order of the number and a rational.
    pub fn compare_rat(&self, q: &Rat) -> Result<Ordering, Limit> {
        Ok(self.add_rat(&q.neg())?.signum()?.cmp(&0))
    }

    /// The order of two numbers; `Ok(None)` if they may be equal and that cannot be proved.
    pub fn compare(&self, other: &Algebraic) -> Result<Option<Ordering>, Limit> {
        if let Some((x, y)) = self.together(other) {
            return Ok(Some(x.with(x.value.add(&y.value.neg()))?.signum()?.cmp(&0)));
        }
        for bits in [64, 128, 256, 512, 1024] {
            if let (Some(a), Some(b)) = (self.enclosure(bits)?, other.enclosure(bits)?)
                && let Some(order) = a.compare(&b)
            {
                return Ok(Some(order));
            }
            // Probably equal: as roots of polynomials of their own they may be proved the same.
            if bits == 128
                && let (Some(x), Some(y)) = (self.bare(), other.bare())
                && x.same(&y)
            {
                return Ok(Some(Ordering::Equal));
            }
        }
        Ok(None)
    }

    /// An enclosure from the root known to about `bits` bits after the point.
    fn enclosure(&self, bits: u32) -> Result<Option<Interval>, Limit> {
        let (low, high) = self.root.refined(bits)?.scaled(bits + 2);
        let end = |n| Dyadic::new(n, -i64::from(bits + 2));
        let Some(x) = Interval::new(end(low), end(high)) else { return Ok(None) };
        let work = 2 * bits + 64;
        let mut sum = Interval::point(Dyadic::ZERO);
        for c in self.value.0.iter().rev() {
            let c = Interval::from_rat(&Rat::from(c.clone()), work);
            match sum.mul(&x, work) {
                Some(product) => sum = product.add(&c, work),
                None => return Ok(None),
            }
        }
        Ok(Some(sum))
    }

    /// An enclosure of a width of about `2^-bits`, for functions that know intervals only.
    pub fn to_interval(&self, bits: u32) -> Result<Option<Interval>, Limit> {
        self.enclosure(bits.clamp(16, MAX_BITS))
    }

    /// `(to_int x)`: the greatest integer not above the number.
    pub fn floor(&self) -> Result<Int, Limit> {
        let mut bits = 64;
        while bits <= MAX_BITS {
            if let Some(x) = self.enclosure(bits)?
                && let (Some(low), Some(high)) = (x.low().floor(), x.high().floor())
            {
                if low == high {
                    return Ok(Int::from(low));
                }
                // One integer between the bounds: on which side of it is the number?
                let integer = Int::from(high);
                if Int::from(low) == integer.sub(&Int::ONE) {
                    let order = self.compare_rat(&Rat::from(&integer))?;
                    return Ok(if order.is_lt() { integer.sub(&Int::ONE) } else { integer });
                }
            }
            bits *= 2;
        }
        Err(Limit::Budget)
    }

    /// `(is_int x)`.
    pub fn is_int(&self) -> Result<bool, Limit> {
        Ok(self.compare_rat(&Rat::from(&self.floor()?))?.is_eq())
    }

    /// z3's form, if the number is a bare root: `(root-obj (+ (^ x 2) (- 2)) 2)`.
    pub fn to_smtlib(&self) -> Option<String> {
        if let Some(q) = self.to_rat() {
            return Some(q.to_smtlib());
        }
        if self.value != Poly::variable() {
            return None;
        }
        // Coefficients times their common denominator.
        let scale = self.root.poly.0.iter().fold(Int::ONE, |lcm, c| {
            let den = Int::from(c.denominator().clone());
            let common = lcm.gcd(&den);
            den.div(&common).and_then(|d| lcm.mul(&d).ok()).unwrap_or(lcm)
        });
        let terms: Vec<String> = self
            .root
            .poly
            .0
            .iter()
            .enumerate()
            .rev()
            .filter_map(|(i, c)| {
                let c = Int::from((c * RBig::from(scale.to_big())).floor());
                let power = match i {
                    0 => return (!c.is_zero()).then(|| c.to_smtlib()),
                    1 => "x".to_string(),
                    _ => format!("(^ x {i})"),
                };
                match c.to_i64() {
                    Some(0) => None,
                    Some(1) => Some(power),
                    _ => Some(format!("(* {} {power})", c.to_smtlib())),
                }
            })
            .collect();
        Some(format!("(root-obj (+ {}) {})", terms.join(" "), self.root.index))
    }
}

impl fmt::Debug for Algebraic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to_smtlib() {
            Some(text) => f.write_str(&text),
            None => write!(f, "(polynomial {:?} at root {:?})", self.value.0, self.root.poly.0),
        }
    }
}
