//! Where the symbols of a script can be used: from their declaration to the `pop` that ends their scope.

use smelt_smtlib::arena::Attr;
use smelt_smtlib::sort::SortDeclKind;
use smelt_smtlib::{
    Arena, Command, Fun, FunKind, Head, Op, Script, Sort, SortDecl, SortKind, Term,
};

/// Positions of commands: after the first and before the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    after: u32,
    before: u32,
}

impl Span {
    /// Everywhere.
    pub const ALL: Self = Self { after: 0, before: u32::MAX };
    const NOWHERE: Self = Self { after: u32::MAX, before: 0 };

    /// From just before this command on, until the other.
    pub fn between(from: usize, until: Option<usize>) -> Self {
        Self { after: from as u32, before: until.map_or(u32::MAX, |i| i as u32) }
    }

    /// Whether a command at this position (from 0) is inside.
    pub fn holds(self, command: usize) -> bool {
        (self.after as usize) < command + 1 && command < self.before as usize
    }

    /// What is in both.
    pub fn and(self, other: Self) -> Self {
        Self { after: self.after.max(other.after), before: self.before.min(other.before) }
    }
}

/// The spans of all symbols of a script.
pub(crate) struct Visible {
    funs: Vec<Span>,
    sorts: Vec<Span>,
}

impl Visible {
    /// Walks over the commands of a script. With `:global-declarations` symbols live longer than is said here.
    pub fn new(script: &Script) -> Self {
        let a = &script.arena;
        let mut v = Self {
            funs: vec![Span::NOWHERE; a.fun_count()],
            sorts: vec![Span::NOWHERE; a.sort_decl_count()],
        };
        let mut open: Vec<Symbol> = Vec::new();
        let mut levels: Vec<usize> = Vec::new();
        for (i, c) in script.commands.iter().enumerate() {
            // The command itself does not see what it declares (recursive bodies are left alone anyway).
            let at = i as u32 + 1;
            let from = open.len();
            match c {
                Command::DeclareFun(f) | Command::DefineFun(f) => open.push(Symbol::Fun(*f)),
                Command::DefineFunsRec(fs) => open.extend(fs.iter().map(|&f| Symbol::Fun(f))),
                Command::DeclareSort(d) => open.push(Symbol::Sort(*d)),
                Command::DeclareDatatypes(ds) => {
                    for &d in ds {
                        open.push(Symbol::Sort(d));
                        datatype(a, d, &mut open);
                    }
                }
                Command::Push(n) => levels.extend((0..*n).map(|_| from)),
                Command::Pop(n) => {
                    let level = levels.len().saturating_sub(*n as usize);
                    let to = levels.get(level).copied().unwrap_or(from);
                    levels.truncate(level);
                    v.end(open.drain(to..), i as u32);
                }
                Command::Reset | Command::ResetAssertions => {
                    levels.clear();
                    v.end(open.drain(..), i as u32);
                }
                _ => {}
            }
            for s in open.get(from..).unwrap_or_default() {
                *v.slot(*s) = Span { after: at, before: u32::MAX };
            }
        }
        v
    }

    fn slot(&mut self, s: Symbol) -> &mut Span {
        match s {
            Symbol::Fun(f) => &mut self.funs[f.index()],
            Symbol::Sort(d) => &mut self.sorts[d.index()],
        }
    }

    fn end(&mut self, symbols: impl Iterator<Item = Symbol>, at: u32) {
        for s in symbols {
            self.slot(s).before = at;
        }
    }

    /// Where a function symbol can be used. What was made after this table is nowhere visible.
    pub fn fun(&self, f: Fun) -> Span {
        self.funs.get(f.index()).copied().unwrap_or(Span::NOWHERE)
    }

