//! A suspicion that fresh processes repeat.

use std::cmp::Reverse;

use smelt_eval::Model;
use smelt_smtlib::Script;
use smelt_solver::{Mode, Outcome};
use smelt_triage::{Class, Diagnosis, Grade, Observation, TargetId};

use crate::reproducer::Reproducer;

/// A candidate that fresh processes repeat.
pub struct Confirmed {
    /// How to look for it again.
    pub reproducer: Reproducer,
    /// What the accused is accused of on this check with evidence that may be reported, the worst class first. What was confirmed is among
    /// them, and the reproducer looks for that.
    pub verdicts: Vec<Diagnosis>,
    /// The script.
    pub script: Script,
    /// Whether that is in an arena of its own, not in that of the script that came in.
    pub foreign: bool,
    /// Whether its open values have names that the script which came in does not have.
    pub totalised: bool,
    /// The text that the accused gets.
    pub text: String,
    /// Times it happened, runs.
    pub rate: (u32, u32),
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
    /// The script before the step, if it is about both.
    pub before: Option<String>,
    /// The script with the values of the model that the accused gave, if it is about both.
    pub values: Option<String>,
}

impl Confirmed {
    /// The worst accusation, with the evidence of the fresh runs.
    pub fn diagnosis(&self) -> &Diagnosis {
        &self.verdicts[0]
    }

    /// How bad it is, and how sure: the larger, the worse and the surer.
    pub(super) fn standing(&self) -> (Reverse<Class>, Grade) {
        let worst = self.diagnosis();
        (Reverse(worst.class), worst.evidence.grade())
    }

    /// The class of the fault that was confirmed, which need not be the worst one.
    pub fn class(&self) -> Class {
        self.reproducer.class
    }

    /// How the accused must be run.
    pub fn mode(&self) -> &Mode {
        &self.reproducer.mode
    }

    /// Which check, from 0.
    pub fn check(&self) -> usize {
        self.reproducer.check
    }

    /// The transcript, if it happens only after other scripts in one process.
    pub fn transcript(&self) -> Option<&str> {
        self.reproducer.session.then_some(self.text.as_str())
    }
}

/// A model that the evaluator finds true of a script.
pub enum Witness {
    /// A solver's: its text.
    Printed(TargetId, String),
    /// smelt's own, of the script of the finding.
    Found(Model),
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
    let end = o.exit.map_or("ended with its session".to_owned(), |exit| exit.to_string());
    format!(
        "$ {}\n{}\n{models}--- stderr\n{}\n--- {end}, {:.3} s CPU (its start {:.3} s), {} MB\n",
        o.command.join(" "),
        o.stdout,
        o.stderr,
        (o.cpu + o.overhead_cpu).as_secs_f64(),
        o.overhead_cpu.as_secs_f64(),
        o.peak_rss >> 20
    )
}
