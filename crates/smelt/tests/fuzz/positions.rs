//! Positions of the schedule: each is finished once, whoever is killed, and has its cases, however many work.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::run::{SEED, SMALL, alone, command, folder, smelt};
use crate::scripted::{scripted, shell};

/// The finished positions of the last run in a folder, in their order: position, seed, strategy, partners, steps.
fn positions(folder: &Path) -> Vec<(u64, String)> {
    let db = rusqlite::Connection::open(folder.join("smelt.db")).unwrap();
    let sql = "select seq, seed || ' ' || strategy || ' ' || partners || ' ' || steps from chains order by seq";
    let mut q = db.prepare(sql).unwrap();
    let rows = q.query_map([], |r| Ok((r.get::<_, i64>(0)? as u64, r.get(1)?))).unwrap();
    rows.collect::<Result<_, _>>().unwrap()
}

/// Positions that were not finished when a campaign was killed are taken first when it goes on: in the end each has been finished
/// once, with what it has where nobody is killed.
#[test]
fn goes_on_with_what_was_unfinished() {
    let dir = folder("holes", SEED);
    fs::write(dir.join("seeds/two.smt2"), SMALL).unwrap();
    // Positions of one seed take longer than those of the other, so that there are holes before the end.
    let slow = "grep -q Int \"$1\" && sleep 0.03; echo unknown";
    let slow = shell(&dir, "slow", slow);
    let more = "--jobs 3 --seed 4 --deterministic --strategy opfuzz,typefuzz --json";
    let args = ["fuzz", "seeds", "--solver", &slow];
    let args: Vec<&str> = args.into_iter().chain(more.split(' ')).collect();
    let killed = [&args[..], &["--time", "300s", "--out", "killed"]].concat();
    let path = dir.join("killed");
    let begun = Instant::now();
    let mut child = command(&dir, &killed).stdout(Stdio::null()).spawn().unwrap();
    let holes = |done: &[(u64, String)]| done.last().is_some_and(|l| l.0 as usize >= done.len());
    while !path.join("smelt.db").exists() || !holes(&positions(&path)) {
        assert!(begun.elapsed() < Duration::from_secs(120));
        std::thread::sleep(Duration::from_millis(100));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let before = positions(&path);
    let last = before.last().unwrap().0;
    assert!(holes(&before), "{before:?}");
    // Twice, so that what is left open by an end without force is taken up, too.
    for tests in ["150", "800"] {
        smelt(&dir, &["fuzz", "--resume", "--out", "killed", "--json", "--tests", tests], 0);
    }
    let after = positions(&path);
    let tests = ((last + 4) * 100).to_string();
    smelt(&dir, &[&args[..], &["--tests", &tests, "--out", "whole"]].concat(), 0);
    let whole = positions(&dir.join("whole"));
    assert!(after.starts_with(&whole[..last as usize + 1]), "{after:#?}\n{whole:#?}");
}

/// Answers to what solvers were sent, by position, step and solver.
type Sent = BTreeMap<(u64, u64, String), String>;

/// With options that are refused, operators that are refused, and any number of workers, a frozen schedule has the same positions.
#[test]
fn a_frozen_schedule_learns_nothing() {
    let dir = folder("frozen", SEED);
    let picky = r#"
def answer(script):
    if has("arith") or has("smt."):
        return '(error "unknown parameter \'arith\' in option parsing")'
    return '(error "no differences")' if "(- " in script else "unknown"
def model(script):
    return '(error "no model")'
"#;
    let picky = scripted(&dir, "z3", picky);
    let log = |jobs: &str| -> Sent {
        let file = format!("log{jobs}.tsv");
        let more = "--seed 3 --deterministic --strategy opfuzz --options regular --tests 1500";
        let more: Vec<&str> = more.split(' ').chain(["--out", jobs, "--log", &file]).collect();
        let args = ["fuzz", "seeds", "--solver", &picky, "--jobs", jobs];
        alone(&dir, &[&args[..], &more].concat(), 0);
        let text = fs::read_to_string(dir.join(&file)).unwrap();
        let line = |l: &str| {
            let c: Vec<&str> = l.split('\t').collect();
            let at = (c[2].parse().unwrap(), c[3].parse().unwrap(), c[4].to_owned());
            (at, c[5..].join(" "))
        };
        text.lines().map(line).collect()
    };
    let (one, two) = (log("1"), log("2"));
    // The end of the tests cuts the last positions short.
    let last = |all: &Sent| all.keys().map(|k| k.0).max().unwrap();
    let end = last(&one).min(last(&two)).saturating_sub(2);
    let until = |all: &Sent| -> Sent {
        all.iter().filter(|(at, _)| at.0 < end).map(|(k, v)| (k.clone(), v.clone())).collect()
    };
    let refused = one.values().filter(|a| a.ends_with("rejected")).count();
    assert!(end > 8 && refused > 5, "{end} {refused}");
    assert_eq!(until(&one), until(&two));
}
