//! Edits that make a script larger, for when nothing makes it smaller: a bounded number of them is tried, each reduced on its own.

use smelt_smtlib::op::Assoc;
use smelt_smtlib::{Command, FunKind, Head, Op, Sort, Term};

use super::functions::inlined;
use super::terms::by_size;
use crate::edit::Edit;
use crate::subject::Subject;

/// Each definition put in where it is used.
pub fn inline(s: &mut Subject) -> Vec<Edit> {
    let defined = s.script.commands.iter().filter_map(|c| match c {
        Command::DefineFun(f) if s.script.arena.fun(*f).kind == FunKind::Defined => Some(*f),
        _ => None,
    });
    defined.collect::<Vec<_>>().into_iter().filter_map(|f| inlined(s, f)).collect()
}

/// Each Boolean `ite` as a conjunction of two implications.
pub fn split_ite(s: &mut Subject) -> Vec<Edit> {
    let mut out = Vec::new();
    for t in by_size(&s.script) {
        let a = &mut s.script.arena;
        if let (Head::Op(Op::Ite, _), &[c, x, y], Sort::BOOL) = (a.head(t), a.args(t), a.sort(t)) {
            let mut build = || {
                let not = a.app(Op::Not, &[], &[c]).ok()?;
                let (then, other) = (
                    a.app(Op::Implies, &[], &[c, x]).ok()?,
                    a.app(Op::Implies, &[], &[not, y]).ok()?,
                );
                a.app(Op::And, &[], &[then, other]).ok()
            };
            out.extend(build().map(|new| Edit::replace(t, new)));
        }
    }
    out
}

/// Each chain of comparisons, and each `distinct` of several terms, as a conjunction.
pub fn expand_chain(s: &mut Subject) -> Vec<Edit> {
    let mut out = Vec::new();
    for t in by_size(&s.script) {
        let a = &mut s.script.arena;
        let Head::Op(op, _) = a.head(t) else { continue };
        let args: Vec<Term> = a.args(t).to_vec();
        if args.len() < 3 || args.len() > 6 {
            continue;
        }
        let pairs: Vec<[Term; 2]> = match op.info().assoc {
            Assoc::Chain => args.windows(2).map(|w| [w[0], w[1]]).collect(),
            Assoc::Pairwise => (0..args.len())
                .flat_map(|j| (0..j).map(move |i| (i, j)))
                .map(|(i, j)| [args[i], args[j]])
                .collect(),
            _ => continue,
        };
        let parts: Vec<Term> = pairs.iter().filter_map(|p| a.app(op, &[], p).ok()).collect();
        out.extend(a.app(Op::And, &[], &parts).ok().map(|new| Edit::replace(t, new)));
    }
    out
}
