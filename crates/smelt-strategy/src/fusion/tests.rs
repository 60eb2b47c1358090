//! The thesis' own examples, all kinds of fusion, and unsat fusions of small domains by brute force.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use smelt_case::{Expectation, OpSet, Seed, Status};
use smelt_eval::brute_force;
use smelt_smtlib::{Command, Op, Script, print_term};

use super::Fusion;
use crate::no_lie::{Counts, run, satisfied, seed, seeds};
use crate::recheck::{Recheck, recheck};
use crate::{Input, Strategy};

fn texts(script: &Script) -> Vec<String> {
    let asserted = script.commands.iter().filter_map(|c| match c {
        Command::Assert(t) => Some(print_term(&script.arena, *t)),
        _ => None,
    });
    asserted.collect()
}

/// Makes mutants of seeds until one is wanted.
fn search(
    seeds: &[&Seed],
    parameters: &[&str],
    chains: u64,
    mut wanted: impl FnMut(&Script, &Expectation) -> bool,
) -> bool {
    let parameters: Vec<String> = parameters.iter().map(|&p| p.into()).collect();
    let ops = OpSet::all();
    let input = Input { seed: seeds[0], partners: &seeds[1..], ops: &ops, parameters: &parameters };
    (0..chains).any(|n| {
        let mut random = ChaCha8Rng::seed_from_u64(n);
        let mut chain = Fusion.start(&input, &mut random).unwrap();
        (0..50).any(|_| {
            let mutant = chain.step(&mut random).unwrap();
            wanted(mutant.script, &mutant.expect[0])
        })
    })
}

/// Figures 3.1 and 3.2.
#[test]
fn figure_3_2() {
    let one = seed(
        "phi1",
        "(declare-fun x () Int)(declare-fun w () Bool)(assert (= x (- 1)))(assert (= w (= x (- 1))))(assert w)(check-sat)",
    );
    let two = seed(
        "phi2",
        "(declare-fun y () Int)(declare-fun v () Bool)(assert (= v (not (= y (- 1)))))\
         (assert (ite v false (= y (- 1))))(check-sat)",
    );
    let wanted = [
        "(= (div Z y!2) (- 1))",
        "(= w (= x (- 1)))",
        "w",
        "(= v!2 (not (= y!2 (- 1))))",
        "(ite v!2 false (= (div Z x) (- 1)))",
    ];
    let found = search(&[&one, &two], &["seeds=2"], 60, |s, e| {
        let z = |t: &String| {
            let mut t = t.clone();
            for n in 0..30 {
                t = t.replace(&format!("smelt!z{n} "), "Z ");
            }
            t
        };
        matches!(e, Expectation::Sat(Some(_))) && texts(s).iter().map(z).eq(wanted)
    });
    assert!(found);
}

/// Figures 3.3 and 3.4: a disjunction, with all three equations.
#[test]
fn figure_3_4() {
    let one = "(set-info :status unsat)(declare-fun x () Real)\
               (assert (not (= (+ (+ 1.0 x) 6.0) (+ 7.0 x))))(check-sat)";
    let two = "(set-info :status unsat)(declare-fun y () Real)(declare-fun w () Real)(declare-fun v () Real)\
               (assert (and (< y v) (>= w v) (< (/ w v) 0.0) (> y 0.0)))(check-sat)";
    let (one, two) = (seed("phi3", one), seed("phi4", two));
    let z = "smelt!z0";
    let wanted = [
        format!(
            "(or (not (= (+ (+ 1.0 (/ {z} y!2)) 6.0) (+ 7.0 x))) \
             (and (< (/ {z} x) v!2) (>= w!2 v!2) (< (/ w!2 v!2) 0.0) (> (/ {z} x) 0.0)))"
        ),
        format!("(= {z} (* x y!2))"),
        format!("(= x (/ {z} y!2))"),
        format!("(= y!2 (/ {z} x))"),
    ];
    let only = "functions=(fusion m :vars ((x Real) (y Real) (z Real)) :fuse (* x y) :invert-x (/ z y) :invert-y (/ z x))";
    let found = search(&[&one, &two], &["seeds=2", only], 400, |s, e| {
        matches!(e, Expectation::Unsat) && texts(s) == wanted
    });
    assert!(found);
}

