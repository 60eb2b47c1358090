//! The driver of shrinking, with predicates that run nothing.

use std::time::Duration;

use smelt_reduce::pair::Pair;
use smelt_solver::Cancel;
use smelt_trial::shrink::{Shrink, plain};

use crate::panels::script;

const THREE: &str = "(declare-fun p () Bool)(declare-fun q () Bool)(declare-fun r () Bool)\
    (assert p)(assert q)(assert r)(check-sat)";

#[test]
fn texts_are_tried_once() {
    let cancel = Cancel::new().unwrap();
    let mut shrink = Shrink::new(&cancel);
    let mut tried = 0;
    let mut run = |shrink: &mut Shrink<'_>| {
        let small = shrink.script(&script(THREE), 0, |s| {
            tried += 1;
            Ok(plain(s).contains("(assert q)"))
        });
        (plain(&small.unwrap()).matches("assert").count(), tried)
    };
    let (left, first) = run(&mut shrink);
    assert!(left == 1 && first > 0);
    // Nothing is asked a second time.
    assert_eq!(run(&mut shrink), (1, first));
}

#[test]
fn votes_and_ends() {
    let cancel = Cancel::new().unwrap();
    // It shows in every third process.
    let flaky = |mut shrink: Shrink<'_>| {
        let mut n = 0;
        let small = shrink.script(&script(THREE), 0, |_| {
            n += 1;
            Ok(n % 3 == 0)
        });
        (small.is_some_and(|s| plain(&s).matches("assert").count() == 1), n)
    };
    assert!(!flaky(Shrink::new(&cancel)).0 && flaky(Shrink::new(&cancel).with_votes(3)).0);
    assert_eq!(flaky(Shrink::new(&cancel).within(Duration::ZERO)), (false, 0));
    cancel.cancel();
    assert_eq!(flaky(Shrink::new(&cancel)), (false, 0));
}

#[test]
fn pairs() {
    let cancel = Cancel::new().unwrap();
    let before =
        "(declare-fun x () Int)(declare-fun y () Int)(assert (= x 1))(assert (= y 1))(check-sat)";
    let after =
        "(declare-fun x () Int)(declare-fun y () Int)(assert (> x 0))(assert (= y 1))(check-sat)";
    let pair =
        Pair { before, after, rule: "none", status: smelt_solver::Status::Sat, parameters: &[] };
    let holds = |b: &str, a: &str| Ok(b.contains("(= x 1)") && a.contains("(> x 0)"));
    let (b, a) = Shrink::new(&cancel).pair(&pair, holds).unwrap();
    assert!(!b.contains('y') && !a.contains('y'), "{b}{a}");
    assert!(Shrink::new(&cancel).within(Duration::ZERO).pair(&pair, holds).is_none());
}
