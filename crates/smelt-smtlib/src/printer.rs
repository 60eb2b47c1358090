//! Scripts and terms to text.
//!
//! The text is valid wherever the input was: symbols are quoted when needed, bound variables are renamed when they
//! would capture, conversions are explicit, and `let` comes back where sharing would blow up. Same input, same text.

use std::fmt::Write;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::arena::{Arena, Attr, Fun, FunDecl, FunKind, Head, Idx, Sym, Term, Var, VarList};
use crate::lexer::is_simple_symbol;
use crate::literal::{Literal, write_string};
use crate::logic::smallest_logic;
use crate::op::{Naming, Op, P};
use crate::script::{Command, Script};
use crate::sort::{Sort, SortDecl, SortDeclKind, SortKind};

/// Which `set-logic` to write.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum LogicChoice {
    /// As in the script.
    #[default]
    Keep,
    /// The smallest standard logic that holds the content.
    Smallest,
    /// This one.
    Given(String),
}

/// How to print.
#[derive(Clone, Debug)]
pub struct PrintOptions {
    /// Names of operators.
    pub naming: Naming,
    /// The header.
    pub logic: LogicChoice,
    /// Leaves out `(set-info :status …)`: some solvers abort when their answer differs from it.
    pub strip_status: bool,
    /// A shared term whose tree has at least this many nodes is bound by `let`.
    pub let_size: u64,
}

impl Default for PrintOptions {
    fn default() -> Self {
        Self {
            naming: Naming::Standard,
            logic: LogicChoice::Keep,
            strip_status: false,
            let_size: 12,
        }
    }
}

/// The text of a script.
pub fn print(script: &Script, options: &PrintOptions) -> String {
    let mut p = Printer::new(&script.arena, options);
    p.script(script);
    p.out
}

/// The text of a term, on its own.
pub fn print_term(arena: &Arena, t: Term) -> String {
    let options = PrintOptions::default();
    let mut p = Printer::new(arena, &options);
    p.term(t);
    p.out
}

/// The text of a sort.
pub fn print_sort(arena: &Arena, s: Sort) -> String {
    let mut out = String::new();
    write_sort(arena, s, &mut out);
    out
}

const QUOTED_WORDS: [&str; 22] = [
    "BINARY",
    "DECIMAL",
    "HEXADECIMAL",
    "NUMERAL",
    "STRING",
    "assert",
    "check-sat",
    "check-sat-assuming",
    "declare-const",
    "declare-datatype",
    "declare-datatypes",
    "declare-fun",
    "declare-sort",
    "define-fun",
    "define-fun-rec",
    "define-sort",
    "echo",
    "exit",
    "pop",
    "push",
    "reset",
    "set-logic",
];

/// Writes a name, between bars if it needs them.
pub fn write_symbol(name: &str, out: &mut String) {
    let plain = is_simple_symbol(name)
        && !QUOTED_WORDS.contains(&name)
        && !crate::parser::RESERVED.contains(&name);
    if plain {
        out.push_str(name);
    } else {
        out.push('|');
        out.push_str(name);
        out.push('|');
    }
}

pub(crate) fn write_sort(a: &Arena, s: Sort, out: &mut String) {
    let list = |name: &str, parts: &[Sort], out: &mut String| {
        out.push('(');
        out.push_str(name);
        for &p in parts {
            out.push(' ');
            write_sort(a, p, out);
        }
        out.push(')');
    };
    match a.sort_kind(s) {
        SortKind::Bool => out.push_str("Bool"),
        SortKind::Int => out.push_str("Int"),
        SortKind::Real => out.push_str("Real"),
        SortKind::RoundingMode => out.push_str("RoundingMode"),
        SortKind::String => out.push_str("String"),
        SortKind::RegLan => out.push_str("RegLan"),
        SortKind::BitVec(w) => {
            let _ = write!(out, "(_ BitVec {w})");
        }
        SortKind::Float(e, m) => {
            let _ = write!(out, "(_ FloatingPoint {e} {m})");
        }
        SortKind::FiniteField(p) => {
            let _ = write!(out, "(_ FiniteField {p})");
        }
        SortKind::Array(i, e) => list("Array", &[*i, *e], out),
        SortKind::Seq(e) => list("Seq", &[*e], out),
        SortKind::Set(e) => list("Set", &[*e], out),
        SortKind::Bag(e) => list("Bag", &[*e], out),
        SortKind::Nullable(e) => list("Nullable", &[*e], out),
        SortKind::Tuple(parts) if parts.is_empty() => out.push_str("UnitTuple"),
        SortKind::Tuple(parts) => list("Tuple", parts, out),
        SortKind::Fun(args, ret) => {
            let all: Vec<Sort> = args.iter().copied().chain([*ret]).collect();
            list("->", &all, out);
        }
        SortKind::Named(d, args) => {
            let mut name = String::new();
            write_symbol(a.name(a.sort_decl(*d).name), &mut name);
            if args.is_empty() {
                out.push_str(&name);
            } else {
                list(&name, args, out);
            }
        }
        SortKind::Param(p) => write_symbol(a.name(*p), out),
    }
}

