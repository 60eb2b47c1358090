//! Engine, source and shelf, each without the others: solvers and cases are made up.

mod engine;
mod frozen;
mod journal;
mod made_up;
mod recheck;
mod shelf;
mod source;
