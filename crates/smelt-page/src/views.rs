//! The views of a campaign, each a section: the page in one file, the folder for a web server and the live page put the same ones together.

use std::collections::BTreeSet;
use std::fmt::Write;

use smelt_campaign::tally::Counts;

use crate::bug::{Place, folded};
use crate::chart::{Line, over_time, strip, throughput};
use crate::html::escape;
use crate::machines::by_time;
use crate::{Bug, Page};

/// The names of all sections, in their order. A colon is in no name of a finding, so that no bug has the name of a section.
pub const VIEWS: [&str; 10] = [
    "view:figures",
    "view:bugs",
    "view:releases",
    "view:discovery",
    "view:throughput",
    "view:strategies",
    "view:machines",
    "view:answers",
    "view:refusals",
    "view:resting",
];

/// A view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Its name on the page.
    pub name: &'static str,
    /// What is in it; nothing if there is nothing to show yet.
    pub html: String,
}

/// What tells marks of releases from each other.
const KEY: &str = "<p class=\"soft\"><svg class=\"key\" viewBox=\"0 0 1 1\" aria-hidden=\"true\"><rect class=\"shows\" width=\"1\" height=\"1\"/></svg>has the bug\
    <svg class=\"key\" viewBox=\"0 0 1 1\" aria-hidden=\"true\"><rect class=\"gone\" width=\"1\" height=\"1\"/></svg>does not\
    <svg class=\"key\" viewBox=\"0 0 1 1\" aria-hidden=\"true\"><rect class=\"unknown\" width=\"1\" height=\"1\"/></svg>cannot tell; nobody asked where there is nothing</p>\n";

impl Page {
    /// All views, in the order of [`VIEWS`].
    pub fn sections(&self, place: Place) -> Vec<Section> {
        let bugs: Vec<&Bug> = self.bugs.iter().collect();
        let all = [
            self.head(),
            self.list(place),
            strips(&bugs),
            self.discovery(),
            self.rates(),
            self.strategies(),
            self.work(),
            self.said(),
            self.refused(),
            self.rest(),
        ];
        VIEWS.into_iter().zip(all).map(|(name, html)| Section { name, html }).collect()
    }

    fn head(&self) -> String {
        let mut s = format!("<p class=\"soft\">{}</p>\n", escape(&self.solvers.join(", ")));
        s += "<ul class=\"figures\">\n";
        for (what, n) in &self.figures {
            let _ = writeln!(s, "<li><b>{}</b>{}</li>", escape(n), escape(what));
        }
        s + "</ul>\n"
    }

    fn list(&self, place: Place) -> String {
        let mut s = format!("<h2>Bugs ({})</h2>\n", self.bugs.len());
        if self.bugs.is_empty() {
            s += "<p>None.</p>\n";
        }
        self.bugs.iter().for_each(|bug| folded(bug, place, &mut s));
        s
    }

    /// Findings and bugs over time.
    fn discovery(&self) -> String {
        let last = self.samples.last().map_or(0.0, |s| s.elapsed);
        let mut after: Vec<f64> = self.bugs.iter().map(|b| b.after).collect();
        after.sort_by(f64::total_cmp);
        let ends = [&after, &self.found].into_iter().filter_map(|a| a.last()).copied();
        let end = ends.fold(last, f64::max);
        let steps = |times: &[f64]| {
            let mut points = vec![(0.0, 0.0)];
            points.extend(times.iter().enumerate().map(|(i, t)| (*t, (i + 1) as f64)));
            points.push((end, times.len() as f64));
            points
        };
        if after.is_empty() {
            return String::new();
        }
        let mut lines = vec![Line { name: "bugs", points: steps(&after) }];
        if self.found.len() > after.len() {
            lines.push(Line { name: "triggers", points: steps(&self.found) });
        }
        format!("<h2>Discovery</h2>\n{}", over_time("Findings, over time", &lines, true))
    }

    fn rates(&self) -> String {
        let rates = throughput(&self.samples);
        if rates.len() < 2 {
            return String::new();
        }
        let lines = [Line { name: "", points: rates }];
        let label = "Tests per second, over time";
        format!("<h2>Tests per second</h2>\n{}", over_time(label, &lines, false))
    }

    /// Strategies by theories.
    fn strategies(&self) -> String {
        let theories: BTreeSet<&String> = self.yields.values().flat_map(|t| t.keys()).collect();
        let strategies: BTreeSet<&String> = self.yields.keys().chain(self.tests.keys()).collect();
        if strategies.is_empty() {
            return String::new();
        }
        let mut head = vec!["strategy", "tests"];
        head.extend(theories.iter().map(|t| t.as_str()));
        let number = |n: Option<u64>| n.filter(|n| *n > 0).map_or(String::new(), |n| n.to_string());
        let row = |strategy: &&String| {
            let yields = self.yields.get(*strategy);
            let mut cells = vec![number(self.tests.get(*strategy).copied())];
            cells.extend(theories.iter().map(|t| number(yields.and_then(|y| y.get(*t)).copied())));
            ((*strategy).clone(), cells)
        };
        let rows: Vec<_> = strategies.iter().map(row).collect();
        let mut s = String::from(
            "<h2>Strategies and theories</h2>\n<p class=\"soft\">Tests, and bugs by the theory of their script.</p>\n",
        );
        table(&head, &rows, &mut s);
        s
    }

