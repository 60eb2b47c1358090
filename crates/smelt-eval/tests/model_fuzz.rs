//! Models that are cut, garbled or of another script: an error or a verdict, never a panic or a hang, and the script stays
//! as it was.

use smelt_eval::{Evaluator, ModelOptions, Value, parse_model};
use smelt_smtlib::{Script, parse};
use std::time::{Duration, Instant};

/// Scripts with models of several solvers' making.
const PAIRS: [(&str, &str); 8] = [
    (
        "(declare-sort T 0)(declare-const a T)(declare-fun f (T Int) T)(declare-const m (Array T Int))
         (assert (distinct (f a 1) a))(assert (forall ((x T)) (= (f x 0) a)))(assert (= (select m a) 3))(check-sat)",
        "(\n; cardinality of T is 2\n; rep: (as @T_0 T)\n; rep: (as @T_1 T)\n(define-fun a () T (as @T_0 T))
         (define-fun m () (Array T Int) (store ((as const (Array T Int)) 0) (as @T_0 T) 3))
         (define-fun f ((x T) (y Int)) T (ite (and (= x (as @T_0 T)) (= y 1)) (as @T_1 T) (as @T_0 T)))\n)",
    ),
    (
        "(declare-const x Real)(declare-const y Int)(assert (= (* x x) 2.0))(assert (> (div y 0) 1))(check-sat)",
        "(model (define-fun x () Real (root-obj (+ (^ x 2) (- 2)) 1))(define-fun y () Int (- 5))
         (define-fun div0 ((x!0 Int)) Int (ite (= x!0 (- 5)) 7 0)))",
    ),
    (
        "(declare-const s String)(declare-const q (Seq Int))(assert (= (str.len s) 3))
         (assert (str.in_re s (re.+ (re.range \"a\" \"z\"))))(assert (= (seq.nth q 0) 1))(check-sat)",
        "((define-fun s () String \"a\\u{62}c\")(define-fun q () (Seq Int) (seq.++ (seq.unit 1) (seq.unit 2))))",
    ),
    (
        "(declare-datatypes ((L 1)) ((par (X) ((nil) (cons (hd X) (tl (L X)))))))(declare-const l (L Int))
         (declare-fun g ((L Int)) Bool)(assert (= (hd l) 4))(assert (g (tl l)))(check-sat)",
        "((define-fun l () (L Int) (cons 4 (as nil (L Int))))(define-fun g ((x!0 (L Int))) Bool (= x!0 (as nil (L Int)))))",
    ),
    (
        "(declare-const v (_ BitVec 8))(declare-const x (_ FloatingPoint 3 5))(declare-const r RoundingMode)
         (declare-const a (Array (_ BitVec 2) Bool))(assert (bvult v #x10))(assert (fp.isNaN (fp.add r x x)))
         (assert (select a #b01))(check-sat)",
        "(define-fun v () (_ BitVec 8) #b00001111)(define-fun x () (_ FloatingPoint 3 5) (fp #b0 #b111 #b0001))
         (define-fun r () RoundingMode RNE)
         (define-fun a ((i (_ BitVec 2))) Bool (ite (= i #b01) true false))",
    ),
    (
        "(declare-const p Bool)(declare-fun f (Int) Int)(assert (=> p (= (f 2) 3)))(check-sat)",
        "(= p true)\n(function f\n (type (-> Int Int))\n (= (f 2) 3)\n (default 0))",
    ),
    (
        "(declare-const x Int)(declare-const a (Array Int Int))(assert (= (select a x) 5))(check-sat)",
        "((x (- 3)) ((select a x) 5) (a (store ((as const (Array Int Int)) 0) (- 3) 5)))",
    ),
    (
        "(declare-const a (Array Int Int))(assert (= (select a 1) 5))(check-sat)",
        "((define-fun a () (Array Int Int) (_ as-array k!0))(define-fun k!0 ((x!0 Int)) Int (ite (= x!0 1) 5 (k!1 x!0)))
         (define-fun k!1 ((x!0 Int)) Int (lambda ((z Int)) z)))",
    ),
];

/// Reads and evaluates; returns how it went.
fn try_one(script: &Script, model: &[u8]) -> &'static str {
    let start = Instant::now();
    let mut s = script.clone();
    let (commands, terms) = (s.commands.len(), s.arena.term_count());
    let word = match parse_model(&mut s, model, &ModelOptions::default()) {
        Err(_) => "error",
        Ok(m) => {
            let mut e = Evaluator::default();
            let q = s.queries();
            let values: Vec<_> =
                q[0].assertions.iter().map(|&t| e.judge(&s.arena, &m, t)).collect();
            if values.contains(&Ok(Value::FALSE)) {
                "false"
            } else if values.iter().any(Result::is_err) {
                "open"
            } else {
                "true"
            }
        }
    };
    assert_eq!(s.commands.len(), commands);
    assert!(s.arena.term_count() >= terms);
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", String::from_utf8_lossy(model));
    word
}

/// A small generator of its own: the numbers must be the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}

#[test]
fn as_they_are() {
    let verdicts: Vec<&str> = PAIRS
        .iter()
        .map(|(script, model)| try_one(&parse(script.as_bytes()).unwrap(), model.as_bytes()))
        .collect();
    assert_eq!(verdicts, ["true", "true", "true", "true", "true", "true", "true", "open"]);
}

#[test]
fn cut_anywhere() {
    for (script, model) in PAIRS {
        let script = parse(script.as_bytes()).unwrap();
        for end in 0..model.len() {
            let verdict = try_one(&script, &model.as_bytes()[..end]);
            // A list of definitions without parentheses around it may end behind any of them.
            assert!(
                verdict == "error" || !model.starts_with("(\n") && !model.starts_with("(("),
                "{verdict}: {}",
                &model[..end]
            );
        }
    }
}

#[test]
fn garbled() {
    let pieces: [&[u8]; 24] = [
        b"(",
        b")",
        b" ",
        b"\"",
        b"|",
        b"0",
        b"-",
        b"(- 1)",
        b"x",
        b"true",
        b"#b1",
        b"#xff",
        b"(_ bv5 0)",
        b"\xff",
        b"\0",
        b"(as @T_9 T)",
        b"(let ((x 1)) x)",
        b"(ite true 1 2)",
        b"9999999999999999999999",
        b"(root-obj (+ (^ x 9) 1) 7)",
        b"(root-obj (^ x 999999999) 1)",
        b"1e9",
        b"(_ as-array f)",
        b"(_ real_algebraic_number <1*x^2 + (-2), (1, 2)>)",
    ];
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    for (script, model) in PAIRS {
        let script = parse(script.as_bytes()).unwrap();
        for _ in 0..1500 {
            let mut text = model.as_bytes().to_vec();
            for _ in 0..=dice.roll(4) {
                let at = dice.roll(text.len());
                let piece = pieces[dice.roll(pieces.len())];
                match dice.roll(3) {
                    0 => text.splice(at..at, piece.iter().copied()).for_each(drop),
                    1 => text.splice(at..=at, piece.iter().copied()).for_each(drop),
                    _ => {
                        let end = (at + 1 + dice.roll(12)).min(text.len());
                        text.drain(at..end);
                    }
                }
                if text.is_empty() {
                    text.push(b'(');
                }
            }
            try_one(&script, &text);
        }
    }
}

#[test]
fn of_another_script() {
    for (i, (script, _)) in PAIRS.iter().enumerate() {
        let script = parse(script.as_bytes()).unwrap();
        for (j, (_, model)) in PAIRS.iter().enumerate() {
            let verdict = try_one(&script, model.as_bytes());
            assert!(i == j || verdict != "false", "the model of {j} accuses {i}");
        }
    }
}
