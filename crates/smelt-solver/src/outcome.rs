//! What a run of a solver gave. Ten kinds of answer that are never mixed up, and everything that was seen beside them.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use smelt_smtlib::Status;

use crate::signature::{Crash, SignalMeaning, signal_meaning, signal_name};

/// Which limit ended a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Limit {
    /// The solver's own resource counter (the same on every machine).
    Resource,
    /// CPU time of the solver.
    Cpu,
    /// Wall clock, the backstop.
    Wall,
    /// The solver says that it ran out of time on its own account.
    Solver,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limit::Resource => "resource limit",
            Limit::Cpu => "CPU limit",
            Limit::Wall => "wall limit",
            Limit::Solver => "the solver's own limit",
        })
    }
}

/// The answer to one check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// Satisfiable.
    Sat,
    /// Unsatisfiable.
    Unsat,
    /// The solver gave up, with its reason if it named one.
    Unknown(Option<String>),
    /// dReal's answer, never `sat`.
    DeltaSat,
    /// A limit ended the check.
    Timeout(Limit),
    /// The memory limit ended the check, or the solver reported that memory ran out.
    OutOfMemory,
    /// The solver says that it cannot do this; the text says what.
    Unsupported(String),
    /// An `(error …)` came before the answer. Whatever word followed is no verdict, but it is kept.
    Rejected {
        /// The first error.
        error: String,
        /// What the solver answered all the same; nothing if that was `delta-sat`.
        answer: Option<Status>,
    },
    /// The solver failed.
    Crash(Crash),
    /// Output that is no answer, or no output where an answer was due.
    Unreadable(String),
}

impl Answer {
    /// The status, when the answer is one that may be compared: sat or unsat.
    pub fn decided(&self) -> Option<Status> {
        match self {
            Answer::Sat => Some(Status::Sat),
            Answer::Unsat => Some(Status::Unsat),
            _ => None,
        }
    }

    /// One word per kind, for tables and statistics.
    pub fn kind(&self) -> &'static str {
        match self {
            Answer::Sat => "sat",
            Answer::Unsat => "unsat",
            Answer::Unknown(_) => "unknown",
            Answer::DeltaSat => "delta-sat",
            Answer::Timeout(_) => "timeout",
            Answer::OutOfMemory => "out-of-memory",
            Answer::Unsupported(_) => "unsupported",
            Answer::Rejected { .. } => "rejected",
            Answer::Crash(_) => "crash",
            Answer::Unreadable(_) => "unreadable",
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind())?;
        match self {
            Answer::Unknown(Some(reason)) => write!(f, " ({reason})"),
            Answer::Timeout(limit) => write!(f, " ({limit})"),
            Answer::Unsupported(text) | Answer::Unreadable(text) if !text.is_empty() => {
                write!(f, " ({})", first_line(text))
            }
            Answer::Rejected { error, answer } => {
                write!(f, " ({})", first_line(error))?;
                answer.map_or(Ok(()), |a| write!(f, ", then answered {a}"))
            }
            Answer::Crash(crash) => write!(f, " ({crash})"),
            _ => Ok(()),
        }
    }
}

fn first_line(text: &str) -> &str {
    text.lines().find(|l| !l.trim().is_empty()).unwrap_or("")
}

/// One check of a script.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    /// What the solver answered.
    pub answer: Answer,
    /// Response to `(get-model)`, raw, when it was asked for and given.
    pub model: Option<String>,
    /// Response to `(get-unsat-core)`, raw, when it was asked for and given.
    pub core: Option<String>,
    /// What the solver's own checker printed behind the answer, if it complained and went on.
    pub complaint: Option<String>,
    /// CPU time up to this answer since the last one; only a warm session can tell.
    pub cpu: Option<Duration>,
}

impl Check {
    /// A check with nothing but an answer.
    pub fn bare(answer: Answer) -> Check {
        Check { answer, model: None, core: None, complaint: None, cpu: None }
    }
}

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Exit {
    /// The process returned this code.
    Code(i32),
    /// This signal ended the process.
    Signal(i32),
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "exit code {code}"),
            Self::Signal(signal) => write!(f, "ended by {}", signal_name(*signal)),
        }
    }
}

