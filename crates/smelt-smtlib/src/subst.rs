//! Substitution that never captures, and fresh copies of binders.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::arena::{Arena, Case, Fun, Head, Term, Var, VarList};

/// Replaces constant symbols and bound variables by terms.
///
/// A binder whose variable occurs in a replacement, or is itself to be replaced, gets new variables first.
#[derive(Clone, Debug, Default)]
pub struct Substitution {
    vars: FxHashMap<Var, Term>,
    funs: FxHashMap<Fun, Term>,
    refresh_all: bool,
}

/// How far a term has been worked on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    /// The term has just been met.
    Enter,
    /// A match whose first argument is done.
    Bind,
    /// All arguments are done.
    Leave,
}

/// What a binder's variables meant outside of it: to be restored behind it.
type Outer = Vec<(Var, Option<Term>)>;

/// The new variables of a binder, and what the old ones meant outside.
type Renamed = (SmallVec<[VarList; 2]>, Outer);

impl Substitution {
    /// The identity.
    pub fn new() -> Self {
        Self::default()
    }

    /// Replaces a bound variable that is free in the term.
    #[must_use]
    pub fn var(mut self, v: Var, by: Term) -> Self {
        self.vars.insert(v, by);
        self
    }

    /// Replaces a constant symbol (applied to no arguments).
    #[must_use]
    pub fn constant(mut self, f: Fun, by: Term) -> Self {
        self.funs.insert(f, by);
        self
    }

    /// Gives every binder new variables on the way.
    #[must_use]
    pub fn refreshing(mut self) -> Self {
        self.refresh_all = true;
        self
    }

    /// Applies the substitution. Sorts of replacements must be those of what they replace.
    pub fn apply(&self, a: &mut Arena, root: Term) -> Term {
        let replacements = self.vars.values().chain(self.funs.values());
        let avoid: FxHashSet<Var> =
            replacements.flat_map(|&t| a.free_vars(t).iter().copied()).collect();
        let mut vars = self.vars.clone();
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        let mut open: FxHashMap<Term, Renamed> = FxHashMap::default();
        let mut stack = vec![(root, Stage::Enter)];
        let mut values: Vec<Term> = Vec::new();
        while let Some((t, stage)) = stack.pop() {
            let head = a.head(t);
            if stage == Stage::Enter {
                if let Some(&known) = done.get(&t) {
                    values.push(known);
                    continue;
                }
                if let Head::Match(_) = head {
                    // The variables of the cases do not mean anything in the matched term.
                    stack.push((t, Stage::Bind));
                    stack.push((a.args(t)[0], Stage::Enter));
                    continue;
                }
            }
            if stage != Stage::Leave {
                let lists: SmallVec<[VarList; 2]> = match head {
                    Head::Bind(_, l) => SmallVec::from_slice(&[l]),
                    Head::Match(c) => a.case_list(c).iter().map(|c| c.vars).collect(),
                    _ => SmallVec::new(),
                };
                let clash = |a: &Arena, l: VarList| {
                    a.vars(l).iter().any(|v| avoid.contains(v) || vars.contains_key(v))
                };
                if !lists.is_empty() && (self.refresh_all || lists.iter().any(|&l| clash(a, l))) {
                    let mut outer = Outer::new();
                    let fresh =
                        lists.iter().map(|&l| rename(a, l, &mut vars, &mut outer)).collect();
                    // What was made outside of the binder is not valid under it.
                    done.retain(|t, _| a.is_closed(*t));
                    open.insert(t, (fresh, outer));
                }
                let first = usize::from(stage == Stage::Bind);
                stack.push((t, Stage::Leave));
                stack.extend(a.args(t)[first..].iter().rev().map(|&x| (x, Stage::Enter)));
                continue;
            }
            let new = match head {
                Head::Var(v) => vars.get(&v).copied().unwrap_or(t),
                Head::Fun(f) if a.args(t).is_empty() => self.funs.get(&f).copied().unwrap_or(t),
                _ => {
                    let args: SmallVec<[Term; 8]> =
                        values.drain(values.len() - a.args(t).len()..).collect();
                    let sort = a.sort(t);
                    match open.remove(&t) {
                        None => a.mk(head, &args, sort),
                        Some((lists, outer)) => {
                            let head = with_vars(a, head, &lists);
                            let new = a.mk(head, &args, sort);
                            for (v, old) in outer.into_iter().rev() {
                                match old {
                                    Some(old) => vars.insert(v, old),
                                    None => vars.remove(&v),
                                };
                            }
                            // What was made under the binder is not valid outside of it.
                            done.retain(|t, _| a.is_closed(*t));
                            new
                        }
                    }
                }
            };
            done.insert(t, new);
            values.push(new);
        }
        values[0]
    }
}

