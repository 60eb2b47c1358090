//! Models of real solvers that are right and easily misread: nobody is accused for them. A wrong model of the same form is one.

mod run;

use std::os::unix::fs::PermissionsExt;

use run::{file, smelt};
use smelt_solver::testing;

/// Runs `smelt check` on a script; what it says of the model of each check, in order.
fn check(name: &str, script: &str, solver: &str, options: &str, expect: &[&str]) {
    testing::solver(solver);
    file(name, script);
    let out = smelt(&["check", name, "--solver", &format!("{solver}{options}")]);
    let text = String::from_utf8_lossy(&out.stdout);
    assert_eq!(out.status.code(), Some(0), "{text}{}", String::from_utf8_lossy(&out.stderr));
    assert!(!text.contains("=>"), "an accusation: {text}");
    let found: Vec<&str> = text.split("sat, model ").skip(1).collect();
    assert_eq!(found.len(), expect.len(), "{text}");
    for (found, expect) in found.iter().zip(expect) {
        assert!(found.starts_with(expect), "{found:?} is not {expect:?}\n{text}");
    }
}

const UNKNOWN: &str = "undetermined: the model gives a value that cannot be read exactly";

/// Yices rounds irrational numbers to six decimals, and prints a large one as infinity.
#[test]
fn rounded_numbers_of_yices() {
    let root = "(set-logic QF_NRA)(declare-fun x () Real)(assert (= (* x x) 2.0))(check-sat)";
    check("root.smt2", root, "yices@latest", "", &[UNKNOWN]);
    let positive = root.replace("(check-sat)", "(assert (> x 0.0))(check-sat)");
    check("positive-root.smt2", &positive, "yices@latest", "", &[UNKNOWN]);
    let tiny = format!("(* x x (- 1{}.0))", "0".repeat(40));
    let tiny = root.replace("(* x x)", &tiny).replace("2.0", "(- 2.0)");
    check("tiny-root.smt2", &tiny, "yices@latest", "", &[UNKNOWN]);
    let large = root.replace("2.0", &format!("2{}.0", "0".repeat(1000)));
    check("large-root.smt2", &large, "yices@latest", "", &[UNKNOWN]);
    let function = "(set-logic QF_UFNRA)(declare-fun x () Real)(declare-fun f (Real) Real)
        (assert (= (* x x) 2.0))(assert (= (f x) 3.0))(assert (= (f 1.0) x))(check-sat)";
    check("root-function.smt2", function, "yices@latest", "", &[UNKNOWN]);
    // What it prints of rational numbers is exact: the model is known to be right.
    let exact = "(set-logic QF_NRA)(declare-fun x () Real)(declare-fun y () Real)
        (assert (= (* x y) (/ (- 1.0) 3.0)))(assert (= y 2.0))(check-sat)";
    check("rational.smt2", exact, "yices@latest", "", &["true"]);
}

#[test]
fn decimals_of_z3() {
    let root = "(declare-fun x () Real)(declare-fun y () Real)(assert (= (* x x) 2.0))(check-sat)
        (push 1)(assert (= (* 3.0 y) 1.0))(check-sat)(pop 1)";
    check("root-z3.smt2", root, "z3@latest", "", &["true", "true"]);
    check("root-decimal.smt2", root, "z3@latest", ":pp.decimal=true", &[UNKNOWN, UNKNOWN]);
}

