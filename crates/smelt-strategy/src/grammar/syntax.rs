//! Reading a grammar file: plain BNF in the words of ANTLR.
//!
//! ```text
//! grammar Tiny;                       // a header, a comment
//! bool : 'true' | var                 // a word of it: symbols, joined by one space
//!      | '(' 'not' bool ')' ;         /* literals may have blanks and quotes: '(_ BitVec 8)', '""', 'it\'s' */
//! var : 'a' | 'b' ;
//! start : '(declare-const a Bool) (declare-const b Bool)' '(assert' bool ')' '(check-sat)' EOF ;
//! ```
//!
//! Rules may be used before they are defined. `start` is where words begin; `EOF` may end its alternatives and means nothing.

use std::ops::Range;

use rustc_hash::FxHashMap;
use smelt_smtlib::{Error, Result};

use super::check;

/// A grammar that can be enumerated: every rule has words, and none derives just itself.
#[derive(Clone, Debug)]
pub struct Grammar {
    /// The name in its header.
    pub name: String,
    /// Its rules, in the order of the file.
    pub rules: Vec<Rule>,
    /// The rule called `start`.
    pub start: usize,
}

/// A rule.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its name.
    pub name: String,
    /// Where its definition begins: the name.
    pub span: Range<usize>,
    /// Its alternatives.
    pub alternatives: Vec<Alternative>,
}

/// One alternative of a rule: symbols, one after the other.
#[derive(Clone, Debug)]
pub struct Alternative {
    /// The symbols; at least one.
    pub symbols: Vec<Symbol>,
    /// Where it stands.
    pub span: Range<usize>,
}

/// A symbol with its place in the file.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// What it is.
    pub kind: SymbolKind,
    /// Where it stands.
    pub span: Range<usize>,
}

/// What stands in an alternative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// A text.
    Literal(String),
    /// A rule, by its place in [`Grammar::rules`].
    Rule(usize),
}

impl Grammar {
    /// Reads a grammar. The first thing that is wrong with it is the error.
    pub fn read(text: &str) -> Result<Self> {
        let (name, raw) = Reader { text, at: 0 }.grammar()?;
        let grammar = resolve(name, raw)?;
        check::check(&grammar)?;
        Ok(grammar)
    }

    /// The rules that an alternative uses, in order.
    pub(super) fn used(alternative: &Alternative) -> impl Iterator<Item = usize> {
        alternative.symbols.iter().filter_map(|s| match s.kind {
            SymbolKind::Rule(r) => Some(r),
            SymbolKind::Literal(_) => None,
        })
    }
}

/// A rule whose symbols are not looked up yet.
struct RawRule {
    name: String,
    span: Range<usize>,
    alternatives: Vec<(Vec<Raw>, Range<usize>)>,
}

/// A symbol as it is written.
struct Raw {
    is_literal: bool,
    text: String,
    span: Range<usize>,
}

fn resolve(name: String, raw: Vec<RawRule>) -> Result<Grammar> {
    let mut places: FxHashMap<&str, usize> = FxHashMap::default();
    for (i, rule) in raw.iter().enumerate() {
        if places.insert(&rule.name, i).is_some() {
            return Err(Error::new(
                rule.span.clone(),
                format!("the rule {} is defined twice", rule.name),
            ));
        }
    }
    let Some(&start) = places.get("start") else {
        let message = "the grammar has no rule `start`, where its words begin";
        return Err(Error::new(0..0, message));
    };
    let mut rules = Vec::new();
    for rule in &raw {
        let mut alternatives = Vec::new();
        for (symbols, span) in &rule.alternatives {
            let mut made = Vec::new();
            for (i, s) in symbols.iter().enumerate() {
                let kind = match (s.is_literal, places.get(s.text.as_str())) {
                    (true, _) => SymbolKind::Literal(s.text.clone()),
                    (false, Some(&r)) => SymbolKind::Rule(r),
                    (false, None) if s.text == "EOF" && i + 1 == symbols.len() && i > 0 => continue,
                    (false, None) => {
                        let message = format!("there is no rule {}", s.text);
                        return Err(Error::new(s.span.clone(), message));
                    }
                };
                made.push(Symbol { kind, span: s.span.clone() });
            }
            alternatives.push(Alternative { symbols: made, span: span.clone() });
        }
        rules.push(Rule { name: rule.name.clone(), span: rule.span.clone(), alternatives });
    }
    Ok(Grammar { name, rules, start })
}

