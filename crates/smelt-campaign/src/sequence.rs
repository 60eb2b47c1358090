//! Positions of the schedule, each of which is given to one worker.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

use crate::journal::LeaseLine;

/// Who gives positions.
pub trait Sequence: Sync {
    /// The next position; `None` if there are no more.
    fn next(&self) -> Option<u64>;

    /// Notes that a position has had all of its cases, and what was made of it.
    fn finish(&self, seq: u64, made: Option<&LeaseLine>);

    /// What is left of all positions, for who goes on after an end; `None` if somebody else knows.
    fn left(&self) -> Option<Left> {
        None
    }
}

/// The positions that are not finished.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Left {
    /// Those that were begun, in order.
    pub open: Vec<u64>,
    /// The first that nobody has begun; so are all behind it.
    pub next: u64,
}

/// A counter, for the workers of one process. What an earlier process has left open comes first.
pub struct Counter {
    state: Mutex<State>,
    end: u64,
}

struct State {
    /// Open, and not begun by this process.
    holes: BTreeSet<u64>,
    /// Begun by this process.
    begun: BTreeSet<u64>,
    next: u64,
}

impl Counter {
    /// The positions from this one on.
    pub fn from(next: u64) -> Self {
        Self::resumed(Left { open: Vec::new(), next })
    }

    /// The positions that are left, each once.
    pub fn resumed(Left { open, next }: Left) -> Self {
        let holes = open.into_iter().filter(|seq| *seq < next).collect();
        Self { state: Mutex::new(State { holes, begun: BTreeSet::new(), next }), end: u64::MAX }
    }

    /// Those of them that are before `end`.
    #[must_use]
    pub fn until(self, end: u64) -> Self {
        Self { end, ..self }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Sequence for Counter {
    fn next(&self) -> Option<u64> {
        let mut state = self.state();
        let State { holes, begun, next } = &mut *state;
        let seq = holes.pop_first().unwrap_or(*next);
        // A hole is before all that comes from the counter: behind the end there is nothing but the end.
        if seq >= self.end {
            return None;
        }
        *next = (*next).max(seq + 1);
        begun.insert(seq);
        Some(seq)
    }

    fn finish(&self, seq: u64, _: Option<&LeaseLine>) {
        self.state().begun.remove(&seq);
    }

    fn left(&self) -> Option<Left> {
        let State { holes, begun, next } = &*self.state();
        let open: BTreeSet<u64> = holes.iter().chain(begun).copied().collect();
        Some(Left { open: open.into_iter().collect(), next: *next })
    }
}

/// One of several parts of all positions. Of four parts, the first has the positions 0, 4, 8 …, the second 1, 5, 9 …, so that each position is
/// one part's, and nobody has to ask whose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Which part, from 0.
    pub own: u64,
    /// How many there are.
    pub of: u64,
}

impl Part {
    /// All positions.
    pub const WHOLE: Self = Self { own: 0, of: 1 };

    /// How many there are; a file of a stranger may say none.
    fn parts(self) -> u64 {
        self.of.max(1)
    }

    /// How many of the first positions are the part's.
    pub fn below(self, end: u64) -> u64 {
        end.saturating_sub(self.own).div_ceil(self.parts())
    }

    /// The position that the part counts as its `n`-th, from 0.
    pub fn position(self, n: u64) -> u64 {
        n.saturating_mul(self.parts()).saturating_add(self.own)
    }
}

impl std::fmt::Display for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.own + 1, self.of)
    }
}

/// The positions of a part, which are counted by themselves.
pub struct Parted {
    /// Which part.
    pub part: Part,
    /// Its own count.
    pub counter: Counter,
}

impl Sequence for Parted {
    fn next(&self) -> Option<u64> {
        self.counter.next().map(|n| self.part.position(n))
    }

    fn finish(&self, seq: u64, made: Option<&LeaseLine>) {
        self.counter.finish(seq.saturating_sub(self.part.own) / self.part.parts(), made);
    }

    fn left(&self) -> Option<Left> {
        self.counter.left()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parts have all positions, each once, whatever ends them in between.
    #[test]
    fn parts() {
        for of in 1..5 {
            let mut all = Vec::new();
            for own in 0..of {
                let part = Part { own, of };
                let parted =
                    |counter: Counter| Parted { part, counter: counter.until(part.below(11)) };
                let first = parted(Counter::from(0));
                let begun: Vec<u64> = (0..2).filter_map(|_| first.next()).collect();
                begun.iter().take(1).for_each(|seq| first.finish(*seq, None));
                all.extend(begun.first());
                let again = parted(Counter::resumed(first.left().unwrap()));
                all.extend(std::iter::from_fn(|| again.next()));
            }
            all.sort_unstable();
            assert_eq!(all, (0..11).collect::<Vec<u64>>(), "{of}");
        }
    }

    fn left(open: &[u64], next: u64) -> Left {
        Left { open: open.to_vec(), next }
    }

    #[test]
    fn holes_first_then_the_counter() {
        let c = Counter::resumed(left(&[3, 8], 10));
        let taken: Vec<u64> = (0..4).filter_map(|_| c.next()).collect();
        assert_eq!(taken, [3, 8, 10, 11]);
        // What is begun is not finished, in whatever order that comes.
        assert_eq!(c.left(), Some(left(&[3, 8, 10, 11], 12)));
        [10, 3].into_iter().for_each(|seq| c.finish(seq, None));
        assert_eq!(c.left(), Some(left(&[8, 11], 12)));
        let again = Counter::resumed(c.left().unwrap());
        // A hole that nobody has begun again stays one.
        assert_eq!((again.next(), again.left()), (Some(8), Some(left(&[8, 11], 12))));
    }

    #[test]
    fn an_end() {
        let c = Counter::from(2).until(4);
        assert_eq!([c.next(), c.next(), c.next(), c.next()], [Some(2), Some(3), None, None]);
        [2, 3].into_iter().for_each(|seq| c.finish(seq, None));
        assert_eq!(c.left(), Some(left(&[], 4)));
        // There may be fewer than there were, and a list that is damaged gives no position twice.
        let c = Counter::resumed(left(&[1, 1, 6, 9], 8)).until(5);
        assert_eq!([c.next(), c.next()], [Some(1), None]);
    }
}
