//! Floating-point numbers of any format: the theory `FloatingPoint` of SMT-LIB.
//!
//! Every operation computes its exact mathematical result as a dyadic number (an integer times a power of two, with a
//! mark for "and a little more") and rounds it once, by [`round`]. There is a single NaN. Exponents are machine
//! integers and shifts are bounded by the size of the significands, so a format with a 60-bit exponent costs no
//! more than any other.

mod arith;
mod classify;
mod convert;
mod integral;
pub mod round;
mod span;

pub use classify::Extremum;
pub use round::RoundingMode;
pub use span::Span;

use crate::bv::Bv;
use crate::limit::{Limit, MAX_WIDTH};
use dashu_base::BitTest;
use dashu_int::UBig;
use std::fmt;
use std::sync::Arc;

/// Largest number of exponent bits: exponents and their sums stay machine integers.
pub const MAX_EXPONENT_BITS: u32 = 60;

/// The sort `(_ FloatingPoint eb sb)`: `eb` bits of exponent, `sb` bits of significand with the hidden one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Format {
    eb: u32,
    sb: u32,
}

impl Format {
    /// `Float16`.
    pub const HALF: Format = Format { eb: 5, sb: 11 };
    /// `Float32`.
    pub const SINGLE: Format = Format { eb: 8, sb: 24 };
    /// `Float64`.
    pub const DOUBLE: Format = Format { eb: 11, sb: 53 };
    /// `Float128`.
    pub const QUAD: Format = Format { eb: 15, sb: 113 };

    /// A format; the standard demands `eb > 1` and `sb > 1`.
    pub fn new(eb: u32, sb: u32) -> Result<Format, Limit> {
        let known = (2..=MAX_EXPONENT_BITS).contains(&eb) && (2..=MAX_WIDTH / 4).contains(&sb);
        if known { Ok(Format { eb, sb }) } else { Err(Limit::TooLarge) }
    }

    /// Bits of the exponent.
    pub fn eb(self) -> u32 {
        self.eb
    }

    /// Bits of the significand, with the hidden one.
    pub fn sb(self) -> u32 {
        self.sb
    }

    /// Bits of the IEEE interchange form.
    pub fn width(self) -> u32 {
        self.eb + self.sb
    }

    /// What is added to an exponent when it is stored; also the greatest exponent.
    fn bias(self) -> i64 {
        (1 << (self.eb - 1)) - 1
    }

    /// The exponent of the least significant bit of a subnormal number.
    fn least_exponent(self) -> i64 {
        1 - self.bias() - (i64::from(self.sb) - 1)
    }

    /// The stored exponent of infinity and NaN.
    fn top(self) -> u64 {
        (1 << self.eb) - 1
    }
}

/// A floating-point number. Equality (`==`) is that of SMT-LIB's `=`: NaN equals NaN, −0 differs from +0.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Fp(Repr);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    /// The IEEE interchange form in a machine word; the NaN is the quiet positive one without payload.
    Small { eb: u8, sb: u8, bits: u64 },
    /// The IEEE interchange form of a format of more than 64 bits.
    Big(Arc<(Format, UBig)>),
}

/// A finite number that is not zero: `±mant · 2^exp`.
#[derive(Clone, Debug)]
pub(crate) struct Dyadic {
    pub neg: bool,
    pub mant: UBig,
    pub exp: i64,
}

impl Dyadic {
    /// The exponent of the bit above the most significant one.
    fn end(&self) -> i64 {
        self.exp + self.mant.bit_len() as i64
    }
}

/// What a floating-point number stands for.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Nan,
    Inf { neg: bool },
    Zero { neg: bool },
    Finite(Dyadic),
}

impl Fp {
    fn pack(format: Format, neg: bool, exponent: u64, fraction: UBig) -> Fp {
        let fraction_bits = format.sb - 1;
        if format.width() <= 64 {
            let fraction = u64::try_from(&fraction).unwrap_or(0);
            let bits =
                u64::from(neg) << (format.width() - 1) | exponent << fraction_bits | fraction;
            return Fp(Repr::Small { eb: format.eb as u8, sb: format.sb as u8, bits });
        }
        let mut bits = (UBig::from(exponent) << fraction_bits as usize) | fraction;
        if neg {
            bits.set_bit(format.width() as usize - 1);
        }
        Fp(Repr::Big(Arc::new((format, bits))))
    }

    /// `(_ NaN eb sb)`.
    pub fn nan(format: Format) -> Fp {
        Fp::pack(format, false, format.top(), UBig::ONE << (format.sb as usize - 2))
    }

    /// `(_ +oo eb sb)` or `(_ -oo eb sb)`.
    pub fn infinity(format: Format, neg: bool) -> Fp {
        Fp::pack(format, neg, format.top(), UBig::ZERO)
    }

    /// `(_ +zero eb sb)` or `(_ -zero eb sb)`.
    pub fn zero(format: Format, neg: bool) -> Fp {
        Fp::pack(format, neg, 0, UBig::ZERO)
    }

