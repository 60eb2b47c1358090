//! The runs that confirming makes, each in a fresh process.

use smelt_eval::Limits as EvalLimits;
use smelt_smtlib::flatten;
use smelt_smtlib::{Query, Script, parse};
use smelt_solver::Mode;
use smelt_solver::{Answer, Outcome, RunError, Verdict};
use smelt_triage::{Diagnosis, Evidence, Flat, Observation, Says, Truth};

use super::{Candidate, Confirmed, Court, Met, output};
use crate::comparable;
use crate::core::{CoreVerdict, judge_core};
use crate::reproducer::{Reproducer, Scripts, Sought};
use crate::target::Target;

/// A run of a script.
pub(super) struct Run {
    /// What the solver got.
    pub text: String,
    /// What it did.
    pub outcome: Outcome,
    /// What was seen of each check.
    pub seen: Vec<Observation>,
}

/// A run of a check alone.
pub(super) struct FlatRun {
    pub seen: Flat,
    pub text: String,
    pub model: Option<String>,
    pub output: String,
}

impl Court<'_> {
    /// Runs a script on a solver of the campaign, or on an arbiter, which are counted behind them. Crashes are kept.
    pub(super) fn run(
        &self,
        who: usize,
        script: &mut Script,
        mode: &Mode,
    ) -> Result<Run, RunError> {
        let target = match who.checked_sub(self.targets.len()) {
            None => self.targets[who],
            Some(i) => self.arbiters[i],
        };
        let text = target.print(script, mode);
        let outcome = target.run_cold(&text, mode, self.cpu, self.cancel)?;
        let queries = script.queries();
        let seen = target.observe_within(script, &queries, &outcome, EvalLimits::default());
        self.meet(who, mode, script, &seen, None);
        Ok(Run { text: text.text().to_owned(), outcome, seen })
    }

    /// Keeps a crash in a fresh process for later, also one on an earlier check than is asked about, unless it is the one that is
    /// sought. Arbiters are not under test.
    pub(super) fn meet(
        &self,
        target: usize,
        mode: &Mode,
        script: &Script,
        seen: &[Observation],
        sought: Option<usize>,
    ) {
        let first = seen.iter().enumerate().find_map(|(k, o)| Some((k, o.own_crash()?.clone())));
        let Some((check, crash)) = first else { return };
        let mut met = self.crashed.borrow_mut();
        let before = met.iter().any(|m| m.target == target && m.crash.resembles(&crash));
        if target < self.targets.len() && sought != Some(check) && !before {
            let (mode, script) = (mode.clone(), script.clone());
            met.push(Met { target, crash, mode, script, check });
        }
    }

    /// Whether the accused, in a fresh process, decides the script before the last step as the chain expects.
    pub(super) fn decides_before(
        &self,
        c: &Candidate,
        truth: Truth,
    ) -> Result<Option<Diagnosis>, RunError> {
        let script = c.before.as_deref().and_then(|t| parse(t.as_bytes()).ok());
        let Some(mut script) = script else { return Ok(None) };
        let run = self.run(c.accused, &mut script, &Mode::plain())?;
        let verdict = run.outcome.answer().and_then(Answer::decided);
        let expected = truth.label.map(|sat| if sat { Verdict::Sat } else { Verdict::Unsat });
        Ok(verdict.filter(|_| verdict == expected).map(|v| Diagnosis {
            solver: self.targets[c.accused].label.clone(),
            class: c.class,
            evidence: Evidence::Observed(format!("it answers {v} to the script before the step")),
        }))
    }

    /// Whether the accused does it again; the evidence against it is what `first` found.
    pub(super) fn repeats(
        &self,
        script: &Script,
        c: &Candidate,
        mode: &Mode,
        first: &Confirmed,
    ) -> Result<bool, RunError> {
        let then = &first.seen[0];
        let judges: Vec<&Target> = self.targets.iter().chain(self.arbiters).copied().collect();
        let before = c.before.as_deref().and_then(|t| parse(t.as_bytes()).ok());
        let reproducer = Reproducer {
            class: c.class,
            mode,
            check: c.check,
            crash: then.crash().map_or(Sought::Any, Sought::Like),
            then: Some(then),
            frames: false,
            cpu: self.cpu,
            cancel: self.cancel,
            judges: &judges,
        };
        let scripts = Scripts { script, transcript: None, before: before.as_ref() };
        Ok(reproducer.shows(self.targets[c.accused], &scripts)?.says == Says::Holds)
    }

    /// What the accused says of one check alone, without push and pop.
    pub(super) fn flat(
        &self,
        script: &Script,
        accused: usize,
        mode: &Mode,
        query: &Query,
    ) -> Result<Option<FlatRun>, RunError> {
        let mut flat = flatten(script, query);
        let Run { text, outcome, seen } = self.run(accused, &mut flat, mode)?;
        Ok(seen.first().and_then(comparable::flat).map(|seen| FlatRun {
            seen,
            text,
            model: outcome.checks.first().and_then(|c| c.model.clone()),
            output: output(&outcome),
        }))
    }

    /// Runs the unsat core alone: who finds a model of it that the evaluator finds true?
    pub(super) fn refute_core(
        &self,
        script: &Script,
        outcome: &Outcome,
        check: usize,
    ) -> Result<Option<String>, RunError> {
        let Some(core) = outcome.checks.get(check).and_then(|c| c.core.as_deref()) else {
            return Ok(None);
        };
        let all = self.targets.iter().chain(self.arbiters).copied();
        Ok(match judge_core(script, core, all, self.cpu, self.cancel)? {
            CoreVerdict::Refuted(by) => Some(by),
            CoreVerdict::Stands | CoreVerdict::Open => None,
        })
    }
}
