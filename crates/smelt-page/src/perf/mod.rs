//! The page of `smelt perf`: margins of methods, how they grew, cactus plots, ranked constructs, and slowness that was confirmed.

mod bugs;
pub(crate) mod curves;

use std::fmt::Write;

use smelt_campaign::perf::data::{Best, Found, Report, Slow};

use self::curves::{Curve, Curves};
use crate::evolution::style::PLOTS;
use crate::evolution::{legend, section};
use crate::html::escape;
use crate::style::{SCRIPT, STYLE};

/// Constructs of a ranking that are shown.
const SHOWN: usize = 12;

/// The page.
pub fn html(r: &Report) -> String {
    let about_bugs = r.is_about_bugs();
    let what = if about_bugs { "bugs by construct" } else { "slow where others are fast" };
    let title = escape(&format!("{}: {what}", r.asked.target));
    let mut s = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
        <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
        <link rel=\"icon\" href=\"data:,\">\n<title>{title}</title>\n<style>{STYLE}{PLOTS}</style>\n</head>\n<body>\n\
        <a class=\"skip\" href=\"#main\">To the results</a>\n<header>\n<h1>{title}</h1>\n"
    );
    head(r, &mut s);
    s += "</header>\n<main id=\"main\">\n";
    if about_bugs {
        bugs::counts(r, &mut s);
        bugs::growth(r, &mut s);
        rankings(r, &mut s);
        bugs::lists(r, &mut s);
    } else {
        margins(r, &mut s);
        growth(r, &mut s);
        cactus(r, &mut s);
        rankings(r, &mut s);
        slowness(r, &mut s);
        suite(r, &mut s);
    }
    let _ = write!(s, "</main>\n<script>{SCRIPT}</script>\n</body>\n</html>\n");
    s
}

fn head(r: &Report, s: &mut String) {
    let queries: u64 = r.methods.iter().map(|m| m.queries).sum();
    let cpu: f64 = r.methods.iter().map(|m| m.cpu_seconds).sum();
    let confirmed = r.slow.iter().filter(|s| s.confirmed).count();
    let done = match r.is_about_bugs() {
        false => (confirmed.to_string(), "confirmed with ten seeds"),
        true => (bugs::most(r).to_string(), "bugs by the best method"),
    };
    *s += "<ul class=\"figures\">\n";
    for (n, what) in [
        (queries.to_string(), "queries"),
        (r.methods.len().to_string(), "methods"),
        (format!("{} s", r.asked.limit), "of CPU for a query"),
        (format!("{cpu:.0} s"), "of CPU in all"),
        done,
    ] {
        let _ = writeln!(s, "<li><b>{}</b>{what}</li>", escape(&n));
    }
    let references = r.asked.references.join(", ");
    let _ = writeln!(
        s,
        "</ul>\n<p>Theory {}; references: {}.</p>\n<pre tabindex=\"0\"><code>{}</code></pre>",
        escape(&r.asked.parameters.theory),
        escape(&references),
        escape(&r.command)
    );
    if !r.contradictions.is_empty() {
        let _ = writeln!(
            s,
            "<p class=\"answer\">The solvers contradict each other on {}: <code>smelt check</code> says who is wrong.</p>",
            escape(&r.contradictions.join(", "))
        );
    }
}

/// A table that scrolls if it is wide, with a head of these cells.
pub(crate) fn table(cells: &[&str], s: &mut String) {
    *s += "<div class=\"wide\" tabindex=\"0\"><table>\n<thead><tr>";
    for cell in cells {
        let _ = write!(s, "<th scope=\"col\">{}</th>", escape(cell));
    }
    *s += "</tr></thead>\n<tbody>\n";
}

pub(crate) const END: &str = "</tbody>\n</table></div>\n";

/// A row of cells, the first of which names it.
pub(crate) fn row(cells: &[String], s: &mut String) {
    for (i, cell) in cells.iter().enumerate() {
        let _ = match i {
            0 => write!(s, "<tr><th scope=\"row\">{}</th>", escape(cell)),
            _ => write!(s, "<td>{}</td>", escape(cell)),
        };
    }
    *s += "</tr>\n";
}

