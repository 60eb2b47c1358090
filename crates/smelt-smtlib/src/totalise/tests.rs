use super::*;
use crate::op::Dialect;
use crate::{PrintOptions, alpha_equal, parse, print};

const HEAD: &str = "\
    (declare-datatype P ((pair (first Int) (second Int))))\
    (declare-datatypes ((L 1)) ((par (X) ((nil) (cons (head X) (tail (L X)))))))\
    (declare-const x Int)(declare-const y Int)(declare-const r Real)(declare-const s Real)\
    (declare-const p P)(declare-const l (L Int))(declare-const k (L Real))(declare-const m RoundingMode)\
    (declare-const f (_ FloatingPoint 3 4))(declare-const g (_ FloatingPoint 3 4))\
    (declare-const h (_ FloatingPoint 2 3))(declare-const q (Seq Int))(declare-const n (Nullable Int))\
    (declare-const u (Set Int))(declare-const b (Bag Int))(declare-const a (Array Int Int))\
    (declare-const c (Array Int Int))";

fn read(text: &str) -> Script {
    parse(text.as_bytes()).unwrap_or_else(|e| panic!("{}", e.render(text.as_bytes(), "test")))
}

/// The totalised script as text. It reads back as the same script.
fn text(t: &Totalised) -> String {
    let text = print(&t.script, &PrintOptions::default());
    alpha_equal(&t.script, &read(&text)).unwrap_or_else(|e| panic!("{e}:\n{text}"));
    text
}

/// An assertion, totalised. The declarations are left out.
fn check(assertion: &str, expect: &str) {
    let t = totalise(&read(&format!("{HEAD}(assert {assertion})"))).unwrap();
    let text = text(&t);
    let line = text.lines().find(|l| l.starts_with("(assert ")).unwrap();
    assert_eq!(line, format!("(assert {expect})"), "{assertion}");
}

fn unchanged(assertion: &str) {
    check(assertion, assertion);
}

