//! Commands.

use super::keywords::Keyword;
use super::sorts::SortList;
use super::{Parser, SortEntry, Undo, is_real_only};
use crate::arena::{Fun, FunDecl, FunKind, Sym, Term, VarList};
use crate::error::{Error, Result};
use crate::founded::unfounded;
use crate::lexer::{Tok, Token};
use crate::script::Command;
use crate::sort::{Sort, SortDecl, SortDeclInfo, SortDeclKind, SortKind};

/// How many levels may be open: a short script must not take much memory.
const MAX_LEVELS: usize = 1_000_000;

impl Parser<'_> {
    pub(super) fn script(&mut self) -> Result<()> {
        loop {
            let t = match self.lexer.next_plain() {
                Some(t) => t,
                None => self.lexer.next_token()?,
            };
            match t.kind {
                Tok::End => return Ok(()),
                Tok::Open => {
                    if self.command(t)? {
                        return Ok(());
                    }
                }
                _ => return self.unexpected(t, "a command"),
            }
        }
    }

    /// Reads a command and adds it to the list. Tells whether it was `exit`.
    fn command(&mut self, open: Token) -> Result<bool> {
        let t = self.next()?;
        if !matches!(t.kind, Tok::Symbol | Tok::Quoted) {
            return self.unexpected(t, "the name of a command");
        }
        let Some(word) = self.find_sym(t).and_then(Keyword::of) else {
            let end = self.lexer.skip_balanced(1)?;
            self.commands.push(Command::Other(self.slice(open.start(), end)?.into()));
            return Ok(false);
        };
        let command = match word {
            Keyword::SetLogic => {
                let logic = self.symbol("the name of a logic")?;
                self.numerals_are_real = is_real_only(self.arena.name(logic));
                Command::SetLogic(logic)
            }
            Keyword::SetInfo => {
                let (k, v) = self.attribute()?;
                Command::SetInfo(k, v)
            }
            Keyword::SetOption => {
                let (k, v) = self.attribute()?;
                if &*k == ":global-declarations" {
                    self.global_declarations = &*v == "true";
                }
                Command::SetOption(k, v)
            }
            Keyword::DeclareSort => self.declare_sort(open.start())?,
            Keyword::DefineSort => self.define_sort(open.start())?,
            Keyword::DeclareConst => {
                let name = self.symbol("a name")?;
                let ret = self.sort()?;
                self.declare_fun(open.start(), name, SortList::new(), ret)?;
                return self.end_command(word);
            }
            Keyword::DeclareFun => {
                let name = self.symbol("a name")?;
                let args = self.sort_list()?;
                let ret = self.sort()?;
                self.declare_fun(open.start(), name, args, ret)?;
                return self.end_command(word);
            }
            Keyword::DeclareDatatype | Keyword::DeclareCodatatype => {
                let name = self.symbol("the name of a datatype")?;
                let co = word == Keyword::DeclareCodatatype;
                let before = self.undo.len();
                let d = self.new_datatype(open.start(), name, co, None)?;
                let body = self.next()?;
                self.datatype_body(d, body)?;
                self.check_datatypes(open.start(), &[d], before)?;
                Command::DeclareDatatypes([d].into())
            }
            Keyword::DeclareDatatypes | Keyword::DeclareCodatatypes => {
                let co = word == Keyword::DeclareCodatatypes;
                self.declare_datatypes(open.start(), co)?
            }
            Keyword::DefineFun | Keyword::DefineConst | Keyword::DefineFunRec => {
                self.define_fun(open.start(), word)?
            }
            Keyword::DefineFunsRec => self.define_funs_rec(open.start())?,
            Keyword::Assert => {
                let t = self.bool_term("an assertion")?;
                self.commands.push(Command::Assert(t));
                return self.end_command(word);
            }
            Keyword::CheckSat => Command::CheckSat,
            Keyword::CheckSatAssuming => {
                let open = self.next()?;
                if open.kind != Tok::Open {
                    return self.unexpected(open, "a list of terms");
                }
                let terms = self.terms_until_close()?;
                if let Some(&t) = terms.iter().find(|&&t| self.arena.sort(t) != Sort::BOOL) {
                    let sort = self.arena.show_sort(self.arena.sort(t));
                    return Err(Error::new(
                        open.start()..self.lexer.position(),
                        format!("an assumption must be Bool, not {sort}"),
                    ));
                }
                Command::CheckSatAssuming(terms.into())
            }
            Keyword::CheckSatUsing => {
                let text = self.rest()?;
                self.commands.push(Command::CheckSatUsing(text));
                return Ok(false);
            }
            Keyword::AssertSoft => {
                let t = self.bool_term("an assertion")?;
                let text = self.rest()?;
                self.commands.push(Command::AssertSoft(t, text));
                return Ok(false);
            }
            Keyword::Minimize => {
                let t = self.term()?;
                let text = self.rest()?;
                self.commands.push(Command::Minimize(t, text));
                return Ok(false);
            }
            Keyword::Maximize => {
                let t = self.term()?;
                let text = self.rest()?;
                self.commands.push(Command::Maximize(t, text));
                return Ok(false);
            }
            Keyword::Push => {
                let n = self.level_count()?;
                if self.levels.len() + n as usize > MAX_LEVELS {
                    return Err(Error::new(
                        open.start()..self.lexer.position(),
                        format!("more than {MAX_LEVELS} levels"),
                    ));
                }
                self.levels.resize(self.levels.len() + n as usize, self.undo.len());
                Command::Push(n)
            }
            Keyword::Pop => {
                let n = self.level_count()?;
                if n as usize > self.levels.len() {
                    let have = self.levels.len();
                    return Err(Error::new(
                        open.start()..self.lexer.position(),
                        format!("`pop {n}` at level {have}"),
                    ));
                }
                let to = self.levels.len() - n as usize;
                if let Some(&undo) = self.levels.get(to) {
                    self.levels.truncate(to);
                    if !self.global_declarations {
                        self.undo_to(undo);
                    }
                }
                Command::Pop(n)
            }
            Keyword::Reset => {
                self.levels.clear();
                self.undo_to(0);
                self.numerals_are_real = false;
                self.global_declarations = false;
                Command::Reset
            }
            Keyword::ResetAssertions => {
                self.levels.clear();
                self.may_redeclare = true;
                Command::ResetAssertions
            }
            Keyword::GetValue => {
                self.expect_open("a list of terms")?;
                let terms = self.terms_until_close()?;
                Command::GetValue(terms.into())
            }
            Keyword::Exit => Command::Exit,
        };
        self.commands.push(command);
        self.end_command(word)
    }

    fn end_command(&mut self, word: Keyword) -> Result<bool> {
        self.expect_close("`)` at the end of the command")?;
        Ok(word == Keyword::Exit)
    }

    fn level_count(&mut self) -> Result<u32> {
        let mut ahead = self.lexer.clone();
        let t = ahead.next_token()?;
        if t.kind == Tok::Close {
            // `(push)`: not standard, accepted everywhere.
            return Ok(1);
        }
        self.lexer = ahead;
        match (t.kind, self.lexer.text(t).parse::<u32>()) {
            (Tok::Numeral, Ok(n)) if n as usize <= MAX_LEVELS => Ok(n),
            _ => self.unexpected(t, "a number of levels"),
        }
    }

    fn attribute(&mut self) -> Result<(Box<str>, Box<str>)> {
        let t = self.next()?;
        if t.kind != Tok::Keyword {
            return self.unexpected(t, "a keyword");
        }
        let keyword = self.lexer.text(t).into();
        let mut ahead = self.lexer.clone();
        let v = ahead.next_token()?;
        if v.kind == Tok::Close {
            return Ok((keyword, "".into()));
        }
        self.lexer = ahead;
        let mut text = String::from(self.raw_from(v)?);
        // `(set-info :source a b c)` occurs: keep it all.
        loop {
            let mut ahead = self.lexer.clone();
            let v = ahead.next_token()?;
            if matches!(v.kind, Tok::Close | Tok::End) {
                return Ok((keyword, text.into()));
            }
            self.lexer = ahead;
            text.push(' ');
            text.push_str(self.raw_from(v)?);
        }
    }

    /// The text up to the `)` of the command, which is taken.
    ///
    /// The text ends with a token: a comment behind the last one would swallow what is printed next.
    fn rest(&mut self) -> Result<Box<str>> {
        let start = self.lexer.position();
        let (mut end, mut depth) = (start, 0);
        loop {
            let t = self.next()?;
            match t.kind {
                Tok::Open => depth += 1,
                Tok::Close if depth == 0 => break,
                Tok::Close => depth -= 1,
                _ => {}
            }
            end = t.end();
        }
        Ok(self.slice(start, end)?.trim().into())
    }

    fn terms_until_close(&mut self) -> Result<Vec<Term>> {
        let mut out = Vec::new();
        loop {
            let t = self.next()?;
            if t.kind == Tok::Close {
                return Ok(out);
            }
            out.push(self.term_from(t)?);
        }
    }

    // ---- sorts

    fn declare_sort(&mut self, start: usize) -> Result<Command> {
        let name = self.symbol("the name of a sort")?;
        let mut ahead = self.lexer.clone();
        let t = ahead.next_token()?;
        let arity = if t.kind == Tok::Close {
            0
        } else {
            self.lexer = ahead;
            match (t.kind, self.lexer.text(t).parse::<u32>()) {
                (Tok::Numeral, Ok(n)) if n <= 1000 => n,
                _ => return self.unexpected(t, "the number of arguments of the sort"),
            }
        };
        let params = (0..arity).map(|i| self.arena.sym(&format!("X{i}"))).collect();
        let info = SortDeclInfo { name, params, kind: SortDeclKind::Free };
        let d = self.arena.declare_sort(info);
        self.declare_sort_name(start..self.lexer.position(), name, SortEntry::Declared(d))?;
        Ok(Command::DeclareSort(d))
    }

    fn define_sort(&mut self, start: usize) -> Result<Command> {
        let name = self.symbol("the name of a sort")?;
        let params = self.sort_params()?;
        let body = self.with_params(&params, Self::sort)?;
        let entry = SortEntry::Alias(params.clone(), body);
        self.declare_sort_name(start..self.lexer.position(), name, entry)?;
        Ok(Command::DefineSort(name, params, body))
    }

    // ---- functions

    fn declare_fun(
        &mut self,
        start: usize,
        name: Sym,
        mut args: SortList,
        mut ret: Sort,
    ) -> Result<()> {
        // `(declare-const f (-> A B))` and `(declare-fun f (A) B)` are the same.
        let (n, written) = (args.len(), ret);
        let mut arrows = 0;
        while let SortKind::Fun(more, r) = self.arena.sort_kind(ret) {
            args.extend_from_slice(more);
            ret = *r;
            arrows += 1;
        }
        let d = self.simple_decl(name, args.into_boxed_slice(), ret, FunKind::Free);
        let f = self.declare(start..self.lexer.position(), d)?;
        if arrows > 1 || arrows == 1 && n > 0 {
            self.arena.set_written(f, n, written);
        }
        self.commands.push(Command::DeclareFun(f));
        Ok(())
    }

    fn define_fun(&mut self, start: usize, command: Keyword) -> Result<Command> {
        let name = self.symbol("a name")?;
        let sorted = if command == Keyword::DefineConst { Vec::new() } else { self.sorted_vars()? };
        let ret = self.sort()?;
        let args: Box<[Sort]> = sorted.iter().map(|&(_, s)| s).collect();
        let recursive = command == Keyword::DefineFunRec;
        let kind = if recursive { FunKind::Recursive } else { FunKind::Defined };
        let decl = self.simple_decl(name, args, ret, kind);
        if recursive {
            let f = self.declare(start..self.lexer.position(), decl)?;
            let (params, body) = self.body(start, &sorted, ret)?;
            self.arena.set_definition(f, params, body);
            return Ok(Command::DefineFun(f));
        }
        let (params, body) = self.body(start, &sorted, ret)?;
        let f = self
            .declare(start..self.lexer.position(), FunDecl { def: Some((params, body)), ..decl })?;
        Ok(Command::DefineFun(f))
    }

    fn body(&mut self, start: usize, sorted: &[(Sym, Sort)], ret: Sort) -> Result<(VarList, Term)> {
        let undo = self.local_undo.len();
        let params = self.bind_vars(sorted);
        let mut body = self.term()?;
        self.unbind_locals(undo);
        let have = self.arena.sort(body);
        if have == Sort::INT && ret == Sort::REAL {
            body = self.arena.to_real(body);
        } else if have != ret && !self.arena.interchangeable(have, ret) {
            let (have, ret) = (self.arena.show_sort(have), self.arena.show_sort(ret));
            return Err(Error::new(
                start..self.lexer.position(),
                format!("the body has sort {have}, but {ret} is declared"),
            ));
        }
        Ok((params, body))
    }

    fn define_funs_rec(&mut self, start: usize) -> Result<Command> {
        self.expect_open("a list of declarations")?;
        let mut declared: Vec<(Fun, Vec<(Sym, Sort)>)> = Vec::new();
        loop {
            let t = self.next()?;
            match t.kind {
                Tok::Close => break,
                Tok::Open => {}
                _ => return self.unexpected(t, "a declaration `(f ((x S)) S)` or `)`"),
            }
            let name = self.symbol("a name")?;
            let sorted = self.sorted_vars()?;
            let ret = self.sort()?;
            let end = self.expect_close("`)` after the sort")?;
            let args = sorted.iter().map(|&(_, s)| s).collect();
            let d = self.simple_decl(name, args, ret, FunKind::Recursive);
            let f = self.declare(t.start()..end, d)?;
            declared.push((f, sorted));
        }
        self.expect_open("a list of bodies")?;
        for (f, sorted) in &declared {
            let ret = self.arena.fun(*f).ret;
            let (params, body) = self.body(start, sorted, ret)?;
            self.arena.set_definition(*f, params, body);
        }
        self.expect_close("`)` after as many bodies as declarations")?;
        Ok(Command::DefineFunsRec(declared.into_iter().map(|(f, _)| f).collect()))
    }

    // ---- datatypes

    fn new_datatype(
        &mut self,
        start: usize,
        name: Sym,
        co: bool,
        params: Option<Box<[Sym]>>,
    ) -> Result<SortDecl> {
        let kind = SortDeclKind::Datatype { constructors: Vec::new(), co };
        let info = SortDeclInfo { name, params: params.unwrap_or_default(), kind };
        let d = self.arena.declare_sort(info);
        self.declare_sort_name(start..self.lexer.position(), name, SortEntry::Declared(d))?;
        Ok(d)
    }

    fn declare_datatypes(&mut self, start: usize, co: bool) -> Result<Command> {
        self.expect_open("a list of datatypes")?;
        let first = self.next()?;
        if first.kind != Tok::Open {
            return self.old_datatypes(start, first, co);
        }
        let before = self.undo.len();
        let mut decls = Vec::new();
        let mut t = first;
        loop {
            match t.kind {
                Tok::Close => break,
                Tok::Open => {}
                _ => return self.unexpected(t, "`(name arity)` or `)`"),
            }
            let name = self.symbol("the name of a datatype")?;
            let n = self.next()?;
            let arity = match (n.kind, self.lexer.text(n).parse::<u32>()) {
                (Tok::Numeral, Ok(k)) if k <= 1000 => k,
                _ => return self.unexpected(n, "the number of parameters"),
            };
            self.expect_close("`)` after the number of parameters")?;
            // The parameters' names are known only with the body; their number is needed by recursive uses.
            let params = (0..arity).map(|i| self.arena.sym(&format!("X{i}"))).collect();
            decls.push(self.new_datatype(start, name, co, Some(params))?);
            t = self.next()?;
        }
        self.expect_open("a list of datatype bodies")?;
        for &d in &decls {
            let body = self.next()?;
            self.datatype_body(d, body)?;
        }
        self.expect_close("`)` after as many bodies as datatypes")?;
        self.check_datatypes(start, &decls, before)?;
        Ok(Command::DeclareDatatypes(decls.into()))
    }

    /// The syntax before 2.6: `(declare-datatypes (T) ((List nil (cons (head T) (tail List)))))`.
    fn old_datatypes(&mut self, start: usize, first: Token, co: bool) -> Result<Command> {
        let mut params = Vec::new();
        let mut t = first;
        while t.kind != Tok::Close {
            params.push(self.symbol_from(t, "the name of a sort parameter")?);
            t = self.next()?;
        }
        let params: Box<[Sym]> = params.into();
        self.expect_open("a list of datatypes")?;
        // Names first, for mutual recursion.
        let before = self.undo.len();
        let bodies = self.lexer.clone();
        let mut decls = Vec::new();
        loop {
            let t = self.next()?;
            match t.kind {
                Tok::Close => break,
                Tok::Open => {}
                _ => return self.unexpected(t, "`(name constructor …)` or `)`"),
            }
            let name = self.symbol("the name of a datatype")?;
            self.lexer.skip_balanced(1)?;
            decls.push(self.new_datatype(start, name, co, Some(params.clone()))?);
        }
        self.lexer = bodies;
        let result = self.with_params(&params, |p| {
            // Inside the group a bare name means the name applied to the parameters.
            let sorts: Vec<Sort> =
                params.iter().map(|&x| p.arena.mk_sort(SortKind::Param(x))).collect();
            let mut aliases = Vec::new();
            for &d in &decls {
                let name = p.arena.sort_decl(d).name;
                let itself = p.named_sort(d, sorts.clone().into());
                let old = p.sorts.insert(name, SortEntry::Alias(Box::default(), itself));
                aliases.push((name, old));
            }
            let mut done = Ok(());
            for &d in &decls {
                done = (|| {
                    p.expect_open("a datatype")?;
                    p.symbol("the name of a datatype")?;
                    p.constructors(d, None)
                })();
                if done.is_err() {
                    break;
                }
            }
            for (name, old) in aliases.into_iter().rev() {
                if let Some(old) = old {
                    p.sorts.insert(name, old);
                }
            }
            done
        });
        result?;
        self.expect_close("`)` after the datatypes")?;
        self.check_datatypes(start, &decls, before)?;
        Ok(Command::DeclareDatatypes(decls.into()))
    }

    fn datatype_body(&mut self, d: SortDecl, open: Token) -> Result<()> {
        if open.kind != Tok::Open {
            return self.unexpected(open, "the constructors of a datatype");
        }
        let t = self.next()?;
        if !self.is_par(t) {
            return self.constructors(d, Some(t));
        }
        let params = self.sort_params()?;
        let arity = self.arena.sort_decl(d).params.len();
        // `declare-datatype` has no arity of its own; `declare-datatypes` must agree.
        if arity != 0 && arity != params.len() {
            return Err(Error::new(
                t.start()..self.lexer.position(),
                format!("this datatype is declared with {arity} parameters, not {}", params.len()),
            ));
        }
        if let Some(info) = self.arena.sort_decl_mut(d) {
            info.params = params.clone();
        }
        self.expect_open("the constructors of a datatype")?;
        self.with_params(&params, |p| p.constructors(d, None))?;
        self.expect_close("`)` after the constructors")?;
        Ok(())
    }

    /// Constructors up to and including the `)` that ends them.
    fn constructors(&mut self, d: SortDecl, first: Option<Token>) -> Result<()> {
        let params = self.arena.sort_decl(d).params.clone();
        let sorts: Vec<Sort> =
            params.iter().map(|&x| self.arena.mk_sort(SortKind::Param(x))).collect();
        let itself = self.named_sort(d, sorts.into());
        let mut next = first;
        loop {
            let t = match next.take() {
                Some(t) => t,
                None => self.next()?,
            };
            if t.kind == Tok::Close {
                return Ok(());
            }
            let (name, fields) = match t.kind {
                Tok::Open => {
                    let name = self.symbol("the name of a constructor")?;
                    (name, self.fields()?)
                }
                _ => (self.symbol_from(t, "a constructor")?, Vec::new()),
            };
            let span = t.start()..self.lexer.position();
            let index = match &self.arena.sort_decl(d).kind {
                SortDeclKind::Datatype { constructors, .. } => constructors.len() as u32,
                SortDeclKind::Free => 0,
            };
            let constructor = FunDecl {
                name,
                params: params.clone(),
                args: fields.iter().map(|&(_, s)| s).collect(),
                ret: itself,
                kind: FunKind::Constructor(d, index),
                def: None,
            };
            let c = self.declare(span.clone(), constructor)?;
            if let Some(SortDeclInfo {
                kind: SortDeclKind::Datatype { constructors, .. }, ..
            }) = self.arena.sort_decl_mut(d)
            {
                constructors.push(c);
            }
            for (i, &(selector, ret)) in fields.iter().enumerate() {
                let decl = FunDecl {
                    name: selector,
                    params: params.clone(),
                    args: [itself].into(),
                    ret,
                    kind: FunKind::Selector(c, i as u32),
                    def: None,
                };
                self.declare(span.clone(), decl)?;
            }
        }
    }

    fn fields(&mut self) -> Result<Vec<(Sym, Sort)>> {
        self.sorted_names("the name of a selector", "a field `(selector SORT)` or `)`")
    }

    /// Every datatype has a constructor, and a value. On an error the names are withdrawn.
    fn check_datatypes(&mut self, start: usize, ds: &[SortDecl], before: usize) -> Result<()> {
        let empty = |d: &SortDecl| matches!(&self.arena.sort_decl(*d).kind, SortDeclKind::Datatype { constructors, .. } if constructors.is_empty());
        let wrong = match ds.iter().copied().find(|d| empty(d)) {
            Some(d) => Some((d, "has no constructor")),
            None => unfounded(&self.arena, ds)
                .map(|d| (d, "is not well-founded: every value would hold another one")),
        };
        if let Some((d, why)) = wrong {
            let name = self.arena.name(self.arena.sort_decl(d).name).to_owned();
            self.undo_to(before);
            let message = format!("the datatype `{name}` {why}");
            return Err(Error::new(start..self.lexer.position(), message));
        }
        debug_assert!(self.undo[before..].iter().any(|u| matches!(u, Undo::Sort(..))));
        Ok(())
    }
}
