//! Values as constant terms.

use crate::compound::Tag;
use crate::value::Value;
use smelt_smtlib::invert::field_sorts;
use smelt_smtlib::{Arena, Literal, Op, Sort, SortKind, Term};

/// Parts of a compound value that are written.
const MAX_PARTS: usize = 40;

/// A term of a sort with this value, made of literals and constructors only; `None` for what cannot be written in a
/// script: elements of free sorts, functions, regular languages, irrational numbers.
pub fn value_term(a: &mut Arena, value: &Value, sort: Sort) -> Option<Term> {
    value_term_with(a, value, sort, &mut |_, _, _| None)
}

/// The term of an element of a free sort, by its sort and number.
pub(crate) type ElementTerm<'e> = &'e mut dyn FnMut(&mut Arena, Sort, u32) -> Option<Term>;

/// A term with this value ([`value_term`]), with terms of the caller's for elements of free sorts.
pub(crate) fn value_term_with(
    a: &mut Arena,
    value: &Value,
    sort: Sort,
    element: ElementTerm<'_>,
) -> Option<Term> {
    match value {
        Value::Uninterpreted { id, .. } => element(a, sort, *id),
        Value::Bool(b) => Some(a.mk_bool(*b)),
        Value::Int(n) if sort == Sort::REAL => {
            let t = a.mk_literal(Literal::Real { digits: n.magnitude(), scale: 0 });
            negated(a, t, n.is_negative())
        }
        Value::Int(n) => {
            let t = a.mk_int(n.magnitude());
            negated(a, t, n.is_negative())
        }
        Value::Real(q) => {
            let whole = |n| Literal::Real { digits: n, scale: 0 };
            let (n, d) = (q.numerator(), q.denominator());
            let t = a.mk_literal(whole(n.magnitude()));
            let t = negated(a, t, n.is_negative())?;
            if q.is_int() {
                return Some(t);
            }
            let d = a.mk_literal(whole(d.magnitude()));
            a.app(Op::Div, &[], &[t, d]).ok()
        }
        Value::Bv(v) => Some(a.mk_literal(Literal::Bits { width: v.width(), value: v.to_big() })),
        Value::Fp(x) => {
            let (e, m) = (x.format().eb(), x.format().sb());
            if x.is_nan() {
                return a.app(Op::FpNan, &[e, m], &[]).ok();
            }
            let bits = x.to_bits();
            let mut part = |high: u32, low: u32| {
                let v = bits.extract(high, low)?;
                Some(a.mk_literal(Literal::Bits { width: v.width(), value: v.to_big() }))
            };
            let parts = [part(e + m - 1, e + m - 1)?, part(e + m - 2, m - 1)?, part(m - 2, 0)?];
            a.app(Op::FpMake, &[], &parts).ok()
        }
        Value::Rm(mode) => {
            let modes = [Op::Rne, Op::Rna, Op::Rtp, Op::Rtn, Op::Rtz];
            let op = modes.into_iter().find(|op| op.info().name == mode.name())?;
            a.app(op, &[], &[]).ok()
        }
        Value::Str(s) => Some(a.mk_literal(Literal::Str(s.to_code_points().into()))),
        Value::Ff(x) => {
            let (order, value) = (x.order().clone(), x.value().clone());
            Some(a.mk_literal(Literal::Field { order, value }))
        }
        Value::Array(array) => {
            let SortKind::Array(i, e) = *a.sort_kind(sort) else { return None };
            if array.entries().len() > MAX_PARTS {
                return None;
            }
            let default = value_term_with(a, array.default(), e, element)?;
            let mut t = a.app_as(Op::ConstArray, &[default], sort).ok()?;
            for (x, y) in array.entries() {
                let (x, y) =
                    (value_term_with(a, x, i, element)?, value_term_with(a, y, e, element)?);
                t = a.app(Op::Store, &[], &[t, x, y]).ok()?;
            }
            Some(t)
        }
        Value::Seq(list) => {
            let SortKind::Seq(e) = *a.sort_kind(sort) else { return None };
            joined(a, list.items(), (e, sort), [Op::SeqEmpty, Op::SeqUnit, Op::SeqConcat], element)
        }
        Value::Set(set) => {
            let SortKind::Set(e) = *a.sort_kind(sort) else { return None };
            let items = set.elements().items();
            joined(a, items, (e, sort), [Op::SetEmpty, Op::SetSingleton, Op::SetUnion], element)
        }
        Value::Bag(bag) => {
            let SortKind::Bag(e) = *a.sort_kind(sort) else { return None };
            if bag.entries().len() > MAX_PARTS {
                return None;
            }
            let mut parts = Vec::new();
            for (x, n) in bag.entries() {
                let (x, n) = (value_term_with(a, x, e, element)?, a.mk_int(n.magnitude()));
                parts.push(a.app(Op::BagMake, &[], &[x, n]).ok()?);
            }
            join(a, parts, sort, [Op::BagEmpty, Op::BagUnionDisjoint])
        }
        Value::Data(d) => {
            let items = d.fields().items();
            let sorts: Vec<Sort> = match (d.tag(), a.sort_kind(sort)) {
                (Tag::Constructor(c), _) => field_sorts(a, a.fun_at(c as usize)?, sort)?.to_vec(),
                (Tag::Tuple, SortKind::Tuple(parts)) => parts.to_vec(),
                (Tag::Some, SortKind::Nullable(e)) => vec![*e],
                (Tag::Null, SortKind::Nullable(_)) => Vec::new(),
                _ => return None,
            };
            let mut args = Vec::with_capacity(items.len());
            for (v, s) in items.iter().zip(sorts) {
                args.push(value_term_with(a, v, s, element)?);
            }
            match d.tag() {
                Tag::Constructor(c) => a.apply_fun(a.fun_at(c as usize)?, &args, Some(sort)).ok(),
                Tag::Tuple if args.is_empty() => a.app(Op::TupleUnit, &[], &[]).ok(),
                Tag::Tuple => a.app(Op::TupleMake, &[], &args).ok(),
                Tag::Some => a.app(Op::NullableSome, &[], &args).ok(),
                Tag::Null => a.app_as(Op::NullableNull, &[], sort).ok(),
            }
        }
        _ => None,
    }
}

