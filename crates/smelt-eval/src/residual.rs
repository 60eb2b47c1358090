//! What a model leaves undecided of a check.
//!
//! The residual of a check under a model is its totalised form ([`mod@smelt_smtlib::totalise`]) with the model's values put in and
//! everything known folded. What is left are applications of the functions that stand for open values, and symbols that the
//! model leaves out or whose printed value is not exact. So `(= (/ x y) 3.0)` becomes `(= (open.divide 1.0) 3.0)` where x is 1
//! and y is 0.
//!
//! - It is false whatever is chosen for them: the model is refuted ([`Residual::False`]).
//! - It has a model: together with the first one that is a model of the totalised script ([`OpenResidual::complete`]).
//!
//! What a model says about open values itself may complete it, and never refutes it. Nothing that is left out gets a default
//! before something is refuted.

mod bounds;
mod complete;
mod floats;
mod fold;
mod instances;
mod known;
mod open;
mod reason;
mod search;
mod simplify;
mod stated;
mod unfold;
mod words;

pub use complete::Completed;
pub use open::{OpenResidual, Unknown, UnknownKind};
pub use reason::Reason;

use fold::Fold;
use known::Known;
use search::Found;
use smelt_smtlib::{Query, Script, SortKind, Term};

use crate::beyond::beyond_assertions;
use crate::model::Model;
use crate::outcome::Limits;

/// More unknown terms than this are not given to anybody.
const MAX_UNKNOWNS: usize = 300;
/// Terms that instances of quantifiers may enter.
const INSTANCE_STEPS: u64 = 20_000;
/// More distinct terms than this are not given to anybody.
const MAX_TERMS: usize = 20_000;

/// What is left of a check under a model.
pub enum Residual {
    /// All assertions are true, whatever the open values and the symbols that are left out are.
    True,
    /// The assertions up to this one (counted from 0) are not all true, whatever the open values and the symbols that
    /// are left out are.
    False {
        /// The number of the assertion.
        assertion: usize,
    },
    /// It depends.
    Open(Box<OpenResidual>),
    /// Nothing is known, for this reason.
    Undetermined(Reason),
}

/// The residual of a check of a script under a model that was read for it ([`crate::parse_model_at`]).
///
/// Lists of elements that stand in comments beside the model refute nothing.
pub fn residual(script: &Script, query: &Query, model: &Model, limits: Limits) -> Residual {
    let result = within(script, query, model, limits);
    if !matches!(result, Residual::False { .. }) || !model.is_remarked() {
        return result;
    }
    // The values of arrays depend on how many indices there are.
    let a = &script.arena;
    let mut sorts = (0..a.sort_count()).filter_map(|i| a.sort_at(i));
    let counted = sorts.any(|s| match a.sort_kind(s) {
        SortKind::Array(index, _) => !is_built_in(a.sort_kind(*index)),
        _ => false,
    });
    if counted {
        return Residual::Undetermined(Reason::Remark);
    }
    let mut bare = model.clone();
    bare.forget_universes();
    // Elements that only a comment names need not be there.
    for sort in model.named_elements().keys() {
        bare.set_named_elements(*sort, 1);
    }
    match within(script, query, &bare, limits) {
        sure @ Residual::False { .. } => sure,
        _ => Residual::Undetermined(Reason::Remark),
    }
}

fn is_built_in(sort: &SortKind) -> bool {
    use SortKind::{BitVec, Bool, Float, Int, Real, RoundingMode, String};
    matches!(sort, Bool | Int | Real | RoundingMode | String | BitVec(_) | Float(..))
}

fn within(script: &Script, query: &Query, model: &Model, limits: Limits) -> Residual {
    match folded(script, query, model, limits) {
        Ok(residual) => residual,
        Err(why) => Residual::Undetermined(why),
    }
}

