//! A text that a person wrote, run as it is where the solver takes it.

use std::time::Duration;

use smelt_smtlib::{Command, LogicChoice, PrintOptions, Script, print};
use smelt_solver::{Answer, Cancel, Mode, Outcome, RunError};

use super::Target;

/// Assertions that are tried one by one, at most, to find those that a solver refuses.
const TRIED: usize = 16;

impl Target {
    /// Runs a text that a person wrote in a fresh process: as it is, if the solver takes it, else the script that smelt has read in
    /// it, in names that the solver knows, with a logic.
    pub fn run_own(
        &self,
        text: &str,
        script: Option<&Script>,
        mode: &Mode,
        cpu: Duration,
        cancel: &Cancel,
    ) -> Result<Outcome, RunError> {
        self.run_own_by(text, script, mode, |sent| self.run_cold(sent, mode, cpu, cancel))
    }

    /// Runs a text that a person wrote as [`Target::run_own`] does, by whoever runs it: in a session, for one.
    pub fn run_own_by(
        &self,
        text: &str,
        script: Option<&Script>,
        mode: &Mode,
        mut run: impl FnMut(&smelt_solver::Script) -> Result<Outcome, RunError>,
    ) -> Result<Outcome, RunError> {
        let mut ask = |text: &str| run(&self.sent(text, mode));
        let own = ask(text)?;
        let Some(script) = script.filter(|_| self.refuses(&own)) else { return Ok(own) };
        let translated = |script: &Script| print(script, &self.own_options(script));
        let other = ask(&translated(script))?;
        let better = !self.refuses(&other) || !self.naming.is_standard();
        let mut outcome = if better { other } else { own };
        if self.refuses(&outcome) && self.dies(&outcome) {
            let lean = self.without_refused(script, |s| ask(&translated(s)))?;
            if let Some(lean) = lean.filter(|o| !self.refuses(o) && self.dies(o)) {
                blame(&mut outcome, lean);
            }
        }
        Ok(outcome)
    }

    fn own_options(&self, script: &Script) -> PrintOptions {
        let has_logic = script.logic().is_some();
        let logic = if has_logic { LogicChoice::Keep } else { LogicChoice::Smallest };
        PrintOptions { naming: self.naming, logic, ..PrintOptions::default() }
    }

    /// Whether it refuses something of what it was given.
    fn refuses(&self, outcome: &Outcome) -> bool {
        outcome.checks.is_empty()
            || outcome.checks.iter().any(|c| c.answer.kind() == "rejected")
            || self.error(outcome).is_some()
    }

    /// Whether the process ended by a fault.
    fn dies(&self, outcome: &Outcome) -> bool {
        outcome.crash.as_ref().is_some_and(|c| c.is_breakdown() && !self.is_complaint(c))
    }

    /// What it does with a script without the assertions that it refuses, each of which is tried alone; `None` if it refuses none.
    fn without_refused(
        &self,
        script: &Script,
        mut ask: impl FnMut(&Script) -> Result<Outcome, RunError>,
    ) -> Result<Option<Outcome>, RunError> {
        let is_assertion = |c: &Command| matches!(c, Command::Assert(..));
        let all = 0..script.commands.len();
        let assertions: Vec<usize> = all.filter(|&i| is_assertion(&script.commands[i])).collect();
        if assertions.len() > TRIED {
            return Ok(None);
        }
        let with_only = |kept: &[usize]| {
            let mut part = script.clone();
            let mut at = 0;
            part.commands.retain(|c| {
                at += 1;
                !is_assertion(c) || kept.contains(&(at - 1))
            });
            part
        };
        let mut taken = Vec::new();
        for &i in &assertions {
            if !self.refuses(&ask(&with_only(&[i]))?) {
                taken.push(i);
            }
        }
        if taken.len() == assertions.len() {
            return Ok(None);
        }
        ask(&with_only(&taken)).map(Some)
    }
}

/// Lets the crash behind an error count: the process ends so, too, where nothing of the script is refused.
fn blame(outcome: &mut Outcome, lean: Outcome) {
    outcome.errors.clear();
    outcome.crash = lean.crash;
    if let (Some(last), Some(crash)) = (outcome.checks.last_mut(), &outcome.crash) {
        last.answer = Answer::Crash(crash.clone());
    }
}
