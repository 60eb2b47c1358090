//! `smelt reduce --storm` with a solver that is wrong on purpose.

mod run;

use std::os::unix::fs::PermissionsExt;

use run::{file, smelt};

const SCRIPT: &str = "(declare-const p Bool)(declare-const q Bool)(declare-const x Int)
(assert (or p (> x 3)))(assert (not (and (> x 3) q)))(assert (=> q p))(assert (xor p q))(assert (< x 9))(check-sat)";
const MODEL: &str =
    "((define-fun p () Bool true)(define-fun q () Bool false)(define-fun x () Int 5))";

#[test]
fn reduce_storm() {
    file("reduce.smt2", SCRIPT);
    file("reduce.model", MODEL);
    file("reduce.bad-model", &MODEL.replace("5", "12"));
    // Says unsat to every script with a negated conjunction, else sat.
    let wrong = "#!/bin/sh\nfor f; do :; done\nif grep -q '(not (and' \"$f\"; then echo unsat; else echo sat; fi\n";
    let solver = file("wrong-solver", wrong);
    std::fs::set_permissions(&solver, std::fs::Permissions::from_mode(0o755)).unwrap();
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
    assert!(String::from_utf8_lossy(&out.stderr).contains("the model makes an assertion false"));

    file("reduce.smt2", &SCRIPT.replace("(assert (not (and (> x 3) q)))", ""));
    let out = smelt(&args("reduce.model"));
    assert_eq!(out.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&out.stdout).contains("does not answer unsat"));
}
