//! Profiles: everything that smelt knows about a solver, as data.
//!
//! One TOML file per solver under `profiles/`, embedded in the binary. A file of the same name in `$SMELT_HOME/profiles/`
//! replaces the embedded one, and a new name there adds a solver. The fields are documented here and in [`crate::patterns`].

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use smelt_smtlib::op::{Naming, Op};

use crate::patterns::Patterns;
use crate::probe::theory_named;
use crate::version::{self, Version};

/// How many of these families are independent of each other. A solver of unknown descent (`generic`) may be any of the others,
/// in a wrapper or under another name: beside them it counts for nothing, and several of them count once.
pub fn independent<'a>(families: impl IntoIterator<Item = &'a str>) -> usize {
    let mut all: BTreeSet<&str> = families.into_iter().collect();
    let unknown = all.remove("generic");
    all.len().max(usize::from(unknown))
}

/// A solver's profile.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// Its name, by which users call it: `z3`.
    pub name: String,
    /// Solvers of one family share code, so their agreement counts once: cvc4 and cvc5 are both `cvc`. That of a solver whose
    /// descent is not known is `generic`, see [`independent`].
    pub family: String,
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
    /// Arguments that make models available.
    #[serde(default)]
    pub model_args: Vec<String>,
    /// Arguments that make unsat cores available.
    #[serde(default)]
    pub core_args: Vec<String>,
    /// Commands sent before each script for the same end, where the command line has no such option.
    pub core_prelude: Option<String>,
    /// Arguments that switch on incremental solving, given when a script has more than one check or pushes.
    #[serde(default)]
    pub incremental_args: Vec<String>,
    /// Arguments given instead when a script does not need that: some solvers choose by how they are fed.
    #[serde(default)]
    pub plain_args: Vec<String>,
    /// Arguments by which the solver checks its own models and cores.
    #[serde(default)]
    pub self_check_args: Vec<String>,
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
    /// Whether `(get-info :reason-unknown)` is answered.
    #[serde(default = "yes")]
    pub reason_unknown: bool,
    /// Whether a request that the solver refuses after its answer (a model after `unsat`) leaves it able to go on.
    #[serde(default)]
    pub survives_refusal: bool,
    /// Whether a script must set a logic.
    #[serde(default)]
    pub needs_logic: bool,
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
    /// Tactics for `(check-sat-using …)`.
    #[serde(default)]
    pub tactics: Vec<String>,
    /// The option that confines the solver to what its maintainers call safe, and the releases that have it.
    pub safe_mode: Option<Versioned>,
    /// Logics it supports; empty means all.
    #[serde(default)]
    pub logics: Vec<String>,
    /// Theories it supports, by the names of the probe table (see [`crate::probe`]); empty means all.
    #[serde(default)]
    pub theories: Vec<String>,
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
    /// Where and how bugs are reported.
    pub tracker: Option<Tracker>,
}

fn default_version_args() -> Vec<String> {
    vec![String::from("--version")]
}

fn yes() -> bool {
    true
}

/// How a cold run gets its script.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cold {
    /// By which way.
    pub input: ColdInput,
    /// Arguments; `{file}` becomes the script's path.
    #[serde(default)]
    pub args: Vec<String>,
}

/// By which way a cold run gets its script.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ColdInput {
    /// A path to an anonymous memory file: never touches the disk. The path has no `.smt2` suffix.
    File,
    /// Standard input.
    Stdin,
    /// A real file `….smt2` in the temporary folder, for solvers that look at the suffix. The launcher removes it.
    TempFile,
}

/// How a warm session works.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Warm {
    /// Arguments that make it read commands from standard input.
    #[serde(default)]
    pub args: Vec<String>,
    /// The command that brings it back to the state after the start.
    #[serde(default = "default_reset")]
    pub reset: String,
    /// Scripts per process before a restart.
    #[serde(default = "default_restart_every")]
    pub restart_every: u32,
    /// The process ends at the first error, or must not be used after one: it is restarted. (cvc5's library goes on after
    /// an error inside of a check, and crashes in a later script.)
    #[serde(default)]
    pub exits_on_error: bool,
    /// Scripts that contain one of these texts run cold, because of known bugs that show only after a reset.
    #[serde(default)]
    pub not_for: Vec<String>,
    /// Only the embedded host of a package works warm; the solver's own program runs cold.
    #[serde(default)]
    pub hosted_only: bool,
    /// Only scripts with one check and without push or pop run warm (the host cannot take a script in pieces).
    #[serde(default)]
    pub plain_only: bool,
    /// Releases whose host forgets a scope of names where a piece of a script ends: what is declared behind a push is still
    /// there after the pop. Sessions are separated by resets only, and scripts that declare behind a push run cold.
    #[serde(default)]
    pub forgets_scopes: Option<String>,
    /// Releases whose `(reset)` can be trusted; others run cold.
    #[serde(default = "any_version")]
    pub versions: String,
}

