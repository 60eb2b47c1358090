//! One script, several solvers: who is wrong, and is it so in fresh processes?
//!
//! A [`Target`] is a solver with everything that is known about its release: the one way to print for it, run it and judge what it
//! says; a [`Panel`] is several of them. A [`bench::Bench`] has their warm sessions, a [`trial::Trial`] looks for contradictions in what
//! they say, a [`court::Court`] makes a suspicion a finding, in fresh processes, and a [`Reproducer`] says whether it still shows.

pub mod bench;
pub mod bisect;
pub mod caveat;
pub mod content;
pub mod court;
pub mod examine;
pub mod exhibit;
pub mod fingerprint;
pub mod follow_up;
pub mod in_order;
pub mod lineup;
pub mod opinion;
mod panel;
mod range;
pub mod refusals;
pub mod relation;
pub mod reproducer;
pub mod resolve;
pub mod shrink;
mod target;
pub mod trial;

pub use panel::Panel;
pub use reproducer::Reproducer;
pub use resolve::{Notice, Resolver};
pub use target::{Target, model_options};
