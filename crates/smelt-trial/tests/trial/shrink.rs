//! The driver of reductions, with tests that run nothing.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use smelt_solver::{Cancel, RunError};
use smelt_trial::shrink::{Effort, Generic, Smaller, Stopped, Test, generic};

/// A test in words.
struct By<F>(F);

impl<F: Fn(&str) -> bool + Sync> Test for By<F> {
    fn holds(&self, text: &str) -> Result<bool, RunError> {
        Ok((self.0)(text))
    }
}

const TEXT: &str = "(set-logic ALL)(declare-fun p () Bool)(declare-fun q () Bool)(declare-fun x () Int)\
    (assert (or p (> x 1234)))(assert (and q (not p)))(assert p)(check-sat)";

fn reduced(
    text: &str,
    effort: &Effort<'_>,
    holds: impl Fn(&str) -> bool + Sync,
) -> Result<Smaller, Generic> {
    generic(text, &By(holds), effort, &mut |_| {})
}

#[test]
fn typed_and_not() {
    let cancel = Cancel::new().unwrap();
    let effort = Effort::new(Duration::from_secs(1), &cancel);
    let keeps = |t: &str| t.contains("(> ") && t.contains("check-sat");
    let small = reduced(TEXT, &effort, keeps).unwrap();
    assert!(small.text.len() < 40 && keeps(&small.text) && small.typed.is_some(), "{}", small.text);
    // What smelt cannot type is reduced all the same.
    let strange = TEXT.replace("(set-logic ALL)", "(frob (> x))");
    let small = reduced(&strange, &effort, |t| t.contains("frob") && t.contains("check")).unwrap();
    assert!(small.text.len() < 20, "{}", small.text);
}

#[test]
fn what_never_and_what_always_holds() {
    let cancel = Cancel::new().unwrap();
    let effort = Effort::new(Duration::from_secs(1), &cancel);
    assert!(matches!(reduced(TEXT, &effort, |_| false), Err(Generic::DoesNotHold)));
    assert!(matches!(reduced(TEXT, &effort, |_| true), Err(Generic::HoldsOfNothing)));
}

#[test]
fn votes_threads_and_ends() {
    let cancel = Cancel::new().unwrap();
    let plain = Effort::new(Duration::from_secs(1), &cancel);
    let keeps = |t: &str| t.contains("(not p)");
    let alone = reduced(TEXT, &plain, keeps).unwrap();
    let many = reduced(TEXT, &Effort { threads: 3, ..plain }, keeps).unwrap();
    assert_eq!(alone.text, many.text);
    // It shows in every third run.
    let n = AtomicU32::new(0);
    let flaky = |t: &str| keeps(t) && n.fetch_add(1, Ordering::Relaxed) % 3 == 2;
    assert!(matches!(reduced(TEXT, &plain, flaky), Err(Generic::DoesNotHold)));
    n.store(0, Ordering::Relaxed);
    assert_eq!(reduced(TEXT, &Effort { votes: 3, ..plain }, flaky).unwrap().text, alone.text);
    // What was smallest at the end is kept.
    let few = reduced(TEXT, &Effort { tests: Some(4), ..plain }, keeps).unwrap();
    assert!(few.stopped == Some(Stopped::Tests) && keeps(&few.text), "{}", few.text);
    let ends = |t: &str| {
        if t.len() < TEXT.len() {
            cancel.cancel();
        }
        keeps(t)
    };
    let ended = reduced(TEXT, &plain, ends).unwrap();
    assert!(ended.stopped == Some(Stopped::Cancelled) && keeps(&ended.text), "{}", ended.text);
}
