//! Every fault of a solver gives its own outcome, in a cold run and in a warm session, and leaves nothing behind.

use std::sync::Arc;
use std::time::{Duration, Instant};

use smelt_solver::{
    Answer, Cancel, CrashKind, Exit, Launcher, Limit, Limits, Outcome, Policy, Profile, Requests,
    RunError, Sandbox, Script, Session, Setup, Solver, Walls,
};

const PROFILE: &str = r#"
name = "fake"
family = "fake"
tested = true
cold = { input = "file", args = ["{file}"] }
memory = "rss"
survives_refusal = true
scripts = { commands = ["set-info"] }
[warm]
restart_every = 1000
[patterns]
out_of_memory = ["out of memory"]
"#;

fn fake() -> Solver {
    fake_with(PROFILE)
}

fn fake_with(profile: &str) -> Solver {
    fake_given(profile, &[])
}

fn fake_given(profile: &str, args: &[&str]) -> Solver {
    let profile = Arc::new(Profile::from_toml(profile).unwrap());
    let launcher = Launcher::at(env!("CARGO_BIN_EXE_smelt-launch"));
    Solver::from_parts(
        "fake",
        profile,
        env!("CARGO_BIN_EXE_smelt-fake-solver"),
        args.iter().map(ToString::to_string).collect(),
        launcher,
    )
}

fn limits() -> Limits {
    Limits {
        resource: None,
        cpu: Some(Duration::from_millis(200)),
        wall: Duration::from_millis(800),
        memory: Some(128 << 20),
        resident: false,
        output: 1 << 20,
    }
}

fn setup() -> Setup {
    Setup { limits: limits(), ..Setup::default() }
}

/// Short patience only where the wall limit is what is tested: the machine may be busy.
fn setup_for(fault: &str) -> Setup {
    let mut setup = setup();
    if !fault.contains("hang") && fault != "close" {
        setup.limits.wall = Duration::from_secs(60);
    }
    setup
}

fn script(fault: &str) -> Script {
    Script::new(&format!("(set-info :fault {fault})\n(check-sat)\n"))
}

/// What each fault must give: the answer's kind, and further facts by name.
const FAULTS: &[(&str, &str)] = &[
    ("none", "sat"),
    ("hang", "timeout (wall limit)"),
    ("spin", "timeout (CPU limit)"),
    ("bomb", "out-of-memory"),
    ("segv", "crash (SIGSEGV)"),
    ("abort", "crash (assertion src/fake.cpp:12: x > 0)"),
    ("segv-after", "crash (SIGSEGV)"),
    ("garbage", "unreadable"),
    ("flood", "unreadable (more output than the limit allows)"),
    ("slow", "unsat"),
    ("exit", "unreadable"),
    ("exit3", "crash (exit code 3)"),
    ("linger", "sat"),
    ("linger-hang", "timeout (wall limit)"),
    ("error", "rejected (line 1: unknown constant foo), then answered sat"),
    ("oom", "out-of-memory"),
    ("unknown", "unknown (made up)"),
    ("stderr-flood", "sat"),
    ("words", "sat"),
    ("alarm", "timeout (the solver's own limit)"),
    ("virtual-alarm", "timeout (the solver's own limit)"),
    ("quit", "unreadable"),
    ("user-1", "unreadable"),
    ("user-2", "unreadable"),
    ("terminated", "unreadable"),
];

fn show(outcome: &Outcome) -> String {
    let mut text = outcome.answer().map(ToString::to_string).unwrap_or_default();
    if text.starts_with("unreadable (") && !text.contains("more output") {
        text = String::from("unreadable");
    }
    match (&outcome.crash, outcome.answer()) {
        (Some(crash), Some(answer)) if !matches!(answer, Answer::Crash(_)) => {
            format!("{text} + {crash}")
        }
        _ => text,
    }
}