/// Every kind of fusion comes out, and every witness holds on the printed script.
#[test]
fn no_lie() {
    let sat: Vec<&Seed> = satisfied().iter().collect();
    let unsat: Vec<&Seed> =
        seeds().iter().filter(|s| s.checks.iter().any(|k| k.status == Status::Unsat)).collect();
    assert!(unsat.len() > 50);
    let mut counts = Counts::default();
    let mut mixed = Counts::default();
    for (i, one) in sat.iter().enumerate() {
        // A neighbour has similar sorts; a far one has others.
        let near = sat[(i + 1) % sat.len()];
        let far = sat[(7 * i + 31) % sat.len()];
        run(&Fusion, one, &[near, far], &[], 5, &mut counts);
        run(&Fusion, one, &[unsat[i % unsat.len()], near], &[], 3, &mut mixed);
    }
    for (i, one) in unsat.iter().enumerate() {
        run(&Fusion, one, &[unsat[(i + 1) % unsat.len()]], &[], 3, &mut mixed);
    }
    assert!(counts.witnesses > 500 && counts.unsat == 0, "{counts:?}");
    assert!(mixed.witnesses > 100 && mixed.unsat > 100, "{mixed:?}");
}

/// Unsat fusions of Booleans and short bit-vectors are unsat: all values are tried.
#[test]
fn unsat_by_brute_force() {
    let texts = [
        "(declare-const p Bool)(declare-const q Bool)(assert (xor p q))(assert (= p q))(check-sat)",
        "(declare-const p Bool)(assert (and p (not p)))(check-sat)",
        "(declare-const x (_ BitVec 2))(declare-const y (_ BitVec 2))(assert (bvult x y))(assert (bvult y x))(check-sat)",
        "(declare-const x (_ BitVec 3))(assert (= (bvmul x x) #b011))(check-sat)",
        "(declare-const x (_ BitVec 2))(declare-const p Bool)(assert (ite p (bvugt x #b11) (bvult x #b00)))(check-sat)",
    ];
    let unsat: Vec<Seed> =
        texts.iter().map(|t| seed("unsat", &format!("(set-info :status unsat){t}"))).collect();
    let sat = seed(
        "sat",
        "(declare-const x (_ BitVec 2))(declare-const p Bool)(assert (or p (= x #b10)))(check-sat)",
    );
    assert!(sat.checks[0].model.is_some());
    let (mut tried, mut open) = (0, 0);
    let mut check = |a: &Seed, b: &Seed| {
        search(&[a, b], &["seeds=2"], 4, |script, e| {
            match e {
                Expectation::Unsat => match brute_force(script, &script.queries()[0]) {
                    Status::Sat => panic!("{}", crate::recheck::text(script)),
                    Status::Unsat => tried += 1,
                    Status::Unknown => open += 1,
                },
                e => {
                    assert!(matches!(recheck(script, std::slice::from_ref(e)), Recheck::Agrees(1)))
                }
            }
            false
        });
    };
    for a in &unsat {
        for b in &unsat {
            check(a, b);
        }
        check(a, &sat);
        check(&sat, a);
    }
    assert!(tried > 2000 && open < tried, "{tried} {open}");
}

/// With the first equation only, as Proposition 3.2.2 has it, products make unsat seeds satisfiable: the third and second
/// equations are needed.
#[test]
fn one_equation_is_not_enough() {
    // x > 0 ∧ z div y < 0 ∧ z = x·y with y = 0: `div 0 0` may be −1.
    let text = "(declare-const x Int)(declare-const y Int)(declare-const z Int)\
                (assert (> x 0))(assert (< (div z y) 0))(assert (= z (* x y)))(check-sat)";
    let model = "((define-fun x () Int 1)(define-fun y () Int 0)(define-fun z () Int 0)\
                 (define-fun div0 ((n Int)) Int (- 1)))";
    let mut script = smelt_smtlib::parse(text.as_bytes()).unwrap();
    let model =
        smelt_eval::parse_model(&mut script, model.as_bytes(), &Default::default()).unwrap();
    for &t in &script.queries()[0].assertions {
        assert_eq!(smelt_eval::eval(&script.arena, &model, t), Ok(smelt_eval::Value::TRUE));
    }
}

