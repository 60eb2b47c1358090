//! Bringing terms from one arena into another, with fresh binders.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::arena::{Arena, Attr, Case, Fun, FunDecl, FunKind, Head, Idx, Sym, Term, Var, VarList};
use crate::op::Op;
use crate::sort::{Sort, SortDecl, SortDeclInfo, SortDeclKind};
use crate::subst::Stage;

/// New variables of a binder, and what its old ones meant outside of it.
type Fresh = (SmallVec<[VarList; 2]>, Vec<(Var, Var)>);

/// Copies terms from one arena to another. Keeps what it has copied, so one importer serves a whole script.
///
/// Function symbols are renamed by [`Importer::rename`]; those that a caller maps with [`Importer::map_fun`] become
/// existing symbols of the target. Every binder gets new variables.
#[derive(Default)]
pub struct Importer {
    terms: FxHashMap<Term, Term>,
    sorts: FxHashMap<Sort, Sort>,
    decls: FxHashMap<SortDecl, SortDecl>,
    funs: FxHashMap<Fun, Fun>,
    vars: FxHashMap<Var, Var>,
    suffix: String,
    /// Function symbols made in the target, in order: what a caller has to declare.
    pub new_funs: Vec<Fun>,
    /// Sort symbols made in the target, in order.
    pub new_sorts: Vec<SortDecl>,
}

impl Importer {
    /// An importer that keeps all names.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends this to the name of every function and sort symbol that is copied.
    #[must_use]
    pub fn rename(mut self, suffix: &str) -> Self {
        suffix.clone_into(&mut self.suffix);
        self
    }

    /// Takes `to` of the target wherever `from` occurs.
    pub fn map_fun(&mut self, from: Fun, to: Fun) {
        self.funs.insert(from, to);
    }

    /// Takes `to` of the target for the sort symbol `from`.
    pub fn map_sort_decl(&mut self, from: SortDecl, to: SortDecl) {
        self.decls.insert(from, to);
    }

    fn name(&self, src: &Arena, dst: &mut Arena, s: Sym) -> Sym {
        if self.suffix.is_empty() {
            return dst.sym(src.name(s));
        }
        let name = format!("{}{}", src.name(s), self.suffix);
        dst.sym(&name)
    }

    /// A sort of the source in the target.
    pub fn sort(&mut self, src: &Arena, dst: &mut Arena, s: Sort) -> Sort {
        use crate::sort::SortKind;
        if let Some(&t) = self.sorts.get(&s) {
            return t;
        }
        let kind = match src.sort_kind(s) {
            SortKind::Named(d, args) => {
                let d2 = self.sort_decl(src, dst, *d);
                let args = args.iter().map(|&x| self.sort(src, dst, x)).collect();
                SortKind::Named(d2, args)
            }
            SortKind::Param(p) => SortKind::Param(dst.sym(src.name(*p))),
            other => other.map_children(|c| self.sort(src, dst, c)),
        };
        let t = dst.mk_sort(kind);
        self.sorts.insert(s, t);
        t
    }

    /// A sort symbol of the source in the target; a datatype comes with its constructors and selectors.
    pub fn sort_decl(&mut self, src: &Arena, dst: &mut Arena, d: SortDecl) -> SortDecl {
        if let Some(&e) = self.decls.get(&d) {
            return e;
        }
        let info = src.sort_decl(d);
        let name = self.name(src, dst, info.name);
        let params = info.params.iter().map(|&p| dst.sym(src.name(p))).collect();
        let kind = match &info.kind {
            SortDeclKind::Free => SortDeclKind::Free,
            SortDeclKind::Datatype { co, .. } => {
                SortDeclKind::Datatype { constructors: Vec::new(), co: *co }
            }
        };
        let e = dst.declare_sort(SortDeclInfo { name, params, kind });
        self.decls.insert(d, e);
        self.new_sorts.push(e);
        if let SortDeclKind::Datatype { constructors, .. } = &info.kind {
            for &c in constructors {
                let c2 = self.constructor(src, dst, c, e);
                if let Some(SortDeclInfo {
                    kind: SortDeclKind::Datatype { constructors, .. },
                    ..
                }) = dst.sort_decl_mut(e)
                {
                    constructors.push(c2);
                }
            }
        }
        e
    }

