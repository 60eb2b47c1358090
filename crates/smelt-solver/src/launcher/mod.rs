//! The launcher: a small process of smelt itself between the campaign and each solver.
//!
//! The campaign starts it without `fork` (its memory may be large) and hands it, over a socket that is the launcher's
//! standard input, one request with the solver's pipes attached. The launcher sets limits, starts the solver in a process
//! group of its own, watches CPU time and memory, and ends everything below it when the solver ends, when the campaign asks,
//! or when the campaign is gone (the socket closes, however the campaign died). Then it reports what the kernel counted.
//!
//! Nothing escapes: the launcher is the subreaper of all it started, so a grandchild that left the process group and lost its
//! parent becomes its child and is killed too. If the launcher itself is killed, the kernel kills the solver.
//!
//! A solver runs within the walls that its request asks for ([`crate::sandbox`]); the launcher itself does not.

mod server;
mod start;
mod usage;
mod walls;

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::sandbox::Confinement;
pub use server::main;
pub(crate) use usage::{cpu_of, cpu_with_ended, is_asleep, rss_of, tree_of};

/// What the campaign asks of a launcher.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Request {
    /// Program and arguments. `{file}` in an argument becomes the path of the attached script.
    pub argv: Vec<String>,
    /// How the attached script reaches the program.
    pub script: ScriptWay,
    /// The folder in which it runs; without it, an empty one of its own.
    #[serde(default)]
    pub folder: Option<std::path::PathBuf>,
    /// Further environment variables.
    pub env: Vec<(String, String)>,
    /// CPU limit of the whole tree, polled.
    pub cpu: Option<Duration>,
    /// Wall limit.
    pub wall: Option<Duration>,
    /// Kernel limit on address space, in bytes.
    pub address_space: Option<u64>,
    /// Limit on resident memory of the tree, polled, in bytes.
    pub rss: Option<u64>,
    /// What it is kept from.
    pub confinement: Option<Confinement>,
}

/// How the script reaches the program; the descriptor attached behind the three standard ones holds it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum ScriptWay {
    /// Not at all: commands come over the pipe.
    #[default]
    None,
    /// As a path below the solver's own entry in `/proc`.
    Path,
    /// Copied into a file in the temporary folder, which the launcher removes.
    TempFile,
}

/// What a launcher tells.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) enum Report {
    /// The solver runs under this process id.
    Started(i32),
    /// The solver could not be started.
    Failed(String),
    /// The solver is over, and no process of it is left.
    Done(Done),
}

/// How a solver process ended and what it used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Done {
    /// Exit code.
    pub code: Option<i32>,
    /// Signal.
    pub signal: Option<i32>,
    /// CPU time of the whole tree, from the kernel.
    pub cpu: Duration,
    /// Peak resident size of its largest process, in bytes, from the kernel.
    pub peak_rss: u64,
    /// The limit for which the launcher killed it.
    pub killed: Option<Killed>,
}

/// What the names of the files and folders of a launcher of this number begin with; they differ by their extension. Numbers are
/// unique in a namespace only, and a temporary folder may be shared by several.
pub(crate) fn temp_path(launcher: u32) -> std::path::PathBuf {
    use std::os::unix::fs::MetadataExt;
    let namespace = std::fs::metadata("/proc/self/ns/pid").map_or(0, |m| m.ino());
    let path = std::env::temp_dir().join(format!("smelt-{namespace:x}-{launcher}"));
    std::path::absolute(&path).unwrap_or(path)
}

/// Why the launcher killed a solver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Killed {
    Cpu,
    Wall,
    Memory,
    /// The campaign asked for it.
    Asked,
}

/// Largest message between campaign and launcher.
pub(crate) const MESSAGE: usize = 128 << 10;
