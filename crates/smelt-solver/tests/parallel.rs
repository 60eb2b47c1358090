//! Two sessions side by side use two cores and share nothing.

use std::sync::Arc;
use std::time::{Duration, Instant};

use smelt_solver::{
    Answer, Launcher, Limits, Policy, Profile, Requests, Script, Session, Setup, Solver,
};

fn fake() -> Solver {
    let profile = Profile::from_toml(
        "name='fake'\nfamily='fake'\ntested=true\ncold={input='file',args=['{file}']}\nmemory='rss'\nscripts={commands=['set-info']}\n[warm]\nrestart_every=100000\n",
    );
    let launcher = Launcher::at(env!("CARGO_BIN_EXE_smelt-launch"));
    Solver::from_parts(
        "fake",
        Arc::new(profile.unwrap()),
        env!("CARGO_BIN_EXE_smelt-fake-solver"),
        Vec::new(),
        launcher,
    )
}

const SPIN: Duration = Duration::from_millis(600);

/// CPU time that two jobs burn together, as a multiple of the wall time they take.
fn cores_used(job: fn() -> Duration) -> f64 {
    let begun = Instant::now();
    let threads = [std::thread::spawn(job), std::thread::spawn(job)];
    let cpu: Duration = threads.into_iter().map(|t| t.join().unwrap()).sum();
    cpu.as_secs_f64() / begun.elapsed().as_secs_f64()
}

/// A session whose solver spins up to its CPU limit.
fn session_job() -> Duration {
    let limits = Limits { cpu: Some(SPIN), wall: Duration::from_secs(60), ..Limits::default() };
    let mut session =
        Session::new(&fake(), Setup { limits, ..Setup::default() }, Policy::default());
    let spin = Script::new("(set-info :fault spin)\n(check-sat)\n");
    let outcome = session.run(&spin, Requests::default()).unwrap();
    assert!(matches!(outcome.answer(), Some(Answer::Timeout(_))));
    outcome.cpu
}

/// A bare thread that spins as long: what the machine can give at this moment.
fn thread_job() -> Duration {
    let now = || {
        let clock = nix::time::ClockId::CLOCK_THREAD_CPUTIME_ID;
        nix::time::clock_gettime(clock).map(Duration::from).unwrap()
    };
    let start = now();
    while now() - start < SPIN {
        std::hint::black_box((0..1000).sum::<u64>());
    }
    now() - start
}

#[test]
fn two_sessions_use_two_cores() {
    // Other work on the machine takes its share of the cores, so the measure is two bare threads at about the same moment.
    let mut best = 0.0f64;
    for _ in 0..8 {
        let (sessions, threads) = (cores_used(session_job), cores_used(thread_job));
        best = best.max(sessions / threads);
        if best > 0.9 {
            return;
        }
    }
    panic!("two sessions got only {best:.2} times the CPU of two bare threads");
}

#[test]
fn sessions_share_no_state() {
    let solver = fake();
    let mut one = Session::new(&solver, Setup::default(), Policy::default());
    let mut two = Session::new(&solver, Setup::default(), Policy::default());
    let script = Script::new("(check-sat)\n");
    for _ in 0..5 {
        one.run(&script, Requests::default()).unwrap();
    }
    two.run(&script, Requests::default()).unwrap();
    assert_eq!(one.ask("(count)").unwrap().as_deref(), Some("(4)\n"));
    assert_eq!(two.ask("(count)").unwrap().as_deref(), Some("(0)\n"));
    // A fault of one does not touch the other.
    one.run(&Script::new("(set-info :fault segv)\n(check-sat)\n"), Requests::default()).unwrap();
    assert_eq!(two.ask("(count)").unwrap().as_deref(), Some("(0)\n"));
    assert_eq!(one.key(), two.key());
    assert_ne!(
        one.key(),
        Session::new(
            &solver,
            Setup { extra: vec!["-x".into()], ..Setup::default() },
            Policy::default()
        )
        .key()
    );
}
