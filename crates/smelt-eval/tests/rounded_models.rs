//! Numbers that solvers round, truncate or write in a notation of their own: they refute nothing and prove nothing. Exact
//! numbers beside them do.

use smelt_eval::{
    Evaluator, ModelOptions, Rounded, RoundedLogics, RoundedNumbers, Undetermined, Value,
    parse_model,
};
use smelt_smtlib::parse;

/// What profiles say of z3 and cvc5, of Yices, of unknown solvers, and of dReal.
const EXACT: &[Rounded] = &[];
const YICES: &[Rounded] =
    &[Rounded { numbers: RoundedNumbers::SixDecimals, logics: RoundedLogics::All }];
const CAREFUL: &[Rounded] = &[Rounded::CAREFUL];
const DREAL: &[Rounded] = &[Rounded { numbers: RoundedNumbers::All, logics: RoundedLogics::All }];

/// The values of all assertions under a model: `t`, `f` or `?`.
fn check(rounded: &[Rounded], script: &str, model: &str, expect: &str) {
    let mut s = parse(script.as_bytes()).unwrap_or_else(|e| panic!("{script}: {e}"));
    let options = ModelOptions { rounded: rounded.to_vec(), ..ModelOptions::default() };
    let m = parse_model(&mut s, model.as_bytes(), &options);
    let m = m.unwrap_or_else(|e| panic!("{model}\n{}", e.render(model.as_bytes(), "model")));
    let mut evaluator = Evaluator::default();
    let letter = |&t| match evaluator.judge(&s.arena, &m, t) {
        Ok(Value::Bool(true)) => 't',
        Ok(_) => 'f',
        Err(Undetermined::Defaulted(_)) => panic!("a default stands for an unknown value: {model}"),
        Err(_) => '?',
    };
    let found: String = s.queries()[0].assertions.iter().map(letter).collect();
    assert_eq!(found, expect, "{rounded:?}\n{script}\n{model}");
}

/// x is the irrational number, y a rational one.
const ROOTS: &str = "(declare-const x Real)(declare-const y Real)
    (assert (= (* x x) 2.0))(assert (< x 0.0))(assert (= (* 3.0 y) (- 1.0)))(check-sat)";

#[test]
fn yices() {
    for rules in [YICES, CAREFUL] {
        check(rules, ROOTS, "(= x -1.414214)\n(= y (/ (- 1) 3))", "??t");
        check(rules, ROOTS, "(= x (- 1.414214))\n(= y (/ (- 1) 3))", "??t");
        check(rules, ROOTS, "(= x 1.414214)\n(= y (/ 1 3))", "??f");
        let model = |x: &str, y: &str| {
            format!("(model (define-fun x () Real {x})\n(define-fun y () Real {y}))")
        };
        for x in ["-1.414214", "1.414214", "(- 1.414214)", "-0.000000", "-inf", "inf", "nan"] {
            check(rules, ROOTS, &model(x, "(/ (- 1) 3)"), "??t");
            check(rules, ROOTS, &model(x, "(/ 1 3)"), "??f");
        }
        for x in ["(/ -1.414214 2)", "(+ 1.0 (- 1.414214))"] {
            check(rules, ROOTS, &model(x, "-1.0"), "??f");
        }
        // Whichever of the two it is.
        check(rules, ROOTS, &model("(ite (< -1.414214 0.0) (- 2.0) 2.0)", "-1.0"), "f?f");
        check(rules, ROOTS, &model("(ite (< -1.414214 0.0) 1.0 2.0)", "-1.0"), "fff");
        // An exact value is an exact value, also where others are rounded.
        check(rules, ROOTS, &model("(/ (- 3) 2)", "(/ (- 1) 3)"), "ftt");
        check(rules, ROOTS, &model("-1.0", "-1.414214"), "ft?");
        check(rules, ROOTS, "((x -1.414214)\n (y (/ 1 3))\n ((* 2.0 x) -2.828427))", "??f");
    }
    // A script's own symbol may be called like a number.
    let script = "(declare-const |-1.5| Real)(declare-const x Real)(declare-const inf Real)
        (assert (= |-1.5| 7.0))(assert (= x 7.0))(assert (= inf 3.0))(check-sat)";
    let model = "(model (define-fun -1.5 () Real 7.0)(define-fun x () Real -1.5)(define-fun inf () Real 3.0))";
    check(EXACT, script, model, "t?t");
    check(YICES, script, &model.replace("Real -1.5", "Real inf"), "t?t");
}

