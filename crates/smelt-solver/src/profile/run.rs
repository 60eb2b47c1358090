//! How a solver is run: cold and warm, under which limits, and what its exit code means.

use serde::Deserialize;

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
