//! The page of `smelt lab`: it says the same of the same data, needs nothing else, and nothing of plans and scripts gets out of its place.

use std::collections::BTreeMap;

use smelt_campaign::lab::data::{
    Beside, CellRow, LabBug, Moment, OnTarget, Report, Row, Shared, Spread, Truth,
};
use smelt_campaign::lab::plan::{How, LabPlan, LabTarget, Technique};
use smelt_campaign::lab::record::Cell;
use smelt_page::lab::html;

fn spread(median: f64) -> Spread {
    Spread { median, low: median - 0.5, high: median + 0.5 }
}

fn row(technique: &str, beside: Option<Beside>) -> Row {
    let cell = |repetition: u32, failure: Option<&str>| CellRow {
        repetition,
        done: failure.is_none(),
        cell: Cell {
            budget: 60.0,
            spent: 60.25,
            apart: 12.5,
            tests: Some(1200),
            rejected: Some(3),
            ends: vec![("exit code 1: <died>".into(), 2)],
            triggers: None,
            failure: failure.map(str::to_owned),
        },
        distinct: 2,
        findings: 7,
        untold: 1,
        on_seeds: 1,
    };
    Row {
        technique: technique.into(),
        about: "a <technique>".into(),
        cells: vec![cell(1, None), cell(2, Some("no seed & no test"))],
        distinct: Some(spread(2.0)),
        together: 3,
        unique: 1,
        first: Some(4.5),
        rate: Some(20.0),
        refused: Some(0.0025),
        cost: Some(30.0),
        apart: 25.0,
        beside,
        moments: (0..=4)
            .map(|i| Moment { cpu: f64::from(15 * i), bugs: spread(f64::from(i)) })
            .collect(),
        logics: BTreeMap::from([("QF_S".to_owned(), 2)]),
    }
}

fn report() -> Report {
    let technique = |name: &str| Technique {
        name: name.into(),
        how: How::Strategies { names: vec![name.into()], parameters: Vec::new() },
    };
    let bug = |truth: Truth, id: &str| LabBug {
        id: id.into(),
        path: format!("cells/old/storm/1/campaign/findings/{id}"),
        class: "refutation-soundness".into(),
        solver: "z3@4.8.7 <x>".into(),
        logic: "QF_S".into(),
        releases: "4.8.7.0–4.8.9.0".into(),
        truth,
        found: BTreeMap::from([("storm".to_owned(), 2)]),
        script: "(declare-const |</pre><b>| Int)\n(check-sat)\n".into(),
    };
    let beside = Beside { runs: (5, 5), p: 0.008, holm: 0.016, a12: 0.96 };
    Report {
        command: "smelt lab 'a&b'".into(),
        plan: LabPlan {
            title: "a <lab>".into(),
            baseline: "opfuzz".into(),
            budget: 60.0,
            repetitions: 2,
            seed: 1,
            limit: 1.0,
            options: "none".into(),
            targets: vec![LabTarget { name: "old".into(), solvers: vec!["z3@4.8.7".into()] }],
            techniques: vec![technique("opfuzz"), technique("storm")],
            ..LabPlan::default()
        },
        targets: vec![OnTarget {
            name: "old".into(),
            solvers: vec!["z3@4.8.7 <x>".into()],
            techniques: vec![row("opfuzz", None), row("storm", Some(beside))],
            bugs: vec![bug(Truth::Fixed, "one"), bug(Truth::Stays, "two")],
            shared: vec![
                Shared { by: vec!["opfuzz".into(), "storm".into()], bugs: 2 },
                Shared { by: vec!["storm".into()], bugs: 1 },
            ],
        }],
    }
}

#[test]
fn texts_stay_in_their_place() {
    let page = html(&report());
    assert_eq!(page, html(&report()));
    assert_eq!(page.matches("<script>").count(), 1);
    for tag in ["details", "table", "section", "svg", "div", "pre", "tbody", "ul", "li"] {
        let (open, close) = (format!("<{tag}"), format!("</{tag}>"));
        assert!(page.matches(&close).count() > 0, "{tag}");
        let opened =
            page.matches(&format!("{open}>")).count() + page.matches(&format!("{open} ")).count();
        assert_eq!(opened, page.matches(&close).count(), "{tag}");
    }
    for word in [
        "|</pre>",
        "<lab>",
        "<technique>",
        "<x>",
        "<died>",
        "'a&b'",
        "http://",
        "https://",
        "@import",
        "url(",
    ] {
        assert!(!page.contains(word), "{word}");
    }
}

/// The page is the one that was looked at. Who changes it looks at it again: `SMELT_BLESS=1` writes it anew.
#[test]
fn what_is_shown() {
    let page = html(&report());
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/lab.html");
    if std::env::var_os("SMELT_BLESS").is_some() {
        std::fs::write(path, &page).unwrap();
    }
    assert!(page == std::fs::read_to_string(path).unwrap(), "the page is another one");
    // All techniques in one plot, and the other one beside the baseline with both bands.
    assert_eq!(page.matches("<svg class=\"plot\"").count(), 2);
    assert_eq!(page.matches("<path class=\"band").count(), 2);
    for word in [
        "2 (1.5–2.5)",
        "0.96 (large)",
        "0.016",
        "0.25 %",
        "no seed &amp; no test",
        "(does not count)",
        "2 of 4",
    ] {
        assert!(page.contains(word), "{word}");
    }
}

/// Plots have finite numbers, whatever the values are.
#[test]
fn odd_values() {
    let mut empty = report();
    for row in &mut empty.targets[0].techniques {
        *row = Row {
            cells: vec![],
            moments: vec![],
            distinct: None,
            cost: None,
            rate: None,
            ..row.clone()
        };
    }
    empty.targets[0].shared.clear();
    let none = Report { targets: Vec::new(), ..report() };
    for page in [html(&empty), html(&none)] {
        assert!(!page.contains("NaN") && !page.contains("inf"), "a number is none");
    }
}