/// Writes a literal.
pub fn write_literal(l: &Literal, out: &mut String) {
    match l {
        Literal::Int(v) => {
            let _ = write!(out, "{v}");
        }
        Literal::Real { digits, scale } => {
            let text = digits.to_string();
            let scale = *scale as usize;
            if scale == 0 {
                out.push_str(&text);
                out.push_str(".0");
            } else if text.len() > scale {
                let (whole, fraction) = text.split_at(text.len() - scale);
                let _ = write!(out, "{whole}.{fraction}");
            } else {
                let _ = write!(out, "0.{text:0>scale$}");
            }
        }
        Literal::Bits { width, value } => {
            let w = *width as usize;
            if w > 256 {
                let _ = write!(out, "(_ bv{value} {w})");
            } else if w.is_multiple_of(4) {
                let digits = w / 4;
                let _ = write!(out, "#x{value:0>digits$x}");
            } else {
                let _ = write!(out, "#b{value:0>w$b}");
            }
        }
        Literal::Str(chars) => write_string(out, chars),
        Literal::Root { coefficients, index } => write_root(coefficients, *index, out),
        Literal::Field { order, value } => {
            let _ = write!(out, "(as ff{value} (_ FiniteField {order}))");
        }
    }
}

fn write_root(coefficients: &[dashu_int::IBig], index: u32, out: &mut String) {
    out.push_str("(root-obj (+");
    for (power, c) in coefficients.iter().enumerate().rev() {
        if c.is_zero() {
            continue;
        }
        let magnitude = dashu_int::ops::UnsignedAbs::unsigned_abs(c);
        let c = if c.sign() == dashu_int::Sign::Negative {
            format!("(- {magnitude})")
        } else {
            magnitude.to_string()
        };
        let _ = match power {
            0 => write!(out, " {c}"),
            1 => write!(out, " (* {c} x)"),
            _ => write!(out, " (* {c} (^ x {power}))"),
        };
    }
    let _ = write!(out, ") {index})");
}

/// The lets of one root term, by the scope in which they stand.
#[derive(Default)]
struct Sharing {
    /// Key: the first variable of the binder, or `None` for the root. Sorted by level, then id.
    at: FxHashMap<Option<Var>, Vec<(u32, Term)>>,
}

enum Work {
    Text(&'static str),
    Close(usize),
    /// A term, by its let name if it has one.
    Term(Term),
    /// A term, spelled out.
    Spell(Term),
    /// A term as the body of a scope: with the lets of the scope around it.
    Scope(Option<Var>, Term),
    /// `(name ` of a let binding.
    LetOpen(u32),
    /// From here on this term is written by its let name.
    Activate(Term, u32),
    /// The end of a scope.
    Unbind(Option<Var>),
    LeaveVars(VarList),
    /// The annotations of a term, after it.
    Attrs(Term),
    /// One case of a match.
    Case(Term, usize),
}

struct Printer<'a> {
    a: &'a Arena,
    options: &'a PrintOptions,
    out: String,
    /// Which names are those of function symbols.
    taken: Vec<bool>,
    var_names: FxHashMap<Var, String>,
    in_scope: FxHashSet<String>,
    /// The last number that was appended to a name: many binders may use one name.
    suffixes: FxHashMap<Sym, u32>,
    let_names: FxHashMap<Term, u32>,
    let_count: u32,
    let_prefix: String,
    /// Names given by `:named` so far: each is given once.
    named: FxHashSet<String>,
    work: Vec<Work>,
}

