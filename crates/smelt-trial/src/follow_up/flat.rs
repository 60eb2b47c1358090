//! A check in its script, beside the same check alone.

use smelt_eval::beyond_assertions;
use smelt_smtlib::{Command, Query, Script, flat_commands, is_incremental};
use smelt_solver::{Mode, RunError};
use smelt_triage::{Flat, Observation};

use super::{Ask, Asked, Place};

/// Whether a check in its script asks for just what it asks for alone: nothing counts but its assertions.
pub fn is_comparable(script: &Script, query: &Query) -> bool {
    let aims = script.commands[..query.command].iter().any(|c| {
        matches!(c, Command::AssertSoft(..) | Command::Minimize(..) | Command::Maximize(..))
    });
    is_incremental(script) && !aims && beyond_assertions(script, query).is_none()
}

/// Whether an answer is one beside which the check alone says something.
pub fn wants(o: &Observation) -> bool {
    o.answer.decided().is_some()
}

/// Asks a solver for the check alone, without push and pop, if it says something beside its answer.
pub fn flat(
    ask: &mut dyn Ask,
    script: &mut Script,
    query: &Query,
    mode: &Mode,
    o: &mut Observation,
) -> Result<Option<Asked>, RunError> {
    if !wants(o) {
        return Ok(None);
    }
    // The terms stay where they are: only the commands are others for a while.
    let alone = flat_commands(script, query);
    let whole = std::mem::replace(&mut script.commands, alone);
    let asked = ask.ask(o.who, script, mode, o.answer.decided());
    script.commands = whole;
    let asked = asked?;
    let decided =
        |a: &Observation| Some(Flat { answer: a.answer.decided()?, model: a.model.clone() });
    o.flat = asked.seen.first().and_then(decided);
    Ok(Some(asked))
}

/// Asks for the check alone, whatever its script is.
pub(super) fn make(
    ask: &mut dyn Ask,
    place: &mut Place<'_>,
    o: &mut Observation,
) -> Result<Option<Asked>, RunError> {
    let asked = flat(ask, place.script, place.query, place.mode, o)?;
    if let Some(asked) = &asked {
        place.what += &format!("; the check alone {}", asked.answer());
    }
    Ok(asked)
}
