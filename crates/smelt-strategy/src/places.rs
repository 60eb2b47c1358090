//! The places of a script that a mutation may change, chosen with equal chance among all occurrences.
//!
//! Places are in assertions and in the bodies of `define-fun`. Bodies of recursive definitions stay as they are (a changed one
//! may have no solution at all, or never end), and so do patterns, objectives, assumptions and `get-value`.
//!
//! Counts belong to terms, and terms are hash-consed: a step counts only the path that it has made.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use smallvec::SmallVec;
use smelt_case::Seed;
use smelt_smtlib::arena::Attr;
use smelt_smtlib::{Arena, Command, Fun, FunKind, Head, Script, Term, Var, VarList};

use crate::accepted::open_arguments;

/// A chain makes about so many terms.
const ROOM: usize = 1 << 10;

/// A term of a command below which there are places.
pub(crate) struct Root {
    /// The position of the command in the seed.
    pub command: usize,
    /// The function whose body it is, if the command is a definition.
    definition: Option<Fun>,
    /// What the whole term is called by `:named`.
    names: SmallVec<[Fun; 1]>,
    /// The term; without its annotations, if it is named.
    pub term: Term,
    /// How many places there are in it, once that is known; saturates.
    all: u64,
}

/// A place. The way down to it is kept by [`Places`], for the last one that was chosen.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    /// Which root.
    pub root: usize,
    /// The term that is there.
    pub term: Term,
    /// Its kind.
    pub kind: u32,
}

#[derive(Clone, Copy)]
struct Count {
    /// How many wanted occurrences the tree has; saturates.
    all: u64,
    /// The kind of the term itself, if it is wanted.
    kind: u32,
}

impl Count {
    const UNKNOWN: Self = Self { all: 0, kind: u32::MAX };
    /// In place of a kind: the term is not wanted.
    const UNWANTED: u32 = u32::MAX - 1;

    fn known(self) -> bool {
        self.kind != Self::UNKNOWN.kind
    }

    fn wanted(self) -> bool {
        self.kind < Self::UNWANTED
    }
}

/// A script whose terms are being replaced.
pub(crate) struct Places {
    /// The script, always up to date.
    pub script: Script,
    /// Where places are.
    pub roots: Vec<Root>,
    counts: Vec<Count>,
    /// How many there are below all roots, once that is known.
    total: Option<u64>,
    /// The way to the last place: terms from the root on, and which argument is next.
    path: Vec<(Term, u32)>,
    /// How many commands were inserted before all roots.
    inserted: usize,
    /// How many checks it has.
    pub checks: usize,
}

impl Places {
    /// All places of a seed, in a workspace of its own.
    pub fn new(seed: &Seed) -> Self {
        Self::of(seed.workspace())
    }

    /// All places of a script.
    pub fn of(mut script: Script) -> Self {
        script.arena.reserve_terms(ROOM);
        let a = &script.arena;
        let mut roots = Vec::new();
        for (command, c) in script.commands.iter().enumerate() {
            match *c {
                Command::Assert(t) => {
                    let (term, names) = below_names(a, t);
                    roots.push(Root { command, definition: None, names, term, all: 0 });
                }
                Command::DefineFun(f) if a.fun(f).kind == FunKind::Defined => {
                    if let Some((_, term)) = a.fun(f).def {
                        let names = SmallVec::new();
                        roots.push(Root { command, definition: Some(f), names, term, all: 0 });
                    }
                }
                _ => {}
            }
        }
        let checks = script.commands.iter().filter(|c| c.is_check()).count();
        let (counts, path) = (Vec::new(), Vec::new());
        Self { script, roots, counts, total: None, path, inserted: 0, checks }
    }

    /// Chooses among all occurrences of wanted terms. The kind of a term (none, if it is not wanted) must not change between
    /// calls, and must depend only on its top and on the sorts of its arguments.
    pub fn pick(
        &mut self,
        random: &mut ChaCha8Rng,
        kind: impl FnMut(&mut Arena, Term) -> Option<u32>,
    ) -> Option<Place> {
        let total = match self.total {
            Some(n) => n,
            None => self.count_all(kind),
        };
        if total == 0 {
            return None;
        }
        let mut n = random.random_range(0..total);
        for (root, r) in self.roots.iter().enumerate() {
            if n < r.all {
                let term = nth(&self.script.arena, &self.counts, r.term, n, &mut self.path);
                return Some(Place { root, term, kind: self.counts[term.index()].kind });
            }
            n -= r.all;
        }
        None
    }

    fn count_all(&mut self, mut kind: impl FnMut(&mut Arena, Term) -> Option<u32>) -> u64 {
        for i in 0..self.roots.len() {
            self.roots[i].all = self.count(self.roots[i].term, &mut kind);
        }
        self.sum()
    }

    fn sum(&mut self) -> u64 {
        let total = self.roots.iter().fold(0, |n: u64, r| n.saturating_add(r.all));
        self.total = Some(total);
        total
    }

    fn count(&mut self, root: Term, kind: &mut impl FnMut(&mut Arena, Term) -> Option<u32>) -> u64 {
        let a = &mut self.script.arena;
        make_room(&mut self.counts, a, root);
        if self.counts[root.index()].known() {
            return self.counts[root.index()].all;
        }
        let mut new: SmallVec<[Term; 32]> = SmallVec::new();
        let mut stack: SmallVec<[Term; 32]> = SmallVec::from_slice(&[root]);
        while let Some(t) = stack.pop() {
            let c = &mut self.counts[t.index()];
            if !c.known() {
                c.kind = Count::UNWANTED;
                new.push(t);
                stack.extend_from_slice(open_arguments(a, t));
            }
        }
        // Children have smaller ids than their parents.
        new.sort_unstable();
        for t in new {
            let own = kind(a, t);
            let all = sum_below(a, &self.counts, t, own.is_some());
            self.counts[t.index()] = Count { all, kind: own.unwrap_or(Count::UNWANTED) };
        }
        self.counts[root.index()].all
    }

