//! How a release writes and reads: names of operators in what it is sent, numbers in its models.

use std::borrow::Cow;

use smelt_eval::{ModelOptions, Rounded, RoundedLogics, RoundedNumbers};
use smelt_smtlib::{Naming, PrintOptions, parse, print};
use smelt_solver::profile;

/// A text under these names of operators. Only what needs it is written again.
pub(super) fn in_names(naming: Naming, text: &str) -> Cow<'_, str> {
    let differs = match naming {
        Naming::Standard => false,
        // Only constructors and selectors are named in another way.
        Naming::Z3 => text.contains("declare-datatype"),
        _ => true,
    };
    let script = differs.then(|| parse(text.as_bytes()).ok()).flatten();
    match script {
        Some(s) => print(&s, &PrintOptions { naming, ..Default::default() }).into(),
        None => text.into(),
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    /// What is sent for a script under the names of a dialect.
    fn check(naming: Naming, text: &str, expect: &str) {
        assert_eq!(in_names(naming, text), expect, "{naming:?}");
    }

    #[test]
    fn only_what_needs_it_is_written_again() {
        let plain = "; A remark.\n(assert (= (ubv_to_int  #b1) 1))\n";
        for naming in [Naming::Standard, Naming::Z3] {
            check(naming, plain, plain);
        }
        check(Naming::Z3V26, plain, "(assert (= (bv2nat #b1) 1))\n");
        let data = "(declare-datatypes ((D 0)) (((c (s Int)))))\n(declare-fun x () D)\n\
            (assert (= x ((_ update s) x 1)))\n";
        check(Naming::Standard, data, data);
        let own = data.replace("(_ update s)", "(_ update-field s)");
        check(Naming::Z3, data, &own);
        check(Naming::Z3V26, data, &own);
        // Solvers may read what smelt does not.
        let strange = "(declare-datatypes ((D 0)) (((c))))\n(assert (unheard-of c))\n";
        for naming in [Naming::Standard, Naming::Z3, Naming::Z3Old, Naming::Cvc4] {
            check(naming, strange, strange);
        }
    }
}
