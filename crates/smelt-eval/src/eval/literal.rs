//! The values of literals.

use crate::algebraic::Algebraic;
use crate::bv::Bv;
use crate::field::Ff;
use crate::int::Int;
use crate::limit::Limit;
use crate::outcome::{Outcome, Undetermined};
use crate::rat::Rat;
use crate::real;
use crate::string::Str;
use crate::value::Value;
use smelt_smtlib::Literal;

pub(super) fn value(l: &Literal) -> Outcome {
    Ok(match l {
        Literal::Int(n) => Value::Int(bounded(Int::from(n.clone()))?),
        Literal::Real { digits, scale } => {
            let digits = bounded(Int::from(digits.clone()))?;
            let unit = Int::from(10i64).pow(u64::from(*scale))?;
            Value::Real(Rat::new(&digits, &unit).ok_or(Undetermined::Sorts)?)
        }
        Literal::Bits { width, value } => Value::Bv(Bv::from_big(*width, value.clone())?),
        Literal::Str(points) => {
            Value::Str(Str::from_code_points(points).ok_or(Undetermined::Sorts)?)
        }
        Literal::Root { coefficients, index } => {
            let coefficients: Vec<Int> =
                coefficients.iter().map(|c| Int::from(c.clone())).collect();
            let root = Algebraic::root(&coefficients, *index as usize)?;
            real::from_algebraic(root.ok_or(Undetermined::Sorts)?)
        }
        Literal::Field { order, value } => {
            let x = Ff::new(order.clone(), value.clone()).ok_or(Undetermined::Sorts)?;
            Value::Ff(x.into())
        }
    })
}

fn bounded(n: Int) -> Result<Int, Limit> {
    if n.bit_len() > crate::limit::MAX_NUMBER_BITS { Err(Limit::TooLarge) } else { Ok(n) }
}
