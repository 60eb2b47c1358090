//! Arguments that several commands take, each written once: the same flag means the same everywhere.

mod budget;
mod jobs;
mod limit;
mod output;
pub mod params;
mod randomness;
mod time;

pub use budget::Budget;
pub use jobs::Jobs;
pub use limit::Limit;
pub use output::{Json, Out, Quiet};
pub use randomness::Seed;

use std::str::FromStr;

/// A number of which there must be one at least: without a step or a test nothing would be found, whatever there is.
pub fn at_least_one<N: FromStr + PartialOrd + From<u8>>(text: &str) -> Result<N, String> {
    match text.parse::<N>() {
        Ok(n) if n >= N::from(1) => Ok(n),
        _ => Err("a whole number from 1 on is needed".into()),
    }
}