    /// A constructor and, right behind it, its selectors.
    fn constructor(&mut self, src: &Arena, dst: &mut Arena, c: Fun, e: SortDecl) -> Fun {
        let d = src.fun(c);
        // Sorts first: a field may bring another datatype, whose symbols must not come in between.
        let args: Vec<Sort> = d.args.iter().map(|&s| self.sort(src, dst, s)).collect();
        let ret = self.sort(src, dst, d.ret);
        let params: Box<[Sym]> = d.params.iter().map(|&p| dst.sym(src.name(p))).collect();
        let FunKind::Constructor(_, index) = d.kind else { return c };
        let name = self.name(src, dst, d.name);
        let c2 = dst.declare_fun(FunDecl {
            name,
            params: params.clone(),
            args: args.clone().into(),
            ret,
            kind: FunKind::Constructor(e, index),
            def: None,
        });
        self.funs.insert(c, c2);
        for (i, &field) in args.iter().enumerate() {
            let s = Fun(c.0 + 1 + i as u32);
            let name = self.name(src, dst, src.fun(s).name);
            let s2 = dst.declare_fun(FunDecl {
                name,
                params: params.clone(),
                args: [ret].into(),
                ret: field,
                kind: FunKind::Selector(c2, i as u32),
                def: None,
            });
            self.funs.insert(s, s2);
        }
        c2
    }

    /// A function symbol of the source in the target.
    pub fn fun(&mut self, src: &Arena, dst: &mut Arena, f: Fun) -> Fun {
        if let Some(&g) = self.funs.get(&f) {
            return g;
        }
        let d = src.fun(f);
        match d.kind {
            FunKind::Constructor(decl, _) => {
                self.sort_decl(src, dst, decl);
            }
            FunKind::Selector(c, _) => {
                if let FunKind::Constructor(decl, _) = src.fun(c).kind {
                    self.sort_decl(src, dst, decl);
                }
            }
            _ => {}
        }
        if let Some(&g) = self.funs.get(&f) {
            return g;
        }
        let name = match d.kind {
            FunKind::External => dst.sym(src.name(d.name)),
            _ => self.name(src, dst, d.name),
        };
        let params = d.params.iter().map(|&p| dst.sym(src.name(p))).collect();
        let args = d.args.iter().map(|&s| self.sort(src, dst, s)).collect();
        let ret = self.sort(src, dst, d.ret);
        let g = dst.declare_fun(FunDecl { name, params, args, ret, kind: d.kind, def: None });
        let (n, written) = src.written(f);
        if n < d.args.len() {
            let written = self.sort(src, dst, written);
            dst.set_written(g, n, written);
        }
        if src.juxtaposes() {
            dst.set_juxtaposes();
        }
        self.funs.insert(f, g);
        if let Some((params, body)) = d.def {
            // Definitions may be recursive: the symbol is known before its body is copied.
            let params2 = self.vars(src, dst, params);
            let body2 = self.copy(src, dst, body);
            dst.set_definition(g, params2, body2);
        }
        self.new_funs.push(g);
        g
    }

    /// Copies the definitions that a term reaches, earlier ones first: a long chain of definitions must not become a
    /// deep recursion.
    fn definitions(&mut self, src: &Arena, dst: &mut Arena, root: Term) {
        let mut found = std::collections::BTreeSet::new();
        let mut bodies = vec![root];
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some(t) = bodies.pop() {
            if !seen.insert(t) || self.terms.contains_key(&t) {
                continue;
            }
            if let Head::Fun(f) = src.head(t)
                && !self.funs.contains_key(&f)
                && let Some((_, body)) = src.fun(f).def
                && found.insert(f)
            {
                bodies.push(body);
            }
            bodies.extend_from_slice(src.args(t));
        }
        for f in found {
            self.fun(src, dst, f);
        }
    }

    /// Copies of open terms hold only while their variables mean the same.
    fn forget_open(&mut self, src: &Arena) {
        self.terms.retain(|t, _| src.is_closed(*t));
    }

    /// Fresh variables for those of a list.
    pub fn vars(&mut self, src: &Arena, dst: &mut Arena, l: VarList) -> VarList {
        let fresh: Vec<Var> = src
            .vars(l)
            .iter()
            .map(|&v| {
                let d = src.var(v);
                let name = dst.sym(src.name(d.name));
                let sort = self.sort(src, dst, d.sort);
                let w = dst.new_var(name, sort);
                if self.vars.insert(v, w).is_some() {
                    // A second binder with the same variable.
                    self.forget_open(src);
                }
                w
            })
            .collect();
        dst.var_list(&fresh)
    }

    /// A term of the source in the target.
    pub fn term(&mut self, src: &Arena, dst: &mut Arena, root: Term) -> Term {
        self.definitions(src, dst, root);
        self.copy(src, dst, root)
    }

