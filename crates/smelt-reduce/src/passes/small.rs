//! The smallest constants of a sort.

use dashu_int::UBig;
use smelt_smtlib::invert::field_sorts;
use smelt_smtlib::sort::SortDeclKind;
use smelt_smtlib::{Arena, Literal, Op, Sort, SortKind, Term};

/// Small constants of a sort, the smallest first; none for sorts without constants.
pub fn small(a: &mut Arena, sort: Sort) -> Vec<Term> {
    nested(a, sort, 3)
}

fn nested(a: &mut Arena, sort: Sort, depth: u32) -> Vec<Term> {
    match a.sort_kind(sort).clone() {
        SortKind::Bool => vec![a.mk_bool(true), a.mk_bool(false)],
        SortKind::Int => [0u32, 1].map(|n| a.mk_int(n)).into(),
        SortKind::Real => [0u32, 1].map(|n| real(a, n)).into(),
        SortKind::String => {
            let empty = a.mk_literal(Literal::Str([].into()));
            let letter = a.mk_literal(Literal::Str([u32::from('a')].into()));
            vec![empty, letter]
        }
        SortKind::RoundingMode => [Op::Rne, Op::Rtz, Op::Rtp, Op::Rtn, Op::Rna]
            .into_iter()
            .filter_map(|op| a.app(op, &[], &[]).ok())
            .collect(),
        SortKind::RegLan => [Op::ReNone, Op::ReAll, Op::ReAllChar]
            .into_iter()
            .filter_map(|op| a.app(op, &[], &[]).ok())
            .collect(),
        SortKind::BitVec(w) => {
            let mut bits = |value: UBig| a.mk_literal(Literal::Bits { width: w, value });
            let ones = (UBig::ONE << w as usize) - UBig::ONE;
            let mut out = vec![bits(UBig::ZERO), bits(UBig::ONE), bits(ones)];
            out.dedup();
            out
        }
        SortKind::Float(e, m) => {
            let ops = [Op::FpPlusZero, Op::FpNan, Op::FpPlusInf, Op::FpMinusZero];
            ops.into_iter().filter_map(|op| a.app(op, &[e, m], &[]).ok()).collect()
        }
        SortKind::FiniteField(order) => [UBig::ZERO, UBig::ONE]
            .map(|value| a.mk_literal(Literal::Field { order: order.clone(), value }))
            .into(),
        SortKind::Seq(_) => a.app_as(Op::SeqEmpty, &[], sort).into_iter().collect(),
        SortKind::Set(_) => a.app_as(Op::SetEmpty, &[], sort).into_iter().collect(),
        SortKind::Bag(_) => a.app_as(Op::BagEmpty, &[], sort).into_iter().collect(),
        SortKind::Nullable(_) => a.app_as(Op::NullableNull, &[], sort).into_iter().collect(),
        SortKind::Array(_, e) if depth > 0 => {
            let element = nested(a, e, depth - 1).into_iter().next();
            element.and_then(|e| a.app_as(Op::ConstArray, &[e], sort).ok()).into_iter().collect()
        }
        SortKind::Tuple(parts) if parts.is_empty() => {
            a.app(Op::TupleUnit, &[], &[]).into_iter().collect()
        }
        SortKind::Tuple(parts) if depth > 0 => {
            let parts: Option<Vec<Term>> =
                parts.iter().map(|&p| nested(a, p, depth - 1).into_iter().next()).collect();
            parts.and_then(|p| a.app(Op::TupleMake, &[], &p).ok()).into_iter().collect()
        }
        SortKind::Named(d, _) => datatype(a, d, sort, depth),
        _ => Vec::new(),
    }
}

/// The constructors of a datatype on small arguments, those with the fewest first.
fn datatype(a: &mut Arena, d: smelt_smtlib::SortDecl, sort: Sort, depth: u32) -> Vec<Term> {
    let SortDeclKind::Datatype { constructors, .. } = a.sort_decl(d).kind.clone() else {
        return Vec::new();
    };
    let mut all = constructors;
    all.sort_by_key(|&c| a.fun(c).args.len());
    let mut out = Vec::new();
    for c in all {
        let Some(fields) = field_sorts(a, c, sort) else { continue };
        if !fields.is_empty() && depth == 0 {
            continue;
        }
        let args: Option<Vec<Term>> =
            fields.iter().map(|&f| nested(a, f, depth - 1).into_iter().next()).collect();
        out.extend(args.and_then(|args| a.apply_fun(c, &args, Some(sort)).ok()));
    }
    out
}

pub fn real(a: &mut Arena, n: u32) -> Term {
    a.mk_literal(Literal::Real { digits: n.into(), scale: 0 })
}