impl<'a> Printer<'a> {
    fn new(a: &'a Arena, options: &'a PrintOptions) -> Self {
        let mut taken = vec![false; a.sym_count()];
        for i in 0..a.fun_count() {
            taken[a.fun(Fun(i as u32)).name.index()] = true;
        }
        Self {
            a,
            options,
            out: String::new(),
            taken,
            var_names: FxHashMap::default(),
            in_scope: FxHashSet::default(),
            suffixes: FxHashMap::default(),
            let_names: FxHashMap::default(),
            let_count: 0,
            let_prefix: String::new(),
            named: FxHashSet::default(),
            work: Vec::new(),
        }
    }

    /// A prefix that no name of the arena has.
    fn choose_let_prefix(&mut self) {
        let mut prefix = String::from("_let_");
        while (0..self.a.sym_count()).any(|i| self.a.name(Sym(i as u32)).starts_with(&prefix)) {
            prefix.insert(0, '_');
        }
        self.let_prefix = prefix;
    }

    // ---- commands

    fn script(&mut self, script: &Script) {
        let logic = match &self.options.logic {
            LogicChoice::Keep => None,
            LogicChoice::Smallest => Some(smallest_logic(script).to_owned()),
            LogicChoice::Given(l) => Some(l.clone()),
        };
        if let Some(l) = &logic {
            self.out.push_str("(set-logic ");
            write_symbol(l, &mut self.out);
            self.out.push_str(")\n");
        }
        for c in &script.commands {
            match c {
                Command::SetLogic(_) if logic.is_some() => continue,
                Command::SetInfo(k, _) if self.options.strip_status && &**k == ":status" => {
                    continue;
                }
                _ => self.command(c),
            }
            self.out.push('\n');
        }
    }

    fn attribute(&mut self, command: &str, k: &str, v: &str) {
        let space = if v.is_empty() { "" } else { " " };
        let _ = write!(self.out, "({command} {k}{space}{v})");
    }

    fn with_term(&mut self, command: &str, t: Term, rest: &str) {
        let _ = write!(self.out, "({command} ");
        self.term(t);
        if !rest.is_empty() {
            self.out.push(' ');
            self.out.push_str(rest);
        }
        self.out.push(')');
    }

    fn with_terms(&mut self, command: &str, ts: &[Term]) {
        let _ = write!(self.out, "({command} (");
        for (i, &t) in ts.iter().enumerate() {
            if i > 0 {
                self.out.push(' ');
            }
            self.term(t);
        }
        self.out.push_str("))");
    }

    fn symbol(&mut self, s: Sym) {
        write_symbol(self.a.name(s), &mut self.out);
    }

    fn sort(&mut self, s: Sort) {
        write_sort(self.a, s, &mut self.out);
    }

    fn command(&mut self, c: &Command) {
        match c {
            Command::SetLogic(s) => {
                self.out.push_str("(set-logic ");
                self.symbol(*s);
                self.out.push(')');
            }
            Command::SetInfo(k, v) => self.attribute("set-info", k, v),
            Command::SetOption(k, v) => self.attribute("set-option", k, v),
            Command::DeclareSort(d) => {
                let info = self.a.sort_decl(*d);
                self.out.push_str("(declare-sort ");
                self.symbol(info.name);
                let _ = write!(self.out, " {})", info.params.len());
            }
            Command::DefineSort(name, params, body) => {
                self.out.push_str("(define-sort ");
                self.symbol(*name);
                self.out.push_str(" (");
                self.symbols(params);
                self.out.push_str(") ");
                self.sort(*body);
                self.out.push(')');
            }
            Command::DeclareFun(f) => {
                let d = self.a.fun(*f);
                self.out.push_str("(declare-fun ");
                self.symbol(d.name);
                self.out.push_str(" (");
                for (i, &s) in d.args.iter().enumerate() {
                    if i > 0 {
                        self.out.push(' ');
                    }
                    self.sort(s);
                }
                self.out.push_str(") ");
                self.sort(d.ret);
                self.out.push(')');
            }
            Command::DeclareDatatypes(ds) => self.datatypes(ds),
            Command::DefineFun(f) => self.define_fun(*f),
            Command::DefineFunsRec(fs) => self.define_funs_rec(fs),
            Command::Assert(t) => self.with_term("assert", *t, ""),
            Command::AssertSoft(t, rest) => self.with_term("assert-soft", *t, rest),
            Command::Minimize(t, rest) => self.with_term("minimize", *t, rest),
            Command::Maximize(t, rest) => self.with_term("maximize", *t, rest),
            Command::CheckSat => self.out.push_str("(check-sat)"),
            Command::CheckSatAssuming(ts) => self.with_terms("check-sat-assuming", ts),
            Command::CheckSatUsing(tactic) => {
                let _ = write!(self.out, "(check-sat-using {tactic})");
            }
            Command::Push(n) => {
                let _ = write!(self.out, "(push {n})");
            }
            Command::Pop(n) => {
                let _ = write!(self.out, "(pop {n})");
            }
            Command::Reset => self.out.push_str("(reset)"),
            Command::ResetAssertions => self.out.push_str("(reset-assertions)"),
            Command::GetValue(ts) => self.with_terms("get-value", ts),
            Command::Exit => self.out.push_str("(exit)"),
            Command::Other(text) => self.out.push_str(text),
        }
    }

