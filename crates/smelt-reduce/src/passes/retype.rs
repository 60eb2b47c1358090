//! A script made anew with other sorts, everywhere at once: the sort checker has the last word.

use dashu_int::UBig;
use rustc_hash::{FxHashMap, FxHashSet};
use smelt_eval::Value;
use smelt_smtlib::arena::{Case, FunDecl};
use smelt_smtlib::op::P;
use smelt_smtlib::sort::{SortDeclInfo, SortDeclKind};
use smelt_smtlib::{
    Arena, Command, Fun, FunKind, Head, Literal, Op, Script, Sort, SortDecl, SortKind, Term, Var,
    VarList,
};

use crate::edit::prune;
use crate::original::selectors;
use crate::subject::Subject;
use crate::witness::{Definition, Witness};

/// What becomes of the sorts and symbols of a script.
pub struct Retype {
    script: Script,
    sorts: FxHashMap<Sort, Sort>,
    decls: FxHashMap<SortDecl, SortDecl>,
    funs: FxHashMap<Fun, Fun>,
    vars: FxHashMap<Var, Var>,
    terms: FxHashMap<Term, Term>,
    /// Arguments that functions and constructors lose.
    lost: FxHashMap<Fun, usize>,
    /// Constructors and selectors that go.
    gone: FxHashSet<Fun>,
    /// Whether datatypes are made anew.
    remakes: bool,
}

impl Retype {
    /// A script, with nothing to be changed yet.
    pub fn of(s: &Subject) -> Self {
        Self {
            script: s.script.clone(),
            sorts: FxHashMap::default(),
            decls: FxHashMap::default(),
            funs: FxHashMap::default(),
            vars: FxHashMap::default(),
            terms: FxHashMap::default(),
            lost: FxHashMap::default(),
            gone: FxHashSet::default(),
            remakes: false,
        }
    }

    /// Where new sorts and symbols are made.
    pub fn arena(&mut self) -> &mut Arena {
        &mut self.script.arena
    }

    /// Puts a sort in the place of another one, wherever it stands.
    pub fn map_sort(&mut self, from: Sort, to: Sort) {
        self.sorts.insert(from, to);
        self.remakes = true;
    }

    /// Puts a function in the place of another one, perhaps one without its parameter at a position.
    pub fn map_fun(&mut self, from: Fun, to: Fun, lost: Option<usize>) {
        self.funs.insert(from, to);
        if let Some(i) = lost {
            self.lost.insert(from, i);
        }
    }

    /// Leaves out a constructor.
    pub fn drop_constructor(&mut self, c: Fun) {
        self.gone.extend(selectors(&self.script, c));
        self.gone.insert(c);
        self.remakes = true;
    }

    /// Leaves out a field of a constructor.
    pub fn drop_field(&mut self, c: Fun, position: usize) {
        self.lost.insert(c, position);
        self.gone.extend(selectors(&self.script, c).into_iter().nth(position));
        self.remakes = true;
    }

    /// The new script; `None` if something in it cannot be made.
    pub fn finish(mut self, s: &Subject) -> Option<Subject> {
        if self.remakes {
            self.datatypes()?;
        }
        let commands = self.script.commands.clone();
        let mut new = Vec::with_capacity(commands.len());
        for c in &commands {
            new.extend(self.command(c)?);
        }
        self.script.commands = new;
        prune(&s.script, &mut self.script);
        let witness = match &s.witness {
            None => None,
            Some(w) => Some(self.witness(s, w)?),
        };
        Some(Subject::made(self.script, s.check, witness, s.style.clone()))
    }

    fn command(&mut self, c: &Command) -> Option<Option<Command>> {
        Some(Some(match c {
            Command::Assert(t) => Command::Assert(self.term(*t)?),
            Command::AssertSoft(t, text) => Command::AssertSoft(self.term(*t)?, text.clone()),
            Command::Minimize(t, text) => Command::Minimize(self.term(*t)?, text.clone()),
            Command::Maximize(t, text) => Command::Maximize(self.term(*t)?, text.clone()),
            Command::CheckSatAssuming(ts) => {
                Command::CheckSatAssuming(ts.iter().map(|&t| self.term(t)).collect::<Option<_>>()?)
            }
            Command::GetValue(ts) => {
                Command::GetValue(ts.iter().map(|&t| self.term(t)).collect::<Option<_>>()?)
            }
            Command::DeclareFun(f) => Command::DeclareFun(self.fun(*f)?),
            Command::DefineFun(f) => Command::DefineFun(self.defined(*f)?),
            Command::DefineFunsRec(fs) => {
                Command::DefineFunsRec(fs.iter().map(|&f| self.defined(f)).collect::<Option<_>>()?)
            }
            Command::DeclareDatatypes(ds) => {
                let ds: Vec<SortDecl> =
                    ds.iter().map(|d| self.decls.get(d).copied().unwrap_or(*d)).collect();
                Command::DeclareDatatypes(ds.into())
            }
            // Uses are replaced by the meaning already.
            Command::DefineSort(..) => return Some(None),
            other => other.clone(),
        }))
    }

