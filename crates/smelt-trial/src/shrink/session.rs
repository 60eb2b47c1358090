//! What a session was sent, made smaller: scripts before the last one are left out, then single commands of those that stay.

use std::sync::Arc;

use smelt_reduce::{Judge, Pass, Reducible, Search, Way};

use super::budget::Budget;
use super::ground::{Ground, Left};
use super::{NotReduced, Reduced, plain};
use crate::reproducer::Scripts;

/// The commands of a session; the last script stays.
#[derive(Clone)]
struct Transcript {
    /// The commands before the last script.
    before: Vec<Arc<str>>,
    last: Arc<str>,
    text: String,
}

impl Transcript {
    fn new(before: Vec<Arc<str>>, last: Arc<str>) -> Self {
        let mut text = String::new();
        for command in before.iter().chain([&last]) {
            text.push_str(command);
            text.push('\n');
        }
        Self { before, last, text }
    }

    fn read(text: &str) -> Self {
        let items: Vec<&str> = smelt_solver::sexpr::items(text).map(|i| i.text).collect();
        let ends = items.iter().rposition(|i| is_reset(i)).map_or(0, |i| i + 1);
        let before = items[..ends].iter().map(|&i| Arc::from(i)).collect();
        Self::new(before, items[ends..].join("\n").into())
    }

    /// The scripts before the last one, each with the reset at its end: from where to where.
    fn scripts(&self) -> Vec<Vec<usize>> {
        let mut out = vec![Vec::new()];
        for (i, c) in self.before.iter().enumerate() {
            out.last_mut().into_iter().for_each(|l| l.push(i));
            if is_reset(c) {
                out.push(Vec::new());
            }
        }
        out.retain(|l| !l.is_empty());
        out
    }
}

fn is_reset(command: &str) -> bool {
    command.trim_start_matches(['(', ' ']).starts_with("reset")
}

impl Reducible for Transcript {
    type Edit = Vec<usize>;

    fn text(&self) -> &str {
        &self.text
    }

    fn edited(&self, edits: &[&Vec<usize>]) -> Option<Self> {
        let kept =
            self.before.iter().enumerate().filter(|(i, _)| !edits.iter().any(|e| e.contains(i)));
        Some(Self::new(kept.map(|(_, c)| c.clone()).collect(), self.last.clone()))
    }

    fn learn(&mut self, _: &Self) {}
}

const PASSES: &[Pass<Transcript>] = &[
    Pass { name: "drop-scripts", way: Way::Chunks, edits: |t| t.scripts() },
    Pass {
        name: "drop-commands",
        way: Way::Chunks,
        edits: |t| (0..t.before.len()).map(|i| vec![i]).collect(),
    },
];

struct SessionJudge<'a, 'b> {
    ground: &'a Ground<'a>,
    budget: Budget<'b>,
}

impl Judge<Transcript> for SessionJudge<'_, '_> {
    fn width(&self) -> usize {
        1
    }

    fn judge(&mut self, candidates: Vec<Transcript>) -> Vec<Option<Transcript>> {
        self.budget.counts.candidates += candidates.len() as u64;
        let given = self.ground.given;
        let shows = |c: &Transcript, budget: &mut Budget<'_>| {
            let transcript = Some(c.text.as_str());
            let scripts = Scripts { script: given.script, transcript, before: given.before };
            self.ground.shows(&scripts, budget)
        };
        let budget = &mut self.budget;
        candidates.into_iter().map(|c| shows(&c, budget).then_some(c)).collect()
    }

    fn is_over(&mut self) -> bool {
        self.budget.is_over()
    }

    fn smaller(&mut self, best: &Transcript, pass: &'static str) {
        self.budget.smaller(pass, best.text.len());
    }
}

/// Makes what a session was sent smaller while its last script shows the fault.
pub(super) fn reduce(ground: Ground<'_>, mut budget: Budget<'_>) -> Result<Reduced, NotReduced> {
    let given = ground.given;
    let Some(transcript) = given.transcript else {
        return Err(NotReduced::DoesNotShow("what its session was sent is not at hand".into()));
    };
    let first = Transcript::read(transcript);
    budget.begin(first.text.len());
    let mut judge = SessionJudge { ground: &ground, budget };
    let best = Search::new(first, &mut judge).run(PASSES, &[]);
    let budget = judge.budget;
    let (script, text) = (given.script.clone(), plain(given.script));
    let left = Left { script, text, before: None, transcript: Some(best.text) };
    Ok(ground.done(left, budget))
}