#[test]
fn every_partial_operator_has_a_guard() {
    let cases = [
        (Op::IntDiv, "(= x (div x y))", "(= x (ite (= y 0) (open.div x) (div x y)))"),
        (Op::Mod, "(= x (mod x y))", "(= x (ite (= y 0) (open.mod x) (mod x y)))"),
        (Op::Rem, "(= x (rem x y))", "(= x (ite (= y 0) (open.rem x) (rem x y)))"),
        (Op::Div, "(= r (/ r s))", "(= r (ite (= s 0.0) (open.divide r) (/ r s)))"),
        (
            Op::Pow,
            "(= x (^ x y))",
            "(= x (ite (or (< y 0) (and (= x 0) (= y 0))) (open.power x y) (^ x y)))",
        ),
        (
            Op::Pow,
            "(= r (^ r s))",
            "(= r (ite (or (not (is_int s)) (and (= r 0.0) (<= s 0.0))) (open.power r s) (^ r s)))",
        ),
        (Op::Tan, "(= r (tan r))", "(= r (ite (= (cos r) 0.0) (open.tan r) (tan r)))"),
        (Op::Sec, "(= r (sec r))", "(= r (ite (= (cos r) 0.0) (open.sec r) (sec r)))"),
        (Op::Csc, "(= r (csc r))", "(= r (ite (= (sin r) 0.0) (open.csc r) (csc r)))"),
        (Op::Cot, "(= r (cot r))", "(= r (ite (= (sin r) 0.0) (open.cot r) (cot r)))"),
        (
            Op::Asin,
            "(= r (arcsin r))",
            "(= r (ite (or (< r (- 1.0)) (> r 1.0)) (open.arcsin r) (arcsin r)))",
        ),
        (
            Op::Acos,
            "(= r (arccos r))",
            "(= r (ite (or (< r (- 1.0)) (> r 1.0)) (open.arccos r) (arccos r)))",
        ),
        (Op::Acsc, "(= r (arccsc r))", "(= r (ite (< r 1.0) (open.arccsc r) (arccsc r)))"),
        (Op::Asec, "(= r (arcsec r))", "(= r (ite (< r 1.0) (open.arcsec r) (arcsec r)))"),
        (Op::Acot, "(= r (arccot r))", "(= r (ite (<= r 0.0) (open.arccot r) (arccot r)))"),
        (Op::Sqrt, "(= r (sqrt r))", "(= r (ite (< r 0.0) (open.sqrt r) (sqrt r)))"),
        (
            Op::FpMin,
            "(= f (fp.min f g))",
            "(= f (ite (and (fp.isZero f) (fp.isZero g) (distinct f g)) \
             (ite (open.fp.min f g) (_ +zero 3 4) (_ -zero 3 4)) (fp.min f g)))",
        ),
        (
            Op::FpMax,
            "(= f (fp.max f g))",
            "(= f (ite (and (fp.isZero f) (fp.isZero g) (distinct f g)) \
             (ite (open.fp.max f g) (_ +zero 3 4) (_ -zero 3 4)) (fp.max f g)))",
        ),
        (
            Op::FpToUbv,
            "(= #b01 ((_ fp.to_ubv 2) m f))",
            "(= #b01 (ite (or (fp.isNaN f) (fp.isInfinite f) \
             (fp.lt (fp.roundToIntegral m f) (_ +zero 3 4)) \
             (fp.geq (fp.roundToIntegral m f) (fp #b0 #b101 #b000))) \
             (open.fp.to_ubv.2 m f) ((_ fp.to_ubv 2) m f)))",
        ),
        // The largest number is below 2^4: nothing finite is too large.
        (
            Op::FpToUbv,
            "(= #x1 ((_ fp.to_ubv 4) m f))",
            "(= #x1 (ite (or (fp.isNaN f) (fp.isInfinite f) \
             (fp.lt (fp.roundToIntegral m f) (_ +zero 3 4))) \
             (open.fp.to_ubv.4 m f) ((_ fp.to_ubv 4) m f)))",
        ),
        // 3.5 is rounded to 4, which needs an exponent that the format does not have.
        (
            Op::FpToUbv,
            "(= #b01 ((_ fp.to_ubv 2) m h))",
            "(= #b01 (ite (or (fp.isNaN h) (fp.isInfinite h) \
             (fp.lt (fp.roundToIntegral m ((_ to_fp 3 3) RNE h)) (_ +zero 3 3)) \
             (fp.geq (fp.roundToIntegral m ((_ to_fp 3 3) RNE h)) (fp #b0 #b101 #b00))) \
             (open.fp.to_ubv.2 m h) ((_ fp.to_ubv 2) m h)))",
        ),
        (
            Op::FpToSbv,
            "(= #b01 ((_ fp.to_sbv 2) m f))",
            "(= #b01 (ite (or (fp.isNaN f) (fp.isInfinite f) \
             (fp.lt (fp.roundToIntegral m f) (fp #b1 #b100 #b000)) \
             (fp.geq (fp.roundToIntegral m f) (fp #b0 #b100 #b000))) \
             (open.fp.to_sbv.2 m f) ((_ fp.to_sbv 2) m f)))",
        ),
        (
            Op::FpToReal,
            "(= r (fp.to_real f))",
            "(= r (ite (or (fp.isNaN f) (fp.isInfinite f)) (open.fp.to_real f) (fp.to_real f)))",
        ),
        (
            Op::FpToIeeeBv,
            "(= #b0000000 (fp.to_ieee_bv f))",
            "(= #b0000000 (ite (and (fp.isNaN f) (fp.isNaN ((_ to_fp 3 4) (open.fp.to_ieee_bv f)))) \
             (open.fp.to_ieee_bv f) (fp.to_ieee_bv f)))",
        ),
        (
            Op::SeqNth,
            "(= x (seq.nth q y))",
            "(= x (ite (or (< y 0) (>= y (seq.len q))) (open.seq.nth q y) (seq.nth q y)))",
        ),
        (
            Op::SetChoose,
            "(= x (set.choose u))",
            "(= x (ite (or (= u (as set.empty (Set Int))) (set.member (open.set.choose u) u)) \
             (open.set.choose u) (set.choose u)))",
        ),
        (
            Op::BagChoose,
            "(= x (bag.choose b))",
            "(= x (ite (or (= b (as bag.empty (Bag Int))) (bag.member (open.bag.choose b) b)) \
             (open.bag.choose b) (bag.choose b)))",
        ),
        (
            Op::ArrayExt,
            "(= x (array-ext a c))",
            "(= x (ite (or (= a c) (distinct (select a (open.array_ext a c)) (select c (open.array_ext a c)))) \
             (open.array_ext a c) (array-ext a c)))",
        ),
        (
            Op::NullableVal,
            "(= x (nullable.val n))",
            "(= x (ite (nullable.is_null n) (open.nullable.val n) (nullable.val n)))",
        ),
    ];
    for (op, assertion, expect) in cases {
        check(assertion, expect);
        let t = totalise(&read(&format!("{HEAD}(assert {assertion})"))).unwrap();
        let [open] = &*t.open else { panic!("{assertion}") };
        assert!(matches!(open.of, Partial::Op(o, _) if o == op), "{assertion}");
        assert_eq!(open.standard, op.info().dialect == Dialect::Standard, "{assertion}");
    }
    for op in Op::all().filter(|o| o.info().partial) {
        assert!(op.info().partiality.is_some(), "{op:?}");
        assert!(cases.iter().any(|c| c.0 == op), "{op:?} has no case here");
    }
}

