//! smelt-smtlib