/// ConcatFuzz replaces nothing; a user's file in the published syntax is used; bad ones are refused.
#[test]
fn parameters() {
    let one = seed("one", "(declare-const x Int)(assert (> x 0))(check-sat)");
    let two = seed("two", "(declare-const x Int)(assert (< x 9))(check-sat)");
    let plain = ["(> x 0)", "(< x!2 9)"];
    assert!(!search(&[&one, &two], &["fuse=off"], 3, |s, _| texts(s) != plain));
    let published = "functions=#begin\n(declare-const x Int)(declare-const y Int)(declare-const z Int)\n\
        (assert (= z (- x y)))(assert (= x (+ z y)))(assert (= y (- x z)))\n#end";
    let used = |s: &Script, _: &Expectation| {
        texts(s) == ["(> (+ smelt!z0 x!2) 0)", "(< (- x smelt!z0) 9)"]
    };
    assert!(search(&[&one, &two], &["seeds=2", published], 10, used));
    let refuse = |seeds: &[&Seed], parameters: &[&str], expect: &str| {
        let parameters: Vec<String> = parameters.iter().map(|&p| p.into()).collect();
        let ops = OpSet::all();
        let input =
            Input { seed: seeds[0], partners: &seeds[1..], ops: &ops, parameters: &parameters };
        let result = Fusion.start(&input, &mut ChaCha8Rng::seed_from_u64(0));
        assert_eq!(result.err().as_deref(), Some(expect));
    };
    refuse(&[&one], &[], "there is no seed to fuse with");
    refuse(&[&one, &two], &["functions=(x"], "functions: line 1: missing `)`");
    refuse(&[&one, &two], &["functions="], "there are no fusion functions");
    let odd = "functions=#begin\n(declare-const x Int)\n#end";
    let why = "functions: block 1: the equations are not those of z, x and y, in this order";
    refuse(&[&one, &two], &[odd], why);
    // The command line reads the file.
    assert_eq!(Fusion.file_parameters(), ["functions", "rules"]);
    // Further rules are beside smelt's own.
    let own = "rules=(fusion mine :vars ((x Int) (y Int) (z Int)) :fuse (- x y 7) :invert-x (+ z y 7) :invert-y (- x z 7))";
    let used = |s: &Script, _: &Expectation| texts(s).contains(&"(> (+ smelt!z0 x!2 7) 0)".into());
    assert!(search(&[&one, &two], &["seeds=2", own], 300, used));
    refuse(&[&one, &two], &["rules=(x"], "rules: line 1: missing `)`");
    refuse(&[&one, &two], &["seeds=1"], "`seeds=1`: at least 2");
    refuse(&[&one, &two], &["seeds=99"], "`seeds=99`: at most 16");
    let unknown = seed("unknown", "(declare-const x Int)(assert (= (* x x) 123456))(check-sat)");
    refuse(&[&one, &unknown], &[], "no check has a known status");
    let other = seed("other", "(declare-fun f (Int) Int)(assert (distinct (f 1) 0))(check-sat)");
    refuse(&[&one, &other], &[], "no pair of symbols has a fusion function");
    // The next seed takes the place of one that does not fit.
    let next = |s: &Script, _: &Expectation| {
        let text = texts(s).join(" ");
        text.contains(" 9)") && !text.contains("(f 1)")
    };
    for unfit in [&other, &unknown] {
        assert!(search(&[&one, unfit, &two], &["seeds=2"], 1, next));
    }
}

/// Three seeds in one.
#[test]
fn three_seeds() {
    let make = |c: &str| {
        seed(c, &format!("(declare-const x Int)(assert (distinct x {c} {c}0))(check-sat)"))
    };
    let (a, b, c) = (make("1"), make("2"), make("3"));
    let all = |s: &Script, e: &Expectation| {
        let text = texts(s).join(" ");
        matches!(e, Expectation::Sat(Some(_)))
            && ["1 10", "2 20", "3 30"].iter().all(|c| text.contains(c))
    };
    assert!(search(&[&a, &b, &c], &["seeds=3"], 3, all));
    // And more, of all kinds.
    let no = seed("no", "(set-info :status unsat)(declare-const x Int)(assert (< x x))(check-sat)");
    let (mut sat, mut unsat) = (0, 0);
    search(&[&a, &no, &b, &no, &c], &["seeds=5"], 4, |s, e| {
        assert_eq!(texts(s).join(" ").matches("(distinct").count(), 3);
        match e {
            Expectation::Unsat => unsat += 1,
            e => {
                assert_eq!(recheck(s, std::slice::from_ref(e)), Recheck::Agrees(1));
                sat += 1;
            }
        }
        false
    });
    assert!(sat > 20 && unsat > 20, "{sat} {unsat}");
}

