//! The driver of shrinking, with predicates that run nothing.

use std::sync::atomic::{AtomicU32, Ordering};
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

/// A script of so many assertions, of which those with these numbers are needed.
fn needed(of: usize, numbers: &[usize]) -> (String, impl Fn(&str) -> bool + Sync) {
    let names: Vec<String> = (0..of).map(|i| format!("p{i}")).collect();
    let declared = names.iter().map(|p| format!("(declare-fun {p} () Bool)"));
    let asserted = names.iter().map(|p| format!("(assert {p})"));
    let text = declared.chain(asserted).collect::<String>() + "(check-sat)";
    let wanted: Vec<String> = numbers.iter().map(|i| format!("(assert p{i})")).collect();
    (text, move |text: &str| wanted.iter().all(|w| text.contains(w)))
}

/// Whoever is faster, what comes first in the order of the candidates is taken.
#[test]
fn threads_change_nothing() {
    let cancel = Cancel::new().unwrap();
    for (of, numbers) in
        [(9, &[0][..]), (9, &[8]), (13, &[2, 3, 11]), (16, &[]), (16, &[0, 5, 10, 15]), (2, &[1])]
    {
        let (text, holds) = needed(of, numbers);
        let whole = script(&text);
        let alone = Shrink::new(&cancel).script(&whole, 0, |s| Ok(holds(&plain(s))));
        for threads in [1, 2, 5] {
            let (tried, turn) = (AtomicU32::new(0), AtomicU32::new(0));
            let mut shrink = Shrink::new(&cancel);
            let mut run = || {
                let small = shrink.script_on(threads, &whole, 0, |s| {
                    tried.fetch_add(1, Ordering::Relaxed);
                    // Every second one is late, so that later candidates are known first.
                    let late = turn.fetch_add(1, Ordering::Relaxed).is_multiple_of(2);
                    std::thread::sleep(Duration::from_millis(if late { 4 } else { 0 }));
                    Ok(holds(&plain(s)))
                });
                (small.map(|s| plain(&s)), tried.load(Ordering::Relaxed))
            };
            let (small, first) = run();
            assert_eq!(small, alone.as_ref().map(plain), "{of} {numbers:?} {threads}");
            // Nothing is tried twice.
            assert_eq!(run(), (small, first));
        }
    }
}

/// What was smallest when it is cancelled is kept, and a defect reaches the caller.
#[test]
fn threads_and_their_end() {
    let cancel = Cancel::new().unwrap();
    let (text, holds) = needed(16, &[3]);
    let whole = script(&text);
    let tried = AtomicU32::new(0);
    let small = Shrink::new(&cancel).script_on(2, &whole, 0, |s| {
        let shows = holds(&plain(s));
        if shows && tried.fetch_add(1, Ordering::Relaxed) == 1 {
            cancel.cancel();
        }
        Ok(shows)
    });
    let left = plain(&small.unwrap()).matches("(assert ").count();
    assert!((2..16).contains(&left), "{left}");
    let cancel = Cancel::new().unwrap();
    let defect = std::panic::AssertUnwindSafe(|| {
        Shrink::new(&cancel).script_on(2, &whole, 0, |_| panic!("a defect that this test wants"))
    });
    assert!(std::panic::catch_unwind(defect).is_err());
    assert!(
        Shrink::new(&cancel).within(Duration::ZERO).script_on(2, &whole, 0, |_| Ok(true)).is_none()
    );
}

#[test]
fn pairs_on_threads() {
    let cancel = Cancel::new().unwrap();
    let before = needed(7, &[]).0.replace("(assert p2)", "(assert (and p2 p3))");
    let after = needed(7, &[]).0;
    let pair = Pair {
        before: &before,
        after: &after,
        rule: "none",
        status: smelt_solver::Status::Sat,
        parameters: &[],
    };
    let holds = |b: &str, a: &str| Ok(b.contains("(and p2 p3)") && a.contains("(assert p5)"));
    let alone = Shrink::new(&cancel).pair(&pair, holds).unwrap();
    assert_eq!(alone.1.matches("(assert ").count(), 2, "{alone:?}");
    assert_eq!(Shrink::new(&cancel).pair_on(2, &pair, holds), Some(alone));
}
