//! Findings and campaigns that are taken up again, from other folders, with other solvers, among files that are none.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value as Json;

const SEED: &str = "(set-logic QF_UF)(declare-const p Bool)(declare-const q Bool)\
    (assert (or p q))(assert (=> p q))(check-sat)\n";

/// An empty folder of this test's own.
fn folder(name: &str) -> PathBuf {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("again").join(name);
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(dir.join("seeds")).unwrap();
    fs::write(dir.join("seeds/one.smt2"), SEED).unwrap();
    dir
}

fn program(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// A solver that is a shell script.
fn solver(dir: &Path, name: &str, script: &str) -> String {
    program(&dir.join(name), &format!("#!/bin/sh\n{script}\n"));
    format!("{name}={}", dir.join(name).display())
}

/// A solver that passes for z3; Python's `answer(script, checks)` is what it says, `warm` whether it is a session.
fn z3(dir: &Path, answer: &str) -> String {
    let path = dir.join("z3");
    let text = r#"#!/usr/bin/env python3
import os, re, sys
if any("version" in a for a in sys.argv):
    print("Z3 version 4.13.0")
    sys.exit()
warm = "-in" in sys.argv
# PATH
exec(open(os.path.join(os.path.dirname(sys.argv[0]), "answer.py")).read())
source = sys.stdin if warm else open(sys.argv[-1])
checks, script = 0, ""
for line in iter(source.readline, ""):
    script += line
    for command in re.findall(r'\(check-sat|\(echo "[^"]*"', line):
        if command.startswith("(echo"):
            print(command[7:-1])
        else:
            checks += 1
            print(answer(script, checks))
    sys.stdout.flush()
"#;
    // What it takes is found out once per program, so its answers are no part of it.
    program(&path, &text.replace("PATH", &path.display().to_string()));
    fs::write(dir.join("answer.py"), answer).unwrap();
    path.display().to_string()
}

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// Runs smelt in a folder, for a minute and a half at most; what it says.
fn smelt(dir: &Path, args: &[&str], code: i32) -> String {
    let mut c = Command::new("timeout");
    c.args(["-s", "KILL", "90", env!("CARGO_BIN_EXE_smelt")]).args(args).current_dir(dir);
    let home = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("again-home");
    let out = c.env("SMELT_HOME", home).output().unwrap();
    let said = String::from_utf8_lossy(&out.stdout).into_owned();
    let said = said + &String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(code), "{args:?}\n{said}");
    said
}

/// The arguments of a campaign on the seeds of a folder, with one worker; `more` is split at blanks.
fn campaign<'a>(solvers: &[&'a str], more: &'a str) -> Vec<&'a str> {
    let mut args = vec!["fuzz", "seeds", "--jobs", "1", "--strategy", "opfuzz", "--seed", "1"];
    solvers.iter().for_each(|s| args.extend(["--solver", *s]));
    args.extend(more.split_whitespace());
    args
}

fn findings(dir: &Path) -> Vec<(PathBuf, Json)> {
    let Ok(entries) = fs::read_dir(dir.join("out/findings")) else { return Vec::new() };
    let read = |path: PathBuf| {
        let json = fs::read(path.join("finding.json")).ok()?;
        Some((path, serde_json::from_slice(&json).unwrap()))
    };
    entries.filter_map(|e| read(e.unwrap().path())).collect()
}

