//! Whatever the bytes, the answer is an error with a place, soon, and never a panic.

use std::path::Path;

use smelt_smtlib::{parse, print};

fn check(source: &[u8], message: &str) {
    match parse(source) {
        Ok(_) => panic!("accepted: {}", String::from_utf8_lossy(source)),
        Err(e) => {
            let shown = e.render(source, "f");
            assert!(e.to_string().contains(message), "{e} does not say `{message}`");
            let (line, column) = e.line_column(source);
            assert!(shown.starts_with(&format!("f:{line}:{column}: ")), "{shown}");
        }
    }
}

#[test]
fn messages() {
    check(b"(assert true", "the input ends inside a command (at byte 12); expected `)`");
    check(b"(assert true))", "unexpected `)`");
    check(b"(assert (and true", "the input ends inside a command");
    check(b"(assert \xff)", "unexpected byte 0xff (at byte 8)");
    check(b"(assert (= \"\xc3\x28\" \"\"))", "invalid UTF-8 (at byte 12)");
    check(b"(assert\0true)", "unexpected byte 0x00 (at byte 7)");
    check(b"x", "unexpected `x` (at byte 0); expected a command");
    check(b"(declare-const x Int)(declare-const x Int)", "`x` is already declared (at byte 21)");
    check(b"(declare-sort S 0)(declare-sort S 0)", "the sort `S` is already declared");
    check(b"(declare-const and Int)", "`and` is a symbol of the core theory");
    check(b"(assert (not true false))", "`not` takes 1 argument but got 2 (at byte 8)");
    check(b"(assert (ite true false))", "`ite` takes 3 arguments but got 2");
    check(b"(declare-fun f (Int) Bool)(assert (f 1 2))", "`f` takes 1 argument but got 2");
    check(
        b"(declare-fun f (Int) Bool)(assert (f true))",
        "argument 1 of `f` has sort Bool, but Int is needed",
    );
    check(b"(assert 1)", "an assertion must be Bool, but this has sort Int");
    check(b"(assert (= 1 true))", "argument 2 of `=` has sort Bool, but Int is needed");
    check(
        b"(assert (= #b1 #b01))",
        "argument 2 of `=` has sort (_ BitVec 2), but (_ BitVec 1) is needed",
    );
    check(
        b"(assert (bvult #b1 #x1))",
        "argument 2 of `bvult` has sort (_ BitVec 4), but (_ BitVec 1) is needed",
    );
    check(b"(assert (= ((_ extract 8 0) #x00) #b0))", "`extract 8 0` needs 0 <= 8 < 8");
    check(b"(assert (= (_ bv5 0) #b0))", "a bit-vector needs a width of at least 1");
    check(b"(assert (= (_ bv5 2) #b00))", "`bv5` does not fit into 2 bits");
    check(b"(declare-const x (_ BitVec 99999999999))", "wider than the limit");
    check(b"(declare-const x (_ FloatingPoint 1 1))", "at least 2 exponent and 2 significand bits");
    check(b"(assert (frob 1))", "unknown function or operator `frob`");
    check(b"(assert frob)", "unknown symbol `frob`");
    check(b"(assert ((_ frob 1) 2))", "unknown indexed operator `frob`");
    check(b"(declare-const x Frob)", "unknown sort `Frob`");
    check(b"(declare-const x (Array Int))", "the sort `Array` does not take 1 arguments");
    check(b"(assert (let (x 1) true))", "unexpected `x` (at byte 14); expected a binding");
    check(b"(assert (forall () true))", "`forall` binds no variable");
    check(b"(assert (exists ((x Int)) x))", "the body of `exists` must be Bool, not Int");
    check(b"(assert (! true))", "an annotation without a keyword");
    check(b"(assert ())", "unexpected `)`");
    check(b"(assert (_ bv1))", "an index is missing");
    check(b"(pop 1)", "`pop 1` at level 0");
    check(b"(push 99999999999)", "expected a number of levels");
    check("(push 999999)".repeat(2).as_bytes(), "more than 1000000 levels");
    check(b"(assert (= (as seq.empty Int) 1))", "`seq.empty` cannot have the sort Int");
    check(b"(assert (= seq.empty seq.empty))", "needs its sort");
    check(b"(define-fun f () Int true)", "the body has sort Bool, but Int is declared");
    check(b"(declare-datatype T ())", "the datatype `T` has no constructor");
    check(b"(declare-datatype L ((n) (c (h Int) (t L))))(declare-const l L)(assert (match l ((n true))))",
        "this match does not cover every constructor");
    check(b"(assert (= ((_ divisible 0) 1) true))", "`divisible` needs a positive index");
    check(b"(assert (= 1.0 (root-obj (+ x 1) 5)))", "no such root");
}

fn nested(open: &str, leaf: &str, close: &str, n: usize) -> Vec<u8> {
    let mut s = String::from("(declare-const p Bool)(assert ");
    s.extend(std::iter::repeat_n(open, n));
    s.push_str(leaf);
    s.extend(std::iter::repeat_n(close, n));
    s.push_str(")(check-sat)");
    s.into_bytes()
}

