//! The page of an evolution: the figures of the published study, and the matrix of a user's queries.

mod figures;
mod matrix;
mod performance;
pub(crate) mod plot;
pub(crate) mod style;

use std::fmt::Write;

use smelt_campaign::evolve::Evolution;
use smelt_campaign::evolve::data::{Cell, Decline, WALL};

use self::figures::{Look, Scripts, Shown, count, milliseconds, overview, plot};
use self::performance::{performance, solved_at};
use self::plot::{Plot, Scale};
use self::style::{CLICKS, PLOTS};
use crate::html::escape;
use crate::style::{SCRIPT, STYLE};

/// Scripts that a click shows: name, what there is to say, text.
type Told = Vec<(String, String, String)>;

/// The page.
pub fn html(e: &Evolution) -> String {
    let (mut told, mut scripts) = (Told::new(), Scripts::new());
    for f in &e.faults {
        let Some(text) = &f.script else { continue };
        scripts.insert((f.release, f.group, f.class.clone()), told.len());
        let why =
            format!("{}: {} ({}: {})", e.releases[f.release].label, f.class, f.grade, f.evidence);
        told.push((f.query.clone(), format!("{why}. {}", f.command), text.clone()));
    }
    let rows = told.len();
    told.extend(
        e.matrix
            .iter()
            .map(|row| (row.query.clone(), e.groups[row.group].name.clone(), row.text.clone())),
    );
    let title = escape(&e.title);
    let mut s = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
        <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
        <link rel=\"icon\" href=\"data:,\">\n<title>{title}</title>\n<style>{STYLE}{PLOTS}</style>\n</head>\n<body>\n\
        <a class=\"skip\" href=\"#main\">To the results</a>\n<header>\n<h1>{title}</h1>\n"
    );
    head(e, &mut s);
    s += "</header>\n<main id=\"main\">\n";
    choice(e, &mut s);
    if !e.matrix.is_empty() {
        section(
            "Queries by releases",
            "Milliseconds of CPU time. A click on a query shows it.",
            &mut s,
        );
        matrix::matrix(e, |i| rows + i, &mut s);
        s += "</section>\n";
    }
    regressions(e, &mut s);
    correctness(e, &scripts, &mut s);
    performance(e, &mut s);
    ends(e, &mut s);
    appendix(e, &mut s);
    s += "</main>\n<div class=\"tip\" role=\"tooltip\" hidden></div>\n<dialog><h2></h2><p></p><pre tabindex=\"0\"></pre><form method=\"dialog\"><button>Close</button></form></dialog>\n";
    for (i, (name, why, text)) in told.iter().enumerate() {
        let _ = writeln!(
            s,
            "<template id=\"s{i}\" data-name=\"{}\" data-why=\"{}\">{}</template>",
            escape(name),
            escape(why),
            escape(text)
        );
    }
    let _ = write!(s, "<script>{SCRIPT}\n{CLICKS}</script>\n</body>\n</html>\n");
    s
}

pub(crate) fn section(title: &str, text: &str, s: &mut String) {
    let _ = writeln!(
        s,
        "<section>\n<h2>{}</h2>\n<p class=\"soft\">{}</p>",
        escape(title),
        escape(text)
    );
}

fn head(e: &Evolution, s: &mut String) {
    let queries: u64 = e.groups.iter().map(|g| g.queries).sum();
    *s += "<ul class=\"figures\">\n";
    for (n, what) in [
        (queries.to_string(), "queries"),
        (e.groups.len().to_string(), "groups"),
        (e.releases.len().to_string(), "releases"),
        (format!("{} s", e.limit), "of CPU for a query"),
        (e.repeat.to_string(), "runs of each"),
        (e.faults.len().to_string(), "faults, proven or strong"),
    ] {
        let _ = writeln!(s, "<li><b>{}</b>{what}</li>", escape(&n));
    }
    let _ = writeln!(s, "</ul>\n<pre><code>{}</code></pre>", escape(&e.command));
}

