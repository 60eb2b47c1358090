//! Text to scripts. One pass, no intermediate tree, no recursion on terms.

mod command;
mod ident;
mod root;
mod sorts;
mod term;

use std::sync::Arc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::arena::{Arena, Fun, FunDecl, FunKind, Sym, Term};
use crate::error::{Error, Result};
use crate::lexer::{Lexer, Tok, Token};
use crate::op::Dialect;
use crate::script::{Command, Script};
use crate::sort::{Sort, SortDecl, SortKind};
use crate::userops::UserOps;

/// What to accept.
#[derive(Clone, Debug)]
pub struct ParseOptions {
    /// Dialects whose operators are understood; all by default.
    pub dialects: Vec<Dialect>,
    /// Further operators, from a user's file.
    pub user_ops: Arc<UserOps>,
    /// Whether unknown constants of the form `(as @x S)` or `@x` become values of a model.
    pub model_values: bool,
}

impl Default for ParseOptions {
    fn default() -> Self {
        Self {
            dialects: vec![
                Dialect::Standard,
                Dialect::Common,
                Dialect::Z3,
                Dialect::Cvc5,
                Dialect::Bitwuzla,
            ],
            user_ops: Arc::default(),
            model_values: false,
        }
    }
}

/// Reads a script, with all dialects.
pub fn parse(source: &[u8]) -> Result<Script> {
    parse_with(source, &ParseOptions::default())
}

/// Reads a script.
pub fn parse_with(source: &[u8], options: &ParseOptions) -> Result<Script> {
    let mut arena = Arena::new();
    arena.reserve(source.len());
    let mut p = Parser::new(source, arena, options);
    p.script()?;
    Ok(Script { arena: p.arena, commands: p.commands })
}

/// Reads commands (such as the definitions of a model) that may use the declarations of a script.
///
/// The new commands are returned; their terms are added to the script's arena.
pub fn parse_in(
    script: &mut Script,
    source: &[u8],
    options: &ParseOptions,
) -> Result<Vec<Command>> {
    let arena = std::mem::take(&mut script.arena);
    let mut p = Parser::new(source, arena, options);
    p.enter_scope_of(&script.commands);
    let done = p.script();
    script.arena = p.arena;
    done.map(|()| p.commands)
}

/// Reads terms that may use the declarations of a script.
pub fn parse_terms(
    script: &mut Script,
    source: &[u8],
    options: &ParseOptions,
) -> Result<Vec<Term>> {
    let arena = std::mem::take(&mut script.arena);
    let mut p = Parser::new(source, arena, options);
    p.enter_scope_of(&script.commands);
    let mut out = Vec::new();
    let done = loop {
        match p.lexer.next_token() {
            Ok(Token { kind: Tok::End, .. }) => break Ok(()),
            Ok(t) => match p.term_from(t) {
                Ok(t) => out.push(t),
                Err(e) => break Err(e),
            },
            Err(e) => break Err(e),
        }
    };
    script.arena = p.arena;
    done.map(|()| out)
}

/// The words that are not function names in head position. Their numbers are fixed by [`Arena::new`].
pub(crate) const RESERVED: [&str; 13] = [
    "_",
    "!",
    "as",
    "let",
    "exists",
    "forall",
    "match",
    "par",
    "lambda",
    "choice",
    "set.comprehension",
    "witness",
    "root-obj",
];

pub(crate) mod word {
    pub const UNDERSCORE: u32 = 0;
    pub const BANG: u32 = 1;
    pub const AS: u32 = 2;
    pub const LET: u32 = 3;
    pub const EXISTS: u32 = 4;
    pub const FORALL: u32 = 5;
    pub const MATCH: u32 = 6;
    pub const PAR: u32 = 7;
    pub const LAMBDA: u32 = 8;
    pub const CHOICE: u32 = 9;
    pub const COMPREHENSION: u32 = 10;
    pub const WITNESS: u32 = 11;
    pub const ROOT_OBJ: u32 = 12;
    pub const COUNT: u32 = 13;
}

