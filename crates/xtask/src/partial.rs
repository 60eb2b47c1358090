//! The points at which the standard (or a dialect's documentation) leaves a result open.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use smelt_smtlib::{Arena, FunKind, Head, Op, Term};

use crate::value::Value;

/// Whether the standard leaves the application open, given the values of its arguments (as far as known).
pub fn is_open(a: &Arena, t: Term, args: &[Option<Value>]) -> bool {
    let known = |i: usize| args.get(i).and_then(Option::as_ref);
    match a.head(t) {
        Head::Fun(f) => match (a.fun(f).kind, known(0)) {
            (FunKind::Selector(c, _), Some(Value::Data(d, _))) => c != *d,
            _ => false,
        },
        Head::Op(op, idx) => match op {
            Op::IntDiv | Op::Mod | Op::Rem | Op::Div => args.iter().skip(1).flatten().any(is_zero),
            Op::Pow => power(known(0), known(1)),
            Op::Sqrt => matches!(known(0), Some(Value::Real(v)) if *v < RBig::ZERO),
            Op::Asin | Op::Acos => {
                matches!(known(0), Some(Value::Real(v)) if *v > RBig::ONE || *v < -RBig::ONE)
            }
            Op::Acsc | Op::Asec => {
                matches!(known(0), Some(Value::Real(v)) if *v < RBig::ONE && *v > -RBig::ONE)
            }
            Op::Csc | Op::Cot => known(0).is_some_and(is_zero),
            Op::FpMin | Op::FpMax => match (known(0), known(1)) {
                (Some(Value::Float(e, m, Some(x))), Some(Value::Float(_, _, Some(y)))) => {
                    let minus_zero = UBig::ONE << (e + m - 1) as usize;
                    (x.is_zero() && *y == minus_zero) || (y.is_zero() && *x == minus_zero)
                }
                _ => false,
            },
            Op::FpToUbv | Op::FpToSbv => match (known(0), known(1)) {
                (Some(Value::Mode(mode)), Some(v)) => {
                    let w = a.indices(idx)[0] as usize;
                    out_of_range(*mode, v, w, op == Op::FpToSbv)
                }
                _ => false,
            },
            Op::FpToReal => known(0).is_some_and(|v| rational(v).is_none()),
            Op::FpToIeeeBv => matches!(known(0), Some(Value::Float(_, _, None))),
            Op::SeqNth => match (known(0), known(1)) {
                (Some(Value::Seq(s)), Some(Value::Int(i))) => {
                    *i < IBig::ZERO || *i >= IBig::from(s.len())
                }
                _ => false,
            },
            // cvc5 documents the universe as some set that holds all others, not as all values of the sort.
            Op::SetComplement | Op::SetUniverse => true,
            Op::SetChoose => matches!(known(0), Some(Value::Set(s)) if s.len() != 1),
            Op::BagChoose => matches!(known(0), Some(Value::Bag(s)) if s.len() != 1),
            Op::NullableVal => matches!(known(0), Some(Value::Nullable(None))),
            _ => false,
        },
        _ => false,
    }
}

fn is_zero(v: &Value) -> bool {
    match v {
        Value::Int(v) => v.is_zero(),
        Value::Real(v) => v.is_zero(),
        _ => false,
    }
}

/// Not in the standard; solvers agree only on natural exponents, and not on 0^0.
fn power(base: Option<&Value>, exponent: Option<&Value>) -> bool {
    let Some(exponent) = exponent else { return false };
    let natural = match exponent {
        Value::Int(e) => *e >= IBig::ZERO,
        Value::Real(e) => e.is_int() && *e >= RBig::ZERO,
        _ => true,
    };
    !natural || (is_zero(exponent) && base.is_some_and(is_zero))
}

