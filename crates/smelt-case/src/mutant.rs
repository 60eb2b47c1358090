//! Mutants: scripts that a strategy made, with what it knows about them.

use std::borrow::Cow;
use std::sync::Arc;

use smelt_eval::Model;
use smelt_smtlib::Script;

/// What is known about a check of a mutant.
#[derive(Clone, Debug)]
pub enum Expectation {
    /// Nothing: solvers can only be compared with each other.
    Open,
    /// It is satisfiable. With a witness (in the mutant's arena) smelt's evaluator has shown it; without one it is a claim
    /// that rests on the seed's status.
    Sat(Option<Arc<Model>>),
    /// It is unsatisfiable, because the seed is and the rule keeps it so.
    Unsat,
}

impl Expectation {
    /// One word for tables and recipes.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Sat(Some(_)) => "sat (witness)",
            Self::Sat(None) => "sat (claim)",
            Self::Unsat => "unsat",
        }
    }
}

/// Which script the answer to a mutant follows from, by one application of one rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Follows {
    /// From none: steps are independent, or change more than one thing.
    Nothing,
    /// From the mutant before it in the chain, or from the seed, if it is the first.
    LastStep,
    /// From the seed: the chain began again.
    Seed,
}

/// One step of a chain. The script belongs to the chain; whoever parses a model into its arena rolls it back afterwards.
pub struct Mutant<'a> {
    /// The script.
    pub script: &'a mut Script,
    /// One per check of the script.
    pub expect: Cow<'a, [Expectation]>,
    /// What was done in this step, and why the expectation holds, in a line.
    pub what: Cow<'a, str>,
    /// What it is related to.
    pub follows: Follows,
}
