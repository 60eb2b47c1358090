//! Campaigns, run as a user runs them: with a solver that lies, one that crashes, and real ones.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value as Json;
use smelt_solver::testing;

const SEED: &str = "(set-logic QF_LIA)(set-info :status sat)\n(declare-const x Int)(declare-const y Int)\n\
    (assert (< x (+ y 1)))(assert (or (> x 3) (= y 7)))(assert (distinct x y))(check-sat)\n";

/// An empty folder of this test's own.
fn folder(name: &str) -> PathBuf {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("fuzz").join(name);
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(dir.join("seeds")).unwrap();
    fs::write(dir.join("seeds/one.smt2"), SEED).unwrap();
    dir
}

/// A solver that is a shell script, under a name of its own.
fn solver(dir: &Path, name: &str, script: &str) -> String {
    let path = dir.join(name);
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    format!("{name}={}", path.display())
}

fn command(dir: &Path, args: &[&str]) -> Command {
    let mut c = Command::new(env!("CARGO_BIN_EXE_smelt"));
    c.args(args).current_dir(dir).env("SMELT_HOME", testing::home().root());
    c
}

/// The arguments of a campaign on the seeds of a folder, with one worker; `more` is split at blanks.
fn campaign<'a>(solvers: &[&'a str], more: &'a str) -> Vec<&'a str> {
    let mut args = vec!["fuzz", "seeds", "--jobs", "1"];
    solvers.iter().for_each(|s| args.extend(["--solver", *s]));
    args.extend(more.split_whitespace());
    args
}

fn smelt(dir: &Path, args: &[&str], code: i32) -> Output {
    let out = command(dir, args).output().unwrap();
    let (so, se) = (String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    assert_eq!(out.status.code(), Some(code), "{args:?}\n{so}{se}");
    out
}

fn text(out: &Output) -> String {
    String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr)
}

/// The summary of a run with `--json`.
fn summary(out: &Output) -> Json {
    let text = String::from_utf8_lossy(&out.stdout);
    serde_json::from_str(text.lines().last().unwrap()).unwrap()
}

/// One of its counts.
fn total(end: &Json, name: &str) -> u64 {
    end["counts"]["total"][name].as_f64().unwrap_or_default() as u64
}

fn findings(dir: &Path) -> Vec<(PathBuf, Json)> {
    let Ok(entries) = fs::read_dir(dir.join("out/findings")) else { return Vec::new() };
    let mut all: Vec<_> = entries
        .filter_map(|e| {
            let path = e.unwrap().path();
            let json = fs::read(path.join("finding.json")).ok()?;
            Some((path, serde_json::from_slice(&json).unwrap()))
        })
        .collect();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all
}

#[test]
fn a_liar_is_proven_wrong() {
    let dir = folder("liar");
    testing::solver("z3@latest");
    let liar = solver(&dir, "liar", "echo unsat");
    let args = campaign(
        &[&liar, "z3@latest"],
        "--findings 1 --time 100s --out out --strategy opfuzz --seed 5",
    );
    let said = text(&smelt(&dir, &args, 10));
    assert!(said.contains("refutation-soundness"), "{said}");
    let all = findings(&dir);
    let (path, f) = &all[0];
    assert_eq!(f["class"], "refutation-soundness");
    assert_eq!(f["grade"], "proven");
    assert_eq!(f["rate"], serde_json::json!([3, 3]));
    assert!(f["solver"].as_str().unwrap().starts_with("liar"));
    // The values in the witness satisfy the script for any honest solver.
    let witness = path.join("witness.smt2");
    let out = smelt(&dir, &["check", witness.to_str().unwrap(), "--solver", "z3@latest"], 0);
    assert!(text(&out).contains("sat, model true"), "{}", text(&out));
    assert!(fs::read_to_string(path.join("report.md")).unwrap().contains("refutation soundness"));
    let repro = Command::new("sh").arg(path.join("repro.sh")).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&repro.stdout), "unsat\n");
    // The recipe gives the mutant again; the liar still lies, z3 does not.
    let finding = path.to_str().unwrap();
    let out = text(&smelt(&dir, &["replay", finding, "--solver", &liar], 10));
    assert!(out.contains("the recipe gives the same mutant"), "{out}");
    assert!(out.contains("still holds: unsat"), "{out}");
    // The finding knows where the liar is, from any folder.
    let elsewhere = dir.join("seeds");
    let out = text(&smelt(&elsewhere, &["replay", finding], 10));
    assert!(out.contains("still holds: unsat"), "{out}");
    let out = text(&smelt(&dir, &["replay", finding, "--solver", "z3@latest"], 0));
    assert!(out.contains("does not hold: sat, model true"), "{out}");
    // A second run in the same folder finds nothing new; neither does one that knows the bug.
    let again = campaign(
        &[&liar, "z3@latest"],
        "--tests 30 --out other --strategy opfuzz --seed 5 --known known.toml",
    );
    fs::write(dir.join("known.toml"), "[[bug]]\nsolver = \"generic\"\npattern = \"refutation\"\n")
        .unwrap();
    let said = text(&smelt(&dir, &again, 0));
    assert!(said.contains("candidates that are known bugs"), "{said}");
}

#[test]
fn a_crash_is_found_without_a_peer() {
    let dir = folder("crash");
    let crasher = solver(&dir, "crasher", "grep -q distinct \"$1\" && kill -SEGV $$; echo unknown");
    let args = campaign(&[&crasher], "--findings 1 --time 60s --out out --seed 1 --json");
    let end = summary(&smelt(&dir, &args, 10));
    assert_eq!(end["kind"], "end");
    assert_eq!(end["new_findings"][0]["class"], "crash");
    assert!(end["new_findings"][0]["signature"].as_str().unwrap().contains("SIGSEGV"));
    assert_eq!(findings(&dir).len(), 1);
}

