//! Input that asks for too much: an answer, a clear error or `Undetermined`, always within a bound.

use smelt_eval::{Outcome, Undetermined, eval_ground, limit::Limit};
use smelt_smtlib::{ParseOptions, Script, parse, parse_terms};
use std::time::{Duration, Instant};

/// Generous, since test machines are busy; what is caught here takes for ever.
const BOUND: Duration = Duration::from_secs(60);

fn value(term: &str) -> Outcome {
    let mut script = Script { arena: smelt_smtlib::Arena::new(), commands: Vec::new() };
    let terms = parse_terms(&mut script, term.as_bytes(), &ParseOptions::default());
    let terms = terms.unwrap_or_else(|e| panic!("{e}"));
    let start = Instant::now();
    let outcome = eval_ground(&script.arena, terms[0]);
    assert!(start.elapsed() < BOUND, "{:?} for {:.80}", start.elapsed(), term);
    outcome
}

fn refused(text: &str, expect: &str) {
    let e = parse(text.as_bytes()).err().unwrap_or_else(|| panic!("accepted: {text}"));
    assert_eq!(e.message, expect);
}

#[test]
fn widths() {
    refused("(assert (= (_ bv5 0) (_ bv5 0)))", "a bit-vector needs a width of at least 1");
    refused(
        "(declare-const x (_ FloatingPoint 1000000000 24))",
        "a bit-vector of 1000000024 bits is wider than the limit of 16777216",
    );
    let wide = "(= (bvmul (bvnot (_ bv0 10000)) (bvnot (_ bv0 10000))) (_ bv1 10000))";
    assert_eq!(value(wide), Ok(smelt_eval::Value::TRUE));
    let too_wide =
        "(= ((_ repeat 16000000) #b1) ((_ repeat 16000000) #b1) ((_ repeat 16000000) #b0))";
    assert_eq!(value(too_wide), Err(Undetermined::Limit(Limit::TooLarge)));
    let exponents = "(fp.isNaN (fp #b0 (_ bv0 100) (_ bv0 10)))";
    assert_eq!(value(exponents), Err(Undetermined::Limit(Limit::TooLarge)));
}

#[test]
fn exponents() {
    let large = Err(Undetermined::Limit(Limit::TooLarge));
    let digits = "9".repeat(100_000);
    assert_eq!(value("(^ 10 1000000000)"), large);
    assert_eq!(value(&format!("(^ 10 {digits})")), large);
    assert_eq!(value("(int.pow2 1000000000000)"), large);
    assert_eq!(value("(^ 1.5 1000000000.0)"), large);
    let squared = (0..40).fold("9".to_owned(), |t, _| format!("(let ((x {t})) (* x x))"));
    assert_eq!(value(&squared), large);
    let scaled = format!("((_ to_fp 8 24) RNE 1.0 {digits})");
    assert_eq!(value(&format!("(fp.isInfinite {scaled})")), Ok(smelt_eval::Value::TRUE));
    // Far beyond what enclosures follow.
    assert!(value("(> (exp (exp (exp (exp 10.0)))) 1.0)").is_err());
    // Within the bound, whether the argument can be reduced or not.
    let sine = value(&format!("(> (sin {digits}.0) 2.0)"));
    assert!(matches!(sine, Ok(smelt_eval::Value::Bool(false)) | Err(_)), "{sine:?}");
}

#[test]
fn strings() {
    let long = (0..40).fold("\"ab\"".to_owned(), |t, _| format!("(let ((x {t})) (str.++ x x))"));
    assert_eq!(value(&long), Err(Undetermined::Limit(Limit::TooLarge)));
    let all = (0..40).fold("\"aa\"".to_owned(), |t, _| {
        format!("(let ((x {t})) (str.replace_all x \"a\" \"aaaa\"))")
    });
    assert_eq!(value(&all), Err(Undetermined::Limit(Limit::TooLarge)));
}

#[test]
fn regular_expressions() {
    // A deterministic automaton of 2^n states; derivatives make only the states that the text visits.
    let n = 3000;
    let ab = "(re.union (str.to_re \"a\") (str.to_re \"b\"))";
    let explodes = format!("(re.++ (re.* {ab}) (str.to_re \"a\") ((_ re.^ {n}) {ab}))");
    let text = "ab".repeat(n);
    for re in [explodes.clone(), format!("(re.comp {explodes})")] {
        let outcome = value(&format!("(str.in_re \"{text}\" {re})"));
        assert!(outcome.is_ok() || outcome == Err(Undetermined::Limit(Limit::Budget)));
    }
    // Equivalence needs all of them.
    let small = |n: u32| format!("(re.++ (re.* {ab}) (str.to_re \"a\") ((_ re.^ {n}) {ab}))");
    let outcome = value(&format!("(= {} (re.comp {}))", small(40), small(41)));
    assert!(outcome.is_ok() || outcome == Err(Undetermined::Limit(Limit::Budget)), "{outcome:?}");
    let nested = (0..30).fold(ab.to_owned(), |r, _| format!("(re.* (re.++ {r} (re.opt {ab})))"));
    assert!(value(&format!("(str.in_re \"{}\" {nested})", "ab".repeat(500))).is_ok());
    let loops = format!("((_ re.loop 1000000 4000000000) {ab})");
    assert_eq!(value(&format!("(str.in_re \"ab\" {loops})")), Ok(smelt_eval::Value::FALSE));
}

