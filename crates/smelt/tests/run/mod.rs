//! Running smelt as a user does, in the tests' temporary folder.

use std::path::PathBuf;
use std::process::{Command, Output};

use smelt_solver::testing;

/// Writes a file there.
pub fn file(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
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
