//! Terms, by an explicit stack: input nested a million deep must not overflow ours.

use smallvec::SmallVec;

use super::{Parser, word};
use crate::arena::{Binder, Sym, Term, Var, VarList};
use crate::error::{Error, Result};
use crate::lexer::{Tok, Token};
use crate::literal::{Literal, MAX_DIGITS, decimal};
use crate::sort::Sort;

/// What waits for a value. Places among the values and in the source are in 32 bits: frames are pushed and popped for
/// every parenthesis.
#[derive(Clone, Copy)]
pub(super) enum Frame {
    /// `(f t …`: a name and the arguments so far.
    App { name: Sym, from: u32, open: u32 },
    /// `((_ f 1) t …` and `((as f S) t …`: the identifier is the last of its list.
    Ident { from: u32 },
    /// `((f x) y …`: the function is the first value.
    Apply { from: u32, open: u32 },
    /// `(let (… (x `: the value of x.
    LetValue { name: Sym, pending: u32, open: u32 },
    /// The body of a let.
    LetBody { undo: u32 },
    /// The body of a binder.
    Bind { binder: Binder, vars: VarList, undo: u32, from: u32, open: u32 },
    /// `(! t …`: the last of the annotations.
    Annot,
    /// `(match t`: the last of the matches.
    Match,
}

pub(super) enum Step {
    Value(Term),
    More,
}

