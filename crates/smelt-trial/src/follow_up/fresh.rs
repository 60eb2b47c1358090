//! Asking fresh processes.

use std::cell::RefCell;
use std::time::Duration;

use smelt_smtlib::Script;
use smelt_solver::{Cancel, Crash, Limits, Mode, RunError, Status};
use smelt_triage::{Observation, TargetId};

use super::{Ask, Asked};
use crate::panel::Panel;

/// A crash that was met on the way to something else.
pub struct Met {
    /// Which solver.
    pub who: TargetId,
    /// The crash.
    pub crash: Crash,
    /// How the solver was run.
    pub mode: Mode,
    /// The script.
    pub script: Script,
    /// Which check of it, from 0.
    pub check: usize,
}

/// Asks fresh processes.
#[derive(Clone, Copy)]
pub struct Fresh<'a> {
    /// The solvers.
    pub panel: &'a Panel,
    /// CPU time of a run.
    pub cpu: Duration,
    /// Ends every wait.
    pub cancel: &'a Cancel,
    /// Where crashes are kept that are met.
    pub met: Option<&'a RefCell<Vec<Met>>>,
}

impl Fresh<'_> {
    /// Keeps a crash for later, also one on an earlier check than is asked about, unless it is on the check that is looked at for
    /// crashes. Arbiters are not tested.
    pub fn meet(
        &self,
        who: TargetId,
        mode: &Mode,
        script: &Script,
        seen: &[Observation],
        sought: Option<usize>,
    ) {
        let Some(met) = self.met.filter(|_| self.panel.is_tested(who)) else { return };
        let first = seen.iter().enumerate().find_map(|(k, o)| Some((k, o.own_crash()?.clone())));
        let Some((check, crash)) = first.filter(|(k, _)| sought != Some(*k)) else { return };
        let mut met = met.borrow_mut();
        if !met.iter().any(|m| m.who == who && m.crash.resembles(&crash)) {
            met.push(Met { who, crash, mode: mode.clone(), script: script.clone(), check });
        }
    }

    /// Runs a script within limits of its own.
    pub fn run(
        &self,
        who: TargetId,
        script: &mut Script,
        mode: &Mode,
        limits: Limits,
    ) -> Result<Asked, RunError> {
        let target = self.panel.get(who);
        let sent = target.print(script, mode);
        let outcome = target.run_within(&sent, mode, limits, self.cancel)?;
        let queries = script.queries();
        let thorough = smelt_eval::Limits::default();
        let seen = target.observe_within(script, &queries, &outcome, thorough);
        Ok(Asked { text: sent.text().to_owned(), outcome, seen })
    }
}

impl Ask for Fresh<'_> {
    fn panel(&self) -> &Panel {
        self.panel
    }

    fn ask(
        &mut self,
        who: TargetId,
        script: &mut Script,
        mode: &Mode,
        _known: Option<Status>,
    ) -> Result<Asked, RunError> {
        let asked = self.run(who, script, mode, self.panel.get(who).limits(self.cpu))?;
        self.meet(who, mode, script, &asked.seen, None);
        Ok(asked)
    }
}
