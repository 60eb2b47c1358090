//! The live page: what it answers to whom, and how it moves in a browser.
#![cfg(feature = "live")]

mod answers;
mod browser;
mod made_up;

#[path = "../../../smelt-page/tests/driver/mod.rs"]
mod driver;
