//! Terms with parts of which the standard (or the model) does not say the value: what follows all the same, and what does
//! not. `o`, `p` and `f` have no interpretation.

mod brute;

use smelt_eval::{Evaluator, Model};
use smelt_smtlib::{ParseOptions, parse, parse_terms};

const PRELUDE: &str = "(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))
    (declare-const o Int)(declare-const r Real)(declare-const p Bool)(declare-const q Bool)
    (declare-const b (_ BitVec 4))(declare-const s String)(declare-const l L)
    (declare-const a (Array Int Int))(declare-const u (Seq Int))
    (declare-fun f (Int) Int)(declare-fun g (Int Int) Bool)
    (define-fun twice ((x Int) (y Int)) Bool (= x y))
    (define-fun one () L (cons (div 1 0) nil))
    (declare-datatypes ((P 1)) ((par (X) ((none) (some (it X)) (more (size Int) (rest (P X)))))))";

fn value(term: &str) -> String {
    let mut script = parse(PRELUDE.as_bytes()).unwrap_or_else(|e| panic!("{e}"));
    let terms = parse_terms(&mut script, term.as_bytes(), &ParseOptions::default());
    let terms = terms.unwrap_or_else(|e| panic!("{term}: {e}"));
    match Evaluator::default().eval(&script.arena, &Model::new(), terms[0]) {
        Ok(v) => format!("{v:?}"),
        Err(_) => "?".into(),
    }
}

/// `term => value` per line; `?` is open.
fn check(cases: &str) {
    for line in cases.lines().map(str::trim).filter(|l| !l.is_empty()) {
        let (term, expect) = line.split_once(" => ").unwrap_or_else(|| panic!("{line}"));
        assert_eq!(value(term), expect, "{term}");
    }
}

#[test]
fn equal_applications_are_equal() {
    check(
        "(= (div 1 0) (div 1 0)) => true
         (= (div 1 0) (div 2 0)) => ?
         (= (div 1 0) (div (- 2 1) 0)) => true
         (= (div 1 0) (mod 1 0)) => ?
         (= (/ 1.0 0.0) (/ 1.0 0.0)) => true
         (distinct (div 1 0) 3 (div (+ 0 1) 0)) => false
         (distinct (div 1 0) 3 4) => ?
         (= (f 1) (f 2)) => ?
         (= (f (+ 1 1)) (f 2)) => true
         (= (f o) (f (+ o 0))) => true
         (= (f o) (f (+ o 1))) => ?
         (g (f o) 1) => ?
         (= (g o 1) (g o (- 2 1))) => true
         (xor (g o 1) (not (g o 1))) => true
         (twice (div 1 0) (div 1 0)) => true
         (twice (div 1 0) (div 2 0)) => ?
         (twice o o) => true
         (= (head nil) (head nil)) => true
         (= (head nil) (head (tail (cons 1 nil)))) => true
         (= (head nil) 1) => ?
         (= (it (as none (P Int))) (it (as none (P Int)))) => true
         (= (to_real (it (as none (P Int)))) (it (as none (P Real)))) => ?
         (distinct (size (as none (P Int))) (size (as none (P Real)))) => ?
         (= (seq.nth (as seq.empty (Seq Int)) 0) (seq.nth (as seq.empty (Seq Int)) 1)) => ?
         (= (seq.nth u 0) (seq.nth u 0)) => true
         (= ((_ fp.to_ubv 4) RNE (_ NaN 8 24)) ((_ fp.to_ubv 4) RNE (_ NaN 8 24))) => true
         (= ((_ fp.to_ubv 4) RNE (_ NaN 8 24)) ((_ fp.to_ubv 4) RTZ (_ NaN 8 24))) => ?",
    );
}

#[test]
fn numbers() {
    check(
        "(- (div 1 0) (div 1 0)) => 0
         (- o o) => 0
         (- r r) => 0.0
         (+ o 1 (- o)) => 1
         (< o (+ o 1)) => true
         (<= (* 2 o) (+ o o)) => true
         (< (* 2 o) (+ o 1)) => ?
         (= (* 3 o) (+ o o)) => ?
         (= (+ o 1) (+ o 2)) => false
         (distinct (+ o 1) (+ o 2)) => true
         (<= o o) => true
         (< o o) => false
         (* 0 (div 1 0)) => 0
         (* o 0) => 0
         (= (/ r 2.0) (* 0.5 r)) => true
         (= (* o o) (* o o)) => true
         (>= (str.len s) 0) => true
         (= (str.len s) (- 1)) => false
         (> (+ (str.len s) (str.len s)) (- 1)) => true
         (> (str.len s) 0) => ?
         (< (mod o 5) 5) => true
         (<= 0 (mod o (- 5)) 4) => true
         (< (mod o 0) 5) => ?
         (= (abs o) (- 1)) => false",
    );
}