#[test]
fn selectors_are_open_at_other_constructors() {
    check("(= x (head l))", "(= x (ite ((_ is cons) l) (head l) (open.head l)))");
    check(
        "(= x (head (tail l)))",
        "(= x (ite ((_ is cons) (ite ((_ is cons) l) (tail l) (open.tail l))) (head (ite ((_ is cons) l) (tail l) (open.tail l))) (open.head (ite ((_ is cons) l) (tail l) (open.tail l)))))",
    );
    check("(= x (head (as nil (L Int))))", "(= x (open.head (as nil (L Int))))");
    unchanged("(= x (head (cons 1 l)))");
    unchanged("(= x (first p))");
}

#[test]
fn what_is_never_open_stays() {
    unchanged("(= x (div x 3))");
    unchanged("(= x (div x (- 3) 2))");
    unchanged("(= r (/ r 2.5 (- (/ 1.0 3.0))))");
    unchanged("(= x (^ x 2))");
    unchanged("(= f (fp.min f f))");
    unchanged("(= x (div_total x y))");
    // Division of bit-vectors by zero has a value since SMT-LIB 2.6.
    unchanged("(= #b01 (bvudiv #b01 #b00))");
    check("(= x (div x 0))", "(= x (open.div x))");
    check("(= r (/ r (/ 0.0 2.0)))", "(= r (open.divide r))");
}

#[test]
fn what_is_guarded_already_stays() {
    unchanged("(= x (ite (= y 0) 7 (div x y)))");
    unchanged("(= x (ite ((_ is cons) l) (head l) 0))");
    // The guard must be the same, and on the right side.
    check("(= x (ite (= y 0) (div x y) 7))", "(= x (ite (= y 0) (open.div x) 7))");
    check(
        "(= x (ite (= x 0) 7 (div x y)))",
        "(= x (ite (= x 0) 7 (ite (= y 0) (open.div x) (div x y))))",
    );
    // An application may be guarded in one place and not in another.
    check(
        "(= (div x y) (ite (= y 0) 7 (div x y)))",
        "(= (ite (= y 0) (open.div x) (div x y)) (ite (= y 0) 7 (div x y)))",
    );
}

#[test]
fn a_totalised_script_leaves_nothing_open() {
    let t = totalise(&read(&format!(
        "{HEAD}(assert (= x (div 1 x y) (head (tail l)) (seq.nth q (mod x y))))(assert (= r (/ r (fp.to_real (fp.min f g)))))\
         (assert (= #b01 ((_ fp.to_sbv 2) m (fp.max f g)) ((_ fp.to_ubv 2) m h)))"
    )))
    .unwrap();
    assert_eq!(t.open.len(), 11);
    let again = totalise(&read(&text(&t))).unwrap();
    assert_eq!(again.open.len(), 0);
    assert_eq!(text(&again), text(&t));
}

#[test]
fn several_divisors_one_after_the_other() {
    check("(= r (/ r s 2.0))", "(= r (/ (ite (= s 0.0) (open.divide r) (/ r s)) 2.0))");
    check(
        "(= x (div 1 x y))",
        "(= x (ite (= y 0) (open.div (ite (= x 0) (open.div 1) (div 1 x))) (div (ite (= x 0) (open.div 1) (div 1 x)) y)))",
    );
}

#[test]
fn binders_and_patterns() {
    check(
        "(forall ((z Int)) (! (= z (mod x z)) :pattern ((mod x z))))",
        "(forall ((z Int)) (! (= z (ite (= z 0) (open.mod x) (mod x z))) :pattern ((mod x z))))",
    );
    // A pattern alone needs nothing.
    unchanged("(forall ((z Int)) (! (= z x) :pattern ((mod x z))))");
    check(
        "(match l ((nil true) ((cons z w) (= z (head w)))))",
        "(match l ((nil true) ((cons z w) (= z (ite ((_ is cons) w) (head w) (open.head w))))))",
    );
}

