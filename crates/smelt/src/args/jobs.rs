//! How many threads work.

/// Worker threads.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Jobs {
    /// Worker threads, from 1 to 1024; without it, one per core.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

impl Jobs {
    /// The number that is given.
    pub fn given(self) -> Option<usize> {
        self.jobs.map(usize::from)
    }

    /// The number that is given, or that of the cores.
    pub fn or_cores(self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.given().unwrap_or_else(cores)
    }
}
