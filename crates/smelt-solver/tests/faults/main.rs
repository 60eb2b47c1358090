//! Every fault of a solver gives its own outcome, in a cold run and in a warm session, and leaves nothing behind.

mod cold;
mod fake;
mod leftovers;
mod machine;
mod session;
