//! Finite sets (cvc5's theory of sets).

use crate::compound::List;
use crate::limit::{Limit, MAX_LENGTH};
use crate::value::Value;
use std::cmp::Ordering;

/// A finite set of canonical values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Set {
    /// Sorted, none twice.
    elements: List,
}

impl Set {
    /// The set of these values; `None` if one is not canonical.
    pub fn new(mut elements: Vec<Value>) -> Option<Result<Set, Limit>> {
        if !elements.iter().all(Value::is_canonical) {
            return None;
        }
        elements.sort_by(|a, b| a.order(b));
        elements.dedup();
        Some(Set::sorted(elements))
    }

    fn sorted(elements: Vec<Value>) -> Result<Set, Limit> {
        if elements.len() > MAX_LENGTH {
            return Err(Limit::TooLarge);
        }
        Ok(Set { elements: List::new(elements)? })
    }

    /// The elements in their order.
    pub fn elements(&self) -> &List {
        &self.elements
    }

    pub(crate) fn depth(&self) -> u16 {
        self.elements.depth()
    }

    /// `(set.card s)`
    pub fn card(&self) -> usize {
        self.elements.len()
    }

    /// `(set.member x s)`; `None` if the value is not canonical and it is not decided which element it is.
    pub fn member(&self, x: &Value) -> Option<bool> {
        let items = self.elements.items();
        if x.is_canonical() {
            return Some(items.binary_search_by(|e| e.order(x)).is_ok());
        }
        let mut known = true;
        for e in items {
            match e.equals(x) {
                Some(true) => return Some(true),
                Some(false) => {}
                None => known = false,
            }
        }
        known.then_some(false)
    }

    fn merge(&self, other: &Set, left: bool, both: bool, right: bool) -> Result<Set, Limit> {
        let (a, b) = (self.elements.items(), other.elements.items());
        let (mut i, mut j, mut kept) = (0, 0, Vec::new());
        while i < a.len() || j < b.len() {
            let order = match (a.get(i), b.get(j)) {
                (Some(x), Some(y)) => x.order(y),
                (Some(_), None) => Ordering::Less,
                _ => Ordering::Greater,
            };
            let (wanted, from) = match order {
                Ordering::Less => (left, a.get(i)),
                Ordering::Equal => (both, a.get(i)),
                Ordering::Greater => (right, b.get(j)),
            };
            kept.extend(from.filter(|_| wanted).cloned());
            i += usize::from(order.is_le());
            j += usize::from(order.is_ge());
        }
        Set::sorted(kept)
    }

    /// `(set.union s t)`
    pub fn union(&self, other: &Set) -> Result<Set, Limit> {
        self.merge(other, true, true, true)
    }

    /// `(set.inter s t)`
    pub fn inter(&self, other: &Set) -> Result<Set, Limit> {
        self.merge(other, false, true, false)
    }

    /// `(set.minus s t)`
    pub fn minus(&self, other: &Set) -> Result<Set, Limit> {
        self.merge(other, true, false, false)
    }

    /// `(set.subset s t)`
    pub fn subset(&self, other: &Set) -> bool {
        self.elements.items().iter().all(|x| other.member(x) == Some(true))
    }

    /// `(set.choose s)`, if there is only one choice.
    pub fn only(&self) -> Option<&Value> {
        match self.elements.items() {
            [one] => Some(one),
            _ => None,
        }
    }
}
