//! In which order bugs are reported, and when: the worst first, no tracker more in a week than it wants, nothing twice.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use smelt_solver::write_atomically;

use super::tracker::{Tracker, by_name};
use crate::finding::Finding;

/// The file of a campaign's folder that says what was reported.
const FILE: &str = "reported.json";
/// Seconds of a week.
const WEEK: u64 = 7 * 24 * 3600;

/// What was reported, by the name of the bug.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reported(BTreeMap<String, Entry>);

/// A report that a person has filed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Where it is.
    pub url: String,
    /// Whose tracker that is.
    pub tracker: String,
    /// When it was filed, in seconds since 1970.
    pub at: u64,
    /// Whether others knew the bug before: then it is nothing to report, and `url` may be empty.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub known: bool,
}

/// When a bug has its turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// It is reported there.
    Reported(String),
    /// It can be reported now.
    Now,
    /// It is known; the address where, which may be empty.
    Known(String),
    /// Its tracker has had enough: in so many weeks.
    InWeeks(usize),
    /// smelt does not stand by it any more.
    Withdrawn,
}

impl Reported {
    /// The file in a campaign's folder.
    pub fn path(campaign: &Path) -> PathBuf {
        campaign.join(FILE)
    }

    /// What was reported of a campaign.
    pub fn read(campaign: &Path) -> Result<Self> {
        let path = Self::path(campaign);
        match std::fs::read(&path) {
            Ok(text) => serde_json::from_slice(&text)
                .with_context(|| format!("{}: it is damaged", path.display())),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(Self::default()),
            Err(e) => Err(e).with_context(|| format!("cannot read {}", path.display())),
        }
    }

    /// Notes where a bug was reported; or that it is known, where the text is `known` or `known:URL`.
    pub fn mark(&mut self, finding: &Finding, text: &str, now: u64) -> Result<()> {
        let known = text.strip_prefix("known").and_then(|rest| match rest {
            "" => Some(""),
            _ => rest.strip_prefix(':'),
        });
        let url = known.unwrap_or(text);
        let empty = url.is_empty() && text != "known";
        if empty || url.contains(|c: char| c.is_whitespace() || c.is_control()) {
            bail!("{url:?} is no address");
        }
        let (tracker, known) = (finding.accused.profile.clone(), known.is_some());
        self.0.insert(finding.id.clone(), Entry { url: url.to_owned(), tracker, at: now, known });
        Ok(())
    }

    /// Whether nothing was reported.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds what was reported of another campaign; of two reports of one bug the earlier counts.
    pub fn add(&mut self, other: Self) {
        for (id, entry) in other.0 {
            let known = self.0.get(&id);
            if known.is_none_or(|k| (entry.at, &entry.url) < (k.at, &k.url)) {
                self.0.insert(id, entry);
            }
        }
    }

    /// Writes it into the campaign's folder.
    pub fn write(&self, campaign: &Path) -> Result<()> {
        let path = Self::path(campaign);
        let text = serde_json::to_vec_pretty(self)?;
        write_atomically(&path, &text).with_context(|| format!("cannot write {}", path.display()))
    }

    /// Where a bug is reported, or known; nothing if that is not said.
    pub fn url(&self, id: &str) -> Option<&str> {
        self.0.get(id).map(|e| e.url.as_str()).filter(|url| !url.is_empty())
    }

    /// What was noted of a bug.
    pub fn entry(&self, id: &str) -> Option<&Entry> {
        self.0.get(id)
    }

    /// When each of these bugs has its turn. They are in order, the worst first.
    pub fn turns(&self, bugs: &[Finding], now: u64) -> Vec<Turn> {
        let mut taken: BTreeMap<&str, usize> = BTreeMap::new();
        for e in self.0.values().filter(|e| !e.known && e.at + WEEK > now) {
            *taken.entry(e.tracker.as_str()).or_default() += 1;
        }
        let mut turn = |f: &'_ Finding| match self.entry(&f.id) {
            Some(e) if e.known => Turn::Known(e.url.clone()),
            Some(e) => Turn::Reported(e.url.clone()),
            None if f.withdrawn().is_some() => Turn::Withdrawn,
            None => match by_name(&f.accused.profile) {
                Some(Tracker { name, weekly: Some(most), .. }) => {
                    let before = taken.entry(name).or_default();
                    *before += 1;
                    match (*before - 1) / most.max(&1) {
                        0 => Turn::Now,
                        weeks => Turn::InWeeks(weeks),
                    }
                }
                _ => Turn::Now,
            },
        };
        bugs.iter().map(&mut turn).collect()
    }
}
