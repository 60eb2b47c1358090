//! How exact the numbers in the models of a release are.

use smelt_eval::{ModelOptions, Rounded, RoundedLogics, RoundedNumbers};
use smelt_solver::profile;

/// Which values in a solver's models are rounded, by its profile. Of a solver that nothing is known about, no decimal is
/// trusted.
pub(super) fn rounded(profile: &profile::Profile) -> Vec<Rounded> {
    let Some(list) = &profile.rounded else { return ModelOptions::default().rounded };
    let one = |r: &profile::Rounded| {
        let profile::RoundedSort::Real = r.sort;
        Rounded {
            numbers: match r.numbers {
                profile::RoundedNumbers::All => RoundedNumbers::All,
                profile::RoundedNumbers::Decimals => RoundedNumbers::Decimals,
                profile::RoundedNumbers::SixDecimals => RoundedNumbers::SixDecimals,
            },
            logics: match r.logics {
                profile::RoundedLogics::All => RoundedLogics::All,
                profile::RoundedLogics::Nonlinear => RoundedLogics::Nonlinear,
            },
        }
    };
    list.iter().map(one).collect()
}