/// A whole script, totalised, without line breaks.
fn whole(script: &str, expect: &str) {
    let t = totalise(&read(script)).unwrap();
    assert_eq!(text(&t).replace('\n', ""), expect);
}

#[test]
fn one_function_for_each_operator_index_and_sort() {
    let names = |assertion: &str| -> Vec<String> {
        let t = totalise(&read(&format!("{HEAD}(assert {assertion})"))).unwrap();
        t.open
            .iter()
            .map(|o| t.script.arena.name(t.script.arena.fun(o.fun).name).to_owned())
            .collect()
    };
    assert_eq!(names("(= (div x y) (div y x) (mod x y))"), ["open.div", "open.mod"]);
    assert_eq!(names("(= (head l) (to_int (head k)))"), ["open.head", "open.head!1"]);
    assert_eq!(
        names(
            "(= ((_ fp.to_ubv 2) m f) ((_ fp.to_ubv 2) RNE g) ((_ fp.to_ubv 2) m h) ((_ extract 1 0) ((_ fp.to_ubv 3) m f)))"
        ),
        ["open.fp.to_ubv.2", "open.fp.to_ubv.2!1", "open.fp.to_ubv.3"]
    );
}

#[test]
fn definitions_names_and_all_commands() {
    whole(
        "(set-logic QF_NIA)(declare-const x Int)(define-fun d ((y Int)) Int (div 7 y))(assert (! (= x (div x x)) :named n))\
         (check-sat)(check-sat-assuming ((and n (= (d x) (mod x x)))))(get-value ((div 1 x)))",
        "(set-logic QF_UFNIA)(declare-fun open.div (Int) Int)(declare-fun open.mod (Int) Int)(declare-fun x () Int)\
         (define-fun d ((y Int)) Int (ite (= y 0) (open.div 7) (div 7 y)))\
         (assert (! (= x (ite (= x 0) (open.div x) (div x x))) :named n))(check-sat)\
         (check-sat-assuming ((and n (= (d x) (ite (= x 0) (open.mod x) (mod x x))))))\
         (get-value ((ite (= x 0) (open.div 1) (div 1 x))))",
    );
    // What a name means is the totalised term.
    let t = totalise(&read("(declare-const x Int)(assert (! (= x (div x x)) :named n))")).unwrap();
    let a = &t.script.arena;
    let named = (0..a.fun_count()).filter_map(|i| a.fun_at(i)).map(|f| a.fun(f));
    let (_, body) = named.filter(|d| d.kind == FunKind::Named).find_map(|d| d.def).unwrap();
    assert_eq!(crate::print_term(a, body), "(= x (ite (= x 0) (open.div x) (div x x)))");
}

