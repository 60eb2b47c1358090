//! One case: printed, given to the solvers, and what they said counted.

use std::time::Duration;

use smelt_smtlib::{Script, alpha_equal, parse};
use smelt_solver::Mode;
use smelt_solver::{Answer, RunError};
use smelt_triage::{TargetId, is_fault};
use smelt_trial::bench::{Bench, Moment, Run};
use smelt_trial::content::Content;
use smelt_trial::follow_up::core;
use smelt_trial::shrink::plain;
use smelt_trial::trial::seconds;

use super::Hand;
use crate::engine::Engine;
use crate::facts::Lesson;
use crate::policy::Policy;
use crate::source::{Case, Done};
use crate::tally::bump;

/// Mutants that grow beyond this are not worth their time.
const MAX_TEXT: usize = 64 << 10;
/// Every so many tests, a mutant is parsed again and compared.
const REPRINT_EVERY: u64 = 256;

/// What became of a case that was to be given to a solver.
enum Given {
    /// The solver was given the case, and this came of it.
    Run(Box<Run>),
    /// The solver has answered it in an earlier run.
    Remembered(Box<Run>),
    /// The case is too large to be given to anybody.
    TooLarge,
    /// The solver does not have what is in it.
    Untaken,
    /// The solver has refused such scripts.
    HeldBack,
}

