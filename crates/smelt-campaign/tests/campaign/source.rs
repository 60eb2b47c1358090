//! Chains of a frozen schedule: a position has the same cases whoever asks for it, and whatever was asked before.

use smelt_campaign::control::Control;
use smelt_campaign::facts;
use smelt_campaign::journal::Journal;
use smelt_campaign::plan::{Config, Plan};
use smelt_campaign::seed_files::SeedFile;
use smelt_campaign::seeds;
use smelt_campaign::source::chains::Chains;
use smelt_campaign::source::{CaseSource, Done};
use smelt_campaign::tally::Tally;
use smelt_case::{Origin, digest};
use smelt_smtlib::{PrintOptions, print};
use smelt_strategy::by_name;
use smelt_trial::bench::Bench;

use crate::made_up::{config, dir, plan, solver};

/// Steps of each position that are looked at.
const STEPS: usize = 4;

/// A plan with some seeds of smelt's own and strategies that need no model.
fn some(name: &str, config: Config) -> Plan {
    let shy = solver(&dir(&format!("{name}-solver")), "shy", "echo unknown");
    let small = seeds::embedded().into_iter().filter(|s| s.text.len() < 400).step_by(7).take(12);
    let strategies = ["opfuzz", "typefuzz", "fusion"].map(|n| by_name(n).unwrap());
    Plan {
        seeds: small.map(SeedFile::Embedded).collect(),
        strategies: strategies.into_iter().map(|s| (s, Vec::new())).collect(),
        ..plan(config, vec![shy])
    }
}

/// The cases of some positions: for each, what they are made by and the digests of their scripts.
fn cases(name: &str, plan: &Plan, positions: impl Iterator<Item = u64>) -> Vec<Vec<String>> {
    let journal = Journal::open(&dir(name)).unwrap();
    let control = Control::new(Tally::default()).unwrap();
    let facts = facts::of(plan, &control);
    let source = Chains::new(plan, &control, (&journal, 1), &*facts);
    let mut bench = Bench::new(&plan.panel, true, &control.cancel);
    let mut one = |seq: u64| {
        let mut all = Vec::new();
        let lease = source.lease(seq, &mut bench, &mut |_, lease| {
            while all.len() < STEPS
                && let Some(case) = lease.next()
            {
                // A seed is the first case of whoever meets it first.
                if let Origin::Mutant(recipe) = case.origin {
                    let text = print(case.script, &PrintOptions::default());
                    let digest = digest(text.as_bytes());
                    all.push(format!("{} {} {digest}", recipe.strategy, recipe.chain));
                }
                lease.learn(&Done { decided: true, ..Done::default() });
            }
            Ok(())
        });
        lease.unwrap();
        all
    };
    positions.map(&mut one).collect()
}

#[test]
fn a_position_has_its_cases() {
    let plan = some("positions", config());
    let all = cases("positions", &plan, 0..12);
    assert!(all.iter().filter(|c| !c.is_empty()).count() > 6, "{all:?}");
    // From any position on, and in any order.
    for from in [1, 5, 11] {
        assert_eq!(cases("positions-later", &plan, from..12), all[from as usize..], "{from}");
    }
    let mut back = cases("positions-back", &plan, (0..12).rev());
    back.reverse();
    assert_eq!(back, all);
    // Another seed of randomness gives other cases.
    let other = some("positions-other", Config { seed: 2, ..config() });
    assert_ne!(cases("positions-other", &other, 0..12), all);
}

/// Seeds that cannot be used are counted, and end a campaign that has no others.
#[test]
fn no_seed() {
    let text = b"(assert".to_vec();
    let broken = SeedFile::Embedded(seeds::Source { name: "broken".into(), text });
    let plan = Plan { seeds: vec![broken], ..some("no-seed", config()) };
    let journal = Journal::open(&dir("no-seed")).unwrap();
    let control = Control::new(Tally::default()).unwrap();
    let facts = facts::of(&plan, &control);
    let source = Chains::new(&plan, &control, (&journal, 1), &*facts);
    let mut bench = Bench::new(&plan.panel, true, &control.cancel);
    assert!(source.lease(0, &mut bench, &mut |_, _| Ok(())).unwrap().is_none());
    assert_eq!(control.failure().unwrap(), "no seed can be used (1: not understood)");
    let seeds = control.counts().seeds;
    assert_eq!((seeds.used, seeds.skipped), (0, 1));
}
