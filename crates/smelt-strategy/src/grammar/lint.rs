//! What is odd about a grammar's words: looked for among the first of them.

use std::ops::Range;

use dashu_int::UBig;
use rustc_hash::{FxHashMap, FxHashSet};
use smelt_smtlib::{Error, parse};

use super::check::unreachable;
use super::example::examples;
use super::symmetry::{declared, tokens};
use super::syntax::{Grammar, SymbolKind};
use super::{Derivation, Enumerator};

/// Warnings: rules that no word uses, constants that are declared and never used, and among the first `most` words those that have
/// two derivations; of these, of some larger ones, and of a word for each alternative those that are no scripts. Each kind once, with the
/// number of its words.
pub fn lint(grammar: &Grammar, words: &mut Enumerator, most: u64) -> Vec<Error> {
    let mut warnings = unreachable(grammar);
    words.reach(&UBig::from(most));
    // What is rare comes late: some words of larger sizes are looked at, too.
    words.reach_size(words.sizes() + 2);
    let mut unused = FxHashSet::default();
    let mut texts: FxHashMap<String, UBig> = FxHashMap::default();
    let (mut twice, mut wrong) = (Kinds::default(), Kinds::default());
    let mut walk = words.words_from(&UBig::ZERO);
    for n in 0..most {
        let Some(word) = walk.next() else { break };
        if n == 0 {
            unused = unused_names(word);
        }
        unused.retain(|name| !body(word.text()).any(|t| t == name));
        if let Some(first) = texts.get(word.text()) {
            let span = last_change(words, grammar, word, first);
            twice.add(span, "words have two derivations", &walk_place(word.text(), first, n));
        } else {
            texts.insert(word.text().to_owned(), UBig::from(n));
        }
        wrong.look(grammar, words, word, &n.into());
    }
    // Larger words, evenly spread.
    let step = words.below() / UBig::from(most / 4 + 1);
    let mut at = UBig::from(most);
    while let Some(word) = words.nth(&at).filter(|_| !step.is_zero()) {
        wrong.look(grammar, words, &word, &at);
        unused.retain(|name| !body(word.text()).any(|t| t == name));
        at += &step;
    }
    for (word, place) in examples(words) {
        wrong.look(grammar, words, &word, &place.index);
        unused.retain(|name| !body(word.text()).any(|t| t == name));
    }
    let looked = texts.len();
    for name in unused {
        let span = place_of_literal(grammar, &name).unwrap_or(0..0);
        let message = format!("{name} is declared, and no word of {looked} uses it");
        warnings.push(Error::new(span, message));
    }
    warnings.extend(twice.warnings());
    warnings.extend(wrong.warnings());
    warnings.sort_by_key(|w| w.span.start);
    warnings
}

fn walk_place(text: &str, first: &UBig, n: u64) -> String {
    format!("numbers {first} and {n} are {text}")
}

/// Warnings of one kind are one warning, with the first example.
#[derive(Default)]
struct Kinds {
    all: Vec<(Range<usize>, String, String, u64)>,
}

impl Kinds {
    fn add(&mut self, span: Range<usize>, message: &str, example: &str) {
        match self.all.iter_mut().find(|k| k.0 == span && k.1 == message) {
            Some(known) => known.3 += 1,
            None => self.all.push((span, message.to_owned(), example.to_owned(), 1)),
        }
    }

    /// Whether a word is a script.
    fn look(&mut self, grammar: &Grammar, words: &Enumerator, word: &Derivation, at: &UBig) {
        if let Err(e) = parse(word.text().as_bytes()) {
            let token = word.text().get(e.span.clone()).unwrap_or_default();
            let span = place_of(grammar, token, words, word);
            self.add(span, &e.message, &format!("number {at} is {}", word.text()));
        }
    }

    fn warnings(self) -> impl Iterator<Item = Error> {
        let text = |(span, message, example, n): (Range<usize>, String, String, u64)| {
            Error::new(span, format!("{message} ({n} of those looked at; {example})"))
        };
        self.all.into_iter().map(text)
    }
}

/// Constants that a word declares, whether it uses them or not.
fn unused_names(word: &Derivation) -> FxHashSet<String> {
    declared(word.text()).into_iter().map(|(name, _)| name).collect()
}

/// The tokens of a word but for the names in declarations.
fn body(text: &str) -> impl Iterator<Item = &str> {
    let all = tokens(text);
    let is_declared = |i: usize| i > 0 && all[i - 1] == "declare-const";
    let kept: Vec<&str> = (0..all.len()).filter(|&i| !is_declared(i)).map(|i| all[i]).collect();
    kept.into_iter()
}

/// The literal that a token of a word comes from: one of an alternative that the word uses, if there is one.
fn place_of(grammar: &Grammar, token: &str, words: &Enumerator, word: &Derivation) -> Range<usize> {
    let used =
        word.nodes().iter().rev().map(|n| words.grammar.productions[n.production as usize].origin);
    for (rule, alternative) in used {
        let mut open = vec![&grammar.rules[rule].alternatives[alternative]];
        while let Some(a) = open.pop() {
            for s in &a.symbols {
                match &s.kind {
                    SymbolKind::Literal(t)
                        if !token.is_empty() && (t == token || tokens(t).contains(&token)) =>
                    {
                        return s.span.clone();
                    }
                    SymbolKind::Rule(r) if !words.grammar.names.contains(r) => {
                        open.extend(&grammar.rules[*r].alternatives);
                    }
                    _ => {}
                }
            }
        }
    }
    place_of_literal(grammar, token).unwrap_or_else(|| grammar.rules[grammar.start].span.clone())
}

fn place_of_literal(grammar: &Grammar, token: &str) -> Option<Range<usize>> {
    let symbols = grammar.rules.iter().flat_map(|r| &r.alternatives).flat_map(|a| &a.symbols);
    let mut fits =
        symbols.filter(|s| matches!(&s.kind, SymbolKind::Literal(t) if tokens(t).contains(&token)));
    fits.next().map(|s| s.span.clone())
}

/// The alternative of the later of two derivations of a word at which they part.
fn last_change(
    words: &Enumerator,
    grammar: &Grammar,
    word: &Derivation,
    first: &UBig,
) -> Range<usize> {
    let start = || grammar.rules[grammar.start].span.clone();
    let Some(other) = words.nth(first) else { return start() };
    let pairs = word.nodes().iter().zip(other.nodes());
    let Some((a, _)) = pairs.into_iter().find(|(a, b)| a.production != b.production) else {
        return start();
    };
    let (rule, alternative) = words.grammar.productions[a.production as usize].origin;
    grammar.rules[rule].alternatives[alternative].span.clone()
}
