//! What becomes of options that seeds set.

use clap::ValueEnum;

/// What becomes of options that seeds set.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct SeedOptions {
    /// What becomes of options that seeds set: kept where a solver's profile knows them and they ask the same question, or dropped. What is
    /// dropped is counted by name.
    #[arg(long, value_enum, default_value_t = Fate::Keep)]
    seed_options: Fate,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Fate {
    /// Solvers get those that their profiles know.
    Keep,
    /// No solver gets any.
    Drop,
}

impl SeedOptions {
    /// Whether no solver gets any.
    pub fn are_dropped(self) -> bool {
        self.seed_options == Fate::Drop
    }
}
