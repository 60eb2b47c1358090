//! Commands that are no solvers: what a person gives to tell whether a script is of interest. They go through the launcher all the same,
//! so that their limits count CPU time and nothing of them is left behind.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::cold::without_path;
use crate::launcher::{Request, ScriptWay};
use crate::limits::{Cancel, Limits};
use crate::outcome::{Exit, RunError};
use crate::process::{Capture, Input, Launcher, Process, Wait, Wake};

/// What a command did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ran {
    /// How it ended; nothing if a limit ended it.
    pub exit: Option<Exit>,
    /// What it printed; the path of the script is `script.smt2`.
    pub stdout: String,
    /// What it printed to standard error.
    pub stderr: String,
    /// CPU time of it and all below it.
    pub cpu: Duration,
}

/// Runs a command on a script, which is a file: `{file}` in an argument is its path, else that is a further argument.
pub fn run_command(
    launcher: &Launcher,
    argv: &[String],
    script: &str,
    folder: &Path,
    limits: &Limits,
    cancel: Option<&Cancel>,
) -> Result<Ran, RunError> {
    let mut argv = argv.to_vec();
    if !argv.iter().any(|a| a.contains("{file}")) {
        argv.push("{file}".to_owned());
    }
    let request = Request {
        argv,
        script: ScriptWay::TempFile,
        folder: Some(folder.to_owned()),
        cpu: limits.cpu,
        wall: Some(limits.wall),
        rss: limits.memory,
        ..Request::default()
    };
    let mut process = Process::start(launcher, &request, Input::File(script), cancel)?;
    let (mut stdout, mut stderr) = (Capture::default(), Capture::default());
    let until = Instant::now() + limits.wall + Duration::from_secs(20);
    let wait = Wait { until, output: limits.output, cancel };
    let wake = process.pump(&mut &[][..], &mut stdout, &mut stderr, &wait, |_| false)?;
    let (done, ended) = match wake {
        Wake::Over(done) => (done, done.killed.is_none()),
        _ => (process.kill()?, false),
    };
    process.read_rest(&mut stdout, &mut stderr, limits.output);
    let (number, pid) = (process.launcher_id(), process.pid);
    let exit = match (done.code, done.signal) {
        (Some(code), _) => Some(Exit::Code(code)),
        (None, signal) => signal.map(Exit::Signal),
    };
    Ok(Ran {
        exit: exit.filter(|_| ended),
        stdout: without_path(&stdout.text(), number, pid),
        stderr: without_path(&stderr.text(), number, pid),
        cpu: done.cpu,
    })
}