fn rename(
    a: &mut Arena,
    l: VarList,
    vars: &mut FxHashMap<Var, Term>,
    outer: &mut Outer,
) -> VarList {
    let old: SmallVec<[Var; 8]> = a.vars(l).into();
    let mut fresh: SmallVec<[Var; 8]> = SmallVec::new();
    for v in old {
        let d = a.var(v);
        let w = a.new_var(d.name, d.sort);
        let t = a.mk_var(w);
        outer.push((v, vars.insert(v, t)));
        fresh.push(w);
    }
    a.var_list(&fresh)
}

fn with_vars(a: &mut Arena, head: Head, lists: &[VarList]) -> Head {
    match head {
        Head::Bind(b, _) => Head::Bind(b, lists[0]),
        Head::Match(c) => {
            let cases: Vec<Case> = a
                .case_list(c)
                .iter()
                .zip(lists)
                .map(|(c, &vars)| Case { constructor: c.constructor, vars })
                .collect();
            Head::Match(a.cases(cases))
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::print_term;

    /// Replaces the constant `x` by the term `by` in the assertion.
    fn check(script: &str, by: &str, expect: &str) {
        let mut s = crate::parse(script.as_bytes()).unwrap();
        let by = crate::parse_terms(&mut s, by.as_bytes(), &Default::default()).unwrap()[0];
        let root = s.queries()[0].assertions[0];
        let x = s.arena.find_sym("x").unwrap();
        let f = (0..s.arena.fun_count())
            .filter_map(|i| s.arena.fun_at(i))
            .find(|&f| s.arena.fun(f).name == x)
            .unwrap();
        let new = Substitution::new().constant(f, by).apply(&mut s.arena, root);
        assert_eq!(print_term(&s.arena, new), expect);
    }

    #[test]
    fn constants() {
        let d = "(declare-const x Int)(declare-const y Int)";
        check(&format!("{d}(assert (> x 1))(check-sat)"), "(+ y 2)", "(> (+ y 2) 1)");
        check(
            &format!("{d}(assert (forall ((z Int)) (> x z)))(check-sat)"),
            "(+ y 2)",
            "(forall ((z Int)) (> (+ y 2) z))",
        );
        // A bound variable with the name of a constant of the replacement.
        check(
            &format!("{d}(assert (forall ((y Int)) (> x y)))(check-sat)"),
            "(+ y 2)",
            "(forall ((y!1 Int)) (> (+ y 2) y!1))",
        );
    }

    #[test]
    fn instantiation_does_not_capture() {
        let text = b"(assert (forall ((x Int)) (exists ((y Int)) (> x y))))(check-sat)";
        let mut s = crate::parse(text).unwrap();
        let a = &mut s.arena;
        let forall = s.commands[0].clone();
        let crate::Command::Assert(forall) = forall else { panic!() };
        let Head::Bind(_, xs) = a.head(forall) else { panic!() };
        let body = a.args(forall)[0];
        let Head::Bind(_, ys) = a.head(body) else { panic!() };
        let (x, y) = (a.vars(xs)[0], a.vars(ys)[0]);
        // x := y, where y is the inner binder's own variable.
        let y_term = a.mk_var(y);
        let new = Substitution::new().var(x, y_term).apply(a, body);
        assert_eq!(a.free_vars(new), [y]);
        let Head::Bind(_, zs) = a.head(new) else { panic!() };
        assert_ne!(a.vars(zs)[0], y);
    }

    #[test]
    fn refreshing_keeps_the_meaning() {
        let text =
            b"(assert (forall ((x Int)) (and (> x 0) (exists ((x Int)) (< x 0)))))(check-sat)";
        let mut s = crate::parse(text).unwrap();
        let root = s.queries()[0].assertions[0];
        let copy = Substitution::new().refreshing().apply(&mut s.arena, root);
        assert_ne!(root, copy);
        assert_eq!(print_term(&s.arena, root), print_term(&s.arena, copy));
    }
}
