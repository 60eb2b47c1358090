//! What people see.

pub mod campaign;
