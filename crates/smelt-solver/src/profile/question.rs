//! Options that make another question of a script.

use super::Profile;

/// The name of an option, however it is written: `solve-int-as-bv` of `--solve-int-as-bv=8`, `rewriter.hi-div0` of
/// `rewriter.hi_div0=false` and of `:rewriter.hi_div0 false`. (z3 takes `_` and `-` for each other.)
fn name(option: &str) -> String {
    let word = option.trim_start_matches(['-', ':']);
    word.split(['=', ' ']).next().unwrap_or(word).replace('_', "-")
}

impl Profile {
    /// Whether what the solver answers with this option may not be said of the script itself: it is given as on the command line or as
    /// in `set-option`. Any value counts, also the one that the solver has anyway.
    pub fn changes_question(&self, option: &str) -> bool {
        let option = name(option);
        self.changes_question.iter().any(|listed| name(listed) == option)
    }
}

#[cfg(test)]
mod tests {
    use crate::profile::Profiles;

    #[test]
    fn options_that_change_the_question() {
        let profiles = Profiles::embedded();
        let check = |solver: &str, options: &[&str], expect: bool| {
            let profile = profiles.get(solver).unwrap();
            for option in options {
                assert_eq!(profile.changes_question(option), expect, "{solver} {option}");
            }
        };
        check(
            "z3",
            &[
                "rewriter.hi_div0=false",
                "hi_div0",
                ":hi_div0",
                ":rewriter.hi-div0 false",
                "rewriter.hi_fp_unspecified=true",
                "encoding=ascii",
                ":encoding",
                "smt.array.extensional=false",
                "smt.arith.ignore_int=true",
            ],
            true,
        );
        check(
            "z3",
            &["sat.cardinality.encoding=unate", "smt.random_seed=7", "model_validate=true", ""],
            false,
        );
        check(
            "cvc5",
            &[
                "--strings-alpha-card=2",
                ":strings-alpha-card",
                "--solve-int-as-bv=8",
                "--solve-real-as-int",
                "--arith-no-partial-fun",
                "--fmf-fun",
                "--uf-ss-abort-card=3",
            ],
            true,
        );
        // Finite models are looked for first; where there are none, it does not say unsat.
        check(
            "cvc5",
            &["--finite-model-find", "--solve-bv-as-int=sum", "--fmf-bound", "--global-negate"],
            false,
        );
        check("cvc4", &["--no-bv-div-zero-const", "--solve-int-as-bv=4"], true);
        check("cvc4", &["--finite-model-find", "--bv-to-bool"], false);
        for solver in ["bitwuzla", "yices", "generic"] {
            check(solver, &["--seed=7", "--mcsat"], false);
        }
    }

    /// Of the options that campaigns vary, one alone bounds what is searched.
    #[test]
    fn options_of_the_pools() {
        for profile in Profiles::embedded().iter() {
            for option in profile.options.all().filter(|o| profile.changes_question(o)) {
                assert!(option.starts_with("--solve-int-as-bv="), "{} {option}", profile.name);
            }
        }
    }
}