    fn work(&self) -> String {
        by_time(&self.machines).map_or(String::new(), |figure| {
            format!("<h2>Machines</h2>\n<p class=\"soft\">Tests per second: the stronger the colour, the more.</p>\n<div class=\"wide\" tabindex=\"0\">{figure}</div>\n")
        })
    }

    /// What solvers answered.
    fn said(&self) -> String {
        let kinds: BTreeSet<&String> =
            self.answers.values().flat_map(|kinds| kinds.keys()).collect();
        if kinds.is_empty() {
            return String::new();
        }
        // What says most comes first.
        let first = ["sat", "unsat", "unknown", "timeout"];
        let mut kinds: Vec<&String> = kinds.into_iter().collect();
        kinds.sort_by_key(|k| first.iter().position(|f| f == k).unwrap_or(first.len()));
        let mut head = vec!["solver"];
        head.extend(kinds.iter().map(|k| k.as_str()));
        let row = |(solver, said): (&String, &Counts)| {
            let cell = |kind: &&String| said.get(*kind).map_or(String::new(), u64::to_string);
            (solver.clone(), kinds.iter().map(cell).collect())
        };
        let rows: Vec<_> = self.answers.iter().map(row).collect();
        let mut s = String::from("<h2>Answers</h2>\n");
        table(&head, &rows, &mut s);
        s
    }

    fn refused(&self) -> String {
        let mut s = String::new();
        for (who, reasons) in &self.refusals {
            if s.is_empty() {
                s += "<h2>Refusals</h2>\n";
            }
            let mut order: Vec<(&String, &u64)> = reasons.iter().collect();
            order.sort_by_key(|(name, n)| (std::cmp::Reverse(**n), (*name).clone()));
            let rows: Vec<_> =
                order.iter().map(|(name, n)| ((*name).clone(), vec![n.to_string()])).collect();
            let _ = writeln!(s, "<h3>{}</h3>", escape(who));
            table(&["reason", "times"], &rows, &mut s);
        }
        s
    }

    fn rest(&self) -> String {
        let resting = &self.resting;
        if resting.seeds == 0 {
            return String::new();
        }
        let named = match resting.longest.len() as u64 {
            n if n < resting.seeds => format!("; the {n} with the longest rest"),
            _ => String::new(),
        };
        let mut s = format!(
            "<h2>Seeds at rest</h2>\n<p class=\"soft\">{} seeds gave nothing lately, and are passed over for a while{named}:</p>\n",
            resting.seeds
        );
        let row = |r: &smelt_campaign::event::Rest| (r.seed.clone(), vec![r.turns.to_string()]);
        let rows: Vec<_> = resting.longest.iter().map(row).collect();
        table(&["seed", "turns to pass"], &rows, &mut s);
        s
    }
}

/// Releases by bugs, a strip for each solver.
pub fn strips(bugs: &[&Bug]) -> String {
    let solver = |b: &Bug| b.fingerprint.as_ref().map(|f| f.solver.clone());
    let solvers: BTreeSet<String> = bugs.iter().filter_map(|b| solver(b)).collect();
    if solvers.is_empty() {
        return String::new();
    }
    let mut s = format!("<h2>Releases</h2>\n{KEY}");
    for name in solvers {
        let bugs: Vec<&Bug> =
            bugs.iter().filter(|b| solver(b).as_ref() == Some(&name)).copied().collect();
        let _ = writeln!(
            s,
            "<h3>{}</h3>\n<div class=\"wide\" tabindex=\"0\">{}</div>",
            escape(&name),
            strip(&name, &bugs)
        );
    }
    s
}

/// A table whose rows have a name and cells.
pub fn table(head: &[&str], rows: &[(String, Vec<String>)], s: &mut String) {
    *s += "<div class=\"wide\" tabindex=\"0\"><table>\n<thead><tr>";
    for name in head {
        let _ = write!(s, "<th scope=\"col\">{}</th>", escape(name));
    }
    *s += "</tr></thead>\n<tbody>\n";
    for (name, cells) in rows {
        let _ = write!(s, "<tr><th scope=\"row\">{}</th>", escape(name));
        for cell in cells {
            let _ = write!(s, "<td>{}</td>", escape(cell));
        }
        *s += "</tr>\n";
    }
    *s += "</tbody>\n</table></div>\n";
}
