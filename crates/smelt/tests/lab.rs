//! `smelt lab`: cells of smelt and of another tool, a run that goes on, its folder, and bad input.

mod run;

use std::path::{Path, PathBuf};
use std::process::Output;

use run::{file, program, smelt};
use serde_json::Value;
use smelt_solver::testing;

fn text(output: &Output) -> String {
    let [out, err] =
        [&output.stdout, &output.stderr].map(|b| String::from_utf8_lossy(b).into_owned());
    out + &err
}

fn tmp(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// A seed that is decided at once, so that there are tests within the budget.
const SEED: &str = "(set-logic QF_LIA)\n(declare-fun x () Int)\n(declare-fun y () Int)\n\
    (assert (< x (+ y 1)))\n(assert (or (> x 3) (= y 7)))\n(check-sat)\n";

/// A script whose model z3 4.8.7 gets wrong, and newer releases do not.
const TRIGGER: &str = include_str!("lab/trigger.smt2");

fn plan(name: &str, techniques: &str, more: &str) -> String {
    let text = format!(
        "budget = 2\nrepetitions = 1\n{more}\n[[target]]\nname = \"old\"\nsolvers = [\"z3@4.8.7\"]\n{techniques}"
    );
    file(name, &text).display().to_string()
}

#[test]
fn cells_of_smelt_and_of_another_tool() {
    for release in ["z3@4.8.7", "z3@latest"] {
        testing::solver(release);
    }
    let out = tmp("lab-out");
    let _ = std::fs::remove_dir_all(&out);
    let seed = file("lab-seed.smt2", SEED);
    let trigger = file("lab-trigger.smt2", TRIGGER);
    // The tool dies first, then it finds a bug, then it would never end.
    let tool = program(
        "lab-tool",
        "[ -e \"$1\"/../died ] || { touch \"$1\"/../died; echo no luck; exit 3; }\n\
        cp \"$2\" \"$1\"/found.smt2; while :; do :; done",
    );
    let peer = format!("{} {{bugs}} {} {{seeds}}", tool.display(), trigger.display());
    let techniques = format!(
        "[[technique]]\nstrategies = [\"opfuzz\"]\n[[technique]]\nname = \"tool\"\npeer = \"{peer}\"\n"
    );
    let own = plan("lab.toml", &techniques, "");
    let args = |more: &[&'static str]| -> Vec<String> {
        let all = ["lab", &own, "--seeds", seed.to_str().unwrap(), "--out", out.to_str().unwrap()];
        all.iter().chain(more).map(|a| (*a).to_owned()).collect()
    };
    let run = |more: &[&'static str]| {
        let args = args(more);
        smelt(&args.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let refused = run(&[]);
    assert_eq!(refused.status.code(), Some(2), "{}", text(&refused));
    assert!(text(&refused).contains("is not trusted"), "{}", text(&refused));

    let first = run(&["--trust", "--json", "--jobs", "2"]);
    assert_eq!(first.status.code(), Some(0), "{}", text(&first));
    let report: Value = serde_json::from_slice(&first.stdout).unwrap();
    assert_eq!(report["kind"], "lab");
    let described =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/json.md"));
    let described = described.unwrap();
    for field in report.as_object().unwrap().keys().filter(|k| *k != "kind") {
        assert!(described.contains(&format!("| `lab` | `{field}` |")), "docs/json.md: {field}");
    }
    let rows = report["targets"][0]["techniques"].as_array().unwrap();
    let [smelts, tools] = &rows[..] else { panic!("{rows:?}") };
    let cell = |row: &Value| row["cells"][0]["cell"].clone();
    for row in [smelts, tools] {
        let spent = cell(row)["spent"].as_f64().unwrap();
        assert!(spent >= 2.0, "{spent}: {row}");
        assert_eq!(row["cells"][0]["done"], true);
    }
    assert!(cell(smelts)["tests"].as_u64().unwrap() > 0);
    // What the tool has left is a bug of 4.8.7 that the newest release does not have; how its runs ended is told.
    assert_eq!(tools["together"], 1, "{report}");
    assert_eq!(cell(tools)["triggers"], 1);
    let ends = cell(tools)["ends"].to_string();
    assert!(ends.contains("exit code 3: no luck") && ends.contains("budget was used"), "{ends}");
    for name in ["index.html", "lab.json", "cells.csv", "bugs.csv", "curves.csv", "plan.json"] {
        assert!(out.join(name).is_file(), "{name}");
    }
    let page = std::fs::read_to_string(out.join("index.html")).unwrap();
    assert!(page.contains("<svg") && !page.contains("http://") && !page.contains("https://"));

    // Nothing is left to do, and the same comes of it.
    let again = run(&["--trust", "--json"]);
    let again: Value = serde_json::from_slice(&again.stdout).unwrap();
    assert_eq!(again["targets"], report["targets"]);
    // Another plan is another lab.
    plan("lab.toml", &techniques, "seed = 9");
    let other = run(&["--trust"]);
    assert!(text(&other).contains("is of another plan"), "{}", text(&other));
}

#[test]
fn what_cannot_be_run_is_one_sentence() {
    for release in ["z3@4.8.7", "z3@latest"] {
        testing::solver(release);
    }
    let seed = file("lab-odd-seed.smt2", "(declare-sort |(Odd)| 0)\n(check-sat\n");
    let check = |name: &str, techniques: &str, code: i32, expect: &str| {
        let own = plan(&format!("lab-{name}.toml"), techniques, "");
        let out = tmp(&format!("lab-{name}-out"));
        let _ = std::fs::remove_dir_all(&out);
        let seeds = ["--seeds", seed.to_str().unwrap(), "--out", out.to_str().unwrap(), "--trust"];
        let output = smelt(&[&["lab", own.as_str()][..], &seeds].concat());
        assert_eq!(output.status.code(), Some(code), "{name}: {}", text(&output));
        assert!(text(&output).contains(expect), "{name}: {}", text(&output));
    };
    let dies = program("lab-dies", "echo 'it is broken' >&2; exit 1");
    let peer = format!("[[technique]]\npeer = \"{} {{bugs}}\"\nname = \"p\"\n", dies.display());
    check("dies", &peer, 2, "ended 3 times at once, the last time with exit code 1: it is broken");
    let agent = "[[technique]]\nagent = \"thompson\"\ntheory = \"bags\"\n";
    check("lacks", agent, 2, "has no bags");
    check("barren", "[[technique]]\nstrategies = [\"opfuzz\"]\n", 2, "no seed can be used");
    check(
        "unknown",
        "[[technique]]\nstrategies = [\"psychic\"]\n",
        2,
        "\"psychic\" is no strategy; there are",
    );
    let none = smelt(&["lab", "no-such-plan.toml"]);
    assert!(text(&none).contains("cannot read no-such-plan.toml"), "{}", text(&none));
}
