//! `(match t ((pattern body) …))`.

use super::Parser;
use super::term::{Frame, Step};
use crate::arena::{Case, Fun, FunKind, Head, Sym, Term, VarList};
use crate::error::{Error, Result};
use crate::lexer::Tok;
use crate::sort::{Sort, SortKind};

/// A `match` that is being read.
pub(super) struct Match {
    from: usize,
    open: usize,
    cases: Vec<Case>,
    undo: usize,
}

impl Parser<'_> {
    /// After `(match`.
    pub(super) fn open_match(&mut self, open: usize) {
        let (from, undo) = (self.values.len(), self.local_undo.len());
        self.matches.push(Match { from, open, cases: Vec::new(), undo });
        self.frames.push(Frame::Match);
    }

    /// After the matched term or after the body of a case.
    #[inline(never)]
    pub(super) fn match_case(&mut self) -> Result<Step> {
        let Some(mut m) = self.matches.pop() else { return Ok(Step::More) };
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
                self.frames.pop();
                let t = self.finish_match(m)?;
                Ok(Step::Value(t))
            }
            Tok::Open => {
                let scrutinee = self.arena.sort(self.values[m.from]);
                let case = self.pattern(scrutinee)?;
                m.cases.push(case);
                self.matches.push(m);
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
