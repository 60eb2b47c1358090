//! A process for one script.

use std::time::Duration;

use smelt_solver::{
    Answer, CrashKind, Exit, Limit, Limits, Policy, Requests, Sandbox, Session, Setup, Walls,
};

use crate::fake::{FAULTS, PROFILE, fake, fake_with, script, setup, setup_for, show};

#[test]
fn cold_faults() {
    let solver = fake();
    for (fault, expect) in FAULTS.iter().chain(&[("close", "timeout (wall limit)")]) {
        let outcome =
            solver.run_cold(&script(fault), &setup_for(fault), Requests::default(), None).unwrap();
        assert_eq!(show(&outcome), *expect, "cold {fault}: {outcome:?}");
        assert!(outcome.stdout.len() <= 1 << 20);
        assert!(outcome.stderr.len() <= 1 << 20);
    }
}

/// A solver runs in an empty folder of its own, which is gone with what it left there.
#[test]
fn a_folder_of_its_own() {
    let solver = fake();
    let run =
        || solver.run_cold(&script("folder"), &setup_for("folder"), Requests::default(), None);
    let mut session = Session::new(&solver, setup_for("folder"), Policy::default());
    let warm = session.run(&script("folder"), Requests::default()).unwrap();
    session.stop();
    let mut seen = std::collections::BTreeSet::new();
    for outcome in [run().unwrap(), run().unwrap(), warm] {
        assert_eq!(show(&outcome), "sat", "{outcome:?}");
        // (Messages name the folder by this word alone in cold runs, so that those of one bug stay the same.)
        let (folder, count) = outcome.stderr.trim().split_once(" has ").unwrap();
        assert_eq!(count, "0", "{outcome:?}");
        assert!(folder == "folder" || !std::path::Path::new(folder).exists(), "{folder}");
        seen.insert(folder.to_owned());
    }
    let here = std::env::current_dir().unwrap();
    assert!(!seen.contains(&*here.to_string_lossy()) && !here.join("left-behind").exists());
}

/// Who does not look whether it got memory dies without a word: that is no crash, unless it dies with memory, too.
#[test]
fn crashes_for_lack_of_memory() {
    let solver = fake_with(&PROFILE.replace("memory = \"rss\"", "memory = \"address-space\""));
    let limits = Limits { memory: Some(1 << 30), ..Limits::default() };
    let setup = Setup { limits, ..Setup::default() };
    for (fault, expect) in [
        ("unchecked", "out-of-memory"),
        ("unchecked-loud", "crash (assertion x.cpp:1: 0 == 1)"),
        ("segv", "crash (SIGSEGV)"),
        ("exit3", "crash (exit code 3)"),
    ] {
        let outcome = solver.run_cold(&script(fault), &setup, Requests::default(), None).unwrap();
        assert_eq!(show(&outcome), expect, "{fault}: {outcome:?}");
    }
}

#[test]
fn exit_and_usage_come_from_the_kernel() {
    let solver = fake();
    let outcome =
        solver.run_cold(&script("spin"), &setup_for("spin"), Requests::default(), None).unwrap();
    assert_eq!(outcome.exit, Some(Exit::Signal(9)));
    assert!(
        outcome.cpu >= Duration::from_millis(190) && outcome.cpu < Duration::from_millis(500),
        "{:?}",
        outcome.cpu
    );
    let outcome =
        solver.run_cold(&script("bomb"), &setup_for("bomb"), Requests::default(), None).unwrap();
    assert!(outcome.peak_rss > 100 << 20, "{}", outcome.peak_rss);
    let outcome = solver.run_cold(&script("hang"), &setup(), Requests::default(), None).unwrap();
    assert!(outcome.cpu < Duration::from_millis(100), "{:?}", outcome.cpu);
    assert!(matches!(outcome.answer(), Some(Answer::Timeout(Limit::Wall))));
}

#[test]
fn an_address_space_limit_is_kept_by_the_kernel() {
    let solver = fake_with(&PROFILE.replace("memory = \"rss\"", "memory = \"address-space\""));
    let outcome =
        solver.run_cold(&script("bomb"), &setup_for("bomb"), Requests::default(), None).unwrap();
    // Rust's allocator aborts when the kernel refuses; a solver would say "out of memory".
    let by_kernel = matches!(outcome.answer(), Some(Answer::Crash(c)) if matches!(c.kind, CrashKind::Signal { signal: 6, .. }));
    assert!(by_kernel || matches!(outcome.answer(), Some(Answer::OutOfMemory)), "{outcome:?}");
    assert!(outcome.peak_rss < 140 << 20);
}

#[test]
fn gdb_names_the_frames_of_a_bare_signal() {
    if !std::path::Path::new("/usr/bin/gdb").exists() {
        return;
    }
    let (setup, script) = (setup_for("segv-after"), script("segv-after"));
    // Behind all walls that this kernel has, too.
    for walls in [Walls::NONE, Walls::wanted(Sandbox::Auto).unwrap()] {
        let solver = fake().within(walls);
        let mut outcome = solver.run_cold(&script, &setup, Requests::default(), None).unwrap();
        assert_eq!(outcome.crash.as_ref().map(|c| c.signature()).as_deref(), Some("SIGSEGV"));
        solver.name_frames(&script, &setup, &mut outcome, None).unwrap();
        let signature = outcome.crash.unwrap().signature();
        let named = signature.contains("misbehave") || signature.contains("main");
        assert!(named, "{walls}: {signature}");
    }
}

/// A question may end a process behind a complete answer, also one that is asked in a second run only.
#[test]
fn crashes_by_questions() {
    let requests = Requests { model: true, core: true };
    let careful = PROFILE.replace("survives_refusal = true", "survives_refusal = false");
    for (profile, fault, expect) in [
        (PROFILE, "model-dies", "sat + SIGSEGV"),
        (PROFILE, "core-dies", "unsat + SIGSEGV"),
        (&careful, "core-dies", "unsat + SIGSEGV"),
        (&careful, "core-exits", "unsat"),
    ] {
        let solver = fake_with(&format!("core_args = []\n{profile}"));
        let setup = Setup { cores: true, ..setup_for(fault) };
        let cold = solver.run_cold(&script(fault), &setup, requests, None).unwrap();
        assert_eq!(show(&cold), expect, "cold {fault}: {cold:?}");
        let mut session = Session::new(&solver, setup, Policy::default());
        let warm = session.run(&script(fault), requests).unwrap();
        assert_eq!(show(&warm), expect, "warm {fault}: {warm:?}");
        assert!(warm.warm);
    }
}
