//! What is confirmed, made simpler: fewer options, a smaller script, a rate, the names of frames.

use std::time::Duration;

use smelt_smtlib::{Script, is_incremental, parse};
use smelt_solver::{Answer, Mode, RunError, Status};
use smelt_triage::{Evidence, FollowUp, Says, Truth};

use super::{Attempt, Confirmed, Court};
use crate::reproducer::{Scripts, Terms};
use crate::shrink::{Aim, Effort, Given, Reduced, reduce};

/// Fresh processes that a rate is told of.
const RUNS: u32 = 3;
/// Runs of solvers that making a script smaller may cost here: enough to tell bugs apart. More is done with what is kept.
const TESTS: u64 = 90;
/// Time for it.
const TIME: Duration = Duration::from_secs(60);

impl Court<'_> {
    /// Whether the accused does it again; the evidence against it is what `first` found.
    fn repeats(
        &self,
        first: &Confirmed,
        a: &Attempt,
        script: &Script,
        before: Option<&Script>,
    ) -> Result<bool, RunError> {
        let scripts = Scripts { script, transcript: first.transcript(), before };
        let terms = Terms { then: Some(&first.seen[0]), ..self.terms() };
        let shown = first.reproducer.shows(self.panel, a.accused, &scripts, &terms)?;
        Ok(shown.says == Says::Holds)
    }

    /// In how many of three fresh processes it happens; the first is the one that showed it.
    pub(super) fn rate(&self, a: &Attempt, first: &Confirmed) -> Result<(u32, u32), RunError> {
        let mut times = 1;
        for _ in 1..RUNS {
            let before = a.before.as_ref().map(|(s, _)| s);
            times += u32::from(self.repeats(first, a, &a.script, before)?);
        }
        Ok((times, RUNS))
    }

    /// Leaves out what is not needed of the mode in which it was seen.
    pub(super) fn fewer_options(
        &self,
        a: &Attempt,
        truth: Truth,
        mut found: Confirmed,
    ) -> Result<Confirmed, RunError> {
        let plain = Mode::plain();
        // The default mode was tried before all others.
        let simplify = |found: &mut Confirmed, less: Mode| -> Result<bool, RunError> {
            if less == *found.mode() || less == plain {
                return Ok(false);
            }
            // What is shown less surely is not simpler.
            let again =
                self.hear(a, truth, &less)?.filter(|again| again.standing() >= found.standing());
            Ok(again.map(|again| *found = again).is_some())
        };
        for less in [
            |m: &Mode| Mode { models: true, ..m.clone() },
            |m: &Mode| Mode { cores: false, ..m.clone() },
            |m: &Mode| Mode { self_check: false, ..m.clone() },
            |m: &Mode| Mode { tactic: None, ..m.clone() },
        ] {
            let less = less(found.mode());
            simplify(&mut found, less)?;
        }
        let mut i = 0;
        while i < found.mode().options.len() {
            let mut less = found.mode().clone();
            less.options.remove(i);
            if !simplify(&mut found, less)? {
                i += 1;
            }
        }
        // Last what the profile gives to all: the command of a report is then what was run.
        if self.panel.get(a.accused).solver.profile().can_be_bare() && !a.class.row().compares {
            let less = Mode { bare: true, ..found.mode().clone() };
            simplify(&mut found, less)?;
        }
        Ok(found)
    }

    /// A smaller script for the report, if there is one; it must hold on its own, as surely and as often.
    pub(super) fn smaller(
        &self,
        a: &Attempt,
        truth: Truth,
        first: Confirmed,
    ) -> Result<Confirmed, RunError> {
        let row = a.class.row();
        let pair = row.asks(FollowUp::Before);
        if !pair && (!row.shrinks || a.script.queries().len() != 1 || is_incremental(&a.script)) {
            return Ok(first);
        }
        let small = self.reduced(a, &first);
        let truth = if pair {
            // Both are others than the label was given to, but the rule says that it is theirs, too.
            Truth { brute_force: Status::Unknown, ..truth }
        } else {
            Truth {
                brute_force: Status::Unknown,
                witness: truth.witness,
                partial: false,
                // Fewer assertions keep a model; that the whole is unsatisfiable says nothing about a part.
                label: if truth.label.is_sat() { Status::Sat } else { Status::Unknown },
            }
        };
        let Some(small) = small else { return Ok(first) };
        let mode = first.mode().clone();
        let Some(mut found) = self.hear(&small, truth, &mode)? else { return Ok(first) };
        if found.standing() < first.standing() {
            return Ok(first);
        }
        self.name_frames(&mut found)?;
        // What happens more often is worth more than what is smaller.
        found.rate = self.rate(&small, &found)?;
        Ok(if found.rate >= first.rate { found } else { first })
    }

    /// A smaller script, or two related ones, by whole commands and conjuncts.
    fn reduced(&self, a: &Attempt, first: &Confirmed) -> Option<Attempt> {
        let related = a.before.as_ref();
        let given = Given {
            before: related.map(|(s, _)| s),
            parameters: related.map_or(&[], |(_, r)| &r.parameters),
            then: Some(&first.seen[0]),
            ..Given::script(&a.script)
        };
        let effort = Effort {
            time: Some(TIME),
            tests: Some(TESTS),
            aim: Aim::Coarse,
            ..Effort::new(self.cpu, self.cancel)
        };
        let small = reduce(self.panel, a.accused, &first.reproducer, &given, &effort, &mut |_| {});
        let small = small.ok().filter(Reduced::is_smaller)?;
        let before = match (related, small.before) {
            (Some((_, related)), Some(text)) => {
                let script = parse(text.as_bytes()).ok()?;
                Some((script, super::Related { text, ..related.clone() }))
            }
            _ => None,
        };
        // A pair is read anew; one script stays in its arena.
        let foreign = a.foreign || before.is_some();
        Some(Attempt { script: small.script, before, foreign, ..a.clone() })
    }

    /// Names the frames of a crash by a bare signal, if there is a debugger.
    pub(super) fn name_frames(&self, found: &mut Confirmed) -> Result<(), RunError> {
        let Some(crash) = found.seen[0].crash() else { return Ok(()) };
        if !found.class().row().frames || !crash.is_bare() {
            return Ok(());
        }
        found.outcome.crash.get_or_insert_with(|| crash.clone());
        let (accused, mode) = (self.panel.get(found.seen[0].who), found.mode().clone());
        accused.name_frames(&found.text, &mode, &mut found.outcome, self.cpu, self.cancel)?;
        if let Some(crash) = found.outcome.crash.clone().filter(|c| !c.is_bare()) {
            found.reproducer.crash = Some(crash.signature());
            let class = found.class();
            for verdict in found.verdicts.iter_mut().filter(|d| d.class == class) {
                verdict.evidence = Evidence::Observed(crash.to_string());
            }
            match found.seen[0].answer {
                Answer::Crash(_) => found.seen[0].answer = Answer::Crash(crash),
                _ => found.seen[0].late_crash = Some(crash),
            }
        }
        Ok(())
    }
}
