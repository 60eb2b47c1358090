//! Programs that are gone, folders and disks that take nothing.

use std::sync::Arc;

use smelt_solver::{Launcher, Policy, Profile, Requests, RunError, Session, Solver};

use crate::fake::{PROFILE, campaign, script, setup, show};

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
