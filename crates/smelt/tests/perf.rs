//! `smelt perf`: a run that goes on, its folder, an instance made again, and bad input.

mod run;

use std::path::PathBuf;
use std::process::Output;

use run::smelt;
use serde_json::Value;
use smelt_solver::testing;

fn text(output: &Output) -> String {
    let [out, err] =
        [&output.stdout, &output.stderr].map(|b| String::from_utf8_lossy(b).into_owned());
    out + &err
}

/// Sentences of one line that an error is told in.
fn refused(args: &[&str], words: &str) {
    let output = smelt(&[&["perf"], args].concat());
    assert_eq!(output.status.code(), Some(2), "{args:?}: {}", text(&output));
    assert!(text(&output).contains(words), "{args:?}: {}", text(&output));
}

const ALL: &[&str] = &[
    "perf",
    "--target",
    "z3@4.8.7",
    "--ref",
    "z3@latest",
    "--theory",
    "ints",
    "--operator",
    "+",
    "--operator",
    "<",
    "--operator",
    "=",
    "--restarts",
    "2",
    "--queries",
    "3",
    "--limit",
    "0.2",
    "--seed",
    "4",
];

#[test]
fn a_run_and_its_folder() {
    for release in ["z3@4.8.7", "z3@latest"] {
        testing::solver(release);
    }
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("perf-out");
    let _ = std::fs::remove_dir_all(&out);
    let folder = ["--out", out.to_str().unwrap()];
    // Two parts, of which the second goes on where the first has stopped.
    let first = smelt(&[ALL, &folder, &["--shard", "1/2"]].concat());
    assert_eq!(first.status.code(), Some(0), "{}", text(&first));
    let whole = smelt(&[ALL, &folder, &["--json"]].concat());
    assert_eq!(whole.status.code(), Some(0), "{}", text(&whole));
    let report: Value = serde_json::from_slice(&whole.stdout).unwrap();
    assert_eq!(report["kind"], "perf");
    let methods = report["methods"].as_array().unwrap();
    let names: Vec<&str> = methods.iter().map(|m| m["method"].as_str().unwrap()).collect();
    assert_eq!(names, ["thompson", "uniform", "random", "evolution"]);
    for m in methods {
        assert_eq!((m["positions"].as_u64(), m["queries"].as_u64()), (Some(2), Some(6)), "{m}");
    }
    let steps = std::fs::read_to_string(out.join("steps.jsonl")).unwrap();
    assert_eq!(steps.lines().filter(|l| l.contains("\"kind\":\"step\"")).count(), 24, "{steps}");
    let page = std::fs::read_to_string(out.join("index.html")).unwrap();
    assert!(page.contains("<svg") && !page.contains("http://") && !page.contains("https://"));

    let times = std::fs::read_to_string(out.join("times.csv")).unwrap();
    let files = std::fs::read_dir(out.join("suite")).unwrap().count();
    assert_eq!(times.lines().count(), 1 + 2 * files, "{times}");

    // An instance is made again from the journal, as it is in the suite.
    for file in std::fs::read_dir(out.join("suite")).unwrap().flatten() {
        let name = file.file_name().into_string().unwrap();
        let again = smelt(&["perf", "--show", &name, folder[0], folder[1]]);
        let kept = std::fs::read_to_string(file.path()).unwrap();
        assert_eq!(String::from_utf8(again.stdout).unwrap(), kept, "{name}");
    }
    // The parts added up are the whole.
    let merged = smelt(&["perf", "--merge", folder[1], "--out", "perf-merged", "--json"]);
    let merged: Value = serde_json::from_slice(&merged.stdout).unwrap();
    assert_eq!(merged["methods"], report["methods"]);
    // Every line is as docs/json.md says.
    let described = std::fs::read_to_string(
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/json.md"),
    );
    let described = described.unwrap();
    for field in report.as_object().unwrap().keys().filter(|k| *k != "kind") {
        assert!(described.contains(&format!("| `perf` | `{field}` |")), "docs/json.md: {field}");
    }
    refused(&[&ALL[1..5], &folder].concat(), "asked for something else");
    refused(&["--show", "thompson-7-0", folder[0], folder[1]], "has no such step that is done");
}

