//! Residuals against brute forces that are written apart.

mod examples;
mod floats;
#[path = "../totalise/formulas.rs"]
mod formulas;
mod free_sorts;
#[path = "../totalise/interpretation.rs"]
mod interpretation;
mod random;
#[path = "../totalise/values.rs"]
mod values;
#[path = "../totalise/world.rs"]
mod world;
