//! Formulas that are injected: over the seed's own symbols, in the seed's logic.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use smelt_case::OpSet;
use smelt_smtlib::{Arena, Command, Fragment, Head, Op, Script, Sort, SortKind, Term};

use crate::term_source::Pool;

/// Snippets of one chain.
const WANTED: usize = 40;

/// Random snippets that leave the logic of the script what it is. The script has its declarations and assertions.
pub(super) fn snippets(
    script: &mut Script,
    pool: &mut Pool,
    ops: &OpSet,
    random: &mut ChaCha8Rng,
) -> Vec<Term> {
    let own = Fragment::of(script);
    let sorts = sorts(script);
    let mut out: Vec<Term> = Vec::new();
    if sorts.is_empty() {
        return out;
    }
    for _ in 0..2 * WANTED {
        if out.len() == WANTED {
            break;
        }
        let Some(t) = formula(&mut script.arena, &sorts, pool, ops, random) else { continue };
        script.commands.push(Command::Assert(t));
        let stays = Fragment::of(script) == own;
        script.commands.pop();
        if stays && !out.contains(&t) {
            out.push(t);
        }
    }
    out
}

/// Sorts of the constants and closed terms of a script that can be compared.
fn sorts(script: &Script) -> Vec<Sort> {
    let a = &script.arena;
    let mut out: Vec<Sort> = Vec::new();
    for t in a.dag(&script.roots()) {
        let sort = a.sort(t);
        let comparable = !matches!(a.sort_kind(sort), SortKind::RegLan | SortKind::Fun(..));
        let free = matches!(a.head(t), Head::Fun(_)) && a.is_closed(t);
        if comparable && free && !out.contains(&sort) {
            out.push(sort);
        }
    }
    out
}

fn pick<T: Copy>(list: &[T], random: &mut ChaCha8Rng) -> Option<T> {
    (!list.is_empty()).then(|| list[random.random_range(0..list.len())])
}

fn formula(
    a: &mut Arena,
    sorts: &[Sort],
    pool: &mut Pool,
    ops: &OpSet,
    random: &mut ChaCha8Rng,
) -> Option<Term> {
    let one = atom(a, sorts, pool, ops, random)?;
    let op = pick(
        &[None, Some(Op::Not), Some(Op::And), Some(Op::Or), Some(Op::Implies), Some(Op::Xor)],
        random,
    )?;
    match op {
        None => Some(one),
        Some(Op::Not) => a.app(Op::Not, &[], &[one]).ok(),
        Some(op) => {
            let two = atom(a, sorts, pool, ops, random)?;
            a.app(op, &[], &[one, two]).ok()
        }
    }
}

fn atom(
    a: &mut Arena,
    sorts: &[Sort],
    pool: &mut Pool,
    ops: &OpSet,
    random: &mut ChaCha8Rng,
) -> Option<Term> {
    let sort = pick(sorts, random)?;
    let own: &[Op] = match a.sort_kind(sort) {
        SortKind::Bool => &[Op::Eq, Op::Xor],
        SortKind::Int | SortKind::Real => &[Op::Lt, Op::Le, Op::Gt, Op::Ge, Op::Eq, Op::Distinct],
        SortKind::BitVec(_) => &[
            Op::BvUlt,
            Op::BvUle,
            Op::BvUgt,
            Op::BvUge,
            Op::BvSlt,
            Op::BvSle,
            Op::BvSgt,
            Op::BvSge,
            Op::Eq,
            Op::Distinct,
        ],
        SortKind::Float(..) => &[Op::FpLt, Op::FpLeq, Op::FpGt, Op::FpGeq, Op::FpEq, Op::Eq],
        SortKind::String => &[
            Op::StrLt,
            Op::StrLe,
            Op::StrPrefixOf,
            Op::StrSuffixOf,
            Op::StrContains,
            Op::Eq,
            Op::Distinct,
        ],
        _ => &[Op::Eq, Op::Distinct],
    };
    let op = pick(own, random).filter(|&op| ops.contains(op))?;
    let (one, two) = (term(a, sort, pool, ops, random)?, term(a, sort, pool, ops, random)?);
    if one == two {
        return None;
    }
    a.app(op, &[], &[one, two]).ok()
}

fn term(
    a: &mut Arena,
    sort: Sort,
    pool: &mut Pool,
    ops: &OpSet,
    random: &mut ChaCha8Rng,
) -> Option<Term> {
    let one = pick(pool.closed(sort), random);
    let constant = pool.constant(a, sort, random);
    let first = one.or(constant)?;
    let second = match random.random_range(0..3) {
        0 => constant.or(one)?,
        _ => pick(pool.closed(sort), random).or(constant)?,
    };
    let own: &[Op] = match a.sort_kind(sort) {
        SortKind::Int | SortKind::Real => &[Op::Add, Op::Sub, Op::Mul],
        SortKind::BitVec(_) => &[Op::BvAdd, Op::BvSub, Op::BvAnd, Op::BvOr, Op::BvXor, Op::BvMul],
        SortKind::String => &[Op::StrConcat],
        SortKind::Float(..) => &[Op::FpAdd, Op::FpSub],
        _ => &[],
    };
    // A plain symbol or constant is as good as an application.
    let Some(op) = pick(own, random).filter(|&op| ops.contains(op) && random.random_bool(0.6))
    else {
        return Some(first);
    };
    if matches!(op, Op::FpAdd | Op::FpSub) {
        let mode = a.app(Op::Rne, &[], &[]).ok()?;
        return a.app(op, &[], &[mode, first, second]).ok();
    }
    // Products that are not by a constant are refused later where the logic is linear; this way round they are not.
    if op == Op::Mul
        && let Some(c) = constant
        && random.random_bool(0.5)
    {
        return a.app(op, &[], &[c, first]).ok();
    }
    a.app(op, &[], &[first, second]).ok()
}
