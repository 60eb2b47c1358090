//! Terms: hash-consed nodes with the sort, depth, tree size and free variables at each node.
//!
//! An arena is either a root or an overlay on a frozen one. Ids of the frozen part are valid in each of its overlays.
//! An overlay can be marked and rolled back, so that a long chain of mutations does not grow.

mod build;
mod history;
mod parts;
mod tables;

use std::sync::{Arc, LazyLock};

use build::hash_node;
use history::History;
pub(crate) use history::{Moment, Since};
pub use parts::{
    Attr, Attrs, Binder, Case, Cases, Fun, FunDecl, FunKind, Head, Idx, Lit, Sym, Var, VarDecl,
    VarList,
};

use crate::currying::Currying;
use crate::index::Index;
use crate::layered::{Interner, Layered};
use crate::literal::Literal;
use crate::names::Names;
use crate::op::Op;
use crate::sort::{Sort, SortDeclInfo, SortKind};
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
    history: History,
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

    /// How many terms there were.
    pub(crate) fn terms(self) -> usize {
        self.0[11]
    }

    /// How many symbols of any kind there were: names, sorts, sort symbols, functions.
    pub(crate) fn symbols(self) -> [usize; 4] {
        [self.0[0], self.0[1], self.0[3], self.0[10]]
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
            history: History::default(),
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

    /// Makes room for so many more terms.
    pub fn reserve_terms(&mut self, n: usize) {
        self.nodes.reserve(n);
        self.args.reserve(2 * n);
        self.index.reserve(n);
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
            history: History::default(),
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
    pub fn rollback(&mut self, mark: Mark) {
        let Mark(m) = mark;
        if self.mark().0 == m {
            return;
        }
        self.history.forget(mark);
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

    /// How many names and functions there are.
    #[inline]
    pub(crate) fn symbol_counts(&self) -> [usize; 2] {
        [self.names.len(), self.funs.len()]
    }

    /// Now, for asking later what has been forgotten meanwhile.
    pub(crate) fn moment(&self) -> Moment {
        self.history.moment()
    }

    /// What has been forgotten since a moment.
    pub(crate) fn since(&self, then: Moment) -> Since {
        self.history.since(then)
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

    // ---- terms

    /// What is at the top of a term.
    #[inline]
    pub fn head(&self, t: Term) -> Head {
        self.node(t).head
    }

    /// The function symbol that a term applies, is, or names: in `as-array` and `map` it is an index.
    pub fn symbol(&self, t: Term) -> Option<Fun> {
        match self.head(t) {
            Head::Fun(f) => Some(f),
            Head::Op(op, idx) => match (op, self.indices(idx)) {
                (Op::AsArray, &[f]) | (Op::ArrayMap, &[f, 0]) => self.fun_at(f as usize),
                _ => None,
            },
            _ => None,
        }
    }

    /// The arguments of a term.
    #[inline]
    pub fn args(&self, t: Term) -> &[Term] {
        let n = self.node(t);
        self.args.slice(n.args as usize, n.arity as usize)
    }

    /// Top, sort and arguments of a term.
    #[inline]
    pub(crate) fn parts(&self, t: Term) -> (Head, Sort, &[Term]) {
        let n = self.node(t);
        (n.head, n.sort, self.args.slice(n.args as usize, n.arity as usize))
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