/// A solver that says `unsat` to whatever asserts something, which a true model refutes.
#[test]
fn bugs_are_counted() {
    use std::os::unix::fs::PermissionsExt;
    testing::solver("z3@latest");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("perf-bugs");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let wrong = folder.join("wrong");
    let script = "#!/bin/sh\nif grep -q assert \"$1\"; then echo unsat; else echo sat; fi\n";
    std::fs::write(&wrong, script).unwrap();
    std::fs::set_permissions(&wrong, std::fs::Permissions::from_mode(0o755)).unwrap();
    let (target, out) = (format!("wrong={}", wrong.display()), folder.join("out"));
    let out = out.to_str().unwrap();
    let pair = ["--target", &*target, "--ref", "z3@latest", "--theory", "ints", "--operator", "<"];
    let size = ["--objective", "bugs", "--method", "uniform", "--restarts", "2", "--queries", "3"];
    let rest = ["--limit", "1", "--jobs", "1", "--out", out, "--json"];
    let all = [&["perf"], &pair[..], &size, &rest].concat();
    let counted = || -> Value {
        let output = smelt(&all);
        assert_eq!(output.status.code(), Some(10), "{}", text(&output));
        let last = String::from_utf8(output.stdout).unwrap();
        serde_json::from_str(last.lines().last().unwrap()).unwrap()
    };
    let report = counted();
    let uniform = &report["methods"][0];
    let hunted = &uniform["hunted"];
    assert_eq!((uniform["queries"].as_u64(), report["kind"].as_str()), (Some(6), Some("perf")));
    let inputs = hunted["inputs"].as_u64().unwrap();
    assert!(
        inputs >= 1 && hunted["classes"]["refutation-soundness"].as_u64() == Some(inputs),
        "{hunted}"
    );
    assert!(!hunted["bugs"].as_array().unwrap().is_empty(), "{hunted}");
    assert_eq!(hunted["moments"].as_array().unwrap().last().unwrap()[1].as_u64(), Some(inputs));
    // What is done is not done again.
    assert_eq!(counted()["methods"][0]["hunted"]["inputs"].as_u64(), Some(inputs));
    let steps = std::fs::read_to_string(PathBuf::from(out).join("steps.jsonl")).unwrap();
    assert_eq!(steps.lines().filter(|l| l.contains("\"judged\"")).count(), 6, "{steps}");
    let resumed = smelt(&["fuzz", "--resume", "--out", &format!("{out}/uniform")]);
    assert_eq!(resumed.status.code(), Some(2), "{}", text(&resumed));
    refused(&[&pair[..], &["--objective", "bugs", "--confirm", "1"]].concat(), "about slowness");
}

#[test]
fn bad_input_is_one_sentence() {
    testing::solver("z3@latest");
    let pair = ["--target", "z3@latest", "--ref", "z3@latest:smt.arith.solver=2"];
    let with = |more: &[&'static str], words: &str| refused(&[&pair[..], more].concat(), words);
    refused(&["--target", "z3@latest"], "--ref");
    refused(&["--target", "z3@latest", "--ref", "z3@latest"], "is its own reference");
    refused(&["--target", "z3@99.1", "--ref", "z3@latest"], "99.1");
    with(&["--theory", "poetry"], "\"poetry\" is no theory that instances are made of");
    with(&["--theory", "bags"], "has no bags");
    with(&["--operator", "bvadd"], "there is no construct \"bvadd\" here");
    with(&["--method", "psychic"], "--method: \"psychic\" is no method; there are thompson");
    with(&["--method", "random,random"], "names random twice");
    with(&["--queries", "0"], "a whole number from 1 on is needed");
    with(&["--restarts", "0"], "a whole number from 1 on is needed");
    with(&["--time", "0"], "a time longer than 0");
    with(&["--depth", "3-2"], "a number from 1 on is needed, or two as 3-5");
    with(&["--depth", "9"], "a range within 1 to 8 is needed");
    with(&["--weight", "fp.div"], "CONSTRUCT=W is needed");
    with(&["--bisect"], "--confirm");
    with(&["--shard", "3/2"], "I/N is needed");
    refused(&["--merge", "no-such-run"], "there is no run of smelt perf in no-such-run");
    refused(&["--show", "best", "--out", "no-such-run"], "there is no run of smelt perf");
}
