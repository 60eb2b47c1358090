//! Scripts: commands over one arena.

use rustc_hash::FxHashSet;

use crate::arena::{Arena, Fun, Sym, Term};
use crate::sort::{Sort, SortDecl, SortDeclKind};
use crate::status::Status;

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `set-logic`
    SetLogic(Sym),
    /// `set-info`: keyword and the text of the value.
    SetInfo(Box<str>, Box<str>),
    /// `set-option`: keyword and the text of the value.
    SetOption(Box<str>, Box<str>),
    /// `declare-sort`
    DeclareSort(SortDecl),
    /// `define-sort`; uses of the name are already replaced by its meaning.
    DefineSort(Sym, Box<[Sym]>, Sort),
    /// `declare-fun`, `declare-const`
    DeclareFun(Fun),
    /// `declare-datatype(s)`, `declare-codatatype(s)`
    DeclareDatatypes(Box<[SortDecl]>),
    /// `define-fun`, `define-const`, `define-fun-rec`: parameters and body are in the arena.
    DefineFun(Fun),
    /// `define-funs-rec`
    DefineFunsRec(Box<[Fun]>),
    /// `assert`
    Assert(Term),
    /// `check-sat`
    CheckSat,
    /// `check-sat-assuming`
    CheckSatAssuming(Box<[Term]>),
    /// z3's `check-sat-using`, with the text of the tactic.
    CheckSatUsing(Box<str>),
    /// z3's `assert-soft`, with the text of its attributes.
    AssertSoft(Term, Box<str>),
    /// z3's `minimize`, with the text of its attributes.
    Minimize(Term, Box<str>),
    /// z3's `maximize`, with the text of its attributes.
    Maximize(Term, Box<str>),
    /// `push`
    Push(u32),
    /// `pop`
    Pop(u32),
    /// `reset`
    Reset,
    /// `reset-assertions`
    ResetAssertions,
    /// `get-value`
    GetValue(Box<[Term]>),
    /// `exit`
    Exit,
    /// Any other command, with its whole text.
    Other(Box<str>),
}

impl Command {
    /// Whether the command asks for satisfiability.
    pub fn is_check(&self) -> bool {
        matches!(self, Self::CheckSat | Self::CheckSatAssuming(_) | Self::CheckSatUsing(_))
    }

    /// Whether the command declares or defines symbols.
    pub fn declares(&self) -> bool {
        matches!(
            self,
            Self::DeclareSort(_)
                | Self::DefineSort(..)
                | Self::DeclareFun(_)
                | Self::DeclareDatatypes(_)
                | Self::DefineFun(_)
                | Self::DefineFunsRec(_)
        )
    }
}

/// How many commands are the header of a script as it is printed: up to its last option.
pub(crate) fn header(commands: &[Command]) -> usize {
    let header = |c: &&Command| {
        matches!(c, Command::SetLogic(_) | Command::SetInfo(..) | Command::SetOption(..))
    };
    let lead = commands.iter().take_while(header).count();
    let option = |c: &Command| matches!(c, Command::SetOption(..));
    commands[..lead].iter().rposition(option).map_or(0, |at| at + 1)
}

/// The commands in the order of the standard, which wants options before the logic.
pub(crate) fn in_order(commands: &[Command]) -> impl Iterator<Item = &Command> {
    let (header, rest) = commands.split_at(header(commands));
    let is_logic = |c: &&Command| matches!(c, Command::SetLogic(_));
    let logic = header.iter().filter(is_logic);
    header.iter().filter(move |c| !is_logic(c)).chain(logic).chain(rest)
}

/// A script: commands and the arena of their terms.
#[derive(Clone)]
pub struct Script {
    /// Where the terms are.
    pub arena: Arena,
    /// The commands in order.
    pub commands: Vec<Command>,
}

/// One check of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// Position of the check among the commands.
    pub command: usize,
    /// What must hold: active assertions, then assumptions.
    pub assertions: Vec<Term>,
}

impl Script {
    /// The checks of the script in order, each with what is asserted at that point.
    pub fn queries(&self) -> Vec<Query> {
        let mut out = Vec::new();
        let mut active: Vec<Term> = Vec::new();
        let mut levels: Vec<usize> = Vec::new();
        for (i, c) in self.commands.iter().enumerate() {
            match c {
                Command::Assert(t) => active.push(*t),
                Command::Push(n) => levels.extend((0..*n).map(|_| active.len())),
                Command::Pop(n) => {
                    for _ in 0..*n {
                        active.truncate(levels.pop().unwrap_or(0));
                    }
                }
                Command::Reset | Command::ResetAssertions => {
                    active.clear();
                    levels.clear();
                }
                Command::CheckSat | Command::CheckSatUsing(_) => {
                    out.push(Query { command: i, assertions: active.clone() });
                }
                Command::CheckSatAssuming(extra) => {
                    let assertions = active.iter().chain(extra).copied().collect();
                    out.push(Query { command: i, assertions });
                }
                Command::Exit => break,
                _ => {}
            }
        }
        out
    }

