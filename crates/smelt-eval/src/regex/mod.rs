//! Regular expressions (sort `RegLan`): hash-consed, simplified at construction, decided by derivatives.
//!
//! A [`RegexStore`] owns the expressions; [`Re`] names one. Complement, intersection and counted loops are nodes of
//! their own and never expanded: the derivative of `r{1000}` is that of `r` followed by `r{999}`. Derivatives are taken
//! lazily along a string and remembered for the whole range of characters that has the same derivative, so a test of
//! membership builds at most one new state per character.

mod derive;
mod matching;

use crate::limit::{Budget, Limit};
use crate::string::{MAX_CHAR, Str};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A regular expression of a [`RegexStore`]. Two equal ids of one store are the same expression; different ids may
/// still denote the same language (see [`RegexStore::equivalent`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Re(u32);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Node {
    /// No string.
    None,
    /// The empty string.
    Empty,
    /// Every string.
    All,
    /// One character of a range; not empty.
    Range(u32, u32),
    /// The first is never a `Concat`.
    Concat(Re, Re),
    Star(Re),
    /// From `.1` to `.2` times; the upper bound is at least 2, and the lower is 0 if the body is nullable.
    Loop(Re, u32, u32),
    /// Two or more, sorted, none a `Union`.
    Union(Arc<[Re]>),
    /// Two or more, sorted, none an `Inter`.
    Inter(Arc<[Re]>),
    /// Never of a `Complement`, `None` or `All`.
    Complement(Re),
}

#[derive(Clone, Debug)]
struct Entry {
    node: Node,
    nullable: bool,
    /// Derivatives known so far: for the characters `.0 ..= .1` it is `.2`.
    derivatives: Vec<(u32, u32, Re)>,
}

/// The owner of regular expressions.
#[derive(Clone, Debug)]
pub struct RegexStore {
    entries: Vec<Entry>,
    ids: FxHashMap<Node, Re>,
}

const NONE: Re = Re(0);
const EMPTY: Re = Re(1);
const ALL: Re = Re(2);
const ALLCHAR: Re = Re(3);

impl Default for RegexStore {
    fn default() -> RegexStore {
        RegexStore::new()
    }
}

impl RegexStore {
    /// A store with the constants only.
    pub fn new() -> RegexStore {
        let mut store = RegexStore { entries: Vec::new(), ids: FxHashMap::default() };
        // In the order of the constants above.
        store.intern(Node::None);
        store.intern(Node::Empty);
        store.intern(Node::All);
        store.intern(Node::Range(0, MAX_CHAR));
        store
    }

    /// How many expressions the store holds; they live as long as the store.
    pub fn size(&self) -> usize {
        self.entries.len()
    }

    fn intern(&mut self, node: Node) -> Re {
        if let Some(&id) = self.ids.get(&node) {
            return id;
        }
        let nullable = match &node {
            Node::None | Node::Range(..) => false,
            Node::Empty | Node::All | Node::Star(_) => true,
            Node::Concat(a, b) => self.nullable(*a) && self.nullable(*b),
            Node::Loop(a, low, _) => *low == 0 || self.nullable(*a),
            Node::Union(parts) => parts.iter().any(|&p| self.nullable(p)),
            Node::Inter(parts) => parts.iter().all(|&p| self.nullable(p)),
            Node::Complement(a) => !self.nullable(*a),
        };
        let id = Re(self.entries.len() as u32);
        self.entries.push(Entry { node: node.clone(), nullable, derivatives: Vec::new() });
        self.ids.insert(node, id);
        id
    }

    fn node(&self, re: Re) -> &Node {
        &self.entries[re.0 as usize].node
    }

    /// Does the language hold the empty string?
    pub fn nullable(&self, re: Re) -> bool {
        self.entries[re.0 as usize].nullable
    }

    /// `re.none`.
    pub fn none(&self) -> Re {
        NONE
    }

