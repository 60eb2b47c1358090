//! Text to scripts. One pass, no intermediate tree, no recursion on terms.

mod annotation;
mod command;
mod ident;
mod kept;
mod keywords;
pub use keywords::is_command;
mod matching;
mod root;
mod sorts;
mod term;

use std::mem::take;
use std::sync::{Arc, LazyLock};

use kept::Kept;
use keywords::word;
pub(crate) use keywords::{RESERVED, fixed_names};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::arena::{Arena, Fun, FunDecl, FunKind, Sym, Term};
use crate::error::{Error, Result};
use crate::lexer::{Lexer, Tok, Token};
use crate::op::{Dialect, Op};
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
    static DEFAULT: LazyLock<ParseOptions> = LazyLock::new(ParseOptions::default);
    parse_with(source, &DEFAULT)
}

/// Reads a script.
pub fn parse_with(source: &[u8], options: &ParseOptions) -> Result<Script> {
    let mut arena = Arena::new();
    arena.reserve(source.len());
    let mut p = Parser::new(source, arena, options);
    let done = p.script();
    let (arena, commands) = p.finish();
    done.map(|()| Script { arena, commands })
}

/// Reads commands (such as the definitions of a model) that may use the declarations of a script.
///
/// The new commands are returned; their terms are added to the script's arena.
pub fn parse_in(
    script: &mut Script,
    source: &[u8],
    options: &ParseOptions,
) -> Result<Vec<Command>> {
    let arena = take(&mut script.arena);
    let mut p = Parser::new(source, arena, options);
    p.enter_scope_of(&script.commands);
    let done = p.script();
    let (arena, commands) = p.finish();
    script.arena = arena;
    done.map(|()| commands)
}

/// Reads terms that may use the declarations of a script.
pub fn parse_terms(
    script: &mut Script,
    source: &[u8],
    options: &ParseOptions,
) -> Result<Vec<Term>> {
    let arena = take(&mut script.arena);
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
    script.arena = p.finish().0;
    done.map(|()| out)
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
    Sort(Sym, Option<Box<SortEntry>>),
}

type FunList = SmallVec<[Fun; 1]>;

/// How many numerals are kept at hand.
const SMALL: usize = 32;

struct Parser<'a> {
    lexer: Lexer<'a>,
    /// Where the last token starts.
    token_start: usize,
    /// Why there was none.
    failure: Option<Error>,
    arena: Arena,
    options: &'a ParseOptions,
    commands: Vec<Command>,
    /// What the dialects that are switched on have as bits.
    dialects: u8,
    /// The number of the first name that the two tables below have. They leave out the fixed names of every arena
    /// until one of them is declared or bound, which is rare.
    first_name: u32,
    /// For each fixed name the operators that it can mean.
    builtin: &'static [&'static [Op]],
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
    /// Identifiers that frames wait with: they are kept apart from the frames, so that frames stay small.
    idents: Vec<ident::Ident>,
    annotations: Vec<annotation::Annot>,
    matches: Vec<matching::Match>,
    values: Vec<Term>,
    /// Small numerals as Int and as Real.
    small: [[Option<Term>; SMALL]; 2],
    pending: Vec<(Sym, Term)>,
    external: FxHashMap<Sym, Fun>,
    /// What is kept for the next script: the tables above are taken out of it for the time being.
    kept: Box<Kept>,
}

impl<'a> Parser<'a> {
    fn new(source: &'a [u8], arena: Arena, options: &'a ParseOptions) -> Self {
        let builtin = Arena::builtin_ops();
        let mut kept = Kept::take();
        Self {
            lexer: Lexer::new(source),
            token_start: 0,
            failure: None,
            arena,
            options,
            commands: Vec::with_capacity(4 + source.len() / 64),
            dialects: options.dialects.iter().fold(0, |bits, d| bits | d.bit()),
            first_name: builtin.len() as u32,
            builtin,
            funs: take(&mut kept.funs),
            locals: take(&mut kept.locals),
            local_undo: take(&mut kept.local_undo),
            sorts: FxHashMap::default(),
            undo: take(&mut kept.undo),
            levels: Vec::new(),
            global_declarations: false,
            numerals_are_real: false,
            may_redeclare: false,
            frames: take(&mut kept.frames),
            idents: Vec::new(),
            annotations: Vec::new(),
            matches: Vec::new(),
            values: take(&mut kept.values),
            small: [[None; SMALL]; 2],
            pending: take(&mut kept.pending),
            external: FxHashMap::default(),
            kept,
        }
    }

