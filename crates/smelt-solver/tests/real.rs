//! Real solvers, installed from the registry by smelt's own code into the build folder.

use std::time::Duration;

use smelt_solver::{
    Answer, Choice, Limit, Limits, Policy, Requests, Script, Separation, Session, Setup, Status,
    doctor, testing,
};

const SOLVERS: [&str; 5] =
    ["z3@latest", "z3@4.8.7", "cvc5@latest", "yices@latest", "bitwuzla@latest"];

#[test]
fn the_doctor_finds_all_of_them_well() {
    let registry = testing::registry();
    for name in SOLVERS {
        let health = doctor::examine(&registry, &testing::solver(name), None, &|_| {});
        assert_eq!(health.complaints, Vec::<String>::new(), "{name}");
        assert!(health.warm_cpu.is_some(), "{name} has a warm mode");
        let known = health.capabilities.unwrap();
        assert!(known.supports(smelt_smtlib::Op::BvAdd), "{name}: {:?}", known.unsupported);
        let strings = known.supports(smelt_smtlib::Op::StrLen);
        assert_eq!(strings, name.starts_with("z3") || name.starts_with("cvc5"), "{name}");
        // yices takes products, though not all of them; cvc5 reads complements, and then refuses to solve them.
        let products = known.supports(smelt_smtlib::Op::Mul);
        assert_eq!(products, !name.starts_with("bitwuzla"), "{name}");
        let sets = [smelt_smtlib::Op::SetUnion, smelt_smtlib::Op::SetComplement];
        assert_eq!(sets.map(|op| known.supports(op)), [name.starts_with("cvc5"), false], "{name}");
    }
}

const MODEL: &str =
    "(set-logic QF_BV)\n(declare-const x (_ BitVec 8))\n(assert (= x #x2a))\n(check-sat)\n";

#[test]
fn models_and_cores_on_demand() {
    for name in SOLVERS {
        let solver = testing::solver(name);
        let setup = Setup { models: true, cores: true, ..Setup::default() };
        let requests = Requests { model: true, core: true };
        let mut session = Session::new(&solver, setup.clone(), Policy::default());
        let core = "(set-logic QF_BV)\n(declare-const x (_ BitVec 8))\n(assert (! (= x #x2a) :named a))\n(assert (! (= x #x00) :named b))\n(check-sat)\n";
        for text in [MODEL, core, MODEL, core] {
            let script = Script::new(text);
            for outcome in [
                session.run(&script, requests).unwrap(),
                solver.run_cold(&script, &setup, requests, None).unwrap(),
            ] {
                if text == MODEL {
                    assert_eq!(outcome.answer(), Some(&Answer::Sat), "{name} {outcome:?}");
                    assert!(
                        outcome.model().is_some_and(|m| m.contains("define-fun x")),
                        "{name} {outcome:?}"
                    );
                } else {
                    assert_eq!(outcome.answer(), Some(&Answer::Unsat), "{name} {outcome:?}");
                    let core = outcome.checks[0].core.as_deref().unwrap_or_default();
                    assert!(core.contains('a') && core.contains('b'), "{name} {outcome:?}");
                }
            }
        }
    }
}

#[test]
fn errors_before_an_answer_are_rejections() {
    for name in SOLVERS {
        let solver = testing::solver(name);
        let mut session = Session::new(&solver, Setup::default(), Policy::default());
        let bad = Script::new(
            "(set-logic QF_BV)\n(declare-const x (_ BitVec 8))\n(assert (nosuch x))\n(check-sat)\n",
        );
        let good = Script::new(MODEL);
        for _ in 0..2 {
            let warm = session.run(&bad, Requests::default()).unwrap();
            let cold = solver.run_cold(&bad, &Setup::default(), Requests::default(), None).unwrap();
            for outcome in [warm, cold] {
                let Some(Answer::Rejected { error, answer }) = outcome.answer() else {
                    panic!("{name} {outcome:?}")
                };
                assert!(error.contains("nosuch"), "{name}: {error}");
                assert_eq!(
                    *answer == Some(Status::Sat),
                    name.starts_with("z3"),
                    "{name}: only z3 answers all the same"
                );
            }
            assert_eq!(
                session.run(&good, Requests::default()).unwrap().answer(),
                Some(&Answer::Sat),
                "{name}"
            );
        }
    }
}

