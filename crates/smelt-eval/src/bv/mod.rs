//! Bit-vectors of any width: the theory `FixedSizeBitVectors` of SMT-LIB 2.7 and the extensions of z3, cvc5 and
//! Bitwuzla.
//!
//! A method is named after its operator (`bvadd`, `bvsmod`, …), so that text of the standard and code can be laid side by
//! side. Binary operators demand equal widths, which well-sortedness gives: a mismatch is a bug of the caller
//! (checked in debug builds).

mod arith;
mod bits;
mod compare;

use crate::int::Int;
use crate::limit::{Limit, MAX_WIDTH};
use dashu_base::BitTest;
use dashu_int::UBig;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// A bit-vector: a width of at least 1 and an unsigned number below `2^width`. No allocation up to 64 bits.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Bv(Repr);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    /// `width <= 64`; the bits above the width are zero.
    Small { width: u32, bits: u64 },
    /// `width > 64`; the bits above the width are zero.
    Big { width: u32, bits: Arc<UBig> },
}
use Repr::{Big, Small};

#[inline]
fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

impl Bv {
    /// The vector of `width` bits that holds `value` modulo `2^width`; an error for a width of 0 or beyond
    /// [`MAX_WIDTH`].
    pub fn new(width: u32, value: u64) -> Result<Bv, Limit> {
        check_width(width)?;
        Ok(Bv::of(width, value))
    }

    /// The vector of `width` bits that holds `value` modulo `2^width` (any width).
    pub fn from_big(width: u32, value: UBig) -> Result<Bv, Limit> {
        check_width(width)?;
        Ok(Bv::of_big(width, value))
    }

    /// `((_ int_to_bv width) value)`, earlier `int2bv` and `nat2bv`: `value` modulo `2^width`.
    pub fn int_to_bv(width: u32, value: &Int) -> Result<Bv, Limit> {
        check_width(width)?;
        Ok(match value.to_i64() {
            Some(n) if width <= 64 => Bv::of(width, n as u64),
            _ => Bv::of_big(width, value.low_bits(width)),
        })
    }

    /// Parses the digits of `#b…`: as many bits as digits. `None` if the text is anything else.
    pub fn parse_binary(digits: &str) -> Option<Result<Bv, Limit>> {
        Bv::parse(digits, 1, Int::parse_binary)
    }

    /// Parses the digits of `#x…`: four bits per digit. `None` if the text is anything else.
    pub fn parse_hex(digits: &str) -> Option<Result<Bv, Limit>> {
        Bv::parse(digits, 4, Int::parse_hex)
    }

    fn parse(
        digits: &str,
        per_digit: usize,
        number: fn(&str) -> Option<Result<Int, Limit>>,
    ) -> Option<Result<Bv, Limit>> {
        let width = u32::try_from(digits.len() * per_digit).unwrap_or(u32::MAX);
        let value = number(digits)?;
        Some(value.and_then(|n| Bv::int_to_bv(width, &n)))
    }

    // The width is known to be valid in the constructors below.

    #[inline]
    fn of(width: u32, value: u64) -> Bv {
        if width <= 64 {
            Bv(Small { width, bits: value & mask(width) })
        } else {
            Bv(Big { width, bits: Arc::new(UBig::from(value)) })
        }
    }

    fn of_big(width: u32, mut value: UBig) -> Bv {
        if value.bit_len() > width as usize {
            value.clear_high_bits(width as usize);
        }
        if width <= 64 {
            // At most 64 bits are left.
            Bv(Small { width, bits: u64::try_from(&value).unwrap_or(0) })
        } else {
            Bv(Big { width, bits: Arc::new(value) })
        }
    }

    /// All bits zero.
    pub fn zero(width: u32) -> Result<Bv, Limit> {
        Bv::new(width, 0)
    }

    /// All bits one.
    pub fn ones(width: u32) -> Result<Bv, Limit> {
        Ok(Bv::zero(width)?.bvnot())
    }

    /// The least signed value, `100…0`.
    pub fn min_signed(width: u32) -> Result<Bv, Limit> {
        check_width(width)?;
        Ok(Bv::of_big(width, UBig::ONE << (width as usize - 1)))
    }

    #[inline]
    fn zero_like(&self) -> Bv {
        Bv::of(self.width(), 0)
    }

    #[inline]
    fn is_zero(&self) -> bool {
        match &self.0 {
            Small { bits, .. } => *bits == 0,
            Big { bits, .. } => bits.is_zero(),
        }
    }

    /// The number of bits.
    #[inline]
    pub fn width(&self) -> u32 {
        match self.0 {
            Small { width, .. } | Big { width, .. } => width,
        }
    }

    /// The bits as a machine word, if the width is at most 64.
    #[inline]
    pub fn to_u64(&self) -> Option<u64> {
        match self.0 {
            Small { bits, .. } => Some(bits),
            Big { .. } => None,
        }
    }

    /// The bits as an unsigned number.
    pub fn to_big(&self) -> UBig {
        self.big().into_owned()
    }

    fn big(&self) -> Cow<'_, UBig> {
        match &self.0 {
            Small { bits, .. } => Cow::Owned(UBig::from(*bits)),
            Big { bits, .. } => Cow::Borrowed(bits),
        }
    }

    /// Bit `i`, counted from the least significant; false beyond the width. (z3's `(_ bit2bool i)`.)
    #[inline]
    pub fn bit(&self, i: u32) -> bool {
        match &self.0 {
            Small { bits, .. } => i < 64 && bits >> i & 1 == 1,
            Big { bits, .. } => bits.bit(i as usize),
        }
    }

    /// The most significant bit: the sign in two's complement.
    #[inline]
    pub fn sign_bit(&self) -> bool {
        self.bit(self.width() - 1)
    }

    /// `(ubv_to_int x)`, earlier `bv2nat`: the number the bits write in base two.
    pub fn ubv_to_int(&self) -> Int {
        match &self.0 {
            Small { bits, .. } => Int::from(*bits),
            Big { bits, .. } => Int::from(bits.as_ref().clone()),
        }
    }

    /// `(sbv_to_int x)`: the number the bits write in two's complement.
    pub fn sbv_to_int(&self) -> Int {
        match &self.0 {
            Small { width, bits } => Int::from(sign_extended(*width, *bits)),
            Big { width, .. } => {
                let unsigned = self.ubv_to_int();
                if self.sign_bit() {
                    unsigned.sub(&Int::from(UBig::ONE << *width as usize))
                } else {
                    unsigned
                }
            }
        }
    }

    /// The vector as an SMT-LIB literal: `#x…` where the width is a multiple of four, else `#b…`.
    pub fn to_smtlib(&self) -> String {
        let width = self.width() as usize;
        let value = self.big();
        let (prefix, radix, digits) =
            if width.is_multiple_of(4) { ("#x", 16, width / 4) } else { ("#b", 2, width) };
        format!("{prefix}{:0>digits$}", value.in_radix(radix).to_string())
    }
}

/// Is this the width of a bit-vector we can store?
pub fn check_width(width: u32) -> Result<(), Limit> {
    if width == 0 || width > MAX_WIDTH { Err(Limit::TooLarge) } else { Ok(()) }
}

fn sign_extended(width: u32, bits: u64) -> i64 {
    let unused = 64 - width;
    ((bits << unused) as i64) >> unused
}

impl fmt::Display for Bv {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_smtlib())
    }
}

impl fmt::Debug for Bv {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_smtlib())
    }
}
