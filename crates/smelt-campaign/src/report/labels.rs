//! Labels of trackers that only the solver itself can tell: under which of its guarded modes a fault shows.

use smelt_solver::SolverSpec;
use smelt_triage::Says;
use smelt_trial::Target;
use smelt_trial::exhibit::Exhibit;
use smelt_trial::lineup::Asking;

use super::tracker::by_name;

/// The label of the strictest mode in which a fault shows (cvc5 has `safe-options` and `stable-mode`; what shows in neither is
/// `experimental`). None of a solver without such modes, and of a release that does not know them.
pub fn of_mode(
    spec: &SolverSpec,
    profile: &str,
    exhibit: &Exhibit,
    asking: &Asking<'_>,
) -> Option<String> {
    let (modes, otherwise) = by_name(profile)?.modes?;
    let mut is_known = false;
    for (label, option) in modes {
        (asking.pause)();
        let mut guarded = spec.clone();
        guarded.args.push((*option).to_owned());
        let Ok(solver) = asking.resolver.one(&guarded) else { continue };
        // A release that does not know the option refuses every script.
        let Ok(target) = Target::ready(solver) else { continue };
        is_known = true;
        let registry = asking.resolver.registry;
        let shown = exhibit.shows_in(registry, target, asking.runs, asking.cpu, asking.cancel);
        if shown.is_ok_and(|s| s.says == Says::Holds) {
            return Some((*label).to_owned());
        }
    }
    is_known.then(|| otherwise.to_owned())
}
