//! Terms, by an explicit stack: input nested a million deep must not overflow ours.

use super::ident::Ident;
use super::{Parser, word};
use crate::arena::{Attr, Binder, Case, Fun, FunKind, Head, Sym, Term, VarList};
use crate::error::{Error, Result};
use crate::lexer::{Tok, Token};
use crate::literal::{Literal, MAX_DIGITS, decimal};
use crate::sort::{Sort, SortKind};

/// What waits for a value.
pub(super) enum Frame {
    /// `(f t …`: a name and the arguments so far.
    App { name: Sym, from: usize, open: usize },
    /// `((_ f 1) t …` and `((as f S) t …`
    Ident(Box<Ident>, usize),
    /// `((f x) y …`: the function is the first value.
    Apply { from: usize, open: usize },
    /// `(let (… (x `: the value of x.
    LetValue { name: Sym, pending: usize, open: usize },
    /// The body of a let.
    LetBody { undo: usize },
    /// The body of a binder.
    Bind { binder: Binder, vars: VarList, undo: usize, from: usize, open: usize },
    /// `(! t …`
    Annot(Box<Annot>),
    /// `(match t`
    Match(Box<Match>),
}

pub(super) struct Annot {
    from: usize,
    open: usize,
    attrs: Vec<Attr>,
    /// Terms still open: in a `:pattern` list, since this many values.
    pattern: Option<usize>,
}

pub(super) struct Match {
    from: usize,
    open: usize,
    cases: Vec<Case>,
    undo: usize,
}

