//! Operators on sequences (z3, cvc5): those of strings, over elements of any sort.
//!
//! Elements that are not canonical are compared with three values; `None` means that the answer hangs on a comparison
//! that is not decided.

use crate::compound::List;
use crate::int::Int;
use crate::limit::{Limit, MAX_LENGTH};
use crate::value::{Value, all};

fn same(a: &[Value], b: &[Value]) -> Option<bool> {
    all(a.iter().zip(b).map(|(x, y)| x.equals(y)))
}

fn join(parts: &[&[Value]]) -> Result<List, Limit> {
    if parts.iter().map(|p| p.len()).sum::<usize>() > MAX_LENGTH {
        return Err(Limit::TooLarge);
    }
    List::new(parts.concat())
}

impl List {
    /// `(seq.++ s t)`
    pub fn concat(&self, other: &List) -> Result<List, Limit> {
        join(&[self.items(), other.items()])
    }

    /// `(seq.nth s i)`; `None` outside, where the value is not specified.
    pub fn nth(&self, i: &Int) -> Option<&Value> {
        self.items().get(i.to_usize()?)
    }

    /// `(seq.extract s i n)`, as `str.substr`.
    pub fn extract(&self, i: &Int, n: &Int) -> Result<List, Limit> {
        let from = i.to_usize().filter(|&i| i < self.len());
        let (Some(from), true) = (from, n.signum() > 0) else { return List::new(Vec::new()) };
        let to = n.to_usize().and_then(|n| from.checked_add(n)).unwrap_or(usize::MAX);
        List::new(self.items()[from..to.min(self.len())].to_vec())
    }

    /// `(seq.at s i)`, as `str.at`.
    pub fn at(&self, i: &Int) -> Result<List, Limit> {
        self.extract(i, &Int::ONE)
    }

    /// The first occurrence at or after `from`: `Some(None)` if there is none.
    fn find(&self, needle: &List, from: usize) -> Option<Option<usize>> {
        if from > self.len() {
            return Some(None);
        }
        for at in from..=self.len() {
            let Some(window) = self.items().get(at..at + needle.len()) else { break };
            if same(window, needle.items())? {
                return Some(Some(at));
            }
        }
        Some(None)
    }

    /// `(seq.contains s t)`
    pub fn contains(&self, t: &List) -> Option<bool> {
        Some(self.find(t, 0)?.is_some())
    }

    /// `(seq.prefixof s t)`: is `self` a prefix of `of`?
    pub fn prefix_of(&self, of: &List) -> Option<bool> {
        match of.items().get(..self.len()) {
            Some(head) => same(self.items(), head),
            None => Some(false),
        }
    }

    /// `(seq.suffixof s t)`: is `self` a suffix of `of`?
    pub fn suffix_of(&self, of: &List) -> Option<bool> {
        match of.len().checked_sub(self.len()) {
            Some(from) => same(self.items(), &of.items()[from..]),
            None => Some(false),
        }
    }

    /// `(seq.indexof s t i)`, as `str.indexof`.
    pub fn index_of(&self, t: &List, i: &Int) -> Option<Int> {
        let found = match i.to_usize() {
            Some(from) => self.find(t, from)?,
            None => None,
        };
        Some(found.map_or(Int::NEG_ONE, Int::from))
    }

    /// z3's `(seq.last_indexof s t)`: the last occurrence, −1 if there is none.
    pub fn last_index_of(&self, t: &List) -> Option<Int> {
        let Some(last) = self.len().checked_sub(t.len()) else { return Some(Int::NEG_ONE) };
        for at in (0..=last).rev() {
            if same(&self.items()[at..at + t.len()], t.items())? {
                return Some(Int::from(at));
            }
        }
        Some(Int::NEG_ONE)
    }

    /// `(seq.replace s t u)`, as `str.replace`.
    pub fn replace(&self, t: &List, u: &List) -> Option<Result<List, Limit>> {
        let Some(at) = self.find(t, 0)? else { return Some(Ok(self.clone())) };
        Some(join(&[&self.items()[..at], u.items(), &self.items()[at + t.len()..]]))
    }

    /// `(seq.replace_all s t u)`, as `str.replace_all`.
    pub fn replace_all(&self, t: &List, u: &List) -> Option<Result<List, Limit>> {
        if t.is_empty() {
            return Some(Ok(self.clone()));
        }
        let (mut parts, mut done) = (Vec::new(), 0);
        while let Some(at) = self.find(t, done)? {
            parts.push(&self.items()[done..at]);
            parts.push(u.items());
            done = at + t.len();
        }
        parts.push(&self.items()[done..]);
        Some(join(&parts))
    }

    /// cvc5's `(seq.rev s)`
    pub fn rev(&self) -> Result<List, Limit> {
        List::new(self.items().iter().rev().cloned().collect())
    }

    /// cvc5's `(seq.update s i t)`, as `str.update`.
    pub fn update(&self, i: &Int, t: &List) -> Result<List, Limit> {
        let Some(from) = i.to_usize().filter(|&i| i < self.len()) else { return Ok(self.clone()) };
        let mut items = self.items().to_vec();
        for (to, x) in items[from..].iter_mut().zip(t.items()) {
            *to = x.clone();
        }
        List::new(items)
    }
}
