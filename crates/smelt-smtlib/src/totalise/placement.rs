//! Where fresh functions are declared.
//!
//! A function whose sorts are built in is declared before the first command that is no header, so before the first `push`. Any
//! other is declared right behind the declaration of the last of its sorts, and lives as long as that. After a `reset` it is
//! declared again.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Refusal;
use crate::arena::{Arena, Fun, Head, Term};
use crate::script::{Command, Script};
use crate::sort::{Sort, SortDecl, SortKind};

/// A place for a declaration.
struct Place {
    /// It stands before this command.
    before: usize,
    function: Fun,
    /// Whether a command uses the function while it is in force.
    used: bool,
}

/// What is in force at a command.
#[derive(Default)]
struct Scopes {
    sorts: Vec<SortDecl>,
    /// Functions, with the number of the place where they are declared.
    functions: Vec<(Fun, usize)>,
    /// How many sorts and functions there were at each `push`.
    levels: Vec<(usize, usize)>,
    /// `:global-declarations`
    global: bool,
    /// Functions that a `reset-assertions` may have taken away.
    doubtful: FxHashSet<Fun>,
}

/// The commands of a script with the declarations of functions that its terms use, and these functions.
pub(super) fn place(
    script: &Script,
    functions: &[Fun],
) -> Result<(Vec<Command>, FxHashSet<Fun>), Refusal> {
    let a = &script.arena;
    let needs: FxHashMap<Fun, FxHashSet<SortDecl>> =
        functions.iter().map(|&f| (f, declared_sorts(a, f))).collect();
    let mut places: Vec<Place> = Vec::new();
    let mut now = Scopes::default();
    let mut header = true;
    for (i, c) in script.commands.iter().enumerate() {
        if header && !is_header(c) {
            header = false;
            now.declare(functions, &needs, i, &mut places);
        }
        for f in used(script, c, &needs) {
            if now.doubtful.contains(&f) {
                return Err(Refusal::ResetAssertions);
            }
            match now.functions.iter().find(|(g, _)| *g == f) {
                Some(&(_, place)) => places[place].used = true,
                None => {
                    let name = a.name(a.fun(f).name);
                    return Err(Refusal::Sorts(format!(
                        "no command declares the sorts of `{name}`"
                    )));
                }
            }
        }
        match c {
            Command::SetOption(k, v) if &**k == ":global-declarations" => {
                now.global = &**v == "true"
            }
            Command::Push(n) => {
                let level = (now.sorts.len(), now.functions.len());
                now.levels.extend((0..*n).map(|_| level));
            }
            Command::Pop(n) => now.pop(*n as usize),
            Command::Reset => {
                now = Scopes::default();
                header = true;
            }
            Command::ResetAssertions => {
                now.levels.clear();
                if !now.global {
                    let declared = now.functions.drain(..).filter(|&(_, p)| places[p].used);
                    now.doubtful.extend(declared.map(|(f, _)| f));
                    header = true;
                }
            }
            Command::DeclareSort(d) => {
                now.sorts.push(*d);
                now.declare(functions, &needs, i + 1, &mut places);
            }
            Command::DeclareDatatypes(ds) => {
                now.sorts.extend(ds);
                now.declare(functions, &needs, i + 1, &mut places);
            }
            _ => {}
        }
    }
    places.retain(|p| p.used);
    let declared = places.iter().map(|p| p.function).collect();
    Ok((with_declarations(&script.commands, places), declared))
}

impl Scopes {
    /// Declares what is not in force and whose sorts are.
    fn declare(
        &mut self,
        functions: &[Fun],
        needs: &FxHashMap<Fun, FxHashSet<SortDecl>>,
        before: usize,
        places: &mut Vec<Place>,
    ) {
        for &function in functions {
            let there = self.functions.iter().any(|(g, _)| *g == function);
            if !there && needs[&function].iter().all(|d| self.sorts.contains(d)) {
                self.functions.push((function, places.len()));
                places.push(Place { before, function, used: false });
            }
        }
    }

    fn pop(&mut self, n: usize) {
        let level = self.levels.len().saturating_sub(n);
        if let Some(&(sorts, functions)) = self.levels.get(level)
            && !self.global
        {
            self.sorts.truncate(sorts);
            self.functions.truncate(functions);
        }
        self.levels.truncate(level);
    }
}

/// Whether a command may have to stand before all others.
fn is_header(c: &Command) -> bool {
    matches!(c, Command::SetLogic(_) | Command::SetInfo(..) | Command::SetOption(..))
}

/// The declared sorts that the declaration of a function names.
fn declared_sorts(a: &Arena, f: Fun) -> FxHashSet<SortDecl> {
    let d = a.fun(f);
    let mut stack: Vec<Sort> = d.args.iter().copied().chain([d.ret]).collect();
    let mut out = FxHashSet::default();
    while let Some(s) = stack.pop() {
        if let SortKind::Named(d, _) = a.sort_kind(s) {
            out.insert(*d);
        }
        a.sort_kind(s).for_each_child(|c| stack.push(c));
    }
    out
}

/// The functions in the terms of a command.
fn used(script: &Script, c: &Command, of: &FxHashMap<Fun, FxHashSet<SortDecl>>) -> Vec<Fun> {
    let a = &script.arena;
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let (mut stack, mut out) = (Vec::new(), Vec::new());
    script.terms_of(c, &mut stack);
    while let Some(t) = stack.pop() {
        if !seen.insert(t) {
            continue;
        }
        if let Head::Fun(f) = a.head(t)
            && of.contains_key(&f)
            && !out.contains(&f)
        {
            out.push(f);
        }
        stack.extend_from_slice(a.args(t));
    }
    out
}

fn with_declarations(commands: &[Command], places: Vec<Place>) -> Vec<Command> {
    let mut places = places.into_iter().peekable();
    let mut out = Vec::new();
    for i in 0..=commands.len() {
        while let Some(p) = places.next_if(|p| p.before <= i) {
            out.push(Command::DeclareFun(p.function));
        }
        out.extend(commands.get(i).cloned());
    }
    out
}
