//! Scripts and terms to text.
//!
//! The text is valid wherever the input was: symbols are quoted when needed, bound variables are renamed when they
//! would capture, conversions are explicit, and `let` comes back where sharing would blow up. Same input, same text.

mod atoms;
mod commands;
mod heads;
mod reprint;
mod splice;
mod terms;
mod texts;

use rustc_hash::{FxHashMap, FxHashSet};

pub(crate) use atoms::write_sort;
pub use atoms::{comment, write_literal, write_symbol};
pub use reprint::Reprinter;
use texts::Texts;

use crate::arena::{Arena, Attr, Fun, FunKind, Head, Sym, Term, Var, VarList};
use crate::op::Naming;
use crate::script::Script;
use crate::sort::Sort;
use crate::termset::TermSet;

/// Which `set-logic` to write.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum LogicChoice {
    /// As in the script.
    #[default]
    Keep,
    /// The smallest standard logic that holds the content.
    Smallest,
    /// The one that is given here.
    Given(String),
    /// None, whatever the script says: the solver decides by itself what it is given.
    Absent,
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
    /// In a term whose tree has up to this many nodes there are no lets.
    pub spelled: u64,
}

impl Default for PrintOptions {
    fn default() -> Self {
        Self {
            naming: Naming::Standard,
            logic: LogicChoice::Keep,
            strip_status: false,
            let_size: 12,
            // Most seeds share little: their text hardly grows, and one change of a term is one change of the text.
            spelled: 1000,
        }
    }
}

/// Up to this many nodes a term in which names are given is printed without lets.
const SPELLED_FOR_NAMES: u64 = 1 << 16;

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

/// The lets of one root term, by the scope in which they stand.
#[derive(Default)]
struct Sharing {
    /// Key: the first variable of the binder, or `None` for the root. Sorted by level, then id.
    at: FxHashMap<Option<Var>, Vec<(u32, Term)>>,
    /// For each term with shared ones below it, how many are above each other at most.
    levels: FxHashMap<Term, u32>,
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
    /// A term as the body of a scope, with its annotations outside of the lets of the scope.
    Body(Option<Var>, Term),
    /// `(name ` of a let binding.
    LetOpen(u32),
    /// From here on this term is written by its let name.
    Activate(Term, u32),
    /// The end of a scope.
    Unbind(Option<Var>),
    LeaveVars(VarList),
    /// ` :named f)`
    GiveName(Fun),
    /// The annotations of a term, after it: from which on, and the argument where their terms begin.
    Attrs(Term, usize, usize),
    /// One case of a match.
    Case(Term, usize),
}

struct Printer<'a> {
    a: &'a Arena,
    options: &'a PrintOptions,
    out: String,
    symbols: Symbols,
    var_names: FxHashMap<Var, String>,
    in_scope: FxHashSet<String>,
    /// The last number that was appended to a name: many binders may use one name.
    suffixes: FxHashMap<Sym, u32>,
    /// How often a variable was given another name.
    renamings: usize,
    let_names: FxHashMap<Term, u32>,
    let_count: u32,
    let_prefix: String,
    /// Names given by `:named` that are in scope: each is given once.
    named: FxHashSet<String>,
    /// The names of `named` in the order in which they were given; `named_levels` has how many there were at each `push`.
    named_list: Vec<String>,
    named_levels: Vec<usize>,
    global_declarations: bool,
    /// Whether a name that has not been given yet is given where it is used: lets may stand before the place where it
    /// was given in the source.
    name_on_use: bool,
    /// What variables were called outside of a binder with the same variable.
    shadowed: Vec<(Var, String)>,
    /// How many variables in scope are not called by their own name.
    renamed: usize,
    /// Texts of terms that were printed before.
    texts: Option<Box<Texts>>,
    work: Vec<Work>,
}

/// What the names of an arena's function symbols decide.
#[derive(Default)]
struct Symbols {
    /// Which names are those of function symbols.
    taken: Vec<bool>,
    /// Constructors that other datatypes have too, with the same fields: only `as` tells them apart.
    ambiguous: FxHashSet<Fun>,
    /// Names of several symbols.
    overloaded: FxHashSet<Sym>,
    /// A prefix that no name has, once it is needed.
    let_prefix: Option<String>,
}

