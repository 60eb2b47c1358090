//! Any test on a text, as other reducers take it: no fault of a solver need be known.

use std::sync::{Arc, Mutex};

use smelt_reduce::{
    COMMANDS, ENLARGING, HIDING, Judge, Original, PASSES, Pass, Reducible, Search, Style, Subject,
    TEXT_PASSES, Text,
};
use smelt_smtlib::{LogicChoice, Naming, PrintOptions, Script, parse, print};
use smelt_solver::RunError;

use super::budget::{Budget, Counts, Stopped};
use super::{Aim, Effort, Progress};

/// What must stay true of a text.
pub trait Test: Sync {
    /// Whether it is true of this one.
    fn holds(&self, text: &str) -> Result<bool, RunError>;
}

/// Why nothing was reduced.
#[derive(Debug)]
pub enum Generic {
    /// The test does not hold at first.
    DoesNotHold,
    /// The test holds of a text with nothing in it, too: it says nothing about the one that is given.
    HoldsOfNothing,
    /// The test cannot be run.
    Run(RunError),
}

/// A smaller text of which the test is true.
pub struct Smaller {
    /// The text.
    pub text: String,
    /// Whether smelt could type it, and in whose words it is written.
    pub typed: Option<Naming>,
    /// How many bytes were left after how many runs.
    pub curve: Vec<(u64, usize)>,
    /// What was tried.
    pub tests: Counts,
    /// Why it ended before nothing smaller was found any more.
    pub stopped: Option<Stopped>,
    /// Words of the original that are left, where they were to go.
    pub left: Option<Vec<String>>,
}

/// The words in which a text may be written.
const NAMINGS: [Naming; 6] =
    [Naming::Standard, Naming::Z3, Naming::V26, Naming::Z3V26, Naming::Z3Old, Naming::Cvc4];

/// Makes a text smaller while a test holds.
pub fn generic(
    text: &str,
    test: &dyn Test,
    effort: &Effort<'_>,
    watch: &mut dyn FnMut(&Progress),
) -> Result<Smaller, Generic> {
    if !holds(test, text, effort.votes).map_err(Generic::Run)? {
        return Err(Generic::DoesNotHold);
    }
    if holds(test, "", effort.votes).map_err(Generic::Run)? {
        return Err(Generic::HoldsOfNothing);
    }
    let mut budget = Budget::new(effort, watch);
    budget.begin(text.len());
    budget.counts.cold += 2;
    let mut judge = TextJudge {
        test,
        budget,
        threads: effort.threads.max(1),
        votes: effort.votes,
        best: text.to_owned(),
    };
    let mut typed = judge.typed(text);
    if typed.is_none() {
        // What cannot be typed may be a command that is not needed.
        judge.as_text(COMMANDS);
        typed = (judge.best.len() < text.len()).then(|| judge.typed(&judge.best.clone())).flatten();
    }
    let naming = typed.as_ref().map(|(_, naming)| *naming);
    if let Some((subject, _)) = typed {
        let best = Search::new(subject, &mut judge).run(PASSES, ENLARGING);
        judge.keep(best.text());
    }
    // What sorts forbid the test may allow.
    judge.as_text(TEXT_PASSES);
    let left = (effort.aim == Aim::Anonymous).then(|| judge.hide(text));
    let TextJudge { budget, best, .. } = judge;
    Ok(Smaller {
        left,
        text: best,
        typed: naming,
        curve: budget.curve,
        tests: budget.counts,
        stopped: budget.stopped,
    })
}

fn holds(test: &dyn Test, text: &str, votes: u32) -> Result<bool, RunError> {
    for _ in 0..votes.max(1) {
        if test.holds(text)? {
            return Ok(true);
        }
    }
    Ok(false)
}

struct TextJudge<'t, 'a> {
    test: &'t dyn Test,
    budget: Budget<'a>,
    threads: usize,
    votes: u32,
    best: String,
}

impl TextJudge<'_, '_> {
    fn keep(&mut self, text: &str) {
        if text.len() < self.best.len() {
            text.clone_into(&mut self.best);
        }
    }

    /// Makes the best so far smaller by passes on its expressions.
    fn as_text(&mut self, passes: &[Pass<Text>]) {
        let rest = Text::read(&self.best);
        if self.is_same(&rest) {
            let best = Search::new(rest, self).run(passes, &[]);
            self.keep(best.text());
        }
    }