fn margins(r: &Report, s: &mut String) {
    section(
        "Margins",
        "The sum over positions of the best score: PAR-2 time of the target less that of its references. Beside each other method: by how many \
        percent the margin is larger, and how likely that is by chance.",
        s,
    );
    let mut head = vec!["method", "margin", "of perfect", "queries", "without a score"];
    head.extend(r.methods.iter().map(|m| m.method.as_str()));
    table(&head, s);
    for m in &r.methods {
        let mut cells = vec![
            m.method.clone(),
            format!("{:.3} s", m.margin),
            format!("{:.1} %", m.share()),
            m.queries.to_string(),
            m.unscored.to_string(),
        ];
        cells.extend(r.methods.iter().map(|other| {
            let beside = m.beside.iter().find(|b| b.method == other.method);
            let percent = beside.and_then(|b| Some((b.percent?, b.p)));
            percent.map_or_else(String::new, |(percent, p)| {
                format!("{percent:+.1}\u{a0}%\u{a0}(p\u{a0}{p:.2})")
            })
        }));
        row(&cells, s);
    }
    *s += END;
    *s += "</section>\n";
}

/// The methods with their colours.
fn names(r: &Report) -> Vec<(usize, &str)> {
    r.methods.iter().enumerate().map(|(i, m)| (i % 8, m.method.as_str())).collect()
}

fn growth(r: &Report, s: &mut String) {
    section("Margin and reward", "After so many queries of each method.", s);
    legend(&names(r), s);
    *s += "<div class=\"plots\">\n";
    let curve = |(i, m): (usize, &Found),
                 value: &dyn Fn(&smelt_campaign::perf::data::Moment) -> f64| {
        Curve {
            name: m.method.clone(),
            colour: i % 8,
            dashed: false,
            points: m.moments.iter().map(|p| (p.queries as f64, value(p))).collect(),
            band: Vec::new(),
        }
    };
    let plot =
        |title: &str, up: &str, value: &dyn Fn(&smelt_campaign::perf::data::Moment) -> f64| {
            let curves = r.methods.iter().enumerate().map(|m| curve(m, value)).collect();
            Curves { title: title.to_owned(), axes: ["queries".to_owned(), up.to_owned()], curves }
                .svg()
        };
    *s += &plot("Margin", "seconds", &|p| p.margin);
    *s += &plot("Rewards", "rewarded changes", &|p| p.rewards as f64);
    *s += "</div>\n</section>\n";
}

/// The times by which so many instances of a suite are solved by a solver.
fn solved(m: &Found, who: usize) -> Vec<(f64, f64)> {
    let is_solved =
        |b: &&Best| b.runs.get(who).is_some_and(|r| matches!(&*r.answer, "sat" | "unsat"));
    let mut times: Vec<f64> =
        m.suite.iter().filter(is_solved).map(|b| b.runs[who].seconds).collect();
    times.sort_by(f64::total_cmp);
    let points = times.into_iter().enumerate().map(|(i, t)| ((i + 1) as f64, t));
    std::iter::once((0.0, 0.0)).chain(points).collect()
}

fn cactus(r: &Report, s: &mut String) {
    section(
        "Cactus plots",
        "How many instances of the suite of each method a solver solves within how many seconds. The target's line is broken; where it is short, \
        the target runs into the limit.",
        s,
    );
    let solvers: Vec<&str> =
        std::iter::once(&r.asked.target).chain(&r.asked.references).map(String::as_str).collect();
    legend(&solvers.iter().enumerate().map(|(i, n)| (i % 8, *n)).collect::<Vec<_>>(), s);
    *s += "<div class=\"plots\">\n";
    for m in &r.methods {
        let curve = |(i, name): (usize, &&str)| Curve {
            name: (*name).to_owned(),
            colour: i % 8,
            dashed: i == 0,
            points: solved(m, i),
            band: Vec::new(),
        };
        let curves = solvers.iter().enumerate().map(curve).collect();
        let axes = ["instances solved", "CPU seconds"].map(str::to_owned);
        *s += &Curves { title: m.method.clone(), axes, curves }.svg();
    }
    *s += "</div>\n</section>\n";
}

