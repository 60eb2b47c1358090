//! Seeds made without any solver: what a given model, all values of a small domain, or the script itself say of them.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Result, bail};
use smelt_case::{Basis, Known, OpSet, Seed, Status, digest};
use smelt_eval::{Evaluator, Model, ModelOptions, Value, brute_force};
use smelt_smtlib::op::Dialect;
use smelt_smtlib::{Head, Op, ParseOptions, Query, Script};
use smelt_strategy::Strategy;
use smelt_trial::opinion::label;

use crate::seeds::{self, Source};

/// A seed of a script. A model that is given must be one of every check.
pub fn seed(source: &Source, model: Option<&Source>) -> Result<Seed> {
    let mut script = source.script(&ParseOptions::default())?;
    let model = match model {
        Some(text) => Some(Arc::new(text.model(&mut script, &ModelOptions::default())?)),
        None => None,
    };
    let queries = script.queries();
    let checks: Vec<Known> = match &model {
        Some(model) if queries.iter().all(|q| is_true(&script, q, model)) => {
            let known =
                Known { status: Status::Sat, basis: Basis::Evaluated, model: Some(model.clone()) };
            vec![known; queries.len()]
        }
        Some(_) => bail!("the model is not known to be one: `smelt eval` says more"),
        None => queries.iter().map(|q| without_model(&script, q)).collect(),
    };
    Ok(Seed::new(source.name.clone(), digest(&source.text), script, checks))
}

fn is_true(script: &Script, query: &Query, model: &Model) -> bool {
    let mut evaluator = Evaluator::default();
    let mut values = query.assertions.iter().map(|&t| evaluator.eval(&script.arena, model, t));
    values.all(|v| v == Ok(Value::TRUE))
}

fn without_model(script: &Script, query: &Query) -> Known {
    let (status, basis) = match brute_force(script, query) {
        Status::Unknown => (label(script, query.command), Basis::Annotated),
        proven => (proven, Basis::Evaluated),
    };
    match status {
        Status::Unknown => Known::default(),
        status => Known { status, basis, model: None },
    }
}

/// The operators that a strategy may bring into a seed where no solver is asked what it takes: those of the standard, of these
/// dialects, and what the seed has itself.
pub fn operators(seed: &Seed, dialects: &[Dialect]) -> OpSet {
    let mut ops = common(dialects);
    ops.unite(&own(seed));
    ops
}

/// The operators of the standard, and of these dialects.
pub fn common(dialects: &[Dialect]) -> OpSet {
    let taken =
        |d: &Dialect| matches!(d, Dialect::Standard | Dialect::Common) || dialects.contains(d);
    Op::all().filter(|op| taken(&op.info().dialect)).collect()
}

/// The operators that a seed has.
pub fn own(seed: &Seed) -> OpSet {
    let mut ops = OpSet::none();
    let a = &seed.script.arena;
    for t in a.dag(&seed.script.roots()) {
        if let Head::Op(op, _) = a.head(t) {
            ops.insert(op);
        }
    }
    ops
}

/// Further seeds for a strategy that wants some: of these files, or spread over the seeds inside smelt, from a place that the
/// seed's text decides.
pub fn partners(strategy: &dyn Strategy, seed: &Seed, files: &[PathBuf]) -> Result<Vec<Seed>> {
    if strategy.partners() == 0 && !files.is_empty() {
        bail!("{} takes no --partner", strategy.name());
    }
    if !files.is_empty() {
        return files.iter().map(|f| self::seed(&seeds::read(f)?, None)).collect();
    }
    let mut out = Vec::new();
    let all = if strategy.partners() > 0 { seeds::embedded() } else { Vec::new() };
    let from = usize::from_str_radix(&seed.hash[..6], 16).unwrap_or(0);
    for k in 0..all.len() {
        if out.len() == strategy.partners() {
            break;
        }
        let other = self::seed(&all[(from + k * 97) % all.len()], None)?;
        if other.hash != seed.hash && strategy.may_partner(seed, &other) {
            out.push(other);
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is known of each check of a script, with a model or without.
    #[test]
    fn what_is_known_without_solvers() {
        let check = |text: &str, model: &str, expect: &[(Status, Basis)]| {
            let source = |text: &str| Source { name: "x".into(), text: text.into() };
            let model = (!model.is_empty()).then(|| source(model));
            let seed = seed(&source(text), model.as_ref()).unwrap();
            let known: Vec<_> = seed.checks.iter().map(|k| (k.status, k.basis.clone())).collect();
            assert_eq!(known, expect, "{text}");
            assert_eq!(seed.checks.iter().all(|k| k.model.is_some()), model.is_some());
        };
        let (sat, unsat) = (Status::Sat, Status::Unsat);
        let int = "(declare-const x Int)(assert (> (* x x) 2))(check-sat)";
        check(int, "", &[(Status::Unknown, Basis::Nothing)]);
        check(&format!("(set-info :status sat){int}"), "", &[(sat, Basis::Annotated)]);
        check(int, "((define-fun x () Int 2))", &[(sat, Basis::Evaluated)]);
        // Values that are tried count more than what the script says of itself.
        let two = "(set-info :status sat)(declare-const p Bool)(assert p)(check-sat)\
            (assert (not p))(check-sat)";
        check(two, "", &[(sat, Basis::Evaluated), (unsat, Basis::Evaluated)]);
    }
}
