//! Court, reproducer, trial and follow-ups, with solvers that do what they are told to, and without a campaign.

mod court;
mod crashes;
mod follow_ups;
mod own_words;
mod panels;
mod reproducer;
// Solvers that do what real ones do not do on demand: those of the tests of `smelt fuzz`.
#[path = "../../../smelt/tests/fuzz/scripted.rs"]
#[allow(dead_code)]
mod scripted;
mod sessions;
mod shrink;
