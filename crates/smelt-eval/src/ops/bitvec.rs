//! FixedSizeBitVectors, and what z3, cvc5 and Bitwuzla add.

use super::Call;
use crate::bv::Bv;
use crate::outcome::{Outcome, Undetermined};
use crate::value::Value;
use smelt_smtlib::Op;

#[inline]
pub(super) fn apply(c: &Call<'_>) -> Outcome {
    let unary = |f: fn(&Bv) -> Bv| Ok(Value::Bv(f(c.bv(0)?)));
    let binary = |f: fn(&Bv, &Bv) -> Bv| {
        let (a, b) = c.bvs()?;
        Ok(Value::Bv(f(a, b)))
    };
    let test = |f: fn(&Bv, &Bv) -> bool| {
        let (a, b) = c.bvs()?;
        Ok(Value::Bool(f(a, b)))
    };
    let bit = |f: fn(&Bv, &Bv) -> bool| {
        let (a, b) = c.bvs()?;
        Ok(Value::Bv(Bv::new(1, u64::from(f(a, b)))?))
    };
    let left = |f: fn(&Bv, &Bv) -> Bv| {
        if c.args.len() == 2 {
            return binary(f);
        }
        c.fold(|a, b| match (&a, b) {
            (Value::Bv(x), Value::Bv(y)) if x.width() == y.width() => Ok(Value::Bv(f(x, y))),
            _ => Err(Undetermined::Sorts),
        })
    };
    match c.op {
        Op::Concat => c.fold(|a, b| match (&a, b) {
            (Value::Bv(x), Value::Bv(y)) => Ok(Value::Bv(x.concat(y)?)),
            _ => Err(Undetermined::Sorts),
        }),
        Op::Extract => {
            let part = c.bv(0)?.extract(c.index(0)?, c.index(1)?);
            part.map(Value::Bv).ok_or(Undetermined::Sorts)
        }
        Op::Repeat => Ok(Value::Bv(c.bv(0)?.repeat(c.index(0)?)?)),
        Op::ZeroExtend => Ok(Value::Bv(c.bv(0)?.zero_extend(c.index(0)?)?)),
        Op::SignExtend => Ok(Value::Bv(c.bv(0)?.sign_extend(c.index(0)?)?)),
        Op::RotateLeft => Ok(Value::Bv(c.bv(0)?.rotate_left(c.index(0)?))),
        Op::RotateRight => Ok(Value::Bv(c.bv(0)?.rotate_right(c.index(0)?))),
        Op::BvNot => unary(Bv::bvnot),
        Op::BvNeg => unary(Bv::bvneg),
        Op::BvAnd => left(Bv::bvand),
        Op::BvOr => left(Bv::bvor),
        Op::BvXor => left(Bv::bvxor),
        // The standard gives it two arguments. With more, z3 4.8 negates once and others at each step.
        Op::BvXnor if c.args.len() > 2 => Err(Undetermined::Partial(c.op)),
        Op::BvXnor => binary(Bv::bvxnor),
        Op::BvAdd => left(Bv::bvadd),
        Op::BvMul => left(Bv::bvmul),
        Op::BvNand => binary(Bv::bvnand),
        Op::BvNor => binary(Bv::bvnor),
        Op::BvComp => binary(Bv::bvcomp),
        Op::BvSub => binary(Bv::bvsub),
        Op::BvUdiv => binary(Bv::bvudiv),
        Op::BvUrem => binary(Bv::bvurem),
        Op::BvSdiv => binary(Bv::bvsdiv),
        Op::BvSrem => binary(Bv::bvsrem),
        Op::BvSmod => binary(Bv::bvsmod),
        Op::BvShl => binary(Bv::bvshl),
        Op::BvLshr => binary(Bv::bvlshr),
        Op::BvAshr => binary(Bv::bvashr),
        Op::BvUlt => test(Bv::bvult),
        Op::BvUle => test(Bv::bvule),
        Op::BvUgt => test(Bv::bvugt),
        Op::BvUge => test(Bv::bvuge),
        Op::BvSlt => test(Bv::bvslt),
        Op::BvSle => test(Bv::bvsle),
        Op::BvSgt => test(Bv::bvsgt),
        Op::BvSge => test(Bv::bvsge),
        Op::BvNego => Ok(Value::Bool(c.bv(0)?.bvnego())),
        Op::BvUaddo => test(Bv::bvuaddo),
        Op::BvSaddo => test(Bv::bvsaddo),
        Op::BvUmulo => test(Bv::bvumulo),
        Op::BvSmulo => test(Bv::bvsmulo),
        Op::BvUsubo => test(Bv::bvusubo),
        Op::BvSsubo => test(Bv::bvssubo),
        Op::BvSdivo => test(Bv::bvsdivo),
        Op::UbvToInt => Ok(Value::Int(c.bv(0)?.ubv_to_int())),
        Op::SbvToInt => Ok(Value::Int(c.bv(0)?.sbv_to_int())),
        Op::IntToBv => Ok(Value::Bv(Bv::int_to_bv(c.index(0)?, c.int(0)?)?)),
        Op::BvRedor => unary(Bv::bvredor),
        Op::BvRedand => unary(Bv::bvredand),
        Op::BvRedxor => unary(Bv::bvredxor),
        Op::BvUltBv => bit(Bv::bvult),
        Op::BvSltBv => bit(Bv::bvslt),
        Op::BvInc => Ok(Value::Bv(c.bv(0)?.bvadd(&Bv::new(c.bv(0)?.width(), 1)?))),
        Op::BvDec => Ok(Value::Bv(c.bv(0)?.bvsub(&Bv::new(c.bv(0)?.width(), 1)?))),
        Op::BvRol | Op::ExtRotateLeft => binary(Bv::ext_rotate_left),
        Op::BvRor | Op::ExtRotateRight => binary(Bv::ext_rotate_right),
        Op::BvIte => Ok(if c.bv(0)?.bit(0) { c.arg(1)? } else { c.arg(2)? }.clone()),
        Op::BvUmulNoovfl => test(Bv::bvumul_noovfl),
        Op::BvSmulNoovfl => test(Bv::bvsmul_noovfl),
        Op::BvSmulNoudfl => test(Bv::bvsmul_noudfl),
        Op::BitToBool => Ok(Value::Bool(c.bv(0)?.bit(c.index(0)?))),
        _ => Err(Undetermined::Unsupported(c.op)),
    }
}
