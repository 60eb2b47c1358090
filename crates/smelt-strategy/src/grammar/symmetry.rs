//! Words that say the same as an earlier one: with other names for the variables, or with the two arguments of a commutative operator
//! the other way round.
//!
//! A word is passed over only if an earlier word of the grammar says the same, so nothing is lost. Why that is so: take the first
//! word of all that say the same. If two arguments of a commutative operator were in the wrong order, the word with both exchanged would
//! come before it, since the order of words looks at sizes of parts from left to right, and then at the parts from left to right; and if a
//! variable occurred before one that is declared before it, the word with both names exchanged would come before it, since all sizes are the same
//! and the first place that differs has the earlier alternative. So the first word is kept by both looks.

use std::cmp::Ordering;

use smelt_smtlib::op::OPS;

use super::compiled::{Compiled, Production};
use super::derivation::Tables;
use super::{Derivation, Enumerator};

/// What can be exchanged in the words of a grammar.
#[derive(Clone, Debug)]
pub struct Symmetry {
    /// By production: the group of variables that it is one of, and which one.
    variables: Vec<Option<(u32, u32)>>,
    /// By production: whether its two parts can be exchanged.
    commutative: Vec<bool>,
    /// How many of each group have occurred.
    seen: Vec<u32>,
    /// Names by group.
    groups: Vec<Vec<String>>,
}

impl Symmetry {
    /// Looks at variables (constants of one sort that are declared at the beginning, and stand for themselves wherever they are used), and
    /// at commutative operators if they are asked for.
    pub fn new(words: &Enumerator, commutativity: bool) -> Self {
        let grammar = &words.grammar;
        let groups = groups(grammar);
        let mut variables = vec![None; grammar.productions.len()];
        for (p, variable) in grammar.productions.iter().zip(&mut variables) {
            let text = grammar.piece(p, 0);
            let at = |group: &Vec<String>| group.iter().position(|v| v == text);
            let found = (0..).zip(&groups).find_map(|(g, names)| Some((g, at(names)? as u32)));
            *variable = found.filter(|_| p.children.is_empty());
        }
        let commutative =
            grammar.productions.iter().map(|p| commutativity && exchanges(grammar, p));
        Self { variables, commutative: commutative.collect(), seen: vec![0; groups.len()], groups }
    }

    /// The variables that can be renamed, by group.
    pub fn variables(&self) -> &[Vec<String>] {
        &self.groups
    }

    /// Whether no earlier word is known to say the same.
    pub fn is_first(&mut self, words: &Enumerator, word: &Derivation) -> bool {
        self.seen.iter_mut().for_each(|n| *n = 0);
        for (i, node) in word.nodes().iter().enumerate() {
            let p = node.production as usize;
            if let Some((group, which)) = self.variables[p] {
                let seen = &mut self.seen[group as usize];
                match which.cmp(seen) {
                    Ordering::Greater => return false,
                    Ordering::Equal => *seen += 1,
                    Ordering::Less => {}
                }
            }
            if self.commutative[p] && !is_in_order(words.tables(), word, i) {
                return false;
            }
        }
        true
    }
}

/// Whether the first part of a node with two does not come behind the second.
fn is_in_order(tables: Tables<'_>, word: &Derivation, node: usize) -> bool {
    let (mut a, nodes) = (node + 1, word.nodes());
    let second = |n: &super::derivation::Node| n.parent as usize == node && n.slot == 1;
    let Some(begin) = nodes.iter().skip(a).position(second).map(|i| i + a) else { return true };
    let mut b = begin;
    while a < begin && b < nodes.len() {
        let (x, y) = (&nodes[a], &nodes[b]);
        let of_sizes = || sums(word.parts(tables, a)).cmp(sums(word.parts(tables, b)));
        match x.size.cmp(&y.size).then(x.production.cmp(&y.production)).then_with(of_sizes) {
            Ordering::Equal => (a, b) = (a + 1, b + 1),
            Ordering::Less => return true,
            Ordering::Greater => return false,
        }
    }
    true
}

