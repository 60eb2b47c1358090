//! The two pools of fragments under one assignment.

use std::sync::Arc;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use smelt_eval::Model;
use smelt_eval::incremental::Incremental;
use smelt_smtlib::{Arena, Head, Op, Sort, Term};

use crate::effort::limits;

/// A formula with its value under the pool's assignment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fragment {
    pub term: Term,
    pub value: bool,
}

/// Fragments of a seed, and formulas built of them.
pub(super) struct Pool {
    /// Values of all terms under the assignment.
    pub values: Incremental,
    /// The assignment: the witness of what is made of this pool.
    pub model: Arc<Model>,
    initial: Vec<Fragment>,
    built: Vec<Fragment>,
}

impl Pool {
    /// The initial pool; `None` if nothing has a known value.
    pub fn fill(a: &mut Arena, model: Model, roots: &[Term], dmax: u32) -> Option<Self> {
        let mut values = Incremental::with_limits(model.clone(), limits());
        let mut initial = Vec::new();
        for term in a.dag(roots) {
            let constant = matches!(a.head(term), Head::Op(Op::True | Op::False, _));
            if a.sort(term) == Sort::BOOL
                && a.is_closed(term)
                && a.depth(term) <= dmax
                && !constant
                && let Some(value) = values.holds(a, term)
            {
                initial.push(Fragment { term, value });
            }
        }
        if initial.is_empty() {
            return None;
        }
        Some(Self { values, model: Arc::new(model), initial, built: Vec::new() })
    }

    pub fn initial_len(&self) -> usize {
        self.initial.len()
    }

    /// Builds `nc` formulas of at most this depth.
    pub fn build(&mut self, a: &mut Arena, nc: usize, dmax: u32, random: &mut ChaCha8Rng) {
        // Where everything is as deep as allowed, nothing can be built: give up after a while.
        for _ in 0..20 * nc {
            if self.built.len() == nc {
                break;
            }
            let first = self.pick(random);
            let (made, value) = if random.random_bool(0.5) {
                let second = self.pick(random);
                let made = a.app(Op::And, &[], &[first.term, second.term]);
                (made, first.value && second.value)
            } else {
                (a.app(Op::Not, &[], &[first.term]), !first.value)
            };
            if let Ok(term) = made
                && a.depth(term) <= dmax
            {
                self.built.push(Fragment { term, value });
            }
        }
    }

    /// A formula of either pool.
    pub fn pick(&self, random: &mut ChaCha8Rng) -> Fragment {
        let initial = self.built.is_empty() || random.random_bool(0.3);
        let from = if initial { &self.initial } else { &self.built };
        from[random.random_range(0..from.len())]
    }

    /// The fragment as a formula with this value, checked by the evaluator.
    pub fn as_value(&mut self, a: &mut Arena, f: Fragment, wanted: bool) -> Option<Term> {
        let t = if f.value == wanted { f.term } else { a.app(Op::Not, &[], &[f.term]).ok()? };
        (self.values.holds(a, t) == Some(wanted)).then_some(t)
    }
}
