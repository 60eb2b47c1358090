//! How many inputs of a method show a bug, and how many bugs these are.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use anyhow::Result;
use smelt_case::digest;
use smelt_strategy::bandit::Language;

use super::Asked;
use super::data::{Bug, Hunted};
use super::record::Step;
use super::sum::{MOMENTS, script, thinned};
use crate::bugs::{self, Bugs};
use crate::finding::Finding;

/// Counts what a method has found in the positions that are done; its campaigns are in these folders.
pub fn hunted(
    asked: &Asked,
    language: &Language,
    own: &[(u64, &Vec<Step>)],
    folders: &[PathBuf],
) -> Result<Hunted> {
    let mut hunted = Hunted::default();
    let bugs = Bugs::of_all(folders)?;
    // The target alone is looked at; what was found on the way about others is in the folders.
    let of_target = |b: &&bugs::Bug| b.finding().accused.label == asked.target;
    let before = queries_before(own);
    let mut found: Vec<Bug> = bugs
        .iter()
        .filter(of_target)
        .filter_map(|b| {
            let all = std::iter::once(b.finding()).chain(b.triggers.iter().map(|(f, _)| f));
            let queries = all.filter_map(|f| moment(f, &before)).min()?;
            Some(bug(b, queries))
        })
        .collect();
    found.sort_by_key(|b| b.queries);
    let is_untold = |b: &&bugs::Bug| of_target(b) && b.finding().standing_print().is_none();
    hunted.untold = bugs.iter().filter(is_untold).count() as u64;
    let (mut seen, mut queries) = (BTreeSet::new(), 0);
    let mut moments = vec![(0, 0, 0)];
    for (seq, steps) in own {
        for step in *steps {
            queries += 1;
            let accused = step.judged.iter().flat_map(|j| &j.accused);
            let mut classes = accused.peekable();
            if classes.peek().is_some()
                && let Some(text) = script(asked, language, *seq, steps, step.step)
                && seen.insert(digest(text.as_bytes()))
            {
                for class in classes {
                    *hunted.classes.entry(class.clone()).or_insert(0) += 1;
                }
            }
            let known = found.partition_point(|b| b.queries <= queries) as u64;
            moments.push((queries, seen.len() as u64, known));
        }
    }
    hunted.inputs = seen.len() as u64;
    hunted.bugs = found;
    hunted.moments = thinned(moments, MOMENTS);
    Ok(hunted)
}

/// How many queries there were before each position.
fn queries_before(own: &[(u64, &Vec<Step>)]) -> BTreeMap<u64, u64> {
    let mut sum = 0;
    let mut before = BTreeMap::new();
    for (seq, steps) in own {
        before.insert(*seq, sum);
        sum += steps.len() as u64;
    }
    before
}

/// After how many queries a finding was made; nothing if its position is not done.
fn moment(f: &Finding, before: &BTreeMap<u64, u64>) -> Option<u64> {
    let (seq, step) = f.origin.place();
    Some(before.get(&seq)? + step + 1)
}

fn bug(b: &bugs::Bug, queries: u64) -> Bug {
    let f = b.finding();
    Bug {
        id: f.id.clone(),
        class: f.class().word().to_owned(),
        queries,
        triggers: b.triggers.len() as u64,
        bytes: b.contents.bug.len() as u64,
        releases: f.standing_print().map_or_else(String::new, |p| p.spans()),
    }
}
