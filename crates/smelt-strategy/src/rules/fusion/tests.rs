//! Every rule holds on random values, and files of users are read or refused.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use smelt_eval::incremental::Incremental;
use smelt_eval::{Evaluator, Model};
use smelt_smtlib::{Command, Op, Script, parse};

use super::*;
use crate::frame::fresh_constant;

/// Sorts to try rules at.
const SORTS: &[&str] = &[
    "Bool",
    "Int",
    "Real",
    "String",
    "(_ BitVec 1)",
    "(_ BitVec 3)",
    "(_ BitVec 8)",
    "(_ BitVec 65)",
    "(Seq Int)",
    "(Seq (_ BitVec 2))",
    "(_ FiniteField 2)",
    "(_ FiniteField 17)",
    "(Set Int)",
    "(Bag String)",
];

fn arena() -> (Script, Vec<Sort>) {
    let text: String =
        (0..SORTS.len()).map(|i| format!("(declare-const v{i} {})", SORTS[i])).collect();
    let script = parse(text.as_bytes()).unwrap();
    let sorts = (0..SORTS.len())
        .map(|i| {
            let Command::DeclareFun(f) = script.commands[i] else { panic!() };
            script.arena.fun(f).ret
        })
        .collect();
    (script, sorts)
}

/// Tries a rule at random values: how often it held, how often it was false, how often its condition was not met.
fn try_rule(rule: &FusionRule, rounds: usize) -> (usize, usize, usize) {
    let (mut script, sorts) = arena();
    let mut random = ChaCha8Rng::seed_from_u64(9);
    let (mut holds, mut fails, mut outside) = (0, 0, 0);
    for &sx in &sorts {
        for &sy in &sorts {
            let Some(binding) = rule.matches(&script.arena, sx, sy) else { continue };
            let z_sort = Sexpr::read(&rule.z_sort(&binding)).unwrap().remove(0);
            let sz = sort_of(&mut script, &z_sort).unwrap();
            let funs = [sx, sy, sz].map(|s| fresh_constant(&mut script.arena, "k", s));
            let [x, y, z] = funs;
            script.commands.extend(funs.map(Command::DeclareFun));
            for _ in 0..rounds {
                let mut constants = Constants::default();
                let binding = binding.clone();
                let made =
                    rule.instance(&mut script, (x, y, z), binding, &mut constants, &mut random);
                let made = made.unwrap_or_else(|| panic!("{} has no instance", rule.name));
                let a = &mut script.arena;
                let mut model = Model::new();
                for (f, s) in [(x, sx), (y, sy)] {
                    let t = constants.random(a, s, &mut random).unwrap();
                    model.set_value(f, Evaluator::default().eval(a, &model, t).unwrap());
                }
                let mut values = Incremental::new(model);
                let value = values.eval(a, made.fuse).unwrap();
                values.extend(z, value);
                if made.when.is_some_and(|w| values.holds(a, w) != Some(true)) {
                    outside += 1;
                    continue;
                }
                let both = [(x, made.invert_x), (y, made.invert_y)].map(|(f, t)| {
                    let f = a.mk_fun(f);
                    let equal = a.app(Op::Eq, &[], &[f, t]).unwrap();
                    values.holds(a, equal)
                });
                if both == [Some(true); 2] { holds += 1 } else { fails += 1 }
            }
        }
    }
    (holds, fails, outside)
}

#[test]
fn embedded_rules_hold() {
    let (rules, refused) = read(EMBEDDED).unwrap();
    assert!(rules.len() >= 26 && refused.is_empty());
    for rule in &rules {
        let (holds, fails, outside) = try_rule(rule, 120);
        assert!(holds >= 80 && fails == 0, "{}: {holds} {fails} {outside}", rule.name);
    }
}

