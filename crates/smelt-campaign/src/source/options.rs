//! What seeds set: who is given it, and what nobody is.

use smelt_solver::admit::option_name;
use smelt_trial::Target;

use crate::control::Control;
use crate::plan::Plan;
use crate::seedbank::Options;
use crate::tally::bump;

/// The options of a seed as arguments of each solver that knows them; each is counted by its name, as kept or as dropped. What the user
/// gives to a solver counts more.
pub(super) fn of(plan: &Plan, control: &Control, set: &[(String, String)]) -> Options {
    let mut options = Options::new();
    for (key, value) in set {
        let mut kept = false;
        for target in plan.panel.targets().iter().filter(|_| !plan.config.drop_options) {
            let Some(argument) = target.solver.profile().argument(key, value) else { continue };
            if !is_given(target, &argument) {
                kept = true;
                options.entry(target.id()).or_default().push(argument);
            }
        }
        let mut tally = control.tally();
        let tally = &mut *tally;
        bump(if kept { &mut tally.options_kept } else { &mut tally.options_dropped }, key.clone());
    }
    options
}

/// Whether the user has given an option to a solver.
fn is_given(target: &Target, argument: &str) -> bool {
    target.solver.args().iter().any(|a| option_name(a) == option_name(argument))
}
