//! The process of a warm session: what is sent to it, and what comes back.

use std::time::{Duration, Instant};

use crate::ask;
use crate::classify::{Ending, KilledFor};
use crate::cold::ending;
use crate::limits::{Cancel, Limits};
use crate::outcome::{Limit, RunError};
use crate::process::{Capture, Process, Wait, Wake};

/// How often resident memory is looked at, in scripts.
pub(super) const RSS_EVERY: u32 = 16;

/// The process of a session.
pub(super) struct Live {
    pub process: Process,
    pub nonce: String,
    pub markers: u64,
    pub stdout: Capture,
    pub stderr: Capture,
    pub scripts: u32,
    pub first_rss: Option<u64>,
    pub peak_rss: u64,
    pub logic: Option<String>,
    /// The last script must be cleared away before the next one.
    pub dirty: bool,
    /// The command that does so is on its way.
    pub reset_sent: bool,
    /// CPU time that the start or the last reset took.
    pub overhead: Duration,
    /// CPU time at the end of the last measured thing.
    pub cpu_mark: Duration,
    pub transcript: String,
}

/// What one exchange with the process gave.
pub(super) struct Step {
    pub text: String,
    pub cpu: Option<Duration>,
    pub ended: Option<Ending>,
}

impl Live {
    /// A process that has just been started.
    pub fn new(process: Process, logic: Option<&str>) -> Self {
        Self {
            process,
            nonce: ask::nonce(),
            markers: 0,
            stdout: Capture::default(),
            stderr: Capture::default(),
            scripts: 0,
            first_rss: None,
            peak_rss: 0,
            logic: logic.map(str::to_owned),
            dirty: false,
            reset_sent: false,
            overhead: Duration::ZERO,
            cpu_mark: Duration::ZERO,
            transcript: String::new(),
        }
    }

    /// Counts the script and returns the CPU time that came before it: start-up or reset.
    pub fn begin_script(&mut self) -> Duration {
        self.scripts += 1;
        self.dirty = true;
        std::mem::take(&mut self.overhead)
    }

    pub fn sample_memory(&mut self) {
        if self.scripts % RSS_EVERY == 1 {
            let rss = self.process.rss();
            self.first_rss = self.first_rss.or(rss);
            self.peak_rss = self.peak_rss.max(rss.unwrap_or(0));
        }
    }

    /// A message with this text and the marker by which its end is told; the text is noted in the transcript.
    pub fn marked(&mut self, text: &str) -> (String, String) {
        self.markers += 1;
        let marker = format!("{}-{}.", self.nonce, self.markers);
        let mut message = String::with_capacity(text.len() + marker.len() + 16);
        message.push_str(text);
        message.push('\n');
        self.transcript.push_str(&message);
        message.push_str(&ask::echo(&marker));
        (message, marker)
    }

    /// Sends text and reads until the marker behind it comes back, the process ends, or a limit is hit, in which case the
    /// process is killed. The CPU limit is looked at only when it could have been reached.
    pub fn step(
        &mut self,
        text: &str,
        limits: &Limits,
        cancel: Option<&Cancel>,
    ) -> Result<Step, RunError> {
        let (message, marker) = self.marked(text);
        let mut pending = message.as_bytes();
        let cpu_start = self.process.cpu().unwrap_or(self.cpu_mark);
        let deadline = Instant::now() + limits.wall;
        let mut killed: Option<KilledFor> = None;
        let mut look = limits.cpu.unwrap_or(limits.wall);
        let mut searched = 0;
        let mut found = None;
        let mut done = None;
        while found.is_none() && done.is_none() {
            let until = deadline.min(Instant::now() + look.max(Duration::from_millis(1)));
            let wait = Wait { until, output: limits.output, cancel };
            let wake = self.process.pump(
                &mut pending,
                &mut self.stdout,
                &mut self.stderr,
                &wait,
                |output| {
                    found = ask::find_marker(output, searched, &marker);
                    // The marker may be cut by the end of what was read so far.
                    searched = output.iter().rposition(|b| *b == b'\n').map_or(0, |n| n + 1);
                    found.is_some()
                },
            )?;
            match wake {
                Wake::Ready => {}
                Wake::Over(d) => done = Some(d),
                Wake::Flood => killed = Some(KilledFor::Output),
                Wake::Deadline if Instant::now() >= deadline => {
                    killed = Some(KilledFor::Limit(Limit::Wall))
                }
                Wake::Deadline => {
                    let used = self.process.cpu().unwrap_or(cpu_start).saturating_sub(cpu_start);
                    match limits.cpu.map(|limit| limit.checked_sub(used).filter(|l| !l.is_zero())) {
                        Some(None) => killed = Some(KilledFor::Limit(Limit::Cpu)),
                        Some(Some(left)) => look = left.min(Duration::from_millis(100)),
                        None => {}
                    }
                }
            }
            if killed.is_some() {
                done = Some(self.process.kill()?);
                self.process.read_rest(&mut self.stdout, &mut self.stderr, limits.output);
            }
        }
        let (text, ended) = match (found, done) {
            (Some((start, end)), _) => {
                self.process.read_stderr_now(&mut self.stderr);
                let text = String::from_utf8_lossy(&self.stdout.bytes[..start]).into_owned();
                self.stdout.bytes.drain(..end);
                (text, None)
            }
            (None, Some(done)) => {
                let mut end = ending(done, false, false);
                end.killed = killed.or(end.killed);
                self.peak_rss = self.peak_rss.max(done.peak_rss);
                let text = self.stdout.text();
                self.stdout.bytes.clear();
                return Ok(Step {
                    text,
                    cpu: Some(done.cpu.saturating_sub(cpu_start)),
                    ended: Some(end),
                });
            }
            (None, None) => (String::new(), None),
        };
        let now = self.process.cpu().unwrap_or(cpu_start);
        self.cpu_mark = now;
        Ok(Step { text, cpu: Some(now.saturating_sub(cpu_start)), ended })
    }
}
