//! `(! t :named n :pattern (p …) …)`.

use super::Parser;
use super::term::{Frame, Step};
use crate::arena::{Attr, Fun, FunKind, Head, Sym, Term, VarList};
use crate::error::{Error, Result};
use crate::lexer::Tok;

/// An annotation that is being read.
pub(super) struct Annot {
    from: usize,
    open: usize,
    attrs: Vec<Attr>,
    /// Terms still open: in a `:pattern` list, since this many values.
    pattern: Option<usize>,
}

impl Parser<'_> {
    /// After `(!`.
    pub(super) fn open_annotation(&mut self, open: usize) {
        let from = self.values.len();
        self.annotations.push(Annot { from, open, attrs: Vec::new(), pattern: None });
        self.frames.push(Frame::Annot);
    }

    /// After the term of an annotation or after a term of one of its patterns.
    #[inline(never)]
    pub(super) fn annotation(&mut self) -> Result<Step> {
        let Some(mut a) = self.annotations.pop() else { return Ok(Step::More) };
        loop {
            let mut t = self.next()?;
            if let Some(since) = a.pattern {
                if t.kind != Tok::Close {
                    // One more term of the pattern.
                    self.annotations.push(a);
                    return self.reread(t);
                }
                a.attrs.push(Attr::Pattern((self.values.len() - since) as u32));
                a.pattern = None;
                t = self.next()?;
            }
            match t.kind {
                Tok::Close => break,
                Tok::Keyword => {}
                _ => return self.unexpected(t, "a keyword or `)`"),
            }
            match self.lexer.text(t) {
                ":named" => {
                    let body = self.values[a.from];
                    let name = self.symbol("a name")?;
                    let f = self.name_term(name, body, t.start())?;
                    a.attrs.push(Attr::Named(f));
                }
                ":pattern" => {
                    self.expect_open("a list of terms")?;
                    a.pattern = Some(self.values.len());
                }
                ":no-pattern" => {
                    a.attrs.push(Attr::NoPattern);
                    self.annotations.push(a);
                    let t = self.next()?;
                    return self.reread(t);
                }
                keyword => {
                    let mut text = String::from(keyword);
                    let mut ahead = self.lexer.clone();
                    let value = ahead.next_token()?;
                    if !matches!(value.kind, Tok::Close | Tok::Keyword | Tok::End) {
                        self.lexer = ahead;
                        text.push(' ');
                        text.push_str(self.raw_from(value)?);
                    }
                    a.attrs.push(Attr::Other(text.into()));
                }
            }
        }
        self.frames.pop();
        let body = self.values[a.from];
        let sort = self.arena.sort(body);
        if a.attrs.is_empty() {
            let span = a.open..self.lexer.position();
            return Err(Error::new(span, "an annotation without a keyword").expected("a keyword"));
        }
        let attrs = self.arena.attrs(a.attrs);
        let t = self.arena.mk(Head::Annot(attrs), &self.values[a.from..], sort);
        self.values.truncate(a.from);
        Ok(Step::Value(t))
    }

    fn name_term(&mut self, name: Sym, body: Term, start: usize) -> Result<Fun> {
        let span = start..self.lexer.position();
        if !self.arena.is_closed(body) {
            return Err(Error::new(span, "a term with free variables cannot be named"));
        }
        let mut d = self.simple_decl(name, Box::default(), self.arena.sort(body), FunKind::Named);
        d.def = Some((VarList::EMPTY, body));
        self.declare(span, d)
    }
}
