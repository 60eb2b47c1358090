//! The release or solver that has the answer which the accused lacks: has it still?

use smelt_solver::{Answer, Mode, RunError, Status};
use smelt_triage::{Observation, Reference};

use super::{Ask, Asked, Place};
use crate::target::Target;

/// Asks the reference, if there is one, in the default mode.
pub(super) fn make(
    ask: &mut dyn Ask,
    place: &mut Place<'_>,
    o: &mut Observation,
) -> Result<Option<Asked>, RunError> {
    let Some((who, factor)) = place.reference else { return Ok(None) };
    let lacks = matches!(o.answer, Answer::Unknown(_) | Answer::Timeout(_));
    if !lacks || o.who == who {
        return Ok(None);
    }
    let target: &Target = ask.panel().get(who);
    let solver = target.label.clone();
    let asked = ask.ask(who, &mut place.script.clone(), &Mode::plain(), None)?;
    let seen = asked.seen.get(place.check).filter(|r| r.counts());
    let answer = seen.and_then(|r| match &r.answer {
        Answer::Timeout(_) => Some(Status::Unknown),
        a => a.decided().or(matches!(a, Answer::Unknown(_)).then_some(Status::Unknown)),
    });
    // The factor was measured when the fault was found; half of it is still the same fault.
    let in_time = match (factor, seen) {
        (Some(factor), Some(r)) => o.cpu.as_secs_f64() * 2.0 >= factor * r.cpu.as_secs_f64(),
        _ => true,
    };
    place.what += &format!("; {solver} {}", asked.answer());
    o.reference = Some(Reference { solver, answer, in_time });
    Ok(None)
}
