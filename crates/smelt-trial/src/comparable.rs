//! A check in its script, beside the same check alone.

use smelt_eval::beyond_assertions;
use smelt_smtlib::{Command, Query, Script, is_incremental};
use smelt_triage::{Flat, Observation};

/// What was seen of a check alone, if it was decided.
pub fn flat(o: &Observation) -> Option<Flat> {
    Some(Flat { answer: o.answer.decided()?, model: o.model.clone() })
}

/// Whether the answers to a check in its script and alone exclude each other.
pub fn contradicts(o: &Observation) -> bool {
    let own = o.answer.decided();
    own.is_some() && o.flat.as_ref().is_some_and(|f| Some(f.answer) != own)
}

/// Whether a check in its script asks for just what it asks for alone: nothing counts but its assertions.
pub fn is_comparable(script: &Script, query: &Query) -> bool {
    let aims = script.commands[..query.command].iter().any(|c| {
        matches!(c, Command::AssertSoft(..) | Command::Minimize(..) | Command::Maximize(..))
    });
    is_incremental(script) && !aims && beyond_assertions(script, query).is_none()
}
