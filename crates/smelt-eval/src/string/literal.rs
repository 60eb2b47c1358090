//! String literals: the escapes of SMT-LIB, read and written.

use super::{MAX_CHAR, Str};
use std::fmt;

/// Why the text between the quotes is not a string of the theory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LiteralError {
    /// A character of the file beyond 0x2FFFF.
    CharTooLarge(char),
}

impl fmt::Display for LiteralError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LiteralError::CharTooLarge(c) => {
                write!(f, "the character U+{:X} is beyond U+2FFFF", *c as u32)
            }
        }
    }
}

impl std::error::Error for LiteralError {}

impl Str {
    /// Reads the text of a literal (without the outer quotes, and with `""` already read as one quote).
    ///
    /// By the standard `\ud₃d₂d₁d₀`, `\u{d₀}` … `\u{d₄d₃d₂d₁d₀}` with hexadecimal digits, and `d₄` at most 2, are
    /// escapes. A backslash that begins none of these stands for itself.
    pub fn parse_literal(text: &str) -> Result<Str, LiteralError> {
        let mut points = Vec::with_capacity(text.len());
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            if let Some((point, len)) = escape(rest) {
                points.push(point);
                rest = &rest[len..];
                continue;
            }
            if c as u32 > MAX_CHAR {
                return Err(LiteralError::CharTooLarge(c));
            }
            points.push(c as u32);
            rest = &rest[c.len_utf8()..];
        }
        Ok(Str::of(&points))
    }

    /// The string as an SMT-LIB literal with its quotes. Printable ASCII is written as it is; the rest and the
    /// backslash as `\u{…}`, so that nothing read back looks like another escape.
    pub fn to_smtlib(&self) -> String {
        let mut text = String::with_capacity(self.len() + 2);
        text.push('"');
        for point in self.iter() {
            match char::from_u32(point) {
                Some('"') => text.push_str("\"\""),
                Some(c @ (' '..='~')) if c != '\\' => text.push(c),
                _ => text.push_str(&format!("\\u{{{point:x}}}")),
            }
        }
        text.push('"');
        text
    }
}

/// The escape a text begins with: its character and its length.
fn escape(text: &str) -> Option<(u32, usize)> {
    let digits = text.strip_prefix("\\u")?;
    let hex = |d: &str| {
        let plain = !d.is_empty() && d.bytes().all(|b| b.is_ascii_hexdigit());
        plain.then(|| u32::from_str_radix(d, 16).ok()).flatten()
    };
    if let Some(braced) = digits.strip_prefix('{') {
        let end = braced.bytes().take(6).position(|b| b == b'}')?;
        let point = hex(&braced[..end])?;
        return (point <= MAX_CHAR).then_some((point, end + 4));
    }
    hex(digits.get(..4)?).map(|point| (point, 6))
}