fn choice(e: &Evolution, s: &mut String) {
    let Some(choice) = &e.choice else { return };
    section("Which release may I take?", "", s);
    let _ = writeln!(s, "<p class=\"answer\">{}</p>", escape(&choice.sentence));
    let current = &e.releases[choice.current].label;
    let _ = writeln!(
        s,
        "<div class=\"wide\" tabindex=\"0\"><table>\n<thead><tr><th scope=\"col\">beside {}</th><th scope=\"col\">wrong</th><th scope=\"col\">lost</th>\
        <th scope=\"col\">gained</th><th scope=\"col\">slower</th><th scope=\"col\">CPU time</th><th scope=\"col\">verdict</th></tr></thead>\n<tbody>",
        escape(current)
    );
    for b in &choice.rows {
        let verdict = if b.worse.is_empty() { "not worse".to_owned() } else { b.worse.join(", ") };
        let _ = writeln!(
            s,
            "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{:.2}×</td><td class=\"text\">{}</td></tr>",
            escape(&e.releases[b.release].label),
            b.wrong.len(),
            b.lost.len(),
            b.gained,
            b.slower.len(),
            b.factor,
            escape(&verdict)
        );
    }
    *s += "</tbody>\n</table></div>\n</section>\n";
}

fn regressions(e: &Evolution, s: &mut String) {
    if e.regressions.is_empty() {
        return;
    }
    section(
        "What got worse",
        "From one release to the next. Times are compared by tests of ranks; single queries by repeated runs.",
        s,
    );
    for (kind, name) in [
        (Decline::Wrong, "Wrong"),
        (Decline::Lost, "No longer decided"),
        (Decline::Slower, "Slower as a whole"),
        (Decline::SlowQuery, "Slower on single queries"),
    ] {
        let all: Vec<_> = e.regressions.iter().filter(|r| r.kind == kind).collect();
        if all.is_empty() {
            continue;
        }
        let _ = writeln!(s, "<details><summary>{name} ({})</summary><div><ul>", all.len());
        for r in all {
            let command = r.command.as_ref().map(|c| format!("<br><code>{}</code>", escape(c)));
            let _ = writeln!(s, "<li>{}{}</li>", escape(&r.text), command.unwrap_or_default());
        }
        *s += "</ul></div></details>\n";
    }
    *s += "</section>\n";
}

/// The names of what plots show, with their colours.
pub(crate) fn legend(names: &[(usize, &str)], s: &mut String) {
    *s += "<p class=\"legend\">";
    for (colour, name) in names {
        let _ = write!(s, "<i style=\"background:var(--c{colour})\"></i>{}", escape(name));
    }
    *s += "</p>\n";
}

/// A plot for each group and solver; those that would show nothing but zeros are named instead.
fn grid(e: &Evolution, s: &mut String, make: impl Fn(usize, &(&str, Vec<usize>)) -> Plot) {
    let solvers = e.solvers();
    let each = (0..e.groups.len()).flat_map(|g| solvers.iter().map(move |solver| (g, solver)));
    let (flat, shown): (Vec<Plot>, Vec<Plot>) =
        each.map(|(group, solver)| make(group, solver)).partition(Plot::is_flat);
    *s += "<div class=\"plots\">\n";
    shown.iter().for_each(|plot| *s += &plot.svg());
    *s += "</div>\n";
    let titles: Vec<&str> = flat.iter().map(|p| p.title.as_str()).collect();
    if !titles.is_empty() {
        let _ = writeln!(s, "<p class=\"soft\">Nothing in: {}.</p>", escape(&titles.join(", ")));
    }
}

