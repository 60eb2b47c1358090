//! A small word for each alternative of a grammar: an alternative that is far from `start` would not be met among the first words.

use super::compiled::Compiled;
use super::counts::least;
use super::derivation::Derivation;
use super::parse::Parsed;
use super::{Enumerator, Place};

/// A word that uses each alternative, in the order of the alternatives, with its place: the shortest way to it, and the smallest words elsewhere.
/// Counts sizes up to theirs.
pub(super) fn examples(words: &mut Enumerator) -> Vec<(Derivation, Place)> {
    let ways = Ways::new(&words.grammar);
    let made: Vec<Parsed> = (0..words.grammar.productions.len())
        .filter_map(|p| ways.through(&words.grammar, p))
        .collect();
    made.into_iter().map(|parsed| words.placed(&parsed)).collect()
}

/// How rules are reached from `start`, and how they end.
struct Ways {
    /// By rule: the production that uses it first, and as which part; none for `start`.
    from: Vec<Option<(usize, usize)>>,
    /// By rule: the production of a smallest word.
    smallest: Vec<usize>,
}

impl Ways {
    fn new(grammar: &Compiled) -> Self {
        let least = least(grammar);
        let size = |p: usize| {
            let p = &grammar.productions[p];
            p.children.iter().map(|&c| least[c as usize]).fold(p.cost, u32::saturating_add)
        };
        let smallest = grammar
            .rules
            .iter()
            .map(|all| all.clone().min_by_key(|&p| size(p)).unwrap_or_default());
        let mut from = vec![None; grammar.rules.len()];
        let (mut reached, mut next) = (vec![grammar.start], 0);
        while let Some(&rule) = reached.get(next) {
            next += 1;
            for p in grammar.rules[rule].clone() {
                for (slot, &child) in grammar.productions[p].children.iter().enumerate() {
                    let child = child as usize;
                    if child != grammar.start && from[child].is_none() {
                        from[child] = Some((p, slot));
                        reached.push(child);
                    }
                }
            }
        }
        Self { smallest: smallest.collect(), from }
    }

    /// A derivation that uses a production; none if no word does.
    fn through(&self, grammar: &Compiled, production: usize) -> Option<Parsed> {
        // The way down to the production, the last step first.
        let rule_of = |p: usize| grammar.rules.iter().position(|r| r.contains(&p));
        let (mut way, mut rule) = (vec![(production, usize::MAX)], rule_of(production)?);
        while rule != grammar.start {
            let (p, slot) = self.from[rule]?;
            way.push((p, slot));
            rule = rule_of(p)?;
        }
        let mut all = Vec::new();
        self.expand(grammar, &mut way, &mut all);
        Some(Parsed::of(all))
    }

    /// Appends the productions of a word in preorder: along the way, and the smallest elsewhere. As deep as the way is long.
    fn expand(&self, grammar: &Compiled, way: &mut Vec<(usize, usize)>, all: &mut Vec<u32>) {
        let Some((production, slot)) = way.pop() else { return };
        all.push(production as u32);
        for (i, &child) in grammar.productions[production].children.iter().enumerate() {
            if i == slot {
                self.expand(grammar, way, all);
            } else {
                self.finish(grammar, child as usize, all);
            }
        }
    }

    /// Appends the productions of a smallest word of a rule.
    fn finish(&self, grammar: &Compiled, rule: usize, all: &mut Vec<u32>) {
        let mut open = vec![rule];
        while let Some(rule) = open.pop() {
            let p = self.smallest[rule];
            all.push(p as u32);
            open.extend(grammar.productions[p].children.iter().rev().map(|&c| c as usize));
        }
    }
}
