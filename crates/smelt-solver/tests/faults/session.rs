//! A process for many scripts: who restarts it, and when.

use std::time::{Duration, Instant};

use smelt_solver::{Limits, Policy, Requests, Script, Session, Setup, Solver};

use crate::fake::{FAULTS, PROFILE, fake, fake_given, script, setup, setup_for, show};

#[test]
fn warm_faults_restart_the_session_and_the_next_script_is_answered() {
    let solver = fake();
    for (fault, expect) in FAULTS {
        let mut session = Session::new(&solver, setup_for(fault), Policy::default());
        session.run(&script("none"), Requests::default()).unwrap();
        let outcome = session.run(&script(fault), Requests::default()).unwrap();
        assert_eq!(show(&outcome), *expect, "warm {fault}: {outcome:?}");
        assert!(outcome.warm);
        let next = session.run(&script("none"), Requests { model: true, core: false }).unwrap();
        assert_eq!(show(&next), "sat", "after {fault}: {next:?}");
        assert_eq!(next.model(), Some("((define-fun x () Int 1))"));
    }
}

#[test]
fn a_session_that_dies_in_reset_is_replaced() {
    let solver = fake();
    let mut session = Session::new(&solver, setup(), Policy::default());
    // The fake dies when it resets this script; the next one must not notice.
    let quiet = Script::new("(set-info :fault reset-dies)\n(check-sat)\n");
    assert_eq!(show(&session.run(&quiet, Requests::default()).unwrap()), "sat");
    assert_eq!(show(&session.run(&script("none"), Requests::default()).unwrap()), "sat");
    assert_eq!(session.starts(), 2);
}

/// The time that a process needs to start is charged to no script, and who does not start is not tried for ever.
#[test]
fn a_slow_start() {
    let slow = fake_given(PROFILE, &["--slow-start"]);
    let patient = Policy { start_up: Duration::from_millis(600), ..Policy::default() };
    let mut setup = setup();
    setup.limits.wall = Duration::from_secs(60);
    for (policy, warm, expect) in [
        (patient, script("none"), "sat"),
        (patient, Script::new("(set-option :a b)\n(check-sat)\n"), "sat"),
        (Policy::default(), script("none"), "sat"),
        (Policy::default(), Script::new("(set-option :a b)\n(check-sat)\n"), "timeout (CPU limit)"),
    ] {
        let mut session = Session::new(&slow, setup.clone(), policy);
        let outcome = session.run(&warm, Requests::default()).unwrap();
        assert_eq!(show(&outcome), expect, "{outcome:?}");
    }
    let never = fake_given(PROFILE, &["--install"]);
    let mut session = Session::new(&never, setup, Policy::default());
    for _ in 0..6 {
        session.run(&script("none"), Requests::default()).unwrap();
    }
    assert_eq!(session.starts(), 3);
}

#[test]
fn restart_policy_and_transcript() {
    let solver = fake();
    let policy = Policy { scripts: Some(3), ..Policy::default() };
    let mut session = Session::new(&solver, setup(), policy);
    for _ in 0..7 {
        session.run(&script("none"), Requests::default()).unwrap();
    }
    assert_eq!(session.starts(), 3);
    assert_eq!(session.transcript().matches("(check-sat)").count(), 1);
    session.run(&script("segv"), Requests::default()).unwrap();
    // The transcript of the process that crashed is kept for replay.
    assert_eq!(session.transcript().matches("(check-sat)").count(), 2);
    assert!(session.transcript().contains("(reset)"));
}

/// How a process ends is seen behind its last script, and with it a crash.
#[test]
fn sessions_see_the_end_of_their_process() {
    let dies = fake_given(PROFILE, &["--dies-at-end"]);
    let crash = "sat + SIGSEGV";
    let check = |solver: &Solver, policy: Policy, expect: &[&str]| {
        let mut session = Session::new(solver, setup_for("none"), policy);
        for (k, expect) in expect.iter().enumerate() {
            let outcome = session.run(&script("none"), Requests::default()).unwrap();
            assert_eq!(show(&outcome), *expect, "{k}: {outcome:?}");
            assert!(session.transcript().contains("(check-sat)"), "{k}: nothing to replay");
        }
    };
    let three = Policy { scripts: Some(3), ..Policy::default() };
    check(&dies, three, &["sat", "sat", crash, "sat", "sat", crash]);
    check(&dies, Policy { early_end: true, ..three }, &[crash, "sat", "sat", crash, "sat"]);
    check(&dies, Policy::default(), &["sat", "sat", "sat"]);
    check(&fake(), Policy { early_end: true, ..three }, &["sat", "sat", "sat", "sat"]);
    // In a fresh process it is seen at once.
    let cold = dies.run_cold(&script("none"), &setup_for("none"), Requests::default(), None);
    assert_eq!(show(&cold.unwrap()), crash);
}

/// Who keeps its answers back until its input ends is found out once, and gets a process for each script.
#[test]
fn solvers_that_buffer() {
    let buffers = fake_given(PROFILE, &["--buffers"]);
    let begun = Instant::now();
    let mut session = Session::new(&buffers, setup_for("none"), Policy::default());
    for _ in 0..3 {
        let outcome = session.run(&script("none"), Requests::default()).unwrap();
        assert_eq!((show(&outcome).as_str(), outcome.warm), ("sat", false));
    }
    assert_eq!(session.starts(), 1);
    assert!(begun.elapsed() < Duration::from_secs(15), "{:?}", begun.elapsed());
    let trouble = |solver: &Solver| solver.warm_trouble(None).unwrap();
    assert_eq!(trouble(&buffers), Some("it keeps its answers back until its input ends"));
    assert_eq!(trouble(&buffers.cold_only()), None);
    assert_eq!(trouble(&fake()), None);
    // One that ends at once, and one that works long before it says anything.
    let never = fake_given(PROFILE, &["--install"]);
    let answer = "started to take one script after the other, it does not answer";
    assert_eq!(trouble(&never), Some(answer));
    assert_eq!(trouble(&fake_given(PROFILE, &["--slow-start"])), None);
}

#[test]
fn growth_and_age_restart_a_session() {
    let solver = fake();
    let roomy = Setup {
        limits: Limits { memory: Some(1 << 30), ..setup_for("grow").limits },
        ..Setup::default()
    };
    let starts = |policy: Policy, fault: &str| {
        let mut session = Session::new(&solver, roomy.clone(), policy);
        for _ in 0..64 {
            assert_eq!(show(&session.run(&script(fault), Requests::default()).unwrap()), "sat");
        }
        session.starts()
    };
    let tight = Policy { growth: 16 << 20, ..Policy::default() };
    assert_eq!(starts(tight, "none"), 1);
    assert_eq!(starts(tight, "grow"), 4);
    assert_eq!(starts(Policy { age: Duration::ZERO, ..Policy::default() }, "none"), 64);
}

#[test]
fn on_demand_questions() {
    let solver = fake();
    let mut session = Session::new(&solver, setup(), Policy::default());
    session.run(&script("none"), Requests::default()).unwrap();
    assert_eq!(session.ask("(count)").unwrap().as_deref(), Some("(0)\n"));
    session.prepare();
    session.run(&script("none"), Requests::default()).unwrap();
    assert_eq!(
        session.ask("(count)").unwrap().as_deref(),
        Some("(1)\n"),
        "prepare must not reset twice"
    );
}
