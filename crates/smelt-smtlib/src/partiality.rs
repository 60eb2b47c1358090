//! Where operators are partial: at which arguments the value of an application is open, and which values it may have there.
//!
//! Each partial row of the operator table names one of these. Selectors are no rows: [`mod@crate::totalise`] knows them.

use dashu_int::UBig;

use crate::arena::{Arena, Head, Term};
use crate::literal::Literal;
use crate::logic::zeroness;
use crate::op::Op;
use crate::sort::{Sort, SortKind};

/// What is made, or why it is not well-sorted.
pub(crate) type Made<T> = Result<T, String>;

/// When the value of an application is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Open {
    /// At no values of these arguments.
    Never,
    /// Where this holds.
    When(Term),
    /// At all values of these arguments.
    Always,
}

/// The values that are allowed where the value of an application is open.
#[derive(Clone, Copy)]
pub enum Range {
    /// Every value of the sort. Operators of dialects have this range where their solvers choose a value in a way that is not
    /// written down anywhere: what they choose is among all values.
    Any,
    /// One of two terms, made from the arguments.
    Either(fn(&mut Arena, &[Term]) -> Made<[Term; 2]>),
    /// The values that satisfy a condition, made from the arguments and the value. Where the value of the application is open,
    /// there is such a value.
    Within(fn(&mut Arena, &[Term], Term) -> Made<Term>),
}

/// How an operator is partial.
pub struct Partiality {
    /// When the value is open, by indices and arguments.
    pub open_when: fn(&mut Arena, &[u32], &[Term]) -> Made<Open>,
    /// So many first arguments decide on the open value: the others have only one value where it is open.
    pub depends_on: usize,
    /// The values that are allowed.
    pub range: Range,
}

/// All arguments decide on the open value.
const ALL: usize = usize::MAX;

/// A row whose open values may be any.
const fn any(open_when: fn(&mut Arena, &[u32], &[Term]) -> Made<Open>) -> Partiality {
    Partiality { open_when, depends_on: ALL, range: Range::Any }
}

/// `div`, `mod`, `/`, `rem`: the last argument is zero.
pub(crate) static BY_ZERO: Partiality = Partiality {
    open_when: |a, _, args| {
        let divisor = args[args.len() - 1];
        Ok(match zeroness(a, divisor) {
            Some(true) => Open::Always,
            Some(false) => Open::Never,
            None => Open::When(is_number(a, divisor, 0)?),
        })
    },
    depends_on: 1,
    range: Range::Any,
};

/// `^`: a negative exponent of an integer, an exponent of a real that is not whole, and powers of zero that are not positive.
pub(crate) static POWER: Partiality = any(|a, _, args| {
    let [base, exponent] = *args else { return Err("`^` takes 2 arguments".into()) };
    if let Head::Lit(l) = a.head(exponent)
        && let Literal::Int(digits) | Literal::Real { digits, scale: 0 } = a.lit(l)
        && !digits.is_zero()
    {
        return Ok(Open::Never);
    }
    let whole = a.sort(base) == Sort::INT;
    let zero = is_number(a, base, 0)?;
    let (outside, not_positive) = if whole {
        (compare(a, Op::Lt, exponent, 0)?, is_number(a, exponent, 0)?)
    } else {
        let whole = a.app(Op::IsInt, &[], &[exponent])?;
        (a.app(Op::Not, &[], &[whole])?, compare(a, Op::Le, exponent, 0)?)
    };
    let at_zero = a.app(Op::And, &[], &[zero, not_positive])?;
    Ok(Open::When(a.app(Op::Or, &[], &[outside, at_zero])?))
});

/// `tan`, `sec`: the cosine is zero.
pub(crate) static COSINE_ZERO: Partiality = any(|a, _, args| {
    let cosine = a.app(Op::Cos, &[], args)?;
    Ok(Open::When(is_number(a, cosine, 0)?))
});

/// `cot`, `csc`: the sine is zero.
pub(crate) static SINE_ZERO: Partiality = any(|a, _, args| {
    let sine = a.app(Op::Sin, &[], args)?;
    Ok(Open::When(is_number(a, sine, 0)?))
});

/// `arcsin`, `arccos`: below −1 or above 1.
pub(crate) static BEYOND_ONE: Partiality = any(|a, _, args| {
    let one = real(a, 1);
    let minus_one = a.app(Op::Neg, &[], &[one])?;
    let below = a.app(Op::Lt, &[], &[args[0], minus_one])?;
    let above = a.app(Op::Gt, &[], &[args[0], one])?;
    Ok(Open::When(a.app(Op::Or, &[], &[below, above])?))
});

