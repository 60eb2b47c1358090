//! Small finite domains, exhausted: the one way in which smelt itself proves `unsat`.

use std::collections::BTreeSet;

use crate::judge::beyond_assertions;

use smelt_eval::bv::Bv;
use smelt_eval::{Evaluator, Limits, Model, Value};
use smelt_smtlib::{Fun, FunKind, Head, Query, Script, SortKind, Term};

/// Bits of all symbols together; 2^16 evaluations take well under a second on small scripts.
const MAX_BITS: u32 = 16;
/// Evaluations times terms, and steps below binders in all evaluations.
const MAX_WORK: u64 = 20_000_000;
/// Assignments that are not decided before the search is given up: it can no longer prove `unsat`.
const MAX_OPEN: u32 = 16;

/// Whether a check is satisfiable, by trying all values of its symbols; `None` if the domain is not small and finite or
/// something cannot be evaluated.
pub fn brute_force(script: &Script, query: &Query) -> Option<bool> {
    let a = &script.arena;
    let mut symbols: BTreeSet<Fun> = BTreeSet::new();
    let mut seen = std::collections::HashSet::new();
    let mut stack: Vec<Term> = query.assertions.clone();
    while let Some(t) = stack.pop() {
        if !seen.insert(t) {
            continue;
        }
        if let Head::Fun(f) = a.head(t) {
            let d = a.fun(f);
            match d.kind {
                FunKind::Free => {
                    symbols.insert(f);
                }
                _ => stack.extend(d.def.map(|(_, body)| body)),
            }
        }
        stack.extend_from_slice(a.args(t));
    }
    let mut widths = Vec::new();
    for &f in &symbols {
        let d = a.fun(f);
        let width = match a.sort_kind(d.ret) {
            _ if !d.args.is_empty() => return None,
            SortKind::Bool => None,
            SortKind::BitVec(w) => Some(*w),
            _ => return None,
        };
        widths.push((f, width));
    }
    let bits: u32 = widths.iter().map(|(_, w)| w.unwrap_or(1)).try_fold(0u32, u32::checked_add)?;
    if bits > MAX_BITS || (seen.len() as u64) << bits > MAX_WORK {
        return None;
    }
    let limits = Limits { steps: MAX_WORK >> bits, ..Limits::default() };
    let mut evaluator = Evaluator::new(limits);
    let mut undecided = 0;
    for assignment in 0u64..1 << bits {
        let mut model = Model::new();
        let mut rest = assignment;
        for &(f, width) in &widths {
            let w = width.unwrap_or(1);
            let value = rest & ((1 << w) - 1);
            rest >>= w;
            model.set_value(
                f,
                match width {
                    None => Value::Bool(value == 1),
                    Some(w) => Value::Bv(Bv::new(w, value).ok()?),
                },
            );
        }
        evaluator.clear();
        let mut holds = Some(true);
        for &t in &query.assertions {
            match evaluator.eval(a, &model, t) {
                Ok(Value::Bool(true)) => {}
                Ok(Value::Bool(false)) => {
                    holds = Some(false);
                    break;
                }
                // A later assertion may still refute the assignment.
                _ => holds = None,
            }
        }
        match holds {
            // What stands beside the assertions may forbid what they allow, never allow what they forbid.
            Some(true) => return beyond_assertions(script, query).is_none().then_some(true),
            Some(false) => {}
            None => undecided += 1,
        }
        if undecided > MAX_OPEN {
            return None;
        }
    }
    (undecided == 0).then_some(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(script: &str, expect: Option<bool>) {
        let script = smelt_smtlib::parse(script.as_bytes()).unwrap();
        assert_eq!(brute_force(&script, &script.queries()[0]), expect);
    }

    /// Quantifiers below each of many assignments: given up in time.
    #[test]
    fn quantifiers() {
        let bools: String = (0..14).map(|i| format!("(declare-const p{i} Bool)")).collect();
        let hard = "(forall ((a (_ BitVec 32)) (b (_ BitVec 32)) (c (_ BitVec 32)) (d Bool) (e Bool))
            (exists ((f (_ BitVec 32))) (= (bvmul a b c f) (ite (and d p1) f (bvadd a (ite e b c))))))";
        let begun = std::time::Instant::now();
        check(&format!("{bools}(assert (or p0 {hard}))(assert (not p0))(check-sat)"), None);
        assert!(begun.elapsed().as_secs() < 20);
        check(
            "(declare-const x (_ BitVec 8))(assert (forall ((y (_ BitVec 8))) (bvule x y)))(check-sat)",
            Some(true),
        );
        check(
            "(declare-const x (_ BitVec 6))(assert (forall ((y (_ BitVec 6))) (bvult x y)))(check-sat)",
            Some(false),
        );
    }

    #[test]
    fn small_domains() {
        let bv = "(declare-const x (_ BitVec 3))(declare-const y (_ BitVec 3))";
        check(&format!("{bv}(assert (= (bvadd x y) #b111))(check-sat)"), Some(true));
        check(&format!("{bv}(assert (bvult x y))(assert (bvult y x))(check-sat)"), Some(false));
        check("(declare-const p Bool)(assert (and p (not p)))(check-sat)", Some(false));
        check("(declare-const p Bool)(assert (xor p true))(check-sat)", Some(true));
        check("(declare-const x Int)(assert (> x 0))(check-sat)", None);
        check("(declare-const x (_ BitVec 64))(assert (= x x))(check-sat)", None);
        check(
            "(declare-const x (_ BitVec 2))(assert (> (div 1 (ubv_to_int x)) 2))(check-sat)",
            None,
        );
        check(
            "(define-fun f ((x (_ BitVec 2))) Bool (= x #b01))(declare-const y (_ BitVec 2))\
             (assert (f y))(assert (not (f y)))(check-sat)",
            Some(false),
        );
        // An assertion that is open does not matter where another is false.
        check(
            "(declare-const x (_ BitVec 2))(assert (= 1 (div 1 (ubv_to_int x))))(assert (= x #b10))(check-sat)",
            Some(false),
        );
        check(
            "(define-fun-rec f ((x Int)) Int (+ 1 (f x)))(declare-const p Bool)(assert p)(check-sat)",
            None,
        );
    }
}
