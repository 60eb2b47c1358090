//! Is a residual false whatever the unknown terms are? Or which values make it true?
//!
//! Facts that must hold are put in (`(= u 3)`, `p`), bounds of numbers decide other comparisons, and what is still open is split:
//! first on Boolean parts, then on the values of finite sorts. Values that are found are a guess, to be judged by who uses
//! them; that there are none is proved.

use rustc_hash::{FxHashMap, FxHashSet};
use smelt_smtlib::{Head, Op, Sort, Term};
use std::sync::Arc;

use super::bounds::{Bounds, isolated};
use super::floats::Floats;
use super::fold::Fold;
use crate::domain::Domains;
use crate::rat::Rat;
use crate::value::Value;

/// How many cases are looked at.
const MAX_CASES: usize = 400;
/// Terms that all cases together may enter.
const MAX_STEPS: u64 = 200_000;
/// More distinct terms than this are not searched.
const MAX_PARTS: usize = 3000;
/// Values of a finite sort that are tried.
const MAX_VALUES: u64 = 64;

/// What a search found.
pub(super) enum Found {
    /// No values satisfy all constraints.
    Nothing,
    /// These may: unknown terms with terms of values.
    Values(Vec<(Term, Term)>),
    /// It was given up.
    Unknown,
}

/// The parts of a folded conjunction.
pub(super) fn conjuncts(fold: &Fold, t: Term) -> Vec<Term> {
    match fold.a.head(t) {
        Head::Op(Op::And, _) => fold.a.args(t).to_vec(),
        _ => vec![t],
    }
}

/// One case.
#[derive(Clone, Default)]
struct Case {
    /// Unknown terms that are worth others: values, or unknown terms that are no keys here.
    values: FxHashMap<Term, Term>,
    /// Literals that hold: what they say beyond `values` is not put in elsewhere, but for their own truth.
    facts: Vec<Term>,
    /// What must hold, too.
    constraints: Vec<Term>,
    /// Bounds of unknown numbers by the facts.
    bounds: FxHashMap<Term, Bounds>,
    /// Where floating-point terms are by the facts.
    floats: Floats,
}

/// What becomes of a case.
enum Next {
    Contradiction,
    Split(Vec<Case>),
    /// Nothing contradicts it, and nothing is left to split.
    Leaf(Case),
}

/// Looks for values of unknown terms that satisfy all constraints.
pub(super) fn search(fold: &mut Fold, constraints: Vec<Term>) -> Found {
    if fold.parts(&constraints).len() > MAX_PARTS {
        return Found::Unknown;
    }
    let rest = fold.lend(MAX_STEPS);
    let mut cases = vec![Case { constraints, ..Case::default() }];
    let mut left = MAX_CASES;
    let mut found = Found::Nothing;
    while let Some(case) = cases.pop() {
        left -= 1;
        match work(fold, case) {
            Some(Next::Contradiction) => {}
            Some(Next::Split(more)) if cases.len() + more.len() <= left => cases.extend(more),
            Some(Next::Leaf(case)) => {
                found = Found::Values(values(fold, &case));
                break;
            }
            _ => {
                found = Found::Unknown;
                break;
            }
        }
    }
    fold.assume(&FxHashMap::default());
    fold.take_ranges();
    fold.give_back(rest);
    found
}

/// Works on a case until nothing more follows; `None` if a bound is reached.
fn work(fold: &mut Fold, mut case: Case) -> Option<Next> {
    loop {
        fold.assume(&case.values);
        let facts = std::mem::take(&mut case.facts);
        let Some((facts, mut others)) = refolded(fold, facts)? else {
            return Some(Next::Contradiction);
        };
        case.facts = facts;
        case.constraints.append(&mut others);
        match learn(fold, &mut case) {
            Learned::Contradiction => return Some(Next::Contradiction),
            Learned::Values => continue,
            Learned::Nothing => {}
        }
        let known = truths(fold, &case);
        fold.assume(&known);
        let constraints = std::mem::take(&mut case.constraints);
        let Some((mut facts, others)) = refolded(fold, constraints)? else {
            return Some(Next::Contradiction);
        };
        let more = !facts.is_empty();
        case.facts.append(&mut facts);
        case.constraints = others;
        if !more {
            return Some(split(fold, case));
        }
    }
}