/// cvc5's library goes on after an error inside of a check, and crashes in a script that follows: its process must not be
/// used again. Nor must a parse error, a refused question or an unsupported combination of theories reach the next script.
#[test]
fn no_error_reaches_the_next_script() {
    let errors = [
        // A logic that does not hold the content: found inside of the check.
        "(set-logic QF_LIA)(declare-const x Int)(declare-const y Int)(assert (= (* x y) 7))(check-sat)",
        "(set-logic QF_UF)(declare-sort T 0)(declare-const a (Array T T))(declare-const b T)(assert (= (select a b) b))(check-sat)",
        "(set-logic ALL)(declare-const s (Set Int))(assert (= (set.card (set.complement s)) 3))(check-sat)",
        "(set-logic ALL)(declare-datatypes ((D 0)) (((c (a (Array D Int))) (n))))(declare-const d D)(assert (= d d))(assert ((_ is c) d))(check-sat)",
        "(set-logic ALL)(declare-const x Real)(assert (= (exp x) (nosuch x)))(check-sat)",
        "(set-logic ALL)(declare-codatatypes ((S 0)) (((cons (head Int) (tail S)))))(declare-const s S)(assert (= (tail s) s))(check-sat)",
    ];
    let good = [
        (
            "(set-logic QF_BV)(declare-const x (_ BitVec 8))(assert (= x #x2a))(check-sat)",
            Answer::Sat,
        ),
        (
            "(set-logic QF_NIA)(declare-const x Int)(assert (= (* x x) 9))(assert (> x 5))(check-sat)",
            Answer::Unsat,
        ),
        (
            "(set-logic QF_SLIA)(declare-const s String)(assert (= (str.len s) 2))(check-sat)",
            Answer::Sat,
        ),
    ];
    for name in ["cvc5@latest", "z3@latest"] {
        let solver = testing::solver(name);
        let setup = Setup { models: true, ..Setup::default() };
        let mut session = Session::new(&solver, setup, Policy::default());
        let ask = Requests { model: true, core: false };
        let mut seen = Vec::new();
        for round in 0..12 {
            for bad in errors {
                let before = session.starts();
                let first = session.run(&Script::new(bad), ask).unwrap();
                let complained = !first.errors.is_empty();
                if round == 0 {
                    seen.push(first.answers().map(ToString::to_string).collect::<Vec<_>>());
                }
                for (text, expect) in &good {
                    let next = session.run(&Script::new(text), ask).unwrap();
                    assert_eq!(next.answer(), Some(expect), "{name} after {bad}: {next:?}");
                }
                if name.starts_with("cvc5") && complained {
                    assert!(session.starts() > before.max(1), "{name} went on after {bad}");
                }
            }
        }
        assert!(seen.iter().flatten().any(|a| a.contains("rejected")), "{seen:?}");
    }
}

/// The options that most scripts begin with do not cost them the warm session.
#[test]
fn harmless_options_run_warm() {
    let with = Script::new(&format!(
        "(set-option :print-success false)(set-option :produce-models true){MODEL}"
    ));
    let plain = Script::new(MODEL);
    for name in ["z3@latest", "z3@4.8.7", "cvc5@latest"] {
        for models in [true, false] {
            let setup = Setup { models, ..Setup::default() };
            let mut session = Session::new(&testing::solver(name), setup, Policy::default());
            for script in [&plain, &with, &plain, &with] {
                let outcome = session.run(script, Requests { model: models, core: false }).unwrap();
                assert!(outcome.warm, "{name} {outcome:?}");
                assert_eq!(outcome.answer(), Some(&Answer::Sat), "{name} {outcome:?}");
                assert_eq!(outcome.model().is_some(), models, "{name} {outcome:?}");
                assert!(outcome.errors.is_empty(), "{name} {outcome:?}");
            }
            assert_eq!(session.starts(), 1, "{name}");
        }
    }
}

