//! Models as solvers print them, and what is wrong with bad ones.

use smelt_eval::{Evaluator, ModelOptions, Value, parse_model};
use smelt_smtlib::{Script, parse};

fn read(script: &str, model: &str) -> (Script, Result<smelt_eval::Model, String>) {
    let mut s = parse(script.as_bytes()).unwrap_or_else(|e| panic!("{script}: {e}"));
    let m = parse_model(&mut s, model.as_bytes(), &ModelOptions::default());
    let m = m.map_err(|e| {
        let (line, column) = e.line_column(model.as_bytes());
        format!("{line}:{column}: {}", e.message)
    });
    (s, m)
}

/// The values of all assertions: `t`, `f` or `?`.
fn verdict(script: &str, model: &str) -> String {
    let (s, m) = read(script, model);
    let m = m.unwrap_or_else(|e| panic!("{model}\n{e}"));
    let mut evaluator = Evaluator::default();
    let assertions = &s.queries()[0].assertions;
    let letter = |&t| match evaluator.eval(&s.arena, &m, t) {
        Ok(Value::Bool(true)) => 't',
        Ok(_) => 'f',
        Err(_) => '?',
    };
    assertions.iter().map(letter).collect()
}

fn check(script: &str, model: &str, expect: &str) {
    assert_eq!(verdict(script, model), expect, "{script}\n{model}");
}

/// How the assertions are judged: `f` accuses whoever gave the model.
fn judged(script: &str, model: &str) -> String {
    let (s, m) = read(script, model);
    let m = m.unwrap_or_else(|e| panic!("{model}\n{e}"));
    let mut evaluator = Evaluator::default();
    let letter = |&t| match evaluator.judge(&s.arena, &m, t) {
        Ok(Value::Bool(true)) => 't',
        Ok(_) => 'f',
        Err(_) => '?',
    };
    s.queries()[0].assertions.iter().map(letter).collect()
}

/// An element that smelt chooses for a symbol which a model leaves out is none of the model's.
#[test]
fn elements_of_defaults_refute_nothing() {
    let check = |script: &str, model: &str, expect: &str| {
        assert_eq!(judged(script, model), expect, "{script}");
    };
    check(
        "(declare-sort U 0)(declare-fun p (U) Bool)(declare-const a U)(assert (forall ((x U)) (p x)))(check-sat)",
        "((define-fun p ((x U)) Bool (= x (as @U_0 U))))",
        "?",
    );
    check(
        "(declare-sort U 0)(declare-fun f (U) U)(declare-const a U)(assert (forall ((x U)) (= (f x) x)))(check-sat)",
        "((define-fun f ((x U)) U (as @U_0 U)))",
        "?",
    );
    check(
        "(declare-sort V 0)(declare-const v V)(declare-const p Bool)(assert (forall ((x V) (y V)) (= x y)))(assert (not p))(check-sat)",
        "((define-fun p () Bool true))",
        "?f",
    );
}

/// Sorts that meet inside of arrays have as many values whichever is asked first, and arrays are compared by what they hold.
#[test]
fn sorts_that_meet_in_arrays() {
    check(
        "(declare-datatype Un ((un)))
         (declare-datatypes ((A 0) (B 0)) (((a0) (a1 (ga (Array B Un)))) ((b0) (b1 (gb A)))))
         (declare-const x (Array A Int))(declare-const y (Array B Int))
         (assert (= x x))(assert (= y ((as const (Array B Int)) 1)))
         (assert (distinct a0 (a1 ((as const (Array B Un)) un))))
         (assert (exists ((u A) (v A)) (distinct u v)))
         (assert (forall ((u A) (v A) (w A)) (or (= u v) (= v w) (= u w))))
         (assert (forall ((u B) (v B) (w B)) (or (= u v) (= v w) (= u w))))(check-sat)",
        "((define-fun x () (Array A Int) ((as const (Array A Int)) 0))
          (define-fun y () (Array B Int) ((as const (Array B Int)) 1)))",
        "tttttf",
    );
}

fn refused(script: &str, model: &str, expect: &str) {
    assert_eq!(read(script, model).1.err().as_deref(), Some(expect), "{model}");
}

