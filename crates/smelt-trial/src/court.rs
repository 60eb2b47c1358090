//! From a candidate to a finding: fresh processes, default options if they suffice, peers and arbiters, a smaller script.
//!
//! Nothing is reported from a warm session alone. What cannot be repeated in a fresh process is tried once more as the
//! transcript of its session, again in a fresh process.

mod runs;

use std::cell::{Cell, RefCell};
use std::time::Duration;

use smelt_eval::{Exhausted, Limits as EvalLimits, Model, exhaust};
use smelt_reduce::kernel;
use smelt_smtlib::Script;
use smelt_solver::Mode;
use smelt_solver::{Answer, Cancel, Crash, Exit, Limits, Outcome, RunError};
use smelt_triage::{
    Class, Diagnosis, Evidence, Grade, ModelVerdict, Observation, Slowness, Truth, diagnose,
    leaves_open,
};

use crate::content::Content;
use crate::target::Target;

/// A suspicion from a warm session.
#[derive(Clone)]
pub struct Candidate {
    /// Who, among the targets.
    pub accused: usize,
    /// Of what.
    pub class: Class,
    /// Which check, from 0.
    pub check: usize,
    /// How the accused was run.
    pub mode: Mode,
    /// What its session was sent.
    pub transcript: String,
    /// The script before the last step, if the two are related.
    pub before: Option<String>,
    /// The crash that was seen, if it is about one.
    pub crash: Option<Crash>,
    /// A model that the accused gave for the same assertions in another script.
    pub model: Option<String>,
}

impl Candidate {
    /// Whether this answer can be what the candidate is about; saves asking the peers.
    fn could_be(&self, o: &Observation) -> bool {
        (self.class.row().suspect)(o)
            && match (&self.crash, o.crash()) {
                (Some(seen), Some(now)) => seen.resembles(now),
                _ => true,
            }
    }
}

/// A candidate that fresh processes repeat.
pub struct Confirmed {
    /// The accusation with the evidence of the fresh runs.
    pub diagnosis: Diagnosis,
    /// The script, in the arena that came in.
    pub script: Script,
    /// The text that the accused gets.
    pub text: String,
    /// How it must be run.
    pub mode: Mode,
    /// Times it happened, runs.
    pub rate: (u32, u32),
    /// Only after other scripts in one process.
    pub session_dependent: bool,
    /// The confirming run of the accused.
    pub outcome: Outcome,
    /// What everybody said, the accused first.
    pub seen: Vec<Observation>,
    /// What each of them printed.
    pub outputs: Vec<(String, String)>,
    /// A model that the evaluator finds true.
    pub witness: Option<Witness>,
    /// The check alone, if the accused contradicts itself there.
    pub flat: Option<String>,
    /// Which check.
    pub check: usize,
}

/// A model that the evaluator finds true of a script.
pub enum Witness {
    /// A solver's (an index of targets, then arbiters): its text.
    Printed(usize, String),
    /// smelt's own, of the script of the finding.
    Found(Model),
}

/// What confirming needs.
pub struct Court<'a> {
    /// The solvers of the campaign.
    pub targets: &'a [&'a Target],
    /// Further solvers that are asked when the others cannot settle it.
    pub arbiters: &'a [&'a Target],
    /// CPU time of a fresh run.
    pub cpu: Duration,
    /// What counts as slow or incomplete, if anything does.
    pub slowness: &'a Slowness,
    /// Ends every wait.
    pub cancel: &'a Cancel,
    /// Whether a fresh process did what a candidate is about, whatever can be shown of it.
    pub repeated: Cell<bool>,
    /// Crashes of the solvers of the campaign that were met on the way to something else.
    pub crashed: RefCell<Vec<Met>>,
}

/// A crash that was met: whose (an index of targets), in which mode, on which check of which script.
pub struct Met {
    /// Which solver.
    pub target: usize,
    /// The crash.
    pub crash: Crash,
    /// How the solver was run.
    pub mode: Mode,
    /// The script.
    pub script: Script,
    /// Which check of it, from 0.
    pub check: usize,
}

/// Fresh processes that a rate is told of.
const RUNS: u32 = 3;

