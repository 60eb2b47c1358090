//! What is held against whom in a test, and what comes of it.

use smelt_case::Origin;
use smelt_solver::{Crash, RunError, Status};
use smelt_triage::{Diagnosis, Grade, ModelVerdict, Observation, Says};
use smelt_trial::bench::{Bench, Run};
use smelt_trial::trial::{Held, Trial};

use super::Hand;
use super::pursue::Suspicion;
use crate::policy::{Policy, seed_limit};
use crate::source::{Case, Done, Seen};

impl Hand<'_> {
    /// Looks for contradictions in what solvers have said already; confirms and keeps what can be shown.
    pub(super) fn judge_said(
        &mut self,
        bench: &mut Bench<'_>,
        case: &mut Case<'_>,
    ) -> Result<Done, RunError> {
        let mut done = Done::default();
        let runs = std::mem::take(&mut case.said);
        self.judge(bench, case, &runs, &mut done)?;
        Ok(done)
    }

    /// Looks for contradictions; confirms and keeps what can be shown.
    pub(super) fn judge(
        &mut self,
        bench: &mut Bench<'_>,
        case: &mut Case<'_>,
        runs: &[Run],
        done: &mut Done,
    ) -> Result<(), RunError> {
        let plan = self.engine.plan;
        let before = case.before.zip(case.expected());
        let mut trial = Trial {
            runs,
            before: before.map(|(b, expected)| (expected, &*b.decided_by)),
            truths: &case.truths,
            wanted: &plan.wanted,
            // From one mutant of a chain to the next, other checks have their turn.
            turn: case.step() as usize,
            // A schedule that is frozen does not look at time.
            frozen: plan.config.deterministic,
            script: case.script,
        };
        let mut warm = bench.within(seed_limit(&plan.config));
        let held = trial.judge(&mut warm)?;
        done.cpu += warm.cpu;
        for mut held in held {
            done.seen.extend(held.seen.iter().map(|o| seen(o, held.check)));
            let is_made = !matches!(case.origin.root(), Origin::Seed(_));
            if held.label_refuted && is_made {
                // What rests on the label falls; what is proven stands. Who answered its neighbour otherwise is wrong there, or the rule
                // is, which the court tells apart.
                done.refuted = true;
                self.quarantine(case, held.check, "a true model");
                let settles = |d: &Diagnosis| d.class.row().settles;
                held.diagnoses.retain(|d| d.evidence.grade() == Grade::Proven || settles(d));
            }
            self.pursue_all(bench, case, runs, held, done)?;
        }
        Ok(())
    }

    /// Confirms what is held against solvers in one check.
    fn pursue_all(
        &mut self,
        bench: &Bench<'_>,
        case: &Case<'_>,
        runs: &[Run],
        held: Held,
        done: &mut Done,
    ) -> Result<(), RunError> {
        let Held { check, truth, seen: here, diagnoses, .. } = held;
        for diagnosis in diagnoses {
            let who = diagnosis.who;
            if !self.engine.reports(who, diagnosis.class) {
                continue;
            }
            // The base is no better: nothing that the new one does worse.
            let policy = self.engine.plan.config.policy();
            if policy == Policy::Compare && same_on_base(&here, &diagnosis) {
                self.engine.control.tally().total.same_on_base += 1;
                continue;
            }
            // What an older release has lost, too, is the newest one's affair.
            let decided = |o: &&Observation| o.answer.decided().is_some();
            let newest = here.iter().max_by_key(|o| o.who);
            let lost_for_good = newest.is_some_and(|o| o.who != who && !decided(&o));
            if policy == Policy::Releases && lost_for_good {
                continue;
            }
            let seen = here.iter().find(|o| o.who == who);
            let (Some(seen), Some(run)) = (seen, runs.iter().find(|r| r.who == who)) else {
                continue;
            };
            if diagnosis.is_reportable() {
                done.accused.push((who, diagnosis.class));
            }
            let s = Suspicion { truth, seen, diagnosis, check, run, on: None };
            self.pursue(bench, case, s, done)?;
        }
        Ok(())
    }
}

impl Case<'_> {
    /// What the last answer must be, if that is known: a strategy puts the checks that it does not change before the one that it does.
    pub(super) fn expected(&self) -> Option<Status> {
        Some(self.truths.last()?.label).filter(|s| *s != Status::Unknown)
    }
}

/// What a solver said of a check, in short.
fn seen(o: &Observation, check: usize) -> Seen {
    let model = o.model.as_ref().map(|m| match m {
        _ if m.holds() => Some(true),
        ModelVerdict::False(_) => Some(false),
        _ => None,
    });
    Seen { who: o.who, check, answer: o.answer.kind(), decided: o.answer.decided(), model }
}

/// Whether the base (the first solver) is accused of the same. Of bare signals only frames can tell, which are looked at when
/// a crash is confirmed.
fn same_on_base(here: &[Observation], d: &Diagnosis) -> bool {
    let Some(base) = here.first().filter(|o| o.who != d.who) else { return false };
    let Some(new) = here.iter().find(|o| o.who == d.who) else { return false };
    let bare = |o: &Observation| o.crash().is_some_and(Crash::is_bare);
    let both_bare = d.class.row().frames && bare(base) && bare(new);
    !both_bare && d.class.shown(base, Some(new)) == Says::Holds
}
