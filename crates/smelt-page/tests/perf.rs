//! The page of `smelt perf`: it says the same of the same data, needs nothing else, and nothing in scripts gets out of its place.

use std::collections::BTreeMap;

use smelt_campaign::perf::data::{
    Beside, Best, Bug, Found, History, Hunted, Moment, Report, Slow, Smaller,
};
use smelt_campaign::perf::record::Ran;
use smelt_campaign::perf::{Against, Asked};
use smelt_page::perf::html;
use smelt_strategy::bandit::{Kind, Objective, Parameters, Ranked, Tally};

fn report() -> Report {
    let ran = |answer: &str, seconds: f64| Ran { answer: answer.into(), seconds };
    let best = |seq: u64, target: Ran| Best {
        file: format!("thompson-{seq}-1.smt2"),
        seq,
        step: 1,
        score: 0.4,
        runs: vec![target, ran("sat", 0.01)],
        script: "(declare-const |</pre><b>| Int)\n(check-sat)\n".into(),
    };
    let found = |method: &str, other: &str| Found {
        method: method.into(),
        about: "a <method>".into(),
        positions: 2,
        queries: 40,
        cpu_seconds: 12.5,
        answers: BTreeMap::from([("sat".into(), 30), ("timeout".into(), 10)]),
        unscored: 3,
        margin: 0.8,
        perfect: 1.0,
        beside: vec![Beside { method: other.into(), percent: Some(12.5), p: 0.25 }],
        suite: vec![best(0, ran("timeout", 0.25)), best(1, ran("sat", 0.2))],
        ranking: vec![Ranked {
            construct: "fp.<add>".into(),
            kind: Kind::Operator,
            tally: Tally { tried: 8, rewards: 4 },
            mean: 0.5,
            interval: (0.2, 0.8),
        }],
        moments: (0..5)
            .map(|i| Moment { queries: 10 * i, margin: i as f64 / 5.0, rewards: i })
            .collect(),
        hunted: None,
    };
    Report {
        command: "smelt perf 'a&b'".into(),
        asked: Asked {
            objective: Objective::Performance,
            target: "z3@5 <x>".into(),
            references: vec!["cvc5".into()],
            parameters: Parameters::performance("fp"),
            without: Vec::new(),
            methods: vec!["thompson".into(), "random".into()],
            restarts: 2,
            queries: 20,
            limit: 0.25,
            against: Against::Fastest,
            repeat: 2,
            patience: 60,
            seed: 0,
        },
        methods: vec![found("thompson", "random"), found("random", "thompson")],
        contradictions: vec!["random-0-3.smt2".into()],
        slow: vec![Slow {
            file: "thompson-0-1.smt2".into(),
            target: "z3@5".into(),
            reference: "cvc5".into(),
            seconds: vec![0.5; 10],
            than: vec![0.125; 10],
            timeouts: 0,
            factor: 4.0,
            p: 0.0001,
            confirmed: true,
            open: None,
            history: Some(History {
                releases: vec![("4.8.7.0".into(), "0.125 s".into())],
                since: vec![(Some("4.8.7.0".into()), "4.8.8.0".into())],
            }),
            smaller: Some(Smaller {
                file: "thompson-0-1.small.smt2".into(),
                script: "(check-sat)\n".into(),
                means: (0.5, 0.125),
            }),
        }],
    }
}

#[test]
fn texts_stay_in_their_place() {
    let page = html(&report());
    assert_eq!(page, html(&report()));
    assert_eq!(page.matches("<script>").count(), 1);
    for tag in ["details", "table", "section", "svg", "div", "pre", "tbody"] {
        let (open, close) = (format!("<{tag}"), format!("</{tag}>"));
        assert_eq!(page.matches(&open).count(), page.matches(&close).count(), "{tag}");
    }
    for word in
        ["|</pre>", "<add>", "<method>", "<x>", "'a&b'", "http://", "https://", "@import", "url("]
    {
        assert!(!page.contains(word), "{word}");
    }
}

/// The page is the one that was looked at. Who changes it looks at it again: `SMELT_BLESS=1` writes it anew.
#[test]
fn what_is_shown() {
    let page = html(&report());
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/perf.html");
    if std::env::var_os("SMELT_BLESS").is_some() {
        std::fs::write(path, &page).unwrap();
    }
    assert!(page == std::fs::read_to_string(path).unwrap(), "the page is another one");
    // Margin, rewards, and a cactus plot for each method; of the target, which solves one of two instances in time, the line ends there.
    assert_eq!(page.matches("<svg class=\"plot\"").count(), 4);
    assert_eq!(page.matches("<path class=\"line c0 dashed\"").count(), 2);
    for word in [
        "+12.5\u{a0}%\u{a0}(p\u{a0}0.25)",
        "80.0 %",
        "4.8.8.0 (not in 4.8.7.0)",
        "0.500 s (0 at the limit)",
    ] {
        assert!(page.contains(word), "{word}");
    }
}

/// Where bugs were looked for: three plots (inputs, bugs, rewards), a table of bugs, and nothing about margins.
#[test]
fn bugs_over_queries() {
    let mut report = report();
    report.asked.objective = Objective::Bugs;
    report.slow.clear();
    for m in &mut report.methods {
        m.hunted = Some(Hunted {
            inputs: 7,
            classes: BTreeMap::from([("refutation-soundness".into(), 7)]),
            bugs: vec![Bug {
                id: "z3-<1>".into(),
                class: "refutation-soundness".into(),
                queries: 12,
                triggers: 2,
                bytes: 90,
                releases: "4.8.5 to 4.8.7".into(),
            }],
            untold: 0,
            moments: vec![(0, 0, 0), (12, 3, 1), (40, 7, 1)],
        });
    }
    let page = html(&report);
    assert_eq!(page.matches("<svg class=\"plot\"").count(), 3);
    for word in ["bugs by construct", "7 refutation-soundness", "z3-&lt;1&gt;", "4.8.5 to 4.8.7"] {
        assert!(page.contains(word), "{word}");
    }
    assert!(!page.contains("Margins") && !page.contains("<1>"));
    for tag in ["details", "table", "section", "svg", "div", "tbody"] {
        let (open, close) = (format!("<{tag}"), format!("</{tag}>"));
        assert_eq!(page.matches(&open).count(), page.matches(&close).count(), "{tag}");
    }
}

/// Plots have finite numbers, whatever the values are.
#[test]
fn odd_values() {
    let mut empty = report();
    empty.methods.iter_mut().for_each(|m| {
        *m = Found { suite: vec![], moments: vec![], ranking: vec![], perfect: 0.0, ..m.clone() };
    });
    let none = Report { methods: Vec::new(), slow: Vec::new(), ..report() };
    for page in [html(&empty), html(&none)] {
        assert!(!page.contains("NaN") && !page.contains("inf"), "a number is none");
    }
}