impl Parser<'_> {
    pub(super) fn term(&mut self) -> Result<Term> {
        let t = self.next()?;
        self.term_from(t)
    }

    pub(super) fn bool_term(&mut self, what: &str) -> Result<Term> {
        let start = self.lexer.position();
        let t = self.term()?;
        if self.arena.sort(t) != Sort::BOOL {
            let sort = self.arena.show_sort(self.arena.sort(t));
            return Err(Error::new(
                start + 1..self.lexer.position(),
                format!("{what} must be Bool, but this has sort {sort}"),
            ));
        }
        Ok(t)
    }

    pub(super) fn term_from(&mut self, first: Token) -> Result<Term> {
        let floor = self.frames.len();
        let mut tok = first;
        loop {
            let value = match tok.kind {
                Tok::Symbol => {
                    let name = self.sym_hot(tok);
                    match self.local(name) {
                        Some(t) => t,
                        None => self.name_atom(name, tok)?,
                    }
                }
                Tok::Close if self.frames.len() > floor => self.close(tok)?,
                Tok::Open => {
                    let head = self.next_hot()?;
                    let step = match head.kind {
                        Tok::Symbol => {
                            let name = self.sym_hot(head);
                            if name.0 >= word::COUNT {
                                self.open_app(name, tok.start());
                                Step::More
                            } else {
                                self.open_word(name, tok.start(), head)?
                            }
                        }
                        _ => self.open_other(tok.start(), head)?,
                    };
                    match step {
                        Step::Value(t) => t,
                        Step::More => {
                            tok = self.next_hot()?;
                            continue;
                        }
                    }
                }
                Tok::Close => return self.unexpected(tok, "a term"),
                _ => self.atom(tok)?,
            };
            match self.frames.last() {
                Some(Frame::App { .. }) if self.frames.len() > floor => self.values.push(value),
                _ => {
                    if let Some(t) = self.settle(value, floor)? {
                        return Ok(t);
                    }
                }
            }
            tok = self.next_hot()?;
        }
    }

    /// Hands a value to the frames that wait for it, and on as long as that makes a value; returns what no frame above
    /// the floor waits for.
    #[inline(never)]
    fn settle(&mut self, mut value: Term, floor: usize) -> Result<Option<Term>> {
        while self.frames.len() > floor {
            match self.deliver(value)? {
                Step::Value(v) => value = v,
                Step::More => return Ok(None),
            }
        }
        Ok(Some(value))
    }

    #[inline]
    fn open_app(&mut self, name: Sym, open: usize) {
        let from = self.values.len() as u32;
        self.frames.push(Frame::App { name, from, open: open as u32 });
    }

    /// A name that is not a variable or constant in scope, as a term.
    #[inline(never)]
    fn name_atom(&mut self, name: Sym, t: Token) -> Result<Term> {
        if t.kind == Tok::Symbol && self.is_reserved(name) {
            return self.unexpected(t, "a term");
        }
        let from = self.values.len();
        self.apply_name(name, None, from, t.span())
    }

    #[inline(never)]
    fn atom(&mut self, t: Token) -> Result<Term> {
        if matches!(t.kind, Tok::Symbol | Tok::Quoted) {
            let name = self.sym(t);
            return match self.local(name) {
                Some(t) => Ok(t),
                None => self.name_atom(name, t),
            };
        }
        if t.kind == Tok::Numeral
            && let Some(t) = self.small_numeral(t)
        {
            return Ok(t);
        }
        let text = self.lexer.text(t);
        let literal = match t.kind {
            Tok::Numeral if self.numerals_are_real => Literal::real(text),
            Tok::Numeral => Literal::Int(decimal(text)),
            Tok::Decimal => Literal::real(text),
            Tok::Hex | Tok::Binary => match Literal::bits(text) {
                Literal::Bits { width, .. } if width > crate::literal::MAX_WIDTH => {
                    let e = crate::typing::width(u64::from(width));
                    return Err(Error::new(t.span(), e.err().unwrap_or_default()));
                }
                l => l,
            },
            Tok::Str => Literal::string(&text[1..text.len() - 1]),
            Tok::Field => {
                let body = &text[2..];
                let (negative, body) = match body.strip_prefix('-') {
                    Some(b) => (true, b),
                    None => (false, body),
                };
                let digits = |s: &str| {
                    (1..=MAX_DIGITS).contains(&s.len()) && s.bytes().all(|b| b.is_ascii_digit())
                };
                return match body.split_once('m') {
                    Some((v, p)) if digits(v) && digits(p) && decimal(p) > 1u32.into() => {
                        Ok(self.field(negative, decimal(v), decimal(p)))
                    }
                    _ => self.unexpected(t, "a field literal such as #f3m7"),
                };
            }
            Tok::Symbol | Tok::Quoted | Tok::Open | Tok::Close | Tok::Keyword | Tok::End => {
                return self.unexpected(t, "a term");
            }
        };
        Ok(self.arena.mk_literal(literal))
    }

    /// A small numeral, from a cache.
    fn small_numeral(&mut self, t: Token) -> Option<Term> {
        let digits = self.lexer.bytes(t);
        if digits.len() > 2 {
            return None;
        }
        let value = digits.iter().fold(0, |n, d| n * 10 + usize::from(d - b'0'));
        let real = self.numerals_are_real;
        if let Some(t) = *self.small[usize::from(real)].get(value)? {
            return Some(t);
        }
        let v = dashu_int::UBig::from(value);
        let t = self.arena.mk_literal(if real {
            Literal::Real { digits: v, scale: 0 }
        } else {
            Literal::Int(v)
        });
        self.small[usize::from(real)][value] = Some(t);
        Some(t)
    }

    /// `(_ bv5 8)` after its `_`, which is frequent; anything else is left as it was.
    fn bv_literal(&mut self) -> Result<Option<Term>> {
        let mut ahead = self.lexer.clone();
        let (name, width) = (ahead.next_token()?, ahead.next_token()?);
        let digits = self.lexer.bytes(name).strip_prefix(b"bv").unwrap_or_default();
        if name.kind != Tok::Symbol
            || width.kind != Tok::Numeral
            || !(1..=18).contains(&digits.len())
            || !digits.iter().all(u8::is_ascii_digit)
            || ahead.next_token()?.kind != Tok::Close
        {
            return Ok(None);
        }
        let value = digits.iter().fold(0u64, |n, d| n * 10 + u64::from(d - b'0'));
        match self.lexer.text(width).parse::<u32>() {
            Ok(w)
                if (1..=crate::literal::MAX_WIDTH).contains(&w) && (w > 63 || value >> w == 0) =>
            {
                self.lexer = ahead;
                let value = value.into();
                Ok(Some(self.arena.mk_literal(Literal::Bits { width: w, value })))
            }
            _ => Ok(None),
        }
    }

    /// After `(`: opens a frame, or reads an identifier that is a term by itself.
    fn open(&mut self, open: usize) -> Result<Step> {
        let head = self.next()?;
        match head.kind {
            Tok::Symbol => {
                let name = self.sym(head);
                self.open_word(name, open, head)
            }
            _ => self.open_other(open, head),
        }
    }

    /// After `(name`, where the name may be a reserved word.
    fn open_word(&mut self, name: Sym, open: usize, t: Token) -> Result<Step> {
        if self.is_reserved(name) {
            return self.reserved(name, open, t);
        }
        self.open_app(name, open);
        Ok(Step::More)
    }

    /// After `(` and a token that is not a simple symbol.
    #[inline(never)]
    fn open_other(&mut self, mut open: usize, mut t: Token) -> Result<Step> {
        loop {
            match t.kind {
                Tok::Symbol => {
                    let name = self.sym(t);
                    return self.open_word(name, open, t);
                }
                Tok::Quoted => {
                    let name = self.sym(t);
                    self.open_app(name, open);
                    return Ok(Step::More);
                }
                Tok::Open => {
                    let mut ahead = self.lexer.clone();
                    let head = ahead.next_token()?;
                    let indexed = self.is_word(head, word::UNDERSCORE);
                    let ascribed = self.is_word(head, word::AS);
                    let from = self.values.len() as u32;
                    if indexed || ascribed {
                        self.lexer = ahead;
                        let mut id = if indexed {
                            self.indexed(t.start())?
                        } else {
                            self.ascribed(t.start())?
                        };
                        id.start = open;
                        self.idents.push(id);
                        self.frames.push(Frame::Ident { from });
                        return Ok(Step::More);
                    }
                    self.frames.push(Frame::Apply { from, open: open as u32 });
                    open = t.start();
                }
                _ => return self.unexpected(t, "the name of a function or operator"),
            }
            t = self.next()?;
        }
    }

    /// Reserved words of solvers (not of the standard) may be declared as names.
    fn is_reserved(&self, name: Sym) -> bool {
        name.0 < word::LAMBDA
            || (name.0 < word::COUNT
                && self.local(name).is_none()
                && self.funs_named(name).is_empty())
    }

    #[inline(never)]
    fn reserved(&mut self, name: Sym, open: usize, t: Token) -> Result<Step> {
        match name.0 {
            word::LET => {
                self.expect_open("the bindings of a let")?;
                self.let_binding(open, self.pending.len())
            }
            word::EXISTS => self.binder(Binder::Exists, open),
            word::FORALL => self.binder(Binder::Forall, open),
            word::LAMBDA => self.binder(Binder::Lambda, open),
            word::CHOICE | word::WITNESS => self.binder(Binder::Choice, open),
            word::COMPREHENSION => self.binder(Binder::SetComprehension, open),
            word::BANG => {
                self.open_annotation(open);
                Ok(Step::More)
            }
            word::MATCH => {
                self.open_match(open);
                Ok(Step::More)
            }
            word::UNDERSCORE => {
                if let Some(t) = self.bv_literal()? {
                    return Ok(Step::Value(t));
                }
                let id = self.indexed(open)?;
                let from = self.values.len();
                self.apply_ident(&id, from, self.lexer.position()).map(Step::Value)
            }
            word::ROOT_OBJ => self.root_object(open).map(Step::Value),
            word::AS => {
                let id = self.ascribed(open)?;
                let from = self.values.len();
                self.apply_ident(&id, from, self.lexer.position()).map(Step::Value)
            }
            _ => self.unexpected(t, "a term"),
        }
    }

    /// In the bindings of a let: the next `(x`, or the `)` that ends them.
    fn let_binding(&mut self, open: usize, pending: usize) -> Result<Step> {
        let t = self.next()?;
        match t.kind {
            Tok::Open => {
                let name = self.symbol("the name of a variable")?;
                let (pending, open) = (pending as u32, open as u32);
                self.frames.push(Frame::LetValue { name, pending, open });
            }
            Tok::Close => {
                let undo = self.local_undo.len();
                // Parallel: all values were read before any name is bound.
                for i in pending..self.pending.len() {
                    let (name, value) = self.pending[i];
                    self.bind_local(name, value);
                }
                self.pending.truncate(pending);
                self.frames.push(Frame::LetBody { undo: undo as u32 });
            }
            _ => return self.unexpected(t, "a binding `(x t)` or `)`"),
        }
        Ok(Step::More)
    }

    fn binder(&mut self, binder: Binder, open: usize) -> Result<Step> {
        let sorted = self.sorted_vars()?;
        if sorted.is_empty() {
            return Err(Error::new(
                open..self.lexer.position(),
                format!("`{}` binds no variable", binder.name()),
            ));
        }
        let undo = self.local_undo.len() as u32;
        let vars = self.bind_vars(&sorted);
        let from = self.values.len() as u32;
        self.frames.push(Frame::Bind { binder, vars, undo, from, open: open as u32 });
        Ok(Step::More)
    }

    /// Makes and binds variables.
    pub(super) fn bind_vars(&mut self, sorted: &[(Sym, Sort)]) -> VarList {
        let mut vars: SmallVec<[Var; 8]> = SmallVec::new();
        for &(name, sort) in sorted {
            let v = self.arena.new_var(name, sort);
            let t = self.arena.mk_var(v);
            self.bind_local(name, t);
            vars.push(v);
        }
        self.arena.var_list(&vars)
    }

    /// A `)` where a term could stand: ends an application.
    #[inline]
    fn close(&mut self, t: Token) -> Result<Term> {
        match self.frames.pop() {
            // `(f)` is not a term, but cvc5 and z3 read it as `f`, and `(tuple)`, `(and)` exist.
            Some(Frame::App { name, from, open }) => {
                self.apply_plain(name, from as usize, open as usize..t.end())
            }
            frame => self.close_other(frame, t),
        }
    }

    #[inline(never)]
    fn close_other(&mut self, frame: Option<Frame>, t: Token) -> Result<Term> {
        match frame {
            Some(Frame::Ident { from }) => match self.idents.pop() {
                Some(id) => self.apply_ident(&id, from as usize, t.end()),
                None => self.unexpected(t, "a term"),
            },
            Some(Frame::Apply { from, open }) => {
                let from = from as usize;
                if self.values.len() <= from {
                    return self.unexpected(t, "a function");
                }
                let f = self.values.remove(from);
                if self.values.len() == from {
                    return Ok(f);
                }
                self.arena.set_juxtaposes();
                self.apply_term(f, from, open as usize..t.end())
            }
            _ => self.unexpected(t, "a term"),
        }
    }

    fn deliver(&mut self, value: Term) -> Result<Step> {
        match self.frames.last().copied() {
            Some(Frame::App { .. } | Frame::Ident { .. } | Frame::Apply { .. }) => {
                self.values.push(value);
                Ok(Step::More)
            }
            Some(Frame::LetValue { name, pending, open }) => {
                self.frames.pop();
                // A name bound twice in one let is not standard; where it is accepted, the last one counts.
                self.pending.push((name, value));
                self.expect_close("`)` after the value of the variable")?;
                self.let_binding(open as usize, pending as usize)
            }
            Some(Frame::LetBody { undo }) => {
                self.frames.pop();
                self.expect_close("`)` after the body of the let")?;
                self.unbind_locals(undo as usize);
                Ok(Step::Value(value))
            }
            Some(Frame::Bind { binder, vars, undo, from, open }) => {
                let from = from as usize;
                self.values.push(value);
                let wanted = 1 + usize::from(binder == Binder::SetComprehension);
                if self.values.len() - from < wanted {
                    return Ok(Step::More);
                }
                self.frames.pop();
                self.expect_close("`)` after the body")?;
                self.unbind_locals(undo as usize);
                let body = self.arena.sort(self.values[from]);
                if binder != Binder::Lambda && body != Sort::BOOL {
                    let sort = self.arena.show_sort(body);
                    return Err(Error::new(
                        open as usize..self.lexer.position(),
                        format!("the body of `{}` must be Bool, not {sort}", binder.name()),
                    ));
                }
                let t = self.arena.mk_binder(binder, vars, &self.values[from..]);
                self.values.truncate(from);
                Ok(Step::Value(t))
            }
            Some(Frame::Annot) => {
                self.values.push(value);
                self.annotation()
            }
            Some(Frame::Match) => {
                self.values.push(value);
                self.match_case()
            }
            None => Ok(Step::Value(value)),
        }
    }

    /// Goes on with a token that was already taken: it starts a term.
    pub(super) fn reread(&mut self, t: Token) -> Result<Step> {
        match t.kind {
            Tok::Open => self.open(t.start()),
            Tok::Close => self.unexpected(t, "a term"),
            _ => self.atom(t).map(Step::Value),
        }
    }
}
