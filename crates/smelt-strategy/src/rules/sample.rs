//! Claims tried on random values by the evaluator.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use smelt_eval::function::Table;
use smelt_eval::model::{Interpretation, PartialMeaning};
use smelt_eval::model_text;
use smelt_eval::string::Str;
use smelt_eval::{Evaluator, Model, Value};
use smelt_smtlib::{Command, Fun, Head, Op, Script, Sort, Term, parse};
use std::sync::Arc;

use super::claim::Claim;
use super::instances::{self, Coverage, Instance};
use crate::assignment::random_model;
use crate::constant::Constants;
use crate::effort::limits;

/// What trying gave.
#[derive(Clone, Debug, Default)]
pub struct Sampled {
    /// The conclusion was true, and not just because the stronger side of an implication was false.
    pub held: u64,
    /// An assumption, or the stronger side, was false: nothing is said.
    pub outside: u64,
    /// The evaluator has no value.
    pub undetermined: u64,
    /// Values under which the conclusion is false.
    pub refuted: Option<Counterexample>,
    /// An instance that cannot be read, with the reason.
    pub unreadable: Option<String>,
}

/// Why a claim is false.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// Where.
    pub label: String,
    /// Values of the variables, as `name = value`.
    pub values: String,
}

/// Values that are tried in one instance before another is chosen.
const PER_INSTANCE: u64 = 50;

/// Values that are tried for each that is asked for: an assumption, or the stronger side, may be false under most of them.
const MOST_TRIES: u64 = 60;

/// Tries a claim at random instances until it held on so many random values. Values that say nothing do not count.
pub fn sample(claim: &Claim, coverage: &Coverage, rounds: u64, seed: u64) -> Sampled {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut out = Sampled::default();
    let mut tries = 0;
    while out.held < rounds && tries < rounds.saturating_mul(MOST_TRIES) {
        let Some(instance) = instances::random(claim, coverage, &mut random) else {
            out.unreadable = Some("the rule has no instance".into());
            return out;
        };
        let here = PER_INSTANCE.min(rounds - out.held);
        tries += here;
        if let Err(why) = one_instance(claim, &instance, here, &mut random, &mut out) {
            out.unreadable = Some(why);
            return out;
        }
        if out.refuted.is_some() {
            return out;
        }
    }
    out
}