fn default_reset() -> String {
    String::from("(reset)")
}

fn default_restart_every() -> u32 {
    500
}

fn any_version() -> String {
    String::from("*")
}

/// The solver's own resource counter.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResourceLimit {
    /// The option; `{n}` becomes the number. It must hold per check.
    pub arg: String,
    /// Units that a CPU second uses up, roughly.
    pub per_cpu_second: u64,
}

/// How memory is limited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MemoryLimit {
    /// `RLIMIT_AS`.
    #[default]
    AddressSpace,
    /// Resident size, polled.
    Rss,
}

/// What an exit code means when no answer came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ExitMeaning {
    /// Memory ran out.
    OutOfMemory,
    /// Time ran out.
    Timeout,
    /// The script or the command line was refused.
    Rejected,
    /// It cannot do this.
    Unsupported,
    /// It failed.
    Crash,
}

/// What scripts may say beyond the standard: nothing that writes, reads or runs something, or prints what could be taken for
/// an answer.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Scripts {
    /// Commands.
    pub commands: Vec<String>,
    /// Keys of `set-option`, without the colon. Those of the option pools need not be repeated.
    pub options: Vec<String>,
}

/// Options by class.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OptionPools {
    /// For everybody.
    pub common: Vec<String>,
    /// For those who know.
    pub regular: Vec<String>,
    /// At one's own risk; bugs found only with these are of little worth to maintainers.
    pub expert: Vec<String>,
}

/// An argument that some releases have.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Versioned {
    /// The argument.
    pub arg: String,
    /// Releases that have it.
    pub versions: String,
}

/// How scripts must be written for some releases. Plain data for the printer.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dialect {
    /// Releases.
    pub versions: String,
    /// Words that these releases know: `standard`, `v26` (`bv2nat`, `int2bv`), `z3` (indices with signatures, where names are
    /// ambiguous), `z3-v26` (both), `z3-old` (also `str.in.re`), `cvc4`. The
    /// operator table has them.
    pub naming: Option<String>,
    /// How string literals escape: `unicode` (the standard's `\u{…}`) or `c` (`\x41`, `\n`: a backslash must be escaped).
    pub escapes: Option<String>,
    /// Dialects of extensions that it reads, by the names of the operator table (`z3`, `cvc5` …).
    #[serde(default)]
    pub extensions: Vec<String>,
}

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
}

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

/// A package in the registry.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Package {
    /// Its name there.
    pub name: String,
    /// How it is run, by release; the first range that holds counts. A release in no range cannot run scripts.
    pub run: Vec<PackageRun>,
}

/// How releases of a package are run.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackageRun {
    /// Releases.
    pub versions: String,
    /// By which means.
    pub by: PackageHost,
    /// Path of the program inside the package, for `binary`.
    pub program: Option<String>,
}

/// By which means a package runs scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PackageHost {
    /// It holds a program.
    Binary,
    /// cvc5's Python module with `InputParser`, run by an embedded Python host.
    Cvc5Python,
    /// cvc5's shared libraries with the C interface, run by smelt itself in a process of its own.
    Cvc5Library,
    /// Bitwuzla's Python module with a parser, run by an embedded Python host.
    BitwuzlaPython,
}

/// Where and how bugs are reported.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Tracker {
    /// Address.
    pub url: String,
    /// Open reports that the maintainers want at a time from one fuzzer.
    pub quota: Option<u32>,
    /// What the maintainers ask of reports.
    pub etiquette: String,
    /// How a regression test looks: `expect-comment` (cvc5's `; EXPECT:`), `plain`.
    pub regression_test: String,
}

impl OptionPools {
    /// The options of all classes.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        [&self.common, &self.regular, &self.expert].into_iter().flatten().map(String::as_str)
    }
}

