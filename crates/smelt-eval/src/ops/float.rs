//! FloatingPoint.

use super::{Call, Context, undecided};
use crate::fp::{Extremum, Format, Fp, RoundingMode};
use crate::limit::Limit;
use crate::outcome::{Outcome, Undetermined};
use crate::rat::Rat;
use crate::real;
use crate::value::Value;
use smelt_smtlib::Op;

#[inline]
pub(super) fn apply(cx: &mut Context, c: &Call<'_>) -> Outcome {
    let same = |a: &Fp, b: &Fp| {
        if a.format() == b.format() { Ok(()) } else { Err(Undetermined::Sorts) }
    };
    let rounded = |f: fn(&Fp, RoundingMode, &Fp) -> Fp| {
        let (m, a, b) = (c.rm(0)?, c.fp(1)?, c.fp(2)?);
        same(a, b)?;
        Ok(Value::Fp(f(a, m, b)))
    };
    let test = |f: fn(&Fp) -> bool| Ok(Value::Bool(f(c.fp(0)?)));
    let compare = |f: fn(&Fp, &Fp) -> bool| {
        c.chain(|a, b| match (a, b) {
            (Value::Fp(x), Value::Fp(y)) if x.format() == y.format() => Ok(f(x, y)),
            _ => Err(Undetermined::Sorts),
        })
    };
    let extremum = |f: fn(&Fp, &Fp) -> Extremum| {
        let (a, b) = (c.fp(0)?, c.fp(1)?);
        same(a, b)?;
        match f(a, b) {
            Extremum::Is(x) => Ok(Value::Fp(x)),
            Extremum::EitherZero => Err(Undetermined::Partial(c.op)),
        }
    };
    match c.op {
        Op::Rne => Ok(Value::Rm(RoundingMode::NearestEven)),
        Op::Rna => Ok(Value::Rm(RoundingMode::NearestAway)),
        Op::Rtp => Ok(Value::Rm(RoundingMode::TowardPositive)),
        Op::Rtn => Ok(Value::Rm(RoundingMode::TowardNegative)),
        Op::Rtz => Ok(Value::Rm(RoundingMode::TowardZero)),
        Op::FpMake => {
            let parts = (c.bv(0)?, c.bv(1)?, c.bv(2)?);
            let x = Fp::from_parts(parts.0, parts.1, parts.2).ok_or(Limit::TooLarge)?;
            Ok(Value::Fp(x))
        }
        Op::FpPlusInf => Ok(Value::Fp(Fp::infinity(format(c)?, false))),
        Op::FpMinusInf => Ok(Value::Fp(Fp::infinity(format(c)?, true))),
        Op::FpPlusZero => Ok(Value::Fp(Fp::zero(format(c)?, false))),
        Op::FpMinusZero => Ok(Value::Fp(Fp::zero(format(c)?, true))),
        Op::FpNan => Ok(Value::Fp(Fp::nan(format(c)?))),
        Op::FpAbs => Ok(Value::Fp(c.fp(0)?.abs())),
        Op::FpNeg => Ok(Value::Fp(c.fp(0)?.neg())),
        Op::FpAdd => rounded(Fp::add),
        Op::FpSub => rounded(Fp::sub),
        Op::FpMul => rounded(Fp::mul),
        Op::FpDiv => rounded(Fp::div),
        Op::FpFma => {
            let (m, x, y, z) = (c.rm(0)?, c.fp(1)?, c.fp(2)?, c.fp(3)?);
            same(x, y)?;
            same(y, z)?;
            Ok(Value::Fp(x.fma(m, y, z)))
        }
        Op::FpSqrt => Ok(Value::Fp(c.fp(1)?.sqrt(c.rm(0)?))),
        Op::FpRem => {
            let (x, y) = (c.fp(0)?, c.fp(1)?);
            same(x, y)?;
            Ok(Value::Fp(x.rem(y)))
        }
        Op::FpRoundToIntegral => Ok(Value::Fp(c.fp(1)?.round_to_integral(c.rm(0)?))),
        Op::FpMin => extremum(Fp::min),
        Op::FpMax => extremum(Fp::max),
        Op::FpLeq => compare(Fp::leq),
        Op::FpLt => compare(Fp::lt),
        Op::FpGeq => compare(Fp::geq),
        Op::FpGt => compare(Fp::gt),
        Op::FpEq => compare(Fp::ieee_eq),
        Op::FpIsNormal => test(Fp::is_normal),
        Op::FpIsSubnormal => test(Fp::is_subnormal),
        Op::FpIsZero => test(Fp::is_zero),
        Op::FpIsInfinite => test(Fp::is_infinite),
        Op::FpIsNan => test(Fp::is_nan),
        Op::FpIsNegative => test(Fp::is_negative),
        Op::FpIsPositive => test(Fp::is_positive),
        Op::ToFpBits => {
            Fp::from_bits(format(c)?, c.bv(0)?).map(Value::Fp).ok_or(Undetermined::Sorts)
        }
        Op::ToFpFp => Ok(Value::Fp(c.fp(1)?.to_format(c.rm(0)?, format(c)?))),
        Op::ToFpSbv => Ok(Value::Fp(Fp::from_sbv(format(c)?, c.rm(0)?, c.bv(1)?))),
        Op::ToFpUbv => Ok(Value::Fp(Fp::from_ubv(format(c)?, c.rm(0)?, c.bv(1)?))),
        Op::ToFpReal => from_real(cx, c),
        Op::ToFpRealExp => {
            let (f, m, n) = (format(c)?, c.rm(0)?, c.int(2)?);
            let Value::Real(q) = c.arg(1)? else { return Err(Undetermined::Precision) };
            // An exponent beyond a machine word overflows or underflows as the largest one does.
            let n = n.to_i64().unwrap_or(if n.is_negative() { i64::MIN } else { i64::MAX });
            Ok(Value::Fp(Fp::from_scaled_rat(f, m, q, n)))
        }
        Op::FpToUbv => {
            let v = c.fp(1)?.to_ubv(c.rm(0)?, c.index(0)?)?;
            v.map(Value::Bv).ok_or(Undetermined::Partial(c.op))
        }
        Op::FpToSbv => {
            let v = c.fp(1)?.to_sbv(c.rm(0)?, c.index(0)?)?;
            v.map(Value::Bv).ok_or(Undetermined::Partial(c.op))
        }
        Op::FpToReal => c.fp(0)?.to_real()?.map(Value::Real).ok_or(Undetermined::Partial(c.op)),
        Op::FpToIeeeBv => c.fp(0)?.to_ieee_bv().map(Value::Bv).ok_or(Undetermined::Partial(c.op)),
        _ => Err(Undetermined::Unsupported(c.op)),
    }
}

/// The format of the two indices.
fn format(c: &Call<'_>) -> Result<Format, Undetermined> {
    Ok(Format::new(c.index(0)?, c.index(1)?)?)
}

/// A real that is known as an enclosure is converted if both ends become the same float.
fn from_real(cx: &mut Context, c: &Call<'_>) -> Outcome {
    let (f, m, x) = (format(c)?, c.rm(0)?, c.arg(1)?);
    let convert = |q: &Rat| Fp::from_rat(f, m, q);
    match x {
        Value::Real(q) => Ok(Value::Fp(convert(q))),
        Value::Algebraic(_) | Value::Approx(_) => {
            let i = real::to_interval(x, cx.precision).ok_or_else(|| undecided(&[x]))?;
            let (low, high) = (i.low().to_rat()?, i.high().to_rat()?);
            let (low, high) = (convert(&low), convert(&high));
            if low == high { Ok(Value::Fp(low)) } else { Err(undecided(&[x])) }
        }
        _ => Err(Undetermined::Sorts),
    }
}
