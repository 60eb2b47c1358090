//! Limits of a run, what is asked after an answer, and the token that cancels a wait.

use std::os::fd::{AsFd, BorrowedFd};
use std::sync::Arc;
use std::time::Duration;

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::eventfd::{EfdFlags, EventFd};
use serde::{Deserialize, Serialize};

/// Memory of a process in bytes, unless the user says otherwise.
pub const MEMORY: u64 = 2 << 30;

/// Limits of a run. The solver's resource limit should end a check first, CPU time second; the wall clock is the backstop,
/// so that a busy machine does not invent timeouts.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Limits {
    /// The solver's own resource counter, in its units; passed by the profile's option when it has one.
    pub resource: Option<u64>,
    /// CPU time: of the process in a cold run, of one check in a warm session.
    pub cpu: Option<Duration>,
    /// Wall time: of the process in a cold run, of one check in a warm session.
    pub wall: Duration,
    /// Memory in bytes.
    pub memory: Option<u64>,
    /// Bound what is resident only, also where the profile bounds the address space: no allocation fails then, but the process
    /// is killed when it has used too much.
    #[serde(default)]
    pub resident: bool,
    /// Bytes of output that are read before the process is killed.
    pub output: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits::cpu(Duration::from_secs(10))
    }
}

impl Limits {
    /// A CPU limit with the usual company: wall at four times as much plus a second, 2 GB, 16 MB of output. More than a century
    /// is a century.
    pub fn cpu(cpu: Duration) -> Limits {
        // Moments that far away can be computed with.
        let cpu = cpu.min(Duration::from_secs(100 * 365 * 24 * 3600));
        Limits {
            resource: None,
            cpu: Some(cpu),
            wall: Self::wall_of(cpu),
            memory: Some(MEMORY),
            resident: false,
            output: 16 << 20,
        }
    }

    /// The wall time that stands behind a limit of CPU time, so that a busy machine invents no timeout.
    pub fn wall_of(cpu: Duration) -> Duration {
        cpu * 4 + Duration::from_secs(1)
    }

    /// These limits for a process that needs so much CPU time before it reads anything.
    #[must_use]
    pub fn after_start(&self, start: Duration) -> Limits {
        let wall = self.wall.saturating_add(start * 4);
        Limits { cpu: self.cpu.map(|c| c.saturating_add(start)), wall, ..self.clone() }
    }
}

/// What to ask after the answer is known. The reason of an `unknown` is always asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Requests {
    /// `(get-model)` after `sat` (and after `unknown`, where it is a candidate only).
    pub model: bool,
    /// `(get-unsat-core)` after `unsat`.
    pub core: bool,
}

/// How a solver is set up for a run; together with the solver's binary this is the key of a warm session.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Setup {
    /// Give the options that make models available.
    pub models: bool,
    /// Give the options that make unsat cores available.
    pub cores: bool,
    /// Give the options for incremental solving to a warm session, which then takes scripts with several checks too. (A cold
    /// run gives them to a script that needs them anyway.)
    pub incremental: bool,
    /// Give the options by which the solver checks its own models and cores.
    pub self_check: bool,
    /// Leave out what the profile gives to every run and a script may do without.
    pub bare: bool,
    /// Further options, for example from option fuzzing.
    pub extra: Vec<String>,
    /// Limits.
    pub limits: Limits,
}

/// Cancels every wait of the runs that hold a clone of it. Once cancelled it stays so.
#[derive(Debug, Clone)]
pub struct Cancel {
    event: Arc<EventFd>,
}

impl Cancel {
    /// A token that nobody has cancelled yet.
    pub fn new() -> std::io::Result<Cancel> {
        let flags = EfdFlags::EFD_CLOEXEC | EfdFlags::EFD_NONBLOCK;
        Ok(Cancel { event: Arc::new(EventFd::from_value_and_flags(0, flags)?) })
    }

    /// Cancels.
    pub fn cancel(&self) {
        // The only failure is a full counter, which means that it is cancelled already.
        let _ = self.event.write(1);
    }

    /// Whether it was cancelled.
    pub fn is_cancelled(&self) -> bool {
        let mut fds = [PollFd::new(self.event.as_fd(), PollFlags::POLLIN)];
        matches!(poll(&mut fds, PollTimeout::ZERO), Ok(1))
    }

    pub(crate) fn fd(&self) -> BorrowedFd<'_> {
        self.event.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_time_is_a_limit() {
        let seconds = Duration::from_secs;
        for (cpu, wall) in [(0, seconds(1)), (10, seconds(41))] {
            assert_eq!(Limits::cpu(seconds(cpu)).wall, wall);
        }
        for cpu in [seconds(u64::MAX), Duration::MAX] {
            let limits = Limits::cpu(cpu);
            assert!(std::time::Instant::now().checked_add(limits.wall).is_some());
            assert!(limits.cpu.is_some_and(|c| c < limits.wall));
        }
    }
}
