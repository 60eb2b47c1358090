//! The tables of a lab as CSV, for other programs.

use smelt_campaign::lab::Report;

use crate::view::table::csv_line;

/// A line for each repetition.
pub fn cells(report: &Report) -> String {
    let mut s = record(&[
        "target",
        "technique",
        "repetition",
        "done",
        "distinct",
        "findings",
        "untold",
        "on seeds",
        "cpu",
        "apart",
        "tests",
        "refused",
        "triggers",
        "failure",
    ]);
    for (target, row) in
        report.targets.iter().flat_map(|t| t.techniques.iter().map(move |r| (t, r)))
    {
        for c in &row.cells {
            let count = |n: Option<u64>| n.map_or(String::new(), |n| n.to_string());
            s += &record(&[
                &target.name,
                &row.technique,
                &c.repetition.to_string(),
                &c.done.to_string(),
                &c.distinct.to_string(),
                &c.findings.to_string(),
                &c.untold.to_string(),
                &c.on_seeds.to_string(),
                &format!("{:.3}", c.cell.spent),
                &format!("{:.3}", c.cell.apart),
                &count(c.cell.tests),
                &count(c.cell.rejected),
                &count(c.cell.triggers),
                c.cell.failure.as_deref().unwrap_or_default(),
            ]);
        }
    }
    s
}

/// A line for each distinct bug, with how many repetitions of each technique have found it.
pub fn bugs(report: &Report) -> String {
    let techniques: Vec<&str> = report.plan.techniques.iter().map(|t| t.name.as_str()).collect();
    let mut head = vec!["target", "bug", "solver", "class", "logic", "releases", "truth", "counts"];
    head.extend(&techniques);
    let mut s = record(&head);
    for (target, bug) in report.targets.iter().flat_map(|t| t.bugs.iter().map(move |b| (t, b))) {
        let found: Vec<String> = techniques
            .iter()
            .map(|t| bug.found.get(*t).copied().unwrap_or_default().to_string())
            .collect();
        let counts = bug.truth.counts().to_string();
        let mut cells = vec![
            &*target.name,
            &bug.id,
            &bug.solver,
            &bug.class,
            &bug.logic,
            &bug.releases,
            bug.truth.words(),
            &counts,
        ];
        cells.extend(found.iter().map(String::as_str));
        s += &record(&cells);
    }
    s
}

/// A line for each point of a curve.
pub fn curves(report: &Report) -> String {
    let mut s = record(&["target", "technique", "cpu", "median", "low", "high"]);
    for (target, row) in
        report.targets.iter().flat_map(|t| t.techniques.iter().map(move |r| (t, r)))
    {
        for m in &row.moments {
            s += &record(&[
                &target.name,
                &row.technique,
                &format!("{:.2}", m.cpu),
                &m.bugs.median.to_string(),
                &m.bugs.low.to_string(),
                &m.bugs.high.to_string(),
            ]);
        }
    }
    s
}

/// A line of these cells.
fn record(cells: &[&str]) -> String {
    csv_line(cells.iter().map(|c| (*c).to_owned()))
}
