//! Symbols of a script that are called like the elements of free sorts in models.

use smelt_eval::{Evaluator, ModelOptions, Undetermined, Value, parse_model};
use smelt_smtlib::parse;

/// The values of all assertions under a model: `t`, `f` or `?`.
fn check(script: &str, model: &str, expect: &str) {
    let mut s = parse(script.as_bytes()).unwrap_or_else(|e| panic!("{script}: {e}"));
    let m = parse_model(&mut s, model.as_bytes(), &ModelOptions::default());
    let m = m.unwrap_or_else(|e| panic!("{model}\n{}", e.render(model.as_bytes(), "model")));
    let mut evaluator = Evaluator::default();
    let letter = |&t| match evaluator.judge(&s.arena, &m, t) {
        Ok(Value::Bool(true)) => 't',
        Ok(_) => 'f',
        Err(Undetermined::Defaulted(_)) => panic!("a default stands for an unknown value: {model}"),
        Err(_) => '?',
    };
    let found: String = s.queries()[0].assertions.iter().map(letter).collect();
    assert_eq!(found, expect, "{script}\n{model}");
}

/// z3's list of the elements of `T`.
fn universe(n: usize) -> String {
    let declared: String = (0..n).map(|i| format!("(declare-fun T!val!{i} () T)\n")).collect();
    let all: String = (0..n).map(|i| format!(" (= x T!val!{i})")).collect();
    format!("{declared}(forall ((x T)) (or{all}))\n")
}

#[test]
fn constants() {
    let script = "(declare-sort T 0)(declare-const b T)(declare-const T!val!0 T)
        (assert (not (= b T!val!0)))(assert (forall ((x T)) (or (= x b) (= x T!val!0))))(check-sat)";
    let model = |symbol: &str, b: &str| {
        let two = universe(2);
        format!("({two}(define-fun {symbol} () T T!val!1)\n(define-fun b () T {b}))")
    };
    for symbol in ["T!val!0", "|T!val!0|"] {
        check(script, &model(symbol, "T!val!0"), "tt");
        check(script, &model(symbol, "|T!val!0|"), "tt");
        check(script, &model(symbol, "T!val!1"), "ff");
    }
    let self_named = model("b", "T!val!1").replace("b () T T!val!1)\n", "T!val!0 () T T!val!0)\n");
    check(script, &self_named, "tt");
    // The elements are not declared: `b` may be the element or what the symbol is.
    check(script, "((define-fun T!val!0 () T T!val!1)(define-fun b () T T!val!0))", "??");
    check(script, "((b T!val!0) (T!val!0 T!val!1))", "??");
    // Other solvers have other names for elements.
    let cvc5 = "((define-fun T!val!0 () T (as @T_1 T))(define-fun b () T (as @T_0 T)))";
    check(script, cvc5, "t?");
    check(script, &cvc5.replace("@T_1", "@T_0"), "f?");
    // Without such symbols, elements need not be declared.
    let script = script.replace("T!val!0", "c");
    check(&script, "((b T!val!0) (c T!val!1))", "t?");
    check(&script, "((b T!val!1) (c T!val!1))", "f?");
}

#[test]
fn other_kinds_of_symbols() {
    let script = |symbol: &str| {
        format!(
            "(declare-sort T 0)(declare-const a T)(declare-const b T){symbol}(assert (distinct a b))(check-sat)"
        )
    };
    let two = universe(2);
    let model =
        |own: &str| format!("({two}(define-fun a () T T!val!0)(define-fun b () T T!val!1){own})");
    let number = script("(declare-const T!val!0 Int)");
    check(&number, &model("(define-fun T!val!0 () Int 3)"), "t");
    let wrong = model("(define-fun T!val!0 () Int 3)").replace("b () T T!val!1", "b () T T!val!0");
    check(&number, &wrong, "f");
    let function = script("(declare-fun T!val!0 (T) T)");
    check(&function, &model("(define-fun T!val!0 ((x!0 T)) T T!val!1)"), "t");
    check(&function, &wrong.replace("() Int 3", "((x!0 T)) T T!val!1"), "f");
    // A constructor and a sort may be meant anywhere.
    check(&script("(declare-datatypes ((D 0)) (((T!val!0))))"), &model(""), "?");
    check(&script("(declare-sort T!val!0 0)"), &model(""), "?");
    let definition = script("(define-fun T!val!0 () T b)");
    check(&definition, &model(""), "t");
    check(&definition, &wrong.replace("(define-fun T!val!0 () Int 3)", ""), "f");
}

