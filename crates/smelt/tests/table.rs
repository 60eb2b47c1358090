//! `smelt check FOLDER --solver …`: totals that can be made again from the lines of the files, and a survey that goes on.

mod run;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use run::{program, smelt};
use serde_json::Value;
use smelt_solver::testing;

fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    files.iter().for_each(|(name, text)| std::fs::write(folder.join(name), text).unwrap());
    folder
}

/// Queries with a right `:status`, a wrong one, two checks, something that only z3 decides, and no script at all.
const QUERIES: [(&str, &str); 6] = [
    ("a.smt2", "(declare-const p Bool)(assert p)(check-sat)"),
    (
        "b.smt2",
        "(set-info :status unsat)(declare-const p Bool)(assert p)(assert (not p))(check-sat)",
    ),
    ("c.smt2", "(set-info :status unsat)(declare-const p Bool)(assert p)(check-sat)"),
    ("d.smt2", "(declare-const p Bool)(assert p)(check-sat)(assert (not p))(check-sat)"),
    ("e.smt2", "(declare-const x Int)(assert (> (* x x) 8))(check-sat)"),
    ("f.smt2", "(assert"),
];

fn lines(text: &[u8]) -> Vec<Value> {
    let text = String::from_utf8(text.to_vec()).unwrap();
    text.lines().map(|l| serde_json::from_str(l).unwrap_or_else(|e| panic!("{l}: {e}"))).collect()
}

/// The totals of a solver, from the lines of the files alone.
fn recomputed(lines: &[Value], solver: &str, limit: f64) -> BTreeMap<&'static str, f64> {
    let mut sum: BTreeMap<&'static str, f64> = BTreeMap::new();
    let mut add = |key, n: f64| *sum.entry(key).or_default() += n;
    for file in lines.iter().filter(|l| l["kind"] == "file") {
        let solvers = file["solvers"].as_array().unwrap();
        let checks =
            solvers.iter().map(|s| s["checks"].as_array().unwrap().len()).max().unwrap_or(0);
        let Some(own) = solvers.iter().find(|s| s["solver"] == solver) else { continue };
        add("cpu_seconds", own["cpu_seconds"].as_f64().unwrap_or(0.0));
        add("start_seconds", own["start_seconds"].as_f64().unwrap_or(0.0));
        if checks == 0 {
            continue;
        }
        add("files", 1.0);
        add("checks", checks as f64);
        let (mut solved, all) = (true, file["diagnoses"].as_array().unwrap());
        for k in 0..checks {
            let answer = own["checks"][k]["answer"].as_str().unwrap_or("");
            solved &= matches!(answer, "sat" | "unsat");
            add(
                match answer {
                    "sat" => "sat",
                    "unsat" => "unsat",
                    "unknown" => "unknown",
                    "timeout" => "timeout",
                    "out-of-memory" => "out_of_memory",
                    "rejected" | "unsupported" => "rejected",
                    "crash" => "crash",
                    _ => "other",
                },
                1.0,
            );
            let accused = |words: &[&str]| {
                all.iter().any(|d| {
                    d["check"] == k + 1
                        && d["solver"] == solver
                        && d["grade"] != "weak"
                        && words.iter().any(|w| d["word"] == *w)
                })
            };
            let wrong = accused(&[
                "refutation-soundness",
                "solution-soundness",
                "self-contradiction",
                "neighbour-contradiction",
                "model-contradiction",
            ]);
            let bad = accused(&["invalid-model"]);
            add("wrong", f64::from(u8::from(wrong)));
            add("bad_model", f64::from(u8::from(bad)));
            solved &= !wrong && !bad;
        }
        add("solved", f64::from(u8::from(solved)));
        add(
            "par2_seconds",
            if solved { own["cpu_seconds"].as_f64().unwrap() } else { 2.0 * limit },
        );
    }
    sum
}

