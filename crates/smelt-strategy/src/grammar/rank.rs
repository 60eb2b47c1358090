//! From a place in the order to the word there, and back, without the words between.
//!
//! A place is taken apart by division, a sum over splittings of a size is searched from both ends at once: what is found costs the smaller of
//! the two sides, so that a word of size n takes O(n log n) operations on big integers.

use dashu_int::UBig;
use dashu_int::ops::DivRem;

use super::derivation::{Derivation, Tables};

impl Derivation {
    /// Makes it the word at a place among those of a size; there must be one.
    pub(super) fn select(&mut self, tables: Tables<'_>, size: u32, place: UBig) {
        // Places of the parts that come next, the next one last.
        let mut open = vec![place];
        self.begin(tables, size, &mut |rule, size, sizes| {
            let place = open.pop().unwrap_or_default();
            tables.select(rule, size, place, sizes, &mut open)
        });
    }

    /// The place of the word among those of its size.
    pub(super) fn place(&self, tables: Tables<'_>) -> UBig {
        let places = self.places();
        let mut ranks: Vec<UBig> = vec![UBig::ZERO; self.nodes().len()];
        for at in (0..self.nodes().len()).rev() {
            let begin = self.first_place(at);
            let parts = self.parts(tables, at);
            let ranked = places[begin..begin + parts.len()]
                .iter()
                .map(|&p| std::mem::take(&mut ranks[p as usize]));
            let ranked: Vec<UBig> = ranked.collect();
            ranks[at] = self.rank(tables, at, parts, &ranked);
        }
        ranks.swap_remove(0)
    }

    /// The place of a node's word among those of its rule and size, from the places of its parts.
    fn rank(
        &self,
        Tables { grammar, counts }: Tables<'_>,
        at: usize,
        parts: &[u32],
        ranked: &[UBig],
    ) -> UBig {
        let node = &self.nodes()[at];
        let number = node.production as usize;
        let production = &grammar.productions[number];
        let rule = grammar.rules.iter().find(|r| r.contains(&number)).map_or(number, |r| r.start);
        let mut rank = UBig::ZERO;
        for p in &grammar.productions[rule..number] {
            if let Some(rest) = node.size.checked_sub(p.cost) {
                rank += counts.sequences[p.sequences[0] as usize].at(rest as usize);
            }
        }
        // The place among the sequences of the parts so far.
        let Some(mut inner) = ranked.first().cloned() else { return rank };
        let mut sum = parts[0] as usize;
        for j in 1..parts.len() {
            let prefix = &counts.sequences[production.sequences[parts.len() - j] as usize];
            let whole = &counts.sequences[production.sequences[parts.len() - j - 1] as usize];
            let last = &counts.rules[production.children[j] as usize];
            let both = sum + parts[j] as usize;
            let here = inner * last.at(parts[j] as usize) + &ranked[j];
            let term = |u: usize| prefix.at(u) * last.at(both - u);
            let before = match sum <= both / 2 {
                true => (0..sum).map(term).fold(UBig::ZERO, |a, b| a + b),
                false => (sum..=both).map(term).fold(whole.at(both).clone(), |a, b| a - b),
            };
            inner = here + before;
            sum = both;
        }
        rank + inner
    }
}

impl Tables<'_> {
    /// The production at a place among the words of a rule and size. Appends the sizes of its parts, and their places to `open`.
    fn select(
        self,
        rule: usize,
        size: u32,
        mut place: UBig,
        sizes: &mut Vec<u32>,
        open: &mut Vec<UBig>,
    ) -> u32 {
        let Self { grammar, counts } = self;
        for number in grammar.rules[rule].clone() {
            let p = &grammar.productions[number];
            let Some(rest) = size.checked_sub(p.cost) else { continue };
            let here = counts.sequences[p.sequences[0] as usize].at(rest as usize);
            if place >= *here {
                place -= here;
                continue;
            }
            let (begin, parts) = (sizes.len(), p.children.len());
            sizes.resize(begin + parts, 0);
            let mut sum = rest as usize;
            for j in (1..parts).rev() {
                let whole = p.sequences[parts - j - 1] as usize;
                let (prefix, last) = (p.sequences[parts - j] as usize, p.children[j] as usize);
                let (first, left) = self.split_at(whole, (prefix, last), sum, place);
                let words = counts.rules[last].at(sum - first);
                let (quotient, rest) = left.div_rem(words);
                open.push(rest);
                place = quotient;
                sizes[begin + j] = (sum - first) as u32;
                sum = first;
            }
            if parts > 0 {
                open.push(place);
                sizes[begin] = sum as u32;
            }
            return number as u32;
        }
        unreachable!("the place is one of the rule's")
    }

    /// The size of the first of two parts with this sum, at a place among all of their pairs; and the place among those of these sizes.
    fn split_at(
        self,
        whole: usize,
        (prefix, last): (usize, usize),
        sum: usize,
        place: UBig,
    ) -> (usize, UBig) {
        let counts = self.counts;
        let (prefix, last) = (&counts.sequences[prefix], &counts.rules[last]);
        let term = |u: usize| prefix.at(u) * last.at(sum - u);
        // What is left of the place behind the sizes from 0 on; how many pairs there are before those up to `sum`.
        let (mut left, mut above) = (place.clone(), counts.sequences[whole].at(sum).clone());
        let (mut low, mut high) = (0, sum);
        loop {
            let here = term(low);
            if left < here {
                return (low, left);
            }
            left -= here;
            low += 1;
            above -= term(high);
            if place >= above {
                return (high, place - above);
            }
            high -= 1;
        }
    }
}
