//! Where the standard leaves values open: partial operators and selectors.

use std::collections::HashSet;

use smelt_smtlib::sort::SortDeclKind;
use smelt_smtlib::{
    Arena, FunKind, Head, Literal, Op, Query, Script, Term, Totalised, flatten, totalise,
};

/// Whether the answer to a check may depend on what the standard leaves open: it has an operator that is partial, or a selector that may
/// be applied to another constructor, and does not itself say what these are there. Only a model that the evaluator determines tells.
pub fn leaves_open(script: &Script, query: &Query) -> bool {
    // What totalising adds nothing to is total. It costs more than looking for operators.
    is_partial(script, query) && totalise(&flatten(script, query)).map_or(true, |t| uses_open(&t))
}

/// A check with those of its assertions that leave nothing open; `None` if these are all or none. If that is unsatisfiable, so is the
/// check, whatever the open values are.
pub fn closed_part(script: &Script, query: &Query) -> Option<Query> {
    let alone = |t: &Term| Query { assertions: vec![*t], ..query.clone() };
    let closed = query.assertions.iter().filter(|t| !leaves_open(script, &alone(t)));
    let assertions: Vec<Term> = closed.copied().collect();
    let some = !assertions.is_empty() && assertions.len() < query.assertions.len();
    some.then(|| Query { assertions, ..query.clone() })
}

/// Whether the check of a totalised script has one of the functions that stand for open values; definitions that it does not use may
/// have others.
fn uses_open(total: &Totalised) -> bool {
    let a = &total.script.arena;
    let mut seen = HashSet::new();
    let mut stack: Vec<Term> =
        total.script.queries().into_iter().flat_map(|q| q.assertions).collect();
    while let Some(t) = stack.pop() {
        if !seen.insert(t) {
            continue;
        }
        if let Some(f) = a.symbol(t) {
            if total.open.iter().any(|o| o.fun == f) {
                return true;
            }
            stack.extend(a.fun(f).def.map(|(_, body)| body));
        }
        stack.extend_from_slice(a.args(t));
    }
    false
}

/// Whether a check has an operator that is partial, or a selector of a datatype with several constructors.
fn is_partial(script: &Script, query: &Query) -> bool {
    let a = &script.arena;
    let mut seen = HashSet::new();
    let mut stack: Vec<Term> = query.assertions.clone();
    while let Some(t) = stack.pop() {
        if !seen.insert(t) {
            continue;
        }
        match a.head(t) {
            Head::Op(op, _) if op.info().partial && !divides_by_number(a, op, t) => return true,
            // An operator is done with arrays.
            Head::Op(Op::ArrayMap, idx) => {
                if let &[op, 1] = a.indices(idx)
                    && Op::all().nth(op as usize).is_some_and(|op| op.info().partial)
                {
                    return true;
                }
            }
            _ => {}
        }
        if let Some(f) = a.symbol(t) {
            let d = a.fun(f);
            if let FunKind::Selector(constructor, _) = d.kind
                && !is_only_constructor(a.fun(constructor).kind, a)
            {
                return true;
            }
            stack.extend(d.def.map(|(_, body)| body));
        }
        stack.extend_from_slice(a.args(t));
    }
    false
}

/// Division by numbers other than zero is total.
fn divides_by_number(a: &Arena, op: Op, t: Term) -> bool {
    let number = |t: &Term| match a.head(*t) {
        Head::Lit(l) => match a.lit(l) {
            Literal::Int(n) => !n.is_zero(),
            Literal::Real { digits, .. } => !digits.is_zero(),
            _ => false,
        },
        _ => false,
    };
    matches!(op, Op::IntDiv | Op::Mod | Op::Div)
        && a.args(t).get(1..).is_some_and(|divisors| divisors.iter().all(number))
}

fn is_only_constructor(kind: FunKind, a: &Arena) -> bool {
    let FunKind::Constructor(sort, _) = kind else { return false };
    matches!(&a.sort_decl(sort).kind, SortDeclKind::Datatype { constructors, .. } if constructors.len() == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(assertion: &str, expect: bool) {
        let text = format!(
            "(declare-datatype P ((pair (first Int) (second Int))))\
            (declare-datatype L ((nil) (cons (head Int) (tail L))))\
            (define-fun half ((x Int)) Int (div x 2))(define-fun part ((x Int)) Int (div 7 x))\
            (declare-const x Int)(declare-const r Real)(declare-const p P)(declare-const l L)\
            (declare-const m (Array Int Int))(declare-const f (_ FloatingPoint 3 4))(declare-const b (_ BitVec 4))\
            (assert {assertion})(check-sat)"
        );
        let script = smelt_smtlib::parse(text.as_bytes()).unwrap();
        assert_eq!(leaves_open(&script, &script.queries()[0]), expect, "{assertion}");
    }

    #[test]
    fn what_the_standard_leaves_open() {
        check("(= x (+ x 1))", false);
        check("(= x (div x 3))", false);
        check("(= x (mod x 0))", true);
        check("(= x (ite (= x 0) 5 (mod 7 x)))", false);
        check("(= x (div x 3 x))", true);
        check("(= r (/ r 2.5))", false);
        check("(= r (/ 1.0 r))", true);
        check("(= x (half x))", false);
        check("(= x (part x))", true);
        check("(= b (bvudiv b b))", false);
        check("(= f (fp.min f f))", false);
        check("(= f (fp.min f (fp.neg f)))", true);
        check("(= x (first p))", false);
        check("(= x (head l))", true);
        check("(forall ((y Int)) (= y (mod x y)))", true);
        // Functions and operators as values.
        check("(= m ((_ map part) m))", true);
        check("(= m ((_ map half) m))", false);
        check("(= m (_ as-array part))", true);
        check("(= m ((_ map div) m m))", true);
        check("(= m ((_ map (+ (Int Int) Int)) m m))", false);
    }
}
