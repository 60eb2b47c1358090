//! Families of solvers: which of them share code, and on which scripts that matters.

use std::collections::{BTreeMap, BTreeSet};

use smelt_smtlib::op::Theory;

use super::Profile;
use crate::probe::{theory_name, theory_named};

/// The word by which profiles name products of terms, which are of no theory of their own.
pub const NONLINEAR: &str = "nonlinear";

/// How many of these solvers are independent of each other, each given as its family with the libraries that it has in common with
/// others and that work on the script in question (see [`Profile::shared_on`]): solvers of one family count once, and so do families
/// with such a library in common. A solver of unknown descent (`generic`) may be any of the others, in a wrapper or under another
/// name: beside them it counts for nothing, and several of them count once.
pub fn independent<'a>(solvers: impl IntoIterator<Item = (&'a str, &'a [String])>) -> usize {
    let mut families: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (family, libraries) in solvers {
        families.entry(family).or_default().extend(libraries.iter().map(String::as_str));
    }
    let unknown = families.remove("generic").is_some();
    let mut groups: Vec<BTreeSet<&str>> = Vec::new();
    for mut libraries in families.into_values() {
        groups.retain(|group| {
            let common = !group.is_disjoint(&libraries);
            if common {
                libraries.extend(group);
            }
            !common
        });
        groups.push(libraries);
    }
    groups.len().max(usize::from(unknown))
}

/// What is wrong with a list of shared libraries, if something is.
pub(super) fn mistake(shares: &BTreeMap<String, Vec<String>>) -> Option<String> {
    let unknown = |w: &&String| *w != NONLINEAR && theory_named(w).is_none();
    let word = shares.values().flatten().find(unknown);
    word.map(|w| format!("a library that is shared on the unknown {w:?}"))
}

impl Profile {
    /// The libraries of other families that work on a script with these theories, and with products of terms or not.
    pub fn shared_on(&self, theories: &[Theory], nonlinear: bool) -> Vec<String> {
        let meant = |word: &String| match word.as_str() {
            NONLINEAR => nonlinear,
            word => theories.iter().any(|&t| theory_name(t) == word),
        };
        let shared = self.shares.iter().filter(|(_, words)| words.iter().any(meant));
        shared.map(|(library, _)| library.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Profiles;

    #[test]
    fn independent_solvers() {
        use Theory::{BitVec, Float, Ints, Reals};
        let profiles = Profiles::embedded();
        let check = |names: &[&str], theories: &[Theory], nonlinear: bool, expect: usize| {
            let solver = |n: &&str| {
                let p = profiles.get(n).unwrap();
                (p.family.as_str(), p.shared_on(theories, nonlinear))
            };
            let all: Vec<(&str, Vec<String>)> = names.iter().map(solver).collect();
            let found = independent(all.iter().map(|(family, shared)| (*family, &shared[..])));
            assert_eq!(found, expect, "{names:?} {theories:?} {nonlinear}");
        };
        check(&[], &[], false, 0);
        for one in [&["z3"][..], &["z3", "z3"], &["cvc4", "cvc5"], &["boolector", "bitwuzla"]] {
            check(one, &[BitVec], false, 1);
        }
        for one in [&["generic"][..], &["generic", "generic"], &["z3", "generic"]] {
            check(one, &[Ints], true, 1);
        }
        check(&["z3", "cvc5"], &[Float, Reals], true, 2);
        check(&["z3", "generic", "cvc5"], &[], false, 2);
        // SymFPU is in both of them, and works on floating-point numbers.
        check(&["cvc5", "bitwuzla"], &[BitVec], false, 2);
        check(&["cvc5", "bitwuzla"], &[BitVec, Float], false, 1);
        check(&["cvc4", "bitwuzla"], &[Float], false, 1);
        check(&["cvc5", "bitwuzla", "z3"], &[Float], false, 2);
        check(&["mathsat", "bitwuzla"], &[Float], false, 2);
        // LibPoly is in both of them, and works on products.
        check(&["cvc5", "yices"], &[Reals], false, 2);
        check(&["cvc5", "yices"], &[Reals], true, 1);
        check(&["cvc5", "yices", "z3"], &[Ints], true, 2);
        check(&["yices", "z3"], &[Reals], true, 2);
        // Each of these is connected with the next one.
        check(&["bitwuzla", "cvc5", "yices"], &[Float, Reals], true, 1);
        check(&["bitwuzla", "yices"], &[Float, Reals], true, 2);
    }

    #[test]
    fn mistakes() {
        let check = |words: &[&str], expect: Option<&str>| {
            let words = words.iter().map(ToString::to_string).collect();
            let found = mistake(&BTreeMap::from([(String::from("lib"), words)]));
            assert_eq!(found.as_deref(), expect);
        };
        check(&["float", "nonlinear"], None);
        check(&["float", "fp"], Some("a library that is shared on the unknown \"fp\""));
    }
}
