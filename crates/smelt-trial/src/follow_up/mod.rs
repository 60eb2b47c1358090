//! Runs beside the first one, without which a fault of some class cannot be seen. Each fills what it finds into an observation, and is
//! asked in warm sessions or in fresh processes alike: whoever asks says how.
//!
//! A class names the ones that it needs in its row; [`FOLLOW_UPS`] has a line for each.

pub mod before;
pub mod core;
pub mod flat;
mod fresh;
pub mod pinned;
pub mod reference;
pub mod related;
pub mod unchecked;

use smelt_smtlib::{Query, Script};
use smelt_solver::{Check, Mode, Outcome, RunError, Status};
use smelt_triage::{FollowUp, Observation, TargetId};

use crate::panel::Panel;
use crate::reproducer::{Pair, Reproducer};

pub use fresh::{Fresh, Met};

/// A way to ask solvers: the sessions of a bench, or fresh processes.
pub trait Ask {
    /// The solvers.
    fn panel(&self) -> &Panel;

    /// Runs a script. Where the answer is the `known` one, nobody needs to know what its model is worth.
    fn ask(
        &mut self,
        who: TargetId,
        script: &mut Script,
        mode: &Mode,
        known: Option<Status>,
    ) -> Result<Asked, RunError>;
}

/// What came of asking.
pub struct Asked {
    /// What the solver was sent.
    pub text: String,
    /// What it did.
    pub outcome: Outcome,
    /// What was seen of each check.
    pub seen: Vec<Observation>,
}

impl Asked {
    /// The answer to the last check in words.
    pub fn answer(&self) -> String {
        self.outcome.answer().map_or("no answer".to_owned(), ToString::to_string)
    }
}

/// What a follow-up starts from.
pub struct Place<'a> {
    /// The script.
    pub script: &'a mut Script,
    /// The check in question.
    pub query: &'a Query,
    /// Its number, from 0.
    pub check: usize,
    /// How the accused was run.
    pub mode: &'a Mode,
    /// What it said to the check.
    pub said: Option<&'a Check>,
    /// What was seen of the accused when the fault was found, if that is at hand.
    pub then: Option<&'a Observation>,
    /// The script that is related to this one, if the fault is about both.
    pub before: Option<&'a Script>,
    /// How the two are related.
    pub pair: Option<&'a Pair>,
    /// Whose answer the accused lacks, and how many times as long it takes.
    pub reference: Option<(TargetId, Option<f64>)>,
    /// What is said of the check, for people: a follow-up adds to it.
    pub what: String,
}

/// One follow-up.
pub struct Way {
    /// Which one.
    pub follow_up: FollowUp,
    /// Whether other solvers than the accused are asked.
    pub asks_others: bool,
    /// Makes it. Gives the run on another script, if that is kept beside the finding.
    pub make: Make,
}

/// What makes a follow-up.
pub type Make =
    fn(&mut dyn Ask, &mut Place<'_>, &mut Observation) -> Result<Option<Asked>, RunError>;

/// All follow-ups.
pub const FOLLOW_UPS: &[Way] = &[
    Way { follow_up: FollowUp::Flat, asks_others: false, make: flat::make },
    Way { follow_up: FollowUp::Core, asks_others: true, make: core::make },
    Way { follow_up: FollowUp::Unchecked, asks_others: false, make: unchecked::make },
    Way { follow_up: FollowUp::Before, asks_others: false, make: before::make },
    Way { follow_up: FollowUp::Pinned, asks_others: true, make: pinned::make },
    Way { follow_up: FollowUp::Reference, asks_others: true, make: reference::make },
];

/// The follow-ups that a fault needs.
pub fn of(reproducer: &Reproducer) -> impl Iterator<Item = &'static Way> {
    let wanted = reproducer.class.row().follow_ups;
    wanted.iter().filter_map(|w| FOLLOW_UPS.iter().find(|way| way.follow_up == *w))
}
