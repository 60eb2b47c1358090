//! Making failing scripts smaller: what is smaller is the reducer's to say; here it is found out whether the fault still shows.
//!
//! Cheap before dear: the evaluator first, because a candidate that no witness satisfies needs no solver; a warm session, which
//! rejects most; a fresh process for each step that is taken. What is met on the way and is another fault is kept apart.

mod budget;
mod command;
mod evidence;
mod generic;
mod ground;
mod judge;
mod pair;
mod session;
mod suspicion;

use std::sync::Arc;
use std::time::Duration;

use smelt_reduce::{
    COARSE, ENLARGING, HIDING, Original, PASSES, Reducible, Search, Style, Subject, Witness,
};
use smelt_smtlib::{LogicChoice, PrintOptions, Script, parse, print};
use smelt_solver::{Cancel, Crash, Mode, RunError, Status};
use smelt_triage::{Class, FollowUp, Observation, Says, TargetId};

use self::budget::Budget;
pub use self::budget::{Counts, Progress, Stopped};
pub use self::command::{CommandTest, Compare, Slower, code};
use self::evidence::Need;
pub use self::generic::{Generic, Smaller, Test, generic};
use self::ground::Ground;
use self::judge::{Fault, NativeJudge};
pub use self::suspicion::suspicion;
use crate::panel::Panel;
use crate::reproducer::{Reproducer, Scripts, Shown, Terms};
use crate::target::logic_of;

/// What is to be made smaller.
pub struct Given<'a> {
    /// The script.
    pub script: &'a Script,
    /// The script before it, if the fault is about both.
    pub before: Option<&'a Script>,
    /// Parameters of the strategy that led from one to the other: which rules there are.
    pub parameters: &'a [String],
    /// All that a session was sent, if it takes that.
    pub transcript: Option<&'a str>,
    /// What was seen of the accused when the fault was found, if that is at hand.
    pub then: Option<&'a Observation>,
}

impl<'a> Given<'a> {
    /// A script, and nothing else.
    pub fn script(script: &'a Script) -> Self {
        Self { script, before: None, parameters: &[], transcript: None, then: None }
    }
}

/// What is aimed at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// Only whole commands and conjuncts, which is enough to tell bugs apart.
    Coarse,
    /// As small as it goes.
    Smallest,
    /// As small as it goes by all passes, then without the names, texts and numbers of the original.
    Anonymous,
}

/// How much is spent.
#[derive(Clone, Copy)]
pub struct Effort<'a> {
    /// CPU time of one run.
    pub cpu: Duration,
    /// Time of all of it: the best so far is kept then.
    pub time: Option<Duration>,
    /// Runs of solvers.
    pub tests: Option<u64>,
    /// Candidates at a time.
    pub threads: usize,
    /// Fresh processes in one of which a fault must show: what does not always show needs more than one.
    pub votes: u32,
    /// Ends it: the best so far is kept.
    pub cancel: &'a Cancel,
    /// How far it goes.
    pub aim: Aim,
    /// Called between runs: it may sleep, which is not counted as time.
    pub pause: &'a (dyn Fn() + Sync),
}

impl<'a> Effort<'a> {
    /// One thread, one vote, and no end but that nothing smaller is found.
    pub fn new(cpu: Duration, cancel: &'a Cancel) -> Self {
        Self {
            cpu,
            time: None,
            tests: None,
            threads: 1,
            votes: 1,
            cancel,
            aim: Aim::Smallest,
            pause: &|| {},
        }
    }
}

/// A smaller script on which the fault shows.
pub struct Reduced {
    /// The script.
    pub script: Script,
    /// Its text, under the standard's names and with the smallest logic, or the one that the fault needs.
    pub text: String,
    /// The script before it, if the fault is about both.
    pub before: Option<String>,
    /// What a session is sent, if it takes that.
    pub transcript: Option<String>,
    /// How to look for the fault: the check, the witness and the options are those of the smaller script.
    pub reproducer: Reproducer,
    /// Other faults that were met on the way, each once.
    pub also_found: Vec<AlsoFound>,
    /// How many bytes were left after how many runs of solvers.
    pub curve: Vec<(u64, usize)>,
    /// What was tried.
    pub tests: Counts,
    /// Why it ended before nothing smaller was found any more.
    pub stopped: Option<Stopped>,
    /// Words of the original that are left, where they were to go.
    pub left: Option<Vec<String>>,
}

