//! The bugs of a campaign as a list of known bugs.

use std::fmt::Write;

use smelt_triage::{Fingerprint, Mark};

use crate::bugs::{Bug, Bugs};
use crate::report::queue::Reported;

/// The text of a `known.toml`: one entry for each bug and each span of releases that have it, so that what comes back after its fix is new.
pub fn list(bugs: &Bugs, reported: &Reported) -> String {
    let mut s = String::new();
    for bug in bugs.all.iter().filter(|b| b.finding().withdrawn().is_none()) {
        let ranges = bug.finding().fingerprint.as_ref().map(ranges).unwrap_or_default();
        let ranges = if ranges.is_empty() { vec!["*".to_owned()] } else { ranges };
        for versions in ranges {
            entry(&mut s, bug, &versions, reported.url(&bug.finding().id));
        }
    }
    s
}

fn entry(s: &mut String, bug: &Bug, versions: &str, url: Option<&str>) {
    let f = bug.finding();
    // What JSON escapes in a string, TOML does, too.
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let _ = writeln!(s, "# {}\n[[bug]]\nsolver = {}", f.id, quoted(&f.accused.profile));
    let _ = writeln!(s, "versions = {}\nclass = {}", quoted(versions), quoted(f.class().word()));
    let operators = f.fingerprint.as_ref().map(|p| &p.operators).filter(|o| !o.is_empty());
    match operators.filter(|_| !f.class().row().ends) {
        Some(all) => {
            let all: Vec<String> = all.iter().map(|o| quoted(o)).collect();
            let _ = writeln!(s, "operators = [{}]", all.join(", "));
        }
        None => {
            let _ = writeln!(s, "signature = {}", quoted(&f.signature));
        }
    }
    if let Some(url) = url {
        let _ = writeln!(s, "url = {}", quoted(url));
    }
    s.push('\n');
}

/// The spans of releases that have a bug, as ranges of versions.
fn ranges(print: &Fingerprint) -> Vec<String> {
    let told: Vec<&(String, Mark)> =
        print.releases.iter().filter(|(_, mark)| *mark != Mark::Open).collect();
    let shows = |i: usize| told[i].1 == Mark::Shows;
    let begins = (0..told.len()).filter(|&i| shows(i) && (i == 0 || !shows(i - 1)));
    begins
        .map(|i| {
            let from = (i > 0).then(|| format!(">={}", told[i].0));
            let end = (i..told.len()).find(|&j| !shows(j));
            let to = end.map(|j| format!("<{}", told[j].0));
            let bounds: Vec<String> = from.into_iter().chain(to).collect();
            if bounds.is_empty() { "*".to_owned() } else { bounds.join(",") }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use smelt_triage::Class;

    #[test]
    fn spans_as_ranges() {
        let check = |marks: &str, expect: &[&str]| {
            let mark = |c: char| match c {
                'x' => Mark::Shows,
                '.' => Mark::Gone,
                _ => Mark::Open,
            };
            let releases = marks.chars().enumerate().map(|(i, c)| (format!("1.{i}"), mark(c)));
            let print = Fingerprint {
                solver: "z3".into(),
                class: Class::InvalidModel,
                crash: None,
                operators: Default::default(),
                releases: releases.collect(),
                own: None,
                options: Default::default(),
            };
            assert_eq!(ranges(&print), expect, "{marks}");
        };
        check("..xx..", &[">=1.2,<1.4"]);
        check("xx", &["*"]);
        check("?x?.", &["<1.3"]);
        check(".x.xx", &[">=1.1,<1.2", ">=1.3"]);
        check("..", &[]);
    }
}