    /// Ends the reading: the arena and the commands are what remains.
    fn finish(mut self) -> (Arena, Vec<Command>) {
        self.kept.funs = self.funs;
        self.kept.locals = self.locals;
        self.kept.local_undo = self.local_undo;
        self.kept.undo = self.undo;
        self.kept.frames = self.frames;
        self.kept.values = self.values;
        self.kept.pending = self.pending;
        self.kept.leave();
        (self.arena, self.commands)
    }

    // ---- tokens

    /// Reads a token; its kind is returned, its place is in the lexer. An error waits in `failure`.
    ///
    /// A whole token would be returned through memory, in pieces that are then read as one: processors stall on that.
    #[inline(never)]
    fn advance(&mut self) -> Option<Tok> {
        match self.lexer.next_plain() {
            Some(t) => {
                self.token_start = t.start();
                Some(t.kind)
            }
            None => self.advance_other(),
        }
    }

    #[inline(never)]
    fn advance_other(&mut self) -> Option<Tok> {
        match self.lexer.next_token() {
            Ok(t) if t.kind != Tok::End => {
                self.token_start = t.start();
                Some(t.kind)
            }
            Ok(t) => {
                self.failure = Some(end_of_input(t));
                None
            }
            Err(e) => {
                self.failure = Some(e);
                None
            }
        }
    }

    #[inline(always)]
    fn token(&mut self, kind: Option<Tok>) -> Result<Token> {
        match kind {
            Some(kind) => Ok(Token::new(kind, self.token_start, self.lexer.position())),
            None => Err(self.failed()),
        }
    }

    #[cold]
    #[inline(never)]
    fn failed(&mut self) -> Error {
        let end = self.lexer.position();
        self.failure.take().unwrap_or_else(|| Error::new(end..end, "unexpected end of the input"))
    }

    /// The next token; the end of the input is an error.
    #[inline(always)]
    fn next(&mut self) -> Result<Token> {
        let kind = self.advance();
        self.token(kind)
    }

    /// The next token as [`Parser::next`] gives it, with the common case spelled out in place: for the loop over terms.
    #[inline(always)]
    fn next_hot(&mut self) -> Result<Token> {
        match self.lexer.next_plain() {
            Some(t) => Ok(t),
            None => {
                let kind = self.advance_other();
                self.token(kind)
            }
        }
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
        Ok(self.sym(t))
    }

    /// The name that a token is.
    #[inline]
    fn sym(&mut self, t: Token) -> Sym {
        let bars = usize::from(t.kind == Tok::Quoted);
        self.arena.sym_at(self.lexer.source(), t.start() + bars, t.end() - bars)
    }

    /// The name that a simple symbol is, for the loop over terms.
    #[inline(always)]
    fn sym_hot(&mut self, t: Token) -> Sym {
        let source = self.lexer.source();
        let Some(bytes) = crate::names::few_bytes(source, t.start(), t.end()) else {
            return self.arena.sym_at(source, t.start(), t.end());
        };
        let (entry, there) = self.kept.recent.at(bytes);
        if !there {
            *entry = (bytes, self.arena.sym_at(source, t.start(), t.end()));
        }
        entry.1
    }

