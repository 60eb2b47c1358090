//! Making failing scripts smaller. Whether a script fails is the caller's to say: nothing here runs a solver.
//!
//! A reducer gives candidates, the most hopeful first, each made when it is asked for. Whoever calls it says which of them is the
//! first that fails; the reducer goes on from there, with new candidates. So candidates can be tried one after the other or several
//! at a time, with one result.

pub mod kernel;
pub mod pair;
pub mod storm;

/// Candidates in their order.
pub type Candidates<'a, C> = &'a mut dyn Iterator<Item = C>;

/// Tries candidates one after the other: the first for which `holds`, with its number.
pub fn one_by_one<C>(
    mut holds: impl FnMut(&C) -> bool,
) -> impl FnMut(Candidates<'_, C>) -> Option<(usize, C)> {
    move |candidates| candidates.enumerate().find(|(_, c)| holds(c))
}
