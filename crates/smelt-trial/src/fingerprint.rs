//! The fingerprint of a fault: which builds of the solver show it, and which of its options make it vanish.

use std::collections::BTreeMap;

use anyhow::Result;
use smelt_solver::Solver;
use smelt_triage::{Fingerprint, Mark, Says, operators};

use crate::exhibit::Exhibit;
use crate::lineup::{Asking, Examined, Lineup};
use crate::target::Target;

/// What is characteristic of a fault of a solver, by what the builds of a lineup said; it was found in one of them, if that is known.
pub fn fingerprint(
    exhibit: &Exhibit,
    lineup: &Lineup,
    own: Option<usize>,
    examined: &Examined,
) -> Fingerprint {
    let told = lineup.builds.iter().zip(&examined.told);
    let mark = told.filter_map(|(b, t)| Some((b.name.clone(), Mark::from(t.as_ref()?.says))));
    Fingerprint {
        solver: lineup.solver.clone(),
        class: exhibit.reproducer.class,
        crash: exhibit.reproducer.crash.clone(),
        operators: operators(&exhibit.script).into_iter().map(str::to_owned).collect(),
        releases: mark.collect(),
        own: own.and_then(|at| Some(lineup.builds.get(at)?.name.clone())),
        options: BTreeMap::new(),
    }
}

/// The options of a solver's pools under which a fault does not show. Where it shows all the same, an option says nothing.
pub fn cures(
    exhibit: &Exhibit,
    accused: &Solver,
    asking: &Asking<'_>,
) -> Result<BTreeMap<String, Mark>> {
    let mut out = BTreeMap::new();
    // A minute for each option would be an hour, and a session has had its options from the start.
    if exhibit.reproducer.class.row().slow || exhibit.reproducer.session {
        return Ok(out);
    }
    let profile = accused.profile();
    let pools = profile.options.regular.iter().chain(&profile.options.expert);
    for option in pools.filter(|o| !profile.changes_question(o)) {
        let mut reproducer = exhibit.reproducer.clone();
        reproducer.mode.options.push(option.clone());
        let (script, before) = (exhibit.script.clone(), exhibit.before.clone());
        let varied = Exhibit { reproducer, script, transcript: None, before };
        let target = Target::unprobed(accused.clone());
        let Asking { resolver, cpu, cancel, pause, .. } = *asking;
        pause();
        if cancel.is_cancelled() {
            break;
        }
        let shown = varied.shows_in(resolver.registry, target, 1, cpu, cancel)?;
        if shown.says == Says::DoesNot {
            out.insert(option.clone(), Mark::Gone);
        }
    }
    Ok(out)
}
