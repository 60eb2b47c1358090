//! What the numbers of issues say about triggers, and what they do not say.
//!
//! An issue number is a word about the solver of that tracker only: the script of a cvc5 issue on which z3 is wrong, too, is left out. A fault
//! that neither the last release before the issue was opened has nor the next one is another one than that of the issue. One issue may
//! hold several bugs: where the index says that a release has the one fault and not the other, the two are counted apart. Issues that
//! their fix calls duplicates are one; of two triggers of a thread in which bugs are collected nothing is known.

use std::collections::BTreeSet;

use smelt_solver::Version;
use smelt_triage::{Fingerprint, Mark};

/// How far the numbers of issues had come when a release was made, by the commits before it.
const RELEASES: &[(&str, &str, u32)] = &[
    ("z3", "4.8.5", 2298),
    ("z3", "4.8.6", 2565),
    ("z3", "4.8.7", 2720),
    ("z3", "4.8.8", 4245),
    ("z3", "4.8.9", 4679),
    ("z3", "4.8.10", 4954),
    ("z3", "4.8.11", 5324),
    ("z3", "4.8.12", 5399),
    ("z3", "4.8.13", 5654),
    ("z3", "4.8.14", 5730),
    ("z3", "4.8.17", 6000),
    ("z3", "4.9.1", 6127),
    ("z3", "4.10.2", 6203),
    ("z3", "4.11.0", 6270),
    ("z3", "4.11.2", 6307),
    ("z3", "4.12.0", 6532),
    ("z3", "4.12.2", 6713),
    ("z3", "4.12.3", 7033),
    ("z3", "4.12.5", 7084),
    ("z3", "4.13.0", 7152),
    ("z3", "4.13.4", 7471),
    ("z3", "4.14.0", 7547),
    ("z3", "4.15.0", 7634),
    ("z3", "4.15.4", 7998),
    ("z3", "4.16.0", 8681),
    ("z3", "5.0.0", 10149),
    ("z3", "5.1.0", 10534),
    ("cvc4", "1.8", 4630),
    ("cvc5", "1.0.0", 8571),
    ("cvc5", "1.0.3", 9335),
    ("cvc5", "1.0.9", 10233),
    ("cvc5", "1.1.0", 10239),
    ("cvc5", "1.1.1", 10296),
    ("cvc5", "1.1.2", 10438),
    ("cvc5", "1.2.0", 11137),
    ("cvc5", "1.2.1", 11563),
    ("cvc5", "1.3.0", 11990),
    ("cvc5", "1.3.1", 12135),
    ("cvc5", "1.3.2", 12300),
    ("cvc5", "1.3.3", 12450),
    ("cvc5", "1.3.4", 12651),
    // It mends #12805; how far numbers had come by then is not known.
    ("cvc5", "1.4.0", 12805),
];

/// Issues of which the commit that closed them says that they are duplicates of each other (z3's 88f0e4a64c).
const DUPLICATES: &[&[&str]] = &[&["z3#2573", "z3#2592", "z3#2593"]];

/// Threads in which z3's developers want all bugs of a theory (#4889 is called so), or that hold more than twenty formulas: that two triggers
/// are from there says nothing of whether they are one bug.
pub const COLLECTIONS: &[&str] = &["z3#4532", "z3#4866", "z3#4889", "z3#5532", "z3#5778"];

/// A trigger of an issue.
pub struct Trigger {
    /// The issue, or the first one of those that are its duplicates.
    pub issue: String,
    pub id: String,
    pub class: String,
    pub solver: String,
    /// A release that is right, who is asked for models and answers.
    pub right: &'static str,
    /// The number of the issue itself.
    number: u32,
    /// Builds that have the fault, by the index, and those that have not.
    bad: BTreeSet<String>,
    good: BTreeSet<String>,
}

