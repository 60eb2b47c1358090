//! How exact the numbers of a printed model are.
//!
//! An irrational number has no finite decimal. Some solvers print a nearby one instead, and nothing in the text tells it from
//! an exact value: Yices writes `-1.414214` for a root of 2. A model is judged by what its values are, so a number that may be
//! rounded is not read at all: the term that it stands in has no value, which refutes nothing and proves nothing.

use crate::model_parse::is_free_sort;
use smelt_smtlib::{Arena, Script, Sort, SortKind, smallest_logic};

/// Values of sort Real that a solver rounds. (Values of other sorts are finite and printed whole.)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rounded {
    /// How they are written.
    pub numbers: RoundedNumbers,
    /// For which scripts.
    pub logics: RoundedLogics,
}

/// How rounded numbers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundedNumbers {
    /// In any way: no value of sort Real is to be trusted.
    All,
    /// As decimals. A whole number with one zero behind the point, `3.0`, is exact: so the standard writes whole numbers.
    Decimals,
    /// As decimals with six digits behind the point, `%f` in C; other decimals are exact.
    SixDecimals,
}

/// For which scripts numbers are rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundedLogics {
    /// All.
    All,
    /// Scripts that are in no linear logic: values may be irrational there.
    Nonlinear,
}

impl Rounded {
    /// What holds of a solver about which nothing is known: a decimal may be rounded, a whole number or a fraction of whole
    /// numbers is exact.
    pub const CAREFUL: Rounded =
        Rounded { numbers: RoundedNumbers::Decimals, logics: RoundedLogics::All };
}

/// What a word of a model's text is, as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    /// No number.
    None,
    /// A number that is exactly what it says.
    Exact,
    /// A number whose value is not known exactly.
    Inexact,
}

/// Which numbers of the models of one script are exact.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Exactness {
    /// Whether no value of sort Real is to be trusted.
    pub distrusts_reals: bool,
    decimals: bool,
    six_decimals: bool,
}

impl Exactness {
    pub fn of(rounded: &[Rounded], script: &Script) -> Exactness {
        let mut out = Exactness::default();
        for r in rounded {
            if r.logics == RoundedLogics::Nonlinear && is_linear(smallest_logic(script)) {
                continue;
            }
            match r.numbers {
                RoundedNumbers::All => out.distrusts_reals = true,
                RoundedNumbers::Decimals => out.decimals = true,
                RoundedNumbers::SixDecimals => out.six_decimals = true,
            }
        }
        out
    }

    /// What an unquoted word is. A sign may belong to it: `-1.5` is a symbol by the standard and a number to solvers.
    pub fn number(self, word: &str) -> Number {
        let digits = word.strip_prefix('-').unwrap_or(word);
        if word.starts_with(STRANGE) || matches!(digits, "inf" | "nan") {
            return Number::Inexact;
        }
        if !digits.starts_with(|c: char| c.is_ascii_digit()) {
            return Number::None;
        }
        match plain_number(digits) {
            Some(None | Some("0")) => Number::Exact,
            Some(Some(behind)) if self.decimals || self.six_decimals && behind.len() == 6 => {
                Number::Inexact
            }
            Some(Some(_)) => Number::Exact,
            None => Number::Inexact,
        }
    }

    /// Whether a value of this sort may hold a number that is not to be trusted.
    pub fn distrusts(self, a: &Arena, sort: Sort) -> bool {
        self.distrusts_reals && holds_reals(a, sort)
    }
}

/// How words begin that stand for numbers in no known notation, in a text that [`mark_strange`] has gone over.
const STRANGE: &str = "~~";

/// Makes a symbol of a word that begins with a digit and is no number of the standard, such as z3's `1.414?`, `1e-5` or `1/2`,
/// so that the rest of the model can be read. The length stays the same.
pub(crate) fn mark_strange(word: &mut [u8]) {
    let plain = std::str::from_utf8(word).is_ok_and(|w| plain_number(w).is_some());
    if word.first().is_some_and(u8::is_ascii_digit) && !plain {
        word[..2].copy_from_slice(STRANGE.as_bytes());
    }
}