/// A symbol that a `pop` has taken away is none.
#[test]
fn closed_scopes() {
    let script = "(declare-sort T 0)(declare-const a T)(declare-const b T)(push 1)(declare-const T!val!1 T)(pop 1)
        (assert (distinct a b))(check-sat)";
    let two = universe(2);
    let model = format!("({two}(define-fun a () T T!val!0)(define-fun b () T T!val!1))");
    check(script, &model, "t");
    check(script, &model.replace("a () T T!val!0", "a () T T!val!1"), "f");
}

#[test]
fn functions() {
    let script = "(declare-sort T 0)(declare-const b T)(declare-const T!val!0 T)(declare-fun f (T) T)(declare-fun p (T) Bool)
        (assert (distinct b T!val!0))(assert (= (f b) T!val!0))(assert (p b))(assert (= (f T!val!0) b))(check-sat)";
    let model = |f: &str| {
        let two = universe(2);
        format!(
            "({two}(define-fun T!val!0 () T T!val!1)(define-fun b () T T!val!0)
            (define-fun f ((x!0 T)) T {f})(define-fun p ((x!0 T)) Bool (ite (= x!0 T!val!1) false true)))"
        )
    };
    // With `smt.macro_finder=true`, z3 prints bodies that mention symbols of the script: this may be one.
    check(script, &model("(ite (= x!0 T!val!0) T!val!1 T!val!0)"), "t?t?");
    check(script, &model("(ite (= x!0 T!val!1) x!0 T!val!1)"), "tttf");
    // What a body binds is not an element.
    check(script, &model("(let ((T!val!1 x!0)) T!val!1)"), "t?t?");
    let macros = "(ite (= x!0 b) T!val!1 b)";
    check(script, &model(macros), "tttt");
}

#[test]
fn nested_values() {
    let script = "(declare-sort T 0)(declare-datatypes ((D 0)) (((c (h T) (n Int)))))(declare-const d D)(declare-const T!val!1 T)
        (declare-const a (Array T D))(declare-const s (Seq T))
        (assert (distinct (h d) T!val!1))(assert (= (select a (h d)) d))(assert (distinct (select a T!val!1) d))
        (assert (= (seq.nth s 0) T!val!1))(assert (= (seq.nth s 1) (h d)))(check-sat)";
    let three = universe(3);
    let model = format!(
        "({three}(define-fun d () D (c T!val!1 2))(define-fun T!val!1 () T T!val!0)
        (define-fun s () (Seq T) (seq.++ (seq.unit T!val!0) (seq.unit T!val!1)))
        (define-fun a () (Array T D) (store ((as const (Array T D)) (c T!val!2 2)) T!val!1 (c T!val!1 2))))"
    );
    check(script, &model, "ttttt");
    check(script, &model.replace("d () D (c T!val!1", "d () D (c T!val!0"), "ffttf");
    // An array that is given by a binder is like a function.
    let lambda = model.replace(
        "(store ((as const (Array T D)) (c T!val!2 2)) T!val!1 (c T!val!1 2))",
        "(lambda ((x T)) (ite (= x T!val!1) (c T!val!1 2) (c T!val!2 2)))",
    );
    check(script, &lambda, "t??tt");
    // A variable of the script's lambda that z3 prints again hides an element.
    let script = "(declare-sort T 0)(declare-const b T)(declare-const a (Array T Bool))
        (assert (= (select a b) true))(check-sat)";
    let two = universe(2);
    let model = format!(
        "({two}(define-fun b () T T!val!1)
        (define-fun a () (Array T Bool) (lambda ((T!val!0 T)) (= T!val!0 T!val!0))))"
    );
    check(script, &model, "?");
    check(script, &model.replace("lambda ((T!val!0 T)) (= T!val!0", "lambda ((x T)) (= x"), "f");
}

