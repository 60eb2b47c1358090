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

/// Takes the options away that a refusal names; false if that leaves all of them, or none.
pub(super) fn drop_refused(options: &mut Vec<String>, refusal: &str) -> bool {
    let before = options.len();
    // z3 names the parameter and its module apart: `unknown parameter 'qi.lazy' at module 'smt'`.
    let names = |option: &str| {
        let name = option_name(option);
        let short = name.split_once('.').map_or(name, |(_, rest)| rest);
        let is_word = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        refusal.split(|c| !is_word(c)).any(|word| {
            let word = word.trim_start_matches("--");
            !word.is_empty() && (word == name || word == short)
        })
    };
    options.retain(|o| !names(o));
    !options.is_empty() && options.len() < before
}

/// Whether the user has given an option to a solver.
fn is_given(target: &Target, argument: &str) -> bool {
    target.solver.args().iter().any(|a| option_name(a) == option_name(argument))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_refused_is_dropped() {
        let check = |options: &[&str], refusal: &str, left: Option<&[&str]>| {
            let mut all: Vec<String> = options.iter().map(ToString::to_string).collect();
            let some = drop_refused(&mut all, refusal);
            let left = left.map(|l| l.iter().map(ToString::to_string).collect::<Vec<_>>());
            assert_eq!(some.then_some(all), left);
        };
        let own = ["smt.mbqi=false", "smt.qi.lazy_threshold=3"];
        let z3 = "unknown parameter 'qi.lazy_threshold' at module 'smt'";
        check(&own, z3, Some(&["smt.mbqi=false"]));
        check(&own[1..], z3, None);
        check(&own, "what is that?", None);
        check(&["--cbqi", "--seed=1"], "Unrecognized option: --cbqi", Some(&["--seed=1"]));
    }
}
