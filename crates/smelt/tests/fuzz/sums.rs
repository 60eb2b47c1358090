//! Tables that add up: in random campaigns, also those that were resumed or killed.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde_json::Value as Json;

use crate::run::{SEED, SMALL, alone, campaign, command, findings, folder, pipe, summary, text};
use crate::scripted::{CRASHES, shell};

/// What solvers may be.
const SOLVERS: [&str; 6] = [
    "echo unknown",
    "echo sat",
    "echo unsat",
    CRASHES,
    "grep -q '(= ' \"$1\" && echo '(error \"not supported\")'; echo unknown",
    "grep -q '(<= ' \"$1\" && kill -KILL $$; echo unknown",
];

/// What seeds may be.
const SEEDS: [&str; 7] = [
    SEED,
    SMALL,
    "(declare-const p Bool)(push 1)(assert p)(check-sat)(pop 1)(assert (not p))(check-sat)",
    "(set-option :smt.mbqi false)(declare-const x Int)(assert (! (> x 1) :named a))(check-sat)",
    "(assert (= 1 \"a\"))(check-sat)",
    "(declare-const p Bool)(assert p)",
    "(declare-const p",
];

/// The sum of a group of counts, all of which are integers.
fn sum(group: &Json) -> u64 {
    let all = group.as_object().into_iter().flatten();
    all.map(|(name, n)| n.as_u64().unwrap_or_else(|| panic!("{name}: {n} is no integer"))).sum()
}

/// Holds what the end of a campaign says against itself and against its folder.
fn check(dir: &Path, end: &Json, solvers: usize, seeds: u64, what: &str) {
    let counts = &end["counts"];
    let tests = counts["total"]["tests"].as_u64().unwrap();
    assert_eq!(sum(&counts["strategy-tests"]), tests, "{what}: {end:#}");
    let answers = counts["answer"].as_object().into_iter().flatten();
    let of_each: Vec<u64> = answers.map(|(_, kinds)| sum(kinds)).collect();
    assert_eq!(of_each, vec![tests; if tests > 0 { solvers } else { 0 }], "{what}: {end:#}");
    let kept = findings(dir).len() as u64;
    let of_classes = sum(&counts["finding"]);
    assert_eq!((of_classes, sum(&counts["strategy-findings"])), (kept, kept), "{what}: {end:#}");
    let seed = |name: &str| counts["seeds"][name].as_u64().unwrap();
    assert_eq!(seed("given"), seeds, "{what}: {end:#}");
    assert_eq!(seed("used") + seed("skipped") + seed("waiting"), seeds, "{what}: {end:#}");
    assert_eq!(sum(&counts["skipped"]), seed("skipped"), "{what}: {end:#}");
    let rate = tests as f64 / end["elapsed_seconds"].as_f64().unwrap();
    assert!(rate.is_finite() && end["earlier_tests"].as_u64().unwrap() <= tests, "{what}: {end:#}");
    sum(&counts["rejection"]);
    sum(&counts["refusal"]);
}

/// A random campaign: how many solvers and seeds it has, and its arguments.
fn random(dir: &Path, random: &mut ChaCha8Rng) -> (usize, u64, Vec<String>) {
    let solvers = random.random_range(1..4);
    let names: Vec<String> = (0..solvers)
        .map(|i| shell(dir, &format!("s{i}"), SOLVERS[random.random_range(0..SOLVERS.len())]))
        .collect();
    let seeds = random.random_range(1..6);
    for i in 0..seeds {
        let text = SEEDS[random.random_range(0..SEEDS.len())];
        fs::write(dir.join(format!("seeds/{i}.smt2")), text).unwrap();
    }
    let piped = random.random_range(0..3) == 0;
    if piped {
        pipe(&dir.join("seeds/pipe.smt2"));
    }
    let jobs = random.random_range(1..3);
    let more = format!("--jobs {jobs} --seed {} --out out --json", random.random_range(0..1000));
    let args = campaign(&names.iter().map(String::as_str).collect::<Vec<_>>(), &more)
        .into_iter()
        .filter(|a| !a.is_empty())
        .map(str::to_owned);
    // The helper names a number of workers, too.
    let mut args: Vec<String> = args.collect();
    if let Some(at) = args.iter().position(|a| a == "--jobs") {
        args.drain(at..at + 2);
    }
    // With the one that is in the folder anyway.
    (solvers, seeds + 1 + u64::from(piped), args)
}

#[test]
fn tables_add_up() {
    for case in 0..6 {
        let dir = folder(&format!("sums-{case}"), SEED);
        let mut stream = ChaCha8Rng::seed_from_u64(case);
        let (solvers, seeds, args) = random(&dir, &mut stream);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let run = |args: &[&str], what: &str| {
            let mut c = command(&dir, args);
            c.env("SMELT_HOME", dir.join("home")).env("PATH", "/usr/bin:/bin");
            let out = c.output().unwrap();
            assert!(matches!(out.status.code(), Some(0 | 10)), "{what}: {}", text(&out));
            check(&dir, &summary(&out), solvers, seeds, what);
        };
        let tests = stream.random_range(5..40).to_string();
        run(&[&args[..], &["--tests", &tests]].concat(), &format!("{case}: {args:?}"));
        let again = ["fuzz", "--resume", "--out", "out", "--json", "--tests", "15"];
        run(&again, &format!("{case}, resumed"));
        if case % 2 == 0 {
            let mut killed = command(&dir, &["fuzz", "--resume", "--out", "out", "--time", "9s"]);
            killed.env("SMELT_HOME", dir.join("home")).stdout(Stdio::null()).stderr(Stdio::null());
            let mut killed = killed.spawn().unwrap();
            std::thread::sleep(Duration::from_millis(1700));
            killed.kill().unwrap();
            killed.wait().unwrap();
            run(&again, &format!("{case}, killed and resumed"));
        }
    }
}

/// What people read is what machines read, and says of which time it is.
#[test]
fn the_table_for_people() {
    let dir = folder("sums-people", SEED);
    fs::write(dir.join("seeds/two.smt2"), "(declare-const p").unwrap();
    fs::write(dir.join("seeds/three\n.smt2"), "(check-sat").unwrap();
    let shy = shell(&dir, "shy", "echo unknown");
    let more = "--tests 260 --out out --strategy opfuzz --seed 1 --memory 100M";
    let said = text(&alone(&dir, &campaign(&[&shy], more), 0));
    let has = |said: &str, line: &str| assert!(said.contains(line), "no `{line}` in\n{said}");
    has(&said, "seeds: 3 given, 1 used, 2 skipped\n");
    has(&said, "limits for one script: 2 s of CPU, 9 s of wall time, 100 MB of memory");
    has(&said, "shy, 260 tests:\n       260  unknown\n");
    let said = text(&alone(&dir, &["fuzz", "--list-skipped", "--out", "out"], 0));
    has(&said, "seeds/two.smt2: not understood");
    has(&said, "seeds/three\\u000a.smt2: not understood");
    assert_eq!(said.lines().count(), 2, "{said}");
    let said = text(&alone(&dir, &["fuzz", "--resume", "--out", "out", "--tests", "10"], 0));
    has(&said, "in all: 270 tests in ");
    has(&said, "since it was resumed: 10 tests in ");
    has(&said, "seeds since it was resumed: 3 given, ");
}
