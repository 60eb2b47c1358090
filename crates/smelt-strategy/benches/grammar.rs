//! Words of grammars per second of processor time, as texts: `cargo bench -p smelt-strategy --bench grammar`.
//!
//! Beside it, in one run, a list enumeration: words of each rule and size are lists of texts, joined. Allocations are counted: walking makes
//! none once its vectors have their size.
#![allow(clippy::print_stdout)]
#![allow(unsafe_code, reason = "an allocator that counts is one by contract")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::collections::HashMap;
use std::hint::black_box;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};

use dashu_int::UBig;
use smelt_strategy::grammar::{Cost, Enumerator, Grammar, SymbolKind, Symmetry, shipped};

/// Counts what is asked of the system's allocator.
struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

// SAFETY: everything is left to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        unsafe { System.realloc(at, layout, size) }
    }
}

#[global_allocator]
static GLOBAL: Counting = Counting;

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

/// Words that are walked over in a measurement, and before it.
const WORDS: u64 = 3_000_000;
const BEFORE: u64 = 100_000;

fn main() {
    println!(
        "{:<16}{:>10}{:>12}{:>8}{:>13}{:>12}{:>7}{:>8}{:>14}",
        "grammar",
        "words",
        "words/s",
        "MB/s",
        "allocations",
        "lists: /s",
        "ratio",
        "kept",
        "exchanges, too"
    );
    for name in ["core", "ints", "strings", "bitvectors", "five-core", "incremental"] {
        let Some(text) = shipped::text(name) else { continue };
        let Ok(grammar) = Grammar::read(text) else { continue };
        let Ok(mut words) = Enumerator::new(&grammar, Cost::Thesis) else { continue };
        words.reach(&UBig::from(BEFORE + WORDS));
        let mut walk = words.words_from(&UBig::ZERO);
        for _ in 0..BEFORE {
            black_box(walk.next());
        }
        let (before, begun) = (ALLOCATIONS.load(Ordering::Relaxed), cpu());
        let mut bytes = 0;
        for _ in 0..WORDS {
            bytes += walk.next().map_or(0, |word| black_box(word.text()).len());
        }
        let seconds = cpu() - begun;
        let allocations = ALLOCATIONS.load(Ordering::Relaxed) - before;
        let rate = WORDS as f64 / seconds;
        let lists = lists(&grammar, &words);
        let [renamed, exchanged] = [false, true].map(|both| 100.0 * kept(&words, both));
        println!(
            "{name:<16}{WORDS:>10}{rate:>12.0}{:>8.1}{allocations:>13}{lists:>12.0}{:>7.1}{renamed:>6.1} %{exchanged:>12.1} %",
            bytes as f64 / seconds / 1e6,
            rate / lists
        );
    }
}

/// Words per second as lists, which need memory: up to the largest size with up to 300,000 words.
fn lists(grammar: &Grammar, words: &Enumerator) -> f64 {
    let most = (0..words.sizes())
        .take_while(|&s| *words.first_of(s + 1) <= UBig::from(300_000u32))
        .last()
        .unwrap_or(0);
    let (begun, mut listed, mut known) = (cpu(), 0, HashMap::new());
    for size in 0..=most {
        for word in list(grammar, grammar.start, size as usize, &mut known).iter() {
            listed += usize::from(!black_box(word).is_empty());
        }
    }
    listed as f64 / (cpu() - begun)
}

/// The part of the first 200,000 words that is kept if renamings, and exchanges of arguments, are passed over.
fn kept(words: &Enumerator, exchanges: bool) -> f64 {
    let mut symmetry = Symmetry::new(words, exchanges);
    let mut walk = words.words_from(&UBig::ZERO);
    let (mut kept, all) = (0, 200_000);
    for _ in 0..all {
        kept += u32::from(walk.next().is_some_and(|w| symmetry.is_first(words, w)));
    }
    f64::from(kept) / f64::from(all)
}
