//! What stays while several scripts that belong together are made smaller: a pair of a step, what a session was sent.

use smelt_smtlib::Script;
use smelt_triage::{Says, TargetId};

use super::budget::Budget;
use super::{Effort, Given, Reduced};
use crate::panel::Panel;
use crate::reproducer::{Reproducer, Scripts, Terms};

/// The fault, who has it, and what may be spent on a run.
pub(super) struct Ground<'a> {
    pub panel: &'a Panel,
    pub who: TargetId,
    pub reproducer: Reproducer,
    pub given: &'a Given<'a>,
    pub effort: &'a Effort<'a>,
}

/// The scripts that are left.
pub(super) struct Left {
    pub script: Script,
    pub text: String,
    pub before: Option<String>,
    pub transcript: Option<String>,
}

impl Ground<'_> {
    /// Whether the fault shows in fresh processes, in one of so many as there are votes.
    pub fn shows(&self, scripts: &Scripts<'_>, budget: &mut Budget<'_>) -> bool {
        let terms =
            Terms { then: self.given.then, ..Terms::new(self.effort.cpu, self.effort.cancel) };
        (0..self.effort.votes.max(1)).any(|_| {
            budget.counts.cold += 1;
            let shown = self.reproducer.shows(self.panel, self.who, scripts, &terms);
            shown.is_ok_and(|shown| shown.says == Says::Holds)
        })
    }

    /// What came of it.
    pub fn done(self, left: Left, budget: Budget<'_>) -> Reduced {
        Reduced {
            script: left.script,
            text: left.text,
            before: left.before,
            transcript: left.transcript,
            reproducer: self.reproducer,
            also_found: Vec::new(),
            curve: budget.curve,
            tests: budget.counts,
            stopped: budget.stopped,
            left: None,
        }
    }
}