    fn find_sym(&self, t: Token) -> Option<Sym> {
        let bars = usize::from(t.kind == Tok::Quoted);
        self.arena.find_sym_at(self.lexer.source(), t.start() + bars, t.end() - bars)
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

    /// The place of a name in the tables; beyond their end for a fixed name that is not in them.
    #[inline]
    fn slot(&self, s: Sym) -> usize {
        s.0.wrapping_sub(self.first_name) as usize
    }

    /// The place of a name in the tables, which are made to have it.
    fn new_slot(&mut self, s: Sym) -> usize {
        if s.0 < self.first_name {
            self.admit_fixed_names();
        }
        let slot = self.slot(s);
        if self.locals.len() <= slot {
            self.locals.resize(slot + 1, None);
            self.funs.resize_with(slot + 1, SmallVec::new);
        }
        slot
    }

    #[cold]
    #[inline(never)]
    fn admit_fixed_names(&mut self) {
        let n = self.first_name as usize;
        self.locals.splice(0..0, std::iter::repeat_n(None, n));
        self.funs.splice(0..0, std::iter::repeat_with(SmallVec::new).take(n));
        self.first_name = 0;
    }

    #[inline]
    fn funs_named(&self, s: Sym) -> &[Fun] {
        self.funs.get(self.slot(s)).map_or(&[], |l| l)
    }

    /// Notes the meaning of a bare name after its declarations have changed.
    fn set_constant(&mut self, slot: usize) {
        let term = match *self.funs[slot] {
            [f] if self.arena.fun(f).args.is_empty() && self.arena.fun(f).params.is_empty() => {
                Some(self.arena.mk_fun(f))
            }
            _ => None,
        };
        self.locals[slot] = term;
    }

    #[inline]
    fn local(&self, s: Sym) -> Option<Term> {
        self.locals.get(self.slot(s)).copied().flatten()
    }

    #[inline]
    fn bind_local(&mut self, s: Sym, t: Term) {
        let slot = self.new_slot(s);
        let old = self.locals[slot].replace(t);
        self.local_undo.push((s, old));
    }

    #[inline]
    fn unbind_locals(&mut self, to: usize) {
        while self.local_undo.len() > to {
            if let Some((s, old)) = self.local_undo.pop() {
                let slot = self.slot(s);
                self.locals[slot] = old;
            }
        }
    }

    /// Adds a function symbol; the same name with the same arguments twice is an error.
    fn declare(&mut self, span: std::ops::Range<usize>, decl: FunDecl) -> Result<Fun> {
        let name = decl.name;
        let slot = self.new_slot(name);
        let clash = self.funs[slot].iter().copied().find(|&f| {
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
            self.funs[slot].retain(|g| *g != f);
        }
        let core = self.arena.ops_named(name).iter().any(|o| {
            o.info().theory == crate::op::Theory::Core && o.info().name == self.arena.name(name)
        });
        if core {
            let text = self.arena.name(name);
            return Err(Error::new(span, format!("`{text}` is a symbol of the core theory")));
        }
        let f = self.arena.declare_fun(decl);
        self.funs[slot].push(f);
        self.undo.push(Undo::Fun(name));
        self.set_constant(slot);
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
        self.undo.push(Undo::Sort(name, old.map(Box::new)));
        Ok(())
    }

    fn undo_to(&mut self, to: usize) {
        while self.undo.len() > to {
            match self.undo.pop() {
                Some(Undo::Fun(name)) => {
                    let slot = self.slot(name);
                    self.funs[slot].pop();
                    self.set_constant(slot);
                }
                Some(Undo::Sort(name, Some(old))) => {
                    self.sorts.insert(name, *old);
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
        let slot = self.new_slot(name);
        // A later declaration with the same arguments hides an earlier one; constructors are told apart by `as`.
        let arena = &self.arena;
        let new = arena.fun(f);
        let constructs = |d: &FunDecl| matches!(d.kind, FunKind::Constructor(..));
        self.funs[slot].retain(|g| {
            let old = arena.fun(*g);
            old.args != new.args || constructs(old) && constructs(new) && old.ret != new.ret
        });
        self.funs[slot].push(f);
    }

    fn simple_decl(&self, name: Sym, args: Box<[Sort]>, ret: Sort, kind: FunKind) -> FunDecl {
        FunDecl { name, params: Box::default(), args, ret, kind, def: None }
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
    let taken = take(arena);
    let mut p = Parser::new(text.as_bytes(), taken, &options);
    let params: Vec<Sym> = params.iter().map(|n| p.arena.sym(n)).collect();
    let sort = p.with_params(&params, Parser::sort);
    let end = p.lexer.next_token();
    *arena = p.finish().0;
    let sort = sort?;
    match end? {
        Token { kind: Tok::End, .. } => Ok(sort),
        t => Err(Error::new(t.span(), "unexpected text after the sort")),
    }
}
