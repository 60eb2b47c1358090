//! No strategy lies: over the embedded seeds, every witness is checked again on the printed and re-parsed script.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use smelt_case::{Basis, Expectation, Known, OpSet, Seed, Status, digest};
use smelt_eval::{Evaluator, Model, Value};

use crate::assignment::random_model;
use crate::constant::Constants;
use crate::frame::Frame;
use crate::recheck::{Recheck, recheck};
use crate::satisfy::satisfy;
use crate::{Input, Strategy, by_name};

/// A seed from a text: statuses as annotated (where there is one check), models as random search finds them.
pub fn seed(name: &str, text: &str) -> Seed {
    let mut script = smelt_smtlib::parse(text.as_bytes()).unwrap();
    let annotated = script.status();
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let queries = script.queries();
    let single = queries.len() == 1;
    let mut checks = Vec::new();
    for q in &queries {
        let mut known = Known::default();
        if single && annotated != Status::Unknown {
            known.status = annotated;
            known.basis = Basis::Annotated;
        }
        if known.status != Status::Unsat
            && let Some(model) = search(&mut script, &q.assertions, &mut random)
        {
            known = Known {
                status: Status::Sat,
                basis: Basis::Evaluated,
                model: Some(Arc::new(model)),
            };
        }
        checks.push(known);
    }
    Seed::new(name.to_owned(), digest(text.as_bytes()), script, checks)
}

/// A model by random search; the terms that were made stay in the arena if it is found.
fn search(
    script: &mut smelt_smtlib::Script,
    assertions: &[smelt_smtlib::Term],
    random: &mut ChaCha8Rng,
) -> Option<Model> {
    let frame = Frame::of(script, false).ok()?;
    for _ in 0..60 {
        let mark = script.arena.mark();
        let mut constants = Constants::of(&script.arena, assertions);
        let model = random_model(&mut script.arena, &frame.symbols, &mut constants, random);
        let mut evaluator = Evaluator::default();
        if assertions.iter().all(|&t| evaluator.eval(&script.arena, &model, t) == Ok(Value::TRUE)) {
            return Some(model);
        }
        script.arena.rollback(mark);
    }
    None
}

/// The embedded seeds.
pub fn seeds() -> &'static [Seed] {
    static SEEDS: OnceLock<Vec<Seed>> = OnceLock::new();
    SEEDS.get_or_init(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
        let mut files: Vec<PathBuf> = std::fs::read_dir(root)
            .unwrap()
            .filter_map(|e| std::fs::read_dir(e.unwrap().path()).ok())
            .flatten()
            .map(|e| e.unwrap().path())
            .filter(|p| p.extension().is_some_and(|e| e == "smt2"))
            .collect();
        files.sort();
        assert!(files.len() > 300);
        let read =
            |p: &PathBuf| seed(&p.display().to_string(), &std::fs::read_to_string(p).unwrap());
        files.iter().map(read).collect()
    })
}

/// The embedded seeds, made satisfiable.
pub fn satisfied() -> &'static [Seed] {
    static SEEDS: OnceLock<Vec<Seed>> = OnceLock::new();
    SEEDS.get_or_init(|| {
        let mut random = ChaCha8Rng::seed_from_u64(17);
        let made = seeds().iter().filter_map(|s| satisfy(s, &mut random));
        made.collect()
    })
}

/// What a run over the seeds gave.
#[derive(Default, Debug)]
pub struct Counts {
    pub mutants: usize,
    pub witnesses: usize,
    pub unsat: usize,
    pub open: usize,
    pub claims: usize,
    pub not_transferable: usize,
    pub refused: std::collections::BTreeMap<String, usize>,
}