fn negated(a: &mut Arena, t: Term, negative: bool) -> Option<Term> {
    if negative { a.app(Op::Neg, &[], &[t]).ok() } else { Some(t) }
}

fn joined(
    a: &mut Arena,
    items: &[Value],
    (of, sort): (Sort, Sort),
    [empty, unit, both]: [Op; 3],
    element: ElementTerm<'_>,
) -> Option<Term> {
    if items.len() > MAX_PARTS {
        return None;
    }
    let mut parts = Vec::new();
    for v in items {
        let v = value_term_with(a, v, of, element)?;
        parts.push(a.app(unit, &[], &[v]).ok()?);
    }
    join(a, parts, sort, [empty, both])
}

fn join(a: &mut Arena, parts: Vec<Term>, sort: Sort, [empty, op]: [Op; 2]) -> Option<Term> {
    let mut parts = parts.into_iter();
    let Some(first) = parts.next() else { return a.app_as(empty, &[], sort).ok() };
    parts.try_fold(first, |all, one| a.app(op, &[], &[all, one]).ok())
}

/// Whether [`value_term`] can write a value, as far as its kind says.
pub fn writable(value: &Value) -> bool {
    match value {
        Value::Uninterpreted { .. }
        | Value::Fun(_)
        | Value::Re(_)
        | Value::Closure(_)
        | Value::Algebraic(_)
        | Value::Approx(_)
        | Value::Open(_) => false,
        Value::Array(x) => {
            writable(x.default()) && x.entries().iter().all(|(i, e)| writable(i) && writable(e))
        }
        Value::Seq(x) => x.items().iter().all(writable),
        Value::Set(x) => x.elements().items().iter().all(writable),
        Value::Bag(x) => x.entries().iter().all(|(e, _)| writable(e)),
        Value::Data(x) => x.fields().items().iter().all(writable),
        _ => true,
    }
}