/// Sums of the first parts, all but one of them first: the order of words looks at them so.
fn sums(parts: &[u32]) -> impl Iterator<Item = u32> {
    let all: u32 = parts.iter().sum();
    parts.iter().rev().scan(all, |rest, last| {
        *rest -= last;
        Some(*rest)
    })
}

/// Groups of two or more variables that can be renamed into each other.
fn groups(grammar: &Compiled) -> Vec<Vec<String>> {
    let [only] = &grammar.productions[grammar.rules[grammar.start].clone()] else {
        return Vec::new();
    };
    let mut sorts: Vec<(String, Vec<String>)> = Vec::new();
    for (name, sort) in declared(grammar.piece(only, 0)) {
        match sorts.iter_mut().find(|(s, _)| *s == sort) {
            Some((_, names)) => names.push(name),
            None => sorts.push((sort, vec![name])),
        }
    }
    let groups = sorts.into_iter().map(|(_, names)| names);
    groups.filter(|names| names.len() > 1 && is_group(grammar, only, names)).collect()
}

/// Whether each rule has all of these names as alternatives of their own, in this order and at one cost, or none of them; and nothing else
/// uses them but their declaration.
fn is_group(grammar: &Compiled, start: &Production, names: &[String]) -> bool {
    let is_one = |token: &str| names.iter().any(|n| n == token);
    for rule in &grammar.rules {
        let productions = &grammar.productions[rule.clone()];
        let leaf = |p: &&Production| p.children.is_empty() && is_one(grammar.piece(p, 0));
        let leaves: Vec<&Production> = productions.iter().filter(leaf).collect();
        let listed =
            leaves.iter().map(|p| grammar.piece(p, 0)).eq(names.iter().map(String::as_str));
        let one_cost = leaves.windows(2).all(|w| w[0].cost == w[1].cost);
        if !leaves.is_empty() && !(listed && one_cost) {
            return false;
        }
        for p in productions.iter().filter(|p| !leaf(p)) {
            let is_start = std::ptr::eq(p, start);
            let texts =
                (0..p.pieces.len()).skip(usize::from(is_start)).map(|i| grammar.piece(p, i));
            if texts.flat_map(tokens).any(is_one) {
                return false;
            }
        }
    }
    // Their declarations are all that the beginning says of them.
    let first: Vec<&str> =
        tokens(grammar.piece(start, 0)).into_iter().filter(|t| is_one(t)).collect();
    first.len() == names.len()
}

/// Names with sorts of the constants that a text declares.
pub(super) fn declared(text: &str) -> Vec<(String, String)> {
    let tokens = tokens(text);
    let mut out = Vec::new();
    for (i, _) in tokens.iter().enumerate().filter(|(_, t)| **t == "declare-const") {
        let Some(name) = tokens.get(i + 1) else { continue };
        let (mut depth, mut sort) = (0i32, Vec::new());
        for t in &tokens[(i + 2).min(tokens.len())..] {
            depth += i32::from(*t == "(") - i32::from(*t == ")");
            if depth < 0 {
                break;
            }
            sort.push(*t);
        }
        out.push(((*name).to_owned(), sort.join(" ")));
    }
    out
}

/// The words of a piece of a script: parentheses, strings, quoted symbols and what blanks divide.
pub(super) fn tokens(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut rest = text.trim_start();
    while let Some(c) = rest.chars().next() {
        let len = match c {
            '(' | ')' => 1,
            '"' | '|' => rest[1..].find(c).map_or(rest.len(), |i| i + 2),
            _ => {
                rest.find(|c: char| c.is_whitespace() || "()\"|".contains(c)).unwrap_or(rest.len())
            }
        };
        out.push(&rest[..len]);
        rest = rest[len..].trim_start();
    }
    out
}

/// Whether a production is a commutative operator with two parts of one rule.
fn exchanges(grammar: &Compiled, p: &Production) -> bool {
    let [a, b] = p.children[..] else { return false };
    let [before, between, behind] = [0, 1, 2].map(|i| tokens(grammar.piece(p, i)));
    let (["(", name], [], [")"]) = (&before[..], &between[..], &behind[..]) else { return false };
    let mut rows = OPS.iter().filter(|o| o.name == *name).peekable();
    a == b && rows.peek().is_some() && rows.all(|o| o.commutative)
}
