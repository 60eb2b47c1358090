//! The campaign's side of a solver process: started through the launcher, read and written without blocking.

use std::fs::File;
use std::io::{ErrorKind, IoSlice, Read, Seek, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::memfd::{MFdFlags, memfd_create};
use nix::sys::socket::{
    AddressFamily, ControlMessage, MsgFlags, SockFlag, SockType, recv, send, sendmsg, socketpair,
};
use nix::unistd::{Pid, pipe2};

use crate::launcher::{self, Done, MESSAGE, Report, Request};
use crate::limits::Cancel;
use crate::outcome::RunError;

/// The program that acts as launcher and library host: smelt itself, or a stand-in in tests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launcher {
    program: PathBuf,
}

impl Launcher {
    /// The running program. It must call [`crate::helper_main`] first thing in its `main`.
    pub fn current() -> std::io::Result<Launcher> {
        // The link survives that the file is replaced while we run, as happens during development.
        Ok(Launcher { program: std::env::current_exe()? })
    }

    /// A program of the caller's choice that calls [`crate::helper_main`].
    pub fn at(program: impl Into<PathBuf>) -> Launcher {
        Launcher { program: program.into() }
    }

    /// Its path.
    pub fn program(&self) -> &Path {
        &self.program
    }
}

/// How a script is attached to a new process.
pub(crate) enum Input<'a> {
    /// Commands are written to a pipe later.
    Pipe,
    /// The script is standard input, to its end.
    Stdin(&'a str),
    /// The script is a file; standard input is empty.
    File(&'a str),
}

/// A running solver.
pub(crate) struct Process {
    launcher: Child,
    control: OwnedFd,
    /// The solver's process id.
    pub pid: Pid,
    stdin: Option<File>,
    stdout: Option<File>,
    stderr: Option<File>,
    done: Option<Done>,
    pub started: Instant,
}

/// What ended a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wake {
    /// The condition held.
    Ready,
    /// Nothing more will come: the process is over and all output was read.
    Over(Done),
    /// The deadline passed.
    Deadline,
    /// The output limit was reached.
    Flood,
}

/// Bounded capture of one stream.
#[derive(Default)]
pub(crate) struct Capture {
    pub bytes: Vec<u8>,
    /// More came than was kept.
    pub cut: bool,
}

/// How much of standard error is kept.
const STDERR_KEPT: usize = 256 << 10;

impl Process {
    pub fn start(
        launcher: &Launcher,
        request: &Request,
        input: Input<'_>,
        cancel: Option<&Cancel>,
    ) -> Result<Process, RunError> {
        let (ours, theirs) =
            socketpair(AddressFamily::Unix, SockType::SeqPacket, None, SockFlag::SOCK_CLOEXEC)?;
        let (stdout, stdout_theirs) = pipe2(OFlag::O_CLOEXEC)?;
        let (stderr, stderr_theirs) = pipe2(OFlag::O_CLOEXEC)?;
        let mut script = None;
        let (stdin, stdin_theirs) = match input {
            Input::Pipe => {
                let (theirs, ours) = pipe2(OFlag::O_CLOEXEC)?;
                (Some(ours), theirs)
            }
            Input::Stdin(text) => (None, memory_file(text)?.into()),
            Input::File(text) => {
                script = Some(memory_file(text)?);
                (None, File::open("/dev/null")?.into())
            }
        };
        // No pre_exec: this is the posix_spawn path, whose cost does not grow with our memory.
        let child = Command::new(&launcher.program)
            .arg("__launch")
            .stdin(Stdio::from(theirs))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .map_err(|e| RunError::Launcher(format!("{}: {e}", launcher.program.display())))?;
        for fd in [&stdout, &stderr].into_iter().chain(&stdin) {
            set_nonblocking(fd)?;
        }
        let mut process = Process {
            launcher: child,
            control: ours,
            pid: Pid::from_raw(0),
            stdin: stdin.map(File::from),
            stdout: Some(File::from(stdout)),
            stderr: Some(File::from(stderr)),
            done: None,
            started: Instant::now(),
        };
        let mut fds =
            vec![stdin_theirs.as_raw_fd(), stdout_theirs.as_raw_fd(), stderr_theirs.as_raw_fd()];
        fds.extend(script.as_ref().map(AsRawFd::as_raw_fd));
        let text = serde_json::to_vec(request).map_err(|e| RunError::Launcher(e.to_string()))?;
        let message = [IoSlice::new(&text)];
        let attached = [ControlMessage::ScmRights(&fds)];
        sendmsg::<()>(
            process.control.as_raw_fd(),
            &message,
            &attached,
            MsgFlags::MSG_NOSIGNAL,
            None,
        )?;
        drop((stdin_theirs, stdout_theirs, stderr_theirs, script));
        match process.next_report(cancel, Duration::from_secs(30))? {
            Report::Started(pid) => process.pid = Pid::from_raw(pid),
            Report::Failed(reason) => {
                let program = request.argv.first().cloned().unwrap_or_default();
                return Err(RunError::Start { program, reason });
            }
            Report::Done(_) => {
                return Err(RunError::Launcher(String::from("it reported an end before a start")));
            }
        }
        process.started = Instant::now();
        Ok(process)
    }

