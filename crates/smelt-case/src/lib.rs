//! The plain types that a test is made of: what goes into a strategy and what comes out of it.
//!
//! A [`Seed`] is a script with what is known about its checks. A strategy turns it into a [`Mutant`]: a script with one
//! [`Expectation`] per check. A [`Recipe`] says how to make the same mutant again.

mod mutant;
mod ops;
mod origin;
mod recipe;
mod seed;

pub use mutant::{Expectation, Follows, Mutant};
pub use ops::OpSet;
pub use origin::{Cost, Derivation, Generation, GrammarRef, Index, Origin};
pub use recipe::{Recipe, SeedRef, stream};
pub use seed::{Basis, Fact, Known, Seed, digest};
pub use smelt_smtlib::Status;