/// Old z3 says `unsupported` to a logic that it does not know, explains on its other stream that it ignores it, and answers.
#[test]
fn a_logic_that_is_ignored_spoils_nothing() {
    let solver = testing::solver("z3@4.8.7");
    let mut session = Session::new(&solver, Setup::default(), Policy::default());
    let script =
        Script::new("(set-logic QF_UFDTLIA)(declare-const x Int)(assert (> x 1))(check-sat)");
    let cold = solver.run_cold(&script, &Setup::default(), Requests::default(), None).unwrap();
    assert_eq!(cold.answer(), Some(&Answer::Sat), "{cold:?}");
    for round in 0..100 {
        let warm = session.run(&script, Requests::default()).unwrap();
        assert_eq!(warm.answer(), Some(&Answer::Sat), "{round} {warm:?}");
    }
}

/// A name may have another sort in each script and in each scope: hosts that lose scopes between pieces must not show it.
#[test]
fn names_end_with_their_scope() {
    let scripts = ["Int", "Bool", "Real"].map(|sort| {
        let scope = |s| format!("(push 1)(declare-const x {s})(assert (= x x))(check-sat)(pop 1)");
        let plain = format!("(declare-const x {sort})(assert (= x x))(check-sat)");
        [plain, format!("(set-logic ALL){}{}", scope(sort), scope("String"))]
    });
    for name in ["cvc5@1.0.9", "cvc5@latest", "z3@latest"] {
        let solver = testing::solver(name);
        for separation in [Separation::Reset, Separation::PushPop] {
            let setup = Setup { incremental: true, ..Setup::default() };
            let policy = Policy { separation, ..Policy::default() };
            let mut session = Session::new(&solver, setup, policy);
            for text in scripts.iter().flatten() {
                let outcome = session.run(&Script::new(text), Requests::default()).unwrap();
                let sat = outcome.answers().all(|a| *a == Answer::Sat);
                assert!(
                    sat && outcome.errors.is_empty(),
                    "{name} {separation:?} {text} {outcome:?}"
                );
            }
        }
    }
}

