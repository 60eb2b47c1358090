//! Approximations, checked by trying all assignments; the logic stays what it was.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use smelt_case::{OpSet, Seed, Status};
use smelt_smtlib::{
    Command, Fragment, Head, Op, PrintOptions, Script, print, print_term, smallest_logic,
};

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
    assert_eq!(smelt_eval::brute_force(&seed.script, &query), Status::Unsat);
    let ops = OpSet::all();
    let parameters = ["form=cnf".to_owned(), "chained=on".to_owned()];
    let input = Input { seed: &seed, partners: &[], ops: &ops, parameters: &parameters };
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let mut chain = by_name("sparrow").unwrap().start(&input, &mut random).unwrap();
    let mut judged = 0;
    for _ in 0..150 {
        let m = chain.step(&mut random).unwrap();
        let query = m.script.queries().remove(0);
        match smelt_eval::brute_force(m.script, &query) {
            Status::Unsat => judged += 1,
            Status::Sat => panic!("{}", m.what),
            Status::Unknown => {}
        }
    }
    assert!(judged > 100, "{judged}");
}

/// Rules are about atoms of two arguments: those of more are taken apart, in either form.
#[test]
fn chains_are_taken_apart() {
    let text = "(declare-const x Int)(declare-const y Int)(declare-const z Int)(declare-const p Bool)\
        (assert (< x y z))(assert (or p (not (= z x 5))))(assert (distinct x 7 y))(assert (xor p (> 0 x y) false))";
    let seed = claimed(text, Status::Unsat);
    let ops = OpSet::all();
    for form in ["form=cnf", "form=parity"] {
        let parameters = [form.to_owned(), "mutate=pst".to_owned()];
        let input = Input { seed: &seed, partners: &[], ops: &ops, parameters: &parameters };
        let mut random = ChaCha8Rng::seed_from_u64(2);
        let mut chain = by_name("sparrow").unwrap().start(&input, &mut random).unwrap();
        for _ in 0..100 {
            let m = chain.step(&mut random).unwrap();
            let a = &m.script.arena;
            let long = a.dag(&m.script.roots()).into_iter().find(|&t| {
                let atom =
                    matches!(a.head(t), Head::Op(Op::Lt | Op::Gt | Op::Eq | Op::Distinct, _));
                let xor = form == "form=cnf" && matches!(a.head(t), Head::Op(Op::Xor, _));
                (atom || xor) && a.args(t).len() > 2
            });
            assert_eq!(long.map(|t| print_term(a, t)), None, "{form}: {}", m.what);
        }
    }
}

/// Who asks for clauses gets clauses or a reason.
#[test]
fn too_many_clauses() {
    let check = |n: usize, form: &[&str]| {
        let text = format!("(declare-const p Bool)(assert (and{}))", " p".repeat(n));
        let seed = claimed(&text, Status::Sat);
        let ops = OpSet::all();
        let parameters: Vec<String> = form.iter().map(|&f| f.to_owned()).collect();
        let input = Input { seed: &seed, partners: &[], ops: &ops, parameters: &parameters };
        let start =
            |n| by_name("sparrow").unwrap().start(&input, &mut ChaCha8Rng::seed_from_u64(n));
        (0..8).find_map(|n| start(n).err())
    };
    assert_eq!(check(2000, &["form=cnf"]), None);
    assert_eq!(check(2001, &["form=cnf"]).as_deref(), Some("the seed has more than 2000 clauses"));
    assert_eq!(check(2001, &["form=parity"]), None);
    assert_eq!(check(2001, &[]), None);
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

/// What a mutant has beyond its seed does not need a larger logic, in either form; nor constant arrays, which some solvers refuse.
#[test]
fn the_logic_stays() {
    let ops = OpSet::all();
    let strategy = by_name("sparrow").unwrap();
    let arrays = "(set-info :status unsat)(declare-const m (Array Int (Array Int Int)))(declare-const i Int)(declare-const j Int)\
        (declare-const v (Array Int Int))(assert (distinct (select (store m i v) j) (select m j)))(assert (distinct i j))";
    let odd = "(declare-const s String)(declare-const b (_ BitVec 8))(assert (= s \"a\"))(assert (bvult b b))(check-sat)";
    let named = crate::no_lie::seed("arrays", &format!("{arrays}(check-sat)"));
    let nameless = crate::no_lie::seed("odd", &format!("{arrays}{odd}"));
    let pi = "(set-info :status unsat)(declare-const x Real)(assert (< x real.pi))(assert (> x 4.0))(check-sat)";
    let pi = crate::no_lie::seed("pi", pi);
    assert_eq!(smallest_logic(&named.script), "QF_ALIA");
    assert_eq!(smallest_logic(&nameless.script), "ALL");
    let constant = |s: &Script| {
        let all = s.arena.dag(&s.roots());
        all.iter().any(|&t| matches!(s.arena.head(t), Head::Op(Op::ConstArray, _)))
    };
    let check = |seed: &Seed, form: &str, steps: usize| {
        let parameters = [format!("form={form}")];
        let input = Input { seed, partners: &[], ops: &ops, parameters: &parameters };
        let own = Fragment::of(&seed.script);
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let Ok(mut chain) = strategy.start(&input, &mut random) else { return 0 };
        for n in 0..steps {
            let Ok(m) = chain.step(&mut random) else { return n };
            // Both together: names, definitions and other checks are gone from a mutant, and with them what only they need.
            let mut both = m.script.clone();
            let made = both.queries()[0].assertions.clone();
            both.commands.clone_from(&seed.script.commands);
            both.commands.extend(made.into_iter().map(Command::Assert));
            assert_eq!(Fragment::of(&both), own, "{}: {}", seed.name, m.what);
            assert!(constant(&seed.script) || !constant(m.script), "{}: {}", seed.name, m.what);
        }
        steps
    };
    let mut made = 0;
    for form in ["cnf", "parity"] {
        for seed in [&named, &nameless, &pi] {
            assert_eq!(check(seed, form, 300), 300);
        }
        for seed in seeds().iter().chain(satisfied()).step_by(3) {
            made += check(seed, form, 10);
        }
    }
    assert!(made > 2000, "{made}");
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
