//! Why nothing is known of a residual.

use smelt_smtlib::{Binder, Refusal};
use std::fmt;

/// Why nothing is known of a residual.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The script cannot be totalised.
    Refused(Refusal),
    /// The query is none of the script.
    Query,
    /// A recursive function is applied to something that is not known.
    Recursive(String),
    /// A quantifier stays: the values of its variables cannot be listed.
    Quantifier,
    /// A binder stays.
    Binder(Binder),
    /// A `match` stays.
    Match,
    /// A function is used as a value.
    FunctionValue,
    /// An operator of a user's file.
    External(String),
    /// A value of the model that cannot be written as a term.
    Value,
    /// It is false only if a sort has no more elements than a comment beside the model says.
    Remark,
    /// What the check demands beside its assertions.
    Beyond(String),
    /// Nothing is unknown, and the evaluator does not decide it.
    Undecided,
    /// There are so many unknown terms.
    TooManyUnknowns(usize),
    /// A bound of the fold.
    TooLarge,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Refused(why) => write!(f, "open values cannot be named: {why}"),
            Reason::Query => f.write_str("the script has no such check"),
            Reason::Recursive(name) => {
                write!(f, "the recursive function `{name}` depends on an open value")
            }
            Reason::Quantifier => f.write_str("a quantifier stays"),
            Reason::Binder(binder) => write!(f, "a `{}` stays", binder.name()),
            Reason::Match => f.write_str("a `match` stays"),
            Reason::FunctionValue => f.write_str("a function is used as a value"),
            Reason::External(name) => write!(f, "the meaning of `{name}` is not known"),
            Reason::Value => f.write_str("a value of the model cannot be written as a term"),
            Reason::Remark => {
                f.write_str("it is false only if a sort has no more elements than a comment says")
            }
            Reason::Beyond(why) => f.write_str(why),
            Reason::Undecided => f.write_str("nothing is open, but the values do not decide"),
            Reason::TooManyUnknowns(n) => write!(f, "{n} terms are unknown"),
            Reason::TooLarge => f.write_str("the residual is too large"),
        }
    }
}

impl std::error::Error for Reason {}
