//! Scripts: commands over one arena.

use crate::arena::{Arena, Fun, Sym, Term};
use crate::sort::{Sort, SortDecl};

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

    /// All terms that stand directly in commands, definitions included.
    pub fn roots(&self) -> Vec<Term> {
        let mut out = Vec::new();
        let body = |f: Fun| self.arena.fun(f).def.map(|(_, t)| t);
        for c in &self.commands {
            match c {
                Command::Assert(t)
                | Command::AssertSoft(t, _)
                | Command::Minimize(t, _)
                | Command::Maximize(t, _) => out.push(*t),
                Command::CheckSatAssuming(ts) | Command::GetValue(ts) => out.extend(ts),
                Command::DefineFun(f) => out.extend(body(*f)),
                Command::DefineFunsRec(fs) => out.extend(fs.iter().filter_map(|&f| body(f))),
                _ => {}
            }
        }
        out
    }

    /// The value of the last `(set-info KEYWORD …)`, as text.
    pub fn info(&self, keyword: &str) -> Option<&str> {
        self.commands.iter().rev().find_map(|c| match c {
            Command::SetInfo(k, v) if &**k == keyword => Some(&**v),
            _ => None,
        })
    }

    /// The declared logic.
    pub fn logic(&self) -> Option<&str> {
        self.commands.iter().find_map(|c| match c {
            Command::SetLogic(s) => Some(self.arena.name(*s)),
            _ => None,
        })
    }
}
