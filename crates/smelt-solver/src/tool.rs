//! Other people's tools that run solvers themselves, such as fuzzers: they work until they have used a budget of CPU time, they and all that
//! they start. They go through the launcher, so that nothing of them is left behind.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::launcher::{self, Request, ScriptWay};
use crate::limits::Cancel;
use crate::outcome::{Exit, RunError};
use crate::process::{Capture, Input, Launcher, Process, Wait, Wake};

/// How often is looked at what a tool has used and written.
const TICK: Duration = Duration::from_millis(200);

/// How much of what it prints is kept: the end tells why it ended.
const KEPT: usize = 16 << 10;

/// A tool.
pub struct Tool<'a> {
    /// Program and arguments.
    pub argv: &'a [String],
    /// The folder in which it runs.
    pub folder: &'a Path,
    /// Further environment variables.
    pub env: &'a [(String, String)],
    /// CPU time that it may use.
    pub cpu: Duration,
    /// Resident memory of all of its processes together, in bytes.
    pub memory: Option<u64>,
}

/// How a tool ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// By itself.
    Itself(Exit),
    /// Its budget was used.
    Budget,
    /// Its processes had more memory than they may have.
    Memory,
    /// Somebody cancelled.
    Cancelled,
}

/// What a tool did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worked {
    /// How it ended.
    pub ended: Ended,
    /// CPU time of it and all that it started.
    pub cpu: Duration,
    /// The end of what it printed, standard output first.
    pub printed: String,
}

/// Lets a tool work. `watch` hears a few times a second how much CPU time it has used.
pub fn run_tool(
    launcher: &Launcher,
    tool: &Tool<'_>,
    cancel: &Cancel,
    watch: &mut dyn FnMut(Duration),
) -> Result<Worked, RunError> {
    let request = Request {
        argv: tool.argv.to_vec(),
        script: ScriptWay::None,
        folder: Some(tool.folder.to_owned()),
        env: tool.env.to_vec(),
        rss: tool.memory,
        ..Request::default()
    };
    let mut process = Process::start(launcher, &request, Input::File(""), Some(cancel))?;
    let (mut stdout, mut stderr) = (Capture::default(), Capture::default());
    let (done, ended) = loop {
        let wait = Wait { until: Instant::now() + TICK, output: usize::MAX, cancel: Some(cancel) };
        let wake = process.pump(&mut &[][..], &mut stdout, &mut stderr, &wait, |_| false);
        stdout.keep_end(KEPT);
        let used = launcher::cpu_with_ended(process.pid);
        let ended = match wake {
            Ok(Wake::Over(done)) => break (done, None),
            Err(RunError::Cancelled) => Some(Ended::Cancelled),
            Err(e) => return Err(e),
            Ok(_) if used >= tool.cpu => Some(Ended::Budget),
            Ok(_) => None,
        };
        watch(used);
        if ended.is_some() {
            break (process.kill()?, ended);
        }
    };
    process.read_rest(&mut stdout, &mut stderr, usize::MAX);
    stdout.keep_end(KEPT);
    stderr.keep_end(KEPT);
    let itself = match (done.killed, done.code, done.signal) {
        (Some(_), ..) => Ended::Memory,
        (None, Some(code), _) => Ended::Itself(Exit::Code(code)),
        (None, None, signal) => Ended::Itself(Exit::Signal(signal.unwrap_or_default())),
    };
    let printed = stdout.text() + &stderr.text();
    Ok(Worked { ended: ended.unwrap_or(itself), cpu: done.cpu, printed })
}
