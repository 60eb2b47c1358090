//! Approximations, checked by trying all assignments; the logic stays what it was.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use smelt_case::{OpSet, Status};
use smelt_smtlib::{Fragment, PrintOptions, print, smallest_logic};

use crate::janus::tests::{LIE, claimed, follows, implications};
use crate::no_lie::{Counts, run, satisfied, seeds};
use crate::{Input, by_name};

#[test]
fn implications_hold_for_all_assignments() {
    for mutate in ["mutate=pst", "mutate=lpi", "mutate=both"] {
        let strategy = by_name("sparrow").unwrap();
        let parameters = ["form=parity", mutate, "chained=on"];
        let judged = implications(strategy, &parameters, 100);
        assert!(judged > 500, "{mutate}: {judged}");
    }
}

/// With the clauses of Tseitin a model of the mutant is one of the seed's, and the other way round: unsat seeds stay so.
#[test]
fn clauses_keep_what_they_say() {
    let text = "(declare-const p Bool)(declare-const q Bool)(declare-const x (_ BitVec 2))\
        (assert (or (and p (bvult x #b10)) (xor q (= x #b11)) (ite p (not q) (=> q p))))\
        (assert (= (=> p q) (not (bvule x #b01))))(assert (and (not p) q (distinct (bvult x #b01) (and p q))))";
    // Its real status: p is false and q is true, so x > 1, and then the last distinct fails.
    let seed = claimed(text, Status::Unsat);
    let query = seed.script.queries().remove(0);
    assert_eq!(smelt_triage::brute_force(&seed.script, &query), Some(false));
    let ops = OpSet::all();
    let parameters = ["form=cnf".to_owned(), "chained=on".to_owned()];
    let input = Input { seed: &seed, partners: &[], ops: &ops, parameters: &parameters };
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let mut chain = by_name("sparrow").unwrap().start(&input, &mut random).unwrap();
    let mut judged = 0;
    for _ in 0..150 {
        let m = chain.step(&mut random).unwrap();
        let query = m.script.queries().remove(0);
        match smelt_triage::brute_force(m.script, &query) {
            Some(false) => judged += 1,
            Some(true) => panic!("{}", m.what),
            None => {}
        }
    }
    assert!(judged > 100, "{judged}");
}

#[test]
fn witnesses() {
    let strategy = by_name("sparrow").unwrap();
    let mut counts = Counts::default();
    for seed in seeds().iter().chain(satisfied()) {
        for form in ["form=cnf", "form=parity"] {
            run(strategy, seed, &[], &[form], 6, &mut counts);
        }
    }
    assert!(counts.mutants > 7000 && counts.witnesses > 5000, "{counts:?}");
    assert!(counts.unsat > 500 && counts.claims * 5 < counts.mutants, "{counts:?}");
}

/// Not even where a model would say that the mutant is sat.
#[test]
fn refuted_rules_are_not_used() {
    assert!(follows("sparrow", LIE, "").len() > 10);
    let refuted = "(rule lie HASH (held 0) (refuted w=2 evaluator \"x = #b00\"))";
    assert_eq!(follows("sparrow", LIE, refuted), []);
}

#[test]
fn the_logic_stays() {
    let ops = OpSet::all();
    let strategy = by_name("sparrow").unwrap();
    let mut made = 0;
    for seed in seeds().iter().chain(satisfied()).step_by(3) {
        let before = smallest_logic(&seed.script);
        // Names, definitions and several checks are gone from a mutant, and with them what only they need.
        let input =
            Input { seed, partners: &[], ops: &ops, parameters: &["form=parity".to_owned()] };
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let Ok(mut chain) = strategy.start(&input, &mut random) else { continue };
        for _ in 0..10 {
            let Ok(m) = chain.step(&mut random) else { break };
            let after = smallest_logic(m.script);
            let simple = seed.checks.len() == 1 && before != "ALL";
            assert!(
                !simple || after == before || after.len() <= before.len(),
                "{}: {before} to {after} ({})",
                seed.name,
                m.what
            );
            made += 1;
        }
    }
    assert!(made > 1000, "{made}");
}

/// Where no logic has a name for it, linear stays linear all the same; and literal factors are linear.
#[test]
fn linear_stays_linear() {
    let check = |text: &str, scaled: bool| {
        let seed = claimed(text, Status::Unsat);
        let ops = OpSet::all();
        let input = Input { seed: &seed, partners: &[], ops: &ops, parameters: &[] };
        let (mut made, mut factors) = (0, 0);
        for chain in 0..40 {
            let mut random = ChaCha8Rng::seed_from_u64(chain);
            let mut chain = by_name("sparrow").unwrap().start(&input, &mut random).unwrap();
            for _ in 0..50 {
                let Ok(m) = chain.step(&mut random) else { break };
                assert!(!Fragment::of(m.script).products, "{}", m.what);
                made += 1;
                factors += u32::from(print(m.script, &PrintOptions::default()).contains("(* "));
            }
        }
        assert!(made > 1000 && (!scaled || factors > 0), "{made} {factors}");
    };
    check(
        "(declare-const s String)(declare-const v (_ BitVec 4))(declare-const x Int)(declare-const y Int)\
           (assert (< (+ x y) (str.len s)))(assert (bvult v #x3))(assert (= s \"a\"))(assert (> x 7))",
        false,
    );
    check(
        "(declare-const x Int)(declare-const y Int)(assert (< x y))(assert (< y x))(assert (= (+ x y) 3))",
        true,
    );
}