    /// Waits for the launcher's next message.
    fn next_report(
        &mut self,
        cancel: Option<&Cancel>,
        limit: Duration,
    ) -> Result<Report, RunError> {
        let deadline = Instant::now() + limit;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(RunError::Launcher(String::from("it does not answer")));
            }
            let mut fds = vec![PollFd::new(self.control.as_fd(), PollFlags::POLLIN)];
            fds.extend(cancel.map(|c| PollFd::new(c.fd(), PollFlags::POLLIN)));
            match poll(&mut fds, PollTimeout::try_from(left).unwrap_or(PollTimeout::MAX)) {
                Err(Errno::EINTR) => continue,
                Err(e) => return Err(e.into()),
                Ok(_) => {}
            }
            if fds.get(1).is_some_and(is_set) {
                return Err(RunError::Cancelled);
            }
            if is_set(&fds[0]) {
                return self.read_report();
            }
        }
    }

    fn read_report(&mut self) -> Result<Report, RunError> {
        let mut buffer = vec![0u8; MESSAGE.min(16 << 10)];
        let mut tries = 0;
        let length = loop {
            tries += 1;
            match recv(self.control.as_raw_fd(), &mut buffer, MsgFlags::empty()) {
                Ok(length) => break length,
                Err(Errno::EINTR) => {}
                // The launcher ended with our order to kill unread, because the solver ended first. The error is told once;
                // its report is still in the queue behind it.
                Err(Errno::ECONNRESET) if tries < 3 => {}
                Err(_) => break 0,
            }
        };
        if length == 0 {
            return Err(RunError::Launcher(String::from("it was killed")));
        }
        serde_json::from_slice(&buffer[..length]).map_err(|e| RunError::Launcher(e.to_string()))
    }

    /// Writes `pending` and reads both streams until `ready` holds, the process is over, a limit is hit or the caller
    /// cancels. `ready` sees what was captured and is called after each new piece of output.
    pub fn pump(
        &mut self,
        pending: &mut &[u8],
        stdout: &mut Capture,
        stderr: &mut Capture,
        wait: &Wait<'_>,
        mut ready: impl FnMut(&[u8]) -> bool,
    ) -> Result<Wake, RunError> {
        loop {
            self.write_now(pending);
            if ready(&stdout.bytes) {
                return Ok(Wake::Ready);
            }
            let left = wait.until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(Wake::Deadline);
            }
            let events = self.poll_once(!pending.is_empty(), left, wait.cancel)?;
            if events.cancelled {
                return Err(RunError::Cancelled);
            }
            if events.stdout && read_some(&mut self.stdout, stdout, wait.output) {
                return Ok(Wake::Flood);
            }
            if events.stderr {
                read_some(&mut self.stderr, stderr, usize::MAX);
                stderr.keep_both_ends();
            }
            if events.control {
                match self.read_report()? {
                    Report::Done(done) => {
                        // All writers are dead, so both streams end; a stranger's copy of a pipe must not hold us.
                        while self.stdout.is_some() && drain(&mut self.stdout, stdout, wait.output)
                        {
                        }
                        while self.stderr.is_some() && drain(&mut self.stderr, stderr, usize::MAX) {
                            stderr.keep_both_ends();
                        }
                        self.done = Some(done);
                        return Ok(if ready(&stdout.bytes) {
                            Wake::Ready
                        } else {
                            Wake::Over(done)
                        });
                    }
                    other => {
                        return Err(RunError::Launcher(format!("unexpected report {other:?}")));
                    }
                }
            }
        }
    }

    /// Writes what the pipe takes. A solver that no longer reads will be seen by its end or by a limit.
    pub fn write_now(&mut self, pending: &mut &[u8]) {
        while let (false, Some(stdin)) = (pending.is_empty(), &mut self.stdin) {
            match stdin.write(pending) {
                Ok(n) => *pending = &pending[n..],
                Err(e) if e.kind() == ErrorKind::WouldBlock => return,
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(_) => {
                    self.stdin = None;
                    *pending = &[];
                }
            }
        }
    }

    /// Writes a short text if the pipe takes all of it at once; a pipe takes 4096 bytes whole or not at all.
    pub fn write_all_now(&mut self, text: &[u8]) -> bool {
        debug_assert!(text.len() < 4096);
        self.stdin.as_mut().is_some_and(|s| s.write(text).is_ok_and(|n| n == text.len()))
    }

    fn poll_once(
        &self,
        writing: bool,
        left: Duration,
        cancel: Option<&Cancel>,
    ) -> Result<Events, RunError> {
        let none = PollFlags::POLLIN;
        let slots: [(Option<BorrowedFd<'_>>, PollFlags); 5] = [
            (self.stdout.as_ref().map(AsFd::as_fd), none),
            (self.stderr.as_ref().map(AsFd::as_fd), none),
            (self.done.is_none().then(|| self.control.as_fd()), none),
            (self.stdin.as_ref().filter(|_| writing).map(AsFd::as_fd), PollFlags::POLLOUT),
            (cancel.map(Cancel::fd), none),
        ];
        let mut fds: Vec<PollFd<'_>> =
            slots.iter().filter_map(|(fd, flags)| fd.map(|f| PollFd::new(f, *flags))).collect();
        // Rounded up to a millisecond, so that the last moments before a deadline do not spin.
        let timeout =
            PollTimeout::try_from(left + Duration::from_micros(999)).unwrap_or(PollTimeout::MAX);
        match poll(&mut fds, timeout) {
            Ok(_) | Err(Errno::EINTR) => {}
            Err(e) => return Err(e.into()),
        }
        let mut polled = fds.iter();
        let set = slots.map(|(fd, _)| fd.is_some() && polled.next().is_some_and(is_set));
        Ok(Events { stdout: set[0], stderr: set[1], control: set[2], cancelled: set[4] })
    }

    /// Process id of the launcher, which is part of the script's path.
    pub fn launcher_id(&self) -> u32 {
        self.launcher.id()
    }

    /// CPU time of the solver so far.
    pub fn cpu(&self) -> Option<Duration> {
        launcher::cpu_of(self.pid)
    }

    /// CPU time of the solver and all below it so far, and whether all of them sleep.
    pub fn activity(&self) -> (Duration, bool) {
        let all = launcher::tree_of(self.pid);
        let cpu = all.iter().filter_map(|&pid| launcher::cpu_of(pid)).sum();
        (cpu, all.into_iter().all(launcher::is_asleep))
    }

    /// Ends the solver's input.
    pub fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Resident size of the solver.
    pub fn rss(&self) -> Option<u64> {
        launcher::rss_of(self.pid)
    }

    /// Kills the solver with everything below it, and waits until nothing is left.
    pub fn kill(&mut self) -> Result<Done, RunError> {
        if let Some(done) = self.done {
            return Ok(done);
        }
        self.stdin = None;
        let _ = send(self.control.as_raw_fd(), b"k", MsgFlags::MSG_NOSIGNAL);
        loop {
            match self.next_report(None, Duration::from_secs(10))? {
                Report::Done(done) => {
                    self.done = Some(done);
                    return Ok(done);
                }
                // The caller gave up before it heard of the start.
                Report::Started(_) => {}
                Report::Failed(why) => return Err(RunError::Launcher(why)),
            }
        }
    }

    /// Reads what there is on standard error. What was said there before an answer is in the pipe when the answer is.
    pub fn read_stderr_now(&mut self, stderr: &mut Capture) {
        read_some(&mut self.stderr, stderr, usize::MAX);
        stderr.keep_both_ends();
    }

    /// Reads what is left of both streams after the end.
    pub fn read_rest(&mut self, stdout: &mut Capture, stderr: &mut Capture, limit: usize) {
        while self.stdout.is_some() && drain(&mut self.stdout, stdout, limit) {}
        while self.stderr.is_some() && drain(&mut self.stderr, stderr, usize::MAX) {
            stderr.keep_both_ends();
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.kill().is_err() {
            // It may have failed and be cleaning up.
            let patience = Instant::now() + Duration::from_secs(2);
            while matches!(self.launcher.try_wait(), Ok(None)) && Instant::now() < patience {
                std::thread::sleep(Duration::from_millis(1));
            }
            // The launcher does not do its duty: end it, and the kernel ends the solver.
            let _ = self.launcher.kill();
        }
        // The launcher ends right after its report; this takes its entry out of the process table.
        let _ = self.launcher.wait();
    }
}

/// When to stop waiting.
pub(crate) struct Wait<'a> {
    pub until: Instant,
    /// Bytes of standard output before [`Wake::Flood`].
    pub output: usize,
    pub cancel: Option<&'a Cancel>,
}

