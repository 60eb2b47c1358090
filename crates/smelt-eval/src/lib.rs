//! smelt-eval
