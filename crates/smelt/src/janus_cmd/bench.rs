//! The releases that are tested, and what makes an answer a finding.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use smelt_eval::ModelOptions;
use smelt_smtlib::op::Naming;
use smelt_smtlib::{LogicChoice, PrintOptions, Script, parse, print};
use smelt_solver::{
    Answer, Cancel, Check, Limits, Policy, Requests, Session, Setup, Solver, SolverSpec, Verdict,
};
use smelt_triage::{ModelVerdict, judge_model_within};

use super::finding::{Finding, Kind};
use super::shrink::{Pair, shrink};
use super::{Args, Step, Tally};
use crate::check_solvers::label;
use crate::proofs::{Proofs, newest_at_hand, provers};
use crate::rules_cmd::panel::Panel;

/// CPU time for one question to one solver about a rule.
const PROOF_LIMIT: Duration = Duration::from_secs(1);

/// Answers to the two scripts of a step that exclude each other.
pub enum Clash {
    /// One of the answers is wrong; which one, if a model says so.
    Solver(Box<Finding>),
    /// This model is one of the stronger script and not of the weaker one: smelt is wrong.
    Rule(String),
}

/// Whether smelt's evaluator finds a script true under a model; `None` if it cannot tell.
pub fn judged(text: &str, model: &str) -> Option<bool> {
    let mut script = parse(text.as_bytes()).ok()?;
    let query = script.queries().into_iter().next()?;
    let limits = smelt_eval::Limits::default();
    match judge_model_within(&mut script, &query, model, &ModelOptions::default(), limits) {
        ModelVerdict::True => Some(true),
        ModelVerdict::False(_) => Some(false),
        _ => None,
    }
}

/// A script under a solver's own names of operators.
fn in_words_of(solver: &Solver, text: &str) -> Option<smelt_solver::Script> {
    let naming = solver.profile().naming_of(solver.version());
    if naming == Naming::Standard {
        return Some(smelt_solver::Script::new(text));
    }
    let script = parse(text.as_bytes()).ok()?;
    let text = print(&script, &PrintOptions { naming, ..Default::default() });
    Some(smelt_solver::Script::new(&text))
}

/// The solvers.
pub struct Bench {
    pub solvers: Vec<Solver>,
    session: Session,
    models: Session,
    setup: Setup,
    provers: Panel,
    stop: Cancel,
}

impl Bench {
    pub fn new(args: &Args, stop: &Cancel) -> Result<Self> {
        let registry = crate::solvers_cmd::registry()?;
        let mut solvers = Vec::new();
        for name in &args.solver {
            for spec in SolverSpec::parse_list(name)? {
                solvers.push(crate::solvers_cmd::resolve_or_install(&registry, &spec)?);
            }
        }
        for pair in solvers.windows(2) {
            if pair[0].profile().family != pair[1].profile().family {
                let [a, b] = [0, 1].map(|i| label(&pair[i]));
                bail!("{a} and {b} are not releases of one solver");
            }
        }
        if solvers.iter().all(|s| s.version().is_some()) {
            solvers.sort_by(|a, b| {
                let key = |s: &Solver| (s.profile().name.clone(), s.version().cloned());
                key(a).cmp(&key(b))
            });
        }
        let Some(target) = solvers.last() else { bail!("no solver is given") };
        let limits = Limits::cpu(Duration::from_secs(args.limit));
        let setup = Setup { limits, ..Setup::default() };
        let with_models = Setup { models: true, ..setup.clone() };
        let warm = |setup| Session::new(target, setup, Policy::default()).cancelled_by(stop);
        let (session, models) = (warm(setup.clone()), warm(with_models));
        let provers = Panel::new(&provers(newest_at_hand(&registry)), PROOF_LIMIT, Some(stop));
        Ok(Self { solvers, session, models, setup, provers, stop: stop.clone() })
    }

