//! cvc5's algebraic numbers: `<4*x^2 + (-7), (5/4, 3/2)>` is the root of the polynomial in the open interval.

use crate::algebraic::Algebraic;
use crate::int::Int;
use crate::rat::Rat;
use std::cmp::Ordering;
use std::fmt::Write;

/// Polynomials of a higher degree are not followed.
const MAX_DEGREE: usize = 200;

/// The number as z3 writes it, `(root-obj polynomial k)`; `None` if the text is not understood.
pub(crate) fn root_object(inner: &str) -> Option<String> {
    let (polynomial, interval) = inner.rsplit_once(", (")?;
    let (low, high) = interval.trim().strip_suffix(')')?.split_once(", ")?;
    let (low, high) = (rational(low)?, rational(high)?);
    let coefficients = coefficients(polynomial)?;
    let degree = coefficients.len() - 1;
    let mut index = None;
    for k in 1..=degree {
        let root = Algebraic::root(&coefficients, k).ok()??;
        let inside = root.compare_rat(&low).ok()? == Ordering::Greater
            && root.compare_rat(&high).ok()? == Ordering::Less;
        if inside {
            index = Some(k);
            break;
        }
    }
    let mut out = String::from("(root-obj (+");
    for (i, c) in coefficients.iter().enumerate().filter(|(_, c)| !c.is_zero()) {
        write!(out, " (* {} (^ x {i}))", c.to_smtlib()).ok()?;
    }
    write!(out, ") {})", index?).ok()?;
    Some(out)
}

fn rational(text: &str) -> Option<Rat> {
    let (num, den) = text.trim().split_once('/').unwrap_or((text.trim(), "1"));
    Rat::new(&integer(num)?, &integer(den)?)
}

fn integer(text: &str) -> Option<Int> {
    match text.trim().strip_prefix('-') {
        Some(digits) => Int::parse_decimal(digits)?.ok().map(|n| n.neg()),
        None => Int::parse_decimal(text.trim())?.ok(),
    }
}

/// `4*x^2 + (-7*x) + 3`: the coefficients, the constant first.
fn coefficients(text: &str) -> Option<Vec<Int>> {
    let mut out: Vec<Int> = Vec::new();
    for part in text.split(" + ") {
        let part = part.trim();
        let part = part.strip_prefix('(').and_then(|p| p.strip_suffix(')')).unwrap_or(part);
        let (c, power) = match part.split_once('x') {
            None => (integer(part)?, 0),
            Some((c, power)) => {
                let c = match c.strip_suffix('*') {
                    Some(c) => integer(c)?,
                    None if c.is_empty() => Int::ONE,
                    None if c == "-" => Int::NEG_ONE,
                    None => return None,
                };
                let power = match power.strip_prefix('^') {
                    Some(k) => k.parse().ok().filter(|&k: &usize| k <= MAX_DEGREE)?,
                    None if power.is_empty() => 1,
                    None => return None,
                };
                (c, power)
            }
        };
        if out.len() <= power {
            out.resize(power + 1, Int::ZERO);
        }
        out[power] = out[power].add(&c);
    }
    (out.len() >= 2 && out.last().is_some_and(|c| !c.is_zero())).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::root_object;

    fn check(inner: &str, expect: Option<&str>) {
        assert_eq!(root_object(inner).as_deref(), expect, "{inner}");
    }

    #[test]
    fn roots() {
        check("1*x^2 + (-2), (5/4, 3/2)", Some("(root-obj (+ (* (- 2) (^ x 0)) (* 1 (^ x 2))) 2)"));
        check("4*x^2 + (-3), (-1, -3/4)", Some("(root-obj (+ (* (- 3) (^ x 0)) (* 4 (^ x 2))) 1)"));
        check(
            "4096*x^2 + (-8192*x) + 1887, (1/4, 1/2)",
            Some("(root-obj (+ (* 1887 (^ x 0)) (* (- 8192) (^ x 1)) (* 4096 (^ x 2))) 1)"),
        );
        check("1*x^2 + 2, (0, 1)", None);
        check("1*y^2, (0, 1)", None);
        check("nonsense", None);
    }
}