impl Profile {
    /// Reads a profile and checks what the types cannot.
    pub fn from_toml(text: &str) -> Result<Profile, String> {
        let profile: Profile = toml::from_str(text).map_err(|e| e.to_string())?;
        let ranges = profile
            .dialect
            .iter()
            .map(|d| &d.versions)
            .chain(profile.caveats.iter().map(|c| &c.versions))
            .chain(profile.safe_mode.iter().map(|s| &s.versions))
            .chain(profile.warm.iter().map(|w| &w.versions))
            .chain(profile.package.iter().flat_map(|p| p.run.iter().map(|r| &r.versions)));
        let known = ["standard", "v26", "z3", "z3-v26", "z3-old", "cvc4"];
        if let Some(n) =
            profile.dialect.iter().filter_map(|d| d.naming.as_deref()).find(|n| !known.contains(n))
        {
            return Err(format!("{}: unknown naming {n:?}", profile.name));
        }
        for range in ranges {
            if !version::is_range(range) {
                return Err(format!("{}: {range:?} is no version range", profile.name));
            }
        }
        if let Some(r) = profile.rounded.iter().flatten().find(|r| r.text.trim().is_empty()) {
            return Err(format!("{}: rounded {:?} does not say why", profile.name, r.numbers));
        }
        if profile.cold.input != ColdInput::Stdin
            && !profile.cold.args.iter().any(|a| a.contains("{file}"))
        {
            return Err(format!("{}: cold.args does not say where {{file}} goes", profile.name));
        }
        if let Some(code) = profile.exit_codes.keys().find(|c| c.parse::<i32>().is_err()) {
            return Err(format!("{}: exit code {code:?} is no number", profile.name));
        }
        for caveat in &profile.caveats {
            let is_operator = |n: &&String| *n == BACKSLASH || !Op::by_name(n).is_empty();
            let is_theory = |n: &&String| theory_named(n).is_some();
            let operator = caveat.operators.iter().find(|n| !is_operator(n));
            if let Some(n) = operator.or(caveat.theories.iter().find(|n| !is_theory(n))) {
                return Err(format!("{}: a caveat about the unknown {n:?}", profile.name));
            }
            if caveat.operators.is_empty() && caveat.theories.is_empty() {
                return Err(format!("{}: a caveat about nothing", profile.name));
            }
        }
        if profile.resource_limit.as_ref().is_some_and(|r| !r.arg.contains("{n}")) {
            return Err(format!(
                "{}: resource_limit.arg does not say where {{n}} goes",
                profile.name
            ));
        }
        Ok(profile)
    }

    /// Whether an option is one that smelt itself gives to this solver, and therefore harmless in a file of a stranger's.
    pub fn gives_option(&self, option: &str) -> bool {
        let own = [
            &self.args,
            &self.model_args,
            &self.core_args,
            &self.incremental_args,
            &self.plain_args,
            &self.self_check_args,
            &self.proof_check_args,
        ];
        self.options.all().any(|o| o == option)
            || own.into_iter().flatten().any(|o| o == option)
            || self.safe_mode.as_ref().is_some_and(|s| s.arg == option)
    }

    /// Whether a reason explains an `unknown` by a limit, an interruption, or a feature that the solver does not have.
    pub fn excuses(&self, reason: Option<&str>) -> bool {
        let Some(reason) = reason else { return false };
        let reason = reason.to_lowercase();
        let p = &self.patterns;
        let lists = [&p.excused, &p.unsupported, &p.out_of_memory, &p.timeout, &p.resource];
        lists.into_iter().flatten().any(|word| reason.contains(&word.to_lowercase()))
    }

    /// The dialect of a release: all entries that apply, later ones on top.
    pub fn dialect_of(&self, version: Option<&Version>) -> Dialect {
        let mut sum = Dialect { versions: String::from("*"), ..Dialect::default() };
        for entry in self.dialect.iter().filter(|d| version::in_range(version, &d.versions)) {
            sum.naming = entry.naming.clone().or(sum.naming);
            sum.escapes = entry.escapes.clone().or(sum.escapes);
            sum.extensions.extend(entry.extensions.iter().cloned());
        }
        sum
    }

    /// Caveats of a release.
    pub fn caveats_of(&self, version: Option<&Version>) -> impl Iterator<Item = &Caveat> {
        let version = version.cloned();
        self.caveats.iter().filter(move |c| version::in_range(version.as_ref(), &c.versions))
    }

