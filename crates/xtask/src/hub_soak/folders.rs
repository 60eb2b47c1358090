//! What the folders of two campaigns say, to be compared.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Result, ensure};
use serde_json::Value;

/// Some of the lines in which two campaigns differ.
pub fn difference(many: &BTreeMap<u64, String>, one: &BTreeMap<u64, String>) -> Vec<String> {
    let all: BTreeSet<&String> = many.values().chain(one.values()).collect();
    let (many, one): (BTreeSet<_>, BTreeSet<_>) = (many.values().collect(), one.values().collect());
    all.into_iter().filter(|l| many.contains(l) != one.contains(l)).take(6).cloned().collect()
}

/// What was made of each position of a campaign, which must say it once or in one way.
pub fn positions(campaign: &Path) -> Result<BTreeMap<u64, String>> {
    let mut all = BTreeMap::new();
    for run in fs::read_dir(campaign.join("runs"))? {
        let lines = fs::read_to_string(run?.path().join("positions.tsv")).unwrap_or_default();
        for line in lines.lines().filter(|l| l.split('\t').count() == 5) {
            let seq: u64 = line.split('\t').next().unwrap_or_default().parse()?;
            let old = all.insert(seq, line.to_owned());
            ensure!(
                old.is_none_or(|old| old == line),
                "position {seq} was made twice, in two ways"
            );
        }
    }
    Ok(all)
}

/// What the findings of a campaign are known by.
pub fn findings(campaign: &Path) -> Result<BTreeMap<String, usize>> {
    let mut all = BTreeMap::new();
    let mut todo = vec![campaign.join("findings")];
    while let Some(folder) = todo.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let Ok(text) = fs::read_to_string(path.join("finding.json")) else { continue };
            let json: Value = serde_json::from_str(&text)?;
            // Before it was made smaller it may have had others.
            let mut own: Vec<&str> = json["signatures"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .collect();
            own.extend(json["signature"].as_str());
            own.dedup();
            own.into_iter().for_each(|s| *all.entry(s.to_owned()).or_default() += 1);
            todo.extend(path.join("triggers").is_dir().then(|| path.join("triggers")));
        }
    }
    Ok(all)
}
