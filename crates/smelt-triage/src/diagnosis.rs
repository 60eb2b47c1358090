//! From what several solvers said about one check to who is wrong.

use std::cmp::Reverse;
use std::fmt;
use std::time::Duration;

use smelt_solver::profile::independent;
use smelt_solver::{Answer, Checked, Crash, CrashKind, SignalMeaning, Status, signal_meaning};

use crate::class::{Class, Says};
use crate::evidence::{Evidence, Grade};
use crate::judge::ModelVerdict;
use crate::oracle::{Facts, ORACLES, Wanted};
use crate::target_id::TargetId;

/// What one solver said about one check.
#[derive(Clone, Debug)]
pub struct Observation {
    /// Who said it.
    pub who: TargetId,
    /// Its name and version, for people.
    pub solver: String,
    /// Solvers of one family are not independent of each other.
    pub family: String,
    /// Nor are those that have a library in common which works on this script.
    pub shared: Vec<String>,
    /// The answer.
    pub answer: Answer,
    /// What the evaluator says of its model, if it gave one.
    pub model: Option<ModelVerdict>,
    /// What came of running its unsat core alone.
    pub core: Option<CoreVerdict>,
    /// What one of the solver's own checkers complained about.
    pub complaint: Option<Complaint>,
    /// What the evaluator says of the model that it gives where its checker is off, if that kept the model back.
    pub unchecked: Option<ModelVerdict>,
    /// What the same solver says of the same check without push and pop.
    pub flat: Option<Flat>,
    /// What it says to a script that this one implies or is implied by.
    pub before: Option<Before>,
    /// What solvers say of the script with the values of its model.
    pub pinned: Option<Pinned>,
    /// What the solver says now that has the answer which this one lacks.
    pub reference: Option<Reference>,
    /// How the process ended behind the answer, if it crashed there, and not by its own checker.
    pub late_crash: Option<Crash>,
    /// Whether its `unknown` comes with a reason that nobody is blamed for: a limit, or a feature that it does not claim to have.
    pub excused: bool,
    /// CPU time, start-up not included.
    pub cpu: Duration,
    /// Why what it says of this script counts neither against it nor against others: a caveat of its profile. Only a model that is
    /// true counts, whoever gave it.
    pub no_verdict: Option<String>,
}

/// What a solver's own checker says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// What is wrong, if the checker is right.
    pub about: Checked,
    /// In its words.
    pub text: String,
}

/// What solvers say of an unsat core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CoreVerdict {
    /// This one found a model of it that the evaluator finds true.
    RefutedBy(String),
    /// Somebody finds it unsatisfiable, and nobody knows better.
    Stands,
    /// Nobody decides it.
    Open,
}

/// What a solver says of a check of a script with push and pop, if it is given that check alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flat {
    /// The answer.
    pub answer: Status,
    /// What the evaluator says of its model, if it gave one.
    pub model: Option<ModelVerdict>,
}

/// What a solver says of another script, and what the relation of the two says about both: a satisfiable script becomes weaker by a
/// step, an unsatisfiable one stronger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Before {
    /// The answer.
    pub answer: Answer,
    /// What the answer to both scripts must be.
    pub expected: Status,
    /// Which script it is, in words.
    pub what: String,
    /// Whether the relation holds in every theory, as of a script and some of its assertions; else by a proved rule.
    pub universal: bool,
}

/// What solvers say of a script with the values of a model asserted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pinned {
    /// The answer of whoever gave the model, if it gives the same model again in the logic in which it was asked this.
    pub own: Option<Status>,
    /// What others say.
    pub others: Vec<Voice>,
}

/// What one solver says of another script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Voice {
    /// Its name and version, for people.
    pub solver: String,
    /// Its family.
    pub family: String,
    /// Libraries that it shares with other families and that work on the script.
    pub shared: Vec<String>,
    /// The answer.
    pub answer: Status,
    /// Whether it comes with a model that smelt's evaluator finds true.
    pub proven: bool,
}

impl Pinned {
    /// Who has a model with these values that smelt's evaluator finds true: then the values are right.
    pub fn proven_by(&self) -> Option<&Voice> {
        self.others.iter().find(|v| v.proven)
    }

    /// Whether somebody finds a model with these values, and nobody says that there is none.
    pub fn stands(&self) -> bool {
        let said = |s| self.own == Some(s) || self.others.iter().any(|v| v.answer == s);
        self.proven_by().is_some() || said(Status::Sat) && !said(Status::Unsat)
    }
}

/// What the solver says that is held against another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// Its name and version, for people.
    pub solver: String,
    /// The answer; `None` if it cannot be asked.
    pub answer: Option<Status>,
    /// Whether it takes so little time that the accused still takes the given number of times as long.
    pub in_time: bool,
}

impl Before {
    /// Whether it decides the script before the step as it must.
    pub fn as_expected(&self) -> bool {
        self.answer.decided() == Some(self.expected)
    }
}

impl Observation {
    /// An answer with nothing beside it.
    pub fn new(
        who: TargetId,
        solver: &str,
        family: &str,
        answer: Answer,
        model: Option<ModelVerdict>,
    ) -> Self {
        Self {
            who,
            solver: solver.to_owned(),
            family: family.to_owned(),
            shared: Vec::new(),
            answer,
            model,
            core: None,
            complaint: None,
            unchecked: None,
            flat: None,
            before: None,
            pinned: None,
            reference: None,
            late_crash: None,
            excused: false,
            cpu: Duration::ZERO,
            no_verdict: None,
        }
    }

    /// Whether its answer counts for what others are held to: no caveat is about it, or its model is true.
    pub fn counts(&self) -> bool {
        self.no_verdict.is_none() || self.model == Some(ModelVerdict::True)
    }

