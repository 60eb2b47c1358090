//! Operators of any number of arguments with fewer of them; operators that others can stand for.

use smelt_smtlib::op::Assoc;
use smelt_smtlib::{Command, Head, Op, Term};

use super::terms::by_size;
use crate::edit::{Edit, without};
use crate::subject::Subject;

/// Each part of an assertion that is a conjunction: what is left still has the models that the whole has.
pub fn asserted(s: &mut Subject) -> Vec<Edit> {
    let a = &s.script.arena;
    let mut out = Vec::new();
    for c in &s.script.commands {
        let Command::Assert(root) = c else { continue };
        let mut todo = vec![*root];
        while let Some(t) = todo.pop() {
            if let Head::Op(Op::And, _) = a.head(t) {
                out.extend((0..a.args(t).len()).map(|i| Edit::argument(t, i)));
                todo.extend(a.args(t));
            }
        }
    }
    out
}

/// Each argument of each `and` and `or`: of the largest terms first.
pub fn conjuncts(s: &mut Subject) -> Vec<Edit> {
    fewer(s, |op| matches!(op, Op::And | Op::Or))
}

/// Each argument of each operator that takes any number of them.
pub fn any(s: &mut Subject) -> Vec<Edit> {
    fewer(s, |op| !matches!(op, Op::And | Op::Or))
}

fn fewer(s: &mut Subject, wanted: fn(Op) -> bool) -> Vec<Edit> {
    let mut out = Vec::new();
    for t in by_size(&s.script) {
        let a = &mut s.script.arena;
        let Head::Op(op, _) = a.head(t) else { continue };
        let any_number = op.info().assoc != Assoc::Fixed || op.info().special.is_some();
        if !wanted(op) || !any_number || a.args(t).len() < 2 {
            continue;
        }
        for i in 0..a.args(t).len() {
            if without(a, t, &[i]).is_some() {
                out.push(Edit::argument(t, i));
            }
        }
    }
    out
}

/// Each operator of any number of arguments that has itself as an argument: that one's arguments in its place.
pub fn flat(s: &mut Subject) -> Vec<Edit> {
    let mut out = Vec::new();
    for t in by_size(&s.script) {
        let a = &mut s.script.arena;
        let Head::Op(op, idx) = a.head(t) else { continue };
        let one_sort = a.args(t).iter().all(|&x| a.sort(x) == a.sort(t));
        let nests = matches!(op.info().assoc, Assoc::Left | Assoc::Right);
        if !nests || !one_sort || !a.indices(idx).is_empty() {
            continue;
        }
        let is_same =
            |a: &smelt_smtlib::Arena, x: Term| matches!(a.head(x), Head::Op(o, _) if o == op);
        let args: Vec<Term> = a.args(t).to_vec();
        let flat: Vec<Term> = args
            .iter()
            .flat_map(|&x| if is_same(a, x) { a.args(x).to_vec() } else { vec![x] })
            .collect();
        if flat.len() > args.len() {
            out.extend(a.app(op, &[], &flat).ok().map(|new| Edit::replace(t, new)));
        }
    }
    out
}

/// Operators by simpler ones of the same arguments.
pub fn simpler(s: &mut Subject) -> Vec<Edit> {
    let mut out = Vec::new();
    for t in by_size(&s.script) {
        let a = &mut s.script.arena;
        let Head::Op(op, _) = a.head(t) else { continue };
        let args: Vec<Term> = a.args(t).to_vec();
        let mut made: Vec<Term> = Vec::new();
        let mut put = |a: &mut smelt_smtlib::Arena, op: Op, args: &[Term]| {
            made.extend(a.app(op, &[], args).ok())
        };
        match (op, &args[..]) {
            (Op::Implies, &[x, y]) => {
                put(a, Op::Or, &[x, y]);
                put(a, Op::Not, &[x]);
            }
            (Op::Xor, &[x, y]) => put(a, Op::Or, &[x, y]),
            (Op::Distinct, &[x, y]) => {
                put(a, Op::Xor, &[x, y]);
                put(a, Op::Eq, &[x, y]);
            }
            (Op::Ite, &[c, x, y]) if a.sort(t) == smelt_smtlib::Sort::BOOL => {
                put(a, Op::And, &[c, x]);
                put(a, Op::Or, &[c, y]);
            }
            (Op::Le | Op::Ge | Op::Lt | Op::Gt, &[x, y]) => {
                put(a, Op::Eq, &[x, y]);
                match op {
                    Op::Le => put(a, Op::Lt, &[x, y]),
                    Op::Ge => put(a, Op::Gt, &[x, y]),
                    _ => {}
                }
            }
            (Op::BvNand, &[x, y]) => put(a, Op::BvAnd, &[x, y]),
            (Op::BvNor | Op::BvXnor, &[x, y]) => put(a, Op::BvOr, &[x, y]),
            (Op::StrReplaceAll, &[x, y, z]) => put(a, Op::StrReplace, &[x, y, z]),
            (Op::StrReplaceReAll, &[x, y, z]) => put(a, Op::StrReplaceRe, &[x, y, z]),
            (Op::SeqReplaceAll, &[x, y, z]) => put(a, Op::SeqReplace, &[x, y, z]),
            (Op::FpFma, &[m, x, y, _]) => put(a, Op::FpMul, &[m, x, y]),
            (Op::FpSub | Op::FpDiv | Op::FpMul, &[m, x, y]) => put(a, Op::FpAdd, &[m, x, y]),
            _ => {}
        }
        let sort = a.sort(t);
        out.extend(made.into_iter().filter(|&n| a.sort(n) == sort).map(|n| Edit::replace(t, n)));
    }
    out
}
