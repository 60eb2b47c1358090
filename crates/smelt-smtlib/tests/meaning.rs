//! Printing and working on terms must not change what a script means.

use smelt_smtlib::subst::Substitution;
use smelt_smtlib::{
    Arena, Command, Head, LogicChoice, Naming, PrintOptions, Script, Term, alpha_equal,
    alpha_equal_terms, parse, print, print_term, smallest_logic,
};

/// Prints a script, reads that again, and looks for a line in it. Terms of some size have lets here, too.
fn check(source: &str, line: &str) {
    check_in(Naming::Standard, source, line);
}

/// Prints a script in the words of a dialect, reads that again, and looks for a line in it.
fn check_in(naming: Naming, source: &str, line: &str) {
    let script = parse(source.as_bytes()).unwrap();
    let text = print(&script, &PrintOptions { naming, spelled: 48, ..Default::default() });
    let again = parse(text.as_bytes()).unwrap_or_else(|e| panic!("{e}\n{text}"));
    alpha_equal(&script, &again).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert!(text.lines().any(|l| l == line), "no line `{line}` in\n{text}");
}

#[test]
fn names_are_given_where_they_are_in_scope() {
    let d = "(declare-const x Int)";
    let (first, second) = ("(assert (! (> x 0) :named a))", "(assert (! (< x 0) :named a))");
    for between in ["(push 1)F(pop 1)S", "F(reset)DS", "F(reset-assertions)S"] {
        let s = between.replace('F', first).replace('S', second).replace('D', d);
        check(&format!("{d}{s}"), second);
    }
    check(&format!("{d}(push 2){first}(push 1)(pop 1)(assert a)(pop 2)"), "(assert a)");
}

#[test]
fn no_let_stands_around_a_name() {
    let big = "(and n (> (+ x 1 2 3 4) (* 2 x)) (> (+ x 1 2 3 4) (* 3 x)))";
    let d = "(declare-const x Int)";
    // cvc5 refuses a name that is given below a binder, `let` included: a term that gives names inside is spelled out.
    let inner = format!("(assert (and (! (> x 0) :named n) (or {big} (> x 5)) (not {big})))");
    check(&format!("{d}{inner}"), &inner);
    // The lets of an assertion with a name stand inside of the annotation.
    let big = big.replace('n', "(> x 0)").replace("a(> x 0)d", "and");
    check(
        &format!("{d}(assert (! (and (or {big} (> x 5)) (not {big})) :named m))"),
        &format!(
            "(assert (! (let ((_let_1 {big})) (and (or _let_1 (> x 5)) (not _let_1))) :named m))"
        ),
    );
    // One that would be too long has lets; they do not overtake the name.
    let mut long = format!("(+ x {})", "1 ".repeat(20).trim_end());
    for _ in 0..12 {
        long = format!("(+ {long} {long})");
    }
    let script = format!("{d}(assert (and (! (> x 0) :named n) n (> {long} 0)))");
    let text = print(&parse(script.as_bytes()).unwrap(), &Default::default());
    assert!(text.contains("(let ") && text.contains("(and (! (> x 0) :named n) n "), "{text}");
    parse(text.as_bytes()).unwrap();
    // Given once, under a binder and with several names too.
    check(
        "(declare-const p Bool)(assert (let ((q (! p :named a :named b))) (or q (exists ((x Int)) q))))",
        "(assert (or (! p :named a :named b) (exists ((x Int)) b)))",
    );
}

#[test]
fn text_that_is_kept_ends_with_a_token() {
    let d = "(declare-const p Bool)";
    check(&format!("{d}(assert-soft p :weight 2 ; c\n)"), "(assert-soft p :weight 2)");
    check(&format!("{d}(check-sat-using (then a b) ; c\n)"), "(check-sat-using (then a b))");
}

#[test]
fn annotations_keep_their_order() {
    let quantifier = "(assert (forall ((x Int)) (! (p x) :pattern ((p x) (p 1)) :qid a :no-pattern (p 2) \
                      :weight 3 :pattern ((p 3)))))";
    check(&format!("(declare-fun p (Int) Bool){quantifier}"), quantifier);
}