impl Court<'_> {
    /// Confirms a candidate, or says `None`: it does not hold.
    pub fn confirm(
        &self,
        script: &Script,
        truth: Truth,
        c: &Candidate,
    ) -> Result<Option<Confirmed>, RunError> {
        let found = self.confirm_same(script, truth, c)?;
        if found.is_some() || c.crash.is_none() {
            return Ok(found);
        }
        // A crash may look otherwise in a fresh process; and another one is a finding, too.
        self.confirm_same(script, truth, &Candidate { crash: None, ..c.clone() })
    }

    /// The same; a crash must be the one that was seen, if the candidate says which.
    fn confirm_same(
        &self,
        script: &Script,
        truth: Truth,
        c: &Candidate,
    ) -> Result<Option<Confirmed>, RunError> {
        let mut script = script.clone();
        let plain = Mode::plain();
        let accused = self.targets[c.accused];
        // Who is slower or less complete than another is told in one mode for both.
        let modes = if c.class.row().compares { vec![plain] } else { modes(&plain, &c.mode) };
        for mode in modes {
            let Some(first) = self.try_once(&mut script, truth, c, &mode)? else { continue };
            let mut first = self.fewer_options(&mut script, truth, c, first)?;
            let mode = first.mode.clone();
            self.name_frames(accused, &mut first)?;
            // A minute of waiting is not spent three times, nor a script shrunk by it.
            if c.class.row().slow {
                return Ok(Some(Confirmed { script, ..first }));
            }
            first.rate = self.rate(&script, c, &first)?;
            // A smaller script for the report; it must hold on its own.
            let smaller = kernel::shrink(&script, c.check, |s| {
                c.class.row().shrinks && matches!(self.repeats(s, c, &mode, &first), Ok(true))
            });
            if let Some(mut small) = smaller {
                let own = Truth {
                    brute_force: None,
                    // Fewer assertions keep a witness; a label of the whole says nothing about a part.
                    witness: truth.witness,
                    partial: false,
                    label: truth.label.filter(|&sat| sat),
                };
                if let Some(mut found) = self.try_once(&mut small, own, c, &mode)?
                    && found.diagnosis.evidence.grade() >= first.diagnosis.evidence.grade()
                {
                    self.name_frames(accused, &mut found)?;
                    // What happens more often is worth more than what is smaller.
                    found.rate = self.rate(&small, c, &found)?;
                    if found.rate >= first.rate {
                        return Ok(Some(Confirmed { script: small, ..found }));
                    }
                }
            }
            return Ok(Some(Confirmed { script, ..first }));
        }
        // Only in a session that ran other scripts before?
        if c.class == Class::Crash && !c.transcript.is_empty() {
            let text = smelt_solver::Script::new(&c.transcript);
            let run = || accused.run_cold(&text, &c.mode, self.cpu * 10, self.cancel);
            let sought = |crash: &Crash| c.crash.as_ref().is_none_or(|seen| seen.resembles(crash));
            let outcome = run()?;
            if let Some(crash) = accused.crash(&outcome).filter(sought) {
                let mut rate = (1, RUNS);
                for _ in 1..RUNS {
                    let again = accused.crash(&run()?);
                    rate.0 += u32::from(again.is_some_and(|again| again.resembles(&crash)));
                }
                let seen = vec![Observation::new(
                    &accused.label,
                    accused.family(),
                    Answer::Crash(crash),
                    None,
                )];
                let Some(diagnosis) = diagnose(&seen, Truth::default()).into_iter().next() else {
                    return Ok(None);
                };
                let mut found = Confirmed {
                    diagnosis,
                    script,
                    text: c.transcript.clone(),
                    mode: c.mode.clone(),
                    rate,
                    session_dependent: true,
                    outputs: vec![(accused.label.clone(), output(&outcome))],
                    outcome,
                    seen,
                    witness: None,
                    flat: None,
                    check: c.check,
                };
                self.name_frames(accused, &mut found)?;
                return Ok(Some(found));
            }
        }
        self.confirm_session(script, truth, c)
    }

    /// A wrong answer that only a process gives that ran other scripts before: the transcript is the script.
    fn confirm_session(
        &self,
        mut script: Script,
        truth: Truth,
        c: &Candidate,
    ) -> Result<Option<Confirmed>, RunError> {
        if !c.class.row().in_sessions || c.transcript.is_empty() {
            return Ok(None);
        }
        let accused = self.targets[c.accused];
        let found = self.try_text(&mut script, truth, c, &c.mode, Some(&c.transcript))?;
        let Some(found) = found else { return Ok(None) };
        let mut rate = (1, 1);
        let queries = script.queries();
        for _ in 0..2 {
            let cpu = self.cpu * 10;
            let outcome =
                accused.run_transcript(&c.transcript, queries.len(), &c.mode, cpu, self.cancel)?;
            let limits = EvalLimits::default();
            let seen = outcome.map(|o| accused.observe_within(&mut script, &queries, &o, limits));
            let now = seen.as_ref().and_then(|all| all.get(c.check));
            rate.1 += 1;
            rate.0 += u32::from(now.is_some_and(c.class.row().suspect));
        }
        let text = c.transcript.clone();
        Ok(Some(Confirmed { rate, script, text, session_dependent: true, ..found }))
    }

    /// Names the frames of a crash by a bare signal, if there is a debugger.
    fn name_frames(&self, accused: &Target, found: &mut Confirmed) -> Result<(), RunError> {
        let Some(crash) = found.seen[0].crash() else { return Ok(()) };
        if found.diagnosis.class != Class::Crash || !crash.is_bare() {
            return Ok(());
        }
        found.outcome.crash.get_or_insert_with(|| crash.clone());
        let text = smelt_solver::Script::new(&found.text);
        let setup = found.mode.setup(Limits::cpu(self.cpu));
        accused.solver.name_frames(&text, &setup, &mut found.outcome, Some(self.cancel))?;
        if let Some(crash) = found.outcome.crash.clone().filter(|c| !c.is_bare()) {
            match found.seen[0].answer {
                Answer::Crash(_) => found.seen[0].answer = Answer::Crash(crash),
                _ => found.seen[0].late_crash = Some(crash),
            }
            let all = diagnose(&found.seen, Truth::default());
            if let Some(d) = find(&all, &found.seen[0].solver, Class::Crash) {
                found.diagnosis = d;
            }
        }
        Ok(())
    }

    /// Runs everybody afresh and looks whether the accusation stands with reportable evidence.
    fn try_once(
        &self,
        script: &mut Script,
        truth: Truth,
        c: &Candidate,
        mode: &Mode,
    ) -> Result<Option<Confirmed>, RunError> {
        self.try_text(script, truth, c, mode, None)
    }

    /// The same; with a transcript, the accused is given that, which ends with the script.
    fn try_text(
        &self,
        script: &mut Script,
        truth: Truth,
        c: &Candidate,
        mode: &Mode,
        transcript: Option<&str>,
    ) -> Result<Option<Confirmed>, RunError> {
        let accused = self.targets[c.accused];
        let queries = script.queries();
        let Some(query) = queries.get(c.check).cloned() else { return Ok(None) };
        let text = accused.print(script, mode);
        let cpu = if c.class.row().slow { self.slowness.patience() } else { self.cpu };
        let outcome = match transcript {
            None => Some(accused.run_cold(&text, mode, cpu, self.cancel)?),
            Some(t) => accused.run_transcript(t, queries.len(), mode, cpu * 10, self.cancel)?,
        };
        let Some(outcome) = outcome else { return Ok(None) };
        let mut own = accused.observe_within(script, &queries, &outcome, EvalLimits::default());
        if transcript.is_none() {
            let sought = (c.class == Class::Crash).then_some(c.check);
            self.meet(c.accused, mode, script, &own, sought);
        }
        if own.len() <= c.check || !c.could_be(&own[c.check]) {
            return Ok(None);
        }
        self.repeated.set(true);
        let mut flat = None;
        if crate::comparable::is_comparable(script, &query) {
            flat = self.flat(script, c.accused, mode, &query)?;
            own[c.check].flat = flat.as_ref().map(|f| f.seen.clone());
        }
        let mut class = c.class;
        if matches!(class, Class::InvalidModel | Class::FalseAlarm) {
            let o = &mut own[c.check];
            // What the script alone gives says nothing of a model that a session keeps back.
            if transcript.is_some() && o.complaint.is_some() && o.model.is_none() {
                return Ok(None);
            }
            let patience = (self.cpu, self.cancel);
            if let Some((mode, seen)) =
                accused.look_unchecked(script, c.check, o, mode, patience)?
            {
                self.meet(c.accused, &mode, script, &seen, None);
            }
            if o.unchecked == Some(ModelVerdict::True) {
                class = Class::FalseAlarm;
            }
            // Where no model is to be had, a checker is believed that ended the process; others are mistaken about divisions by
            // zero.
            let died = matches!(outcome.exit, Some(Exit::Signal(_)));
            let told = matches!(
                o.unchecked,
                Some(ModelVerdict::True | ModelVerdict::False(_) | ModelVerdict::Unspecified(_))
            );
            let unseen = o.complaint.is_some() && o.model.is_none() && !told;
            if unseen && !died && leaves_open(script, &query) {
                return Ok(None);
            }
        }
        if c.class == Class::InvalidCore {
            own[c.check].core_refuted_by = self.refute_core(script, &outcome, c.check)?;
        }
        let implied = match c.class {
            Class::ImplicationIncompleteness => match self.decides_before(c, truth)? {
                None => return Ok(None),
                found => found,
            },
            _ => None,
        };
        let tried = match truth.brute_force {
            Some(false) => Some(Exhausted::Unsat),
            _ => exhaust(script, &query),
        };
        let truth = Truth {
            brute_force: tried.as_ref().map(|t| matches!(t, Exhausted::Sat(_))),
            partial: leaves_open(script, &query),
            ..truth
        };
        let mut seen = vec![own.swap_remove(c.check)];
        let mut outputs = vec![(accused.label.clone(), output(&outcome))];
        // Its own model, for this check or for the same assertions elsewhere.
        let mut witness = None;
        if seen[0].model == Some(ModelVerdict::True) {
            let text = outcome.checks[c.check].model.clone();
            witness = text.map(|text| Witness::Printed(c.accused, text));
        }
        if let Some(f) = &flat
            && f.seen.model == Some(ModelVerdict::True)
            && let Some(text) = f.model.clone()
        {
            witness.get_or_insert(Witness::Printed(c.accused, text));
        }
        if let Some(f) = flat.as_ref().filter(|f| Some(f.seen.answer) != seen[0].answer.decided()) {
            outputs.push((format!("{} flat", accused.label), f.output.clone()));
        }
        if let Some(text) = &c.model {
            let verdict = accused.judge(script, &query, text, EvalLimits::default());
            if verdict == ModelVerdict::True {
                let name = format!("{} on the script with push and pop", accused.label);
                let family = accused.family();
                seen.push(Observation::new(&name, family, Answer::Sat, Some(verdict)));
                witness.get_or_insert(Witness::Printed(c.accused, text.clone()));
            }
        }
        let others = self.targets.iter().enumerate().filter(|(i, _)| *i != c.accused);
        let peers = others.map(|(i, t)| (i, *t));
        let arbiters = self.arbiters.iter().enumerate().map(|(i, t)| (self.targets.len() + i, *t));
        for (n, (i, peer)) in peers.chain(arbiters).enumerate() {
            let settled = implied.is_some()
                || find(&self.diagnose(&seen, truth), &seen[0].solver, class)
                    .is_some_and(|d| d.evidence.grade() == Grade::Proven);
            // Arbiters are asked only when the solvers of the campaign leave it open.
            if n + 1 >= self.targets.len() && settled {
                break;
            }
            if !peer.takes(&Content::of(script)) {
                continue;
            }
            let mut run = self.run(i, script, &Mode::plain())?;
            if c.check >= run.seen.len() {
                continue;
            }
            let one = run.seen.swap_remove(c.check);
            if one.model == Some(ModelVerdict::True)
                && let Some(model) = run.outcome.checks[c.check].model.clone()
            {
                witness.get_or_insert(Witness::Printed(i, model));
            }
            outputs.push((peer.label.clone(), output(&run.outcome)));
            seen.push(one);
        }
        let found = || find(&self.diagnose(&seen, truth), &seen[0].solver, class);
        let Some(diagnosis) = implied.or_else(found) else { return Ok(None) };
        if let (Evidence::FoundModel, Some(Exhausted::Sat(model))) = (&diagnosis.evidence, tried) {
            witness = Some(Witness::Found(model));
        }
        let contradiction = c.class == Class::SelfContradiction;
        Ok(Some(Confirmed {
            diagnosis,
            script: script.clone(),
            text: text.text().to_owned(),
            mode: mode.clone(),
            rate: (1, 1),
            session_dependent: false,
            outcome,
            seen,
            outputs,
            witness,
            flat: flat.filter(|_| contradiction).map(|f| f.text),
            check: c.check,
        }))
    }

    fn diagnose(&self, seen: &[Observation], truth: Truth) -> Vec<Diagnosis> {
        let mut all = diagnose(seen, truth);
        all.extend(self.slowness.diagnose(seen));
        all
    }

    /// In how many of three fresh processes it happens; the first is the one that showed it.
    fn rate(
        &self,
        script: &Script,
        c: &Candidate,
        first: &Confirmed,
    ) -> Result<(u32, u32), RunError> {
        let mut times = 1;
        for _ in 1..RUNS {
            times += u32::from(self.repeats(script, c, &first.mode, first)?);
        }
        Ok((times, RUNS))
    }

    /// Leaves out what is not needed of the mode in which it was seen.
    fn fewer_options(
        &self,
        script: &mut Script,
        truth: Truth,
        c: &Candidate,
        mut found: Confirmed,
    ) -> Result<Confirmed, RunError> {
        let plain = Mode::plain();
        // The default mode was tried before all others.
        let mut simplify = |found: &mut Confirmed, less: Mode| -> Result<bool, RunError> {
            if less == found.mode || less == plain {
                return Ok(false);
            }
            // What is shown less surely is not simpler.
            let worth = |c: &Confirmed| c.diagnosis.evidence.grade();
            let again = self.try_once(script, truth, c, &less)?;
            let again = again.filter(|again| worth(again) >= worth(found));
            Ok(again.map(|again| *found = again).is_some())
        };
        for less in [
            |m: &Mode| Mode { models: true, ..m.clone() },
            |m: &Mode| Mode { cores: false, ..m.clone() },
            |m: &Mode| Mode { self_check: false, ..m.clone() },
            |m: &Mode| Mode { tactic: None, ..m.clone() },
        ] {
            let less = less(&found.mode);
            simplify(&mut found, less)?;
        }
        let mut i = 0;
        while i < found.mode.options.len() {
            let mut less = found.mode.clone();
            less.options.remove(i);
            if !simplify(&mut found, less)? {
                i += 1;
            }
        }
        Ok(found)
    }
}