/// Two honest solvers: no finding, no refusal, and with a frozen schedule the same answers twice.
#[test]
fn honest_solvers_and_a_frozen_schedule() {
    let dir = folder("honest");
    testing::solver("z3@latest");
    testing::solver("cvc5@latest");
    let run = |out: &str| -> Json {
        let more = format!(
            "--tests 60 --out {out} --seed 9 --deterministic --json --options none --strategy opfuzz,storm"
        );
        let args = campaign(&["z3@latest;cvc5@latest"], &more);
        summary(&smelt(&dir, &args, 0))["counts"].clone()
    };
    let (one, two) = (run("a"), run("b"));
    assert!(one["total"]["tests"].as_f64().unwrap() >= 60.0);
    assert_eq!(one["rejection"], Json::Null, "{one:#}");
    // The last chain may be cut at another step, because the clock that ends the run is no part of the schedule.
    let answers = |c: &Json| c["answer"].as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(answers(&one), answers(&two));
}

/// A killed campaign keeps its findings and goes on where it was.
#[test]
fn survives_kill() {
    let dir = folder("kill");
    testing::solver("z3@latest");
    let liar = solver(&dir, "liar", "echo unsat");
    let args = campaign(&[&liar, "z3@latest"], "--time 300s --out out");
    let mut child = command(&dir, &args).stdout(Stdio::null()).spawn().unwrap();
    let begun = Instant::now();
    while findings(&dir).is_empty() && begun.elapsed() < Duration::from_secs(120) {
        std::thread::sleep(Duration::from_millis(50));
    }
    std::thread::sleep(Duration::from_millis(1500));
    child.kill().unwrap();
    child.wait().unwrap();
    let before = findings(&dir);
    assert!(!before.is_empty());
    let args = ["fuzz", "--resume", "--time", "1s", "--out", "out", "--json"];
    let out = command(&dir, &args).output().unwrap();
    assert!(matches!(out.status.code(), Some(0 | 10)), "{}", text(&out));
    let end = summary(&out);
    assert!(total(&end, "tests") >= 1, "{end:#}");
    assert!(end["elapsed"].as_f64().unwrap() >= 1.0);
    let after = findings(&dir);
    assert!(before.iter().all(|(p, _)| after.iter().any(|(q, _)| p == q)));
}

#[test]
fn bad_input_is_named_and_counted() {
    let dir = folder("bad");
    testing::solver("z3@latest");
    let z3 = ["--solver", "z3@latest", "--jobs", "1", "--out", "out"];
    let seeds = dir.join("seeds");
    fs::write(seeds.join("broken.smt2"), "(assert (and true").unwrap();
    fs::write(seeds.join("binary.smt2"), [0u8, 159, 146, 150]).unwrap();
    fs::write(seeds.join("nothing.smt2"), "(set-logic ALL)").unwrap();
    fs::write(seeds.join("bad.smt2.gz"), "this is no gzip").unwrap();
    fs::write(seeds.join("bad.smt2.zst"), "this is no zstd").unwrap();
    fs::write(seeds.join("notes.txt"), "no seed").unwrap();
    let run = |more: &[&str], code: i32, expect: &str| {
        let args: Vec<&str> = ["fuzz"].iter().chain(more).chain(&z3).copied().collect();
        let said = text(&smelt(&dir, &args, code));
        assert!(said.contains(expect), "{args:?}: no `{expect}` in\n{said}");
    };
    run(&["seeds", "--tests", "1500"], 0, "seeds: 6 given, 1 used, 5 skipped");
    run(&["absent", "--tests", "1"], 2, "cannot read absent");
    run(&["seeds/notes.txt", "seeds/broken.smt2", "--time", "20s"], 2, "no seed can be used");
    run(&["--strategy", "magic"], 2, "\"magic\" is no strategy; there are ");
    run(&["--param", "opfuzz=3"], 2, "write STRATEGY.NAME=VALUE");
    run(&["--time", "2w"], 2, "is none of s, m, h, d");
    run(&["--options", "all"], 2, "none of none, common, regular, expert");
    run(&["--known", "absent.toml"], 2, "cannot read absent.toml");
    run(&["--limit", "0"], 2, "--limit takes seconds");
    fs::write(dir.join("file"), "x").unwrap();
    let said = text(&smelt(&dir, &["fuzz", "--out", "file/x"], 2));
    assert!(said.contains("cannot make the campaign's folder"), "{said}");
    let said = text(&smelt(&dir, &["fuzz", "--resume", "--out", "empty"], 2));
    assert!(said.contains("no run to resume"), "{said}");
}

