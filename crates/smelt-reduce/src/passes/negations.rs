//! Negations pushed to where they cost less: into connectives, quantifiers and comparisons.

use smelt_smtlib::{Arena, Binder, Head, Op, Sort, Term};

use super::terms::by_size;
use crate::edit::Edit;
use crate::subject::Subject;

/// Each negation pushed as far inwards as it goes.
pub fn push(s: &mut Subject) -> Vec<Edit> {
    let mut out = Vec::new();
    for t in by_size(&s.script) {
        let a = &mut s.script.arena;
        if let (Head::Op(Op::Not, _), &[x]) = (a.head(t), a.args(t)) {
            let new = negation(a, x, DEEPEST).filter(|&new| new != t);
            out.extend(new.map(|new| Edit::replace(t, new)));
        }
    }
    out
}

/// How deep a negation is pushed: nothing may recurse on the depth of a term.
const DEEPEST: u32 = 30;

/// The negation of a formula.
fn negation(a: &mut Arena, t: Term, depth: u32) -> Option<Term> {
    let args: Vec<Term> = a.args(t).to_vec();
    let inner = |a: &mut Arena, ts: &[Term]| -> Option<Vec<Term>> {
        ts.iter().map(|&x| negation(a, x, depth - 1)).collect()
    };
    let (op, args) = match (a.head(t), &args[..]) {
        _ if depth == 0 => (Op::Not, vec![t]),
        (Head::Bind(b @ (Binder::Forall | Binder::Exists), vars), &[body]) => {
            let dual = if b == Binder::Forall { Binder::Exists } else { Binder::Forall };
            // Patterns belong to the formula as it was.
            if matches!(a.head(body), Head::Annot(_)) {
                return a.app(Op::Not, &[], &[t]).ok();
            }
            let body = negation(a, body, depth - 1)?;
            return Some(a.mk_binder(dual, vars, &[body]));
        }
        (Head::Op(Op::Not, _), &[x]) => return Some(x),
        (Head::Op(Op::And, _), all) => (Op::Or, inner(a, all)?),
        (Head::Op(Op::Or, _), all) => (Op::And, inner(a, all)?),
        (Head::Op(Op::Implies, _), &[x, y]) => (Op::And, vec![x, negation(a, y, depth - 1)?]),
        // For truth values there is a shorter word.
        (Head::Op(Op::Eq, _), &[x, y]) if a.sort(x) == Sort::BOOL => (Op::Xor, vec![x, y]),
        (Head::Op(Op::Xor, _), &[x, y]) => (Op::Eq, vec![x, y]),
        (Head::Op(op, _), &[x, y]) => match negated(op) {
            Some(other) => (other, vec![x, y]),
            None => (Op::Not, vec![t]),
        },
        _ => (Op::Not, vec![t]),
    };
    a.app(op, &[], &args).ok()
}

/// The comparison that is the negation of another one.
fn negated(op: Op) -> Option<Op> {
    Some(match op {
        Op::Lt => Op::Ge,
        Op::Le => Op::Gt,
        Op::Gt => Op::Le,
        Op::Ge => Op::Lt,
        Op::Distinct => Op::Eq,
        Op::BvUlt => Op::BvUge,
        Op::BvUle => Op::BvUgt,
        Op::BvUgt => Op::BvUle,
        Op::BvUge => Op::BvUlt,
        Op::BvSlt => Op::BvSge,
        Op::BvSle => Op::BvSgt,
        Op::BvSgt => Op::BvSle,
        Op::BvSge => Op::BvSlt,
        _ => return None,
    })
}
