//! One side of a rule matched against a term, and the other side made.
//!
//! Patterns have at most the depth of a rule file's lists, so walks over them may recurse; walks over terms do not.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use smallvec::SmallVec;
use smelt_eval::{Value, eval_ground};
use smelt_smtlib::occurrence::Path;
use smelt_smtlib::op::Assoc;
use smelt_smtlib::subst::Substitution;
use smelt_smtlib::{Arena, Binder, Head, Op, Sort, Term, Var};

use super::compile::Compiled;
use crate::accepted::open_arguments;
use crate::constant::is_constant;

/// What stands for a variable of a rule.
#[derive(Clone, Copy, Debug)]
enum Meaning {
    Term(Term),
    /// A term with a hole.
    Context(Var, Term),
}

/// Where terms for variables come from that the matched side does not have.
pub trait Source {
    /// A term of a sort.
    fn term(&mut self, a: &mut Arena, sort: Sort, random: &mut ChaCha8Rng) -> Option<Term>;
    /// A constant of a sort.
    fn literal(&mut self, a: &mut Arena, sort: Sort, random: &mut ChaCha8Rng) -> Option<Term>;
}

/// Tries to find constants that meet a condition.
const LITERAL_TRIES: u32 = 16;
/// Orders of arguments that are looked at to see how two terms are related.
const ORDERS: u32 = 64;
/// Walks down a term in search of a sub-term.
const WALKS: u32 = 8;

/// Applies a rule at the top of a term: from the strong side to the weak one, or backwards. `None` if it does not match.
pub fn apply(
    a: &mut Arena,
    rule: &Compiled,
    backwards: bool,
    t: Term,
    source: &mut dyn Source,
    random: &mut ChaCha8Rng,
) -> Option<Term> {
    let (from, to) = (usize::from(backwards), usize::from(!backwards));
    if a.sort(t) != a.sort(rule.sides[from]) {
        return None;
    }
    let mut m = Matcher::new(rule);
    if !m.matches(a, rule.sides[from], t, random) {
        return None;
    }
    m.fill(a, to, source, random)?;
    m.build(a, rule.sides[to])
}

/// Whether a rule leads from one term to the other: both sides match, with one meaning of each variable. It may overlook that, as
/// matching looks at some orders of arguments only, but is never wrong when it says so.
pub fn relates(a: &mut Arena, rule: &Compiled, backwards: bool, from: Term, to: Term) -> bool {
    let [strong, weak] = rule.sides;
    let (first, second) = if backwards { (weak, strong) } else { (strong, weak) };
    let mut random = ChaCha8Rng::seed_from_u64(0);
    (0..ORDERS).any(|_| {
        let mut m = Matcher::new(rule);
        m.matches(a, first, from, &mut random)
            && m.matches(a, second, to, &mut random)
            && m.meets(a, rule.when)
    })
}

struct Matcher<'r> {
    rule: &'r Compiled,
    meanings: SmallVec<[Option<Meaning>; 8]>,
    /// Variables that the pattern binds, with what they are in the term.
    bound: SmallVec<[(Var, Var); 2]>,
}

impl<'r> Matcher<'r> {
    fn new(rule: &'r Compiled) -> Self {
        let meanings = SmallVec::from_elem(None, rule.slots.len());
        Self { rule, meanings, bound: SmallVec::new() }
    }

    /// Whether the literals meet a condition.
    fn meets(&mut self, a: &mut Arena, when: Option<Term>) -> bool {
        let Some(when) = when else { return true };
        self.build(a, when).is_some_and(|t| eval_ground(a, t) == Ok(Value::TRUE))
    }

    fn slot(&self, v: Var) -> Option<usize> {
        self.rule.slots.iter().position(|s| s.var == v)
    }

    /// Whether a term has no variable that the pattern binds.
    fn outside(&self, a: &Arena, t: Term) -> bool {
        self.bound.iter().all(|(_, v)| !a.free_vars(t).contains(v))
    }

