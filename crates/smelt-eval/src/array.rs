//! Array values: a default and finitely many exceptions.

use crate::limit::{Limit, MAX_LENGTH};
use crate::open::Open;
use crate::value::{MAX_DEPTH, Value, all};
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

/// How many values a sort has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Extent {
    /// Exactly so many.
    Exactly(u64),
    /// At least so many; whether there are others is open, as with a free sort whose elements are not all listed.
    AtLeast(u64),
    /// Infinitely many, or more than a machine word counts, which can never all be listed.
    Infinite,
}

impl From<Option<u64>> for Extent {
    /// `None` is infinite.
    fn from(size: Option<u64>) -> Extent {
        size.map_or(Extent::Infinite, Extent::Exactly)
    }
}

/// An array. Entries are sorted by index and differ from the default; indices are canonical.
///
/// Arrays are compared by what they hold. How many indices there are is known of the sort, and is no part of the value.
#[derive(Clone, Debug)]
pub struct Array {
    default: Value,
    entries: Vec<(Value, Value)>,
    /// How many values the index sort has.
    domain: Extent,
    depth: u16,
    canonical: bool,
    open: Option<Open>,
}

impl PartialEq for Array {
    fn eq(&self, other: &Array) -> bool {
        self.default == other.default && self.entries == other.entries
    }
}

impl Eq for Array {}

impl Hash for Array {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.default.hash(state);
        self.entries.hash(state);
    }
}

impl Array {
    /// `((as const …) default)`, with the number of values of the index sort (`None` for infinitely many).
    pub fn constant(default: Value, domain: impl Into<Extent>) -> Result<Array, Limit> {
        Array::build(default, Vec::new(), domain.into())
    }

    /// An array of a default and entries, the later ones winning; `None` if an index is not canonical.
    pub fn new(
        default: Value,
        entries: impl IntoIterator<Item = (Value, Value)>,
        domain: impl Into<Extent>,
    ) -> Option<Result<Array, Limit>> {
        let mut list: Vec<(Value, Value)> = entries.into_iter().collect();
        if !list.iter().all(|(index, _)| index.is_canonical()) {
            return None;
        }
        // Stable: of equal indices the last one stays last, and wins.
        list.sort_by(|a, b| a.0.order(&b.0));
        let mut kept: Vec<(Value, Value)> = Vec::with_capacity(list.len());
        for entry in list {
            match kept.last_mut() {
                Some(last) if last.0 == entry.0 => *last = entry,
                _ => kept.push(entry),
            }
        }
        Some(Array::build(default, kept, domain.into()))
    }

    /// The entries are sorted and without repetition.
    fn build(
        default: Value,
        mut entries: Vec<(Value, Value)>,
        domain: Extent,
    ) -> Result<Array, Limit> {
        if default.is_canonical() {
            entries.retain(|(_, v)| *v != default);
        }
        if entries.len() > MAX_LENGTH {
            return Err(Limit::TooLarge);
        }
        let inner = entries.iter().map(|(i, v)| i.depth().max(v.depth())).max().unwrap_or(0);
        let depth = inner.max(default.depth()) + 1;
        if depth > MAX_DEPTH {
            return Err(Limit::TooLarge);
        }
        // Over a finite domain, another value may serve as the default, unless this one has the majority. (What is only
        // known to be large may be larger still: then the default has it all the more.)
        let unique = match domain {
            Extent::Infinite => true,
            Extent::Exactly(n) | Extent::AtLeast(n) => {
                entries.is_empty() || (entries.len() as u64).saturating_mul(2) < n
            }
        };
        let canonical =
            unique && default.is_canonical() && entries.iter().all(|(_, v)| v.is_canonical());
        let open = entries.iter().find_map(|(_, v)| v.open_part()).or(default.open_part());
        Ok(Array { default, entries, domain, depth, canonical, open })
    }

    /// The default.
    pub fn default(&self) -> &Value {
        &self.default
    }

    /// The entries that differ from the default, sorted by index.
    pub fn entries(&self) -> &[(Value, Value)] {
        &self.entries
    }

