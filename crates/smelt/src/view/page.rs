//! What the page of a campaign shows, gathered from its folder.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use smelt_campaign::bugs::{Bug, Bugs};
use smelt_campaign::finding::Finding;
use smelt_campaign::journal::{self, Journal};
use smelt_campaign::report::queue::Reported;
use smelt_campaign::report::{command, why_plain};
use smelt_page::{Page, Sample};

/// The page of a campaign.
pub fn page(bugs: &Bugs, reported: &Reported) -> Result<Page> {
    let journal = match bugs.campaign.as_ref().filter(|c| c.join("smelt.db").exists()) {
        Some(folder) => Some(Journal::open(folder)?),
        None => None,
    };
    let samples = journal.as_ref().map(last_samples).transpose()?.unwrap_or_default();
    let first = bugs.all.iter().map(|b| b.finding().found).min().unwrap_or(0);
    let began = samples.first().map_or(first, |s| s.at.saturating_sub(s.elapsed as u64));
    let tests = journal.as_ref().map(strategy_tests).transpose()?.unwrap_or_default();
    let triggers: usize = bugs.all.iter().map(|b| b.triggers.len() + 1).sum();
    let solvers: BTreeSet<&str> =
        bugs.all.iter().map(|b| b.finding().accused.label.as_str()).collect();
    let mut figures = vec![
        ("bugs".to_owned(), bugs.all.len().to_string()),
        ("triggers".to_owned(), triggers.to_string()),
    ];
    if let Some(last) = samples.last() {
        figures.push(("tests".to_owned(), last.tests.to_string()));
        figures.push(("minutes".to_owned(), format!("{:.1}", last.elapsed / 60.0)));
        let rate = last.tests as f64 / last.elapsed.max(0.001);
        figures.push(("tests per second".to_owned(), format!("{rate:.1}")));
    }
    Ok(Page {
        title: "smelt campaign".to_owned(),
        solvers: solvers.into_iter().map(str::to_owned).collect(),
        figures,
        bugs: bugs.all.iter().map(|b| shown(b, began, reported)).collect(),
        samples: samples.iter().map(|s| Sample { elapsed: s.elapsed, tests: s.tests }).collect(),
        yields: bugs.yields(),
        tests,
    })
}

fn shown(bug: &Bug, began: u64, reported: &Reported) -> smelt_page::Bug {
    let f = bug.finding();
    let first = bug.triggers.iter().map(|(t, _)| t.found).chain([f.found]).min().unwrap_or(0);
    let named = |(t, why): &(Finding, String)| (t.id.clone(), why.clone());
    smelt_page::Bug {
        id: f.id.clone(),
        solver: f.accused.label.clone(),
        class: f.class(),
        grade: f.verdict().grade,
        logic: f.logic.clone(),
        script: bug.contents.bug.clone(),
        proof: why_plain(&bug.contents),
        command: command(&bug.contents),
        after: first.saturating_sub(began) as f64,
        triggers: bug.triggers.iter().map(named).collect(),
        fingerprint: f.fingerprint.clone(),
        reported: reported.url(&f.id).map(str::to_owned),
    }
}

/// How the last run went on.
fn last_samples(journal: &Journal) -> Result<Vec<journal::Sample>> {
    let last = journal.last_run()?;
    last.map_or(Ok(Vec::new()), |last| journal.samples(last.run))
}

/// Tests of each strategy in the last run.
fn strategy_tests(journal: &Journal) -> Result<BTreeMap<String, u64>> {
    let Some(last) = journal.last_run()? else { return Ok(BTreeMap::new()) };
    let counts = journal.counts(last.run)?;
    let tests = counts.into_iter().filter(|(kind, ..)| kind == "strategy-tests");
    Ok(tests.map(|(_, name, n)| (name, n as u64)).collect())
}
