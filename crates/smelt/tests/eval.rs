//! `smelt eval`, run as a user runs it.

use std::path::PathBuf;
use std::process::Command;

const SCRIPT: &str = "(declare-const x Int)(declare-const y Int)(declare-const a (Array Int Int))
    (assert (and (> x 0) (or (< y x) (= (select a y) 7))))
    (assert (forall ((z Int)) (=> (and (<= 0 z) (< z 5)) (< z x))))
    (assert (=> (> y 9) (= (div y 0) 1)))(check-sat)";

fn check(name: &str, model: &str, more: &[&str], code: i32, stdout: &str, stderr: &str) {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let (script, file) = (dir.join("eval.smt2"), dir.join(name));
    // Tests run side by side: the script is the same in all.
    if std::fs::read(&script).ok().as_deref() != Some(SCRIPT.as_bytes()) {
        let own = dir.join(format!("{name}.smt2"));
        std::fs::write(&own, SCRIPT).unwrap();
        std::fs::rename(&own, &script).unwrap();
    }
    std::fs::write(&file, model).unwrap();
    let out = Command::new(env!("CARGO_BIN_EXE_smelt"))
        .arg("eval")
        .arg(&script)
        .arg("--model")
        .arg(&file)
        .args(more)
        .output()
        .unwrap();
    let (so, se) = (String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    assert_eq!(so, stdout, "{se}");
    assert!(se.contains(stderr), "{se}");
    assert_eq!(out.status.code(), Some(code));
}

#[test]
fn all_true() {
    let model = "((define-fun x () Int 9)(define-fun y () Int 4)
        (define-fun a () (Array Int Int) ((as const (Array Int Int)) 7)))";
    let out = "check 1: 3 true, 0 false, 0 undetermined
  true: (and (> x 0) (or (< y x) (= (select a y) 7)))
  true: (forall ((z Int)) (=> (and (<= 0 z) (< z 5)) (< z x)))
  true: (=> (> y 9) (= (div y 0) 1))
(+ x y) = 13
";
    check("true.model", model, &["--term", "(+ x y)"], 0, out, "");
}

#[test]
fn one_false() {
    let out = "check 1: 1 true, 1 false, 1 undetermined
  undetermined (false only with the default of a symbol that the model leaves open): (and (> x 0) (or (< y x) (= (select a y) 7)))
      (or (< y x) (= (select a y) 7)) = false
        (< y x) = false
        (= (select a y) 7) = false
  false: (forall ((z Int)) (=> (and (<= 0 z) (< z 5)) (< z x))) at z = 3
  true: (=> (> y 9) (= (div y 0) 1))
not in the model, completed: a
";
    let model = "((define-fun x () Int 3)(define-fun y () Int 4))";
    check("false.model", model, &["--trace"], 1, out, "");
}

#[test]
fn undetermined() {
    let model = "((x 11) (y 10))";
    let json = r#"{"checks":[{"assertions":[{"term":"(and (> x 0) (or (< y x) (= (select a y) 7)))","value":"true"},{"term":"(forall ((z Int)) (=> (and (<= 0 z) (< z 5)) (< z x)))","value":"true"},{"term":"(=> (> y 9) (= (div y 0) 1))","undetermined":"`div` is not specified at these arguments"}],"command":6}],"completed":["a"],"kind":"eval","terms":[]}
"#;
    check("open.model", model, &["--json"], 3, json, "");
}

/// What an undetermined check depends on, as a script.
#[test]
fn why() {
    let model = "((x 11) (y 10))";
    let out = "check 1: 2 true, 0 false, 1 undetermined
  true: (and (> x 0) (or (< y x) (= (select a y) 7)))
  true: (forall ((z Int)) (=> (and (<= 0 z) (< z 5)) (< z x)))
  undetermined (`div` is not specified at these arguments): (=> (> y 9) (= (div y 0) 1))
  why: it depends on what is open; true with other values
    (open.div 10): `div` where it is open
  residual:
    (set-logic QF_UFLIA)
    (declare-fun open.div (Int) Int)
    (assert (= (open.div 10) 1))
    (check-sat)
not in the model, completed: a
";
    check("why.model", model, &["--why"], 3, out, "");
}

/// A check that is false whatever is open is false.
#[test]
fn whatever_is_open() {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let (script, model) = (dir.join("whatever.smt2"), dir.join("whatever.model"));
    let text =
        "(declare-const x Real)(assert (> (/ x 0.0) 1.0))(assert (< (/ x 0.0) 1.0))(check-sat)";
    std::fs::write(&script, text).unwrap();
    std::fs::write(&model, "((define-fun x () Real 2.0))").unwrap();
    for (more, code, says) in [
        (&[][..], 3, "0 true, 0 false, 2 undetermined"),
        (&["--why"], 1, "  why: false, whatever is open: the first 2 assertions together\n"),
        (&["--why", "--json"], 1, r#""why":{"said":"false, whatever is open: the first 2"#),
    ] {
        let mut smelt = Command::new(env!("CARGO_BIN_EXE_smelt"));
        let out = smelt.arg("eval").arg(&script).arg("--model").arg(&model).args(more).output();
        let out = out.unwrap();
        let text = String::from_utf8_lossy(&out.stdout);
        assert_eq!(out.status.code(), Some(code), "{text}");
        assert!(text.contains(says), "{text}");
    }
}

#[test]
fn bad_model() {
    let wrong = "eval.model:1:14: error: the model gives `x` the sort Bool, but it is declared Int";
    check("eval.model", "((define-fun x () Bool true))", &[], 2, "", wrong);
    check("cut.model", "((define-fun x () Int", &[], 2, "", "the model ends in the middle");
}

/// `smelt eval` does not know who printed a model: a decimal may be rounded, unless the user says that it is not.
#[test]
fn decimals() {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let (script, model) = (dir.join("decimals.smt2"), dir.join("decimals.model"));
    std::fs::write(&script, "(declare-const x Real)(assert (= x 0.25))(check-sat)").unwrap();
    std::fs::write(&model, "((define-fun x () Real -0.5))").unwrap();
    for (more, code) in [(None, 3), (Some("--exact"), 1)] {
        let mut smelt = Command::new(env!("CARGO_BIN_EXE_smelt"));
        let out = smelt.arg("eval").arg(&script).arg("--model").arg(&model).args(more).output();
        let out = out.unwrap();
        let text = String::from_utf8_lossy(&out.stdout);
        assert_eq!(out.status.code(), Some(code), "{text}");
    }
}