    fn copy(&mut self, src: &Arena, dst: &mut Arena, root: Term) -> Term {
        // A binder makes its variables on the way down.
        let mut stack = vec![(root, Stage::Enter)];
        // Variables bound on the way down, to be put into the copied binder; and what they meant outside of it.
        let mut fresh: FxHashMap<Term, Fresh> = FxHashMap::default();
        let mut values: Vec<Term> = Vec::new();
        while let Some((t, stage)) = stack.pop() {
            if stage == Stage::Enter {
                if let Some(&known) = self.terms.get(&t) {
                    values.push(known);
                    continue;
                }
                if let Head::Match(_) = src.head(t) {
                    // The variables of the cases do not mean anything in the matched term.
                    stack.push((t, Stage::Bind));
                    stack.push((src.args(t)[0], Stage::Enter));
                    continue;
                }
            }
            if stage != Stage::Leave {
                match src.head(t) {
                    Head::Bind(_, l) => {
                        let outer = self.outer(src, l);
                        let l = self.vars(src, dst, l);
                        fresh.insert(t, (SmallVec::from_slice(&[l]), outer));
                    }
                    Head::Match(c) => {
                        let mut outer = Vec::new();
                        let mut lists = SmallVec::new();
                        for case in src.case_list(c) {
                            outer.extend(self.outer(src, case.vars));
                            lists.push(self.vars(src, dst, case.vars));
                        }
                        fresh.insert(t, (lists, outer));
                    }
                    _ => {}
                }
                let first = usize::from(stage == Stage::Bind);
                stack.push((t, Stage::Leave));
                stack.extend(src.args(t)[first..].iter().rev().map(|&a| (a, Stage::Enter)));
                continue;
            }
            let args: SmallVec<[Term; 8]> =
                values.drain(values.len() - src.args(t).len()..).collect();
            let sort = self.sort(src, dst, src.sort(t));
            let (lists, outer) = fresh.remove(&t).unwrap_or_default();
            let head = self.head(src, dst, src.head(t), &lists);
            let copy = dst.mk(head, &args, sort);
            if !outer.is_empty() {
                self.vars.extend(outer);
                self.forget_open(src);
            }
            self.terms.insert(t, copy);
            values.push(copy);
        }
        values[0]
    }

    /// The present meaning of variables that are about to be bound again.
    fn outer(&self, src: &Arena, l: VarList) -> Vec<(Var, Var)> {
        src.vars(l).iter().filter_map(|&v| Some((v, *self.vars.get(&v)?))).collect()
    }

    fn head(&mut self, src: &Arena, dst: &mut Arena, head: Head, lists: &[VarList]) -> Head {
        match head {
            Head::Op(op, idx) => Head::Op(op, self.indices(src, dst, op, idx)),
            Head::Fun(f) => Head::Fun(self.fun(src, dst, f)),
            Head::Var(v) => match self.vars.get(&v) {
                Some(&w) => Head::Var(w),
                // A variable that is free in the whole term keeps its name and sort.
                None => {
                    let d = src.var(v);
                    let name = dst.sym(src.name(d.name));
                    let sort = self.sort(src, dst, d.sort);
                    let w = dst.new_var(name, sort);
                    self.vars.insert(v, w);
                    Head::Var(w)
                }
            },
            Head::Lit(l) => Head::Lit(dst.literal(src.lit(l).clone())),
            Head::Bind(b, l) => Head::Bind(b, lists.first().copied().unwrap_or(l)),
            Head::Match(c) => {
                let cases = src.case_list(c).iter().zip(lists);
                let cases = cases
                    .map(|(c, &vars)| Case {
                        constructor: c.constructor.map(|f| self.fun(src, dst, f)),
                        vars,
                    })
                    .collect();
                Head::Match(dst.cases(cases))
            }
            Head::Annot(a) => {
                let list = src
                    .attr_list(a)
                    .iter()
                    .map(|x| match x {
                        Attr::Named(f) => Attr::Named(self.fun(src, dst, *f)),
                        other => other.clone(),
                    })
                    .collect();
                Head::Annot(dst.attrs(list))
            }
        }
    }

    fn indices(&mut self, src: &Arena, dst: &mut Arena, op: Op, idx: Idx) -> Idx {
        if idx == Idx::NONE {
            return idx;
        }
        let list = src.indices(idx);
        match (op, list) {
            (Op::Divisible, &[l]) => {
                let lit = dst.literal(src.lit_at(l).clone());
                dst.idx(&[lit.0])
            }
            (Op::Is | Op::Update | Op::AsArray, &[f]) => {
                let g = self.fun(src, dst, Fun(f));
                dst.idx(&[g.0])
            }
            (Op::ArrayMap, &[f, 0]) => {
                let g = self.fun(src, dst, Fun(f));
                dst.idx(&[g.0, 0])
            }
            _ => dst.idx(list),
        }
    }
}
