//! Disagreements that have been settled: bugs of solvers' releases, each with the place where it was shown.

use smelt_smtlib::{Arena, Head, Op, Sort, SortKind, Term};

use super::Opinion;

/// A bug of a judge.
struct Known {
    judge: &'static str,
    why: &'static str,
    /// Whether the smallest term on which the judge stands alone is one that the bug explains.
    explains: fn(&Arena, Term) -> bool,
}

const KNOWN: &[Known] = &[Known {
    judge: "cvc5",
    // `crates/smelt/tests/cli.rs` has the wrong `sat` that follows from it.
    why: "cvc5 takes a constant array of instances of a parametric datatype for different from itself with the same \
          value stored in it",
    explains: |a, t| {
        a.dag(&[t]).into_iter().any(|s| match (a.head(s), a.kind(s)) {
            (Head::Op(Op::ConstArray, _), SortKind::Array(_, element)) => has_instance(a, *element),
            _ => false,
        })
    },
}];

/// Whether an instance of a parametric datatype occurs in a sort.
fn has_instance(a: &Arena, s: Sort) -> bool {
    match a.sort_kind(s) {
        SortKind::Named(_, args) => !args.is_empty(),
        SortKind::Array(i, e) => has_instance(a, *i) || has_instance(a, *e),
        SortKind::Seq(e) | SortKind::Set(e) | SortKind::Bag(e) => has_instance(a, *e),
        _ => false,
    }
}

/// The known bug that explains this: one judge alone differs from all others, and the bug is its.
pub(super) fn known(
    a: &Arena,
    t: Term,
    names: &[&'static str],
    said: &[&Opinion],
) -> Option<&'static str> {
    let values = || names.iter().zip(said).filter_map(|(n, o)| Some((*n, o.value()?)));
    let known = KNOWN.iter().filter(|k| (k.explains)(a, t));
    known
        .filter(|k| {
            let mut others = values().filter(|(n, _)| *n != k.judge).map(|(_, v)| v);
            let first = others.next();
            first.is_some() && others.all(|v| Some(v) == first)
        })
        .map(|k| k.why)
        .next()
}