#[test]
fn connectives_and_choices() {
    check(
        "(or p (not p)) => true
         (and p q (not p)) => false
         (=> p p) => true
         (=> (and p true) p) => true
         (or p q) => ?
         (= (and p true) p) => true
         (= p (not p)) => false
         (distinct p (not p)) => true
         (xor p q p) => ?
         (xor p true p) => true
         (ite p true true) => true
         (= (ite p 1 1) 1) => true
         (< (ite p 1 2) 3) => true
         (< (+ 1 (ite p 1 2)) 3) => ?
         (= (ite p o o) o) => true
         (= (ite p 1 2) (ite (not p) 2 1)) => true
         (= (ite p 1 2) (ite q 1 2)) => ?
         (< (ite p (ite q 1 2) 3) (ite q 4 5)) => true
         (= (ite p true false) p) => true
         (fp.isZero (fp.min (_ +zero 8 24) (_ -zero 8 24))) => true
         (fp.isNegative (fp.min (_ +zero 8 24) (_ -zero 8 24))) => ?
         (fp.eq (fp.max (_ +zero 8 24) (_ -zero 8 24)) (_ -zero 8 24)) => true
         (= (fp.min (_ +zero 8 24) (_ -zero 8 24)) (fp.min (_ -zero 8 24) (_ +zero 8 24))) => ?",
    );
}

#[test]
fn constructors_with_open_fields() {
    check(
        "((_ is cons) (cons (div 1 0) nil)) => true
         ((_ is nil) (cons (div 1 0) nil)) => false
         ((_ is nil) one) => false
         (= (cons (div 1 0) nil) nil) => false
         (= one (cons (div 1 0) nil)) => true
         (= (cons (div 1 0) nil) (cons 2 nil)) => ?
         (= (cons (div 1 0) (cons 1 nil)) (cons 2 (cons 2 nil))) => false
         (distinct (cons (div 1 0) (cons 1 nil)) (cons 2 nil)) => true
         (head (tail (cons (div 1 0) (cons 7 nil)))) => 7
         (= (head (cons (div 1 0) nil)) (div 1 0)) => true
         ((_ is cons) (ite p (cons 1 nil) (cons 2 l))) => true
         (head (ite p (cons 1 nil) (cons 1 l))) => 1
         ((_ is cons) (ite p (cons 1 nil) l)) => ?
         (match one ((nil 0) ((cons x y) (ite (= y nil) 1 2)))) => 1
         (select (store a 1 5) 1) => ?
         (select (store ((as const (Array Int Int)) 3) 1 o) 2) => 3
         (= (select (store ((as const (Array Int Int)) 3) 1 o) 1) o) => true
         (= (store ((as const (Array Int Int)) 3) 1 o) ((as const (Array Int Int)) 4)) => false
         (seq.len (seq.++ (seq.unit o) (seq.unit 1))) => 2
         (seq.nth (seq.++ (seq.unit o) (seq.unit 1)) 1) => 1
         (= (seq.unit o) (seq.++ (seq.unit 1) (seq.unit 2))) => false",
    );
}

#[test]
fn bits_and_strings() {
    check(
        "(bvand #x0 b) => #x0
         (bvor b #xf) => #xf
         (bvmul b #x0) => #x0
         (bvsub b b) => #x0
         (bvxor b b) => #x0
         (= (bvand b b) b) => true
         (bvult b b) => ?
         (str.prefixof \"\" s) => true
         (str.suffixof s s) => true
         (str.contains s \"\") => true
         (str.contains s \"a\") => ?
         (= (str.++ s \"\") s) => true
         (str.< s s) => false",
    );
}

/// A conclusion from open values is none about other values: what is open stays open.
#[test]
fn several_terms_of_one_evaluator() {
    let mut script = parse(PRELUDE.as_bytes()).unwrap();
    let terms = "(= (f 1) 2) (= (f 1) 3) (or (= (f 1) 2) (not (= (f 1) 2))) (f 1) (cons (f 1) nil) (lambda ((x Int)) (+ x o))";
    let terms = parse_terms(&mut script, terms.as_bytes(), &ParseOptions::default()).unwrap();
    let mut evaluator = Evaluator::default();
    let model = Model::new();
    for _ in 0..2 {
        let known: Vec<bool> =
            terms.iter().map(|&t| evaluator.eval(&script.arena, &model, t).is_ok()).collect();
        assert_eq!(known, [false, false, true, false, false, true]);
    }
}

/// Thousands of open values in one application: what is quadratic in them would take minutes.
#[test]
fn many_open_values() {
    let many = |op: &str, one: fn(usize) -> String| {
        let all: Vec<String> = (0..20_000).map(one).collect();
        value(&format!("({op} {})", all.join(" ")))
    };
    assert_eq!(many("or", |i| format!("(g {i} o)")), "?");
    assert_eq!(many("or", |i| format!("(xor {} (g {} o))", i % 2 == 0, i / 2)), "true");
    assert_eq!(many("distinct", |i| format!("(f {i})")), "?");
    assert_eq!(many("distinct", |i| if i == 0 { "o".into() } else { i.to_string() }), "?");
    assert_eq!(many("distinct", |i| i.to_string()), "true");
}