/// Processes below this one, by command name.
fn descendants() -> Vec<String> {
    let mut parents = std::collections::HashMap::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Ok(pid) = entry.file_name().to_string_lossy().parse::<u32>() else { continue };
        let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        let Some((name, rest)) = stat.split_once('(').and_then(|(_, r)| r.rsplit_once(')')) else {
            continue;
        };
        let parent: u32 = rest.split_whitespace().nth(1).and_then(|p| p.parse().ok()).unwrap_or(0);
        parents.insert(pid, (parent, name.to_owned()));
    }
    let own = std::process::id();
    let below = |mut pid: u32| {
        while let Some((parent, _)) = parents.get(&pid) {
            if *parent == own {
                return true;
            }
            pid = *parent;
        }
        false
    };
    parents.iter().filter(|(pid, _)| below(**pid)).map(|(_, (_, name))| name.clone()).collect()
}

/// Fake solvers anywhere on the machine that linger, started by this test's program (told by its path).
fn lingering() -> usize {
    let program = env!("CARGO_BIN_EXE_smelt-fake-solver");
    let mut count = 0;
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).into_owned();
        count += usize::from(line.starts_with(program) && line.contains("--linger"));
    }
    count
}

fn descriptors() -> usize {
    std::fs::read_dir("/proc/self/fd").unwrap().count()
}

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

#[test]
fn a_missing_program_is_no_outcome() {
    let launcher = Launcher::at(env!("CARGO_BIN_EXE_smelt-launch"));
    let profile = Arc::new(Profile::from_toml(PROFILE).unwrap());
    let solver = Solver::from_parts("gone", profile, "/nonexistent/solver", Vec::new(), launcher);
    let error = solver.run_cold(&script("none"), &setup(), Requests::default(), None).unwrap_err();
    assert!(
        matches!(&error, RunError::Start { program, .. } if program == "/nonexistent/solver"),
        "{error}"
    );
    let mut session = Session::new(&solver, setup(), Policy::default());
    assert!(session.run(&script("none"), Requests::default()).is_err());
    let profile = Arc::new(Profile::from_toml(PROFILE).unwrap());
    let solver = Solver::from_parts(
        "x",
        profile,
        "/bin/true",
        Vec::new(),
        Launcher::at("/nonexistent/launcher"),
    );
    let error = solver.run_cold(&script("none"), &setup(), Requests::default(), None).unwrap_err();
    assert!(matches!(error, RunError::Launcher(_)), "{error}");
}

#[test]
fn a_program_deleted_while_it_runs() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("deleted-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let program = folder.join("solver");
    std::fs::copy(env!("CARGO_BIN_EXE_smelt-fake-solver"), &program).unwrap();
    let profile = Arc::new(Profile::from_toml(PROFILE).unwrap());
    let launcher = Launcher::at(env!("CARGO_BIN_EXE_smelt-launch"));
    let solver = Solver::from_parts("deleted", profile, &program, Vec::new(), launcher);
    let mut session = Session::new(&solver, setup(), Policy::default());
    assert_eq!(show(&session.run(&script("none"), Requests::default()).unwrap()), "sat");
    std::fs::remove_dir_all(&folder).unwrap();
    // The running process goes on; after a fault it cannot be replaced, and that is said.
    assert_eq!(
        show(&session.run(&script("segv"), Requests::default()).unwrap()),
        "crash (SIGSEGV)"
    );
    assert!(matches!(
        session.run(&script("none"), Requests::default()),
        Err(RunError::Start { .. })
    ));
}

/// A process that plays smelt, with a profile on disk.
fn campaign(profile: &str, name: &str, fault: &str, mode: &str) -> std::process::Command {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("{name}-{}.toml", std::process::id()));
    std::fs::write(&path, profile).unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_smelt-fake-solver"));
    command.args(["--campaign", env!("CARGO_BIN_EXE_smelt-launch")]).arg(path).args([fault, mode]);
    command
}