#[test]
fn binders() {
    let n = 20_000;
    let deep = format!("{}true{}", "(forall ((x Bool)) ".repeat(n), ")".repeat(n));
    assert!(matches!(value(&deep), Err(Undetermined::Limit(Limit::Budget))));
    let many = "(forall ((a Int) (b Int) (c Int) (d Int) (e Int) (f Int) (g Int)) (< (+ a b c d e f g) 1000000000000000000007))";
    assert_eq!(value(many), Ok(smelt_eval::Value::FALSE));
    let many = many.replace("(+ a b c d e f g)", "(* a a b b c c d d e e f f g g)");
    assert!(value(&many.replace("(<", "(distinct")).is_err());
    let nested = (0..200).fold("y".to_owned(), |t, _| format!("((lambda ((x Int)) (+ x 1)) {t})"));
    let nested = format!("(let ((y 0)) {nested})");
    assert_eq!(value(&nested), Ok(smelt_eval::Value::Int(200i64.into())));
}

/// Each value is within its bound; all together are not.
#[test]
fn many_large_values() {
    let chain = |n: usize, first: &str, step: &dyn Fn(usize, String) -> String, last: &str| {
        let mut text = String::new();
        for i in 0..n {
            let before = if i == 0 { first.to_owned() } else { format!("v{i}") };
            text.push_str(&format!("(let ((v{} {})) ", i + 1, step(i, before)));
        }
        text + last + &")".repeat(n)
    };
    // A chain of stores copies its entries every time.
    let store = |i: usize, before: String| format!("(store {before} {i} {})", i * 7);
    let empty = "((as const (Array Int Int)) 0)";
    let short = chain(500, empty, &store, "(select v500 5)");
    assert_eq!(value(&short), Ok(smelt_eval::Value::Int(35i64.into())));
    let long = chain(20_000, empty, &store, "(select v20000 5)");
    assert_eq!(value(&long), Err(Undetermined::Limit(Limit::TooLarge)));
    // Many different long strings and numbers.
    let wide = chain(21, "\"a\"", &|_, s| format!("(str.++ {s} {s})"), "v21");
    let copies = |n: usize, last: &str| {
        let all: String = (0..n).map(|i| format!(" (str.len (str.++ s \"{i}\"))")).collect();
        format!("(let ((s {wide})) (+{all} {last}))")
    };
    assert!(value(&copies(3, "0")).is_ok());
    assert_eq!(value(&copies(2000, "0")), Err(Undetermined::Limit(Limit::TooLarge)));
    let sums: String = (0..20_000).map(|i| format!(" (mod (+ n {i}) 7)")).collect();
    let big = format!("(let ((n (^ 3 1000000))) (+{sums}))");
    assert!(value(&big).is_err());
    // Fractions whose parts grow.
    let fraction =
        |i: usize, y: String| format!("(+ (/ 1.0 (+ {y} {i}.0)) (/ {i}.0 (+ 3.0 (* {y} {y}))))");
    assert!(value(&chain(300, "(/ 22.0 7.0)", &fraction, "(> v300 0.0)")).is_err());
    // Questions to regular expressions that each take their whole budget.
    let ab = "(re.union (str.to_re \"a\") (str.to_re \"b\"))";
    let hard = |n: usize| format!("(re.++ (re.* {ab}) (str.to_re \"a\") ((_ re.^ {n}) {ab}))");
    let pair = |n: usize| {
        let (x, y) = (hard(n), hard(n + 1));
        format!(" (= (re.inter {x} {y}) (re.inter {y} {x} (re.* {ab})))")
    };
    let many: String = (30..400).map(pair).collect();
    assert!(value(&format!("(and{many})")).is_err());
    // Quantifiers that each take all their steps.
    let slow = |i: usize| {
        format!(
            " (forall ((a Int) (b Int) (c Int)) (exists ((d Int) (e Int)) (> (+ a b c d e {i}) (* a a a))))"
        )
    };
    let many: String = (0..300).map(slow).collect();
    assert!(value(&format!("(and{many})")).is_err());
}
