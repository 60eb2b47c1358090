//! Positions of the schedule, each of which is given to one worker.

use std::sync::atomic::{AtomicU64, Ordering};

/// Who gives positions.
pub trait Sequence: Sync {
    /// The next position; `None` if there are no more.
    fn next(&self) -> Option<u64>;
}

/// A counter, for the workers of one process.
pub struct Counter {
    next: AtomicU64,
    end: u64,
}

impl Counter {
    /// The positions from this one on.
    pub fn from(next: u64) -> Self {
        Self { next: AtomicU64::new(next), end: u64::MAX }
    }

    /// Those of them that are before `end`.
    #[must_use]
    pub fn until(self, end: u64) -> Self {
        Self { end, ..self }
    }
}

impl Sequence for Counter {
    fn next(&self) -> Option<u64> {
        Some(self.next.fetch_add(1, Ordering::Relaxed)).filter(|n| *n < self.end)
    }
}
