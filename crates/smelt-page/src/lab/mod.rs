//! The page of `smelt lab`: distinct bugs over CPU time, each technique beside the baseline, which bugs are whose.

mod upset;

use std::fmt::Write;

use smelt_campaign::lab::Report;
use smelt_campaign::lab::data::{LabBug, OnTarget, Row};

use crate::evolution::style::PLOTS;
use crate::evolution::{legend, section};
use crate::html::escape;
use crate::perf::curves::{Curve, Curves};
use crate::perf::{END, row, table};
use crate::style::{SCRIPT, STYLE};

/// What the page adds to the style of all plots.
const BANDS: &str = "
.band { stroke: none; fill-opacity: .13; } .band.c0 { fill: var(--c0); } .band.c1 { fill: var(--c1); } .band.c2 { fill: var(--c2); } .band.c3 { fill: var(--c3); }
.band.c4 { fill: var(--c4); } .band.c5 { fill: var(--c5); } .band.c6 { fill: var(--c6); } .band.c7 { fill: var(--c7); }
.upset { width: auto; } .upset .bar { fill: var(--mark); } .upset .dot { fill: var(--ink); } .upset .none { fill: var(--line); } .upset .link { stroke: var(--ink); stroke-width: 2; }
@media print { details { break-inside: auto; } }
";

/// The page.
pub fn html(r: &Report) -> String {
    let title = escape(&r.plan.title);
    let mut s = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
        <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
        <link rel=\"icon\" href=\"data:,\">\n<title>{title}</title>\n<style>{STYLE}{PLOTS}{BANDS}</style>\n</head>\n<body>\n\
        <a class=\"skip\" href=\"#main\">To the results</a>\n<header>\n<h1>{title}</h1>\n"
    );
    head(r, &mut s);
    s += "</header>\n<main id=\"main\">\n";
    for target in &r.targets {
        over_time(r, target, &mut s);
        comparison(r, target, &mut s);
        whose(target, &mut s);
        logics(target, &mut s);
        bugs(target, &mut s);
        cells(target, &mut s);
    }
    let _ = write!(s, "</main>\n<script>{SCRIPT}</script>\n</body>\n</html>\n");
    s
}

fn head(r: &Report, s: &mut String) {
    let rows = || r.targets.iter().flat_map(|t| &t.techniques);
    let cells = || rows().flat_map(|r| &r.cells);
    let done = cells().filter(|c| c.done).count();
    let asked = r.plan.techniques.len() * r.plan.targets.len() * r.plan.repetitions as usize;
    let spent: f64 = cells().map(|c| c.cell.spent).fold(0.0, |a, b| a + b);
    let apart: f64 = cells().map(|c| c.cell.apart).fold(0.0, |a, b| a + b);
    let bugs = r.targets.iter().flat_map(|t| &t.bugs).filter(|b| b.truth.counts()).count();
    *s += "<ul class=\"figures\">\n";
    for (n, what) in [
        (format!("{} s", r.plan.budget), "of CPU for a cell"),
        (format!("{done} of {asked}"), "cells are done"),
        (bugs.to_string(), "distinct bugs"),
        (format!("{spent:.0} s"), "of CPU charged"),
        (format!("{apart:.0} s"), "of CPU for confirming, reducing and telling bugs apart"),
    ] {
        let _ = writeln!(s, "<li><b>{}</b>{what}</li>", escape(&n));
    }
    let _ = writeln!(
        s,
        "</ul>\n<p>A bug is all findings with one fingerprint: the releases that show the smallest script of each. It counts where a newer release is \
        right. Randomness: {}; {} CPU seconds for a query; options: {}.</p>\n<pre tabindex=\"0\"><code>{}</code></pre>",
        r.plan.seed,
        r.plan.limit,
        escape(&r.plan.options),
        escape(&r.command)
    );
}

fn title(target: &OnTarget, what: &str) -> String {
    format!("{}: {what}", target.name)
}

