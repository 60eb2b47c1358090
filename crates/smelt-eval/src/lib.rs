//! Values of every SMT-LIB theory and the exact operations on them.
//!
//! The crate judges: it says what a term is worth under a model without asking any solver. Everything in it is a pure
//! function of its arguments; there is no IO, no clock and no randomness, and every computation is bounded (see
//! [`limit`]).

pub mod algebraic;
pub mod array;
pub mod bag;
mod beyond;
mod brute;
pub mod bv;
pub mod closure;
pub mod compound;
mod domain;
mod effort;
pub mod eval;
pub mod exactness;
pub mod field;
pub mod fp;
pub mod function;
pub mod incremental;
pub mod int;
pub mod interval;
pub mod limit;
pub mod model;
pub mod model_parse;
mod model_print;
mod model_roots;
mod model_text;
mod model_yices;
pub mod open;
mod ops;
pub mod outcome;
pub mod rat;
pub mod real;
pub mod regex;
pub mod relation;
pub mod residual;
pub mod seq;
pub mod set;
mod show;
pub mod string;
pub mod trace;
pub mod value;
mod value_term;
pub mod witness;

pub use beyond::beyond_assertions;
pub use brute::{Exhausted, brute_force, brute_force_within, exhaust, prove};
pub use domain::all_values;
pub use eval::{Evaluator, eval, eval_ground};
pub use exactness::{Rounded, RoundedLogics, RoundedNumbers};
pub use model::Model;
pub use model_parse::{ModelOptions, parse_model, parse_model_at};
pub use model_print::model_text;
pub use outcome::{Limits, Outcome, Undetermined};
pub use residual::{Completed, OpenResidual, Reason, Residual, Unknown, UnknownKind, residual};
pub use show::{Words, value_in_words, value_to_smtlib};
pub use value::Value;
pub use value_term::{value_term, writable};
