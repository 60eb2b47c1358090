//! One script, several solvers: who is wrong, and is it so in fresh processes?
//!
//! A [`Target`] is a solver with everything that is known about its release: the one way to print for it, run it and judge what it
//! says. A [`court::Court`] makes a suspicion a finding, in fresh processes.

pub mod caveat;
pub mod comparable;
pub mod content;
pub mod core;
pub mod court;
pub mod opinion;
mod refusals;
pub mod reproducer;
pub mod resolve;
mod target;

pub use resolve::{Notice, Resolver};
pub use target::Target;
