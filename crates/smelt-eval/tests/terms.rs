//! Ground terms and their values: one line per case.

use smelt_eval::{eval_ground, value_to_smtlib};
use smelt_smtlib::{ParseOptions, parse, parse_terms};

/// The value of a term as text, or the reason why there is none.
fn value(prelude: &str, term: &str) -> String {
    let mut script = parse(prelude.as_bytes()).unwrap_or_else(|e| panic!("{prelude}: {e}"));
    let terms = parse_terms(&mut script, term.as_bytes(), &ParseOptions::default());
    let terms = terms.unwrap_or_else(|e| panic!("{term}: {e}"));
    let a = &script.arena;
    match eval_ground(a, terms[0]) {
        Ok(v) => value_to_smtlib(a, &v, a.sort(terms[0])).unwrap_or_else(|| format!("{v:?}")),
        Err(e) => format!("? {e}"),
    }
}

/// `term => value` per line, under declarations.
fn check(prelude: &str, cases: &str) {
    for line in cases.lines().map(str::trim).filter(|l| !l.is_empty()) {
        let (term, expect) = line.split_once(" => ").unwrap_or_else(|| panic!("{line}"));
        assert_eq!(value(prelude, term), expect, "{term}");
    }
}

#[test]
fn core() {
    check(
        "",
        "(and true false) => false
         (=> true false true) => true
         (=> true true false) => false
         (xor true true true) => true
         (distinct 1 2 3) => true
         (distinct 1 2 1) => false
         (= 1 1 2) => false
         (ite (< 1 2) 3 4) => 3
         (! (+ 1 1) :named two) => 2
         (let ((x 5)) (* x x)) => 25
         ((_ at-most 1) true false true) => false
         ((_ pbge 3 1 2 1) true true false) => true",
    );
}

/// A constructor whose fields do not say all parameters of its sort is written with `as`.
#[test]
fn parameters_that_fields_do_not_tell() {
    check(
        "(declare-datatypes ((P 2)) ((par (A B) ((mk (fst A)) (both (l A) (r B)) (of (p (P A Int))) (no)))))",
        "((as mk (P Int Bool)) 3) => ((as mk (P Int Bool)) 3)
         (both 1 true) => (both 1 true)
         (both 1 ((as mk (P Bool Int)) true)) => (both 1 ((as mk (P Bool Int)) true))
         ((as of (P Int Bool)) (both 1 2)) => ((as of (P Int Bool)) (both 1 2))
         (as no (P Int Bool)) => (as no (P Int Bool))",
    );
}