/// The digits behind the point of a number without sign, if it has a point; `None` if it is no number of the standard.
fn plain_number(word: &str) -> Option<Option<&str>> {
    let digits = |d: &str| !d.is_empty() && d.bytes().all(|b| b.is_ascii_digit());
    match word.split_once('.') {
        Some((before, behind)) => (digits(before) && digits(behind)).then_some(Some(behind)),
        None => digits(word).then_some(None),
    }
}

/// Whether values in a standard logic are rational.
fn is_linear(logic: &str) -> bool {
    let nonlinear = ["ALL", "NRA", "NIA", "NIRA"];
    !nonlinear.iter().any(|part| logic.contains(part))
}

fn holds_reals(a: &Arena, sort: Sort) -> bool {
    match a.sort_kind(sort) {
        SortKind::Array(i, e) => holds_reals(a, *i) || holds_reals(a, *e),
        SortKind::Seq(e) | SortKind::Set(e) => holds_reals(a, *e),
        SortKind::Bool
        | SortKind::Int
        | SortKind::RoundingMode
        | SortKind::String
        | SortKind::RegLan
        | SortKind::BitVec(_)
        | SortKind::Float(..)
        | SortKind::FiniteField(_) => false,
        SortKind::Named(..) => !is_free_sort(a, sort),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rounded: &[Rounded], script: &str, words: &[(&str, Number)]) {
        let script = smelt_smtlib::parse(script.as_bytes()).unwrap();
        let exactness = Exactness::of(rounded, &script);
        for (word, expect) in words {
            let mut bytes = word.as_bytes().to_vec();
            mark_strange(&mut bytes);
            let marked = String::from_utf8(bytes).unwrap();
            assert_eq!(exactness.number(&marked), *expect, "{word} {exactness:?}");
        }
    }

    #[test]
    fn numbers() {
        use Number::{Exact, Inexact, None};
        let linear = "(declare-const x Real)(assert (< x 1.0))(check-sat)";
        let product = "(declare-const x Real)(assert (< (* x x) 1.0))(check-sat)";
        // Under no rule is one of these exact, or no number.
        let always = [
            ("1.414?", Inexact),
            ("-1.414?", Inexact),
            ("1e-5", Inexact),
            ("-1.0e5", Inexact),
            ("1/2", Inexact),
            ("1.", Inexact),
            ("-inf", Inexact),
            ("nan", Inexact),
            ("12", Exact),
            ("-12", Exact),
            ("3.0", Exact),
            ("-3.0", Exact),
            ("x1.5", None),
            ("-", None),
            ("-x", None),
            ("bv5", None),
        ];
        let six = Rounded { numbers: RoundedNumbers::SixDecimals, logics: RoundedLogics::All };
        for rules in [&[][..], &[six], &[Rounded::CAREFUL]] {
            check(rules, product, &always);
            check(rules, linear, &always);
        }
        check(&[], product, &[("1.414214", Exact), ("-1.414214", Exact), ("0.5", Exact)]);
        check(&[six], product, &[("1.414214", Inexact), ("-1.414214", Inexact), ("0.5", Exact)]);
        check(&[six], product, &[("0.000000", Inexact), ("-0.50", Exact)]);
        check(&[Rounded::CAREFUL], linear, &[("1.41", Inexact), ("-0.5", Inexact)]);
        check(&[Rounded::CAREFUL], linear, &[("2.00", Inexact), ("2.0", Exact)]);
        let curved = Rounded { logics: RoundedLogics::Nonlinear, ..six };
        check(&[curved], product, &[("1.414214", Inexact)]);
        check(&[curved], linear, &[("1.414214", Exact)]);
    }
}
