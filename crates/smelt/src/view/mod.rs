//! What people see.

pub mod progress;
