//! Parts of a campaign, put together: what one campaign on one machine has, whatever the order, however often.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde_json::Value as Json;

use crate::run::{SEED, SMALL, alone, folder, summary, text};
use crate::scripted::scripted;

/// Three bugs in different places, each with several triggers.
const CRASHES: &str = r#"
def answer(script):
    for (word, file, line) in [("(- ", "a.cpp", 1), ("(* ", "b.cpp", 2), ("xor", "c.cpp", 3)]:
        if word in script and script.count(" x") % 3 == line % 3:
            violate(file, line)
    return "unknown"
"#;

const PARTS: [&str; 4] = ["1", "2", "3", "4"];

/// A folder with a campaign as one, in `whole`, and as four, in `1` to `4`.
fn campaigns(name: &str) -> PathBuf {
    static MADE: OnceLock<PathBuf> = OnceLock::new();
    let made = MADE.get_or_init(made);
    let dir = folder(name, SEED);
    for campaign in PARTS.iter().chain(&["whole"]) {
        let copied = Command::new("cp").arg("-r").args([made.join(campaign), dir.clone()]).status();
        assert!(copied.unwrap().success());
    }
    dir
}

fn made() -> PathBuf {
    let dir = folder("merging-made", SEED);
    fs::write(dir.join("seeds/two.smt2"), SMALL).unwrap();
    let solver = scripted(&dir, "z3", CRASHES);
    let more = "--jobs 1 --seed 9 --deterministic --strategy opfuzz,typefuzz --positions 6 --options none --reduce off --json";
    let run = |out: &str, shard: &[&str]| {
        let args = ["fuzz", "seeds", "--solver", &solver, "--out", out];
        let args: Vec<&str> = args.into_iter().chain(more.split(' ')).collect();
        alone(&dir, &[&args[..], shard].concat(), 10)
    };
    run("whole", &[]);
    for part in PARTS {
        run(part, &["--shard", &format!("{part}/4")]);
    }
    dir
}

/// Merges and gives what was said.
fn merge(dir: &Path, out: &str, folders: &[&str], code: i32) -> Json {
    let args = [&["merge", "--json", out], folders].concat();
    summary(&alone(dir, &args, code))
}

/// What is in each file of the findings of a folder, but what depends on the moment.
fn findings(campaign: &Path) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(campaign.join("findings")).unwrap() {
        let path = entry.unwrap().path();
        let json = fs::read(path.join("finding.json")).unwrap();
        let mut json: Json = serde_json::from_slice(&json).unwrap();
        for field in ["found", "cpu_seconds"] {
            json.as_object_mut().unwrap().remove(field);
        }
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let original = fs::read_to_string(path.join("original.smt2")).unwrap();
        all.insert(name, format!("{json}\n{original}"));
    }
    all
}

/// Counts without seconds.
fn counts(said: &Json) -> Json {
    let mut counts = said["counts"].clone();
    let all = counts.as_object_mut().unwrap();
    all.remove("strategy-cpu");
    all["total"].as_object_mut().unwrap().remove("solver-cpu");
    counts
}

/// The positions that a folder says were finished, each with what was made of it.
fn positions(campaign: &Path) -> Vec<String> {
    let mut all = Vec::new();
    for run in fs::read_dir(campaign.join("runs")).unwrap() {
        let lines = fs::read_to_string(run.unwrap().path().join("positions.tsv")).unwrap();
        all.extend(lines.lines().filter(|l| !l.is_empty()).map(str::to_owned));
    }
    all.sort();
    all
}

