//! Making failing scripts smaller. Whether a script fails is the caller's to say: nothing here runs a solver.

pub mod kernel;
pub mod pair;
pub mod storm;