#[test]
fn a_temporary_folder_that_takes_nothing() {
    let profile = PROFILE.replace("input = \"file\"", "input = \"temp-file\"");
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("temp-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let run = |folder: &std::path::Path| {
        let output =
            campaign(&profile, "temp", "none", "cold").env("TMPDIR", folder).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert!(run(&folder).contains("Sat"));
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0, "a temporary script stayed");
    // A run that is given up before it has begun cleans up as well.
    let given_up =
        campaign(&profile, "given-up", "hang", "cancelled").env("TMPDIR", &folder).status();
    assert!(given_up.unwrap().success());
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0, "a temporary script stayed");
    std::fs::remove_dir_all(&folder).unwrap();
    // A folder that is gone stands for a disk that is full: the run fails with the place, and concludes nothing.
    let said = run(&folder);
    assert!(said.starts_with("Err(") && said.contains(".run"), "{said}");
}

/// Runs a campaign of one cold run below a shell command, with its own temporary folder; what it said, and whether it left
/// anything in the folder.
fn below_shell(name: &str, prepare: &str) -> (bool, String, usize) {
    let profile = PROFILE.replace("input = \"file\"", "input = \"temp-file\"");
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let inner = campaign(&profile, name, "none", "cold");
    let mut command = std::process::Command::new("sh");
    // The folder's name is the first argument; what is left in it is counted inside, where it may be a mount of its own.
    let script = format!(
        "{prepare}\nd=$1; shift; \"$@\"; echo \"left: $(ls -A $d | grep -v ^full$ | wc -l)\""
    );
    command
        .args(["-c", &script, "sh"])
        .arg(&folder)
        .arg(inner.get_program())
        .args(inner.get_args());
    let output = command.env("TMPDIR", &folder).output().unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let left = said.rsplit_once("left: ").and_then(|(_, n)| n.trim().parse().ok());
    (output.status.success(), said, left.unwrap_or(usize::MAX))
}

/// No file may grow: neither the script in memory nor the one on disk can be written.
#[test]
fn no_file_may_grow() {
    let (_, said, left) = below_shell("limit", "trap '' XFSZ; ulimit -f 0");
    assert!(said.starts_with("Err("), "{said}");
    assert_eq!(left, 0, "{said}");
    // The signal of the limit kills the program unless it is ignored, as a shell's `trap` does; then nothing is said.
    let (_, said, left) = below_shell("signal", "ulimit -f 0");
    assert!(!said.contains("Sat"), "{said}");
    assert_eq!(left, 0, "{said}");
}

/// A disk that is full: a small one of our own, where users may make name spaces.
#[test]
#[allow(clippy::print_stderr)]
fn a_full_disk() {
    let probe = std::process::Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"])
        .output();
    if !probe.is_ok_and(|p| p.status.success()) {
        eprintln!("skipped: a_full_disk (no name spaces for users here)");
        return;
    }
    let inside = |fill: &str| {
        format!(
            "if [ -z \"$SMELT_INSIDE\" ]; then export SMELT_INSIDE=1; exec unshare --user --map-root-user --mount sh -c \"$(cat <<'END'\n\
             mount -t tmpfs -o size=64k none $1 || exit 7; {fill}\nd=$1; shift; \"$@\"; echo \"left: $(ls -A $d | grep -v ^full$ | wc -l)\"\nEND\n)\" sh \"$@\"; fi"
        )
    };
    let (_, said, left) = below_shell("roomy", &inside("true"));
    assert!(said.contains("Sat"), "{said}");
    assert_eq!(left, 0, "{said}");
    let fill = "dd if=/dev/zero of=$1/full bs=1k 2>/dev/null";
    let (_, said, left) = below_shell("full", &inside(fill));
    assert!(said.starts_with("Err(") && said.contains(".smt2") && said.contains("space"), "{said}");
    assert_eq!(left, 0, "{said}");
}

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
