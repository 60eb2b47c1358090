//! Families of solvers: which of them share code.

use std::collections::BTreeSet;

/// How many of these families are independent of each other. A solver of unknown descent (`generic`) may be any of the others,
/// in a wrapper or under another name: beside them it counts for nothing, and several of them count once.
pub fn independent<'a>(families: impl IntoIterator<Item = &'a str>) -> usize {
    let mut all: BTreeSet<&str> = families.into_iter().collect();
    let unknown = all.remove("generic");
    all.len().max(usize::from(unknown))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Profiles;

    #[test]
    fn independent_families() {
        let profiles = Profiles::embedded();
        let check = |names: &[&str], expect: usize| {
            let family = |n: &&str| profiles.get(n).unwrap().family.as_str();
            assert_eq!(independent(names.iter().map(family)), expect, "{names:?}");
        };
        check(&[], 0);
        for one in [&["z3"][..], &["z3", "z3"], &["cvc4", "cvc5"], &["boolector", "bitwuzla"]] {
            check(one, 1);
        }
        for one in [&["generic"][..], &["generic", "generic"], &["z3", "generic"]] {
            check(one, 1);
        }
        check(&["z3", "cvc5"], 2);
        check(&["z3", "generic", "cvc5"], 2);
    }
}
