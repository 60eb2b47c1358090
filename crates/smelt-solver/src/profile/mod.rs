//! Profiles: everything that smelt knows about a solver, as data.
//!
//! One TOML file per solver under `profiles/`, embedded in the binary. A file of the same name in `$SMELT_HOME/profiles/`
//! replaces the embedded one, and a new name there adds a solver. The fields are documented here and in [`crate::patterns`].

mod caveat;
mod dialect;
mod family;
mod package;
mod pools;
mod profiles;
mod question;
mod read;
mod rounded;
mod run;

use std::collections::BTreeMap;

use serde::Deserialize;

pub use caveat::{BACKSLASH, Caveat};
pub use dialect::Dialect;
pub use family::{NONLINEAR, independent};
pub use package::{Package, PackageHost, PackageRun};
pub use pools::{OptionPools, OptionStyle, Scripts, Versioned};
pub use profiles::Profiles;
pub use rounded::{Rounded, RoundedLogics, RoundedNumbers, RoundedSort};
pub use run::{Cold, ColdInput, ExitMeaning, MemoryLimit, ResourceLimit, Warm};

use crate::patterns::Patterns;
use crate::version::{self, Version};

/// A solver's profile.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// Its name, by which users call it: `z3`.
    pub name: String,
    /// Solvers of one family share code, so their agreement counts once: cvc4 and cvc5 are both `cvc`. That of a solver whose
    /// descent is not known is `generic`, see [`independent`].
    pub family: String,
    /// The solver of this family, by its name, whose developers left it for this one: each release of that is older than each of this.
    #[serde(default)]
    pub succeeds: Option<String>,
    /// Libraries that solvers of other families have, too, by name, with what they work on: theories by the names of the probe
    /// table, or [`NONLINEAR`]. See [`Profile::shared_on`].
    #[serde(default)]
    pub shares: BTreeMap<String, Vec<String>>,
    /// Whether this profile was tried against a real solver. An untested one is from the manual only.
    pub tested: bool,
    /// Program names looked for on `PATH`, in order.
    #[serde(default)]
    pub programs: Vec<String>,
    /// Arguments that print the version; the first dotted number in the output is taken.
    #[serde(default = "default_version_args")]
    pub version_args: Vec<String>,
    /// Arguments of every run: input language, no banner.
    #[serde(default)]
    pub args: Vec<String>,
    /// Arguments of every run that a script may do without: they switch on more than scripts of the standard need. A [bare](crate::Mode) run
    /// goes without these and without [`plain_args`](Self::plain_args).
    #[serde(default)]
    pub usual_args: Vec<String>,
    /// Arguments that make models available.
    #[serde(default)]
    pub model_args: Vec<String>,
    /// Arguments that make unsat cores available.
    #[serde(default)]
    pub core_args: Vec<String>,
    /// Commands sent before each script to make unsat cores available, where the command line has no such option.
    pub core_prelude: Option<String>,
    /// Arguments that switch on incremental solving, given when a script has more than one check or pushes.
    #[serde(default)]
    pub incremental_args: Vec<String>,
    /// Arguments that switch incremental solving off, given when a script has one check and does not push: without them, some
    /// solvers choose by how they are fed.
    #[serde(default)]
    pub plain_args: Vec<String>,
    /// Arguments by which the solver checks its own models and cores.
    #[serde(default)]
    pub self_check_args: Vec<String>,
    /// Arguments that switch these checks off behind an argument of the user's that switches them on.
    #[serde(default)]
    pub self_check_off_args: Vec<String>,
    /// Arguments by which the solver checks its own proofs.
    #[serde(default)]
    pub proof_check_args: Vec<String>,
    /// Floating-point formats (exponent and significand bits) that it takes without further options; empty means all.
    #[serde(default)]
    pub float_formats: Vec<(u32, u32)>,
    /// How a cold run gets its script.
    pub cold: Cold,
    /// How a warm session works; absent when the solver cannot reset, and every run is cold.
    pub warm: Option<Warm>,
    /// The option for the solver's own resource counter.
    pub resource_limit: Option<ResourceLimit>,
    /// Whether the memory limit is an address-space limit of the kernel (exact, and the solver can report it) or the resident
    /// size polled from outside (for sanitizer builds and garbage-collected solvers, which reserve far more than they use).
    #[serde(default)]
    pub memory: MemoryLimit,
    /// Whether it writes files of its own accord: temporary ones of a wrapper script, for example. Files of others may be no longer
    /// than 0 bytes, see [`crate::sandbox`].
    #[serde(default)]
    pub writes_files: bool,
    /// Whether `(get-info :reason-unknown)` is answered.
    #[serde(default = "yes")]
    pub reason_unknown: bool,
    /// Whether a request that the solver refuses after its answer (a model after `unsat`) leaves it able to go on.
    #[serde(default)]
    pub survives_refusal: bool,
    /// Texts by which its output is classified.
    #[serde(default)]
    pub patterns: Patterns,
    /// Exit codes with a meaning of their own.
    #[serde(default)]
    pub exit_codes: BTreeMap<String, ExitMeaning>,
    /// What a script of a stranger's may say to it beyond the standard, see [`crate::admit`].
    #[serde(default)]
    pub scripts: Scripts,
    /// Options for option fuzzing, by the maintainers' class of how well they are kept.
    #[serde(default)]
    pub options: OptionPools,
    /// Options that make another question of a script, so that `sat` and `unsat` are not said of the script itself; see
    /// [`Profile::changes_question`].
    #[serde(default)]
    pub changes_question: Vec<String>,
    /// Tactics for `(check-sat-using …)`.
    #[serde(default)]
    pub tactics: Vec<String>,
    /// The option that confines the solver to what its maintainers call safe, and the releases that have it.
    pub safe_mode: Option<Versioned>,
    /// How scripts must be written for it, by release. Every entry whose range holds applies.
    #[serde(default)]
    pub dialect: Vec<Dialect>,
    /// Meanings that differ from the standard or changed between releases: no verdict on scripts with these operators or
    /// theories.
    #[serde(default)]
    pub caveats: Vec<Caveat>,
    /// Values in its models that are rounded. An empty list: every number is exactly what it says, or marked as not. No
    /// list: nothing is known, and decimals are not trusted.
    pub rounded: Option<Vec<Rounded>>,
    /// Package in the registry that the ordinary Python client fetches.
    pub package: Option<Package>,
}

