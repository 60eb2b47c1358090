//! Integers of the theory `Ints`: a machine word as long as it suffices, a big integer beyond.

use crate::limit::{Limit, MAX_NUMBER_BITS};
use dashu_base::{BitTest, DivRemEuclid, Gcd, Sign, UnsignedAbs};
use dashu_int::{IBig, UBig};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

/// An integer. Normalised: the big form is used only for what does not fit `i64`, so `==` and `Hash` are those of
/// the number.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Int(Repr);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Small(i64),
    Big(Arc<IBig>),
}
use Repr::{Big, Small};

impl Int {
    /// Zero.
    pub const ZERO: Int = Int(Small(0));
    /// One.
    pub const ONE: Int = Int(Small(1));
    /// Minus one.
    pub const NEG_ONE: Int = Int(Small(-1));

    /// The number as `i64`, if it fits.
    pub fn to_i64(&self) -> Option<i64> {
        match self.0 {
            Small(n) => Some(n),
            Big(_) => None,
        }
    }

    /// The number as `usize`, if it fits and is not negative.
    pub fn to_usize(&self) -> Option<usize> {
        self.to_i64().and_then(|n| usize::try_from(n).ok())
    }

    /// The number as `u32`, if it fits and is not negative.
    pub fn to_u32(&self) -> Option<u32> {
        self.to_i64().and_then(|n| u32::try_from(n).ok())
    }

    /// The number as a big integer.
    pub fn to_big(&self) -> IBig {
        self.big().into_owned()
    }

