//! Signatures: a text that is the same for findings that are likely the same bug.

use std::collections::BTreeSet;

use smelt_smtlib::op::Theory;
use smelt_smtlib::{Head, Script, Term, smallest_logic};
use smelt_solver::Crash;

use crate::class::Class;

/// The signature of a finding: where a crash happened; for a wrong answer the class, the logic and the operators of the
/// script (the smaller the script, the better it tells bugs apart). Connectives count only where there is nothing else.
pub fn signature(solver: &str, class: Class, crash: Option<&Crash>, script: &Script) -> String {
    if let Some(crash) = crash {
        return format!("{solver} {}: {}", class.word(), crash.signature());
    }
    let ops: Vec<&str> = operators(script).into_iter().collect();
    format!("{solver} {} {}: {}", class.word(), smallest_logic(script), ops.join(" "))
}

/// The operators and binders of a script; connectives only where there is nothing else.
pub fn operators(script: &Script) -> BTreeSet<&'static str> {
    let a = &script.arena;
    let mut theory: BTreeSet<&str> = BTreeSet::new();
    let mut core: BTreeSet<&str> = BTreeSet::new();
    let roots: Vec<Term> = script.roots();
    for t in a.dag(&roots) {
        match a.head(t) {
            Head::Op(op, _) => {
                let info = op.info();
                let set = if info.theory == Theory::Core { &mut core } else { &mut theory };
                set.insert(info.name);
            }
            Head::Bind(binder, _) => {
                theory.insert(binder.name());
            }
            _ => {}
        }
    }
    if theory.is_empty() { core } else { theory }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(script: &str, expect: &str) {
        let s = smelt_smtlib::parse(script.as_bytes()).unwrap();
        assert_eq!(signature("z3", Class::InvalidModel, None, &s), expect);
    }

    #[test]
    fn texts() {
        check(
            "(declare-const x Int)(assert (not (> (+ x 1) 2)))(assert (< x 3))(check-sat)",
            "z3 invalid-model QF_LIA: + < >",
        );
        check("(declare-const p Bool)(assert (not p))(check-sat)", "z3 invalid-model QF_UF: not");
        check(
            "(declare-const y Int)(assert (forall ((x Int)) (= x y)))(check-sat)",
            "z3 invalid-model LIA: forall",
        );
    }
}
