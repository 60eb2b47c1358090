//! What a campaign tells whoever watches it: a terminal, a machine that reads lines of JSON, a page.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::finding::Finding;
use crate::tally::Tally;

/// Something that happened, or how things stand.
#[derive(Clone, Debug)]
pub enum Event {
    /// A sentence for people.
    Message {
        /// The sentence.
        message: String,
    },
    /// What is being done, for people who wait.
    Remark {
        /// The sentence.
        message: String,
    },
    /// A new finding.
    Found {
        /// The finding.
        finding: Box<Finding>,
    },
    /// A finding was made smaller and told from others.
    Settled {
        /// The finding.
        finding: Box<Finding>,
        /// Bytes of its script.
        bytes: usize,
        /// The bug that it is another trigger of, and why that is held; none if it is a bug of its own.
        bug: Option<(String, String)>,
    },
    /// How things stand.
    Progress(Box<Snapshot>),
}

impl Event {
    /// A sentence for people.
    pub fn message(text: impl Into<String>) -> Self {
        Self::Message { message: text.into() }
    }
}

/// A finding as lines of JSON name it: all of it is in its folder.
#[derive(Clone, Debug, Serialize)]
pub struct Named {
    /// The name of its folder.
    pub id: String,
    /// The word of its worst class.
    pub class: &'static str,
    /// What the evidence is worth.
    pub grade: String,
    /// Who is accused.
    pub solver: String,
    /// The evidence in words.
    pub evidence: String,
    /// Its folder.
    pub path: String,
}

impl Named {
    /// The short form of a finding in this folder of findings.
    pub fn of(f: &Finding, findings: &Path) -> Self {
        let verdict = f.verdict();
        Self {
            id: f.id.clone(),
            class: verdict.class.word(),
            grade: verdict.grade.to_string(),
            solver: f.accused.label.clone(),
            evidence: verdict.evidence.clone(),
            path: crate::shelf::place(findings, &f.id).display().to_string(),
        }
    }
}

/// Seeds at rest: their chains have given nothing, so that turns of theirs are passed over.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Resting {
    /// How many rest.
    pub seeds: u64,
    /// Those with the longest rest before them; no more than [`Resting::NAMED`].
    pub longest: Vec<Rest>,
}

impl Resting {
    /// So many seeds at rest are named at most.
    pub const NAMED: usize = 20;
}

/// A seed at rest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rest {
    /// Its name.
    pub seed: String,
    /// How many of its turns are passed over before it is tried again.
    pub turns: u32,
}

/// How a campaign stands.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Snapshot {
    /// Seconds of the campaign, those before it was resumed included.
    pub elapsed_seconds: f64,
    /// Seconds before it was resumed.
    pub earlier_seconds: f64,
    /// Tests before it was resumed.
    pub earlier_tests: u64,
    /// The solvers' share of all CPU time, in this process.
    pub solver_share: f64,
    /// Seeds at rest, in this process.
    pub resting: Resting,
    /// What was counted, in all of the campaign; but for seeds, which each process looks at anew.
    pub counts: Tally,
    /// The machines that work on it, if it is one of many.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub machines: Vec<Machine>,
}

/// How a machine of a campaign on many stands.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// What it is known by.
    pub worker: String,
    /// What people call it.
    pub name: String,
    /// Threads.
    pub jobs: usize,
    /// Its solvers, with version and digest.
    pub solvers: Vec<String>,
    /// Positions that were finished by it first.
    pub positions: u64,
    /// Tests, as it counts them.
    pub tests: u64,
    /// Findings that it has sent.
    pub findings: u64,
    /// Seconds since it was heard of.
    pub silent_seconds: f64,
    /// Whether it has left.
    pub left: bool,
}

impl Snapshot {
    /// Tests per second, in all of the campaign.
    pub fn rate(&self) -> f64 {
        self.counts.total.tests as f64 / self.elapsed_seconds.max(0.1)
    }

    /// Tests, seconds and tests per second of this process alone.
    pub fn here(&self) -> (u64, f64, f64) {
        let tests = self.counts.total.tests.saturating_sub(self.earlier_tests);
        let seconds = (self.elapsed_seconds - self.earlier_seconds).max(0.0);
        (tests, seconds, tests as f64 / seconds.max(0.1))
    }

    /// Whether the campaign was resumed.
    pub fn is_resumed(&self) -> bool {
        self.earlier_seconds > 0.0 || self.earlier_tests > 0
    }
}