    /// Adds a sort symbol that was added to the arena, with its constructors and selectors.
    pub fn add_sort(&mut self, a: &Arena, d: SortDecl, span: Span) {
        if self.sorts.len() <= d.index() {
            self.sorts.resize(d.index() + 1, Span::NOWHERE);
        }
        self.sorts[d.index()] = span;
        let mut symbols = Vec::new();
        datatype(a, d, &mut symbols);
        for s in symbols {
            if let Symbol::Fun(f) = s {
                self.add_fun(f, span);
            }
        }
    }

    /// Adds a function symbol that was added to the arena.
    pub fn add_fun(&mut self, f: Fun, span: Span) {
        if self.funs.len() <= f.index() {
            self.funs.resize(f.index() + 1, Span::NOWHERE);
        }
        self.funs[f.index()] = span;
    }

    /// Where a sort can be used.
    pub fn sort(&self, a: &Arena, s: Sort) -> Span {
        let kind = a.sort_kind(s);
        let mut span = match kind {
            SortKind::Named(d, _) => self.sorts.get(d.index()).copied().unwrap_or(Span::NOWHERE),
            _ => Span::ALL,
        };
        kind.for_each_child(|c| span = span.and(self.sort(a, c)));
        span
    }

    /// Where the top of a term can be used; its arguments have spans of their own.
    pub fn head(&self, a: &Arena, t: Term) -> Span {
        match a.head(t) {
            Head::Fun(f) => self.fun(f),
            Head::Bind(_, vars) => {
                let sorts = a.vars(vars).iter().map(|&v| self.sort(a, a.var(v).sort));
                sorts.fold(Span::ALL, Span::and)
            }
            Head::Op(Op::Is | Op::Update | Op::AsArray, i) => self.index(a, a.indices(i)[0]),
            Head::Op(Op::ArrayMap, i) if a.indices(i).get(1) == Some(&0) => {
                self.index(a, a.indices(i)[0])
            }
            Head::Op(op, _) if a.args(t).is_empty() && op.info().indices == Some(0) => {
                self.sort(a, a.sort(t))
            }
            // A name is given once, in one place.
            Head::Annot(attrs)
                if a.attr_list(attrs).iter().any(|x| matches!(x, Attr::Named(_))) =>
            {
                Span::NOWHERE
            }
            _ => Span::ALL,
        }
    }

    fn index(&self, a: &Arena, f: u32) -> Span {
        a.fun_at(f as usize).map_or(Span::NOWHERE, |f| self.fun(f))
    }
}

#[derive(Clone, Copy)]
enum Symbol {
    Fun(Fun),
    Sort(SortDecl),
}

/// The constructors and selectors of a datatype.
fn datatype(a: &Arena, d: SortDecl, out: &mut Vec<Symbol>) {
    let SortDeclKind::Datatype { constructors, .. } = &a.sort_decl(d).kind else { return };
    for &c in constructors {
        out.push(Symbol::Fun(c));
        // Selectors are declared right after their constructor, in order.
        for i in 0..a.fun(c).args.len() {
            if let Some(s) = a.fun_at(c.index() + 1 + i)
                && matches!(a.fun(s).kind, FunKind::Selector(e, _) if e == c)
            {
                out.push(Symbol::Fun(s));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes() {
        let text = b"(declare-const a Int)(push 1)(declare-const b Int)(assert (= a b))(pop 1)\
            (declare-const b Bool)(assert b)(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))(assert b)";
        let s = smelt_smtlib::parse(text).unwrap();
        let v = Visible::new(&s);
        let at = |name: &str, nth: usize| -> Vec<usize> {
            let f = (0..s.arena.fun_count())
                .filter_map(|i| s.arena.fun_at(i))
                .filter(|&f| s.arena.name(s.arena.fun(f).name) == name)
                .nth(nth)
                .unwrap();
            (0..s.commands.len()).filter(|&c| v.fun(f).holds(c)).collect()
        };
        assert_eq!(at("a", 0), [1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(at("b", 0), [3]);
        assert_eq!(at("b", 1), [6, 7, 8]);
        for f in ["nil", "cons", "hd", "tl"] {
            assert_eq!(at(f, 0), [8], "{f}");
        }
    }
}
