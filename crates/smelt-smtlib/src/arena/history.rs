//! Which arena this is and what it has forgotten, for those who remember things by id.
//!
//! After a rollback an id may come to mean something else. Whoever keeps a table by ids asks for what was forgotten since
//! it was last up to date.

use std::sync::atomic::{AtomicU64, Ordering};

use super::Mark;

/// A point in the life of one arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    arena: u64,
    time: u64,
}

/// What was forgotten since a moment.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Since {
    /// The moment belongs to another arena.
    Other,
    /// Nothing.
    Nothing,
    /// Everything beyond this state.
    Back(Mark),
}

/// The rollbacks of an arena.
#[derive(Debug)]
pub(super) struct History {
    arena: u64,
    time: u64,
    /// When, and to which state; one that is at or above a later one says nothing any more and is left out.
    states: Vec<(u64, Mark)>,
}

impl Default for History {
    fn default() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let arena = NEXT.fetch_add(1, Ordering::Relaxed);
        Self { arena, time: 0, states: Vec::new() }
    }
}

impl Clone for History {
    /// A copy of an arena goes its own way.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl History {
    pub fn moment(&self) -> Moment {
        Moment { arena: self.arena, time: self.time }
    }

    pub fn forget(&mut self, to: Mark) {
        self.time += 1;
        while self.states.pop_if(|(_, m)| m.0.iter().zip(&to.0).all(|(a, b)| a >= b)).is_some() {}
        self.states.push((self.time, to));
    }

    pub fn since(&self, then: Moment) -> Since {
        if then.arena != self.arena {
            return Since::Other;
        }
        let mut low: Option<Mark> = None;
        for (_, m) in self.states.iter().rev().take_while(|(time, _)| *time > then.time) {
            let l = low.get_or_insert(*m);
            l.0.iter_mut().zip(&m.0).for_each(|(l, m)| *l = (*l).min(*m));
        }
        low.map_or(Since::Nothing, Since::Back)
    }
}

#[cfg(test)]
mod tests {
    use crate::arena::{Arena, Since};

    /// How many terms are left, seen from a moment.
    fn left(a: &Arena, then: super::Moment) -> Option<usize> {
        match a.since(then) {
            Since::Back(m) => Some(m.terms()),
            Since::Nothing => None,
            Since::Other => panic!("the same arena"),
        }
    }

    #[test]
    fn rollbacks() {
        let mut a = Arena::new();
        let n = a.term_count();
        let first = a.moment();
        a.mk_int(1u32);
        let mark = a.mark();
        a.mk_int(2u32);
        assert_eq!(left(&a, first), None);
        a.rollback(mark);
        assert_eq!(left(&a, first), Some(n + 1));
        let second = a.moment();
        assert_eq!(left(&a, second), None);
        a.mk_int(3u32);
        let higher = a.mark();
        a.mk_int(4u32);
        a.rollback(higher);
        assert_eq!((left(&a, first), left(&a, second)), (Some(n + 1), Some(n + 2)));
        // Nothing to forget is nothing forgotten.
        let third = a.moment();
        a.rollback(higher);
        assert_eq!(left(&a, third), None);
        let low = mark;
        a.rollback(low);
        assert_eq!((left(&a, second), left(&a, third)), (Some(n + 1), Some(n + 1)));
        assert!(matches!(a.clone().since(first), Since::Other));
    }
}