/// A solver that does not come as far as the question has not answered it.
#[test]
fn a_replay_that_learns_nothing() {
    let dir = folder("nothing");
    let liar = solver(&dir, "liar", "echo unsat");
    let honest = solver(&dir, "honest", "echo sat");
    smelt(&dir, &campaign(&[&liar, &honest], "--findings 1 --tests 300 --out out"), 10);
    let (path, mut f) = findings(&dir).remove(0);
    assert_eq!(f["class"], "refutation-soundness");
    let mode = fs::metadata(path.join("repro.sh")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o755);
    let finding = path.to_str().unwrap();
    let check = |name: &str, script: &str, code: i32, expect: &str| {
        let spec = solver(&dir, name, script);
        let said = smelt(&dir, &["replay", finding, "--solver", &spec], code);
        assert!(said.contains(expect), "{name}: no `{expect}` in\n{said}");
    };
    check("refuses", "echo '(error \"line 1: no such thing\")'", 3, "open: nothing learnt (");
    check("gives-up", "echo unknown", 3, "open: nothing learnt (unknown)");
    check("babbles", "echo perhaps", 3, "open: nothing learnt (");
    check("is-silent", "", 3, "open: nothing learnt (");
    check("exits", "exit 7", 3, "open: nothing learnt (");
    check("dies", "kill -SEGV $$", 3, "open: nothing learnt (");
    check("honest", "echo sat", 0, "does not hold: sat");
    check("liar", "echo unsat", 10, "still holds: unsat");
    // One that holds counts, and one that does not is no answer for one that is open.
    let gives_up = solver(&dir, "gives-up", "echo unknown");
    let all = ["replay", finding, "--solver", &gives_up, "--solver", &honest];
    smelt(&dir, &all, 3);
    smelt(&dir, &[&all[..], &["--solver", &liar]].concat(), 10);
    // A check that is not there, and a script that is none.
    for number in [0, 99] {
        f["check"] = number.into();
        fs::write(path.join("finding.json"), f.to_string()).unwrap();
        let said = smelt(&dir, &["replay", finding], 2);
        let expect = format!("cannot be replayed: it is about check {number}, and bug.smt2 has 1");
        assert!(said.contains(&expect), "{said}");
    }
    fs::remove_file(path.join("bug.smt2")).unwrap();
    pipe(&path.join("bug.smt2"));
    let said = smelt(&dir, &["replay", finding], 2);
    assert!(said.contains("bug.smt2: it is no file"), "{said}");
    fs::remove_file(path.join("finding.json")).unwrap();
    pipe(&path.join("finding.json"));
    let said = smelt(&dir, &["replay", finding], 2);
    assert!(said.contains("finding.json: it is no file"), "{said}");
}

/// An error may be why a process dies: then a crash behind it is not the one that was found.
#[test]
fn a_crash_behind_an_error() {
    let dir = folder("behind-an-error");
    let crasher = solver(&dir, "crasher", "grep -q distinct \"$1\" && kill -SEGV $$; echo unknown");
    smelt(&dir, &campaign(&[&crasher], "--findings 1 --tests 300 --out out"), 10);
    let (path, f) = findings(&dir).remove(0);
    assert_eq!(f["class"], "crash");
    let finding = path.to_str().unwrap();
    let check = |name: &str, script: &str, code: i32, expect: &str| {
        let spec = solver(&dir, name, script);
        let said = smelt(&dir, &["replay", finding, "--solver", &spec], code);
        assert!(said.contains(expect), "{name}: no `{expect}` in\n{said}");
    };
    let error = "echo '(error \"line 1: no such thing\")'";
    check("errs", &format!("{error}; kill -SEGV $$"), 3, "open: nothing learnt (");
    check("answers", &format!("echo sat; {error}; kill -SEGV $$"), 3, "behind an error)");
    check("dies", "echo sat; kill -SEGV $$", 10, "still holds: SIGSEGV");
}

/// A campaign is the same from any folder, and when the files that it was begun with are gone.
#[test]
fn resuming_from_elsewhere() {
    let dir = folder("elsewhere");
    solver(&dir, "shy", "echo unknown");
    solver(&dir, "coy", "echo unknown");
    fs::write(dir.join("operators.txt"), "and,or\n").unwrap();
    let more = "--tests 5 --out out --param opfuzz.operators=operators.txt";
    let said = smelt(&dir, &campaign(&["./shy;./coy;./shy -x"], more), 0);
    let solvers = |said: &str| {
        let line = said.lines().find(|l| l.starts_with("solvers: "));
        line.unwrap_or_else(|| panic!("{said}")).to_owned()
    };
    fs::remove_file(dir.join("operators.txt")).unwrap();
    let resume = ["fuzz", "--resume", "--out", "../out", "--tests", "5"];
    let again = smelt(&dir.join("seeds"), &resume, 0);
    assert_eq!(solvers(&said), solvers(&again));
    smelt(&dir.join("seeds"), &resume, 0);
}

