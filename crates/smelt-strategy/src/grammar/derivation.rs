//! One word with its derivation, and the way to the next one.
//!
//! The order within a size is that of the Haskell library FEAT (testing-feat, size-based), of which the published tool is made: alternatives in
//! the order of the file; `n` parts as nested pairs `((x1, x2), x3)`, and in a pair the sizes of the first part upwards, then its words, then
//! those of the second part. So the sum of the sizes of all parts but the last is what changes least often, and the word of the last part what
//! changes most often.
//!
//! The derivation is kept in preorder. Everything behind the place that changes begins anew, and so does the text: a step
//! costs what changes, and nothing is allocated once the vectors have their size.

use super::compiled::{Compiled, Production};
use super::counts::Counts;

/// A word of a grammar with its derivation.
#[derive(Clone, Debug, Default)]
pub struct Derivation {
    nodes: Vec<Node>,
    /// Sizes of the parts of all nodes, in the order of the nodes.
    sizes: Vec<u32>,
    text: String,
}

/// A rule that was replaced by one of its alternatives.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub production: u32,
    /// Size of its word.
    pub size: u32,
    /// The node that it is a part of; the root is its own.
    pub parent: u32,
    /// Which part of it.
    pub slot: u32,
    /// Where the sizes of its parts begin.
    sizes: u32,
    /// Where its text begins.
    text: u32,
}

/// Grammar and numbers.
#[derive(Clone, Copy)]
pub(super) struct Tables<'a> {
    pub grammar: &'a Compiled,
    pub counts: &'a Counts,
}

impl Derivation {
    /// The word.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its size.
    pub fn size(&self) -> u32 {
        self.nodes.first().map_or(0, |n| n.size)
    }

    /// The nodes, in preorder.
    pub(super) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The sizes of the parts of a node.
    pub(super) fn parts(&self, tables: Tables<'_>, node: usize) -> &[u32] {
        let n = &self.nodes[node];
        let parts = tables.grammar.productions[n.production as usize].children.len();
        &self.sizes[n.sizes as usize..n.sizes as usize + parts]
    }

    /// Where each part of each node stands among the nodes, beside [`Self::parts`].
    pub(super) fn places(&self) -> Vec<u32> {
        let mut places = vec![0; self.sizes.len()];
        for (i, n) in (0..).zip(&self.nodes).skip(1) {
            places[(self.nodes[n.parent as usize].sizes + n.slot) as usize] = i;
        }
        places
    }

    /// Where the places of the parts of a node begin in [`Self::places`].
    pub(super) fn first_place(&self, node: usize) -> usize {
        self.nodes[node].sizes as usize
    }

    /// Makes it the word that `choose` derives: it gives the production of a rule for a size, and writes the sizes of its parts.
    pub(super) fn begin(
        &mut self,
        tables: Tables<'_>,
        size: u32,
        choose: &mut impl FnMut(usize, u32, &mut Vec<u32>) -> u32,
    ) {
        self.nodes.clear();
        self.sizes.clear();
        self.text.clear();
        let production = choose(tables.grammar.start, size, &mut self.sizes);
        self.nodes.push(Node { production, size, parent: 0, slot: 0, sizes: 0, text: 0 });
        self.complete(tables, 0, choose);
    }

    /// Makes it the first word of a size, of which there must be one.
    pub(super) fn first(&mut self, tables: Tables<'_>, size: u32) {
        self.begin(tables, size, &mut |rule, size, sizes| tables.first(rule, size, sizes));
    }

    /// Makes it the next word of its size; false, and it is no word any more, if it was the last one.
    pub(super) fn advance(&mut self, tables: Tables<'_>) -> bool {
        for at in (0..self.nodes.len()).rev() {
            if self.change(tables, at) {
                self.nodes.truncate(at + 1);
                self.text.truncate(self.nodes[at].text as usize);
                let mut first =
                    |rule: usize, size: u32, sizes: &mut Vec<u32>| tables.first(rule, size, sizes);
                self.complete(tables, at, &mut first);
                return true;
            }
        }
        false
    }

