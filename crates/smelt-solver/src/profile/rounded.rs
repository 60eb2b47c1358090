//! Which numbers in a solver's models are rounded.

use serde::Deserialize;

/// Values that are printed rounded. What they are is not known from a model, so that it is not judged by them.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rounded {
    /// Of which sort they are.
    pub sort: RoundedSort,
    /// How they are written.
    pub numbers: RoundedNumbers,
    /// For which scripts.
    #[serde(default)]
    pub logics: RoundedLogics,
    /// What is known of it.
    pub text: String,
}

/// The sorts whose values solvers round: values of the others are finite and printed whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum RoundedSort {
    /// `Real`, and everything that holds such values.
    Real,
}

/// How rounded values are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RoundedNumbers {
    /// In any way: no number of the sort is to be trusted.
    All,
    /// As decimals, apart from whole numbers with one zero behind the point; fractions are exact.
    Decimals,
    /// As decimals with six digits behind the point; other decimals are exact.
    SixDecimals,
}

/// For which scripts values are rounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RoundedLogics {
    /// All.
    #[default]
    All,
    /// Those that are in no linear logic.
    Nonlinear,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Profiles;

    /// Which numbers are taken as exact decides who is accused: every profile that was tried says so.
    #[test]
    fn tested_profiles_say_what_they_round() {
        for p in Profiles::embedded().iter().filter(|p| p.tested && p.name != "generic") {
            assert!(p.rounded.is_some(), "{}", p.name);
        }
        let rounded = |name| Profiles::embedded().get(name).unwrap().rounded.clone();
        assert!(rounded("z3").is_some_and(|r| r.is_empty()));
        assert!(rounded("yices").is_some_and(|r| r[0].numbers == RoundedNumbers::SixDecimals));
        assert!(rounded("generic").is_none());
    }
}