    /// `re.all`.
    pub fn all(&self) -> Re {
        ALL
    }

    /// `re.allchar`.
    pub fn allchar(&self) -> Re {
        ALLCHAR
    }

    /// `(str.to_re s)`.
    pub fn literal(&mut self, text: &Str) -> Re {
        let mut re = EMPTY;
        for c in text.iter().rev() {
            let first = self.intern(Node::Range(c, c));
            re = if re == EMPTY { first } else { self.intern(Node::Concat(first, re)) };
        }
        re
    }

    /// `(re.range s t)`: the characters from that of `s` to that of `t`; nothing unless both are single characters.
    pub fn range(&mut self, from: &Str, to: &Str) -> Re {
        match (from.len(), to.len(), from.get(0), to.get(0)) {
            (1, 1, Some(low), Some(high)) if low <= high => self.intern(Node::Range(low, high)),
            _ => NONE,
        }
    }

    /// `(re.++ r s)`.
    pub fn concat(&mut self, first: Re, second: Re) -> Re {
        // The cost is that of walking `first`, which exists already: no bound needed.
        self.concat_within(first, second, &mut Budget::new(u64::MAX)).unwrap_or(NONE)
    }

    fn concat_within(&mut self, first: Re, second: Re, budget: &mut Budget) -> Result<Re, Limit> {
        if first == NONE || second == NONE {
            return Ok(NONE);
        }
        if second == EMPTY {
            return Ok(first);
        }
        // Nest to the right: (a·(b·c))·d becomes a·(b·(c·d)).
        let (mut parts, mut last) = (Vec::new(), first);
        while let Node::Concat(a, b) = self.node(last) {
            parts.push(*a);
            last = *b;
        }
        parts.push(last);
        budget.spend(parts.len())?;
        let mut re = second;
        for &part in parts.iter().rev() {
            re = match (part, re) {
                (EMPTY, re) => re,
                (ALL, ALL) => ALL,
                // Σ*·Σ*·r = Σ*·r
                (ALL, re) if matches!(self.node(re), Node::Concat(ALL, _)) => re,
                (part, re) => self.intern(Node::Concat(part, re)),
            };
        }
        Ok(re)
    }

    /// `(re.* r)`.
    pub fn star(&mut self, mut re: Re) -> Re {
        // (r{0,n})* and (r{1,n})* are r*.
        while let Node::Loop(body, 0 | 1, _) = self.node(re) {
            re = *body;
        }
        match self.node(re) {
            Node::None | Node::Empty => EMPTY,
            Node::All | Node::Range(0, MAX_CHAR) => ALL,
            Node::Star(_) => re,
            _ => self.intern(Node::Star(re)),
        }
    }

    /// `(re.+ r)`.
    pub fn plus(&mut self, re: Re) -> Re {
        let star = self.star(re);
        self.concat(re, star)
    }

    /// `(re.opt r)`.
    pub fn opt(&mut self, re: Re) -> Re {
        self.union(&[EMPTY, re])
    }

    /// `((_ re.^ n) r)`.
    pub fn power(&mut self, re: Re, n: u32) -> Re {
        self.repeat(re, n, n)
    }

    /// `((_ re.loop low high) r)`; nothing if `low > high`.
    pub fn repeat(&mut self, re: Re, low: u32, high: u32) -> Re {
        if low > high {
            return NONE;
        }
        match (self.node(re), low, high) {
            (_, _, 0) => return EMPTY,
            (_, 1, 1) => return re,
            (Node::None, 0, _) | (Node::Empty, ..) => return EMPTY,
            (Node::None, ..) => return NONE,
            // Nullable and closed under concatenation.
            (Node::All | Node::Star(_), ..) => return re,
            _ => {}
        }
        // A nullable body reaches any smaller count with empty strings.
        let low = if self.nullable(re) { 0 } else { low };
        if (low, high) == (0, 1) {
            return self.opt(re);
        }
        self.intern(Node::Loop(re, low, high))
    }