impl Reduced {
    /// Whether it is smaller than what was given: a detour may have been in vain.
    pub fn is_smaller(&self) -> bool {
        self.curve
            .first()
            .is_some_and(|&(_, from)| self.curve.iter().any(|&(_, bytes)| bytes < from))
    }
}

/// Another fault than the one that is reduced, seen in a fresh process.
pub struct AlsoFound {
    /// Of which class.
    pub class: Class,
    /// In which script.
    pub script: Script,
    /// In which check of it.
    pub check: usize,
    /// How the solver was run.
    pub mode: Mode,
    /// The crash, if it is one.
    pub crash: Option<Crash>,
    /// What was seen, for people.
    pub what: String,
}

/// Why nothing was reduced.
#[derive(Debug)]
pub enum NotReduced {
    /// The fault does not show in a fresh process: what was seen instead.
    DoesNotShow(String),
    /// It shows, but nothing proves it wrong.
    NoEvidence(String),
    /// It is about several scripts, which are to lose the same words.
    Together,
    /// A solver could not be run.
    Run(RunError),
}

impl From<RunError> for NotReduced {
    fn from(e: RunError) -> Self {
        Self::Run(e)
    }
}

impl std::fmt::Display for NotReduced {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::DoesNotShow(what) => write!(f, "the fault does not show: {what}"),
            Self::NoEvidence(what) => write!(f, "nothing proves the answer wrong: {what}"),
            Self::Together => f.write_str(
                "it is about several scripts that belong together, of which smelt cannot change the words; nothing is anonymised",
            ),
            Self::Run(e) => write!(f, "{e}"),
        }
    }
}

impl std::error::Error for NotReduced {}

/// Makes a script smaller on which a solver of a panel shows a fault. Whoever else is in the panel may be asked for models and answers.
pub fn reduce(
    panel: &Panel,
    who: TargetId,
    reproducer: &Reproducer,
    given: &Given<'_>,
    effort: &Effort<'_>,
    watch: &mut dyn FnMut(&Progress),
) -> Result<Reduced, NotReduced> {
    let mut reproducer = reproducer.clone();
    let shows = |reproducer: &Reproducer| {
        let scripts =
            Scripts { script: given.script, transcript: given.transcript, before: given.before };
        let terms = Terms { then: given.then, ..Terms::new(effort.cpu, effort.cancel) };
        reproducer.shows(panel, who, &scripts, &terms)
    };
    let shown = seen_at_first(effort, || shows(&reproducer))?;
    fewer_options(&mut reproducer, effort, &shows)?;
    let then = given.then.cloned().or(shown.seen);
    let row = reproducer.class.row();
    let budget = Budget::new(effort, watch);
    if reproducer.session || row.asks(FollowUp::Before) {
        if effort.aim == Aim::Anonymous {
            return Err(NotReduced::Together);
        }
        let ground = Ground { panel, who, reproducer, given, effort };
        return match ground.reproducer.session {
            true => session::reduce(ground, budget),
            false => pair::reduce(ground, budget),
        };
    }
    let style = Style { logic: logic_of(&reproducer.mode), ..Style::default() };
    // In an arena of its own, which some passes change; and what is printed is what is meant.
    let own = || {
        parse(plain(given.script).as_bytes())
            .map_err(|e| NotReduced::DoesNotShow(format!("smelt cannot read what it prints: {e}")))
    };
    let coarse = effort.aim == Aim::Coarse;
    let script = if coarse { given.script.clone() } else { own()? };
    let original = (effort.aim == Aim::Anonymous)
        .then(|| Arc::new(Original::of_script(&script, &whole(&script))));
    let need = match row.wrong {
        // Fewer assertions keep every model.
        Some(Status::Unsat) if coarse => Need::Nothing,
        _ => Need::of(panel, who, &reproducer, &script, effort)?,
    };
    let witness = need.witness().map(Witness::read);
    let subject = Subject::new(script, Some(reproducer.check), witness, style);
    let fault = Fault::new(panel, who, &reproducer, need, then, effort);
    let mut judge = NativeJudge::new(&fault, budget, &subject)?;
    let search = Search::new(subject, &mut judge);
    let mut best = if coarse { search.run(COARSE, &[]) } else { search.run(PASSES, ENLARGING) };
    if let Some(original) = &original {
        best = Search::new(best.hiding(original.clone()), &mut judge).run(HIDING, &[]);
    }
    let budget = judge.finish();
    reproducer.check = best.check.unwrap_or(0);
    if let Some(witness) = &best.witness {
        reproducer.witness = Some(witness.text(&best.script));
    }
    let left = original.map(|o| {
        let witness = reproducer.witness.as_deref().unwrap_or_default();
        o.left_in(&format!("{}\n{witness}", best.text()))
    });
    Ok(Reduced {
        left,
        text: best.text().to_owned(),
        script: best.script,
        before: None,
        transcript: None,
        reproducer,
        also_found: fault.also_found(),
        curve: budget.curve,
        tests: budget.counts,
        stopped: budget.stopped,
    })
}

