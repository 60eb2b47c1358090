//! The model that a solver gives where its own checker is off.

use smelt_smtlib::{Command, Script};
use smelt_solver::{Mode, RunError};
use smelt_triage::{Class, Observation};

use super::{Ask, Asked, Place};

/// Where the solver's own checker ends the process, it keeps its model back: what is the one worth that it gives in the same mode, but
/// for the checks?
pub fn unchecked(
    ask: &mut dyn Ask,
    script: &Script,
    check: usize,
    mode: &Mode,
    o: &mut Observation,
) -> Result<(), RunError> {
    if !o.complains_of(Class::InvalidModel) || o.model.is_some() {
        return Ok(());
    }
    let panel = ask.panel();
    let solver = &panel.get(o.who).solver;
    let checks = solver.profile().self_check_args.clone();
    let mut options: Vec<String> =
        mode.options.iter().filter(|o| !checks.contains(o)).cloned().collect();
    // Who names a solver with its checker has it in every run.
    if solver.args().iter().any(|a| checks.contains(a)) {
        options.extend(solver.profile().self_check_off_args.iter().cloned());
    }
    let mode = Mode { self_check: false, models: true, options, ..mode.clone() };
    // A script may set the option, too.
    let is_check = |key: &str| {
        let mut names = checks.iter().filter_map(|c| c.trim_start_matches('-').split('=').next());
        names.any(|name| key.trim_start_matches(':') == name)
    };
    let mut script = script.clone();
    script.commands.retain(|c| !matches!(c, Command::SetOption(k, _) if is_check(k)));
    let asked = ask.ask(o.who, &mut script, &mode, None)?;
    o.unchecked = asked.seen.get(check).and_then(|o| o.model.clone());
    Ok(())
}

/// Asks for that model, unless it is known what it is worth.
pub(super) fn make(
    ask: &mut dyn Ask,
    place: &mut Place<'_>,
    o: &mut Observation,
) -> Result<Option<Asked>, RunError> {
    match place.then.filter(|t| t.who == o.who).and_then(|t| t.unchecked.clone()) {
        Some(known) if o.complaint.is_some() && o.model.is_none() => o.unchecked = Some(known),
        _ => unchecked(ask, place.script, place.check, place.mode, o)?,
    }
    Ok(None)
}