    /// z3's `((_ re.loop low) r)`: `low` times or more.
    pub fn repeat_from(&mut self, re: Re, low: u32) -> Re {
        let (head, star) = (self.power(re, low), self.star(re));
        self.concat(head, star)
    }

    /// `(re.comp r)`.
    pub fn complement(&mut self, re: Re) -> Re {
        match self.node(re) {
            Node::None => ALL,
            Node::All => NONE,
            Node::Complement(body) => *body,
            _ => self.intern(Node::Complement(re)),
        }
    }

    /// `(re.diff r s)`.
    pub fn diff(&mut self, first: Re, second: Re) -> Re {
        let not = self.complement(second);
        self.inter(&[first, not])
    }

    /// `(re.union …)`.
    pub fn union(&mut self, parts: &[Re]) -> Re {
        let mut all: Vec<Re> = Vec::with_capacity(parts.len());
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        for &part in parts {
            match self.node(part) {
                Node::Union(inner) => all.extend_from_slice(inner),
                _ => all.push(part),
            }
        }
        all.retain(|&part| match self.entries[part.0 as usize].node {
            Node::Range(low, high) => {
                ranges.push((low, high));
                false
            }
            Node::None => false,
            _ => true,
        });
        for (low, high) in merged(ranges) {
            let range = self.intern(Node::Range(low, high));
            all.push(range);
        }
        all.sort_unstable();
        all.dedup();
        if all.contains(&EMPTY) && all.iter().any(|&p| p != EMPTY && self.nullable(p)) {
            all.retain(|&p| p != EMPTY);
        }
        if all.contains(&ALL) || self.has_complements(&all) {
            return ALL;
        }
        match all[..] {
            [] => NONE,
            [one] => one,
            _ => self.intern(Node::Union(all.into())),
        }
    }

    /// `(re.inter …)`.
    pub fn inter(&mut self, parts: &[Re]) -> Re {
        let mut all: Vec<Re> = Vec::with_capacity(parts.len());
        for &part in parts {
            match self.node(part) {
                Node::Inter(inner) => all.extend_from_slice(inner),
                _ => all.push(part),
            }
        }
        all.sort_unstable();
        all.dedup();
        all.retain(|&p| p != ALL);
        let mut range: Option<(u32, u32)> = None;
        all.retain(|&part| match self.entries[part.0 as usize].node {
            Node::Range(low, high) => {
                let (l, h) = range.unwrap_or((0, MAX_CHAR));
                range = Some((l.max(low), h.min(high)));
                false
            }
            _ => true,
        });
        if let Some((low, high)) = range {
            if low > high {
                return NONE;
            }
            let one = self.intern(Node::Range(low, high));
            if let Err(at) = all.binary_search(&one) {
                all.insert(at, one);
            }
        }
        if all.contains(&NONE) || self.has_complements(&all) {
            return NONE;
        }
        if all.contains(&EMPTY) {
            return if all.iter().all(|&p| self.nullable(p)) { EMPTY } else { NONE };
        }
        match all[..] {
            [] => ALL,
            [one] => one,
            _ => self.intern(Node::Inter(all.into())),
        }
    }

    /// Is there some expression together with its complement? The list is sorted.
    fn has_complements(&self, sorted: &[Re]) -> bool {
        sorted.iter().any(|&p| match self.node(p) {
            Node::Complement(body) => sorted.binary_search(body).is_ok(),
            _ => false,
        })
    }
}

/// The characters of some ranges, as disjoint ranges with gaps between them.
fn merged(mut ranges: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    ranges.sort_unstable();
    let mut result: Vec<(u32, u32)> = Vec::with_capacity(ranges.len());
    for (low, high) in ranges {
        match result.last_mut() {
            Some((_, end)) if low <= *end + 1 => *end = (*end).max(high),
            _ => result.push((low, high)),
        }
    }
    result
}
