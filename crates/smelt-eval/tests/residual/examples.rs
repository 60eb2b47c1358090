//! Residuals of small scripts under models as solvers print them.

use smelt_eval::{Limits, ModelOptions, Residual, parse_model_at, residual};
use smelt_smtlib::{Command, parse, print, print_term};

/// The residual of the last check of a script, in a line.
pub fn shown(script: &str, model: &str) -> String {
    let mut s = parse(script.as_bytes()).unwrap_or_else(|e| panic!("{script}: {e}"));
    let query = s.queries().pop().unwrap();
    let options = ModelOptions { rounded: Vec::new(), ..ModelOptions::default() };
    let m = parse_model_at(&mut s, query.command, model.as_bytes(), &options);
    let m = m.unwrap_or_else(|e| panic!("{model}: {e}"));
    match residual(&s, &query, &m, Limits::default()) {
        Residual::True => "true".into(),
        Residual::False { assertion } => format!("false at {assertion}"),
        Residual::Undetermined(why) => format!("undetermined: {why}"),
        Residual::Open(open) => {
            let r = open.script();
            let text = print(r, &Default::default());
            let again = parse(text.as_bytes()).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(print(&again, &Default::default()), text);
            let asserted = r.commands.iter().filter_map(|c| match c {
                Command::Assert(t) => Some(print_term(&r.arena, *t)),
                _ => None,
            });
            let dialect = if open.is_standard() { "" } else { " (dialect)" };
            let how = [("model", open.complete_by_model()), ("search", open.complete_by_search())];
            let how = how.iter().filter(|(_, r)| r.is_ok()).map(|(w, _)| format!(" by {w}"));
            let how: String = how.collect();
            format!(
                "{} {}{dialect}{how}",
                r.logic().unwrap(),
                asserted.collect::<Vec<_>>().join(" ")
            )
        }
    }
}

fn check(script: &str, model: &str, expect: &str) {
    let script =
        if script.contains("check-sat") { script.into() } else { format!("{script}(check-sat)") };
    assert_eq!(shown(&script, model), expect, "{script}\n{model}");
}

const REALS: &str = "(declare-const a Real)(declare-const b Real)(declare-const c Real)(declare-const d Real)(declare-const e Real)(declare-const f Real)";

#[test]
fn divisions() {
    let z3 = "((define-fun a () Real 1.0)(define-fun c () Real 0.0)(define-fun e () Real 1.0)(define-fun d () Real 1.0)\
        (define-fun f () Real 2.0)(define-fun b () Real (- 1.0))(define-fun /0 ((x!0 Real) (x!1 Real)) Real (- 1.0)))";
    // What z3 4.8.5 calls a model.
    check(
        &format!(
            "{REALS}(assert (= d (ite (>= (/ a c) f) (+ b f) f)))(assert (> 0 (/ a (/ c e))))"
        ),
        z3,
        "false at 1",
    );
    check(
        &format!("{REALS}(assert (= (/ a c) 1.0))(assert (distinct (/ (/ a c) c) 1.0))"),
        z3,
        "false at 1",
    );
    check(
        &format!("{REALS}(assert (= (/ a c) 2.0))(assert (distinct (/ (/ a c) c) 1.0))"),
        z3,
        "QF_UFLRA (= (open.divide 1.0) 2.0) (not (= (open.divide (open.divide 1.0)) 1.0)) by search",
    );
    check(
        &format!("{REALS}(assert (< (/ a c) 0.0))"),
        z3,
        "QF_UFLRA (< (open.divide 1.0) 0.0) by model by search",
    );
    check(&format!("{REALS}(assert (= (/ a e) 1.0))"), z3, "true");
    check(&format!("{REALS}(assert (= (/ a c) (/ e c)))"), z3, "true");
    check(&format!("{REALS}(assert (= (/ a e) 2.0))"), z3, "false at 0");
}

