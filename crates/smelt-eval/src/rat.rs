//! Exact rationals, the values of sort `Real` that solvers print as quotients and decimals.

use crate::int::Int;
use crate::limit::{Limit, MAX_NUMBER_BITS};
use dashu_base::{BitTest, Gcd, Sign};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use std::cmp::Ordering;
use std::fmt;
use std::num::NonZeroU64;
use std::sync::Arc;

/// A rational number in lowest terms. Normalised: the big form is used only where numerator or denominator does
/// not fit a machine word, so `==` and `Hash` are those of the number.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rat(Repr);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Small { num: i64, den: NonZeroU64 },
    Big(Arc<RBig>),
}
use Repr::{Big, Small};

const UNIT: NonZeroU64 = NonZeroU64::MIN;

impl Rat {
    /// Zero.
    pub const ZERO: Rat = Rat(Small { num: 0, den: UNIT });
    /// One.
    pub const ONE: Rat = Rat(Small { num: 1, den: UNIT });

    /// `num / den`; `None` if `den` is zero.
    pub fn new(num: &Int, den: &Int) -> Option<Rat> {
        if den.is_zero() {
            return None;
        }
        if let (Some(n), Some(d)) = (num.to_i64(), den.to_i64()) {
            let n = if d < 0 { -i128::from(n) } else { i128::from(n) };
            return Some(Rat::reduce(n, u128::from(d.unsigned_abs())));
        }
        Some(Rat::from(RBig::from_parts_signed(num.to_big(), den.to_big())))
    }

    /// `num / 2^k`.
    pub fn dyadic(num: IBig, k: usize) -> Result<Rat, Limit> {
        if k > MAX_NUMBER_BITS {
            return Err(Limit::TooLarge);
        }
        Ok(Rat::from(RBig::from_parts(num, UBig::ONE << k)))
    }

    fn reduce(num: i128, den: u128) -> Rat {
        let common = if num == 0 { den } else { num.unsigned_abs().gcd(den) };
        // A common divisor of den > 0 is positive, and the quotients are exact.
        let (n, d) = (num.unsigned_abs() / common, den / common);
        let signed = i128::try_from(n).ok().map(|n| if num < 0 { -n } else { n });
        let small = signed.and_then(|n| i64::try_from(n).ok());
        match (small, u64::try_from(d).ok().and_then(NonZeroU64::new)) {
            (Some(num), Some(den)) => Rat(Small { num, den }),
            _ => {
                let sign = if num < 0 { Sign::Negative } else { Sign::Positive };
                Rat(Big(Arc::new(RBig::from_parts(
                    IBig::from_parts(sign, UBig::from(n)),
                    UBig::from(d),
                ))))
            }
        }
    }

    /// The number as dashu's rational.
    pub fn to_big(&self) -> RBig {
        match &self.0 {
            Small { num, den } => RBig::from_parts(IBig::from(*num), UBig::from(den.get())),
            Big(b) => b.as_ref().clone(),
        }
    }

    /// Bits of numerator and denominator together.
    pub fn bit_len(&self) -> usize {
        match &self.0 {
            Small { .. } => 128,
            Big(q) => q.numerator().bit_len() + q.denominator().bit_len(),
        }
    }

    /// The numerator; it carries the sign.
    pub fn numerator(&self) -> Int {
        match &self.0 {
            Small { num, .. } => Int::from(*num),
            Big(b) => Int::from(b.numerator().clone()),
        }
    }

    /// The denominator, positive.
    pub fn denominator(&self) -> Int {
        match &self.0 {
            Small { den, .. } => Int::from(den.get()),
            Big(b) => Int::from(b.denominator().clone()),
        }
    }

    /// −1, 0 or 1.
    pub fn signum(&self) -> i32 {
        match &self.0 {
            Small { num, .. } => num.signum() as i32,
            Big(b) if b.sign() == Sign::Negative => -1,
            Big(_) => 1,
        }
    }

    /// Is it zero?
    pub fn is_zero(&self) -> bool {
        self.signum() == 0
    }

    fn bits(&self) -> usize {
        match &self.0 {
            Small { .. } => 64,
            Big(b) => b.numerator().bit_len().max(b.denominator().bit_len()),
        }
    }

    fn room(&self, other: &Rat) -> Result<(), Limit> {
        if self.bits() + other.bits() > MAX_NUMBER_BITS { Err(Limit::TooLarge) } else { Ok(()) }
    }

    /// `(+ a b)`.
    pub fn add(&self, other: &Rat) -> Result<Rat, Limit> {
        if let (Small { num: a, den: b }, Small { num: c, den: d }) = (&self.0, &other.0) {
            if *b == UNIT && *d == UNIT {
                if let Some(num) = a.checked_add(*c) {
                    return Ok(Rat(Small { num, den: UNIT }));
                }
            } else {
                let (b, d) = (b.get(), d.get());
                let left = i128::from(*a).checked_mul(i128::from(d));
                let right = i128::from(*c).checked_mul(i128::from(b));
                if let (Some(l), Some(r)) = (left, right)
                    && let Some(num) = l.checked_add(r)
                {
                    return Ok(Rat::reduce(num, u128::from(b) * u128::from(d)));
                }
            }
        }
        self.room(other)?;
        Ok(Rat::from(self.to_big() + other.to_big()))
    }

    /// `(- a)`.
    pub fn neg(&self) -> Rat {
        if let Small { num, den } = self.0
            && let Some(num) = num.checked_neg()
        {
            return Rat(Small { num, den });
        }
        Rat::from(-self.to_big())
    }

    /// `(- a b)`.
    pub fn sub(&self, other: &Rat) -> Result<Rat, Limit> {
        self.add(&other.neg())
    }