/// Wrong only in a process that has answered before: the transcript of the session shows it.
#[test]
fn a_liar_that_waits() {
    let dir = folder("patient-liar");
    fs::write(
        dir.join("seeds/one.smt2"),
        "(declare-const p Bool)(declare-const q Bool)(assert (or p q))(assert (=> p q))(check-sat)",
    )
    .unwrap();
    let liar = dir.join("z3");
    let program = r#"#!/usr/bin/env python3
import re, sys
if any("version" in a for a in sys.argv):
    print("Z3 version 4.13.0")
    sys.exit()
source = sys.stdin if "-in" in sys.argv else open(sys.argv[-1])
checks = 0
for line in iter(source.readline, ""):
    for command in re.findall(r'\(check-sat|\(echo "[^"]*"', line):
        if command.startswith("(echo"):
            print(command[7:-1])
        else:
            checks += 1
            print("unsat" if checks > 2 else "unknown")
    sys.stdout.flush()
"#;
    fs::write(&liar, program).unwrap();
    fs::set_permissions(&liar, fs::Permissions::from_mode(0o755)).unwrap();
    let liar = liar.to_str().unwrap().to_owned();
    let honest = solver(&dir, "honest", "echo sat");
    let args = campaign(
        &[&liar, &honest],
        "--tests 60 --out out --strategy opfuzz --seed 1 --options none",
    );
    smelt(&dir, &args, 10);
    let all = findings(&dir);
    let session = all.iter().find(|(_, f)| f["session_dependent"] == true);
    let (path, f) = session.unwrap_or_else(|| panic!("{all:?}"));
    assert_eq!((&f["class"], &f["grade"]), (&"refutation-soundness".into(), &"proven".into()));
    assert_eq!(f["rate"], serde_json::json!([3, 3]));
    let transcript = fs::read_to_string(path.join("bug.smt2")).unwrap();
    assert!(transcript.matches("(check-sat").count() > 2, "{transcript}");
    let out = text(&smelt(&dir, &["replay", path.to_str().unwrap()], 10));
    assert!(out.contains("still holds: unsat"), "{out}");
}

/// A model checker, switched on by an option that a campaign varies, complains about models that are true: nobody is accused
/// of a bad model.
#[test]
fn a_checker_that_cries_wolf() {
    let dir = folder("wolf");
    let z3 = testing::solver("z3@latest");
    let program = z3.program().display();
    let complain =
        r#"sed -u 's/^sat$/(error "line 9 column 10: an invalid model was generated")/'"#;
    let script = format!(
        "case \"$*\" in *model_validate=true*|*model_validate\\ true*) '{program}' \"$@\" | {complain};; *) exec '{program}' \"$@\";; esac"
    );
    solver(&dir, "z3", &script);
    let wolf = dir.join("z3").display().to_string();
    let args = campaign(&[&wolf], "--tests 400 --out out --strategy opfuzz --seed 1 --json");
    let end = summary(&smelt(&dir, &args, 0));
    // Complaints were seen, and looked into; fresh processes repeat them.
    assert!(total(&end, "unsettled") > 0, "{end:#}");
    assert_eq!(total(&end, "vanished"), 0, "{end:#}");
}

/// Models that are false: the evaluator proves it, and the report says what it found.
#[test]
fn a_solver_that_makes_up_models() {
    let dir = folder("made-up");
    let z3 = testing::solver("z3@latest");
    let script = format!("'{}' \"$@\" | sed -u 's/^    [0-9]*)$/    77)/'", z3.program().display());
    solver(&dir, "z3", &script);
    let poet = dir.join("z3").display().to_string();
    // A word of the language as a name: the models of the seed itself are judged, too.
    fs::write(dir.join("seeds/one.smt2"), SEED.replace("x", "push")).unwrap();
    let more = "--findings 1 --time 100s --out out --strategy opfuzz --seed 1";
    smelt(&dir, &campaign(&[&poet], more), 10);
    let (path, f) = findings(&dir).remove(0);
    assert_eq!(f["recipe"]["strategy"], "seed", "{f:#}");
    assert_eq!((&f["class"], &f["grade"]), (&"invalid-model".into(), &"proven".into()));
    assert!(f["model"].as_str().unwrap().starts_with("FALSE"), "{f:#}");
    let report = fs::read_to_string(path.join("report.md")).unwrap();
    assert!(report.contains(&format!("| sat | {} |", f["model"].as_str().unwrap())), "{report}");
}