#[test]
fn three_values() {
    check(
        "",
        "(or (= (div 1 0) 2) true) => true
         (and (= (div 1 0) 2) false) => false
         (and (= (div 1 0) 2) true) => ? `div` is not specified at these arguments
         (=> (= (div 1 0) 2) true) => true
         (ite (= (div 1 0) 2) 5 (+ 2 3)) => 5
         (ite (= (div 1 0) 2) 5 6) => ? `div` is not specified at these arguments
         (= (div 1 0) (div 1 0)) => true
         (< (div 1 0) (div 1 0)) => false
         (distinct 1 (div 1 0) 1) => false
         (< 2 1 (div 1 0)) => false
         (bvxnor #b0 #b1) => #b0
         (bvxnor #b0 #b1 #b0) => ? `bvxnor` is not specified at these arguments
         (* 0 (div 1 0)) => 0",
    );
}

#[test]
fn arithmetic() {
    check(
        "",
        "(+ 1 2 3) => 6
         (- 1 2 3) => (- 4)
         (* 9223372036854775807 9223372036854775807) => 85070591730234615847396907784232501249
         (div (- 7) 2) => (- 4)
         (mod (- 7) (- 2)) => 1
         (div 7 (- 2) 3) => (- 1)
         (/ 1 2) => (/ 1.0 2.0)
         (/ 1.0 2.0 4.0) => (/ 1.0 8.0)
         (to_int (- 1.5)) => (- 2)
         (is_int 2.0) => true
         ((_ divisible 3) 9) => true
         (abs (- 5)) => 5
         (< 1 2 3 3) => false
         (/ 1.0 0.0) => ? `/` is not specified at these arguments
         (^ 2 10) => 1024
         (^ 0 0) => ? `^` is not specified at these arguments
         (< (sin 1.0) (cos 1.0)) => false
         (< 3.14159265358979323846264338327950288 real.pi) => true
         (= (exp 0.0) 1.0) => true
         (= (* (sqrt 2.0) (sqrt 2.0)) 2.0) => true
         (sqrt 4.0) => 2.0
         (arccot 0.0) => ? `arccot` is not specified at these arguments
         (> (exp (exp (exp 3.0))) 0.0) => true",
    );
}

#[test]
fn vectors_and_floats() {
    check(
        "",
        "(bvadd #b111 #b001) => #b000
         (concat #b1 #b01 #b001) => #b101001
         ((_ extract 2 1) #b1100) => #b10
         (bvudiv #x5 #x0) => #xf
         (ubv_to_int #xff) => 255
         ((_ int_to_bv 4) (- 1)) => #xf
         (fp.add RNE ((_ to_fp 5 11) RNE 1.5) ((_ to_fp 5 11) RNE 1.5)) => (fp #b0 #b10000 #b1000000000)
         (fp.min (_ +zero 5 11) (_ -zero 5 11)) => ? `fp.min` is not specified at these arguments
         (fp.isNaN (fp.div RNE (_ +zero 5 11) (_ -zero 5 11))) => true
         (fp.leq (_ -zero 5 11) (_ +zero 5 11)) => true
         (= (_ -zero 5 11) (_ +zero 5 11)) => false
         ((_ fp.to_ubv 4) RTZ ((_ to_fp 5 11) RNE 3.9)) => #x3
         ((_ fp.to_ubv 4) RTZ (_ NaN 5 11)) => ? `fp.to_ubv` is not specified at these arguments
         (= ((_ to_fp 5 11) RNE (sin 1.0)) ((_ to_fp 5 11) RNE 0.8414709848)) => true",
    );
}

#[test]
fn strings() {
    check(
        "",
        r#"(str.++ "a" "b" "c") => "abc"
           (str.replace "abc" "" "x") => "xabc"
           (str.in_re "aab" (re.++ (re.* (str.to_re "a")) (str.to_re "b"))) => true
           (str.in_re "aab" (re.comp (re.++ (re.* (str.to_re "a")) (str.to_re "b")))) => false
           (= (re.* (str.to_re "a")) (re.union (str.to_re "") (re.+ (str.to_re "a")))) => true
           (str.indexof "abcabc" "c" 3) => 5
           (str.from_code 65) => "A"
           (str.< "a" "b" "a") => false"#,
    );
}

#[test]
fn collections() {
    check(
        "(declare-datatypes ((L 1)) ((par (X) ((nil) (cons (hd X) (tl (L X)))))))
         (define-fun-rec len ((l (L Int))) Int (match l ((nil 0) ((cons h t) (+ 1 (len t))))))
         (define-fun twice ((x Int)) Int (+ x x))
         (declare-datatype E ((a) (b) (c)))",
        "(select (store ((as const (Array Int Int)) 0) 1 2) 1) => 2
         (= (store ((as const (Array Bool Int)) 0) true 1) (store ((as const (Array Bool Int)) 1) false 0)) => true
         (select (store ((as const (Array (Array Bool Int) Int)) 0) (store ((as const (Array Bool Int)) 0) true 1) 5) (store ((as const (Array Bool Int)) 1) false 0)) => 5
         (hd (cons 1 (as nil (L Int)))) => 1
         (hd (as nil (L Int))) => ? a selector is applied to a value of another constructor
         ((_ is nil) (tl (cons 1 (as nil (L Int))))) => true
         (cons 1 (as nil (L Int))) => (cons 1 (as nil (L Int)))
         (len (cons 1 (cons 2 (as nil (L Int))))) => 2
         (seq.nth (seq.++ (seq.unit 4) (seq.unit 5)) 1) => 5
         (seq.nth (seq.unit 4) 1) => ? `seq.nth` is not specified at these arguments
         (seq.map (lambda ((x Int)) (+ x 1)) (seq.unit 4)) => (seq.unit 5)
         (seq.foldl (lambda ((x Int) (y Int)) (- x y)) 0 (seq.++ (seq.unit 4) (seq.unit 5))) => (- 9)
         (set.card (set.union (set.singleton 1) (set.singleton 1))) => 1
         (set.map twice (set.singleton 4)) => (set.singleton 8)
         (set.card (as set.universe (Set E))) => ? `set.universe` has no semantics here
         (bag.count 1 (bag.union_disjoint (bag 1 2) (bag 1 3))) => 5
         (forall ((x E)) (or (= x a) (= x b) (= x c))) => true
         (exists ((x Int)) (= (* x x) 100)) => true
         (exists ((x Int)) (= (* x x) 10000000001)) => ? a domain is too large to be searched
         (forall ((x Int)) (=> (and (<= 0 x) (< x 10)) (< (* x x) 82))) => true
         (forall ((x Int)) (=> (and (<= 0 x) (< x 10)) (< (* x x) 81))) => false
         (forall ((x (_ BitVec 8)) (y (_ BitVec 8))) (= (bvadd x y) (bvadd y x))) => true
         (forall ((x (_ FloatingPoint 3 3))) (=> (not (fp.isNaN x)) (fp.eq x x))) => true
         (= (lambda ((x Bool)) (not x)) (lambda ((x Bool)) (ite x false true))) => true
         ((lambda ((x Int) (y Int)) (- x y)) 5 3) => 2
         (eqrange (store ((as const (Array Int Int)) 0) 9 1) ((as const (Array Int Int)) 0) 0 8) => true",
    );
}

#[test]
fn bounds() {
    check(
        "(define-fun-rec f ((x Int)) Int (f (+ x 1)))
         (define-fun-rec down ((x Int)) Int (ite (<= x 0) 0 (+ 1 (down (- x 1)))))",
        "(f 0) => ? the step budget is used up
         (down 5000) => 5000
         (^ 2 10000000000) => ? the value is too large",
    );
    let wide = value("", "(bvadd (_ bv1 10000) (_ bv1 10000))");
    assert_eq!((wide.len(), wide.ends_with("02")), (2502, true));
}

#[test]
fn deep_terms_do_not_overflow() {
    for (open, close) in [("(not ", ")"), ("(ite true ", " false)"), ("(or false ", ")")] {
        let n = 1_000_000;
        let text = format!("{}true{}", open.repeat(n), close.repeat(n));
        let v = value("", &text);
        assert!(v == "true", "{open}: {v}");
    }
}

/// Constructors that two datatypes share are told apart by their sort.
#[test]
fn constructors_of_the_same_name() {
    check(
        "(declare-datatypes ((L 0)) (((cons (head Int) (tail L)) (nil))))
         (declare-datatypes ((P 1)) ((par (T) ((cons (first T) (rest (P T))) (nil)))))(declare-datatypes ((O 0)) (((one) (two))))",
        "(as nil L) => (as nil L)
         (as nil (P Int)) => (as nil (P Int))
         (cons 1 (as nil L)) => ((as cons L) 1 (as nil L))
         one => one",
    );
}

/// Transcendental numbers: equal by the same computation, and exact where a theorem says so.
#[test]
fn exact_transcendental_numbers() {
    check(
        "(define-fun s ((x Real)) Real (sin x))",
        "(= (sin 1.0) (sin 1.0)) => true
         (= (sin 1.0) (sin (/ 2.0 2.0))) => true
         (= (s 1.0) (sin 1.0)) => true
         (= (+ 1.0 (exp 1.0)) (+ 1.0 (exp (- 2.0 1.0)))) => true
         (- (exp 1.0) (exp 1.0)) => 0.0
         (<= (exp 1.0) (exp 1.0)) => true
         (distinct (exp 1.0) (exp 2.0)) => true
         (/ (exp 1.0) (exp 1.0)) => 1.0
         (sin 0.0) => 0.0
         (cos 0.0) => 1.0
         (tan 0.0) => 0.0
         (exp 0.0) => 1.0
         (sin real.pi) => 0.0
         (cos real.pi) => (- 1.0)
         (sin (/ real.pi 2.0)) => 1.0
         (sin (* 7.0 (/ real.pi 6.0))) => (- (/ 1.0 2.0))
         (cos (/ real.pi 3.0)) => (/ 1.0 2.0)
         (cos (- (/ real.pi 3.0))) => (/ 1.0 2.0)
         (tan (/ real.pi 4.0)) => 1.0
         (tan (* 3.0 (/ real.pi 4.0))) => (- 1.0)
         (tan (/ real.pi 2.0)) => ? `tan` is not specified at these arguments
         (cot real.pi) => ? `cot` is not specified at these arguments
         (sec (/ real.pi 2.0)) => ? `sec` is not specified at these arguments
         (csc (/ real.pi 2.0)) => 1.0
         (sin (- real.pi real.pi)) => 0.0
         (= (arccos (- 1.0)) real.pi) => true
         (= (* 4.0 (arctan 1.0)) real.pi) => true
         (= (arcsin 0.5) (/ real.pi 6.0)) => true
         (arccos 1.0) => 0.0
         (/ real.pi real.pi) => 1.0
         (< (* 2.0 real.pi) (* 3.0 real.pi)) => true
         (= (sqrt 8.0) (* 2.0 (sqrt 2.0))) => true
         (sqrt (/ 9.0 4.0)) => (/ 3.0 2.0)
         (arccot 0.0) => ? `arccot` is not specified at these arguments
         (arccot (- 1.0)) => ? `arccot` is not specified at these arguments",
    );
}