/// z3 up to 4.8.10 reads escapes as C does: the same script must mean the same to it.
#[test]
fn strings_mean_the_same_to_old_releases() {
    let scripts = [
        (
            r#"(declare-const s String)(assert (= s "\u{5c}a"))(assert (= (str.len s) 2))(check-sat)"#,
            Answer::Sat,
        ),
        (
            r#"(declare-const s String)(assert (= s "\x41"))(assert (= (str.len s) 4))(check-sat)"#,
            Answer::Sat,
        ),
        (
            r#"(declare-const s String)(assert (= s "\u{41}"))(assert (not (= s "A")))(check-sat)"#,
            Answer::Unsat,
        ),
    ];
    for name in ["z3@4.8.7", "z3@latest", "cvc5@latest"] {
        let solver = testing::solver(name);
        let mut session = Session::new(&solver, Setup::default(), Policy::default());
        for (text, expect) in &scripts {
            let script = Script::new(text);
            let cold = solver.run_cold(&script, &Setup::default(), Requests::default(), None);
            for outcome in [cold, session.run(&script, Requests::default())] {
                let outcome = outcome.unwrap();
                assert_eq!(outcome.answer(), Some(expect), "{name} {text} {outcome:?}");
            }
        }
    }
    let wide = Script::new(r#"(declare-const s String)(assert (= s "\u{2a3}"))(check-sat)"#);
    let old = testing::solver("z3@4.8.7");
    let outcome = old.run_cold(&wide, &Setup::default(), Requests::default(), None).unwrap();
    assert!(matches!(outcome.answer(), Some(Answer::Unsupported(_))), "{outcome:?}");
}

const HARD: &str = "(set-logic QF_NIA)\n(declare-const x Int)\n(declare-const y Int)\n(declare-const z Int)\n(assert (= (+ (* x x x) (* y y y) (* z z z)) 42))\n(assert (> x 100000))\n(check-sat)\n";

#[test]
fn limits_end_hard_checks_in_order() {
    for (name, resource) in [("z3@latest", 200_000), ("z3@4.8.7", 200_000), ("cvc5@latest", 20_000)]
    {
        let solver = testing::solver(name);
        let limits = Limits {
            cpu: Some(Duration::from_secs(20)),
            wall: Duration::from_secs(120),
            ..Limits::default()
        };
        let by_resource = Setup {
            limits: Limits { resource: Some(resource), ..limits.clone() },
            ..Setup::default()
        };
        let by_cpu = Setup {
            limits: Limits { cpu: Some(Duration::from_millis(300)), ..limits },
            ..Setup::default()
        };
        for (setup, limit) in [(by_resource, Limit::Resource), (by_cpu, Limit::Cpu)] {
            let script = Script::new(HARD);
            let cold = solver.run_cold(&script, &setup, Requests::default(), None).unwrap();
            assert_eq!(cold.answer(), Some(&Answer::Timeout(limit)), "{name} {cold:?}");
            let mut session = Session::new(&solver, setup, Policy::default());
            let warm = session.run(&script, Requests::default()).unwrap();
            assert_eq!(warm.answer(), Some(&Answer::Timeout(limit)), "{name} {warm:?}");
            let next = session.run(&Script::new(MODEL), Requests::default()).unwrap();
            assert_eq!(next.answer(), Some(&Answer::Sat), "{name} {next:?}");
            // The solver's own limit does not cost the session its life; ours does.
            assert_eq!(session.starts(), if limit == Limit::Resource { 1 } else { 2 }, "{name}");
        }
    }
}

#[test]
fn memory_limits() {
    // A term of 2^24 distinct nodes after expansion: parsing alone needs far more than the limit.
    let mut text = String::from("(set-logic QF_BV)\n(declare-const a (_ BitVec 64))\n");
    for i in 0..40_000 {
        text.push_str(&format!(
            "(declare-const v{i} (_ BitVec 64))(assert (= v{i} (bvmul a (bvadd a (_ bv{i} 64)))))\n"
        ));
    }
    text.push_str("(check-sat)\n");
    let script = Script::new(&text);
    for name in ["z3@latest", "cvc5@latest"] {
        let limits = Limits {
            memory: Some(if name.starts_with("z3") { 120 << 20 } else { 160 << 20 }),
            ..Limits::cpu(Duration::from_secs(60))
        };
        let outcome = testing::solver(name)
            .run_cold(&script, &Setup { limits, ..Setup::default() }, Requests::default(), None)
            .unwrap();
        assert_eq!(
            outcome.answer(),
            Some(&Answer::OutOfMemory),
            "{name} {:?} {}",
            outcome.answer(),
            outcome.stderr
        );
    }
}

#[test]
fn incremental_scripts_give_one_answer_per_check() {
    let text = "(set-logic QF_BV)\n(declare-const x (_ BitVec 8))\n(assert (bvult x #x10))\n(check-sat)\n(push 1)\n(assert (bvult #x10 x))\n(check-sat)\n(pop 1)\n(check-sat)\n";
    let script = Script::new(text);
    for name in ["z3@latest", "z3@4.8.7", "cvc5@latest", "yices@latest", "bitwuzla@latest"] {
        let solver = testing::solver(name);
        let setup = Setup { models: true, incremental: true, ..Setup::default() };
        let requests = Requests { model: true, core: false };
        let mut session = Session::new(&solver, setup.clone(), Policy::default());
        let cold = solver
            .run_cold(&script, &Setup { incremental: false, ..setup }, requests, None)
            .unwrap();
        let warm = session.run(&script, requests).unwrap();
        assert_eq!(warm.warm, !name.starts_with("bitwuzla"), "{name}");
        for outcome in [cold, warm] {
            let answers: Vec<&Answer> = outcome.answers().collect();
            assert_eq!(answers, [&Answer::Sat, &Answer::Unsat, &Answer::Sat], "{name} {outcome:?}");
            assert!(
                outcome.checks[0].model.is_some()
                    && outcome.checks[1].model.is_none()
                    && outcome.checks[2].model.is_some(),
                "{name} {outcome:?}"
            );
        }
    }
}

#[test]
fn push_pop_mode() {
    let policy = Policy { separation: Separation::PushPop, ..Policy::default() };
    for name in ["z3@latest", "z3@4.8.7", "cvc5@latest", "yices@latest"] {
        let solver = testing::solver(name);
        let mut session = Session::new(&solver, Setup::default(), policy);
        for i in 0..6 {
            let claim = if i % 2 == 0 { "(bvult x #x10)" } else { "(bvult x #x00)" };
            let text = format!(
                "(set-logic QF_BV)\n(declare-const x (_ BitVec 8))\n(assert {claim})\n(check-sat)\n"
            );
            let outcome = session.run(&Script::new(&text), Requests::default()).unwrap();
            let expect = if i % 2 == 0 { Answer::Sat } else { Answer::Unsat };
            assert_eq!(outcome.answer(), Some(&expect), "{name} {outcome:?}");
        }
        assert_eq!(session.starts(), 1, "{name}");
        let other = Script::new("(set-logic QF_UF)(declare-const p Bool)(assert p)(check-sat)");
        assert_eq!(
            session.run(&other, Requests::default()).unwrap().answer(),
            Some(&Answer::Sat),
            "{name}"
        );
        assert_eq!(session.starts(), 2, "{name}: another logic is another session");
        // What comes behind a refusal must be seen again in a fresh process.
        let refused = Script::new("(set-logic QF_UF)(assert nothing)(check-sat)");
        let outcome = session.run(&refused, Requests::default()).unwrap();
        assert!(outcome.refusal().is_some(), "{name} {outcome:?}");
        for script in [&other, &other] {
            let outcome = session.run(script, Requests::default()).unwrap();
            assert_eq!(outcome.answer(), Some(&Answer::Sat), "{name}");
        }
        let again = Script::new(session.transcript());
        let again = solver.run_cold(&again, &Setup::default(), Requests::default(), None).unwrap();
        let answers: Vec<&Answer> = again.answers().collect();
        assert_eq!(answers, [&Answer::Sat, &Answer::Sat], "{name} {again:?}");
    }
}

#[test]
fn options_that_a_release_does_not_know_are_learned() {
    use smelt_solver::{OptionClass, OptionFuzzer};
    for name in ["z3@4.8.7", "cvc5@latest"] {
        let solver = testing::solver(name);
        let mut fuzzer = OptionFuzzer::new(&solver, OptionClass::Expert);
        let mut state = 7u64;
        let mut below = |n: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % n
        };
        let mut plain = 0;
        for _ in 0..60 {
            let choice = fuzzer.choose(&mut below);
            plain += usize::from(choice.args.is_empty() && choice.tactic.is_none());
            assert!(choice.args.iter().all(|a| !fuzzer.unknown().contains(a)));
            let script = Script::new(MODEL);
            let script = choice.tactic.as_ref().map_or(script.clone(), |t| script.with_tactic(t));
            let setup = Setup { extra: choice.args.clone(), ..Setup::default() };
            let outcome = solver.run_cold(&script, &setup, Requests::default(), None).unwrap();
            fuzzer.learn(&choice, &outcome);
            if choice != Choice::default() && outcome.refusal().is_some() {
                continue;
            }
            let fine = matches!(
                outcome.answer(),
                Some(Answer::Sat | Answer::Unknown(_) | Answer::Timeout(_))
            );
            assert!(fine, "{name} {choice:?} {outcome:?}");
        }
        assert!((15..=45).contains(&plain), "{plain} of 60 runs got nothing");
    }
}

