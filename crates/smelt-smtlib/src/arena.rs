//! Terms: hash-consed nodes with the sort, depth, tree size and free variables at each node.
//!
//! An arena is either a root or an overlay on a frozen one. Ids of the frozen part are valid in each of its overlays.
//! An overlay can be marked and rolled back, so that a long chain of mutations does not grow.

mod build;

use std::sync::{Arc, LazyLock};

use build::hash_node;

use crate::currying::Currying;
use crate::index::Index;
use crate::layered::{Interner, Layered};
use crate::literal::Literal;
use crate::names::Names;
use crate::op::Op;
use crate::sort::{MAX_SORT_DEPTH, MAX_SORT_SIZE, Sort, SortDecl, SortDeclInfo, SortKind};
use crate::termset::TermSet;

/// A term of an arena.
#[derive(Clone, Copy)]
pub struct Term {
    id: u32,
    /// The arena that made it: debug builds refuse a term of a foreign arena.
    #[cfg(debug_assertions)]
    stamp: u32,
}

impl PartialEq for Term {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}
impl Eq for Term {}
impl PartialOrd for Term {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Term {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.id.cmp(&other.id)
    }
}
impl std::hash::Hash for Term {
    fn hash<H: std::hash::Hasher>(&self, h: &mut H) {
        self.id.hash(h);
    }
}

impl Term {
    /// The id as an index for side tables: children have smaller ones than their parents.
    #[inline]
    pub fn index(self) -> usize {
        self.id as usize
    }
}

impl std::fmt::Debug for Term {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#{}", self.id)
    }
}

macro_rules! ids {
    ($($(#[$m:meta])* $name:ident;)*) => {$(
        $(#[$m])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub(crate) u32);
        impl $name {
            /// The id as an index for side tables.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// An interned name.
    Sym;
    /// A declared or defined function symbol (constants included).
    Fun;
    /// A bound variable; every binder has its own.
    Var;
    /// An interned literal.
    Lit;
    /// An interned list of indices.
    Idx;
    /// An interned list of variables: those of a binder in order, or a sorted set.
    VarList;
    /// An interned list of annotations.
    Attrs;
    /// An interned list of `match` cases.
    Cases;
}

impl Idx {
    /// No index.
    pub const NONE: Self = Self(0);
}

impl VarList {
    /// No variable.
    pub const EMPTY: Self = Self(0);
}

/// What binds variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Binder {
    /// `forall`
    Forall,
    /// `exists`
    Exists,
    /// `lambda`
    Lambda,
    /// cvc5's `choice` (older: `witness`): some value that satisfies the body.
    Choice,
    /// cvc5's `(set.comprehension (vars) condition element)`.
    SetComprehension,
}

impl Binder {
    /// The keyword.
    pub fn name(self) -> &'static str {
        match self {
            Self::Forall => "forall",
            Self::Exists => "exists",
            Self::Lambda => "lambda",
            Self::Choice => "choice",
            Self::SetComprehension => "set.comprehension",
        }
    }
}

/// What is at the top of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Head {
    /// A built-in operator, applied to the arguments.
    Op(Op, Idx),
    /// A function symbol: applied, or (no arguments, function sort) itself.
    Fun(Fun),
    /// A bound variable.
    Var(Var),
    /// A literal.
    Lit(Lit),
    /// A binder; its arguments are the body (and the element of a comprehension).
    Bind(Binder, VarList),
    /// `match`: the arguments are the term and then one body per case.
    Match(Cases),
    /// `(! t …)`: the arguments are the term and then the terms of all patterns.
    Annot(Attrs),
}

#[derive(Clone, Copy)]
struct Node {
    head: Head,
    sort: Sort,
    args: u32,
    arity: u32,
    depth: u32,
    free: VarList,
    tree_size: u64,
}

impl Node {
    #[inline(always)]
    fn is(&self, pool: &Layered<Term>, head: Head, args: &[Term], sort: Sort) -> bool {
        self.head == head
            && self.sort == sort
            && self.arity as usize == args.len()
            && pool.slice(self.args as usize, args.len()) == args
    }
}

/// How a function symbol came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FunKind {
    /// Declared.
    Free,
    /// `define-fun` or `define-const`.
    Defined,
    /// `define-fun-rec` or `define-funs-rec`.
    Recursive,
    /// A constructor: the datatype and its position there.
    Constructor(SortDecl, u32),
    /// A selector: its constructor and the position there.
    Selector(Fun, u32),
    /// A name given by `:named`.
    Named,
    /// A value of a free sort in a model (`@a1`, `T!val!0`).
    Abstract,
    /// An operator from a user's file; its name may be `(_ f 1)`.
    External,
}

/// A function symbol.
#[derive(Clone, Debug)]
pub struct FunDecl {
    /// Name.
    pub name: Sym,
    /// Sort parameters that occur in the sorts (of constructors, selectors, external operators).
    pub params: Box<[Sym]>,
    /// Argument sorts.
    pub args: Box<[Sort]>,
    /// Result sort.
    pub ret: Sort,
    /// Origin.
    pub kind: FunKind,
    /// Formal parameters and body, if it is defined.
    pub def: Option<(VarList, Term)>,
}

impl FunDecl {
    /// The kind without its ids, for comparing across arenas.
    pub(crate) fn kind_name(&self) -> u8 {
        match self.kind {
            FunKind::Free => 0,
            FunKind::Defined => 1,
            FunKind::Recursive => 2,
            FunKind::Constructor(..) => 3,
            FunKind::Selector(..) => 4,
            FunKind::Named => 5,
            FunKind::Abstract => 6,
            FunKind::External => 7,
        }
    }
}

/// A bound variable.
#[derive(Clone, Copy, Debug)]
pub struct VarDecl {
    /// The name in the source; printing may choose another.
    pub name: Sym,
    /// Sort.
    pub sort: Sort,
}

/// One annotation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Attr {
    /// `:named`
    Named(Fun),
    /// `:pattern` with so many terms.
    Pattern(u32),
    /// `:no-pattern` (one term).
    NoPattern,
    /// Any other, as text.
    Other(Box<str>),
}

