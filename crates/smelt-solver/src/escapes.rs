//! String literals for releases that read other escapes than the standard's.
//!
//! z3 up to 4.8.10 reads `\x41` and `\n` as C does, and takes `\u{41}` for four characters and a `u`. What is sent to it is
//! written in its own way, or every string with a backslash would be another string there, and a model of it false.

use std::borrow::Cow;

use crate::script::Script;
use crate::solver::Solver;

/// The script as this release reads it; the reason if it cannot be said to it.
pub(crate) fn in_its_words<'s>(
    solver: &Solver,
    script: Cow<'s, Script>,
) -> Result<Cow<'s, Script>, String> {
    let c = || solver.profile().dialect_of(solver.version()).has_c_escapes();
    if !script.text().contains('\\') || !c() {
        return Ok(script);
    }
    match with_c_escapes(script.text()) {
        Some(text) => Ok(Cow::Owned(Script::new(&text))),
        None => Err(String::from("this release has no characters beyond 255")),
    }
}

/// Writes the literals of a script with the escapes of C; `None` if a character is beyond 255.
fn with_c_escapes(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len() + 64);
    let mut rest = text;
    while let Some(at) = rest.find(['"', '|', ';']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        match rest.as_bytes()[0] {
            b'"' => {
                let end = literal_end(rest);
                out.push_str(&literal(&rest[..end])?);
                rest = &rest[end..];
            }
            kind => {
                let close: &[char] = if kind == b'|' { &['|'] } else { &['\n', '\r'] };
                let end = rest[1..].find(close).map_or(rest.len(), |n| n + 2);
                out.push_str(&rest[..end]);
                rest = &rest[end..];
            }
        }
    }
    out.push_str(rest);
    Some(out)
}

/// Where the literal that the text begins with ends; a doubled quote stands for one.
fn literal_end(text: &str) -> usize {
    let mut at = 1;
    while let Some(n) = text[at..].find('"') {
        at += n + 1;
        if !text[at..].starts_with('"') {
            return at;
        }
        at += 1;
    }
    text.len()
}

fn literal(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let (code, used) = escape(&rest[at..]);
        match code {
            // Printable, and neither a quote nor a backslash.
            0x20..=0x7e if code != 0x22 && code != 0x5c => out.extend(char::from_u32(code)),
            0..=0xff => out.push_str(&format!("\\x{code:02x}")),
            _ => return None,
        }
        rest = &rest[at + used..];
    }
    out.push_str(rest);
    Some(out)
}

/// The character that a backslash begins, and the length of its escape: `\u{2}` to `\u{2FFFF}`, `\u0041`, or itself.
fn escape(text: &str) -> (u32, usize) {
    let hex = |digits: &str| {
        let all = digits.bytes().all(|b| b.is_ascii_hexdigit());
        (all && !digits.is_empty()).then(|| u32::from_str_radix(digits, 16).ok()).flatten()
    };
    let braced = text.strip_prefix("\\u{").and_then(|r| r.split_once('}')).map(|(d, _)| d);
    if let Some(digits) = braced.filter(|d| d.len() <= 5)
        && let Some(code) = hex(digits).filter(|c| *c <= 0x2_ffff)
    {
        return (code, digits.len() + 4);
    }
    let plain = text.strip_prefix("\\u").and_then(|r| r.get(..4)).and_then(hex);
    plain.map_or((0x5c, 1), |code| (code, 6))
}

#[cfg(test)]
mod tests {
    use super::with_c_escapes;

    #[test]
    fn escapes() {
        let check = |text: &str, expect: Option<&str>| {
            assert_eq!(with_c_escapes(text).as_deref(), expect, "{text}");
        };
        check(r#"(= s "\u{5c}<\u{41}\u0042")"#, Some(r#"(= s "\x5c<AB")"#));
        check(r#"(= s "\x41\n\")"#, Some(r#"(= s "\x5cx41\x5cn\x5c")"#));
        check(r#"(= s "a""\u{22}b" "\u{a}")"#, Some(r#"(= s "a""\x22b" "\x0a")"#));
        check(r#"(= |a\u{41}"| "\u{41}") ; "\u{41}"#, Some(r#"(= |a\u{41}"| "A") ; "\u{41}"#));
        check("; a | b \"\n(= s \"\\u{7f}\")", Some("; a | b \"\n(= s \"\\x7f\")"));
        check(r#"(= s "\u{100}")"#, None);
        check(
            r#"(= s "\u{30000}\u{}\u{g}\u12")"#,
            Some(r#"(= s "\x5cu{30000}\x5cu{}\x5cu{g}\x5cu12")"#),
        );
        check("; a \r(= s \"\\u{41}\")", Some("; a \r(= s \"A\")"));
        check("(= s \"open", Some("(= s \"open"));
    }
}
