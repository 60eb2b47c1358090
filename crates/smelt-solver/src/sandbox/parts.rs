//! The files that a build of a user's own consists of, beside its program.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::elf::Elf;
use super::libraries::Libraries;
use super::named::{in_arguments, named};

/// Libraries of every program, by the beginnings of their names: a build is not another one because the system was updated.
const RUN_TIME: &[&str] = &[
    "ld-linux",
    "libc.so",
    "libdl.so",
    "libgcc_s.so",
    "libm.so",
    "libpthread.so",
    "librt.so",
    "libstdc++.so",
];

/// Endings of program texts, which need not be executable where an interpreter is given their names.
const TEXTS: &[&str] = &["jar", "js", "lua", "mjs", "pl", "py", "pyz", "rb", "sh"];

/// Folders without files that are kept.
const NO_FILES: &[&str] = &["/dev", "/proc", "/sys"];

/// The programs, program texts and libraries that a program needs: what it names, if it is a script, and what its arguments name; with the
/// libraries of all of them. (Not what a script writes or reads beside that, such as a log.)
pub(crate) fn parts(program: &Path, args: &[String]) -> BTreeSet<PathBuf> {
    let given = in_arguments(args);
    let mut all: BTreeSet<PathBuf> = named(program);
    given.iter().for_each(|g| all.extend(named(g)));
    all.retain(|p| is_program(p));
    all.extend(given.into_iter().filter(|p| is_kept(p)));
    let loaded = all.iter().map(PathBuf::as_path).chain([program]);
    let libraries = loaded.flat_map(|p| Libraries::of(p).files).filter(|p| !is_run_time(p));
    all.extend(libraries.collect::<Vec<_>>());
    all.remove(program);
    all
}

fn is_kept(path: &Path) -> bool {
    path.is_file() && !NO_FILES.iter().any(|f| path.starts_with(f))
}

fn is_program(path: &Path) -> bool {
    let is_text = || path.extension().is_some_and(|e| TEXTS.iter().any(|t| e == *t));
    let runs = |p: &Path| p.metadata().is_ok_and(|m| m.permissions().mode() & 0o111 != 0);
    is_kept(path) && (runs(path) || is_text() || Elf::read(path).is_some())
}

fn is_run_time(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    RUN_TIME.iter().any(|r| name.starts_with(r))
}