/// Makes mutants of a seed and checks each.
pub fn run(
    strategy: &dyn Strategy,
    seed: &Seed,
    partners: &[&Seed],
    parameters: &[&str],
    steps: usize,
    counts: &mut Counts,
) {
    let ops = OpSet::all();
    let parameters: Vec<String> = parameters.iter().map(|&p| p.to_owned()).collect();
    let input = Input { seed, partners, ops: &ops, parameters: &parameters };
    // Other choices for each seed, the same in each run.
    let stream = u64::from_str_radix(&seed.hash[..16], 16).unwrap();
    let mut random = ChaCha8Rng::seed_from_u64(stream);
    let mut chain = match strategy.start(&input, &mut random) {
        Ok(chain) => chain,
        Err(why) => return *counts.refused.entry(why.into_owned()).or_default() += 1,
    };
    for _ in 0..steps {
        let mutant = match chain.step(&mut random) {
            Ok(m) => m,
            Err(why) => {
                *counts.refused.entry(why.into_owned()).or_default() += 1;
                break;
            }
        };
        counts.mutants += 1;
        assert_eq!(mutant.script.queries().len(), mutant.expect.len());
        for e in mutant.expect.iter() {
            match e {
                Expectation::Open => counts.open += 1,
                Expectation::Unsat => counts.unsat += 1,
                Expectation::Sat(Some(_)) => counts.witnesses += 1,
                // Rules under quantifiers cannot always be evaluated; they are proved.
                Expectation::Sat(None) if ["janus", "sparrow"].contains(&strategy.name()) => {
                    counts.claims += 1;
                }
                Expectation::Sat(None) => panic!("{}: a claim without a witness", seed.name),
            }
        }
        match recheck(mutant.script, &mutant.expect) {
            Recheck::Agrees(_) => {}
            Recheck::NotTransferable(_) => counts.not_transferable += 1,
            other => panic!(
                "{} ({}): {other:?}\n{}",
                seed.name,
                mutant.what,
                crate::recheck::text(mutant.script)
            ),
        }
    }
}

#[test]
fn storm() {
    let strategy = by_name("storm").unwrap();
    let mut counts = Counts::default();
    for seed in seeds() {
        run(strategy, seed, &[], &["amax=6", "nc=60"], 6, &mut counts);
    }
    assert!(counts.mutants > 2000 && counts.witnesses > 2000, "{counts:?}");
    assert!(counts.open > 0);
}

#[test]
fn diver() {
    let strategy = by_name("diver").unwrap();
    let mut counts = Counts::default();
    for seed in seeds().iter().chain(satisfied()) {
        run(strategy, seed, &[], &["per=8"], 40, &mut counts);
    }
    // Other checks of the seed, which stay, may have a witness, too.
    assert!(counts.mutants > 2000 && counts.witnesses >= counts.mutants, "{counts:?}");
}

/// A recursive definition may have no model, whatever the assertions are: nothing with a witness is made of it, and the
/// second judgement would see it.
#[test]
fn recursive_definitions() {
    let text = "(declare-const x Int)(define-fun-rec f ((n Int)) Int (ite (<= n 0) 0 (+ 1 (f n))))\
                (assert (< (f x) 1))(assert (< x 5))(check-sat)";
    let contradictory = seed("contradictory", text);
    let model = contradictory.checks[0].model.clone();
    assert!(model.is_some());
    let plain = seed("plain", "(declare-const x Int)(assert (< x 5))(check-sat)");
    for name in ["storm", "diver", "fusion", "janus", "sparrow"] {
        let mut counts = Counts::default();
        run(by_name(name).unwrap(), &contradictory, &[&plain], &[], 3, &mut counts);
        assert_eq!(counts.mutants, 0, "{name}");
        assert_eq!(counts.refused["a recursive definition may have no model"], 1);
    }
    let mut counts = Counts::default();
    run(by_name("fusion").unwrap(), &plain, &[&contradictory], &[], 3, &mut counts);
    assert_eq!(counts.mutants, 0);
    assert!(satisfy(&contradictory, &mut ChaCha8Rng::seed_from_u64(0)).is_none());
    let script = smelt_smtlib::parse(text.as_bytes()).unwrap();
    assert!(matches!(recheck(&script, &[Expectation::Sat(model)]), Recheck::Lie(_)));
    // What an unknown command says may be why a script is unsat.
    let odd = "(set-info :status unsat)(declare-const x Int)(block-model :values)(assert (< x 5))(check-sat)";
    let mut counts = Counts::default();
    run(by_name("fusion").unwrap(), &seed("odd", odd), &[&plain], &[], 3, &mut counts);
    assert_eq!(counts.refused["an unsat script has a command that is not understood"], 1);
}