    fn symbols(&mut self, list: &[Sym]) {
        for (i, &p) in list.iter().enumerate() {
            if i > 0 {
                self.out.push(' ');
            }
            self.symbol(p);
        }
    }

    fn datatypes(&mut self, ds: &[SortDecl]) {
        let co = ds.first().is_some_and(|&d| {
            matches!(self.a.sort_decl(d).kind, SortDeclKind::Datatype { co: true, .. })
        });
        self.out.push_str(if co { "(declare-codatatypes (" } else { "(declare-datatypes (" });
        for (i, &d) in ds.iter().enumerate() {
            if i > 0 {
                self.out.push(' ');
            }
            self.out.push('(');
            let info = self.a.sort_decl(d);
            self.symbol(info.name);
            let _ = write!(self.out, " {})", info.params.len());
        }
        self.out.push_str(") (");
        for (i, &d) in ds.iter().enumerate() {
            if i > 0 {
                self.out.push(' ');
            }
            let info = self.a.sort_decl(d);
            if !info.params.is_empty() {
                self.out.push_str("(par (");
                self.symbols(&info.params);
                self.out.push_str(") ");
            }
            self.out.push('(');
            if let SortDeclKind::Datatype { constructors, .. } = &info.kind {
                for (j, &c) in constructors.iter().enumerate() {
                    if j > 0 {
                        self.out.push(' ');
                    }
                    self.constructor(c);
                }
            }
            self.out.push(')');
            if !info.params.is_empty() {
                self.out.push(')');
            }
        }
        self.out.push_str("))");
    }

    fn constructor(&mut self, c: Fun) {
        let d = self.a.fun(c);
        self.out.push('(');
        self.symbol(d.name);
        // Selectors are declared right after their constructor, in order.
        for (i, &s) in d.args.iter().enumerate() {
            self.out.push_str(" (");
            let selector = Fun(c.0 + 1 + i as u32);
            self.symbol(self.a.fun(selector).name);
            self.out.push(' ');
            self.sort(s);
            self.out.push(')');
        }
        self.out.push(')');
    }

    fn define_fun(&mut self, f: Fun) {
        let d = self.a.fun(f);
        let Some((params, body)) = d.def else { return };
        let recursive = d.kind == FunKind::Recursive;
        self.out.push_str(if recursive { "(define-fun-rec " } else { "(define-fun " });
        self.signature(d, params);
        self.out.push(' ');
        self.scoped_term(params, body);
        self.leave_vars(params);
        self.out.push(')');
    }

    /// `f ((x S)) R`; the parameters stay in scope.
    fn signature(&mut self, d: &FunDecl, params: VarList) {
        self.symbol(d.name);
        self.out.push_str(" (");
        self.enter_vars(params);
        self.out.push_str(") ");
        self.sort(d.ret);
    }

    fn define_funs_rec(&mut self, fs: &[Fun]) {
        self.out.push_str("(define-funs-rec (");
        let defs: Vec<_> = fs.iter().filter_map(|&f| Some((f, self.a.fun(f).def?))).collect();
        let mut names = Vec::new();
        for (i, &(f, (params, _))) in defs.iter().enumerate() {
            self.out.push_str(if i > 0 { " (" } else { "(" });
            self.signature(self.a.fun(f), params);
            self.out.push(')');
            names.push(self.take_names(params));
        }
        self.out.push_str(") (");
        for (i, (&(_, (params, body)), names)) in defs.iter().zip(names).enumerate() {
            if i > 0 {
                self.out.push(' ');
            }
            for (&v, name) in self.a.vars(params).iter().zip(names) {
                self.in_scope.insert(name.clone());
                self.var_names.insert(v, name);
            }
            self.scoped_term(params, body);
            self.leave_vars(params);
        }
        self.out.push_str("))");
    }

