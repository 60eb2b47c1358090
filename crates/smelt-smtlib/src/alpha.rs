//! Equality up to the names of bound variables, across arenas.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::arena::{Arena, Attr, Fun, Head, Term, Var, VarList};
use crate::op::Op;
use crate::printer::print_sort;
use crate::script::{Command, Script};
use crate::sort::{Sort, SortDecl, SortDeclKind};

/// Compares two scripts command by command; says where they differ first.
pub fn alpha_equal(a: &Script, b: &Script) -> Result<(), String> {
    let mut c = Comparison::new(&a.arena, &b.arena);
    if a.commands.len() != b.commands.len() {
        return Err(format!("{} commands against {}", a.commands.len(), b.commands.len()));
    }
    for (i, (x, y)) in a.commands.iter().zip(&b.commands).enumerate() {
        if !c.command(x, y) {
            return Err(format!("command {} differs: {x:?} against {y:?}", i + 1));
        }
    }
    Ok(())
}

/// Compares two terms.
pub fn alpha_equal_terms(a: &Arena, s: Term, b: &Arena, t: Term) -> bool {
    Comparison::new(a, b).term(s, t)
}

struct Comparison<'a> {
    a: &'a Arena,
    b: &'a Arena,
    sorts: FxHashMap<(Sort, Sort), bool>,
    equal: FxHashSet<(Term, Term, Vec<Var>)>,
    to: FxHashMap<Var, Var>,
    from: FxHashMap<Var, Var>,
}

impl<'a> Comparison<'a> {
    fn new(a: &'a Arena, b: &'a Arena) -> Self {
        Self {
            a,
            b,
            sorts: FxHashMap::default(),
            equal: FxHashSet::default(),
            to: FxHashMap::default(),
            from: FxHashMap::default(),
        }
    }

    fn sort(&mut self, s: Sort, t: Sort) -> bool {
        let (a, b) = (self.a, self.b);
        *self.sorts.entry((s, t)).or_insert_with(|| print_sort(a, s) == print_sort(b, t))
    }

    fn fun(&mut self, f: Fun, g: Fun) -> bool {
        let (d, e) = (self.a.fun(f), self.b.fun(g));
        self.a.name(d.name) == self.b.name(e.name)
            && d.kind_name() == e.kind_name()
            && d.args.len() == e.args.len()
            && d.args.iter().zip(&e.args).all(|(&s, &t)| self.sort(s, t))
            && self.sort(d.ret, e.ret)
    }

    fn bind(&mut self, l: VarList, m: VarList) -> bool {
        let (vs, ws) = (self.a.vars(l), self.b.vars(m));
        if vs.len() != ws.len() {
            return false;
        }
        for (&v, &w) in vs.iter().zip(ws) {
            if !self.sort(self.a.var(v).sort, self.b.var(w).sort) {
                return false;
            }
            self.to.insert(v, w);
            self.from.insert(w, v);
        }
        true
    }

    fn definition(&mut self, f: Fun, g: Fun) -> bool {
        match (self.a.fun(f).def, self.b.fun(g).def) {
            (None, None) => true,
            (Some((l, s)), Some((m, t))) => self.bind(l, m) && self.term(s, t),
            _ => false,
        }
    }

    fn datatype(&mut self, d: SortDecl, e: SortDecl) -> bool {
        let (x, y) = (self.a.sort_decl(d), self.b.sort_decl(e));
        if self.a.name(x.name) != self.b.name(y.name) || x.params.len() != y.params.len() {
            return false;
        }
        match (&x.kind, &y.kind) {
            (SortDeclKind::Free, SortDeclKind::Free) => true,
            (
                SortDeclKind::Datatype { constructors: cs, co },
                SortDeclKind::Datatype { constructors: ds, co: co2 },
            ) => {
                co == co2
                    && cs.len() == ds.len()
                    && cs.iter().zip(ds).all(|(&c, &d)| self.fun(c, d))
            }
            _ => false,
        }
    }

