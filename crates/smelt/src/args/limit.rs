//! How long a solver may think about one script.

use std::sync::Once;
use std::time::Duration;

use smelt_solver::Limits;

use super::time;
use crate::voice::detail;

/// The limits of one run of a solver: time and memory. Each command sets its default of time with `mut_arg`.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Limit {
    /// CPU seconds of a solver for one script, from 0.001 to 3600; its start is not counted. Wall time is limited, too: to four times as
    /// much and a second, so that only a very busy machine makes timeouts.
    #[arg(long, value_name = "SECONDS", value_parser = cpu_seconds, required = false)]
    limit: f64,
    /// Memory of a solver's process: `512M`, `2G`; a plain number is megabytes, from 16. Who needs more is out of memory, which is no
    /// timeout and no crash.
    #[arg(long, value_name = "SIZE", value_parser = megabytes, default_value = "2G")]
    memory: u64,
}

impl Limit {
    /// In seconds.
    pub fn seconds(self) -> f64 {
        self.limit
    }

    /// Memory in megabytes.
    pub fn megabytes(self) -> u64 {
        self.memory
    }

    /// Memory in bytes.
    pub fn bytes(self) -> Option<u64> {
        Some(self.memory << 20)
    }

    /// The limit as CPU time. With `--verbose` it is told, once.
    pub fn cpu(self) -> Duration {
        static TOLD: Once = Once::new();
        TOLD.call_once(|| {
            detail(|| format!("limits for one script: {}", words(self.limit, self.memory)))
        });
        Duration::from_secs_f64(self.limit)
    }
}

/// Limits in words: so many CPU seconds, and so many megabytes.
pub fn words(cpu: f64, megabytes: u64) -> String {
    let wall = Limits::wall_of(Duration::from_secs_f64(cpu)).as_secs_f64();
    format!("{cpu} s of CPU, {wall} s of wall time, {megabytes} MB of memory")
}

/// A size of memory in megabytes, as `512M` or `2G`.
pub fn megabytes(text: &str) -> Result<u64, String> {
    let (number, unit) = match text.strip_suffix(['g', 'G']) {
        Some(number) => (number, 1024),
        None => (text.strip_suffix(['m', 'M']).unwrap_or(text), 1),
    };
    let n = number.parse::<u64>().ok().and_then(|n| n.checked_mul(unit));
    n.filter(|n| (16..=16 << 20).contains(n))
        .ok_or_else(|| "a size from 16M to 16384G is needed, as 512M or 2G".into())
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

    #[test]
    fn sizes() {
        for (text, expect) in [
            ("2G", Some(2048)),
            ("512M", Some(512)),
            ("512m", Some(512)),
            ("100", Some(100)),
            ("15", None),
            ("0", None),
            ("-1", None),
            ("2T", None),
            ("99999999G", None),
            ("", None),
        ] {
            assert_eq!(megabytes(text).ok(), expect, "{text}");
        }
        assert_eq!(words(2.0, 512), "2 s of CPU, 9 s of wall time, 512 MB of memory");
    }
}
