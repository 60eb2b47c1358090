//! One mutant: printed, given to the solvers, and what they said counted.

use std::time::Duration;

use smelt_smtlib::{LogicChoice, PrintOptions, Script, alpha_equal, parse, print};
use smelt_solver::Mode;
use smelt_solver::{Answer, RunError, Verdict};
use smelt_triage::is_fault;
use smelt_trial::content::Content;
use smelt_trial::core;

use super::judge::seconds;
use super::{Run, Test, Worker};
use crate::tally::bump;

/// Mutants that grow beyond this are not worth their time.
const MAX_TEXT: usize = 64 << 10;
/// Every so many tests, a mutant is parsed again and compared.
const REPRINT_EVERY: u64 = 256;

/// What one test cost and gave.
#[derive(Default)]
pub(super) struct Done {
    pub decided: bool,
    pub slow: bool,
    pub near: bool,
    pub rejected: bool,
    pub cpu: f64,
    pub findings: u32,
    /// The targets whose answer is the expected one.
    pub decided_by: Vec<usize>,
    /// Refused by every solver, or not given to one that has refused such scripts.
    pub useless: bool,
    /// The targets that refuse it under options or a tactic that were varied.
    pub overvaried: Vec<usize>,
}

impl Worker<'_> {
    /// Gives one mutant to the solvers and judges what they say. `None` if it is too large.
    pub(super) fn test(
        &mut self,
        test: &mut Test<'_>,
        modes: &[(usize, Mode)],
        limit: Duration,
    ) -> Result<Option<Done>, RunError> {
        let c = self.campaign;
        self.tests += 1;
        if self.tests.is_multiple_of(REPRINT_EVERY) {
            self.reprint(test.script);
        }
        let mut named = None;
        let mut done = Done::default();
        let mut runs: Vec<Run> = Vec::new();
        let mut refused = 0;
        let mut held_back = false;
        let content = Content::of(test.script);
        for (t, mode) in modes {
            let target = &c.targets[*t];
            let sent = if mode.cores && target.has_cores {
                target.print(named.get_or_insert_with(|| core::named(test.script)), mode)
            } else {
                target.sent(self.printers[*t].print(test.script), mode)
            };
            if sent.text().len() > MAX_TEXT {
                return Ok(None);
            }
            if !target.takes(&content) {
                bump(&mut c.stats().untaken, target.label.clone());
                continue;
            }
            if target.has_refused(&content) {
                bump(&mut c.stats().untaken, format!("{} (as refused before)", target.label));
                held_back = true;
                continue;
            }
            let run = self.run_in_session(*t, mode, &sent, limit)?;
            let outcome = &run.outcome;
            if let Some(log) = &c.log {
                log.note(test.recipe, &target.label, sent.text(), outcome);
            }
            done.cpu += seconds(outcome);
            let kind = outcome.answer().map_or("nothing", Answer::kind);
            let mut stats = c.stats();
            bump(&mut stats.answers, format!("{} {kind}", target.label));
            let faulty = outcome.crash.as_ref().is_some_and(is_fault);
            stats.faults += u64::from(faulty || outcome.ended_from_outside());
            // An answer behind a reset may be good all the same.
            if let Some(refusal @ (Answer::Rejected { error, .. } | Answer::Unsupported(error))) =
                outcome.refusal()
            {
                let kind = refusal.kind();
                let reason = format!("{} {kind}: {}", target.label, reason_kind(error));
                // What an option or a tactic forbids says nothing about the mutant.
                if mode.is_varied() {
                    target.learn(mode, outcome);
                    bump(&mut stats.overvaried, reason);
                    done.overvaried.push(*t);
                } else {
                    target.note(&content, true);
                    bump(&mut stats.rejections, reason);
                    done.rejected = true;
                    refused += 1;
                }
            } else {
                if mode.is_varied() {
                    target.learn(mode, outcome);
                }
                if outcome.answers().all(|a| a.decided().is_some()) {
                    target.note(&content, false);
                }
            }
            drop(stats);
            let expected = test.truths.first().and_then(|t| t.label);
            let verdict = outcome.answer().and_then(Answer::decided);
            if verdict.is_some_and(|v| expected == Some(v == Verdict::Sat)) {
                done.decided_by.push(*t);
            }
            for answer in outcome.answers() {
                done.decided |= answer.decided().is_some();
                done.slow |= matches!(answer, Answer::Timeout(_));
                done.near |= answer.decided().is_some() && outcome.cpu > limit / 2;
            }
            runs.push(run);
        }
        // What is refused once stays in the chain: another one is better.
        done.useless = held_back || refused == runs.len();
        let judged = self.judge(test, &runs)?;
        done.findings = judged.findings;
        done.cpu += judged.cpu;
        Ok(Some(done))
    }

    /// A mutant must survive printing and parsing; if it does not, smelt is wrong, and it accuses nobody.
    pub(super) fn reprint(&self, script: &Script) -> bool {
        let options = PrintOptions {
            logic: LogicChoice::Smallest,
            strip_status: true,
            ..PrintOptions::default()
        };
        let text = print(script, &options);
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
            self.campaign.stats().reprint_failures += 1;
            let name = smelt_case::digest(text.as_bytes())[..12].to_owned();
            self.campaign.folder.note("reprint-failures", &name, &text);
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