impl Trigger {
    /// Whether the fault is the issue's, as far as releases tell: the last one before it was opened has it, or the next one.
    pub fn is_about(&self, print: &Fingerprint) -> bool {
        let mut told: Vec<(Version, u32, bool)> = Vec::new();
        let mut note = |solver: &str, version: &str, shows: bool| {
            if let Some(v) = Version::parse(version) {
                let reached = reached(solver, &v);
                // cvc5 comes behind cvc4, whatever their versions are.
                told.push((v, reached, shows));
            }
        };
        for (marks, shows) in [(&self.bad, true), (&self.good, false)] {
            let all = marks.iter().filter_map(|name| name.split_once('-'));
            all.filter(|(s, _)| self.is_own(s)).for_each(|(s, v)| note(s, v, shows));
        }
        for (name, mark) in print.releases.iter().filter(|(_, mark)| *mark != Mark::Open) {
            note(&print.solver, name, *mark == Mark::Shows);
        }
        told.sort_by(|a, b| (a.1, &a.0).cmp(&(b.1, &b.0)));
        let before = told.iter().rfind(|t| t.1 < self.number);
        let behind = told.iter().find(|t| t.1 >= self.number);
        before.into_iter().chain(behind).any(|t| t.2)
    }

    /// Whether an issue of this tracker is about a solver.
    fn is_own(&self, solver: &str) -> bool {
        is_own(self.issue.split('#').next().unwrap_or_default(), solver)
    }

    /// A release that has one of two faults and not the other: they are not one bug, whatever the issue says.
    pub fn told_apart<'a>(&'a self, other: &'a Self) -> Option<&'a String> {
        let mut one = self.bad.intersection(&other.good);
        one.next().or_else(|| self.good.intersection(&other.bad).next())
    }
}

/// A line of the index, if the bug shows by itself in a release of the solver that its issue is about: z3, or cvc5 with cvc4.
pub fn trigger(line: &str) -> Option<Trigger> {
    let cells: Vec<&str> = line.split('\t').collect();
    let class = *cells.get(2)?;
    if !["refutation", "solution", "model", "crash"].contains(&class) || *cells.get(8)? != "1" {
        return None;
    }
    // Options that smelt gives by itself where it looks at models.
    let own = ["", "model_validate=true", "--strings-exp", "--check-models"];
    let issue = *cells.get(1)?;
    let tracker = issue.split('#').next()?;
    let number = issue.split('#').nth(1)?.parse().ok()?;
    let known = DUPLICATES.iter().find(|all| all.contains(&issue));
    let issue = known.map_or(issue, |all| all[0]).to_owned();
    let mut bad = Vec::new();
    for build in cells.get(5)?.split(';') {
        let Some((build, seen)) = build.rsplit_once(':') else { continue };
        let (name, options) = build.split_once('[').unwrap_or((build, "]"));
        let default = options.trim_end_matches(']').split(' ').all(|o| own.contains(&o));
        if name.split_once('-').is_some_and(|(s, _)| is_own(tracker, s)) && default && seen == class
        {
            bad.push(name.to_owned());
        }
    }
    let solver = match bad.first()?.split_once('-')? {
        // Those are on PATH, and have no package.
        ("cvc4", _) => "cvc4".to_owned(),
        ("cvc5", "1.0.3") => "cvc5".to_owned(),
        (solver, version) => format!("{solver}@{version}"),
    };
    let right: Vec<&str> = cells.get(6)?.split(' ').collect();
    let good = right.iter().map(|r| (*r).to_owned()).collect();
    let right = if right.contains(&"z3-5.4.0") { "z3@5.4.0" } else { "cvc5@1.4.2" };
    let (id, class) = (cells.first()?.to_string(), class.to_owned());
    let bad = bad.into_iter().collect();
    Some(Trigger { issue, id, class, solver, right, number, bad, good })
}

/// Whether an issue of a tracker is about a solver: cvc5 was called cvc4.
fn is_own(tracker: &str, solver: &str) -> bool {
    solver == tracker || (tracker == "cvc5" && solver == "cvc4")
}

/// How far the numbers of issues had come with a release.
fn reached(solver: &str, version: &Version) -> u32 {
    let own = RELEASES.iter().filter(|(s, ..)| *s == solver);
    let before = own.filter(|(_, v, _)| Version::parse(v).is_some_and(|v| v <= *version));
    before.map(|(.., n)| *n).max().unwrap_or(0)
}
