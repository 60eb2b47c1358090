//! How the process of a session begins and ends: does it answer while it is asked, and how does it die when nobody asks any more?

use std::time::{Duration, Instant};

use super::live::Live;
use crate::ask;
use crate::classify::Ending;
use crate::cold::ending;
use crate::limits::{Cancel, Limits};
use crate::outcome::RunError;
use crate::process::{Process, Wait, Wake};

/// What came of the first words to a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Greeted {
    /// It answers.
    Answered,
    /// It ended, or had to be ended.
    Ended,
    /// It answers when its input ends, and not before.
    Buffers,
}

/// How often it is looked whether a process that does not answer does anything at all.
const LOOK: Duration = Duration::from_millis(200);

/// Wall time after which a process that does nothing is taken to wait for more.
const IDLE: Duration = Duration::from_secs(3);

/// Wall time that a process gets for its end.
const FAREWELL: Duration = Duration::from_secs(3);

/// Since when a process does nothing.
struct Idle {
    since: Instant,
    cpu: Duration,
}

impl Idle {
    /// Whether it and all below it have done nothing for long: they sleep, and use no CPU time worth the name.
    fn is_long(&mut self, process: &Process) -> bool {
        let (cpu, asleep) = process.activity();
        let now = Instant::now();
        let used = cpu.saturating_sub(self.cpu);
        if !asleep || used * 50 > now - self.since {
            *self = Idle { since: now, cpu };
        }
        now - self.since >= IDLE
    }
}

impl Live {
    /// Sends the first words, and reads until they are answered. A process that does nothing although there is something to answer
    /// may keep its answers back until its input ends: so that is ended, too.
    pub fn greet(
        &mut self,
        text: &str,
        limits: &Limits,
        cancel: Option<&Cancel>,
    ) -> Result<Greeted, RunError> {
        let (message, marker) = self.marked(text);
        let mut pending = message.as_bytes();
        let deadline = Instant::now() + limits.wall;
        let mut idle = Idle { since: Instant::now(), cpu: Duration::ZERO };
        loop {
            let until = deadline.min(Instant::now() + LOOK);
            match self.listen(&mut pending, &marker, until, limits, cancel)? {
                Wake::Ready => return Ok(Greeted::Answered),
                Wake::Over(_) | Wake::Flood => return Ok(Greeted::Ended),
                Wake::Deadline => {}
            }
            let used = self.process.cpu().unwrap_or_default();
            if Instant::now() >= deadline || limits.cpu.is_some_and(|limit| used >= limit) {
                return Ok(Greeted::Ended);
            }
            if idle.is_long(&self.process) {
                break;
            }
        }
        self.process.close_input();
        let until = Instant::now() + FAREWELL;
        let wake = self.listen(&mut &[][..], &marker, until, limits, cancel)?;
        Ok(if wake == Wake::Ready { Greeted::Buffers } else { Greeted::Ended })
    }

    /// Reads until this marker comes.
    fn listen(
        &mut self,
        pending: &mut &[u8],
        marker: &str,
        until: Instant,
        limits: &Limits,
        cancel: Option<&Cancel>,
    ) -> Result<Wake, RunError> {
        let wait = Wait { until, output: limits.output, cancel };
        let mut found = None;
        let (out, err) = (&mut self.stdout, &mut self.stderr);
        let wake = self.process.pump(pending, out, err, &wait, |output| {
            found = ask::find_marker(output, 0, marker);
            found.is_some()
        })?;
        if let Some((_, end)) = found {
            self.process.read_stderr_now(&mut self.stderr);
            self.stdout.bytes.drain(..end);
            self.cpu_mark = self.process.cpu().unwrap_or(self.cpu_mark);
        }
        Ok(wake)
    }

    /// Ends the input and waits for the end of the process: how it ended, with what it said on standard error since it was last read.
    /// `None` if it does not end in time.
    pub fn leave(mut self, limits: &Limits, cancel: Option<&Cancel>) -> Option<(Ending, String)> {
        self.process.close_input();
        let wait = Wait { until: Instant::now() + FAREWELL, output: limits.output, cancel };
        let (out, err) = (&mut self.stdout, &mut self.stderr);
        match self.process.pump(&mut &[][..], out, err, &wait, |_| false) {
            Ok(Wake::Over(done)) => Some((ending(done, false, false), self.stderr.text())),
            _ => None,
        }
    }
}