fn over_time(r: &Report, target: &OnTarget, s: &mut String) {
    let about = format!(
        "Solvers: {}. The median over repetitions that are done; the band goes from the fewest to the most.",
        target.solvers.join(", ")
    );
    section(&title(target, "distinct bugs over CPU time"), &about, s);
    let names = target.techniques.iter().enumerate();
    legend(&names.map(|(i, t)| (i % 8, t.technique.as_str())).collect::<Vec<_>>(), s);
    *s += "<div class=\"plots\">\n";
    let all: Vec<Curve> = target.techniques.iter().enumerate().map(|(i, t)| curve(i, t)).collect();
    let axes = || ["CPU seconds".to_owned(), "distinct bugs".to_owned()];
    *s += &Curves { title: "All".to_owned(), axes: axes(), curves: all }.svg();
    let base = target.techniques.iter().position(|t| t.technique == r.plan.baseline);
    // Each by itself beside the baseline: bands over each other cannot be told apart.
    for (i, technique) in target.techniques.iter().enumerate().filter(|(i, _)| Some(*i) != base) {
        let with_band = |i: usize, t: &Row| Curve {
            band: t.moments.iter().map(|m| (m.cpu, m.bugs.low, m.bugs.high)).collect(),
            ..curve(i, t)
        };
        let beside = base.map(|b| with_band(b, &target.techniques[b]));
        let curves = beside.into_iter().chain([with_band(i, technique)]).collect();
        *s += &Curves { title: technique.technique.clone(), axes: axes(), curves }.svg();
    }
    *s += "</div>\n</section>\n";
}

fn curve(i: usize, t: &Row) -> Curve {
    Curve {
        name: t.technique.clone(),
        colour: i % 8,
        dashed: false,
        points: t.moments.iter().map(|m| (m.cpu, m.bugs.median)).collect(),
        band: Vec::new(),
    }
}

/// A number, if there is one.
fn number(n: Option<f64>, digits: usize) -> String {
    n.map_or("–".to_owned(), |n| format!("{n:.digits$}"))
}

fn comparison(r: &Report, target: &OnTarget, s: &mut String) {
    let about = format!(
        "Distinct bugs of a repetition: median, fewest and most. Beside {}: the exact rank-sum test of Mann and Whitney (two-sided, with Holm's \
        correction over this table), and Vargha and Delaney's Â12: how often a repetition has more bugs than one of {}.",
        r.plan.baseline, r.plan.baseline
    );
    section(&title(target, "techniques compared"), &about, s);
    table(
        &[
            "technique",
            "done",
            "distinct bugs",
            "in all repetitions",
            "found by it alone",
            "CPU s to the first",
            "CPU s for each",
            "tests per CPU s",
            "refused",
            "CPU s apart",
            "Â12",
            "p",
            "p (Holm)",
        ],
        s,
    );
    for t in &target.techniques {
        let spread = t.distinct.map(|d| format!("{} ({}–{})", d.median, d.low, d.high));
        let beside = |of: &dyn Fn(&smelt_campaign::lab::data::Beside) -> String| {
            t.beside.as_ref().map_or_else(String::new, of)
        };
        let cells = [
            t.technique.clone(),
            t.cells.iter().filter(|c| c.done).count().to_string(),
            spread.unwrap_or("–".to_owned()),
            t.together.to_string(),
            t.unique.to_string(),
            number(t.first, 1),
            number(t.cost, 1),
            number(t.rate, 1),
            t.refused.map_or("–".to_owned(), |r| format!("{:.2} %", 100.0 * r)),
            format!("{:.0}", t.apart),
            beside(&|b| format!("{:.2} ({})", b.a12, b.word())),
            beside(&|b| format!("{:.3}", b.p)),
            beside(&|b| format!("{:.3}", b.holm)),
        ];
        row(&cells, s);
    }
    *s += END;
    *s += "<ul>\n";
    for t in &target.techniques {
        let _ = writeln!(s, "<li>{}: <code>{}</code></li>", escape(&t.technique), escape(&t.about));
    }
    *s += "</ul>\n</section>\n";
}

