//! For tests of this and other crates: real solvers, installed once into the build folder by smelt's own code.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, OnceLock};

use nix::fcntl::{Flock, FlockArg};

use crate::home::Home;
use crate::process::Launcher;
use crate::registry::Registry;
use crate::releases;
use crate::solver::Solver;
use crate::spec::SolverSpec;

/// The build folder that the running test belongs to.
fn target_folder() -> PathBuf {
    let program = std::env::current_exe().unwrap_or_default();
    // …/target/debug/deps/test-123 or …/target/debug/examples/x or …/target/debug/x
    let profile = program.ancestors().find(|p| p.join("deps").is_dir()).map(Path::to_owned);
    profile.unwrap_or_else(std::env::temp_dir)
}

/// A launcher: `smelt-launch` beside the test, built if it is not there.
///
/// # Panics
/// When it cannot be built.
pub fn launcher() -> Launcher {
    static LAUNCHER: OnceLock<Launcher> = OnceLock::new();
    LAUNCHER
        .get_or_init(|| {
            let folder = target_folder();
            let program = folder.join("smelt-launch");
            if !program.is_file() {
                let _lock = lock(&folder.join(".smelt-launch.lock"));
                if !program.is_file() {
                    let release = folder.file_name().is_some_and(|n| n == "release");
                    let mut command =
                        Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
                    command.args(["build", "-p", "smelt-solver", "--bin", "smelt-launch"]);
                    command.args(release.then_some("--release"));
                    command.current_dir(env!("CARGO_MANIFEST_DIR"));
                    if let Some(target) = folder.parent() {
                        command.env("CARGO_TARGET_DIR", target);
                    }
                    assert!(
                        command.status().is_ok_and(|s| s.success()),
                        "cannot build smelt-launch"
                    );
                }
            }
            Launcher::at(program)
        })
        .clone()
}

/// The data folder of tests: `target/smelt-home`, shared by all builds.
pub fn home() -> Home {
    let folder = target_folder();
    Home::at(folder.parent().unwrap_or(&folder).join("smelt-home"))
}

fn lock(path: &Path) -> Flock<std::fs::File> {
    let open = || {
        std::fs::create_dir_all(path.parent()?).ok()?;
        let file = std::fs::File::create(path).ok()?;
        Flock::lock(file, FlockArg::LockExclusive).ok()
    };
    open().unwrap_or_else(|| panic!("cannot lock {}", path.display()))
}

/// The registry of tests.
///
/// # Panics
/// When the data folder is broken.
pub fn registry() -> Registry {
    Registry::open(home(), launcher()).unwrap_or_else(|e| panic!("{e}"))
}

/// A real solver by a name such as `z3@latest`, `z3@4.8.7`, `cvc5@latest`: installed on first use, under a file lock, so that
/// tests that run side by side download it once. `latest` is asked for once a day.
///
/// # Panics
/// When it cannot be installed.
pub fn solver(name: &str) -> Solver {
    static DONE: OnceLock<Mutex<HashMap<String, Solver>>> = OnceLock::new();
    let done = DONE.get_or_init(Mutex::default);
    let mut done = done.lock().unwrap_or_else(|e| e.into_inner());
    if let Some(solver) = done.get(name) {
        return solver.clone();
    }
    let registry = registry();
    let spec = SolverSpec::parse(name).unwrap_or_else(|e| panic!("{e}"));
    let crate::spec::Source::Release(solver_name, version) = &spec.source else {
        panic!("{name} is no release");
    };
    let _lock = lock(&home().root().join("install.lock"));
    let there = releases::find(registry.home(), solver_name, version).is_some();
    // An old release that another test installed first is not the latest.
    if !there || (version == "latest" && !releases::asked_lately(registry.home(), solver_name)) {
        let profile = registry
            .profiles()
            .get(solver_name)
            .unwrap_or_else(|| panic!("no profile {solver_name}"));
        let (home, launcher) = (registry.home(), registry.launcher());
        match releases::install(home, profile, version, launcher, None, |_| {}) {
            Ok(_) => {}
            Err(_) if there => releases::note_asked(home, solver_name, false),
            Err(e) => panic!("{name}: {e}"),
        }
    }
    let solver = registry.resolve(&spec).unwrap_or_else(|e| panic!("{e}"));
    done.insert(name.to_owned(), solver.clone());
    solver
}