    fn matches(&mut self, a: &mut Arena, p: Term, t: Term, random: &mut ChaCha8Rng) -> bool {
        if a.sort(p) != a.sort(t) {
            return false;
        }
        match a.head(p) {
            Head::Var(v) => {
                if let Some(&(_, own)) = self.bound.iter().find(|(q, _)| *q == v) {
                    return matches!(a.head(t), Head::Var(w) if w == own);
                }
                let Some(i) = self.slot(v) else { return false };
                if let Some(Meaning::Term(old)) = self.meanings[i] {
                    return old == t;
                }
                if self.rule.slots[i].literal && !is_constant(a, t) || !self.outside(a, t) {
                    return false;
                }
                self.meanings[i] = Some(Meaning::Term(t));
                true
            }
            Head::Op(Op::Apply, _) => self.context(a, p, t, random),
            Head::Bind(b, list) => {
                let Head::Bind(own, vars) = a.head(t) else { return false };
                let (&[v], vars) = (a.vars(list), a.vars(vars).to_vec()) else { return false };
                if own != b {
                    return false;
                }
                let fit: SmallVec<[usize; 4]> =
                    (0..vars.len()).filter(|&i| a.var(vars[i]).sort == a.var(v).sort).collect();
                if fit.is_empty() {
                    return false;
                }
                // One of several variables: the others stay bound below it.
                let i = fit[random.random_range(0..fit.len())];
                let mut body = plain(a, a.args(t)[0]);
                if vars.len() > 1 {
                    let rest: Vec<Var> =
                        (0..vars.len()).filter(|&j| j != i).map(|j| vars[j]).collect();
                    let rest = a.var_list(&rest);
                    body = a.mk_binder(b, rest, &[body]);
                }
                self.bound.push((v, vars[i]));
                let inner = a.args(p)[0];
                let matched = self.matches(a, inner, body, random);
                self.bound.pop();
                matched
            }
            Head::Op(op, idx) => {
                if a.head(t) != Head::Op(op, idx) {
                    return false;
                }
                let patterns: SmallVec<[Term; 4]> = a.args(p).into();
                let mut args: SmallVec<[Term; 8]> = a.args(t).into();
                if patterns.len() == 2 && args.len() > 2 {
                    match split(a, t, op, &args, random) {
                        Some(two) => args = SmallVec::from_slice(&two),
                        None => return false,
                    }
                }
                if patterns.len() != args.len() {
                    return false;
                }
                if args.len() == 2 && op.info().commutative && random.random_bool(0.5) {
                    args.swap(0, 1);
                }
                patterns.iter().zip(&args).all(|(&p, &t)| self.matches(a, p, t, random))
            }
            Head::Fun(_) => {
                let patterns: SmallVec<[Term; 4]> = a.args(p).into();
                let args: SmallVec<[Term; 4]> = a.args(t).into();
                a.head(p) == a.head(t)
                    && patterns.len() == args.len()
                    && patterns.iter().zip(&args).all(|(&p, &t)| self.matches(a, p, t, random))
            }
            Head::Lit(_) => p == t,
            Head::Match(_) | Head::Annot(_) => false,
        }
    }

    /// A pattern `(f x)`: x is bound by the pattern, or any part of the term may be it.
    fn context(&mut self, a: &mut Arena, p: Term, t: Term, random: &mut ChaCha8Rng) -> bool {
        let [f, x] = *a.args(p) else { return false };
        let (Head::Var(f), Head::Var(x)) = (a.head(f), a.head(x)) else { return false };
        let Some(i) = self.slot(f) else { return false };
        if let Some(known) = self.meanings[i] {
            let Meaning::Context(hole, body) = known else { return false };
            let x = a.mk_var(x);
            let Some(x) = self.build(a, x) else { return false };
            return Substitution::new().var(hole, x).apply(a, body) == t;
        }
        if let Some(&(_, own)) = self.bound.iter().find(|(q, _)| *q == x) {
            let others = self.bound.iter().filter(|(q, _)| *q != x);
            if others.into_iter().any(|(_, v)| a.free_vars(t).contains(v)) {
                return false;
            }
            self.meanings[i] = Some(Meaning::Context(own, t));
            return true;
        }
        let Some(j) = self.slot(x) else { return false };
        if self.meanings[j].is_some() || !self.outside(a, t) {
            return false;
        }
        let sort = self.rule.slots[j].sort;
        let Some((path, part)) = part(a, t, sort, random) else { return false };
        let Some((hole, body)) = with_hole(a, t, &path, sort) else { return false };
        self.meanings[i] = Some(Meaning::Context(hole, body));
        self.meanings[j] = Some(Meaning::Term(part));
        true
    }

