//! When an engine ends, and what a defect, a fault and a finding cost.

use std::sync::atomic::{AtomicU64, Ordering};

use smelt_campaign::control::Control;
use smelt_campaign::engine::{End, Engine};
use smelt_campaign::event::Event;
use smelt_campaign::facts;
use smelt_campaign::journal::{Journal, LeaseLine};
use smelt_campaign::plan::{Config, Plan};
use smelt_campaign::sequence::{Counter, Sequence};
use smelt_campaign::source::CaseSource;
use smelt_campaign::tally::Tally;
use smelt_solver::RunError;
use smelt_trial::Target;

use crate::made_up::{Cases, Memory, config, dir, plan, solver};

const SCRIPT: &str = "(declare-const p Bool)(assert p)(check-sat)";

/// One that never knows.
fn shy(name: &str) -> Target {
    solver(&dir(&format!("{name}-solver")), "shy", "echo unknown")
}

/// Runs a plan on a source: how it ended, what it told, and what it kept.
fn run(
    name: &str,
    plan: &Plan,
    parts: (&dyn CaseSource, &dyn Sequence),
    stop: impl Fn(&Event, &Control),
) -> (End, Vec<Event>, Memory) {
    let journal = Journal::open(&dir(name)).unwrap();
    let run = journal.begin_run("{}").unwrap();
    let control = Control::new(Tally::default()).unwrap();
    let shelf = Memory::default();
    let facts = facts::of(plan, &control);
    let engine = Engine::new(plan, parts, (&*facts, &shelf), (&journal, run), &control);
    let mut told = Vec::new();
    let end = engine.run(0.0, &mut |event| {
        stop(&event, &control);
        told.push(event);
    });
    drop(engine);
    // What was counted is in the journal.
    let kept = Tally::of_rows(&journal.counts(run).unwrap());
    assert_eq!(kept.total.tests, end.last.counts.total.tests);
    (end, told, shelf)
}

fn never(_: &Event, _: &Control) {}

#[test]
fn budgets() {
    let source = Cases(|_| Ok(vec![SCRIPT.to_owned(); 3]));
    for (tests, jobs) in [(1, 1), (7, 1), (20, 3)] {
        let config = Config { tests: Some(tests), jobs, ..config() };
        let plan = plan(config, vec![shy("budgets")]);
        let (end, ..) = run("budgets", &plan, (&source, &Counter::from(0)), never);
        let made = end.last.counts.total.tests;
        // Each worker may be at one when the last is counted.
        assert!((tests..tests + jobs as u64).contains(&made), "{made} of {tests}");
        assert!(end.failure.is_none());
    }
    let plan = plan(Config { time: Some(0.3), ..config() }, vec![shy("budgets-time")]);
    let (end, ..) = run("budgets-time", &plan, (&source, &Counter::from(0)), never);
    assert!((0.3..20.0).contains(&end.last.elapsed_seconds), "{}", end.last.elapsed_seconds);
}

/// A run ends when nobody gives positions any more, and when somebody cancels it.
#[test]
fn stops() {
    struct Few(AtomicU64);
    impl Sequence for Few {
        fn next(&self) -> Option<u64> {
            Some(self.0.fetch_add(1, Ordering::Relaxed)).filter(|n| *n < 4)
        }

        fn finish(&self, _: u64, _: Option<&LeaseLine>) {}
    }
    let source = Cases(|_| Ok(vec![SCRIPT.to_owned()]));
    let plan = plan(config(), vec![shy("stops")]);
    let (end, ..) = run("few", &plan, (&source, &Few(AtomicU64::new(0))), never);
    assert_eq!(end.last.counts.total.tests, 4);
    let cancel = |event: &Event, control: &Control| {
        if let Event::Progress(now) = event
            && now.counts.total.tests > 0
        {
            control.cancel.cancel();
        }
    };
    let (end, ..) = run("cancelled", &plan, (&source, &Counter::from(0)), cancel);
    assert!(end.last.counts.total.tests > 0 && end.failure.is_none());
}

/// A defect of smelt costs the lease that met it.
#[test]
fn defects() {
    let source = Cases(|seq| match seq {
        2 => panic!("a defect that this test wants"),
        _ => Ok(vec![SCRIPT.to_owned()]),
    });
    let plan = plan(Config { tests: Some(5), ..config() }, vec![shy("defects")]);
    let (end, told, _) = run("defects", &plan, (&source, &Counter::from(0)), never);
    let total = &end.last.counts.total;
    assert_eq!((total.tests, total.panics), (5, 1));
    let said = "chain 2 met a defect";
    let is_said = |e: &Event| matches!(e, Event::Message { message } if message.contains(said));
    assert!(told.iter().any(is_said), "{told:?}");
}

/// Faults of the machine are counted; where nothing can be run any more, the campaign ends and says why.
#[test]
fn faults() {
    let fault = || RunError::System(std::io::Error::other("no process"));
    let once = Cases(move |seq| match seq {
        1 => Err(fault()),
        _ => Ok(vec![SCRIPT.to_owned()]),
    });
    let plan = plan(Config { tests: Some(4), ..config() }, vec![shy("faults")]);
    let (end, ..) = run("one-fault", &plan, (&once, &Counter::from(0)), never);
    assert_eq!((end.last.counts.total.faults, end.last.counts.total.tests), (1, 4));
    assert!(end.failure.is_none());
}

/// A wrong answer becomes a finding once, and the budget of findings ends the run.
#[test]
fn findings() {
    let liar = solver(&dir("liar"), "liar", "echo unsat");
    let plan = plan(Config { findings: Some(1), ..config() }, vec![liar]);
    let source = Cases(|_| Ok(vec![SCRIPT.to_owned()]));
    let (end, told, shelf) = run("findings", &plan, (&source, &Counter::from(0)), never);
    let kept = shelf.0.into_inner().unwrap();
    assert_eq!(kept.len(), 1, "{told:?}");
    assert_eq!(kept[0].finding.class().word(), "refutation-soundness");
    assert!(told.iter().any(|e| matches!(e, Event::Found { .. })));
    assert_eq!(end.last.counts.found(), 1);
}
