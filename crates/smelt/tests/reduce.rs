//! `smelt reduce` with solvers that are wrong on purpose, and with commands.

mod run;

use run::{file, program, smelt};

const SCRIPT: &str = "(declare-const p Bool)(declare-const q Bool)(declare-const x Int)
(assert (or p (> x 3)))(assert (not (and (> x 3) q)))(assert (=> q p))(assert (xor p q))(assert (< x 9))(check-sat)";
const MODEL: &str =
    "((define-fun p () Bool true)(define-fun q () Bool false)(define-fun x () Int 5))";

/// The file is the last argument.
const LAST: &str = "for f; do :; done;";
const WRONG: &str = "if grep -q '(not (and' \"$f\"; then echo unsat; else echo sat; fi";

/// What a run says, with its exit code checked.
fn check(args: &[&str], code: i32) -> String {
    let out = smelt(args);
    let (text, err) = (String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    assert_eq!(out.status.code(), Some(code), "{args:?}\n{text}{err}");
    format!("{text}{err}")
}

#[test]
fn a_solver_that_is_wrong() {
    file("reduce.smt2", SCRIPT);
    file("reduce.model", MODEL);
    file("reduce.bad-model", &MODEL.replace("5", "12"));
    // Says unsat to every script with a negated conjunction, else sat.
    program("wrong-solver", &format!("{LAST} {WRONG}"));
    let args = |model| ["reduce", "--solver", "./wrong-solver", "--model", model, "reduce.smt2"];
    let text = check(&args("reduce.model"), 0);
    assert_eq!(text.matches("(assert ").count(), 1, "{text}");
    assert!(text.contains("(assert (not (and") && text.contains("; this satisfies it:"), "{text}");
    let text = check(&args("reduce.bad-model"), 2);
    assert!(text.contains("the model makes assertion 5 false"), "{text}");
    // Nothing proves it wrong without a model or somebody to ask.
    let text = check(&["reduce", "--solver", "./wrong-solver", "reduce.smt2"], 1);
    assert!(text.contains("nothing proves the answer wrong"), "{text}");
    file("reduce-fine.smt2", &SCRIPT.replace("(assert (not (and (> x 3) q)))", ""));
    let text = check(
        &["reduce", "--solver", "./wrong-solver", "--model", "reduce.model", "reduce-fine.smt2"],
        1,
    );
    assert!(text.contains("reduce-fine.smt2: "), "{text}");
}

#[test]
fn commands() {
    file("reduce-by.smt2", SCRIPT);
    program("has-xor", "grep -q xor \"$1\"");
    let text = check(&["reduce", "reduce-by.smt2", "--out", "reduced-by", "--", "./has-xor"], 0);
    assert!(text.len() < 20 && text.contains("xor"), "{text}");
    program("says-xor", "grep -o xor \"$1\"; exit 0");
    let text = check(&["reduce", "reduce-by.smt2", "--match-out", "xor", "--", "./says-xor"], 0);
    assert!(text.len() < 20 && text.contains("xor"), "{text}");
    // One that hangs does not hold, and one that always holds leaves nothing.
    program("hangs", "while :; do :; done");
    let text = check(&["reduce", "reduce-by.smt2", "--limit", "0.1", "--", "./hangs"], 2);
    assert!(text.contains("does not end within"), "{text}");
    assert_eq!(check(&["reduce", "reduce-by.smt2", "--", "true"], 0).trim(), "");
    // What cannot be written is not lost.
    file("reduce-occupied", "");
    let text =
        check(&["reduce", "reduce-by.smt2", "--out", "reduce-occupied", "--", "./has-xor"], 4);
    assert!(text.contains("xor") && text.contains("cannot write to reduce-occupied"), "{text}");
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
        let text =
            check(&["reduce", "--solver", solver, "--reference", reference, "reduce-mute.smt2"], 2);
        assert!(
            text.contains("reduce-mute cannot be run") && text.contains("unknown option"),
            "{text}"
        );
    }
}