/// Only what the new build does worse is reported; two builds of one name and version are told apart.
#[test]
fn comparing_builds() {
    let dir = folder("compare");
    let crash = "grep -q distinct \"$1\" && kill -SEGV $$; echo unknown";
    fs::create_dir_all(dir.join("old")).unwrap();
    fs::create_dir_all(dir.join("new")).unwrap();
    let build = |folder: &str, script: &str| {
        let spec = solver(&dir.join(folder), "solver", script);
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
            .map(|(_, f)| f["class"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let none: Vec<String> = Vec::new();
    assert_eq!(run("echo unknown", crash, 10), ["crash"]);
    assert_eq!(run(crash, "echo unknown", 0), none);
    assert_eq!(run(crash, crash, 0), none);
    // How many kinds of scripts are met is a matter of luck.
    let z3 = testing::solver("z3@latest");
    let right = format!("exec '{}' \"$1\"", z3.program().display());
    let lost = run(&right, "echo unknown", 10);
    assert!(!lost.is_empty() && lost.iter().all(|c| c == "incompleteness-regression"), "{lost:?}");
}

/// A solver that does not know what it knew one step of janus before: both scripts are kept.
#[test]
fn an_answer_that_is_lost_on_the_way() {
    let dir = folder("implication");
    let script = "if grep -q '(distinct x y)' \"$1\"; then echo sat; else echo unknown; fi";
    let lost = solver(&dir, "lost", script);
    let more = "--strategy janus --seed 3 --findings 1 --time 40s --out out";
    // Nobody has asked for it.
    let quiet = campaign(&[&lost], "--strategy janus --seed 3 --tests 60 --out quiet");
    smelt(&dir, &quiet, 0);
    let mut args = campaign(&[&lost], more);
    args.push("--incompleteness");
    let out = smelt(&dir, &args, 10);
    let all = findings(&dir);
    let (path, f) = all.first().unwrap_or_else(|| panic!("{}", text(&out)));
    assert_eq!(f["class"], "implication-incompleteness", "{f}");
    assert_eq!(f["evidence"], "it answers sat to the script before the step");
    let read = |name: &str| fs::read_to_string(path.join(name)).unwrap();
    assert!(read("before.smt2").contains("(distinct x y)"));
    assert!(!read("bug.smt2").contains("(distinct x y)"));
    assert!(read("report.md").contains("before.smt2"));
    let again = smelt(&dir, &["replay", path.to_str().unwrap()], 10);
    assert!(text(&again).contains("still holds"), "{}", text(&again));
    // Who never knows anything has lost nothing.
    let shy = solver(&dir, "shy", "echo unknown");
    let again = text(&smelt(&dir, &["replay", path.to_str().unwrap(), "--solver", &shy], 0));
    assert!(again.contains("does not hold: unknown; before the step unknown"), "{again}");
}

/// A solver in sessions and in fresh processes that passes for `name`; Python's `answer(script)` is what it says to a check,
/// `has(option)` tells how it was started.
fn scripted(dir: &Path, name: &str, answer: &str) -> String {
    let path = dir.join(name);
    let program = r#"#!/usr/bin/env python3
import os, sys
if any("version" in a for a in sys.argv):
    print({"z3": "Z3 version 4.13.0", "cvc5": "This is cvc5 version 1.0.8"}.get(NAME, "Yices 2.6.4"))
    sys.exit()
def has(option):
    return any(option in a for a in sys.argv)
ANSWER
source = open(sys.argv[-1]) if os.path.exists(sys.argv[-1]) and len(sys.argv) > 1 else sys.stdin
script = ""
for line in iter(source.readline, ""):
    if "(reset)" in line:
        script = ""
    script += line
    if "(echo" in line:
        print(line.split('"')[1])
    if "(check-sat" in line:
        print(answer(script))
    if "(get-unsat-core)" in line:
        print(core(script))
    if "(get-model)" in line and "model" in globals():
        print(model(script))
    sys.stdout.flush()
if "at_exit" in globals() and source is not sys.stdin:
    at_exit()
"#;
    let program = program.replace("NAME", &format!("{name:?}")).replace("ANSWER", answer);
    fs::write(&path, program).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path.to_str().unwrap().to_owned()
}

/// A crash that needs an option, where another one happens without: both are found.
#[test]
fn two_crashes_in_one_place() {
    let dir = folder("two-crashes");
    let solver = scripted(
        &dir,
        "z3",
        r#"
def answer(script):
    if "distinct x y" in script:
        place = "b.cpp\nLine: 22" if has("auto_config=false") else "a.cpp\nLine: 11"
        sys.stderr.write("ASSERTION VIOLATION\nFile: ../src/smt/%s\nbad\n" % place)
        sys.stderr.flush()
        os._exit(114)
    return "unknown"
"#,
    );
    let args =
        campaign(&[&solver], "--findings 2 --tests 3000 --out out --strategy opfuzz --seed 1");
    smelt(&dir, &args, 10);
    let all: Vec<(String, Json)> = findings(&dir)
        .iter()
        .map(|(_, f)| (f["signature"].as_str().unwrap().to_owned(), f["options"].clone()))
        .collect();
    let find = |place: &str| all.iter().find(|(s, _)| s.contains(place)).map(|(_, o)| o.clone());
    assert_eq!(find("a.cpp:11"), Some(serde_json::json!([])), "{all:?}");
    assert_eq!(find("b.cpp:22"), Some(serde_json::json!(["auto_config=false"])), "{all:?}");
}

/// A solver that decides by the number of scripts with a `distinct` that it has been given so far, `$n`, and the file where it
/// keeps that number.
fn counting(dir: &Path, first: &str, then: &str) -> (String, PathBuf) {
    let count = dir.join("count");
    let file = count.display();
    let script = format!(
        "grep -q distinct \"$1\" || {{ echo unknown; exit; }}\n{first}\n\
        n=$(( $(cat {file} 2>/dev/null || echo 0) + 1 )); echo $n > {file}\n{then}\necho unknown"
    );
    (solver(dir, "crasher", &script), count)
}

/// Crashes that no fresh process repeats do not hide for ever a crash that does: on the same seed, of the same signal.
#[test]
fn a_crash_behind_others_that_vanish() {
    let dir = folder("behind");
    let (crasher, _) =
        counting(&dir, "", "[ $n -gt 60 ] || [ $(( n % 11 )) = 0 ] && kill -SEGV $$");
    let args = campaign(
        &[&crasher],
        "--findings 1 --tests 400 --out out --strategy opfuzz --seed 1 --json",
    );
    let end = summary(&smelt(&dir, &args, 10));
    assert!(total(&end, "vanished") > 2 && total(&end, "not-looked-at") > 0, "{end:#}");
    assert_eq!(findings(&dir).len(), 1);
}

/// Wrong only where models are off: the finding says so, and holds when it is run again.
#[test]
fn a_liar_without_models() {
    let dir = folder("no-models");
    testing::solver("z3@latest");
    let liar = scripted(
        &dir,
        "cvc5",
        r#"
def answer(script):
    return "unknown" if has("--produce-models") else "unsat"
"#,
    );
    let args = campaign(
        &[&liar, "z3@latest"],
        "--findings 1 --tests 5000 --out out --strategy opfuzz --seed 1 --options none",
    );
    smelt(&dir, &args, 10);
    let all = findings(&dir);
    let (path, f) = &all[0];
    assert_eq!((&f["class"], &f["models"]), (&"refutation-soundness".into(), &false.into()));
    assert!(fs::read_to_string(path.join("report.md")).unwrap().contains("with models off"));
    let finding = path.to_str().unwrap();
    let out = text(&smelt(&dir, &["replay", finding], 10));
    assert!(out.contains("still holds: unsat"), "{out}");
}

/// Who is stopped by a limit has not shown that a finding does not hold.
#[test]
fn a_replay_that_is_not_decided() {
    let dir = folder("undecided");
    let crasher = solver(&dir, "crasher", "grep -q distinct \"$1\" && kill -SEGV $$; echo unknown");
    let args = campaign(&[&crasher], "--findings 1 --time 60s --out out --seed 1");
    smelt(&dir, &args, 10);
    let all = findings(&dir);
    let finding = all[0].0.to_str().unwrap();
    let busy = solver(&dir, "busy", "while :; do :; done");
    let out = text(&smelt(&dir, &["replay", finding, "--limit", "1", "--solver", &busy], 3));
    assert!(out.contains("open: nothing learnt (timeout"), "{out}");
    let both = ["replay", finding, "--limit", "1", "--solver", &busy, "--solver", &crasher];
    let out = text(&smelt(&dir, &both, 10));
    assert!(out.contains("learnt (timeout") && out.contains("still holds: SIGSEGV"), "{out}");
    for limit in ["0", "18446744073709551615"] {
        let out = text(&smelt(&dir, &["replay", finding, "--limit", limit], 2));
        assert!(out.contains("is not in 1..=3600"), "{out}");
    }
}

/// What others keep beside the findings stays; what a killed process left half-written goes.
#[test]
fn folders_that_are_not_findings() {
    let dir = folder("beside");
    let shy = solver(&dir, "shy", "echo unknown");
    let beside = dir.join("out/findings");
    for name in [".git/objects", ".notes.2024", "mine", ".crash-z3-0123abcd.77/outputs"] {
        fs::create_dir_all(beside.join(name)).unwrap();
    }
    smelt(&dir, &campaign(&[&shy], "--tests 1 --out out --strategy opfuzz"), 0);
    for name in [".git/objects", ".notes.2024", "mine"] {
        assert!(beside.join(name).is_dir(), "{name}");
    }
    assert!(!beside.join(".crash-z3-0123abcd.77").exists());
}

/// A finding whose folder is damaged is found and written again, beside it; others are replayed all the same.
#[test]
fn a_damaged_finding() {
    let dir = folder("damaged");
    let crasher = solver(&dir, "crasher", "grep -q distinct \"$1\" && kill -SEGV $$; echo unknown");
    let args = campaign(&[&crasher], "--findings 1 --time 60s --out out --seed 1");
    smelt(&dir, &args, 10);
    let old = findings(&dir)[0].0.clone();
    fs::write(old.join("finding.json"), "{ \"id\": ").unwrap();
    let out = text(&smelt(&dir, &args, 10));
    let said = format!("{} is left as it is", old.file_name().unwrap().display());
    assert!(out.contains(&said), "{out}");
    let new = PathBuf::from(format!("{}-2", old.display()));
    let json: Json = serde_json::from_slice(&fs::read(new.join("finding.json")).unwrap()).unwrap();
    assert_eq!(json["id"].as_str(), new.file_name().unwrap().to_str());
    assert_eq!(fs::read_to_string(old.join("finding.json")).unwrap(), "{ \"id\": ");
    let out = smelt(&dir, &["replay", old.to_str().unwrap(), new.to_str().unwrap()], 2);
    let out = text(&out);
    assert!(out.contains("cannot be replayed") && out.contains("is no finding"), "{out}");
    assert!(out.contains("still holds: SIGSEGV"), "{out}");
    assert!(out.contains("1 of 2 findings could not be replayed"), "{out}");
}

/// Cores of which all but the first name is lost: a replay asks about the core, and the repro shows it.
#[test]
fn a_core_that_is_no_core() {
    let dir = folder("core");
    let z3 = testing::solver("z3@latest");
    fs::write(
        dir.join("seeds/one.smt2"),
        "(set-logic QF_LIA)(declare-const x Int)(declare-const y Int)\n\
        (assert (= x 5))(assert (< (+ x y) 3))(assert (< x y))(check-sat)",
    )
    .unwrap();
    let lose = r"sed -u -E 's/^\((smelt.core.[0-9]+) .*\)$/(\1)/'";
    solver(&dir, "z3", &format!("'{}' \"$@\" | {lose}", z3.program().display()));
    let bad = dir.join("z3").display().to_string();
    let more = "--findings 1 --tests 6000 --out out --strategy opfuzz --seed 1 --options none";
    smelt(&dir, &campaign(&[&bad], more), 10);
    let all = findings(&dir);
    let (path, f) = &all[0];
    assert_eq!((&f["class"], &f["grade"]), (&"invalid-core".into(), &"proven".into()));
    let repro = Command::new("sh").arg(path.join("repro.sh")).output().unwrap();
    let said = String::from_utf8_lossy(&repro.stdout);
    assert!(said.starts_with("unsat\n(smelt.core."), "{said}");
    let finding = path.to_str().unwrap();
    let out = text(&smelt(&dir, &["replay", finding], 10));
    assert!(
        out.contains("still holds: unsat, ") && out.contains("has a model of its core"),
        "{out}"
    );
    let out = text(&smelt(&dir, &["replay", finding, "--solver", "z3@latest"], 0));
    assert!(out.contains("does not hold: unsat, and so is its core"), "{out}");
}

/// What a mode brings in beside the option that it takes is left out: here unsat cores, without which sessions do not crash.
#[test]
fn only_what_is_needed() {
    let dir = folder("needed");
    let solver = scripted(
        &dir,
        "z3",
        r#"
def answer(script):
    options = [a for a in sys.argv[1:] if "=" in a and "unsat_core" not in a]
    if options and (has("unsat_core") or not has("-in")):
        sys.stderr.write("ASSERTION VIOLATION\nFile: ../src/smt/a.cpp\nLine: 11\nbad\n")
        sys.stderr.flush()
        os._exit(114)
    return "unknown"
"#,
    );
    let args =
        campaign(&[&solver], "--findings 1 --tests 20000 --out out --strategy opfuzz --seed 1");
    smelt(&dir, &args, 10);
    let all = findings(&dir);
    let (path, f) = &all[0];
    assert_eq!(f["cores"], false, "{f:#}");
    assert_eq!(f["options"].as_array().unwrap().len(), 1, "{f:#}");
    let command = fs::read_to_string(path.join("repro.sh")).unwrap();
    assert!(!command.contains("unsat_core"), "{command}");
}

/// The rate is that of the script that is shown: a smaller one on which the crash is rare is not.
#[test]
fn a_rate_of_its_own() {
    let dir = folder("rate");
    // The smallest script crashes twice and never again.
    let (crasher, count) = counting(
        &dir,
        "[ $(grep -c assert \"$1\") -gt 1 ] && kill -SEGV $$",
        "[ $n -le 2 ] && kill -SEGV $$",
    );
    smelt(
        &dir,
        &campaign(&[&crasher], "--findings 1 --tests 400 --out out --seed 1 --strategy opfuzz"),
        10,
    );
    let all = findings(&dir);
    let (path, f) = &all[0];
    let bug = fs::read_to_string(path.join("bug.smt2")).unwrap();
    assert!(bug.matches("assert").count() > 1, "{bug}");
    assert_eq!(f["rate"], serde_json::json!([3, 3]));
    let tried: u32 = fs::read_to_string(count).unwrap().trim().parse().unwrap();
    assert!(tried > 2, "{tried}");
}

/// A recipe that asks for more steps than a chain has is not followed; the script that was kept is run.
#[test]
fn a_recipe_without_end() {
    let dir = folder("endless");
    let crasher = solver(&dir, "crasher", "grep -q distinct \"$1\" && kill -SEGV $$; echo unknown");
    let more = "--findings 1 --time 60s --out out --seed 1 --strategy opfuzz";
    smelt(&dir, &campaign(&[&crasher], more), 10);
    let (path, mut f) = findings(&dir).remove(0);
    f["recipe"]["strategy"] = "opfuzz".into();
    f["recipe"]["step"] = 4_000_000_000u32.into();
    fs::write(path.join("finding.json"), f.to_string()).unwrap();
    let out = text(&smelt(&dir, &["replay", path.to_str().unwrap()], 10));
    assert!(out.contains("cannot be followed (step 4000000000 of a chain of "), "{out}");
    assert!(out.contains("still holds: SIGSEGV"), "{out}");
}

/// A budget that is given on --resume rules alone, and what else is given there is heeded.
#[test]
fn resuming_with_other_wishes() {
    let dir = folder("resume");
    let crasher = solver(&dir, "crasher", "grep -q distinct \"$1\" && kill -SEGV $$; echo unknown");
    let shy = solver(&dir, "shy", "echo unknown");
    let args = campaign(&[&shy], "--time 1s --out quiet --strategy opfuzz --seed 1 --json");
    let first = summary(&smelt(&dir, &args, 0));
    let resume = ["fuzz", "--resume", "--out", "quiet", "--json", "--tests", "20"];
    let second = summary(&smelt(&dir, &resume, 0));
    let more = total(&second, "tests") - total(&first, "tests");
    assert!((20..40).contains(&more), "{more}");
    // Without one, the last budget is the one that is used up.
    let third = summary(&smelt(&dir, &["fuzz", "--resume", "--out", "quiet", "--json"], 0));
    assert!(total(&third, "tests") - total(&second, "tests") < 20, "{third:#}");
    let said = text(&smelt(&dir, &["fuzz", "--resume", "--out", "quiet", "--jobs", "0"], 2));
    assert!(said.contains("--jobs takes a number"), "{said}");
    // Bugs that are known only now.
    let args = campaign(&[&crasher], "--findings 1 --out out --strategy opfuzz --seed 1 --json");
    smelt(&dir, &args, 10);
    fs::remove_dir_all(dir.join("out/findings")).unwrap();
    fs::write(dir.join("known.toml"), "[[bug]]\nsolver = \"generic\"\npattern = \"SIGSEGV\"\n")
        .unwrap();
    let resume =
        ["fuzz", "--resume", "--out", "out", "--json", "--tests", "50", "--known", "known.toml"];
    let known = summary(&smelt(&dir, &resume, 0));
    assert!(total(&known, "suppressed") > 0, "{known:#}");
    // It is remembered, from any folder.
    let resume = ["fuzz", "--resume", "--out", "../out", "--json", "--tests", "50"];
    smelt(&dir.join("seeds"), &resume, 0);
}

/// A wrong answer that was remembered when nobody contradicted it is found by a solver that comes later.
#[test]
fn a_solver_that_comes_later() {
    let dir = folder("later");
    testing::solver("z3@latest");
    fs::write(dir.join("seeds/one.smt2"), SEED.replace("(set-info :status sat)", "")).unwrap();
    // Wrong on the seed alone, so no mutant gives it away.
    let liar = solver(
        &dir,
        "liar",
        "for part in '(< x (+ y 1))' '(> x 3)' '(= y 7)' '(distinct x y)' '(or '; do\n\
        grep -qF \"$part\" \"$1\" || { echo unknown; exit; }\ndone\necho unsat",
    );
    let more = "--tests 1 --out out --strategy opfuzz --seed 1";
    smelt(&dir, &campaign(&[&liar], more), 0);
    let said = text(&smelt(&dir, &campaign(&[&liar, "z3@latest"], more), 10));
    assert!(said.contains("refutation-soundness"), "{said}");
    let (_, f) = findings(&dir).remove(0);
    assert_eq!(f["grade"], "proven", "{f:#}");
    assert!(f["solver"].as_str().unwrap().starts_with("liar"), "{f:#}");
}

/// The same as [`smelt`] where no other solver is at hand that could settle anything.
fn alone(dir: &Path, args: &[&str], code: i32) -> Output {
    let bin = dir.join("bin");
    if !bin.is_dir() {
        fs::create_dir_all(&bin).unwrap();
        let python =
            Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output();
        let python = String::from_utf8(python.unwrap().stdout).unwrap();
        std::os::unix::fs::symlink(python.trim(), bin.join("python3")).unwrap();
    }
    let mut c = command(dir, args);
    let out = c.env("PATH", &bin).env("SMELT_HOME", dir.join("home")).output().unwrap();
    assert_eq!(out.status.code(), Some(code), "{}", text(&out));
    out
}

/// What a solver says with push and pop and without exclude each other, and nobody knows which is wrong: that is what is said.
#[test]
fn a_solver_that_contradicts_itself() {
    let dir = folder("contradiction");
    let seed = "(set-logic QF_LIA)(declare-const x Int)(declare-const y Int)\n\
        (push 1)(assert (< x y))(assert (> x y))(check-sat)(pop 1)\n";
    fs::write(dir.join("seeds/one.smt2"), seed).unwrap();
    let two = scripted(
        &dir,
        "z3",
        r#"
def answer(script):
    return "unsat" if "(push" in script else "sat"
def model(script):
    return '(error "no model")'
"#,
    );
    let alone = |args: &[&str], code: i32| text(&alone(&dir, args, code));
    let more = "--tests 30 --out out --strategy opfuzz --seed 1 --options none";
    alone(&campaign(&[&two], more), 10);
    let all = findings(&dir);
    assert!(!all.is_empty());
    for (path, f) in &all {
        assert_eq!((&f["class"], &f["grade"]), (&"self-contradiction".into(), &"strong".into()));
        assert!(f["evidence"].as_str().unwrap().contains("is not settled"), "{f:#}");
        assert_eq!(f["rate"], serde_json::json!([3, 3]));
        let read = |name: &str| fs::read_to_string(path.join(name)).unwrap();
        assert!(read("bug.smt2").contains("(push 1)") && !read("flat.smt2").contains("(push 1)"));
        assert!(read("report.md").contains("flat.smt2"));
    }
    let finding = all[0].0.to_str().unwrap();
    let said = alone(&["replay", finding], 10);
    assert!(said.contains("still holds: unsat; the check alone sat"), "{said}");
    let one = solver(&dir, "one", "echo unsat");
    let said = alone(&["replay", finding, "--solver", &one], 0);
    assert!(said.contains("does not hold: unsat; the check alone unsat"), "{said}");
}

/// Where it can be shown which of the two answers is wrong, that one is the finding.
#[test]
fn the_wrong_one_of_two_answers() {
    let dir = folder("which");
    let seed = "(set-logic QF_UF)(declare-const p Bool)(declare-const q Bool)\n\
        (push 1)(assert (and p q))(assert (not p))(check-sat)(pop 1)\n";
    fs::write(dir.join("seeds/one.smt2"), seed).unwrap();
    let two = scripted(
        &dir,
        "z3",
        r#"
def answer(script):
    return "unsat" if "(push" in script else "sat"
def model(script):
    return '(error "no model")'
"#,
    );
    let more = "--tests 60 --out out --strategy opfuzz --seed 1 --options none --json";
    let end = summary(&smelt(&dir, &campaign(&[&two], more), 10));
    assert_eq!(total(&end, "vanished"), 0, "{end:#}");
    let all = findings(&dir);
    let find = |class: &str| all.iter().find(|(_, f)| f["class"] == class).unwrap();
    let (path, f) = find("solution-soundness");
    assert_eq!(f["grade"], "proven", "{f:#}");
    assert!(f["evidence"].as_str().unwrap().contains("tried every value"), "{f:#}");
    assert!(!fs::read_to_string(path.join("bug.smt2")).unwrap().contains("push"));
    let (path, f) = find("refutation-soundness");
    assert_eq!(f["grade"], "proven", "{f:#}");
    assert!(f["evidence"].as_str().unwrap().contains("found a model"), "{f:#}");
    assert!(fs::read_to_string(path.join("bug.smt2")).unwrap().contains("push"));
    // The model that was found is beside it.
    let witness = fs::read_to_string(path.join("witness.smt2")).unwrap();
    assert!(witness.contains("(assert (= p "), "{witness}");
    assert!(all.iter().all(|(_, f)| f["class"] != "self-contradiction"));
}

/// Solvers may differ in what the standard leaves open, also where models are off and nobody can look at one.
#[test]
fn partial_functions_without_models() {
    let dir = folder("partial");
    let filler = "(assert (or p q))(assert (and q p))".repeat(6);
    let seed = format!(
        "(set-logic QF_NIA)(declare-const x Int)(declare-const y Int)(declare-const p Bool)\n\
        (declare-const q Bool)(assert (= y 0))(assert (= (div x y) 3)){filler}(check-sat)\n"
    );
    fs::write(dir.join("seeds/one.smt2"), seed).unwrap();
    let answers = |yes: &str| {
        format!(
            r#"
def answer(script):
    open = "(= y 0)" in script and "(div x y) 3)" in script
    return "{yes}" if open and not any(w in script for w in ("distinct", "xor", "not")) else "unknown"
def model(script):
    return "((define-fun x () Int 4)(define-fun y () Int 0)(define-fun p () Bool true)(define-fun q () Bool true))"
"#
        )
    };
    let all = ["z3", "cvc5", "yices-smt2"];
    let said = ["sat", "unsat", "unsat"];
    let solvers: Vec<String> =
        all.iter().zip(said).map(|(name, yes)| scripted(&dir, name, &answers(yes))).collect();
    let solvers: Vec<&str> = solvers.iter().map(String::as_str).collect();
    let more = "--tests 1500 --out out --strategy opfuzz --seed 1 --options none --json";
    let end = summary(&alone(&dir, &campaign(&solvers, more), 0));
    assert!(total(&end, "unsettled") > 0, "{end:#}");
}

/// A wrong answer and a crash behind it are two findings.
#[test]
fn a_liar_that_crashes_at_exit() {
    let dir = folder("exit");
    testing::solver("z3@latest");
    let liar = scripted(
        &dir,
        "cvc5",
        r#"
import signal
def answer(script):
    return "unsat"
def at_exit():
    sys.stdout.flush()
    os.kill(os.getpid(), signal.SIGSEGV)
"#,
    );
    let more = "--findings 2 --tests 300 --out out --strategy opfuzz --seed 1 --options none";
    smelt(&dir, &campaign(&[&liar, "z3@latest"], more), 10);
    let all = findings(&dir);
    let find = |class: &str| all.iter().find(|(_, f)| f["class"] == class).unwrap();
    let (path, f) = find("refutation-soundness");
    assert_eq!((&f["grade"], &f["answer"]), (&"proven".into(), &"unsat, then SIGSEGV".into()));
    let out = text(&smelt(&dir, &["replay", path.to_str().unwrap()], 10));
    assert!(out.contains("still holds: unsat"), "{out}");
    let (path, f) = find("crash");
    assert!(f["evidence"].as_str().unwrap().starts_with("SIGSEGV"), "{f:#}");
    let out = text(&smelt(&dir, &["replay", path.to_str().unwrap()], 10));
    assert!(out.contains("still holds: SIGSEGV"), "{out}");
}

/// A complaint about models does not excuse `unsat` where there is a model.
#[test]
fn a_liar_that_complains() {
    let dir = folder("complains");
    let z3 = testing::solver("z3@latest");
    let program = z3.program().display();
    let liar = scripted(
        &dir,
        "z3",
        &format!(
            r#"
if not has("model_validate=true"):
    os.execv("{program}", ["z3"] + sys.argv[1:])
def answer(script):
    return 'unsat\n(error "line 9 column 10: an invalid model was generated")'
"#
        ),
    );
    let more = "--findings 1 --tests 3000 --out out --strategy opfuzz --seed 1 --options none";
    smelt(&dir, &campaign(&[&liar, "z3@latest"], more), 10);
    let (_, f) = findings(&dir).remove(0);
    assert_eq!((&f["class"], &f["grade"]), (&"refutation-soundness".into(), &"proven".into()));
    assert_eq!(f["self_check"], true, "{f:#}");
}

/// Who complains about a true model is shown that very model.
#[test]
fn a_false_alarm_with_its_model() {
    let dir = folder("alarm");
    let z3 = testing::solver("z3@latest");
    let program = z3.program().display();
    let complain =
        r#"sed -u 's/^sat$/sat\n(error "line 9 column 10: an invalid model was generated")/'"#;
    let script = format!(
        "case \"$*\" in *model_validate=true*|*model_validate\\ true*) '{program}' \"$@\" | {complain};; *) exec '{program}' \"$@\";; esac"
    );
    solver(&dir, "z3", &script);
    let wolf = dir.join("z3").display().to_string();
    let more = "--findings 1 --tests 3000 --out out --strategy opfuzz --seed 1 --options none";
    smelt(&dir, &campaign(&[&wolf], more), 10);
    let (path, f) = findings(&dir).remove(0);
    assert_eq!((&f["class"], &f["grade"]), (&"false-alarm".into(), &"proven".into()));
    let witness = path.join("witness.smt2");
    let out = smelt(&dir, &["check", witness.to_str().unwrap(), "--solver", "z3@latest"], 0);
    assert!(text(&out).contains("sat, model true"), "{}", text(&out));
}

/// Who cannot be run is refused before the campaign, and accused of nothing; so is who is ended by others.
#[test]
fn who_cannot_be_run() {
    let dir = folder("not-run");
    for (name, script, why) in [
        ("usage", "echo 'usage: solver FILE' >&2; exit 1", "usage: solver FILE"),
        ("missing", "echo 'error while loading shared libraries' >&2; exit 127", "exit code 127"),
        ("silent", "true", "it says \"nothing\""),
    ] {
        let bad = solver(&dir, name, script);
        let out = text(&smelt(&dir, &campaign(&[&bad], "--tests 30 --out out --seed 1"), 2));
        assert!(out.contains("cannot be run: ") && out.contains(why), "{out}");
    }
    let ended = solver(&dir, "ended", "grep -q distinct \"$1\" && kill -TERM $$; echo unknown");
    let more = "--tests 30 --out out --strategy opfuzz --seed 1 --json";
    let end = summary(&smelt(&dir, &campaign(&[&ended], more), 0));
    assert!(total(&end, "faults") > 0, "{end:#}");
}