#[derive(Clone)]
enum SortEntry {
    Declared(SortDecl),
    Alias(Box<[Sym]>, Sort),
    Param,
}

/// What to undo on `pop`.
enum Undo {
    Fun(Sym),
    Sort(Sym, Option<SortEntry>),
}

type FunList = SmallVec<[Fun; 1]>;

struct Parser<'a> {
    lexer: Lexer<'a>,
    arena: Arena,
    options: &'a ParseOptions,
    commands: Vec<Command>,
    /// Function symbols by name; several if overloaded.
    funs: Vec<FunList>,
    /// What a bare name means: let variables, bound variables, and declared constants that are not overloaded.
    locals: Vec<Option<Term>>,
    local_undo: Vec<(Sym, Option<Term>)>,
    sorts: FxHashMap<Sym, SortEntry>,
    undo: Vec<Undo>,
    levels: Vec<usize>,
    global_declarations: bool,
    /// Whether numerals are reals, as in logics without integers.
    numerals_are_real: bool,
    /// After `reset-assertions`, symbols may be declared again.
    may_redeclare: bool,
    frames: Vec<term::Frame>,
    values: Vec<Term>,
    /// Small numerals as Int and as Real.
    small: [Vec<Option<Term>>; 2],
    pending: Vec<(Sym, Term)>,
    external: FxHashMap<Sym, Fun>,
}

impl<'a> Parser<'a> {
    fn new(source: &'a [u8], arena: Arena, options: &'a ParseOptions) -> Self {
        Self {
            lexer: Lexer::new(source),
            arena,
            options,
            commands: Vec::with_capacity(source.len() / 128),
            funs: Vec::with_capacity(64 + source.len() / 128),
            locals: Vec::with_capacity(64 + source.len() / 128),
            local_undo: Vec::new(),
            sorts: FxHashMap::default(),
            undo: Vec::new(),
            levels: Vec::new(),
            global_declarations: false,
            numerals_are_real: false,
            may_redeclare: false,
            frames: Vec::with_capacity(32),
            values: Vec::with_capacity(64),
            small: Default::default(),
            pending: Vec::new(),
            external: FxHashMap::default(),
        }
    }

    // ---- tokens

    #[inline]
    fn next(&mut self) -> Result<Token> {
        let t = self.lexer.next_token()?;
        if t.kind == Tok::End {
            return Err(end_of_input(t));
        }
        Ok(t)
    }

    #[cold]
    #[inline(never)]
    fn unexpected<T>(&self, t: Token, expected: &str) -> Result<T> {
        let text = self.lexer.text(t);
        let shown: String = text.chars().take(40).collect();
        Err(Error::new(t.span(), format!("unexpected `{shown}`")).expected(expected))
    }

    fn expect_open(&mut self, what: &str) -> Result<usize> {
        let t = self.next()?;
        if t.kind != Tok::Open {
            return self.unexpected(t, what);
        }
        Ok(t.start())
    }

    fn expect_close(&mut self, what: &str) -> Result<usize> {
        let t = self.next()?;
        if t.kind != Tok::Close {
            return self.unexpected(t, what);
        }
        Ok(t.end())
    }

    fn symbol(&mut self, what: &str) -> Result<Sym> {
        let t = self.next()?;
        self.symbol_from(t, what)
    }

    fn symbol_from(&mut self, t: Token, what: &str) -> Result<Sym> {
        if !matches!(t.kind, Tok::Symbol | Tok::Quoted) {
            return self.unexpected(t, what);
        }
        Ok(self.arena.sym_bytes(self.lexer.bytes(t)))
    }

