//! From a suspicion to a finding: fresh processes, default options if they suffice, peers and arbiters, a smaller script.
//!
//! Nothing is reported from a warm session alone. What cannot be repeated in a fresh process is tried once more as the
//! transcript of its session, again in a fresh process.

mod confirmed;
mod hearing;
mod inquiry;
mod settle;
mod smaller;

pub use self::confirmed::{Confirmed, Witness, output};
pub use crate::follow_up::Met;

use std::cell::{Cell, RefCell};
use std::time::Duration;

use smelt_smtlib::{Script, parse};
use smelt_solver::{Answer, Cancel, Crash, Mode, RunError, Status};
use smelt_triage::{Class, FollowUp, Observation, TargetId, Truth, Wanted};

use crate::follow_up::{Fresh, core};
use crate::panel::Panel;
use crate::reproducer::{Pair, Reproducer, Terms};

/// A suspicion from a warm session.
pub struct Candidate {
    /// Who is suspected.
    pub accused: TargetId,
    /// Of which class of faults it is suspected.
    pub class: Class,
    /// Which check, from 0.
    pub check: usize,
    /// How the accused was run.
    pub mode: Mode,
    /// What the session of the accused was sent.
    pub transcript: String,
    /// What was seen of the check.
    pub seen: Observation,
    /// The model that the accused gave for the check.
    pub model: Option<String>,
    /// The script before the last step, if the two are related.
    pub before: Option<Related>,
}

/// A script from which another one follows, or which follows from it.
#[derive(Clone)]
pub struct Related {
    /// The script before the step.
    pub text: String,
    /// What the answer to both must be.
    pub expected: Status,
    /// The rule of the step.
    pub rule: String,
    /// Parameters of the strategy: which rules there are.
    pub parameters: Vec<String>,
}

/// What came of a suspicion.
pub enum Ruling {
    /// The fault shows in fresh processes: a finding.
    Confirmed(Box<Confirmed>),
    /// This model is one of the stronger script of a step and not of the weaker one: smelt's rule is wrong, and nobody else.
    RuleRefuted(String),
    /// Fresh processes repeat the answers, but nobody can say which is right.
    Unsettled,
    /// The fault does not show in fresh processes.
    Vanished,
}

/// What confirming needs.
pub struct Court<'a> {
    panel: &'a Panel,
    /// CPU time of a fresh run.
    cpu: Duration,
    wanted: &'a Wanted,
    /// Ends every wait.
    cancel: &'a Cancel,
    /// Whether a fresh process did what the candidate is about, whatever can be shown of it.
    repeated: Cell<bool>,
    met: RefCell<Vec<Met>>,
}

/// What is to be shown of a candidate, on which script.
#[derive(Clone)]
struct Attempt {
    accused: TargetId,
    class: Class,
    check: usize,
    mode: Mode,
    transcript: String,
    script: Script,
    /// The crash that was seen, if it is about one.
    crash: Option<Crash>,
    /// A model that the accused gave for a script that implies this one, and which script that is, in words.
    model: Option<(String, &'static str)>,
    before: Option<(Script, Related)>,
    /// Whether the script is not in the arena of the one that came in.
    foreign: bool,
    /// Whether its open values have names that the script which came in does not have.
    totalised: bool,
}

impl Attempt {
    /// Whether this is the crash that was seen, if it is about one.
    fn is_sought(&self, o: &Observation) -> bool {
        match (&self.crash, o.crash()) {
            (Some(seen), Some(now)) => seen.resembles(now),
            _ => true,
        }
    }

    fn reproducer(&self, mode: &Mode, session: bool) -> Reproducer {
        Reproducer {
            class: self.class,
            mode: mode.clone(),
            check: self.check,
            crash: self.crash.as_ref().map(Crash::signature),
            session,
            witness: None,
            reference: None,
            factor: None,
            pair: self
                .before
                .as_ref()
                .map(|(_, r)| Pair { expected: r.expected, rule: r.rule.clone() }),
        }
    }
}

impl<'a> Court<'a> {
    /// A court that asks the solvers of a panel, with so much CPU time for each run.
    pub fn new(panel: &'a Panel, cpu: Duration, wanted: &'a Wanted, cancel: &'a Cancel) -> Self {
        Self { panel, cpu, wanted, cancel, repeated: Cell::new(false), met: RefCell::default() }
    }

    /// Crashes of the solvers under test that were met on the way to something else.
    pub fn met(&self) -> Vec<Met> {
        self.met.take()
    }

