//! Words of solvers beside those of the standard.

use clap::ValueEnum;
use smelt_smtlib::op;

/// A dialect of SMT-LIB on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Dialect {
    Standard,
    Z3,
    Cvc5,
    Bitwuzla,
}

impl Dialect {
    /// The dialects of the table of operators that it means.
    pub fn meant(self) -> &'static [op::Dialect] {
        match self {
            Self::Standard => &[op::Dialect::Standard],
            Self::Z3 => &[op::Dialect::Z3, op::Dialect::Common],
            Self::Cvc5 => &[op::Dialect::Cvc5, op::Dialect::Common],
            Self::Bitwuzla => &[op::Dialect::Bitwuzla],
        }
    }
}
