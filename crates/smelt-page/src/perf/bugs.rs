//! What methods have found that look for bugs: how many inputs and bugs, and after how many queries.

use std::fmt::Write;

use smelt_campaign::perf::data::{Found, Hunted, Report};

use super::curves::{Curve, Curves};
use super::{END, names, row, table};
use crate::evolution::{legend, section};
use crate::html::escape;

/// The methods with what they have found.
fn all(r: &Report) -> impl Iterator<Item = (usize, &Found, &Hunted)> {
    r.methods.iter().enumerate().filter_map(|(i, m)| Some((i, m, m.hunted.as_ref()?)))
}

/// How many bugs the method has found that has found the most.
pub fn most(r: &Report) -> usize {
    all(r).map(|(.., h)| h.bugs.len()).max().unwrap_or(0)
}

/// A row for each method.
pub fn counts(r: &Report, s: &mut String) {
    section(
        "Bugs",
        "Inputs that show a bug of the target by the oracles of smelt, each text once, and the bugs that these are by the releases that have \
        them. A finding that no release was asked for yet counts as a bug of its own.",
        s,
    );
    let mut head = vec![
        "method",
        "inputs",
        "bugs",
        "of these not told apart",
        "queries",
        "CPU",
        "inputs by class",
    ];
    let beside: Vec<String> =
        r.methods.iter().map(|m| format!("inputs beside {}", m.method)).collect();
    head.extend(beside.iter().map(String::as_str));
    table(&head, s);
    for (_, m, h) in all(r) {
        let classes: Vec<String> = h.classes.iter().map(|(c, n)| format!("{n} {c}")).collect();
        let mut cells = vec![
            m.method.clone(),
            h.inputs.to_string(),
            h.bugs.len().to_string(),
            h.untold.to_string(),
            m.queries.to_string(),
            format!("{:.0} s", m.cpu_seconds),
            classes.join(", "),
        ];
        cells.extend(r.methods.iter().map(|other| {
            let beside = m.beside.iter().find(|b| b.method == other.method);
            let known = beside.and_then(|b| Some((b.percent?, b.p)));
            known.map_or_else(String::new, |(n, p)| format!("{n:+.1}\u{a0}%\u{a0}(p\u{a0}{p:.2})"))
        }));
        row(&cells, s);
    }
    *s += END;
    *s += "</section>\n";
}

/// What is drawn of a method.
type Points<'a> = &'a dyn Fn(&Found, &Hunted) -> Vec<(f64, f64)>;

/// The paper's figure 4, by inputs and by bugs, and the rewards.
pub fn growth(r: &Report, s: &mut String) {
    section("Bugs over queries", "After so many queries of each method.", s);
    legend(&names(r), s);
    *s += "<div class=\"plots\">\n";
    let plot = |title: &str, points: Points<'_>| {
        let curve = |(i, m, h): (usize, &Found, &Hunted)| Curve {
            name: m.method.clone(),
            colour: i % 8,
            dashed: false,
            band: Vec::new(),
            points: points(m, h),
        };
        let axes = ["queries".to_owned(), title.to_lowercase()];
        Curves { title: title.to_owned(), axes, curves: all(r).map(curve).collect() }.svg()
    };
    let inputs =
        |_: &Found, h: &Hunted| h.moments.iter().map(|m| (m.0 as f64, m.1 as f64)).collect();
    let bugs = |_: &Found, h: &Hunted| h.moments.iter().map(|m| (m.0 as f64, m.2 as f64)).collect();
    let rewards = |m: &Found, _: &Hunted| {
        m.moments.iter().map(|p| (p.queries as f64, p.rewards as f64)).collect()
    };
    *s += &plot("Inputs", &inputs);
    *s += &plot("Distinct bugs", &bugs);
    *s += &plot("Rewards", &rewards);
    *s += "</div>\n</section>\n";
}

/// The bugs of each method.
pub fn lists(r: &Report, s: &mut String) {
    section(
        "Findings",
        "In the order in which they were found. Each is a folder below that of its method, with a script, a proof and a report.",
        s,
    );
    for (_, m, h) in all(r).filter(|(.., h)| !h.bugs.is_empty()) {
        let _ = writeln!(
            s,
            "<details><summary>Bugs by {}: {}</summary><div>",
            escape(&m.method),
            h.bugs.len()
        );
        table(&["finding", "class", "queries", "other triggers", "bytes", "releases"], s);
        for b in &h.bugs {
            let cells = [
                b.id.clone(),
                b.class.clone(),
                b.queries.to_string(),
                b.triggers.to_string(),
                b.bytes.to_string(),
                b.releases.clone(),
            ];
            row(&cells, s);
        }
        *s += END;
        *s += "</div></details>\n";
    }
    *s += "</section>\n";
}