    /// The older operator names of a release, for the printer.
    pub fn naming_of(&self, version: Option<&Version>) -> Naming {
        match self.dialect_of(version).naming.as_deref() {
            Some("v26") => Naming::V26,
            Some("z3") => Naming::Z3,
            Some("z3-v26") => Naming::Z3V26,
            Some("z3-old") => Naming::Z3Old,
            Some("cvc4") => Naming::Cvc4,
            _ => Naming::Standard,
        }
    }

    /// The warm mode of a release, if it has one.
    pub fn warm_of(&self, version: Option<&Version>) -> Option<&Warm> {
        self.warm.as_ref().filter(|w| w.versions == "*" || version::in_range(version, &w.versions))
    }
}

/// Profiles by name.
#[derive(Debug, Clone)]
pub struct Profiles {
    by_name: BTreeMap<String, Arc<Profile>>,
}

const EMBEDDED: &[(&str, &str)] = &[
    ("z3", include_str!("../../../profiles/z3.toml")),
    ("cvc5", include_str!("../../../profiles/cvc5.toml")),
    ("cvc4", include_str!("../../../profiles/cvc4.toml")),
    ("yices", include_str!("../../../profiles/yices.toml")),
    ("bitwuzla", include_str!("../../../profiles/bitwuzla.toml")),
    ("boolector", include_str!("../../../profiles/boolector.toml")),
    ("opensmt", include_str!("../../../profiles/opensmt.toml")),
    ("stp", include_str!("../../../profiles/stp.toml")),
    ("mathsat", include_str!("../../../profiles/mathsat.toml")),
    ("smtinterpol", include_str!("../../../profiles/smtinterpol.toml")),
    ("dreal", include_str!("../../../profiles/dreal.toml")),
    ("generic", include_str!("../../../profiles/generic.toml")),
];

impl Profiles {
    /// The embedded ones.
    pub fn embedded() -> Profiles {
        let mut by_name = BTreeMap::new();
        for (name, text) in EMBEDDED {
            // A test reads every embedded profile, so a broken one cannot be shipped.
            if let Ok(profile) = Profile::from_toml(text) {
                by_name.insert((*name).to_owned(), Arc::new(profile));
            }
        }
        Profiles { by_name }
    }

    /// The embedded ones, overridden by `*.toml` files of a folder. A missing folder is no error, a broken file is.
    pub fn with_user_files(folder: &Path) -> Result<Profiles, String> {
        let mut profiles = Profiles::embedded();
        let Ok(entries) = std::fs::read_dir(folder) else { return Ok(profiles) };
        let mut paths: Vec<_> = entries.flatten().map(|e| e.path()).collect();
        paths.sort();
        for path in paths.into_iter().filter(|p| p.extension().is_some_and(|e| e == "toml")) {
            let text =
                std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
            let profile =
                Profile::from_toml(&text).map_err(|e| format!("{}: {e}", path.display()))?;
            // What a package is called decides what is installed and run.
            let ours = |p: &Package| {
                let own = profiles.by_name.get(&profile.name).and_then(|p| p.package.as_ref());
                own.is_some_and(|own| own.name == p.name)
            };
            if let Some(package) = profile.package.as_ref().filter(|p| !ours(p)) {
                return Err(format!(
                    "{}: the package {:?} is not that of smelt's own profile {}, and no other is installed; \
                     take the table [package] out, and put the program on PATH",
                    path.display(),
                    package.name,
                    profile.name
                ));
            }
            profiles.by_name.insert(profile.name.clone(), Arc::new(profile));
        }
        Ok(profiles)
    }

    /// The profile of this name.
    pub fn get(&self, name: &str) -> Option<&Arc<Profile>> {
        self.by_name.get(name)
    }

    /// The profile for a program found by path: by program name, then by a profile name inside it (`z3-4.8.7-dbg`), else
    /// `generic`.
    pub fn for_program(&self, program: &str) -> Arc<Profile> {
        let stem = Path::new(program).file_name().and_then(|n| n.to_str()).unwrap_or(program);
        let exact =
            self.by_name.values().find(|p| p.name == stem || p.programs.iter().any(|q| q == stem));
        let inside = || {
            let mut named: Vec<&Arc<Profile>> =
                self.by_name.values().filter(|p| stem.contains(p.name.as_str())).collect();
            named.sort_by_key(|p| std::cmp::Reverse(p.name.len()));
            named.first().copied()
        };
        exact.or_else(inside).cloned().unwrap_or_else(|| self.generic())
    }