#[test]
fn totals_are_those_of_the_files() {
    testing::solver("z3@latest");
    let queries = folder("table-queries", &QUERIES);
    program("table-liar", "echo sat");
    program("table-lazy", "echo unknown");
    let solvers = ["--solver", "z3@latest", "--solver", "./table-liar", "--solver", "./table-lazy"];
    let args = [&["check", queries.to_str().unwrap(), "--limit", "5"], &solvers[..]].concat();
    let out = smelt(&[&args[..], &["--json"]].concat());
    let complaint = String::from_utf8_lossy(&out.stderr).into_owned();
    assert_eq!(out.status.code(), Some(10), "{complaint}");
    let lines = lines(&out.stdout);
    let of = |kind: &str| lines.iter().filter(|l| l["kind"] == kind).collect::<Vec<_>>();
    assert_eq!((of("file").len(), of("total").len(), of("table").len()), (6, 3, 1));
    for total in of("total") {
        let expect = recomputed(&lines, total["solver"].as_str().unwrap(), 5.0);
        for (key, value) in total.as_object().unwrap() {
            if matches!(&**key, "kind" | "solver" | "other_faults") {
                continue;
            }
            let (value, expect) =
                (value.as_f64().unwrap(), expect.get(&**key).copied().unwrap_or(0.0));
            assert!((value - expect).abs() < 1e-9, "{total}: {key} is {expect}");
        }
    }
    let [z3, liar, lazy] = of("total")[..] else { panic!() };
    assert_eq!((&z3["sat"], &z3["unsat"], &z3["wrong"]), (&4.into(), &2.into(), &0.into()));
    assert_eq!(
        (&liar["wrong"], &lazy["unknown"], &lazy["solved"]),
        (&1.into(), &4.into(), &0.into())
    );
    let table = of("table")[0];
    assert_eq!(
        (&table["complete"], table["mislabelled"].to_string().contains("c.smt2")),
        (&true.into(), true)
    );
    assert!(table["decided_only"].to_string().contains("b.smt2"), "{table}");
    // For people: lines of files only where something is wrong.
    let text = String::from_utf8(smelt(&args).stdout).unwrap();
    for part in [
        "b.smt2: table-liar: solution soundness",
        "c.smt2: the script's own :status unsat is wrong (proven: smelt's evaluator finds",
        "f.smt2: smelt cannot read this script",
        "PAR-2 s",
        "6 files, 6 checks, 3 solvers; limit 5 s of CPU",
        "; 0 timeouts; ",
        "decided only by z3@latest",
        "the :status is proven wrong in 1 files",
    ] {
        assert!(text.contains(part), "no {part} in {text}");
    }
    assert!(!text.contains("a.smt2: ") && !text.contains("e.smt2: "), "{text}");
    // For spreadsheets, a line per file and solver below the head.
    let csv = String::from_utf8(smelt(&[&args[..], &["--csv"]].concat()).stdout).unwrap();
    assert!(csv.starts_with("file,hash,solver,answers,models,faults,"), "{csv}");
    assert_eq!(csv.lines().count(), 1 + 6 * 3, "{csv}");
    assert!(csv.contains(",sat;unsat,"), "{csv}");
}

/// What a folder has is not run again; a solver that is added costs its own runs only.
#[test]
fn a_survey_goes_on() {
    let queries = folder("table-again", &QUERIES[..3]);
    let out = folder("table-again-out", &[]);
    program("table-one", "echo sat");
    program("table-two", "echo sat # another");
    let args = ["check", queries.to_str().unwrap(), "--out", out.to_str().unwrap()];
    let with = |solvers: &[&str]| {
        let solvers: Vec<&str> = solvers.iter().flat_map(|s| ["--solver", *s]).collect();
        String::from_utf8(smelt(&[&args[..], &solvers].concat()).stdout).unwrap()
    };
    with(&["./table-one"]);
    for name in ["answers.csv", "totals.csv", "table.json"] {
        assert!(out.join(name).is_file(), "{name}");
    }
    let db = || rusqlite::Connection::open(out.join("survey.db")).unwrap();
    let count = |sql: &str| db().query_row(sql, [], |r| r.get::<_, i64>(0)).unwrap();
    assert_eq!(count("select count(*) from runs where round = 0"), 3);
    assert_eq!(count("select count(*) from runs where verdict = 'solution-soundness'"), 1);
    // What the journal says counts, as long as text, solver and limit are the same.
    db().execute("update judgements set judged = replace(judged, '\"sat\"', '\"unknown\"')", [])
        .unwrap();
    let text = with(&["./table-one"]);
    assert!(text.contains("table-one    0      0        3  "), "{text}");
    db().execute("update runs set cpu = 77", []).unwrap();
    with(&["./table-one", "./table-two"]);
    assert_eq!(count("select count(*) from runs where round = 0"), 6);
    assert_eq!(count("select count(*) from runs where cpu = 77"), 3);
    let other = [&args[..], &["--limit", "3", "--solver", "./table-one"]].concat();
    smelt(&other);
    assert_eq!(count("select count(*) from runs where round = 0"), 9);
    // More memory, or no walls, may give another answer.
    for within in [["--memory", "4G"], ["--sandbox", "off"]] {
        smelt(&[&args[..], &within, &["--solver", "./table-one"]].concat());
    }
    assert_eq!(count("select count(*) from runs where round = 0"), 15);
}

