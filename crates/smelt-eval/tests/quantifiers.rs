//! Quantifiers over large and infinite sorts: those that are decided all the same, and those that are not.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use smelt_eval::{Evaluator, Model, Value};
use smelt_smtlib::{ParseOptions, parse, parse_terms};

const PRELUDE: &str =
    "(declare-sort U 0)(declare-const u U)(declare-const p Bool)(declare-const o Int)
    (declare-fun f (Int) Int)(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))
    (define-fun g ((x Int)) Int (ite (= x 3) 1 (ite (= x 5) 2 0)))
    (define-fun-rec down ((x Int)) Int (ite (<= x 0) 0 (down (- x 1))))";

fn value(term: &str) -> Option<bool> {
    let mut script = parse(PRELUDE.as_bytes()).unwrap_or_else(|e| panic!("{e}"));
    let terms = parse_terms(&mut script, term.as_bytes(), &ParseOptions::default());
    let terms = terms.unwrap_or_else(|e| panic!("{term}: {e}"));
    match Evaluator::default().eval(&script.arena, &Model::new(), terms[0]) {
        Ok(Value::Bool(b)) => Some(b),
        Ok(v) => panic!("{v:?}"),
        Err(_) => None,
    }
}

/// `term => value` per line; `?` is open.
fn check(cases: &str) {
    for line in cases.lines().map(str::trim).filter(|l| !l.is_empty()) {
        let (term, expect) = line.split_once(" => ").unwrap_or_else(|| panic!("{line}"));
        let found = value(term).map_or("?".to_string(), |b| b.to_string());
        assert_eq!(found, expect, "{term}");
    }
}

