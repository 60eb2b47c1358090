//! Scripts on which the word of a release does not count.

use serde::Deserialize;
use smelt_smtlib::op::Op;

use super::Profile;
use crate::probe::theory_named;
use crate::version::{self, Version};

/// The operator by which caveats name string literals that are written with a backslash.
pub const BACKSLASH: &str = "string-literal-backslash";

/// A meaning that is not the standard's.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Caveat {
    /// Releases.
    pub versions: String,
    /// Operators, by any of their names; [`BACKSLASH`] is one, too.
    #[serde(default)]
    pub operators: Vec<String>,
    /// Theories, by the names of the probe table (see [`crate::probe`]): all of their operators, and their sorts.
    #[serde(default)]
    pub theories: Vec<String>,
    /// What is different.
    pub text: String,
    /// Whether a crash by a fault (see [`crate::Crash::is_breakdown`]) counts all the same: a meaning that differs from the standard's
    /// ends no process. False where the build lacks the feature and aborts for that.
    #[serde(default = "super::yes")]
    pub crashes: bool,
}

impl Caveat {
    /// What is wrong with a caveat, if something is.
    pub(super) fn mistake(&self) -> Option<String> {
        let is_operator = |n: &&String| *n == BACKSLASH || !Op::by_name(n).is_empty();
        let is_theory = |n: &&String| theory_named(n).is_some();
        let operator = self.operators.iter().find(|n| !is_operator(n));
        if let Some(n) = operator.or(self.theories.iter().find(|n| !is_theory(n))) {
            return Some(format!("a caveat about the unknown {n:?}"));
        }
        let nothing = self.operators.is_empty() && self.theories.is_empty();
        nothing.then(|| String::from("a caveat about nothing"))
    }
}

impl Profile {
    /// Caveats of a release.
    pub fn caveats_of(&self, version: Option<&Version>) -> impl Iterator<Item = &Caveat> {
        let version = version.cloned();
        self.caveats.iter().filter(move |c| version::in_range(version.as_ref(), &c.versions))
    }
}
