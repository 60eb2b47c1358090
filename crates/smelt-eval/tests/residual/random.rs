//! Residuals of random formulas under random models, against the brute force that the totalised scripts are tried by: it has
//! its own terms, its own semantics of every operator and its own idea of what is open.
//!
//! Each formula gets a model of some of its constants. For values of the others, and all choices of the open values that are met:
//!
//! - a residual that is false is false under all of them, one that is true is true;
//! - an open residual has the value of the formula each time, so it is satisfiable exactly if the model can be completed;
//! - the model is completed by those that satisfy the formula, told as a solver would, and by no others.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use smelt_eval::model::Interpretation;
use smelt_eval::{
    Completed, Evaluator, Limits, Model, ModelOptions, OpenResidual, Residual, Value,
    parse_model_at, residual,
};
use smelt_smtlib::{Fun, Script, parse, print, totalise};

use crate::formulas::{CONSTANTS, Generator};
use crate::interpretation::{Fresh, Reader};
use crate::values::{Bits, Bool, Float, Format, Int, List, Real, S, V, sort_of, value_text};
use crate::world::{E, World};

#[derive(Default, Debug)]
struct Counts {
    formulas: u32,
    /// In which an open value is met.
    with_open_values: u32,
    /// True under some choices of open values, and false under others.
    decided_by_choice: u32,
    outcomes: BTreeMap<String, u32>,
    completed: u32,
    not_completed: u32,
    by_search: u32,
}

/// How many completions are tried for one formula.
const MAX_LEAVES: u32 = 60;

struct Formula {
    format: Format,
    definition: E,
    assertions: Vec<E>,
    text: String,
}

impl Formula {
    fn random(g: &mut Generator) -> Formula {
        let format = g.format;
        g.scope = vec![("a", S::Int), ("b", S::Int)];
        let definition = g.term(S::Int, 2);
        g.scope = CONSTANTS.to_vec();
        let count = g.rng.random_range(1..4);
        let assertions: Vec<E> = (0..count).map(|_| g.term(S::Bool, 3)).collect();
        let mut text = "(declare-datatype L ((nil) (cons (hd Int) (tl L))))".to_owned();
        for (c, s) in CONSTANTS {
            let _ = write!(text, "(declare-const {c} {})", s.text(format));
        }
        let body = definition.text(format);
        let _ = write!(text, "(define-fun def ((a Int) (b Int)) Int {body})");
        for e in &assertions {
            let _ = write!(text, "(assert {})", e.text(format));
        }
        text.push_str("(check-sat)");
        Formula { format, definition, assertions, text }
    }

    fn world(&self, constants: &BTreeMap<&'static str, V>, choices: Vec<(usize, usize)>) -> World {
        World {
            format: self.format,
            constants: constants.clone(),
            bound: Vec::new(),
            parameters: Vec::new(),
            open: BTreeMap::new(),
            choices,
            made: 0,
            too_large: false,
        }
    }

    /// The values of the assertions.
    fn eval(&self, world: &mut World) -> Vec<bool> {
        self.assertions.iter().map(|e| world.eval(e, &self.definition) == Bool(true)).collect()
    }
}

fn symbol(script: &Script, name: &str) -> Option<Fun> {
    let a = &script.arena;
    let mut all = (0..a.fun_count()).filter_map(|i| a.fun_at(i));
    all.find(|&f| a.name(a.fun(f).name) == name)
}

/// The value of a residual where open values and constants are those of a world.
fn residual_holds(open: &OpenResidual, fresh: &[Fresh], world: &World, default: usize) -> bool {
    let mut reader = Reader::new(open.script().clone(), world.format);
    let mut model = Model::new();
    for (name, v) in &world.constants {
        if let Some(f) = symbol(&reader.script, name) {
            let value = reader.value(v, sort_of(v));
            model.set_value(f, value);
        }
    }
    for fresh in fresh {
        if let Some(f) = symbol(&reader.script, &fresh.name) {
            let table = reader.table(fresh, world, default);
            model.set(f, Interpretation::Table(Arc::new(table)));
        }
    }
    let mut evaluator = Evaluator::new(Limits::default());
    let assertions = &reader.script.queries()[0].assertions;
    assertions.iter().all(|&t| match evaluator.eval(&reader.script.arena, &model, t) {
        Ok(Value::Bool(b)) => b,
        other => panic!("{other:?} in {}", print(&reader.script, &Default::default())),
    })
}

