//! Functions given by a finite table and a default.

use crate::compound::order_all;
use crate::limit::Limit;
use crate::value::{MAX_DEPTH, Value, all};

/// A function that has listed values at finitely many points and one value elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Table {
    /// Sorted by arguments, which are canonical.
    entries: Vec<(Box<[Value]>, Value)>,
    default: Value,
    depth: u16,
}

impl Table {
    /// A table; of equal arguments the first entry wins, as in a chain of `ite`. `None` if an argument is not
    /// canonical.
    pub fn new(
        entries: impl IntoIterator<Item = (Box<[Value]>, Value)>,
        default: Value,
    ) -> Option<Result<Table, Limit>> {
        let mut entries: Vec<_> = entries.into_iter().collect();
        if !entries.iter().all(|(args, _)| args.iter().all(Value::is_canonical)) {
            return None;
        }
        entries.sort_by(|a, b| order_all(&a.0, &b.0));
        entries.dedup_by(|later, first| later.0 == first.0);
        if default.is_canonical() {
            entries.retain(|(_, v)| *v != default);
        }
        let values = entries.iter().flat_map(|(args, v)| args.iter().chain([v]));
        let depth = values.chain([&default]).map(Value::depth).max().unwrap_or(0) + 1;
        Some(if depth > MAX_DEPTH {
            Err(Limit::TooLarge)
        } else {
            Ok(Table { entries, default, depth })
        })
    }

    /// The value at a point; `None` if it is not decided which entry the arguments are.
    pub fn apply(&self, args: &[Value]) -> Option<&Value> {
        if args.iter().all(Value::is_canonical) {
            let found = self.entries.binary_search_by(|(a, _)| order_all(a, args));
            return Some(found.map_or(&self.default, |at| &self.entries[at].1));
        }
        for (point, value) in &self.entries {
            if all(point.iter().zip(args).map(|(a, b)| a.equals(b)))? {
                return Some(value);
            }
        }
        Some(&self.default)
    }

    /// The value where nothing is listed.
    pub fn default(&self) -> &Value {
        &self.default
    }

    /// The listed points.
    pub fn entries(&self) -> &[(Box<[Value]>, Value)] {
        &self.entries
    }

    pub(crate) fn depth(&self) -> u16 {
        self.depth
    }

    /// Are two functions equal everywhere? A difference at a listed point is definite; a difference of the defaults is
    /// not, because all points may be listed.
    pub fn equals(&self, other: &Table) -> Option<bool> {
        let points = self.entries.iter().chain(&other.entries).map(|(args, _)| args);
        let listed = all(points.map(|p| self.apply(p)?.equals(other.apply(p)?)));
        match (listed, self.default.equals(&other.default)) {
            (Some(false), _) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        }
    }
}
