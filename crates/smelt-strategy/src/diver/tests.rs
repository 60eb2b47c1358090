//! Proposition 1, the rules one by one, and the paper's own examples.

use std::sync::Arc;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use smelt_case::{Basis, Known, OpSet, Seed, Status, digest};
use smelt_eval::incremental::Incremental;
use smelt_eval::{ModelOptions, parse_model};
use smelt_smtlib::{Op, parse, parse_terms, print_term};

use super::generate::Generator;
use super::places::Places;
use super::{Diver, prepare};
use crate::constant::Constants;
use crate::effort::limits;
use crate::no_lie::satisfied;
use crate::{Input, Strategy};

/// A seed with a given model.
fn with_model(text: &str, model: &str) -> Seed {
    let mut script = parse(text.as_bytes()).unwrap();
    let model = parse_model(&mut script, model.as_bytes(), &ModelOptions::default()).unwrap();
    let known =
        Known { status: Status::Sat, basis: Basis::Evaluated, model: Some(Arc::new(model)) };
    Seed::new("test".into(), digest(text.as_bytes()), script, vec![known])
}

/// The set of each place of an assertion as a formula about `$`, in the order of the analysis.
fn check(declarations: &str, assertion: &str, model: &str, expect: &[(&str, &str)]) {
    let text = format!("{declarations}(assert {assertion})(check-sat)");
    let seed = with_model(&text, model);
    let mut random = ChaCha8Rng::seed_from_u64(0);
    let (mut script, frame, check, model) = prepare(&seed, &mut random).unwrap();
    let mut values = Incremental::with_limits(model, limits());
    let places = Places::of(&script.arena, &mut values, &frame.checks[check], true);
    let mut all = Vec::new();
    for p in &places.list {
        let Some(abs) = &p.abs else { continue };
        let a = &mut script.arena;
        // A constant of the right sort with the name of the hole.
        let name = a.sym("$");
        let decl = smelt_smtlib::arena::FunDecl {
            name,
            params: [].into(),
            args: [].into(),
            ret: a.sort(p.term),
            kind: smelt_smtlib::FunKind::Free,
            def: None,
        };
        let f = a.declare_fun(decl);
        let hole = a.mk_fun(f);
        let set = abs.formula(a, &mut values, hole).map_or("-".into(), |t| print_term(a, t));
        all.push((print_term(a, p.term), set));
    }
    let all: Vec<(&str, &str)> = all.iter().map(|(t, s)| (&**t, &**s)).collect();
    assert_eq!(all[1..], *expect);
}

/// The example of the paper's section II.B.
#[test]
fn section_2b() {
    let declarations = "(declare-const x Real)(declare-const y Real)";
    let model = "((define-fun x () Real 3.0)(define-fun y () Real 1.0))";
    check(
        declarations,
        "(and (<= 0.0 y) (= x (+ 2.0 y)))",
        model,
        &[
            ("(<= 0.0 y)", "$"),
            ("(= x (+ 2.0 y))", "$"),
            ("0.0", "(<= $ 1.0)"),
            ("y", "(>= $ 0.0)"),
            ("x", "(= $ 3.0)"),
            ("(+ 2.0 y)", "(= $ 3.0)"),
            ("2.0", "(= $ 2.0)"),
            ("y", "(= $ 1.0)"),
        ],
    );
}

#[test]
fn connectives() {
    let declarations = "(declare-const p Bool)(declare-const q Bool)";
    let model = "((define-fun p () Bool true)(define-fun q () Bool false))";
    let check = |assertion, expect: &[(&str, &str)]| check(declarations, assertion, model, expect);
    check("(not (and p q))", &[("(and p q)", "(not $)"), ("p", "true"), ("q", "(not $)")]);
    check("(not (and q q))", &[("(and q q)", "(not $)"), ("q", "true"), ("q", "true")]);
    check("(or p q)", &[("p", "$"), ("q", "true")]);
    check("(=> q p)", &[("q", "true"), ("p", "true")]);
    check("(=> p q p)", &[("p", "true"), ("q", "true"), ("p", "true")]);
    check("(=> p p p)", &[("p", "true"), ("p", "true"), ("p", "$")]);
    check("(ite p p q)", &[("p", "$"), ("p", "$"), ("q", "true")]);
    check("(xor p q)", &[("p", "(xor $ false)"), ("q", "(xor true $)")]);
    check("(distinct p q)", &[("p", "$"), ("q", "(not $)")]);
}

