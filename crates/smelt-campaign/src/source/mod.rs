//! Where cases come from.
//!
//! The work of a campaign is divided by position (`seq`): a source gives the cases of one position, whoever asks for it. What a
//! source learns on the way never changes what a position contains in a frozen schedule.

pub mod bandit;
pub mod chain;
pub mod chains;
pub mod files;
pub mod grammar;
mod options;
mod prepare;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use smelt_case::{Expectation, Origin, Status};
use smelt_smtlib::Script;
use smelt_solver::{Mode, RunError};
use smelt_triage::{Class, TargetId, Truth};
use smelt_trial::bench::{Bench, Run};

use crate::journal::LeaseLine;
use crate::seedbank::Prepared;

/// Where cases come from.
pub trait CaseSource: Sync {
    /// Gives the cases of a position to `work`, in one lease or in several, and says what was made of it; `None` if there is nothing
    /// to do there. Solvers that have to be asked for making cases are asked on `bench`.
    fn lease(
        &self,
        seq: u64,
        bench: &mut Bench<'_>,
        work: Work<'_>,
    ) -> Result<Option<LeaseLine>, RunError>;
}

/// Who takes the cases of a lease.
pub type Work<'a> = &'a mut dyn FnMut(&mut Bench<'_>, &mut dyn Lease) -> Result<(), RunError>;

/// Cases that are tested one after the other.
pub trait Lease {
    /// Who is asked about the next case, and how.
    fn who(&self) -> &[(TargetId, Mode)];
    /// CPU time of a solver for one case.
    fn limit(&self) -> Duration;
    /// The next case.
    fn next(&mut self) -> Option<Case<'_>>;
    /// What the score of the last case that was given must be above to be of use, where cases have scores: who sees that it is not need not
    /// ask on.
    fn bar(&self) -> Option<f64> {
        None
    }
    /// Learns what came of the last case.
    fn learn(&mut self, done: &Done);
}

/// A script on its way through the solvers.
pub struct Case<'a> {
    /// The script.
    pub script: &'a mut Script,
    /// What is known about each check.
    pub truths: Vec<Truth>,
    /// What the strategy knows, with its witnesses.
    pub expect: Cow<'a, [Expectation]>,
    /// What was done, in a line.
    pub what: Cow<'a, str>,
    /// Where it comes from.
    pub origin: &'a Origin,
    /// The seeds that it was made of.
    pub seeds: &'a [Arc<Prepared>],
    /// The script that the last step came from, if the two are related.
    pub before: Option<&'a Neighbour>,
    /// Whether the next case may be related to this one.
    pub related: bool,
    /// What solvers have said of it already; then they are not asked.
    pub said: Vec<Run>,
    /// Whether its script is in an arena of its own, and not the last case's with one step more.
    pub apart: bool,
    /// What every solver is sent, letter by letter, instead of the script in its own words.
    pub text: Option<&'a str>,
}

impl<'a> Case<'a> {
    /// A script of which nothing is known, in an arena of its own.
    pub fn open(script: &'a mut Script, origin: &'a Origin, what: &'a str) -> Self {
        Self {
            truths: vec![Truth::default(); script.queries().len()],
            script,
            expect: (&[]).into(),
            what: what.into(),
            origin,
            seeds: &[],
            before: None,
            related: false,
            said: Vec::new(),
            apart: true,
            text: None,
        }
    }

    /// Which step of its chain it is, or at which place of a grammar.
    pub fn step(&self) -> u64 {
        self.origin.place().1
    }
}

/// A script that is related to the next one of its chain.
#[derive(Clone, Debug)]
pub struct Neighbour {
    /// Its text.
    pub text: String,
    /// Who decides it as expected.
    pub decided_by: Vec<TargetId>,
}

/// What one test cost and gave.
#[derive(Clone, Debug, Default)]
pub struct Done {
    /// Somebody decided it.
    pub decided: bool,
    /// Somebody ran into the limit.
    pub slow: bool,
    /// Somebody decided it with more than half of the limit.
    pub near: bool,
    /// Somebody refused it.
    pub rejected: bool,
    /// It was not given to anybody: it is too large.
    pub too_large: bool,
    /// CPU seconds of solvers.
    pub cpu: f64,
    /// What came of it with each solver that was to be asked: the kind of its answer, or why it was not asked after all.
    pub said: BTreeMap<TargetId, &'static str>,
    /// Whose answer is the expected one.
    pub decided_by: Vec<TargetId>,
    /// Refused by every solver, or not given to one that has refused such scripts.
    pub useless: bool,
    /// Who refuses it under options or a tactic that were varied.
    pub overvaried: Vec<TargetId>,
    /// A true model refutes what was expected of it.
    pub refuted: bool,
    /// Its text, if the next case may be related to it.
    pub text: Option<String>,
    /// What each solver said of each check.
    pub seen: Vec<Seen>,
    /// Who is wrong, and how, as the oracles or the court have it. What fresh processes do not repeat is not there.
    pub accused: Vec<(TargetId, Class)>,
    /// How many solvers have said it in an earlier run, and were not asked again.
    pub remembered: u64,
    /// Cold runs, where time is what matters: rounds, each with other seeds of the solvers, and whoever was asked in it.
    pub timed: Vec<Vec<Timed>>,
}

/// One cold run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timed {
    /// Of whom.
    pub who: TargetId,
    /// The kind of answer; [`WALL`](crate::evolve::data::WALL) where the machine was too busy.
    pub answer: &'static str,
    /// The answer, if it decides the check.
    pub decided: Option<Status>,
    /// CPU seconds beyond the start of the process.
    pub seconds: f64,
}

/// What one solver said of one check of a case.
#[derive(Clone, Debug)]
pub struct Seen {
    /// Who said it.
    pub who: TargetId,
    /// Of which check, from 0.
    pub check: usize,
    /// The kind of answer.
    pub answer: &'static str,
    /// The answer, if it decides the check.
    pub decided: Option<Status>,
    /// Whether its model is true, if it gave one and that is known.
    pub model: Option<Option<bool>>,
}
