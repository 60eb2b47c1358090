//! What a reduction may spend, what it has spent, and how it went.

use std::time::{Duration, Instant};

use smelt_solver::Cancel;

use super::Effort;

/// What was tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Candidates that were looked at.
    pub candidates: u64,
    /// Of these, rejected by the evaluator alone.
    pub evaluated: u64,
    /// Runs in warm sessions of the accused.
    pub warm: u64,
    /// Runs in fresh processes.
    pub cold: u64,
    /// Runs of other solvers.
    pub others: u64,
}

impl Counts {
    /// All runs of solvers.
    pub fn runs(&self) -> u64 {
        self.warm + self.cold + self.others
    }

    pub(super) fn add(&mut self, more: &Self) {
        self.candidates += more.candidates;
        self.evaluated += more.evaluated;
        self.warm += more.warm;
        self.cold += more.cold;
        self.others += more.others;
    }
}

/// Why a reduction ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The time was over.
    Time,
    /// So many runs were made.
    Tests,
    /// Somebody cancelled it.
    Cancelled,
    /// A solver, or what was to be run, could not be run any more.
    Fault,
}

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Time => "the time is over",
            Self::Tests => "the number of runs is reached",
            Self::Cancelled => "it was cancelled",
            Self::Fault => "it cannot be run any more",
        })
    }
}

/// How a reduction goes.
#[derive(Clone, Debug)]
pub struct Progress {
    /// The pass that made it smaller; nothing at the beginning.
    pub pass: &'static str,
    /// Bytes that are left.
    pub bytes: usize,
    /// Bytes at the beginning.
    pub from: usize,
    /// What was tried.
    pub tests: Counts,
    /// Since the beginning.
    pub elapsed: Duration,
}

/// What may be spent, and what was.
pub(super) struct Budget<'a> {
    started: Instant,
    end: Option<Instant>,
    tests: Option<u64>,
    cancel: &'a Cancel,
    pause: &'a (dyn Fn() + Sync),
    watch: &'a mut dyn FnMut(&Progress),
    from: usize,
    bytes: usize,
    pub counts: Counts,
    pub curve: Vec<(u64, usize)>,
    pub stopped: Option<Stopped>,
}

impl<'a> Budget<'a> {
    pub fn new(effort: &Effort<'a>, watch: &'a mut dyn FnMut(&Progress)) -> Self {
        let started = Instant::now();
        Self {
            started,
            end: effort.time.and_then(|t| started.checked_add(t)),
            tests: effort.tests,
            cancel: effort.cancel,
            pause: effort.pause,
            watch,
            from: 0,
            bytes: 0,
            counts: Counts::default(),
            curve: Vec::new(),
            stopped: None,
        }
    }

    /// Notes how large it is at the beginning.
    pub fn begin(&mut self, bytes: usize) {
        (self.from, self.bytes) = (bytes, bytes);
        self.curve.push((self.counts.runs(), bytes));
        self.tell("");
    }

    /// Notes that it became smaller.
    pub fn smaller(&mut self, pass: &'static str, bytes: usize) {
        self.bytes = bytes;
        self.curve.push((self.counts.runs(), bytes));
        self.tell(pass);
    }

    /// Tells how it goes.
    pub fn tell(&mut self, pass: &'static str) {
        let (bytes, from, tests) = (self.bytes, self.from, self.counts);
        (self.watch)(&Progress { pass, bytes, from, tests, elapsed: self.started.elapsed() });
    }

    pub fn is_over(&mut self) -> bool {
        let paused = Instant::now();
        (self.pause)();
        self.end = self.end.map(|end| end + paused.elapsed());
        let over = || {
            if self.cancel.is_cancelled() {
                return Some(Stopped::Cancelled);
            }
            if self.end.is_some_and(|end| Instant::now() >= end) {
                return Some(Stopped::Time);
            }
            self.tests.is_some_and(|most| self.counts.runs() >= most).then_some(Stopped::Tests)
        };
        if self.stopped.is_none() {
            self.stopped = over();
        }
        self.stopped.is_some()
    }
}
