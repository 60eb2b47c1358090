//! How long a solver may think about one script.

use std::sync::Once;
use std::time::Duration;

use super::time;
use crate::voice::detail;

/// The CPU limit of one run of a solver. Each command sets its default with `mut_arg`.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Limit {
    /// CPU seconds of a solver for one script, from 0.001 to 3600.
    #[arg(long, value_name = "SECONDS", value_parser = cpu_seconds, required = false)]
    limit: f64,
}

impl Limit {
    /// In seconds.
    pub fn seconds(self) -> f64 {
        self.limit
    }

    /// The limit as CPU time. With `--verbose` it is told, once.
    pub fn cpu(self) -> Duration {
        static TOLD: Once = Once::new();
        TOLD.call_once(|| detail(|| format!("limit: {} s of CPU for one script", self.limit)));
        Duration::from_secs_f64(self.limit)
    }
}

fn cpu_seconds(text: &str) -> Result<f64, String> {
    match time::seconds(text)? {
        n if (0.001..=3600.0).contains(&n) => Ok(n),
        _ => Err("seconds from 0.001 to 3600 are needed".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits() {
        for (text, expect) in [
            ("2", Some(2.0)),
            ("0.25", Some(0.25)),
            ("1m", Some(60.0)),
            ("3600", Some(3600.0)),
            ("3601", None),
            ("0", None),
            ("0.0001", None),
            ("-2", None),
            ("two", None),
        ] {
            assert_eq!(cpu_seconds(text).ok(), expect, "{text}");
        }
    }
}
