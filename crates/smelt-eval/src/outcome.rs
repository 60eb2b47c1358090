//! The result of an evaluation: a value, or the reason why there is none.

use crate::limit::Limit;
use crate::value::Value;
use smelt_smtlib::{Fun, Op};
use std::fmt;

/// A value, or why there is none.
pub type Outcome = Result<Value, Undetermined>;

/// Why a term has no definite value. The term still has *some* value, the same wherever it occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Undetermined {
    /// The standard leaves the result open at these arguments, and the model does not interpret it.
    Partial(Op),
    /// A selector applied to another constructor, and the model does not interpret it.
    WrongSelector(Fun),
    /// There is no interpretation of the symbol.
    NoInterpretation(Fun),
    /// The value is that of a default which smelt gave to this symbol: the model says nothing.
    Defaulted(Fun),
    /// A value that the model gives in a form that cannot be read exactly.
    Unreadable(Fun),
    /// A bound of the evaluator.
    Limit(Limit),
    /// The numbers are known only as enclosures, which do not separate at the largest precision.
    Precision,
    /// A quantifier (or another binder) over a domain that was not exhausted.
    Domain,
    /// Two values whose equality is not decided, or a value that cannot be the element of a set or an index.
    Equality,
    /// The operator has no semantics here.
    Unsupported(Op),
    /// A variable without a value: the term is not closed.
    Unbound,
    /// A value of another sort than the term asks for: the model is not well-sorted.
    Sorts,
}

impl From<Limit> for Undetermined {
    fn from(limit: Limit) -> Undetermined {
        Undetermined::Limit(limit)
    }
}

impl fmt::Display for Undetermined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Undetermined::Partial(op) => {
                write!(f, "`{}` is not specified at these arguments", op.info().name)
            }
            Undetermined::WrongSelector(_) => {
                f.write_str("a selector is applied to a value of another constructor")
            }
            Undetermined::NoInterpretation(_) => f.write_str("a symbol has no interpretation"),
            Undetermined::Defaulted(_) => {
                f.write_str("false only with the default of a symbol that the model leaves open")
            }
            Undetermined::Unreadable(_) => {
                f.write_str("the model gives a value that cannot be read exactly")
            }
            Undetermined::Limit(limit) => limit.fmt(f),
            Undetermined::Precision => f.write_str("the enclosures of two numbers overlap"),
            Undetermined::Domain => f.write_str("a domain is too large to be searched"),
            Undetermined::Equality => f.write_str("the equality of two values is not decided"),
            Undetermined::Unsupported(op) => {
                write!(f, "`{}` has no semantics here", op.info().name)
            }
            Undetermined::Unbound => f.write_str("a variable has no value"),
            Undetermined::Sorts => f.write_str("a value has another sort than needed"),
        }
    }
}

impl std::error::Error for Undetermined {}

/// How much an evaluation may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Nodes evaluated below binders and in function bodies, per call.
    pub steps: u64,
    /// Instances of one quantifier.
    pub instances: u64,
    /// Nested calls of functions.
    pub calls: usize,
    /// Steps of one question to a regular expression.
    pub regex_steps: u64,
    /// Bits of the first enclosure of a transcendental number.
    pub first_precision: u32,
    /// Bits of the last one.
    pub last_precision: u32,
}

impl Limits {
    /// For the inner loop of a campaign, where a solver answers within milliseconds: little is spent on quantifiers and
    /// recursion. What is decided within these limits is decided in the same way within larger ones.
    pub fn quick() -> Limits {
        Limits { steps: 20_000, instances: 20_000, regex_steps: 100_000, ..Limits::default() }
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            steps: 2_000_000,
            instances: 70_000,
            calls: 10_000,
            regex_steps: 2_000_000,
            first_precision: 64,
            last_precision: 512,
        }
    }
}