impl Symbols {
    fn new(a: &Arena) -> Self {
        let mut taken = vec![false; a.sym_count()];
        let (mut ambiguous, mut overloaded) = (FxHashSet::default(), FxHashSet::default());
        let mut constructors: FxHashMap<(Sym, &[Sort]), Fun> = FxHashMap::default();
        for i in 0..a.fun_count() {
            let f = Fun(i as u32);
            let d = a.fun(f);
            if std::mem::replace(&mut taken[d.name.index()], true) {
                overloaded.insert(d.name);
            }
            if matches!(d.kind, FunKind::Constructor(..))
                && let Some(other) = constructors.insert((d.name, &d.args), f)
            {
                ambiguous.extend([f, other]);
            }
        }
        Self { taken, ambiguous, overloaded, let_prefix: None }
    }
}

impl<'a> Printer<'a> {
    fn new(a: &'a Arena, options: &'a PrintOptions) -> Self {
        Self::with(a, options, Symbols::new(a))
    }

    fn with(a: &'a Arena, options: &'a PrintOptions, symbols: Symbols) -> Self {
        Self {
            a,
            options,
            out: String::new(),
            symbols,
            var_names: FxHashMap::default(),
            in_scope: FxHashSet::default(),
            suffixes: FxHashMap::default(),
            renamings: 0,
            let_names: FxHashMap::default(),
            let_count: 0,
            let_prefix: String::new(),
            named: FxHashSet::default(),
            named_list: Vec::new(),
            named_levels: Vec::new(),
            global_declarations: false,
            name_on_use: false,
            shadowed: Vec::new(),
            renamed: 0,
            texts: None,
            work: Vec::new(),
        }
    }

