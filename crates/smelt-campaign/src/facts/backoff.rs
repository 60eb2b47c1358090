//! How often suspicions of one kind are looked into: one bug must not eat the campaign, and none may hide the next for ever.

use std::collections::HashMap;

/// Fruitless looks at one kind of suspicion that cost it nothing.
const FREE: u32 = 2;

/// What is known of suspicions by their kind.
#[derive(Default)]
pub struct Backoff {
    kinds: HashMap<String, Looks>,
}

/// What came of suspicions of one kind.
#[derive(Default)]
struct Looks {
    /// Looks that gave nothing new.
    vain: u32,
    /// How many are passed over before the next look.
    pass: u64,
}

impl Backoff {
    /// Whether this suspicion is to be looked into. The first ones of a kind are; after that, while nothing new comes of it, every
    /// second, fourth, eighth …
    pub fn look(&mut self, kind: &str) -> bool {
        let Some(k) = self.kinds.get_mut(kind) else { return true };
        let look = k.pass == 0;
        k.pass = k.pass.saturating_sub(1);
        look
    }

    /// Forgets that looks at this kind gave nothing new.
    pub fn forget(&mut self, kind: &str) {
        self.kinds.remove(kind);
    }

    /// Notes that a look gave nothing new.
    pub fn in_vain(&mut self, kind: String) {
        let k = self.kinds.entry(kind).or_default();
        k.vain += 1;
        let doublings = (k.vain + 1).saturating_sub(FREE).min(u64::BITS - 1);
        k.pass = (1 << doublings) - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ever_more_rarely() {
        let mut b = Backoff::default();
        let mut looked = Vec::new();
        for n in 1..=70 {
            if b.look("a") {
                looked.push(n);
                b.in_vain("a".to_owned());
            }
        }
        assert_eq!(looked, [1, 2, 4, 8, 16, 32, 64]);
        // Another kind is not held up, nor one whose looks give something.
        assert!((0..9).all(|_| b.look("b")));
        // What turned out to be new is worth looking at again.
        assert!(!b.look("a"));
        b.forget("a");
        assert!(b.look("a"));
    }

    #[test]
    fn counters_do_not_overflow() {
        let mut b = Backoff::default();
        (0..200).for_each(|_| b.in_vain("a".to_owned()));
        assert!(!b.look("a"));
    }
}