/// Literals and other terms.
type Sorted = (Vec<Term>, Vec<Term>);

/// Terms under the present assumptions: literals and others, without those that are true, with ranges of open values that are met;
/// `Some(None)` if one of them is false, `None` if a bound is reached.
fn refolded(fold: &mut Fold, mut todo: Vec<Term>) -> Option<Option<Sorted>> {
    let (mut literals, mut others) = (Vec::new(), Vec::new());
    while let Some(t) = todo.pop() {
        let t = fold.fold(t).ok()?;
        todo.extend(fold.take_ranges());
        for t in conjuncts(fold, t) {
            match fold.truth(t) {
                Some(true) => {}
                Some(false) => return Some(None),
                None if is_literal(fold, t) => literals.push(t),
                None => others.push(t),
            }
        }
    }
    for list in [&mut literals, &mut others] {
        list.sort_unstable();
        list.dedup();
    }
    Some(Some((literals, others)))
}

fn is_connective(fold: &Fold, t: Term) -> bool {
    match fold.a.head(t) {
        Head::Op(Op::And | Op::Or | Op::Not | Op::Implies | Op::Xor, _) => true,
        Head::Op(Op::Ite | Op::Eq | Op::Distinct, _) => {
            fold.a.args(t).last().is_some_and(|&x| fold.a.sort(x) == Sort::BOOL)
        }
        _ => false,
    }
}

fn is_literal(fold: &Fold, t: Term) -> bool {
    !is_connective(fold, atom(fold, t).0)
}

/// A literal without its negation, and whether it has none.
pub(super) fn atom(fold: &Fold, literal: Term) -> (Term, bool) {
    match fold.a.head(literal) {
        Head::Op(Op::Not, _) => (fold.a.args(literal)[0], false),
        _ => (literal, true),
    }
}

enum Learned {
    Contradiction,
    /// The value of an unknown term.
    Values,
    Nothing,
}

/// Takes values out of the facts, and bounds.
fn learn(fold: &mut Fold, case: &mut Case) -> Learned {
    for i in 0..case.facts.len() {
        let (t, holds) = atom(fold, case.facts[i]);
        if fold.is_unknown(t) {
            let value = fold.a.mk_bool(holds);
            set(case, t, value);
            return Learned::Values;
        }
        if let (Head::Op(Op::Eq, _), &[x, y], true) = (fold.a.head(t), fold.a.args(t), holds)
            && fold.is_unknown(x)
            && (fold.value(y).is_some() || fold.is_unknown(y))
        {
            set(case, x, y);
            return Learned::Values;
        }
    }
    case.bounds.clear();
    for i in 0..case.facts.len() {
        if let Some((u, bound)) = isolated(fold, case.facts[i]) {
            let whole = fold.a.sort(u) == Sort::INT;
            let bounds = case.bounds.entry(u).or_default();
            bounds.add(&bound, whole);
            if bounds.is_empty() {
                return Learned::Contradiction;
            }
            let sort = fold.a.sort(u);
            if let Some(x) = bounds.only()
                && let Some(t) = fold.value_term(&number(&x, sort), sort)
            {
                set(case, u, t);
                return Learned::Values;
            }
        }
    }
    let Some(floats) = Floats::of(fold, &case.facts, &case.constraints) else {
        return Learned::Contradiction;
    };
    for (u, value) in floats.only(fold) {
        if let Some(t) = fold.value_term(&value, fold.a.sort(u)) {
            set(case, u, t);
            return Learned::Values;
        }
    }
    case.floats = floats;
    Learned::Nothing
}

/// Puts a term in for an unknown one.
fn set(case: &mut Case, unknown: Term, by: Term) {
    for v in case.values.values_mut().filter(|v| **v == unknown) {
        *v = by;
    }
    case.values.insert(unknown, by);
}

