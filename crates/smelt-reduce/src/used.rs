//! Which symbols a script uses.

use rustc_hash::FxHashSet;
use smelt_smtlib::arena::Attr;
use smelt_smtlib::sort::SortDeclKind;
use smelt_smtlib::{
    Arena, Command, Fun, FunKind, Head, Op, Script, Sort, SortDecl, SortKind, Term,
};

/// The symbols that the terms of a script need, through definitions and datatypes.
#[derive(Default)]
pub struct Used {
    funs: FxHashSet<Fun>,
    sorts: FxHashSet<SortDecl>,
    seen_terms: FxHashSet<Term>,
    seen_sorts: FxHashSet<Sort>,
    todo: Vec<Term>,
}

impl Used {
    /// The symbols that the assertions and questions of a script need.
    pub fn of(script: &Script) -> Self {
        let mut used = Self::default();
        let a = &script.arena;
        for c in &script.commands {
            match c {
                Command::Assert(t)
                | Command::AssertSoft(t, _)
                | Command::Minimize(t, _)
                | Command::Maximize(t, _) => {
                    used.todo.push(*t);
                }
                Command::CheckSatAssuming(ts) | Command::GetValue(ts) => used.todo.extend(ts),
                // What smelt does not understand may use anything.
                Command::Other(text) => used.mentioned(script, text),
                _ => {}
            }
            used.follow(a);
        }
        used
    }

    /// Whether a declaration or definition is used; of several that belong together, whether one is.
    pub fn needs(&self, c: &Command) -> bool {
        match c {
            Command::DeclareFun(f) | Command::DefineFun(f) => self.funs.contains(f),
            Command::DefineFunsRec(fs) => fs.iter().any(|f| self.funs.contains(f)),
            Command::DeclareSort(d) => self.sorts.contains(d),
            Command::DeclareDatatypes(ds) => ds.iter().any(|d| self.sorts.contains(d)),
            // Uses are replaced by the meaning already.
            Command::DefineSort(..) => false,
            _ => true,
        }
    }

    /// Whether a function symbol is used.
    pub fn has(&self, f: Fun) -> bool {
        self.funs.contains(&f)
    }

    fn mentioned(&mut self, script: &Script, text: &str) {
        let a = &script.arena;
        for c in &script.commands {
            if let Command::DeclareFun(f) | Command::DefineFun(f) = c
                && text.contains(a.name(a.fun(*f).name))
            {
                self.fun(a, *f);
            }
        }
    }

    fn follow(&mut self, a: &Arena) {
        while let Some(t) = self.todo.pop() {
            if !self.seen_terms.insert(t) {
                continue;
            }
            self.sort(a, a.sort(t));
            match a.head(t) {
                Head::Fun(f) => self.fun(a, f),
                Head::Op(Op::Is | Op::Update, i) => {
                    let f = a.indices(i).first().and_then(|&f| a.fun_at(f as usize));
                    f.into_iter().for_each(|f| self.fun(a, f));
                }
                Head::Op(..) => a.symbol(t).into_iter().for_each(|f| self.fun(a, f)),
                Head::Bind(_, vars) => {
                    a.vars(vars).iter().for_each(|&v| self.sort(a, a.var(v).sort))
                }
                Head::Match(cases) => {
                    for case in a.case_list(cases) {
                        case.constructor.into_iter().for_each(|f| self.fun(a, f));
                    }
                }
                Head::Annot(attrs) => {
                    for attr in a.attr_list(attrs) {
                        if let Attr::Named(f) = attr {
                            self.funs.insert(*f);
                        }
                    }
                }
                Head::Var(_) | Head::Lit(_) => {}
            }
            self.todo.extend_from_slice(a.args(t));
        }
    }

    fn fun(&mut self, a: &Arena, f: Fun) {
        if !self.funs.insert(f) {
            return;
        }
        let d = a.fun(f);
        d.args.iter().chain([&d.ret]).for_each(|&s| self.sort(a, s));
        if let Some((params, body)) = d.def {
            a.vars(params).iter().for_each(|&v| self.sort(a, a.var(v).sort));
            self.todo.push(body);
        }
        if let FunKind::Selector(constructor, _) = d.kind {
            self.fun(a, constructor);
        }
    }

    fn sort(&mut self, a: &Arena, sort: Sort) {
        let mut todo = vec![sort];
        while let Some(s) = todo.pop() {
            if !self.seen_sorts.insert(s) {
                continue;
            }
            let kind = a.sort_kind(s);
            kind.for_each_child(|c| todo.push(c));
            if let SortKind::Named(d, _) = kind
                && self.sorts.insert(*d)
                && let SortDeclKind::Datatype { constructors, .. } = &a.sort_decl(*d).kind
            {
                todo.extend(constructors.iter().flat_map(|&c| a.fun(c).args.iter().copied()));
            }
        }
    }
}
