//! The one number that decides all choices by chance.

/// The seed of randomness.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Seed {
    /// Seed of all randomness. Without it: 0; `fuzz` takes another one each time, and prints it.
    #[arg(long, value_name = "K")]
    seed: Option<u64>,
}

impl Seed {
    /// The seed that is given, or 0.
    pub fn or_zero(self) -> u64 {
        self.seed.unwrap_or(0)
    }

    /// The seed that is given, or one that nobody knows. It fits into a number of JSON.
    pub fn or_any(self) -> u64 {
        self.seed.unwrap_or_else(|| rand::random::<u64>() >> 16)
    }
}
