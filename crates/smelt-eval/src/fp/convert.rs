//! Conversions between floating-point formats, reals, integers and bit-vectors.

use super::arith::quotient;
use super::round::round;
use super::{Dyadic, Format, Fp, Kind, RoundingMode};
use crate::bv::{Bv, check_width};
use crate::int::Int;
use crate::limit::{Limit, MAX_NUMBER_BITS};
use crate::rat::Rat;
use dashu_base::Sign;
use dashu_int::{IBig, UBig};

impl Fp {
    /// `((_ to_fp eb sb) mode x)` from another format.
    pub fn to_format(&self, mode: RoundingMode, format: Format) -> Fp {
        match self.kind() {
            Kind::Nan => Fp::nan(format),
            Kind::Inf { neg } => Fp::infinity(format, neg),
            Kind::Zero { neg } => Fp::zero(format, neg),
            Kind::Finite(x) => round(format, mode, &x, false),
        }
    }

    /// `((_ to_fp eb sb) mode x)` from a real; zero becomes +0.
    pub fn from_rat(format: Format, mode: RoundingMode, x: &Rat) -> Fp {
        if x.is_zero() {
            return Fp::zero(format, false);
        }
        let (num, den) = (x.numerator().magnitude(), x.denominator().magnitude());
        quotient(format, mode, x.signum() < 0, (num, 0), (den, 0))
    }

    /// The integer, rounded; zero becomes +0.
    pub fn from_int(format: Format, mode: RoundingMode, x: &Int) -> Fp {
        if x.is_zero() {
            return Fp::zero(format, false);
        }
        let x = Dyadic { neg: x.is_negative(), mant: x.magnitude(), exp: 0 };
        round(format, mode, &x, false)
    }

    /// z3's `((_ to_fp eb sb) mode exponent real)`: `significand · 2^exponent`.
    pub fn from_scaled_rat(
        format: Format,
        mode: RoundingMode,
        significand: &Rat,
        exponent: i64,
    ) -> Fp {
        if significand.is_zero() {
            return Fp::zero(format, false);
        }
        // Far beyond the range of any format the exact exponent does not matter; sums stay machine integers.
        let exponent = exponent.clamp(-(1 << 61), 1 << 61);
        let (num, den) =
            (significand.numerator().magnitude(), significand.denominator().magnitude());
        quotient(format, mode, significand.signum() < 0, (num, exponent), (den, 0))
    }

    /// `((_ to_fp eb sb) mode x)` from a bit-vector in two's complement.
    pub fn from_sbv(format: Format, mode: RoundingMode, x: &Bv) -> Fp {
        Fp::from_int(format, mode, &x.sbv_to_int())
    }

    /// `((_ to_fp_unsigned eb sb) mode x)`.
    pub fn from_ubv(format: Format, mode: RoundingMode, x: &Bv) -> Fp {
        Fp::from_int(format, mode, &x.ubv_to_int())
    }

    /// The number rounded to an integer, if it is finite and its magnitude has at most `bits` bits.
    fn to_int_within(&self, mode: RoundingMode, bits: u32) -> Option<Int> {
        match self.kind() {
            Kind::Nan | Kind::Inf { .. } => None,
            Kind::Zero { .. } => Some(Int::ZERO),
            Kind::Finite(x) if x.end() > i64::from(bits) => None,
            Kind::Finite(x) => {
                let magnitude = Int::from(x.to_integer(mode));
                Some(if x.neg { magnitude.neg() } else { magnitude })
            }
        }
    }

    /// `((_ fp.to_ubv width) mode x)`; `None` where the standard does not specify it: NaN, infinities, and rounded
    /// values outside `0 .. 2^width`.
    pub fn to_ubv(&self, mode: RoundingMode, width: u32) -> Result<Option<Bv>, Limit> {
        check_width(width)?;
        let Some(n) = self.to_int_within(mode, width) else { return Ok(None) };
        // Rounding up may have reached 2^width.
        if n.is_negative() || n.bit_len() > width as usize {
            return Ok(None);
        }
        Bv::int_to_bv(width, &n).map(Some)
    }

    /// `((_ fp.to_sbv width) mode x)`; `None` where the standard does not specify it: NaN, infinities, and rounded
    /// values outside `-2^(width-1) .. 2^(width-1)`.
    pub fn to_sbv(&self, mode: RoundingMode, width: u32) -> Result<Option<Bv>, Limit> {
        check_width(width)?;
        let Some(n) = self.to_int_within(mode, width) else { return Ok(None) };
        let limit = Int::from(UBig::ONE << (width as usize - 1));
        if n >= limit || n < limit.neg() {
            return Ok(None);
        }
        Bv::int_to_bv(width, &n).map(Some)
    }

    /// `(fp.to_real x)`; `None` for NaN and infinities.
    pub fn to_real(&self) -> Result<Option<Rat>, Limit> {
        match self.kind() {
            Kind::Nan | Kind::Inf { .. } => Ok(None),
            Kind::Zero { .. } => Ok(Some(Rat::ZERO)),
            Kind::Finite(x) => {
                let size = usize::try_from(x.exp.unsigned_abs()).unwrap_or(usize::MAX);
                if size > MAX_NUMBER_BITS {
                    return Err(Limit::TooLarge);
                }
                let sign = if x.neg { Sign::Negative } else { Sign::Positive };
                let mant = IBig::from_parts(sign, x.mant);
                if x.exp < 0 {
                    Rat::dyadic(mant, size).map(Some)
                } else {
                    Ok(Some(Rat::from(&Int::from(mant << size))))
                }
            }
        }
    }
}
