//! What people see.

pub mod campaign;
pub mod content;
pub mod evaluation;
pub mod evolution;
pub mod guarantee;
pub mod history;
pub mod junit;
pub mod lab;
pub mod line;
#[cfg_attr(not(feature = "live"), path = "no_live.rs")]
pub mod live;
pub mod mutant;
pub mod opinion;
pub mod page;
pub mod perf;
pub mod reduction;
pub mod replayed;
pub mod residual;
pub mod solvers;
pub mod strategies;
pub mod summary;
pub mod table;
pub mod top;
pub mod verification;
