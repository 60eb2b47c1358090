//! `smelt evolve`: the release in use beside newer ones, a planted release that is wrong, a run that goes on, and bad input.

mod run;

use std::path::{Path, PathBuf};
use std::process::Output;

use run::{program, smelt};
use serde_json::Value;
use smelt_solver::testing;

const QUERIES: [(&str, &str); 4] = [
    ("a.smt2", "(set-logic QF_UF)(declare-const p Bool)(assert p)(check-sat)"),
    ("b.smt2", "(set-logic QF_UF)(declare-const p Bool)(assert p)(assert (not p))(check-sat)"),
    ("c.smt2", "(set-logic QF_LIA)(declare-const x Int)(assert (> (* 2 x) 8))(check-sat)"),
    ("d.smt2", "(set-logic QF_LIA)(declare-const x Int)(assert (= (* 2 x) 7))(check-sat)"),
];

fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    files.iter().for_each(|(name, text)| std::fs::write(folder.join(name), text).unwrap());
    folder
}

fn text(output: &Output) -> String {
    let [out, err] =
        [&output.stdout, &output.stderr].map(|b| String::from_utf8_lossy(b).into_owned());
    out + &err
}

/// How many runs the journal has.
fn runs(out: &Path) -> i64 {
    let db = rusqlite::Connection::open(out.join("survey.db")).unwrap();
    db.query_row("select count(*) from runs", [], |r| r.get(0)).unwrap()
}

#[test]
fn releases_beside_each_other() {
    for release in ["z3@4.8.7", "z3@latest"] {
        testing::solver(release);
    }
    let queries = folder("evolve-queries", &QUERIES);
    let out = folder("evolve-out", &[]);
    let [queries, folder] = [&queries, &out].map(|p| p.to_str().unwrap());
    let old = ["evolve", queries, "--solver", "z3@4.8.7", "--jobs", "1", "--out", folder];
    let first = smelt(&old);
    assert_eq!(first.status.code(), Some(0), "{}", text(&first));
    assert!(text(&first).contains("No release is known to be wrong."), "{}", text(&first));
    assert_eq!(runs(&out), 4);

    // A release that is added costs its own runs, and the same command once more costs none.
    let both = [&old[..], &["--solver", "z3@latest", "--current", "z3@4.8.7"]].concat();
    let mut before = 0;
    for turn in 0..2 {
        let both = smelt(&both);
        assert_eq!(both.status.code(), Some(0), "{}", text(&both));
        assert!(text(&both).contains("Beside z3@4.8.7"), "{}", text(&both));
        assert!(text(&both).contains("4 queries, 2 releases"), "{}", text(&both));
        // (What seems to be slower is run again.)
        let now = runs(&out);
        assert!(if turn == 0 { now >= 8 } else { now == before }, "{before} and {now} runs");
        before = now;
    }

    // A solver that calls everything unsat is named, with the proof.
    let liar = program("evolve-liar/liar", "cat > /dev/null; echo unsat");
    let liar = format!("liar={}", liar.display());
    let three = smelt(&[&both[..], &["--solver", &liar]].concat());
    assert_eq!(three.status.code(), Some(10), "{}", text(&three));
    let wrong = "liar: refutation-soundness on";
    assert_eq!(text(&three).matches(wrong).count(), 2, "{}", text(&three));
    let json = std::fs::read_to_string(out.join("evolution.json")).unwrap();
    let found: Value = serde_json::from_str(&json).unwrap();
    let faults = found["faults"].as_array().unwrap();
    assert_eq!(faults.len(), 2, "{faults:?}");
    for fault in faults {
        assert_eq!(fault["grade"], "proven", "{fault}");
        assert!(fault["command"].as_str().unwrap().starts_with("smelt check"), "{fault}");
    }
    let page = std::fs::read_to_string(out.join("index.html")).unwrap();
    assert!(page.contains("WRONG") && !page.contains("http://") && !page.contains("https://"));
    let csv = std::fs::read_to_string(out.join("queries.csv")).unwrap();
    assert_eq!(csv.lines().count(), 1 + 4 * 3, "{csv}");
    let csv = std::fs::read_to_string(out.join("cells.csv")).unwrap();
    let head: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    let names: std::collections::BTreeSet<&str> = head.iter().copied().collect();
    assert!(head.contains(&"fault refutation-soundness") && names.len() == head.len(), "{head:?}");
}

#[test]
fn bad_input_is_one_sentence() {
    testing::solver("z3@latest");
    let empty = folder("evolve-empty", &[]);
    let queries = folder("evolve-bad", &QUERIES[..1]);
    let grammar = folder("evolve-grammar", &[("x.g", "grammar X; start : '(' b ')' EOF;")]);
    let [empty, queries] = [&empty, &queries].map(|p| p.to_str().unwrap());
    let grammar = grammar.join("x.g");
    let solver = ["--solver", "z3@latest", "--out", "evolve-bad-out"];
    for (args, words) in [
        (vec![empty], "there is no script"),
        (vec!["--grammar", grammar.to_str().unwrap()], "b"),
        (vec!["--grammar", "no-such"], "no grammar inside smelt"),
        (vec![queries, "--solver", "z3@99.1"], "99.1"),
        (vec![queries, "--solver", "z3@5..4"], "no release"),
        (vec![queries, "--current", "z3@4.0"], "--current z3@4.0 is none of the releases"),
        (vec![queries, "--out", "/proc/nowhere"], "/proc/nowhere"),
    ] {
        let mut all = vec!["evolve"];
        all.extend(&args);
        let given = |flag: &str| args.contains(&flag);
        all.extend(solver.chunks(2).filter(|c| c[0] == "--solver" || !given(c[0])).flatten());
        let output = smelt(&all);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", text(&output));
        assert!(text(&output).contains(words), "{args:?}: {}", text(&output));
    }
}
