//! UnicodeStrings: strings and regular expressions.

use super::{Call, Context};
use crate::int::Int;
use crate::limit::{Budget, Limit};
use crate::outcome::{Outcome, Undetermined};
use crate::regex::{Re, RegexStore};
use crate::string::Str;
use crate::value::Value;
use smelt_smtlib::Op;

/// Most expressions the store may hold: they live as long as the evaluator.
const MAX_STORE: usize = 1 << 20;

pub(super) fn apply(cx: &mut Context, c: &Call<'_>) -> Outcome {
    let mut budget = Budget::new(cx.regex_steps);
    let outcome = apply_within(cx, c, &mut budget);
    let spent = cx.regex_steps - budget.left();
    if spent > 0 {
        cx.effort.count_regex(spent)?;
    }
    outcome
}

fn apply_within(cx: &mut Context, c: &Call<'_>, budget: &mut Budget) -> Outcome {
    let int = |n: Int| Ok(Value::Int(n));
    let str = |s: Str| Ok(Value::Str(s));
    let bool = |b: bool| Ok(Value::Bool(b));
    match c.op {
        Op::StrConcat => {
            let parts: Result<Vec<Str>, _> = (0..c.args.len()).map(|i| c.str(i).cloned()).collect();
            str(Str::concat_all(&parts?)?)
        }
        Op::StrLen => int(Int::from(c.str(0)?.len())),
        Op::StrLt => c.chain(|a, b| strings(a, b).map(|(x, y)| x.lt(y))),
        Op::StrLe => c.chain(|a, b| strings(a, b).map(|(x, y)| x.le(y))),
        Op::StrAt => str(c.str(0)?.at(c.int(1)?)),
        Op::StrSubstr => str(c.str(0)?.substr(c.int(1)?, c.int(2)?)),
        Op::StrPrefixOf => bool(c.str(0)?.prefix_of(c.str(1)?)),
        Op::StrSuffixOf => bool(c.str(0)?.suffix_of(c.str(1)?)),
        Op::StrContains => bool(c.str(0)?.contains(c.str(1)?)),
        Op::StrIndexOf => int(c.str(0)?.index_of(c.str(1)?, c.int(2)?)),
        Op::StrReplace => str(c.str(0)?.replace(c.str(1)?, c.str(2)?)?),
        Op::StrReplaceAll => str(c.str(0)?.replace_all(c.str(1)?, c.str(2)?)?),
        Op::StrIsDigit => bool(c.str(0)?.is_digit()),
        Op::StrToCode => int(c.str(0)?.to_code()),
        Op::StrFromCode => str(Str::from_code(c.int(0)?)),
        Op::StrToInt => int(c.str(0)?.to_int()?),
        Op::StrFromInt => str(Str::from_int(c.int(0)?)),
        Op::StrRev => str(c.str(0)?.rev()),
        Op::StrUpdate => str(c.str(0)?.update(c.int(1)?, c.str(2)?)),
        Op::StrToLower => str(c.str(0)?.to_lower()),
        Op::StrToUpper => str(c.str(0)?.to_upper()),
        Op::StrLastIndexOf => int(c.str(0)?.last_index_of(c.str(1)?)),
        Op::StrFromUbv => str(Str::from_ubv(c.bv(0)?)),
        Op::StrFromSbv => str(Str::from_sbv(c.bv(0)?)),
        Op::StrInRe => bool(cx.regex.contains(c.re(1)?, c.str(0)?, budget)?),
        Op::StrReplaceRe => str(cx.regex.replace_re(c.str(0)?, c.re(1)?, c.str(2)?, budget)?),
        Op::StrReplaceReAll => {
            str(cx.regex.replace_re_all(c.str(0)?, c.re(1)?, c.str(2)?, budget)?)
        }
        Op::StrIndexOfRe => int(cx.regex.index_of_re(c.str(0)?, c.re(1)?, c.int(2)?, budget)?),
        _ => regex(&mut cx.regex, c).map(Value::Re),
    }
}

fn strings<'a>(a: &'a Value, b: &'a Value) -> Result<(&'a Str, &'a Str), Undetermined> {
    match (a, b) {
        (Value::Str(x), Value::Str(y)) => Ok((x, y)),
        _ => Err(Undetermined::Sorts),
    }
}

fn regex(store: &mut RegexStore, c: &Call<'_>) -> Result<Re, Undetermined> {
    if store.size() > MAX_STORE {
        return Err(Limit::TooLarge.into());
    }
    let all = || -> Result<Vec<Re>, Undetermined> { (0..c.args.len()).map(|i| c.re(i)).collect() };
    Ok(match c.op {
        Op::StrToRe => store.literal(c.str(0)?),
        Op::ReNone => store.none(),
        Op::ReAll => store.all(),
        Op::ReAllChar => store.allchar(),
        Op::ReConcat => {
            let parts = all()?;
            // From the right: a concatenation is stored as first and rest.
            let (last, rest) = parts.split_last().ok_or(Undetermined::Sorts)?;
            rest.iter().rev().fold(*last, |tail, &head| store.concat(head, tail))
        }
        Op::ReUnion => store.union(&all()?),
        Op::ReInter => store.inter(&all()?),
        Op::ReStar => store.star(c.re(0)?),
        Op::RePlus => store.plus(c.re(0)?),
        Op::ReOpt => store.opt(c.re(0)?),
        Op::ReRange => store.range(c.str(0)?, c.str(1)?),
        Op::ReComp => store.complement(c.re(0)?),
        Op::ReDiff => {
            let parts = all()?;
            let (first, rest) = parts.split_first().ok_or(Undetermined::Sorts)?;
            rest.iter().fold(*first, |a, &b| store.diff(a, b))
        }
        Op::RePow => store.power(c.re(0)?, c.index(0)?),
        Op::ReLoop => store.repeat(c.re(0)?, c.index(0)?, c.index(1)?),
        Op::ReLoopFrom => store.repeat_from(c.re(0)?, c.index(0)?),
        _ => return Err(Undetermined::Unsupported(c.op)),
    })
}
