//! What a campaign tells whoever watches it: a terminal, a machine that reads lines of JSON, a page.

use crate::finding::Finding;
use crate::tally::Tally;
use serde::Serialize;

/// Something that happened, or how things stand.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Event {
    /// A sentence for people.
    Message {
        /// The sentence.
        message: String,
    },
    /// A new finding.
    Found {
        /// The finding.
        finding: Box<Finding>,
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

/// How a campaign stands.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Snapshot {
    /// Seconds, those of earlier runs of it included.
    pub elapsed: f64,
    /// The solvers' share of all CPU time of this run.
    pub solver_share: f64,
    /// What was counted.
    pub counts: Tally,
    /// Tests of earlier runs.
    #[serde(skip)]
    pub earlier_tests: u64,
}
