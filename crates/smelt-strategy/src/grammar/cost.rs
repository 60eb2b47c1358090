//! What an alternative adds to the size of a word, in two ways.

use smelt_case::Cost;
use smelt_smtlib::{Error, Result};

use super::check::{self, path};
use super::syntax::{Alternative, Grammar, SymbolKind};

/// The cost of an alternative of a rule.
pub(super) fn of(cost: Cost, grammar: &Grammar, rule: usize, alternative: &Alternative) -> u32 {
    let used: Vec<usize> = Grammar::used(alternative).collect();
    let is_one = match cost {
        Cost::Thesis => !used.is_empty(),
        Cost::Published => {
            used.contains(&rule)
                || match grammar.rules.iter().position(|r| r.name == "ParOpen") {
                    Some(open) => used.contains(&open),
                    None => !used.is_empty() && opens(alternative),
                }
        }
    };
    u32::from(is_one)
}

fn opens(alternative: &Alternative) -> bool {
    let is_open = |k: &SymbolKind| matches!(k, SymbolKind::Literal(t) if t.starts_with('('));
    alternative.symbols.iter().any(|s| is_open(&s.kind))
}

/// The size of the smallest word of each rule.
pub(super) fn least(cost: Cost, grammar: &Grammar) -> Vec<u32> {
    let mut least = vec![u32::MAX; grammar.rules.len()];
    loop {
        let before = least.clone();
        for (r, rule) in grammar.rules.iter().enumerate() {
            for a in &rule.alternatives {
                let parts = Grammar::used(a).map(|u| before[u]);
                let sum = parts.fold(of(cost, grammar, r, a), u32::saturating_add);
                least[r] = least[r].min(sum);
            }
        }
        if least == before {
            return least;
        }
    }
}

/// Refuses a grammar in which a rule comes back to itself at no cost: it would have words without end of one size.
pub(super) fn check(cost: Cost, grammar: &Grammar) -> Result<()> {
    let least = least(cost, grammar);
    let free = |r: usize| -> Vec<usize> {
        let mut to = Vec::new();
        for a in &grammar.rules[r].alternatives {
            let used: Vec<usize> = Grammar::used(a).collect();
            let own = of(cost, grammar, r, a);
            let sum = used.iter().map(|&u| least[u]).fold(own, u32::saturating_add);
            to.extend(used.iter().filter(|&&u| sum - least[u] == 0));
        }
        to
    };
    let Some(cycle) = check::cycle(grammar.rules.len(), &free) else { return Ok(()) };
    let rule = &grammar.rules[cycle[0]];
    let message = format!(
        "the rule {} comes back to itself at no cost, so that a size has no end of words: {}",
        rule.name,
        path(grammar, &cycle)
    );
    Err(Error::new(rule.span.clone(), message).expected("another cost model, or parentheses"))
}