    /// Takes the words of the original out of the best so far, as far as it can be typed; gives those that are left.
    fn hide(&mut self, text: &str) -> Vec<String> {
        let original = Arc::new(match parse(text.as_bytes()) {
            Ok(script) => Original::of_script(&script, text),
            Err(_) => Original::of_text(text),
        });
        if let Some((subject, _)) = self.typed(&self.best.clone()) {
            let best = Search::new(subject.hiding(original.clone()), self).run(HIDING, &[]);
            best.text().clone_into(&mut self.best);
        }
        original.left_in(&self.best)
    }

    fn ask(&mut self, text: &str) -> bool {
        self.budget.counts.cold += 1;
        match holds(self.test, text, self.votes) {
            Ok(held) => held,
            Err(e) => {
                self.fail(&e);
                false
            }
        }
    }

    fn fail(&mut self, e: &RunError) {
        if !matches!(e, RunError::Cancelled) {
            self.budget.stopped.get_or_insert(Stopped::Fault);
        }
    }

    /// Whether the test holds of a text as smelt writes its expressions.
    fn is_same(&mut self, text: &Text) -> bool {
        text.text() == self.best || self.ask(text.text())
    }

    /// The text as a typed script in the words that it is written in, if the test holds of that.
    fn typed(&mut self, text: &str) -> Option<(Subject, Naming)> {
        let script = parse(text.as_bytes()).ok()?;
        let mut namings = NAMINGS.to_vec();
        // Those first whose words are nearest to the text's.
        namings.sort_by_key(|&n| strange_words(&script, n, text));
        let logic =
            if script.logic().is_some() { LogicChoice::Smallest } else { LogicChoice::Keep };
        let mut asked = Vec::new();
        for naming in namings {
            for logic in [logic.clone(), LogicChoice::Keep] {
                let style = Style { naming, logic, hides: None };
                let subject = Subject::new(parse(text.as_bytes()).ok()?, None, None, style);
                if asked.contains(&subject.text().to_owned()) {
                    continue;
                }
                asked.push(subject.text().to_owned());
                if self.ask(subject.text()) {
                    return Some((subject, naming));
                }
            }
        }
        None
    }
}

/// How many words a script has in some dialect that its text has not.
fn strange_words(script: &Script, naming: Naming, text: &str) -> usize {
    let words = |t: &str| -> std::collections::HashSet<String> {
        t.split(|c: char| c.is_whitespace() || c == '(' || c == ')').map(str::to_owned).collect()
    };
    let printed = print(script, &PrintOptions { naming, ..PrintOptions::default() });
    words(&printed).difference(&words(text)).count()
}

impl<C: Reducible + Send> Judge<C> for TextJudge<'_, '_> {
    fn width(&self) -> usize {
        self.threads
    }

    fn judge(&mut self, candidates: Vec<C>) -> Vec<Option<C>> {
        let n = candidates.len() as u64;
        self.budget.counts.candidates += n;
        self.budget.counts.cold += n;
        let (test, votes) = (self.test, self.votes);
        let results: Vec<Result<Option<C>, RunError>> = if candidates.len() == 1 {
            candidates.into_iter().map(|c| Ok(holds(test, c.text(), votes)?.then_some(c))).collect()
        } else {
            let done = Mutex::new(Vec::new());
            std::thread::scope(|scope| {
                for (i, c) in candidates.into_iter().enumerate() {
                    let done = &done;
                    scope.spawn(move || {
                        let held = holds(test, c.text(), votes).map(|held| held.then_some(c));
                        done.lock()
                            .unwrap_or_else(std::sync::PoisonError::into_inner)
                            .push((i, held));
                    });
                }
            });
            let mut done = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
            done.sort_by_key(|(i, _)| *i);
            done.into_iter().map(|(_, r)| r).collect()
        };
        let mut out = Vec::new();
        for r in results {
            out.push(match r {
                Ok(found) => found,
                Err(e) => {
                    self.fail(&e);
                    None
                }
            });
        }
        out
    }

    fn is_over(&mut self) -> bool {
        self.budget.is_over()
    }

    fn smaller(&mut self, best: &C, pass: &'static str) {
        // Detours are larger than the best for a while.
        if best.text().len() < self.best.len() {
            best.text().clone_into(&mut self.best);
        }
        self.budget.smaller(pass, best.text().len());
    }
}