/// A universe has at least one element, and a list of all elements holds for what is unknown, too. It refutes only if the solver
/// states it: not in a comment.
#[test]
fn free_sorts() {
    let script = "(declare-sort U 0)(declare-datatype D ((nil) (c (s U))))(declare-const a U)\
        (assert (forall ((x U)) (= x a)))(assert (distinct (s nil) a))";
    let z3 =
        "((declare-fun U!val!0 () U)(forall ((x U)) (= x U!val!0))(define-fun a () U U!val!0))";
    check(script, z3, "false at 1");
    let cvc5 = "(\n; cardinality of U is 1\n; rep: (as @U_0 U)\n(define-fun a () U (as @U_0 U)))";
    check(
        script,
        cvc5,
        "undetermined: it is false only if a sort has no more elements than a comment says",
    );
    check(script, "((define-fun a () U (as @U_0 U)))", "undetermined: a quantifier stays");
    // Two elements: each unknown is one of them.
    let two = "((declare-fun U!val!0 () U)(declare-fun U!val!1 () U)\
        (forall ((x U)) (or (= x U!val!0) (= x U!val!1)))(define-fun a () U U!val!0)(define-fun b () U U!val!1))";
    let declared = "(declare-sort U 0)(declare-datatype D ((nil) (c (s U)) (c2 (s2 U) (i Bool))))\
        (declare-const a U)(declare-const b U)";
    check(
        &format!(
            "{declared}(assert (forall ((x U)) (or (= x a) (= x b))))(assert (distinct (s nil) a))"
        ),
        two,
        "QF_UFDT (not (= (open.s nil) smelt!e0)) (or (= (open.s nil) smelt!e0) (= (open.s nil) smelt!e1)) (distinct smelt!e0 smelt!e1) by search",
    );
    check(&format!("{declared}(assert (distinct a b (s nil)))"), two, "false at 0");
    check(
        &format!("{declared}(assert (distinct a b (s nil)))"),
        "((define-fun a () U (as @U_0 U))(define-fun b () U (as @U_1 U)))",
        "QF_UFDT (not (= (open.s nil) smelt!e0)) (not (= (open.s nil) smelt!e1)) (distinct smelt!e0 smelt!e1)",
    );
    // Elements in a part of an unknown value: the whole sort is closed.
    check(
        "(declare-sort U 0)(declare-datatype P ((p (u U))))(declare-datatype D ((nil) (c (s P)) (e (t P))))\
         (declare-const a U)(assert (distinct (s nil) (t nil)))(assert (forall ((x U)) (= x a)))",
        "((declare-fun U!val!0 () U)(forall ((x U)) (= x U!val!0))(define-fun a () U U!val!0))",
        "false at 0",
    );
}

/// Where an open value is one of two, nothing else is possible.
#[test]
fn ranges() {
    let zeros = "(declare-const x Float16)(declare-const y Float16)";
    let model =
        "((define-fun x () Float16 (_ +zero 5 11))(define-fun y () Float16 (_ -zero 5 11)))";
    check(
        &format!("{zeros}(assert (= (fp.min x y) ((_ to_fp 5 11) RNE 1.0)))"),
        model,
        "false at 0",
    );
    check(
        &format!("{zeros}(assert (distinct (fp.min x y) x))"),
        model,
        "QF_UFFP (not (open.fp.min (fp #b0 #b00000 #b0000000000) (fp #b1 #b00000 #b0000000000))) by model by search",
    );
    check(
        &format!("{zeros}(assert (distinct (fp.min x y) x))(assert (distinct (fp.min x y) y))"),
        model,
        "false at 1",
    );
    check(&format!("{zeros}(assert (fp.isZero (fp.max x y)))"), model, "true");
    // The two arguments in the other order are another question.
    let turned = format!("{zeros}(assert (distinct (fp.min x y) (fp.min y x)))(check-sat)");
    assert!(shown(&turned, model).ends_with(" by search"), "{turned}");
    check("(assert (= (set.choose (set.singleton 1)) 2))", "()", "false at 0");
    check(
        "(assert (= (set.choose (as set.empty (Set Int))) 2))",
        "()",
        "ALL (= (open.set.choose (as set.empty (Set Int))) 2) (dialect) by search",
    );
    let bits = "(declare-const x (_ FloatingPoint 2 2))";
    let nan = "((define-fun x () (_ FloatingPoint 2 2) (_ NaN 2 2)))";
    check(&format!("{bits}(assert (= (fp.to_ieee_bv x) #b0100))"), nan, "false at 0");
    check(
        &format!("{bits}(assert (= (fp.to_ieee_bv x) #b0111))"),
        nan,
        "QF_AUFBVFP (= (open.fp.to_ieee_bv (_ NaN 2 2)) #x7) (fp.isNaN ((_ to_fp 2 2) (open.fp.to_ieee_bv (_ NaN 2 2)))) (dialect) by search",
    );
    // Two bits have four values.
    let ubv =
        "(declare-const m RoundingMode)(declare-const x Float16)(declare-const r RoundingMode)";
    let value = "((define-fun x () Float16 (_ +oo 5 11)))";
    check(
        &format!(
            "{ubv}(assert (distinct ((_ fp.to_ubv 1) RNE x) ((_ fp.to_ubv 1) RTZ x) ((_ fp.to_ubv 1) RTP x)))"
        ),
        value,
        "false at 0",
    );
}