fn one_instance(
    claim: &Claim,
    instance: &Instance,
    rounds: u64,
    random: &mut ChaCha8Rng,
    out: &mut Sampled,
) -> Result<(), String> {
    let text = claim.statement(instance);
    let mut script = parse(text.as_bytes()).map_err(|e| e.render(text.as_bytes(), &claim.name))?;
    let assertions = script.queries().pop().map(|q| q.assertions).unwrap_or_default();
    let Some((&conclusion, assumptions)) = assertions.split_last() else {
        return Err("nothing is claimed".into());
    };
    let a = &script.arena;
    let premise = match a.head(conclusion) {
        Head::Op(Op::Implies, _) => a.args(conclusion).first().copied(),
        _ => None,
    };
    let symbols: Vec<Fun> = script
        .commands
        .iter()
        .filter_map(|c| if let Command::DeclareFun(f) = c { Some(*f) } else { None })
        .collect();
    let mark = script.arena.mark();
    for _ in 0..rounds {
        script.arena.rollback(mark);
        let mut model = values(&mut script, &symbols, random);
        define(&script, assumptions, &mut model);
        let mut evaluator = Evaluator::new(limits());
        let mut holds = |t| match evaluator.eval(&script.arena, &model, t) {
            Ok(Value::Bool(b)) => Some(b),
            _ => None,
        };
        let assumed: Vec<Option<bool>> = assumptions.iter().map(|&t| holds(t)).collect();
        let premise = premise.map_or(Some(true), &mut holds);
        if assumed.contains(&Some(false)) || premise == Some(false) {
            out.outside += 1;
            continue;
        }
        match holds(conclusion) {
            _ if assumed.contains(&None) || premise.is_none() => out.undetermined += 1,
            None => out.undetermined += 1,
            Some(true) => out.held += 1,
            Some(false) => {
                let values = show(&script, &model, claim, instance);
                out.refuted = Some(Counterexample { label: instance.label.clone(), values });
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Makes assumptions `(= v t)` true by giving v the value of t: random values would rarely do so.
fn define(script: &Script, assumptions: &[Term], model: &mut Model) {
    let a = &script.arena;
    for &t in assumptions {
        if !matches!(a.head(t), Head::Op(Op::Eq, _)) || a.args(t).len() != 2 {
            continue;
        }
        let (left, right) = (a.args(t)[0], a.args(t)[1]);
        if let Head::Fun(f) = a.head(left)
            && a.args(left).is_empty()
            && !a.dag(&[right]).contains(&left)
            && let Ok(v) = Evaluator::new(limits()).eval(a, model, right)
        {
            model.set_value(f, v);
        }
    }
}

/// Random values that often are equal to, or part of, each other.
fn values(script: &mut Script, symbols: &[Fun], random: &mut ChaCha8Rng) -> Model {
    let mut constants = Constants::default();
    let mut model = random_model(&mut script.arena, symbols, &mut constants, random);
    let sort = |script: &Script, f: Fun| script.arena.fun(f).ret;
    for (i, &f) in symbols.iter().enumerate() {
        if !script.arena.fun(f).args.is_empty() {
            continue;
        }
        let own = sort(script, f);
        let before: Vec<Value> = symbols[..i]
            .iter()
            .filter(|&&g| sort(script, g) == own && script.arena.fun(g).args.is_empty())
            .filter_map(|&g| model.value(g).cloned())
            .collect();
        let pick = |random: &mut ChaCha8Rng| match before.len() {
            0 => None,
            n => Some(before[random.random_range(0..n)].clone()),
        };
        let new = match random.random_range(0..6) {
            0..2 => pick(random),
            2..4 if own == Sort::STRING => {
                let (own, other) = (model.value(f).cloned(), pick(random));
                joined(own, other, random)
            }
            _ => None,
        };
        if let Some(new) = new {
            model.set_value(f, new);
        }
    }
    // What division by zero is, a rule must not depend on: it is something else each time.
    let a = &script.arena;
    let used = a.dag(&script.roots());
    let open: Vec<(Op, Sort)> =
        [(Op::IntDiv, Sort::INT), (Op::Mod, Sort::INT), (Op::Div, Sort::REAL)]
            .into_iter()
            .filter(|(op, _)| used.iter().any(|&t| matches!(a.head(t), Head::Op(o, _) if o == *op)))
            .collect();
    for (op, sort) in open {
        if let Some(t) = constants.random(&mut script.arena, sort, random)
            && let Ok(v) = Evaluator::default().eval(&script.arena, &model, t)
            && let Some(Ok(table)) = Table::new([], v)
        {
            let meaning = Interpretation::Table(Arc::new(table));
            let args = [sort, sort].into();
            model.set_partial(PartialMeaning { op, args, ret: sort, meaning });
        }
    }
    // Predicates that hold everywhere are rare among random ones: some functions are constant.
    for &f in symbols {
        if !script.arena.fun(f).args.is_empty()
            && random.random_range(0..3) == 0
            && let Some(Interpretation::Table(t)) = model.get(f)
            && let Some(Ok(table)) = Table::new([], t.default().clone())
        {
            model.set(f, Interpretation::Table(Arc::new(table)));
        }
    }
    model
}

/// A string that shares a part with another.
fn joined(own: Option<Value>, other: Option<Value>, random: &mut ChaCha8Rng) -> Option<Value> {
    let (Some(Value::Str(a)), Some(Value::Str(b))) = (own, other) else { return None };
    let (a, b) = (a.to_code_points(), b.to_code_points());
    let cut = random.random_range(0..=b.len());
    let made: Vec<u32> = match random.random_range(0..4) {
        0 => [&a[..], &b[..]].concat(),
        1 => [&b[..], &a[..]].concat(),
        2 => b[..cut].to_vec(),
        _ => b[cut..].to_vec(),
    };
    Some(Value::Str(Str::from_code_points(&made)?))
}

/// The values of a counterexample, `z` of a fusion included.
fn show(script: &Script, model: &Model, claim: &Claim, instance: &Instance) -> String {
    let mut parts: Vec<String> = instance
        .binding
        .iter()
        .filter(|(n, _)| claim.vars.iter().any(|v| v.name == *n))
        .map(|(n, v)| format!("{n} = {v}"))
        .collect();
    let text = model_text(script, model).unwrap_or_default();
    for line in text.lines() {
        let Some(rest) = line.strip_prefix("(define-fun ") else { continue };
        let rest = rest.strip_suffix(')').unwrap_or(rest);
        match rest.split_once(" () ") {
            Some((name, value)) => {
                // The sort comes first; it is one token or one list.
                let value = match Sexprs::read(value) {
                    Some((_, value)) => value,
                    None => value.to_owned(),
                };
                parts.push(format!("{name} = {value}"));
            }
            // What an operator, or a function variable, is everywhere or by cases.
            None => match (rest.split_once(' '), Sexprs::read(rest)) {
                (Some((op @ ("div" | "mod" | "/"), _)), Some((_, value))) => {
                    parts.push(format!("({op} t 0) = {value}"));
                }
                _ => parts.push(rest.to_owned()),
            },
        }
    }
    parts.join(", ")
}

/// A sort and a value, apart.
struct Sexprs;

impl Sexprs {
    fn read(text: &str) -> Option<(String, String)> {
        let mut all = super::sexpr::Sexpr::read(text).ok()?;
        let value = all.pop()?;
        Some((all.pop()?.to_string(), value.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::file::RuleFile;
    use super::*;

    /// Tries a rule until it held on 200 values, at 37 bits: how often it did, and whether it is refuted.
    fn check(rule: &str, held: std::ops::RangeInclusive<u64>, refuted: Option<&str>) {
        let file = RuleFile::read(rule).unwrap();
        let coverage = Coverage { widths: vec![37], pairs: vec![(37, 5)], ..Coverage::small() };
        let s = sample(&file.all().next().unwrap().claim(), &coverage, 200, 1);
        assert_eq!(s.unreadable, None);
        assert_eq!(s.refuted.map(|c| c.label).as_deref(), refuted, "{rule}");
        assert!(held.contains(&s.held), "{rule}: {}", s.held);
    }

    #[test]
    fn what_counts() {
        check("(implies a :vars ((x Int)) :strong (> x 0) :weak (>= x 0))", 200..=200, None);
        check("(equal a :vars ((x Int)) :left (> x 0) :right (>= x 1))", 200..=200, None);
        // Where the stronger side is false, nothing is seen of the rule.
        check("(implies a :vars ((x Int)) :strong (= x 123457) :weak (= x 5))", 0..=0, None);
        check("(implies a :vars ((p Bool)) :strong false :weak p)", 0..=0, None);
        check(
            "(implies a :vars ((x Int)) :when (> x 99999999999999) :strong true :weak false)",
            0..=0,
            None,
        );
        let bits = ":for ((w Width)) :vars ((x (_ BitVec w)))";
        let wrong = "(not (= ((_ extract w-1 w-1) x) #b1)) :weak (bvult x (_ bv68719476735 37))";
        check(&format!("(implies a {bits} :strong {wrong})"), 0..=200, Some("w=37"));
        let two = ":for ((v Width) (w Width)) :vars ((x (_ BitVec v)) (y (_ BitVec w)))";
        check(&format!("(implies a {two} :strong (= x x) :weak (= y y))"), 200..=200, None);
        check(
            &format!("(implies a {two} :strong (= x x) :weak (distinct y y))"),
            0..=0,
            Some("v=37,w=5"),
        );
    }
}
