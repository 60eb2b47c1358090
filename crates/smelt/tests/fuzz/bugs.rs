//! From triggers to bugs: what is done with findings beside the tests, and behind them.

use std::fs;

use serde_json::Value as Json;

use crate::run::{SEED, bare_command, campaign, findings, folder, found, replay, smelt, summary};
use crate::scripted::scripted;

/// Lies on every script with a `distinct`.
const LIAR: &str = "def answer(script): return 'unsat' if 'distinct' in script else 'unknown'";

/// All findings of a campaign, also those below a bug.
fn with_triggers(dir: &std::path::Path) -> Vec<Json> {
    let mut all: Vec<Json> = Vec::new();
    for (path, f) in findings(dir) {
        all.push(f);
        let below = fs::read_dir(path.join("triggers")).into_iter().flatten();
        let below = below.map(|e| fs::read(e.unwrap().path().join("finding.json")).unwrap());
        all.extend(below.map(|json| serde_json::from_slice(&json).unwrap()));
    }
    all
}

/// A finding is made small under its name, its draft is about the small script, and its triggers are below it.
#[test]
fn one_bug() {
    let more = "--tests 60 --reduce end --json";
    let (dir, all) = found("one-bug", ("z3", LIAR), &["cvc5@latest"], more);
    assert_eq!(all.len(), 1, "{all:#?}");
    let (path, f) = &all[0];
    let bug = fs::read_to_string(path.join("bug.smt2")).unwrap();
    assert!(bug.len() <= 120 && bug.contains("distinct"), "{bug}");
    assert!(fs::read_to_string(path.join("report.md")).unwrap().contains(bug.trim()));
    for f in with_triggers(&dir) {
        let done = |kind: &str| f["done"][kind].is_string();
        assert!(done("reduce") && done("fingerprint"), "{f:#}");
    }
    let shows = |r: &Json| r[1] == "shows";
    assert_eq!(
        f["fingerprint"]["releases"].as_array().unwrap().iter().filter(|r| shows(r)).count(),
        1
    );
    // The recipe names the seeds; they are where they were.
    assert!(!path.join("seed.smt2").exists());
    replay(&dir, path, &[], 10, "the recipe gives the same mutant");
}

/// What is not done is done when the campaign is resumed, once.
#[test]
fn done_later() {
    let dir = folder("done-later", SEED);
    let own = scripted(&dir, "z3", LIAR);
    let kept = "--strategy opfuzz --seed 1 --tests 30 --reduce off --out out";
    smelt(&dir, &campaign(&[&own, "cvc5@latest"], kept), 10);
    let before = with_triggers(&dir);
    assert!(!before.is_empty() && before.iter().all(|f| f["done"].is_null()), "{before:#?}");
    let resume = ["fuzz", "--resume", "--out", "out", "--tests", "1", "--reduce", "end", "--json"];
    let out = bare_command(&dir, &resume).output().unwrap();
    let end = summary(&out);
    assert_eq!(end["jobs_left"], 0, "{end:#}");
    assert_eq!(end["new_bugs"].as_array().map(Vec::len), Some(1), "{end:#}");
    let after = with_triggers(&dir);
    assert_eq!(after.len(), before.len());
    assert!(after.iter().all(|f| f["done"]["fingerprint"].is_string()), "{after:#?}");
    let again = bare_command(&dir, &resume).output().unwrap();
    assert_eq!((summary(&again)["jobs_left"].clone(), with_triggers(&dir)), (0.into(), after));
}
