//! smelt-solver
