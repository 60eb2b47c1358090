//! Running smelt as a user does, in the tests' temporary folder.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Output};

use smelt_solver::testing;

/// Writes a file there.
pub fn file(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path
}

/// Writes a shell script there that can be run, in a folder of its own if the name has one.
#[allow(dead_code, reason = "not every test program has solvers of its own")]
pub fn program(name: &str, text: &str) -> PathBuf {
    let folder = PathBuf::from(name);
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(folder.parent().unwrap());
    std::fs::create_dir_all(folder).unwrap();
    let path = file(name, &format!("#!/bin/sh\n{text}\n"));
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// Runs smelt there, with the solvers of the tests.
pub fn smelt(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_smelt"))
        .args(args)
        .current_dir(env!("CARGO_TARGET_TMPDIR"))
        .env("SMELT_HOME", testing::home().root())
        .output()
        .unwrap()
}
