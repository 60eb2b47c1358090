//! Making failing scripts smaller. Whether a script fails is the caller's to say: nothing here runs a solver.
//!
//! A pass ([`PASSES`]) proposes edits of a script, each well-sorted. A [`Search`] applies them, many at a time where that can
//! work, and asks a [`Judge`] which of the smaller scripts still fail; it goes on from there until no pass finds anything.
//! What is not SMT-LIB to smelt is reduced as s-expressions ([`Text`]), and two scripts of one step of a rule in step ([`pair`]).

mod edit;
mod original;
pub mod pair;
mod passes;
mod search;
mod subject;
mod text;
mod used;
mod witness;

pub use edit::Edit;
pub use original::Original;
pub use passes::{COARSE, ENLARGING, HIDING, PASSES};
pub use search::{Judge, Pass, Reducible, Search, Way};
pub use subject::{Style, Subject};
pub use text::{COMMANDS, TEXT_PASSES, Text};
pub use witness::Witness;

/// Candidates in their order, each made when it is asked for.
pub type Candidates<'a, C> = &'a mut dyn Iterator<Item = C>;

/// Tries candidates one after the other: the first for which `holds`, with its number.
pub fn one_by_one<C>(
    mut holds: impl FnMut(&C) -> bool,
) -> impl FnMut(Candidates<'_, C>) -> Option<(usize, C)> {
    move |candidates| candidates.enumerate().find(|(_, c)| holds(c))
}
