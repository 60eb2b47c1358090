//! Planted faults: a judge that is wrong wherever one operator stands directly below another one, and a witness that must stay one. What
//! is left must have the pattern, an evaluated witness, and little else.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use smelt_reduce::{ENLARGING, Judge, PASSES, Reducible, Search, Style, Subject, Witness};
use smelt_smtlib::{Binder, Head, parse};

/// Outer and inner operator, what is planted, a small assertion that has the pattern, the sort of `x` and `y`, their values.
type Planted = [&'static str; 7];

const FP: &str = "(_ FloatingPoint 5 11)";
const ARRAY: &str = "(Array Int Int)";

const PATTERNS: &[Planted] = &[
    ["not", "xor", "(not (xor x x))", "(not (xor true true))", "Bool", "true", "false"],
    ["=>", "or", "(=> (or x y) x)", "(=> (or true true) true)", "Bool", "true", "false"],
    ["*", "+", "(= (* x (+ y 1)) 91)", "(= 0 (* 0 (+ 0 0)))", "Int", "7", "12"],
    ["mod", "abs", "(= 2 (mod (abs x) y))", "(= 0 (mod (abs 0) 1))", "Int", "5", "3"],
    ["-", "*", "(< (- x (* x y)) 9.5)", "(= 0.0 (- 0.0 (* 0.0 0.0)))", "Real", "(/ 3 2)", "2.0"],
    [
        "bvmul",
        "bvadd",
        "(= (bvmul (bvadd x y) #x02) #x2c)",
        "(= #b0 (bvmul (bvadd #b0 #b0) #b0))",
        "(_ BitVec 8)",
        "#x05",
        "#x11",
    ],
    [
        "bvult",
        "bvlshr",
        "(bvult (bvlshr x #x0001) y)",
        "(bvult (bvlshr #b0 #b0) #b1)",
        "(_ BitVec 16)",
        "#x0005",
        "#x1111",
    ],
    [
        "fp.isNaN",
        "fp.neg",
        "(fp.isNaN (fp.neg x))",
        "(fp.isNaN (fp.neg (_ NaN 2 2)))",
        FP,
        "(_ NaN 5 11)",
        "(_ +zero 5 11)",
    ],
    [
        "str.len",
        "str.++",
        "(= 4 (str.len (str.++ x y \"d\")))",
        "(= 0 (str.len (str.++ \"\" \"\")))",
        "String",
        "\"ab\"",
        "\"c\"",
    ],
    [
        "str.prefixof",
        "str.at",
        "(str.prefixof (str.at x 0) y)",
        "(str.prefixof (str.at \"\" 0) \"\")",
        "String",
        "\"ab\"",
        "\"ab\"",
    ],
    [
        "re.*",
        "str.to_re",
        "(str.in_re x (re.* (str.to_re y)))",
        "(str.in_re \"\" (re.* (str.to_re \"\")))",
        "String",
        "\"aa\"",
        "\"a\"",
    ],
    [
        "select",
        "store",
        "(= 8 (select (store x 4 8) 4))",
        "(= 0 (select (store ((as const (Array Int Int)) 0) 0 0) 0))",
        ARRAY,
        "((as const (Array Int Int)) 3)",
        "((as const (Array Int Int)) 4)",
    ],
    [
        "seq.len",
        "seq.unit",
        "(= 1 (seq.len (seq.unit (seq.len x))))",
        "(= 1 (seq.len (seq.unit 0)))",
        "(Seq Int)",
        "(seq.unit 3)",
        "(as seq.empty (Seq Int))",
    ],
    [
        "set.member",
        "set.singleton",
        "(set.member 5 (set.singleton 5))",
        "(set.member 0 (set.singleton 0))",
        "(Set Int)",
        "(set.singleton 3)",
        "(as set.empty (Set Int))",
    ],
    [
        "bag.count",
        "bag",
        "(= 2 (bag.count 5 (bag 5 2)))",
        "(= 0 (bag.count 0 (bag 0 0)))",
        "(Bag Int)",
        "(bag 3 1)",
        "(as bag.empty (Bag Int))",
    ],
    [
        "ff.mul",
        "ff.add",
        "(= (ff.mul x (ff.add x y)) (as ff0 (_ FiniteField 3)))",
        "(= (ff.mul x (ff.add x x)) x)",
        "(_ FiniteField 3)",
        "(as ff1 (_ FiniteField 3))",
        "(as ff2 (_ FiniteField 3))",
    ],
    [
        "head",
        "pair",
        "(= 3 (head (pair 3 x)))",
        "(= 0 (head (pair 0 none)))",
        "L",
        "none",
        "(pair 1 none)",
    ],
    ["f", "f", "(= 0 (f (f x)))", "(= 0 (f (f 0)))", "Int", "1", "2"],
    [
        "forall",
        "=>",
        "(forall ((b Bool)) (=> b (or b x)))",
        "(forall ((b Bool)) (=> b b))",
        "Bool",
        "true",
        "false",
    ],
];

/// What else a pattern needs: declarations, and what the model says of them.
fn declarations(p: &Planted, sort: &str) -> [&'static str; 2] {
    match (p[0], sort) {
        ("f", _) => ["(declare-fun f (Int) Int)", "(define-fun f ((a Int)) Int 0)"],
        (_, "L") => ["(declare-datatypes ((L 0)) (((none) (pair (head Int) (tail L)))))", ""],
        _ => ["", ""],
    }
}

/// An assertion that is true of the values, with the pattern in it if that is asked for.
fn assertion(p: &Planted, random: &mut ChaCha8Rng, plant: bool) -> String {
    let noise = [
        "(= x x)",
        "(or (= x y) (not (= x y)))",
        "(=> (= y x) (= x y))",
        "(= y y)",
        "(< n 900)",
        "(or q (> n 3))",
    ];
    let mut text = noise[random.random_range(0..noise.len())].to_owned();
    if plant {
        let way = random.random_bool(0.5);
        text = if way {
            format!("(and {text} {})", p[2])
        } else {
            format!("(or (not {text}) {})", p[2])
        };
    }
    for _ in 0..random.random_range(0..3) {
        let other = noise[random.random_range(0..noise.len())];
        text = match random.random_range(0..3) {
            0 => format!("(and {text} {other})"),
            1 => format!("(ite {other} {text} false)"),
            _ => format!("(not (not {text}))"),
        };
    }
    format!("(assert {text})\n")
}

/// Wrong where the pattern stands and the witness is one.
struct Wrong<'p>(&'p Planted, u64);