    /// The finite number of greatest magnitude.
    pub fn largest(format: Format, neg: bool) -> Fp {
        Fp::pack(format, neg, format.top() - 1, UBig::ones(format.sb as usize - 1))
    }

    /// The least positive number that is normal.
    pub fn least_normal(format: Format) -> Fp {
        Fp::pack(format, false, 1, UBig::ZERO)
    }

    /// `((_ to_fp eb sb) bits)`, the IEEE interchange form; `None` if the width is not `eb + sb`.
    pub fn from_bits(format: Format, bits: &Bv) -> Option<Fp> {
        if bits.width() != format.width() {
            return None;
        }
        let (fraction, rest) = match bits.to_u64() {
            Some(word) => {
                (UBig::from(word & ((1 << (format.sb - 1)) - 1)), word >> (format.sb - 1))
            }
            None => {
                let (low, high) = bits.to_big().split_bits(format.sb as usize - 1);
                // eb + 1 <= 61 bits are left.
                (low, u64::try_from(&high).unwrap_or(0))
            }
        };
        let (neg, exponent) = (rest >> format.eb & 1 == 1, rest & format.top());
        if exponent == format.top() && !fraction.is_zero() {
            return Some(Fp::nan(format));
        }
        Some(Fp::pack(format, neg, exponent, fraction))
    }

    /// `(fp sign exponent significand)`: one bit, `eb` bits, `sb - 1` bits; `None` if the widths name no format.
    pub fn from_parts(sign: &Bv, exponent: &Bv, significand: &Bv) -> Option<Fp> {
        let format = Format::new(exponent.width(), significand.width() + 1).ok()?;
        let bits = sign.concat(exponent).and_then(|high| high.concat(significand)).ok()?;
        Fp::from_bits(format, &bits)
    }

    /// The IEEE interchange form; for NaN that of the quiet positive NaN without payload.
    pub fn to_bits(&self) -> Bv {
        let format = self.format();
        let bits = match &self.0 {
            Repr::Small { bits, .. } => Bv::new(format.width(), *bits),
            Repr::Big(both) => Bv::from_big(format.width(), both.1.clone()),
        };
        // A format's width is a valid width of a bit-vector.
        bits.expect("the width of a format is valid")
    }

    /// z3's `(fp.to_ieee_bv x)`; `None` for NaN, whose bits are not specified.
    pub fn to_ieee_bv(&self) -> Option<Bv> {
        (!self.is_nan()).then(|| self.to_bits())
    }

    /// The format.
    pub fn format(&self) -> Format {
        match &self.0 {
            Repr::Small { eb, sb, .. } => Format { eb: u32::from(*eb), sb: u32::from(*sb) },
            Repr::Big(both) => both.0,
        }
    }

    /// The three fields: sign, stored exponent, fraction.
    fn fields(&self) -> (bool, u64, UBig) {
        let format = self.format();
        match &self.0 {
            Repr::Small { bits, .. } => (
                bits >> (format.width() - 1) & 1 == 1,
                bits >> (format.sb - 1) & format.top(),
                UBig::from(bits & ((1 << (format.sb - 1)) - 1)),
            ),
            Repr::Big(both) => {
                let (fraction, rest) = both.1.clone().split_bits(format.sb as usize - 1);
                let rest = u64::try_from(&rest).unwrap_or(0);
                (rest >> format.eb & 1 == 1, rest & format.top(), fraction)
            }
        }
    }

    pub(crate) fn kind(&self) -> Kind {
        let format = self.format();
        let (neg, exponent, fraction) = self.fields();
        if exponent == format.top() {
            return if fraction.is_zero() { Kind::Inf { neg } } else { Kind::Nan };
        }
        if exponent == 0 {
            if fraction.is_zero() {
                return Kind::Zero { neg };
            }
            return Kind::Finite(Dyadic { neg, mant: fraction, exp: format.least_exponent() });
        }
        let mut mant = fraction;
        mant.set_bit(format.sb as usize - 1);
        Kind::Finite(Dyadic { neg, mant, exp: exponent as i64 - 1 + format.least_exponent() })
    }

    /// The number as an SMT-LIB term: `(fp #b0 #b… #b…)`, `(_ NaN eb sb)`, `(_ +oo eb sb)`, …
    pub fn to_smtlib(&self) -> String {
        let Format { eb, sb } = self.format();
        let sign = |neg| if neg { '-' } else { '+' };
        match self.kind() {
            Kind::Nan => format!("(_ NaN {eb} {sb})"),
            Kind::Inf { neg } => format!("(_ {}oo {eb} {sb})", sign(neg)),
            Kind::Zero { neg } => format!("(_ {}zero {eb} {sb})", sign(neg)),
            Kind::Finite(_) => {
                let (neg, exponent, fraction) = self.fields();
                let (e, f) = (eb as usize, sb as usize - 1);
                let fraction = fraction.in_radix(2).to_string();
                format!("(fp #b{} #b{exponent:0e$b} #b{fraction:0>f$})", u8::from(neg))
            }
        }
    }
}

impl fmt::Display for Fp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_smtlib())
    }
}

impl fmt::Debug for Fp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_smtlib())
    }
}
