//! The script that says what the standard leaves open.
//!
//! Each application of a partial operator is guarded by a fresh function that stands for its open values: `(/ a b)` becomes
//! `(ite (= b 0.0) (f a) (/ a b))`. The script has a model exactly if the original one has a model under some choice of the
//! open values, and no solver can call its answer a matter of convention.
//!
//! - When a value is open, and what it may be, is in the operator's row ([`crate::partiality`]). A selector is open at the other
//!   constructors of its datatype. Where an open value is one of two, the fresh function is Boolean and chooses. Where it must
//!   satisfy a condition, the fresh function gives a candidate: if the condition does not hold, the operator itself is asked.
//! - There is one function for each operator, its indices and sorts, the same in all checks and bodies of definitions.
//! - `(/ a b c)` is `(/ (/ a b) c)`: each of the divisions is guarded.
//! - What an `ite` guards already needs no guard, so that a totalised script leaves nothing open.
//! - Patterns of quantifiers stay as they are: they do not decide on the meaning.
//! - A function is declared as early as its sorts are there (`placement`).
//! - What cannot be guarded is refused as a whole.

mod guard;
mod placement;
mod refusal;
#[cfg(test)]
mod tests;

pub use refusal::Refusal;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::arena::{Arena, Attr, Binder, Fun, FunKind, Head, Idx, Term, VarList};
use crate::lexer::{Lexer, Tok};
use crate::logic::smallest_logic;
use crate::op::Op;
use crate::partiality::Range;
use crate::script::{Command, Script};
use crate::sort::{Sort, SortDeclKind};

/// A script whose open values have names.
pub struct Totalised {
    /// The script. Its arena has the ids of the original one, and more. Symbols that are called like words of the language have
    /// other names, since guards may use these words. Checks are in the order of the original.
    pub script: Script,
    /// The functions that stand for open values, in the order in which they were needed.
    pub open: Vec<OpenFunction>,
}

/// A function that stands for what is open.
#[derive(Clone, Debug)]
pub struct OpenFunction {
    /// The fresh function, in the arena of the totalised script.
    pub fun: Fun,
    /// What it completes.
    pub of: Partial,
    /// The sorts of the arguments of the operator or selector. The fresh function takes all of them or the first ones.
    pub args: Box<[Sort]>,
    /// The sort of the open value. The fresh function is Boolean where it chooses between two values.
    pub ret: Sort,
    /// Whether an SMT-LIB theory leaves the value open. An operator of a dialect has the meaning that its solver gives it.
    pub standard: bool,
}

impl OpenFunction {
    /// The values that the function may give, if it completes an operator; `None` for a selector: any of its sort.
    pub fn range(&self) -> Option<Range> {
        match self.of {
            Partial::Op(op, _) => op.info().partiality.map(|p| p.range),
            Partial::Selector(_) => None,
        }
    }
}

/// What is partial.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Partial {
    /// An operator with its indices.
    Op(Op, Idx),
    /// A selector of a datatype with several constructors.
    Selector(Fun),
}

/// Guards every partial application of a script.
pub fn totalise(script: &Script) -> Result<Totalised, Refusal> {
    let mut t = Totaliser {
        a: script.arena.clone(),
        done: FxHashMap::default(),
        open: Vec::new(),
        known: FxHashMap::default(),
        guarded: FxHashSet::default(),
    };
    let mut commands = Vec::with_capacity(script.commands.len());
    for c in &script.commands {
        commands.push(t.command(c)?);
    }
    let Totaliser { a: arena, mut open, .. } = t;
    let mut script = Script { arena, commands };
    if !open.is_empty() {
        let functions: Vec<Fun> = open.iter().map(|o| o.fun).collect();
        let (commands, declared) = placement::place(&script, &functions)?;
        script.commands = commands;
        open.retain(|o| declared.contains(&o.fun));
    }
    if !open.is_empty() {
        // Guards have words of the language that the script may have declared as its own.
        script.keep_names_apart();
        widen_logic(&mut script);
    }
    Ok(Totalised { script, open })
}

