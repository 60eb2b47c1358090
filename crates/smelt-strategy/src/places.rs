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
use smelt_smtlib::occurrence::Path;
use smelt_smtlib::{Arena, Command, Fun, FunKind, Head, Script, Term, Var, VarList};

use crate::accepted::open_arguments;

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
}

/// A place.
pub(crate) struct Place {
    /// Which root.
    pub root: usize,
    /// The way down from it.
    pub path: Path,
    /// The term that is there.
    pub term: Term,
}

#[derive(Clone, Copy, Default)]
struct Count {
    /// How many wanted occurrences the tree has; saturates.
    all: u64,
    /// Whether the term itself is wanted.
    wanted: bool,
    known: bool,
}

/// A script whose terms are being replaced.
pub(crate) struct Places {
    /// The script, always up to date.
    pub script: Script,
    /// Where places are.
    pub roots: Vec<Root>,
    counts: Vec<Count>,
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
    pub fn of(script: Script) -> Self {
        let a = &script.arena;
        let mut roots = Vec::new();
        for (command, c) in script.commands.iter().enumerate() {
            match *c {
                Command::Assert(t) => {
                    let (term, names) = below_names(a, t);
                    roots.push(Root { command, definition: None, names, term });
                }
                Command::DefineFun(f) if a.fun(f).kind == FunKind::Defined => {
                    if let Some((_, term)) = a.fun(f).def {
                        let names = SmallVec::new();
                        roots.push(Root { command, definition: Some(f), names, term });
                    }
                }
                _ => {}
            }
        }
        let checks = script.commands.iter().filter(|c| c.is_check()).count();
        Self { script, roots, counts: Vec::new(), inserted: 0, checks }
    }

    /// Chooses among all occurrences of wanted terms. Whether a term is wanted must not change between calls, and must
    /// depend only on its top and on the sorts of its arguments.
    pub fn pick(
        &mut self,
        random: &mut ChaCha8Rng,
        mut wanted: impl FnMut(&mut Arena, Term) -> bool,
    ) -> Option<Place> {
        let mut total = 0u64;
        for i in 0..self.roots.len() {
            total = total.saturating_add(self.count(self.roots[i].term, &mut wanted));
        }
        if total == 0 {
            return None;
        }
        let mut n = random.random_range(0..total);
        for (root, r) in self.roots.iter().enumerate() {
            let here = self.counts[r.term.index()].all;
            if n < here {
                let (path, term) = self.nth(r.term, n);
                return Some(Place { root, path, term });
            }
            n -= here;
        }
        None
    }

    fn count(&mut self, root: Term, wanted: &mut impl FnMut(&mut Arena, Term) -> bool) -> u64 {
        let a = &mut self.script.arena;
        if self.counts.len() < a.term_count() {
            // Some more than needed: chains grow.
            self.counts.resize(a.term_count() * 5 / 4 + 64, Count::default());
        }
        if self.counts[root.index()].known {
            return self.counts[root.index()].all;
        }
        let mut new: SmallVec<[Term; 32]> = SmallVec::new();
        let mut stack: SmallVec<[Term; 32]> = SmallVec::from_slice(&[root]);
        while let Some(t) = stack.pop() {
            let c = &mut self.counts[t.index()];
            if !c.known {
                c.known = true;
                new.push(t);
                stack.extend_from_slice(open_arguments(a, t));
            }
        }
        // Children have smaller ids than their parents.
        new.sort_unstable();
        for t in new {
            let own = wanted(a, t);
            let mut all = u64::from(own);
            for c in open_arguments(a, t) {
                all = all.saturating_add(self.counts[c.index()].all);
            }
            self.counts[t.index()] = Count { all, wanted: own, known: true };
        }
        self.counts[root.index()].all
    }

    /// The n-th wanted occurrence below a root; there are more than n.
    fn nth(&self, root: Term, mut n: u64) -> (Path, Term) {
        let a = &self.script.arena;
        let mut path = Path::new();
        let mut t = root;
        'down: loop {
            if self.counts[t.index()].wanted {
                if n == 0 {
                    return (path, t);
                }
                n -= 1;
            }
            for (i, c) in open_arguments(a, t).iter().enumerate() {
                let here = self.counts[c.index()].all;
                if n < here {
                    path.push(i as u32);
                    t = *c;
                    continue 'down;
                }
                n -= here;
            }
            // Only a saturated count can be larger than the sum of its parts: the place is this one.
            return (path, t);
        }
    }

    /// The variables in scope at a place, those of a definition included.
    pub fn scope(&self, place: &Place) -> Vec<Var> {
        let a = &self.script.arena;
        let root = &self.roots[place.root];
        let mut scope = match root.definition.and_then(|f| a.fun(f).def) {
            Some((params, _)) => a.vars(params).to_vec(),
            None => Vec::new(),
        };
        scope.extend(a.scope_at(root.term, &place.path));
        scope
    }

    /// Puts a term of the same sort at a place; the script changes. `false` if the sorts differ.
    ///
    /// Terms above the place keep their top and the sorts of their arguments, so they stay wanted or not: only their
    /// counts change.
    pub fn replace(
        &mut self,
        place: &Place,
        new: Term,
        mut wanted: impl FnMut(&mut Arena, Term) -> bool,
    ) -> bool {
        if self.script.arena.sort(place.term) != self.script.arena.sort(new) {
            return false;
        }
        self.count(new, &mut wanted);
        let a = &mut self.script.arena;
        let root = &mut self.roots[place.root];
        let mut above: SmallVec<[Term; 16]> = SmallVec::new();
        let mut t = root.term;
        for &i in &place.path {
            above.push(t);
            t = a.args(t)[i as usize];
        }
        let mut term = new;
        for (&parent, &i) in above.iter().zip(&place.path).rev() {
            let mut args: SmallVec<[Term; 8]> = a.args(parent).into();
            args[i as usize] = term;
            term = a.with_args(parent, &args);
            if self.counts.len() <= term.index() {
                self.counts.resize(a.term_count() * 5 / 4 + 64, Count::default());
            }
            if !self.counts[term.index()].known {
                let own = self.counts[parent.index()].wanted;
                let all = open_arguments(a, term)
                    .iter()
                    .fold(u64::from(own), |n, c| n.saturating_add(self.counts[c.index()].all));
                self.counts[term.index()] = Count { all, wanted: own, known: true };
            }
        }
        root.term = term;
        if let Some(f) = root.definition {
            let params = a.fun(f).def.map_or(VarList::EMPTY, |(params, _)| params);
            a.set_definition(f, params, term);
            return true;
        }
        for &f in &root.names {
            a.set_definition(f, VarList::EMPTY, term);
        }
        if let Command::Assert(t) = &mut self.script.commands[root.command + self.inserted] {
            *t = if root.names.is_empty() { term } else { under_names(a, *t, term) };
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
