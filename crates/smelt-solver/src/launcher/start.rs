//! How a solver's process begins: a child of the launcher puts itself under limits and within walls, and becomes the solver.

use std::convert::Infallible;
use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result, Write};
use std::os::fd::{IntoRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use nix::errno::Errno;
use nix::fcntl::OFlag;
use nix::sys::prctl;
use nix::sys::resource::{Resource, setrlimit};
use nix::sys::signal::{SigSet, Signal};
use nix::sys::wait::waitpid;
use nix::unistd::{ForkResult, Pid};

use super::walls::Walls;
use super::{Request, ScriptWay};

/// All that a solver's process is made of.
pub(super) struct Start<'r> {
    pub request: &'r Request,
    /// Standard input, output and error.
    pub pipes: [OwnedFd; 3],
    pub script: Option<File>,
    pub walls: Option<Walls>,
}

impl Start<'_> {
    /// Starts the solver: a child of this process puts itself under limits and within walls, and becomes it. Our copies of the pipes
    /// are closed then: the campaign must see their end when the solver ends.
    pub fn spawn(self, folder: &Path, script: Option<&Path>) -> Result<Pid> {
        let launcher = nix::unistd::getpid();
        let (reader, writer) = nix::unistd::pipe2(OFlag::O_CLOEXEC)?;
        // SAFETY: this process has one thread, so that its copy finds no lock that is held by another one, and may do what this one
        // may do.
        #[allow(unsafe_code)]
        let forked = unsafe { nix::unistd::fork() }?;
        match forked {
            ForkResult::Child => {
                let Err(e) = self.become_solver(launcher, folder, script);
                // The launcher reads what is wrong. If it is gone, so is this process, soon.
                let _ = File::from(writer).write_all(e.to_string().as_bytes());
                std::process::exit(127)
            }
            ForkResult::Parent { child } => {
                drop((self, writer));
                let mut wrong = String::new();
                // The pipe ends without a word when the child becomes the solver.
                File::from(reader).read_to_string(&mut wrong)?;
                if wrong.is_empty() {
                    return Ok(child);
                }
                let _ = waitpid(child, None);
                Err(Error::other(wrong))
            }
        }
    }

    /// Makes this process the solver. Comes back only with what is wrong.
    fn become_solver(
        self,
        launcher: Pid,
        folder: &Path,
        script: Option<&Path>,
    ) -> Result<Infallible> {
        let path = match (self.request.script, &self.script) {
            (ScriptWay::Path, Some(file)) => {
                // Another process of the same walls may open it, such as one that a wrapper starts; within walls nobody may look
                // into the launcher.
                let kept = nix::unistd::dup(file)?.into_raw_fd();
                format!("/proc/{}/fd/{kept}", std::process::id())
            }
            _ => script.map_or(String::new(), |p| p.to_string_lossy().into_owned()),
        };
        let argv: Vec<String> =
            self.request.argv.iter().map(|a| a.replace("{file}", &path)).collect();
        let (program, args) = argv.split_first().ok_or(Errno::EINVAL)?;
        let [input, output, errors] = self.pipes.map(Stdio::from);
        let mut command = Command::new(program);
        command.args(args).stdin(input).stdout(output).stderr(errors);
        // What it leaves behind is left there, and what lies about elsewhere is not found: a module, a configuration.
        command.current_dir(self.request.folder.as_deref().unwrap_or(folder)).env("TMPDIR", folder);
        command.envs(self.request.env.iter().map(|(k, v)| (k, v)));
        command.process_group(0);
        // The block on SIGCHLD is the launcher's alone: a shell or a debugger would hang with it.
        SigSet::empty().thread_set_mask()?;
        prctl::set_pdeathsig(Signal::SIGKILL)?;
        if nix::unistd::getppid() != launcher {
            return Err(Errno::ESRCH.into());
        }
        setrlimit(Resource::RLIMIT_CORE, 0, 0)?;
        if let Some(bytes) = self.request.address_space {
            setrlimit(Resource::RLIMIT_AS, bytes, bytes)?;
        }
        // A kernel limit behind the polled one, in case the launcher is starved.
        if let Some(seconds) = self.request.cpu.map(|c| c.as_secs() + 2) {
            setrlimit(Resource::RLIMIT_CPU, seconds, seconds + 1)?;
        }
        match self.walls {
            None => Err(command.exec()),
            Some(walls) => {
                walls.enter()?;
                let e = command.exec();
                let within = format!("{e}, within the sandbox (see --sandbox)");
                Err(if e.kind() == ErrorKind::PermissionDenied { Error::other(within) } else { e })
            }
        }
    }
}