/// No option of a pool makes a solver answer another question than the one that is asked: a right answer would be a finding.
#[test]
fn options_do_not_change_the_question() {
    let uf = "(set-logic QF_AX)(declare-sort I 0)(declare-sort E 0)(declare-const a (Array I E))(declare-const b (Array I E))\
        (declare-const i I)(declare-const j I)";
    let swapped = "(= (store (store a i (select b i)) j (select b j)) (store (store a j (select b j)) i (select b i)))";
    let ints = "(set-logic QF_LIA)(declare-const x Int)(declare-const y Int)";
    let bits = "(set-logic QF_UFBV)(declare-const x (_ BitVec 8))(declare-const y (_ BitVec 8))(declare-fun f ((_ BitVec 8)) (_ BitVec 8))";
    let asked = [
        (format!("{uf}(assert (not {swapped}))"), Status::Unsat),
        (format!("{uf}(assert {swapped})(assert (not (= a b)))"), Status::Sat),
        (format!("{ints}(assert (> x 1000))(assert (> y x))"), Status::Sat),
        (
            format!("{ints}(assert (= y (+ x 100)))(assert (= x 100))(assert (< y 0))"),
            Status::Unsat,
        ),
        (
            format!(
                "{bits}(assert (bvule x y))(assert (bvule y x))(assert (distinct (f x) (f y)))"
            ),
            Status::Unsat,
        ),
        (format!("{bits}(assert (bvult x y))(assert (distinct (f x) (f y)))"), Status::Sat),
    ];
    let limits = Limits { cpu: Some(Duration::from_secs(2)), ..Limits::default() };
    for name in ["z3@latest", "cvc5@latest", "yices@latest"] {
        let solver = testing::solver(name);
        let pool = &solver.profile().options;
        let mut decided = 0;
        for option in pool.common.iter().chain(&pool.regular).chain(&pool.expert) {
            let setup =
                Setup { extra: vec![option.clone()], limits: limits.clone(), ..Setup::default() };
            let mut session = Session::new(&solver, setup, Policy::default());
            for (text, expect) in &asked {
                let script = Script::new(&format!("{text}(check-sat)"));
                let outcome = session.run(&script, Requests::default()).unwrap();
                let said = outcome.answer().and_then(Answer::decided);
                assert!(said.is_none_or(|v| v == *expect), "{name} {option}: {said:?} to {text}");
                decided += usize::from(said.is_some());
            }
        }
        assert!(decided > 10, "{name}: {decided}");
    }
}

