//! Two campaigns beside each other: what both have found, what only one of them has.

use std::collections::BTreeSet;
use std::fmt::Write;

use smelt_triage::Likeness;

use crate::bug::{address, words};
use crate::html::escape;
use crate::views::table;
use crate::{Bug, Page};

/// Bugs of two campaigns, by their places in the lists.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// Those of the first that the second has, too, with why that is held.
    pub both: Vec<(usize, usize, String)>,
    /// Those of the first alone.
    pub first: Vec<usize>,
    /// Those of the second alone.
    pub second: Vec<usize>,
}

/// Why two bugs are held to be one, if they are.
fn alike(a: &Bug, b: &Bug) -> Option<String> {
    if a.profile == b.profile && a.signature == b.signature {
        return Some("the same signature".to_owned());
    }
    match a.fingerprint.as_ref()?.compare(b.fingerprint.as_ref()?) {
        Likeness::Same(why) => Some(why),
        Likeness::Different(_) => None,
    }
}

/// Puts the bugs of two campaigns together. A bug of one may be several of the other.
pub fn compare(first: &[Bug], second: &[Bug]) -> Compared {
    let mut out = Compared::default();
    let mut seen = BTreeSet::new();
    for (i, a) in first.iter().enumerate() {
        let matches = second.iter().enumerate().filter_map(|(j, b)| Some((j, alike(a, b)?)));
        let before = out.both.len();
        out.both.extend(matches.map(|(j, why)| (i, j, why)));
        seen.extend(out.both[before..].iter().map(|(_, j, _)| *j));
        if out.both.len() == before {
            out.first.push(i);
        }
    }
    out.second = (0..second.len()).filter(|j| !seen.contains(j)).collect();
    out
}

/// The body of the page.
pub fn compared(a: &Page, b: &Page) -> String {
    let (first, second) = (escape(&a.title), escape(&b.title));
    let c = compare(&a.bugs, &b.bugs);
    let mut s = format!(
        "<body>\n<header>\n<p><a href=\"index.html\">{first}</a></p>\n<h1>{first} and {second}</h1>\n</header>\n<main>\n"
    );
    figures(a, b, &mut s);
    let _ = writeln!(s, "<section id=\"view:both\">\n<h2>In both ({})</h2>", c.both.len());
    none(c.both.is_empty(), &mut s);
    s += "<ul class=\"pairs\">\n";
    for (i, j, why) in &c.both {
        let (x, y) = (&a.bugs[*i], &b.bugs[*j]);
        let _ = writeln!(
            s,
            "<li>{} {} = {} <span class=\"soft\">{}</span></li>",
            named(x, ""),
            words(x),
            named(y, "other/"),
            escape(why)
        );
    }
    s += "</ul>\n</section>\n";
    for (name, view, bugs, all, folder) in [
        (&first, "view:first", &a.bugs, &c.first, ""),
        (&second, "view:second", &b.bugs, &c.second, "other/"),
    ] {
        let _ = writeln!(s, "<section id=\"{view}\">\n<h2>Only in {name} ({})</h2>", all.len());
        none(all.is_empty(), &mut s);
        s += "<ul class=\"pairs\">\n";
        for i in all {
            let bug = &bugs[*i];
            let _ = writeln!(
                s,
                "<li>{} {} <span class=\"soft\">{}</span></li>",
                named(bug, folder),
                words(bug),
                escape(&bug.solver)
            );
        }
        s += "</ul>\n</section>\n";
    }
    s + "</main>\n</body>\n</html>\n"
}

fn none(is_empty: bool, s: &mut String) {
    if is_empty {
        *s += "<p>None.</p>\n";
    }
}

fn named(bug: &Bug, folder: &str) -> String {
    format!("<a href=\"{folder}{}\">{}</a>", address(bug), escape(&bug.id))
}

/// The numbers of both, and the tests of their strategies.
fn figures(a: &Page, b: &Page, s: &mut String) {
    let of = |page: &Page, what: &str| {
        page.figures.iter().find(|(w, _)| w == what).map_or(String::new(), |(_, n)| n.clone())
    };
    let mut names: Vec<&String> = a.figures.iter().map(|(what, _)| what).collect();
    names.extend(b.figures.iter().map(|(what, _)| what).filter(|w| of(a, w).is_empty()));
    let mut rows: Vec<(String, Vec<String>)> =
        names.into_iter().map(|what| (what.clone(), vec![of(a, what), of(b, what)])).collect();
    let strategies: BTreeSet<&String> = a.tests.keys().chain(b.tests.keys()).collect();
    for name in strategies {
        let tests = |page: &Page| page.tests.get(name).map_or(String::new(), u64::to_string);
        rows.push((format!("tests of {name}"), vec![tests(a), tests(b)]));
    }
    *s += "<section id=\"view:figures\">\n<h2>Numbers</h2>\n";
    table(&["", &a.title, &b.title], &rows, s);
    *s += "</section>\n";
}