    fn take_names(&mut self, l: VarList) -> Vec<String> {
        let names: Vec<String> =
            self.a.vars(l).iter().filter_map(|v| self.var_names.remove(v)).collect();
        for n in &names {
            self.in_scope.remove(n);
        }
        names
    }

    // ---- variables

    /// Chooses a name for each variable and writes `(x S) (y T)`.
    fn enter_vars(&mut self, l: VarList) {
        for (i, &v) in self.a.vars(l).iter().enumerate() {
            if i > 0 {
                self.out.push(' ');
            }
            let d = self.a.var(v);
            let name = self.var_name(d.name);
            self.out.push('(');
            write_symbol(&name, &mut self.out);
            self.out.push(' ');
            self.sort(d.sort);
            self.out.push(')');
            self.in_scope.insert(name.clone());
            self.var_names.insert(v, name);
        }
    }

    fn var_name(&mut self, s: Sym) -> String {
        let name = self.a.name(s);
        let free = |n: &str| {
            let taken = self.a.find_sym(n).is_some_and(|s| self.taken[s.index()]);
            !taken && !self.in_scope.contains(n)
        };
        if free(name) && self.a.ops_named(s).is_empty() && !name.starts_with(&self.lets_as()) {
            return name.to_owned();
        }
        let mut n = self.suffixes.get(&s).copied().unwrap_or(0);
        let other = loop {
            n += 1;
            let other = format!("{name}!{n}");
            if free(&other) && self.a.find_sym(&other).is_none() {
                break other;
            }
        };
        self.suffixes.insert(s, n);
        other
    }

    fn lets_as(&self) -> String {
        if self.let_prefix.is_empty() { "_let_".into() } else { self.let_prefix.clone() }
    }

    fn leave_vars(&mut self, l: VarList) {
        for v in self.a.vars(l) {
            if let Some(n) = self.var_names.remove(v) {
                self.in_scope.remove(&n);
            }
        }
    }

    // ---- terms

    fn term(&mut self, t: Term) {
        self.scoped_term(VarList::EMPTY, t);
    }

    fn scoped_term(&mut self, params: VarList, t: Term) {
        let outer = self.a.vars(params).first().copied();
        if self.a.tree_size(t) <= self.options.let_size.saturating_mul(4) {
            self.run(&Sharing::default(), Work::Scope(None, t));
            return;
        }
        let owners = match owners(self.a, params, t) {
            Some(o) => o,
            None => {
                // Two binders with the same variables: print a copy in which every binder has its own.
                let mut copy = Arena::new();
                let mut importer = crate::import::Importer::new();
                let params2 = importer.vars(self.a, &mut copy, params);
                let t2 = importer.term(self.a, &mut copy, t);
                let mut p = Printer::new(&copy, self.options);
                p.copy_state(self, params, params2);
                p.scoped_term(params2, t2);
                let Printer { out, let_count, let_prefix, named, .. } = p;
                self.out.push_str(&out);
                self.let_count = let_count;
                self.let_prefix = let_prefix;
                self.named = named;
                return;
            }
        };
        let sharing = self.sharing(&owners, t);
        if !sharing.at.is_empty() && self.let_prefix.is_empty() {
            self.choose_let_prefix();
        }
        let mut sharing = sharing;
        if outer.is_some()
            && let Some(inner) = sharing.at.remove(&outer)
        {
            // The parameters are in scope at the root already.
            let list = sharing.at.entry(None).or_default();
            list.extend(inner);
            list.sort_unstable_by_key(|&(level, t)| (level, t));
        }
        self.run(&sharing, Work::Scope(None, t));
    }

    /// Takes over names in scope from the printer of the original arena.
    fn copy_state(&mut self, from: &Printer<'_>, params: VarList, params2: VarList) {
        self.in_scope = from.in_scope.clone();
        self.let_count = from.let_count;
        self.let_prefix = if from.let_prefix.is_empty() {
            let mut other = Printer::new(from.a, from.options);
            other.choose_let_prefix();
            other.let_prefix
        } else {
            from.let_prefix.clone()
        };
        self.named = from.named.clone();
        for (&v, &w) in from.a.vars(params).iter().zip(self.a.vars(params2)) {
            if let Some(n) = from.var_names.get(&v) {
                self.var_names.insert(w, n.clone());
            }
        }
    }