#[test]
fn functions_are_declared_where_their_sorts_are() {
    // Built-in sorts: before the first push.
    whole(
        "(set-option :a b)(declare-const x Int)(push 1)(assert (= x (div 1 x)))(check-sat)(pop 1)(assert (= 2 (div 2 x)))(check-sat)",
        "(set-option :a b)(declare-fun open.div (Int) Int)(declare-fun x () Int)(push 1)\
         (assert (= x (ite (= x 0) (open.div 1) (div 1 x))))(check-sat)(pop 1)\
         (assert (= 2 (ite (= x 0) (open.div 2) (div 2 x))))(check-sat)",
    );
    // A sort that is local to a scope, and one of the same name in the next.
    whole(
        "(push 1)(declare-datatype D ((a) (b (v Int))))(declare-const d D)(assert (= 1 (v d)))(check-sat)(pop 1)\
         (push 1)(declare-datatype D ((a) (b (v Int))))(declare-const d D)(assert (= 2 (v d)))(check-sat)(pop 1)",
        "(push 1)(declare-datatypes ((D 0)) (((a) (b (v Int)))))(declare-fun open.v (D) Int)(declare-fun d () D)\
         (assert (= 1 (ite ((_ is b) d) (v d) (open.v d))))(check-sat)(pop 1)\
         (push 1)(declare-datatypes ((D 0)) (((a) (b (v Int)))))(declare-fun open.v!1 (D) Int)(declare-fun d () D)\
         (assert (= 2 (ite ((_ is b) d) (v d) (open.v!1 d))))(check-sat)(pop 1)",
    );
    // A parametric sort at a local argument: behind the last of both.
    whole(
        "(declare-datatypes ((L 1)) ((par (X) ((nil) (cons (head X) (tail (L X)))))))(push 1)(declare-sort U 0)\
         (declare-const l (L U))(declare-const u U)(assert (= u (head l)))(check-sat)(pop 1)",
        "(declare-datatypes ((L 1)) ((par (X) ((nil) (cons (head X) (tail (L X)))))))(push 1)(declare-sort U 0)\
         (declare-fun open.head ((L U)) U)(declare-fun l () (L U))(declare-fun u () U)\
         (assert (= u (ite ((_ is cons) l) (head l) (open.head l))))(check-sat)(pop 1)",
    );
    // Declarations outlive their scopes.
    whole(
        "(set-option :global-declarations true)(push 1)(declare-datatype D ((a) (b (v Int))))(declare-const d D)(pop 1)\
         (assert (= 1 (v d)))(check-sat)",
        "(set-option :global-declarations true)(push 1)(declare-datatypes ((D 0)) (((a) (b (v Int)))))\
         (declare-fun open.v (D) Int)(declare-fun d () D)(pop 1)(assert (= 1 (ite ((_ is b) d) (v d) (open.v d))))(check-sat)",
    );
    // A reset takes everything away.
    whole(
        "(declare-const x Int)(assert (= x (div 1 x)))(check-sat)(reset)(set-logic ALL)(declare-const x Int)\
         (assert (= 2 (div 1 x)))(check-sat)",
        "(declare-fun open.div (Int) Int)(declare-fun x () Int)(assert (= x (ite (= x 0) (open.div 1) (div 1 x))))(check-sat)\
         (reset)(set-logic ALL)(declare-fun open.div (Int) Int)(declare-fun x () Int)\
         (assert (= 2 (ite (= x 0) (open.div 1) (div 1 x))))(check-sat)",
    );
    // Needed behind `reset-assertions` only.
    whole(
        "(declare-const x Int)(check-sat)(reset-assertions)(declare-const x Int)(assert (= x (div 1 x)))(check-sat)",
        "(declare-fun x () Int)(check-sat)(reset-assertions)(declare-fun open.div (Int) Int)(declare-fun x () Int)\
         (assert (= x (ite (= x 0) (open.div 1) (div 1 x))))(check-sat)",
    );
    whole(
        "(set-option :global-declarations true)(declare-const x Int)(assert (= x (div 1 x)))(check-sat)(reset-assertions)\
         (assert (= 2 (div 1 x)))(check-sat)",
        "(set-option :global-declarations true)(declare-fun open.div (Int) Int)(declare-fun x () Int)\
         (assert (= x (ite (= x 0) (open.div 1) (div 1 x))))(check-sat)(reset-assertions)\
         (assert (= 2 (ite (= x 0) (open.div 1) (div 1 x))))(check-sat)",
    );
}

#[test]
fn names_of_the_script_are_kept_apart() {
    // The script has a function that is called like the fresh one, and one that is called like an operator of a guard.
    whole(
        "(declare-fun open.csc (Int) Int)(declare-fun sin (Int) Int)(declare-const r Real)(assert (= (open.csc 1) (sin 1) (to_int (csc r))))",
        "(declare-fun open.csc!1 (Real) Real)(declare-fun open.csc (Int) Int)(declare-fun sin!1 (Int) Int)(declare-fun r () Real)\
         (assert (= (open.csc 1) (sin!1 1) (to_int (ite (= (sin r) 0.0) (open.csc!1 r) (csc r)))))",
    );
}

#[test]
fn logics_get_free_functions() {
    let cases = [
        ("QF_NRA", "(declare-const x Real)(assert (= x (/ 1.0 x)))", "QF_UFNRA"),
        ("QF_LIA", "(declare-const x Int)(assert (< (+ x 1) (div x 0)))", "QF_UFLIA"),
        ("QF_LIA", "(declare-const x Int)(assert (= x (div x 2)))", "QF_LIA"),
        (
            "QF_DT",
            "(declare-datatype D ((a) (b (v D))))(declare-const d D)(assert (= d (v d)))",
            "QF_UFDT",
        ),
        ("QF_FP", "(declare-const f Float32)(assert (= f (fp.min f (fp.neg f))))", "QF_UFFP"),
        ("ALL", "(declare-const x Int)(assert (= x (div x x)))", "ALL"),
        ("NIA", "(assert (forall ((x Int)) (= x (div x x))))", "UFNIA"),
    ];
    for (logic, script, expect) in cases {
        let t = totalise(&read(&format!("(set-logic {logic}){script}(check-sat)"))).unwrap();
        assert_eq!(t.script.logic(), Some(expect), "{script}");
    }
}

