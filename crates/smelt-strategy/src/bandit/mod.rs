//! BanditFuzz: instances of a theory, changed construct by construct, and agents that learn which constructs matter.
//!
//! Paper: "BanditFuzz: Fuzzing SMT Solvers with Reinforcement Learning" (Scott, Mora, Ganesh).
//!
//! Needs: nothing but a theory; no seed. Who measures an instance says what it is worth ([`Score`]).
//!
//! Rule: a random instance (`generate`) is changed at one place, where a construct is replaced by another one of its kind (`mutate`). An
//! [`Agent`] chooses the construct by what each of them has earned so far ([`Counts`]). A change that makes the score better is a reward
//! for its construct, and is kept. A [`Search`] says what is tried next; the paper's baselines (random, mutational, evolutionary) are
//! searches and agents, too.
//!
//! Why the expectation holds: there is none. Solvers are compared with each other.
//!
//! Departures from the paper:
//! - Its loop of algorithm 1 goes on while there is time *or* the score is below twice the limit, which it always is: here it ends at 0.99 of
//!   the most, and begins again from a new instance when nothing gets better for a while. Counts survive that.
//! - Its algorithm 2 keeps the changed instance where it is *not* inconsistent, as printed; here the one that shows a bug counts, as its
//!   text says. Its evolutionary baseline is left out there; here it is kept, with a score of 0 or 1.
//! - Children of a replaced construct stay, from the left, where their sorts fit; the paper has one sort and drops or grows on the right,
//!   which is the same there.
//! - What no solver answers with `sat`, `unsat` or a timeout has no score, so that an agent does not farm it.
//!
//! Example: `(fp.eq (fp.add RNE x0 x1) (fp.sub RNE x0 x1))` with `fp.abs` inserted is `(fp.eq (fp.abs x0) (fp.sub RNE x0 x1))` or
//! `(fp.eq (fp.add RNE x0 x1) (fp.abs x0))`.

pub mod agent;
mod beta;
mod instance;
mod language;
mod mutate;
pub mod planted;
mod presets;
pub mod search;
mod stream;
#[cfg(test)]
mod tests;

pub use agent::{AGENTS, Agent, Counts, Ranked, Tally, ranking};
pub use instance::{Instance, Node};
pub use language::{Construct, Kind, Language, Parameters};
pub use presets::{PRESETS, Preset};
pub use search::{Change, METHODS, Method, Objective, Score, Search, Settings, Trial};
pub use stream::{Streams, remake};