    /// The text of the s-expression that starts with this token.
    fn raw_from(&mut self, t: Token) -> Result<&'a str> {
        let end = match t.kind {
            Tok::Open => self.lexer.skip_balanced(1)?,
            Tok::Close => return self.unexpected(t, "an s-expression"),
            _ => t.end(),
        };
        self.slice(t.start(), end)
    }

    fn slice(&self, start: usize, end: usize) -> Result<&'a str> {
        std::str::from_utf8(&self.lexer.source()[start..end]).map_err(|e| {
            let at = start + e.valid_up_to();
            Error::new(at..at + 1, "invalid UTF-8")
        })
    }

    // ---- scopes

    fn funs_named(&self, s: Sym) -> &[Fun] {
        self.funs.get(s.index()).map_or(&[], |l| l)
    }

    /// Notes the meaning of a bare name after its declarations have changed.
    fn set_constant(&mut self, name: Sym) {
        let term = match *self.funs_named(name) {
            [f] if self.arena.fun(f).args.is_empty() && self.arena.fun(f).params.is_empty() => {
                Some(self.arena.mk_fun(f))
            }
            _ => None,
        };
        if self.locals.len() <= name.index() {
            self.locals.resize(name.index() + 1, None);
        }
        self.locals[name.index()] = term;
    }

    #[inline]
    fn local(&self, s: Sym) -> Option<Term> {
        self.locals.get(s.index()).copied().flatten()
    }

    fn bind_local(&mut self, s: Sym, t: Term) {
        if self.locals.len() <= s.index() {
            self.locals.resize(s.index() + 1, None);
        }
        let old = self.locals[s.index()].replace(t);
        self.local_undo.push((s, old));
    }

    fn unbind_locals(&mut self, to: usize) {
        while self.local_undo.len() > to {
            if let Some((s, old)) = self.local_undo.pop() {
                self.locals[s.index()] = old;
            }
        }
    }

    /// Adds a function symbol; the same name with the same arguments twice is an error.
    fn declare(&mut self, span: std::ops::Range<usize>, decl: FunDecl) -> Result<Fun> {
        let name = decl.name;
        if self.funs.len() <= name.index() {
            self.funs.resize(name.index() + 1, SmallVec::new());
        }
        let clash = self.funs[name.index()].iter().copied().find(|&f| {
            let d = self.arena.fun(f);
            // Constructors and selectors of different datatypes may share a name: `as` tells them apart.
            let of_datatype =
                |k: FunKind| matches!(k, FunKind::Constructor(..) | FunKind::Selector(..));
            let apart = of_datatype(d.kind) && of_datatype(decl.kind) && d.ret != decl.ret;
            d.args == decl.args && d.params.len() == decl.params.len() && !apart
        });
        if let Some(f) = clash {
            let both_values = matches!(decl.kind, FunKind::Abstract);
            if !self.may_redeclare && !both_values {
                let text = self.arena.name(name);
                return Err(Error::new(span, format!("`{text}` is already declared")));
            }
            self.funs[name.index()].retain(|g| *g != f);
        }
        let core = self.arena.ops_named(name).iter().any(|o| {
            o.info().theory == crate::op::Theory::Core && o.info().name == self.arena.name(name)
        });
        if core {
            let text = self.arena.name(name);
            return Err(Error::new(span, format!("`{text}` is a symbol of the core theory")));
        }
        let f = self.arena.declare_fun(decl);
        self.funs[name.index()].push(f);
        self.undo.push(Undo::Fun(name));
        self.set_constant(name);
        Ok(f)
    }

    fn declare_sort_name(
        &mut self,
        span: std::ops::Range<usize>,
        name: Sym,
        entry: SortEntry,
    ) -> Result<()> {
        if self.sorts.contains_key(&name) && !self.may_redeclare {
            let text = self.arena.name(name);
            return Err(Error::new(span, format!("the sort `{text}` is already declared")));
        }
        let old = self.sorts.insert(name, entry);
        self.undo.push(Undo::Sort(name, old));
        Ok(())
    }

    fn undo_to(&mut self, to: usize) {
        while self.undo.len() > to {
            match self.undo.pop() {
                Some(Undo::Fun(name)) => {
                    self.funs[name.index()].pop();
                    self.set_constant(name);
                }
                Some(Undo::Sort(name, Some(old))) => {
                    self.sorts.insert(name, old);
                }
                Some(Undo::Sort(name, None)) => {
                    self.sorts.remove(&name);
                }
                None => {}
            }
        }
    }

    /// Brings the declarations of a script into scope, as they are at its end; of popped levels too, since a model or
    /// a value may have been printed there.
    fn enter_scope_of(&mut self, commands: &[Command]) {
        for c in commands {
            match c {
                Command::SetLogic(s) => {
                    self.numerals_are_real = is_real_only(self.arena.name(*s));
                }
                Command::DeclareFun(f) | Command::DefineFun(f) => self.enter_fun(*f),
                Command::DefineFunsRec(fs) => fs.iter().for_each(|&f| self.enter_fun(f)),
                Command::DeclareSort(d) => {
                    let name = self.arena.sort_decl(*d).name;
                    self.sorts.insert(name, SortEntry::Declared(*d));
                }
                Command::DefineSort(name, params, body) => {
                    self.sorts.insert(*name, SortEntry::Alias(params.clone(), *body));
                }
                Command::DeclareDatatypes(ds) => {
                    for &d in ds {
                        let name = self.arena.sort_decl(d).name;
                        self.sorts.insert(name, SortEntry::Declared(d));
                    }
                }
                _ => {}
            }
        }
        // Constructors, selectors and `:named` terms have no command of their own.
        for i in 0..self.arena.fun_count() {
            let f = Fun(i as u32);
            if matches!(
                self.arena.fun(f).kind,
                FunKind::Constructor(..)
                    | FunKind::Selector(..)
                    | FunKind::Named
                    | FunKind::Abstract
                    | FunKind::External
            ) {
                self.enter_fun(f);
            }
        }
    }

    fn enter_fun(&mut self, f: Fun) {
        let name = self.arena.fun(f).name;
        if self.funs.len() <= name.index() {
            self.funs.resize(name.index() + 1, SmallVec::new());
        }
        // A later declaration with the same arguments hides an earlier one.
        let args = self.arena.fun(f).args.clone();
        let arena = &self.arena;
        self.funs[name.index()].retain(|g| arena.fun(*g).args != args);
        self.funs[name.index()].push(f);
    }

    fn simple_decl(&self, name: Sym, args: Vec<Sort>, ret: Sort, kind: FunKind) -> FunDecl {
        FunDecl { name, params: Box::default(), args: args.into(), ret, kind, def: None }
    }

    fn named_sort(&mut self, d: SortDecl, args: Box<[Sort]>) -> Sort {
        self.arena.mk_sort(SortKind::Named(d, args))
    }
}

