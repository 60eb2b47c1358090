//! The page as text.

use std::collections::BTreeSet;
use std::fmt::Write;

use smelt_triage::Class;

use crate::chart::{clock, over_time, strip, throughput};
use crate::style::{SCRIPT, STYLE};
use crate::{Bug, Page};

/// A text in which nothing means anything to HTML, in elements and in attributes alike.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c if c.is_control() && !matches!(c, '\n' | '\t') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

impl Page {
    /// The page.
    pub fn html(&self) -> String {
        let title = escape(&self.title);
        let mut s = format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
            <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
            <link rel=\"icon\" href=\"data:,\">\n<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
            <a class=\"skip\" href=\"#bugs\">To the bugs</a>\n<header>\n<h1>{title}</h1>\n"
        );
        let _ = writeln!(s, "<p class=\"soft\">{}</p>", escape(&self.solvers.join(", ")));
        s += "<ul class=\"figures\">\n";
        for (what, n) in &self.figures {
            let _ = writeln!(s, "<li><b>{}</b>{}</li>", escape(n), escape(what));
        }
        s += "</ul>\n</header>\n<main>\n";
        self.bugs(&mut s);
        self.strips(&mut s);
        self.times(&mut s);
        self.table(&mut s);
        let _ = write!(s, "</main>\n<script>{SCRIPT}</script>\n</body>\n</html>\n");
        s
    }

    fn bugs(&self, s: &mut String) {
        let _ = writeln!(s, "<section id=\"bugs\">\n<h2>Bugs ({})</h2>", self.bugs.len());
        if self.bugs.is_empty() {
            *s += "<p>None.</p>\n";
        }
        for bug in &self.bugs {
            one(bug, s);
        }
        *s += "</section>\n";
    }

    /// Releases by bugs, a strip for each solver.
    fn strips(&self, s: &mut String) {
        let solver = |b: &Bug| b.fingerprint.as_ref().map(|f| f.solver.clone());
        let solvers: BTreeSet<String> = self.bugs.iter().filter_map(solver).collect();
        if solvers.is_empty() {
            return;
        }
        *s += "<section>\n<h2>Releases</h2>\n<p class=\"soft\"><svg class=\"key\" viewBox=\"0 0 1 1\" aria-hidden=\"true\"><rect class=\"shows\" width=\"1\" height=\"1\"/></svg>has the bug\
            <svg class=\"key\" viewBox=\"0 0 1 1\" aria-hidden=\"true\"><rect class=\"gone\" width=\"1\" height=\"1\"/></svg>does not\
            <svg class=\"key\" viewBox=\"0 0 1 1\" aria-hidden=\"true\"><rect class=\"unknown\" width=\"1\" height=\"1\"/></svg>cannot tell; nobody asked where there is nothing</p>\n";
        for name in solvers {
            let bugs: Vec<&Bug> =
                self.bugs.iter().filter(|b| solver(b).as_ref() == Some(&name)).collect();
            let _ = writeln!(
                s,
                "<h3>{}</h3>\n<div class=\"wide\" tabindex=\"0\">{}</div>",
                escape(&name),
                strip(&name, &bugs)
            );
        }
        *s += "</section>\n";
    }

    /// Bugs and tests over time.
    fn times(&self, s: &mut String) {
        let last = self.samples.last().map_or(0.0, |s| s.elapsed);
        let mut after: Vec<f64> = self.bugs.iter().map(|b| b.after).collect();
        after.sort_by(f64::total_cmp);
        if !after.is_empty() {
            let mut points = vec![(0.0, 0.0)];
            points.extend(after.iter().enumerate().map(|(i, t)| (*t, (i + 1) as f64)));
            let end = last.max(after[after.len() - 1]);
            points.push((end, after.len() as f64));
            let _ = writeln!(
                s,
                "<section>\n<h2>Discovery</h2>\n{}</section>",
                over_time("Bugs found, over time", &points, true)
            );
        }
        let rates = throughput(&self.samples);
        if rates.len() > 1 {
            let _ = writeln!(
                s,
                "<section>\n<h2>Tests per second</h2>\n{}</section>",
                over_time("Tests per second, over time", &rates, false)
            );
        }
    }

    /// Strategies by theories.
    fn table(&self, s: &mut String) {
        let theories: BTreeSet<&String> = self.yields.values().flat_map(|t| t.keys()).collect();
        let strategies: BTreeSet<&String> = self.yields.keys().chain(self.tests.keys()).collect();
        if strategies.is_empty() {
            return;
        }
        *s += "<section>\n<h2>Strategies and theories</h2>\n<div class=\"wide\" tabindex=\"0\"><table>\n<thead><tr><th scope=\"col\">strategy</th><th scope=\"col\">tests</th>";
        for t in &theories {
            let _ = write!(s, "<th scope=\"col\">{}</th>", escape(t));
        }
        *s += "</tr></thead>\n<tbody>\n";
        for strategy in strategies {
            let tests = self.tests.get(strategy).map_or(String::new(), u64::to_string);
            let _ = write!(s, "<tr><th scope=\"row\">{}</th><td>{tests}</td>", escape(strategy));
            for t in &theories {
                let n = self.yields.get(strategy).and_then(|y| y.get(*t)).copied().unwrap_or(0);
                let _ =
                    write!(s, "<td>{}</td>", if n == 0 { String::new() } else { n.to_string() });
            }
            *s += "</tr>\n";
        }
        *s += "</tbody>\n</table></div>\n</section>\n";
    }
}

