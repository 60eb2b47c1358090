//! What is wrong with a solver on a script that a person gives: the fault that is then reduced.

use smelt_smtlib::{Script, parse};
use smelt_solver::{Answer, Mode};
use smelt_triage::{Class, ModelVerdict, Observation, TargetId};

use super::evidence::Need;
use super::{Effort, NotReduced, plain};
use crate::follow_up::{Ask, Fresh};
use crate::panel::Panel;
use crate::reproducer::Reproducer;

/// How to look for the fault that a solver has on a script: a crash, a model that is refuted, an answer that a witness or others prove
/// wrong. A witness may be given.
pub fn suspicion(
    panel: &Panel,
    who: TargetId,
    script: &Script,
    witness: Option<&str>,
    effort: &Effort<'_>,
) -> Result<Reproducer, NotReduced> {
    let mut script = parse(plain(script).as_bytes()).unwrap_or_else(|_| script.clone());
    let mut fresh = Fresh { panel, cpu: effort.cpu, cancel: effort.cancel, met: None };
    let mode = Mode::plain();
    let asked = fresh.ask(who, &mut script, &mode, None)?;
    if let Some((k, crash)) =
        asked.seen.iter().enumerate().find_map(|(k, o)| Some((k, o.own_crash()?)))
    {
        let crash = Some(crash.signature());
        return Ok(Reproducer { crash, ..Reproducer::new(Class::Crash, mode, k) });
    }
    let mut why = None;
    for (k, o) in asked.seen.iter().enumerate() {
        let Some(class) = accusation(o) else { continue };
        let witness = witness.map(str::to_owned);
        let reproducer = Reproducer { witness, ..Reproducer::new(class, mode.clone(), k) };
        match Need::of(panel, who, &reproducer, &script, effort) {
            Ok(need) => {
                let witness = need.witness().map(str::to_owned);
                return Ok(Reproducer { witness, ..reproducer });
            }
            Err(e @ NotReduced::Run(_)) => return Err(e),
            Err(e) => why = Some(e),
        }
    }
    let label = &panel.get(who).label;
    if let Some(caveat) = asked.seen.iter().find_map(|o| o.no_verdict.as_ref()) {
        let what = format!("no verdict on what {label} says: {caveat}");
        return Err(why.unwrap_or(NotReduced::DoesNotShow(what)));
    }
    Err(why.unwrap_or_else(|| NotReduced::DoesNotShow(format!("{label} says {}", asked.answer()))))
}

/// What an answer may be accused of.
fn accusation(o: &Observation) -> Option<Class> {
    match (&o.answer, &o.model) {
        _ if o.no_verdict.is_some() => None,
        (_, Some(ModelVerdict::False(_))) => Some(Class::InvalidModel),
        (Answer::Unsat, _) => Some(Class::RefutationSoundness),
        (Answer::Sat, Some(m)) if m.holds() => None,
        (Answer::Sat, _) => Some(Class::SolutionSoundness),
        _ => None,
    }
}
