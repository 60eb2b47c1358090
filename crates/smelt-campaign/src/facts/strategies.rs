//! Which strategies make nothing of which seeds.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::plan::Plan;

/// A seed that a strategy has refused so often is nothing for it.
const ENOUGH: u32 = 3;

/// How often strategies have refused seeds.
#[derive(Default)]
pub struct Refused(Mutex<HashMap<(usize, &'static str), u32>>);

impl Refused {
    /// One more refusal.
    pub fn note(&self, seed: usize, strategy: &'static str) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *all.entry((seed, strategy)).or_insert(0) += 1;
    }

    /// The strategies of a plan, by number, that have not refused a seed again and again.
    pub fn usable(&self, plan: &Plan, seed: usize) -> Vec<usize> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let refused = |name| all.get(&(seed, name)).is_some_and(|n| *n >= ENOUGH);
        let numbered = plan.strategies.iter().enumerate();
        numbered.filter(|(_, (s, _))| !refused(s.name())).map(|(i, _)| i).collect()
    }
}