    /// Finds terms for what the other side has and the matched one has not.
    fn fill(
        &mut self,
        a: &mut Arena,
        to: usize,
        source: &mut dyn Source,
        random: &mut ChaCha8Rng,
    ) -> Option<()> {
        let rule = self.rule;
        for (i, slot) in rule.slots.iter().enumerate() {
            if self.meanings[i].is_some() || slot.literal || !rule.uses[to][i] {
                continue;
            }
            let t = source.term(a, slot.sort, random)?;
            self.meanings[i] = Some(match slot.hole {
                None => Meaning::Term(t),
                Some(sort) => {
                    let (path, _) = part(a, t, sort, random)?;
                    let (hole, body) = with_hole(a, t, &path, sort)?;
                    Meaning::Context(hole, body)
                }
            });
        }
        let mut open: SmallVec<[usize; 4]> = SmallVec::new();
        for (i, slot) in rule.slots.iter().enumerate() {
            if self.meanings[i].is_none() && slot.literal {
                open.push(i);
            }
        }
        for _ in 0..LITERAL_TRIES {
            for &i in &open {
                let t = source.literal(a, rule.slots[i].sort, random)?;
                self.meanings[i] = Some(Meaning::Term(t));
            }
            if self.meets(a, rule.when) {
                return Some(());
            }
            if open.is_empty() {
                return None;
            }
        }
        None
    }

    fn build(&mut self, a: &mut Arena, p: Term) -> Option<Term> {
        match a.head(p) {
            Head::Var(v) => {
                if let Some(&(_, own)) = self.bound.iter().find(|(q, _)| *q == v) {
                    return Some(a.mk_var(own));
                }
                match self.meanings[self.slot(v)?]? {
                    Meaning::Term(t) => Some(t),
                    Meaning::Context(..) => None,
                }
            }
            Head::Op(Op::Apply, _) => {
                let [f, x] = *a.args(p) else { return None };
                let Head::Var(f) = a.head(f) else { return None };
                let Meaning::Context(hole, body) = self.meanings[self.slot(f)?]? else {
                    return None;
                };
                let x = self.build(a, x)?;
                Some(Substitution::new().refreshing().var(hole, x).apply(a, body))
            }
            Head::Bind(b, list) => {
                let olds: SmallVec<[Var; 2]> = a.vars(list).into();
                let before = self.bound.len();
                let mut news: SmallVec<[Var; 2]> = SmallVec::new();
                for &v in &olds {
                    let d = a.var(v);
                    let new = a.new_var(d.name, d.sort);
                    news.push(new);
                    self.bound.push((v, new));
                }
                let body = self.build(a, a.args(p)[0]);
                self.bound.truncate(before);
                let list = a.var_list(&news);
                Some(a.mk_binder(b, list, &[body?]))
            }
            _ if a.args(p).is_empty() => Some(p),
            _ => {
                let olds: SmallVec<[Term; 4]> = a.args(p).into();
                let mut args: SmallVec<[Term; 4]> = SmallVec::new();
                for t in olds {
                    args.push(self.build(a, t)?);
                }
                Some(a.with_args(p, &args))
            }
        }
    }
}

/// A body without annotations: patterns are hints.
fn plain(a: &Arena, mut t: Term) -> Term {
    while let Head::Annot(_) = a.head(t) {
        t = a.args(t)[0];
    }
    t
}