/// A world as the model that a solver would print for a residual.
fn model_text(open: &OpenResidual, fresh: &[Fresh], world: &World) -> String {
    let (script, f) = (open.script(), world.format);
    let mut out = "(\n".to_owned();
    let text = print(script, &Default::default());
    let declared = |name: &str| text.contains(&format!("(declare-fun {name} ("));
    for (name, v) in world.constants.iter().filter(|(name, _)| declared(name)) {
        let _ = writeln!(out, "(define-fun {name} () {} {})", sort_of(v).text(f), value_text(v, f));
    }
    for fresh in fresh.iter().filter(|fresh| declared(&fresh.name)) {
        let points = fresh.points(world);
        let Some((first, _)) = points.first() else { continue };
        let params: String = first
            .iter()
            .enumerate()
            .map(|(i, v)| format!("(x!{i} {})", sort_of(v).text(f)))
            .collect();
        let _ = write!(out, "(define-fun {} ({params}) {} ", fresh.name, fresh.result.text(f));
        for (args, v) in &points {
            let equal =
                args.iter().enumerate().map(|(i, v)| format!("(= x!{i} {})", value_text(v, f)));
            let _ = write!(out, "(ite (and {}) {} ", equal.collect::<String>(), value_text(v, f));
        }
        let _ = write!(out, "{}{})", value_text(&points[0].1, f), ")".repeat(points.len()));
    }
    out + ")"
}

/// A value of smelt's, as the brute force has it.
fn read(v: &Value, sort: S) -> Option<V> {
    Some(match (v, sort) {
        (Value::Bool(b), _) => Bool(*b),
        (Value::Int(n), _) => Int(n.to_i64()?),
        (Value::Real(q), _) => Real(q.numerator().to_i64()?, q.denominator().to_i64()?),
        (Value::Bv(b), S::Bits(w)) => Bits(u32::try_from(b.to_u64()?).ok()?, w),
        (Value::Data(_), S::List) => {
            let (mut out, mut at) = (Vec::new(), v.clone());
            while let Value::Data(d) = &at {
                let [Value::Int(n), rest] = d.fields().items() else { break };
                out.push(n.to_i64()?);
                at = rest.clone();
            }
            List(out)
        }
        _ => return None,
    })
}

/// Whether a formula is true where constants and open values are those of a completed model; `None` if a number is too large for
/// the brute force.
fn holds_when_completed(formula: &Formula, fresh: &[Fresh], done: &Completed) -> Option<bool> {
    let mut reader = Reader::new(done.script.clone(), formula.format);
    let mut constants = BTreeMap::new();
    for &(name, sort) in CONSTANTS {
        let f = symbol(&done.script, name)?;
        let all = sort.values(formula.format);
        let value = done.model.value(f).cloned();
        let listed = all.into_iter().find(|v| Some(reader.value(v, sort)) == value);
        let v = listed.or_else(|| value.and_then(|v| read(&v, sort)))?;
        constants.insert(name, v);
    }
    // Open values are read off the model as they are met.
    let mut open = BTreeMap::new();
    loop {
        let mut world = formula.world(&constants, Vec::new());
        world.open.clone_from(&open);
        let values = formula.eval(&mut world);
        if world.too_large {
            return None;
        }
        let Some((key, args)) = world.open.keys().find(|k| !open.contains_key(*k)).cloned() else {
            return Some(values.into_iter().all(|b| b));
        };
        let chosen = world.open[&(key.clone(), args.clone())].clone();
        let fresh = fresh.iter().find(|f| (&f.op[..], f.index, &f.last) == (key.0, key.1, &key.2));
        // In a branch that is never taken.
        let Some(fresh) = fresh else {
            open.insert((key, args), chosen);
            continue;
        };
        let given: Vec<Value> =
            args[..fresh.takes].iter().map(|v| reader.value(v, sort_of(v))).collect();
        let meaning = done.model.get(symbol(&done.script, &fresh.name)?)?;
        let Interpretation::Table(table) = meaning else { panic!("{meaning:?}") };
        let mut v = read(table.apply(&given)?, fresh.result)?;
        if fresh.op.starts_with("fp.m") {
            let minus = 1 << (formula.format.0 + formula.format.1 - 1);
            v = Float(if v == Bool(true) { 0 } else { minus });
        }
        open.insert((key, args), v);
    }
}

