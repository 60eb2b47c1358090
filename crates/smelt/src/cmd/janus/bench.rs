//! The releases that are tested, and what makes an answer a finding.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use smelt_campaign::proofs::{Proofs, one_of_each_family};
use smelt_campaign::provers::Provers;
use smelt_reduce::pair::{Pair, shrink};
use smelt_smtlib::{LogicChoice, PrintOptions, Script, print};
use smelt_solver::Mode;
use smelt_solver::{Answer, Cancel, Check, Session, Verdict};
use smelt_trial::Target;
use smelt_trial::resolve::newest_at_hand;

use super::evidence::Evidence;
use super::finding::{Finding, Kind};
use super::{Args, Step, Tally};
use crate::voice::resolving;

/// CPU time for one question to one solver about a rule.
const PROOF_LIMIT: Duration = Duration::from_secs(1);

/// What is said of a script to which there is no answer.
const NOTHING: &str = "no check was answered";

/// Answers to the two scripts of a step that exclude each other.
pub enum Clash {
    /// One of the answers is wrong; which one, if a model says so.
    Solver(Box<Finding>),
    /// This model is one of the stronger script and not of the weaker one: smelt is wrong.
    Rule(String),
}

/// Whether a solver has no answer, and no excuse.
fn is_lost(target: &Target, answer: &Answer) -> bool {
    matches!(answer, Answer::Unknown(reason) if !target.solver.profile().excuses(reason.as_deref()))
}

/// How solvers are asked: nothing but models, if they are wanted.
fn mode(models: bool) -> Mode {
    Mode { models, ..Mode::default() }
}

/// The solvers.
pub struct Bench {
    pub solvers: Vec<Target>,
    session: Session,
    models: Session,
    /// CPU time per question.
    cpu: Duration,
    provers: Provers,
    stop: Cancel,
}

impl Bench {
    pub fn new(args: &Args, stop: &Cancel) -> Result<Self> {
        let registry = smelt_trial::resolve::registry()?;
        let mut solvers = resolving(&registry, |r| r.targets(&args.solver))?;
        for pair in solvers.windows(2) {
            if pair[0].family() != pair[1].family() {
                bail!("{} and {} are not releases of one solver", pair[0].label, pair[1].label);
            }
        }
        if solvers.iter().all(|t| t.solver.version().is_some()) {
            let key = |t: &Target| (t.solver.profile().name.clone(), t.solver.version().cloned());
            solvers.sort_by_key(key);
        }
        let Some(target) = solvers.last() else { bail!("no solver is given") };
        let cpu = args.limit.cpu();
        let warm = |models| target.session(&mode(models), target.limits(cpu), Some(stop));
        let (session, models) = (warm(false), warm(true));
        let provers = one_of_each_family(newest_at_hand(&registry));
        let provers = Provers::new(&provers, PROOF_LIMIT, Some(stop));
        Ok(Self { solvers, session, models, cpu, provers, stop: stop.clone() })
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
        self.solvers.last().map_or(String::new(), |t| t.label.clone())
    }

    /// Whether an unknown of the target is explained by a limit or a feature that it does not claim to have.
    pub fn excuses(&self, reason: Option<&str>) -> bool {
        self.solvers.last().is_some_and(|t| t.solver.profile().excuses(reason))
    }

    /// Whether the target has no answer, and no excuse.
    pub fn is_lost(&self, answer: &Answer) -> bool {
        self.solvers.last().is_some_and(|s| is_lost(s, answer))
    }

    /// The script as it is given to solvers.
    pub fn print(&self, script: &Script) -> String {
        let options =
            PrintOptions { logic: LogicChoice::Smallest, strip_status: true, ..Default::default() };
        print(script, &options)
    }

    /// Why there is no verdict on what the target says of a script.
    pub fn caveat(&self, script: &Script) -> Option<&str> {
        self.solvers.last()?.caveat_on(script)
    }