    fn command(&mut self, x: &Command, y: &Command) -> bool {
        use Command as C;
        match (x, y) {
            (C::SetLogic(s), C::SetLogic(t)) => self.a.name(*s) == self.b.name(*t),
            (C::DeclareSort(d), C::DeclareSort(e)) => self.datatype(*d, *e),
            (C::DefineSort(n, p, s), C::DefineSort(m, q, t)) => {
                self.a.name(*n) == self.b.name(*m) && p.len() == q.len() && self.sort(*s, *t)
            }
            (C::DeclareFun(f), C::DeclareFun(g)) => self.fun(*f, *g),
            (C::DefineFun(f), C::DefineFun(g)) => self.fun(*f, *g) && self.definition(*f, *g),
            (C::DefineFunsRec(fs), C::DefineFunsRec(gs)) => {
                fs.len() == gs.len()
                    && fs.iter().zip(gs).all(|(&f, &g)| self.fun(f, g) && self.definition(f, g))
            }
            (C::DeclareDatatypes(ds), C::DeclareDatatypes(es)) => {
                ds.len() == es.len() && ds.iter().zip(es).all(|(&d, &e)| self.datatype(d, e))
            }
            (C::Assert(s), C::Assert(t)) => self.term(*s, *t),
            (C::AssertSoft(s, m), C::AssertSoft(t, n))
            | (C::Minimize(s, m), C::Minimize(t, n))
            | (C::Maximize(s, m), C::Maximize(t, n)) => m == n && self.term(*s, *t),
            (C::CheckSatAssuming(ss), C::CheckSatAssuming(ts))
            | (C::GetValue(ss), C::GetValue(ts)) => {
                ss.len() == ts.len() && ss.iter().zip(ts).all(|(&s, &t)| self.term(s, t))
            }
            _ => x == y,
        }
    }

    fn term(&mut self, s: Term, t: Term) -> bool {
        // A sub-term is finished before its right sibling is begun, so the meaning of variables is right throughout.
        let mut stack = vec![(s, t)];
        while let Some((s, t)) = stack.pop() {
            let meaning: Vec<Var> =
                self.a.free_vars(s).iter().filter_map(|v| self.to.get(v).copied()).collect();
            if !self.equal.insert((s, t, meaning)) {
                continue;
            }
            let (xs, ys) = (self.a.args(s), self.b.args(t));
            if xs.len() != ys.len()
                || !self.sort(self.a.sort(s), self.b.sort(t))
                || !self.head(self.a.head(s), self.b.head(t))
            {
                return false;
            }
            stack.extend(xs.iter().copied().zip(ys.iter().copied()).rev());
        }
        true
    }

    fn head(&mut self, h: Head, k: Head) -> bool {
        match (h, k) {
            (Head::Op(o, i), Head::Op(p, j)) => {
                let (i, j) = (self.a.indices(i), self.b.indices(j));
                o == p
                    && match (o, i, j) {
                        (Op::Divisible, &[l], &[m]) => self.a.lit_at(l) == self.b.lit_at(m),
                        (Op::Is | Op::Update | Op::AsArray, &[f], &[g])
                        | (Op::ArrayMap, &[f, 0], &[g, 0]) => self.fun(Fun(f), Fun(g)),
                        _ => i == j,
                    }
            }
            (Head::Fun(f), Head::Fun(g)) => self.fun(f, g),
            (Head::Var(v), Head::Var(w)) => {
                self.to.get(&v) == Some(&w) && self.from.get(&w) == Some(&v)
            }
            (Head::Lit(l), Head::Lit(m)) => self.a.lit(l) == self.b.lit(m),
            (Head::Bind(x, l), Head::Bind(y, m)) => x == y && self.bind(l, m),
            (Head::Match(c), Head::Match(d)) => {
                let (cs, ds) = (self.a.case_list(c), self.b.case_list(d));
                cs.len() == ds.len()
                    && cs.iter().zip(ds).all(|(c, d)| {
                        let same = match (c.constructor, d.constructor) {
                            (Some(f), Some(g)) => self.fun(f, g),
                            (None, None) => true,
                            _ => false,
                        };
                        same && self.bind(c.vars, d.vars)
                    })
            }
            (Head::Annot(x), Head::Annot(y)) => {
                let (xs, ys) = (self.a.attr_list(x), self.b.attr_list(y));
                xs.len() == ys.len()
                    && xs.iter().zip(ys).all(|(x, y)| match (x, y) {
                        (Attr::Named(f), Attr::Named(g)) => self.fun(*f, *g),
                        _ => x == y,
                    })
            }
            _ => false,
        }
    }
}
