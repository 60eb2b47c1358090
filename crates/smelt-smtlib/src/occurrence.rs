//! Occurrences: places in the tree behind a term, which can be exponentially larger than the term.
//!
//! They are counted with saturation, chosen by weighted descent, named by a path, and replaced by rebuilding that path.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::arena::{Arena, Head, Term, Var};

/// A place below a root: which argument to take at each step.
pub type Path = SmallVec<[u32; 16]>;

/// Counts of the occurrences that a caller is interested in.
pub struct Occurrences<F> {
    counts: FxHashMap<Term, u64>,
    wanted: F,
}

impl<F: Fn(&Arena, Term) -> bool> Occurrences<F> {
    /// Counts occurrences of wanted terms below some roots. Patterns of quantifiers are no occurrences.
    pub fn new(a: &Arena, roots: &[Term], wanted: F) -> Self {
        let mut counts: FxHashMap<Term, u64> = FxHashMap::default();
        for t in a.dag(roots) {
            let mut n = u64::from(wanted(a, t));
            for c in places(a, t) {
                n = n.saturating_add(counts.get(c).copied().unwrap_or(0));
            }
            counts.insert(t, n);
        }
        Self { counts, wanted }
    }

    /// How many there are below a root; saturates.
    pub fn count(&self, root: Term) -> u64 {
        self.counts.get(&root).copied().unwrap_or(0)
    }

    /// The n-th occurrence below a root, in the order of the text.
    pub fn nth(&self, a: &Arena, root: Term, mut n: u64) -> Option<(Path, Term)> {
        if n >= self.count(root) {
            return None;
        }
        let mut path = Path::new();
        let mut t = root;
        'down: loop {
            if (self.wanted)(a, t) {
                if n == 0 {
                    return Some((path, t));
                }
                n -= 1;
            }
            for (i, &c) in places(a, t).iter().enumerate() {
                let here = self.count(c);
                if n < here {
                    path.push(i as u32);
                    t = c;
                    continue 'down;
                }
                n -= here;
            }
            return None;
        }
    }
}

/// The arguments that are places: not the terms of patterns.
fn places(a: &Arena, t: Term) -> &[Term] {
    match a.head(t) {
        Head::Annot(_) => &a.args(t)[..1],
        _ => a.args(t),
    }
}

impl Arena {
    /// The term at a place.
    pub fn at_path(&self, root: Term, path: &[u32]) -> Option<Term> {
        path.iter().try_fold(root, |t, &i| self.args(t).get(i as usize).copied())
    }

    /// The variables that a term binds in one of its arguments.
    pub fn bound_at(&self, t: Term, argument: usize) -> &[Var] {
        match self.head(t) {
            Head::Bind(_, l) => self.vars(l),
            Head::Match(c) if argument > 0 => self.vars(self.case_list(c)[argument - 1].vars),
            _ => &[],
        }
    }

    /// The variables in scope at a place, outermost first.
    pub fn scope_at(&self, root: Term, path: &[u32]) -> Vec<Var> {
        let mut out = Vec::new();
        let mut t = root;
        for &i in path {
            out.extend_from_slice(self.bound_at(t, i as usize));
            match self.args(t).get(i as usize) {
                Some(&c) => t = c,
                None => break,
            }
        }
        out
    }

    /// Replaces the term at a place by one of the same sort; only the path is rebuilt.
    ///
    /// `None` if there is no such place or the sorts differ. The replacement may use the variables in scope there.
    pub fn replace_at(&mut self, root: Term, path: &[u32], new: Term) -> Option<Term> {
        let mut above: SmallVec<[Term; 16]> = SmallVec::new();
        let mut t = root;
        for &i in path {
            above.push(t);
            t = *self.args(t).get(i as usize)?;
        }
        if self.sort(t) != self.sort(new) {
            return None;
        }
        let mut new = new;
        for (&parent, &i) in above.iter().zip(path).rev() {
            new = self.with_arg(parent, i as usize, new);
        }
        Some(new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Sort, print_term};

    #[test]
    fn exponential_tree() {
        // x1 = (and x0 x0), x2 = (and x1 x1), …: 2^100 leaves.
        let mut s = crate::parse(b"(declare-const p Bool)(declare-const q Bool)").unwrap();
        let a = &mut s.arena;
        let p = a.mk_fun(crate::Fun(0));
        let q = a.mk_fun(crate::Fun(1));
        let mut t = p;
        for _ in 0..100 {
            t = a.app(crate::Op::And, &[], &[t, t]).unwrap();
        }
        assert_eq!(a.tree_size(t), u64::MAX);
        let leaves = Occurrences::new(a, &[t], |a, t| a.args(t).is_empty());
        assert_eq!(leaves.count(t), u64::MAX);
        let (path, leaf) = leaves.nth(a, t, u64::MAX - 1).unwrap();
        assert_eq!((path.len(), leaf), (100, p));
        let new = a.replace_at(t, &path, q).unwrap();
        assert_eq!(a.at_path(new, &path), Some(q));
        assert_eq!(a.dag(&[new]).len(), 100 + 101);
    }

    #[test]
    fn order_and_scope() {
        let text = b"(declare-const x Int)(assert (forall ((y Int)) (=> (> y 1) (> (+ x y) y))))(check-sat)";
        let mut s = crate::parse(text).unwrap();
        let root = s.queries()[0].assertions[0];
        let ints = Occurrences::new(&s.arena, &[root], |a, t| a.sort(t) == Sort::INT);
        let all: Vec<String> = (0..ints.count(root))
            .map(|n| {
                let (path, t) = ints.nth(&s.arena, root, n).unwrap();
                assert_eq!(s.arena.at_path(root, &path), Some(t));
                assert_eq!(s.arena.scope_at(root, &path).len(), 1);
                print_term(&s.arena, t)
            })
            .collect();
        assert_eq!(all, ["y", "1", "(+ x y)", "x", "y", "y"]);
        let (path, _) = ints.nth(&s.arena, root, 3).unwrap();
        let one = s.arena.mk_int(1u32);
        let new = s.arena.replace_at(root, &path, one).unwrap();
        assert_eq!(print_term(&s.arena, new), "(forall ((y Int)) (=> (> y 1) (> (+ 1 y) y)))");
    }

    #[test]
    fn overlay_and_rollback() {
        let s = crate::parse(b"(declare-const p Bool)(assert (not p))(check-sat)").unwrap();
        let root = s.queries()[0].assertions[0];
        let base = s.arena.freeze();
        let mut top = Arena::overlay(&base);
        let mark = top.mark();
        let size = top.term_count();
        let both = top.app(crate::Op::And, &[], &[root, root]).unwrap();
        assert_eq!(print_term(&top, both), "(and (not p) (not p))");
        assert_eq!(top.app(crate::Op::Not, &[], top.args(root).to_vec().as_slice()), Ok(root));
        top.rollback(mark);
        assert_eq!(top.term_count(), size);
        let again = top.app(crate::Op::And, &[], &[root, root]).unwrap();
        assert_eq!(again, both);
    }

    #[test]
    #[cfg(debug_assertions)]
    #[should_panic(expected = "a term of another arena")]
    fn mixing_arenas_is_caught() {
        let s = crate::parse(b"(assert true)(check-sat)").unwrap();
        let other = crate::parse(b"(assert true)(check-sat)").unwrap();
        let _ = other.arena.sort(s.queries()[0].assertions[0]);
    }
}
