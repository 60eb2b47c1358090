//! Many cases: where they come from, when to stop, what is kept. Nothing here prints.

pub mod campaign;
pub mod finding;
pub mod folder;
pub mod log;
pub mod panel;
pub mod policy;
pub mod proofs;
pub mod reader;
mod report;
pub mod schedule;
pub mod seedbank;
pub mod seeds;
pub mod source;
pub mod stats;
pub mod store;
pub mod worker;
