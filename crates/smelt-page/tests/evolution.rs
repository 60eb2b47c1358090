//! The page of an evolution: it says the same of the same data, needs nothing else, and nothing in scripts gets out of its place.

use std::collections::BTreeMap;

use smelt_campaign::evolve::data::{
    Beside, Cell, Choice, Decline, Evolution, Fault, Group, QueryRow, Ran, Regression, Release,
    Spread,
};
use smelt_page::evolution::html;

fn evolution() -> Evolution {
    let spread = |mean: f64| Spread { mean, low: mean - 0.5, high: mean + 0.5 };
    let release = |version: &str| Release {
        label: format!("z3@{version}"),
        solver: "z3".into(),
        version: version.into(),
        spec: format!("z3@{version}"),
        start_seconds: 0.025,
        cold_because: None,
    };
    let cell = |release: usize, solved: f64, faults: u64| Cell {
        release,
        ends: BTreeMap::from([("sat".into(), 6), ("rejected".into(), 4)]),
        solved: vec![spread(solved), spread(solved + 1.0)],
        solved_with_start: vec![spread(0.5), spread(solved)],
        faults: BTreeMap::from([("invalid-model".into(), faults)]),
        seconds: spread(2.0),
        joint: 5,
        joint_seconds: spread(1.0),
        throughput: 80.0,
        throughput_with_start: 20.0,
        gained: 1,
        ..Cell::default()
    };
    let script = "(declare-const |</template><b>| Int)\n(check-sat)\n";
    Evolution {
        title: "a <study>".into(),
        command: "smelt evolve 'a&b'".into(),
        limit: 0.03125,
        repeat: 2,
        thresholds: vec![0.015625, 0.03125],
        groups: vec![Group { name: "QF_LIA".into(), queries: 10, of_grammar: false }],
        releases: vec![release("4.8.7.0"), release("5.4.0.0")],
        cells: vec![cell(0, 8.0, 12), cell(1, 6.0, 0)],
        faults: vec![Fault {
            class: "invalid-model".into(),
            grade: "proven".into(),
            evidence: "x = 1 is <false>".into(),
            query: "q/one.smt2".into(),
            command: "smelt check q/one.smt2".into(),
            script: Some(script.into()),
            ..Fault::default()
        }],
        regressions: vec![Regression {
            kind: Decline::Slower,
            release: 1,
            text: "since z3@5.4.0.0, QF_LIA is slower by 2.00×".into(),
            factor: Some(2.0),
            p: Some(0.001),
            command: Some("smelt check q/one.smt2".into()),
            ..Regression::default()
        }],
        matrix: vec![QueryRow {
            query: "q/one.smt2".into(),
            text: script.into(),
            ran: vec![
                Ran { answer: "sat".into(), wrong: Some("invalid model".into()), ..Ran::default() },
                Ran {
                    answer: "sat".into(),
                    seconds: spread(0.6),
                    slower: Some(2.0),
                    ..Ran::default()
                },
            ],
            ..QueryRow::default()
        }],
        choice: Some(Choice {
            sentence: "Stay with it.".into(),
            rows: vec![Beside {
                release: 1,
                worse: vec!["it takes 2.00× as long".into()],
                ..Beside::default()
            }],
            ..Choice::default()
        }),
        unread: Vec::new(),
    }
}

#[test]
fn texts_stay_in_their_place() {
    let page = html(&evolution());
    assert_eq!(page, html(&evolution()));
    assert_eq!(page.matches("<script>").count(), 1);
    assert_eq!(page.matches("<template").count(), page.matches("</template>").count());
    for word in
        ["|</template>", "<study>", "is <false>", "'a&b'", "http://", "https://", "@import", "url("]
    {
        assert!(!page.contains(word), "{word}");
    }
    for word in [
        "7.9",
        "7.10",
        "7.11",
        "7.12",
        "7.13",
        "7.14",
        "A.4",
        "WRONG",
        "Stay with it.",
        "data-script=\"0\"",
    ] {
        assert!(page.contains(word), "{word}");
    }
}

/// Plots have finite numbers, whatever the values are.
#[test]
fn odd_values() {
    let mut e = evolution();
    e.cells[0] = Cell::default();
    e.cells[1].throughput = 1e9;
    for page in [html(&e), html(&Evolution::default())] {
        assert!(!page.contains("NaN") && !page.contains("inf"), "a number is none");
    }
}