#[test]
fn at_names() {
    let script = "(declare-sort T 0)(declare-const a T)(declare-const |@const_1| T)(declare-fun f (T) T)
        (assert (distinct a |@const_1|))(assert (= (f a) a))(assert (= (f |@const_1|) a))(check-sat)";
    let yices = |own: &str| {
        format!(
            "(model (define-fun a () T (as @const_1 T))(define-fun @const_1 () T (as @const_{own} T))
            (define-fun f ((x!0 T)) T (ite (= x!0 (as @const_1 T)) (as @const_1 T) (as @const_2 T))))"
        )
    };
    check(script, &yices("2"), "ttf");
    check(script, &yices("1"), "ftt");
    let equations = |own: &str| {
        format!(
            "(= a @const_1)\n(= @const_1 @const_{own})\n(= f @fun_8)
(function @fun_8 (type (-> T T)) (= (@fun_8 @const_1) @const_1) (default @const_2))"
        )
    };
    check(script, &equations("2"), "ttf");
    check(script, &equations("1"), "ftt");
    // f is not given; its default is an element that the model names.
    check(script, "((a @const_1) (|@const_1| @const_2))", "ttt");
    check(script, "((a @const_1) (|@const_1| @const_1))", "ftt");
    // cvc4's bare names.
    let script = "(declare-sort T 0)(declare-const a T)(declare-const |@uc_T_0| T)(assert (distinct a |@uc_T_0|))(check-sat)";
    check(script, "(model (define-fun a () T @uc_T_0)(define-fun @uc_T_0 () T @uc_T_1))", "?");
    let list = "; cardinality of T is 1\n; rep: @uc_T_0\n";
    let model = "(define-fun a () T @uc_T_1)(define-fun @uc_T_0 () T @uc_T_1))";
    check(script, &format!("(model\n{list}{model}"), "f");
}

/// z3 calls functions of its own `k!0`, whatever the script does.
#[test]
fn functions_of_the_solver() {
    let script = "(declare-fun k!0 (Int) Int)(declare-const A (Array Int Int))(declare-const i Int)
        (assert (= (k!0 1) 5))(assert (= (select A 1) 7))(assert (= i 1))(check-sat)";
    let model = "((define-fun i () Int 2)(define-fun A () (Array Int Int) (_ as-array k!0))
        (define-fun k!0 ((x!0 Int)) Int 5)(define-fun k!0 ((x!1 Int)) Int 7))";
    check(script, model, "??f");
    check(script, &model.replace("(define-fun k!0 ((x!1 Int)) Int 7)", ""), "tff");
}

/// z3 5.4.0 calls the first element of each instance of a sort `A!val!0`.
#[test]
fn instances_of_one_sort() {
    let script = "(declare-sort A 2)(declare-sort B 0)(declare-fun a () (A Int B))
        (declare-fun b ((A Int B)) (A B Int))(declare-fun c () (A B Int))(declare-fun d () (A B Int))
        (assert (not (= (b a) c)))(assert (not (= c d)))(check-sat)";
    let first = "(declare-fun A!val!1 () (A B Int)) (declare-fun A!val!0 () (A B Int))
        (forall ((x (A B Int))) (or (= x A!val!1) (= x A!val!0)))";
    let other = "(declare-fun A!val!0 () (A Int B)) (forall ((x (A Int B))) (= x A!val!0))";
    let model = |lists: &str| {
        format!(
            "({lists} (define-fun a () (A Int B) A!val!0) (define-fun c () (A B Int) A!val!1)
              (define-fun d () (A B Int) A!val!1)
              (define-fun b ((x!0 (A Int B))) (A B Int) A!val!0))"
        )
    };
    check(script, &model(&format!("{first}{other}")), "?f");
    check(script, &model(&format!("{other}{first}")), "?f");
}
