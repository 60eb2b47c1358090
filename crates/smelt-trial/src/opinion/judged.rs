//! An opinion as plain data: what is kept, counted and shown of it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use smelt_solver::Outcome;
use smelt_triage::{Class, Complaint, Diagnosis, Grade, ModelVerdict, Observation, TargetId};

use super::{Conclusion, Opinion, Run};

/// What several solvers said of one text, and what follows from it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Judged {
    /// What each solver said, in the order of the panel.
    pub runs: Vec<Ran>,
    /// Who is accused, or suspected, of what.
    pub diagnoses: Vec<Accusation>,
    /// What follows, in words, check by check.
    pub conclusions: Vec<Follows>,
    /// Why smelt cannot read the text, so that no model is judged.
    pub unread: Option<String>,
    /// Other scripts that solvers were asked for and that an accusation is about: whose words, and the script.
    pub beside: Vec<(String, String)>,
}

/// What one solver said.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ran {
    /// Its label.
    pub solver: String,
    /// What it said to each check.
    pub checks: Vec<Said>,
    /// CPU seconds for the text, the start of the process taken off.
    pub cpu_seconds: f64,
    /// CPU seconds of the start of the process.
    pub start_seconds: f64,
    /// Peak resident memory in bytes.
    pub peak_rss: u64,
    /// Commands that were not sent, with how often.
    pub unsent: BTreeMap<String, u32>,
    /// Why it could not be run.
    pub fault: Option<String>,
}

/// What a solver said to one check.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    /// The kind of answer, in one word.
    pub answer: String,
    /// The answer with its details.
    pub detail: String,
    /// What the evaluator says of its model.
    pub model: Option<String>,
    /// Whether its model is true.
    pub true_model: bool,
    /// Why its word does not count.
    pub no_verdict: Option<String>,
}

/// What a solver is accused or suspected of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Accusation {
    /// Which check, from 0.
    pub check: usize,
    /// Which solver: a place in the panel and in [`Judged::runs`].
    pub who: TargetId,
    /// Its label.
    pub solver: String,
    /// Of what.
    pub class: Class,
    /// What the evidence is worth.
    pub grade: Grade,
    /// The evidence, in words.
    pub evidence: String,
}

/// What follows about one check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Follows {
    /// Which check, from 0.
    pub check: usize,
    /// What kind of thing it is.
    pub kind: Kind,
    /// In words.
    pub text: String,
}

/// Kinds of what follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Somebody is accused.
    Accused,
    /// Answers exclude each other, and it is not known who is wrong.
    Disagreement,
    /// Some do not decide what others do.
    Undecided,
    /// The answer is not the text's `:status`.
    AgainstLabel,
    /// The text's `:status` is proven wrong.
    Mislabelled,
}

impl Judged {
    /// Whether anybody is accused on strong or proven evidence.
    pub fn accuses(&self) -> bool {
        self.diagnoses.iter().any(Accusation::is_reportable)
    }

    /// How many checks were answered.
    pub fn checks(&self) -> usize {
        self.runs.iter().map(|r| r.checks.len()).max().unwrap_or(0)
    }

    /// Whether all solvers were run, and nothing follows from what they say.
    pub fn is_plain(&self) -> bool {
        self.conclusions.is_empty() && self.runs.iter().all(|r| r.fault.is_none())
    }

    /// Whether something is wrong: a solver, an answer, the text's `:status`, or smelt could not run or read something. That some do not
    /// decide what others do is not wrong.
    pub fn is_wrong(&self) -> bool {
        self.unread.is_some()
            || self.runs.iter().any(|r| r.fault.is_some())
            || self.conclusions.iter().any(|c| c.kind != Kind::Undecided)
    }
}

impl Accusation {
    /// Whether its evidence may be reported.
    pub fn is_reportable(&self) -> bool {
        self.grade > Grade::Weak
    }
}

impl Ran {
    /// Whether every check was answered by sat or unsat, and there is one.
    pub fn decides(&self) -> bool {
        !self.checks.is_empty() && self.checks.iter().all(Said::decides)
    }
}

impl Said {
    /// Whether it is sat or unsat.
    pub fn decides(&self) -> bool {
        matches!(&*self.answer, "sat" | "unsat")
    }
}

impl From<&Opinion> for Judged {
    fn from(opinion: &Opinion) -> Self {
        let follows = |check| {
            let all = opinion.conclusions(check).into_iter();
            all.map(move |c| Follows { check, kind: Kind::of(&c), text: c.to_string() })
        };
        Self {
            runs: opinion.runs.iter().map(Ran::from).collect(),
            diagnoses: opinion.diagnoses.iter().map(|(k, d)| Accusation::new(*k, d)).collect(),
            conclusions: (0..opinion.checks()).flat_map(follows).collect(),
            unread: opinion.unread.clone(),
            beside: opinion.beside.clone(),
        }
    }
}

impl From<&Run> for Ran {
    fn from(run: &Run) -> Self {
        let nothing = Outcome::default();
        let outcome = run.outcome.as_ref().unwrap_or(&nothing);
        Self {
            solver: run.solver.clone(),
            checks: run.seen.iter().map(Said::from).collect(),
            cpu_seconds: outcome.cpu.as_secs_f64(),
            start_seconds: outcome.overhead_cpu.as_secs_f64(),
            peak_rss: outcome.peak_rss,
            unsent: outcome.unsent.clone(),
            fault: run.outcome.as_ref().err().cloned(),
        }
    }
}

impl From<&Observation> for Said {
    fn from(o: &Observation) -> Self {
        let beside = |c: &Complaint| format!("{} (its own checker says {:?})", o.answer, c.text);
        // Of a process that its checker ended, the answer says it already.
        let complaint = o.complaint.as_ref().filter(|_| o.crash().is_none());
        Self {
            answer: o.answer.kind().to_owned(),
            detail: complaint.map_or_else(|| o.answer.to_string(), beside),
            model: o.model.as_ref().map(ToString::to_string),
            true_model: o.model == Some(ModelVerdict::True),
            no_verdict: o.no_verdict.clone(),
        }
    }
}

impl Accusation {
    fn new(check: usize, d: &Diagnosis) -> Self {
        Self {
            check,
            who: d.who,
            solver: d.solver.clone(),
            class: d.class,
            grade: d.evidence.grade(),
            evidence: d.evidence.to_string(),
        }
    }
}

impl Kind {
    fn of(conclusion: &Conclusion) -> Self {
        match conclusion {
            Conclusion::Accused(_) => Self::Accused,
            Conclusion::Disagreement { .. } => Self::Disagreement,
            Conclusion::Undecided { .. } => Self::Undecided,
            Conclusion::AgainstLabel => Self::AgainstLabel,
            Conclusion::Mislabelled(..) => Self::Mislabelled,
        }
    }
}