#[test]
fn arrows() {
    check("(declare-fun f ((=> Int Bool)) Bool)", "(declare-fun f ((-> Int Bool)) Bool)");
}

#[test]
fn currying_is_kept() {
    let curried = "(declare-fun f () (-> Int (-> Int Int)))";
    let flat = "(declare-fun f () (-> Int Int Int))";
    // Each is read and printed as it stands, but that `() (-> A B)` is the same as `(A) B`.
    for (declaration, printed, assertion) in [
        (curried, curried, "(assert (= ((f 1) 2) 3))"),
        (curried, curried, "(assert (= (f 1 2) 3))"),
        (curried, curried, "(assert (= (f 1) (lambda ((x Int)) x)))"),
        (curried, curried, "(assert (= f (lambda ((x Int)) (lambda ((y Int)) (+ x y)))))"),
        (curried, curried, "(assert (forall ((g (-> Int (-> Int Int)))) (= ((g 1) 2) ((f 1) 2))))"),
        (curried, curried, "(assert (forall ((g (-> Int Int Int))) (= (g 1 2) (f 1 2))))"),
        (curried, curried, "(assert (forall ((g (-> Int Int Int))) (= g f)))"),
        (flat, "(declare-fun f (Int Int) Int)", "(assert (= (f 1 2) 3))"),
        (flat, "(declare-fun f (Int Int) Int)", "(assert (= (f 1) (lambda ((x Int)) x)))"),
        (
            "(declare-fun f (Int) (-> Int Int))",
            "(declare-fun f (Int) (-> Int Int))",
            "(assert (= ((f 1) 2) ((lambda ((x Int)) x) 3)))",
        ),
        (
            "(declare-fun f (Int) (-> Int Int (-> Bool Int)))",
            "(declare-fun f (Int) (-> Int Int (-> Bool Int)))",
            "(assert (= (((f 1) 2 3) true) 4))",
        ),
        (
            "(declare-fun f ((-> (-> Int (-> Int Int)) Int)) Int)",
            "(declare-fun f ((-> (-> Int (-> Int Int)) Int)) Int)",
            "(assert (forall ((g (-> (-> Int Int Int) Int))) (= (f g) 4)))",
        ),
    ] {
        let source = format!("{declaration}{assertion}");
        check(&source, printed);
        check(&source, assertion);
        assert_eq!(smallest_logic(&parse(curried.as_bytes()).unwrap()), "HO_ALL");
    }
    let g = "(define-fun g ((x Int)) (-> Int Int) (lambda ((y Int)) (+ x y)))";
    check(&format!("{g}(assert (= (g 1 2) 3))"), "(assert (= (g 1 2) 3))");
    check(&format!("{g}(assert (= ((g 1) 2) 3))"), "(assert (= ((g 1) 2) 3))");
    // What is brought to another arena keeps it too.
    let script = parse(format!("{curried}(assert (= ((f 1) 2) 3))").as_bytes()).unwrap();
    let mut other = Script { arena: Arena::new(), commands: Vec::new() };
    let Command::Assert(t) = script.commands[1] else { panic!() };
    let mut importer = smelt_smtlib::import::Importer::new();
    let t = importer.term(&script.arena, &mut other.arena, t);
    other.commands = vec![Command::DeclareFun(importer.new_funs[0]), Command::Assert(t)];
    assert_eq!(print(&other, &Default::default()), print(&script, &Default::default()));
}

#[test]
fn overloads() {
    let d = "(declare-fun f (Int) Int)(declare-fun f (Real) Int)(declare-const x Int)";
    check(
        &format!("{d}(assert (= (f x) (f (to_real x)) (f 1.5)))"),
        "(assert (= (f x) (f (to_real x)) (f 1.5)))",
    );
    let d = "(declare-datatypes ((A 0) (B 0)) (((nil) (c (x Int))) ((nil) (d (y Int)))))\
             (declare-const a A)(declare-const b B)";
    check(&format!("{d}(assert (= a (as nil A)))"), "(assert (= a (as nil A)))");
    check(&format!("{d}(assert ((_ is nil) b))"), "(assert ((_ is nil) b))");
    check(
        &format!("{d}(assert (match b ((nil true) ((d z) (> z 0)))))"),
        "(assert (match b ((nil true) ((d z) (> z 0)))))",
    );
}

