//! How scripts must be written for a release.

use serde::Deserialize;
use smelt_smtlib::op::Naming;

use super::Profile;
use crate::version::{self, Version};

/// How scripts must be written for some releases. Plain data for the printer.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dialect {
    /// Releases.
    pub versions: String,
    /// Words that these releases know: `standard`, `v26` (`bv2nat`, `int2bv`), `z3`, `z3-v26`, `z3-old` (`str.in.re`), `cvc4`.
    pub naming: Option<String>,
    /// How string literals escape: `unicode` (the standard's `\u{…}`) or `c` (`\x41`, `\n`: a backslash must be escaped).
    pub escapes: Option<String>,
}

/// Names for the words of releases. The operator table has the words.
const NAMINGS: [(&str, Naming); 6] = [
    ("standard", Naming::Standard),
    // `bv2nat`, `int2bv`.
    ("v26", Naming::V26),
    // Indices with signatures, where names are ambiguous.
    ("z3", Naming::Z3),
    // The words of `z3` and of `v26`.
    ("z3-v26", Naming::Z3V26),
    // The words of `z3-v26`, and `str.in.re`.
    ("z3-old", Naming::Z3Old),
    ("cvc4", Naming::Cvc4),
];

/// The words that a name stands for.
fn naming(name: &str) -> Option<Naming> {
    NAMINGS.iter().find(|(n, _)| *n == name).map(|(_, naming)| *naming)
}

impl Dialect {
    /// Whether string literals are written with the escapes of C.
    pub fn has_c_escapes(&self) -> bool {
        self.escapes.as_deref() == Some("c")
    }

    /// What is wrong with an entry, if something is.
    pub(super) fn mistake(&self) -> Option<String> {
        let unknown = |n: &&str| naming(n).is_none();
        if let Some(n) = self.naming.as_deref().filter(unknown) {
            return Some(format!("unknown naming {n:?}"));
        }
        let e = self.escapes.as_deref().filter(|e| !["unicode", "c"].contains(e))?;
        Some(format!("unknown escapes {e:?}"))
    }
}

impl Profile {
    /// The dialect of a release: all entries that apply, later ones on top.
    pub fn dialect_of(&self, version: Option<&Version>) -> Dialect {
        let mut sum = Dialect { versions: String::from("*"), ..Dialect::default() };
        for entry in self.dialect.iter().filter(|d| version::in_range(version, &d.versions)) {
            sum.naming = entry.naming.clone().or(sum.naming);
            sum.escapes = entry.escapes.clone().or(sum.escapes);
        }
        sum
    }

    /// The older operator names of a release, for the printer.
    pub fn naming_of(&self, version: Option<&Version>) -> Naming {
        let dialect = self.dialect_of(version);
        dialect.naming.as_deref().and_then(naming).unwrap_or(Naming::Standard)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Profiles;

    #[test]
    fn dialects_follow_the_release() {
        let profiles = Profiles::embedded();
        let z3 = profiles.get("z3").unwrap();
        let old = z3.dialect_of(Version::parse("4.8.7").as_ref());
        assert_eq!(old.naming.as_deref(), Some("z3-old"));
        assert!(old.has_c_escapes());
        let new = z3.dialect_of(Version::parse("4.12.0").as_ref());
        assert_eq!(new.naming.as_deref(), Some("z3-v26"));
        assert!(!new.has_c_escapes());
    }
}
