//! When a run is over.

use super::{at_least_one, time};

/// When a run is over: at the first of these that is reached.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Budget {
    /// Stop after this time: `90s`, `10m`, `1h30m`, `2d`; a plain number is seconds.
    #[arg(long, value_parser = time::seconds)]
    pub time: Option<f64>,
    /// Stop after so many tests.
    #[arg(long, value_name = "N", value_parser = at_least_one::<u64>)]
    pub tests: Option<u64>,
    /// Stop after so many new findings.
    #[arg(long, value_name = "N", value_parser = at_least_one::<u64>)]
    pub findings: Option<u64>,
}

impl Budget {
    /// Whether any end is given.
    pub fn is_given(&self) -> bool {
        self.time.is_some() || self.tests.is_some() || self.findings.is_some()
    }
}
