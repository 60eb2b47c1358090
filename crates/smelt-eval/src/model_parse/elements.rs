//! Elements of free sorts, and symbols of the script that are called like them.
//!
//! z3 calls the elements of a free sort `T` by `T!val!0`, cvc4 by `@uc_T_0`, cvc5 and Yices by `(as @T_0 T)`. Nothing keeps a
//! script from declaring symbols of these names, and then one model says `(declare-fun T!val!0 () T)` of the element and
//! `(define-fun T!val!0 () T T!val!1)` of the symbol. An element whose name the script has too gets another name here. Where
//! the text does not tell which of the two is meant, it is not read.

use super::{Symbols, sort_is_declared};
use crate::model_text::{Cut, Item, Pieces, token_text};
use rustc_hash::{FxHashMap, FxHashSet};
use smelt_smtlib::lexer::Tok;
use smelt_smtlib::{Command, Fun, FunKind, Script, Sym, write_symbol};

/// The names of a model's text that may be names of elements.
#[derive(Default)]
pub(super) struct Elements {
    names: FxHashMap<String, Name>,
}

/// A name that may be that of an element.
struct Name {
    /// What the element is called here, if the script uses the name, too.
    instead: Option<String>,
    /// Whether the name alone is one of an element, `T!val!0`. Others are that behind `as` only.
    bare: bool,
    /// Whether the model declares the element.
    declared: bool,
    /// Whether the script has a constant of this name, which a definition may mention.
    constant: bool,
    /// Whether the script has a constructor or a sort of this name: it may be that anywhere.
    anything: bool,
}

/// What a word means.
pub(super) enum Meaning<'a> {
    /// What it means to the script, or an element under its own name.
    Plain,
    /// An element, under this name.
    Element(&'a str),
    /// One of several things.
    Unclear,
}

impl Elements {
    pub fn of(script: &Script, symbols: &Symbols, cut: &Cut) -> Elements {
        let declared = declared(cut);
        let entered = entered(script);
        let mut names: FxHashMap<String, Name> = FxHashMap::default();
        for t in cut.items.iter().flat_map(|i| &i.tokens) {
            let name = token_text(&cut.source, t);
            let bare = sort_of(script, name).is_some();
            if !matches!(t.kind, Tok::Symbol | Tok::Quoted)
                || !(bare || name.starts_with('@'))
                || names.contains_key(name)
            {
                continue;
            }
            let (own, a) = (symbols.named(name), &script.arena);
            let sort = sort_is_declared(script, name);
            let constructs = |k| matches!(k, FunKind::Constructor(..));
            // The parser still knows what a `pop` has taken away.
            let known = a.find_sym(name).is_some_and(|s| entered.contains(&s));
            let clash = !own.is_empty() || sort || known;
            let found = Name {
                instead: clash.then(|| fresh(script, &format!("{name}!element"))),
                bare,
                declared: declared.contains(name),
                constant: own.iter().any(|&f| a.fun(f).args.is_empty()),
                anything: sort || own.iter().any(|&f| constructs(a.fun(f).kind)),
            };
            names.insert(name.to_owned(), found);
        }
        Elements { names }
    }

    /// What the `i`-th token of an item means. `function`: the item defines a function, or something by a binder. The body of
    /// such a definition may mention constants of the script (z3's with `smt.macro_finder=true` do); the value of a
    /// constant does not.
    pub fn meaning(&self, cut: &Cut, item: &Item, i: usize, function: bool) -> Meaning<'_> {
        let Some(name) = self.names.get(token_text(&cut.source, &item.tokens[i])) else {
            return Meaning::Plain;
        };
        let before = i.checked_sub(1).map(|k| &item.tokens[k]);
        let head = before.is_some_and(|t| t.kind == Tok::Open);
        let before = before.map_or("", |t| token_text(&cut.source, t));
        // A variable of this name hides the element.
        if name.bare && head {
            return Meaning::Unclear;
        }
        let Some(new) = &name.instead else { return Meaning::Plain };
        if name.anything || head {
            return Meaning::Unclear;
        }
        match before {
            "as" if !name.bare => Meaning::Element(new),
            // They name a function.
            "as-array" | "is" | "map" | "_" => Meaning::Unclear,
            _ if !name.declared || name.constant && function => Meaning::Unclear,
            _ => Meaning::Element(new),
        }
    }

    /// What an element is called here.
    pub fn name<'a>(&'a self, name: &'a str) -> &'a str {
        self.names.get(name).and_then(|n| n.instead.as_deref()).unwrap_or(name)
    }

    /// Whether the script has used a name that may be that of an element.
    fn clashes(&self, name: &str) -> bool {
        self.names.get(name).is_some_and(|n| n.instead.is_some())
    }

    /// Whether an item declares an element that has the name of a symbol of the script.
    pub fn declares_clash(&self, name: &str) -> bool {
        self.clashes(name) && self.names.get(name).is_some_and(|n| n.declared)
    }
}