#[test]
fn parts_are_the_whole() {
    let dir = campaigns("merging");
    // As one: a folder that is merged alone says what it has itself.
    let whole = merge(&dir, "one", &["whole"], 10);
    assert!(findings(&dir.join("whole")).len() >= 2, "{whole}");
    assert_eq!(findings(&dir.join("one")), findings(&dir.join("whole")));
    let all = merge(&dir, "all", &PARTS, 10);
    assert_eq!(findings(&dir.join("all")), findings(&dir.join("whole")));
    assert_eq!(counts(&all), counts(&whole));
    assert_eq!(positions(&dir.join("all")), positions(&dir.join("whole")));
    assert_eq!(all["remarks"], serde_json::json!([]));
    assert!(all["found_twice"].as_u64() > Some(0), "{all}");
    // Again: nothing is new, and nothing counts twice.
    let again = merge(&dir, "all", &PARTS, 0);
    assert_eq!(counts(&again), counts(&all));
    // In another order, one after the other, and through a folder that was merged itself.
    for (out, from) in [("3-1", ["3", "1"]), ("rest", ["4", "2"]), ("late", ["rest", "3-1"])] {
        merge(&dir, out, &from, 10);
    }
    assert_eq!(findings(&dir.join("late")), findings(&dir.join("whole")));
    let late = merge(&dir, "late", &["2", "rest", "1"], 0);
    assert_eq!(counts(&late), counts(&all));
    // What is missing is said.
    let some = merge(&dir, "some", &["2", "3"], 10);
    let remarks = some["remarks"].to_string();
    assert!(remarks.contains("2 of 4 parts are missing: 1/4, 4/4"), "{remarks}");
    // A page and drafts are made of it as of any campaign's; no run can go on.
    alone(&dir, &["report", "late", "--html", "page.html"], 0);
    let said = alone(&dir, &["fuzz", "--resume", "--out", "late"], 2);
    assert!(text(&said).contains("this folder was made by merging"), "{}", text(&said));
}

/// A campaign whose process was killed, files that are damaged or lead elsewhere, and work that was done twice.
#[test]
fn what_is_not_whole() {
    let dir = campaigns("merging-damaged");
    let run =
        |part: &str| fs::read_dir(dir.join(part).join("runs")).unwrap().next().unwrap().unwrap();
    // The last line was cut off, and a finding was being written.
    let lines = run("1").path().join("positions.tsv");
    let text = fs::read_to_string(&lines).unwrap();
    let cut = text.trim_end().rfind('\t').unwrap();
    fs::write(&lines, &text[..cut]).unwrap();
    fs::create_dir_all(dir.join("1/findings/.crash-z3-0123abcd.77")).unwrap();
    fs::write(dir.join("1/findings/.crash-z3-0123abcd.77/bug.smt2"), "(").unwrap();
    let one = merge(&dir, "a", &["1"], 10);
    assert_eq!(one["positions"].as_u64().unwrap() + 1, text.trim().lines().count() as u64);
    // No statement, a link, another key: named, and the rest is taken.
    fs::write(run("2").path().join("statement.json"), "{").unwrap();
    let real = run("3").path();
    fs::rename(&real, dir.join("elsewhere")).unwrap();
    std::os::unix::fs::symlink(dir.join("elsewhere"), &real).unwrap();
    let renamed = run("4").path().with_file_name("0123-1");
    fs::rename(run("4").path(), renamed).unwrap();
    let rest = merge(&dir, "b", &["1", "2", "3", "4"], 2);
    assert_eq!(rest["unreadable"].as_array().unwrap().len(), 3, "{rest}");
    assert_eq!(rest["runs"], 1);
    assert_eq!(findings(&dir.join("b")), findings(&dir.join("whole")));
    // One campaign, twice as a whole: each has all positions, and the tests of one of them count.
    let whole = merge(&dir, "c", &["whole", "whole"], 10);
    assert_eq!(whole["runs"], 1);
    let copy = dir.join("again");
    for (from, to) in [("statement.json", "statement.json"), ("positions.tsv", "positions.tsv")] {
        let to = copy.join("runs/00ff-1").join(to);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        let own = run("whole");
        let key = own.file_name().into_string().unwrap();
        let text = fs::read_to_string(own.path().join(from)).unwrap().replace(&key, "00ff-1");
        fs::write(to, text).unwrap();
    }
    let twice = merge(&dir, "c", &["again"], 0);
    assert_eq!((&twice["runs"], counts(&twice)), (&Json::from(1), counts(&whole)));
    assert!(twice["remarks"].to_string().contains("positions in common"), "{twice}");
}

/// Nothing is merged into itself, or into a campaign.
#[test]
fn refused() {
    let dir = campaigns("merging-refused");
    for (out, from, why) in [
        ("1", "1", "1 cannot be merged into itself"),
        ("1", "2", "1 has a campaign of its own: choose another folder"),
        ("seeds/one.smt2", "1", "cannot make the campaign's folder"),
    ] {
        let said = alone(&dir, &["merge", out, from], 2);
        assert!(text(&said).contains(why), "{out} {from}: {}", text(&said));
    }
}
