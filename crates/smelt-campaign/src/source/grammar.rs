//! The words of a grammar as cases: a position of the schedule is a block of places.

use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use smelt_case::{GrammarRef, Index, Origin, digest};
use smelt_smtlib::{Script, parse};
use smelt_solver::{Mode, RunError};
use smelt_triage::TargetId;
use smelt_trial::Target;
use smelt_trial::bench::Bench;

use super::{Case, CaseSource, Done, Lease, Seen, Work};
use crate::control::Control;
use crate::journal::LeaseLine;
use crate::plan::Plan;
use crate::tally::Counts;
use crate::words::{Chosen, Header};

/// The words as cases.
pub struct Words<'a> {
    /// What is to be done.
    pub plan: &'a Plan,
    /// Where words are counted.
    pub control: &'a Control,
    /// The words.
    pub chosen: &'a Chosen,
}

impl Words<'_> {
    /// Who is asked about the words of a position, and how.
    fn who(&self, seq: u64) -> Vec<(TargetId, Mode)> {
        let asked = &self.chosen.asked;
        let logic = match &asked.header {
            Header::Smallest => None,
            Header::Given(logic) => Some(logic.clone()),
            Header::Verbatim => Some(String::new()),
        };
        let plain = Mode { logic, push_pop: asked.push_pop, ..Mode::plain() };
        let mut random = ChaCha8Rng::seed_from_u64(self.plan.config.seed);
        random.set_stream(seq);
        let mode = |t: &Target| match asked.varied.contains(&t.id().0) {
            true => t.vary(t.options(), &plain, &mut random),
            false => plain.clone(),
        };
        let targets = self.plan.panel.targets();
        targets.iter().map(Target::id).zip(targets.iter().map(mode)).collect()
    }
}

impl CaseSource for Words<'_> {
    fn lease(
        &self,
        seq: u64,
        bench: &mut Bench<'_>,
        work: Work<'_>,
    ) -> Result<Option<LeaseLine>, RunError> {
        let asked = &self.chosen.asked;
        let grammar = GrammarRef { name: asked.name.clone(), hash: digest(asked.text.as_bytes()) };
        let mut lease = Block {
            cases: Vec::new(),
            at: 0,
            who: self.who(seq),
            limit: self.plan.config.most(),
            counts: Counts::new(),
        };
        let is_verbatim = asked.header == Header::Verbatim;
        let mut passed = 0;
        self.chosen.each(seq, &mut || passed += 1, &mut |index, word| {
            match parse(word.text().as_bytes()) {
                Ok(script) => {
                    let index = Index::of_digits(&index.to_string());
                    let origin =
                        Origin::Enumerated { grammar: grammar.clone(), index, cost: asked.cost };
                    let text = is_verbatim.then(|| word.text().to_owned());
                    lease.cases.push(Word { script, origin, text });
                }
                Err(_) => lease.count(SKIPPED, 1),
            }
            Ok::<bool, RunError>(true)
        })?;
        lease.count(PASSED, passed);
        // A single assertion is its own core; and names for assertions are not in the word as it is.
        if !is_verbatim && lease.cases.iter().any(|w| w.script.roots().len() > 1) {
            lease.who.iter_mut().for_each(|(_, mode)| mode.cores = true);
        }
        work(bench, &mut lease)?;
        // Only now: a block that is cut off is taken again as a whole.
        let mut tally = self.control.tally();
        for (kind, n) in lease.counts {
            *tally.words.entry(kind).or_insert(0) += n;
        }
        let steps = lease.cases.len() as u32;
        let (strategy, partners) = (Origin::GRAMMAR, String::new());
        Ok(Some(LeaseLine { seq, worker: 0, seed: grammar.hash, strategy, partners, steps }))
    }
}

/// Words that are no scripts.
pub const SKIPPED: &str = "skipped";
/// Words that say the same as an earlier one.
pub const PASSED: &str = "passed over";
/// Words that every solver decides, all in the same way.
pub const AGREED: &str = "agreed";
/// Words that several solvers decide in the same way; the others do not have what is in them, and were not asked.
pub const PARTLY: &str = "agreed by some";
/// Words that one solver alone was asked for, and decides: the others do not have what is in them.
pub const ALONE: &str = "decided alone";
/// Words on which two solvers contradict each other.
pub const CONTRADICTED: &str = "contradicted";
/// Words that a solver does not decide, by what it answers; the first of them counts.
pub const OPEN: [&str; 4] = ["timeout", "unknown", "out-of-memory", "rejected"];
/// Words that a solver gives another answer to, or none.
pub const OTHER: &str = "other";
/// Models that make all assertions true.
pub const TRUE: &str = "true models";
/// Models that do not.
pub const FALSE: &str = "false models";
/// Models of which it is not known whether they satisfy their word.
pub const UNDETERMINED: &str = "undetermined models";
/// Answers of earlier runs.
pub const REMEMBERED: &str = "remembered answers";