    /// Whether its lack of an answer counts: there is no excuse, and its reference, if it was asked, has the answer.
    pub(crate) fn lacks_what_reference_has(&self) -> Says {
        match &self.reference {
            _ if self.excused => Says::Open,
            None => Says::Holds,
            Some(Reference { answer: None, .. }) => Says::Open,
            Some(Reference { answer: Some(Status::Unknown), .. }) => Says::DoesNot,
            Some(r) => Says::from(r.in_time),
        }
    }

    /// Who says that there is no model with the values of its model, if these are two independent families at least and nobody finds
    /// one. Its own word counts against it, and so does that of its own checker.
    pub fn values_are_refused(&self) -> Option<Vec<String>> {
        let p = self.pinned.as_ref()?;
        let doubts = p.own == Some(Status::Unsat) || self.complains_of(Class::InvalidModel);
        let own = doubts.then_some((&self.solver, &self.family, &self.shared));
        let others = p.others.iter().filter(|v| v.answer == Status::Unsat);
        let others = others.map(|v| (&v.solver, &v.family, &v.shared));
        let voices: Vec<_> = own.into_iter().chain(others).collect();
        let found = p.own == Some(Status::Sat) || p.others.iter().any(|v| v.answer == Status::Sat);
        let families = voices.iter().map(|(_, family, shared)| (family.as_str(), &shared[..]));
        let enough = independent(families) >= 2;
        (enough && !found).then(|| voices.into_iter().map(|(who, ..)| who.clone()).collect())
    }

    /// Who has a true model with the values of its model, if the evaluator leaves that open.
    pub fn completed(&self) -> Option<&str> {
        let open = self.model.as_ref().is_some_and(ModelVerdict::is_open);
        self.pinned.as_ref().filter(|_| open)?.proven_by().map(|v| v.solver.as_str())
    }

    /// Whether its own checker accuses it of this, be it wrongly.
    pub fn complains_of(&self, class: Class) -> bool {
        let checker = class.row().checker;
        self.complaint.as_ref().is_some_and(|c| Some(c.about) == checker)
    }

    /// The crash that was seen in the place of the answer or behind it; a fault of something else is none.
    pub fn crash(&self) -> Option<&Crash> {
        let crash = match &self.answer {
            Answer::Crash(crash) => Some(crash),
            _ => self.late_crash.as_ref(),
        };
        crash.filter(|c| !is_fault(c))
    }

    /// The crash that was seen in the place of the answer or behind it, unless the solver's own checker ended the process.
    pub fn own_crash(&self) -> Option<&Crash> {
        self.crash().filter(|_| self.late_crash.is_some() || self.complaint.is_none())
    }
}

/// What is known about a check without any solver.
#[derive(Clone, Copy, Debug, Default)]
pub struct Truth {
    /// By exhausting a finite domain, or all cases.
    pub brute_force: Status,
    /// The mutant was made with a model that the evaluator finds true.
    pub witness: bool,
    /// The check has operators that are partial: what they give outside of their domains is left open by the standard.
    pub partial: bool,
    /// What a label says: the script's own, or the seed's with a rule that keeps it.
    pub label: Status,
}

/// One accusation (or, with weak evidence, one suspicion).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnosis {
    /// Who.
    pub who: TargetId,
    /// Its name and version, for people.
    pub solver: String,
    /// Of what.
    pub class: Class,
    /// How it is known.
    pub evidence: Evidence,
    /// Whose answer the accused lacks, if it is held against another.
    pub reference: Option<TargetId>,
}

impl Diagnosis {
    /// An accusation of whoever was seen.
    pub fn new(seen: &Observation, class: Class, evidence: Evidence) -> Self {
        Self { who: seen.who, solver: seen.solver.clone(), class, evidence, reference: None }
    }

    /// Whether its evidence may be reported.
    pub fn is_reportable(&self) -> bool {
        self.evidence.grade() > Grade::Weak
    }
}

impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} ({}: {})", self.solver, self.class, self.evidence.grade(), self.evidence)
    }
}

/// Whether a process ended for what is not in the solver: it could not be started, or somebody else ended it.
pub fn is_fault(crash: &Crash) -> bool {
    match &crash.kind {
        // What a shell says of a program that it cannot run or find, and a loader of missing libraries.
        CrashKind::FatalExit(code) => matches!(code, 126 | 127),
        CrashKind::Signal { signal, .. } => signal_meaning(*signal) != SignalMeaning::Crash,
        _ => false,
    }
}

/// Who is wrong, with the strongest evidence for each accusation. What is said wrongly comes before what is not said, then the best
/// proven, then the worst class.
pub fn diagnose(seen: &[Observation], truth: Truth, wanted: &Wanted) -> Vec<Diagnosis> {
    let facts = Facts::new(seen, truth, wanted);
    let mut out: Vec<Diagnosis> = ORACLES.iter().flat_map(|o| (o.judge)(&facts)).collect();
    let key = |d: &Diagnosis| (d.class.row().compares, Reverse(d.evidence.grade()), d.class);
    out.sort_by_key(key);
    out
}

/// Whether what smelt expected is itself refuted by what it can prove: then the label or the rule behind it is wrong, nobody
/// is accused on its ground, and the seed must not be used any more.
pub fn label_refuted(seen: &[Observation], truth: Truth) -> bool {
    label_refutation(seen, truth).is_some()
}

/// What proves that the label of a check is wrong, if something does.
pub fn label_refutation(seen: &[Observation], truth: Truth) -> Option<Evidence> {
    match truth.label {
        Status::Unsat => Facts::new(seen, truth, &Wanted::default()).proof_of_sat,
        Status::Sat => (truth.brute_force == Status::Unsat).then_some(Evidence::BruteForce),
        Status::Unknown => None,
    }
}

#[cfg(test)]
mod tests;
