//! A residual with something unknown in it, as a script of its own.

use rustc_hash::{FxHashMap, FxHashSet};
use smelt_smtlib::arena::FunDecl;
use smelt_smtlib::sort::SortDeclKind;
use smelt_smtlib::subst::Substitution;
use smelt_smtlib::totalise::Partial;
use smelt_smtlib::{
    Arena, Binder, Command, Fun, FunKind, Head, Op, OpenFunction, Script, Sort, SortDecl, SortKind,
    Term, flat_commands, print_term, smallest_logic,
};

use super::Reason;
use super::fold::Fold;
use super::known::Known;
use crate::model::Model;
use crate::outcome::Limits;
use crate::value::Value;

/// Something unknown in a residual.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// The term in the residual: a symbol, or an open function at values.
    pub term: String,
    /// What it is.
    pub kind: UnknownKind,
}

/// What is unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnknownKind {
    /// The value of this operator or selector, where it is open.
    OpenValue(String),
    /// A symbol that the model does not mention, or a function at arguments that it does not mention.
    LeftOut,
    /// A value that the model does not give exactly.
    Inexact,
}

/// A residual that depends on something unknown.
pub struct OpenResidual {
    pub(super) script: Script,
    pub(super) known: Known,
    /// The model as it was given.
    pub(super) given: Model,
    /// The unknown symbols of the residual, with those of the totalised script and the model that they stand for.
    pub(super) symbols: Vec<(Fun, Fun)>,
    /// The constants of the residual for elements of free sorts.
    pub(super) elements: Vec<(Fun, Value)>,
    /// Values of unknown terms that may satisfy the residual.
    pub(super) own: Vec<(Term, Term)>,
    pub(super) limits: Limits,
    unknowns: Vec<Unknown>,
    standard: bool,
    remarked: bool,
}

impl OpenResidual {
    pub(super) fn new(
        mut fold: Fold,
        known: Known,
        given: &Model,
        terms: Vec<Term>,
        own: Vec<(Term, Term)>,
        limits: Limits,
    ) -> Result<OpenResidual, Reason> {
        let parts = fold.parts(&terms);
        let unknowns = parts.iter().filter(|&&t| fold.is_unknown(t)).copied().collect::<Vec<_>>();
        let unknowns = unknowns.iter().map(|&t| shown(&fold, &known, t)).collect();
        let mut writer = Writer { fold, known: &known, symbols: Vec::new(), elements: Vec::new() };
        let script = writer.script(terms, &parts)?;
        let Writer { symbols, elements, .. } = writer;
        let open = known.open.iter().filter(|o| symbols.iter().any(|(_, f)| *f == o.fun));
        let standard = open.clone().all(|o| o.standard);
        Ok(OpenResidual {
            script,
            given: given.clone(),
            symbols,
            elements,
            own,
            limits,
            unknowns,
            standard,
            remarked: given.is_remarked(),
            known,
        })
    }

    /// The residual as a script. It has a model exactly if the model can be completed.
    pub fn script(&self) -> &Script {
        &self.script
    }

    /// Whether all open values in it are left open by SMT-LIB theories. Operators of dialects have the meaning that their solver
    /// gives them.
    pub fn is_standard(&self) -> bool {
        self.standard
    }

    /// Whether it rests on lists of elements that stand in comments beside the model: then that it has no model refutes nothing.
    pub fn rests_on_remarks(&self) -> bool {
        self.remarked
    }

    /// What is unknown in it.
    pub fn unknowns(&self) -> &[Unknown] {
        &self.unknowns
    }

    /// The totalised script and the number of the check.
    pub fn totalised(&self) -> (&Script, usize) {
        (&self.known.total, self.known.check)
    }
}

fn shown(fold: &Fold, known: &Known, t: Term) -> Unknown {
    let a = &fold.a;
    let name = |f: Fun| a.name(a.fun(f).name).to_owned();
    let kind = match a.head(t) {
        Head::Fun(f) => match known.open.iter().find(|o| o.fun == f) {
            Some(OpenFunction { of: Partial::Op(op, _), .. }) => {
                UnknownKind::OpenValue(op.info().name.to_owned())
            }
            Some(OpenFunction { of: Partial::Selector(g), .. }) => UnknownKind::OpenValue(name(*g)),
            None if a.fun(f).kind == FunKind::Abstract || known.model.is_unknown(f) => {
                UnknownKind::Inexact
            }
            None => UnknownKind::LeftOut,
        },
        _ => UnknownKind::LeftOut,
    };
    Unknown { term: print_term(a, t), kind }
}

struct Writer<'k> {
    fold: Fold,
    known: &'k Known,
    symbols: Vec<(Fun, Fun)>,
    elements: Vec<(Fun, Value)>,
}

