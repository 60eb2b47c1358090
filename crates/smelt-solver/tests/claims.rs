//! What profiles say of real solvers, tried on them.

use std::path::Path;
use std::time::Duration;

use smelt_solver::{Limits, Policy, Requests, Script, Session, Setup, Solver, testing};

fn answer(solver: &Solver, text: &str) -> String {
    let limits = Limits::cpu(Duration::from_secs(5));
    let setup = Setup { limits, ..Setup::default() };
    let outcome = solver.run_cold(&Script::new(text), &setup, Requests::default(), None).unwrap();
    outcome.answer().map_or("", |a| a.kind()).to_owned()
}

/// Options that change the question change answers that are right without them; others do not.
#[test]
fn options_that_change_the_question() {
    let check = |name: &str, option: &str, text: &str, without: &str, with: &str| {
        let solver = testing::solver(name);
        assert_eq!(answer(&solver, text), without, "{name} {text}");
        let changed = solver.with_args(vec![option.to_owned()]);
        assert_eq!(answer(&changed, text), with, "{name} {option} {text}");
        let opposite = [without, with] == ["sat", "unsat"] || [without, with] == ["unsat", "sat"];
        assert_eq!(solver.profile().changes_question(option), opposite, "{name} {option}");
    };
    let division = "(set-logic QF_BV)(declare-const x (_ BitVec 4))(assert (distinct (bvudiv x #x0) #xf))(check-sat)";
    check("z3@latest", "rewriter.hi_div0=false", division, "unsat", "sat");
    let nan = "(set-logic QF_FPLRA)(declare-const x Float32)(assert (fp.isNaN x))(assert (distinct (fp.to_real x) 0.0))(check-sat)";
    check("z3@latest", "rewriter.hi_fp_unspecified=true", nan, "sat", "unsat");
    let code =
        "(set-logic QF_SLIA)(declare-const s String)(assert (= (str.to_code s) 300))(check-sat)";
    check("z3@latest", "encoding=ascii", code, "sat", "unsat");
    let letters = "(set-logic QF_SLIA)(declare-const a String)(declare-const b String)(declare-const c String)\
        (assert (= 1 (str.len a) (str.len b) (str.len c)))(assert (distinct a b c))(check-sat)";
    check("cvc5@latest", "--strings-alpha-card=2", letters, "sat", "unsat");
    // All models are infinite: it looks for a finite one without end, and does not call it unsat.
    let infinite = "(set-logic UF)(declare-sort U 0)(declare-fun f (U) U)(declare-const a U)\
        (assert (forall ((x U) (y U)) (=> (= (f x) (f y)) (= x y))))\
        (assert (forall ((x U)) (distinct (f x) a)))(check-sat)";
    check("cvc5@latest", "--finite-model-find", infinite, "unknown", "timeout");
}

/// No solver dies when the input of a session ends, as one process of each session shows.
#[test]
fn sessions_end_well() {
    let text = "(set-logic QF_BV)(declare-const x (_ BitVec 4))(assert (= x #x3))(check-sat)";
    for name in
        ["z3@latest", "z3@4.8.7", "cvc5@latest", "cvc5@1.0.9", "yices@latest", "bitwuzla@latest"]
    {
        let solver = testing::solver(name);
        assert_eq!(solver.warm_trouble(None).unwrap(), None, "{name}");
        let policy = Policy { early_end: true, ..Policy::default() };
        let mut session = Session::new(&solver, Setup::default(), policy);
        let outcome = session.run(&Script::new(text), Requests::default()).unwrap();
        assert!(outcome.warm && outcome.exit.is_some(), "{name}: {outcome:?}");
        assert_eq!(outcome.crash, None, "{name}: {outcome:?}");
    }
}

/// Whether a text occurs in a file, or in one of a folder.
fn holds(path: &Path, text: &str) -> bool {
    if path.is_dir() {
        let entries = std::fs::read_dir(path).unwrap();
        return entries.flatten().any(|e| holds(&e.path(), text));
    }
    let bytes = std::fs::read(path).unwrap_or_default();
    bytes.windows(text.len()).any(|w| w == text.as_bytes())
}

/// The libraries that profiles call shared are in the solvers, and not in z3.
#[test]
fn shared_libraries() {
    for (library, sign) in [("symfpu", "symfpu"), ("libpoly", "lp_polynomial")] {
        for name in ["cvc5@latest", "bitwuzla@latest", "yices@latest", "z3@latest"] {
            let solver = testing::solver(name);
            let place = solver.folder().unwrap_or(solver.program());
            let said = solver.profile().shares.contains_key(library);
            assert_eq!(holds(place, sign), said, "{library} in {name}");
        }
    }
}