/// z3 wants to know which of several constructors and selectors an index is; others do not read that.
#[test]
fn signatures() {
    let d = "(declare-datatypes ((Pair 2)) ((par (X Y) ((pair (fst X) (snd Y))))))\
             (declare-datatypes ((List 1)) ((par (X) ((nil) (cons (head X) (tail (List X)))))))\
             (declare-datatypes ((A 0) (B 0)) (((a) (b (x Int))) ((a (y Int)) (c))))\
             (declare-const p (Pair Int (Pair (List Int) Bool)))(declare-const q A)(declare-const r B)";
    for (term, signed) in [
        (
            "((_ is pair) p)",
            "((_ is (pair (Int (Pair (List Int) Bool)) (Pair Int (Pair (List Int) Bool)))) p)",
        ),
        (
            "((_ is pair) (snd p))",
            "((_ is (pair ((List Int) Bool) (Pair (List Int) Bool))) (snd p))",
        ),
        ("((_ is nil) (fst (snd p)))", "((_ is (nil () (List Int))) (fst (snd p)))"),
        (
            "((_ is cons) (fst (snd p)))",
            "((_ is (cons (Int (List Int)) (List Int))) (fst (snd p)))",
        ),
        (
            "(= (snd p) ((_ update snd) (snd p) true))",
            "(= (snd p) ((_ update-field (snd ((Pair (List Int) Bool)) Bool)) (snd p) true))",
        ),
        ("((_ is a) q)", "((_ is (a () A)) q)"),
        ("((_ is a) r)", "((_ is (a (Int) B)) r)"),
        ("((_ is b) q)", "((_ is b) q)"),
    ] {
        let source = format!("{d}(assert {term})");
        check(&source, &format!("(assert {term})"));
        for naming in [Naming::Z3, Naming::Z3V26, Naming::Z3Old] {
            check_in(naming, &source, &format!("(assert {signed})"));
        }
    }
}

#[test]
fn symbols_and_numbers() {
    check("(declare-const |-5| Int)(assert (= |-5| 7))", "(assert (= |-5| 7))");
    check("(declare-const |-| Bool)(assert |-|)", "(assert -)");
    let zeros = "0".repeat(70_000);
    let small = format!("(assert (< 0.{zeros}1 1.0))");
    check(&small, &small);
    let wide = format!("(assert (= #b1{zeros}1 #b1{zeros}1))");
    check(&wide, &wide);
}

#[test]
fn logics_of_what_does_not_occur() {
    let logic = |s: &str| smallest_logic(&parse(s.as_bytes()).unwrap());
    assert_eq!(logic("(assert (forall ((x Int)) true))"), "LIA");
    assert_eq!(logic("(define-fun f ((x (_ BitVec 3))) Bool true)(assert true)"), "QF_BV");
    assert_eq!(logic("(assert true)(get-model)(echo \"a\")"), "QF_UF");
    assert_eq!(logic("(assert true)(simplify (tan 1.0))"), "ALL");
}

/// A term of the only assertion, and the arena.
fn assertion(source: &str) -> (Script, Term) {
    let s = parse(source.as_bytes()).unwrap();
    let t = s.queries()[0].assertions[0];
    (s, t)
}

