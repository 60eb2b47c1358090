//! Reading, typing, rewriting and printing SMT-LIB scripts.

pub mod error;
pub mod lexer;
