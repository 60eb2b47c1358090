//! Equality up to the names of bound variables, across arenas.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::arena::{Arena, Attr, Fun, FunKind, Head, Term, Var, VarList};
use crate::op::Op;
use crate::printer::print_sort;
use crate::script::{Command, Script, in_order};
use crate::sort::{Sort, SortDecl, SortDeclKind};

/// Compares two scripts command by command; says where they differ first.
pub fn alpha_equal(a: &Script, b: &Script) -> Result<(), String> {
    let mut c = Comparison::new(&a.arena, &b.arena);
    if a.commands.len() != b.commands.len() {
        return Err(format!("{} commands against {}", a.commands.len(), b.commands.len()));
    }
    for (i, (x, y)) in in_order(&a.commands).zip(in_order(&b.commands)).enumerate() {
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

/// What variables of both sides meant outside of a binder.
type Outer = Vec<((Var, Option<Var>), (Var, Option<Var>))>;

enum Step {
    Compare(Term, Term),
    /// A binder or match whose heads agree (and whose matched terms do): its bodies.
    Bind(Term, Term),
    Unbind(Outer),
}

struct Comparison<'a> {
    a: &'a Arena,
    b: &'a Arena,
    sorts: FxHashMap<(Sort, Sort), bool>,
    equal: FxHashSet<(Term, Term, Vec<Option<Var>>)>,
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

    fn bind(&mut self, l: VarList, m: VarList, outer: &mut Outer) -> bool {
        let (vs, ws) = (self.a.vars(l), self.b.vars(m));
        if vs.len() != ws.len() {
            return false;
        }
        for (&v, &w) in vs.iter().zip(ws) {
            if !self.sort(self.a.var(v).sort, self.b.var(w).sort) {
                return false;
            }
            outer.push(((v, self.to.insert(v, w)), (w, self.from.insert(w, v))));
        }
        true
    }

    /// Binds the variables of a binder, or of the cases of a match.
    fn bind_head(&mut self, h: Head, k: Head, outer: &mut Outer) -> bool {
        match (h, k) {
            (Head::Bind(_, l), Head::Bind(_, m)) => self.bind(l, m, outer),
            (Head::Match(c), Head::Match(d)) => {
                let (cs, ds) = (self.a.case_list(c), self.b.case_list(d));
                cs.iter().zip(ds).all(|(c, d)| self.bind(c.vars, d.vars, outer))
            }
            _ => true,
        }
    }

    fn unbind(&mut self, outer: Outer) {
        for ((v, old_w), (w, old_v)) in outer.into_iter().rev() {
            match old_w {
                Some(old) => self.to.insert(v, old),
                None => self.to.remove(&v),
            };
            match old_v {
                Some(old) => self.from.insert(w, old),
                None => self.from.remove(&w),
            };
        }
    }

    fn definition(&mut self, f: Fun, g: Fun) -> bool {
        match (self.a.fun(f).def, self.b.fun(g).def) {
            (None, None) => true,
            (Some((l, s)), Some((m, t))) => {
                let mut outer = Outer::new();
                let same = self.bind(l, m, &mut outer) && self.term(s, t);
                self.unbind(outer);
                same
            }
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
        let mut stack = vec![Step::Compare(s, t)];
        while let Some(step) = stack.pop() {
            let (s, t) = match step {
                Step::Compare(s, t) => (s, t),
                Step::Bind(s, t) => {
                    let mut outer = Outer::new();
                    if !self.bind_head(self.a.head(s), self.b.head(t), &mut outer) {
                        return false;
                    }
                    let first = usize::from(matches!(self.a.head(s), Head::Match(_)));
                    let pairs = self.a.args(s)[first..].iter().zip(&self.b.args(t)[first..]);
                    stack.push(Step::Unbind(outer));
                    stack.extend(pairs.map(|(&x, &y)| Step::Compare(x, y)).rev());
                    continue;
                }
                Step::Unbind(outer) => {
                    self.unbind(outer);
                    continue;
                }
            };
            let meaning: Vec<Option<Var>> =
                self.a.free_vars(s).iter().map(|v| self.to.get(v).copied()).collect();
            if !self.equal.insert((s, t, meaning)) {
                continue;
            }
            if let Some((x, y)) = self.named(s, t) {
                stack.push(Step::Compare(x, y));
                continue;
            }
            let (xs, ys) = (self.a.args(s), self.b.args(t));
            if xs.len() != ys.len()
                || !self.sort(self.a.sort(s), self.b.sort(t))
                || !self.head(self.a.head(s), self.b.head(t))
            {
                return false;
            }
            match self.a.head(s) {
                Head::Bind(..) => stack.push(Step::Bind(s, t)),
                // The variables of the cases do not mean anything in the matched term.
                Head::Match(_) => stack.extend([Step::Bind(s, t), Step::Compare(xs[0], ys[0])]),
                _ => stack.extend(xs.iter().zip(ys).map(|(&x, &y)| Step::Compare(x, y)).rev()),
            }
        }
        true
    }

    /// A name on one side and the term that is given this name on the other are the same: what remains to be compared.
    fn named(&self, s: Term, t: Term) -> Option<(Term, Term)> {
        let given = |x: &Arena, attrs, y: &Arena, f: Fun| {
            let name = y.name(y.fun(f).name);
            let (FunKind::Named, Some((_, body))) = (y.fun(f).kind, y.fun(f).def) else {
                return None;
            };
            let same = |a: &Attr| matches!(a, Attr::Named(g) if x.name(x.fun(*g).name) == name);
            x.attr_list(attrs).iter().any(same).then_some(body)
        };
        match (self.a.head(s), self.b.head(t)) {
            (Head::Annot(l), Head::Fun(g)) => {
                given(self.a, l, self.b, g).map(|body| (self.a.args(s)[0], body))
            }
            (Head::Fun(f), Head::Annot(l)) => {
                given(self.b, l, self.a, f).map(|body| (body, self.b.args(t)[0]))
            }
            _ => None,
        }
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
            (Head::Bind(x, _), Head::Bind(y, _)) => x == y,
            (Head::Match(c), Head::Match(d)) => {
                let (cs, ds) = (self.a.case_list(c), self.b.case_list(d));
                cs.len() == ds.len()
                    && cs.iter().zip(ds).all(|(c, d)| match (c.constructor, d.constructor) {
                        (Some(f), Some(g)) => self.fun(f, g),
                        (None, None) => true,
                        _ => false,
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