    /// Proves what seeds have asked for, while there is time.
    pub fn prove(&mut self, proofs: &Proofs, left: &mut Duration, tally: &mut Tally) {
        while !left.is_zero()
            && let Some(wanted) = proofs.next()
        {
            let begun = Instant::now();
            if let Ok(Some(settled)) = proofs.settle(&wanted, &mut self.provers, Some(&self.stop)) {
                *tally.proofs.entry(settled.word()).or_default() += 1;
            }
            *left = left.saturating_sub(begun.elapsed());
        }
    }

    pub fn target_name(&self) -> String {
        self.solvers.last().map_or(String::new(), label)
    }

    /// Whether an unknown of the target is explained by a limit or a feature that it does not claim to have.
    pub fn excuses(&self, reason: Option<&str>) -> bool {
        self.solvers.last().is_some_and(|s| s.profile().excuses(reason))
    }

    /// Whether the target has no answer, and no excuse.
    pub fn is_lost(&self, answer: &Answer) -> bool {
        matches!(answer, Answer::Unknown(reason) if !self.excuses(reason.as_deref()))
    }

    /// The script as it is given to solvers.
    pub fn print(&self, script: &Script) -> String {
        let options =
            PrintOptions { logic: LogicChoice::Smallest, strip_status: true, ..Default::default() };
        print(script, &options)
    }

    /// What a solver in a fresh process says, under its names of operators.
    pub fn cold(&self, solver: &Solver, text: &str) -> Answer {
        self.check(solver, text, false).answer
    }

    /// The same, with a model if it is asked for and there is one.
    pub fn check(&self, solver: &Solver, text: &str, model: bool) -> Check {
        let unreadable =
            || Check::bare(Answer::Unreadable("the script cannot be read again".into()));
        let Some(script) = in_words_of(solver, text) else { return unreadable() };
        let setup = Setup { models: model, ..self.setup.clone() };
        let requests = Requests { model, core: false };
        match solver.run_cold(&script, &setup, requests, Some(&self.stop)) {
            Ok(o) => o.checks.into_iter().next().unwrap_or_else(unreadable),
            Err(e) => Check::bare(Answer::Unreadable(e.to_string())),
        }
    }

    pub fn target(&self, text: &str) -> Answer {
        match self.solvers.last() {
            Some(s) => self.cold(s, text),
            None => Answer::Unknown(None),
        }
    }

    pub fn ask_target(&mut self, text: &str) -> Answer {
        self.warm(text, false).map_or_else(Answer::Unreadable, |c| c.answer)
    }

    /// What the target says in its session, with a model if it is asked for; or why it says nothing.
    pub fn warm(&mut self, text: &str, model: bool) -> Result<Check, String> {
        let unreadable = || "the script cannot be read again".to_owned();
        let script =
            self.solvers.last().and_then(|s| in_words_of(s, text)).ok_or_else(unreadable)?;
        let session = if model { &mut self.models } else { &mut self.session };
        let outcome =
            session.run(&script, Requests { model, core: false }).map_err(|e| e.to_string())?;
        outcome.checks.into_iter().next().ok_or_else(unreadable)
    }

    /// A fresh process calls a script unsat that has a witness.
    pub fn confirm_wrong(&mut self, step: &Step<'_>) -> Option<Finding> {
        (self.target(step.after) == Answer::Unsat)
            .then(|| Finding::new(Kind::Wrong, &self.target_name(), step, "unsat".into()))
    }

