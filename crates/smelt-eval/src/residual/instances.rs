//! Instances of what holds for all values: enough of them to contradict something, never all.

use smelt_smtlib::subst::Substitution;
use smelt_smtlib::{Binder, Head, Op, Sort, SortKind, Term, VarList};

use super::fold::Fold;
use crate::bv::Bv;
use crate::fp::{Format, Fp, RoundingMode};
use crate::int::Int;
use crate::rat::Rat;
use crate::value::Value;

/// Instances of one quantifier.
const MAX_INSTANCES: usize = 64;
/// Constants of a script that are taken for values of a variable.
const MAX_CONSTANTS: usize = 4;

/// Instances of a conjunct that is a quantifier which holds for all values, at values where operations behave otherwise than elsewhere, and at
/// the unknown constants among some terms. Of sorts that may have few elements there are none.
pub(super) fn instances(fold: &mut Fold, conjunct: Term, terms: &[Term]) -> Vec<Term> {
    let Some((vars, body, holds)) = universal(fold, conjunct) else { return Vec::new() };
    let vars = fold.a.vars(vars).to_vec();
    let mut lists: Vec<Vec<Term>> = Vec::new();
    for &v in &vars {
        let sort = fold.a.var(v).sort;
        let values = special(fold.a.sort_kind(sort));
        if values.is_empty() {
            return Vec::new();
        }
        let mut list: Vec<Term> = constants(fold, terms, sort);
        list.extend(values.iter().filter_map(|v| fold.value_term(v, sort)));
        lists.push(list);
    }
    let rows = lists.iter().try_fold(1usize, |n, l| n.checked_mul(l.len()));
    let mut out = Vec::new();
    for row in 0..rows.unwrap_or(usize::MAX).min(MAX_INSTANCES) {
        let (mut rest, mut map) = (row, Substitution::new());
        for (&v, list) in vars.iter().zip(&lists) {
            map = map.var(v, list[rest % list.len()]);
            rest /= list.len();
        }
        let instance = map.apply(&mut fold.a, body);
        out.push(if holds { instance } else { fold.mk(Op::Not, &[instance], Sort::BOOL) });
    }
    out
}

/// The variables and the body of what holds for all values, or of what holds for none.
fn universal(fold: &Fold, t: Term) -> Option<(VarList, Term, bool)> {
    match (fold.a.head(t), fold.a.args(t)) {
        (Head::Bind(Binder::Forall, vars), &[body]) => Some((vars, body, true)),
        (Head::Op(Op::Not, _), &[inner]) => match (fold.a.head(inner), fold.a.args(inner)) {
            (Head::Bind(Binder::Exists, vars), &[body]) => Some((vars, body, false)),
            _ => None,
        },
        _ => None,
    }
}

/// The first unknown constants of a sort.
fn constants(fold: &mut Fold, terms: &[Term], sort: Sort) -> Vec<Term> {
    let mut all = fold.parts(terms);
    all.retain(|&t| fold.a.sort(t) == sort && fold.a.args(t).is_empty() && fold.is_unknown(t));
    all.truncate(MAX_CONSTANTS);
    all
}

/// Values of a sort that has its elements whatever a model is.
fn special(sort: &SortKind) -> Vec<Value> {
    match *sort {
        SortKind::Bool => vec![Value::Bool(false), Value::Bool(true)],
        SortKind::Int => [0i64, 1, -1].map(|n| Value::Int(Int::from(n))).to_vec(),
        SortKind::Real => [0i64, 1, -1].map(|n| Value::Real(Rat::from(n))).to_vec(),
        SortKind::BitVec(width) => {
            let all = [Bv::zero(width), Bv::ones(width), Bv::min_signed(width)];
            all.into_iter().filter_map(Result::ok).map(Value::Bv).collect()
        }
        SortKind::RoundingMode => RoundingMode::ALL.map(Value::Rm).to_vec(),
        SortKind::Float(eb, sb) => {
            let Ok(format) = Format::new(eb, sb) else { return Vec::new() };
            let both = |f: fn(Format, bool) -> Fp| [f(format, false), f(format, true)];
            let all = [both(Fp::infinity), both(Fp::zero), both(Fp::largest)].concat();
            all.into_iter().chain([Fp::nan(format)]).map(Value::Fp).collect()
        }
        _ => Vec::new(),
    }
}