#[test]
fn numbers() {
    let declarations = "(declare-const x Int)(declare-const y Int)(declare-const r Real)";
    let model =
        "((define-fun x () Int 7)(define-fun y () Int (- 2))(define-fun r () Real (/ 5.0 2.0)))";
    let check = |assertion, expect: &[(&str, &str)]| check(declarations, assertion, model, expect);
    check("(> x y)", &[("x", "(>= $ (- 1))"), ("y", "(<= $ 6)")]);
    check("(not (> y x))", &[("(> y x)", "(not $)"), ("y", "(<= $ 7)"), ("x", "(>= $ (- 2))")]);
    check(
        "(< y x 9)",
        &[("y", "(<= $ 6)"), ("x", "(and (>= $ (- 1)) (<= $ 8))"), ("9", "(>= $ 8)")],
    );
    check(
        "(<= (* x y) 3)",
        &[
            ("(* x y)", "(<= $ 3)"),
            ("3", "(>= $ (- 14))"),
            ("x", "(>= $ (- 1))"),
            ("y", "(<= $ 0)"),
        ],
    );
    check(
        "(>= (div x y) (- 4))",
        &[
            ("(div x y)", "(>= $ (- 4))"),
            ("(- 4)", "(<= $ (- 3))"),
            ("x", "(<= $ 9)"),
            ("y", "(= $ (- 2))"),
            ("4", "(>= $ 3)"),
        ],
    );
    check(
        "(< (to_real (to_int r)) 3.0)",
        &[
            ("(to_real (to_int r))", "(< $ 3.0)"),
            ("3.0", "(> $ 2.0)"),
            ("(to_int r)", "(<= $ 2)"),
            ("r", "(< $ 3.0)"),
        ],
    );
    check(
        "(distinct (+ x 1) (* 2 y))",
        &[
            ("(+ x 1)", "(distinct $ (- 4))"),
            ("(* 2 y)", "(distinct $ 8)"),
            ("x", "(distinct $ (- 5))"),
            ("1", "(distinct $ (- 11))"),
            ("2", "(distinct $ (- 4))"),
            ("y", "(distinct $ 4)"),
        ],
    );
}