#[test]
fn bodies_that_do_not_need_the_variable() {
    check(
        "(forall ((x Int)) (= 1 1)) => true
         (exists ((x Int)) (= 1 2)) => false
         (forall ((x Int)) p) => ?
         (= p (forall ((x Real)) (= x x))) => ?
         (forall ((x U)) (or (= x u) (not (= x u)))) => true
         (forall ((x U)) (= x u)) => ?
         (forall ((x String)) (str.prefixof \"\" x)) => true
         (forall ((x Int)) (< x (+ x 1))) => true
         (forall ((x Int)) (= (f x) (f (+ x 0)))) => true
         (exists ((x Int)) (distinct (f x) (f x))) => false
         (forall ((x Int) (y Int)) (= (+ x y) (+ y x))) => true
         (forall ((x (Array Int Int))) (= (select x 1) (select x 1))) => true
         (forall ((x L)) ((_ is cons) (cons 1 x))) => true
         (exists ((x L)) (= nil (cons 1 x))) => false
         (forall ((x (_ BitVec 64))) (= (bvxor x x) (bvsub x x))) => true
         (forall ((x Int)) (>= (down x) 0)) => ?",
    );
}

#[test]
fn guards() {
    check(
        "(forall ((x Int)) (or (< x 0) (> x 5) (<= (* x x) 25))) => true
         (forall ((x Int)) (or (< x 0) (> x 5) (< (* x x) 25))) => false
         (forall ((x Int)) (or (not (<= 0 x 5)) (<= (* x x) 25))) => true
         (forall ((x Int)) (=> (and (<= 0 x) (not (> x 5))) (<= (* x x) 25))) => true
         (forall ((x Int)) (=> (or (= x 1) (and (< 3 x) (<= x 9))) (distinct (* x x) 9))) => true
         (forall ((x Int)) (=> (not (or (< x 0) (>= x 4))) (< (* x x) 10))) => true
         (forall ((x Int)) (ite (and (<= 0 x) (< (* 2 x) 7)) (< (* x x) 10) true)) => true
         (forall ((x Int)) (=> (<= 0 (- 10 x)) (=> (<= 3 (+ x 1)) (<= 4 (* x x) 100)))) => true
         (exists ((x Int)) (and (<= 0 x) (< x 10) (= (* x x) 49))) => true
         (exists ((x Int)) (and (<= 0 x) (< x 10) (= (* x x) 50))) => false
         (exists ((x Int) (y Int)) (and (< 0 x y 20) (= (* x y) 91))) => true
         (exists ((x Int) (y Int)) (and (< 1 x y 20) (= (* x y) 37))) => false
         (exists ((x Int)) (= (* x x) 50)) => ?
         (exists ((x Real)) (and (= x 3.0) (= (* x x) 10.0))) => false
         (forall ((x (_ BitVec 32))) (=> (or (= x #x00000003) (= #x00000004 x)) (bvult (bvmul x x) #x00000011))) => true
         (exists ((x (Seq Int))) (and (= x (seq.unit 1)) (= (seq.len x) 2))) => false
         (exists ((x Int)) (and (= (to_real x) 2.5) (= (* x x) (* x x x)))) => false
         (exists ((x Int)) (and (= (to_real x) 2.0) (= (* x x) (* 2 x)))) => true
         (exists ((x Real)) (and (= (* 2.0 x) 3.0) (= (* x x) 2.25))) => true
         (exists ((x (_ BitVec 3)) (y (_ BitVec 3))) (and (= y (bvadd x #b001)) (= x #b011) (= y #b100))) => true
         (forall ((x (_ BitVec 3)) (y (_ BitVec 3))) (=> (= y (bvadd x #b001)) (distinct x y))) => true
         (forall ((x Int)) (or (< x 0) (> x o) (= (* x x) (* x x)))) => true
         (forall ((x Int)) (or (< x 0) (> x 5) (= (* x o) 1))) => false",
    );
}

#[test]
fn linear_constraints() {
    check(
        "(exists ((x Real)) (and (< 1.0 x) (< x 2.0))) => true
         (exists ((x Int)) (and (< 1 x) (< x 2))) => false
         (exists ((x Int)) (and (< 1 (* 2 x)) (< (* 2 x) 3))) => true
         (forall ((x Int)) (exists ((y Int)) (< x y))) => true
         (exists ((y Int)) (forall ((x Int)) (< x y))) => false
         (forall ((x Real) (y Real)) (=> (< x y) (exists ((z Real)) (< x z y)))) => true
         (forall ((x Int) (y Int)) (=> (< x y) (exists ((z Int)) (< x z y)))) => false
         (forall ((x Int) (y Int)) (=> (< (+ x 1) y) (exists ((z Int)) (< x z y)))) => true
         (forall ((x Int)) (exists ((y Int)) (= x (* 2 y)))) => false
         (forall ((x Int)) (exists ((y Int)) (or (= x (* 2 y)) (= x (+ 1 (* 2 y)))))) => ?
         (forall ((x Real)) (exists ((y Real)) (= x (* 2.0 y)))) => true
         (forall ((x Int)) (exists ((y Real)) (= (to_real x) (* 2.0 y)))) => true
         (forall ((x Int)) (<= 0 (g x) 2)) => true
         (exists ((x Int)) (= (g x) 2)) => true
         (forall ((x Int)) (=> (> x 5) (= (g x) 0))) => true
         (exists ((x Int)) (> (f x) x)) => ?
         (forall ((x Int)) (or (< x o) (>= x o))) => ?
         (forall ((x Real) (b Bool)) (exists ((y Real)) (= y (ite b x (- x))))) => true",
    );
}

/// A linear formula in x and y, as text and as a function of halves of 16ths.
enum Formula {
    /// a·x + b·y compares with c.
    Atom(&'static str, [i64; 3]),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Not(Box<Formula>),
}

/// One, in numbers of the grid.
const UNIT: i64 = 32;

impl Formula {
    fn random(rng: &mut ChaCha8Rng, depth: u32, factors: &[i64]) -> Formula {
        if depth == 0 {
            let op = ["<", "<=", "=", ">", ">="][rng.random_range(0..5usize)];
            let mut factor = || factors[rng.random_range(0..factors.len())];
            let (a, b) = (factor(), factor());
            return Formula::Atom(op, [a, b, rng.random_range(-2..=2)]);
        }
        let n = rng.random_range(2..=3usize);
        let mut parts = || (0..n).map(|_| Formula::random(rng, depth - 1, factors)).collect();
        let parts: Vec<Formula> = parts();
        match rng.random_range(0..3u32) {
            0 => Formula::And(parts),
            1 => Formula::Or(parts),
            _ => Formula::Not(Box::new(Formula::Or(parts))),
        }
    }

    fn text(&self) -> String {
        let all = |op: &str, parts: &[Formula]| {
            let parts: Vec<String> = parts.iter().map(Formula::text).collect();
            format!("({op} {})", parts.join(" "))
        };
        match self {
            Formula::Atom(op, [a, b, c]) => {
                let number = |n: &i64| {
                    if *n < 0 { format!("(- {})", -n) } else { n.to_string() }
                };
                format!("({op} (+ (* {} x) (* {} y)) {})", number(a), number(b), number(c))
            }
            Formula::And(parts) => all("and", parts),
            Formula::Or(parts) => all("or", parts),
            Formula::Not(part) => format!("(not {})", part.text()),
        }
    }

    fn holds(&self, x: i64, y: i64) -> bool {
        match self {
            Formula::Atom(op, [a, b, c]) => {
                let (left, right) = (a * x + b * y, c * UNIT);
                match *op {
                    "<" => left < right,
                    "<=" => left <= right,
                    "=" => left == right,
                    ">" => left > right,
                    _ => left >= right,
                }
            }
            Formula::And(parts) => parts.iter().all(|p| p.holds(x, y)),
            Formula::Or(parts) => parts.iter().any(|p| p.holds(x, y)),
            Formula::Not(part) => !part.holds(x, y),
        }
    }
}

/// Random formulas with two quantifiers against a search on a grid that is finer and wider than where anything changes.
#[test]
fn linear_formulas_against_a_grid() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut truths = [0; 2];
    for round in 0..400 {
        let integers = round % 2 == 0;
        // Factors of integers are units: others are not decided.
        let factors: &[i64] = if integers { &[0, 1, -1] } else { &[0, 1, -1, 2, -2] };
        let formula = Formula::random(&mut rng, 1 + round % 2, factors);
        let (sort, step_x, step_y) = if integers { ("Int", UNIT, UNIT) } else { ("Real", 4, 1) };
        let quantifiers = [rng.random_bool(0.5), rng.random_bool(0.5)];
        let word = |forall: bool| if forall { "forall" } else { "exists" };
        let text = format!(
            "({} ((x {sort})) ({} ((y {sort})) {}))",
            word(quantifiers[0]),
            word(quantifiers[1]),
            formula.text()
        );
        let text = if integers { text } else { reals(&text) };
        let values = |end: i64, step: i64| (-end * UNIT..=end * UNIT).step_by(step as usize);
        let inner = |x: i64| {
            let mut ys = values(20, step_y);
            if quantifiers[1] {
                ys.all(|y| formula.holds(x, y))
            } else {
                ys.any(|y| formula.holds(x, y))
            }
        };
        let mut xs = values(8, step_x);
        let expect = if quantifiers[0] { xs.all(inner) } else { xs.any(inner) };
        assert_eq!(value(&text), Some(expect), "{text}");
        truths[usize::from(expect)] += 1;
    }
    assert!(truths[0] > 50 && truths[1] > 50, "{truths:?}");
}

/// Numerals as those of reals.
fn reals(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        out.push(c);
        if c.is_ascii_digit() {
            out.push_str(".0");
        }
    }
    out
}
