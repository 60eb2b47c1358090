//! What a survey adds up to, solver by solver. Every number can be made again from the rows.

use serde::Serialize;
use smelt_triage::Class;
use smelt_trial::opinion::judged::{Judged, Kind, Ran};

use super::Row;

/// What one solver did in all.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Total {
    /// Its label.
    pub solver: String,
    /// Queries that have a check.
    pub files: u64,
    /// Queries that it decides wholly, and is not known to be wrong on.
    pub solved: u64,
    /// Checks; the answers below add up to them.
    pub checks: u64,
    /// Answers `sat`.
    pub sat: u64,
    /// Answers `unsat`.
    pub unsat: u64,
    /// Answers `unknown`.
    pub unknown: u64,
    /// Checks that a limit of time ended.
    pub timeout: u64,
    /// Checks that the limit of memory ended, or a lack of it.
    pub out_of_memory: u64,
    /// Checks that it refused.
    pub rejected: u64,
    /// Checks in which it crashed.
    pub crash: u64,
    /// Checks with another end: `delta-sat`, output that is no answer, a run that ended before them, or that smelt could not make.
    pub other: u64,
    /// Answers `sat` and `unsat` that are wrong, on strong or proven evidence.
    pub wrong: u64,
    /// Answers `sat` with a model that is wrong, on strong or proven evidence.
    pub bad_model: u64,
    /// Accusations of other classes.
    pub other_faults: u64,
    /// CPU seconds of all runs, the start of processes taken off.
    pub cpu_seconds: f64,
    /// CPU seconds of the starts of processes.
    pub start_seconds: f64,
    /// CPU seconds of what it solves, and twice the limit for each other query.
    pub par2_seconds: f64,
}

/// What all solvers of a survey did, in the order of the panel, with this limit in seconds.
pub fn totals(labels: &[String], rows: &[Row], limit: f64) -> Vec<Total> {
    let of = |(who, label): (usize, &String)| {
        let mut total = Total { solver: label.clone(), ..Total::default() };
        rows.iter().filter_map(Row::judged).for_each(|j| total.add(j, who, limit));
        total
    };
    labels.iter().enumerate().map(of).collect()
}

impl Total {
    fn add(&mut self, judged: &Judged, who: usize, limit: f64) {
        let (checks, Some(run)) = (judged.checks(), judged.runs.get(who)) else { return };
        self.cpu_seconds += run.cpu_seconds;
        self.start_seconds += run.start_seconds;
        if checks == 0 {
            return;
        }
        self.files += 1;
        self.checks += checks as u64;
        for k in 0..checks {
            *self.answers(run.checks.get(k).map_or("", |c| &c.answer)) += 1;
            let of = |is: fn(Class) -> bool| {
                let here = judged.diagnoses.iter().filter(|d| d.check == k && d.who.0 == who);
                here.filter(|d| d.is_reportable() && is(d.class)).count() as u64
            };
            self.wrong += of(is_wrong_answer).min(1);
            self.bad_model += of(|c| c == Class::InvalidModel).min(1);
            self.other_faults += of(|c| c > Class::InvalidModel);
        }
        let solved = solves(judged, who, run);
        self.solved += u64::from(solved);
        self.par2_seconds += if solved { run.cpu_seconds } else { 2.0 * limit };
    }

    /// The count of a kind of answer.
    fn answers(&mut self, kind: &str) -> &mut u64 {
        match kind {
            "sat" => &mut self.sat,
            "unsat" => &mut self.unsat,
            "unknown" => &mut self.unknown,
            "timeout" => &mut self.timeout,
            "out-of-memory" => &mut self.out_of_memory,
            "rejected" | "unsupported" => &mut self.rejected,
            "crash" => &mut self.crash,
            _ => &mut self.other,
        }
    }
}

/// Whether a class says that an answer is wrong, or one of two. (They are ordered, the worst first.)
fn is_wrong_answer(class: Class) -> bool {
    class < Class::InvalidModel
}

/// Whether a solver decides all checks of a query and is accused of no wrong answer or model there.
fn solves(judged: &Judged, who: usize, run: &Ran) -> bool {
    let complete = run.checks.len() == judged.checks() && run.decides();
    let wrong = |class| class <= Class::InvalidModel;
    let mut about = judged.diagnoses.iter().filter(|d| d.who.0 == who && d.is_reportable());
    complete && !about.any(|d| wrong(d.class))
}

/// Queries that one solver alone decides, by solver, in the order of the panel.
pub fn decided_only(solvers: usize, rows: &[Row]) -> Vec<Vec<&Row>> {
    let mut all: Vec<Vec<&Row>> = vec![Vec::new(); solvers];
    for row in rows {
        let Some(judged) = row.judged() else { continue };
        let runs = judged.runs.iter().enumerate();
        let by: Vec<usize> =
            runs.filter(|(who, r)| solves(judged, *who, r)).map(|(who, _)| who).collect();
        if let ([one], true) = (&by[..], solvers > 1) {
            all[*one].push(row);
        }
    }
    all
}

/// Queries whose `:status` is proven wrong.
pub fn mislabelled(rows: &[Row]) -> Vec<&Row> {
    let wrong = |r: &&Row| {
        r.judged().is_some_and(|j| j.conclusions.iter().any(|c| c.kind == Kind::Mislabelled))
    };
    rows.iter().filter(wrong).collect()
}