    fn sharing(&self, owners: &FxHashMap<Var, (Option<Var>, u32)>, root: Term) -> Sharing {
        let dag = self.a.dag(&[root]);
        let mut uses: FxHashMap<Term, u32> = FxHashMap::default();
        for &t in &dag {
            for &c in self.a.args(t) {
                if self.a.tree_size(c) >= self.options.let_size {
                    *uses.entry(c).or_default() += 1;
                }
            }
        }
        let mut levels: FxHashMap<Term, u32> = FxHashMap::default();
        let mut out = Sharing::default();
        for &t in &dag {
            let mut level = 0;
            for c in self.a.args(t) {
                let shared = uses.get(c).is_some_and(|&n| n > 1);
                level = level.max(levels.get(c).copied().unwrap_or(0) + u32::from(shared));
            }
            if level > 0 {
                levels.insert(t, level);
            }
            if uses.get(&t).is_some_and(|&n| n > 1) {
                let innermost = self.a.free_vars(t).iter().filter_map(|v| owners.get(v));
                let scope = innermost.min_by_key(|(_, height)| *height).and_then(|(o, _)| *o);
                out.at.entry(scope).or_default().push((level, t));
            }
        }
        for list in out.at.values_mut() {
            list.sort_unstable_by_key(|&(level, t)| (level, t));
        }
        out
    }

    fn run(&mut self, sharing: &Sharing, first: Work) {
        let mut work = std::mem::take(&mut self.work);
        work.push(first);
        while let Some(w) = work.pop() {
            match w {
                Work::Text(s) => self.out.push_str(s),
                Work::Close(n) => self.out.extend(std::iter::repeat_n(')', n)),
                Work::Term(t) => match self.let_names.get(&t) {
                    Some(n) => {
                        let _ = write!(self.out, "{}{n}", self.let_prefix);
                    }
                    None => self.spell(t, &mut work),
                },
                Work::Spell(t) => self.spell(t, &mut work),
                Work::LetOpen(n) => {
                    let _ = write!(self.out, "({}{n} ", self.let_prefix);
                }
                Work::Activate(t, n) => {
                    self.let_names.insert(t, n);
                }
                Work::Scope(scope, t) => self.scope(sharing, scope, t, &mut work),
                Work::Unbind(scope) => {
                    for (_, t) in sharing.at.get(&scope).map_or(&[][..], |l| l) {
                        self.let_names.remove(t);
                    }
                }
                Work::LeaveVars(l) => self.leave_vars(l),
                Work::Attrs(t) => self.attrs(t, &mut work),
                Work::Case(t, i) => self.case(t, i, &mut work),
            }
        }
        self.work = work;
    }

    /// `(let (…) (let (…) body))` with one let per level, so that lets do not nest deeply.
    fn scope(&mut self, sharing: &Sharing, scope: Option<Var>, t: Term, work: &mut Vec<Work>) {
        let Some(list) = sharing.at.get(&scope) else {
            work.push(Work::Term(t));
            return;
        };
        let first = self.let_count + 1;
        self.let_count += list.len() as u32;
        let groups: Vec<&[(u32, Term)]> = list.chunk_by(|a, b| a.0 == b.0).collect();
        work.push(Work::Unbind(scope));
        work.push(Work::Close(groups.len()));
        work.push(Work::Term(t));
        let mut end = list.len() as u32;
        for group in groups.iter().rev() {
            let start = end - group.len() as u32;
            for (i, &(_, t)) in group.iter().enumerate() {
                work.push(Work::Activate(t, first + start + i as u32));
            }
            work.push(Work::Text(") "));
            for (i, &(_, t)) in group.iter().enumerate().rev() {
                work.push(Work::Text(if i + 1 < group.len() { ") " } else { ")" }));
                work.push(Work::Spell(t));
                work.push(Work::LetOpen(first + start + i as u32));
            }
            work.push(Work::Text("(let ("));
            end = start;
        }
    }

    fn push_args(args: &[Term], work: &mut Vec<Work>) {
        for &t in args.iter().rev() {
            work.push(Work::Term(t));
            work.push(Work::Text(" "));
        }
    }

