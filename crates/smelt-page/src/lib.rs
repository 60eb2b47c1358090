//! One self-contained HTML page of a campaign, from plain data: no file is read, nothing is fetched, and the same data give the same page.
//!
//! [`evolution`] is the page of `smelt evolve`, [`perf`] that of `smelt perf`, [`lab`] that of `smelt lab`. [`Page`] is what the page of a campaign shows; [`Page::html`] writes it. Styles and figures (SVG) are in the page itself, so that it works offline, in light
//! and dark, with a keyboard, and on paper.

mod chart;
pub mod evolution;
mod html;
pub mod lab;
pub mod perf;
mod style;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use smelt_triage::{Class, Fingerprint, Grade};

pub use html::escape;

/// What the page of a campaign shows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Page {
    /// The campaign's name.
    pub title: String,
    /// Solvers under test.
    pub solvers: Vec<String>,
    /// Numbers for the head of the page, each with what it counts.
    pub figures: Vec<(String, String)>,
    /// The bugs, the worst first.
    pub bugs: Vec<Bug>,
    /// How the campaign went on, from its beginning.
    pub samples: Vec<Sample>,
    /// Bugs by strategy and theory.
    pub yields: BTreeMap<String, BTreeMap<String, u64>>,
    /// Tests by strategy.
    pub tests: BTreeMap<String, u64>,
}

/// A bug.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bug {
    /// Its name.
    pub id: String,
    /// Who has it.
    pub solver: String,
    /// Of which class it is.
    pub class: Class,
    /// What the evidence is worth.
    pub grade: Grade,
    /// The smallest logic of its script.
    pub logic: String,
    /// The script.
    pub script: String,
    /// Why the answer is wrong, as plain text.
    pub proof: String,
    /// The command that shows it.
    pub command: String,
    /// Seconds from the beginning of the campaign to its first trigger.
    pub after: f64,
    /// Other triggers of it, each with why it is the same bug.
    pub triggers: Vec<(String, String)>,
    /// Which releases have it, and which options make it vanish, if that is known.
    pub fingerprint: Option<Fingerprint>,
    /// Where it is reported.
    pub reported: Option<String>,
}

/// How things stood at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// Seconds from the beginning.
    pub elapsed: f64,
    /// Tests so far.
    pub tests: u64,
}