/// `arccsc`, `arcsec`: below 1. Definitions agree on the positive axis only.
pub(crate) static BELOW_ONE: Partiality =
    any(|a, _, args| Ok(Open::When(compare(a, Op::Lt, args[0], 1)?)));

/// `arccot`: zero or below. Definitions agree on the positive axis only.
pub(crate) static NOT_POSITIVE: Partiality =
    any(|a, _, args| Ok(Open::When(compare(a, Op::Le, args[0], 0)?)));

/// `sqrt`: below zero.
pub(crate) static NEGATIVE: Partiality =
    any(|a, _, args| Ok(Open::When(compare(a, Op::Lt, args[0], 0)?)));

/// `fp.min`, `fp.max`: two zeros of different sign; the value is one of them.
pub(crate) static ZEROS: Partiality = Partiality {
    open_when: |a, _, args| {
        if args[0] == args[1] {
            return Ok(Open::Never);
        }
        let first = a.app(Op::FpIsZero, &[], &args[..1])?;
        let second = a.app(Op::FpIsZero, &[], &args[1..])?;
        let differ = a.app(Op::Distinct, &[], args)?;
        Ok(Open::When(a.app(Op::And, &[], &[first, second, differ])?))
    },
    depends_on: ALL,
    range: Range::Either(|a, args| {
        let (eb, sb) = format(a, args[0])?;
        let plus = a.app(Op::FpPlusZero, &[eb, sb], &[])?;
        Ok([plus, a.app(Op::FpMinusZero, &[eb, sb], &[])?])
    }),
};

/// `fp.to_ubv`: NaN, infinite, or not in the range of the bit-vector after rounding.
pub(crate) static TO_UNSIGNED: Partiality = any(|a, indices, args| {
    let (rounded, eb, sb) = rounded(a, args)?;
    let zero = a.app(Op::FpPlusZero, &[eb, sb], &[])?;
    let mut cases = not_finite(a, args[1])?;
    cases.push(a.app(Op::FpLt, &[], &[rounded, zero])?);
    if let Some(end) = power_of_two(a, false, indices[0], eb, sb)? {
        cases.push(a.app(Op::FpGeq, &[], &[rounded, end])?);
    }
    Ok(Open::When(a.app(Op::Or, &[], &cases)?))
});

/// `fp.to_sbv`: NaN, infinite, or not in the range of the bit-vector after rounding.
pub(crate) static TO_SIGNED: Partiality = any(|a, indices, args| {
    let (rounded, eb, sb) = rounded(a, args)?;
    let mut cases = not_finite(a, args[1])?;
    for (op, negative) in [(Op::FpLt, true), (Op::FpGeq, false)] {
        if let Some(end) = power_of_two(a, negative, indices[0] - 1, eb, sb)? {
            cases.push(a.app(op, &[], &[rounded, end])?);
        }
    }
    Ok(Open::When(a.app(Op::Or, &[], &cases)?))
});

/// `fp.to_real`: NaN or infinite.
pub(crate) static NOT_FINITE: Partiality = any(|a, _, args| {
    let cases = not_finite(a, args[0])?;
    Ok(Open::When(a.app(Op::Or, &[], &cases)?))
});

/// `fp.to_ieee_bv`: NaN; the value is one of the bit-vectors that mean it.
pub(crate) static NAN: Partiality = Partiality {
    open_when: |a, _, args| Ok(Open::When(a.app(Op::FpIsNan, &[], args)?)),
    depends_on: ALL,
    range: Range::Within(|a, args, bits| {
        let (eb, sb) = format(a, args[0])?;
        let meant = a.app(Op::ToFpBits, &[eb, sb], &[bits])?;
        a.app(Op::FpIsNan, &[], &[meant])
    }),
};

/// `seq.nth`: the index is negative, or not below the length.
pub(crate) static BEYOND_END: Partiality = any(|a, _, args| {
    let [sequence, index] = *args else { return Err("`seq.nth` takes 2 arguments".into()) };
    let length = a.app(Op::SeqLen, &[], &[sequence])?;
    let before = compare(a, Op::Lt, index, 0)?;
    let behind = a.app(Op::Ge, &[], &[index, length])?;
    Ok(Open::When(a.app(Op::Or, &[], &[before, behind])?))
});