#[test]
fn sharing_does_not_blow_up() {
    // Spelled out, the last of these has 3^200 divisions.
    let depth = 200;
    let lets = (0..depth).map(|i| format!("(let ((z{} (div z{i} (+ z{i} y)))) ", i + 1));
    let script = format!(
        "(declare-const x Int)(declare-const y Int)(assert (let ((z0 x)) {}(= x z{depth}){})",
        lets.collect::<String>(),
        ")".repeat(depth + 1)
    );
    let t = totalise(&read(&script)).unwrap();
    assert_eq!(t.open.len(), 1);
    let out = text(&t);
    assert!(out.len() < 5 * script.len(), "{} bytes of {}", out.len(), script.len());
}

fn refused(script: &str, expect: Refusal) {
    let got = totalise(&read(&format!("{HEAD}{script}")));
    assert_eq!(got.err(), Some(expect), "{script}");
}

#[test]
fn refusals() {
    refused("(assert (= a ((_ map div) a c)))", Refusal::Value("div".into()));
    refused(
        "(declare-datatype D ((e) (v (w Int))))(declare-const d (Array Int D))(assert (= a ((_ map w) d)))",
        Refusal::Value("w".into()),
    );
    refused(
        "(declare-datatype D ((e) (v (w Int))))(declare-const d (Set D))(assert (= u (set.map w d)))",
        Refusal::Value("w".into()),
    );
    refused(
        "(define-fun-rec z ((i Int)) Int (ite (= i 0) 0 (z (div i x))))",
        Refusal::Recursive("z".into()),
    );
    refused(
        "(define-funs-rec ((z ((i Int)) Int) (t ((i Int)) Int)) ((t i) (z (div i x))))",
        Refusal::Recursive("t".into()),
    );
    // A recursive definition that calls one with a guard.
    refused(
        "(define-fun d ((i Int)) Int (div i x))(define-fun e ((i Int)) Int (d i))(define-fun-rec z ((i Int)) Int (z (e i)))",
        Refusal::Recursive("z".into()),
    );
    refused("(assert (= x (choice ((z Int)) (> z 1))))", Refusal::Choice);
    refused(
        "(declare-datatype D ((e) (v (w (-> Int Int)))))(declare-const d D)(assert (= x ((w d) 1)))",
        Refusal::FunctionSort("w".into()),
    );
    refused("(simplify (div x y))", Refusal::Text("(simplify (div x y))".into()));
    refused(
        "(get-abduct A (= x (|head| l)))",
        Refusal::Text("(get-abduct A (= x (|head| l)))".into()),
    );
    refused(
        "(assert (= x (div 1 x)))(check-sat)(reset-assertions)(assert (= 2 (div 1 x)))",
        Refusal::ResetAssertions,
    );
}

#[test]
fn not_refused() {
    let fine = [
        // Recursive definitions, operators as values, and texts that leave nothing open.
        "(define-fun-rec z ((i Int)) Int (ite (= i 0) 0 (z (div i 2))))(assert (= x (div 1 x) (z 1)))",
        "(assert (= a ((_ map (+ (Int Int) Int)) a c)))(assert (= x (div 1 x)))",
        "(assert (= x (div 1 x)))(check-sat)(echo \"div\")(get-model)(apply smt)(simplify (first p))",
        "(define-fun-rec z ((i Int)) Int (ite (= i 0) (z i) (div 7 i)))(assert (= x (div 1 x) (z 1)))",
        // A definition with a guard, done with arrays.
        "(define-fun d ((i Int)) Int (div i x))(assert (= a ((_ map d) a)))",
    ];
    for script in fine {
        let t =
            totalise(&read(&format!("{HEAD}{script}"))).unwrap_or_else(|e| panic!("{script}: {e}"));
        assert_eq!(
            t.open.len(),
            usize::from(script.contains("(div 1 x)") || script.contains("(div i x)"))
        );
        text(&t);
    }
}