    /// The profile for solvers that smelt knows nothing about.
    pub fn generic(&self) -> Arc<Profile> {
        match self.by_name.get("generic") {
            Some(profile) => profile.clone(),
            None => {
                unreachable!("the generic profile is embedded and can be replaced but not removed")
            }
        }
    }

    /// All of them, by name.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Profile>> {
        self.by_name.values()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_embedded_profile_reads_and_bears_its_file_name() {
        for (name, text) in EMBEDDED {
            let profile = Profile::from_toml(text).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!(profile.name, *name);
        }
        assert_eq!(Profiles::embedded().iter().count(), EMBEDDED.len());
    }

    #[test]
    fn programs_find_their_profile() {
        let profiles = Profiles::embedded();
        let check = |program: &str, expect: &str| {
            assert_eq!(profiles.for_program(program).name, expect, "{program}")
        };
        check("/usr/bin/z3", "z3");
        check("./build/bin/z3-dbg", "z3");
        check("yices-smt2", "yices");
        check("cvc5-Linux-static", "cvc5");
        check("/opt/mysolver", "generic");
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

    #[test]
    fn mistakes_are_named() {
        let check = |text: &str, part: &str| {
            let error = Profile::from_toml(text).unwrap_err();
            assert!(error.contains(part), "{error}");
        };
        let base = "name='x'\nfamily='x'\ntested=false\n";
        check(&format!("{base}cold={{input='file'}}"), "{file}");
        check(&format!("{base}cold={{input='stdin'}}\nnosuch=1"), "nosuch");
        check(&format!("{base}cold={{input='stdin'}}\nexit_codes={{a='crash'}}"), "no number");
        let rounded = |entry: &str| format!("{base}cold={{input='stdin'}}\nrounded=[{{{entry}}}]");
        check(&rounded("sort='Int', numbers='all', text='t'"), "unknown variant `Int`");
        check(&rounded("sort='Real', numbers='some', text='t'"), "unknown variant `some`");
        check(&rounded("sort='Real', numbers='all', logics='NRA', text='t'"), "`NRA`");
        check(&rounded("sort='Real', numbers='all', digits=6, text='t'"), "`digits`");
        check(&rounded("sort='Real', numbers='all'"), "`text`");
        check(&rounded("sort='Real', numbers='all', text=' '"), "does not say why");
        check(
            &format!("{base}cold={{input='stdin'}}\n[[dialect]]\nversions='1.x'"),
            "version range",
        );
        let caveat = |about: &str| {
            format!("{base}cold={{input='stdin'}}\n[[caveats]]\nversions='*'\ntext='x'\n{about}")
        };
        check(&caveat("operators=['fp.ad']"), "unknown \"fp.ad\"");
        check(&caveat("theories=['fp']"), "unknown \"fp\"");
        check(&caveat(""), "about nothing");
        assert!(Profile::from_toml(&caveat("theories=['float']")).is_ok());
    }

    /// What is installed is named by smelt's own profiles alone.
    #[test]
    fn packages_of_users_files_are_refused() {
        let folder = std::env::temp_dir().join(format!("smelt-profiles-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let check = |name: &str, package: &str, expect: Option<&str>| {
            let text = format!(
                "name='{name}'\nfamily='x'\ntested=false\ncold={{input='stdin'}}\n\
                 [package]\nname='{package}'\nrun=[{{versions='*',by='binary',program='x'}}]\n"
            );
            std::fs::write(folder.join("x.toml"), text).unwrap();
            let error = Profiles::with_user_files(&folder).err();
            match expect {
                None => assert_eq!(error, None),
                Some(part) => assert!(error.is_some_and(|e| e.contains(part)), "{name} {package}"),
            }
        };
        check("z3", "z3-solver", None);
        check("z3", "z3-solver-fast", Some("z3-solver-fast"));
        check("mine", "z3-solver", Some("the table [package]"));
        check("mine", "mine", Some("the table [package]"));
        std::fs::remove_dir_all(&folder).unwrap();
    }

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

    #[test]
    fn dialects_follow_the_release() {
        let profiles = Profiles::embedded();
        let z3 = profiles.get("z3").unwrap();
        let old = z3.dialect_of(Version::parse("4.8.7").as_ref());
        assert_eq!(old.naming.as_deref(), Some("z3-old"));
        assert_eq!(old.escapes.as_deref(), Some("c"));
        let new = z3.dialect_of(Version::parse("4.12.0").as_ref());
        assert_eq!(new.naming.as_deref(), Some("z3-v26"));
    }
}
