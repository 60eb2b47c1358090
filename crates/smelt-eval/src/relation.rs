//! Relations: sets of tuples (cvc5's theory of relations). `None` where an element is not a tuple of the needed
//! length, which well-sortedness excludes.

use crate::compound::{Data, Tag};
use crate::limit::{Budget, Limit};
use crate::set::Set;
use crate::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};

/// Most pairs a product or a closure looks at.
const MOST: u64 = 1 << 22;

fn fields(value: &Value) -> Option<&[Value]> {
    match value {
        Value::Data(d) if d.tag() == Tag::Tuple => Some(d.fields().items()),
        _ => None,
    }
}

fn set(tuples: Vec<Vec<Value>>) -> Option<Result<Set, Limit>> {
    let values: Result<Vec<Value>, Limit> = tuples.into_iter().map(Value::tuple).collect();
    match values {
        Ok(values) => Set::new(values),
        Err(limit) => Some(Err(limit)),
    }
}

/// The tuple of the fields at these places; `None` if there is no such field.
pub fn project_tuple(tuple: &Data, places: &[u32]) -> Option<Result<Data, Limit>> {
    let chosen: Option<Vec<Value>> =
        places.iter().map(|&i| tuple.field(i as usize).cloned()).collect();
    chosen.map(|fields| Data::new(Tag::Tuple, fields))
}

/// Rows that agree at these places, together; `None` if a row has no such place.
pub fn grouped(rows: &[Value], places: &[u32]) -> Option<Vec<Vec<Value>>> {
    let mut at: FxHashMap<Vec<&Value>, usize> = FxHashMap::default();
    let mut groups: Vec<Vec<Value>> = Vec::new();
    for row in rows {
        let row_fields = fields(row)?;
        let key: Option<Vec<&Value>> = places.iter().map(|&i| row_fields.get(i as usize)).collect();
        let group = *at.entry(key?).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[group].push(row.clone());
    }
    Some(groups)
}

impl Set {
    fn tuples(&self) -> Option<Vec<&[Value]>> {
        self.elements().items().iter().map(fields).collect()
    }

    /// `(rel.transpose r)`: every tuple reversed.
    pub fn transpose(&self) -> Option<Result<Set, Limit>> {
        set(self.tuples()?.into_iter().map(|t| t.iter().rev().cloned().collect()).collect())
    }

    /// `(rel.product r s)`: every tuple of `r` followed by every one of `s`.
    pub fn product(&self, other: &Set) -> Option<Result<Set, Limit>> {
        self.join_where(other, |_, _| true, |a, b| [a, b].concat())
    }

    /// `(rel.join r s)`: tuples where the last field of the one is the first of the other, both left out.
    pub fn join(&self, other: &Set) -> Option<Result<Set, Limit>> {
        let empty = |tuples: Vec<&[Value]>| tuples.iter().any(|t| t.is_empty());
        if empty(self.tuples()?) || empty(other.tuples()?) {
            return None;
        }
        self.join_where(
            other,
            |a, b| a.last() == b.first(),
            |a, b| [&a[..a.len() - 1], &b[1..]].concat(),
        )
    }

    /// `((_ rel.table_join m1 n1 …) r s)`: the product, of tuples that agree at the places `m1` and `n1`, … .
    pub fn table_join(&self, other: &Set, places: &[u32]) -> Option<Result<Set, Limit>> {
        let agree = |a: &[Value], b: &[Value]| {
            places.chunks_exact(2).all(|p| a.get(p[0] as usize) == b.get(p[1] as usize))
        };
        self.join_where(other, agree, |a, b| [a, b].concat())
    }

    fn join_where(
        &self,
        other: &Set,
        agree: impl Fn(&[Value], &[Value]) -> bool,
        make: impl Fn(&[Value], &[Value]) -> Vec<Value>,
    ) -> Option<Result<Set, Limit>> {
        let (left, right) = (self.tuples()?, other.tuples()?);
        if (left.len() as u64).saturating_mul(right.len() as u64) > MOST {
            return Some(Err(Limit::TooLarge));
        }
        let pairs = left.iter().flat_map(|a| right.iter().map(move |b| (*a, *b)));
        set(pairs.filter(|(a, b)| agree(a, b)).map(|(a, b)| make(a, b)).collect())
    }

    /// `(rel.iden s)`: `(x, x)` for every `(x)`.
    pub fn iden(&self) -> Option<Result<Set, Limit>> {
        let doubled: Option<Vec<_>> = self
            .tuples()?
            .into_iter()
            .map(|t| match t {
                [x] => Some(vec![x.clone(), x.clone()]),
                _ => None,
            })
            .collect();
        set(doubled?)
    }

    /// `(rel.tclosure r)`: the least transitive relation that holds the binary relation.
    pub fn transitive_closure(&self) -> Option<Result<Set, Limit>> {
        let mut next: FxHashMap<&Value, Vec<&Value>> = FxHashMap::default();
        let mut starts = Vec::new();
        for tuple in self.tuples()? {
            let [a, b] = tuple else { return None };
            let list = next.entry(a).or_default();
            if list.is_empty() {
                starts.push(a);
            }
            list.push(b);
        }
        let mut budget = Budget::new(MOST);
        let mut closure = Vec::new();
        for start in starts {
            // Everything reachable by one step or more.
            let (mut seen, mut open) = (FxHashSet::default(), vec![start]);
            while let Some(x) = open.pop() {
                for &y in next.get(x).into_iter().flatten() {
                    if let Err(limit) = budget.spend(1) {
                        return Some(Err(limit));
                    }
                    if seen.insert(y) {
                        open.push(y);
                        closure.push(vec![start.clone(), y.clone()]);
                    }
                }
            }
        }
        set(closure)
    }

    /// `(rel.join_image r n)`: the `(x)` that the binary relation relates to `n` or more elements.
    pub fn join_image(&self, n: usize) -> Option<Result<Set, Limit>> {
        let mut count: FxHashMap<&Value, usize> = FxHashMap::default();
        let mut firsts = Vec::new();
        for tuple in self.tuples()? {
            let [a, _] = tuple else { return None };
            *count.entry(a).or_default() += 1;
            firsts.push(a);
        }
        set(firsts.into_iter().filter(|a| count[a] >= n).map(|a| vec![a.clone()]).collect())
    }

    /// `((_ rel.project i …) r)`
    pub fn project(&self, places: &[u32]) -> Option<Result<Set, Limit>> {
        let projected: Option<Vec<Vec<Value>>> = self
            .tuples()?
            .into_iter()
            .map(|t| places.iter().map(|&i| t.get(i as usize).cloned()).collect())
            .collect();
        set(projected?)
    }
}
