//! Crashes beside answers, errors and caveats, and agreement of solvers that share code: what is held against whom of a person's text.

use std::time::Duration;

use smelt_smtlib::ParseOptions;
use smelt_solver::{Cancel, SolverSpec, testing};
use smelt_trial::opinion::Opinion;
use smelt_trial::{Panel, Target};

use crate::panels::{ONE, SAT, UNSAT, panel};

/// What is held against whom, apart from what is only suspected: the number of the check, the solver, class and grade.
fn held(panel: &Panel, text: &str) -> Vec<String> {
    let cancel = Cancel::new().unwrap();
    let options = ParseOptions::default();
    let limit = Duration::from_secs(5);
    let opinion = Opinion::of(text.as_bytes(), &options, panel, limit, &cancel);
    let hard = opinion.diagnoses.iter().filter(|(_, d)| d.is_reportable());
    hard.map(|(k, d)| format!("{k}: {} {} {}", d.solver, d.class.word(), d.evidence.grade()))
        .collect()
}

fn check(solvers: &[(&str, &str)], text: &str, expect: &[&str]) {
    assert_eq!(held(&panel(solvers, &[]), text), expect, "{solvers:?} {text}");
}

const DIES: &str = "die = lambda: os.kill(os.getpid(), 11)\n";

#[test]
fn behind_a_complete_answer() {
    let crash = &["0: z3 crash proven"][..];
    for (end, expect) in [
        ("die()", crash),
        ("os.abort()", crash),
        ("os._exit(139)", crash),
        ("violate('a.cpp', 1)", crash),
        ("os.kill(os.getpid(), 15)", &[]),
        ("os.kill(os.getpid(), 9)", &[]),
        ("os._exit(143)", &[]),
        ("os._exit(0)", &[]),
    ] {
        check(&[("z3", &format!("{DIES}{SAT}\nat_exit = lambda: {end}"))], ONE, expect);
    }
}

/// What an error has led to counts only if it is so without the error.
#[test]
fn behind_an_error() {
    let error =
        "print('(error \"line 1 column 1: unknown constant str.rev\")') if 'str.rev' in s else 0";
    let always = format!("{DIES}def answer(s):\n    {error}\n    sys.stdout.flush()\n    die()");
    let by_it = always.replace("    die()", "    'str.rev' in s and die()\n    return 'sat'");
    let text = "(declare-fun x () Int)\n(declare-fun s () String)\n(assert (= x 1))\n\
        (assert (= s (str.rev s)))\n(check-sat)\n";
    check(&[("z3", &always)], ONE, &["0: z3 crash proven"]);
    check(&[("z3", &always)], text, &["0: z3 crash proven"]);
    check(&[("z3", &by_it)], text, &[]);
}

/// A caveat about meanings excuses no fault, and its answers still do not count; one about a feature that the build lacks excuses all.
#[test]
fn under_a_caveat() {
    let text = "(declare-fun x () Float32)\n(assert (fp.eq x (fp.min x x)))\n(check-sat)\n";
    let die = format!("{DIES}answer = lambda s: die()");
    let late = format!("{DIES}{UNSAT}\nat_exit = die");
    let words = "answer = lambda s: sys.stderr.write('internal error') and os._exit(1)";
    // The made-up cvc5 is 1.0.8, of which there is a caveat on `fp.min`.
    check(&[("cvc5", &die)], text, &["0: cvc5 crash proven"]);
    check(&[("cvc5", &late)], text, &["0: cvc5 crash proven"]);
    check(&[("cvc5", words)], text, &[]);
    check(&[("cvc5", words)], ONE, &["0: cvc5 crash proven"]);
    check(&[("cvc4", &die)], text, &[]);
    check(&[("cvc4", &die)], ONE, &["0: cvc4 crash proven"]);
    let model =
        "answer = lambda s: 'sat'\nmodel = lambda s: '((define-fun x () Float32 (_ +zero 8 24)))'";
    check(&[("cvc5", &late), ("z3", model)], text, &["0: cvc5 crash proven"]);
}

/// What only the person's own words show: smelt prints `(xor p)` as `p`.
#[test]
fn in_a_persons_own_words() {
    let spec = SolverSpec::parse("z3@4.8.7").unwrap();
    testing::solver("z3@4.8.7");
    let z3 = || Target::unprobed(testing::registry().resolve(&spec).unwrap());
    let dies = |text: &str| held(&Panel::new(vec![z3()], Vec::new()), text).len();
    let text = "(declare-const p Bool)\n(assert (xor p))\n(check-sat-using aig)\n";
    assert_eq!(dies(text), 1);
    assert_eq!(dies(&text.replace("(xor p)", "p")), 0);
}

/// Two families that share the library in question are not two.
#[test]
fn agreement_of_solvers_that_share_code() {
    let linear =
        "(declare-fun x () Real)\n(declare-fun y () Real)\n(assert (< x (+ x y)))\n(check-sat)\n";
    let products = linear.replace("(+ x y)", "(* x y)");
    let floats = "(declare-fun x () Float32)\n(assert (fp.lt x (fp.add RNE x x)))\n(check-sat)\n";
    let bits = "(declare-fun x () (_ BitVec 64))\n(assert (bvult x (bvadd x x)))\n(check-sat)\n";
    let strong = &["0: z3 solution-soundness strong"][..];
    for (others, text, expect) in [
        (["cvc5", "yices"], linear, strong),
        (["cvc5", "yices"], &products, &[]),
        (["cvc5", "bitwuzla"], bits, strong),
        (["cvc5", "bitwuzla"], floats, &[]),
        (["mathsat", "bitwuzla"], floats, strong),
    ] {
        check(&[("z3", SAT), (others[0], UNSAT), (others[1], UNSAT)], text, expect);
    }
}
