//! What a session was sent, made smaller: scripts before the last one are left out, then single commands of those that stay. What keeps
//! scripts apart stays as long as they do: what leaked from one into the last would change what that is about.

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
        // The last one with a check: behind it the session may have been cleared once more.
        let checked = items.iter().rposition(|i| i.starts_with("(check-sat")).unwrap_or(0);
        let begins = ends(&items).into_iter().rfind(|&end| end <= checked).unwrap_or(0);
        let before = items[..begins].iter().map(|&i| Arc::from(i)).collect();
        Self::new(before, items[begins..].join("\n").into())
    }

    /// The scripts before the last one, each with what clears the session at its end: from where to where.
    fn scripts(&self) -> Vec<Vec<usize>> {
        let mut from = 0;
        let mut out = Vec::new();
        for end in ends(&self.before) {
            out.push((from..end).collect());
            from = end;
        }
        out
    }

    /// Single commands before the last script, but for those that keep scripts apart.
    fn commands(&self) -> Vec<Vec<usize>> {
        let apart = |c: &str| is_reset(c) || nesting(c).is_some();
        (0..self.before.len()).filter(|&i| !apart(&self.before[i])).map(|i| vec![i]).collect()
    }
}

/// Behind which of the commands of a session a script ends: where it is reset, or where all that was pushed is popped again.
fn ends<C: AsRef<str>>(commands: &[C]) -> Vec<usize> {
    let resets = commands.iter().any(|c| is_reset(c.as_ref()));
    let mut depth = 0;
    let mut out = Vec::new();
    for (i, c) in commands.iter().enumerate() {
        let change = nesting(c.as_ref()).unwrap_or(0);
        depth += change;
        if is_reset(c.as_ref()) || (!resets && change < 0 && depth <= 0) {
            out.push(i + 1);
        }
    }
    out
}

fn is_reset(command: &str) -> bool {
    command.trim_start_matches(['(', ' ']).starts_with("reset")
}

/// How many levels a command pushes; less than none for `pop`.
fn nesting(command: &str) -> Option<i64> {
    let mut words = command.trim_matches(['(', ')', ' ']).split_whitespace();
    let sign = match words.next()? {
        "push" => 1,
        "pop" => -1,
        _ => return None,
    };
    Some(sign * words.next().and_then(|n| n.parse::<i64>().ok()).unwrap_or(1))
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
    Pass { name: "drop-commands", way: Way::Chunks, edits: |t| t.commands() },
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

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, scripts: &[usize], commands: usize, last: &str) {
        let t = Transcript::read(text);
        let sizes: Vec<usize> = t.scripts().iter().map(Vec::len).collect();
        assert_eq!(
            (&sizes[..], t.commands().len(), &*t.last.replace('\n', "")),
            (scripts, commands, last)
        );
    }

    #[test]
    fn scripts_of_a_session() {
        let last = "(assert b)(check-sat)";
        check(last, &[], 0, last);
        check(&format!("(assert a)(check-sat)(reset)(exit)(reset){last}"), &[3, 2], 3, last);
        // It was cleared once more behind the last one; a script has scopes of its own.
        let cleared = format!("{last}(reset)");
        check(&format!("(push 1)(assert a)(pop 1)(check-sat)(reset){cleared}"), &[5], 2, &cleared);
        let scope = format!("(push 1){last}(pop 1)(push 1)");
        check(
            &format!("(set-logic QF_S)(push 1)(push)(assert a)(pop)(check-sat)(pop 1){scope}"),
            &[7],
            3,
            &scope,
        );
    }
}
