//! How much the evaluation of one term may take while mutants are made.

use smelt_eval::Limits;

/// How much the evaluation of one term may take while a mutant is made. What takes longer has no value for a strategy, and there are other fragments, terms and seeds: without this bound, one
/// quantifier over a large domain costs as much as ten thousand mutants.
pub fn limits() -> Limits {
    Limits {
        steps: 20_000,
        instances: 2_000,
        calls: 1_000,
        regex_steps: 50_000,
        first_precision: 64,
        last_precision: 128,
    }
}

/// How much the evaluation of one term may take when a mutant is judged a second time: enough for everything that was decided the first time.
pub fn second() -> Limits {
    Limits { steps: 100_000, instances: 10_000, regex_steps: 200_000, ..limits() }
}