/// The declared logic need not have free functions.
fn widen_logic(script: &mut Script) {
    let smallest = smallest_logic(script);
    let Script { arena, commands } = script;
    let smallest = arena.sym(smallest);
    for c in commands {
        if let Command::SetLogic(logic) = c
            && !matches!(arena.name(*logic), "ALL" | "HO_ALL")
        {
            *logic = smallest;
        }
    }
}

/// What distinguishes fresh functions.
type Key = (Partial, SmallVec<[Sort; 3]>, Sort);

struct Totaliser {
    a: Arena,
    done: FxHashMap<Term, Term>,
    open: Vec<OpenFunction>,
    known: FxHashMap<Key, Fun>,
    /// Definitions that have guards in them, or use others that have.
    guarded: FxHashSet<Fun>,
}

impl Totaliser {
    fn command(&mut self, c: &Command) -> Result<Command, Refusal> {
        let mut all = |ts: &[Term]| -> Result<Box<[Term]>, Refusal> {
            ts.iter().map(|&t| self.term(t)).collect()
        };
        Ok(match c {
            Command::Assert(t) => Command::Assert(self.term(*t)?),
            Command::CheckSatAssuming(ts) => Command::CheckSatAssuming(all(ts)?),
            Command::GetValue(ts) => Command::GetValue(all(ts)?),
            Command::AssertSoft(t, text) => Command::AssertSoft(self.term(*t)?, text.clone()),
            Command::Minimize(t, text) => Command::Minimize(self.term(*t)?, text.clone()),
            Command::Maximize(t, text) => Command::Maximize(self.term(*t)?, text.clone()),
            Command::DefineFun(f) => {
                self.definition(*f)?;
                c.clone()
            }
            Command::DefineFunsRec(fs) => {
                fs.iter().try_for_each(|&f| self.definition(f))?;
                c.clone()
            }
            Command::Other(text) if self.names_partial(text) => {
                return Err(Refusal::Text(text.chars().take(60).collect()));
            }
            _ => c.clone(),
        })
    }

    /// Whether a command that is kept as text has the name of a partial operator or selector in it.
    fn names_partial(&self, text: &str) -> bool {
        let is_partial = |name: &str| {
            let mut selectors = (0..self.a.fun_count()).filter_map(|i| self.a.fun_at(i));
            Op::by_name(name).iter().any(|o| o.info().partial)
                || selectors.any(|f| self.is_open_selector(f) && self.name(f) == name)
        };
        let mut lexer = Lexer::new(text.as_bytes());
        while let Ok(t) = lexer.next_token() {
            match t.kind {
                Tok::End => return false,
                Tok::Symbol | Tok::Quoted if is_partial(lexer.text(t).trim_matches('|')) => {
                    return true;
                }
                _ => {}
            }
        }
        true
    }

    fn definition(&mut self, f: Fun) -> Result<(), Refusal> {
        let Some((params, body)) = self.a.fun(f).def else { return Ok(()) };
        let new = self.term(body)?;
        if new == body && !self.uses_guarded(body) {
            return Ok(());
        }
        if self.a.fun(f).kind == FunKind::Recursive {
            return Err(Refusal::Recursive(self.name(f)));
        }
        self.guarded.insert(f);
        self.a.set_definition(f, params, new);
        Ok(())
    }

    /// Whether a body calls a definition with guards.
    fn uses_guarded(&self, body: Term) -> bool {
        let calls = |t: &Term| self.a.symbol(*t).is_some_and(|f| self.guarded.contains(&f));
        !self.guarded.is_empty() && self.a.dag(&[body]).iter().any(calls)
    }

    fn name(&self, f: Fun) -> String {
        self.a.name(self.a.fun(f).name).to_owned()
    }