fn whose(target: &OnTarget, s: &mut String) {
    section(
        &title(target, "whose bugs"),
        "How many bugs were found by just these techniques, in any repetition.",
        s,
    );
    let names: Vec<&str> = target.techniques.iter().map(|t| t.technique.as_str()).collect();
    *s += &upset::svg(&names, &target.shared);
    table(&["techniques", "bugs"], s);
    for shared in &target.shared {
        row(&[shared.by.join(" and "), shared.bugs.to_string()], s);
    }
    *s += END;
    *s += "</section>\n";
}

fn logics(target: &OnTarget, s: &mut String) {
    section(
        &title(target, "in which theories"),
        "Distinct bugs by the smallest logic of their smallest script.",
        s,
    );
    let mut logics: Vec<&String> = target.techniques.iter().flat_map(|t| t.logics.keys()).collect();
    logics.sort_unstable();
    logics.dedup();
    let mut head = vec!["technique"];
    head.extend(logics.iter().map(|l| l.as_str()));
    table(&head, s);
    for t in &target.techniques {
        let count = |l: &&String| t.logics.get(*l).map_or_else(String::new, u64::to_string);
        let mut cells = vec![t.technique.clone()];
        cells.extend(logics.iter().map(count));
        row(&cells, s);
    }
    *s += END;
    *s += "</section>\n";
}

fn bugs(target: &OnTarget, s: &mut String) {
    section(
        &title(target, "the bugs"),
        "With how many repetitions of each technique have found it.",
        s,
    );
    for bug in &target.bugs {
        one_bug(bug, s);
    }
    *s += "</section>\n";
}

fn one_bug(bug: &LabBug, s: &mut String) {
    let found: Vec<String> = bug.found.iter().map(|(t, n)| format!("{t} {n}")).collect();
    let word = if bug.truth.counts() { "" } else { " (does not count)" };
    let _ = writeln!(
        s,
        "<details><summary>{} in {}, {}{word}: {}</summary><div><p>In {}; {}. Folder: <code>{}</code></p><pre tabindex=\"0\">{}</pre></div></details>",
        escape(&bug.class),
        escape(&bug.solver),
        escape(&bug.logic),
        escape(&found.join(", ")),
        escape(&bug.releases),
        bug.truth.words(),
        escape(&bug.path),
        escape(&bug.script)
    );
}

fn cells(target: &OnTarget, s: &mut String) {
    section(
        &title(target, "each repetition"),
        "Findings are triggers; without a fingerprint they are no bugs here, and what a seed shows as it is is no merit of a technique.",
        s,
    );
    table(
        &[
            "technique",
            "repetition",
            "done",
            "distinct bugs",
            "findings",
            "without a fingerprint",
            "on seeds",
            "CPU s",
            "apart",
            "tests",
            "how it ended",
        ],
        s,
    );
    for t in &target.techniques {
        for c in &t.cells {
            let ends = c.cell.ends.iter().map(|(how, n)| format!("{n} × {how}"));
            let ends: Vec<String> = c.cell.failure.iter().cloned().chain(ends).collect();
            row(
                &[
                    t.technique.clone(),
                    c.repetition.to_string(),
                    if c.done { "yes" } else { "no" }.to_owned(),
                    c.distinct.to_string(),
                    c.findings.to_string(),
                    c.untold.to_string(),
                    c.on_seeds.to_string(),
                    format!("{:.1}", c.cell.spent),
                    format!("{:.1}", c.cell.apart),
                    c.cell.tests.map_or("–".to_owned(), |n| n.to_string()),
                    ends.join("; "),
                ],
                s,
            );
        }
    }
    *s += END;
    *s += "</section>\n";
}
