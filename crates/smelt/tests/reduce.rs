//! `smelt reduce --storm` with a solver that is wrong on purpose.

mod run;

use run::{file, program, smelt};
use smelt_solver::testing;

const SCRIPT: &str = "(declare-const p Bool)(declare-const q Bool)(declare-const x Int)
(assert (or p (> x 3)))(assert (not (and (> x 3) q)))(assert (=> q p))(assert (xor p q))(assert (< x 9))(check-sat)";
const MODEL: &str =
    "((define-fun p () Bool true)(define-fun q () Bool false)(define-fun x () Int 5))";

/// The file is the last argument.
const LAST: &str = "for f; do :; done;";
const WRONG: &str = "if grep -q '(not (and' \"$f\"; then echo unsat; else echo sat; fi";

#[test]
fn reduce_storm() {
    file("reduce.smt2", SCRIPT);
    file("reduce.model", MODEL);
    file("reduce.bad-model", &MODEL.replace("5", "12"));
    // Says unsat to every script with a negated conjunction, else sat.
    program("wrong-solver", &format!("{LAST} {WRONG}"));
    let args = |model| {
        ["reduce", "--storm", "--solver", "./wrong-solver", "--model", model, "reduce.smt2"]
    };
    let out = smelt(&args("reduce.model"));
    let text = String::from_utf8_lossy(&out.stdout);
    assert_eq!(out.status.code(), Some(0), "{text}{}", String::from_utf8_lossy(&out.stderr));
    assert_eq!(text.matches("(assert ").count(), 1, "{text}");
    assert!(
        text.contains("(assert (not (and") && text.contains("; (define-fun x () Int 5)"),
        "{text}"
    );

    let out = smelt(&args("reduce.bad-model"));
    assert_eq!(out.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&out.stderr).contains("the model makes assertion 5 false"));

    file("reduce.smt2", &SCRIPT.replace("(assert (not (and (> x 3) q)))", ""));
    let out = smelt(&args("reduce.model"));
    assert_eq!(out.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&out.stdout).contains("does not answer unsat"));
}

/// No verdict where the release means something else; the same release is reduced on what it means as the standard does.
#[test]
fn caveats_of_the_accused() {
    let version = "case \"$1\" in *version) echo Z3 version 4.8.7; exit;; esac;";
    program("reduce-old/z3", &format!("{version} {LAST} {WRONG}"));
    file("reduce-caveat.model", MODEL);
    let check = |extra: &str, code: i32, expect: &str| {
        let script = SCRIPT.replace("(check-sat)", &format!("(assert {extra})(check-sat)"));
        file("reduce-caveat.smt2", &script);
        let out = smelt(&[
            "reduce",
            "--storm",
            "--solver",
            "./reduce-old/z3",
            "--model",
            "reduce-caveat.model",
            "reduce-caveat.smt2",
        ]);
        let text = String::from_utf8_lossy(&out.stdout);
        assert_eq!(out.status.code(), Some(code), "{text}{}", String::from_utf8_lossy(&out.stderr));
        assert!(text.contains(expect), "{text}");
    };
    check("(= 1 (str.len \"\\u{0a}\"))", 1, "; no verdict on what");
    check("(= 1 (str.len \"\\u{0a}\"))", 1, "a literal with a backslash is read with C escapes");
    check("(= 1 (str.len \"a\"))", 0, "(assert (not (and");
}

/// z3 4.8.7 writes `\x0a` for a line feed: its model is true, as `smelt check` says.
#[test]
fn models_of_old_releases() {
    testing::solver("z3@4.8.7");
    program("wrong-on-escapes", &format!("{LAST} {}", WRONG.replace("(not (and", "u{a}")));
    file(
        "reduce-escapes.smt2",
        "(declare-const p Bool)(declare-const x String)(assert (or p (= x \"a\")))(assert (= x \"\\u{0a}\"))(check-sat)",
    );
    let out = smelt(&[
        "reduce",
        "--storm",
        "--solver",
        "./wrong-on-escapes",
        "--reference",
        "z3@4.8.7",
        "reduce-escapes.smt2",
    ]);
    let text = String::from_utf8_lossy(&out.stdout);
    assert_eq!(out.status.code(), Some(0), "{text}{}", String::from_utf8_lossy(&out.stderr));
    assert!(text.contains("; (define-fun x () String \"\\u{a}\")"), "{text}");
    let out = smelt(&["check", "reduce-escapes.smt2", "--solver", "z3@4.8.7"]);
    let text = String::from_utf8_lossy(&out.stdout);
    assert!(text.contains("sat, model true (no verdict: a literal with a backslash"), "{text}");
}

/// A solver that does not answer is an error before anything is run, whether it is the accused or the reference.
#[test]
fn solvers_that_do_not_answer() {
    file("reduce-mute.smt2", SCRIPT);
    program("reduce-fine", "echo sat");
    program("reduce-mute", "echo 'unknown option: -x' >&2; exit 1");
    for (solver, reference) in
        [("./reduce-mute", "./reduce-fine"), ("./reduce-fine", "./reduce-mute")]
    {
        let out = smelt(&[
            "reduce",
            "--storm",
            "--solver",
            solver,
            "--reference",
            reference,
            "reduce-mute.smt2",
        ]);
        let text = String::from_utf8_lossy(&out.stderr);
        assert_eq!((out.status.code(), out.stdout.len()), (Some(2), 0), "{text}");
        assert!(
            text.contains("reduce-mute cannot be run") && text.contains("unknown option"),
            "{text}"
        );
    }
}
