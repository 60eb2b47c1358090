//! Constants written in a script: numerals, decimals, bit-vectors, strings, field elements.

use dashu_int::{IBig, UBig};

/// The largest code point of an SMT-LIB string.
pub const MAX_CODE_POINT: u32 = 0x2FFFF;

/// The widest bit-vector that is read; wider ones are refused with an error.
pub const MAX_WIDTH: u32 = 1 << 24;

/// The longest number in decimal digits; reading and writing longer ones takes seconds.
pub const MAX_DIGITS: usize = 1_000_000;

/// A literal. Two literals are equal when they are the same value of the same sort.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Literal {
    /// A numeral of sort Int.
    Int(UBig),
    /// `digits · 10^-scale` of sort Real; no trailing zero in `digits` while `scale > 0`.
    Real {
        /// All digits.
        digits: UBig,
        /// How many of them are behind the point.
        scale: u32,
    },
    /// A bit-vector.
    Bits {
        /// Width, at least 1.
        width: u32,
        /// Unsigned value below 2^width.
        value: UBig,
    },
    /// A string as code points.
    Str(Box<[u32]>),
    /// A real algebraic number, as models have it: the `index`-th real root (from 1, ascending) of a polynomial.
    Root {
        /// Coefficients, that of x^0 first; the last is not zero.
        coefficients: Box<[IBig]>,
        /// Which root.
        index: u32,
    },
    /// An element of a prime field.
    Field {
        /// The field's order.
        order: UBig,
        /// Value below the order.
        value: UBig,
    },
}

/// The value of a string of decimal digits.
pub(crate) fn decimal(digits: &str) -> UBig {
    if digits.len() <= 19 {
        let mut v = 0u64;
        for b in digits.bytes() {
            v = v * 10 + u64::from(b - b'0');
        }
        return UBig::from(v);
    }
    UBig::from_str_radix(digits, 10).unwrap_or_default()
}

impl Literal {
    /// A Real from the text of a decimal such as `1.50` or of a numeral.
    pub fn real(text: &str) -> Self {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let fraction = fraction.trim_end_matches('0');
        let mut all = String::with_capacity(whole.len() + fraction.len());
        all.push_str(whole);
        all.push_str(fraction);
        Self::Real { digits: decimal(&all), scale: fraction.len() as u32 }
    }

    /// A bit-vector from the text of `#x…` or `#b…`.
    pub(crate) fn bits(text: &str) -> Self {
        let (radix, per_digit) = if text.starts_with("#x") { (16, 4) } else { (2, 1) };
        let digits = &text[2..];
        let value = if digits.len() <= 15 || (per_digit == 1 && digits.len() <= 63) {
            UBig::from(u64::from_str_radix(digits, radix).unwrap_or_default())
        } else {
            UBig::from_str_radix(digits, radix).unwrap_or_default()
        };
        Self::Bits { width: (digits.len() as u32).saturating_mul(per_digit), value }
    }

    /// A string from the text between the quotes: `""` and the `\u` escapes are resolved.
    ///
    /// What is not ASCII counts as its bytes: it is not standard, and the only solver that takes it (z3) reads it so.
    pub fn string(inner: &str) -> Self {
        let mut out = Vec::with_capacity(inner.len());
        let bytes = inner.as_bytes();
        let mut chars = inner.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    // The lexer saw to it that quotes come in pairs.
                    chars.next();
                    out.push(u32::from('"'));
                }
                '\\' => match escape(&bytes[at..]) {
                    Some((code, len)) => {
                        out.push(code);
                        while chars.peek().is_some_and(|&(next, _)| next < at + len) {
                            chars.next();
                        }
                    }
                    None => out.push(u32::from('\\')),
                },
                c => out.extend(c.encode_utf8(&mut [0; 4]).bytes().map(u32::from)),
            }
        }
        Self::Str(out.into())
    }
}

/// The code point and length of the escape at the start of `b`, if there is one.
fn escape(b: &[u8]) -> Option<(u32, usize)> {
    let hex = |d: &[u8]| {
        let ok = !d.is_empty() && d.iter().all(u8::is_ascii_hexdigit);
        let text = std::str::from_utf8(d).ok()?;
        ok.then(|| u32::from_str_radix(text, 16).ok()).flatten()
    };
    if b.get(1) != Some(&b'u') {
        return None;
    }
    if b.get(2) == Some(&b'{') {
        let end = b.iter().take(9).position(|&c| c == b'}')?;
        let code = hex(&b[3..end])?;
        return (code <= MAX_CODE_POINT).then_some((code, end + 1));
    }
    Some((hex(b.get(2..6)?)?, 6))
}

/// Writes a string literal with quotes: printable ASCII as itself, all else as `\u{…}`.
///
/// A backslash is always escaped: it may stand before a `u` after a rewrite.
pub fn write_string(out: &mut String, chars: &[u32]) {
    use std::fmt::Write;
    out.push('"');
    for &c in chars {
        match char::from_u32(c) {
            Some('"') => out.push_str("\"\""),
            Some('\\') => out.push_str("\\u{5c}"),
            Some(c @ ' '..='~') => out.push(c),
            _ => {
                let _ = write!(out, "\\u{{{c:x}}}");
            }
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(inner: &str, expect: &str) {
        let Literal::Str(chars) = Literal::string(inner) else { panic!("{inner}") };
        let mut out = String::new();
        write_string(&mut out, &chars);
        assert_eq!(out, expect, "{inner}");
    }

    #[test]
    fn strings() {
        check("", r#""""#);
        check(r#"a""b"#, r#""a""b""#);
        check(r"\u{41}\u0042\u{2FFFF}", r#""AB\u{2ffff}""#);
        check(r"\u{30000}", r#""\u{5c}u{30000}""#);
        check(r"\u{}\u{123456}\u12", r#""\u{5c}u{}\u{5c}u{123456}\u{5c}u12""#);
        check(r"\x41\n", r#""\u{5c}x41\u{5c}n""#);
        check("é", r#""\u{c3}\u{a9}""#);
    }

    #[test]
    fn reals() {
        let real = |d: u32, scale| Literal::Real { digits: d.into(), scale };
        assert_eq!(Literal::real("1.50"), real(15, 1));
        assert_eq!(Literal::real("3"), real(3, 0));
        assert_eq!(Literal::real("0.00"), real(0, 0));
    }
}
