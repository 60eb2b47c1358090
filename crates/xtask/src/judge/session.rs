//! A solver process that answers a batch of requests, each behind a marker line.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// A start may take long on a busy machine.
const START: Duration = Duration::from_secs(120);
/// How often a silent process is looked at.
const TICK: Duration = Duration::from_millis(200);

/// What came back for one request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The text between two markers.
    Text(String),
    /// The process ended on it.
    Died(String),
    /// Nothing came within the time.
    TimedOut,
}

/// A running process.
pub struct Session {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    errors: Receiver<String>,
}

impl Drop for Session {
    fn drop(&mut self) {
        // The process may have ended by itself: both calls may then fail, which is fine.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Session {
    /// Starts the process and sends it the opening lines.
    pub fn start(mut command: Command, opening: &str) -> Result<Self> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child =
            command.spawn().with_context(|| format!("cannot start {:?}", command.get_program()))?;
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let (send, lines) = channel();
        if let Some(out) = stdout {
            std::thread::spawn(move || {
                for line in BufReader::new(out).lines() {
                    let Ok(line) = line else { return };
                    if send.send(line).is_err() {
                        return;
                    }
                }
            });
        }
        let (send, errors) = channel();
        if let Some(err) = stderr {
            std::thread::spawn(move || {
                let mut text = String::new();
                // Enough to say what happened; the rest is read and dropped.
                let _ = err.take(4000).read_to_string(&mut text);
                let _ = send.send(text);
            });
        }
        let stdin = child.stdin.take();
        let mut session = Self { child, stdin, lines, errors };
        session.send(opening.to_owned());
        // Starting counts for itself, not for the first request.
        loop {
            match session.lines.recv_timeout(START) {
                Ok(line) if line == "@ready" => return Ok(session),
                Ok(line) if line.starts_with("(error") => {
                    bail!("{:?} does not start: {line}", command.get_program())
                }
                Ok(_) => {}
                Err(_) => {
                    let why = session.last_words();
                    bail!("{:?} does not start: {why}", command.get_program());
                }
            }
        }
    }

    /// How the process ended.
    fn last_words(&mut self) -> String {
        // Whether it still runs does not matter any more.
        let _ = self.child.kill();
        let status = self.child.wait().map_or(String::new(), |s| s.to_string());
        let errors = self.errors.recv_timeout(Duration::from_secs(1)).unwrap_or_default();
        format!("{status}: {}", errors.trim())
    }

    /// Processor time that the process has used; `None` where the system does not tell.
    fn cpu(&self) -> Option<Duration> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).ok()?;
        // The name may hold anything; the fields start after its bracket.
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        let ticks: u64 =
            fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
        Some(Duration::from_millis(ticks * 10))
    }

    /// Writes in the background, so that neither side waits for a full pipe.
    fn send(&mut self, text: String) -> Option<std::thread::JoinHandle<ChildStdin>> {
        let mut stdin = self.stdin.take()?;
        if text.len() < 4096 {
            // A failure shows as the end of the output.
            let _ = stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush());
            self.stdin = Some(stdin);
            return None;
        }
        Some(std::thread::spawn(move || {
            let _ = stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush());
            stdin
        }))
    }

    /// Sends requests (text for the process, by number) and reads the replies, which end with the marker `@end`.
    ///
    /// The replies stop early when the process died or was too slow; the session is then of no use any more.
    pub fn ask(&mut self, text: String, count: usize, patience: Duration) -> (Vec<Reply>, bool) {
        let writer = self.send(text);
        let mut replies: Vec<Reply> = Vec::with_capacity(count);
        let mut current: Option<String> = None;
        let mut last = (Instant::now(), self.cpu());
        let alive = loop {
            let line = self.lines.recv_timeout(TICK);
            if line.is_ok() {
                last = (Instant::now(), None);
            }
            match line {
                Ok(line) if line == "@end" => {
                    replies.extend(current.take().map(Reply::Text));
                    break true;
                }
                Ok(line) if is_marker(&line) => {
                    replies.extend(current.take().map(Reply::Text));
                    current = Some(String::new());
                }
                Ok(line) => {
                    if let Some(c) = &mut current {
                        if !c.is_empty() {
                            c.push('\n');
                        }
                        c.push_str(&line);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    // A busy machine must not look like a slow solver: its own time counts.
                    let now = self.cpu();
                    let start = *last.1.get_or_insert(now.unwrap_or_default());
                    let used = now.map_or(Duration::ZERO, |c| c.saturating_sub(start));
                    if used > patience || last.0.elapsed() > patience * 12 {
                        replies.push(Reply::TimedOut);
                        break false;
                    }
                }
                Err(RecvTimeoutError::Disconnected) => {
                    let why = self.last_words();
                    replies.push(Reply::Died(why));
                    break false;
                }
            }
        };
        if let Some(w) = writer
            && alive
        {
            self.stdin = w.join().ok();
        }
        (replies, alive)
    }
}

fn is_marker(line: &str) -> bool {
    line.strip_prefix('@').is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}