/// A symbol that the model leaves out, or does not give exactly, has no value.
#[test]
fn what_is_left_out() {
    let xy = "(declare-const x Int)(declare-const y Int)";
    check(
        &format!("{xy}(assert (= x 1))(assert (= y 2))"),
        "((define-fun x () Int 1))",
        "QF_LIA (= y 2) by search",
    );
    check(
        &format!("{xy}(assert (= x 1))(assert (= y 0))"),
        "((define-fun x () Int 1))",
        "QF_LIA (= y 0) by model by search",
    );
    check(
        &format!("{xy}(assert (= x 1))(assert (distinct y y))"),
        "((define-fun x () Int 1))",
        "false at 1",
    );
    check(
        &format!("{xy}(assert (< (+ x y) 3))(assert (> y 1))"),
        "((define-fun x () Int 1))",
        "false at 1",
    );
    check(
        &format!("{xy}(assert (< (+ x y) 3))"),
        "((define-fun x () Int 1))",
        "QF_LIA (< (+ 1 y) 3) by model by search",
    );
    // Bounds of whole numbers that are not whole.
    let half = format!("{xy}(assert (< (* 2 y) 1))(assert (> (to_real y) (- 0.5)))");
    check(&half, "()", "QF_LIRA (< (* 2 y) 1) (> (to_real y) (/ (- 1.0) 2.0)) by model by search");
    check(&format!("{half}(assert (distinct y 0))"), "()", "false at 2");
    check(
        "(declare-const x Real)(assert (= (* x x) 2.0))",
        "((define-fun x () Real 1.4142?))",
        "QF_NRA (= (* smelt!v0 smelt!v0) 2.0)",
    );
    check(
        "(declare-fun f (Int) Int)(declare-const x Int)(assert (= (f (div x 0)) 3))",
        "((define-fun x () Int 1)(define-fun f ((y Int)) Int (ite (= y 7) 3 4)))",
        "QF_UFLIA (= (open.div 1) 7) by search",
    );
}

/// Bodies of a model's own functions have open values, too.
#[test]
fn definitions_of_the_model() {
    let f = "(declare-fun f (Int) Int)(declare-const x Int)";
    let model = "((define-fun x () Int 1)(define-fun k!0 ((y Int)) Int (div y 0))(define-fun f ((y Int)) Int (k!0 y)))";
    check(&format!("{f}(assert (distinct (f x) (div x 0)))"), model, "false at 0");
    check(
        &format!("{f}(assert (= (f x) (div 2 0)))"),
        model,
        "QF_UFIDL (= (open.div 2) (open.div 1)) by model by search",
    );
}

