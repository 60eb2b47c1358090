//! Seeds outside of a campaign: what a given model, all values of a small domain, or the script itself say of them, without any solver;
//! or what solvers say, as in a campaign.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use smelt_case::{Basis, Known, OpSet, Seed, Status, digest};
use smelt_eval::{Evaluator, Model, ModelOptions, Value, brute_force};
use smelt_smtlib::op::Dialect;
use smelt_smtlib::{Head, Op, ParseOptions, Query, Script};
use smelt_solver::{Cancel, Mode};
use smelt_strategy::Strategy;
use smelt_trial::Target;
use smelt_trial::opinion::label;

use crate::seedbank::{self, SeedAnswer};
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

/// A seed of a script with what solvers say of it, each in a fresh process with so much CPU time: status and model, as a campaign prepares
/// its seeds.
pub fn prepared(
    source: &Source,
    targets: &[Target],
    cpu: Duration,
    cancel: &Cancel,
) -> Result<Seed> {
    // A text that is no script is shown with the place.
    source.script(&ParseOptions::default())?;
    let seedbank::Understood { mut script, .. } = seedbank::understand(&source.text)
        .map_err(|why| anyhow!("{}: it is no seed: {why}", source.name))?;
    let ask = |target: &Target, script: &mut Script| -> Result<Vec<SeedAnswer>> {
        let sent = target.print(script, &Mode::plain());
        let outcome = target.run_cold(&sent, &Mode::plain(), cpu, cancel)?;
        Ok(SeedAnswer::all(target, script, &outcome))
    };
    let mut answers = Vec::new();
    for target in targets {
        answers.push((target, ask(target, &mut script)?));
    }
    let said: Vec<_> = answers.iter().map(|(t, a)| (*t, a)).collect();
    let mut facts = seedbank::facts(&script, &said);
    if let ([fact], Some(target)) = (&mut *facts, targets.first())
        && fact.status == Status::Unsat
        && let Some(mut negated) = seedbank::negation(&script)
        && let [SeedAnswer { model: Some(model), .. }] = &*ask(target, &mut negated)?
    {
        fact.model = Some(model.clone());
        fact.old_escapes = target.model_options().old_escapes;
    }
    Ok(seedbank::make(source.name.clone(), &source.text, script, &facts))
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

/// How a caller makes a seed of a script.
pub type Maker<'a> = &'a dyn Fn(&Source) -> Result<Seed>;

/// Further seeds for a strategy that wants some, made as the caller makes them: of these files, or spread over the seeds inside smelt,
/// from a place that the seed's text decides, of which so many are tried at most.
pub fn partners(
    strategy: &dyn Strategy,
    seed: &Seed,
    files: &[PathBuf],
    (make, tries): (Maker<'_>, usize),
) -> Result<Vec<Seed>> {
    if strategy.partners() == 0 && !files.is_empty() {
        bail!("{} takes no --partner", strategy.name());
    }
    if !files.is_empty() {
        return files.iter().map(|f| make(&seeds::read(f)?)).collect();
    }
    let mut out = Vec::new();
    let all = if strategy.partners() > 0 { seeds::embedded() } else { Vec::new() };
    let from = usize::from_str_radix(&seed.hash[..6], 16).unwrap_or(0);
    for k in 0..all.len().min(tries) {
        if out.len() == strategy.partners() {
            break;
        }
        let Ok(other) = make(&all[(from + k * 97) % all.len()]) else { continue };
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