    /// Makes all datatypes anew, with their constructors and selectors.
    fn datatypes(&mut self) -> Option<()> {
        let mut all: Vec<SortDecl> = Vec::new();
        for c in &self.script.commands {
            if let Command::DeclareDatatypes(ds) = c {
                all.extend(ds.iter().copied());
            }
        }
        for &d in &all {
            let info = self.script.arena.sort_decl(d).clone();
            let SortDeclKind::Datatype { co, .. } = info.kind else { return None };
            let kind = SortDeclKind::Datatype { constructors: Vec::new(), co };
            let new = self.script.arena.declare_sort(SortDeclInfo { kind, ..info });
            self.decls.insert(d, new);
        }
        for &d in &all {
            let SortDeclKind::Datatype { constructors, co } =
                self.script.arena.sort_decl(d).kind.clone()
            else {
                return None;
            };
            let new = self.decls[&d];
            let mut made = Vec::new();
            for c in constructors.into_iter().filter(|c| !self.gone.contains(c)).collect::<Vec<_>>()
            {
                made.push(self.constructor(c, new, made.len() as u32)?);
            }
            if made.is_empty() {
                return None;
            }
            self.script.arena.sort_decl_mut(new)?.kind =
                SortDeclKind::Datatype { constructors: made, co };
        }
        Some(())
    }

    fn constructor(&mut self, c: Fun, of: SortDecl, position: u32) -> Option<Fun> {
        let old = self.script.arena.fun(c).clone();
        let lost = self.lost.get(&c).copied();
        let fields: Vec<(usize, Sort)> =
            old.args.iter().copied().enumerate().filter(|(i, _)| Some(*i) != lost).collect();
        let args: Option<Vec<Sort>> = fields.iter().map(|&(_, s)| self.sort(s)).collect();
        let (args, ret) = (args?, self.sort(old.ret)?);
        let kind = FunKind::Constructor(of, position);
        let new =
            self.script.arena.declare_fun(FunDecl { args: args.clone().into(), ret, kind, ..old });
        self.funs.insert(c, new);
        for (k, f) in selectors(&self.script, c)
            .into_iter()
            .enumerate()
            .filter(|(k, _)| Some(*k) != lost)
            .collect::<Vec<_>>()
        {
            let old = self.script.arena.fun(f).clone();
            let at = fields.iter().position(|(i, _)| *i == k)?;
            let kind = FunKind::Selector(new, at as u32);
            let decl = FunDecl { args: [ret].into(), ret: args[at], kind, ..old };
            let selector = self.script.arena.declare_fun(decl);
            self.funs.insert(f, selector);
        }
        Some(new)
    }

    fn sort(&mut self, s: Sort) -> Option<Sort> {
        if let Some(&new) = self.sorts.get(&s) {
            return Some(new);
        }
        let kind = self.script.arena.sort_kind(s).clone();
        let mut fails = false;
        let mut children = Vec::new();
        kind.for_each_child(|c| children.push(c));
        let mut new = Vec::new();
        for c in children {
            new.push(self.sort(c)?);
        }
        let mut new = new.into_iter();
        let mut kind = kind.map_children(|c| {
            new.next().unwrap_or_else(|| {
                fails = true;
                c
            })
        });
        if let SortKind::Named(d, _) = &mut kind {
            *d = self.decls.get(d).copied().unwrap_or(*d);
        }
        let made = self.script.arena.mk_sort(kind);
        self.sorts.insert(s, made);
        (!fails).then_some(made)
    }

    fn var(&mut self, v: Var) -> Option<Var> {
        if let Some(&w) = self.vars.get(&v) {
            return Some(w);
        }
        let d = self.script.arena.var(v);
        let sort = self.sort(d.sort)?;
        let w = if sort == d.sort { v } else { self.script.arena.new_var(d.name, sort) };
        self.vars.insert(v, w);
        Some(w)
    }

    fn var_list(&mut self, l: VarList) -> Option<VarList> {
        let vars = self.script.arena.vars(l).to_vec();
        let vars: Option<Vec<Var>> = vars.into_iter().map(|v| self.var(v)).collect();
        Some(self.script.arena.var_list(&vars?))
    }