#[test]
fn an_unknown_option_is_a_rejection_also_in_a_session() {
    for (name, option) in [
        ("z3@latest", "nosuch=true"),
        ("z3@latest", "--nosuch"),
        ("cvc5@latest", "--nosuch"),
        ("cvc5@latest", "-nosuch"),
        ("cvc5@latest", "nosuch=true"),
        ("cvc5@latest", "--decision=nosuch"),
        ("cvc5@1.0.9", "--nosuch"),
        ("cvc5@1.0.9", "-nosuch"),
        ("cvc5@1.0.9", "nosuch=true"),
        ("bitwuzla@latest", "--nosuch"),
        ("bitwuzla@latest", "-nosuch"),
        ("bitwuzla@latest", "nosuch=true"),
        ("bitwuzla@latest", "--bv-solver=nosuch"),
        ("yices@latest", "--nosuch"),
        ("yices@latest", "--delegate=nosuch"),
    ] {
        let solver = testing::solver(name);
        let setup = Setup { extra: vec![String::from(option)], ..Setup::default() };
        let script = Script::new(MODEL);
        let mut session = Session::new(&solver, setup.clone(), Policy::default());
        let warm = session.run(&script, Requests::default()).unwrap();
        let cold = solver.run_cold(&script, &setup, Requests::default(), None).unwrap();
        for outcome in [warm, cold] {
            assert!(
                matches!(outcome.answer(), Some(Answer::Rejected { error, .. }) if error.contains("nosuch")),
                "{name} {option} {outcome:?}"
            );
        }
    }
}

