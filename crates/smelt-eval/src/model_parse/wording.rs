//! The text of a model in words that the parser of scripts reads, and reads as the solver meant them.

use super::elements::{Elements, Meaning, fresh};
use super::instances::Instances;
use super::{ModelOptions, Symbols};
use crate::exactness::{Exactness, Number};
use crate::model_text::{Cut, Item, Pieces, token_text};
use rustc_hash::FxHashMap;
use smelt_smtlib::lexer::Tok;
use smelt_smtlib::{FunKind, Script, write_symbol};

/// How the words of one model are to be read.
pub(super) struct Wording {
    pub elements: Elements,
    pub exactness: Exactness,
    instances: Instances,
    /// Symbols of the script that are called like numbers, and whether all are constructors: those cannot be meant where a
    /// number can stand.
    numbers: FxHashMap<String, bool>,
    /// How names of unknown values begin. The script has no such name.
    unknown: String,
}

/// What to write for a word.
enum Reading {
    AsIs,
    Instead(String),
    /// A value of sort Real that is not known.
    Unknown,
    /// The text does not tell what is meant.
    Unclear,
}

const BINDERS: [&str; 5] = ["lambda", "forall", "exists", "choice", "witness"];

impl Wording {
    pub fn of(script: &Script, symbols: &Symbols, cut: &Cut, options: &ModelOptions) -> Wording {
        let a = &script.arena;
        let exactness = Exactness::of(&options.rounded, script);
        let constructs = |k| matches!(k, FunKind::Constructor(..));
        let numbers = symbols
            .names()
            .filter(|n| exactness.number(n) != Number::None)
            .map(|n| (n.to_owned(), symbols.named(n).iter().all(|&f| constructs(a.fun(f).kind))))
            .collect();
        Wording {
            elements: Elements::of(script, symbols, cut),
            exactness,
            instances: Instances::of(a),
            numbers,
            unknown: fresh(script, "smelt!unknown!"),
        }
    }

    /// Whether only one thing can be meant by an item, from its `from`-th token on.
    pub fn is_clear(&self, cut: &Cut, item: &Item, from: usize) -> bool {
        self.readings(cut, item, from).all(|r| !matches!(r, Reading::Unclear))
    }

    /// Whether an item has values that are not known, from its `from`-th token on.
    pub fn is_exact(&self, cut: &Cut, item: &Item, from: usize) -> bool {
        self.readings(cut, item, from).all(|r| !matches!(r, Reading::Unknown))
    }

    fn readings<'a>(
        &'a self,
        cut: &'a Cut,
        item: &'a Item,
        from: usize,
    ) -> impl Iterator<Item = Reading> + 'a {
        let function = is_function(cut, item);
        (from..item.tokens.len()).map(move |i| self.reading(cut, item, i, function))
    }

    fn reading(&self, cut: &Cut, item: &Item, i: usize, function: bool) -> Reading {
        let t = &item.tokens[i];
        let text = token_text(&cut.source, t);
        match t.kind {
            Tok::Decimal if self.exactness.number(text) == Number::Inexact => Reading::Unknown,
            Tok::Symbol | Tok::Quoted => match self.elements.meaning(cut, item, i, function) {
                Meaning::Unclear => Reading::Unclear,
                Meaning::Element(new) => {
                    let mut quoted = String::new();
                    write_symbol(new, &mut quoted);
                    Reading::Instead(quoted)
                }
                Meaning::Plain if t.kind == Tok::Quoted => self.instance(cut, item, i),
                Meaning::Plain => match (self.exactness.number(text), self.numbers.get(text)) {
                    (Number::Exact | Number::Inexact, Some(false)) => Reading::Unclear,
                    (Number::Inexact, None) => Reading::Unknown,
                    _ => self.instance(cut, item, i),
                },
            },
            _ => Reading::AsIs,
        }
    }

    fn instance(&self, cut: &Cut, item: &Item, i: usize) -> Reading {
        self.instances.instead(cut, item, i).map_or(Reading::AsIs, Reading::Instead)
    }

    /// Copies an item from its `from`-th token on, in words that say what is meant. The item must be clear.
    pub fn copy(&self, pieces: &mut Pieces, cut: &Cut, item: &Item, from: usize) {
        let mut done = item.tokens.get(from).map_or(item.end(), |t| t.start());
        if from > 0 {
            pieces.invent(" ", done);
        }
        for (i, reading) in (from..).zip(self.readings(cut, item, from)) {
            let t = &item.tokens[i];
            let (new, end) = match reading {
                Reading::Instead(new) => (new, t.end()),
                Reading::Unknown => (format!("(as {}{} Real)", self.unknown, t.start()), t.end()),
                Reading::AsIs | Reading::Unclear => {
                    match unit_of_character(cut, &item.tokens[i..]) {
                        Some(unit) => unit,
                        None => continue,
                    }
                }
            };
            pieces.copy(&cut.source, done, t.start());
            pieces.invent(&new, t.start());
            done = end;
        }
        pieces.copy(&cut.source, done, item.end());
    }
}

/// Whether an item defines a function, or something by a binder.
fn is_function(cut: &Cut, item: &Item) -> bool {
    let word = |k: usize| item.tokens.get(k).map_or("", |t| token_text(&cut.source, t));
    let parameters = matches!(word(1), "define-fun" | "define-fun-rec") && word(4) != ")";
    parameters
        || word(1) == "define-funs-rec"
        || item.tokens.iter().any(|t| BINDERS.contains(&token_text(&cut.source, t)))
}

/// z3 writes some strings of one character as `(seq.unit (_ Char 97))`: the literal, and where the term ends.
fn unit_of_character(cut: &Cut, tokens: &[smelt_smtlib::lexer::Token]) -> Option<(String, usize)> {
    let [open, unit, inner, underscore, char, code, end, close, ..] = tokens else { return None };
    let text = |t| token_text(&cut.source, t);
    let kinds = [open, inner, end, close].map(|t| t.kind);
    if kinds != [Tok::Open, Tok::Open, Tok::Close, Tok::Close]
        || [text(unit), text(underscore), text(char)] != ["seq.unit", "_", "Char"]
    {
        return None;
    }
    let code: u32 = text(code).parse().ok()?;
    Some((format!("\"\\u{{{code:x}}}\""), close.end()))
}