/// The test above can fail: rules that are no theorems are seen not to be.
#[test]
fn wrong_rules_fail() {
    for text in [
        "(fusion a :vars ((x Int) (y Int) (z Int)) :fuse (* x y) :invert-x (div z y) :invert-y (div z x))",
        "(fusion b :vars ((x Int) (y Int) (z Int)) :fuse (+ x y) :invert-x (- z y) :invert-y (- x z))",
        "(fusion c :vars ((x String) (y String) (z String)) :fuse (str.++ x y)
           :invert-x (str.substr z 0 (str.len x)) :invert-y (str.substr z (str.len y) (str.len y)))",
    ] {
        let (rules, _) = read(text).unwrap();
        let (holds, fails, _) = try_rule(&rules[0], 200);
        assert!(holds > 0 && fails > 0, "{text}");
    }
}

#[test]
fn published_syntax() {
    let text = "; Int\n#begin\n(declare-const x Int)\n(declare-const y Int)\n(declare-const z Int)\n(declare-const c Int)\n\
        (assert (= z (+ (+ x c) y)))\n(assert (= x (- (- z c) y)))\n(assert (= y (- (- z c) x)))\n#end\n\
        #begin\n(declare-const x Real)\n(declare-const y Real)\n(declare-const z Real)\n(declare-const c Real)\n\
        (assert (= z (+ x c) y))\n(assert (= x (- (- z c) y)))\n(assert (= y (- (- z c) x)))\n#end\n";
    let (rules, refused) = read(text).unwrap();
    assert_eq!(refused, ["block 2: not an equation of two sides: (= z (+ x c) y)"]);
    assert_eq!(&*rules[0].name, format!("imported-{}", &rules[0].claim().hash()[..8]));
    let (holds, fails, _) = try_rule(&rules[0], 50);
    assert!(holds == 50 && fails == 0);
}

/// Functions have the name of what they say, wherever they stand.
#[test]
fn names_of_published_functions() {
    let sum = |op: &str| {
        format!(
            "#begin\n(declare-fun x () Int)\n(declare-const y Int)\n(declare-const z Int)\n(assert (= z (+ x y)))\n(assert (= x ({op} z y)))\n(assert (= y (- z x)))\n#end\n"
        )
    };
    let names = |text: &str| -> Vec<String> {
        read(text).unwrap().0.iter().map(|r| r.name.to_string()).collect()
    };
    let (right, wrong) = (names(&sum("-")), names(&sum("+")));
    assert!(right.len() == 1 && wrong.len() == 1 && right != wrong, "{right:?} {wrong:?}");
    assert_eq!(names(&[sum("+"), sum("-"), sum("+")].concat()), [&wrong[..], &right].concat());
    let refused = |text: &str| read(text).unwrap().1.join(" ");
    assert_eq!(
        refused(&sum("-").replace("x ()", "x (Int)")),
        "block 1: neither a declaration nor an equation: (declare-fun x (Int) Int)"
    );
    assert_eq!(refused(&sum("-").replace("const z", "const w")), "block 1: z is not declared");
    let twice =
        sum("-").replace("(declare-const z Int)", "(declare-const z Int)(declare-const z Real)");
    assert_eq!(refused(&twice), "block 1: z is declared twice");
}

#[test]
fn bad_files() {
    let check = |text: &str, expect: &str| assert_eq!(read(text).unwrap_err(), expect);
    check("(fusion a :fuse x", "line 1: missing `)`");
    check("(weaken a)", "not a rule: (weaken a)");
    check(
        "(fusion a :vars ((x Int)) :fuse x)",
        "the rule `a` must declare x, y and z, in this order",
    );
    check("(fusion a :odd)", "the rule `a` has a keyword without a value");
    check("(fusion a :odd 1)", "the rule `a` has the unknown field :odd");
    let vars = ":vars ((x Int) (y Int) (z Int))";
    check(&format!("(fusion a {vars})"), "the rule `a` lacks :fuse");
    check("#begin\n", "`#begin` without `#end`");
}
