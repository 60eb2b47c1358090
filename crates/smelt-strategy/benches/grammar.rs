//! Words of grammars per second of processor time, as texts: `cargo bench -p smelt-strategy --bench grammar`.
//!
//! Beside it, in one run, a list enumeration: words of each rule and size are lists of texts, joined.
#![allow(clippy::print_stdout)]

use std::collections::HashMap;
use std::hint::black_box;
use std::rc::Rc;

use dashu_int::UBig;
use smelt_strategy::grammar::{Cost, Enumerator, Grammar, SymbolKind, shipped};

fn cpu() -> f64 {
    let t = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    t.tv_sec as f64 + t.tv_nsec as f64 / 1e9
}

/// Words of a rule and size under the thesis' cost, as a list.
fn list(
    g: &Grammar,
    rule: usize,
    size: usize,
    known: &mut HashMap<(usize, usize), Rc<Vec<String>>>,
) -> Rc<Vec<String>> {
    if let Some(list) = known.get(&(rule, size)) {
        return list.clone();
    }
    let mut all = Vec::new();
    for a in &g.rules[rule].alternatives {
        let rules = a.symbols.iter().filter(|s| matches!(s.kind, SymbolKind::Rule(_))).count();
        let Some(rest) = size.checked_sub(usize::from(rules > 0)) else { continue };
        let mut open: Vec<(String, usize)> = vec![(String::new(), rest)];
        for (i, s) in a.symbols.iter().enumerate() {
            let blank = if i > 0 { " " } else { "" };
            let last = a.symbols[i + 1..].iter().all(|s| matches!(s.kind, SymbolKind::Literal(_)));
            open = open
                .into_iter()
                .flat_map(|(text, left)| match &s.kind {
                    SymbolKind::Literal(t) => vec![(format!("{text}{blank}{t}"), left)],
                    SymbolKind::Rule(r) => {
                        let sizes = if last { left..=left } else { 0..=left };
                        let words = sizes.flat_map(|u| {
                            list(g, *r, u, known)
                                .iter()
                                .map(|w| (format!("{text}{blank}{w}"), left - u))
                                .collect::<Vec<_>>()
                        });
                        words.collect()
                    }
                })
                .collect();
        }
        all.extend(open.into_iter().filter(|(_, left)| *left == 0).map(|(t, _)| t));
    }
    let all = Rc::new(all);
    known.insert((rule, size), all.clone());
    all
}

fn main() {
    println!(
        "{:<10}{:>12}{:>14}{:>10}{:>14}{:>8}",
        "grammar", "words", "words/s", "MB/s", "lists: /s", "ratio"
    );
    for name in ["core", "ints", "strings", "five-core"] {
        let Some(text) = shipped::text(name) else { continue };
        let Ok(grammar) = Grammar::read(text) else { continue };
        let Ok(mut words) = Enumerator::new(&grammar, Cost::Thesis) else { continue };
        words.reach(&UBig::from(3_000_000u32));
        let (mut n, mut bytes, begun) = (0u32, 0usize, cpu());
        let mut walk = words.words_from(&UBig::ZERO);
        while let Some(word) = walk.next().filter(|_| n < 3_000_000) {
            n += 1;
            bytes += black_box(word.text()).len();
        }
        let seconds = cpu() - begun;
        let rate = f64::from(n) / seconds;
        // Lists need memory: the largest size with up to 300,000 words.
        let most = (0..words.sizes())
            .take_while(|&s| *words.first_of(s + 1) <= UBig::from(300_000u32))
            .last()
            .unwrap_or(0);
        let (begun, mut listed, mut known) = (cpu(), 0, HashMap::new());
        for size in 0..=most {
            for word in list(&grammar, grammar.start, size as usize, &mut known).iter() {
                listed += usize::from(!black_box(word).is_empty());
            }
        }
        let lists = listed as f64 / (cpu() - begun);
        println!(
            "{name:<10}{n:>12}{rate:>14.0}{:>10.1}{lists:>14.0}{:>8.1}",
            bytes as f64 / seconds / 1e6,
            rate / lists
        );
    }
}
