//! What a solver refuses although it has the operators: which of them on which sorts, learned from its refusals.
//!
//! cvc4 takes `abs` on integers and refuses it on reals; a probe that tries each operator once does not see that. A use that
//! was in several refused scripts and never in an accepted one is taken for the reason, and scripts with it are no longer
//! sent; now and then one is all the same, so that an error of this kind does not last.

use std::collections::HashMap;
use std::mem::discriminant;

use smelt_smtlib::{Arena, Op, SortKind, Term};

/// An operator and the kind of sort that its first argument has (or its result, if there is no argument).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Use(Op, u8);

impl Use {
    /// The use of an operator at the top of a term.
    pub fn of(a: &Arena, op: Op, t: Term) -> Self {
        let at = a.args(t).first().copied().unwrap_or(t);
        let kinds = [SortKind::Bool, SortKind::Int, SortKind::Real, SortKind::String];
        let known = kinds.iter().position(|k| discriminant(k) == discriminant(a.kind(at)));
        Self(op, known.map_or(u8::MAX, |k| k as u8))
    }
}

/// How many refused scripts make a reason.
const ENOUGH: u32 = 6;
/// Every so many scripts with it, one is sent all the same.
const AGAIN: u32 = 200;

/// What is known about one use.
#[derive(Clone, Copy, Default)]
struct Seen {
    accepted: bool,
    refused: u32,
    /// Scripts that were not sent since.
    held_back: u32,
}

/// What one solver has refused.
#[derive(Default)]
pub struct Refusals {
    seen: HashMap<Use, Seen>,
}

impl Refusals {
    /// Learns from one script.
    pub fn note(&mut self, uses: &[Use], refused: bool) {
        for u in uses {
            let s = self.seen.entry(*u).or_default();
            s.accepted |= !refused;
            s.refused += u32::from(refused);
        }
    }

    /// Whether a script with these uses would be refused, as far as is known.
    pub fn blocks(&mut self, uses: &[Use]) -> bool {
        for u in uses {
            if let Some(s) = self.seen.get_mut(u).filter(|s| !s.accepted && s.refused >= ENOUGH) {
                s.held_back += 1;
                return !s.held_back.is_multiple_of(AGAIN);
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::Content;

    fn uses(text: &str) -> Vec<Use> {
        Content::of(&smelt_smtlib::parse(text.as_bytes()).unwrap()).uses
    }

    #[test]
    fn the_operator_on_the_sort_is_the_reason() {
        let whole = uses("(declare-const x Int)(assert (= (abs x) (+ x 1)))");
        let real = uses("(declare-const x Real)(assert (= (abs x) (+ x 1.0)))");
        let sum = uses("(declare-const x Real)(assert (= x (+ x 1.0)))");
        let mut r = Refusals::default();
        for _ in 0..ENOUGH {
            assert!(!r.blocks(&real));
            r.note(&whole, false);
            r.note(&sum, false);
            r.note(&real, true);
        }
        assert!(r.blocks(&real));
        assert!(!r.blocks(&whole) && !r.blocks(&sum));
        // What is accepted after all is no reason.
        assert_eq!((0..5 * AGAIN).filter(|_| !r.blocks(&real)).count(), 5);
        r.note(&real, false);
        assert!(!r.blocks(&real));
    }
}