#[cold]
fn end_of_input(t: Token) -> Error {
    Error::new(t.start()..t.start() + 1, "the input ends inside a command").expected("`)`")
}

/// Whether a logic has reals but no integers, so that `1` is a real.
pub(crate) fn is_real_only(logic: &str) -> bool {
    let l = logic.trim_start_matches("QF_");
    (l.ends_with("LRA") || l.ends_with("NRA") || l.ends_with("RDL") || l.ends_with("NRAT"))
        && !l.ends_with("IRA")
        && !l.contains("LIA")
        && !l.contains("IDL")
}

/// Reads one sort, with the names of sort parameters in scope.
pub(crate) fn sort_in(arena: &mut Arena, text: &str, params: &[String]) -> Result<Sort> {
    let options = ParseOptions::default();
    let taken = std::mem::take(arena);
    let mut p = Parser::new(text.as_bytes(), taken, &options);
    let params: Vec<Sym> = params.iter().map(|n| p.arena.sym(n)).collect();
    let sort = p.with_params(&params, Parser::sort);
    let end = p.lexer.next_token();
    *arena = p.arena;
    let sort = sort?;
    match end? {
        Token { kind: Tok::End, .. } => Ok(sort),
        t => Err(Error::new(t.span(), "unexpected text after the sort")),
    }
}
