//! Sorts.

use smallvec::SmallVec;

use super::keywords::SortWord;
use super::{Parser, SortEntry, word};
use crate::arena::Sym;
use crate::error::{Error, Result};
use crate::lexer::{Tok, Token};
use crate::literal::decimal;
use crate::sort::{MAX_SORT_DEPTH, Sort, SortKind};
use crate::typing::{float, width};

/// Few sorts, as most lists of them are.
pub(super) type SortList = SmallVec<[Sort; 6]>;

impl Parser<'_> {
    pub(super) fn sort(&mut self) -> Result<Sort> {
        let t = self.next()?;
        self.sort_from(t, 0)
    }

    pub(super) fn sort_list(&mut self) -> Result<SortList> {
        self.expect_open("a list of sorts")?;
        self.sorts_until_close(0)
    }

    fn sorts_until_close(&mut self, depth: u32) -> Result<SortList> {
        let mut out = SortList::new();
        loop {
            let t = self.next()?;
            if t.kind == Tok::Close {
                return Ok(out);
            }
            out.push(self.sort_from(t, depth)?);
        }
    }

    pub(super) fn sort_from(&mut self, t: Token, depth: u32) -> Result<Sort> {
        if depth > MAX_SORT_DEPTH {
            return Err(Error::new(t.span(), "this sort is nested too deeply"));
        }
        let sort = match t.kind {
            Tok::Symbol | Tok::Quoted => {
                let name = self.sym(t);
                self.apply_sort(name, &[], t.span())?
            }
            Tok::Open => {
                let head = self.next()?;
                if head.kind == Tok::Symbol && self.lexer.text(head) == "_" {
                    self.indexed_sort(t.start())?
                } else {
                    let name = self.symbol_from(head, "the name of a sort")?;
                    let args = self.sorts_until_close(depth + 1)?;
                    self.apply_sort(name, &args, t.start()..self.lexer.position())?
                }
            }
            _ => return self.unexpected(t, "a sort"),
        };
        if self.arena.sort_too_deep(sort) {
            return Err(Error::new(t.span(), "this sort is nested too deeply or too large"));
        }
        Ok(sort)
    }

    fn indexed_sort(&mut self, start: usize) -> Result<Sort> {
        let name = self.symbol("the name of an indexed sort")?;
        let mut idx = Vec::new();
        loop {
            let t = self.next()?;
            match t.kind {
                Tok::Close => break,
                Tok::Numeral => idx.push(self.lexer.text(t)),
                _ => return self.unexpected(t, "a numeral"),
            }
        }
        let span = start..self.lexer.position();
        let small = |s: &str| s.parse::<u32>().unwrap_or(u32::MAX);
        let kind = match (self.arena.name(name), &*idx) {
            ("BitVec", [w]) => width(w.parse::<u64>().unwrap_or(u64::MAX)).map(SortKind::BitVec),
            ("FloatingPoint", [e, m]) => float(small(e), small(m)),
            ("FiniteField", [p]) => match decimal(p) {
                p if p.is_zero() || p.is_one() => Err("a field has at least 2 elements".into()),
                p => Ok(SortKind::FiniteField(p)),
            },
            (n, _) => Err(format!("unknown indexed sort `{n}` with {} indices", idx.len())),
        };
        match kind {
            Ok(k) => Ok(self.arena.mk_sort(k)),
            Err(message) => Err(Error::new(span, message)),
        }
    }

    fn apply_sort(
        &mut self,
        name: Sym,
        args: &[Sort],
        span: std::ops::Range<usize>,
    ) -> Result<Sort> {
        let arity = |n: usize| -> Result<()> {
            if args.len() == n {
                return Ok(());
            }
            let text = self.arena.name(name);
            let s = if n == 1 { "" } else { "s" };
            Err(Error::new(
                span.clone(),
                format!("the sort `{text}` takes {n} argument{s} but got {}", args.len()),
            ))
        };
        match if self.sorts.is_empty() { None } else { self.sorts.get(&name) } {
            Some(&SortEntry::Declared(d)) => {
                arity(self.arena.sort_decl(d).params.len())?;
                return Ok(self.named_sort(d, args.into()));
            }
            Some(SortEntry::Alias(params, body)) => {
                arity(params.len())?;
                let body = *body;
                let map: Vec<_> = params.iter().copied().zip(args.iter().copied()).collect();
                return Ok(self.arena.subst_sort(body, &map));
            }
            Some(SortEntry::Param) => {
                arity(0)?;
                return Ok(self.arena.mk_sort(SortKind::Param(name)));
            }
            None => {}
        }
        let kind = match (SortWord::of(name), args) {
            (Some(SortWord::Bool), []) => return Ok(Sort::BOOL),
            (Some(SortWord::Int), []) => return Ok(Sort::INT),
            (Some(SortWord::Real), []) => return Ok(Sort::REAL),
            (Some(SortWord::RoundingMode), []) => return Ok(Sort::RM),
            (Some(SortWord::String), []) => return Ok(Sort::STRING),
            (Some(SortWord::RegLan), []) => return Ok(Sort::REGLAN),
            (Some(SortWord::RegEx), &[Sort::STRING]) => return Ok(Sort::REGLAN),
            (Some(SortWord::Float16), []) => SortKind::Float(5, 11),
            (Some(SortWord::Float32), []) => SortKind::Float(8, 24),
            (Some(SortWord::Float64), []) => SortKind::Float(11, 53),
            (Some(SortWord::Float128), []) => SortKind::Float(15, 113),
            (Some(SortWord::Array), &[i, e]) => SortKind::Array(i, e),
            (Some(SortWord::Seq), &[e]) => SortKind::Seq(e),
            (Some(SortWord::Set), &[e]) => SortKind::Set(e),
            (Some(SortWord::Bag), &[e]) => SortKind::Bag(e),
            (Some(SortWord::Nullable), &[e]) => SortKind::Nullable(e),
            (Some(SortWord::UnitTuple), []) => SortKind::Tuple(Box::default()),
            (Some(SortWord::Tuple), parts) => SortKind::Tuple(parts.into()),
            (Some(SortWord::Relation), parts) => {
                let t = self.arena.mk_sort(SortKind::Tuple(parts.into()));
                SortKind::Set(t)
            }
            (Some(SortWord::Table), parts) => {
                let t = self.arena.mk_sort(SortKind::Tuple(parts.into()));
                SortKind::Bag(t)
            }
            (Some(SortWord::Arrow | SortWord::DoubleArrow), [from @ .., to])
                if !from.is_empty() =>
            {
                SortKind::Fun(from.into(), *to)
            }
            (word, _) => {
                let text = self.arena.name(name);
                let message = match word {
                    None | Some(SortWord::DoubleArrow) => format!("unknown sort `{text}`"),
                    Some(SortWord::BitVec | SortWord::FloatingPoint | SortWord::FiniteField) => {
                        format!("the sort `{text}` needs indices: `(_ {text} …)`")
                    }
                    Some(_) => {
                        format!("the sort `{text}` does not take {} arguments", args.len())
                    }
                };
                return Err(Error::new(span, message));
            }
        };
        Ok(self.arena.mk_sort(kind))
    }

    /// `((x S) …)`: names and sorts.
    pub(super) fn sorted_vars(&mut self) -> Result<Vec<(Sym, Sort)>> {
        self.expect_open("a list of sorted variables")?;
        self.sorted_names("the name of a variable", "a sorted variable `(x S)` or `)`")
    }

    /// `(x S) …)`, the names of variables or of selectors, up to and including the `)`.
    pub(super) fn sorted_names(&mut self, name: &str, item: &str) -> Result<Vec<(Sym, Sort)>> {
        let mut out = Vec::new();
        loop {
            let t = self.next()?;
            match t.kind {
                Tok::Close => return Ok(out),
                Tok::Open => {
                    let name = self.symbol(name)?;
                    let sort = self.sort()?;
                    self.expect_close("`)` after the sort")?;
                    out.push((name, sort));
                }
                _ => return self.unexpected(t, item),
            }
        }
    }

    /// `(par (X …)` if it stands here: binds the parameters; the caller closes and unbinds.
    pub(super) fn sort_params(&mut self) -> Result<Box<[Sym]>> {
        self.expect_open("a list of sort parameters")?;
        let mut out = Vec::new();
        loop {
            let t = self.next()?;
            if t.kind == Tok::Close {
                return Ok(out.into());
            }
            out.push(self.symbol_from(t, "the name of a sort parameter")?);
        }
    }

    /// Runs `f` with sort parameters in scope.
    pub(super) fn with_params<T>(
        &mut self,
        params: &[Sym],
        f: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let old: Vec<_> =
            params.iter().map(|&p| (p, self.sorts.insert(p, SortEntry::Param))).collect();
        let done = f(self);
        for (p, entry) in old.into_iter().rev() {
            match entry {
                Some(e) => self.sorts.insert(p, e),
                None => self.sorts.remove(&p),
            };
        }
        done
    }

    pub(super) fn is_word(&self, t: Token, w: u32) -> bool {
        t.kind == Tok::Symbol && self.lexer.bytes(t) == super::RESERVED[w as usize].as_bytes()
    }

    pub(super) fn is_par(&self, t: Token) -> bool {
        self.is_word(t, word::PAR)
    }
}
