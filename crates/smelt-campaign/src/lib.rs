//! Many cases: where they come from, when to stop, what is kept. Nothing here prints.

pub mod campaign;
pub mod claim;
pub mod control;
pub mod engine;
pub mod event;
pub mod finding;
pub mod folder;
mod journal;
pub mod log;
pub mod offline;
pub mod parameters;
pub mod plan;
pub mod policy;
pub mod proofs;
pub mod provers;
pub mod reader;
pub mod remake;
mod report;
pub mod rulebook;
pub mod schedule;
pub mod seed_files;
pub mod seedbank;
pub mod seeds;
pub mod shelf;
pub mod tally;
pub mod verify;
mod worker;
