//! The text of a model, made ready for the parser of scripts.
//!
//! Solvers print models that are almost scripts: in an outer pair of parentheses, with symbols that are declared already,
//! with functions used before they are defined, with comments that mean something. Here such a text is rearranged; every
//! piece remembers where it came from, so that an error can be shown where it is.

use crate::exactness::mark_strange;
use rustc_hash::{FxHashMap, FxHashSet};
use smelt_smtlib::Error;
use smelt_smtlib::lexer::{Lexer, Tok, Token};

/// A text put together from pieces of another.
#[derive(Default)]
pub(crate) struct Pieces {
    text: Vec<u8>,
    /// Start in the new text, start in the source.
    starts: Vec<(usize, usize)>,
}

impl Pieces {
    /// Adds what the source does not have.
    pub fn invent(&mut self, text: &str, at: usize) {
        self.starts.push((self.text.len(), at));
        self.text.extend_from_slice(text.as_bytes());
    }

    /// Adds a part of the source.
    pub fn copy(&mut self, source: &[u8], from: usize, to: usize) {
        self.starts.push((self.text.len(), from));
        self.text.extend_from_slice(&source[from..to]);
    }

    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// The place in the source of an error in the new text.
    pub fn relocate(&self, e: Error) -> Error {
        let place = |at: usize| {
            let i = self.starts.partition_point(|&(new, _)| new <= at);
            match i.checked_sub(1).and_then(|i| self.starts.get(i)) {
                Some(&(new, old)) => old + (at - new),
                None => at,
            }
        };
        let start = place(e.span.start);
        moved(&e, start..start + e.span.len().max(1))
    }
}

/// A copy of an error, at another place.
pub(crate) fn moved(e: &Error, span: std::ops::Range<usize>) -> Error {
    let new = Error::new(span, e.message.clone());
    match &e.expected {
        Some(what) => new.expected(what.clone()),
        None => new,
    }
}

/// What was printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// `(define-fun …)`, with or without parentheses around all.
    Definitions,
    /// `((term value) …)`
    Values,
    /// Yices' `(= symbol value)` and `(function …)`.
    Equations,
}

/// One parenthesised item.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    /// The tokens, from the `(` to the `)`.
    pub tokens: Vec<Token>,
}

impl Item {
    pub fn start(&self) -> usize {
        self.tokens[0].start()
    }

    pub fn end(&self) -> usize {
        self.tokens[self.tokens.len() - 1].end()
    }
}

/// A model cut into its items.
pub(crate) struct Cut {
    /// The text, with what cannot be read blanked out.
    pub source: Vec<u8>,
    pub form: Form,
    pub items: Vec<Item>,
    /// Elements of free sorts that comments list: the sort's text, the elements' texts.
    pub universes: Vec<(String, Vec<String>)>,
}

const COMMANDS: [&str; 11] = [
    "define-fun",
    "define-fun-rec",
    "define-funs-rec",
    "define-const",
    "declare-fun",
    "declare-const",
    "declare-sort",
    "declare-datatype",
    "declare-datatypes",
    "forall",
    "define-sort",
];

pub(crate) fn token_text<'s>(source: &'s [u8], t: &Token) -> &'s str {
    let text = std::str::from_utf8(&source[t.start()..t.end()]).unwrap_or("");
    match t.kind {
        Tok::Quoted => text.get(1..text.len().saturating_sub(1)).unwrap_or(""),
        _ => text,
    }
}