    /// Fresh processes answer the two scripts of a step in a way that the rule excludes: one of the answers is wrong, or the
    /// rule is. The model of the one that is called sat says which, if the evaluator can tell. `None` if they do not.
    pub fn confirm_contradiction(&mut self, step: &Step<'_>, related: bool) -> Option<Clash> {
        let target = self.solvers.last().filter(|_| related)?;
        let after = self.target(step.after).decided().filter(|&v| v != step.expected)?;
        if self.target(step.before).decided() != Some(step.expected) {
            return None;
        }
        // What is called sat implies the other, whichever way the step went.
        let [sat, unsat] = match after {
            Verdict::Unsat => [step.before, step.after],
            _ => [step.after, step.before],
        };
        let check = self.check(target, sat, true);
        let model = check.model.filter(|_| check.answer == Answer::Sat);
        let verdicts = model.as_ref().map(|m| [sat, unsat].map(|text| judged(text, m)));
        let (kind, why) = match (verdicts, model) {
            (Some([Some(true), Some(false)]), Some(model)) => return Some(Clash::Rule(model)),
            (Some([Some(true), Some(true)]), _) => {
                (Kind::Wrong, "unsat, but the model of its neighbour is one of it, too")
            }
            _ => {
                (Kind::Contradiction, "the first implies the second; no model says which is wrong")
            }
        };
        let step = Step { before: sat, after: unsat, expected: Verdict::Sat, ..*step };
        Some(Clash::Solver(Box::new(Finding::new(kind, &label(target), &step, why.to_owned()))))
    }

    /// The unknown, in fresh processes: an older release decides it, or the step before it, if they are related, is decided.
    pub fn confirm_unknown(
        &mut self,
        step: &Step<'_>,
        related: bool,
        reason: Option<&str>,
    ) -> Option<Finding> {
        let Answer::Unknown(again) = self.target(step.after) else { return None };
        if self.excuses(again.as_deref()) {
            return None;
        }
        let reason = again.as_deref().or(reason).unwrap_or("no reason").to_owned();
        if let Some(lost) = self.lost_since(step.after, step.expected) {
            let what = format!("{lost}; {reason}");
            return Some(Finding::new(Kind::Regression, &self.target_name(), step, what));
        }
        (related && self.target(step.before).decided() == Some(step.expected))
            .then(|| Finding::new(Kind::Implication, &self.target_name(), step, reason))
    }

    /// The last release with this answer, and the one after it, which is the first to have lost it. The newest has none.
    fn lost_since(&self, text: &str, expected: Verdict) -> Option<String> {
        let (target, older) = self.solvers.split_last()?;
        let mut lost = label(target);
        for s in older.iter().rev() {
            let answer = self.cold(s, text);
            if answer.decided() == Some(expected) {
                return Some(format!("{} decides it, the first that does not is {lost}", label(s)));
            }
            lost = format!("{} ({})", label(s), answer.kind());
        }
        None
    }

    /// Whether a finding still is one.
    fn holds(&self, f: &Finding, before: &str, after: &str) -> bool {
        match f.kind {
            Kind::Wrong => self.target(after) == Answer::Unsat,
            Kind::Contradiction => {
                self.target(before) == Answer::Sat && self.target(after) == Answer::Unsat
            }
            Kind::Regression => {
                self.is_lost(&self.target(after)) && self.lost_since(after, f.expected).is_some()
            }
            Kind::Implication => {
                self.target(before).decided() == Some(f.expected)
                    && self.is_lost(&self.target(after))
            }
        }
    }

    /// Makes the scripts of a finding smaller, while there is time.
    pub fn shrink(&self, f: &mut Finding, parameters: &[String], end: Instant) {
        // The witness of a wrong answer need not be one of a part.
        if f.kind == Kind::Wrong {
            return;
        }
        let pair = Pair {
            before: &f.before,
            after: &f.after,
            rule: &f.rule,
            sat: f.expected == Verdict::Sat,
            parameters,
        };
        let made = shrink(&pair, |b, a| Instant::now() < end && self.holds(f, b, a));
        if let Some((before, after)) = made {
            // What is smaller may have been lost elsewhere.
            if f.kind == Kind::Regression
                && let Some((lost, (_, reason))) =
                    self.lost_since(&after, f.expected).zip(f.why.split_once("; "))
            {
                f.why = format!("{lost}; {reason}");
            }
            f.replace(before, after);
        }
    }
}