/// Sorts without a function of their own are fused as pairs: floating-point numbers, arrays, and different sorts where
/// there are tuples.
#[test]
fn any_sort() {
    let sat = "(declare-const f Float32)(declare-const a (Array Int Bool))\
               (assert (or (fp.lt f (_ +oo 8 24)) (select a 1)))(check-sat)";
    let unsat = "(set-info :status unsat)(declare-const m RoundingMode)(declare-const f Float32)\
                 (assert (distinct (fp.roundToIntegral m f) (fp.roundToIntegral m f)))(check-sat)";
    let (sat, unsat) = (seed("sat", sat), seed("unsat", unsat));
    let (mut arrays, mut tuples) = (0, 0);
    for (a, b) in [(&sat, &sat), (&sat, &unsat), (&unsat, &sat), (&unsat, &unsat)] {
        search(&[a, b], &[], 4, |s, e| {
            let text = texts(s).join(" ");
            arrays += usize::from(text.contains("false)"));
            tuples += usize::from(text.contains("tuple.select"));
            if let Expectation::Sat(Some(_)) = e {
                assert_eq!(recheck(s, std::slice::from_ref(e)), Recheck::Agrees(1));
            }
            false
        });
    }
    assert!(arrays > 100 && tuples > 100, "{arrays} {tuples}");
}

/// Operators that must not be brought in are not; without any, there is nothing to fuse by.
#[test]
fn operators() {
    let one = seed("one", "(declare-const x Int)(assert (> x 0))(check-sat)");
    let two = seed("two", "(declare-const x Int)(assert (< (+ x 2) 9))(check-sat)");
    let run = |ops: &OpSet, used: &mut String| {
        let input = Input { seed: &one, partners: &[&two], ops, parameters: &[] };
        for n in 0..8 {
            let mut random = ChaCha8Rng::seed_from_u64(n);
            let mut chain = Fusion.start(&input, &mut random)?;
            for _ in 0..20 {
                *used += &texts(chain.step(&mut random)?.script).join(" ");
            }
        }
        Ok::<(), crate::Refusal>(())
    };
    let mut used = String::new();
    let mut ops = OpSet::all();
    run(&ops, &mut used).unwrap();
    assert!(used.contains("(div ") && used.contains("(* "));
    ops.remove(Op::IntDiv);
    ops.remove(Op::Mul);
    used.clear();
    run(&ops, &mut used).unwrap();
    assert!(!used.contains("(div ") && !used.contains("(* ") && used.contains("(- "));
    let none = run(&OpSet::none(), &mut used);
    assert_eq!(none.unwrap_err(), "no pair of symbols has a fusion function");
}

/// Names that the renaming of another seed would give are kept apart, sorts among them.
#[test]
fn renaming() {
    let text = |sort: &str, x: &str| {
        format!(
            "(set-info :status unsat)(declare-sort {sort} 0)(declare-datatype D{sort} ((k{sort})))\
             (declare-const a {sort})(declare-const {x} Int)(assert (and (> {x} 3) (< {x} 2)))(assert (= a a))(check-sat)"
        )
    };
    let two = seed("two", &text("S", "x"));
    for one in [text("S!2", "x"), text("S", "x!2"), text("S!2", "x!3"), text("DS!2", "kS!3")] {
        let one = seed("one", &one);
        search(&[&one, &two, &two], &["seeds=3"], 1, |s, _| {
            let text = crate::recheck::text(s);
            assert!(smelt_smtlib::parse(text.as_bytes()).is_ok(), "{text}");
            false
        });
    }
}
