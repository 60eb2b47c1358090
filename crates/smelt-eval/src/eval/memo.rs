//! Values of sub-terms that are known already: those of closed terms by number, those of open terms per scope.

use crate::outcome::{Outcome, Undetermined};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use smelt_smtlib::{Arena, Head, Term, Var};

/// Variables with values: of a binder's instance, or of one call of a function.
#[derive(Default)]
pub(super) struct Scope {
    pub vars: SmallVec<[(Var, Outcome); 4]>,
    /// Terms of which this is the innermost scope.
    known: FxHashMap<Term, Outcome>,
}

impl Scope {
    pub fn new(vars: SmallVec<[(Var, Outcome); 4]>) -> Scope {
        Scope { vars, known: FxHashMap::default() }
    }

    pub fn forget(&mut self) {
        self.known.clear();
    }

    fn find(&self, v: Var) -> Option<&Outcome> {
        self.vars.iter().find(|(w, _)| *w == v).map(|(_, o)| o)
    }
}

static UNBOUND: Outcome = Err(Undetermined::Unbound);

/// All that is known.
///
/// Scopes are searched from the innermost. This finds the right variable because every binder has its own variables,
/// the body of a function has no free ones but its parameters, and closures bring what they captured.
#[derive(Default)]
pub(super) struct Memo {
    closed: Vec<Option<Outcome>>,
    pub scopes: Vec<Scope>,
    /// Terms with variables that nothing binds.
    unbound: FxHashMap<Term, Outcome>,
}

impl Memo {
    #[inline]
    pub fn get(&self, a: &Arena, t: Term) -> Option<&Outcome> {
        if a.is_closed(t) {
            return self.closed.get(t.index())?.as_ref();
        }
        if let Head::Var(v) = a.head(t) {
            return Some(self.variable(v));
        }
        self.scope_of(a, t).map_or(&self.unbound, |i| &self.scopes[i].known).get(&t)
    }

    pub fn variable(&self, v: Var) -> &Outcome {
        self.scopes.iter().rev().find_map(|s| s.find(v)).unwrap_or(&UNBOUND)
    }

    #[inline]
    pub fn put(&mut self, a: &Arena, t: Term, outcome: Outcome) {
        if a.is_closed(t) {
            let i = t.index();
            if self.closed.len() <= i {
                self.closed.resize(a.term_count().max(i + 1), None);
            }
            self.closed[i] = Some(outcome);
            return;
        }
        match self.scope_of(a, t) {
            Some(i) => self.scopes[i].known.insert(t, outcome),
            None => self.unbound.insert(t, outcome),
        };
    }

    /// The innermost scope that binds a variable of the term.
    fn scope_of(&self, a: &Arena, t: Term) -> Option<usize> {
        let free = a.free_vars(t);
        self.scopes.iter().rposition(|s| s.vars.iter().any(|(v, _)| free.contains(v)))
    }

    /// Forgets the terms from this number on.
    pub fn truncate(&mut self, terms: usize) {
        self.closed.truncate(terms);
        self.unbound.clear();
    }

    pub fn clear(&mut self) {
        self.closed.clear();
        self.unbound.clear();
        self.scopes.clear();
    }
}