fn rankings(r: &Report, s: &mut String) {
    section(
        "Constructs",
        "Those that were rewarded most when they were put into an instance: mean reward, and the method's own interval for it.",
        s,
    );
    for m in r.methods.iter().filter(|m| m.ranking.iter().any(|c| c.tally.tried > 0)) {
        let _ = writeln!(
            s,
            "<details><summary>{}: {}</summary><div>",
            escape(&m.method),
            escape(&m.about)
        );
        table(&["construct", "kind", "mean", "interval", "rewards", "tries"], s);
        for c in m.ranking.iter().filter(|c| c.tally.tried > 0).take(SHOWN) {
            let cells = [
                c.construct.clone(),
                c.kind.word().to_owned(),
                format!("{:.3}", c.mean),
                format!("{:.3} to {:.3}", c.interval.0, c.interval.1),
                c.tally.rewards.to_string(),
                c.tally.tried.to_string(),
            ];
            row(&cells, s);
        }
        *s += END;
        *s += "</div></details>\n";
    }
    *s += "</section>\n";
}

fn slowness(r: &Report, s: &mut String) {
    if r.slow.is_empty() {
        return;
    }
    section(
        "With ten seeds of the solvers",
        "Mean CPU seconds without the start of the process. Confirmed: beyond chance, twice as long, and 0.2 s more.",
        s,
    );
    table(&["instance", "target", "reference", "factor", "p", "verdict", "since"], s);
    let mean = |all: &[f64]| all.iter().sum::<f64>() / all.len().max(1) as f64;
    for slow in &r.slow {
        let cells = [
            slow.file.clone(),
            format!("{:.3} s ({} at the limit)", mean(&slow.seconds), slow.timeouts),
            format!("{}: {:.3} s", slow.reference, mean(&slow.than)),
            format!("{:.1}", slow.factor),
            format!("{:.5}", slow.p),
            verdict(slow),
            since(slow),
        ];
        row(&cells, s);
    }
    *s += END;
    for small in r.slow.iter().filter_map(|slow| slow.smaller.as_ref()) {
        let _ = writeln!(
            s,
            "<details><summary>{}: {:.3} s against {:.3} s</summary><div><pre tabindex=\"0\">{}</pre></div></details>",
            escape(&small.file),
            small.means.0,
            small.means.1,
            escape(&small.script)
        );
    }
    *s += "</section>\n";
}

fn verdict(slow: &Slow) -> String {
    match (&slow.open, slow.confirmed) {
        (Some(why), _) => format!("open: {why}"),
        (None, true) => "confirmed".to_owned(),
        (None, false) => "not confirmed".to_owned(),
    }
}

fn since(slow: &Slow) -> String {
    let Some(history) = &slow.history else { return String::new() };
    let span = |(good, first): &(Option<String>, String)| match good {
        Some(good) => format!("{first} (not in {good})"),
        None => format!("{first} or before"),
    };
    history.since.iter().map(span).collect::<Vec<_>>().join("; ")
}

fn suite(r: &Report, s: &mut String) {
    section("Suite", "The best instance of each position, the highest score first.", s);
    for m in &r.methods {
        let mut all: Vec<&Best> = m.suite.iter().collect();
        all.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.seq.cmp(&b.seq)));
        let _ = writeln!(
            s,
            "<details><summary>{}: {} instances</summary><div>",
            escape(&m.method),
            all.len()
        );
        let mut head = vec!["file", "score", r.asked.target.as_str()];
        head.extend(r.asked.references.iter().map(String::as_str));
        table(&head, s);
        for b in &all {
            let mut cells = vec![b.file.clone(), format!("{:.3} s", b.score)];
            cells.extend(b.runs.iter().map(|r| format!("{} {:.3} s", r.answer, r.seconds)));
            row(&cells, s);
        }
        *s += END;
        if let Some(best) = all.first() {
            let _ = writeln!(s, "<pre tabindex=\"0\">{}</pre>", escape(&best.script));
        }
        *s += "</div></details>\n";
    }
    *s += "</section>\n";
}
