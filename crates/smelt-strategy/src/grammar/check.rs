//! What keeps a grammar from being enumerated, and what is merely odd about it.

use smelt_smtlib::{Error, Result};

use super::syntax::{Grammar, SymbolKind};

/// Refuses rules without words and rules that derive just themselves: the first in the order of the file.
pub(super) fn check(grammar: &Grammar) -> Result<()> {
    let productive = productive(grammar);
    if let Some(r) = productive.iter().position(|p| !p) {
        let rule = &grammar.rules[r];
        let message = format!(
            "the rule {} has no word: each of its alternatives needs another one first",
            rule.name
        );
        return Err(Error::new(rule.span.clone(), message));
    }
    let unit = |r: usize| -> Vec<usize> {
        let alone = grammar.rules[r].alternatives.iter().filter(|a| a.symbols.len() == 1);
        alone.flat_map(Grammar::used).collect()
    };
    if let Some(cycle) = cycle(grammar.rules.len(), &unit) {
        let rule = &grammar.rules[cycle[0]];
        return Err(Error::new(
            rule.span.clone(),
            format!(
                "the rule {} derives itself, so that a word has no end of derivations: {}",
                rule.name,
                path(grammar, &cycle)
            ),
        ));
    }
    Ok(())
}

/// Rules that no word uses, as warnings.
pub fn unreachable(grammar: &Grammar) -> Vec<Error> {
    let reached = reachable(grammar);
    let rules = grammar.rules.iter().zip(reached).filter(|(_, is_reached)| !is_reached);
    rules
        .map(|(r, _)| Error::new(r.span.clone(), format!("no word uses the rule {}", r.name)))
        .collect()
}

/// Which rules can be reached from `start`.
pub(super) fn reachable(grammar: &Grammar) -> Vec<bool> {
    let mut reached = vec![false; grammar.rules.len()];
    let mut open = vec![grammar.start];
    while let Some(r) = open.pop() {
        if !std::mem::replace(&mut reached[r], true) {
            open.extend(grammar.rules[r].alternatives.iter().flat_map(Grammar::used));
        }
    }
    reached
}

/// Which rules have a word.
fn productive(grammar: &Grammar) -> Vec<bool> {
    let mut has = vec![false; grammar.rules.len()];
    loop {
        let before = has.clone();
        for (r, rule) in grammar.rules.iter().enumerate() {
            let ends = |k: &SymbolKind| match k {
                SymbolKind::Literal(_) => true,
                SymbolKind::Rule(r) => before[*r],
            };
            has[r] =
                has[r] || rule.alternatives.iter().any(|a| a.symbols.iter().all(|s| ends(&s.kind)));
        }
        if has == before {
            return has;
        }
    }
}

/// A cycle of a graph on `0..n`, from its smallest member on, if there is one.
pub(super) fn cycle(n: usize, edges: &dyn Fn(usize) -> Vec<usize>) -> Option<Vec<usize>> {
    // 0: new, 1: on the path, 2: done.
    let mut colour = vec![0u8; n];
    for root in 0..n {
        let mut path: Vec<(usize, Vec<usize>)> = Vec::new();
        if colour[root] == 0 {
            colour[root] = 1;
            path.push((root, edges(root)));
        }
        while let Some((at, next)) = path.last_mut() {
            let Some(to) = next.pop() else {
                colour[*at] = 2;
                path.pop();
                continue;
            };
            match colour[to] {
                0 => {
                    colour[to] = 1;
                    path.push((to, edges(to)));
                }
                1 => {
                    let begin = path.iter().position(|(r, _)| *r == to).unwrap_or(0);
                    let mut found: Vec<usize> = path[begin..].iter().map(|(r, _)| *r).collect();
                    let least = (0..found.len()).min_by_key(|&i| found[i]).unwrap_or(0);
                    found.rotate_left(least);
                    return Some(found);
                }
                _ => {}
            }
        }
    }
    None
}

/// A cycle as people read it: `a -> b -> a`.
pub(super) fn path(grammar: &Grammar, cycle: &[usize]) -> String {
    let names = cycle.iter().chain(cycle.first()).map(|&r| grammar.rules[r].name.as_str());
    names.collect::<Vec<_>>().join(" -> ")
}
