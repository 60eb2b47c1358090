//! Folds, groups and partitions of sets and bags (cvc5). The groups are those that cvc5 1.4.2 gives; what it does with
//! nothing, and with relations that are no equivalence, is not documented and has no value here.

use smelt_eval::{eval_ground, value_to_smtlib};
use smelt_smtlib::{ParseOptions, parse, parse_terms};

fn value(term: &str) -> String {
    let mut script = parse(b"").unwrap();
    let terms = parse_terms(&mut script, term.as_bytes(), &ParseOptions::default());
    let terms = terms.unwrap_or_else(|e| panic!("{term}: {e}"));
    let a = &script.arena;
    match eval_ground(a, terms[0]) {
        Ok(v) => value_to_smtlib(a, &v, a.sort(terms[0])).unwrap_or_else(|| format!("{v:?}")),
        Err(e) => format!("? {e}"),
    }
}

/// `term => value` per line; the words in capitals stand for texts.
fn check(words: &[(&str, &str)], cases: &str) {
    for line in cases.lines().map(str::trim).filter(|l| !l.is_empty()) {
        let (term, expect) = line.split_once(" => ").unwrap_or_else(|| panic!("{line}"));
        let term = words.iter().fold(term.to_string(), |t, (w, text)| t.replace(w, text));
        assert_eq!(value(&term), expect, "{term}");
    }
}

#[test]
fn groups() {
    let words = [
        (
            "TABLE",
            "(bag.union_disjoint (bag (tuple 1 2) 3) (bag (tuple 1 3) 1) (bag (tuple 2 2) 2))",
        ),
        (
            "REL",
            "(set.union (set.singleton (tuple 1 2)) (set.singleton (tuple 1 3)) (set.singleton (tuple 2 3)))",
        ),
        ("SUM", "(lambda ((x (Tuple Int Int)) (y Int)) (+ y ((_ tuple.select 1) x)))"),
        ("FIRST", "(lambda ((x (Tuple Int Int)) (y Int)) ((_ tuple.select 1) x))"),
        ("PARITY", "(lambda ((x Int) (y Int)) (= (mod x 2) (mod y 2)))"),
        ("BAG", "(bag.union_disjoint (bag 1 2) (bag 2 1) (bag 3 1))"),
    ];
    check(
        &words,
        "(= ((_ table.group 0) (bag (tuple 1 2) 3)) (bag (bag (tuple 1 2) 3) 1)) => true
         (= ((_ table.group 0) TABLE) (bag.union_disjoint (bag (bag (tuple 2 2) 2) 1) (bag (bag.union_disjoint (bag (tuple 1 2) 3) (bag (tuple 1 3) 1)) 1))) => true
         (= (table.group TABLE) (bag TABLE 1)) => true
         (bag.card ((_ table.group 0 1) TABLE)) => 3
         (bag.card ((_ table.group 0) (as bag.empty (Table Int Int)))) => ? `table.group` is not specified at these arguments
         (= ((_ rel.group 0) REL) (set.union (set.singleton (set.union (set.singleton (tuple 1 3)) (set.singleton (tuple 1 2)))) (set.singleton (set.singleton (tuple 2 3))))) => true
         (= (rel.group REL) (set.singleton REL)) => true
         (set.card ((_ rel.group 1) (as set.empty (Relation Int Int)))) => ? `rel.group` is not specified at these arguments
         (= ((_ table.aggr 0) SUM 0 TABLE) (bag.union_disjoint (bag 4 1) (bag 9 1))) => true
         (= ((_ table.aggr 0 1) SUM 0 (bag.union_disjoint (bag (tuple 1 2) 1) (bag (tuple 2 2) 1))) (bag 2 2)) => true
         (= ((_ rel.aggr 0) SUM 0 REL) (set.union (set.singleton 5) (set.singleton 3))) => true
         (set.card ((_ rel.aggr 0) SUM 7 (as set.empty (Relation Int Int)))) => ? `rel.aggr` is not specified at these arguments
         (set.card ((_ rel.aggr 0) FIRST 0 REL)) => ? `rel.aggr` is not specified at these arguments
         (= (bag.partition PARITY BAG) (bag.union_disjoint (bag (bag 2 1) 1) (bag (bag.union_disjoint (bag 1 2) (bag 3 1)) 1))) => true
         (bag.card (bag.partition (lambda ((x Int) (y Int)) (<= x y)) BAG)) => ? `bag.partition` is not specified at these arguments
         (bag.card (bag.partition PARITY (as bag.empty (Bag Int)))) => ? `bag.partition` is not specified at these arguments
         (= (as set.universe (Set Bool)) (as set.universe (Set Bool))) => true
         (set.card (set.complement (set.singleton true))) => ? `set.complement` has no semantics here",
    );
}

/// Steps with an operator that needs no order.
const STEPS: &[&str] = &[
    "(+ x y)",
    "(+ 1 y)",
    "(+ (* x x) y 2)",
    "(* y (+ x 1))",
    "(ite (> x 2) (+ y x) y)",
    "(ite (= (mod x 2) 0) y (* 3 y))",
    "y",
];

/// Steps whose result depends on the order.
const ORDERED: &[&str] =
    &["(- x y)", "x", "(+ x (* 2 y))", "(ite (> y 3) y (+ y x))", "(+ (* x y) 1)"];

#[test]
fn folds() {
    let set = "(set.insert 1 2 3 4 5 (set.singleton 6))";
    let step = |s: &str| format!("(lambda ((x Int) (y Int)) {s})");
    for s in STEPS {
        let folded = value(&format!("(set.fold {} 1 {set})", step(s)));
        // Every order of the elements, one inside of the other.
        for order in orders(&["1", "2", "3", "4", "5", "6"]).iter().step_by(17) {
            let term = order.iter().fold("1".to_string(), |y, x| format!("({} {x} {y})", step(s)));
            assert_eq!(value(&term), folded, "{s}");
        }
    }
    for s in ORDERED {
        let open = "? `set.fold` is not specified at these arguments";
        assert_eq!(value(&format!("(set.fold {} 1 {set})", step(s))), open, "{s}");
        let few = "(set.insert 1 2 (set.singleton 3))";
        assert_eq!(value(&format!("(set.fold {} 1 {few})", step(s))), open, "{s}");
    }
    check(
        &[],
        "(set.fold (lambda ((x (_ BitVec 4)) (y (_ BitVec 4))) (bvadd x y)) #x0 (set.insert #x1 #x2 #x3 #x4 (set.singleton #x5))) => #xf
         (bag.fold (lambda ((x Int) (y Int)) (+ x y)) 0 (bag 3 1000)) => 3000
         (bag.fold (lambda ((x Int) (y Int)) (- x y)) 0 (bag 3 2)) => 0
         (bag.fold (lambda ((x Int) (y Int)) (+ x y)) 0 (bag 3 1000000000)) => ? the step budget is used up
         (set.fold (lambda ((x Int) (y Int)) (ite (> x y) x y)) 0 (set.insert 1 2 3 4 (set.singleton 5))) => ? the step budget is used up",
    );
}

fn orders<'a>(of: &[&'a str]) -> Vec<Vec<&'a str>> {
    if of.is_empty() {
        return vec![Vec::new()];
    }
    let mut out = Vec::new();
    for (i, &first) in of.iter().enumerate() {
        let rest: Vec<&str> =
            of.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, x)| *x).collect();
        out.extend(orders(&rest).into_iter().map(|tail| [vec![first], tail].concat()));
    }
    out
}