fn number(x: &Rat, sort: Sort) -> Value {
    if sort == Sort::INT { Value::Int(x.floor()) } else { Value::Real(x.clone()) }
}

/// What is known to be worth something: unknown terms, the atoms of facts, and comparisons that bounds decide.
fn truths(fold: &mut Fold, case: &Case) -> FxHashMap<Term, Term> {
    let mut known = case.values.clone();
    for t in fold.parts(&case.constraints) {
        if fold.a.sort(t) == Sort::BOOL
            && let Some((u, bound)) = isolated(fold, t)
            && let Some(bounds) = case.bounds.get(&u)
            && let Some(holds) = bounds.decide(&bound, fold.a.sort(u) == Sort::INT)
        {
            let value = fold.a.mk_bool(holds);
            known.insert(t, value);
        } else if let Some(holds) = case.floats.decide(fold, t) {
            let value = fold.a.mk_bool(holds);
            known.insert(t, value);
        }
    }
    for &fact in &case.facts {
        let not = fold.not(fact);
        let (yes, no) = (fold.a.mk_bool(true), fold.a.mk_bool(false));
        known.insert(fact, yes);
        known.insert(not, no);
    }
    known
}

/// The cases of a Boolean part, or of the values of an unknown.
fn split(fold: &mut Fold, case: Case) -> Next {
    let roots: Vec<Term> = case.constraints.iter().chain(&case.facts).copied().collect();
    let parts = fold.parts(&roots);
    let stated: FxHashSet<Term> = case.facts.iter().map(|&f| atom(fold, f).0).collect();
    let undecided = parts.iter().copied().find(|&t| {
        fold.a.sort(t) == Sort::BOOL
            && !is_connective(fold, t)
            && fold.truth(t).is_none()
            && !stated.contains(&t)
    });
    if let Some(t) = undecided {
        let not = fold.not(t);
        let with = |t: Term| Case { facts: [&case.facts[..], &[t]].concat(), ..case.clone() };
        return Next::Split(vec![with(not), with(t)]);
    }
    let mut domains = Domains::of_model(&fold.model);
    let mut least: Option<(Term, Arc<[Value]>)> = None;
    for t in parts {
        if fold.is_unknown(t)
            && let Some(all) = domains.all(&fold.a, fold.a.sort(t), MAX_VALUES)
            && least.as_ref().is_none_or(|(_, least)| all.len() < least.len())
        {
            least = Some((t, all));
        }
    }
    let Some((u, all)) = least else { return Next::Leaf(case) };
    let sort = fold.a.sort(u);
    let terms: Option<Vec<Term>> = all.iter().map(|v| fold.value_term(v, sort)).collect();
    let Some(terms) = terms else { return Next::Leaf(case) };
    let with = |v: Term| {
        let mut one = case.clone();
        set(&mut one, u, v);
        one
    };
    Next::Split(terms.into_iter().map(with).collect())
}

/// Values of the unknowns of a case: those that are assumed, and others that respect the bounds.
fn values(fold: &mut Fold, case: &Case) -> Vec<(Term, Term)> {
    let mut chosen: FxHashMap<Term, Term> = FxHashMap::default();
    for (&u, bounds) in &case.bounds {
        let sort = fold.a.sort(u);
        if let Some(x) = bounds.some(sort == Sort::INT)
            && let Some(t) = fold.value_term(&number(&x, sort), sort)
        {
            chosen.insert(u, t);
        }
    }
    let mut domains = Domains::of_model(&fold.model);
    let mut out: Vec<(Term, Term)> = Vec::new();
    for (&u, &v) in &case.values {
        let mut v = chosen.get(&v).copied().unwrap_or(v);
        if fold.value(v).is_none() {
            // Another unknown, which may be anything.
            let sort = fold.a.sort(v);
            let Some(plain) = domains.plain(&fold.a, sort) else { continue };
            let Some(t) = fold.value_term(&plain, sort) else { continue };
            chosen.insert(v, t);
            v = t;
        }
        out.push((u, v));
    }
    out.extend(chosen);
    out.sort_unstable();
    out
}
