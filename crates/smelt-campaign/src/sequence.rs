//! Positions of the schedule, each of which is given to one worker.

use std::sync::atomic::{AtomicU64, Ordering};

/// Who gives positions.
pub trait Sequence: Sync {
    /// The next position; `None` if there are no more.
    fn next(&self) -> Option<u64>;
}

/// A counter, for the workers of one process.
pub struct Counter(AtomicU64);

impl Counter {
    /// The positions from this one on.
    pub fn from(next: u64) -> Self {
        Self(AtomicU64::new(next))
    }
}

impl Sequence for Counter {
    fn next(&self) -> Option<u64> {
        Some(self.0.fetch_add(1, Ordering::Relaxed))
    }
}
