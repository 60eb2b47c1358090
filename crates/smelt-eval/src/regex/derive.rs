//! Brzozowski derivatives, symbolic in the character.
//!
//! The derivative of `r` by a character `c` denotes the rests of the strings of `r` that begin with `c`. It is found
//! together with a range of characters around `c` for which it is the same, so the alphabet of 196,608 characters
//! never matters.

use super::{ALL, EMPTY, NONE, Node, Re, RegexStore};
use crate::limit::{Budget, Limit};
use crate::string::MAX_CHAR;

/// A derivative and the range of characters that have it.
#[derive(Clone, Copy)]
pub(super) struct Derivative {
    pub low: u32,
    pub high: u32,
    pub re: Re,
}

impl RegexStore {
    fn known(&self, re: Re, c: u32) -> Option<Derivative> {
        self.entries[re.0 as usize]
            .derivatives
            .iter()
            .find(|(low, high, _)| (*low..=*high).contains(&c))
            .map(|&(low, high, re)| Derivative { low, high, re })
    }

    /// The derivative of `root` by `c`. Works with its own stack: expressions may be nested deeply.
    pub(super) fn derive(
        &mut self,
        root: Re,
        c: u32,
        budget: &mut Budget,
    ) -> Result<Derivative, Limit> {
        let mut stack = vec![root];
        while let Some(&re) = stack.last() {
            if self.known(re, c).is_some() {
                stack.pop();
                continue;
            }
            budget.spend(1)?;
            let before = stack.len();
            match self.node(re) {
                Node::None | Node::Empty | Node::All | Node::Range(..) => {}
                &Node::Concat(a, b) => {
                    if self.nullable(a) && self.known(b, c).is_none() {
                        stack.push(b);
                    }
                    if self.known(a, c).is_none() {
                        stack.push(a);
                    }
                }
                &Node::Star(a) | &Node::Loop(a, ..) | &Node::Complement(a) => {
                    if self.known(a, c).is_none() {
                        stack.push(a);
                    }
                }
                Node::Union(parts) | Node::Inter(parts) => {
                    budget.spend(parts.len())?;
                    stack.extend(parts.iter().filter(|&&p| self.known(p, c).is_none()));
                }
            }
            if stack.len() == before {
                let found = self.combine(re, c, budget)?;
                let entry = &mut self.entries[re.0 as usize];
                entry.derivatives.push((found.low, found.high, found.re));
                stack.pop();
            }
        }
        Ok(self.child(root, c))
    }

    /// The derivative of a part, known by now.
    fn child(&self, re: Re, c: u32) -> Derivative {
        // `derive` computes parts before the whole; a missing part would be a bug of its stack.
        self.known(re, c).expect("the derivatives of the parts come first")
    }

    fn combine(&mut self, re: Re, c: u32, budget: &mut Budget) -> Result<Derivative, Limit> {
        let everywhere = |re| Derivative { low: 0, high: MAX_CHAR, re };
        Ok(match self.node(re).clone() {
            Node::None | Node::Empty => everywhere(NONE),
            Node::All => everywhere(ALL),
            Node::Range(low, _) if c < low => Derivative { low: 0, high: low - 1, re: NONE },
            Node::Range(_, high) if c > high => {
                Derivative { low: high + 1, high: MAX_CHAR, re: NONE }
            }
            Node::Range(low, high) => Derivative { low, high, re: EMPTY },
            Node::Concat(a, b) => {
                let mut found = self.child(a, c);
                let first = self.concat_within(found.re, b, budget)?;
                found.re = first;
                if self.nullable(a) {
                    let second = self.child(b, c);
                    found.narrow(second);
                    found.re = self.union(&[first, second.re]);
                }
                found
            }
            Node::Star(a) => {
                let mut found = self.child(a, c);
                found.re = self.concat_within(found.re, re, budget)?;
                found
            }
            // Also right for a nullable body, whose lower bound is 0: what it gives by skipping iterations is
            // contained in what it gives without.
            Node::Loop(a, low, high) => {
                let mut found = self.child(a, c);
                let rest = self.repeat(a, low.saturating_sub(1), high - 1);
                found.re = self.concat_within(found.re, rest, budget)?;
                found
            }
            Node::Complement(a) => {
                let mut found = self.child(a, c);
                found.re = self.complement(found.re);
                found
            }
            Node::Union(parts) => self.combine_many(&parts, c, RegexStore::union),
            Node::Inter(parts) => self.combine_many(&parts, c, RegexStore::inter),
        })
    }

    fn combine_many(
        &mut self,
        parts: &[Re],
        c: u32,
        join: fn(&mut RegexStore, &[Re]) -> Re,
    ) -> Derivative {
        let mut found = Derivative { low: 0, high: MAX_CHAR, re: NONE };
        let mut results = Vec::with_capacity(parts.len());
        for &part in parts {
            let one = self.child(part, c);
            found.narrow(one);
            results.push(one.re);
        }
        found.re = join(self, &results);
        found
    }
}

impl Derivative {
    fn narrow(&mut self, other: Derivative) {
        self.low = self.low.max(other.low);
        self.high = self.high.min(other.high);
    }
}
