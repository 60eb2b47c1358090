//! Times on the command line: `90s`, `10m`, `1.5h`, `1h30m`, `2d`; a plain number is seconds.

/// Units with their seconds, the largest first; a time names them in this order.
const UNITS: [(char, f64); 4] = [('d', 86400.0), ('h', 3600.0), ('m', 60.0), ('s', 1.0)];

/// The longest time, in seconds: a hundred years. A clock can add that.
const LONGEST: f64 = 36500.0 * 86400.0;

/// The seconds of a time, which are more than none.
pub fn seconds(text: &str) -> Result<f64, String> {
    let total = match text.bytes().last() {
        Some(b'0'..=b'9' | b'.') if number(text).is_ok() => number(text)?,
        _ => with_units(text)?,
    };
    match total {
        _ if total <= 0.0 => Err("a time longer than 0 is needed".into()),
        _ if total > LONGEST => Err("that is more than a hundred years".into()),
        _ => Ok(total),
    }
}

fn with_units(text: &str) -> Result<f64, String> {
    let (mut total, mut rest, mut units) = (0.0, text, UNITS.iter());
    loop {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let n = number(&rest[..end])?;
        let mut behind = rest[end..].chars();
        let Some(unit) = behind.next() else {
            return Err(format!("{rest:?} has no unit (s, m, h or d)"));
        };
        let Some((_, factor)) = units.find(|(u, _)| *u == unit) else {
            let known = UNITS.iter().any(|(u, _)| *u == unit);
            let why = if known { "stands behind a smaller unit" } else { "is none of s, m, h, d" };
            return Err(format!("{unit:?} {why}"));
        };
        total += n * factor;
        rest = behind.as_str();
        if rest.is_empty() {
            return Ok(total);
        }
    }
}

/// A decimal number without a sign.
fn number(text: &str) -> Result<f64, String> {
    let plain = text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let number = text.parse::<f64>().ok().filter(|n| plain && n.is_finite());
    number.ok_or_else(|| format!("{text:?} is no number; write 90s, 10m, 1h30m or 2d"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        for (text, expect) in [
            ("30", Ok(30.0)),
            ("0.5", Ok(0.5)),
            ("90s", Ok(90.0)),
            ("2m", Ok(120.0)),
            ("1.5h", Ok(5400.0)),
            ("1h30m", Ok(5400.0)),
            ("1d2h3m4s", Ok(93784.0)),
            ("1h0m", Ok(3600.0)),
            ("0", Err("longer than 0")),
            ("0m", Err("longer than 0")),
            ("", Err("is no number")),
            ("m", Err("is no number")),
            ("-1m", Err("is no number")),
            ("inf", Err("is no number")),
            ("1.2.3", Err("is no number")),
            ("2w", Err("'w' is none of s, m, h, d")),
            ("1e3", Err("'e' is none of s, m, h, d")),
            ("5ms", Err("is no number")),
            ("1m 30s", Err("\"\" is no number")),
            ("1h30", Err("\"30\" has no unit")),
            ("30m1h", Err("'h' stands behind a smaller unit")),
            ("1m1m", Err("'m' stands behind a smaller unit")),
            ("40000d", Err("a hundred years")),
        ] {
            match (seconds(text), expect) {
                (Ok(n), Ok(expect)) => assert_eq!(n, expect, "{text}"),
                (Err(why), Err(expect)) => assert!(why.contains(expect), "{text}: {why}"),
                (said, _) => panic!("{text}: {said:?}"),
            }
        }
    }
}
