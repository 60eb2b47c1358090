//! The bugs of a campaign: its findings, with those below a bug that are other triggers of it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use smelt_triage::{Fingerprint, clusters};

use crate::finding::Finding;
use crate::shelf::{self, Contents, file};

/// A bug.
pub struct Bug {
    /// The folder of its finding.
    pub path: PathBuf,
    /// What is in it.
    pub contents: Contents,
    /// Other findings that are the same bug, each with why that is held.
    pub triggers: Vec<(Finding, String)>,
}

impl Bug {
    fn read(path: PathBuf) -> Result<Self> {
        Ok(Self { contents: Contents::read(&path)?, path, triggers: Vec::new() })
    }

    /// The finding.
    pub fn finding(&self) -> &Finding {
        &self.contents.finding
    }

    /// Who made it, for tables.
    pub fn maker(&self) -> &str {
        self.finding().origin.maker()
    }
}

/// Findings that are one bug by their fingerprints, below the one with the fewest operators. One without a fingerprint stands alone.
fn clustered(findings: Vec<Bug>) -> Vec<Bug> {
    let printed =
        findings.iter().enumerate().filter(|(_, b)| b.finding().standing_print().is_some());
    let mut printed: Vec<usize> = printed.map(|(i, _)| i).collect();
    // Of two that are alike, the one that was found first leads.
    printed.sort_by_key(|&i| (findings[i].finding().found, findings[i].finding().id.clone()));
    let prints: Vec<Fingerprint> =
        printed.iter().filter_map(|&i| findings[i].finding().standing_print().cloned()).collect();
    let mut below: BTreeMap<usize, (usize, String)> = BTreeMap::new();
    for cluster in clusters(&prints) {
        for (other, why) in cluster.others {
            below.insert(printed[other], (printed[cluster.leader], why));
        }
    }
    let mut triggers: BTreeMap<usize, Vec<(Finding, String)>> = BTreeMap::new();
    for (i, (leader, why)) in &below {
        let trigger = (findings[*i].finding().clone(), why.clone());
        triggers.entry(*leader).or_default().push(trigger);
    }
    let leaders = findings.into_iter().enumerate().filter(|(i, _)| !below.contains_key(i));
    leaders
        .map(|(i, bug)| Bug { triggers: triggers.remove(&i).unwrap_or_default(), ..bug })
        .collect()
}

/// What could not be read, and why.
type Unreadable = Vec<(PathBuf, String)>;

/// The findings of a campaign's folder, each by itself, and what could not be read.
fn each(folder: &Path) -> Result<(Vec<Bug>, Unreadable)> {
    let findings = folder.join("findings");
    if !findings.is_dir() {
        bail!("{} is neither a campaign's folder nor a finding's", folder.display());
    }
    let found = shelf::read_all(&findings)?;
    let mut unreadable = found.unreadable;
    let mut all = Vec::new();
    for f in &found.findings {
        let path = shelf::place(&findings, &f.id);
        match Bug::read(path.clone()) {
            Ok(bug) => all.push(bug),
            Err(e) => unreadable.push((path, format!("{e:#}"))),
        }
    }
    Ok((all, unreadable))
}

/// Bugs of a campaign, or of folders of findings, the worst first; and what could not be read, with the reason.
pub struct Bugs {
    /// The campaign's folder, if it is one.
    pub campaign: Option<PathBuf>,
    /// The bugs.
    pub all: Vec<Bug>,
    /// What is no finding, or damaged.
    pub unreadable: Vec<(PathBuf, String)>,
}

impl Bugs {
    /// All bugs of a campaign's folder, or the one of a finding's folder.
    pub fn read(folder: &Path) -> Result<Self> {
        if folder.join(file::FINDING).exists() {
            let bug = Bug::read(folder.to_owned())?;
            return Ok(Self { campaign: None, all: vec![bug], unreadable: Vec::new() });
        }
        // `CAMPAIGN/findings` is the campaign's as well.
        let above = folder.parent().filter(|_| folder.ends_with("findings") && folder.is_dir());
        let folder = above.unwrap_or(folder);
        let (all, unreadable) = each(folder)?;
        Ok(Self { campaign: Some(folder.to_owned()), all: clustered(all), unreadable })
    }

    /// The bugs of several campaigns' folders together; what is damaged in them is left out.
    pub fn of_all(folders: &[PathBuf]) -> Result<Vec<Bug>> {
        let mut all = Vec::new();
        for folder in folders {
            all.extend(each(folder)?.0);
        }
        Ok(clustered(all))
    }

    /// The bugs of these names, or all of them.
    pub fn named(mut self, names: &[String]) -> Result<Self> {
        if names.iter().any(|n| n == "all") {
            return Ok(self);
        }
        if let Some(stranger) =
            names.iter().find(|n| self.all.iter().all(|b| b.finding().id != **n))
        {
            bail!("there is no bug {stranger}");
        }
        self.all.retain(|b| names.is_empty() || names.contains(&b.finding().id));
        Ok(self)
    }

    /// How many bugs each strategy has found in each theory; the logic stands for the theory.
    pub fn yields(&self) -> BTreeMap<String, BTreeMap<String, u64>> {
        let mut out: BTreeMap<String, BTreeMap<String, u64>> = BTreeMap::new();
        for bug in &self.all {
            let row = out.entry(bug.maker().to_owned()).or_default();
            *row.entry(bug.finding().logic.clone()).or_default() += 1;
        }
        out
    }
}