/// One bug, folded.
fn one(bug: &Bug, s: &mut String) {
    let worst = matches!(bug.class, Class::RefutationSoundness | Class::SolutionSoundness);
    let _ = writeln!(
        s,
        "<details id=\"{}\"><summary><strong>{}</strong> <span class=\"word{}\">{}</span> <span class=\"word\">{}</span> <span class=\"word\">{}</span> <span class=\"soft\">{}</span></summary>\n<div>",
        escape(&bug.id),
        escape(&bug.id),
        if worst { " worst" } else { "" },
        escape(bug.class.word()),
        bug.grade,
        escape(&bug.logic),
        escape(&bug.solver)
    );
    let _ = writeln!(s, "<pre tabindex=\"0\"><code>{}</code></pre>", escape(bug.script.trim_end()));
    let _ =
        writeln!(s, "<p><code>{}</code></p>\n<p>{}</p>", escape(&bug.command), escape(&bug.proof));
    if let Some(print) = &bug.fingerprint {
        let spans = print.spans();
        if !spans.is_empty() {
            let _ = writeln!(s, "<p>In {} {}.</p>", escape(&print.solver), escape(&spans));
        }
        let cures: Vec<String> =
            print.cures().iter().map(|o| format!("<code>{}</code>", escape(o))).collect();
        if !cures.is_empty() {
            let _ = writeln!(s, "<p>Not with {}.</p>", cures.join(", "));
        }
    }
    let _ = writeln!(s, "<p class=\"soft\">Found after {}.</p>", clock(bug.after));
    if let Some(url) = &bug.reported {
        // Only an address of the web is a link.
        let web = url.starts_with("https://") || url.starts_with("http://");
        let shown = escape(url);
        let link =
            if web { format!("<a href=\"{shown}\" rel=\"noreferrer\">{shown}</a>") } else { shown };
        let _ = writeln!(s, "<p>Reported: {link}</p>");
    }
    if !bug.triggers.is_empty() {
        let _ = writeln!(s, "<p>{} more triggers:</p>\n<ul>", bug.triggers.len());
        for (id, why) in &bug.triggers {
            let _ = writeln!(
                s,
                "<li><code>{}</code> <span class=\"soft\">{}</span></li>",
                escape(id),
                escape(why)
            );
        }
        *s += "</ul>\n";
    }
    *s += "</div></details>\n";
}