    /// What a solver in a fresh process says, under its names of operators.
    pub fn cold(&self, target: &Target, text: &str) -> Answer {
        self.check(target, text, false).answer
    }

    /// The same, with a model if it is asked for and there is one.
    pub fn check(&self, target: &Target, text: &str, model: bool) -> Check {
        let unreadable = || Check::bare(Answer::Unreadable(NOTHING.into()));
        let script = target.in_its_names(text);
        match target.run_cold(&script, &mode(model), self.cpu, &self.stop) {
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
        let target = self.solvers.last().ok_or("there is no solver")?;
        let script = target.in_its_names(text);
        let session = if model { &mut self.models } else { &mut self.session };
        let outcome = session.run(&script, mode(model).requests()).map_err(|e| e.to_string())?;
        outcome.checks.into_iter().next().ok_or_else(|| NOTHING.to_owned())
    }

    /// A fresh process calls a script unsat that has a witness.
    pub fn confirm_wrong(&mut self, step: &Step<'_>) -> Option<Finding> {
        let why = || "unsat, but the model of the seed is one of it, too".to_owned();
        (self.target(step.after) == Answer::Unsat)
            .then(|| Finding::new(Kind::Wrong, &self.target_name(), step, why()))
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
        let (kind, why, model) = match self.blame(target, sat, unsat) {
            Ok(blame) => blame,
            Err(model) => return Some(Clash::Rule(model)),
        };
        let step = Step { before: sat, after: unsat, expected: Verdict::Sat, model: None, ..*step };
        let finding = Finding::new(kind, &target.label, &step, why);
        Some(Clash::Solver(Box::new(Finding { witness: model, ..finding })))
    }

    /// Which of two answers is wrong, by the model of the script that is called sat, which implies the other: what to call that and
    /// why, and the model if it is one of the other. The error is a model by which the rule is wrong.
    fn blame(
        &self,
        target: &Target,
        sat: &str,
        unsat: &str,
    ) -> Result<(Kind, String, Option<Evidence>), String> {
        let check = self.check(target, sat, true);
        let model = check.model.filter(|_| check.answer == Answer::Sat);
        let evidence = model.as_ref().map(|m| Evidence::new(m, target, sat));
        let verdicts = evidence.as_ref().map(|e| [sat, unsat].map(|text| e.judges(text)));
        let says = match (verdicts, model) {
            (Some([Some(true), Some(false)]), Some(model)) => return Err(model),
            (Some([Some(true), Some(true)]), _) => {
                let why = "unsat, but the model of its neighbour is one of it, too";
                return Ok((Kind::Wrong, why.into(), evidence));
            }
            (Some([Some(false), _]), _) => {
                "its model of the first is false by smelt's evaluator: an invalid model, proven"
            }
            _ => "no model says which is wrong",
        };
        let why = format!(
            "its answers exclude each other by a proved rule: the first implies the second; {says}"
        );
        Ok((Kind::Contradiction, why, None))
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
        if let Some(lost) = self.lost_since(self.solvers.len() - 1, step.after, step.expected) {
            let what = format!("{lost}; {reason}");
            return Some(Finding::new(Kind::Regression, &self.target_name(), step, what));
        }
        (related && self.target(step.before).decided() == Some(step.expected))
            .then(|| Finding::new(Kind::Implication, &self.target_name(), step, reason))
    }

    /// A release between others that has lost what an older one decides, and the newest decides again. All are asked.
    pub fn lost_between(&self, step: &Step<'_>) -> Option<Finding> {
        let decides = |a: &Answer| a.decided() == Some(step.expected);
        let newest = self.solvers.len().saturating_sub(1);
        let asked = self.heard(newest, step.after).into_iter();
        let mut older = asked.map(|i| (i, self.cold(&self.solvers[i], step.after)));
        older.find(|(_, a)| decides(a))?;
        let (at, answer) = older.find(|(i, a)| is_lost(&self.solvers[*i], a))?;
        let lost = self.lost_since(at, step.after, step.expected)?;
        if !decides(&self.target(step.after)) {
            return None;
        }
        let reason = match &answer {
            Answer::Unknown(Some(reason)) => reason,
            _ => "no reason",
        };
        let why = format!("{lost}; {reason}; {} decides it again", self.target_name());
        Some(Finding::new(Kind::Regression, &self.solvers[at].label, step, why))
    }

    /// The last release before this one with this answer, and the one after it, which is the first to have lost it. This one has none.
    fn lost_since(&self, at: usize, text: &str, expected: Verdict) -> Option<String> {
        let mut lost = self.solvers[at].label.clone();
        for i in self.heard(at, text).into_iter().rev() {
            let older = &self.solvers[i];
            let answer = self.cold(older, text);
            if answer.decided() == Some(expected) {
                let (label, lost) = (&older.label, &lost);
                return Some(format!("{label} decides it, the first that does not is {lost}"));
            }
            lost = format!("{} ({})", older.label, answer.kind());
        }
        None
    }

    /// The releases before this one whose answers to a script count.
    pub fn heard(&self, at: usize, text: &str) -> Vec<usize> {
        (0..at).filter(|&i| self.solvers[i].caveat_on_text(text).is_none()).collect()
    }

    /// Whether a finding still is one.
    fn holds(&self, f: &Finding, before: &str, after: &str) -> bool {
        let Some(at) = self.place(f) else { return false };
        let solver = &self.solvers[at];
        if [before, after].iter().any(|text| solver.caveat_on_text(text).is_some()) {
            return false;
        }
        let ask = |text: &str| self.cold(solver, text);
        let decides = |a: Answer| a.decided() == Some(f.expected);
        match f.kind {
            // The witness need not be one of a part.
            Kind::Wrong => {
                f.witness.as_ref().is_some_and(|w| w.judges(after) == Some(true))
                    && ask(after) == Answer::Unsat
            }
            Kind::Contradiction => ask(before) == Answer::Sat && ask(after) == Answer::Unsat,
            Kind::Regression => {
                is_lost(solver, &ask(after))
                    && self.lost_since(at, after, f.expected).is_some()
                    && (at + 1 == self.solvers.len() || decides(self.target(after)))
            }
            Kind::Implication => decides(ask(before)) && is_lost(solver, &ask(after)),
        }
    }

    /// Which of the releases a finding is about.
    fn place(&self, f: &Finding) -> Option<usize> {
        self.solvers.iter().position(|t| t.label == f.solver)
    }

    /// Makes the scripts of a finding smaller, while there is time. The result is a model by which the rule is wrong on what is
    /// smaller, if there is one.
    pub fn shrink(&self, f: &mut Finding, parameters: &[String], end: Instant) -> Option<String> {
        let at = self.place(f)?;
        let pair = Pair {
            before: &f.before,
            after: &f.after,
            rule: &f.rule,
            status: f.expected,
            parameters,
        };
        let made = shrink(&pair, |b, a| Instant::now() < end && self.holds(f, b, a));
        let (before, after) = made?;
        // What is smaller may have been lost elsewhere.
        if f.kind == Kind::Regression
            && let Some((lost, (_, reason))) =
                self.lost_since(at, &after, f.expected).zip(f.why.split_once("; "))
        {
            f.why = format!("{lost}; {reason}");
        }
        f.replace(before, after);
        // The witness of the larger script need not be one of the smaller.
        f.witness = f.witness.take().filter(|w| w.judges(&f.after) == Some(true));
        if f.kind == Kind::Contradiction {
            let blame = match self.blame(&self.solvers[at], &f.before, &f.after) {
                Ok(blame) => blame,
                Err(model) => return Some(model),
            };
            let (kind, why, witness) = blame;
            (f.why, f.witness) = (why, witness);
            f.become_kind(kind);
        }
        None
    }
}