    pub(crate) fn big(&self) -> Cow<'_, IBig> {
        match &self.0 {
            Small(n) => Cow::Owned(IBig::from(*n)),
            Big(b) => Cow::Borrowed(b),
        }
    }

    /// The absolute value as an unsigned big integer.
    pub fn magnitude(&self) -> UBig {
        match &self.0 {
            Small(n) => UBig::from(n.unsigned_abs()),
            Big(b) => b.as_ref().unsigned_abs(),
        }
    }

    /// How many bits the magnitude has; 0 for zero.
    pub fn bit_len(&self) -> usize {
        match &self.0 {
            Small(n) => (64 - n.unsigned_abs().leading_zeros()) as usize,
            Big(b) => b.bit_len(),
        }
    }

    /// −1, 0 or 1.
    pub fn signum(&self) -> i32 {
        match &self.0 {
            Small(n) => n.signum() as i32,
            Big(b) if b.sign() == Sign::Negative => -1,
            Big(_) => 1,
        }
    }

    /// Is it zero?
    pub fn is_zero(&self) -> bool {
        self.0 == Small(0)
    }

    /// Is it below zero?
    pub fn is_negative(&self) -> bool {
        self.signum() < 0
    }

    /// `(+ a b)`.
    #[inline]
    pub fn add(&self, other: &Int) -> Int {
        if let (Small(a), Small(b)) = (&self.0, &other.0)
            && let Some(c) = a.checked_add(*b)
        {
            return Int(Small(c));
        }
        Int::from(self.big().as_ref() + other.big().as_ref())
    }

    /// `(- a b)`.
    #[inline]
    pub fn sub(&self, other: &Int) -> Int {
        if let (Small(a), Small(b)) = (&self.0, &other.0)
            && let Some(c) = a.checked_sub(*b)
        {
            return Int(Small(c));
        }
        Int::from(self.big().as_ref() - other.big().as_ref())
    }

    /// `(- a)`.
    pub fn neg(&self) -> Int {
        Int::ZERO.sub(self)
    }

    /// `(abs a)`.
    pub fn abs(&self) -> Int {
        if self.is_negative() { self.neg() } else { self.clone() }
    }

    /// `(* a b)`; bounded, because nested products double their size at each level.
    #[inline]
    pub fn mul(&self, other: &Int) -> Result<Int, Limit> {
        if let (Small(a), Small(b)) = (&self.0, &other.0)
            && let Some(c) = a.checked_mul(*b)
        {
            return Ok(Int(Small(c)));
        }
        if self.bit_len() + other.bit_len() > MAX_NUMBER_BITS {
            return Err(Limit::TooLarge);
        }
        Ok(Int::from(self.big().as_ref() * other.big().as_ref()))
    }

    /// `(div a b)` and `(mod a b)` together, after Boute as in the standard: `a = b*q + r` with `0 <= r < |b|`.
    /// `None` if `b` is zero: the standard leaves the value to the model.
    pub fn div_mod(&self, other: &Int) -> Option<(Int, Int)> {
        if other.is_zero() {
            return None;
        }
        if let (Small(a), Small(b)) = (&self.0, &other.0)
            && let (Some(q), Some(r)) = (a.checked_div_euclid(*b), a.checked_rem_euclid(*b))
        {
            return Some((Int(Small(q)), Int(Small(r))));
        }
        let (q, r) = self.big().into_owned().div_rem_euclid(other.big().into_owned());
        Some((Int::from(q), Int::from(r)))
    }

    /// `(div a b)`; `None` if `b` is zero.
    pub fn div(&self, other: &Int) -> Option<Int> {
        self.div_mod(other).map(|(q, _)| q)
    }

    /// `(mod a b)`; `None` if `b` is zero.
    pub fn modulo(&self, other: &Int) -> Option<Int> {
        self.div_mod(other).map(|(_, r)| r)
    }

    /// z3's `(rem a b)`: `(mod a b)` with the sign of `b`; `None` if `b` is zero.
    pub fn z3_rem(&self, other: &Int) -> Option<Int> {
        self.modulo(other).map(|r| if other.is_negative() { r.neg() } else { r })
    }

    /// Greatest common divisor, never negative; `gcd(0, 0) = 0`.
    pub fn gcd(&self, other: &Int) -> Int {
        if self.is_zero() {
            return other.abs();
        }
        if other.is_zero() {
            return self.abs();
        }
        if let (Small(a), Small(b)) = (&self.0, &other.0) {
            return Int::from(a.unsigned_abs().gcd(b.unsigned_abs()));
        }
        Int::from(self.magnitude().gcd(other.magnitude()))
    }

    /// `a` to the power `n`, with `0^0 = 1`.
    pub fn pow(&self, n: u64) -> Result<Int, Limit> {
        match self.to_i64() {
            Some(0) => return Ok(if n == 0 { Int::ONE } else { Int::ZERO }),
            Some(1) => return Ok(Int::ONE),
            Some(-1) => return Ok(if n.is_multiple_of(2) { Int::ONE } else { Int::NEG_ONE }),
            _ => {}
        }
        let n = usize::try_from(n).map_err(|_| Limit::TooLarge)?;
        match self.bit_len().checked_mul(n) {
            Some(bits) if bits <= MAX_NUMBER_BITS => Ok(Int::from(self.big().pow(n))),
            _ => Err(Limit::TooLarge),
        }
    }

    /// `((_ divisible n) a)`: some integer times `n` is `a`. The standard demands `n > 0`; zero divides only zero.
    pub fn divisible(&self, n: &Int) -> bool {
        match self.modulo(n) {
            Some(r) => r.is_zero(),
            None => self.is_zero(),
        }
    }

    /// cvc5's `(int.pow2 a)`: 2 to the power `a`, and 0 for a negative `a`.
    pub fn pow2(&self) -> Result<Int, Limit> {
        if self.is_negative() {
            return Ok(Int::ZERO);
        }
        match self.to_usize() {
            Some(n) if n < MAX_NUMBER_BITS => Ok(Int::from(UBig::ONE << n)),
            _ => Err(Limit::TooLarge),
        }
    }

    /// cvc5's `(int.log2 a)`: the floor of the binary logarithm, and 0 for `a <= 0`.
    pub fn log2(&self) -> Int {
        if self.signum() <= 0 { Int::ZERO } else { Int::from(self.bit_len() as u64 - 1) }
    }

    /// cvc5's `(int.ispow2 a)`: is `a` some `2^k` with `k >= 0`?
    pub fn is_pow2(&self) -> bool {
        self.signum() > 0 && self.big().trailing_zeros() == Some(self.bit_len() - 1)
    }

    /// `self` modulo `2^k`, in `0 .. 2^k`.
    /// Builds numbers of `k` bits: the caller bounds `k`.
    pub(crate) fn low_bits(&self, k: u32) -> UBig {
        let mut low = self.magnitude();
        low.clear_high_bits(k as usize);
        if self.is_negative() && !low.is_zero() {
            low = (UBig::ONE << k as usize) - low;
        }
        low
    }

    /// cvc5's `((_ iand k) a b)`: bitwise and of the two numbers modulo `2^k`.
    pub fn iand(&self, other: &Int, k: u32) -> Result<Int, Limit> {
        if let (Small(a), Small(b)) = (&self.0, &other.0)
            && (*a >= 0 || *b >= 0 || k < 64)
        {
            let both = a & b;
            return Ok(Int::from(if k < 64 { both as u64 & ((1 << k) - 1) } else { both as u64 }));
        }
        let and = Int::from(self.big().as_ref() & other.big().as_ref());
        // Only a negative conjunction needs 2^k itself.
        if and.is_negative() && k as usize > MAX_NUMBER_BITS {
            return Err(Limit::TooLarge);
        }
        Ok(Int::from(and.low_bits(k)))
    }

    /// Parses decimal digits, nothing else (no sign); `None` if the text is not that, and an error beyond the
    /// bounds.
    pub fn parse_decimal(digits: &str) -> Option<Result<Int, Limit>> {
        Int::parse(digits, 10, MAX_NUMBER_BITS * 3 / 10)
    }

    /// Parses hexadecimal digits (the `…` of `#x…`), nothing else.
    pub fn parse_hex(digits: &str) -> Option<Result<Int, Limit>> {
        Int::parse(digits, 16, MAX_NUMBER_BITS / 4)
    }

    /// Parses binary digits (the `…` of `#b…`), nothing else.
    pub fn parse_binary(digits: &str) -> Option<Result<Int, Limit>> {
        Int::parse(digits, 2, MAX_NUMBER_BITS)
    }

    fn parse(digits: &str, radix: u32, most: usize) -> Option<Result<Int, Limit>> {
        if digits.is_empty() || !digits.bytes().all(|b| (b as char).is_digit(radix)) {
            return None;
        }
        if let Ok(n) = i64::from_str_radix(digits, radix) {
            return Some(Ok(Int(Small(n))));
        }
        let digits = digits.trim_start_matches('0');
        if digits.len() > most {
            return Some(Err(Limit::TooLarge));
        }
        // "" after trimming zeros was parsed above: i64 accepts any number of leading zeros.
        UBig::from_str_radix(digits, radix).ok().map(|n| Ok(Int::from(n)))
    }

    /// The number as an SMT-LIB term: `5`, `(- 5)`.
    pub fn to_smtlib(&self) -> String {
        if self.is_negative() { format!("(- {})", self.abs()) } else { self.to_string() }
    }
}

