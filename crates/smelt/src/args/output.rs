//! In which form results come, and where they go.

use std::path::PathBuf;

/// For people or for machines.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Json {
    /// For machines: JSON instead of text, one object per line where there are several.
    #[arg(long)]
    pub json: bool,
}

/// How much is told on the way.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Quiet {
    /// Show no progress: findings, what goes wrong, and the end.
    #[arg(long, short)]
    pub quiet: bool,
}

/// Where results are kept.
#[derive(Clone, Debug, clap::Args)]
pub struct Out {
    /// The folder that results are written to; it is made if it is not there.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}