fn folded(
    script: &Script,
    query: &Query,
    model: &Model,
    limits: Limits,
) -> Result<Residual, Reason> {
    let known = Known::of(script, query, model)?;
    let (arena, bare) = (known.total.arena.clone(), known.model.clone());
    let mut fold = Fold::new(arena, bare, known.candidates(), limits);
    // The conjuncts, each with the assertion that it comes from.
    let mut left: Vec<(usize, Term)> = Vec::new();
    for (i, &t) in known.query.assertions.iter().enumerate() {
        let t = fold.fold(t)?;
        match fold.truth(t) {
            Some(true) => {}
            Some(false) => return Ok(Residual::False { assertion: i }),
            None => left.extend(search::conjuncts(&fold, t).into_iter().map(|t| (i, t))),
        }
    }
    let mut seen = rustc_hash::FxHashSet::default();
    left.retain(|(_, t)| seen.insert(*t));
    if left.is_empty() {
        return match beyond_assertions(script, query) {
            None => Ok(Residual::True),
            Some(why) => Err(Reason::Beyond(why)),
        };
    }
    let mut ranges = folded_ranges(&mut fold)?;
    let upto = |left: &[(usize, Term)], ranges: &[Term], last: usize| {
        let some = left.iter().filter(|(i, _)| *i <= last).map(|(_, t)| *t);
        some.chain(ranges.iter().copied()).collect::<Vec<Term>>()
    };
    let mut found = search::search(&mut fold, upto(&left, &ranges, usize::MAX));
    if !matches!(found, Found::Nothing) && instantiate(&mut fold, &mut left) {
        ranges.extend(folded_ranges(&mut fold)?);
        found = search::search(&mut fold, upto(&left, &ranges, usize::MAX));
    }
    if let Found::Nothing = found {
        // The first assertion at which it is known.
        let mut asserted: Vec<usize> = left.iter().map(|(i, _)| *i).collect();
        asserted.dedup();
        let last = asserted.last().copied().unwrap_or(0);
        let refuted = |&&i: &&usize| {
            matches!(search::search(&mut fold, upto(&left, &ranges, i)), Found::Nothing)
        };
        let assertion = asserted.iter().find(refuted).copied().unwrap_or(last);
        return Ok(Residual::False { assertion });
    }
    let terms: Vec<Term> = left.iter().map(|(_, t)| *t).chain(ranges.iter().copied()).collect();
    let parts = fold.parts(&terms);
    if let Some(why) = parts.iter().find_map(|t| fold.opaque.get(t)) {
        return Err(why.clone());
    }
    let unknowns = parts.iter().filter(|&&t| fold.is_unknown(t)).count();
    match unknowns {
        0 => return Err(Reason::Undecided),
        n if n > MAX_UNKNOWNS => return Err(Reason::TooManyUnknowns(n)),
        _ if parts.len() > MAX_TERMS => return Err(Reason::TooLarge),
        _ => {}
    }
    let own = match found {
        Found::Values(values) => values,
        _ => Vec::new(),
    };
    OpenResidual::new(fold, known, model, terms, own, limits)
        .map(|open| Residual::Open(open.into()))
}

/// Adds instances of quantifiers that stay, with the assertions that they come from; says whether there are some.
fn instantiate(fold: &mut Fold, left: &mut Vec<(usize, Term)>) -> bool {
    let before = left.len();
    let terms: Vec<Term> = left.iter().map(|(_, t)| *t).collect();
    let rest = fold.lend(INSTANCE_STEPS);
    'all: for (i, t) in left.clone() {
        for instance in instances::instances(fold, t, &terms) {
            let Ok(instance) = fold.fold(instance) else { break 'all };
            if fold.truth(instance) != Some(true) {
                left.extend(search::conjuncts(fold, instance).into_iter().map(|t| (i, t)));
            }
        }
    }
    left.sort_by_key(|(i, _)| *i);
    fold.give_back(rest);
    left.len() > before
}

/// The conditions on open values, which may lead to further ones.
fn folded_ranges(fold: &mut Fold) -> Result<Vec<Term>, Reason> {
    let mut out: Vec<Term> = Vec::new();
    loop {
        let new = fold.take_ranges();
        if new.is_empty() {
            return Ok(out);
        }
        for t in new {
            let t = fold.fold(t)?;
            if fold.truth(t) != Some(true) && !out.contains(&t) {
                out.push(t);
            }
        }
    }
}
