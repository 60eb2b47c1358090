//! The rooms of the workspace: who may depend on whom, and who may start a process. `ARCHITECTURE.md` shows the same picture.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value as Json;

/// Each crate with those of the workspace that it may use, beside what these use.
const ROOMS: &[(&str, &[&str])] = &[
    ("smelt-smtlib", &[]),
    ("smelt-eval", &["smelt-smtlib"]),
    ("smelt-case", &["smelt-eval"]),
    ("smelt-strategy", &["smelt-case"]),
    ("smelt-reduce", &["smelt-strategy"]),
    ("smelt-solver", &["smelt-smtlib"]),
    ("smelt-triage", &["smelt-case", "smelt-solver"]),
    ("smelt-trial", &["smelt-triage", "smelt-reduce"]),
    ("smelt-campaign", &["smelt-trial", "smelt-strategy"]),
    ("smelt-page", &["smelt-campaign"]),
    ("smelt-hub", &["smelt-page"]),
    ("smelt", &["smelt-hub"]),
    ("xtask", &["smelt"]),
];

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A crate and all that it may use.
fn below(name: &str) -> BTreeSet<&'static str> {
    let mut all = BTreeSet::new();
    let mut todo: Vec<&str> = vec![name];
    while let Some(next) = todo.pop() {
        let (room, uses) = ROOMS.iter().find(|(n, _)| *n == next).unwrap();
        if all.insert(*room) {
            todo.extend(*uses);
        }
    }
    all
}

#[test]
fn dependencies_go_down_only() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(workspace())
        .output()
        .unwrap();
    let metadata: Json = serde_json::from_slice(&output.stdout).unwrap();
    let mut seen = BTreeMap::new();
    for package in metadata["packages"].as_array().unwrap() {
        let name = package["name"].as_str().unwrap();
        let allowed = below(name);
        let used: Vec<&str> = package["dependencies"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|d| d["name"].as_str())
            .filter(|d| d.starts_with("smelt") || *d == "xtask")
            .collect();
        for dependency in &used {
            assert!(allowed.contains(dependency), "{name} must not use {dependency}");
        }
        seen.insert(name.to_owned(), used.len());
    }
    assert_eq!(seen.len(), ROOMS.len(), "{seen:?}");
}

/// Where the source of a crate starts a process by itself, outside of its tests.
#[test]
fn only_the_solver_crate_starts_processes() {
    let mut found = Vec::new();
    let mut todo = vec![workspace().join("crates")];
    while let Some(path) = todo.pop() {
        if path.is_dir() {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            // Tests, benchmarks and examples run what they like; xtask asks independent judges.
            let apart = ["tests", "benches", "examples", "xtask", "smelt-solver"];
            if !apart.contains(&name.as_str()) {
                todo.extend(std::fs::read_dir(&path).unwrap().map(|e| e.unwrap().path()));
            }
        } else if path.extension().is_some_and(|e| e == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            let own = text.split("#[cfg(test)]").next().unwrap();
            if own.contains("process::Command") || own.contains("Command::new(") {
                found.push(path);
            }
        }
    }
    assert_eq!(found, [] as [PathBuf; 0]);
}

/// Only the command line prints.
#[test]
fn libraries_do_not_print() {
    for (name, _) in ROOMS.iter().filter(|(n, _)| !["smelt", "xtask", "smelt-solver"].contains(n)) {
        let mut todo = vec![workspace().join("crates").join(name).join("src")];
        while let Some(path) = todo.pop() {
            if path.is_dir() {
                todo.extend(std::fs::read_dir(&path).unwrap().map(|e| e.unwrap().path()));
            } else {
                let text = std::fs::read_to_string(&path).unwrap();
                let own = text.split("#[cfg(test)]").next().unwrap();
                for word in ["println!", "eprintln!", "io::stdout()", "io::stderr()"] {
                    assert!(!own.contains(word), "{} has {word}", path.display());
                }
            }
        }
    }
}