    fn fun(&mut self, f: Fun) -> Option<Fun> {
        if self.gone.contains(&f) {
            return None;
        }
        if let Some(&new) = self.funs.get(&f) {
            return Some(new);
        }
        let old = self.script.arena.fun(f).clone();
        let args: Option<Vec<Sort>> = old.args.iter().map(|&s| self.sort(s)).collect();
        let (args, ret) = (args?, self.sort(old.ret)?);
        let new = if *args == *old.args && ret == old.ret && old.def.is_none() {
            f
        } else {
            self.script.arena.declare_fun(FunDecl { args: args.into(), ret, def: None, ..old })
        };
        self.funs.insert(f, new);
        Some(new)
    }

    fn defined(&mut self, f: Fun) -> Option<Fun> {
        let new = self.fun(f)?;
        let (params, body) = self.script.arena.fun(f).def?;
        let (params, body) = (self.var_list(params)?, self.term(body)?);
        self.script.arena.set_definition(new, params, body);
        Some(new)
    }

    fn term(&mut self, root: Term) -> Option<Term> {
        for t in self.script.arena.dag(&[root]) {
            if self.terms.contains_key(&t) {
                continue;
            }
            let new = self.one(t)?;
            let want = self.sort(self.script.arena.sort(t))?;
            if self.script.arena.sort(new) != want {
                return None;
            }
            self.terms.insert(t, new);
        }
        self.terms.get(&root).copied()
    }

    /// A term whose arguments are made.
    fn one(&mut self, t: Term) -> Option<Term> {
        let head = self.script.arena.head(t);
        let mut args: Vec<Term> =
            self.script.arena.args(t).to_vec().iter().map(|x| self.terms[x]).collect();
        match head {
            Head::Lit(l) => {
                let literal = self.script.arena.lit(l).clone();
                let sort = self.sort(self.script.arena.sort(t))?;
                let a = &mut self.script.arena;
                Some(match (literal, a.sort_kind(sort).clone()) {
                    (Literal::Bits { value, .. }, SortKind::BitVec(width)) => {
                        a.mk_literal(Literal::Bits { width, value: low(&value, width) })
                    }
                    (Literal::Int(n), SortKind::Real) => {
                        a.mk_literal(Literal::Real { digits: n, scale: 0 })
                    }
                    (Literal::Real { digits, scale: 0 }, SortKind::Int) => {
                        a.mk_literal(Literal::Int(digits))
                    }
                    (l, _) => a.mk_literal(l),
                })
            }
            Head::Var(v) => {
                let v = self.var(v)?;
                Some(self.script.arena.mk_var(v))
            }
            Head::Fun(f) => {
                let new = self.fun(f)?;
                if let Some(&i) = self.lost.get(&f)
                    && i < args.len()
                {
                    args.remove(i);
                }
                let sort = self.sort(self.script.arena.sort(t))?;
                let ascribed = (!self.script.arena.fun(new).params.is_empty()).then_some(sort);
                self.script.arena.apply_fun(new, &args, ascribed).ok()
            }
            Head::Bind(b, vars) => {
                let vars = self.var_list(vars)?;
                Some(self.script.arena.mk_binder(b, vars, &args))
            }
            Head::Annot(_) => {
                let sort = self.script.arena.sort(args[0]);
                Some(self.script.arena.mk(head, &args, sort))
            }
            Head::Match(cases) => {
                let old = self.script.arena.case_list(cases).to_vec();
                let mut new = Vec::new();
                for Case { constructor, vars } in old {
                    let constructor = match constructor {
                        None => None,
                        Some(c) if self.lost.contains_key(&c) => return None,
                        Some(c) => Some(self.fun(c)?),
                    };
                    new.push(Case { constructor, vars: self.var_list(vars)? });
                }
                let sort = self.sort(self.script.arena.sort(t))?;
                let cases = self.script.arena.cases(new);
                Some(self.script.arena.mk(Head::Match(cases), &args, sort))
            }
            Head::Op(op, idx) => {
                let indices = self.script.arena.indices(idx).to_vec();
                self.operator(t, op, indices, args)
            }
        }
    }

