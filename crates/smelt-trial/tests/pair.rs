//! The pair shrinker of smelt-reduce, with a real solver as its predicate.

use smelt_reduce::one_by_one;
use smelt_reduce::pair::{Pair, shrink};
use smelt_smtlib::{Status, parse};
use smelt_solver::{Answer, Requests, Setup, testing};
use smelt_strategy::janus::step::RuleStep;

/// z3 5.4.0 decides a string equation where one of its strings is given, and not where it is free.
#[test]
fn a_pair_of_a_real_solver() {
    let z3 = testing::solver("z3@5.4.0");
    let answer = |text: &str| {
        let script = smelt_solver::Script::new(text);
        let outcome = z3.run_cold(&script, &Setup::default(), Requests::default(), None);
        outcome.unwrap().checks.remove(0).answer
    };
    let holds =
        |b: &str, a: &str| answer(b) == Answer::Sat && matches!(answer(a), Answer::Unknown(_));
    let whole = |part: &str| {
        format!(
            "(declare-const s String)(declare-const t String)(declare-const n Int)(declare-const p Bool)\n\
            (assert (or p (< n (str.len s))))\n\
            (assert (and (=> p (< n 5)) {part} (or p (> n (str.len t)))))(check-sat)"
        )
    };
    let all = "(= (str.++ s \"b\") (str.replace_all t \"a\" (str.++ s \"b\")))";
    let [before, after] =
        [whole(&format!("(and (= t \"\") (not {all}))")), whole(&format!("(not {all})"))];
    assert!(holds(&before, &after));
    let pair = Pair {
        before: &before,
        after: &after,
        rule: "and-to-part",
        status: Status::Sat,
        parameters: &[],
    };
    let (b, a) = shrink(&pair, one_by_one(|(b, a): &(String, String)| holds(b, a))).unwrap();
    assert!(holds(&b, &a) && b.len() + a.len() < 400, "{b}{a}");
    assert!(!b.contains("Int") && !a.contains("Bool"), "{b}{a}");
    let [b, a] = [b, a].map(|t| parse(t.as_bytes()).unwrap());
    assert!(RuleStep::find(&b, &a, "and-to-part", Status::Sat, &[]).is_some());
}