    /// A prefix that no name of the arena has.
    fn choose_let_prefix(&mut self) {
        if let Some(known) = &self.symbols.let_prefix {
            self.let_prefix.clone_from(known);
            return;
        }
        let mut prefix = String::from("_let_");
        // None of the names that every arena has begins so.
        let own = Arena::builtin_syms()..self.a.sym_count();
        while own.clone().any(|i| self.a.name(Sym(i as u32)).starts_with(&prefix)) {
            prefix.insert(0, '_');
        }
        self.symbols.let_prefix = Some(prefix.clone());
        self.let_prefix = prefix;
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
            self.bind_name(v, name);
        }
    }

    fn bind_name(&mut self, v: Var, name: String) {
        self.in_scope.insert(name.clone());
        self.renamed += usize::from(self.is_renamed(v, &name));
        if let Some(outer) = self.var_names.insert(v, name) {
            self.shadowed.push((v, outer));
        }
    }

    fn is_renamed(&self, v: Var, name: &str) -> bool {
        self.a.name(self.a.var(v).name) != name
    }

    fn var_name(&mut self, s: Sym) -> String {
        let name = self.a.name(s);
        let free = |n: &str| {
            let taken = self.a.find_sym(n).is_some_and(|s| self.symbols.taken[s.index()]);
            !taken && !self.in_scope.contains(n)
        };
        if free(name) && self.a.ops_named(s).is_empty() && !name.starts_with(self.lets_as()) {
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
        self.renamings += 1;
        other
    }

    fn lets_as(&self) -> &str {
        if self.let_prefix.is_empty() { "_let_" } else { &self.let_prefix }
    }

    fn leave_vars(&mut self, l: VarList) {
        for v in self.a.vars(l).iter().rev() {
            if let Some(n) = self.var_names.remove(v) {
                self.renamed -= usize::from(self.is_renamed(*v, &n));
                self.in_scope.remove(&n);
            }
            if let Some((v, outer)) = self.shadowed.pop_if(|(w, _)| w == v) {
                self.var_names.insert(v, outer);
            }
        }
    }

    // ---- names given by `:named`

    fn name_is_given(&self, f: Fun) -> bool {
        self.named.contains(self.a.name(self.a.fun(f).name))
    }

    fn give_name(&mut self, f: Fun) {
        let name = self.a.name(self.a.fun(f).name);
        self.out.push_str(" :named ");
        write_symbol(name, &mut self.out);
        self.named.insert(name.to_owned());
        self.named_list.push(name.to_owned());
    }

    fn forget_names(&mut self, to: usize) {
        for name in self.named_list.drain(to..) {
            self.named.remove(&name);
        }
    }

    // ---- terms

    fn term(&mut self, t: Term) {
        self.scoped_term(VarList::EMPTY, t);
    }

    fn scoped_term(&mut self, params: VarList, t: Term) {
        let outer = self.a.vars(params).first().copied();
        if self.a.tree_size(t) <= self.options.spelled {
            self.run(&Sharing::default(), Work::Scope(None, t));
            return;
        }
        let (large, shared) = self.large(t);
        let known = self.texts.as_ref().and_then(|x| x.get(t)).filter(|k| k.simple);
        // In a term with a known text there is no name, and perhaps no binder.
        let nameless = known.is_some();
        let plain = params == VarList::EMPTY && known.is_some_and(|k| k.binds == 0);
        let shared = shared.filter(|_| nameless || !self.names_inside(&self.a.dag(&[t]), t));
        let Some(shared) = shared else {
            self.run(&Sharing::default(), Work::Scope(None, t));
            return;
        };
        let owners = if plain { Some(FxHashMap::default()) } else { owners(self.a, params, t) };
        let owners = match owners {
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
                let Printer { out, let_count, let_prefix, named, named_list, .. } = p;
                self.out.push_str(&out);
                self.let_count = let_count;
                self.let_prefix = let_prefix;
                self.named = named;
                self.named_list = named_list;
                return;
            }
        };
        let sharing = self.sharing(&owners, &large, &shared);
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
        self.run(&sharing, Work::Body(None, t));
    }

    /// Whether a term inside of this one is given a name. No name may be given below a binder, and cvc5 counts `let`
    /// among them, so such a term is printed without lets if it stays readable.
    fn names_inside(&self, dag: &[Term], root: Term) -> bool {
        let gives = |t: Term| match self.a.head(t) {
            Head::Annot(attrs) => {
                t != root && self.a.attr_list(attrs).iter().any(|x| matches!(x, Attr::Named(_)))
            }
            _ => false,
        };
        self.a.tree_size(root) <= SPELLED_FOR_NAMES && dag.iter().any(|&t| gives(t))
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
        self.named_list = from.named_list.clone();
        self.name_on_use = from.name_on_use;
        for (&v, &w) in from.a.vars(params).iter().zip(self.a.vars(params2)) {
            if let Some(n) = from.var_names.get(&v) {
                self.var_names.insert(w, n.clone());
            }
        }
    }

    /// The terms below a root that are worth a let, and the root, children first; and those of them that stand in more
    /// than one place, if there are any.
    fn large(&self, root: Term) -> (Vec<Term>, Option<TermSet>) {
        let mut once = TermSet::new(self.a);
        let mut twice = None;
        let mut out = vec![root];
        let mut next = 0;
        while let Some(&t) = out.get(next) {
            next += 1;
            for &c in self.a.args(t) {
                // Below a smaller one there is no larger one.
                if self.a.tree_size(c) < self.options.let_size {
                    continue;
                }
                if once.insert(c) {
                    out.push(c);
                } else {
                    twice.get_or_insert_with(|| TermSet::new(self.a)).insert(c);
                }
            }
        }
        out.sort_unstable();
        (out, twice)
    }

    fn sharing(
        &self,
        owners: &FxHashMap<Var, (Option<Var>, u32)>,
        large: &[Term],
        shared: &TermSet,
    ) -> Sharing {
        let mut out = Sharing::default();
        out.levels.reserve(large.len());
        for &t in large {
            let mut level = 0;
            for &c in self.a.args(t) {
                if self.a.tree_size(c) >= self.options.let_size {
                    let here = out.levels.get(&c).copied().unwrap_or(0);
                    level = level.max(here + u32::from(shared.contains(c)));
                }
            }
            if level > 0 {
                out.levels.insert(t, level);
            }
            if shared.contains(t) {
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