/// The default mode first; then the one in which it was seen.
fn modes(plain: &Mode, seen: &Mode) -> Vec<Mode> {
    let cold = Mode { push_pop: false, ..seen.clone() };
    if cold == *plain { vec![cold] } else { vec![plain.clone(), cold] }
}

/// The accusation that is asked about, if its evidence may be reported.
fn find(all: &[Diagnosis], solver: &str, class: Class) -> Option<Diagnosis> {
    all.iter()
        .find(|d| d.solver == solver && d.class == class && d.evidence.grade() > Grade::Weak)
        .cloned()
}

/// What a run printed, for people.
pub fn output(o: &Outcome) -> String {
    let mut models = String::new();
    for (k, check) in o.checks.iter().enumerate() {
        for (what, text) in [("model", &check.model), ("core", &check.core)] {
            if let Some(text) = text {
                models += &format!("--- {what} of check {}\n{text}\n", k + 1);
            }
        }
    }
    format!(
        "$ {}\n{}\n{models}--- stderr\n{}\n--- {:?}, {:.3} s CPU, {} MB\n",
        o.command.join(" "),
        o.stdout,
        o.stderr,
        o.exit,
        (o.cpu + o.overhead_cpu).as_secs_f64(),
        o.peak_rss >> 20
    )
}
