//! What a program of a user's may do within the sandbox, and what it is told otherwise.

use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use smelt_solver::testing::registry;
use smelt_solver::{Requests, Sandbox, Script, Setup, Solver, SolverSpec, Walls};

/// A fresh folder for a test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sandbox").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A shell script as a solver: `sat` if it can do this, `unsat` if it cannot.
fn can(folder: &Path, name: &str, what: &str) -> Solver {
    let path = folder.join("solver");
    let text =
        format!("#!/bin/sh\nif {what} >/dev/null 2>&1; then echo sat; else echo unsat; fi\n");
    std::fs::write(&path, text).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    let spec = SolverSpec::parse(&format!("{name}={}", path.display())).unwrap();
    registry().resolve(&spec).unwrap()
}

/// The first answer of a solver, with all that is said of it.
fn answer(solver: &Solver) -> String {
    let script = Script::new("(set-logic QF_UF)\n(check-sat)\n");
    let outcome = solver.run_cold(&script, &Setup::default(), Requests::default(), None).unwrap();
    assert!(outcome.crash.is_none(), "{outcome:?}");
    outcome.answer().map_or(String::new(), ToString::to_string)
}

#[test]
fn what_a_wrapper_script_may_do() {
    let (own, other) = (folder("own"), folder("other"));
    std::fs::write(own.join("beside"), "x").unwrap();
    std::fs::write(other.join("secret"), "x").unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    // Written so that it is no path in the script: those are readable.
    let secret = format!("\"/\"{}/secret", other.display().to_string().trim_start_matches('/'));
    let beside = own.join("beside").display().to_string();
    let connect =
        format!("python3 -c 'import socket; socket.create_connection((\"127.0.0.1\", {port}))'");
    let abi = Walls::wanted(Sandbox::Auto).unwrap().landlock;
    for (what, allowed) in [
        ("echo x > \"$TMPDIR/x\" && cat \"$TMPDIR/x\" && rm \"$TMPDIR/x\"".to_owned(), true),
        ("cat \"$1\"".to_owned(), true),
        (format!("cat {beside}"), true),
        ("python3 -c 'import json'".to_owned(), true),
        ("cat /proc/self/maps".to_owned(), true),
        (format!("cat {}", other.join("secret").display()), true),
        (format!("cat {secret}"), abi < 1),
        (format!(": > {secret}"), abi < 1),
        (format!("echo x >> {secret}"), abi < 1),
        (format!("rm {beside}"), abi < 1),
        (format!("touch {}/new", own.display()), abi < 1),
        ("cat /etc/passwd".to_owned(), true),
        ("cat \"/\"etc/group".to_owned(), abi < 1),
        (connect, abi < 4),
        (format!("kill -0 {}", std::process::id()), abi < 6),
    ] {
        // Some shells end where they cannot open a file.
        let said = answer(&can(&own, "generic", &what));
        assert_eq!(said == "sat", allowed, "{what}: {said}");
        assert_eq!(answer(&can(&own, "generic", &what).within(Walls::NONE)), "sat", "{what}");
        std::fs::write(own.join("beside"), "x").unwrap();
        std::fs::write(other.join("secret"), "x").unwrap();
    }
}

/// A solver whose profile says nothing of files writes none; that it tries is no crash of it.
#[test]
fn a_file_that_may_not_be_written() {
    let own = folder("size");
    let exec = "true; exec dd if=/dev/zero of=x count=1; exit";
    let said = answer(&can(&own, "z3", exec));
    assert_eq!(said, "unreadable (ended by SIGXFSZ: the sandbox lets it write no file)");
}

/// A wrapper of a user's finds its interpreter on PATH, wherever that is: here it may be a script of a version manager's, below the home
/// folder. Whatever else is there stays shut.
#[test]
fn a_wrapper_by_env() {
    let own = folder("env");
    let path = own.join("solver.py");
    std::fs::write(own.join("beside.py"), "WORD = 'sat'\n").unwrap();
    let text = "#!/usr/bin/env python3\nimport json, sys\nimport beside\nprint(beside.WORD)\n";
    std::fs::write(&path, text).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    let resolve = |spec: &str| registry().resolve(&SolverSpec::parse(spec).unwrap()).unwrap();
    assert_eq!(answer(&resolve(&path.display().to_string())), "sat");
    let program = own.join("started");
    std::fs::write(&program, format!("#!/bin/sh\nexec python3 {} \"$@\"\n", path.display()))
        .unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(answer(&resolve(&program.display().to_string())), "sat");
}