/// `set.choose`: everywhere. Of a set with elements it is one of them.
pub(crate) static ELEMENT_OF_SET: Partiality = Partiality {
    open_when: |_, _, _| Ok(Open::Always),
    depends_on: ALL,
    range: Range::Within(|a, args, element| {
        let empty = a.app_as(Op::SetEmpty, &[], a.sort(args[0]))?;
        let none = a.app(Op::Eq, &[], &[args[0], empty])?;
        let member = a.app(Op::SetMember, &[], &[element, args[0]])?;
        a.app(Op::Or, &[], &[none, member])
    }),
};

/// `bag.choose`: everywhere. Of a bag with elements it is one of them.
pub(crate) static ELEMENT_OF_BAG: Partiality = Partiality {
    open_when: |_, _, _| Ok(Open::Always),
    depends_on: ALL,
    range: Range::Within(|a, args, element| {
        let empty = a.app_as(Op::BagEmpty, &[], a.sort(args[0]))?;
        let none = a.app(Op::Eq, &[], &[args[0], empty])?;
        let member = a.app(Op::BagMember, &[], &[element, args[0]])?;
        a.app(Op::Or, &[], &[none, member])
    }),
};

/// `array-ext`: everywhere. Of different arrays it is an index where they differ.
pub(crate) static DIFFERENCE: Partiality = Partiality {
    open_when: |_, _, _| Ok(Open::Always),
    depends_on: ALL,
    range: Range::Within(|a, args, index| {
        let same = a.app(Op::Eq, &[], args)?;
        let first = a.app(Op::Select, &[], &[args[0], index])?;
        let second = a.app(Op::Select, &[], &[args[1], index])?;
        let differ = a.app(Op::Distinct, &[], &[first, second])?;
        a.app(Op::Or, &[], &[same, differ])
    }),
};

/// `nullable.val`: null.
pub(crate) static NULL: Partiality =
    any(|a, _, args| Ok(Open::When(a.app(Op::NullableIsNull, &[], args)?)));

fn real(a: &mut Arena, value: u32) -> Term {
    a.mk_literal(Literal::Real { digits: value.into(), scale: 0 })
}

/// A comparison of an Int or a Real with a number.
fn compare(a: &mut Arena, op: Op, t: Term, value: u32) -> Made<Term> {
    let number = if a.sort(t) == Sort::INT { a.mk_int(value) } else { real(a, value) };
    a.app(op, &[], &[t, number])
}

fn is_number(a: &mut Arena, t: Term, value: u32) -> Made<Term> {
    compare(a, Op::Eq, t, value)
}

fn format(a: &Arena, t: Term) -> Made<(u32, u32)> {
    match *a.kind(t) {
        SortKind::Float(eb, sb) => Ok((eb, sb)),
        _ => Err(format!("a floating-point sort is needed, not {}", a.show_sort(a.sort(t)))),
    }
}

fn not_finite(a: &mut Arena, x: Term) -> Made<Vec<Term>> {
    Ok(vec![a.app(Op::FpIsNan, &[], &[x])?, a.app(Op::FpIsInfinite, &[], &[x])?])
}

/// The argument of a conversion to bit-vectors, rounded to a whole number, with the format of the result.
///
/// In a format whose largest numbers are not whole, such as that with 2 bits for the exponent and 3 for the significand, 3.5 is
/// rounded to 4, which the format does not have. The argument gets more bits for the exponent first: that changes no value.
fn rounded(a: &mut Arena, args: &[Term]) -> Made<(Term, u32, u32)> {
    let (eb, sb) = format(a, args[1])?;
    let roomy = |eb: u32| eb > 32 || (1u64 << (eb - 1)) >= u64::from(sb);
    let wide = (eb..).find(|&eb| roomy(eb)).unwrap_or(eb);
    let mut x = args[1];
    if wide != eb {
        let nearest = a.app(Op::Rne, &[], &[])?;
        x = a.app(Op::ToFpFp, &[wide, sb], &[nearest, x])?;
    }
    Ok((a.app(Op::FpRoundToIntegral, &[], &[args[0], x])?, wide, sb))
}

/// ±2^n in a format, which has it exactly; `None` if it is above all finite numbers of the format.
fn power_of_two(a: &mut Arena, negative: bool, n: u32, eb: u32, sb: u32) -> Made<Option<Term>> {
    let bias = (UBig::ONE << (eb as usize - 1)) - UBig::ONE;
    if UBig::from(n) > bias {
        return Ok(None);
    }
    let parts = [
        Literal::Bits { width: 1, value: u32::from(negative).into() },
        Literal::Bits { width: eb, value: bias + UBig::from(n) },
        Literal::Bits { width: sb - 1, value: UBig::ZERO },
    ]
    .map(|l| a.mk_literal(l));
    Ok(Some(a.app(Op::FpMake, &[], &parts)?))
}