/// Whether a text that names an element, `(as @T_0 T)` or `@uc_T_0`, names nothing of the script.
pub(super) fn is_plain(script: &Script, symbols: &Symbols, text: &str) -> bool {
    let word = text.strip_prefix("(as ").and_then(|t| t.split(' ').next()).unwrap_or(text);
    symbols.named(word).is_empty() && !sort_is_declared(script, word)
}

/// The names of all functions that commands of a script declare or define, also in scopes that are closed.
fn entered(script: &Script) -> FxHashSet<Sym> {
    let mut out = FxHashSet::default();
    for c in &script.commands {
        let funs: &[Fun] = match c {
            Command::DeclareFun(f) | Command::DefineFun(f) => std::slice::from_ref(f),
            Command::DefineFunsRec(all) => all,
            _ => continue,
        };
        out.extend(funs.iter().map(|&f| script.arena.fun(f).name));
    }
    out
}

/// A name that occurs nowhere in the script: this one, or a longer one.
pub(super) fn fresh(script: &Script, name: &str) -> String {
    let mut name = name.to_owned();
    while script.arena.find_sym(&name).is_some() {
        name.push('!');
    }
    name
}

/// The name of the free sort whose element z3 or cvc4 calls by this name: `T!val!0`, `@uc_T_0`.
pub(super) fn sort_of<'a>(script: &Script, name: &'a str) -> Option<&'a str> {
    let (sort, number) = name
        .rsplit_once("!val!")
        .or_else(|| name.strip_prefix("@uc_").and_then(|n| n.rsplit_once('_')))?;
    let digits = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    (digits && sort_is_declared(script, sort)).then_some(sort)
}

/// The names of elements that z3 declares: `(declare-fun T!val!0 () T)`, and a constraint says that they are all there are.
fn declared(cut: &Cut) -> FxHashSet<&str> {
    let word = |i: &Item, k: usize| i.tokens.get(k).map_or("", |t| token_text(&cut.source, t));
    let constraints = cut.items.iter().filter(|i| word(i, 1) == "forall");
    let mentioned: FxHashSet<&str> =
        constraints.flat_map(|i| i.tokens.iter().map(|t| token_text(&cut.source, t))).collect();
    let declarations =
        cut.items.iter().filter(|i| word(i, 1) == "declare-fun" && word(i, 4) == ")");
    declarations.map(|i| word(i, 2)).filter(|n| mentioned.contains(n)).collect()
}

/// Declares elements that a model uses and does not declare.
pub(super) fn declare_elements(
    script: &Script,
    cut: &Cut,
    elements: &Elements,
    symbols: &Symbols,
    pieces: &mut Pieces,
) {
    // cvc4 uses names of elements (`@uc_T_0`) without declaring them: they are in comments only.
    for (sort, listed) in &cut.universes {
        for e in listed {
            let bare = e.starts_with('@') && !e.contains([' ', '(']);
            if bare && symbols.named(e).is_empty() && sort_is_declared(script, sort) {
                pieces.invent(&format!("(declare-fun {e} () {sort})\n"), 0);
            }
        }
    }
    // z3 declares the elements of a sort only if quantifiers are about it.
    let declared: FxHashSet<&str> = cut
        .items
        .iter()
        .filter(|i| token_text(&cut.source, &i.tokens[1]).starts_with("declare"))
        .filter_map(|i| i.tokens.get(2).map(|t| token_text(&cut.source, t)))
        .collect();
    let mut seen = FxHashSet::default();
    for t in cut.items.iter().flat_map(|i| &i.tokens) {
        let name = token_text(&cut.source, t);
        // cvc4 lists its elements in comments, but not always.
        let listed = cut.universes.iter().any(|(_, all)| all.iter().any(|e| e == name));
        if matches!(t.kind, Tok::Symbol | Tok::Quoted)
            && let Some(sort) = sort_of(script, name)
            && !listed
            && !declared.contains(name)
            && !elements.clashes(name)
            && seen.insert(name)
        {
            let (mut quoted, mut of) = (String::new(), String::new());
            write_symbol(name, &mut quoted);
            write_symbol(sort, &mut of);
            pieces.invent(&format!("(declare-fun {quoted} () {of})\n"), t.start());
        }
    }
}