    fn operator(
        &mut self,
        t: Term,
        op: Op,
        mut indices: Vec<u32>,
        mut args: Vec<Term>,
    ) -> Option<Term> {
        let want = self.sort(self.script.arena.sort(t))?;
        let info = op.info();
        let width = |a: &Arena, s: Sort| {
            if let SortKind::BitVec(w) = a.sort_kind(s) { Some(*w) } else { None }
        };
        let given =
            args.first().and_then(|&x| width(&self.script.arena, self.script.arena.sort(x)));
        let wanted = width(&self.script.arena, want);
        match op {
            Op::Is | Op::Update => {
                let f = self.script.arena.fun_at(*indices.first()? as usize)?;
                indices[0] = self.fun(f)?.index() as u32;
            }
            // Their index is a function.
            Op::AsArray | Op::ArrayMap => {
                return (self.funs.is_empty() && !self.remakes)
                    .then(|| self.script.arena.with_args(t, &args));
            }
            Op::Extract => {
                let (given, wanted) = (given?, wanted?);
                let low = indices[1].min(given.checked_sub(wanted)?);
                indices = vec![low + wanted - 1, low];
            }
            Op::ZeroExtend | Op::SignExtend => indices = vec![wanted?.checked_sub(given?)?],
            Op::Repeat => indices = vec![wanted? / given?],
            Op::BitToBool => indices[0] = indices[0].min(given? - 1),
            Op::FpMake => {
                let SortKind::Float(e, m) = *self.script.arena.sort_kind(want) else { return None };
                args = self.float_parts(&args, e, m)?;
            }
            _ => match info.ret {
                P::FpI => {
                    let SortKind::Float(e, m) = *self.script.arena.sort_kind(want) else {
                        return None;
                    };
                    indices = vec![e, m];
                    if op == Op::ToFpBits {
                        args = vec![self.as_wide(args[0], e + m)?];
                    }
                }
                P::BvI => indices = vec![wanted?],
                P::Ascribed => return self.script.arena.app_as(op, &args, want).ok(),
                _ => {}
            },
        }
        self.script.arena.app(op, &indices, &args).ok()
    }

    /// A term of this width: it itself, or a literal cut to it.
    fn as_wide(&mut self, t: Term, width: u32) -> Option<Term> {
        let a = &mut self.script.arena;
        match (a.kind(t).clone(), a.head(t)) {
            (SortKind::BitVec(w), _) if w == width => Some(t),
            (SortKind::BitVec(_), Head::Lit(l)) => {
                let Literal::Bits { value, .. } = a.lit(l).clone() else { return None };
                Some(a.mk_literal(Literal::Bits { width, value: low(&value, width) }))
            }
            _ => None,
        }
    }

    /// The parts of a float in another format: the highest bits of the significand, and the exponent as near as it can be.
    fn float_parts(&mut self, parts: &[Term], e: u32, m: u32) -> Option<Vec<Term>> {
        let bits = |a: &Arena, t: Term| match (a.head(t), a.kind(t)) {
            (Head::Lit(l), SortKind::BitVec(w)) => match a.lit(l) {
                Literal::Bits { value, .. } => Some((*w, value.clone())),
                _ => None,
            },
            _ => None,
        };
        let a = &mut self.script.arena;
        let &[sign, exponent, significand] = parts else { return None };
        if (a.kind(exponent), a.kind(significand))
            == (&SortKind::BitVec(e), &SortKind::BitVec(m - 1))
        {
            return Some(parts.to_vec());
        }
        let ((ew, ev), (mw, mv)) = (bits(a, exponent)?, bits(a, significand)?);
        let ones = |w: u32| (UBig::ONE << w as usize) - UBig::ONE;
        let bias = |w: u32| ones(w.saturating_sub(1));
        let ev = if ev == UBig::ZERO {
            UBig::ZERO
        } else if ev == ones(ew) {
            ones(e)
        } else {
            let shifted = ev + bias(e);
            let value = if shifted > bias(ew) { shifted - bias(ew) } else { UBig::ONE };
            value.min(ones(e) - UBig::ONE).max(UBig::ONE)
        };
        let mv = if m > mw { mv << (m - 1 - mw) as usize } else { mv >> (mw - (m - 1)) as usize };
        let exponent = a.mk_literal(Literal::Bits { width: e, value: ev });
        let significand = a.mk_literal(Literal::Bits { width: m - 1, value: mv });
        Some(vec![sign, exponent, significand])
    }

    /// The witness, as far as its values can be taken over: bit-vectors are cut, other values of changed sorts are left open.
    fn witness(&self, s: &Subject, old: &Witness) -> Option<Witness> {
        let mut script = s.script.clone();
        let model = old.model(&mut script, s.check.unwrap_or(0))?;
        let mut changed: Vec<Fun> = Vec::new();
        let mut added = Vec::new();
        for c in &s.script.commands {
            let Command::DeclareFun(f) = c else { continue };
            let Some(&new) = self.funs.get(f).filter(|new| *new != f) else { continue };
            changed.push(*f);
            let d = self.script.arena.fun(new);
            if let (Some(Value::Bv(v)), SortKind::BitVec(w), true) =
                (model.value(*f), self.script.arena.sort_kind(d.ret), d.args.is_empty())
            {
                let cut =
                    smelt_eval::bv::Bv::from_big(*w, low(&v.to_big(), *w)).ok().map(Value::Bv);
                added.extend(cut.and_then(|v| Definition::of(&self.script.arena, new, &v, d.ret)));
            }
        }
        Some(old.without(&s.script.arena, &changed).with(added))
    }
}

/// The lowest bits of a number.
fn low(value: &UBig, width: u32) -> UBig {
    value % (UBig::ONE << width as usize)
}