/// Symbols that are called like the elements of z3's universes.
#[test]
fn names_of_elements() {
    let plain = "(declare-sort T 0)(declare-const b T)(declare-const T!val!0 T)(assert (not (= b T!val!0)))(check-sat)";
    check("element.smt2", plain, "z3@latest", "", &["true"]);
    let quoted = plain.replace("T!val!0", "|T!val!0|");
    check("element-quoted.smt2", &quoted, "z3@latest", "", &["true"]);
    let twice = format!(
        "{plain}(push 1)(declare-const T!val!1 T)(assert (distinct b T!val!0 T!val!1))(check-sat)(pop 1)(check-sat)"
    );
    check("element-twice.smt2", &twice, "z3@latest", "", &["true"; 3]);
    let quantified = plain.replace(
        "(check-sat)",
        "(assert (forall ((x T)) (or (= x b) (= x T!val!0))))(assert (exists ((x T)) (distinct x b)))(check-sat)",
    );
    check("element-all.smt2", &quantified, "z3@latest", "", &["true"]);
    let nested = "(declare-sort T 0)(declare-datatypes ((D 0)) (((c (h T) (n Int)))))(declare-const d D)
        (declare-const T!val!1 T)(declare-const a (Array T D))(declare-const s (Seq T))
        (assert (distinct (h d) T!val!1))(assert (= (select a (h d)) d))(assert (distinct (select a T!val!1) d))
        (assert (= (seq.len s) 2))(assert (= (seq.nth s 0) T!val!1))(check-sat)";
    check("element-nested.smt2", nested, "z3@latest", "", &["true"]);
    // In the bodies of functions, the name may be that of the symbol: with a macro finder, it is.
    let macros = "(declare-sort T 0)(declare-const T!val!0 T)(declare-const T!val!1 T)(declare-fun g (T) T)(declare-fun f (T) T)
        (assert (distinct T!val!0 T!val!1))(assert (forall ((x T)) (= (f x) (ite (= x T!val!0) T!val!1 (g x)))))
        (assert (forall ((x T)) (=> (= (f x) T!val!0) (distinct (g x) x T!val!1))))(check-sat)";
    check("element-function.smt2", macros, "z3@latest", "", &[UNKNOWN]);
    check("element-macro.smt2", macros, "z3@latest", ":smt.macro_finder=true", &[UNKNOWN]);
    // A variable of the script that z3 prints again hides an element: `(= T!val!0 T!val!0)`.
    let bound = "(declare-sort T 0)(declare-const b T)(declare-const c T)(declare-const a (Array T T))(assert (distinct b c))
        (assert (= a (lambda ((T!val!0 T)) (ite (= T!val!0 b) c T!val!0))))(assert (distinct (select a c) b))(check-sat)";
    check("element-bound.smt2", bound, "z3@latest", "", &[UNKNOWN]);
    let yices = "(set-logic QF_UF)(declare-sort T 0)(declare-fun a () T)(declare-fun |@const_1| () T)
        (declare-fun |@const_2| () T)(declare-fun f (T) T)(assert (distinct a |@const_1| |@const_2|))
        (assert (distinct (f a) a |@const_1|))(check-sat)";
    check("element-yices.smt2", yices, "yices@latest", "", &["true"]);
}

/// Real solvers with one value of their models changed: these models are wrong, and said to be.
#[test]
fn wrong_values() {
    for (name, solver, script, change) in [
        (
            "yices-smt2",
            "yices@latest",
            "(set-logic QF_NRA)(declare-fun x () Real)(declare-fun y () Real)
            (assert (= (* x x) 2.0))(assert (= (* 6.0 y) (- 1.0)))(check-sat)",
            "s|(/ (- 1) 6)|(/ (- 1) 7)|",
        ),
        (
            "z3",
            "z3@latest",
            "(declare-sort T 0)(declare-const b T)(declare-const T!val!0 T)(assert (not (= b T!val!0)))(check-sat)",
            "s|^    T!val!0)|    T!val!1)|",
        ),
    ] {
        let real = testing::solver(solver);
        let real = real.program().display();
        let liar = file(name, &format!("#!/bin/sh\n'{real}' \"$@\" | sed '{change}'\n"));
        std::fs::set_permissions(&liar, std::fs::Permissions::from_mode(0o755)).unwrap();
        let script = file(&format!("wrong-{name}.smt2"), script);
        let out = smelt(&["check", script.to_str().unwrap(), "--solver", liar.to_str().unwrap()]);
        let text = String::from_utf8_lossy(&out.stdout);
        assert_eq!(out.status.code(), Some(10), "{text}{}", String::from_utf8_lossy(&out.stderr));
        assert!(text.contains("invalid model (proven"), "{text}");
    }
}
