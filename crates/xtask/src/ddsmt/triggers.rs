//! The triggers: known bugs of released solvers, of all classes and many theories. Small ones stand among assertions that have nothing to
//! do with them.

/// What is wrong.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Wrong {
    /// It says `unsat`, another release `sat`.
    Unsat,
    /// It says `sat`, another release `unsat`.
    Sat,
    /// Its own checker refuses its model.
    Model,
    /// It ends so, as a shell tells it.
    Ends(i32),
    /// It says `unknown`, another release has an answer.
    Unknown,
}

impl Wrong {
    /// The class in a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Unsat => "refutation",
            Self::Sat => "solution",
            Self::Model => "model",
            Self::Ends(_) => "crash",
            Self::Unknown => "unknown",
        }
    }
}

/// A known bug.
pub struct Trigger {
    /// Its name in tables.
    pub name: &'static str,
    /// Its file in the folder of known bugs.
    pub id: &'static str,
    /// The solver that is wrong: a release, or a program on PATH.
    pub bad: &'static str,
    /// Arguments of it.
    pub options: &'static [&'static str],
    /// What is wrong.
    pub wrong: Wrong,
    /// What it is about.
    pub theory: &'static str,
    /// Seeds of `corpus/` whose assertions stand before its own.
    pub pad: &'static [&'static str],
    /// A folder of third-party seeds beside the known bugs, and how large their assertions make it.
    pub among: Option<(&'static str, usize)>,
}

const fn trigger(
    name: &'static str,
    bad: &'static str,
    wrong: Wrong,
    theory: &'static str,
) -> Trigger {
    Trigger { name, id: name, bad, options: &[], wrong, theory, pad: &[], among: None }
}

/// All triggers, in the order in which they are run.
pub const TRIGGERS: &[Trigger] = &[
    trigger("hf-z3-4912-0", "z3@4.8.7", Wrong::Unsat, "nonlinear reals"),
    trigger("trk-z3-6894", "z3@4.12.2", Wrong::Unsat, "bit-vectors"),
    trigger("trk-z3-9953", "z3@4.12.2", Wrong::Unsat, "floats and reals"),
    trigger("hf-z3-5562-0", "z3@4.8.12", Wrong::Unsat, "strings"),
    trigger("trk-z3-10621", "z3@4.9.1", Wrong::Unsat, "sequences"),
    trigger("hf-z3-2592-0", "z3@4.8.5", Wrong::Unsat, "quantified reals"),
    trigger("z3t-7026-2", "z3@4.12.2", Wrong::Unsat, "floats"),
    trigger("trk-z3-9550like", "z3@4.13.4", Wrong::Sat, "arrays of bit-vectors"),
    trigger("hf-z3-4889-1", "z3@4.8.7", Wrong::Sat, "quantified floats"),
    trigger("z3t-2549", "z3@4.8.5", Wrong::Sat, "arrays and integers"),
    trigger("hf-z3-3484-0", "z3@4.8.7", Wrong::Sat, "quantified reals"),
    trigger("z3t-3553", "z3@4.8.7", Wrong::Model, "arrays and nonlinear integers"),
    trigger("z3t-3246", "z3@4.8.7", Wrong::Model, "functions"),
    trigger("hf-z3-5825-1", "z3@4.8.14", Wrong::Model, "strings and sequences"),
    trigger("hf-z3-4866-6", "z3@4.8.9", Wrong::Model, "strings and integers"),
    trigger("z3t-3396", "z3@4.8.7", Wrong::Ends(139), "arrays and integers"),
    trigger("z3t-3120", "z3@4.8.7", Wrong::Ends(139), "bit-vectors"),
    trigger("z3t-5429", "z3@4.8.10", Wrong::Ends(139), "floats, datatypes, arrays"),
    trigger("z3t-3765", "z3@4.8.5", Wrong::Ends(139), "Horn clauses"),
    trigger("hf-z3-2590-0", "z3@4.8.7", Wrong::Unknown, "quantified reals"),
    trigger("c5r-issue4335-unsat-core", "cvc4", Wrong::Ends(134), "datatypes, sets, quantifiers"),
    Trigger {
        options: &["--check-models"],
        ..trigger("c5r-proj-issue622-fmf-dt-u", "cvc4", Wrong::Ends(134), "datatypes")
    },
    trigger("c5r-issue9697", "cvc5", Wrong::Ends(139), "bit-vectors and floats"),
    Trigger {
        name: "hf-z3-2632-0+",
        pad: &[
            "lia/abs_fold.smt2",
            "lia/chained_div.smt2",
            "lia/clock_arithmetic.smt2",
            "lia/huge_constants.smt2",
            "lia/knapsack.smt2",
            "lia/mod_mixed_signs.smt2",
        ],
        ..trigger("hf-z3-2632-0", "z3@4.8.5", Wrong::Unsat, "strings among integers")
    },
    Trigger {
        name: "trk-z3-9953+",
        pad: &[
            "fp/add_not_associative.smt2",
            "fp/add_rounding_modes.smt2",
            "fp/compare_chain.smt2",
            "fp/eq_versus_identity.smt2",
            "fp/fma_single_rounding.smt2",
            "fp/min_max_pick.smt2",
            "fp/mixed_width_conversion.smt2",
            "fp/mul_underflow.smt2",
            "fp/odd_formats.smt2",
            "fp/quad_constants.smt2",
        ],
        ..trigger("trk-z3-9953", "z3@4.12.2", Wrong::Unsat, "floats among many others")
    },
    // Large ones, of the kinds of which reporters wrote that ddSMT failed on them.
    Trigger {
        name: "trk-z3-9953++",
        among: Some(("QF_FP", 40_000)),
        ..trigger("trk-z3-9953", "z3@4.12.2", Wrong::Unsat, "floats, large")
    },
    Trigger {
        name: "trk-z3-6894++",
        among: Some(("QF_BV", 80_000)),
        ..trigger("trk-z3-6894", "z3@4.12.2", Wrong::Unsat, "bit-vectors, large")
    },
    Trigger {
        name: "trk-z3-9550like++",
        among: Some(("QF_ABV", 80_000)),
        ..trigger("trk-z3-9550like", "z3@4.13.4", Wrong::Sat, "arrays of bit-vectors, large")
    },
    Trigger {
        name: "hf-z3-3484-0++",
        among: Some(("LRA", 100_000)),
        ..trigger("hf-z3-3484-0", "z3@4.8.7", Wrong::Sat, "quantified reals, large")
    },
    Trigger {
        name: "hf-z3-2590-0++",
        among: Some(("BV", 60_000)),
        ..trigger("hf-z3-2590-0", "z3@4.8.7", Wrong::Unknown, "quantified bit-vectors, large")
    },
];