    /// The next sizes of the parts of a node, or else its next production. All words of its parts have had their turn.
    fn change(&mut self, tables: Tables<'_>, at: usize) -> bool {
        let Tables { grammar, counts } = tables;
        let node = &self.nodes[at];
        let (begin, size) = (node.sizes as usize, node.size);
        let rule = self.rule(tables, at);
        let production = &grammar.productions[node.production as usize];
        let parts = production.children.len();
        // The sum of the first `j` parts moves on, while the sum with the next part stays.
        let mut sum = 0;
        for j in 1..parts {
            sum += self.sizes[begin + j - 1] as usize;
            let both = sum + self.sizes[begin + j] as usize;
            let prefix = &counts.sequences[production.sequences[parts - j] as usize];
            let last = &counts.rules[production.children[j] as usize];
            if let Some(next) = (sum + 1..=both).find(|&u| prefix.has(u) && last.has(both - u)) {
                self.sizes[begin + j] = (both - next) as u32;
                tables.split(production, j, next, &mut self.sizes[begin..]);
                self.sizes.truncate(begin + parts);
                return true;
            }
        }
        let end = grammar.rules[rule].end;
        let rest = node.production as usize + 1..end;
        let Some(next) = rest.into_iter().find(|&p| tables.has(p, size)) else { return false };
        self.sizes.truncate(begin);
        tables.sizes(next, size, &mut self.sizes);
        self.nodes[at].production = next as u32;
        true
    }

    /// The rule that a node replaces.
    fn rule(&self, tables: Tables<'_>, at: usize) -> usize {
        let node = &self.nodes[at];
        if at == 0 {
            return tables.grammar.start;
        }
        let parent = &self.nodes[node.parent as usize];
        tables.grammar.productions[parent.production as usize].children[node.slot as usize] as usize
    }

    /// Writes the text of a node and of everything behind it, with the nodes for it. The sizes of their parts are known from here up.
    fn complete(
        &mut self,
        tables: Tables<'_>,
        mut at: usize,
        choose: &mut impl FnMut(usize, u32, &mut Vec<u32>) -> u32,
    ) {
        let grammar = tables.grammar;
        let mut slot = 0;
        loop {
            let node = &self.nodes[at];
            let production = &grammar.productions[node.production as usize];
            self.text.push_str(grammar.piece(production, slot));
            if let Some(&rule) = production.children.get(slot) {
                let size = self.sizes[node.sizes as usize + slot];
                let sizes = self.sizes.len() as u32;
                let production = choose(rule as usize, size, &mut self.sizes);
                let (parent, text) = (at as u32, self.text.len() as u32);
                self.nodes.push(Node { production, size, parent, slot: slot as u32, sizes, text });
                (at, slot) = (self.nodes.len() - 1, 0);
            } else if at == 0 {
                return;
            } else {
                (at, slot) = (node.parent as usize, node.slot as usize + 1);
            }
        }
    }
}

impl Tables<'_> {
    /// Whether a production has a word of this size.
    fn has(self, production: usize, size: u32) -> bool {
        let p = &self.grammar.productions[production];
        let rest = size.checked_sub(p.cost);
        rest.is_some_and(|rest| self.counts.sequences[p.sequences[0] as usize].has(rest as usize))
    }

    /// The first production of a rule that has a word of this size, with the first sizes of its parts.
    fn first(self, rule: usize, size: u32, sizes: &mut Vec<u32>) -> u32 {
        let mut all = self.grammar.rules[rule].clone();
        let production = all.find(|&p| self.has(p, size)).unwrap_or_default();
        self.sizes(production, size, sizes);
        production as u32
    }

    /// Appends the first sizes of the parts of a production.
    fn sizes(self, production: usize, size: u32, sizes: &mut Vec<u32>) {
        let p = &self.grammar.productions[production];
        let begin = sizes.len();
        sizes.resize(begin + p.children.len(), 0);
        self.split(p, p.children.len(), (size - p.cost) as usize, &mut sizes[begin..]);
    }

    /// The first sizes of the first `parts` parts of a production that have this sum.
    fn split(self, p: &Production, parts: usize, mut sum: usize, sizes: &mut [u32]) {
        for j in (1..parts).rev() {
            let prefix = &self.counts.sequences[p.sequences[p.children.len() - j] as usize];
            let last = &self.counts.rules[p.children[j] as usize];
            let least = (0..=sum).find(|&u| prefix.has(u) && last.has(sum - u)).unwrap_or_default();
            sizes[j] = (sum - least) as u32;
            sum = least;
        }
        if parts > 0 {
            sizes[0] = sum as u32;
        }
    }
}