    /// `(abs a)`.
    pub fn abs(&self) -> Rat {
        if self.signum() < 0 { self.neg() } else { self.clone() }
    }

    /// `(* a b)`.
    pub fn mul(&self, other: &Rat) -> Result<Rat, Limit> {
        if let (Small { num: a, den: b }, Small { num: c, den: d }) = (&self.0, &other.0) {
            if *b == UNIT && *d == UNIT {
                if let Some(num) = a.checked_mul(*c) {
                    return Ok(Rat(Small { num, den: UNIT }));
                }
            } else {
                // |i64|·|i64| <= 2^126 fits.
                let num = i128::from(*a) * i128::from(*c);
                return Ok(Rat::reduce(num, u128::from(b.get()) * u128::from(d.get())));
            }
        }
        self.room(other)?;
        Ok(Rat::from(self.to_big() * other.to_big()))
    }

    /// `(/ 1 a)`; `None` if `a` is zero.
    pub fn recip(&self) -> Option<Rat> {
        Rat::new(&self.denominator(), &self.numerator())
    }

    /// `(/ a b)`; `None` if `b` is zero: the standard leaves the value to the model.
    pub fn div(&self, other: &Rat) -> Option<Result<Rat, Limit>> {
        other.recip().map(|inverse| self.mul(&inverse))
    }

    /// `a` to the power `n`, with `0^0 = 1`; a negative power of zero is `None`.
    pub fn pow(&self, n: i64) -> Option<Result<Rat, Limit>> {
        let base = if n < 0 { self.recip()? } else { self.clone() };
        let (num, den) = (base.numerator(), base.denominator());
        let power = num.pow(n.unsigned_abs()).and_then(|p| Ok((p, den.pow(n.unsigned_abs())?)));
        // Powers of coprime numbers are coprime, and the denominator is positive.
        Some(power.map(|(p, q)| Rat::new(&p, &q).unwrap_or(Rat::ZERO)))
    }

    /// `(to_int a)`: the greatest integer not above `a`.
    pub fn floor(&self) -> Int {
        match &self.0 {
            Small { num, den } if *den == UNIT => Int::from(*num),
            // |num| < 2^63 and den > 0: both fit i128.
            Small { num, den } => {
                Int::from(i128::from(*num).div_euclid(i128::from(den.get())) as i64)
            }
            Big(b) => Int::from(b.floor()),
        }
    }

    /// The least integer not below `a`.
    pub fn ceil(&self) -> Int {
        self.neg().floor().neg()
    }

    /// `(is_int a)`.
    pub fn is_int(&self) -> bool {
        match &self.0 {
            Small { den, .. } => *den == UNIT,
            Big(b) => b.denominator().is_one(),
        }
    }

    /// Parses an SMT-LIB decimal or numeral: `1.5`, `0.0`, `12`. `None` if the text is neither.
    pub fn parse(text: &str) -> Option<Result<Rat, Limit>> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
        // Each part is checked by itself: digits on both sides of the point.
        if whole.is_empty() || fraction.is_empty() {
            return None;
        }
        let fraction_digits = fraction.trim_end_matches('0');
        if !fraction.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let digits = Int::parse_decimal(&format!("{whole}{fraction_digits}"))?;
        let scale = Int::from(10i64).pow(fraction_digits.len() as u64);
        Some(digits.and_then(|n| scale.map(|s| Rat::new(&n, &s).unwrap_or(Rat::ZERO))))
    }

    /// The number as an SMT-LIB term of sort Real: `1.0`, `(- 1.0)`, `(/ 1.0 2.0)`, `(- (/ 1.0 2.0))`.
    pub fn to_smtlib(&self) -> String {
        let (num, den) = (self.numerator().abs(), self.denominator());
        let magnitude =
            if self.is_int() { format!("{num}.0") } else { format!("(/ {num}.0 {den}.0)") };
        if self.signum() < 0 { format!("(- {magnitude})") } else { magnitude }
    }
}

impl From<RBig> for Rat {
    fn from(n: RBig) -> Rat {
        let num = i64::try_from(n.numerator());
        let den = u64::try_from(n.denominator()).ok().and_then(NonZeroU64::new);
        match (num, den) {
            (Ok(num), Some(den)) => Rat(Small { num, den }),
            _ => Rat(Big(Arc::new(n))),
        }
    }
}

impl From<&Int> for Rat {
    fn from(n: &Int) -> Rat {
        match n.to_i64() {
            Some(num) => Rat(Small { num, den: UNIT }),
            None => Rat::from(RBig::from(n.to_big())),
        }
    }
}

impl From<i64> for Rat {
    fn from(num: i64) -> Rat {
        Rat(Small { num, den: UNIT })
    }
}

impl Ord for Rat {
    fn cmp(&self, other: &Rat) -> Ordering {
        match (&self.0, &other.0) {
            (Small { num: a, den: b }, Small { num: c, den: d }) if b == d => a.cmp(c),
            (Small { num: a, den: b }, Small { num: c, den: d }) => {
                // i64 times u64 is below 2^127 in magnitude.
                (i128::from(*a) * i128::from(d.get())).cmp(&(i128::from(*c) * i128::from(b.get())))
            }
            _ => self.to_big().cmp(&other.to_big()),
        }
    }
}

impl PartialOrd for Rat {
    fn partial_cmp(&self, other: &Rat) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Rat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_smtlib())
    }
}

impl fmt::Debug for Rat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_int() {
            write!(f, "{}", self.numerator())
        } else {
            write!(f, "{}/{}", self.numerator(), self.denominator())
        }
    }
}
