//! The launcher process itself.

use std::fs::File;
use std::io::{IoSliceMut, Read, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::os::unix::fs::DirBuilderExt;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::prctl;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::signal::{SigSet, Signal, kill, killpg};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use nix::sys::socket::{ControlMessageOwned, MsgFlags, recv, recvmsg, send};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

use super::start::Start;
use super::usage::{children_of, cpu_of, rss_of, tree_of};
use super::walls::Walls;
use super::{Done, Killed, MESSAGE, Report, Request, ScriptWay};

/// Runs the launcher: `smelt __launch`. Its standard input is the campaign's socket. Returns the process's exit code.
pub fn main() -> i32 {
    let stdin = std::io::stdin();
    match serve(stdin.as_fd()) {
        Ok(()) => 0,
        Err(e) => {
            report(stdin.as_fd(), &Report::Failed(e.to_string()));
            1
        }
    }
}

fn serve(control: BorrowedFd<'_>) -> std::io::Result<()> {
    // Orphans of the solver come to us, and SIGCHLD is read from a descriptor instead of interrupting.
    prctl::set_child_subreaper(true)?;
    let mut mask = SigSet::empty();
    mask.add(Signal::SIGCHLD);
    mask.thread_block()?;
    let signals = SignalFd::with_flags(&mask, SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK)?;
    // The group of a terminal that hangs up or interrupts is not ours; what ends us is the campaign's end.
    let Some((request, mut fds)) = receive(control)? else { return Ok(()) };
    let script = if fds.len() > 3 { Some(File::from(fds.remove(3))) } else { None };
    let mut fds = fds.into_iter();
    let (Some(input), Some(output), Some(errors)) = (fds.next(), fds.next(), fds.next()) else {
        return Err(std::io::Error::other("the request has no pipes"));
    };
    let folder = OwnFolder::new()?;
    let mut temporary = TempScript(None);
    if let (ScriptWay::TempFile, Some(file)) = (request.script, &script) {
        temporary.write(file)?;
    }
    let confinement = request.confinement.as_ref();
    let walls =
        confinement.map(|c| Walls::build(c, &folder.0, temporary.0.as_deref())).transpose()?;
    let start = Start { request: &request, pipes: [input, output, errors], script, walls };
    let started = Instant::now();
    let pid = match start.spawn(&folder.0, temporary.0.as_deref()) {
        Ok(pid) => pid,
        Err(e) => {
            report(control, &Report::Failed(e.to_string()));
            return Ok(());
        }
    };
    report(control, &Report::Started(pid.as_raw()));
    let (status, killed) = watch(control, &signals, pid, started, &request);
    sweep(pid);
    drop((temporary, folder));
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let seconds = |t: nix::sys::time::TimeVal| {
        Duration::from_secs(t.tv_sec().max(0) as u64)
            + Duration::from_micros(t.tv_usec().max(0) as u64)
    };
    let done = Done {
        code: status.and_then(|s| s.code()),
        signal: status.and_then(|s| s.signal()),
        cpu: seconds(usage.user_time()) + seconds(usage.system_time()),
        peak_rss: usage.max_rss().max(0) as u64 * 1024,
        killed,
    };
    report(control, &Report::Done(done));
    Ok(())
}

/// An empty folder in the temporary folder, in which the solver runs; removed with this value and all that is in it then.
struct OwnFolder(PathBuf);

impl OwnFolder {
    fn new() -> std::io::Result<OwnFolder> {
        let path = super::temp_path(std::process::id()).with_extension("run");
        // Of a launcher that was killed and had our number before.
        let _ = std::fs::remove_dir_all(&path);
        let only_ours = std::fs::DirBuilder::new().mode(0o700).create(&path);
        only_ours.map_err(|e| std::io::Error::new(e.kind(), format!("{}: {e}", path.display())))?;
        Ok(OwnFolder(path))
    }
}

impl Drop for OwnFolder {
    fn drop(&mut self) {
        // Nothing can be done about a failure, and the next launcher of this number tries again.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A script written to the temporary folder, removed with this value.
struct TempScript(Option<PathBuf>);

impl TempScript {
    fn write(&mut self, script: &File) -> std::io::Result<()> {
        let path = super::temp_path(std::process::id()).with_extension("smt2");
        // Of a launcher that was killed and had our number before.
        let _ = std::fs::remove_file(&path);
        let explain =
            |e: std::io::Error| std::io::Error::new(e.kind(), format!("{}: {e}", path.display()));
        let mut file = File::create_new(&path).map_err(explain)?;
        self.0 = Some(path.clone());
        let mut content = Vec::new();
        let mut script = script;
        script.read_to_end(&mut content)?;
        file.write_all(&content).map_err(explain)
    }
}

impl Drop for TempScript {
    fn drop(&mut self) {
        if let Some(path) = self.0.take() {
            // Nothing can be done about a failure, and the next one will show it.
            let _ = std::fs::remove_file(path);
        }
    }
}

/// Waits until the solver ends or must be killed; returns how it ended and why it was killed.
fn watch(
    control: BorrowedFd<'_>,
    signals: &SignalFd,
    pid: Pid,
    started: Instant,
    request: &Request,
) -> (Option<ExitStatus>, Option<Killed>) {
    let mut killed: Option<Killed> = None;
    loop {
        if let Some(status) = reap(pid) {
            return (status, killed);
        }
        let mut wait = Duration::from_secs(3600);
        if killed.is_none() {
            match over_limit(pid, started, request) {
                Ok(next) => wait = next,
                Err(reason) => {
                    killed = Some(reason);
                    kill_group(pid);
                    continue;
                }
            }
        }
        let mut fds = [
            PollFd::new(control, PollFlags::POLLIN),
            PollFd::new(signals.as_fd(), PollFlags::POLLIN),
        ];
        let timeout =
            PollTimeout::try_from(wait + Duration::from_millis(1)).unwrap_or(PollTimeout::MAX);
        // Control is not looked at again after the order to kill: its end would make this loop spin.
        let used: &mut [PollFd<'_>] = if killed.is_some() { &mut fds[1..] } else { &mut fds };
        match poll(used, timeout) {
            Ok(_) | Err(Errno::EINTR) => {}
            Err(_) => {
                killed = killed.or(Some(Killed::Asked));
                kill_group(pid);
            }
        }
        while let Ok(Some(_)) = signals.read_signal() {}
        let asked = fds[0].revents().is_some_and(|r| !r.is_empty());
        if killed.is_none() && asked {
            // Any message means "kill"; so does the end of the campaign.
            let mut byte = [0u8; 8];
            let _ = recv(control.as_raw_fd(), &mut byte, MsgFlags::MSG_DONTWAIT);
            killed = Some(Killed::Asked);
            kill_group(pid);
        }
    }
}

/// Reaps whatever has ended. `Some` when the solver itself is among it.
fn reap(pid: Pid) -> Option<Option<ExitStatus>> {
    loop {
        match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
            Ok(WaitStatus::Exited(p, code)) if p == pid => {
                return Some(Some(ExitStatus::from_raw((code & 0xff) << 8)));
            }
            Ok(WaitStatus::Signaled(p, signal, _)) if p == pid => {
                return Some(Some(ExitStatus::from_raw(signal as i32)));
            }
            Ok(WaitStatus::StillAlive) => return None,
            Ok(_) | Err(Errno::EINTR) => {}
            // No children: it was reaped already, which cannot happen before this function saw it.
            Err(_) => return Some(None),
        }
    }
}

/// Whether a limit is passed; otherwise how long it is safe to sleep.
fn over_limit(pid: Pid, started: Instant, request: &Request) -> Result<Duration, Killed> {
    let mut wait = Duration::from_secs(3600);
    if let Some(limit) = request.wall {
        let left =
            limit.checked_sub(started.elapsed()).filter(|l| !l.is_zero()).ok_or(Killed::Wall)?;
        wait = wait.min(left);
    }
    if request.cpu.is_none() && request.rss.is_none() {
        return Ok(wait);
    }
    let tree = tree_of(pid);
    if let Some(limit) = request.cpu {
        // Descendants that ended are in the kernel's sum for their parent only; the kernel limit covers those.
        let used: Duration = tree.iter().filter_map(|p| cpu_of(*p)).sum();
        let left = limit.checked_sub(used).filter(|l| !l.is_zero()).ok_or(Killed::Cpu)?;
        wait = wait.min(left.clamp(Duration::from_millis(1), Duration::from_millis(100)));
    }
    if let Some(limit) = request.rss {
        let used: u64 = tree.iter().filter_map(|p| rss_of(*p)).sum();
        if used > limit {
            return Err(Killed::Memory);
        }
        // Memory is touched at some gigabytes per second at most: look again before the rest can be gone.
        let left = Duration::from_nanos((limit - used) / 4);
        wait = wait.min(left.clamp(Duration::from_millis(2), Duration::from_millis(50)));
    }
    Ok(wait)
}

fn kill_group(pid: Pid) {
    // Both may fail because the process is gone, which is what we want.
    let _ = killpg(pid, Signal::SIGKILL);
    let _ = kill(pid, Signal::SIGKILL);
}

/// Kills and reaps everything that is left below this process.
fn sweep(group: Pid) {
    let _ = killpg(group, Signal::SIGKILL);
    let own = nix::unistd::getpid();
    loop {
        for child in children_of(own) {
            let _ = kill(child, Signal::SIGKILL);
        }
        match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
            // Still dying: children of the killed become ours, so look again.
            Ok(WaitStatus::StillAlive) => std::thread::sleep(Duration::from_micros(200)),
            Ok(_) | Err(Errno::EINTR) => {}
            Err(_) => return,
        }
    }
}

fn report(control: BorrowedFd<'_>, report: &Report) {
    if let Ok(text) = serde_json::to_vec(report) {
        // When the campaign is gone there is nobody to tell.
        let _ = send(control.as_raw_fd(), &text, MsgFlags::MSG_NOSIGNAL);
    }
}

/// Receives the request and its descriptors; `None` when the campaign closed the socket without one.
fn receive(control: BorrowedFd<'_>) -> std::io::Result<Option<(Request, Vec<OwnedFd>)>> {
    let mut buffer = vec![0u8; MESSAGE];
    let mut space = nix::cmsg_space!([std::os::fd::RawFd; 4]);
    let (length, fds) = {
        let mut slices = [IoSliceMut::new(&mut buffer)];
        let message = loop {
            match recvmsg::<()>(
                control.as_raw_fd(),
                &mut slices,
                Some(&mut space),
                MsgFlags::MSG_CMSG_CLOEXEC,
            ) {
                Err(Errno::EINTR) => continue,
                other => break other?,
            }
        };
        let mut fds = Vec::new();
        for part in message.cmsgs()? {
            if let ControlMessageOwned::ScmRights(raw) = part {
                for fd in raw {
                    // SAFETY: the kernel has just installed these descriptors in this process for us; nobody else owns them.
                    #[allow(unsafe_code)]
                    fds.push(unsafe { OwnedFd::from_raw_fd(fd) });
                }
            }
        }
        (message.bytes, fds)
    };
    if length == 0 {
        return Ok(None);
    }
    let request = serde_json::from_slice(&buffer[..length]).map_err(std::io::Error::other)?;
    Ok(Some((request, fds)))
}