/// One case of a `match`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Case {
    /// The constructor; `None` for a variable pattern.
    pub constructor: Option<Fun>,
    /// Variables that the pattern binds.
    pub vars: VarList,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct SortInfo {
    depth: u32,
    /// Nodes of the tree behind it; saturates.
    size: u32,
    has_params: bool,
}

/// The store of all terms, sorts, names and declarations of a script.
#[derive(Clone)]
pub struct Arena {
    names: Names,
    sorts: Interner<SortKind>,
    sort_info: Layered<SortInfo>,
    sort_decls: Layered<SortDeclInfo>,
    literals: Interner<Literal>,
    indices: Interner<Box<[u32]>>,
    var_lists: Interner<Box<[Var]>>,
    attrs: Interner<Box<[Attr]>>,
    cases: Interner<Box<[Case]>>,
    vars: Layered<VarDecl>,
    funs: Layered<FunDecl>,
    nodes: Layered<Node>,
    args: Layered<Term>,
    index: Index,
    currying: Currying,
    #[cfg(debug_assertions)]
    stamp: u32,
    /// Stamps of the layers below, the nearest last.
    #[cfg(debug_assertions)]
    below: Vec<u32>,
}

/// A state of an arena to return to.
#[derive(Clone, Copy, Debug)]
pub struct Mark([usize; 13]);

impl Mark {
    /// How many sorts there were.
    pub(crate) fn sorts(self) -> usize {
        self.0[1]
    }
}

/// The lowest layer of every arena: making an arena is then a few counter increments.
static PRELUDE: LazyLock<Arena> = LazyLock::new(Arena::prelude);

/// For each name of the prelude, the operators that it can mean.
static BUILTIN: LazyLock<Vec<&'static [Op]>> = LazyLock::new(|| {
    (0..PRELUDE.sym_count()).map(|i| Op::by_name(PRELUDE.name(Sym(i as u32)))).collect()
});