/// The number that a finite float is.
pub fn rational(v: &Value) -> Option<RBig> {
    let Value::Float(e, m, Some(bits)) = v else { return None };
    let (e, m) = (*e as usize, *m as usize);
    let significand = bits & ((UBig::ONE << (m - 1)) - UBig::ONE);
    let exponent = (bits >> (m - 1)) & ((UBig::ONE << e) - UBig::ONE);
    let negative = !(bits >> (e + m - 1)).is_zero();
    if exponent == (UBig::ONE << e) - UBig::ONE {
        return None;
    }
    let bias = i64::try_from((UBig::ONE << (e - 1)) - UBig::ONE).ok()?;
    let (full, power) = if exponent.is_zero() {
        (significand, 1 - bias)
    } else {
        (significand | (UBig::ONE << (m - 1)), i64::try_from(exponent).ok()? - bias)
    };
    let shift = power - (m as i64 - 1);
    let magnitude = if shift >= 0 {
        RBig::from(IBig::from(full << shift as usize))
    } else {
        RBig::from_parts(full.into(), UBig::ONE << (-shift) as usize)
    };
    Some(if negative { -magnitude } else { magnitude })
}

/// The integer that a rounding mode makes of a rational.
fn round(mode: Op, v: &RBig) -> IBig {
    let floor = v.floor();
    let rest = v - RBig::from(floor.clone());
    if rest.is_zero() {
        return floor;
    }
    let up = &floor + IBig::ONE;
    let half = RBig::from_parts(IBig::ONE, UBig::from(2u8));
    let negative = *v < RBig::ZERO;
    let take_up = match mode {
        Op::Rtp => true,
        Op::Rtn => false,
        Op::Rtz => negative,
        _ if rest != half => rest > half,
        Op::Rna => !negative,
        _ => !(&floor % IBig::from(2)).is_zero(),
    };
    if take_up { up } else { floor }
}

fn out_of_range(mode: Op, v: &Value, w: usize, signed: bool) -> bool {
    let Some(v) = rational(v) else { return true };
    let i = round(mode, &v);
    let (low, high) = if signed {
        let half = IBig::ONE << (w - 1);
        (-half.clone(), half - IBig::ONE)
    } else {
        (IBig::ZERO, (IBig::ONE << w) - IBig::ONE)
    };
    i < low || i > high
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::value_of;
    use smelt_smtlib::{ParseOptions, parse, parse_terms};

    fn open(text: &str) -> bool {
        let mut script =
            parse(b"(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))").unwrap();
        let options = ParseOptions::default();
        let t = parse_terms(&mut script, text.as_bytes(), &options).unwrap()[0];
        let args = script.arena.args(t).to_vec();
        let values: Vec<_> = args.iter().map(|&x| value_of(&mut script.arena, x)).collect();
        is_open(&script.arena, t, &values)
    }

    #[test]
    fn open_points() {
        for (text, expect) in [
            ("(div 1 0)", true),
            ("(div 6 3 0)", true),
            ("(div 0 3)", false),
            ("(/ 1.0 0.0)", true),
            ("(hd nil)", true),
            ("(hd (cons 1 nil))", false),
            ("(fp.min (_ +zero 3 3) (_ -zero 3 3))", true),
            ("(fp.min (_ -zero 3 3) (_ -zero 3 3))", false),
            ("(fp.to_real (_ NaN 3 3))", true),
            ("(fp.to_real (_ -zero 3 3))", false),
            // 3.5: to even gives 4, toward zero 3.
            ("((_ fp.to_ubv 2) RNE (fp #b0 #b100 #b11))", true),
            ("((_ fp.to_ubv 2) RTZ (fp #b0 #b100 #b11))", false),
            // −0.5 is 0 to even, and −1 to away.
            ("((_ fp.to_ubv 2) RNE (fp #b1 #b010 #b00))", false),
            ("((_ fp.to_ubv 2) RNA (fp #b1 #b010 #b00))", true),
            ("((_ fp.to_sbv 2) RNA (fp #b1 #b100 #b00))", false),
            ("((_ fp.to_sbv 2) RNA (fp #b0 #b100 #b00))", true),
            ("(seq.nth (seq.unit 1) 0)", false),
            ("(seq.nth (seq.unit 1) 1)", true),
            ("(seq.nth (seq.unit 1) (- 1))", true),
            ("(set.choose (set.singleton 1))", false),
            ("(set.complement (set.singleton true))", true),
            ("(^ 0 0)", true),
            ("(^ 2 3)", false),
        ] {
            assert_eq!(open(text), expect, "{text}");
        }
    }
}
