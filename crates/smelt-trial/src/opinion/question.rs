//! A text that solvers are asked about: all of them in a row, or each for itself, now or from what it said before.

use std::borrow::Cow;
use std::time::Duration;

use smelt_smtlib::{ParseOptions, Script, parse_with};
use smelt_solver::{Cancel, Mode, Outcome, RunError};
use smelt_triage::{Observation, Wanted, diagnose, label_refutation};

use super::{Opinion, Run, truth};
use crate::follow_up::Fresh;
use crate::follow_up::related::BUDGET;
use crate::follow_up::unchecked::unchecked;
use crate::panel::Panel;
use crate::target::Target;

/// A text, who is asked about it, and how.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// The text; one that smelt cannot read is run as it is.
    pub text: &'a [u8],
    /// What smelt understands.
    pub options: &'a ParseOptions,
    /// Who is asked, each in fresh processes.
    pub panel: &'a Panel,
    /// CPU time of one run.
    pub cpu: Duration,
    /// Ends waits.
    pub cancel: &'a Cancel,
}

/// The script in the text, or why there is none.
type Read = Result<Script, String>;

impl<'a> Question<'a> {
    /// Asks all solvers, one after the other, and looks for who is wrong.
    pub fn opinion(&self) -> Opinion {
        let mut script = self.read();
        let runs = self.panel.targets().iter().map(|t| self.ask(t, &mut script)).collect();
        self.conclude(runs, script)
    }

    /// Asks one solver, and judges what it says.
    pub fn run(&self, target: &Target) -> Run {
        self.ask(target, &mut self.read())
    }

    /// Judges what a solver has said before, as [`Question::run`] does: nobody is asked, unless the solver's checker kept a model back.
    pub fn recall(&self, target: &Target, outcome: Outcome) -> Run {
        self.see(target, Ok(outcome), &mut self.read())
    }

    /// Looks for who is wrong, by what each solver has said to this question.
    pub fn judge(&self, runs: Vec<Run>) -> Opinion {
        self.conclude(runs, self.read())
    }

    fn read(&self) -> Read {
        parse_with(self.text, self.options).map_err(|e| e.message.clone())
    }

    fn words(&self) -> Cow<'a, str> {
        String::from_utf8_lossy(self.text)
    }

    fn fresh(&self) -> Fresh<'a> {
        Fresh { panel: self.panel, cpu: self.cpu, cancel: self.cancel, met: None }
    }

    fn ask(&self, target: &Target, script: &mut Read) -> Run {
        let (words, read) = (self.words(), script.as_ref().ok());
        let outcome = target.run_own(&words, read, &Mode::plain(), self.cpu, self.cancel);
        self.see(target, outcome, script)
    }

    fn see(&self, target: &Target, outcome: Result<Outcome, RunError>, script: &mut Read) -> Run {
        let (who, solver) = (target.id(), target.label.clone());
        let seen = outcome.and_then(|o| Ok((self.observe(target, &o, script)?, o)));
        match seen {
            Err(e) => Run { who, solver, seen: Vec::new(), outcome: Err(e.to_string()) },
            Ok((seen, outcome)) => Run { who, solver, seen, outcome: Ok(outcome) },
        }
    }

    /// What was seen of each check; models are judged if smelt has read a script in the text.
    fn observe(
        &self,
        target: &Target,
        outcome: &Outcome,
        script: &mut Read,
    ) -> Result<Vec<Observation>, RunError> {
        let Ok(script) = script else { return Ok(target.observe_unread(&self.words(), outcome)) };
        let queries = script.queries();
        let limits = smelt_eval::Limits::default();
        let mut seen = target.observe_within(script, &queries, outcome, limits);
        for (k, o) in seen.iter_mut().enumerate() {
            unchecked(&mut self.fresh(), script, k, &Mode::plain(), o)?;
        }
        Ok(seen)
    }

    fn conclude(&self, runs: Vec<Run>, mut script: Read) -> Opinion {
        let wanted = Wanted { time: false, unknown: true, older: self.panel.older() };
        let (mut opinion, mut fresh) = (Opinion::new(runs), self.fresh());
        for k in 0..opinion.checks() {
            let truth = script.as_ref().map(|s| truth(s, k)).unwrap_or_default();
            let (ask, budget) = (&mut fresh, self.cpu * BUDGET);
            let judged = match &mut script {
                Ok(script) => opinion.judge_knowing(truth, ask, script, k, &wanted, budget).ok(),
                Err(_) => None,
            };
            // Of what smelt cannot read, or who cannot be run again, there is what was seen.
            let seen: Vec<Observation> = opinion.seen(k).cloned().collect();
            let all = judged.unwrap_or_else(|| diagnose(&seen, truth, &wanted));
            opinion.diagnoses.extend(all.into_iter().map(|d| (k, d)));
            let wrong = label_refutation(&seen, truth).map(|proof| (k, truth.label, proof));
            opinion.mislabelled.extend(wrong);
        }
        opinion.unread = script.err();
        opinion
    }
}