/// Reads a file from left to right.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn grammar(mut self) -> Result<(String, Vec<RawRule>)> {
        let (word, span) = self.name("the word `grammar`")?;
        if word != "grammar" {
            return Err(Error::new(span, "a grammar begins with `grammar NAME;`"));
        }
        let (name, _) = self.name("the grammar's name")?;
        self.expect(';')?;
        let mut rules = Vec::new();
        while self.peek()?.is_some() {
            rules.push(self.rule()?);
        }
        if rules.is_empty() {
            return Err(Error::new(self.here(), "the grammar is empty").expected("a rule"));
        }
        Ok((name, rules))
    }

    fn rule(&mut self) -> Result<RawRule> {
        let (name, span) = self.name("a rule's name")?;
        self.expect(':')?;
        let mut alternatives = Vec::new();
        loop {
            alternatives.push(self.alternative()?);
            match self.peek()? {
                Some('|') => self.at += 1,
                Some(';') => {
                    self.at += 1;
                    return Ok(RawRule { name, span, alternatives });
                }
                Some(':') => {
                    let message = format!("the rule {name} does not end before this");
                    return Err(Error::new(self.here(), message).expected("`;`"));
                }
                _ => return Err(self.foreign("`|` or `;`")),
            }
        }
    }

    fn alternative(&mut self) -> Result<(Vec<Raw>, Range<usize>)> {
        let mut symbols: Vec<Raw> = Vec::new();
        loop {
            match self.peek()? {
                Some('\'') => symbols.push(self.literal()?),
                Some(c) if is_name(c) => {
                    let (text, span) = self.name("a symbol")?;
                    symbols.push(Raw { is_literal: false, text, span });
                }
                Some(c) if symbols.is_empty() && !matches!(c, '|' | ';') => {
                    return Err(self.foreign("a literal in single quotes, or a rule"));
                }
                _ if symbols.is_empty() => {
                    let message = "an alternative needs a symbol: there is no empty word";
                    return Err(Error::new(self.here(), message).expected("a literal or a rule"));
                }
                _ => {
                    let span = symbols[0].span.start..symbols[symbols.len() - 1].span.end;
                    return Ok((symbols, span));
                }
            }
        }
    }

    fn literal(&mut self) -> Result<Raw> {
        let begin = self.at;
        let mut text = String::new();
        let mut chars = self.text[begin + 1..].char_indices();
        while let Some((i, c)) = chars.next() {
            match c {
                '\'' if text.is_empty() => {
                    let span = begin..begin + i + 2;
                    return Err(Error::new(
                        span,
                        "a literal needs a character: there is no empty word",
                    ));
                }
                '\'' => {
                    self.at = begin + 1 + i + 1;
                    return Ok(Raw { is_literal: true, text, span: begin..self.at });
                }
                '\n' => break,
                '\\' => match chars.next() {
                    Some((_, c @ ('\'' | '\\'))) => text.push(c),
                    _ => {
                        let span = begin + 1 + i..begin + 2 + i;
                        let message = "`\\` stands before `'` or `\\` only";
                        return Err(Error::new(span, message));
                    }
                },
                c => text.push(c),
            }
        }
        Err(Error::new(begin..begin + 1, "the literal has no end on its line").expected("`'`"))
    }

    /// A name; what else stands there is an error.
    fn name(&mut self, what: &str) -> Result<(String, Range<usize>)> {
        self.peek()?;
        let rest = &self.text[self.at..];
        let len = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        if len == 0 {
            return Err(self.foreign(what));
        }
        let span = self.at..self.at + len;
        self.at += len;
        Ok((rest[..len].to_owned(), span))
    }

    fn expect(&mut self, c: char) -> Result<()> {
        if self.peek()? != Some(c) {
            return Err(self.foreign(&format!("`{c}`")));
        }
        self.at += 1;
        Ok(())
    }

    fn foreign(&self, expected: &str) -> Error {
        let message = match self.text[self.at..].chars().next() {
            None => "the grammar ends too early".to_owned(),
            Some(c @ ('*' | '+' | '?' | '(' | ')' | '~' | '[' | '.')) => {
                format!("`{c}` is none of BNF: alternatives are sequences of literals and rules")
            }
            Some(c) => format!("{c:?} cannot stand here"),
        };
        Error::new(self.here(), message).expected(expected)
    }

    fn here(&self) -> Range<usize> {
        let len = self.text[self.at..].chars().next().map_or(0, char::len_utf8);
        self.at..self.at + len
    }

    /// The next character behind blanks and comments.
    fn peek(&mut self) -> Result<Option<char>> {
        loop {
            let rest = &self.text[self.at..];
            let Some(c) = rest.chars().next() else { return Ok(None) };
            if c.is_whitespace() {
                self.at += c.len_utf8();
            } else if rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                let Some(end) = rest.find("*/") else {
                    return Err(
                        Error::new(self.at..self.at + 2, "the comment has no end").expected("`*/`")
                    );
                };
                self.at += end + 2;
            } else {
                return Ok(Some(c));
            }
        }
    }
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}
