//! `smelt fuzz --base OLD --new NEW`: only what the new build does worse.

use std::fs;

use smelt_solver::testing;

use crate::run::{SEED, SMALL, campaign, findings, folder, smelt, text};
use crate::scripted::{CRASHES, scripted, shell};

/// Only what the new build does worse is reported; two builds of one name and version are told apart.
#[test]
fn comparing_builds() {
    let dir = folder("compare", SEED);
    let build = |folder: &str, script: &str| {
        let spec = shell(&dir.join(folder), "solver", script);
        spec.split_once('=').unwrap().1.to_owned()
    };
    let run = |old: &str, new: &str, code: i32| {
        let (old, new) = (build("old", old), build("new", new));
        let _ = fs::remove_dir_all(dir.join("out"));
        let mut args =
            campaign(&[], "--tests 20 --out out --strategy opfuzz --seed 2 --options none");
        args.extend(["--base", &old, "--new", &new]);
        smelt(&dir, &args, code);
        findings(&dir)
            .iter()
            .map(|(_, f)| f["verdicts"][0]["class"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let none: Vec<String> = Vec::new();
    assert_eq!(run("echo unknown", CRASHES, 10), ["crash"]);
    assert_eq!(run(CRASHES, "echo unknown", 0), none);
    assert_eq!(run(CRASHES, CRASHES, 0), none);
    // How many kinds of scripts are met is a matter of luck.
    let z3 = testing::solver("z3@latest");
    let right = format!("exec '{}' \"$1\"", z3.program().display());
    let lost = run(&right, "echo unknown", 10);
    assert!(!lost.is_empty() && lost.iter().all(|c| c == "incompleteness-regression"), "{lost:?}");
}

/// A crash of another kind than the base's is news; the same one, and what a session of the base shows too, is counted.
#[test]
fn what_the_base_shows_too() {
    let dir = folder("base", SMALL);
    let run = |old: &str, new: &str, code: i32| {
        let _ = fs::remove_dir_all(dir.join("out"));
        let mut args = campaign(
            &[],
            "--tests 8 --findings 1 --out out --options none --strategy opfuzz --seed 1",
        );
        args.extend(["--base", old, "--new", new]);
        (text(&smelt(&dir, &args, code)), findings(&dir))
    };
    let shared = "candidates that the base shows, too";
    let build = |folder: &str, does: &str| {
        let text = format!("grep -q '(or ' \"$1\" && {does}; echo unknown");
        shell(&dir.join(folder), "solver", &text)
    };
    let exits = |folder: &str| build(folder, "exit 114");
    let dies = |folder: &str| build(folder, "kill -SEGV $$");
    let (said, found) = run(&exits("old"), &dies("new"), 10);
    assert!(found[0].1["signature"].as_str().unwrap().contains("SIGSEGV"), "{said}");
    for same in [&exits as &dyn Fn(&str) -> String, &dies] {
        let (said, _) = run(&same("old"), &same("new"), 0);
        assert!(said.contains(shared), "{said}");
    }
    // Both go wrong in a process that has answered before; the base in fresh ones only, so that its sessions differ.
    let says = |folder: &str, when: &str, wrong: &str| {
        let text = format!("def answer(script):\n    if {when}: {wrong}\n    return 'sat'\n");
        scripted(&dir.join(folder), "z3", &text)
    };
    let session = |wrong: &str| {
        let new = says("new-z3", "checks > 2", wrong);
        let (said, found) = run(&says("old-z3", "False", wrong), &new, 10);
        assert!(found.iter().any(|(_, f)| f["reproducer"]["session"] == true), "{said}");
        let (said, _) = run(&says("old-z3", "checks > 2 and not warm", wrong), &new, 0);
        assert!(said.contains(shared), "{said}");
    };
    session("return 'unsat'");
    // A base that does not come to the end of the session, and is right about the script alone, does not show the same.
    let old = says("old-z3", "checks > 2 and not warm", "sys.exit()");
    let (said, found) = run(&old, &says("new-z3", "checks > 2", "return 'unsat'"), 10);
    assert!(found.iter().any(|(_, f)| f["reproducer"]["session"] == true), "{said}");
    session("os._exit(114)");
}