fn default_version_args() -> Vec<String> {
    vec![String::from("--version")]
}

fn yes() -> bool {
    true
}

impl Profile {
    /// Whether an option is one that smelt itself gives to this solver, and therefore harmless in a file of a stranger's.
    pub fn gives_option(&self, option: &str) -> bool {
        let own = [
            &self.args,
            &self.usual_args,
            &self.model_args,
            &self.core_args,
            &self.incremental_args,
            &self.plain_args,
            &self.self_check_args,
            &self.self_check_off_args,
            &self.proof_check_args,
        ];
        self.options.all().any(|o| o == option)
            || own.into_iter().flatten().any(|o| o == option)
            || self.safe_mode.as_ref().is_some_and(|s| s.arg == option)
            || self.is_of_script(option)
    }

    /// Whether a [bare](crate::Mode) run differs from others.
    pub fn can_be_bare(&self) -> bool {
        !self.usual_args.is_empty() || !self.plain_args.is_empty()
    }

    /// Options by which the solver begins its own randomness at a number: those of the pools that are called a seed.
    pub fn seeded(&self, seed: u32) -> Vec<String> {
        let keyed = self.options.common.iter().filter_map(|o| o.split_once('='));
        let seeds = keyed.filter(|(key, value)| {
            key.ends_with("seed") && value.bytes().all(|b| b.is_ascii_digit())
        });
        seeds.map(|(key, _)| format!("{key}={seed}")).collect()
    }

    /// Whether a reason explains an `unknown` by a limit, an interruption, or a feature that the solver does not have.
    pub fn excuses(&self, reason: Option<&str>) -> bool {
        let Some(reason) = reason else { return false };
        let reason = reason.to_lowercase();
        let p = &self.patterns;
        let lists = [&p.excused, &p.unsupported, &p.out_of_memory, &p.timeout, &p.resource];
        lists.into_iter().flatten().any(|word| reason.contains(&word.to_lowercase()))
    }

    /// The warm mode of a release, if it has one.
    pub fn warm_of(&self, version: Option<&Version>) -> Option<&Warm> {
        self.warm.as_ref().filter(|w| w.versions == "*" || version::in_range(version, &w.versions))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_of_solvers() {
        let profiles = Profiles::embedded();
        let check = |name: &str, expect: &[&str]| {
            assert_eq!(profiles.get(name).unwrap().seeded(3), expect, "{name}");
        };
        check("z3", &["smt.random_seed=3", "sat.random_seed=3"]);
        check("cvc5", &["--seed=3"]);
        check("cvc4", &["--random-seed=3"]);
        check("bitwuzla", &["--seed=3"]);
        check("generic", &[]);
    }

    #[test]
    fn reasons_that_excuse_an_unknown() {
        let profiles = Profiles::embedded();
        let check = |name: &str, reason: &str, expect: bool| {
            let profile = profiles.get(name).unwrap();
            assert_eq!(profile.excuses(Some(reason)), expect, "{name}: {reason}");
            assert!(!profile.excuses(None));
        };
        for (name, reason) in [
            ("z3", "timeout"),
            ("z3", "interrupted from keyboard"),
            ("z3", "max. memory exceeded"),
            ("z3", "Unsupported: non-linear division"),
            ("cvc5", "unsupported"),
            ("cvc5", "INTERRUPTED"),
            ("cvc5", "memout"),
            ("cvc4", "resourceout"),
            ("smtinterpol", "CANCELLED"),
            ("generic", "timeout"),
        ] {
            check(name, reason, true);
        }
        for (name, reason) in [
            ("z3", "(incomplete (theory arithmetic))"),
            ("z3", "smt tactic failed to show goal to be sat/unsat (incomplete quantifiers)"),
            ("cvc5", "incomplete"),
            ("cvc5", "unknown_reason"),
            ("generic", "incomplete"),
        ] {
            check(name, reason, false);
        }
        // Every solver that says why can be stopped, and must not be blamed for that.
        for p in profiles.iter().filter(|p| p.reason_unknown) {
            assert!(p.excuses(Some("interrupted")), "{}", p.name);
        }
    }
}
