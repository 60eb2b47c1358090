//! Installing and removing releases, and finding solvers by name.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use smelt_solver::{Home, Registry, ResolveError, SolverSpec, releases, testing};

fn scratch(name: &str) -> PathBuf {
    let folder =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn a_killed_install_leaves_nothing_that_looks_like_a_release() {
    let folder = scratch("killed-install");
    let home = Home::at(&folder);
    for delay in [300, 1200, 2500] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_smelt-fake-solver"))
            .args(["--install", env!("CARGO_BIN_EXE_smelt-launch"), "yices", "latest"])
            .arg(&folder)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(delay));
        child.kill().unwrap();
        child.wait().unwrap();
        for release in releases::installed(&home) {
            // Finished before it was killed: then it must work.
            assert!(release.folder.join("bin/yices-smt2").is_file(), "{release:?}");
        }
    }
    // The next install sweeps up and succeeds.
    let begun = Instant::now();
    let registry = Registry::open(home.clone(), testing::launcher()).unwrap();
    let profile = registry.profiles().get("yices").unwrap().clone();
    let done =
        releases::install(&home, &profile, "latest", registry.launcher(), None, |_| {}).unwrap();
    assert!(begun.elapsed() < Duration::from_secs(300));
    let names: Vec<String> = std::fs::read_dir(home.solvers())
        .unwrap()
        .flatten()
        .map(|e| e.file_name().to_string_lossy().into_owned())
        .collect();
    assert_eq!(names, [format!("yices-{}", done.version)]);
    let again =
        releases::install(&home, &profile, &done.version, registry.launcher(), None, |_| {})
            .unwrap();
    assert!(again.already);
    assert!(releases::asked_lately(&home, "yices") && !releases::asked_lately(&home, "z3"));
    let solver = registry.resolve(&SolverSpec::parse("yices@latest").unwrap()).unwrap();
    assert!(solver.program().starts_with(&folder));
    assert!(releases::remove(&home, "yices", "latest").unwrap().is_some());
    assert!(releases::remove(&home, "yices", "latest").unwrap().is_none());
    assert_eq!(releases::installed(&home), []);
    assert!(!releases::asked_lately(&home, "yices"));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn mistakes_get_one_clear_sentence() {
    let folder = scratch("mistakes");
    let registry = Registry::open(Home::at(&folder), testing::launcher()).unwrap();
    let say =
        |name: &str| registry.resolve(&SolverSpec::parse(name).unwrap()).unwrap_err().to_string();
    assert!(say("z3@9.9.9").contains("smelt solvers install z3@9.9.9"));
    assert!(say("nosuchsolver").contains("on PATH"));
    assert!(say("./no/such/file").contains("No such file"));
    assert!(say(env!("CARGO_MANIFEST_DIR")).contains("is not a file"));
    let file = folder.join("plain");
    std::fs::write(&file, "x").unwrap();
    assert!(say(file.to_str().unwrap()).contains("not executable"));
    let profiles = registry.profiles();
    let install = |name: &str, version: &str| {
        let profile = profiles.get(name).unwrap();
        releases::install(registry.home(), profile, version, registry.launcher(), None, |_| {})
            .unwrap_err()
            .to_string()
    };
    assert!(install("opensmt", "latest").contains("PATH"));
    assert!(install("cvc5", "1.0.8").contains("no parser"));
    assert!(install("yices", "99").contains("there are"));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn profiles_of_the_user_win() {
    let folder = scratch("profiles");
    std::fs::create_dir_all(folder.join("profiles")).unwrap();
    let text = "name='mine'\nfamily='mine'\ntested=false\ncold={input='stdin'}\n";
    std::fs::write(folder.join("profiles/mine.toml"), text).unwrap();
    let z3 = text.replace("mine", "z3");
    std::fs::write(folder.join("profiles/z3.toml"), z3).unwrap();
    let registry = Registry::open(Home::at(&folder), testing::launcher()).unwrap();
    assert_eq!(registry.profiles().get("mine").unwrap().family, "mine");
    assert!(registry.profiles().get("z3").unwrap().warm.is_none());
    std::fs::write(folder.join("profiles/bad.toml"), "name = 1").unwrap();
    let error = Registry::open(Home::at(&folder), testing::launcher()).unwrap_err();
    assert!(matches!(&error, ResolveError::Broken(t) if t.contains("bad.toml")), "{error}");
    std::fs::remove_dir_all(&folder).unwrap();
}
