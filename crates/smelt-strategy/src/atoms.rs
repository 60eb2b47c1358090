//! Atoms of two arguments, which is what rules are about.

use rustc_hash::FxHashMap;
use smelt_smtlib::op::Assoc;
use smelt_smtlib::{Arena, Binder, Head, Op, Sort, Term};

use crate::accepted::open_arguments;

/// Arguments of a chain (`<`) that is taken apart: as many atoms come of it.
const LONGEST_CHAIN: usize = 1000;
/// Arguments of a pairwise atom (`distinct`) that is taken apart: the atoms are as many as the pairs.
const LONGEST_PAIRWISE: usize = 8;

/// A chained or pairwise application as a conjunction of binary ones.
pub(crate) fn binary(a: &mut Arena, t: Term) -> Option<Term> {
    let Head::Op(op, idx) = a.head(t) else { return None };
    let args = a.args(t);
    let assoc = op.info().assoc;
    let most = match assoc {
        Assoc::Chain => LONGEST_CHAIN,
        Assoc::Pairwise => LONGEST_PAIRWISE,
        _ => return None,
    };
    if args.len() < 3 || args.len() > most {
        return None;
    }
    let pairs: Vec<[Term; 2]> = match assoc {
        Assoc::Chain => args.windows(2).map(|w| [w[0], w[1]]).collect(),
        _ => (0..args.len())
            .flat_map(|i| (0..i).map(move |j| (j, i)))
            .map(|(j, i)| [args[j], args[i]])
            .collect(),
    };
    let sort = a.sort(t);
    let parts: Vec<Term> = pairs.iter().map(|p| a.mk(Head::Op(op, idx), p, sort)).collect();
    a.app(Op::And, &[], &parts).ok()
}

/// Formulas with all their atoms binary. Atoms are what connectives and quantifiers join; terms keep their structure.
pub(crate) fn with_binary_atoms(a: &mut Arena, formulas: &[Term]) -> Vec<Term> {
    let mut done: FxHashMap<Term, Term> = FxHashMap::default();
    let mut stack: Vec<Term> = formulas.to_vec();
    while let Some(&t) = stack.last() {
        if done.contains_key(&t) {
            stack.pop();
            continue;
        }
        let parts = subformulas(a, t);
        let before = stack.len();
        stack.extend(parts.iter().filter(|c| !done.contains_key(c)));
        if stack.len() > before {
            continue;
        }
        stack.pop();
        let mut args = a.args(t).to_vec();
        for (x, c) in args.iter_mut().zip(parts) {
            debug_assert_eq!(*x, c);
            *x = done[&c];
        }
        let new = if args == a.args(t) { t } else { a.with_args(t, &args) };
        let new = binary(a, new).unwrap_or(new);
        done.insert(t, new);
    }
    formulas.iter().map(|t| done[t]).collect()
}

/// The first arguments of a formula, as far as they are formulas that it joins.
fn subformulas(a: &Arena, t: Term) -> Vec<Term> {
    let joins = match a.head(t) {
        Head::Op(op, _) => match op {
            Op::Not | Op::And | Op::Or | Op::Implies | Op::Xor => true,
            Op::Ite => a.sort(t) == Sort::BOOL,
            Op::Eq | Op::Distinct => a.args(t).first().is_some_and(|&x| a.sort(x) == Sort::BOOL),
            _ => false,
        },
        // What `choice` gives may depend on how its body is written.
        Head::Bind(b, _) => matches!(b, Binder::Forall | Binder::Exists),
        Head::Annot(_) => true,
        _ => false,
    };
    if joins { open_arguments(a, t).to_vec() } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smelt_smtlib::{parse, print_term};

    fn check(formula: &str, expect: &str) {
        let text = format!(
            "(declare-const p Bool)(declare-const q Bool)(declare-const r Bool)\
             (declare-const x Int)(declare-const y Int)(declare-const z Int)(assert {formula})(check-sat)"
        );
        let mut s = parse(text.as_bytes()).unwrap();
        let roots = s.queries()[0].assertions.clone();
        let made = with_binary_atoms(&mut s.arena, &roots);
        assert_eq!(print_term(&s.arena, made[0]), expect);
    }

    #[test]
    fn chains_are_taken_apart() {
        check("(< x y z)", "(and (< x y) (< y z))");
        check("(or p (not (= z x 5)))", "(or p (not (and (= z x) (= x 5))))");
        check("(distinct x y z)", "(and (distinct x y) (distinct x z) (distinct y z))");
        check("(= p (= x y 1) q)", "(and (= p (and (= x y) (= y 1))) (= (and (= x y) (= y 1)) q))");
        check("(xor p q r)", "(xor p q r)");
        check(
            "(forall ((u Int)) (! (ite p (<= x u 3) q) :pattern ((= x u 3))))",
            "(forall ((u Int)) (! (ite p (and (<= x u) (<= u 3)) q) :pattern ((= x u 3))))",
        );
        // Atoms inside of terms are not what the formula joins.
        check("(> (ite (< x y z) 1 2) y x)", "(and (> (ite (< x y z) 1 2) y) (> y x))");
        check("(= (choice ((u Int)) (< x u y)) x)", "(= (choice ((u Int)) (< x u y)) x)");
    }

    /// Chains grow by one atom for each argument, pairs by ever more.
    #[test]
    fn long_chains() {
        let check = |op: &str, n: usize, atoms: usize| {
            let text = format!("(declare-const x Int)(assert ({op}{}))(check-sat)", " x".repeat(n));
            let mut s = parse(text.as_bytes()).unwrap();
            let t = s.queries()[0].assertions[0];
            let parts = binary(&mut s.arena, t).map_or(0, |t| s.arena.args(t).len());
            assert_eq!(parts, atoms, "{op} {n}");
        };
        check("<", 2, 0);
        check("<", 9, 8);
        check("=", 1000, 999);
        check("=", 1001, 0);
        check("distinct", 8, 28);
        check("distinct", 9, 0);
    }
}