impl Writer<'_> {
    fn script(&mut self, terms: Vec<Term>, parts: &[Term]) -> Result<Script, Reason> {
        let mut renaming = Substitution::new();
        for &t in parts {
            let Head::Fun(f) = self.fold.a.head(t) else { continue };
            let d = self.fold.a.fun(f);
            if d.args.is_empty()
                && let Some(value @ Value::Uninterpreted { .. }) = self.fold.value(t)
            {
                let constant = self.element(value);
                renaming = renaming.constant(f, self.fold.a.mk_fun(constant));
            } else if self.fold.is_uninterpreted(f)
                && !self.symbols.iter().any(|(_, known)| *known == f)
            {
                let own = self.unknown(f)?;
                if own != f {
                    renaming = renaming.constant(f, self.fold.a.mk_fun(own));
                }
                self.symbols.push((own, f));
            }
        }
        let mut terms: Vec<Term> =
            terms.into_iter().map(|t| renaming.apply(&mut self.fold.a, t)).collect();
        let closed = self.closures(&terms);
        terms.extend(closed);
        terms.extend(self.distinctions());
        let mut commands = self.declarations(&terms);
        let symbols = self.elements.iter().map(|(f, _)| *f).chain(self.symbols.iter().map(|s| s.0));
        commands.extend(symbols.map(Command::DeclareFun));
        commands.extend(terms.into_iter().map(Command::Assert));
        commands.push(Command::CheckSat);
        let mut arena = self.fold.a.clone();
        hide_elements(&mut arena);
        let mut script = Script { arena, commands };
        let logic = smallest_logic(&script);
        let logic = script.arena.sym(logic);
        script.commands.insert(0, Command::SetLogic(logic));
        Ok(script)
    }

    /// The symbol of the residual for an unknown one.
    fn unknown(&mut self, f: Fun) -> Result<Fun, Reason> {
        let d = self.fold.a.fun(f);
        let (kind, ret) = (d.kind, d.ret);
        if d.args.iter().chain([&ret]).any(|&s| self.fold.is_function(s)) {
            return Err(Reason::FunctionValue);
        }
        // A value that was not read is no symbol that solvers know.
        Ok(if kind == FunKind::Abstract { self.constant("smelt!v", ret) } else { f })
    }

    /// A new constant.
    fn constant(&mut self, base: &str, ret: Sort) -> Fun {
        let a = &mut self.fold.a;
        let mut names = (0u64..).map(|n| format!("{base}{n}"));
        let name = names.find(|n| a.find_sym(n).is_none()).unwrap_or_default();
        let name = a.sym(&name);
        let (params, args, kind) = (Box::default(), Box::default(), FunKind::Free);
        a.declare_fun(FunDecl { name, params, args, ret, kind, def: None })
    }

    /// The constant for an element of a free sort.
    fn element(&mut self, value: Value) -> Fun {
        if let Some((f, _)) = self.elements.iter().find(|(_, v)| *v == value) {
            return *f;
        }
        let sort = match value {
            Value::Uninterpreted { sort, .. } => self.fold.a.sort_at(sort as usize),
            _ => None,
        };
        let f = self.constant("smelt!e", sort.unwrap_or(Sort::BOOL));
        self.elements.push((f, value));
        f
    }

    /// The elements of a free sort that the model lists are all there are: said of each term of the sort that may be another one,
    /// and of the whole sort where other terms may have such elements in them.
    fn closures(&mut self, terms: &[Term]) -> Vec<Term> {
        if self.fold.model.universes().is_empty() {
            return Vec::new();
        }
        let parts = self.unknown_parts(terms);
        let mut universes: Vec<(Sort, Vec<Value>)> =
            self.fold.model.universes().iter().map(|(s, all)| (*s, all.to_vec())).collect();
        universes.sort_unstable_by_key(|(s, _)| *s);
        let mut out = Vec::new();
        for (sort, all) in universes {
            let mut unknown = Vec::new();
            for &t in &parts {
                if self.holds(self.fold.a.sort(t), sort) {
                    unknown.push(t);
                }
            }
            if unknown.is_empty() {
                continue;
            }
            let all: Vec<Fun> = all.into_iter().map(|v| self.element(v)).collect();
            if unknown.iter().all(|&t| self.fold.a.sort(t) == sort) {
                out.extend(unknown.into_iter().map(|t| self.closure(t, &all)));
                continue;
            }
            let a = &mut self.fold.a;
            let name = a.sym("x");
            let v = a.new_var(name, sort);
            let (x, vars) = (a.mk_var(v), a.var_list(&[v]));
            let body = self.closure(x, &all);
            out.push(self.fold.a.mk_binder(Binder::Forall, vars, &[body]));
        }
        out
    }

    fn closure(&mut self, t: Term, all: &[Fun]) -> Term {
        let equal = |s: &mut Self, f: &Fun| {
            let e = s.fold.a.mk_fun(*f);
            s.fold.mk(Op::Eq, &[t, e], Sort::BOOL)
        };
        let all: Vec<Term> = all.iter().map(|f| equal(self, f)).collect();
        match *all {
            [one] => one,
            _ => self.fold.mk(Op::Or, &all, Sort::BOOL),
        }
    }

    /// The sub-terms that have unknown symbols in them.
    fn unknown_parts(&self, terms: &[Term]) -> Vec<Term> {
        let a = &self.fold.a;
        let symbols: FxHashSet<Fun> = self.symbols.iter().map(|s| s.0).collect();
        let mut unknown: FxHashSet<Term> = FxHashSet::default();
        let mut parts = a.dag(terms);
        // Children come before their parents.
        parts.retain(|&t| {
            let own = matches!(a.head(t), Head::Fun(f) if symbols.contains(&f));
            (own || a.args(t).iter().any(|x| unknown.contains(x))) && unknown.insert(t)
        });
        parts
    }

    /// Whether values of a sort may have values of another in them.
    fn holds(&self, sort: Sort, part: Sort) -> bool {
        let mut seen = FxHashSet::default();
        contained(&self.fold.a, sort, &mut seen);
        seen.contains(&part)
    }

    /// Elements of one sort differ.
    fn distinctions(&mut self) -> Vec<Term> {
        let mut sorts: FxHashMap<Sort, Vec<Term>> = FxHashMap::default();
        for (f, _) in &self.elements {
            let t = self.fold.a.mk_fun(*f);
            sorts.entry(self.fold.a.sort(t)).or_default().push(t);
        }
        let mut sorts: Vec<_> = sorts.into_iter().filter(|(_, all)| all.len() > 1).collect();
        sorts.sort_unstable_by_key(|(s, _)| *s);
        let distinct = |(_, all): (_, Vec<Term>)| self.fold.mk(Op::Distinct, &all, Sort::BOOL);
        sorts.into_iter().map(distinct).collect()
    }

    /// The declarations of the sorts that terms and symbols need.
    fn declarations(&mut self, terms: &[Term]) -> Vec<Command> {
        let a = &self.fold.a;
        let mut sorts = FxHashSet::default();
        for t in a.dag(terms) {
            contained(a, a.sort(t), &mut sorts);
            if let Head::Bind(_, vars) = a.head(t) {
                a.vars(vars).iter().for_each(|&v| contained(a, a.var(v).sort, &mut sorts));
            }
        }
        let symbols = self.symbols.iter().map(|s| s.0).chain(self.elements.iter().map(|e| e.0));
        for f in symbols {
            let d = a.fun(f);
            d.args.iter().chain([&d.ret]).for_each(|&s| contained(a, s, &mut sorts));
        }
        let needed: FxHashSet<SortDecl> = sorts
            .into_iter()
            .filter_map(|s| match a.sort_kind(s) {
                SortKind::Named(d, _) => Some(*d),
                _ => None,
            })
            .collect();
        let commands = flat_commands(&self.known.total, &self.known.query);
        let declares = |c: &Command| match c {
            Command::DeclareSort(d) => needed.contains(d),
            Command::DeclareDatatypes(all) => all.iter().any(|d| needed.contains(d)),
            _ => false,
        };
        commands.into_iter().filter(declares).collect()
    }
}

/// Declares names that the model gave to elements and to values that were not read once more: a model of the residual means others by
/// them.
fn hide_elements(a: &mut Arena) {
    for f in (0..a.fun_count()).filter_map(|i| a.fun_at(i)).collect::<Vec<_>>() {
        if a.fun(f).kind == FunKind::Abstract {
            let again = a.fun(f).clone();
            a.declare_fun(again);
        }
    }
}

/// Adds the sorts of all values that may be parts of a value of a sort, and the sort.
fn contained(a: &Arena, sort: Sort, seen: &mut FxHashSet<Sort>) {
    let mut stack = vec![sort];
    while let Some(s) = stack.pop() {
        if !seen.insert(s) {
            continue;
        }
        a.sort_kind(s).for_each_child(|c| stack.push(c));
        if let SortKind::Named(d, _) = a.sort_kind(s)
            && let SortDeclKind::Datatype { constructors, .. } = &a.sort_decl(*d).kind
        {
            stack.extend(constructors.iter().flat_map(|&c| a.fun(c).args.iter().copied()));
        }
    }
}