    fn spell(&mut self, t: Term, work: &mut Vec<Work>) {
        let a = self.a;
        let args = a.args(t);
        match a.head(t) {
            Head::Lit(l) => write_literal(a.lit(l), &mut self.out),
            Head::Var(v) => match self.var_names.get(&v) {
                Some(n) => write_symbol(n, &mut self.out),
                // Only a term printed without its binder has such a variable.
                None => write_symbol(a.name(a.var(v).name), &mut self.out),
            },
            Head::Op(Op::Apply, _) if matches!(a.head(args[0]), Head::Fun(_) | Head::Var(_)) => {
                // `(@ f x)` of a symbol is written `(f x)`, which z3 and cvc5 both read.
                self.out.push('(');
                work.push(Work::Text(")"));
                Self::push_args(&args[1..], work);
                work.push(Work::Term(args[0]));
            }
            Head::Op(op, idx) => {
                if args.is_empty() {
                    self.op_name(t, op, idx);
                    return;
                }
                self.out.push('(');
                self.op_name(t, op, idx);
                work.push(Work::Text(")"));
                Self::push_args(args, work);
            }
            Head::Fun(f) => {
                if args.is_empty() {
                    self.fun_name(t, f);
                    return;
                }
                self.out.push('(');
                self.fun_name(t, f);
                work.push(Work::Text(")"));
                Self::push_args(args, work);
            }
            Head::Bind(binder, vars) => {
                let _ = write!(self.out, "({} (", binder.name());
                self.enter_vars(vars);
                self.out.push_str(") ");
                work.push(Work::LeaveVars(vars));
                work.push(Work::Text(")"));
                let scope = a.vars(vars).first().copied();
                if let [body] = *args {
                    self.body(scope, body, work);
                } else {
                    Self::push_args(&args[1..], work);
                    work.push(Work::Scope(None.or(scope), args[0]));
                }
            }
            Head::Match(_) => {
                self.out.push_str("(match ");
                work.push(Work::Text("))"));
                for i in (1..args.len()).rev() {
                    work.push(Work::Case(t, i));
                    if i > 1 {
                        work.push(Work::Text(" "));
                    }
                }
                work.push(Work::Text(" ("));
                work.push(Work::Term(args[0]));
            }
            Head::Annot(attrs) => {
                if let [Attr::Named(f)] = a.attr_list(attrs) {
                    let name = a.name(a.fun(*f).name);
                    if self.named.contains(name) {
                        write_symbol(name, &mut self.out);
                        return;
                    }
                }
                self.out.push_str("(! ");
                work.push(Work::Attrs(t));
                work.push(Work::Term(args[0]));
            }
        }
    }

    /// The body of a binder. Patterns must stand directly under the quantifier, so lets go inside the annotation.
    fn body(&mut self, scope: Option<Var>, body: Term, work: &mut Vec<Work>) {
        if let Head::Annot(_) = self.a.head(body)
            && !self.let_names.contains_key(&body)
        {
            self.out.push_str("(! ");
            work.push(Work::Attrs(body));
            work.push(Work::Scope(scope, self.a.args(body)[0]));
        } else {
            work.push(Work::Scope(scope, body));
        }
    }

    fn attrs(&mut self, t: Term, work: &mut Vec<Work>) {
        let a = self.a;
        let Head::Annot(attrs) = a.head(t) else { return };
        let mut terms = a.args(t)[1..].iter().copied();
        let mut later: Vec<Work> = Vec::new();
        for attr in a.attr_list(attrs) {
            match attr {
                Attr::Named(f) => {
                    let name = a.name(a.fun(*f).name);
                    self.out.push_str(" :named ");
                    write_symbol(name, &mut self.out);
                    self.named.insert(name.to_owned());
                }
                Attr::Other(text) => {
                    self.out.push(' ');
                    self.out.push_str(text);
                }
                Attr::NoPattern => {
                    later.push(Work::Text(" :no-pattern "));
                    later.extend(terms.next().map(Work::Term));
                }
                Attr::Pattern(n) => {
                    later.push(Work::Text(" :pattern ("));
                    for i in 0..*n {
                        if i > 0 {
                            later.push(Work::Text(" "));
                        }
                        later.extend(terms.next().map(Work::Term));
                    }
                    later.push(Work::Text(")"));
                }
            }
        }
        later.push(Work::Text(")"));
        work.extend(later.into_iter().rev());
    }

