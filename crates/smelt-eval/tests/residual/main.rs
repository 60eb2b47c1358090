//! Residuals.

mod examples;
