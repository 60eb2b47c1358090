//! Findings: what is written to `finding.json`, the truth that the journal only indexes.

mod first_format;
mod made;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use smelt_case::{Fact, Origin};
use smelt_triage::{Class, Diagnosis, Fingerprint, Grade};
use smelt_trial::Reproducer;

pub use made::{Made, accused, contents};

use crate::jobs::Kind;

/// Version of the format of `finding.json`.
pub const FORMAT: u32 = 3;
/// Formats that differ only in what they leave out: read as this one.
const READ: std::ops::RangeInclusive<u64> = 2..=FORMAT as u64;

/// A confirmed finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// Version of the format.
    pub format: u32,
    /// Name of its folder.
    pub id: String,
    /// What the accused is accused of, each with its own grade, the worst class first: the finding is named after that. What the reproducer
    /// looks for is among them.
    pub verdicts: Vec<Verdict>,
    /// Who is accused.
    pub accused: Accused,
    /// How to look for the fault again.
    pub reproducer: Reproducer,
    /// What the accused answered to the check in question.
    pub answer: String,
    /// What smelt's evaluator says of its model, if it gave one.
    pub model: Option<String>,
    /// In how many of how many fresh processes it happened.
    pub rate: (u32, u32),
    /// A text that is equal for what is likely one bug.
    pub signature: String,
    /// Signatures that it had before it was made smaller.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub signatures: BTreeSet<String>,
    /// The smallest logic of the script.
    pub logic: String,
    /// What the others said.
    pub peers: Vec<Peer>,
    /// Whether the script says itself what the standard leaves open, because the fault is only shown there.
    #[serde(default)]
    pub totalised: bool,
    /// Where the script comes from. What was found first is beside it.
    pub origin: Origin,
    /// The position of the campaign's schedule at which it was met.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<u64>,
    /// The CPU seconds that the run had spent on seeds and tests when it was met.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spent: Option<f64>,
    /// What was known about the checks of each seed.
    pub seeds: Vec<Vec<Fact>>,
    /// What the strategy says it did in the last step.
    pub mutation: String,
    /// When it was found, in seconds since 1970.
    pub found: u64,
    /// CPU seconds of the accused in the confirming run.
    pub cpu_seconds: f64,
    /// What tells the bug from others, once it was found out: which releases show it, which options make it vanish.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<Fingerprint>,
    /// Labels of its tracker that only the solver could tell.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<String>,
    /// The entry of a list of known bugs that it turned out to be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known: Option<String>,
    /// What was done with it after it was kept, and what came of that.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub done: BTreeMap<Kind, String>,
}

/// One accusation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// What kind of misbehaviour.
    pub class: Class,
    /// What the evidence is worth.
    pub grade: Grade,
    /// The evidence in words.
    pub evidence: String,
    /// Why smelt does not stand by it any more, if it was judged again and does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub withdrawn: Option<String>,
}

impl From<&Diagnosis> for Verdict {
    fn from(d: &Diagnosis) -> Self {
        let evidence = d.evidence.to_string();
        Self { class: d.class, grade: d.evidence.grade(), evidence, withdrawn: None }
    }
}

/// The solver that a finding is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Accused {
    /// Its name for people.
    pub label: String,
    /// How to name it on the command line.
    pub spec: String,
    /// Name of its profile.
    pub profile: String,
    /// Its version.
    pub version: Option<String>,
    /// Digest of its binary.
    pub binary: String,
    /// The whole command line of the confirming run.
    pub command: Vec<String>,
}

/// What another solver said of the same script, in a fresh process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Peer {
    /// Name and version.
    pub solver: String,
    /// Its answer.
    pub answer: String,
    /// What smelt's evaluator says of its model.
    pub model: Option<String>,
}

impl Finding {
    /// Reads `finding.json`, also one of an earlier smelt. The error is one sentence.
    pub fn from_json(text: &[u8]) -> Result<Self, String> {
        let damaged = |e: serde_json::Error| format!("it is no finding, or damaged: {e}");
        let value: serde_json::Value = serde_json::from_slice(text).map_err(damaged)?;
        let finding = match value.get("format").and_then(serde_json::Value::as_u64) {
            None => first_format::Finding::deserialize(value).map_err(damaged)?.into(),
            Some(n) if READ.contains(&n) => {
                let mut finding = Self::deserialize(value).map_err(damaged)?;
                if n == 2 {
                    // It was kept in the words of the solver that printed it, which is not known any more.
                    finding.reproducer.witness = None;
                }
                finding
            }
            Some(n) => {
                return Err(format!(
                    "it has format {n}, and this smelt reads formats 1 to {FORMAT}: use the smelt that wrote it, or a newer one"
                ));
            }
        };
        // It is a part of paths.
        let of_id = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        if finding.id.is_empty() || finding.id.starts_with('.') || !finding.id.chars().all(of_id) {
            return Err("it is damaged: its id is no name of a folder".into());
        }
        if finding.verdicts.is_empty() {
            return Err("it is damaged: it accuses nobody of anything".into());
        }
        if finding.verdicts.iter().all(|v| v.class != finding.reproducer.class) {
            return Err("it is damaged: no verdict is what its reproducer looks for".into());
        }
        Ok(finding)
    }

    /// The worst accusation that stands; if none does, the worst of all.
    pub fn verdict(&self) -> &Verdict {
        self.verdicts.iter().find(|v| v.withdrawn.is_none()).unwrap_or(&self.verdicts[0])
    }

    /// Why smelt does not stand by the finding any more: what its reproducer looks for was withdrawn.
    pub fn withdrawn(&self) -> Option<&str> {
        let sought = self.verdicts.iter().find(|v| v.class == self.reproducer.class);
        sought.and_then(|v| v.withdrawn.as_deref())
    }

    /// What it is known by, if smelt stands by it: nothing is put together with a finding that was withdrawn.
    pub fn standing_print(&self) -> Option<&Fingerprint> {
        self.fingerprint.as_ref().filter(|_| self.withdrawn().is_none())
    }

    /// The parameters of the strategy that it was found by.
    pub fn parameters(&self) -> &[String] {
        self.origin.recipe().map_or(&[], |r| &r.parameters)
    }

    /// The worst class.
    pub fn class(&self) -> Class {
        self.verdict().class
    }
}