/// An application to more than two arguments as one to two. Chained and pairwise operators are no such thing.
fn split(
    a: &mut Arena,
    t: Term,
    op: Op,
    args: &[Term],
    random: &mut ChaCha8Rng,
) -> Option<[Term; 2]> {
    let n = args.len();
    match (op, op.info().assoc) {
        (Op::And | Op::Or | Op::ReUnion | Op::ReInter, _) => {
            // In any order.
            let i = random.random_range(0..n);
            let rest: SmallVec<[Term; 8]> = (0..n).filter(|&j| j != i).map(|j| args[j]).collect();
            Some([args[i], a.with_args(t, &rest)])
        }
        (Op::ReConcat | Op::StrConcat | Op::SeqConcat, _) => {
            let i = random.random_range(1..n);
            let mut side = |part: &[Term]| match part {
                [one] => *one,
                _ => a.with_args(t, part),
            };
            Some([side(&args[..i]), side(&args[i..])])
        }
        // What it means for more than two arguments is disputed; and each further argument counts twice the last.
        (Op::BvXnor | Op::FfBitsum, _) => None,
        // The sort of the first part must be that of the whole, which of `concat` it is not.
        (_, Assoc::Left) if a.sort(args[0]) == a.sort(t) => {
            Some([a.with_args(t, &args[..n - 1]), args[n - 1]])
        }
        (_, Assoc::Right) => {
            let rest = a.with_args(t, &args[1..]);
            Some([args[0], rest])
        }
        _ => None,
    }
}

/// A random proper part of a term that has a sort, and no variable that is bound inside of the term.
fn part(a: &Arena, t: Term, sort: Sort, random: &mut ChaCha8Rng) -> Option<(Path, Term)> {
    for _ in 0..WALKS {
        let mut path = Path::new();
        let mut at = t;
        let mut found: Option<(Path, Term)> = None;
        // A variable may be bound twice on one way down, where a quantified formula was copied into its own body.
        let mut inner: SmallVec<[Var; 4]> = SmallVec::new();
        loop {
            let args = open_arguments(a, at);
            // What `choice` gives is a matter of how its body is written.
            if args.is_empty() || matches!(a.head(at), Head::Bind(Binder::Choice, _)) {
                break;
            }
            let i = random.random_range(0..args.len());
            inner.extend(a.scope_at(at, &[i as u32]));
            at = args[i];
            path.push(i as u32);
            let free = a.free_vars(at).iter().all(|v| !inner.contains(v));
            if a.sort(at) == sort && free && (found.is_none() || random.random_bool(0.5)) {
                found = Some((path.clone(), at));
            }
        }
        if found.is_some() {
            return found;
        }
    }
    None
}

/// A term with a hole at a place.
fn with_hole(a: &mut Arena, t: Term, path: &Path, sort: Sort) -> Option<(Var, Term)> {
    let name = a.sym("hole");
    let hole = a.new_var(name, sort);
    let var = a.mk_var(hole);
    Some((hole, a.replace_at(t, path, var)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use smelt_eval::{Evaluator, Model};

    /// A formula in the scope of its own variable: `(exists ((u Bool)) (and (not u) (exists ((u Bool)) u)))`, with one `u`.
    fn copied_into_itself(a: &mut Arena) -> [Term; 2] {
        let name = a.sym("u");
        let u = a.new_var(name, Sort::BOOL);
        let (list, var) = (a.var_list(&[u]), a.mk_var(u));
        let inner = a.mk_binder(Binder::Exists, list, &[var]);
        let not = a.app(Op::Not, &[], &[var]).unwrap();
        let body = a.app(Op::And, &[], &[not, inner, not]).unwrap();
        [body, a.mk_binder(Binder::Exists, list, &[body])]
    }

    #[test]
    fn parts_are_free_where_they_stand() {
        let a = &mut smelt_smtlib::parse(b"(check-sat)").unwrap().arena;
        let [body, whole] = copied_into_itself(a);
        let mut random = ChaCha8Rng::seed_from_u64(0);
        let mut outer = 0;
        for _ in 0..300 {
            let Some((path, part)) = part(a, body, Sort::BOOL, &mut random) else { continue };
            assert!(path[0] != 1 || a.is_closed(part), "{path:?}");
            outer += usize::from(!a.is_closed(part));
        }
        assert!(outer > 50, "{outer}");
        // Of the whole, no open part is one.
        for _ in 0..100 {
            let found = part(a, whole, Sort::BOOL, &mut random);
            assert!(found.is_none_or(|(_, part)| a.is_closed(part)));
        }
        let value = Evaluator::default().eval(a, &Model::default(), whole);
        assert_eq!(value, Ok(Value::TRUE));
    }
}