fn all_groups(e: &Evolution, s: &mut String, shown: &[Shown<'_>], look: Look) {
    *s += "<div class=\"plots\">\n";
    for solver in &e.solvers() {
        *s += &overview(e, solver, shown, look).svg();
    }
    *s += "</div>\n";
}

fn correctness(e: &Evolution, scripts: &Scripts, s: &mut String) {
    let classes = e.classes();
    section(
        "Faults by release (figures 7.2 and 7.9)",
        "Queries with a fault, proven or on strong evidence, on a scale of powers of ten. Every model is evaluated; whoever may be wrong was heard in a fresh process. A large point shows its smallest script on a click.",
        s,
    );
    if classes.is_empty() {
        *s += "<p>None.</p>\n</section>\n";
        return;
    }
    let names: Vec<(usize, &str)> = classes.iter().map(String::as_str).enumerate().collect();
    legend(&names, s);
    let shown: Vec<Shown<'_>> = names
        .iter()
        .map(|(colour, class)| Shown {
            name: class,
            colour: *colour,
            dashed: false,
            of: Box::new(move |c: &Cell| count(c.faults.get(*class).copied().unwrap_or(0))),
        })
        .collect();
    all_groups(e, s, &shown, Look { scale: Scale::Log, bars: false, unit: "" });
    grid(e, s, |group, solver| figures::faults(e, group, solver, scripts));
    *s += "</section>\n";
    fault_table(e, s);
}

/// Figure 7.10: releases by groups.
fn fault_table(e: &Evolution, s: &mut String) {
    section("Faults, release by release (figure 7.10)", "", s);
    *s += "<div class=\"wide\" tabindex=\"0\"><table>\n<thead><tr><th scope=\"col\">release</th>";
    for g in &e.groups {
        let _ = write!(s, "<th scope=\"col\">{}</th>", escape(&g.name));
    }
    *s += "</tr></thead>\n<tbody>\n";
    for (r, release) in e.releases.iter().enumerate() {
        let _ = write!(s, "<tr><th scope=\"row\">{}</th>", escape(&release.label));
        for g in 0..e.groups.len() {
            let faults = e.cell(r, g).map(|c| &c.faults);
            let words: Vec<String> =
                faults.into_iter().flatten().map(|(class, n)| format!("{n} {class}")).collect();
            let _ = write!(s, "<td>{}</td>", escape(&words.join(", ")));
        }
        *s += "</tr>\n";
    }
    *s += "</tbody>\n</table></div>\n</section>\n";
}

/// What is not decided, as series of their own.
fn ends(e: &Evolution, s: &mut String) {
    let words = ["rejected", "unknown", "timeout", WALL, "out-of-memory", "crash"];
    let text = "Queries by how their first run ended. A timeout is one of CPU time; one of the wall clock tells of the machine.";
    section("What is not decided", text, s);
    let names: Vec<(usize, &str)> =
        words.into_iter().enumerate().map(|(i, w)| (7 - i, w)).collect();
    legend(&names, s);
    grid(e, s, |g, solver| {
        let shown: Vec<Shown<'_>> = names
            .iter()
            .map(|&(colour, word)| Shown {
                name: word,
                colour,
                dashed: false,
                of: Box::new(move |c: &Cell| count(c.ends.get(word).copied().unwrap_or(0))),
            })
            .collect();
        plot(e, g, solver, &shown, Look { scale: Scale::Log, bars: false, unit: "" })
    });
    *s += "</section>\n";
    section(
        "Gained and lost",
        "Queries that a release decides in all runs and its predecessor in none, and the other way round.",
        s,
    );
    legend(&[(1, "gained"), (0, "lost")], s);
    let shown = || {
        [
            Shown {
                name: "gained",
                colour: 1,
                dashed: false,
                of: Box::new(|c: &Cell| count(c.gained)) as Box<figures::Of<'_>>,
            },
            Shown {
                name: "lost",
                colour: 0,
                dashed: false,
                of: Box::new(|c: &Cell| count(c.lost)),
            },
        ]
    };
    let look = Look { scale: Scale::Log, bars: true, unit: "" };
    all_groups(e, s, &shown(), look);
    grid(e, s, |g, solver| plot(e, g, solver, &shown(), look));
    *s += "</section>\n";
}

/// Appendix A.4: solved queries at every limit.
fn appendix(e: &Evolution, s: &mut String) {
    section(
        "Solved at every limit (appendix A.4)",
        "Powers of two from 2^-6 s to 2^3 s, as far as this run's limit goes.",
        s,
    );
    for (k, t) in e.thresholds.iter().enumerate() {
        let _ = writeln!(s, "<details><summary>Solved in {}</summary><div>", milliseconds(*t));
        legend(
            &[(2, "solved"), (3, "solved, with the start of a process counted for each query")],
            s,
        );
        let near = Look { scale: Scale::Near, bars: false, unit: "" };
        grid(e, s, |g, solver| plot(e, g, solver, &solved_at(k, true), near));
        *s += "</div></details>\n";
    }
    *s += "</section>\n";
}