fn check(seed: u64, counts: &mut Counts) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let format = [(2, 2), (2, 3), (3, 2), (2, 4), (3, 3)][rng.random_range(0..5)];
    let mut g = Generator { rng, format, scope: Vec::new() };
    let formula = Formula::random(&mut g);
    let mut constants: BTreeMap<&'static str, V> = BTreeMap::new();
    let mut left_out = Vec::new();
    let mut given = "(".to_owned();
    for &(name, sort) in CONSTANTS {
        let all = sort.values(format);
        let v = all[g.rng.random_range(0..all.len())].clone();
        if g.rng.random_bool(0.85) {
            let _ = write!(
                given,
                "(define-fun {name} () {} {})",
                sort.text(format),
                value_text(&v, format)
            );
        } else {
            left_out.push((name, all));
        }
        constants.insert(name, v);
    }
    given.push(')');
    let place = format!("seed {seed}: {}\n{given}", formula.text);
    let mut script = parse(formula.text.as_bytes()).unwrap_or_else(|e| panic!("{place}: {e}"));
    let fresh = Fresh::all(&totalise(&script).unwrap(), format);
    let query = script.queries().pop().unwrap();
    let options = ModelOptions { rounded: Vec::new(), ..ModelOptions::default() };
    let model = parse_model_at(&mut script, query.command, given.as_bytes(), &options).unwrap();
    let result = residual(&script, &query, &model, Limits::default());
    if let Residual::Open(open) = &result {
        let text = print(open.script(), &Default::default());
        parse(text.as_bytes()).unwrap_or_else(|e| panic!("{place}\n{text}: {e}"));
        if let Ok(done) = open.complete_by_search() {
            let holds = holds_when_completed(&formula, &fresh, &done);
            assert_ne!(holds, Some(false), "{place}\n{text}");
            counts.by_search += 1;
        }
    }
    let (mut met, mut outcomes, mut leaves) = (false, [false, false], 0);
    for _ in 0..3 {
        for (name, all) in &left_out {
            constants.insert(name, all[g.rng.random_range(0..all.len())].clone());
        }
        let mut choices = Some(Vec::new());
        while let Some(c) = choices {
            let mut world = formula.world(&constants, c);
            let values = formula.eval(&mut world);
            if world.too_large {
                break;
            }
            let expect = values.iter().all(|b| *b);
            met |= !world.open.is_empty();
            outcomes[usize::from(expect)] = true;
            let place = || format!("{place}\n{:?}\n{:?}", world.constants, world.open);
            match &result {
                Residual::True => assert!(expect, "{}", place()),
                Residual::False { assertion } => {
                    assert!(values[..=*assertion].contains(&false), "{}", place());
                }
                Residual::Undetermined(_) => {}
                Residual::Open(open) => {
                    let text = print(open.script(), &Default::default());
                    for default in [leaves as usize, leaves as usize + 1] {
                        let got = residual_holds(open, &fresh, &world, default);
                        assert_eq!(got, expect, "{}\n{text}", place());
                    }
                    let told = model_text(open, &fresh, &world);
                    let done = open.complete(&told, &options);
                    assert_eq!(done.is_ok(), expect, "{}\n{text}\n{told}{:?}", place(), done.err());
                    *(if expect { &mut counts.completed } else { &mut counts.not_completed }) += 1;
                }
            }
            leaves += 1;
            choices = if leaves < MAX_LEAVES { World::next(world.choices) } else { None };
        }
    }
    counts.formulas += 1;
    counts.with_open_values += u32::from(met);
    counts.decided_by_choice += u32::from(met && outcomes == [true, true]);
    let outcome = match result {
        Residual::True => "true".into(),
        Residual::False { .. } => "false".into(),
        Residual::Open(_) => "open".into(),
        Residual::Undetermined(why) => format!("undetermined: {why}"),
    };
    *counts.outcomes.entry(outcome).or_default() += 1;
}

#[test]
fn residuals_mean_the_same() {
    let formulas = std::env::var("SMELT_RESIDUAL").ok().and_then(|n| n.parse().ok());
    let mut counts = Counts::default();
    for seed in 0..formulas.unwrap_or(2000) {
        check(seed, &mut counts);
    }
    assert!(counts.with_open_values * 5 >= counts.formulas, "{counts:?}");
    assert!(counts.decided_by_choice * 50 >= counts.formulas, "{counts:?}");
}
