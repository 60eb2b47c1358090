//! The commands: each is a module with `Args` and `run`. None of them runs a solver or uses another command.

pub mod bisect;
pub mod check;
pub mod completions;
pub mod enumerate;
pub mod eval;
pub mod evolve;
pub mod fuzz;
pub mod hub;
pub mod janus;
pub mod lab;
pub mod man;
pub mod merge;
pub mod mutate;
pub mod perf;
pub mod recheck;
pub mod reduce;
pub mod replay;
pub mod report;
pub mod rules;
pub mod solvers;
pub mod work;