impl Hand<'_> {
    /// Gives one case to the solvers and judges what they say.
    pub(super) fn test(
        &mut self,
        bench: &mut Bench<'_>,
        case: &mut Case<'_>,
        who: &[(TargetId, Mode)],
        limit: Duration,
    ) -> Result<Done, RunError> {
        self.tests += 1;
        if self.tests.is_multiple_of(REPRINT_EVERY) {
            self.reprint(case.script);
        }
        let mut done = Done::default();
        let mut runs: Vec<Run> = Vec::new();
        let mut refused = 0;
        let mut held_back = false;
        let content = Content::of(case.script);
        for (t, mode) in who {
            let given = self.give(bench, case, &content, (*t, mode), limit)?;
            done.remembered += u64::from(matches!(given, Given::Remembered(_)));
            match given {
                Given::Run(run) | Given::Remembered(run) => {
                    refused += usize::from(self.count_run(case, &content, &run, limit, &mut done));
                    runs.push(*run);
                }
                Given::TooLarge => return Ok(Done { too_large: true, ..done }),
                Given::Untaken => drop(done.said.insert(*t, "not-sent")),
                Given::HeldBack => {
                    done.said.insert(*t, "held-back");
                    held_back = true;
                }
            }
        }
        self.ask_older(bench, case, &content, limit, &mut runs, &mut done)?;
        // A refused term stays in the chain: another chain is better.
        done.useless = held_back || refused == runs.len();
        self.judge(bench, case, &runs, &mut done)?;
        if case.related {
            done.text = Some(plain(case.script));
        }
        Ok(done)
    }

    /// Gives a case to one solver, in its own words.
    fn give(
        &mut self,
        bench: &mut Bench<'_>,
        case: &Case<'_>,
        content: &Content,
        (who, mode): (TargetId, &Mode),
        limit: Duration,
    ) -> Result<Given, RunError> {
        let Engine { plan, facts, log, remembered, .. } = self.engine;
        let target = plan.panel.get(who);
        let sent = if let Some(text) = case.text {
            target.sent(text, mode)
        } else if mode.cores && target.has_cores {
            target.print(&core::named(case.script), mode)
        } else if case.apart || mode.logic.is_some() {
            target.print(case.script, mode)
        } else {
            target.sent(self.printers[who.0].print(case.script), mode)
        };
        if sent.text().len() > MAX_TEXT {
            return Ok(Given::TooLarge);
        }
        if !target.takes(content) {
            return Ok(Given::Untaken);
        }
        if facts.holds_back(who, content) {
            return Ok(Given::HeldBack);
        }
        let key = remembered.map(|r| (r, r.key(target, mode, sent.text())));
        if let Some(outcome) = key.as_ref().and_then(|(r, key)| r.answer(key)) {
            let moment = Moment::default();
            return Ok(Given::Remembered(Box::new(Run {
                who,
                mode: mode.clone(),
                outcome,
                moment,
            })));
        }
        let run = bench.run_in_session(who, mode, &sent, limit)?;
        if let Some((remembered, key)) = key {
            remembered.keep(key, &run.outcome);
        }
        if let Some(log) = log {
            log.note(case.origin, &target.label, sent.text(), &run.outcome);
        }
        Ok(Given::Run(Box::new(run)))
    }

    /// Counts what a solver said, and lets it be learned from; true if the solver refuses the script.
    fn count_run(
        &self,
        case: &Case<'_>,
        content: &Content,
        Run { who, mode, outcome, .. }: &Run,
        limit: Duration,
        done: &mut Done,
    ) -> bool {
        let Engine { plan, facts, .. } = self.engine;
        let target = plan.panel.get(*who);
        let mut refuses = false;
        let seed = case.seeds.first();
        let is_varied = seed.map_or(mode.is_varied(), |s| s.is_varied(*who, mode));
        done.cpu += seconds(outcome);
        done.said.insert(*who, outcome.answer().map_or("nothing", Answer::kind));
        let mut tally = self.engine.control.tally();
        let faulty = outcome.crash.as_ref().is_some_and(is_fault);
        tally.total.faults += u64::from(faulty || outcome.ended_from_outside());
        // An answer behind a reset may be good all the same.
        if let Some(refusal @ (Answer::Rejected { error, .. } | Answer::Unsupported(error))) =
            outcome.refusal()
        {
            let kind = refusal.kind();
            let reason = format!("{} {kind}: {}", target.label, reason_kind(error));
            // What an option or a tactic forbids says nothing about the script.
            if is_varied {
                facts.learn(Lesson::Options { who: *who, mode, outcome });
                bump(&mut tally.overvaried, reason);
                done.overvaried.push(*who);
            } else {
                facts.learn(Lesson::Content { who: *who, content, refused: true });
                bump(&mut tally.rejections, reason);
                done.rejected = true;
                refuses = true;
            }
        } else {
            if is_varied {
                facts.learn(Lesson::Options { who: *who, mode, outcome });
            }
            if outcome.answers().all(|a| a.decided().is_some()) {
                facts.learn(Lesson::Content { who: *who, content, refused: false });
            }
        }
        drop(tally);
        let verdict = outcome.answer().and_then(Answer::decided);
        if verdict.is_some() && verdict == case.expected() {
            done.decided_by.push(*who);
        }
        for answer in outcome.answers() {
            done.decided |= answer.decided().is_some();
            done.slow |= matches!(answer, Answer::Timeout(_));
            done.near |= answer.decided().is_some() && outcome.cpu > limit / 2;
        }
        refuses
    }

    /// Where the tested release does not know an answer, and has no excuse: the older ones are asked, the newest first, until one of
    /// them decides.
    fn ask_older(
        &mut self,
        bench: &mut Bench<'_>,
        case: &Case<'_>,
        content: &Content,
        limit: Duration,
        runs: &mut Vec<Run>,
        done: &mut Done,
    ) -> Result<(), RunError> {
        let panel = &self.engine.plan.panel;
        let [Run { who, mode, outcome, .. }] = &runs[..] else { return Ok(()) };
        if self.engine.plan.config.policy() != Policy::Releases {
            return Ok(());
        }
        let Some(Answer::Unknown(reason)) = outcome.answer() else { return Ok(()) };
        if panel.get(*who).solver.profile().excuses(reason.as_deref()) {
            return Ok(());
        }
        let mode = mode.clone();
        for t in (0..who.0).rev().map(TargetId) {
            if let Given::Run(run) = self.give(bench, case, content, (t, &mode), limit)? {
                self.count_run(case, content, &run, limit, done);
                let decides = run.outcome.answer().and_then(Answer::decided).is_some();
                runs.push(*run);
                if decides {
                    break;
                }
            }
        }
        Ok(())
    }

    /// A mutant must survive printing and parsing; if it does not, smelt is wrong, and it accuses nobody.
    pub(super) fn reprint(&self, script: &Script) -> bool {
        let text = plain(script);
        let same = parse(text.as_bytes()).is_ok_and(|mut back| {
            let mut own = script.clone();
            // The header is the printer's.
            let plain = |s: &mut Script| {
                s.commands.retain(|c| {
                    !matches!(
                        c,
                        smelt_smtlib::Command::SetLogic(_) | smelt_smtlib::Command::SetInfo(..)
                    )
                });
            };
            plain(&mut back);
            plain(&mut own);
            alpha_equal(&own, &back).is_ok()
        });
        if !same {
            self.engine.control.tally().total.reprint_failures += 1;
            let name = smelt_case::digest(text.as_bytes())[..12].to_owned();
            self.engine.shelf.note("reprint-failures", &name, &text);
        }
        same
    }
}

/// A refusal without names and numbers, so that the same reason is counted once.
fn reason_kind(error: &str) -> String {
    let line = error.lines().find(|l| !l.trim().is_empty()).unwrap_or("");
    let mut out = String::new();
    for ch in line.chars().take(160) {
        if ch.is_ascii_digit() {
            if !out.ends_with('#') {
                out.push('#');
            }
        } else {
            out.push(ch);
        }
    }
    out
}
