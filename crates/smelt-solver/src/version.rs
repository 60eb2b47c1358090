//! Version numbers of solvers and the ranges that profiles name.

use std::cmp::Ordering;
use std::fmt;

/// A dotted version number. Missing parts count as zero, so `4.8` equals `4.8.0`.
#[derive(Debug, Clone, Default)]
pub struct Version {
    parts: Vec<u64>,
}

impl Version {
    /// Finds the first dotted number (`4.8.7`, `1.0.3`, `2.6.5`) in a text such as the output of `--version`.
    pub fn find(text: &str) -> Option<Version> {
        let bytes = text.as_bytes();
        let mut start = 0;
        while start < bytes.len() {
            if !bytes[start].is_ascii_digit() {
                start += 1;
                continue;
            }
            let mut end = start;
            while end < bytes.len() && (bytes[end].is_ascii_digit() || bytes[end] == b'.') {
                end += 1;
            }
            let run = text[start..end].trim_end_matches('.');
            if run.contains('.')
                && let Some(version) = Version::parse(run)
            {
                return Some(version);
            }
            start = end;
        }
        None
    }

    /// Reads a version that is the whole text; a suffix such as `.post24` or `-rc1` is ignored.
    pub fn parse(text: &str) -> Option<Version> {
        let mut parts = Vec::new();
        for piece in text.split('.') {
            let digits: &str =
                &piece[..piece.find(|c: char| !c.is_ascii_digit()).unwrap_or(piece.len())];
            if digits.is_empty() {
                break;
            }
            parts.push(digits.parse().ok()?);
            if digits.len() != piece.len() {
                break;
            }
        }
        if parts.is_empty() { None } else { Some(Version { parts }) }
    }

    /// Whether `self` starts with all parts of `prefix`: `4.8.7.0` starts with `4.8.7`.
    pub fn starts_with(&self, prefix: &Version) -> bool {
        prefix.parts.iter().enumerate().all(|(i, p)| self.parts.get(i).copied().unwrap_or(0) == *p)
    }

    fn part(&self, i: usize) -> u64 {
        self.parts.get(i).copied().unwrap_or(0)
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> Ordering {
        let n = self.parts.len().max(other.parts.len());
        (0..n)
            .map(|i| self.part(i).cmp(&other.part(i)))
            .find(|o| o.is_ne())
            .unwrap_or(Ordering::Equal)
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Version {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Version {}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> = self.parts.iter().map(u64::to_string).collect();
        f.write_str(&parts.join("."))
    }
}

/// Whether a version lies in a range such as `<=4.8.8`, `>=1.0.9,<1.2` or `*`. An unknown version lies only in `*`;
/// a range that cannot be read contains nothing (profiles are checked when they are loaded).
pub fn in_range(version: Option<&Version>, range: &str) -> bool {
    match parse_range(range) {
        None => false,
        Some(bounds) if bounds.is_empty() => true,
        Some(bounds) => {
            version.is_some_and(|v| bounds.iter().all(|(op, bound)| op.holds(v.cmp(bound))))
        }
    }
}

/// Whether the text is a range that [`in_range`] can read.
pub fn is_range(range: &str) -> bool {
    parse_range(range).is_some()
}

#[derive(Clone, Copy)]
enum Bound {
    Less,
    LessEq,
    Equal,
    GreaterEq,
    Greater,
}

impl Bound {
    fn holds(self, order: Ordering) -> bool {
        match self {
            Bound::Less => order.is_lt(),
            Bound::LessEq => order.is_le(),
            Bound::Equal => order.is_eq(),
            Bound::GreaterEq => order.is_ge(),
            Bound::Greater => order.is_gt(),
        }
    }
}

fn parse_range(range: &str) -> Option<Vec<(Bound, Version)>> {
    if range.trim() == "*" {
        return Some(Vec::new());
    }
    const OPS: [(&str, Bound); 5] = [
        ("<=", Bound::LessEq),
        (">=", Bound::GreaterEq),
        ("<", Bound::Less),
        (">", Bound::Greater),
        ("=", Bound::Equal),
    ];
    range
        .split(',')
        .map(|piece| {
            let piece = piece.trim();
            let (text, op) = OPS.iter().find(|(text, _)| piece.starts_with(text))?;
            Some((*op, Version::parse(piece[text.len()..].trim())?))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_in_real_banners() {
        let check = |banner: &str, expect: &str| {
            assert_eq!(
                Version::find(banner).map(|v| v.to_string()).as_deref(),
                Some(expect),
                "{banner}"
            );
        };
        check("Z3 version 4.8.7 - 64 bit", "4.8.7");
        check("This is cvc5 version 1.0.3\ncompiled with GCC version 12.2.0", "1.0.3");
        check("This is CVC4 version 1.8\n", "1.8");
        check("Yices 2.6.5\nCopyright 2020", "2.6.5");
        check("OpenSMT2 v2.5.0.", "2.5.0");
        assert_eq!(Version::find("no number at all 7"), None);
    }

    #[test]
    fn ranges() {
        let check = |version: &str, range: &str, expect: bool| {
            assert_eq!(
                in_range(Version::parse(version).as_ref(), range),
                expect,
                "{version} in {range}"
            );
        };
        check("4.8.7.0", "<=4.8.7", true);
        check("4.8.8", "<=4.8.7", false);
        check("4.8.10", ">4.8.9", true);
        check("1.1.2", ">=1.0.9,<1.2", true);
        check("1.2.0", ">=1.0.9,<1.2", false);
        check("1.2", "=1.2.0", true);
        check("9", "*", true);
        check("9", "nonsense", false);
        assert!(in_range(None, "*"));
        assert!(!in_range(None, ">=1"));
        assert!(!is_range("~1.2"));
    }

    #[test]
    fn prefixes_and_suffixes() {
        let v = |t: &str| Version::parse(t).unwrap();
        assert!(v("4.8.7.0").starts_with(&v("4.8.7")));
        assert!(!v("4.8.17.0").starts_with(&v("4.8.1")));
        assert_eq!(v("2.6.5.post24"), v("2.6.5"));
    }
}