impl From<IBig> for Int {
    fn from(n: IBig) -> Int {
        match i64::try_from(&n) {
            Ok(small) => Int(Small(small)),
            Err(_) => Int(Big(Arc::new(n))),
        }
    }
}

impl From<UBig> for Int {
    fn from(n: UBig) -> Int {
        Int::from(IBig::from(n))
    }
}

impl From<i64> for Int {
    fn from(n: i64) -> Int {
        Int(Small(n))
    }
}

impl From<u64> for Int {
    fn from(n: u64) -> Int {
        match i64::try_from(n) {
            Ok(small) => Int(Small(small)),
            Err(_) => Int(Big(Arc::new(IBig::from(n)))),
        }
    }
}

impl From<usize> for Int {
    fn from(n: usize) -> Int {
        Int::from(n as u64)
    }
}

impl Ord for Int {
    fn cmp(&self, other: &Int) -> Ordering {
        match (&self.0, &other.0) {
            (Small(a), Small(b)) => a.cmp(b),
            _ => self.big().as_ref().cmp(other.big().as_ref()),
        }
    }
}

impl PartialOrd for Int {
    fn partial_cmp(&self, other: &Int) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Small(n) => fmt::Display::fmt(n, f),
            Big(b) => fmt::Display::fmt(b, f),
        }
    }
}

impl fmt::Debug for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