impl Wrong<'_> {
    fn holds(&self, s: &Subject) -> bool {
        let a = &s.script.arena;
        let named = |t, name: &str| match a.head(t) {
            Head::Op(op, _) => op.info().name == name,
            Head::Fun(f) => a.name(a.fun(f).name) == name,
            Head::Bind(Binder::Forall, _) => name == "forall",
            _ => false,
        };
        let asserted: Vec<_> = s.script.queries().into_iter().flat_map(|q| q.assertions).collect();
        let below = |t| a.args(t).iter().any(|&x| named(x, self.0[1]));
        a.dag(&asserted).into_iter().any(|t| named(t, self.0[0]) && below(t)) && s.witness_holds()
    }
}

impl Judge<Subject> for Wrong<'_> {
    fn width(&self) -> usize {
        2
    }
    fn judge(&mut self, candidates: Vec<Subject>) -> Vec<Option<Subject>> {
        for c in &candidates {
            // Whatever a solver would be asked can be read.
            let read = parse(c.text().as_bytes());
            let read = read.unwrap_or_else(|e| panic!("{}: {}", c.text(), e.message));
            assert_eq!(read.queries().len(), c.script.queries().len());
        }
        self.1 += candidates.len() as u64;
        candidates.into_iter().map(|c| self.holds(&c).then_some(c)).collect()
    }
    fn is_over(&mut self) -> bool {
        self.1 > 20_000
    }
    fn smaller(&mut self, best: &Subject, pass: &'static str) {
        assert!(best.witness_holds(), "{pass}: {}", best.text());
    }
}

/// 200 scripts over the theories: each ends with the pattern and a witness; nine of ten within a fifth of a small script with it.
#[test]
fn planted_patterns() {
    let (mut near, mut far) = (0, Vec::new());
    for n in 0..200u64 {
        let p = &PATTERNS[n as usize % PATTERNS.len()];
        let [.., small, sort, x, y] = p;
        let mut random = ChaCha8Rng::seed_from_u64(n);
        let [declared, defined] = declarations(p, sort);
        let mut text = format!(
            "(set-info :source x){declared}(declare-fun x () {sort})(declare-fun y () {sort})(declare-fun n () Int)(declare-fun q () Bool)\n"
        );
        let many = random.random_range(2..7);
        let at = random.random_range(0..many);
        (0..many).for_each(|i| text += &assertion(p, &mut random, i == at));
        text += "(check-sat)(exit)";
        let model = format!(
            "({defined}(define-fun x () {sort} {x})(define-fun y () {sort} {y})(define-fun n () Int 17)(define-fun q () Bool true))"
        );
        let script = parse(text.as_bytes()).unwrap_or_else(|e| panic!("{text}: {}", e.message));
        let subject = Subject::new(script, Some(0), Some(Witness::read(&model)), Style::default());
        let mut judge = Wrong(p, 0);
        assert!(judge.holds(&subject), "{text}");
        let found = Search::new(subject, &mut judge).run(PASSES, ENLARGING);
        assert!(judge.holds(&found), "{}", found.text());
        let uses_x = small.split(['(', ')', ' ']).any(|w| w == "x");
        let x = if uses_x { format!("(declare-fun x () {sort})") } else { String::new() };
        let best = parse(format!("{declared}{x}(assert {small})(check-sat)").as_bytes()).unwrap();
        let best = Subject::new(best, Some(0), None, Style::default()).text().len();
        let size = found.text().len();
        if size * 5 <= best * 6 {
            near += 1;
        } else {
            far.push(format!("{size} of {best}: {}", found.text()));
        }
    }
    assert!(near >= 180, "{near} of 200\n{}", far.join("\n"));
}