/// How many words have had their turn: each is in one of these kinds.
pub fn looked_at(words: &Counts) -> u64 {
    let kinds = [SKIPPED, PASSED, AGREED, PARTLY, ALONE, CONTRADICTED, OTHER];
    kinds.iter().chain(&OPEN).filter_map(|kind| words.get(*kind)).sum()
}

/// A word that is a script.
struct Word {
    script: Script,
    origin: Origin,
    /// The word itself, if that is what solvers get.
    text: Option<String>,
}

/// One block of words.
struct Block {
    cases: Vec<Word>,
    at: usize,
    who: Vec<(TargetId, Mode)>,
    limit: Duration,
    counts: Counts,
}

impl Block {
    fn count(&mut self, kind: &str, n: u64) {
        if n > 0 {
            *self.counts.entry(kind.to_owned()).or_insert(0) += n;
        }
    }
}

impl Lease for Block {
    fn who(&self) -> &[(TargetId, Mode)] {
        &self.who
    }

    fn limit(&self) -> Duration {
        self.limit
    }

    fn next(&mut self) -> Option<Case<'_>> {
        let Word { script, origin, text } = self.cases.get_mut(self.at)?;
        self.at += 1;
        Some(Case { text: text.as_deref(), ..Case::open(script, origin, "a word of a grammar") })
    }

    fn learn(&mut self, done: &Done) {
        let kind = kind(&done.seen, self.who.len());
        self.count(kind, 1);
        self.count(REMEMBERED, done.remembered);
        for seen in &done.seen {
            match seen.model {
                Some(Some(true)) => self.count(TRUE, 1),
                Some(Some(false)) => self.count(FALSE, 1),
                Some(None) => self.count(UNDETERMINED, 1),
                None => {}
            }
        }
    }
}

/// What came of a word with so many solvers.
fn kind(seen: &[Seen], solvers: usize) -> &'static str {
    let checks = seen.iter().map(|s| s.check).max().map_or(0, |c| c + 1);
    for check in 0..checks {
        let mut said = seen.iter().filter(|s| s.check == check).filter_map(|s| s.decided);
        let first = said.next();
        if said.any(|s| Some(s) != first) {
            return CONTRADICTED;
        }
    }
    if let Some(open) = OPEN.into_iter().find(|kind| seen.iter().any(|s| s.answer == *kind)) {
        return open;
    }
    if seen.is_empty() || seen.iter().any(|s| s.decided.is_none()) {
        return OTHER;
    }
    let who: std::collections::BTreeSet<TargetId> = seen.iter().map(|s| s.who).collect();
    match who.len() {
        n if n == solvers => AGREED,
        1 => ALONE,
        _ => PARTLY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smelt_solver::Status;

    #[test]
    fn kinds_of_words() {
        let check = |said: &[(usize, usize, &'static str)], solvers, expect: &str| {
            let seen = said.iter().map(|&(who, check, answer)| Seen {
                who: TargetId(who),
                check,
                answer,
                decided: match answer {
                    "sat" => Some(Status::Sat),
                    "unsat" => Some(Status::Unsat),
                    _ => None,
                },
                model: None,
            });
            assert_eq!(kind(&seen.collect::<Vec<_>>(), solvers), expect, "{said:?}");
        };
        check(&[(0, 0, "sat"), (1, 0, "sat")], 2, AGREED);
        check(&[(0, 0, "sat"), (1, 0, "sat")], 3, PARTLY);
        check(&[(0, 0, "sat")], 2, ALONE);
        check(&[(0, 0, "sat")], 1, AGREED);
        check(&[(0, 0, "sat"), (1, 0, "unsat")], 2, CONTRADICTED);
        check(&[(0, 0, "sat"), (1, 0, "sat"), (0, 1, "sat"), (1, 1, "unsat")], 2, CONTRADICTED);
        check(&[(0, 0, "sat"), (1, 0, "timeout")], 2, "timeout");
        check(&[(0, 0, "unknown"), (1, 0, "timeout")], 2, "timeout");
        check(&[(0, 0, "sat"), (1, 0, "crash")], 2, OTHER);
        check(&[], 2, OTHER);
    }
}