#[test]
fn substitution_into_a_term_with_the_same_variable_free_and_bound() {
    let (mut s, root) = assertion(
        "(declare-fun p (Int) Bool)(declare-const c Int)\
         (assert (forall ((v Int)) (and (p v) (exists ((w Int)) (and (p c) (p w))))))(check-sat)",
    );
    let a = &mut s.arena;
    let Head::Bind(_, vs) = a.head(root) else { panic!() };
    let v = a.vars(vs)[0];
    let v_term = a.mk_var(v);
    // (and (p v) (forall v (and (p c) (p v)))), all with one v.
    let pv = a.at_path(root, &[0, 0]).unwrap();
    let pc = a.at_path(root, &[0, 1, 0, 0]).unwrap();
    let c = a.at_path(pc, &[0]).unwrap();
    let Head::Fun(c) = a.head(c) else { panic!() };
    let both = a.app(smelt_smtlib::Op::And, &[], &[pc, pv]).unwrap();
    let inner = a.with_args(root, &[both]);
    let outer = a.app(smelt_smtlib::Op::And, &[], &[pv, inner]).unwrap();
    let new = Substitution::new().constant(c, v_term).apply(a, outer);
    assert_eq!(a.free_vars(new), [v]);
    let Head::Bind(_, ws) = a.head(a.args(new)[1]) else { panic!() };
    let w = a.vars(ws)[0];
    assert_ne!(w, v);
    let w = a.mk_var(w);
    assert_eq!(a.at_path(new, &[1, 0, 0, 0]), Some(v_term));
    assert_eq!(a.at_path(new, &[1, 0, 1, 0]), Some(w));
}

/// Terms in which a binder's variables are bound again inside of it.
fn nested() -> Vec<(Script, Term)> {
    let mut out = Vec::new();
    // forall x. q(x) or (the whole again): the inner copy has the same variables.
    let (mut s, root) = assertion(
        "(declare-fun q (Int) Bool)(declare-const x Int)\
         (assert (forall ((x Int)) (or (exists ((y Int)) (q (+ x y))) (q x))))(check-sat)",
    );
    let new = s.arena.replace_at(root, &[0, 0, 0], root).unwrap();
    out.push((s, new));
    // (match l ((nil …) ((cons h t) …))) with a copy in the last case that matches t: t is free in its first argument
    // and bound by its case.
    let (mut s, root) = assertion(
        "(declare-datatype L ((nil) (cons (hd Int) (tl L))))(declare-const l L)(declare-const t L)\
         (assert (match l ((nil (= t l)) ((cons h t) (and (> h 0) (= t t))))))(check-sat)",
    );
    let t = s.arena.at_path(root, &[2, 1, 0]).unwrap();
    let inner = s.arena.replace_at(root, &[0], t).unwrap();
    let new = s.arena.replace_at(root, &[2, 1], inner).unwrap();
    out.push((s, new));
    out
}

/// Every way to copy a term gives an equal one.
fn copies_agree(s: &mut Script, t: Term) {
    let fresh = Substitution::new().refreshing().apply(&mut s.arena, t);
    assert!(alpha_equal_terms(&s.arena, t, &s.arena, fresh), "{}", print_term(&s.arena, fresh));
    assert!(s.arena.is_closed(fresh));
    let mut other = Arena::new();
    let copy = smelt_smtlib::import::Importer::new().term(&s.arena, &mut other, t);
    assert!(alpha_equal_terms(&s.arena, t, &other, copy), "{}", print_term(&other, copy));
    assert!(other.is_closed(copy));
    // Printed with and without lets, and read again.
    for (let_size, spelled) in [(0, 0), (3, 12), (12, 48), (12, 1000)] {
        let mut script = s.clone();
        for c in &mut script.commands {
            if let Command::Assert(old) = c {
                *old = t;
            }
        }
        let logic = LogicChoice::Smallest;
        let options = PrintOptions { let_size, spelled, logic, ..Default::default() };
        let text = print(&script, &options);
        let again = parse(text.as_bytes()).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let root = again.queries()[0].assertions[0];
        assert!(alpha_equal_terms(&s.arena, t, &again.arena, root), "{text}");
    }
}

#[test]
fn binders_that_share_variables() {
    for (mut s, t) in nested() {
        copies_agree(&mut s, t);
        // Once more, twice as deep.
        let path: &[u32] = match s.arena.head(t) {
            Head::Match(_) => &[2, 1],
            _ => &[0, 0, 0],
        };
        let deeper = s.arena.replace_at(t, path, t).unwrap();
        copies_agree(&mut s, deeper);
    }
}