    /// The term with guards. Binders keep their variables, so that each term is worked on once wherever it stands.
    fn term(&mut self, root: Term) -> Result<Term, Refusal> {
        let mut order: Vec<Term> = Vec::new();
        let mut seen = FxHashSet::default();
        let mut stack = vec![root];
        while let Some(t) = stack.pop() {
            if !self.done.contains_key(&t) && seen.insert(t) {
                order.push(t);
                stack.extend_from_slice(&self.a.args(t)[..self.meaningful(t)]);
            }
        }
        // Children have smaller ids than their parents.
        order.sort_unstable();
        for t in order {
            let new = self.rebuild(t)?;
            self.done.insert(t, new);
        }
        Ok(self.done[&root])
    }

    /// How many arguments of a term decide on its meaning: not those of annotations that are patterns.
    fn meaningful(&self, t: Term) -> usize {
        match self.a.head(t) {
            Head::Annot(_) => 1,
            _ => self.a.args(t).len(),
        }
    }

    /// A term whose arguments are done.
    fn rebuild(&mut self, t: Term) -> Result<Term, Refusal> {
        let n = self.meaningful(t);
        let mut args: SmallVec<[Term; 8]> = SmallVec::from_slice(self.a.args(t));
        for x in &mut args[..n] {
            *x = self.done[x];
        }
        let sort = self.a.sort(t);
        match self.a.head(t) {
            Head::Bind(Binder::Choice, _) => return Err(Refusal::Choice),
            Head::Op(op, idx) => {
                if let Some(how) = op.info().partiality {
                    return self.operator(op, idx, how, &args, sort);
                }
                self.check_index(t, op, idx)?;
                if op == Op::Ite {
                    self.drop_second_guards(t, &mut args);
                }
            }
            Head::Fun(f) if self.is_open_selector(f) => {
                return match *args {
                    [x] => self.selector(f, x, sort),
                    _ => Err(Refusal::Value(self.name(f))),
                };
            }
            Head::Annot(attrs) => {
                for attr in self.a.attr_list(attrs).to_vec() {
                    if let Attr::Named(f) = attr {
                        self.a.set_definition(f, VarList::EMPTY, args[0]);
                    }
                }
            }
            _ => {}
        }
        Ok(self.a.with_args(t, &args))
    }

    /// `(ite c x (ite c f y))` is `(ite c x y)`, and so on the other side: an application that `ite` guards in the original does
    /// not get a guard with the same condition.
    fn drop_second_guards(&self, original: Term, args: &mut [Term]) {
        for i in [1, 2] {
            let branch = args[i];
            if branch != self.a.args(original)[i]
                && matches!(self.a.head(branch), Head::Op(Op::Ite, _))
                && self.a.args(branch)[0] == args[0]
            {
                args[i] = self.a.args(branch)[i];
            }
        }
    }

    /// `(_ map /)`, `(_ map head)`, `(_ as-array head)`: an operator or selector is done with arrays.
    fn check_index(&self, t: Term, op: Op, idx: Idx) -> Result<(), Refusal> {
        if let (Op::ArrayMap, &[o, 1]) = (op, self.a.indices(idx))
            && let Some(o) = Op::all().nth(o as usize)
            && o.info().partial
        {
            return Err(Refusal::Value(o.info().name.to_owned()));
        }
        match self.a.symbol(t) {
            Some(f) if self.is_open_selector(f) => Err(Refusal::Value(self.name(f))),
            _ => Ok(()),
        }
    }

    /// Whether a symbol is a selector of a datatype with several constructors.
    fn is_open_selector(&self, f: Fun) -> bool {
        self.datatype_of(f).is_some_and(|(_, constructors, _)| constructors > 1)
    }

    /// Of a selector: its constructor, how many constructors the datatype has, and whether that is a co-datatype.
    fn datatype_of(&self, selector: Fun) -> Option<(Fun, usize, bool)> {
        let FunKind::Selector(constructor, _) = self.a.fun(selector).kind else { return None };
        let FunKind::Constructor(sort, _) = self.a.fun(constructor).kind else { return None };
        match &self.a.sort_decl(sort).kind {
            SortDeclKind::Datatype { constructors, co } => {
                Some((constructor, constructors.len(), *co))
            }
            SortDeclKind::Free => None,
        }
    }
}