/// What shows the fault before anything is changed, in one of as many runs as there are votes.
fn seen_at_first(
    effort: &Effort<'_>,
    shows: impl Fn() -> Result<Shown, RunError>,
) -> Result<Shown, NotReduced> {
    let mut shown = shows()?;
    for _ in 1..effort.votes {
        if shown.says != Says::Holds {
            shown = shows()?;
        }
    }
    match shown.says {
        Says::Holds => Ok(shown),
        _ => Err(NotReduced::DoesNotShow(shown.what)),
    }
}

/// Whether a change of a mode is worth trying, and the change.
type Change = (bool, fn(&mut Mode));

/// Leaves out what the mode asks for and the fault shows without, then options, halves of them first.
fn fewer_options(
    reproducer: &mut Reproducer,
    effort: &Effort<'_>,
    shows: &dyn Fn(&Reproducer) -> Result<Shown, RunError>,
) -> Result<(), RunError> {
    let row = reproducer.class.row();
    // Where a model may excuse the answer it must be asked for.
    let models = row.ends || row.wrong == Some(Status::Unsat);
    let changes: [Change; 6] = [
        (reproducer.mode.logic.is_some() && !row.compares, |m| m.logic = None),
        (reproducer.mode.tactic.is_some(), |m| m.tactic = None),
        (reproducer.mode.self_check && row.checker.is_none(), |m| m.self_check = false),
        (reproducer.mode.cores && !row.names, |m| m.cores = false),
        (reproducer.mode.push_pop, |m| m.push_pop = false),
        (reproducer.mode.models && models, |m| m.models = false),
    ];
    let session = reproducer.session;
    for (_, change) in changes.iter().filter(|(may, _)| *may && !session) {
        let mut less = reproducer.clone();
        change(&mut less.mode);
        if !effort.cancel.is_cancelled() && shows(&less)?.says == Says::Holds {
            *reproducer = less;
        }
    }
    let mut size = reproducer.mode.options.len();
    while size > 0 {
        let mut at = 0;
        while at < reproducer.mode.options.len() && !effort.cancel.is_cancelled() {
            let mut less = reproducer.clone();
            let end = (at + size).min(less.mode.options.len());
            less.mode.options.drain(at..end);
            if shows(&less)?.says == Says::Holds {
                *reproducer = less;
            } else {
                at += size;
            }
        }
        size /= 2;
    }
    Ok(())
}

/// A script as it is compared and kept: under the standard's names, with the smallest logic.
pub fn plain(script: &Script) -> String {
    let logic = LogicChoice::Smallest;
    print(script, &PrintOptions { logic, strip_status: true, ..PrintOptions::default() })
}

/// A script with all that it has, remarks as well.
fn whole(script: &Script) -> String {
    print(script, &PrintOptions { logic: LogicChoice::Keep, ..PrintOptions::default() })
}