enum Step {
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
            let mut value = match tok.kind {
                Tok::Open => match self.open(tok.start())? {
                    Step::Value(t) => t,
                    Step::More => {
                        tok = self.next()?;
                        continue;
                    }
                },
                Tok::Close if self.frames.len() > floor => self.close(tok)?,
                Tok::Close => return self.unexpected(tok, "a term"),
                Tok::Symbol => {
                    let name = self.arena.sym_bytes(self.lexer.bytes(tok));
                    match self.local(name) {
                        Some(t) => t,
                        None => self.atom(tok)?,
                    }
                }
                _ => self.atom(tok)?,
            };
            loop {
                if self.frames.len() > floor
                    && let Some(Frame::App { .. }) = self.frames.last()
                {
                    self.values.push(value);
                    break;
                }
                if self.frames.len() == floor {
                    return Ok(value);
                }
                match self.deliver(value)? {
                    Step::Value(v) => value = v,
                    Step::More => break,
                }
            }
            tok = self.next()?;
        }
    }

    #[inline(never)]
    fn atom(&mut self, t: Token) -> Result<Term> {
        if matches!(t.kind, Tok::Symbol | Tok::Quoted) {
            let name = self.arena.sym_bytes(self.lexer.bytes(t));
            if let Some(t) = self.local(name) {
                return Ok(t);
            }
            if t.kind == Tok::Symbol && self.is_reserved(name) {
                return self.unexpected(t, "a term");
            }
            let from = self.values.len();
            return self.apply_name(name, None, from, t.span());
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

    /// A numeral below 256, from a cache.
    fn small_numeral(&mut self, t: Token) -> Option<Term> {
        let digits = self.lexer.bytes(t);
        if digits.len() > 3 {
            return None;
        }
        let value = digits.iter().fold(0, |n, d| n * 10 + usize::from(d - b'0'));
        if value >= 256 {
            return None;
        }
        let real = self.numerals_are_real;
        let cache = &mut self.small[usize::from(real)];
        if cache.len() <= value {
            cache.resize(value + 1, None);
        }
        if let Some(t) = cache[value] {
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
    fn open(&mut self, mut open: usize) -> Result<Step> {
        loop {
            let t = self.next()?;
            match t.kind {
                Tok::Symbol => {
                    let name = self.arena.sym_bytes(self.lexer.bytes(t));
                    if self.is_reserved(name) {
                        return self.reserved(name, open, t);
                    }
                    self.frames.push(Frame::App { name, from: self.values.len(), open });
                    return Ok(Step::More);
                }
                Tok::Quoted => {
                    let name = self.arena.sym_bytes(self.lexer.bytes(t));
                    self.frames.push(Frame::App { name, from: self.values.len(), open });
                    return Ok(Step::More);
                }
                Tok::Open => {
                    let mut ahead = self.lexer.clone();
                    let head = ahead.next_token()?;
                    let indexed = self.is_word(head, word::UNDERSCORE);
                    let ascribed = self.is_word(head, word::AS);
                    if indexed || ascribed {
                        self.lexer = ahead;
                        let mut id = if indexed {
                            self.indexed(t.start())?
                        } else {
                            self.ascribed(t.start())?
                        };
                        id.start = open;
                        self.frames.push(Frame::Ident(Box::new(id), self.values.len()));
                        return Ok(Step::More);
                    }
                    self.frames.push(Frame::Apply { from: self.values.len(), open });
                    open = t.start();
                }
                _ => return self.unexpected(t, "the name of a function or operator"),
            }
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
                self.frames.push(Frame::Annot(Box::new(Annot {
                    from: self.values.len(),
                    open,
                    attrs: Vec::new(),
                    pattern: None,
                })));
                Ok(Step::More)
            }
            word::MATCH => {
                self.frames.push(Frame::Match(Box::new(Match {
                    from: self.values.len(),
                    open,
                    cases: Vec::new(),
                    undo: self.local_undo.len(),
                })));
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
                self.frames.push(Frame::LetBody { undo });
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
        let undo = self.local_undo.len();
        let vars = self.bind_vars(&sorted);
        self.frames.push(Frame::Bind { binder, vars, undo, from: self.values.len(), open });
        Ok(Step::More)
    }

    /// Makes and binds variables.
    pub(super) fn bind_vars(&mut self, sorted: &[(Sym, Sort)]) -> VarList {
        let mut vars = Vec::with_capacity(sorted.len());
        for &(name, sort) in sorted {
            let v = self.arena.new_var(name, sort);
            let t = self.arena.mk_var(v);
            self.bind_local(name, t);
            vars.push(v);
        }
        self.arena.var_list(&vars)
    }

    /// A `)` where a term could stand: ends an application.
    fn close(&mut self, t: Token) -> Result<Term> {
        match self.frames.pop() {
            Some(Frame::App { name, from, open }) => {
                if from == self.values.len() {
                    // `(f)` is not a term, but cvc5 and z3 read it as `f`, and `(tuple)`, `(and)` exist.
                    return self.apply_name(name, None, from, open..t.end());
                }
                self.apply_name(name, None, from, open..t.end())
            }
            Some(Frame::Ident(id, from)) => self.apply_ident(&id, from, t.end()),
            Some(Frame::Apply { from, open }) => {
                if self.values.len() <= from {
                    return self.unexpected(t, "a function");
                }
                let f = self.values.remove(from);
                if self.values.len() == from {
                    return Ok(f);
                }
                self.apply_term(f, from, open..t.end())
            }
            Some(frame) => {
                self.frames.push(frame);
                self.unexpected(t, "a term")
            }
            None => self.unexpected(t, "a term"),
        }
    }

    #[inline(never)]
    fn deliver(&mut self, value: Term) -> Result<Step> {
        match self.frames.last_mut() {
            Some(Frame::App { .. } | Frame::Ident(..) | Frame::Apply { .. }) => {
                self.values.push(value);
                Ok(Step::More)
            }
            Some(&mut Frame::LetValue { name, pending, open }) => {
                self.frames.pop();
                // A name bound twice in one let is not standard; where it is accepted, the last one counts.
                self.pending.push((name, value));
                self.expect_close("`)` after the value of the variable")?;
                self.let_binding(open, pending)
            }
            Some(&mut Frame::LetBody { undo }) => {
                self.frames.pop();
                self.expect_close("`)` after the body of the let")?;
                self.unbind_locals(undo);
                Ok(Step::Value(value))
            }
            Some(&mut Frame::Bind { binder, vars, undo, from, open }) => {
                self.values.push(value);
                let wanted = 1 + usize::from(binder == Binder::SetComprehension);
                if self.values.len() - from < wanted {
                    return Ok(Step::More);
                }
                self.frames.pop();
                self.expect_close("`)` after the body")?;
                self.unbind_locals(undo);
                let body = self.arena.sort(self.values[from]);
                if binder != Binder::Lambda && body != Sort::BOOL {
                    let sort = self.arena.show_sort(body);
                    return Err(Error::new(
                        open..self.lexer.position(),
                        format!("the body of `{}` must be Bool, not {sort}", binder.name()),
                    ));
                }
                let t = self.arena.mk_binder(binder, vars, &self.values[from..]);
                self.values.truncate(from);
                Ok(Step::Value(t))
            }
            Some(Frame::Annot(_)) => {
                self.values.push(value);
                self.annotation()
            }
            Some(Frame::Match(_)) => {
                self.values.push(value);
                self.match_case()
            }
            None => Ok(Step::Value(value)),
        }
    }

    /// After the term of an annotation or after a term of one of its patterns.
    #[inline(never)]
    fn annotation(&mut self) -> Result<Step> {
        let Some(Frame::Annot(mut a)) = self.frames.pop() else { return Ok(Step::More) };
        loop {
            let mut t = self.next()?;
            if let Some(since) = a.pattern {
                if t.kind != Tok::Close {
                    // One more term of the pattern.
                    self.frames.push(Frame::Annot(a));
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
                    self.frames.push(Frame::Annot(a));
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

    /// Goes on with a token that was already taken: it starts a term.
    fn reread(&mut self, t: Token) -> Result<Step> {
        match t.kind {
            Tok::Open => self.open(t.start()),
            Tok::Close => self.unexpected(t, "a term"),
            _ => self.atom(t).map(Step::Value),
        }
    }

    fn name_term(&mut self, name: Sym, body: Term, start: usize) -> Result<Fun> {
        let span = start..self.lexer.position();
        if !self.arena.is_closed(body) {
            return Err(Error::new(span, "a term with free variables cannot be named"));
        }
        let mut d = self.simple_decl(name, Vec::new(), self.arena.sort(body), FunKind::Named);
        d.def = Some((VarList::EMPTY, body));
        self.declare(span, d)
    }

    /// After the matched term or after the body of a case.
    #[inline(never)]
    fn match_case(&mut self) -> Result<Step> {
        let Some(Frame::Match(mut m)) = self.frames.pop() else { return Ok(Step::More) };
        if self.values.len() == m.from + 1 && m.cases.is_empty() {
            self.expect_open("the cases of the match")?;
        } else {
            self.unbind_locals(m.undo);
            self.expect_close("`)` after the body of the case")?;
        }
        let t = self.next()?;
        match t.kind {
            Tok::Close => {
                self.expect_close("`)` after the cases")?;
                let t = self.finish_match(*m)?;
                Ok(Step::Value(t))
            }
            Tok::Open => {
                let scrutinee = self.arena.sort(self.values[m.from]);
                let case = self.pattern(scrutinee)?;
                m.cases.push(case);
                self.frames.push(Frame::Match(m));
                Ok(Step::More)
            }
            _ => self.unexpected(t, "a case `(pattern term)` or `)`"),
        }
    }

    fn pattern(&mut self, scrutinee: Sort) -> Result<Case> {
        let t = self.next()?;
        let start = t.start();
        let constructor = |p: &Self, name: Sym| {
            let is = |f: &Fun| matches!(p.arena.fun(*f).kind, FunKind::Constructor(..));
            let fits =
                |f: &Fun| p.arena.match_sort(p.arena.fun(*f).ret, scrutinee, &mut Vec::new());
            let all = p.funs_named(name).iter().copied().filter(is);
            all.clone().find(fits).or_else(|| all.clone().next())
        };
        match t.kind {
            Tok::Open => {
                let name = self.symbol("the name of a constructor")?;
                let Some(c) = constructor(self, name) else {
                    let text = self.arena.name(name);
                    return Err(Error::new(
                        start..self.lexer.position(),
                        format!("`{text}` is not a constructor"),
                    ));
                };
                let mut map = Vec::new();
                let d = self.arena.fun(c).clone();
                if !self.arena.match_sort(d.ret, scrutinee, &mut map) {
                    let (text, sort) = (self.arena.name(name), self.arena.show_sort(scrutinee));
                    return Err(Error::new(
                        start..self.lexer.position(),
                        format!("`{text}` does not construct {sort}"),
                    ));
                }
                let mut sorted = Vec::new();
                loop {
                    let t = self.next()?;
                    if t.kind == Tok::Close {
                        break;
                    }
                    let v = self.symbol_from(t, "the name of a variable")?;
                    let Some(&s) = d.args.get(sorted.len()) else {
                        return self.unexpected(t, "`)`: the constructor has no more fields");
                    };
                    let s = self.arena.subst_sort(s, &map);
                    sorted.push((v, s));
                }
                if sorted.len() != d.args.len() {
                    return Err(Error::new(
                        start..self.lexer.position(),
                        format!("this pattern needs {} variables", d.args.len()),
                    ));
                }
                let vars = self.bind_vars(&sorted);
                Ok(Case { constructor: Some(c), vars })
            }
            _ => {
                let name = self.symbol_from(t, "a pattern")?;
                if let Some(c) = constructor(self, name) {
                    let d = self.arena.fun(c);
                    let fits = self.arena.match_sort(d.ret, scrutinee, &mut Vec::new());
                    if fits && d.args.is_empty() {
                        return Ok(Case { constructor: Some(c), vars: VarList::EMPTY });
                    }
                    return Err(Error::new(t.span(), "this constructor does not fit as a pattern"));
                }
                let vars = self.bind_vars(&[(name, scrutinee)]);
                Ok(Case { constructor: None, vars })
            }
        }
    }

    fn finish_match(&mut self, m: Match) -> Result<Term> {
        let span = m.open..self.lexer.position();
        let scrutinee = self.arena.sort(self.values[m.from]);
        let SortKind::Named(decl, _) = *self.arena.sort_kind(scrutinee) else {
            return Err(Error::new(span, "`match` needs a term of a datatype"));
        };
        let crate::sort::SortDeclKind::Datatype { constructors, .. } =
            &self.arena.sort_decl(decl).kind
        else {
            return Err(Error::new(span, "`match` needs a term of a datatype"));
        };
        let total = m.cases.iter().any(|c| c.constructor.is_none())
            || constructors.iter().all(|f| m.cases.iter().any(|c| c.constructor == Some(*f)));
        if !total {
            return Err(Error::new(span, "this match does not cover every constructor"));
        }
        let bodies = m.from + 1..self.values.len();
        let sorts: Vec<Sort> = bodies.clone().map(|i| self.arena.sort(self.values[i])).collect();
        let mut sort = sorts[0];
        if sorts.contains(&Sort::INT) && sorts.contains(&Sort::REAL) {
            sort = Sort::REAL;
            for i in bodies {
                if self.arena.sort(self.values[i]) == Sort::INT {
                    self.values[i] = self.arena.to_real(self.values[i]);
                }
            }
        } else if sorts.iter().any(|&s| s != sort) {
            return Err(Error::new(span, "the cases of this match have different sorts"));
        }
        let cases = self.arena.cases(m.cases);
        let t = self.arena.mk(Head::Match(cases), &self.values[m.from..], sort);
        self.values.truncate(m.from);
        Ok(t)
    }
}