/// Links are followed, once; what is called like a script and cannot be read is counted for what it is.
#[test]
fn files_that_are_none() {
    let dir = folder("none");
    let seeds = dir.join("seeds");
    fs::create_dir_all(dir.join("more/deep")).unwrap();
    fs::write(dir.join("more/deep/two.smt2"), SEED.replace("(or p q)", "(and p q)")).unwrap();
    symlink(dir.join("more"), seeds.join("linked")).unwrap();
    symlink(&seeds, dir.join("more/deep/back")).unwrap();
    symlink(dir.join("gone.smt2"), seeds.join("gone.smt2")).unwrap();
    pipe(&seeds.join("pipe.smt2"));
    let shy = solver(&dir, "shy", "echo unknown");
    let said = smelt(&dir, &campaign(&[&shy], "--tests 60 --out out"), 0);
    for expect in
        ["seeds: 2 given, ", "1  a pipe, a socket or a device", "1  a link that leads nowhere"]
    {
        assert!(said.contains(expect), "no `{expect}` in\n{said}");
    }
    let sure = solver(&dir, "sure", "echo sat");
    let janus = ["janus", "seeds", "--solver", &sure, "--tests", "3", "--time", "20"];
    let said = smelt(&dir, &janus, 0);
    for expect in ["a pipe, a socket or a device", "a link that leads nowhere"] {
        assert!(said.contains(expect), "no `{expect}` in\n{said}");
    }
    let pipe = "seeds/pipe.smt2";
    for args in [
        &["mutate", pipe, "--strategy", "opfuzz"][..],
        &["janus", pipe, "--solver", &shy],
        &["mutate", "seeds/one.smt2", "--strategy", "fusion", "--partner", pipe],
    ] {
        let said = smelt(&dir, args, 2);
        assert!(said.contains("cannot read seeds/pipe.smt2: it is no file"), "{args:?}\n{said}");
    }
    let said = smelt(&dir, &["check", "seeds"], 1);
    assert!(said.contains("2 ok, 2 rejected"), "{said}");
}

/// A crash of another kind than the base's is news; the same one, and what a session of the base shows too, is counted.
#[test]
fn what_the_base_shows_too() {
    let dir = folder("base");
    let run = |old: &str, new: &str, code: i32| {
        let _ = fs::remove_dir_all(dir.join("out"));
        let mut args = campaign(&[], "--tests 8 --findings 1 --out out --options none");
        args.extend(["--base", old, "--new", new]);
        (smelt(&dir, &args, code), findings(&dir))
    };
    let shared = "candidates that the base shows, too";
    let shell = |folder: &str, does: &str| {
        let text = format!("grep -q '(or ' \"$1\" && {does}; echo unknown");
        solver(&dir.join(folder), "solver", &text)
    };
    let exits = |folder: &str| shell(folder, "exit 114");
    let dies = |folder: &str| shell(folder, "kill -SEGV $$");
    let (said, found) = run(&exits("old"), &dies("new"), 10);
    assert!(found[0].1["signature"].as_str().unwrap().contains("SIGSEGV"), "{said}");
    for same in [&exits as &dyn Fn(&str) -> String, &dies] {
        let (said, _) = run(&same("old"), &same("new"), 0);
        assert!(said.contains(shared), "{said}");
    }
    // Both go wrong in a process that has answered before; the base in fresh ones only, so that its sessions differ.
    let session = |wrong: &str| {
        let says = |folder: &str, when: &str| {
            let text =
                format!("def answer(script, checks):\n    if {when}: {wrong}\n    return 'sat'\n");
            z3(&dir.join(folder), &text)
        };
        let new = says("new-z3", "checks > 2");
        let (said, found) = run(&says("old-z3", "False"), &new, 10);
        assert!(found.iter().any(|(_, f)| f["session_dependent"] == true), "{said}");
        let (said, _) = run(&says("old-z3", "checks > 2 and not warm"), &new, 0);
        assert!(said.contains(shared), "{said}");
    };
    session("return 'unsat'");
    session("os._exit(114)");
}