/// What a run gave.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Outcome {
    /// One entry per check, in order. There are fewer than the script has checks only when the run ended early; the last
    /// entry then says why.
    pub checks: Vec<Check>,
    /// The texts of each `(error …)` behind the script's last reset, also behind the last answer, but not the complaints of its own
    /// checkers about an answer: those are with the check.
    pub errors: Vec<String>,
    /// A crash seen at any time, even behind a complete answer (for example at exit).
    pub crash: Option<Crash>,
    /// What it printed on standard output, bounded.
    pub stdout: String,
    /// What it printed on standard error, bounded.
    pub stderr: String,
    /// How the process ended; `None` while a warm session lives on.
    pub exit: Option<Exit>,
    /// CPU time of the solver for this script.
    pub cpu: Duration,
    /// CPU time that came before the script: start-up of the process, or the reset of a warm session.
    pub overhead_cpu: Duration,
    /// Wall time for this script.
    pub wall: Duration,
    /// Peak resident memory in bytes: of the process in a cold run, of the session so far in a warm one.
    pub peak_rss: u64,
    /// Whether a warm session gave it. Such an outcome is never reported alone.
    pub warm: bool,
    /// The command line, for reports and reproduction.
    pub command: Vec<String>,
    /// Commands of the script that were not sent, with how often; see [`crate::admit`].
    #[serde(default)]
    pub unsent: BTreeMap<String, u32>,
}

impl Outcome {
    /// Takes the CPU time of the process's start off the script's, of which it was measured as a part: a host that loads an interpreter
    /// makes no script slower.
    #[must_use]
    pub fn charge_start(mut self, start: Duration) -> Self {
        let start = start.min(self.cpu);
        self.cpu -= start;
        self.overhead_cpu += start;
        self
    }

    /// The last check's answer; the answer of a script with one check. A script without a check has none.
    pub fn answer(&self) -> Option<&Answer> {
        self.checks.last().map(|c| &c.answer)
    }

    /// Whether somebody else ended the process: nothing is learnt from such a run.
    pub fn ended_from_outside(&self) -> bool {
        let outside = |s| signal_meaning(s) == SignalMeaning::Outside;
        matches!(self.exit, Some(Exit::Signal(s)) if outside(s))
    }

    /// The first answer that is a refusal.
    pub fn refusal(&self) -> Option<&Answer> {
        self.answers().find(|a| matches!(a, Answer::Rejected { .. } | Answer::Unsupported(_)))
    }

    /// The answers, in order.
    pub fn answers(&self) -> impl Iterator<Item = &Answer> {
        self.checks.iter().map(|c| &c.answer)
    }

    /// The model of the last check.
    pub fn model(&self) -> Option<&str> {
        self.checks.last().and_then(|c| c.model.as_deref())
    }
}

/// Why a run gave no outcome at all: the fault is on our side of the pipe, so nothing may be concluded about the solver.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The solver could not be started.
    #[error("cannot start {program}: {reason}")]
    Start {
        /// The program.
        program: String,
        /// What the system said.
        reason: String,
    },
    /// The launcher process failed.
    #[error("the launcher failed: {0}")]
    Launcher(String),
    /// The system refused a pipe, a file or memory.
    #[error("cannot run a solver: {0}")]
    System(#[from] std::io::Error),
    /// The caller cancelled the wait.
    #[error("cancelled")]
    Cancelled,
}

impl From<nix::errno::Errno> for RunError {
    fn from(e: nix::errno::Errno) -> Self {
        RunError::System(e.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The start is taken off once, and never more than there was.
    #[test]
    fn a_start_is_no_part_of_a_script() {
        let ms = Duration::from_millis;
        let ran = |cpu| Outcome { cpu: ms(cpu), ..Outcome::default() };
        for (cpu, start, expect) in [(113, 100, (13, 100)), (90, 100, (0, 90)), (7, 0, (7, 0))] {
            let o = ran(cpu).charge_start(ms(start));
            assert_eq!((o.cpu, o.overhead_cpu), (ms(expect.0), ms(expect.1)));
            assert_eq!(o.cpu + o.overhead_cpu, ms(cpu));
        }
        assert_eq!(Exit::Code(0).to_string(), "exit code 0");
        assert_eq!(Exit::Signal(6).to_string(), "ended by SIGABRT");
    }
}