    /// The declarations and definitions that are in force before a command, by their positions: the scopes of the others are
    /// closed there.
    pub fn in_force(&self, command: usize) -> Vec<usize> {
        let mut open: Vec<usize> = Vec::new();
        let mut levels: Vec<usize> = Vec::new();
        let mut global = false;
        // By the standard, `reset-assertions` takes declarations away, but some solvers keep them, and scripts use them. So the
        // first that are open stay until one of their names is declared again.
        let mut kept = 0;
        let mut names: FxHashSet<(bool, Sym)> = FxHashSet::default();
        for (i, c) in self.commands.iter().enumerate().take(command) {
            match c {
                Command::SetOption(k, v) if &**k == ":global-declarations" => {
                    global = &**v == "true";
                }
                Command::Push(n) => levels.extend((0..*n).map(|_| open.len())),
                Command::Pop(n) => {
                    let level = levels.len().saturating_sub(*n as usize);
                    if let Some(&to) = levels.get(level)
                        && !global
                    {
                        open.truncate(to);
                    }
                    levels.truncate(level);
                }
                Command::Reset => {
                    open.clear();
                    levels.clear();
                    names.clear();
                    (global, kept) = (false, 0);
                }
                Command::ResetAssertions => {
                    levels.clear();
                    if !global {
                        kept = open.len();
                        names = open.iter().flat_map(|&i| self.names(i)).collect();
                    }
                }
                c if c.declares() => {
                    if !names.is_empty() && self.names(i).iter().any(|n| names.contains(n)) {
                        open.drain(..kept);
                        levels.iter_mut().for_each(|l| *l -= kept);
                        names.clear();
                        kept = 0;
                    }
                    open.push(i);
                }
                _ => {}
            }
        }
        open
    }

    /// The names that a command declares; those of sorts (`true`) are apart.
    fn names(&self, command: usize) -> Vec<(bool, Sym)> {
        let a = &self.arena;
        let fun = |f: &Fun| (false, a.fun(*f).name);
        match &self.commands[command] {
            Command::DeclareFun(f) | Command::DefineFun(f) => vec![fun(f)],
            Command::DefineFunsRec(fs) => fs.iter().map(fun).collect(),
            Command::DeclareSort(d) => vec![(true, a.sort_decl(*d).name)],
            Command::DefineSort(name, ..) => vec![(true, *name)],
            Command::DeclareDatatypes(ds) => {
                let mut out = Vec::new();
                for d in ds.iter().map(|d| a.sort_decl(*d)) {
                    out.push((true, d.name));
                    if let SortDeclKind::Datatype { constructors, .. } = &d.kind {
                        out.extend(constructors.iter().map(fun));
                    }
                }
                out
            }
            _ => Vec::new(),
        }
    }

    /// All terms that stand directly in commands, definitions included.
    pub fn roots(&self) -> Vec<Term> {
        let mut out = Vec::new();
        self.commands.iter().for_each(|c| self.terms_of(c, &mut out));
        out
    }

    /// Adds the terms that stand directly in a command, definitions included.
    pub(crate) fn terms_of(&self, c: &Command, out: &mut Vec<Term>) {
        let body = |f: &Fun| self.arena.fun(*f).def.map(|(_, t)| t);
        match c {
            Command::Assert(t)
            | Command::AssertSoft(t, _)
            | Command::Minimize(t, _)
            | Command::Maximize(t, _) => out.push(*t),
            Command::CheckSatAssuming(ts) | Command::GetValue(ts) => out.extend(ts),
            Command::DefineFun(f) => out.extend(body(f)),
            Command::DefineFunsRec(fs) => out.extend(fs.iter().filter_map(body)),
            _ => {}
        }
    }

    /// The value of the last `(set-info KEYWORD …)`, as text.
    pub fn info(&self, keyword: &str) -> Option<&str> {
        self.commands.iter().rev().find_map(|c| match c {
            Command::SetInfo(k, v) if &**k == keyword => Some(&**v),
            _ => None,
        })
    }

    /// What the script says of itself by its last `(set-info :status …)`.
    pub fn status(&self) -> Status {
        self.info(":status").and_then(Status::of_word).unwrap_or_default()
    }

    /// The declared logic.
    pub fn logic(&self) -> Option<&str> {
        self.commands.iter().find_map(|c| match c {
            Command::SetLogic(s) => Some(self.arena.name(*s)),
            _ => None,
        })
    }
}