#[test]
fn functions_and_arrays() {
    let script = "(declare-const x Real)(declare-fun f (Real) Real)(declare-const a (Array Int Real))
        (assert (= (f x) 3.0))(assert (= (f 1.0) x))(assert (= (f 2.0) 0.0))
        (assert (= (select a 0) x))(assert (= (select a 1) 1.0))(assert (= (select a 2) 2.0))(check-sat)";
    // At 1 and 2 it has a value that depends on whether the rounded argument is 1 or 2.
    check(
        YICES,
        script,
        "(model (define-fun x () Real -1.414214)
          (define-fun f ((x!0 Real)) Real (ite (= x!0 -1.414214) 3.0 (ite (= x!0 1.0) -1.414214 0.0)))
          (define-fun a ((x!0 Int)) Real (ite (= x!0 0) -1.414214 (ite (= x!0 1) 1.0 5.0))))",
        "????tf",
    );
    check(
        YICES,
        script,
        "(= x -1.414214)\n(= f @fun_6)\n(= a @fun_8)
(function @fun_6 (type (-> Real Real)) (= (@fun_6 -1.414214) 3) (= (@fun_6 1) -1.414214) (default 0))
(function @fun_8 (type (-> Int Real)) (= (@fun_8 0) -1.414214) (= (@fun_8 1) 1) (default 5))",
        "????tf",
    );
    check(
        EXACT,
        script,
        "((define-fun x () Real (- 1.4142135623?))
          (define-fun f ((x!0 Real)) Real (ite (= x!0 1.0) (- 1.4142135623?) 5.0))
          (define-fun a () (Array Int Real)
            (store (store ((as const (Array Int Real)) 1.414?) 1 1.0) 2 3.0)))",
        "??f?tf",
    );
}

#[test]
fn z3_with_pp_decimal() {
    for rules in [EXACT, YICES, CAREFUL] {
        for x in ["(- 1.4142135623?)", "-1.41?", "1?", "(- (/ 1.41? 2.0))"] {
            let model = format!("((define-fun x () Real {x})(define-fun y () Real (/ 1.0 3.0)))");
            check(rules, ROOTS, &model, "??f");
            check(rules, ROOTS, &format!("((x {x}) (y (- (/ 1.0 3.0))))"), "??t");
        }
    }
    // What is printed without a question mark is exact there, and may be rounded by others.
    let half = "(declare-const y Real)(assert (= y 0.25))(check-sat)";
    check(EXACT, half, "((define-fun y () Real 0.25))", "t");
    check(EXACT, half, "((define-fun y () Real 0.5))", "f");
    check(EXACT, half, "((y -0.5))", "f");
    check(CAREFUL, half, "((define-fun y () Real 0.25))", "?");
    check(CAREFUL, half, "((define-fun y () Real 0.5))", "?");
    // In strings and quoted symbols, a question mark is one.
    let text = "(declare-const s String)(declare-const |1.5? x| Int)(assert (= s \"(a 1.5? \"))
        (assert (= |1.5? x| 4))(check-sat)";
    let model = "(\n; 1.5?\n(define-fun |1.5? x| () Int 4)(define-fun s () String \"(a 1.5? \"))";
    check(EXACT, text, model, "tt");
    check(EXACT, text, &model.replace("Int 4", "Int 5"), "tf");
}

#[test]
fn other_notations() {
    for x in ["1.4e-5", "-1e+06", "1/2", "-1/2"] {
        let model = format!("((define-fun x () Real {x})(define-fun y () Real (/ (- 1) 3)))");
        check(EXACT, ROOTS, &model, "??t");
    }
    // One that is no Real costs no more than its own symbol.
    let script =
        "(declare-const i Int)(declare-const j Int)(assert (> i 0))(assert (> j 0))(check-sat)";
    check(EXACT, script, "((define-fun i () Int 1e3)(define-fun j () Int 0))", "?f");
    check(EXACT, script, "((i 1e3)(j 1))", "?t");
}

#[test]
fn cvc() {
    for x in [
        "(_ real_algebraic_number <sin(y), (5/4, 3/2)>)",
        "(witness ((V Real)) (and (>= V (/ (- 1482917) 1048576)) (<= V (/ (- 741455) 524288))))",
        "(choice ((V Real)) (and (>= V (/ (- 1482917) 1048576)) (<= V (/ (- 741455) 524288))))",
    ] {
        let model = format!("(model (define-fun x () Real {x})(define-fun y () Real (/ (- 1) 3)))");
        check(EXACT, ROOTS, &model, "??t");
        check(EXACT, ROOTS, &model.replace("(- 1) 3", "1 3"), "??f");
    }
    let model = "((define-fun x () Real (_ real_algebraic_number <1*x^2 + (-2), (-3/2, -5/4)>))
        (define-fun y () Real 2.0))";
    check(EXACT, ROOTS, model, "ttf");
    let model = model.replace("-2", "-3").replace("(-3/2, -5/4)", "(-2, -3/2)");
    check(EXACT, ROOTS, &model, "ftf");
    // A string is no number.
    let script = "(declare-const s String)(assert (= (str.len s) 59))(check-sat)";
    let model = r#"((define-fun s () String "(_ real_algebraic_number <1*x^2 + (-2), (5/4, 3/2)>) really"))"#;
    check(EXACT, script, model, "t");
}

#[test]
fn dreal() {
    let script = "(declare-const x Real)(declare-const i Int)(declare-const b Bool)
        (assert (> x 0.0))(assert (> i 0))(assert b)(check-sat)";
    let model = "((define-fun x () Real 1.0)(define-fun i () Int 0)(define-fun b () Bool true))";
    check(DREAL, script, model, "?ft");
    check(DREAL, script, &model.replace("1.0", "(- 1)"), "?ft");
    check(DREAL, script, "((x 1) (i 1) (b false))", "?tf");
    let curved = [Rounded { logics: RoundedLogics::Nonlinear, ..DREAL[0] }];
    check(&curved, script, model, "tft");
    check(&curved, &script.replace("(> x", "(> (* x x)"), model, "?ft");
}