struct Events {
    stdout: bool,
    stderr: bool,
    control: bool,
    cancelled: bool,
}

impl Capture {
    /// Drops the middle of a stream that grows too long: what went wrong stands at the start or at the end.
    fn keep_both_ends(&mut self) {
        if self.bytes.len() > 2 * STDERR_KEPT {
            let tail = self.bytes.len() - STDERR_KEPT / 2;
            self.bytes.drain(STDERR_KEPT / 2..tail);
            self.cut = true;
        }
    }

    /// Keeps so many bytes of the end.
    pub fn keep_end(&mut self, most: usize) {
        let above = self.bytes.len().saturating_sub(most);
        self.bytes.drain(..above);
    }

    /// What was captured, as text; bytes that are no UTF-8 are replaced.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}

/// Reads once. Closes the stream at its end. True when the limit is reached.
fn read_some(stream: &mut Option<File>, capture: &mut Capture, limit: usize) -> bool {
    let Some(file) = stream else { return false };
    let mut buffer = [0u8; 64 << 10];
    match file.read(&mut buffer) {
        Ok(0) => *stream = None,
        Ok(n) => {
            let room = limit.saturating_sub(capture.bytes.len());
            capture.bytes.extend_from_slice(&buffer[..n.min(room)]);
            if n > room {
                capture.cut = true;
                return true;
            }
        }
        Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
        Err(_) => *stream = None,
    }
    false
}

/// Reads once after the end of the process. False when there is nothing more to read.
fn drain(stream: &mut Option<File>, capture: &mut Capture, limit: usize) -> bool {
    let before = capture.bytes.len();
    if read_some(stream, capture, limit) || (stream.is_some() && capture.bytes.len() == before) {
        *stream = None;
    }
    stream.is_some()
}

fn is_set(fd: &PollFd<'_>) -> bool {
    fd.revents().is_some_and(|r| !r.is_empty())
}

fn set_nonblocking(fd: &OwnedFd) -> Result<(), RunError> {
    fcntl(fd, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
    Ok(())
}

/// A file that exists in memory only and vanishes with its last descriptor.
fn memory_file(text: &str) -> Result<File, RunError> {
    let mut file = File::from(memfd_create(c"script.smt2", MFdFlags::MFD_CLOEXEC)?);
    file.write_all(text.as_bytes())?;
    file.rewind()?;
    Ok(file)
}