    fn case(&mut self, t: Term, i: usize, work: &mut Vec<Work>) {
        let a = self.a;
        let Head::Match(cases) = a.head(t) else { return };
        let case = &a.case_list(cases)[i - 1];
        let vars = a.vars(case.vars);
        self.out.push('(');
        if let Some(c) = case.constructor {
            if !vars.is_empty() {
                self.out.push('(');
            }
            self.symbol(a.fun(c).name);
        }
        for &v in vars {
            let name = self.var_name(a.var(v).name);
            if case.constructor.is_some() {
                self.out.push(' ');
            }
            write_symbol(&name, &mut self.out);
            self.in_scope.insert(name.clone());
            self.var_names.insert(v, name);
        }
        if case.constructor.is_some() && !vars.is_empty() {
            self.out.push(')');
        }
        self.out.push(' ');
        work.push(Work::LeaveVars(case.vars));
        work.push(Work::Text(")"));
        let scope = vars.first().copied();
        match scope {
            Some(_) => work.push(Work::Scope(scope, a.args(t)[i])),
            None => work.push(Work::Term(a.args(t)[i])),
        }
    }

    // ---- heads

    fn fun_name(&mut self, t: Term, f: Fun) {
        let a = self.a;
        let d = a.fun(f);
        let name = a.name(d.name);
        if d.kind == FunKind::External && name.starts_with("(_ ") {
            self.out.push_str(name);
            return;
        }
        let needs_sort = d.kind == FunKind::Abstract
            || (!d.params.is_empty() && matches!(d.kind, FunKind::Constructor(..)) && {
                let mut map = Vec::new();
                for (&p, &x) in d.args.iter().zip(a.args(t)) {
                    a.match_sort(p, a.sort(x), &mut map);
                }
                d.params.iter().any(|p| map.iter().all(|(q, _)| q != p))
            });
        if !needs_sort {
            write_symbol(name, &mut self.out);
            return;
        }
        self.out.push_str("(as ");
        write_symbol(name, &mut self.out);
        self.out.push(' ');
        self.sort(a.sort(t));
        self.out.push(')');
    }

    fn op_name(&mut self, t: Term, op: Op, idx: Idx) {
        let info = op.info();
        let name = info.name_in(self.options.naming);
        if info.ret == P::Ascribed {
            self.out.push_str("(as ");
            self.out.push_str(name);
            self.out.push(' ');
            self.sort(self.a.sort(t));
            self.out.push(')');
            return;
        }
        let indices = self.a.indices(idx);
        if indices.is_empty() {
            self.out.push_str(name);
            return;
        }
        let _ = write!(self.out, "(_ {name}");
        let symbol = |p: &mut Self, f: u32| {
            p.out.push(' ');
            p.symbol(p.a.fun(Fun(f)).name);
        };
        match (op, indices) {
            (Op::Divisible, &[l]) => {
                self.out.push(' ');
                write_literal(self.a.lit_at(l), &mut self.out);
            }
            (Op::Is | Op::Update | Op::AsArray, &[f]) => symbol(self, f),
            (Op::ArrayMap, &[f, 0]) => symbol(self, f),
            (Op::ArrayMap, &[o, _]) => {
                let inner = Op::all().nth(o as usize).map_or("", |o| o.info().name);
                let _ = write!(self.out, " {inner}");
            }
            _ => {
                for i in indices {
                    let _ = write!(self.out, " {i}");
                }
            }
        }
        self.out.push(')');
    }
}

/// For each bound variable its scope (the first variable of its binder) and the height of the binder; `None` if two
/// binders share a variable.
fn owners(a: &Arena, params: VarList, root: Term) -> Option<FxHashMap<Var, (Option<Var>, u32)>> {
    let mut out = FxHashMap::default();
    let mut add = |list: VarList, height: u32| {
        let vars = a.vars(list);
        let first = vars.first().copied();
        vars.iter().all(|&v| out.insert(v, (first, height)).is_none())
    };
    if !add(params, u32::MAX) {
        return None;
    }
    for t in a.dag(&[root]) {
        let fine = match a.head(t) {
            Head::Bind(_, list) => add(list, a.depth(t)),
            Head::Match(cases) => a.case_list(cases).iter().all(|c| add(c.vars, a.depth(t))),
            _ => true,
        };
        if !fine {
            return None;
        }
    }
    Some(out)
}
