//! Arguments that several commands take, each written once: the same flag means the same everywhere.

mod budget;
mod dialects;
pub mod grammars;
mod jobs;
pub mod limit;
mod operators;
mod output;
mod page;
pub mod params;
mod part;
mod randomness;
mod sandbox;
mod seed_options;
mod seeds;
pub mod solvers;
pub mod time;
pub mod words;

pub use budget::Budget;
pub use dialects::Dialect;
pub use jobs::Jobs;
pub use limit::Limit;
pub use operators::Operators;
pub use output::{Json, Out, Telling, Trust};
pub use page::PageAt;
pub use params::Params;
pub use part::part;
pub use randomness::Seed;
pub use sandbox::Walls;
pub use seed_options::SeedOptions;
pub use seeds::Seeds;
pub use solvers::Solvers;
pub use words::Words;

use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, Result};

/// A path that means the same from any folder; it must be there.
pub fn from_any_folder(path: impl AsRef<Path>) -> Result<PathBuf> {
    let path = path.as_ref();
    path.canonicalize().with_context(|| format!("cannot read {}", path.display()))
}

/// A number of which there must be one at least: without a step or a test nothing would be found, whatever there is.
pub fn at_least_one<N: FromStr + PartialOrd + From<u8>>(text: &str) -> Result<N, String> {
    match text.parse::<N>() {
        Ok(n) if n >= N::from(1) => Ok(n),
        _ => Err("a whole number from 1 on is needed".into()),
    }
}
