//! The scripts below a folder, for tests and benchmarks.

use std::path::{Path, PathBuf};

/// All `.smt2` files below a folder up to so many bytes, in the order of their names.
pub fn scripts(dir: &Path, most: u64) -> Vec<PathBuf> {
    let mut out = Vec::new();
    let mut dirs = vec![dir.to_owned()];
    while let Some(d) = dirs.pop() {
        let entries = std::fs::read_dir(&d).into_iter().flatten();
        for p in entries.filter_map(|e| Some(e.ok()?.path())) {
            if p.is_dir() {
                dirs.push(p);
            } else if p.extension().is_some_and(|e| e == "smt2")
                && p.metadata().is_ok_and(|m| m.len() <= most)
            {
                out.push(p);
            }
        }
    }
    out.sort();
    out
}

/// The folder that `SMELT_CORPUS` names, or the embedded seeds.
#[allow(dead_code, reason = "benchmarks only")]
pub fn corpus() -> PathBuf {
    std::env::var_os("SMELT_CORPUS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus"), PathBuf::from)
}