#[test]
fn strings_vectors_arrays() {
    let declarations = "(declare-const s String)(declare-const t String)(declare-const v (_ BitVec 4))\
                        (declare-const m (Array Int Int))(declare-const f Float16)";
    let model = r#"((define-fun s () String "ab")(define-fun t () String "b")(define-fun v () (_ BitVec 4) #b0011)
                    (define-fun m () (Array Int Int) ((as const (Array Int Int)) 5))(define-fun f () Float16 (_ +zero 5 11)))"#;
    let check = |assertion, expect: &[(&str, &str)]| check(declarations, assertion, model, expect);
    check("(str.< s t)", &[("s", r#"(str.< $ "b")"#), ("t", r#"(str.< "ab" $)"#)]);
    check(
        "(>= (str.len s) 2)",
        &[("(str.len s)", "(>= $ 2)"), ("2", "(<= $ 2)"), ("s", "(>= (str.len $) 2)")],
    );
    check(
        "(bvult (bvadd v #x1) #x6)",
        &[
            ("(bvadd v #x1)", "(bvule $ #x5)"),
            ("#x6", "(bvule (bvsub $ #x5) #xa)"),
            ("v", "(bvule (bvsub $ #xf) #x5)"),
            ("#x1", "(bvule (bvsub $ #xd) #x5)"),
        ],
    );
    check(
        "(bvsge v #xe)",
        &[("v", "(bvule (bvsub $ #xe) #x9)"), ("#xe", "(bvule (bvsub $ #x8) #xb)")],
    );
    check(
        "(> (select (store m 1 2) 3) 4)",
        &[
            ("(select (store m 1 2) 3)", "(>= $ 5)"),
            ("4", "(<= $ 4)"),
            ("(store m 1 2)", "(>= (select $ 3) 5)"),
            ("3", "(>= (select (store ((as const (Array Int Int)) 5) 1 2) $) 5)"),
            ("m", "(>= (select $ 3) 5)"),
            ("1", "(distinct $ 3)"),
            ("2", "true"),
        ],
    );
    check(
        "(fp.leq f f)",
        &[
            ("f", "(fp.leq $ (fp #b0 #b00000 #b0000000000))"),
            ("f", "(fp.leq (fp #b0 #b00000 #b0000000000) $)"),
        ],
    );
}

/// Below an exact value, what many values give is not exact.
#[test]
fn below_exact() {
    let declarations = "(declare-sort S 0)(declare-const a S)(declare-const b S)(declare-const s String)\
                        (declare-const m (Array Int Int))(declare-const x Int)(declare-const v (_ BitVec 4))\
                        (declare-fun f (Int) Int)(declare-const t (Tuple Int Bool))";
    let model = r#"((declare-fun e0 () S)(declare-fun e1 () S)(define-fun a () S e0)(define-fun b () S e1)
                    (define-fun s () String "ab")(define-fun x () Int 0)(define-fun v () (_ BitVec 4) #b0011)
                    (define-fun m () (Array Int Int) ((as const (Array Int Int)) 5))
                    (define-fun f ((n Int)) Int 7)(define-fun t () (Tuple Int Bool) (tuple 1 true)))"#;
    let check = |assertion, expect: &[(&str, &str)]| check(declarations, assertion, model, expect);
    check(
        "(= (str.len s) 2)",
        &[("(str.len s)", "(= $ 2)"), ("2", "(= $ 2)"), ("s", "(= (str.len $) 2)")],
    );
    check(
        "(= 5 (select m 1))",
        &[
            ("5", "(= $ 5)"),
            ("(select m 1)", "(= $ 5)"),
            ("m", "(= (select $ 1) 5)"),
            ("1", "(= (select ((as const (Array Int Int)) 5) $) 5)"),
        ],
    );
    check(
        "(= (* x 3) (+ x 0))",
        &[
            ("(* x 3)", "(= $ 0)"),
            ("(+ x 0)", "(= $ 0)"),
            ("x", "(= $ 0)"),
            ("3", "true"),
            ("x", "(= $ 0)"),
            ("0", "(= $ 0)"),
        ],
    );
    check(
        "(= (bvand v #x1) #x1)",
        &[
            ("(bvand v #x1)", "(= $ #x1)"),
            ("#x1", "(= $ #x1)"),
            ("v", "(= (bvand $ #x1) #x1)"),
            ("#x1", "(= (bvand #x3 $) #x1)"),
        ],
    );
    check("(= (f x) 7)", &[("(f x)", "(= $ 7)"), ("7", "(= $ 7)"), ("x", "(= (f $) 7)")]);
    // Elements of a free sort have no constants: the equality itself says what may stand there.
    check("(distinct a b)", &[("a", "(distinct $ b)"), ("b", "(distinct a $)")]);
    check("(= a a)", &[("a", "(= $ a)"), ("a", "(= a $)")]);
    check("(= t t)", &[("t", "(= $ (tuple 1 true))"), ("t", "(= $ (tuple 1 true))")]);
}

/// Operators that must not be brought in are neither in new terms, nor in constants, nor in restrictions.
#[test]
fn operators() {
    let text = "(declare-const x Int)(declare-const v (_ BitVec 8))(declare-const m (Array Int Int))\
                (assert (< x 3))(assert (bvult v #x10))(assert (= 5 (select m x)))(check-sat)";
    let model = "((define-fun x () Int (- 3))(define-fun v () (_ BitVec 8) #x05)\
                 (define-fun m () (Array Int Int) ((as const (Array Int Int)) 5)))";
    let seed = with_model(text, model);
    let run = |ops: &OpSet| {
        let input = Input { seed: &seed, partners: &[], ops, parameters: &[] };
        let mut random = ChaCha8Rng::seed_from_u64(4);
        let mut chain = Diver.start(&input, &mut random).unwrap();
        let step = |_| crate::recheck::text(chain.step(&mut random).unwrap().script);
        (0..400).map(step).collect::<String>()
    };
    let (mut ops, all) = (OpSet::all(), run(&OpSet::all()));
    let gone =
        [(Op::BvUle, "(bvule "), (Op::ConstArray, "(as const"), (Op::Neg, "(- "), (Op::Sub, "(- ")];
    for (op, word) in gone {
        assert!(all.contains(word), "{word}");
        ops.remove(op);
    }
    let some = run(&ops);
    assert!(gone.iter().all(|(_, word)| !some.contains(word)));
    assert!(some.contains("smelt!n"));
}

/// The published weights find places where a random term fits more often than a uniform choice does.
#[test]
fn weights() {
    let text = "(declare-const x Int)(declare-const y Int)(declare-const z Int)(declare-const s String)\
                (assert (= x (+ (* 17 y) z 113)))(assert (= (mod z 91) (- y 777)))(assert (= s (str.++ (str.from_int x) \"-\")))\
                (assert (or (> x y) (= y 1234)))(check-sat)";
    let model = "((define-fun x () Int 14191)(define-fun y () Int 800)(define-fun z () Int 478)(define-fun s () String \"14191-\"))";
    let seed = with_model(text, model);
    let ops = OpSet::all();
    let count = |parameters: &[String]| {
        let input = Input { seed: &seed, partners: &[], ops: &ops, parameters };
        super::survey::effort(&input, 300, &mut ChaCha8Rng::seed_from_u64(8)).unwrap()
    };
    let (on, off) = (count(&[]), count(&["weights=off".into()]));
    assert_eq!((on.places, off.places), (300, 300));
    assert!(on.terms * off.mutants * 3 < off.terms * on.mutants, "{on:?} {off:?}");
}

/// Proposition 1 over the embedded seeds: a value of the set, put at the place, keeps the formula true; and the present
/// value is in the set.
#[test]
fn proposition_1() {
    let mut random = ChaCha8Rng::seed_from_u64(11);
    let (mut places_seen, mut inside, mut outside) = (0, 0, 0);
    for seed in satisfied() {
        let Ok((mut script, frame, check, model)) = prepare(seed, &mut random) else { continue };
        let mut values = Incremental::with_limits(model, limits());
        let assertions = &frame.checks[check];
        if assertions.iter().any(|&t| values.holds(&script.arena, t) != Some(true)) {
            continue;
        }
        let places = Places::of(&script.arena, &mut values, assertions, true);
        let mut constants = Constants::writable(&script.arena, assertions);
        let base = script.arena.mark();
        for p in &places.list {
            let Some(abs) = &p.abs else { continue };
            places_seen += 1;
            let a = &mut script.arena;
            let (root, path) = (assertions[p.assertion as usize], places.path(p));
            let present = abs.formula(a, &mut values, p.term);
            if let Some(present) = present
                && values.eval(a, p.term).is_ok()
            {
                let holds = values.holds(a, present);
                assert_ne!(holds, Some(false), "{}: {}", seed.name, print_term(a, present));
            }
            values.rollback(a, base);
            for _ in 0..12 {
                let sort = a.sort(p.term);
                if let Some(c) = constants.random(a, sort, &mut random)
                    && let Some(formula) = abs.formula(a, &mut values, c)
                    && let Some(changed) = a.replace_at(root, &path, c)
                {
                    match values.holds(a, formula) {
                        Some(true) => {
                            inside += 1;
                            let holds = values.holds(a, changed);
                            let show = || format!("{}: {}", seed.name, print_term(a, changed));
                            assert_ne!(holds, Some(false), "{}\n{abs:?}", show());
                        }
                        Some(false) => outside += 1,
                        None => {}
                    }
                }
                values.rollback(a, base);
            }
        }
    }
    let seen = format!("{places_seen} places, {inside} values inside, {outside} outside");
    assert!(places_seen > 5000 && inside > 20_000 && outside > 20_000, "{seen}");
}

/// Figure 2: two assertions of a string formula are replaced by others, one with cvc5's `str.update`.
#[test]
fn figure_2() {
    let text = r#"(declare-const t String)
        (assert (str.prefixof "-" (str.substr t 0 1)))
        (assert (> (str.len (str.substr t 0 2)) 1))
        (assert (not (= (- 1) (str.to_int (str.substr t 1 1)))))
        (assert (>= (+ 0 2) (str.len t)))
        (check-sat)"#;
    let seed = with_model(text, r#"((define-fun t () String "-0"))"#);
    let mut random = ChaCha8Rng::seed_from_u64(0);
    let (mut script, frame, check, model) = prepare(&seed, &mut random).unwrap();
    let assertions = frame.checks[check].clone();
    let mut values = Incremental::with_limits(model.clone(), limits());
    let a = &mut script.arena;
    let generator = Generator::new(a, &assertions, &frame.symbols, &model, &OpSet::all());
    let news = r#"(not (xor (str.< (str.update "-0" 0 t) "-0") false))
                  (str.suffixof (str.replace t "-0" "-") "-")"#;
    let news = parse_terms(&mut script, news.as_bytes(), &Default::default()).unwrap();
    let places = Places::of(&script.arena, &mut values, &assertions, true);
    for (i, new) in [(2, news[0]), (3, news[1])] {
        // The place can be chosen, the term can be made, and the model satisfies it.
        assert!(places.list.iter().any(|p| p.term == assertions[i] && p.abs.is_some()));
        assert!(generator.can_make(&script.arena, new), "{}", print_term(&script.arena, new));
        assert_eq!(values.holds(&script.arena, new), Some(true));
    }
    // Without cvc5's operator it is out of reach.
    let mut ops = OpSet::all();
    ops.remove(Op::StrUpdate);
    let generator = Generator::new(&mut script.arena, &assertions, &frame.symbols, &model, &ops);
    assert!(!generator.can_make(&script.arena, news[0]));
}

/// Section II.B's mutation y → (y − 1)/x comes out of a bounded search.
#[test]
fn section_2b_mutation() {
    let text = "(declare-const x Real)(declare-const y Real)\
                (assert (<= 0.0 y))(assert (= x (+ 2.0 y)))(check-sat)";
    let seed = with_model(text, "((define-fun x () Real 3.0)(define-fun y () Real 1.0))");
    let ops = [Op::Sub, Op::Div].into_iter().collect();
    let parameters = ["complicate=off".to_owned(), "per=1000".to_owned()];
    let input = Input { seed: &seed, partners: &[], ops: &ops, parameters: &parameters };
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let found = (0..60).any(|_| {
        let mut chain = Diver.start(&input, &mut random).unwrap();
        (0..1000).any(|_| {
            let mutant = chain.step(&mut random).unwrap();
            mutant.what == "y → (/ (- y 1.0) x)"
        })
    });
    assert!(found);
}

/// Fresh constants come with restrictions, and mutants of mutants come out.
#[test]
fn complicated_and_chained() {
    let text = "(declare-const x Int)(declare-const v (_ BitVec 8))(assert (> (* x x) x))(assert (bvult v #x10))(check-sat)";
    let seed = with_model(text, "((define-fun x () Int 3)(define-fun v () (_ BitVec 8) #x05))");
    let ops = OpSet::all();
    let count = |parameters: &[String]| {
        let input = Input { seed: &seed, partners: &[], ops: &ops, parameters };
        let mut random = ChaCha8Rng::seed_from_u64(2);
        let mut chain = Diver.start(&input, &mut random).unwrap();
        let (mut fresh, mut aged) = (0, 0);
        for _ in 0..600 {
            let mutant = chain.step(&mut random).unwrap();
            fresh += usize::from(mutant.what.contains("fresh"));
            aged += usize::from(mutant.what.contains("mutation"));
        }
        (fresh, aged)
    };
    let (fresh, aged) = count(&[]);
    assert!(fresh > 100 && aged > 100, "{fresh} {aged}");
    assert_eq!(count(&["complicate=off".into()]).0, 0);
}
