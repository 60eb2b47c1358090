//! Runs SMT solvers: profiles, launcher, cold runs, warm sessions, releases.
//!
//! The only crate of smelt that starts processes. The way through it: a [`SolverSpec`] says which solver is meant,
//! [`Registry::resolve`] finds it and gives a [`Solver`], [`Solver::run_cold`] or a [`Session`] runs a [`Script`] and gives an
//! [`Outcome`].

pub mod admit;
mod ask;
mod backtrace;
mod classify;
mod cold;
mod command;
mod digest;
pub mod doctor;
mod escapes;
mod events;
mod home;
pub mod kept;
pub mod launcher;
mod limits;
mod mode;
mod options;
mod outcome;
pub mod patterns;
pub mod probe;
mod process;
pub mod profile;
mod registry;
pub mod releases;
pub mod sandbox;
mod script;
pub mod service;
mod session;
pub mod sexpr;
mod signature;
mod solver;
mod spec;
#[doc(hidden)]
pub mod testing;
mod tool;
mod version;

pub use cold::cold_cpu;
pub use command::{Ran, run_command};
pub use home::{Home, write_atomically};
pub use limits::{Cancel, Limits, MEMORY, Requests, Setup};
pub use mode::Mode;
pub use options::{Choice, OptionClass, OptionFuzzer};
pub use outcome::{Answer, Check, Exit, Limit, Outcome, RunError};
pub use patterns::Checked;
pub use probe::Capabilities;
pub use process::Launcher;
pub use profile::{Profile, Profiles};
pub use registry::{Registry, ResolveError};
pub use sandbox::{Sandbox, Walls};
pub use script::Script;
pub use session::{Policy, Separation, Session};
pub use signature::{Crash, CrashKind, SignalMeaning, signal_meaning, signal_name};
pub use smelt_smtlib::Status;
pub use solver::Solver;
pub use spec::{ReleaseRange, SolverSpec, Source, SpecError, split_words};
pub use tool::{Ended, Tool, Worked, run_tool};
pub use version::{Version, in_range, is_range};

/// Does the work of smelt's hidden commands (`__launch`, `__cvc5-host`) if the program was called for one of them, and
/// returns its exit code. Every program that is used as [`Launcher`] calls this before anything else.
pub fn helper_main() -> Option<i32> {
    let mut args = std::env::args_os().skip(1);
    match args.next()?.to_str()? {
        "__launch" => Some(launcher::main()),
        "__cvc5-host" => {
            let args: Vec<String> = args.map(|a| a.to_string_lossy().into_owned()).collect();
            Some(releases::cvc5_host_main(&args))
        }
        _ => None,
    }
}
