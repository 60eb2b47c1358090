//! The bugs of a campaign while it runs: which findings are one, and which suspicions are likely one of them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::Result;
use smelt_triage::{Class, Fingerprint, clusters};

use crate::finding::Finding;
use crate::shelf::Held;

/// All findings of a campaign.
#[derive(Default)]
pub struct Docket {
    entries: Mutex<Vec<Entry>>,
}

struct Entry {
    finding: Finding,
    /// The kind of suspicion that led to it, if that was in this process.
    kind: Option<String>,
    /// Whether it was there before the run began.
    earlier: bool,
    /// What it is known by until the releases were asked: its operators as far as it is small by then.
    early: Option<Fingerprint>,
}

/// Which bug a finding turned out to be.
pub struct Settled {
    /// The bug that it is another trigger of, and why that is held; none if it is a bug of its own.
    pub bug: Option<(String, String)>,
    /// The kind of suspicion that led to it, if that was in this process.
    pub kind: Option<String>,
}

impl Docket {
    /// The findings of a folder; `earlier` tells which of them were there before the run began.
    pub fn of(findings: &[Finding], earlier: &dyn Fn(&Finding) -> bool) -> Self {
        let entry = |f: &Finding| Entry {
            finding: f.clone(),
            kind: None,
            earlier: earlier(f),
            early: None,
        };
        Self { entries: Mutex::new(findings.iter().map(entry).collect()) }
    }

    fn entries(&self) -> MutexGuard<'_, Vec<Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new finding, to which a suspicion of this kind led, with the operators of its script.
    pub fn add(&self, finding: &Finding, kind: Option<String>, operators: BTreeSet<String>) {
        let early = (!operators.is_empty()).then(|| Fingerprint {
            solver: finding.accused.profile.clone(),
            class: finding.class(),
            crash: None,
            operators,
            releases: Vec::new(),
            own: None,
            options: BTreeMap::new(),
        });
        self.entries().push(Entry { finding: finding.clone(), kind, earlier: false, early });
    }

    /// The bug that a suspicion against a release is likely another trigger of: one whose fault is of the same kind, that the release may
    /// have, and whose operators are all in the script.
    pub fn likely(
        &self,
        solver: &str,
        version: Option<&str>,
        class: Class,
        operators: &BTreeSet<&str>,
    ) -> Option<String> {
        let entries = self.entries();
        let found = entries.iter().find(|e| {
            let print = e.finding.standing_print().or(e.early.as_ref());
            print.is_some_and(|p| p.is_likely(solver, version, class, operators))
        });
        found.map(|e| e.finding.id.clone())
    }

    /// Puts a finding, whose fingerprint is known now, together with the others.
    pub fn settle(&self, finding: &Finding) -> Settled {
        let mut entries = self.entries();
        if let Some(entry) = entries.iter_mut().find(|e| e.finding.id == finding.id) {
            entry.finding = finding.clone();
        }
        let kind = entries.iter().find(|e| e.finding.id == finding.id).and_then(|e| e.kind.clone());
        let mut settled = Settled { bug: None, kind };
        let (printed, prints) = printed(&entries);
        let id = |i: usize| &entries[printed[i]].finding.id;
        for cluster in clusters(&prints) {
            let own = cluster.others.iter().find(|(other, _)| *id(*other) == finding.id);
            if let Some((_, why)) = own {
                settled.bug = Some((id(cluster.leader).clone(), why.clone()));
            }
        }
        settled
    }

    /// Puts every finding where it belongs: those that lead a bug among the bugs, the others below theirs.
    pub fn arrange(&self, held: &Held<'_>) -> Result<()> {
        let entries = self.entries();
        let (printed, prints) = printed(&entries);
        let id = |i: usize| entries[printed[i]].finding.id.as_str();
        for cluster in clusters(&prints) {
            held.put_up(id(cluster.leader))?;
            for (other, _) in &cluster.others {
                held.put_below(id(cluster.leader), id(*other))?;
            }
        }
        Ok(())
    }

    /// New bugs by class: those with no trigger that was there before the run began. What is not told apart yet is a bug of its own.
    pub fn counts(&self) -> BTreeMap<Class, u64> {
        let entries = self.entries();
        let (printed, prints) = printed(&entries);
        let mut alone: BTreeSet<usize> = (0..entries.len()).collect();
        let mut counts = BTreeMap::new();
        let mut count = |members: &[usize]| {
            let known = |i: &usize| entries[*i].earlier || entries[*i].finding.known.is_some();
            if !members.iter().any(known) {
                *counts.entry(entries[members[0]].finding.class()).or_insert(0) += 1;
            }
        };
        for cluster in clusters(&prints) {
            let members: Vec<usize> = cluster.members().map(|i| printed[i]).collect();
            alone.retain(|i| !members.contains(i));
            count(&members);
        }
        alone.iter().for_each(|&i| count(&[i]));
        counts
    }
}

/// The entries that have a fingerprint, and those; of two that are alike, the one that was found first leads.
fn printed(entries: &[Entry]) -> (Vec<usize>, Vec<Fingerprint>) {
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by_key(|&i| (entries[i].finding.found, &entries[i].finding.id));
    let print = |i: usize| Some((i, entries[i].finding.standing_print()?.clone()));
    order.into_iter().filter_map(print).unzip()
}
