//! How smelt ends: one table of exit codes for all commands.

use std::process::ExitCode;

/// What an exit code says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// All was done, and there is nothing to tell.
    Fine = 0,
    /// The answer is no: a script is rejected, an assertion is false, a rule or a finding does not stand, a solver is ill, nothing smaller was
    /// found, fewer mutants were made than asked for.
    No = 1,
    /// Bad input or a fault of the machine, named in one sentence on standard error. (clap ends with this code, too.)
    Error = 2,
    /// The answer is open: a value is not determined, or nothing was learnt of a finding.
    Open = 3,
    /// A finding could not be written; it is printed instead.
    Unwritten = 4,
    /// smelt itself is wrong: a model refutes one of its rules, and nothing was found.
    OwnError = 5,
    /// A solver is accused: something was found, or a finding still holds.
    Found = 10,
    /// A build that cannot tell, for `git bisect run`.
    Skip = 125,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
