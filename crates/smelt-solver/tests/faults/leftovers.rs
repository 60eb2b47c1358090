//! What is left of processes: nothing, whoever is killed.

use std::time::{Duration, Instant};

use smelt_solver::{Cancel, Limits, Policy, Requests, RunError, Session, Setup};

use crate::fake::{
    FAULTS, PROFILE, campaign, descendants, descriptors, fake, limits, lingering, script,
};

#[test]
fn nothing_outlives_a_killed_smelt() {
    for (fault, mode) in
        [("linger-hang", "cold"), ("linger-hang", "warm"), ("spin", "warm"), ("hang", "cold")]
    {
        let mut smelt = campaign(PROFILE, "killed", fault, mode)
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        // A child that is not ours tells by its environment whose it is; here the parent's number does.
        let begun = Instant::now();
        let below = |pid: u32| -> Vec<u32> {
            let text = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"))
                .unwrap_or_default();
            text.split_whitespace().filter_map(|p| p.parse().ok()).collect()
        };
        let tree = |root: u32| -> Vec<u32> {
            let mut all = below(root);
            let mut next = 0;
            while next < all.len() {
                all.extend(below(all[next]));
                next += 1;
            }
            all
        };
        let wanted = if fault == "linger-hang" { 3 } else { 2 };
        let mut seen = Vec::new();
        while seen.len() < wanted && begun.elapsed() < Duration::from_secs(10) {
            std::thread::sleep(Duration::from_millis(20));
            seen = tree(smelt.id());
        }
        assert!(seen.len() >= wanted, "{fault}: launcher, solver and what it forked: {seen:?}");
        smelt.kill().unwrap();
        smelt.wait().unwrap();
        let alive = |pid: &u32| std::path::Path::new(&format!("/proc/{pid}")).exists();
        let begun = Instant::now();
        while seen.iter().any(alive) && begun.elapsed() < Duration::from_secs(10) {
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(!seen.iter().any(alive), "{fault} {mode}: {seen:?} outlived smelt");
    }
}

#[test]
fn a_solver_dies_with_its_launcher() {
    let mut smelt = campaign(PROFILE, "launcher", "hang", "warm")
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let child = |pid: u32| -> Option<u32> {
        let text = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).ok()?;
        text.split_whitespace().next()?.parse().ok()
    };
    let begun = Instant::now();
    let (mut launcher, mut solver) = (None, None);
    while solver.is_none() && begun.elapsed() < Duration::from_secs(10) {
        launcher = child(smelt.id());
        solver = launcher.and_then(child);
        std::thread::sleep(Duration::from_millis(10));
    }
    let (launcher, solver) = (launcher.unwrap(), solver.unwrap());
    nix::sys::signal::kill(
        nix::unistd::Pid::from_raw(launcher as i32),
        nix::sys::signal::Signal::SIGKILL,
    )
    .unwrap();
    let mut said = String::new();
    std::io::Read::read_to_string(&mut smelt.stdout.take().unwrap(), &mut said).unwrap();
    smelt.wait().unwrap();
    assert!(said.contains("launcher"), "no verdict about the solver: {said}");
    let begun = Instant::now();
    let gone = || !std::path::Path::new(&format!("/proc/{solver}")).exists();
    while !gone() && begun.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(gone());
}

#[test]
fn every_wait_can_be_cancelled() {
    let solver = fake();
    let patient = Setup {
        limits: Limits { cpu: None, wall: Duration::from_secs(600), ..limits() },
        ..Setup::default()
    };
    for warm in [false, true] {
        let cancel = Cancel::new().unwrap();
        let waker = cancel.clone();
        let begun = Instant::now();
        let thread = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(100));
            waker.cancel();
        });
        let result = if warm {
            let mut session =
                Session::new(&solver, patient.clone(), Policy::default()).cancelled_by(&cancel);
            session.run(&script("linger-hang"), Requests::default())
        } else {
            solver.run_cold(&script("linger-hang"), &patient, Requests::default(), Some(&cancel))
        };
        assert!(matches!(result, Err(RunError::Cancelled)), "{result:?}");
        assert!(begun.elapsed() < Duration::from_secs(5));
        thread.join().unwrap();
    }
}

#[test]
fn many_faults_leave_nothing_behind() {
    // The long version is the example `faults`; this is the same loop, short.
    let rounds: usize =
        std::env::var("SMELT_FAULTS").ok().and_then(|n| n.parse().ok()).unwrap_or(60);
    let solver = fake();
    let quick = Setup {
        limits: Limits {
            cpu: Some(Duration::from_millis(30)),
            wall: Duration::from_millis(60),
            ..limits()
        },
        ..Setup::default()
    };
    let mut session = Session::new(&solver, quick.clone(), Policy::default());
    let names: Vec<&str> = FAULTS
        .iter()
        .map(|f| f.0)
        .filter(|f| !matches!(*f, "none" | "slow" | "stderr-flood"))
        .collect();
    session.run(&script("none"), Requests::default()).unwrap();
    session.stop();
    let before = descriptors();
    for round in 0..rounds {
        let fault = names[round % names.len()];
        if round % 2 == 0 {
            session.run(&script(fault), Requests::default()).unwrap();
        } else {
            solver.run_cold(&script(fault), &quick, Requests::default(), None).unwrap();
        }
    }
    session.stop();
    // Other tests run beside this one in the same process, so only what is ours alone can be counted exactly; the long
    // version runs alone and counts everything.
    if std::env::var_os("SMELT_FAULTS").is_some() {
        assert_eq!(descendants(), Vec::<String>::new());
        assert_eq!(descriptors(), before);
        assert_eq!(lingering(), 0);
    }
}