/// Cuts a model into items.
pub(crate) fn cut(text: &[u8], old_escapes: bool) -> Result<Cut, Error> {
    let mut source = readable(text);
    let mut tokens = read_tokens(&source)?;
    let universes = comments(text);
    if old_escapes {
        source = renew_escapes(&source, &tokens);
        tokens = read_tokens(&source)?;
    }
    if name_the_nameless(&mut source, &tokens) {
        tokens = read_tokens(&source)?;
    }
    // `sat` may stand before the model.
    let is = |t: &Token, word: &str| t.kind == Tok::Symbol && token_text(&source, t) == word;
    let mut rest = &tokens[..];
    while rest.first().is_some_and(|t| is(t, "sat")) {
        rest = &rest[1..];
    }
    let Some(first) = rest.first() else {
        return Err(Error::new(0..1, "the model is empty").expected("`(`"));
    };
    if first.kind != Tok::Open {
        let message = format!("unexpected `{}`", token_text(&source, first));
        return Err(Error::new(first.span(), message).expected("a model in parentheses"));
    }
    if rest.get(1).is_some_and(|t| is(t, "error")) {
        return Err(Error::new(first.span(), "the solver printed an error instead of a model"));
    }
    // Is there a pair around everything?
    let wrapped = match rest.get(1) {
        Some(t) => matches!(t.kind, Tok::Open | Tok::Close) || is(t, "model"),
        None => false,
    };
    let mut inner = rest;
    if wrapped {
        let from = if rest.get(1).is_some_and(|t| is(t, "model")) { 2 } else { 1 };
        let end = closing(rest, 0).ok_or_else(|| truncated(&source))?;
        if let Some(extra) = rest.get(end + 1) {
            return Err(Error::new(extra.span(), "unexpected text after the model"));
        }
        inner = &rest[from..end];
    }
    let mut items = Vec::new();
    let mut i = 0;
    while i < inner.len() {
        if inner[i].kind != Tok::Open {
            let message = format!("unexpected `{}`", token_text(&source, &inner[i]));
            return Err(Error::new(inner[i].span(), message).expected("a definition"));
        }
        let end = closing(inner, i).ok_or_else(|| truncated(&source))?;
        items.push(Item { tokens: inner[i..=end].to_vec() });
        i = end + 1;
    }
    let word = |item: &Item| token_text(&source, &item.tokens[1]).to_owned();
    let form = match items.first() {
        Some(item) if COMMANDS.contains(&&*word(item)) => Form::Definitions,
        Some(item) if !wrapped && matches!(&*word(item), "=" | "function") => Form::Equations,
        Some(_) if wrapped => Form::Values,
        Some(item) => {
            return Err(Error::new(item.tokens[1].span(), "this is not a model")
                .expected("`define-fun` or values of terms"));
        }
        None => Form::Definitions,
    };
    Ok(Cut { source, form, items, universes })
}

/// z3 prints the symbol `||` as nothing, between two spaces: `(define-fun  () Int 5)`.
fn name_the_nameless(source: &mut [u8], tokens: &[Token]) -> bool {
    let mut found = false;
    for w in tokens.windows(3) {
        let kinds = (w[0].kind, w[1].kind, w[2].kind);
        if kinds == (Tok::Open, Tok::Symbol, Tok::Open)
            && source[w[1].start()..w[1].end()] == *b"define-fun"
            && source[w[1].end()..w[2].start()] == *b"  "
        {
            source[w[1].end()..w[2].start()].copy_from_slice(b"||");
            found = true;
        }
    }
    found
}

fn truncated(source: &[u8]) -> Error {
    let end = source.len();
    Error::new(end.saturating_sub(1)..end, "the model ends in the middle").expected("`)`")
}

/// The token that closes the one at `open`.
pub(crate) fn closing(tokens: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (i, t) in tokens.iter().enumerate().skip(open) {
        match t.kind {
            Tok::Open => depth += 1,
            Tok::Close => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(i);
                }
            }
            _ if depth == 0 => return Some(i),
            _ => {}
        }
    }
    None
}

fn read_tokens(source: &[u8]) -> Result<Vec<Token>, Error> {
    let mut lexer = Lexer::new(source);
    let mut out: Vec<Token> = Vec::new();
    loop {
        let t = lexer.next_token()?;
        if t.kind == Tok::End {
            return Ok(out);
        }
        out.push(t);
    }
}

/// Makes a text that the lexer can read. cvc5's `(_ real_algebraic_number <…>)`, which is no s-expression, becomes z3's
/// `(root-obj …)`, and a name without a value if it cannot be understood. (Places of errors behind it on the same line may
/// move.) Numbers in no known notation are marked, see [`mark_strange`]. Strings, quoted symbols and comments stay as they are.
fn readable(text: &[u8]) -> Vec<u8> {
    const ALGEBRAIC: &[u8] = b"(_ real_algebraic_number <";
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(&c) = text.get(at) {
        let rest = &text[at..];
        let until =
            |end: u8| rest[1..].iter().position(|&b| b == end).map_or(rest.len(), |i| i + 2);
        let length = match c {
            b'"' | b'|' => until(c),
            b';' => until(b'\n'),
            b'(' if rest.starts_with(ALGEBRAIC)
                && let Some(end) = find(rest, b">)") =>
            {
                let inner = std::str::from_utf8(&rest[ALGEBRAIC.len()..end]).unwrap_or("");
                let new = crate::model_roots::root_object(inner)
                    .unwrap_or_else(|| format!("(as @n{at} Real)"));
                out.extend_from_slice(new.as_bytes());
                out.extend(std::iter::repeat_n(b' ', (end + 2).saturating_sub(new.len())));
                at += end + 2;
                continue;
            }
            _ => {
                rest.iter().position(|c| b"()\"|; \t\r\n".contains(c)).unwrap_or(rest.len()).max(1)
            }
        };
        let start = out.len();
        out.extend_from_slice(&rest[..length]);
        mark_strange(&mut out[start..]);
        at += length;
    }
    out
}