    /// The variables in scope at the place that was chosen last, those of a definition included.
    pub fn scope(&self, place: &Place, scope: &mut Vec<Var>) {
        let a = &self.script.arena;
        scope.clear();
        if let Some((params, _)) = self.roots[place.root].definition.and_then(|f| a.fun(f).def) {
            scope.extend_from_slice(a.vars(params));
        }
        for &(t, i) in &self.path {
            scope.extend_from_slice(a.bound_at(t, i as usize));
        }
    }

    /// Puts a term of the same sort at the place that was chosen last; the script changes. `false` if the sorts differ.
    ///
    /// Terms above the place keep their top and the sorts of their arguments, so they stay wanted or not: only their
    /// counts change.
    pub fn replace(
        &mut self,
        place: &Place,
        new: Term,
        mut kind: impl FnMut(&mut Arena, Term) -> Option<u32>,
    ) -> bool {
        if self.script.arena.sort(place.term) != self.script.arena.sort(new) {
            return false;
        }
        let mut old = self.counts[place.term.index()].all;
        let mut all = self.count(new, &mut kind);
        let a = &mut self.script.arena;
        let mut term = new;
        for &(parent, i) in self.path.iter().rev() {
            term = a.with_arg(parent, i as usize, term);
            make_room(&mut self.counts, a, term);
            let before = self.counts[parent.index()];
            let count = &mut self.counts[term.index()];
            if !count.known() {
                *count = before;
                // A saturated count does not say what its parts are.
                if before.all == u64::MAX || all == u64::MAX {
                    let all = sum_below(a, &self.counts, term, before.wanted());
                    self.counts[term.index()].all = all;
                } else {
                    count.all = (before.all - old).saturating_add(all);
                }
            }
            (old, all) = (before.all, self.counts[term.index()].all);
        }
        let root = &mut self.roots[place.root];
        root.term = term;
        if root.all != all {
            root.all = all;
            self.total = None;
        }
        let root = &self.roots[place.root];
        if let Some(f) = root.definition {
            let params = a.fun(f).def.map_or(VarList::EMPTY, |(params, _)| params);
            a.set_definition(f, params, term);
        } else {
            for &f in &root.names {
                a.set_definition(f, VarList::EMPTY, term);
            }
            if let Command::Assert(t) = &mut self.script.commands[root.command + self.inserted] {
                *t = if root.names.is_empty() { term } else { under_names(a, *t, term) };
            }
        }
        if self.total.is_none() {
            self.sum();
        }
        true
    }

    /// Inserts declarations before all places; the positions of roots count without them.
    pub fn insert(&mut self, at: usize, new: Vec<Command>) {
        debug_assert!(self.roots.iter().all(|r| r.command + self.inserted >= at));
        self.inserted += new.len();
        self.script.commands.splice(at..at, new);
    }

    /// The nodes of all roots, as a measure of size; saturates.
    pub fn size(&self) -> u64 {
        let a = &self.script.arena;
        self.roots.iter().fold(0, |n, r| n.saturating_add(a.tree_size(r.term)))
    }
}

fn make_room(counts: &mut Vec<Count>, a: &Arena, t: Term) {
    if counts.len() <= t.index() {
        // Some more than needed: chains grow.
        counts.resize(2 * a.term_count() + ROOM, Count::UNKNOWN);
    }
}

/// The count of a term whose arguments are counted.
fn sum_below(a: &Arena, counts: &[Count], t: Term, wanted: bool) -> u64 {
    let below = open_arguments(a, t).iter();
    below.fold(u64::from(wanted), |n, c| n.saturating_add(counts[c.index()].all))
}

/// The n-th wanted occurrence below a root; there are more than n. The way to it is noted.
fn nth(a: &Arena, counts: &[Count], root: Term, mut n: u64, path: &mut Vec<(Term, u32)>) -> Term {
    path.clear();
    let mut t = root;
    'down: loop {
        if counts[t.index()].wanted() {
            if n == 0 {
                return t;
            }
            n -= 1;
        }
        for (i, c) in open_arguments(a, t).iter().enumerate() {
            let here = counts[c.index()].all;
            if n < here {
                path.push((t, i as u32));
                t = *c;
                continue 'down;
            }
            n -= here;
        }
        // Only a saturated count can be larger than the sum of its parts: the place is this one.
        return t;
    }
}

/// What an annotation says about names; `None` if there are other things in it.
fn only_names(a: &Arena, t: Term) -> Option<SmallVec<[Fun; 1]>> {
    let Head::Annot(attrs) = a.head(t) else { return None };
    a.attr_list(attrs)
        .iter()
        .map(|x| match x {
            Attr::Named(f) => Some(*f),
            _ => None,
        })
        .collect()
}

/// The term under the names of a whole assertion.
fn below_names(a: &Arena, mut t: Term) -> (Term, SmallVec<[Fun; 1]>) {
    let mut names = SmallVec::new();
    while let Some(more) = only_names(a, t) {
        names.extend(more);
        t = a.args(t)[0];
    }
    (t, names)
}

/// The names of an assertion around another term.
fn under_names(a: &mut Arena, old: Term, new: Term) -> Term {
    let mut above: SmallVec<[Term; 2]> = SmallVec::new();
    let mut t = old;
    while only_names(a, t).is_some() {
        above.push(t);
        t = a.args(t)[0];
    }
    above.iter().rev().fold(new, |inner, &annot| a.with_args(annot, &[inner]))
}
