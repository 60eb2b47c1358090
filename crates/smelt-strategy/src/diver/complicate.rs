//! Fresh constants instead of leaves of a new term.

use std::sync::Arc;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use smelt_case::OpSet;
use smelt_eval::incremental::Incremental;
use smelt_smtlib::occurrence::Path;
use smelt_smtlib::{Arena, Head, Op, SortKind, Term};

use super::Accepted;
use super::abs::Abs;
use super::rules::Known;
use crate::accepted::open_arguments;
use crate::frame::fresh_constant;

/// Leaves of a new term that are looked at.
const MAX_LEAVES: usize = 40;

/// Replaces one or two leaves of `new` (at `path` of the accepted assertion) by fresh constants, each with the restriction
/// of its place. A leaf whose set cannot be written, or does not hold its present value, stays.
#[expect(clippy::too_many_arguments, reason = "the state of one step")]
pub(super) fn complicate(
    a: &mut Arena,
    values: &mut Incremental,
    path: &Path,
    new: Term,
    abs: &Arc<Abs>,
    allowed: &OpSet,
    accepted: &mut Accepted,
    random: &mut ChaCha8Rng,
) {
    for _ in 0..random.random_range(1..=2) {
        // After one replacement the term is another: look again.
        let Some(now) = a.at_path(accepted.root, path) else { return };
        debug_assert!(accepted.fresh.is_empty() == (now == new));
        let mut leaves = leaves(a, values, now, abs);
        leaves.retain(|(_, leaf, _)| !is_fresh(a, *leaf, accepted));
        if leaves.is_empty() {
            return;
        }
        let (below, leaf, set) = leaves.swap_remove(random.random_range(0..leaves.len()));
        let Ok(value) = values.eval(a, leaf) else { return };
        let mark = a.mark();
        let sort = a.sort(leaf);
        let f = fresh_constant(a, "smelt!n", sort);
        let fresh = a.mk_fun(f);
        values.extend(f, value);
        let whole: Path = path.iter().chain(&below).copied().collect();
        let restriction = set.formula(a, values, fresh);
        let root = a.replace_at(accepted.root, &whole, fresh);
        if let (Some(restriction), Some(root)) = (restriction, root)
            && super::within(a, restriction, allowed)
            && values.holds(a, restriction) == Some(true)
            && values.holds(a, root) == Some(true)
        {
            accepted.root = root;
            accepted.fresh.push(f);
            if !matches!(a.head(restriction), Head::Op(Op::True, _)) {
                accepted.extra.push(restriction);
            }
        } else {
            values.rollback(a, mark);
            values.withdraw(f);
        }
    }
}

fn is_fresh(a: &Arena, leaf: Term, accepted: &Accepted) -> bool {
    matches!(a.head(leaf), Head::Fun(f) if accepted.fresh.contains(&f))
}

/// The leaves of a term with their paths and sets.
fn leaves(
    a: &Arena,
    values: &mut Incremental,
    root: Term,
    abs: &Arc<Abs>,
) -> Vec<(Path, Term, Arc<Abs>)> {
    let mut known = Known { a, values };
    let mut out = Vec::new();
    let mut stack = vec![(Path::new(), root, abs.clone())];
    while let Some((path, t, abs)) = stack.pop() {
        let symbol = matches!(a.head(t), Head::Fun(_) | Head::Lit(_));
        if a.args(t).is_empty() {
            let plain = !matches!(a.kind(t), SortKind::RegLan | SortKind::Fun(..));
            if plain && (symbol || matches!(a.head(t), Head::Op(..))) && out.len() < MAX_LEAVES {
                out.push((path, t, abs));
            }
            continue;
        }
        if !matches!(a.head(t), Head::Op(..) | Head::Fun(_)) {
            continue;
        }
        for (i, &arg) in open_arguments(a, t).iter().enumerate() {
            if let Some(set) = known.argument(t, i, &abs) {
                let mut below = path.clone();
                below.push(i as u32);
                stack.push((below, arg, set));
            }
        }
    }
    out
}