#[test]
fn a_million_levels() {
    const N: usize = 1_000_000;
    for (open, leaf, close) in [
        ("(not ", "p", ")"),
        ("(let ((x p)) (and x ", "p", "))"),
        ("(let ((x ", "p", ")) (not x))"),
        ("(! ", "p", " :weight 1)"),
    ] {
        let source = nested(open, leaf, close, N);
        let script = parse(&source).unwrap();
        let text = print(&script, &Default::default());
        let again = parse(text.as_bytes()).unwrap();
        smelt_smtlib::alpha_equal(&script, &again).unwrap();
        assert!(script.arena.depth(script.queries()[0].assertions[0]) as usize > N);
    }
    // A million binders: variables of the same name, each its own.
    let source = nested("(forall ((x Int)) ", "p", ")", 100_000);
    let script = parse(&source).unwrap();
    assert!(parse(print(&script, &Default::default()).as_bytes()).is_ok());
    // Only opening parentheses, sorts, and s-expressions in unknown commands.
    check(&nested("(", "", "", N), "unexpected");
    check(&nested("((", "", "", N), "unexpected");
    let sort = format!("(declare-const x {}", "(Array Int ".repeat(N));
    check(sort.as_bytes(), "this sort is nested too deeply");
    assert!(parse(format!("(frob {}{})", "(".repeat(N), ")".repeat(N)).as_bytes()).is_ok());
    // Sorts that grow by definition.
    let mut chain = String::from("(define-sort S0 () Int)");
    for i in 0..2000 {
        chain += &format!("(define-sort S{} () (Array S{i} S{i}))", i + 1);
    }
    check(chain.as_bytes(), "nested too deeply");
    // Each definition doubles the text of the sort: 40 of them must not take 2^40 steps.
    let doubled = &chain[..chain.match_indices("(define").nth(40).map_or(0, |(i, _)| i)];
    check(doubled.as_bytes(), "too large");
    // Numbers whose digits would take minutes.
    for (before, after) in [("", ""), ("0.", ""), ("-", ""), ("(_ bv", " 8)"), ("#f", "m5")] {
        let number = format!("{before}{}{after}", "7".repeat(N + 1));
        assert!(parse(format!("(assert (= {number} {number}))").as_bytes()).is_err());
    }
}

#[test]
fn a_large_file() {
    let mut s = String::from("(declare-const x Int)\n");
    let mut n = 0;
    while s.len() < 100_000_000 {
        s += &format!("(assert (or (> x {n}) (= (+ x {n}) (* 2 x))))\n");
        n += 1;
    }
    s.push_str("(assert (> x true))");
    check(s.as_bytes(), "argument 2 of `>` has sort Bool");
}

/// A small deterministic generator: the test must be repeatable and needs no statistics.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}

/// Damages seeds: flips, deletes, repeats and swaps bytes and tokens. `SMELT_FUZZ=1000000` for the long run.
#[test]
fn damaged_seeds() {
    let rounds: usize =
        std::env::var("SMELT_FUZZ").ok().and_then(|v| v.parse().ok()).unwrap_or(20_000);
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let mut seeds: Vec<Vec<u8>> = Vec::new();
    let mut groups: Vec<_> = std::fs::read_dir(dir).unwrap().flatten().map(|e| e.path()).collect();
    groups.sort();
    for g in groups.iter().filter(|g| g.is_dir()) {
        let mut files: Vec<_> = std::fs::read_dir(g).unwrap().flatten().map(|e| e.path()).collect();
        files.sort();
        seeds.extend(files.iter().map(|f| std::fs::read(f).unwrap()));
    }
    let mut r = Random(0x5eed);
    let mut accepted = 0u64;
    for _ in 0..rounds {
        let mut text = seeds[r.below(seeds.len())].clone();
        for _ in 0..=r.below(4) {
            if text.is_empty() {
                break;
            }
            let at = r.below(text.len());
            match r.below(6) {
                0 => text[at] = r.below(256) as u8,
                1 => {
                    text.remove(at);
                }
                2 => text.insert(at, b"() \"|#_:;\0\xff0"[r.below(12)]),
                3 => {
                    let end = (at + r.below(40)).min(text.len());
                    let piece = text[at..end].to_vec();
                    let to = r.below(text.len());
                    text.splice(to..to, piece);
                }
                4 => text.truncate(at.max(1)),
                _ => {
                    let other = &seeds[r.below(seeds.len())];
                    let from = r.below(other.len());
                    let piece = other[from..(from + r.below(60)).min(other.len())].to_vec();
                    text.splice(at..at, piece);
                }
            }
        }
        match parse(&text) {
            Err(e) => assert!(!e.render(&text, "f").is_empty()),
            Ok(script) => {
                accepted += 1;
                let printed = print(&script, &Default::default());
                let again = parse(printed.as_bytes()).unwrap_or_else(|e| {
                    panic!(
                        "{}\nfrom\n{}",
                        e.render(printed.as_bytes(), "printed"),
                        String::from_utf8_lossy(&text)
                    )
                });
                smelt_smtlib::alpha_equal(&script, &again)
                    .unwrap_or_else(|e| panic!("{e}\n{}", String::from_utf8_lossy(&text)));
            }
        }
    }
    assert!(accepted > rounds as u64 / 100, "{accepted} of {rounds} accepted: no real test");
}