/// A run that the clock ended while the solver waited says nothing of the solver: it is made again.
#[test]
fn what_waits_for_a_busy_machine_is_asked_again() {
    let queries = folder("table-waits", &QUERIES[..1]);
    let out = folder("table-waits-out", &[]);
    let args = ["check", queries.to_str().unwrap(), "--out", out.to_str().unwrap()];
    let run =
        || smelt(&[&args[..], &["--solver", "./table-waits-solver", "--limit", "0.1"]].concat());
    // (The first script is the one that each solver is tried on.)
    program(
        "table-waits-solver",
        "case \"$(cat \"$@\")\" in *'assert p'*) sleep 60;; esac\necho sat",
    );
    let said = String::from_utf8(run().stdout).unwrap();
    assert!(said.contains("timeout"), "{said}");
    assert_eq!(kept(&out), 0, "{said}");
}

/// Starts a survey of slow answers, and waits until some are kept.
fn begun(queries: &Path, out: &Path) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_smelt"));
    command
        .args(["check", "--solver", "./table-slow", "--jobs", "1"])
        .arg(queries)
        .arg("--out")
        .arg(out);
    command.current_dir(env!("CARGO_TARGET_TMPDIR")).env("SMELT_HOME", testing::home().root());
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let end = Instant::now() + Duration::from_secs(60);
    while kept(out) < 3 {
        assert!(Instant::now() < end, "nothing is kept");
        std::thread::sleep(Duration::from_millis(50));
    }
    child
}

fn kept(out: &Path) -> i64 {
    let open = || -> rusqlite::Result<i64> {
        let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
        let db = rusqlite::Connection::open_with_flags(out.join("survey.db"), flags)?;
        db.query_row("select count(*) from runs", [], |r| r.get(0))
    };
    open().unwrap_or(0)
}

#[test]
fn ends_that_lose_nothing() {
    program("table-slow", "sleep 0.3\necho sat");
    let queries: Vec<(String, String)> = (0..12)
        .map(|i| {
            (format!("{i}.smt2"), format!("(declare-const p{i} Bool)(assert p{i})(check-sat)"))
        })
        .collect();
    let queries: Vec<(&str, &str)> =
        queries.iter().map(|(n, t)| (n.as_str(), t.as_str())).collect();
    let queries = folder("table-slow-queries", &queries);
    for signal in ["-INT", "-KILL"] {
        let out = folder("table-slow-out", &[]);
        let child = begun(&queries, &out);
        let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let ended = child.wait_with_output().unwrap();
        if signal == "-INT" {
            let said = String::from_utf8_lossy(&ended.stderr).into_owned();
            assert!(said.contains("interrupted: ") && said.contains("goes on"), "{said}");
            assert_eq!(ended.status.code(), Some(2));
            assert!(String::from_utf8_lossy(&ended.stdout).contains("PAR-2 s"));
        }
        let before = kept(&out);
        assert!((3..12).contains(&before), "{before}");
        let args = ["check", "--solver", "./table-slow", "--out", out.to_str().unwrap()];
        let all = smelt(&[&args[..], &[queries.to_str().unwrap()]].concat());
        assert_eq!((all.status.code(), kept(&out)), (Some(0), 12));
        assert!(String::from_utf8_lossy(&all.stdout).contains("12 files, 12 checks"));
    }
}
