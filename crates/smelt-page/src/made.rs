//! The data of a page from those of a campaign.

use std::collections::{BTreeMap, BTreeSet};

use smelt_campaign::bugs::{Bug as Kept, Bugs};
use smelt_campaign::event::Snapshot;
use smelt_campaign::finding::Finding;
use smelt_campaign::jobs::Kind;
use smelt_campaign::journal;
use smelt_campaign::report::queue::Reported;
use smelt_campaign::report::{command, why_plain};
use smelt_campaign::tally::{Counts, Tally};

use crate::{Bug, Machine, Page, Sample, Status};

/// How a campaign went, beside what it found.
#[derive(Clone, Debug, Default)]
pub struct Course {
    /// Its name.
    pub title: String,
    /// Solvers under test; without any, those that are accused are named.
    pub solvers: Vec<String>,
    /// How it stands, if that is known.
    pub now: Option<Snapshot>,
    /// How it went on.
    pub samples: Vec<journal::Sample>,
    /// Who works on it.
    pub machines: Vec<Machine>,
}

/// Characters of a script that a page shows; the rest is in the folder of the finding.
const SHOWN: usize = 20_000;
/// Reasons of refusals that a page names.
const REASONS: usize = 40;

impl Page {
    /// The page of a campaign.
    pub fn of(bugs: &Bugs, reported: &Reported, course: &Course) -> Self {
        let all =
            || bugs.all.iter().flat_map(|b| b.triggers.iter().map(|t| &t.0).chain([b.finding()]));
        let samples = &course.samples;
        let first = all().map(|f| f.found).min().unwrap_or(0);
        let began = samples.first().map_or(first, |s| s.at.saturating_sub(s.elapsed as u64));
        let after = |f: &Finding| f.found.saturating_sub(began) as f64;
        let mut found: Vec<f64> = all().map(after).collect();
        found.sort_by(f64::total_cmp);
        let accused = || bugs.all.iter().map(|b| b.finding().accused.label.clone());
        let mut solvers = course.solvers.clone();
        if solvers.is_empty() {
            solvers = accused().collect::<BTreeSet<_>>().into_iter().collect();
        }
        let counts = course.now.as_ref().map(|n| n.counts.clone()).unwrap_or_default();
        let tests = counts.strategies().map(|(name, y)| (name.to_owned(), y.tests));
        Self {
            title: course.title.clone(),
            solvers,
            figures: figures(bugs, found.len(), course),
            bugs: bugs.all.iter().map(|b| shown(b, began, reported)).collect(),
            found,
            samples: samples
                .iter()
                .map(|s| Sample { elapsed: s.elapsed, tests: s.tests })
                .collect(),
            yields: bugs.yields(),
            tests: tests.collect(),
            answers: counts.answers().clone(),
            refusals: refusals(&counts),
            resting: course.now.as_ref().map(|n| n.resting.clone()).unwrap_or_default(),
            machines: course.machines.clone(),
        }
    }
}

/// The numbers at the head.
fn figures(bugs: &Bugs, findings: usize, course: &Course) -> Vec<(String, String)> {
    let mut all = vec![("bugs", bugs.all.len().to_string()), ("triggers", findings.to_string())];
    if let Some(now) = &course.now {
        all.push(("tests", now.counts.total.tests.to_string()));
        all.push(("minutes", format!("{:.1}", now.elapsed_seconds / 60.0)));
        all.push(("tests per second", format!("{:.1}", now.rate())));
        if now.solver_share > 0.0 {
            all.push(("solver share of CPU", format!("{:.1} %", 100.0 * now.solver_share)));
        }
        let seeds = now.counts.seeds;
        if seeds.given > 0 {
            all.push(("seeds in use", format!("{} of {}", seeds.used, seeds.given)));
        }
    }
    all.into_iter().map(|(what, n)| (what.to_owned(), n)).collect()
}

/// What was refused, by whom and why. What is rare among many reasons is put together.
fn refusals(counts: &Tally) -> Vec<(String, Counts)> {
    let groups = [
        ("Solvers refuse scripts", &counts.rejections),
        ("Solvers refuse options that were varied", &counts.overvaried),
        ("Strategies cannot use seeds", &counts.refusals),
        ("Seeds are not used", &counts.skipped),
    ];
    let few = |all: &Counts| {
        let mut order: Vec<(&String, &u64)> = all.iter().collect();
        order.sort_by_key(|(name, n)| (std::cmp::Reverse(**n), (*name).clone()));
        let rest: u64 = order.iter().skip(REASONS).map(|(_, n)| **n).sum();
        let mut few: Counts =
            order.into_iter().take(REASONS).map(|(name, n)| (name.clone(), *n)).collect();
        if rest > 0 {
            few.insert("all others".to_owned(), rest);
        }
        few
    };
    let there = groups.into_iter().filter(|(_, all)| !all.is_empty());
    there.map(|(name, all)| (name.to_owned(), few(all))).collect()
}

fn shown(bug: &Kept, began: u64, reported: &Reported) -> Bug {
    let f = bug.finding();
    let first = bug.triggers.iter().map(|(t, _)| t.found).chain([f.found]).min().unwrap_or(0);
    let named = |(t, why): &(Finding, String)| (t.id.clone(), why.clone());
    let mut script = bug.contents.bug.clone();
    if let Some((cut, _)) = script.char_indices().nth(SHOWN) {
        let more = script.len() - cut;
        script.truncate(cut);
        script += &format!(
            "\n; … and {more} bytes more: all of it is bug.smt2 in the folder of the finding\n"
        );
    }
    Bug {
        id: f.id.clone(),
        solver: f.accused.label.clone(),
        profile: f.accused.profile.clone(),
        signature: f.signature.clone(),
        class: f.class(),
        grade: f.verdict().grade,
        status: status(f, reported),
        logic: f.logic.clone(),
        script,
        proof: why_plain(&bug.contents),
        command: command(&bug.contents),
        after: first.saturating_sub(began) as f64,
        triggers: bug.triggers.iter().map(named).collect(),
        fingerprint: f.fingerprint.clone(),
        reported: reported.url(&f.id).or(f.known.as_deref()).map(str::to_owned),
    }
}

/// How far one is with a finding.
fn status(f: &Finding, reported: &Reported) -> Status {
    let asked = f.fingerprint.as_ref().is_some_and(|p| p.releases.len() > 1);
    match reported.entry(&f.id) {
        _ if f.withdrawn().is_some() => Status::Withdrawn,
        Some(entry) if entry.known => Status::Known,
        Some(_) => Status::Reported,
        None if f.known.is_some() => Status::Known,
        None if asked || f.done.contains_key(&Kind::Bisect) => Status::Bisected,
        None if f.done.contains_key(&Kind::Reduce) => Status::Reduced,
        None => Status::New,
    }
}

/// What states of runs say of machines: each run that went on for a while is one.
impl Machine {
    /// The machines of the runs of a campaign's folder.
    pub fn of(statements: &[smelt_campaign::statement::Statement]) -> Vec<Self> {
        let one = |s: &smelt_campaign::statement::Statement| Self {
            name: s.key.clone(),
            about: match (s.part.own, s.part.of) {
                (_, 1) => String::new(),
                (own, of) => format!("part {}/{of}", own + 1),
            },
            samples: s.samples.iter().map(|(at, _, tests)| (*at, *tests)).collect(),
        };
        let mut all: BTreeMap<String, Self> = BTreeMap::new();
        for machine in statements.iter().map(one).filter(|m| m.samples.len() > 1) {
            all.insert(machine.name.clone(), machine);
        }
        all.into_values().collect()
    }
}
