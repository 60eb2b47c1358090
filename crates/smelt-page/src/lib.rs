//! Self-contained HTML pages from plain data: no file is read, nothing is fetched, and the same data give the same page.
//!
//! [`Page`] is what the page of a campaign shows: [`Page::of`] makes it of a campaign's data, [`Page::sections`] writes its views, [`Page::html`]
//! one page of them, [`Page::folder`] a folder for any web server; the live page has the same views. [`evolution`] is the page of
//! `smelt evolve`, [`perf`] that of `smelt perf`, [`lab`] that of `smelt lab`. Styles and figures (SVG) are smelt's own, so that pages work offline, in light and dark, with a
//! keyboard, and on paper.

mod bug;
mod chart;
mod compare;
pub mod evolution;
mod folder;
mod html;
pub mod lab;
mod machines;
mod made;
pub mod perf;
mod style;
mod views;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use smelt_campaign::event::Resting;
use smelt_campaign::tally::Counts;
use smelt_triage::{Class, Fingerprint, Grade};

pub use bug::Place;
pub use html::{escape, head};
pub use made::Course;
pub use style::STYLE;
pub use views::{Section, VIEWS};

/// What the page of a campaign shows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Page {
    /// The campaign's name.
    pub title: String,
    /// Solvers under test.
    pub solvers: Vec<String>,
    /// Numbers for the head of the page, each with what it counts.
    pub figures: Vec<(String, String)>,
    /// The bugs, the worst first.
    pub bugs: Vec<Bug>,
    /// Seconds from the beginning of the campaign to each finding, in order.
    pub found: Vec<f64>,
    /// How the campaign went on, from its beginning.
    pub samples: Vec<Sample>,
    /// Bugs by strategy and theory.
    pub yields: BTreeMap<String, BTreeMap<String, u64>>,
    /// Tests by strategy.
    pub tests: Counts,
    /// What each solver answered, by kind.
    pub answers: BTreeMap<String, Counts>,
    /// What was refused: by whom, and how often for which reason.
    pub refusals: Vec<(String, Counts)>,
    /// Seeds at rest.
    pub resting: Resting,
    /// Who works on it.
    pub machines: Vec<Machine>,
}

/// A bug.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bug {
    /// Its name.
    pub id: String,
    /// Who has it.
    pub solver: String,
    /// The name of the solver's profile.
    pub profile: String,
    /// A text that is equal for what is likely one bug.
    pub signature: String,
    /// Of which class it is.
    pub class: Class,
    /// What the evidence is worth.
    pub grade: Grade,
    /// How far one is with it.
    pub status: Status,
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
    /// Where it is reported, or known.
    pub reported: Option<String>,
}

/// How far one is with a bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// It was found.
    New,
    /// It was made as small as it goes.
    Reduced,
    /// Releases were asked for it.
    Bisected,
    /// A person has reported it.
    Reported,
    /// It was known before.
    Known,
    /// smelt does not stand by it any more.
    Withdrawn,
}

impl Status {
    /// The word for people.
    pub fn word(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Reduced => "reduced",
            Self::Bisected => "bisected",
            Self::Reported => "reported",
            Self::Known => "known",
            Self::Withdrawn => "withdrawn",
        }
    }
}

/// How things stood at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// Seconds from the beginning.
    pub elapsed: f64,
    /// Tests so far.
    pub tests: u64,
}

/// A machine, or a process, that works on a campaign.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Machine {
    /// Its name.
    pub name: String,
    /// What else there is to say of it, in a few words: a part, a version, that it is silent.
    pub about: String,
    /// How it went on: seconds since 1970, and its tests so far.
    pub samples: Vec<(u64, u64)>,
}
