//! What a profile says of a release's word is heeded by `smelt reduce` as by `smelt check`: nobody is accused on it, and a true model is one.

mod run;

use run::{file, program, smelt};
use smelt_solver::testing;

const SCRIPT: &str = "(declare-const p Bool)(declare-const q Bool)(declare-const x Int)
(assert (or p (> x 3)))(assert (not (and (> x 3) q)))(assert (=> q p))(assert (xor p q))(assert (< x 9))(check-sat)";
const MODEL: &str =
    "((define-fun p () Bool true)(define-fun q () Bool false)(define-fun x () Int 5))";

/// The file is the last argument.
const LAST: &str = "for f; do :; done;";

fn wrong_on(text: &str) -> String {
    format!("{LAST} if grep -q '{text}' \"$f\"; then echo unsat; else echo sat; fi")
}

fn check(args: &[&str], code: i32, expect: &str) {
    let out = smelt(&[&["reduce"], args].concat());
    let (text, err) = (String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    assert_eq!(out.status.code(), Some(code), "{args:?}\n{text}{err}");
    assert!(text.contains(expect), "no `{expect}` in\n{text}");
}

/// z3 4.8.7 reads `\u{0a}` otherwise than the standard: what it says of a script with that is held against nobody.
#[test]
fn of_the_accused() {
    let version = "case \"$1\" in *version) echo Z3 version 4.8.7; exit;; esac;";
    program("caveats-old/z3", &format!("{version} {}", wrong_on("(not (and")));
    file("caveats.model", MODEL);
    for (extra, code, expect) in [
        ("(= 1 (str.len \"\\u{0a}\"))", 1, "a literal with a backslash is read with C escapes"),
        ("(= 1 (str.len \"a\"))", 0, "(assert (not (and"),
    ] {
        let script = SCRIPT.replace("(check-sat)", &format!("(assert {extra})(check-sat)"));
        file("caveats.smt2", &script);
        let args = ["--solver", "./caveats-old/z3", "--model", "caveats.model", "caveats.smt2"];
        check(&args, code, expect);
    }
}

/// z3 4.8.7 writes `\x0a` for a line feed: its model is true, as `smelt check` says, and proves the answer of another wrong.
#[test]
fn of_who_is_asked() {
    testing::solver("z3@4.8.7");
    program("caveats-wrong", &wrong_on("u{a}"));
    file(
        "caveats-escapes.smt2",
        "(declare-const p Bool)(declare-const x String)(assert (or p (= x \"a\")))(assert (= x \"\\u{0a}\"))(check-sat)",
    );
    let args = ["--solver", "./caveats-wrong", "--reference", "z3@4.8.7", "caveats-escapes.smt2"];
    check(&args, 0, "\\u{a}");
}

/// By some options a solver is asked another question than the script's: its answer is right there, and held against nobody.
#[test]
fn of_options_that_change_the_question() {
    let (z3, cvc5) = ("z3@latest", "cvc5@latest");
    [z3, cvc5].iter().for_each(|s| drop(testing::solver(s)));
    let two = "(declare-const s String)(declare-const t String)(declare-const u String)\
        (assert (= (str.len s) (str.len t) (str.len u) 1))(assert (distinct s t u))";
    let far = "(declare-const s String)(assert (= (str.len s) 1))(assert (> (str.to_code s) 300))";
    let bits = "(declare-const x Int)(declare-const y (_ BitVec 4))\
        (assert (= x (bv2int y)))(assert (> x 20))";
    let zero = "(set-option :rewriter.hi_div0 false)(declare-const x (_ BitVec 4))\
        (assert (distinct (bvudiv x #x0) #xf))";
    for (name, text, solvers) in [
        ("two", two, ["cvc5@latest:--strings-alpha-card=2", z3]),
        ("far", far, ["z3@latest:encoding=ascii", cvc5]),
        ("bits", bits, ["z3@latest:smt.bv.enable_int2bv=false", cvc5]),
        ("zero", zero, [z3, cvc5]),
    ] {
        let script = format!("caveats-{name}.smt2");
        file(&script, &format!("{text}(check-sat)"));
        let args =
            ["check", &script, "--trust-scripts", "--solver", solvers[0], "--solver", solvers[1]];
        let out = smelt(&args);
        let said = String::from_utf8_lossy(&out.stdout);
        assert_eq!(out.status.code(), Some(0), "{name}: {said}");
        assert!(said.contains("it is asked another question than the script's"), "{name}: {said}");
        let fuzz = ["fuzz", &script, "--as-is", "--solver", solvers[0], "--out", "caveats-fuzz"];
        if name != "zero" {
            let out = smelt(&fuzz);
            let err = String::from_utf8_lossy(&out.stderr);
            assert!(
                out.status.code() == Some(2) && err.contains("another question"),
                "{name}: {err}"
            );
        }
    }
}