fn find(text: &[u8], what: &[u8]) -> Option<usize> {
    text.windows(what.len()).position(|w| w == what)
}

/// `; cardinality of T is 2`, followed by `; rep: …` per element.
fn comments(text: &[u8]) -> Vec<(String, Vec<String>)> {
    let mut out: Vec<(String, Vec<String>)> = Vec::new();
    for line in String::from_utf8_lossy(text).lines() {
        let line = line.trim();
        if let Some(rest) = line.strip_prefix("; cardinality of ")
            && let Some((sort, _)) = rest.rsplit_once(" is ")
        {
            out.push((sort.to_owned(), Vec::new()));
        } else if let Some(rest) = line.strip_prefix("; rep: ")
            && let Some((_, list)) = out.last_mut()
        {
            list.push(rest.trim().to_owned());
        }
    }
    out
}

/// z3 up to 4.8.10 writes `\x41`, `\n`, `\\` …: writes them as the standard does. (Places of errors behind such a
/// literal on the same line move a little.)
fn renew_escapes(source: &[u8], tokens: &[Token]) -> Vec<u8> {
    let mut out = Vec::with_capacity(source.len());
    let mut done = 0;
    for t in tokens.iter().filter(|t| t.kind == Tok::Str) {
        out.extend_from_slice(&source[done..t.start()]);
        let text = &source[t.start()..t.end()];
        let mut i = 0;
        while i < text.len() {
            let (c, used) = old_escape(&text[i..]);
            match c {
                Some(c) => out.extend_from_slice(format!("\\u{{{c:x}}}").as_bytes()),
                None => out.push(text[i]),
            }
            i += used;
        }
        done = t.end();
    }
    out.extend_from_slice(&source[done..]);
    out
}

/// The character of an old escape and its length; `None` and 1 for any other character.
fn old_escape(text: &[u8]) -> (Option<u32>, usize) {
    let hex = |d: &[u8]| std::str::from_utf8(d).ok().and_then(|d| u32::from_str_radix(d, 16).ok());
    match text {
        [b'\\', b'x', a, b, ..] => match hex(&[*a, *b]) {
            Some(c) => (Some(c), 4),
            None => (None, 1),
        },
        [b'\\', c, ..] => {
            let code = match c {
                b'a' => 7,
                b'b' => 8,
                b'e' => 27,
                b'f' => 12,
                b'n' => 10,
                b'r' => 13,
                b't' => 9,
                b'v' => 11,
                b'\\' => 92,
                _ => return (None, 1),
            };
            (Some(code), 2)
        }
        _ => (None, 1),
    }
}

/// Orders items so that a definition comes before its uses, as far as there is such an order.
pub(crate) fn by_use(source: &[u8], items: &[Item], names: &[Option<String>]) -> Vec<usize> {
    let defined: FxHashMap<&str, usize> =
        names.iter().enumerate().filter_map(|(i, name)| name.as_deref().map(|n| (n, i))).collect();
    let uses: Vec<Vec<usize>> = items
        .iter()
        .enumerate()
        .map(|(i, item)| {
            let mut seen = FxHashSet::default();
            let symbols =
                item.tokens.iter().filter(|t| matches!(t.kind, Tok::Symbol | Tok::Quoted));
            let used = symbols.filter_map(|t| defined.get(token_text(source, t)).copied());
            used.filter(|&j| j != i && seen.insert(j)).collect()
        })
        .collect();
    let mut order = Vec::new();
    let mut state = vec![0u8; items.len()];
    for root in 0..items.len() {
        let mut stack = vec![(root, 0)];
        while let Some((i, next)) = stack.pop() {
            if next == 0 {
                if state[i] != 0 {
                    continue;
                }
                state[i] = 1;
            }
            match uses[i].get(next) {
                Some(&j) => {
                    stack.push((i, next + 1));
                    if state[j] == 0 {
                        stack.push((j, 0));
                    }
                }
                None => order.push(i),
            }
        }
    }
    order
}
