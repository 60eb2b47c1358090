//! Finite bags (multisets; cvc5's theory of bags).

use crate::int::Int;
use crate::limit::{Limit, MAX_LENGTH};
use crate::set::Set;
use crate::value::{MAX_DEPTH, Value};
use std::cmp::Ordering;

/// A finite multiset of canonical values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bag {
    /// Sorted by element; the multiplicities are positive.
    entries: Vec<(Value, Int)>,
    depth: u16,
}

impl Bag {
    /// The bag of these values, each so often as all its entries say together; a negative number counts as zero.
    /// `None` if a value is not canonical.
    pub fn new(entries: Vec<(Value, Int)>) -> Option<Result<Bag, Limit>> {
        if !entries.iter().all(|(v, _)| v.is_canonical()) {
            return None;
        }
        let mut entries: Vec<_> = entries.into_iter().filter(|(_, n)| n.signum() > 0).collect();
        entries.sort_by(|a, b| a.0.order(&b.0));
        let mut kept: Vec<(Value, Int)> = Vec::with_capacity(entries.len());
        for (value, n) in entries {
            match kept.last_mut() {
                Some((last, count)) if *last == value => *count = count.add(&n),
                _ => kept.push((value, n)),
            }
        }
        Some(Bag::sorted(kept))
    }

    fn sorted(entries: Vec<(Value, Int)>) -> Result<Bag, Limit> {
        let depth = entries.iter().map(|(v, _)| v.depth()).max().unwrap_or(0) + 1;
        if depth > MAX_DEPTH || entries.len() > MAX_LENGTH {
            return Err(Limit::TooLarge);
        }
        Ok(Bag { entries, depth })
    }

    /// The elements with their multiplicities.
    pub fn entries(&self) -> &[(Value, Int)] {
        &self.entries
    }

    pub(crate) fn depth(&self) -> u16 {
        self.depth
    }

    /// `(bag.count x b)`; `None` if the value is not canonical.
    pub fn count(&self, x: &Value) -> Option<Int> {
        if !x.is_canonical() {
            return None;
        }
        let found = self.entries.binary_search_by(|(e, _)| e.order(x));
        Some(found.map_or(Int::ZERO, |at| self.entries[at].1.clone()))
    }

    /// `(bag.card b)`
    pub fn card(&self) -> Int {
        self.entries.iter().fold(Int::ZERO, |sum, (_, n)| sum.add(n))
    }

    /// Combines multiplicities, 0 for what is absent.
    fn merge(&self, other: &Bag, f: impl Fn(&Int, &Int) -> Int) -> Result<Bag, Limit> {
        let (a, b) = (&self.entries, &other.entries);
        let (mut i, mut j, mut kept) = (0, 0, Vec::new());
        while i < a.len() || j < b.len() {
            let order = match (a.get(i), b.get(j)) {
                (Some(x), Some(y)) => x.0.order(&y.0),
                (Some(_), None) => Ordering::Less,
                _ => Ordering::Greater,
            };
            let (value, left) =
                if order.is_le() { (&a[i].0, &a[i].1) } else { (&b[j].0, &Int::ZERO) };
            let right = if order.is_ge() { &b[j].1 } else { &Int::ZERO };
            let n = f(left, right);
            if n.signum() > 0 {
                kept.push((value.clone(), n));
            }
            i += usize::from(order.is_le());
            j += usize::from(order.is_ge());
        }
        Bag::sorted(kept)
    }

    /// `(bag.union_max a b)`
    pub fn union_max(&self, other: &Bag) -> Result<Bag, Limit> {
        self.merge(other, |m, n| m.max(n).clone())
    }

    /// `(bag.union_disjoint a b)`
    pub fn union_disjoint(&self, other: &Bag) -> Result<Bag, Limit> {
        self.merge(other, Int::add)
    }

    /// `(bag.inter_min a b)`
    pub fn inter_min(&self, other: &Bag) -> Result<Bag, Limit> {
        self.merge(other, |m, n| m.min(n).clone())
    }

    /// `(bag.difference_subtract a b)`
    pub fn difference_subtract(&self, other: &Bag) -> Result<Bag, Limit> {
        self.merge(other, Int::sub)
    }

    /// `(bag.difference_remove a b)`: without any element that `b` has.
    pub fn difference_remove(&self, other: &Bag) -> Result<Bag, Limit> {
        self.merge(other, |m, n| if n.is_zero() { m.clone() } else { Int::ZERO })
    }

    /// `(bag.subbag a b)`
    pub fn subbag(&self, other: &Bag) -> bool {
        self.entries.iter().all(|(v, n)| other.count(v).is_some_and(|m| *n <= m))
    }

    /// `(bag.setof b)`: each element once.
    pub fn setof(&self) -> Result<Bag, Limit> {
        Bag::sorted(self.entries.iter().map(|(v, _)| (v.clone(), Int::ONE)).collect())
    }

    /// `(bag.to_set b)`
    pub fn to_set(&self) -> Result<Set, Limit> {
        // The elements of a bag are canonical.
        Set::new(self.entries.iter().map(|(v, _)| v.clone()).collect())
            .unwrap_or(Err(Limit::TooLarge))
    }

    /// `(bag.from_set s)`
    pub fn from_set(set: &Set) -> Result<Bag, Limit> {
        Bag::sorted(set.elements().items().iter().map(|v| (v.clone(), Int::ONE)).collect())
    }

    /// `(bag.is_singleton b)`: one element, once.
    pub fn is_singleton(&self) -> bool {
        matches!(&self.entries[..], [(_, n)] if *n == Int::ONE)
    }

    /// `(bag.choose b)`, if there is only one choice.
    pub fn only(&self) -> Option<&Value> {
        match &self.entries[..] {
            [(one, _)] => Some(one),
            _ => None,
        }
    }

    pub(crate) fn order(&self, other: &Bag) -> Ordering {
        let pairs = self.entries.iter().zip(&other.entries);
        let differing =
            pairs.map(|(a, b)| a.0.order(&b.0).then_with(|| a.1.cmp(&b.1))).find(|o| o.is_ne());
        differing.unwrap_or_else(|| self.entries.len().cmp(&other.entries.len()))
    }
}
