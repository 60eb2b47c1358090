//! What people see.

pub mod campaign;
pub mod content;
pub mod mutant;
pub mod opinion;
pub mod residual;
pub mod table;
pub mod top;