#[cfg(debug_assertions)]
fn next_stamp() -> u32 {
    use std::sync::atomic::{AtomicU32, Ordering};
    static NEXT: AtomicU32 = AtomicU32::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl Default for Arena {
    fn default() -> Self {
        Self::new()
    }
}

impl Arena {
    /// An empty arena.
    pub fn new() -> Self {
        Self::overlay(&PRELUDE)
    }

    /// The names that every arena has come first: those of the language, of its commands and sorts, and of operators.
    pub(crate) fn builtin_syms() -> usize {
        BUILTIN.len()
    }

    /// For each of these names, the operators that it can mean.
    pub(crate) fn builtin_ops() -> &'static [&'static [Op]] {
        &BUILTIN
    }

    /// What every arena has: the basic sorts and the names of the language.
    fn prelude() -> Self {
        let mut a = Self {
            names: Names::default(),
            sorts: Interner::default(),
            sort_info: Layered::default(),
            sort_decls: Layered::default(),
            literals: Interner::default(),
            indices: Interner::default(),
            var_lists: Interner::default(),
            attrs: Interner::default(),
            cases: Interner::default(),
            vars: Layered::default(),
            funs: Layered::default(),
            nodes: Layered::default(),
            args: Layered::default(),
            index: Index::default(),
            currying: Currying::default(),
            #[cfg(debug_assertions)]
            stamp: next_stamp(),
            #[cfg(debug_assertions)]
            below: Vec::new(),
        };
        use SortKind::{Bool, Int, Real, RegLan, RoundingMode, String};
        for kind in [Bool, Int, Real, RoundingMode, String, RegLan] {
            a.mk_sort(kind);
        }
        for word in crate::parser::fixed_names() {
            a.sym(word);
        }
        for info in crate::op::OPS {
            a.sym(info.name);
            for (alias, _) in info.aliases {
                a.sym(alias);
            }
        }
        a.indices.intern(Box::default());
        a.var_lists.intern(Box::default());
        Arc::unwrap_or_clone(a.freeze())
    }

    /// Makes room for the terms of a text of so many bytes.
    pub(crate) fn reserve(&mut self, bytes: usize) {
        // For a short text as much as it is likely to need: growing costs more than the room. For a long one half of
        // that, so that little is wasted on comments and long names.
        let terms = (bytes / 12).min(256 + bytes / 24);
        self.nodes.reserve(terms);
        self.args.reserve(terms);
        self.names.reserve(8 + bytes / 64, 32 + bytes / 16);
        self.index.reserve(terms);
    }

    /// Makes the arena a shared base for overlays.
    #[must_use]
    pub fn freeze(mut self) -> Arc<Self> {
        self.names.freeze();
        self.sorts.freeze();
        self.sort_info.freeze();
        self.sort_decls.freeze();
        self.literals.freeze();
        self.indices.freeze();
        self.var_lists.freeze();
        self.attrs.freeze();
        self.cases.freeze();
        self.vars.freeze();
        self.funs.freeze();
        self.nodes.freeze();
        self.args.freeze();
        self.index.freeze();
        Arc::new(self)
    }

    /// A new arena on top of a frozen one.
    #[must_use]
    pub fn overlay(base: &Self) -> Self {
        Self {
            names: base.names.overlay(),
            sorts: base.sorts.overlay(),
            sort_info: base.sort_info.overlay(),
            sort_decls: base.sort_decls.overlay(),
            literals: base.literals.overlay(),
            indices: base.indices.overlay(),
            var_lists: base.var_lists.overlay(),
            attrs: base.attrs.overlay(),
            cases: base.cases.overlay(),
            vars: base.vars.overlay(),
            funs: base.funs.overlay(),
            nodes: base.nodes.overlay(),
            args: base.args.overlay(),
            index: base.index.overlay(),
            currying: base.currying.clone(),
            #[cfg(debug_assertions)]
            stamp: next_stamp(),
            #[cfg(debug_assertions)]
            below: base.below.iter().copied().chain([base.stamp]).collect(),
        }
    }

    /// The present state.
    pub fn mark(&self) -> Mark {
        Mark([
            self.names.len(),
            self.sorts.len(),
            self.sort_info.len(),
            self.sort_decls.len(),
            self.literals.len(),
            self.indices.len(),
            self.var_lists.len(),
            self.attrs.len(),
            self.cases.len(),
            self.vars.len(),
            self.funs.len(),
            self.nodes.len(),
            self.args.len(),
        ])
    }

    /// Forgets everything made since the mark. Ids made since then must not be used any more.
    pub fn rollback(&mut self, Mark(m): Mark) {
        self.names.truncate(m[0]);
        self.sorts.truncate(m[1]);
        self.sort_info.truncate(m[2]);
        self.sort_decls.truncate(m[3]);
        self.literals.truncate(m[4]);
        self.indices.truncate(m[5]);
        self.var_lists.truncate(m[6]);
        self.attrs.truncate(m[7]);
        self.cases.truncate(m[8]);
        self.vars.truncate(m[9]);
        self.funs.truncate(m[10]);
        self.currying.truncate(m[10]);
        for i in m[11]..self.nodes.len() {
            let n = *self.nodes.get(i);
            let args = self.args.slice(n.args as usize, n.arity as usize);
            self.index.remove(hash_node(n.head, n.sort, args), i as u32);
        }
        self.nodes.truncate(m[11]);
        self.args.truncate(m[12]);
    }

    /// Bytes held by this layer (capacity of its tables; not the heap parts of large literals).
    pub fn own_bytes(&self) -> usize {
        self.names.held()
            + self.sorts.bytes()
            + self.literals.bytes()
            + self.indices.bytes()
            + self.var_lists.bytes()
            + self.vars.bytes()
            + self.funs.bytes()
            + self.nodes.bytes()
            + self.args.bytes()
            + self.index.bytes()
    }

    /// How many terms there are; every [`Term::index`] is below.
    pub fn term_count(&self) -> usize {
        self.nodes.len()
    }

    #[inline]
    fn at(&self, id: u32) -> Term {
        Term {
            id,
            #[cfg(debug_assertions)]
            stamp: match self.below.last() {
                Some(&below) if (id as usize) < self.nodes.base_len() => below,
                _ => self.stamp,
            },
        }
    }

    #[inline]
    fn node(&self, t: Term) -> &Node {
        #[cfg(debug_assertions)]
        assert!(
            t.stamp == self.stamp || self.below.contains(&t.stamp),
            "a term of another arena: {t:?}"
        );
        self.nodes.get(t.id as usize)
    }

    // ---- names

    /// Interns a name.
    #[inline]
    pub fn sym(&mut self, text: &str) -> Sym {
        Sym(self.names.intern(text.as_bytes(), 0, text.len()))
    }

    /// Interns the name `source[start..end]`, which the lexer has checked.
    #[inline]
    pub(crate) fn sym_at(&mut self, source: &[u8], start: usize, end: usize) -> Sym {
        Sym(self.names.intern(source, start, end))
    }

    /// The text of a name.
    pub fn name(&self, s: Sym) -> &str {
        std::str::from_utf8(self.names.bytes(s.0)).unwrap_or("")
    }

    /// The name, if it occurs at all.
    pub fn find_sym(&self, text: &str) -> Option<Sym> {
        self.names.find(text.as_bytes(), 0, text.len()).map(Sym)
    }

    /// The name `source[start..end]`, if it occurs at all.
    pub(crate) fn find_sym_at(&self, source: &[u8], start: usize, end: usize) -> Option<Sym> {
        self.names.find(source, start, end).map(Sym)
    }

    /// The built-in operators of that name.
    #[inline]
    pub fn ops_named(&self, s: Sym) -> &'static [Op] {
        BUILTIN.get(s.index()).copied().unwrap_or_default()
    }

    /// How many names there are.
    pub fn sym_count(&self) -> usize {
        self.names.len()
    }

    // ---- sorts

    /// Interns a sort.
    ///
    /// `(-> A (-> B C))` and `(-> A B C)` are two sorts, which may stand for each other: z3 tells them apart.
    pub fn mk_sort(&mut self, kind: SortKind) -> Sort {
        let (id, new) = self.sorts.intern_new(kind);
        if new {
            let kind = self.sorts.get(id);
            let mut info =
                SortInfo { depth: 1, size: 1, has_params: matches!(kind, SortKind::Param(_)) };
            kind.for_each_child(|c| {
                let i = self.sort_info.get(c.index());
                info.depth = info.depth.max(i.depth + 1);
                info.size = info.size.saturating_add(i.size);
                info.has_params |= i.has_params;
            });
            self.sort_info.push(info);
        }
        Sort(id)
    }

    /// What a sort is.
    #[inline]
    pub fn sort_kind(&self, s: Sort) -> &SortKind {
        self.sorts.get(s.0)
    }

    /// Whether a sort parameter occurs in it.
    pub fn sort_has_params(&self, s: Sort) -> bool {
        self.sort_info.get(s.index()).has_params
    }

    /// Whether a sort is nested too deeply, or is too large, to be worked with.
    pub fn sort_too_deep(&self, s: Sort) -> bool {
        let i = self.sort_info.get(s.index());
        i.depth > MAX_SORT_DEPTH || i.size > MAX_SORT_SIZE
    }

    /// `(_ BitVec width)`
    pub fn bv_sort(&mut self, width: u32) -> Sort {
        self.mk_sort(SortKind::BitVec(width))
    }

    /// How many sorts there are.
    pub fn sort_count(&self) -> usize {
        self.sorts.len()
    }

    /// The sort of this number (see [`Sort::index`]).
    pub fn sort_at(&self, index: usize) -> Option<Sort> {
        (index < self.sorts.len()).then_some(Sort(index as u32))
    }

    /// Declares a sort symbol.
    pub fn declare_sort(&mut self, info: SortDeclInfo) -> SortDecl {
        SortDecl(self.sort_decls.push(info) as u32)
    }

    /// A declared sort symbol.
    pub fn sort_decl(&self, d: SortDecl) -> &SortDeclInfo {
        self.sort_decls.get(d.0 as usize)
    }

    /// A sort symbol of this layer, for completing its declaration.
    pub fn sort_decl_mut(&mut self, d: SortDecl) -> Option<&mut SortDeclInfo> {
        self.sort_decls.get_mut(d.0 as usize)
    }

    /// How many sort symbols there are.
    pub fn sort_decl_count(&self) -> usize {
        self.sort_decls.len()
    }

    // ---- functions and variables

    /// Adds a function symbol.
    pub fn declare_fun(&mut self, decl: FunDecl) -> Fun {
        Fun(self.funs.push(decl) as u32)
    }

    /// A function symbol.
    #[inline]
    pub fn fun(&self, f: Fun) -> &FunDecl {
        self.funs.get(f.0 as usize)
    }

    /// The function symbol of this number (see [`Fun::index`]).
    pub fn fun_at(&self, index: usize) -> Option<Fun> {
        (index < self.funs.len()).then_some(Fun(index as u32))
    }

    /// Gives a function symbol its body. A symbol of a frozen layer is redefined in this layer only; a rollback does not
    /// undo that.
    pub fn set_definition(&mut self, f: Fun, params: VarList, body: Term) {
        if self.funs.get_mut(f.0 as usize).is_none() {
            self.funs.detach();
        }
        if let Some(d) = self.funs.get_mut(f.0 as usize) {
            d.def = Some((params, body));
        }
    }

    /// How the declaration was written: how many of the arguments stood in its list, and the sort behind that, which is
    /// the result or a function sort with the other arguments.
    pub fn written(&self, f: Fun) -> (usize, Sort) {
        let d = self.fun(f);
        self.currying.of(f).unwrap_or((d.args.len(), d.ret))
    }

    /// Notes how a declaration was written.
    pub(crate) fn set_written(&mut self, f: Fun, args: usize, ret: Sort) {
        self.currying.note(f, args, ret);
    }

    /// Whether a function may be any term, as z3 reads `((f x) y)`; else only a symbol, and `@` applies other terms.
    pub fn juxtaposes(&self) -> bool {
        self.currying.juxtaposes
    }

    /// Notes that the source applies terms as z3 reads it.
    pub(crate) fn set_juxtaposes(&mut self) {
        self.currying.juxtaposes = true;
    }

    /// How many function symbols there are.
    pub fn fun_count(&self) -> usize {
        self.funs.len()
    }

    /// Makes a new bound variable.
    pub fn new_var(&mut self, name: Sym, sort: Sort) -> Var {
        Var(self.vars.push(VarDecl { name, sort }) as u32)
    }

    /// A bound variable.
    #[inline]
    pub fn var(&self, v: Var) -> VarDecl {
        *self.vars.get(v.0 as usize)
    }

    /// How many bound variables there are.
    pub fn var_count(&self) -> usize {
        self.vars.len()
    }

    /// Interns a list of variables.
    pub fn var_list(&mut self, vars: &[Var]) -> VarList {
        VarList(self.var_lists.intern_with(vars, || vars.into()))
    }

    /// The variables of a list.
    #[inline]
    pub fn vars(&self, l: VarList) -> &[Var] {
        self.var_lists.get(l.0)
    }

    /// Interns a list of indices.
    pub fn idx(&mut self, indices: &[u32]) -> Idx {
        if indices.is_empty() {
            return Idx::NONE;
        }
        Idx(self.indices.intern_with(indices, || indices.into()))
    }

    /// The indices of a list.
    #[inline]
    pub fn indices(&self, i: Idx) -> &[u32] {
        self.indices.get(i.0)
    }

    /// Interns a list of annotations.
    pub fn attrs(&mut self, list: Vec<Attr>) -> Attrs {
        Attrs(self.attrs.intern(list.into()))
    }

    /// The annotations of a list.
    pub fn attr_list(&self, a: Attrs) -> &[Attr] {
        self.attrs.get(a.0)
    }

    /// Interns the cases of a `match`.
    pub fn cases(&mut self, list: Vec<Case>) -> Cases {
        Cases(self.cases.intern(list.into()))
    }

    /// The cases of a `match`.
    pub fn case_list(&self, c: Cases) -> &[Case] {
        self.cases.get(c.0)
    }

    /// Interns a literal without making a term of it (for indices that may be large).
    pub fn literal(&mut self, l: Literal) -> Lit {
        Lit(self.literals.intern(l))
    }

    /// A literal.
    #[inline]
    pub fn lit(&self, l: Lit) -> &Literal {
        self.literals.get(l.0)
    }

    /// The literal of this number, as kept in the index of `divisible`.
    pub fn lit_at(&self, index: u32) -> &Literal {
        self.literals.get(index)
    }

    // ---- terms

    /// What is at the top of a term.
    #[inline]
    pub fn head(&self, t: Term) -> Head {
        self.node(t).head
    }

    /// The arguments of a term.
    #[inline]
    pub fn args(&self, t: Term) -> &[Term] {
        let n = self.node(t);
        self.args.slice(n.args as usize, n.arity as usize)
    }

    /// The sort of a term.
    #[inline]
    pub fn sort(&self, t: Term) -> Sort {
        self.node(t).sort
    }

    /// The kind of the sort of a term.
    #[inline]
    pub fn kind(&self, t: Term) -> &SortKind {
        self.sort_kind(self.sort(t))
    }

    /// The depth of the term (1 for a leaf).
    pub fn depth(&self, t: Term) -> u32 {
        self.node(t).depth
    }

    /// How many occurrences of sub-terms the tree behind the term has; saturates.
    #[inline]
    pub fn tree_size(&self, t: Term) -> u64 {
        self.node(t).tree_size
    }

    /// The bound variables that occur free, as a sorted set.
    #[inline]
    pub fn free_vars(&self, t: Term) -> &[Var] {
        self.vars(self.node(t).free)
    }

    /// Whether no bound variable occurs free.
    #[inline]
    pub fn is_closed(&self, t: Term) -> bool {
        self.node(t).free == VarList::EMPTY
    }

    /// The distinct sub-terms of some terms, children before parents.
    pub fn dag(&self, roots: &[Term]) -> Vec<Term> {
        let mut seen = TermSet::new(self);
        let mut out = Vec::new();
        let mut stack: Vec<Term> = roots.to_vec();
        while let Some(t) = stack.pop() {
            if seen.insert(t) {
                out.push(t);
                stack.extend_from_slice(self.args(t));
            }
        }
        out.sort_unstable_by_key(|t| t.id);
        out
    }
}
