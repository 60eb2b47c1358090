//! Which positions of the schedule are given out and not finished. A position counts once, however often it is done.
//!
//! What is written in one transaction of the campaign's journal is all that there is: the lines of finished positions, what was counted for
//! them, and which are open. A message is acknowledged behind it, so one that comes again finds its positions finished.

use std::collections::BTreeSet;

use smelt_campaign::sequence::Left;

/// The positions of a campaign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ledger {
    open: BTreeSet<u64>,
    next: u64,
    end: u64,
}

impl Ledger {
    /// What an earlier process has left, up to an end.
    pub fn resumed(left: Left, end: Option<u64>) -> Self {
        let end = end.unwrap_or(u64::MAX);
        let open = left.open.into_iter().filter(|seq| *seq < left.next.min(end)).collect();
        Self { open, next: left.next, end }
    }

    /// The next positions that nobody has: at most so many. They are open from now on.
    pub fn give(&mut self, most: usize) -> Vec<u64> {
        let last = self.next.saturating_add(most as u64).min(self.end);
        let given: Vec<u64> = (self.next..last.max(self.next)).collect();
        self.open.extend(&given);
        self.next = self.next.max(last);
        given
    }

    /// Whether this is the first that is heard of the end of an open position.
    pub fn finish(&mut self, seq: u64) -> bool {
        self.open.remove(&seq)
    }

    /// Those that are open.
    pub fn open(&self) -> impl Iterator<Item = u64> + '_ {
        self.open.iter().copied()
    }

    /// Whether all positions are finished.
    pub fn is_done(&self) -> bool {
        self.open.is_empty() && self.next >= self.end
    }

    /// As the journal keeps it.
    pub fn left(&self) -> Left {
        Left { open: self.open.iter().copied().collect(), next: self.next }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn once_each() {
        let mut ledger = Ledger::resumed(Left { open: vec![1, 7, 99], next: 8 }, Some(11));
        assert_eq!(ledger.open().collect::<Vec<_>>(), [1, 7]);
        assert_eq!(ledger.give(2), [8, 9]);
        assert_eq!((ledger.give(8), ledger.give(8)), (vec![10], vec![]));
        // What nobody was given, what was finished before, and what is finished now.
        let told: Vec<bool> = [0, 1, 1, 10, 11].map(|seq| ledger.finish(seq)).to_vec();
        assert_eq!(told, [false, true, false, true, false]);
        assert_eq!(ledger.left(), Left { open: vec![7, 8, 9], next: 11 });
        let mut again = Ledger::resumed(ledger.left(), Some(11));
        assert!(!again.is_done() && again == ledger);
        (7..10).for_each(|seq| assert!(again.finish(seq)));
        assert!(again.is_done());
    }
}