const PARTIAL: &str = "(declare-const x Real)(declare-const y Int)(declare-const q (Seq Int))
    (assert (> (/ x 0.0) 7.5))(assert (= (div y 0) 6))(assert (= (mod y 0) (- 3)))(assert (= (seq.nth q 10) 5))
    (assert (= (/ 6.0 0.0 2.0) 4.25))(assert (= (/ 1.0 2.0) 0.5))(check-sat)";

#[test]
fn z3() {
    check(
        PARTIAL,
        "(
          (define-fun q () (Seq Int) (seq.++ (seq.unit 7) (seq.unit 6)))
          (define-fun y () Int 0)
          (define-fun x () Real (- (/ 1.0 3.0)))
          (define-fun /0 ((x!0 Real) (x!1 Real)) Real (/ 17.0 2.0))
          (define-fun mod0 ((x!0 Int)) Int (- 3))
          (define-fun div0 ((x!0 Int) (x!1 Int)) Int 6)
          (define-fun seq.nth_u ((x!0 (Seq Int)) (x!1 Int)) Int 5)
        )",
        "tttttt",
    );
    // Meanings given to the operators themselves by their own names, which the other definitions use, too.
    check(
        PARTIAL,
        "(define-fun q () (Seq Int) (as seq.empty (Seq Int)))
         (define-fun y () Int (- 1))
         (define-fun / ((a Real) (b Real)) Real (ite (= b (/ 0.0 1.0)) (/ 17.0 2.0) (/ 1.0 7.0)))
         (define-fun div ((a Int) (b Int)) Int (ite (and (= a (- 1)) (= b 0)) 6 7))
         (define-fun mod ((a Int) (b Int)) Int (- 3))
         (define-fun x () Real (/ 1.0 2.0))",
        "ttt?tt",
    );
}

#[test]
fn free_sorts() {
    let script = "(declare-sort T 0)(declare-const a T)(declare-const b T)(declare-fun f (T Int) T)
        (assert (distinct a b))(assert (= (f a 1) b))(assert (forall ((x T)) (or (= x a) (= x b))))
        (assert (exists ((x T)) (not (= (f x 0) x))))(check-sat)";
    let z3 = "(
      ;; universe for T:
      ;;   T!val!0 T!val!1 
      (declare-fun T!val!0 () T)
      (declare-fun T!val!1 () T)
      ;; cardinality constraint:
      (forall ((x T)) (or (= x T!val!0) (= x T!val!1)))
      (define-fun a () T T!val!0)
      (define-fun f ((x!0 T) (x!1 Int)) T (ite (and (= x!0 T!val!1) (= x!1 1)) T!val!0 T!val!1))
      (define-fun b () T T!val!1))";
    check(script, z3, "tttt");
    let cvc5 = "(
; cardinality of T is 2
; rep: (as @T_0 T)
; rep: (as @T_1 T)
(define-fun a () T (as @T_0 T))
(define-fun b () T (as @T_1 T))
(define-fun f ((_arg_1 T) (_arg_2 Int)) T (ite (= (as @T_0 T) _arg_1) (as @T_1 T) (as @T_0 T)))
)";
    check(script, cvc5, "tttt");
    let cvc4 = "(model
; cardinality of T is 2
(declare-sort T 0)
; rep: @uc_T_0
; rep: @uc_T_1
(define-fun a () T @uc_T_1)
(define-fun b () T @uc_T_0)
(define-fun f ((B1 T) (B2 Int)) T (ite (= @uc_T_1 B1) @uc_T_0 @uc_T_1))
)";
    check(script, cvc4, "tttt");
    let yices = "(= a @const_4)
(= b @const_5)
(= f @fun_13)
(function @fun_13
 (type (FunType2 T Int T))
 (= (@fun_13 @const_4 1) @const_5)
 (= (@fun_13 @const_5 1) @const_4)
 (default @const_12))";
    // The default is an element that is neither a nor b.
    check(script, yices, "ttft");
    let z3_without_declarations = "((define-fun a () T T!val!0)(define-fun b () T T!val!1)
        (define-fun f ((x T) (y Int)) T T!val!1))";
    check(script, z3_without_declarations, "tt?t");
}