    /// How many values the index sort has.
    pub fn domain(&self) -> Extent {
        self.domain
    }

    pub(crate) fn is_canonical(&self) -> bool {
        self.canonical
    }

    pub(crate) fn depth(&self) -> u16 {
        self.depth
    }

    pub(crate) fn open_part(&self) -> Option<Open> {
        self.open
    }

    fn find(&self, index: &Value) -> Result<usize, usize> {
        self.entries.binary_search_by(|(i, _)| i.order(index))
    }

    /// `(select a i)`; `None` if it is not decided which entry the index is.
    pub fn select(&self, index: &Value) -> Option<&Value> {
        if index.is_canonical() {
            return Some(self.find(index).map_or(&self.default, |at| &self.entries[at].1));
        }
        for (i, value) in &self.entries {
            if i.equals(index)? {
                return Some(value);
            }
        }
        Some(&self.default)
    }

    /// `(store a i v)`; `None` if the index is not canonical.
    pub fn store(&self, index: Value, value: Value) -> Option<Result<Array, Limit>> {
        if !index.is_canonical() {
            return None;
        }
        let mut entries = self.entries.clone();
        match self.find(&index) {
            Ok(at) => entries[at].1 = value,
            Err(at) => entries.insert(at, (index, value)),
        }
        Some(Array::build(self.default.clone(), entries, self.domain))
    }

    /// Extensional equality: equal at every index. Over a finite domain the defaults do not matter if all indices are
    /// listed; where that is open, defaults that differ decide nothing.
    pub fn equals(&self, other: &Array) -> Option<bool> {
        let mut listed = 0u64;
        let (mut i, mut j) = (0, 0);
        let mut parts = Vec::new();
        while i < self.entries.len() || j < other.entries.len() {
            let order = match (self.entries.get(i), other.entries.get(j)) {
                (Some(a), Some(b)) => a.0.order(&b.0),
                (Some(_), None) => Ordering::Less,
                _ => Ordering::Greater,
            };
            let a = if order.is_le() { &self.entries[i].1 } else { &self.default };
            let b = if order.is_ge() { &other.entries[j].1 } else { &other.default };
            i += usize::from(order.is_le());
            j += usize::from(order.is_ge());
            listed += 1;
            parts.push(a.equals(b));
        }
        let defaults = || self.default.equals(&other.default);
        match self.domain {
            Extent::Exactly(n) if listed >= n => {}
            Extent::AtLeast(n) if listed >= n.max(1) => parts.push(defaults().filter(|same| *same)),
            _ => parts.push(defaults()),
        }
        all(parts.into_iter())
    }

    /// The array in the canonical form, given all values of its finite index sort: the most frequent element
    /// is the default, the least one of several. `None` if an element is not canonical.
    pub fn canonicalised(&self, indices: &[Value]) -> Option<Result<Array, Limit>> {
        let mut elements = Vec::with_capacity(indices.len());
        for index in indices {
            elements.push(self.select(index).filter(|v| v.is_canonical())?);
        }
        let mut sorted = elements.clone();
        sorted.sort_by(|a, b| a.order(b));
        let runs = sorted.chunk_by(|a, b| a == b);
        // The first of the longest runs.
        let best = runs
            .fold(&[][..], |best: &[&Value], run| if run.len() > best.len() { run } else { best });
        let default = best.first().map_or_else(|| self.default.clone(), |v| (*v).clone());
        let entries = indices.iter().cloned().zip(elements.into_iter().cloned());
        let array = Array::new(default, entries, self.domain)?;
        Some(array.map(|a| Array { canonical: true, ..a }))
    }

    pub(crate) fn order(&self, other: &Array) -> Ordering {
        let pairs = self.entries.iter().zip(&other.entries);
        let differing = pairs
            .map(|(a, b)| a.0.order(&b.0).then_with(|| a.1.order(&b.1)))
            .find(|order| order.is_ne());
        self.default
            .order(&other.default)
            .then_with(|| differing.unwrap_or(Ordering::Equal))
            .then_with(|| self.entries.len().cmp(&other.entries.len()))
    }
}