    /// Looks whether a candidate holds, and what it is.
    pub fn confirm(
        &self,
        script: &Script,
        truth: Truth,
        c: &Candidate,
    ) -> Result<Ruling, RunError> {
        self.repeated.set(false);
        let row = c.class.row();
        let before =
            c.before.as_ref().and_then(|r| Some((parse(r.text.as_bytes()).ok()?, r.clone())));
        let whole = Attempt {
            accused: c.accused,
            class: c.class,
            check: c.check,
            mode: c.mode.clone(),
            transcript: c.transcript.clone(),
            script: if row.names { core::named(script) } else { script.clone() },
            crash: c.seen.crash().filter(|_| row.ends).cloned(),
            model: None,
            before: before.filter(|_| row.asks(FollowUp::Before)),
            foreign: false,
            totalised: false,
        };
        let mut found = match row.settles {
            false => self.confirm_attempt(&whole, truth)?,
            // It is about two scripts, of which one may be proven to be answered wrongly.
            true if row.asks(FollowUp::Flat) => self.contradiction(&whole, truth, c)?,
            true => match self.clash(&whole, truth)? {
                Ok(found) => found,
                Err(model) => return Ok(Ruling::RuleRefuted(model)),
            },
        };
        if found.is_none() && self.repeated.get() && row.wrong.is_some() {
            found = match self.inquire(&whole, truth)? {
                Ok(found) => found,
                Err(model) => return Ok(Ruling::RuleRefuted(model)),
            };
        }
        if found.is_none() && self.repeated.get() && row.checker.is_some() {
            found = self.checker_abort(&whole, truth, c)?;
        }
        Ok(match found {
            Some(found) => Ruling::Confirmed(Box::new(found)),
            None if self.repeated.get() => Ruling::Unsettled,
            None => Ruling::Vanished,
        })
    }

    /// Where the accused's own checker ends the process, and nobody can say whether it does so rightly: the end itself is the fault.
    fn checker_abort(
        &self,
        whole: &Attempt,
        truth: Truth,
        c: &Candidate,
    ) -> Result<Option<Confirmed>, RunError> {
        let Answer::Crash(crash) = &c.seen.answer else { return Ok(None) };
        // What only a session shows is no end that a user meets.
        let crash = Some(crash.clone());
        self.confirm_same(
            &Attempt { class: Class::Crash, crash, transcript: String::new(), ..whole.clone() },
            truth,
        )
    }

    /// Confirms one accusation on one script.
    fn confirm_attempt(&self, a: &Attempt, truth: Truth) -> Result<Option<Confirmed>, RunError> {
        let found = self.confirm_same(a, truth)?;
        if found.is_some() || a.crash.is_none() {
            return Ok(found);
        }
        // A crash may look otherwise in a fresh process; and another one is a finding, too.
        self.confirm_same(&Attempt { crash: None, ..a.clone() }, truth)
    }

    /// Confirms one accusation; a crash must be the one that was seen, if that is known.
    fn confirm_same(&self, a: &Attempt, truth: Truth) -> Result<Option<Confirmed>, RunError> {
        let row = a.class.row();
        // Who is slower or less complete than another is told in one mode for both.
        let modes = if row.compares { vec![Mode::plain()] } else { modes(&a.mode) };
        for mode in modes {
            let Some(first) = self.hear(a, truth, &mode)? else { continue };
            let mut first = self.fewer_options(a, truth, first)?;
            self.name_frames(&mut first)?;
            // A minute of waiting is not spent three times, nor a script shrunk by it.
            if !row.slow {
                first.rate = self.rate(a, &first)?;
                first = self.smaller(a, truth, first)?;
            }
            return Ok(Some(first));
        }
        // Only in a session that ran other scripts before?
        if a.transcript.is_empty() || !(row.ends || row.in_sessions) {
            return Ok(None);
        }
        let Some(mut found) = self.hear_session(a, truth)? else { return Ok(None) };
        found.rate = self.rate(a, &found)?;
        self.name_frames(&mut found)?;
        Ok(Some(found))
    }

    fn fresh(&self) -> Fresh<'_> {
        Fresh { panel: self.panel, cpu: self.cpu, cancel: self.cancel, met: Some(&self.met) }
    }

    fn terms(&self) -> Terms<'_> {
        Terms::new(self.cpu, self.cancel)
    }
}

/// The default mode first; then the one in which it was seen.
fn modes(seen: &Mode) -> Vec<Mode> {
    let plain = Mode { logic: seen.logic.clone(), ..Mode::plain() };
    let cold = Mode { push_pop: false, ..seen.clone() };
    if cold == plain { vec![cold] } else { vec![plain, cold] }
}
