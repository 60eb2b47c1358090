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
/// wrong. A witness may be given. The solver is run with default options first, then with those that are given, at last in other modes.
pub fn suspicion(
    panel: &Panel,
    who: TargetId,
    script: &Script,
    witness: Option<&str>,
    options: &[String],
    effort: &Effort<'_>,
) -> Result<Reproducer, NotReduced> {
    let modes = modes(options, script.logic());
    let mut script = parse(plain(script).as_bytes()).unwrap_or_else(|_| script.clone());
    let mut why = None;
    for mode in modes {
        match in_mode(panel, who, &mut script, witness, mode, effort) {
            Err(NotReduced::Run(e)) => return Err(NotReduced::Run(e)),
            // What the mode of the user's says is told.
            Err(e) => why = Some(why.filter(|_| options.is_empty()).unwrap_or(e)),
            found => return found,
        }
        if effort.cancel.is_cancelled() {
            break;
        }
    }
    Err(why.unwrap_or_else(|| NotReduced::DoesNotShow("it was not looked for".into())))
}

/// The modes in which a fault is looked for, the simplest first: with the options that a person names, in the logic that the script says, in
/// which a solver may work otherwise than in the smallest one, without models, with push and pop, with the solver's own checkers.
fn modes(options: &[String], logic: Option<&str>) -> Vec<Mode> {
    let plain = Mode::plain();
    let given = Mode { options: options.to_vec(), ..plain.clone() };
    let named = |mode: &Mode| Mode { logic: logic.map(str::to_owned), ..mode.clone() };
    let mut all = vec![plain.clone(), given.clone(), named(&plain), named(&given)];
    if options.is_empty() {
        all.push(Mode { models: false, ..named(&plain) });
        all.push(Mode { push_pop: true, ..plain.clone() });
        all.push(Mode { self_check: true, ..plain });
    }
    let mut seen = Vec::new();
    all.retain(|mode| {
        let new = !seen.contains(mode);
        seen.push(mode.clone());
        new
    });
    all
}

fn in_mode(
    panel: &Panel,
    who: TargetId,
    script: &mut Script,
    witness: Option<&str>,
    mode: Mode,
    effort: &Effort<'_>,
) -> Result<Reproducer, NotReduced> {
    let mut fresh = Fresh { panel, cpu: effort.cpu, cancel: effort.cancel, met: None };
    let asked = fresh.ask(who, script, &mode, None)?;
    if let Some((k, crash)) =
        asked.seen.iter().enumerate().find_map(|(k, o)| Some((k, o.own_crash()?)))
    {
        let (mut crash, target) = (crash.clone(), panel.get(who));
        if Class::Crash.row().frames && crash.is_bare() {
            // By a bare signal all crashes look alike.
            let mut outcome = asked.outcome.clone();
            outcome.crash = Some(crash.clone());
            target.name_frames(&asked.text, &mode, &mut outcome, effort.cpu, effort.cancel)?;
            crash = outcome.crash.unwrap_or(crash);
        }
        let crash = Some(crash.signature());
        return Ok(Reproducer { crash, ..Reproducer::new(Class::Crash, mode, k) });
    }
    let mut why = None;
    for (k, o) in asked.seen.iter().enumerate() {
        let Some(class) = accusation(o, &mode) else { continue };
        let witness = witness.map(str::to_owned);
        let reproducer = Reproducer { witness, ..Reproducer::new(class, mode.clone(), k) };
        match Need::of(panel, who, &reproducer, script, effort) {
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
fn accusation(o: &Observation, mode: &Mode) -> Option<Class> {
    match (&o.answer, &o.model) {
        _ if o.no_verdict.is_some() => None,
        (_, Some(ModelVerdict::False(_))) => Some(Class::InvalidModel),
        (Answer::Unsat, _) => Some(Class::RefutationSoundness),
        (Answer::Sat, Some(m)) if m.holds() => None,
        // Whoever is not asked for a model cannot show that its `sat` is right.
        (Answer::Sat, None) if !mode.models => None,
        (Answer::Sat, _) => Some(Class::SolutionSoundness),
        _ => None,
    }
}