fn scripts_below(folder: &std::path::Path, found: &mut Vec<std::path::PathBuf>) {
    for path in std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()) {
        if path.is_dir() {
            scripts_below(&path, found);
        } else if path.extension().is_some_and(|e| e == "smt2") {
            found.push(path);
        }
    }
}

/// The long version, over thousands of scripts, is the example `warm_equals_cold`.
#[test]
fn warm_answers_equal_cold_ones() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let mut paths = Vec::new();
    scripts_below(&folder, &mut paths);
    paths.sort();
    assert!(paths.len() >= 100, "the embedded corpus is missing");
    let limits = Limits {
        cpu: Some(Duration::from_secs(2)),
        wall: Duration::from_secs(60),
        ..Limits::default()
    };
    for (offset, name) in ["z3@latest", "z3@4.8.7", "cvc5@latest"].into_iter().enumerate() {
        let solver = testing::solver(name);
        let setup = Setup { incremental: true, limits: limits.clone(), ..Setup::default() };
        let mut session = Session::new(&solver, setup.clone(), Policy::default());
        let mut compared = 0;
        for path in paths.iter().skip(offset).step_by(8) {
            let script = Script::new(&std::fs::read_to_string(path).unwrap());
            let warm = session.run(&script, Requests::default()).unwrap();
            if !warm.warm {
                continue;
            }
            let cold = solver.run_cold(&script, &setup, Requests::default(), None).unwrap();
            let kinds =
                |o: &smelt_solver::Outcome| o.answers().map(Answer::kind).collect::<Vec<_>>();
            let (warm_kinds, cold_kinds) = (kinds(&warm), kinds(&cold));
            if warm_kinds.contains(&"timeout") || cold_kinds.contains(&"timeout") {
                continue;
            }
            assert_eq!(warm_kinds, cold_kinds, "{name} {}\n{warm:?}\n{cold:?}", path.display());
            compared += 1;
        }
        assert!(compared >= 25, "{name}: only {compared} scripts were compared");
    }
}

/// Where a check gets no answer, those behind the next reset are not taken for it.
#[test]
fn answers_stay_with_their_checks() {
    let first = "(set-logic ALL)\n(declare-const p Bool)\n(assert (and p (not p)))\n";
    let second = "(reset)\n(set-logic ALL)\n(declare-const q Bool)\n(assert q)\n(check-sat)\n";
    for (name, option, check, expect) in [
        ("z3@latest", None, "(check-sat)", "unsat sat"),
        ("z3@4.8.7", None, "(check-sat-assuming (nosuch))", "rejected sat"),
        ("z3@latest", None, "(check-sat-assuming (nosuch))", "rejected sat"),
        ("cvc5@latest", None, "(check-sat)", "unsat sat"),
        // It says so at each check before the reset, and forgets the option there.
        ("cvc5@latest", Some("--unconstrained-simp"), "(check-sat)", "rejected sat"),
    ] {
        let script = Script::new(&format!("{first}{check}\n{second}"));
        let extra = option.into_iter().map(str::to_owned).collect();
        let setup = Setup { extra, ..Setup::default() };
        let outcome =
            testing::solver(name).run_cold(&script, &setup, Requests::default(), None).unwrap();
        let said: Vec<&str> = outcome.answers().map(Answer::kind).collect();
        assert_eq!(said.join(" "), expect, "{name} {option:?}: {outcome:?}");
    }
}