#[test]
fn values_of_terms() {
    let script = "(declare-const x Int)(declare-const y Real)(declare-fun f (Int) Int)
        (assert (> x 4))(assert (< y 0.0))(assert (= (f x) 7))(check-sat)";
    check(script, "((x 5) (y (/ (- 1) 3)) ((f x) 7))", "ttt");
    check(script, "((x 4) (y (- 2)) ((f x) 8))", "ftf");
    check(script, "sat\n((x 5)\n (y -2.0))", "ttf");
    refused(script, "((x true))", "1:5: the value has sort Bool, but the term Int");
    refused(script, "((z 5))", "1:3: unknown symbol `z`");
    refused(script, "((x))", "1:2: not a term and its value");
    refused(script, "((x 5 6))", "1:2: not a term and its value");
}

#[test]
fn functions_and_arrays() {
    let script = "(declare-const A (Array Int Int))(declare-const B (Array (_ BitVec 2) Bool))(declare-fun g (Int) Int)
        (assert (= (select A 3) 4))(assert (= (select A 9) 10))(assert (select B #b01))(assert (= (g 5) 6))
        (assert (not (= A (store A 3 5))))(check-sat)";
    // Helper functions come after their use.
    check(
        script,
        "((define-fun A () (Array Int Int) (_ as-array k!0))
          (define-fun B () (Array (_ BitVec 2) Bool) (lambda ((x (_ BitVec 2))) (bvult x #b10)))
          (define-fun g ((x!0 Int)) Int (k!1 (+ x!0 1)))
          (define-fun k!1 ((x!0 Int)) Int x!0)
          (define-fun k!0 ((x!0 Int)) Int (ite (= x!0 3) 4 (ite (= x!0 7) 8 10))))",
        "ttttt",
    );
    // Yices prints arrays as functions.
    check(
        script,
        "(model (define-fun A ((x!0 Int)) Int (ite (= x!0 3) 4 10))
           (define-fun B ((x!0 (_ BitVec 2))) Bool true)
           (define-fun g ((x!0 Int)) Int 6))",
        "ttttt",
    );
    check(
        script,
        "((define-fun A () (Array Int Int) (store (store ((as const (Array Int Int)) 10) 3 3) 3 4)))",
        "ttfft",
    );
}

#[test]
fn other_forms() {
    let real = "(declare-const x Real)(assert (= (* x x) 2.0))(assert (> x 0.0))(check-sat)";
    check(real, "((define-fun x () Real (root-obj (+ (^ x 2) (- 2)) 2)))", "tt");
    check(
        real,
        "((define-fun x () Real (_ real_algebraic_number <1*x^2 + (-2), (5/4, 3/2)>)))",
        "tt",
    );
    check(real, "((define-fun x () Real (_ real_algebraic_number <sin(y), (5/4, 3/2)>)))", "??");
    check(
        r#"(declare-const s String)(declare-const x (_ FloatingPoint 5 11))(declare-const b (_ BitVec 8))
           (assert (= s "a\u{7f}""")) (assert (fp.isNaN x))(assert (= b #x0f))(check-sat)"#,
        r#"((define-fun s () String "a\u{7f}""")(define-fun x () (_ FloatingPoint 5 11) (_ NaN 5 11))
            (define-fun b () (_ BitVec 8) #b00001111))"#,
        "ttt",
    );
    check(
        "(declare-datatypes ((L 1)) ((par (X) ((nil) (cons (hd X) (tl (L X)))))))
         (declare-const l (L Int))(declare-const s (Set Int))
         (assert (= (hd l) 1))(assert (set.member 2 s))(assert (= (hd (tl l)) 0))(check-sat)",
        "((declare-datatypes ((L 1)) ((par (X) ((nil) (cons (hd X) (tl (L X)))))))
          (define-fun l () (L Int) ((as cons (L Int)) 1 (as nil (L Int))))
          (define-fun s () (Set Int) (set.union (set.singleton 2) (set.singleton 3))))",
        "tt?",
    );
}

#[test]
fn parametric_constructors_without_sorts() {
    let script = "(declare-datatypes ((L 1)) ((par (X) ((nil) (cons (hd X) (tl (L X)))))))
        (declare-datatypes ((Or 2)) ((par (X Y) ((Left (l X)) (Right (r Y))))))
        (declare-const a (L Int))(declare-const o (Or Int Bool))
        (assert (= (hd a) 1))(assert ((_ is Left) o))(assert (= (l o) 2))(check-sat)";
    let model = "((define-fun a () (L Int) (cons 1 nil))(define-fun o () (Or Int Bool) (Left 2)))";
    check(script, model, "ttt");
    let model =
        "((define-fun a () (L Int) (cons 1 (as nil L)))(define-fun o () (Or Int Bool) (Left 3)))";
    check(script, model, "ttf");
}

#[test]
fn old_escapes() {
    let mut s = parse(b"(declare-const s String)(assert (= s \"A\\u{5c}\"))(check-sat)").unwrap();
    let options = ModelOptions { old_escapes: true, ..ModelOptions::default() };
    let m = parse_model(&mut s, br#"((define-fun s () String "\x41\\"))"#, &options).unwrap();
    let t = s.queries()[0].assertions[0];
    assert_eq!(smelt_eval::eval(&s.arena, &m, t), Ok(Value::TRUE));
}

#[test]
fn completion_is_recorded() {
    let (s, m) =
        read("(declare-const x Int)(declare-const y Int)(check-sat)", "((define-fun y () Int 1))");
    let m = m.unwrap();
    let names: Vec<&str> =
        m.completed().iter().map(|&f| s.arena.name(s.arena.fun(f).name)).collect();
    assert_eq!(names, ["x"]);
}

#[test]
fn bad_models() {
    let script = "(declare-const x Int)(declare-fun f (Int) Bool)(assert (> x 0))(check-sat)";
    refused(script, "", "1:1: the model is empty");
    refused(script, "unsat", "1:1: unexpected `unsat`");
    refused(
        script,
        "(error \"line 3: no model\")",
        "1:1: the solver printed an error instead of a model",
    );
    refused(script, "(define-fun x () Int", "1:20: the model ends in the middle");
    refused(script, "((define-fun x () Int 5)", "1:24: the model ends in the middle");
    refused(script, "((define-fun x () Int))", "1:22: unexpected `)`");
    refused(script, "((define-fun x () Int 5)) 7", "1:27: unexpected text after the model");
    refused(script, "((define-fun z () Int 5))", "1:14: `z` is not a symbol of the script");
    refused(
        script,
        "((define-fun x () Bool true))",
        "1:14: the model gives `x` the sort Bool, but it is declared Int",
    );
    refused(
        script,
        "((define-fun f ((a Real)) Bool true))",
        "1:14: the model gives `f` the sort (Real) Bool, but it is declared (Int) Bool",
    );
    refused(
        script,
        "((define-fun x () Int true))",
        "1:2: the body has sort Bool, but Int is declared",
    );
    refused(
        script,
        "((define-fun x () Int (_ bv5 0)))",
        "1:23: a bit-vector needs a width of at least 1",
    );
    refused(script, "((assert true))", "1:3: unknown symbol `assert`");
    refused(
        script,
        "((define-fun x () Int 5) (assert true))",
        "1:27: unexpected `assert` in a model",
    );
}

/// A list of elements that is not complete decides nothing about all elements.
#[test]
fn incomplete_lists() {
    let script =
        "(declare-sort T 0)(declare-const a T)(declare-const b T)(assert (forall ((x T)) (= x a)))
        (assert (exists ((x T)) (distinct x a b)))(check-sat)";
    let list = "\n; cardinality of T is 1\n; rep: (as @T_0 T)\n";
    check(
        script,
        &format!("({list}(define-fun a () T (as @T_0 T))(define-fun b () T (as @T_0 T)))"),
        "tf",
    );
    check(
        script,
        &format!("({list}(define-fun a () T (as @T_0 T))(define-fun b () T (as @T_7 T)))"),
        "f?",
    );
    // One list that is wrong makes the others worth nothing.
    let script = "(declare-sort I 0)(declare-sort E 0)(declare-const i I)(declare-const e E)(declare-const f E)
        (declare-const a (Array I E))(assert (distinct a (store a i e)))(assert (= e f))(check-sat)";
    let model = "(
; cardinality of I is 1
; rep: (as @I_0 I)
; cardinality of E is 1
; rep: (as @E_0 E)
(define-fun i () I (as @I_0 I))(define-fun e () E (as @E_0 E))(define-fun f () E (as @E_0 E))
(define-fun a () (Array I E) (store ((as const (Array I E)) (as @E_0 E)) (as @I_0 I) (as @E_0 E))))";
    check(script, model, "ft");
    check(script, &model.replace("f () E (as @E_0", "f () E (as @E_5"), "ff");
    let other = "(distinct ((as const (Array I E)) e) (store ((as const (Array I E)) f) i e))";
    let script = script.replace("(= e f)", other);
    check(&script, &model.replace("f () E (as @E_0", "f () E (as @E_5"), "f?");
    check(
        &script,
        &model
            .replace("f () E (as @E_0", "f () E (as @E_5")
            .replace("is 1\n; rep: (as @E_0 E)", "is 2\n; rep: (as @E_0 E)\n; rep: (as @E_5 E)"),
        "ff",
    );
}

/// cvc4 uses elements that no comment lists.
#[test]
fn elements_without_a_declaration() {
    let script = "(declare-sort U 0)(declare-const a U)(declare-fun f (U) U)(assert (distinct (f a) a))(check-sat)";
    let model = "(model\n(declare-sort U 0)\n(define-fun a () U @uc_U_0)
        (define-fun f ((x U)) U (ite (= @uc_U_0 x) @uc_U_1 @uc_U_0)))";
    check(script, model, "t");
    let listed = model.replacen(
        "U 0)\n",
        "U 0)\n; cardinality of U is 2\n; rep: @uc_U_0\n; rep: @uc_U_1\n",
        1,
    );
    check(script, &listed, "t");
}

/// The elements of a free sort that the model names may be all that there are.
#[test]
fn arrays_over_free_sorts() {
    let script = "(declare-sort T 0)(declare-const a T)(declare-const b T)
        (declare-const A (Array T Int))(declare-const B (Array T Int))
        (assert (= A B))(assert (= (store ((as const (Array T Int)) 1) a 2) ((as const (Array T Int)) 2)))
        (assert (= (store B a 3) B))(assert (= ((as const (Array T Int)) 1) ((as const (Array T Int)) 2)))
        (assert (distinct A B))(check-sat)";
    let one = "((define-fun a () T T!val!0)(define-fun b () T T!val!0)
        (define-fun A () (Array T Int) (store ((as const (Array T Int)) 1) T!val!0 2))
        (define-fun B () (Array T Int) ((as const (Array T Int)) 2)))";
    check(script, one, "??ff?");
    // A second element is not listed by either: the defaults differ there.
    let two = one.replace("b () T T!val!0", "b () T T!val!1");
    check(script, &two, "fffft");
    let all = one.replacen('(', "(\n; cardinality of T is 1\n; rep: (as @T_0 T)\n", 1);
    let all = all.replace("T!val!0", "(as @T_0 T)");
    check(script, &all, "ttfff");
}

#[test]
fn functions_known_at_points() {
    let script = "(declare-fun f (Int) Int)(declare-const x Int)
        (assert (= (f x) 1))(assert (= (f (+ x 1)) 2))(check-sat)";
    let (s, m) = read(script, "((x 0) ((f 0) 1))");
    let m = m.unwrap();
    let names: Vec<&str> =
        m.completed().iter().map(|&f| s.arena.name(s.arena.fun(f).name)).collect();
    assert_eq!(names, ["f"]);
    let unsure = |t| m.default_used(&s.arena, t).is_some();
    assert!(s.queries()[0].assertions.iter().copied().all(unsure));
    // A symbol of the model's own bodies counts, too.
    let script =
        "(declare-fun f (Int) Int)(declare-fun g (Int) Int)(assert (= (f 1) 1))(check-sat)";
    let (s, m) = read(script, "((define-fun f ((x Int)) Int (g x)))");
    assert!(m.unwrap().default_used(&s.arena, s.queries()[0].assertions[0]).is_some());
}

#[test]
fn scopes() {
    let script = "(push 1)(declare-const x Int)(assert (> x 5))(check-sat)(pop 1)
        (push 1)(declare-const x Bool)(declare-sort T 0)(declare-const t T)(assert x)(check-sat)(pop 1)
        (push 1)(declare-const x Int)(assert (< x 5))(check-sat)(pop 1)";
    let mut s = parse(script.as_bytes()).unwrap();
    let queries = s.queries();
    let models = [
        "((define-fun x () Int 6))",
        "((define-fun t () T (as @a T))(define-fun x () Bool true))",
        "((define-fun x () Int 6))",
    ];
    for (q, (text, expect)) in queries.iter().zip(models.iter().zip([true, true, false])) {
        let m = smelt_eval::parse_model_at(&mut s, q.command, text.as_bytes(), &Default::default());
        let m = m.unwrap_or_else(|e| panic!("{text}: {e}"));
        assert!(m.completed().is_empty(), "{text}");
        assert_eq!(
            smelt_eval::eval(&s.arena, &m, q.assertions[0]),
            Ok(Value::Bool(expect)),
            "{text}"
        );
    }
    assert_eq!(s.queries(), queries);
}

/// What z3 prints for the symbol `||` is nothing at all.
#[test]
fn the_symbol_without_characters() {
    let script = "(declare-const || Int)(declare-const s String)(declare-fun f (Int) Int)
        (assert (= || 5))(assert (= s \"(define-fun  () Int 7)\"))(assert (= (f ||) 1))(check-sat)";
    let model = "(
      (define-fun s () String
        \"(define-fun  () Int 7)\")
      (define-fun  () Int
        5)
      (define-fun f ((x!0 Int)) Int 1)
    )";
    check(script, model, "ttt");
    refused(script, "((define-fun () Int 5))", "1:14: unexpected `(`");
}

/// What solvers say about functions of their own may be beyond us; it must not cost the rest of the model.
#[test]
fn helpers_that_cannot_be_read() {
    let script = "(declare-const s String)(declare-const i Int)(declare-fun g (Int) Int)(assert (= (str.len s) 2))
        (assert (= (g 0) 4))(assert (> i 3))(check-sat)";
    let model = "(
      (define-fun i () Int 4)
      (define-fun seq.nth_u ((x!0 String) (x!1 Int)) Unicode
        (_ Char 98))
      (define-fun k!7 ((x!0 Int)) Int (strange.operator x!0))
      (define-fun s () String \"aA\")
      (define-fun g ((x!0 Int)) Int 4))";
    check(script, model, "ttt");
    // A symbol of the script that depends on one is left open.
    let model = model.replace("Int 4))", "Int (k!7 x!0)))");
    let (s, m) = read(script, &model);
    let m = m.unwrap();
    let names: Vec<&str> =
        m.completed().iter().map(|&f| s.arena.name(s.arena.fun(f).name)).collect();
    assert_eq!(names, ["g"]);
    // What is wrong with the script's own symbols is told.
    refused(script, "((define-fun i () Int j))", "1:23: unknown symbol `j`");
}

#[test]
fn strings_of_one_character() {
    let script = "(declare-fun f (String) Int)(declare-const y String)(assert (= (f y) 2))(assert (= (f \"b\") 1))
        (check-sat)";
    let model = "((define-fun y () String \"a\")(define-fun f ((x!0 String)) Int
        (ite (= x!0 (seq.unit (_ Char 97))) 2 1)))";
    check(script, model, "tt");
}

/// z3 repeats definitions of the script in its own words, which may be ambiguous here.
#[test]
fn definitions_of_the_script() {
    let script = "(declare-datatypes ((List 0)) (((cons (head Int) (tail List)) (nil))))
        (define-fun t () List (cons 0 (as nil List)))(define-fun t2 () Int (head t))
        (declare-datatypes ((ParList 1)) ((par (T) ((cons (parHead T) (parTail (ParList T))) (nil)))))
        (declare-fun a () (ParList Int))(define-fun aHead () Int (parHead a))(assert (< aHead 50))(check-sat)";
    let model = "((define-fun t2 () Int (head (cons 0 (as nil List))))(define-fun t () List (cons 0 (as nil List)))
        (define-fun a () (ParList Int) (cons 49 (as nil (ParList Int))))(define-fun aHead () Int (parHead a)))";
    check(script, model, "t");
}

#[test]
fn distinct_functions() {
    let script = "(declare-const a (Array Bool Int))(declare-const b (Array Bool Int))(declare-const c (Array Bool Int))
        (assert (distinct a b c))(assert (distinct a b a))(check-sat)";
    let model = "((define-fun a () (Array Bool Int) (lambda ((x Bool)) (ite x 1 2)))
        (define-fun b () (Array Bool Int) (lambda ((x Bool)) (ite x 2 2)))
        (define-fun c () (Array Bool Int) (lambda ((x Bool)) (ite x 1 3))))";
    check(script, model, "tf");
}
