//! Sums of made-up cells.

use std::collections::BTreeMap;

use smelt_triage::{Class, Fingerprint, Mark};

use super::*;

fn print(own: Option<&str>, marks: &[(&str, Mark)]) -> Fingerprint {
    Fingerprint {
        solver: "z3".into(),
        class: Class::RefutationSoundness,
        crash: None,
        operators: ["str.len".to_owned()].into(),
        releases: marks.iter().map(|(name, mark)| ((*name).to_owned(), *mark)).collect(),
        own: own.map(str::to_owned),
        options: BTreeMap::new(),
    }
}

/// A bug counts where a newer release is right, or where there is none and it is proven.
#[test]
fn what_counts() {
    use Mark::{Gone, Open, Shows};
    let check = |marks: &[(&str, Mark)], proven: bool, expect: Truth| {
        assert_eq!(truth(&print(Some("4.8.7.0"), marks), proven), expect, "{marks:?}");
    };
    check(&[("4.8.5.0", Gone), ("4.8.7.0", Shows), ("4.8.10.0", Gone)], false, Truth::Fixed);
    check(&[("4.8.7.0", Shows), ("4.8.10.0", Shows), ("5.4.0.0", Gone)], false, Truth::Fixed);
    check(&[("4.8.7.0", Shows), ("5.4.0.0", Shows)], true, Truth::Stays);
    check(&[("4.8.7.0", Shows), ("5.4.0.0", Open)], true, Truth::Open);
    check(&[("4.8.5.0", Gone), ("4.8.7.0", Shows)], true, Truth::Proven);
    check(&[("4.8.5.0", Gone), ("4.8.7.0", Shows)], false, Truth::Open);
    assert_eq!(truth(&print(None, &[("5.4.0.0", Gone)]), true), Truth::Open);
    assert!(Truth::Fixed.counts() && Truth::Proven.counts());
    assert!(!Truth::Stays.counts() && !Truth::Open.counts());
}

fn bug(found: &[(&str, u64)], truth: Truth) -> LabBug {
    LabBug {
        id: "x".into(),
        path: "x".into(),
        class: "crash".into(),
        solver: "z3".into(),
        logic: "QF_S".into(),
        releases: String::new(),
        truth,
        found: found.iter().map(|(t, n)| ((*t).to_owned(), *n)).collect(),
        script: String::new(),
    }
}

fn known(technique: usize, done: bool, met: &[(usize, f64)]) -> Known {
    let cell = super::super::Cell {
        spent: 10.0,
        tests: Some(100),
        rejected: Some(1),
        ..Default::default()
    };
    Known {
        place: Place { repetition: 0, target: 0, technique },
        row: CellRow {
            repetition: 1,
            done,
            cell,
            distinct: met.len() as u64,
            findings: 3,
            untold: 0,
            on_seeds: 0,
        },
        met: met.iter().copied().collect(),
    }
}

#[test]
fn rows_and_sets() {
    let bugs = [
        bug(&[("a", 2)], Truth::Fixed),
        bug(&[("a", 1), ("b", 1)], Truth::Fixed),
        bug(&[("a", 1), ("b", 1)], Truth::Stays),
    ];
    let cells =
        [known(0, true, &[(0, 2.0), (1, 8.0)]), known(0, true, &[(0, 4.0)]), known(0, false, &[])];
    let a = row(("a", "about".into()), &cells.iter().collect::<Vec<_>>(), &bugs, 10.0);
    assert_eq!(a.distinct, Some(Spread { median: 1.5, low: 1.0, high: 2.0 }));
    assert_eq!((a.together, a.unique, a.first), (2, 1, Some(3.0)));
    assert_eq!((a.rate, a.refused), (Some(10.0), Some(0.01)));
    // 20 CPU seconds of two repetitions that are done, with three bugs.
    assert!((a.cost.unwrap() - 20.0 / 3.0).abs() < 1e-9);
    assert_eq!(a.logics, BTreeMap::from([("QF_S".to_owned(), 2)]));
    let at = |cpu: f64| a.moments.iter().find(|m| (m.cpu - cpu).abs() < 1e-9).unwrap().bugs;
    assert_eq!(at(0.0), Spread { median: 0.0, low: 0.0, high: 0.0 });
    assert_eq!(at(3.0), Spread { median: 0.5, low: 0.0, high: 1.0 });
    assert_eq!(at(10.0), Spread { median: 1.5, low: 1.0, high: 2.0 });

    let none = row(("c", String::new()), &[], &bugs, 10.0);
    assert_eq!((none.distinct, none.rate, none.cost, none.first), (None, None, None, None));
    assert!(none.moments.is_empty());

    // The set of a bug that does not count is none.
    let sets = shared(&bugs);
    let sets: Vec<(Vec<&str>, u64)> =
        sets.iter().map(|s| (s.by.iter().map(String::as_str).collect(), s.bugs)).collect();
    assert_eq!(sets, [(vec!["a"], 1), (vec!["a", "b"], 1)]);
}

#[test]
fn beside_the_baseline() {
    let of = |name: &str, technique: usize, numbers: &[usize]| {
        let cells: Vec<Known> = numbers
            .iter()
            .map(|n| known(technique, true, &(0..*n).map(|i| (i, 1.0)).collect::<Vec<_>>()))
            .collect();
        row((name, String::new()), &cells.iter().collect::<Vec<_>>(), &[], 10.0)
    };
    let mut rows = [
        of("base", 0, &[1, 1, 2, 2, 1]),
        of("better", 1, &[3, 4, 5, 3, 4]),
        of("same", 2, &[1, 1, 2, 2, 1]),
    ];
    beside(&mut rows, "base");
    assert!(rows[0].beside.is_none());
    let better = rows[1].beside.unwrap();
    assert_eq!((better.a12, better.word(), better.runs), (1.0, "large", (5, 5)));
    assert!((better.p - 2.0 / 252.0).abs() < 1e-9 && (better.holm - 4.0 / 252.0).abs() < 1e-9);
    let same = rows[2].beside.unwrap();
    assert_eq!((same.a12, same.word(), same.holm), (0.5, "negligible", 1.0));
}