/// What the model says about open values itself.
#[test]
fn stated_open_values() {
    let x = "(declare-const x Int)(declare-const r Real)";
    for (stated, term) in [
        ("(define-fun div0 ((a Int) (b Int)) Int 5)", "(= (div x 0) 5)"),
        ("(define-fun div0 ((a Int)) Int 5)", "(= (div x 0) 5)"),
        ("(define-fun mod0 ((a Int) (b Int)) Int (+ a b 4))", "(= (mod x 0) 5)"),
        ("(define-fun rem0 ((a Int) (b Int)) Int 5)", "(= (rem x 0) 5)"),
        ("(define-fun /0 ((a Real) (b Real)) Real (ite (= a 3.0) 5.0 1.0))", "(= (/ r 0.0) 5.0)"),
        ("(define-fun /0 ((a Real)) Real (ite (= a 3.0) 5.0 1.0))", "(= (/ r 0.0) 5.0)"),
    ] {
        let shown = shown(
            &format!("{x}(assert {term})(check-sat)"),
            &format!("((define-fun x () Int 1)(define-fun r () Real 3.0){stated})"),
        );
        assert!(shown.contains(" by model"), "{stated} {term}: {shown}");
    }
    // By values of terms; those of terms that are not open do not count.
    let values = |more: &str| format!("((x 1) (r 3.0) ((div x 1) 1){more})");
    let five = format!("{x}(assert (= (div x 0) 5))(check-sat)");
    assert!(shown(&five, &values("((div x 0) 5)")).contains(" by model"));
    assert!(!shown(&five, &values("((div x 0) 5)((div 1 0) 6)")).contains(" by model"));
    assert!(!shown(&five, &values("((div 2 0) 6)")).contains(" by model"));
    let list = "(declare-datatype L ((nil) (cons (hd Int) (tl L))))(declare-const l L)";
    let five = format!("{list}(assert (= (hd l) 5))(check-sat)");
    assert!(shown(&five, "((l nil) ((hd (cons 4 nil)) 4) ((hd l) 5))").contains(" by model"));
    let model = "((define-fun l () L nil)(define-fun hd ((x L)) Int 5))";
    check(
        &format!("{list}(assert (= (hd l) 5))"),
        model,
        "QF_UFDTLIA (= (open.hd nil) 5) by model by search",
    );
    check(
        &format!("{list}(assert (= (hd l) 6))"),
        model,
        "QF_UFDTLIA (= (open.hd nil) 6) by search",
    );
}

#[test]
fn what_stays() {
    let x = "(declare-const x Int)";
    let model = "((define-fun x () Int 1))";
    for (script, expect) in [
        ("(assert (forall ((y Int)) (> (div y 0) x)))", "a quantifier stays"),
        (
            "(define-fun-rec f ((n Int)) Int (ite (<= n 0) 0 (f (- n 1))))(assert (= (f (div x 0)) 0))",
            "the recursive function `f` depends on an open value",
        ),
        (
            "(define-fun-rec f ((n Int)) Int (div n (f n)))(assert (= (f x) 0))",
            "open values cannot be named: the recursive definition of `f` uses a partial operator",
        ),
        (
            "(assert (= (sin 1.0) (+ (sin 1.0) 0.0)))",
            "nothing is open, but the values do not decide",
        ),
    ] {
        let shown = shown(&format!("{x}{script}(check-sat)"), model);
        assert_eq!(shown, format!("undetermined: {expect}"), "{script}");
    }
    // What stays does not matter where the rest is false.
    check(
        &format!(
            "{x}(assert (and (forall ((y Int)) (> (div y 0) x)) (> (div x 0) 2)))(assert (< (div x 0) 3))"
        ),
        model,
        "false at 1",
    );
    // A quantifier over few values, and one whose range is known.
    check(
        &format!("{x}(assert (forall ((y Int)) (=> (<= x y 2) (= (div y 0) y))))"),
        model,
        "QF_UFLIA (= (open.div 1) 1) (= (open.div 2) 2) by search",
    );
    check(
        &format!(
            "{x}(assert (exists ((b Bool)) (= (div (ite b 1 2) 0) 7)))(assert (= (div x 0) 6))"
        ),
        model,
        "QF_UFLIA (or (= (open.div 2) 7) (= (open.div 1) 7)) (= (open.div 1) 6) by search",
    );
}

/// The check that is meant, with the assertions that are active there.
#[test]
fn scopes() {
    check(
        "(declare-const x Int)(push 1)(assert (= (div x 0) 1))(check-sat)(pop 1)(assert (= (div x 0) 2))(check-sat)",
        "((define-fun x () Int 1))",
        "QF_UFLIA (= (open.div 1) 2) by search",
    );
}
