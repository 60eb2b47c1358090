//! In which form results come, where they go, and how much is told beside them.

use std::path::PathBuf;

use crate::voice::Level;

/// For people or for machines.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Json {
    /// For machines: JSON instead of text, one object per line where there are several.
    #[arg(long)]
    pub json: bool,
}

/// Results only.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Quiet {
    /// Print results and what goes wrong only: no progress, nothing that is merely done or as expected.
    #[arg(long, short, global = true, display_order = 900)]
    pub quiet: bool,
}

/// How much is told beside results, in all commands.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Telling {
    #[command(flatten)]
    quiet: Quiet,
    /// Say on standard error what is used: solvers with version, path, options and caveats, limits, scripts.
    #[arg(long, short, global = true, display_order = 901, conflicts_with = "quiet")]
    verbose: bool,
}

impl Telling {
    /// The level that is asked for.
    pub fn level(self) -> Level {
        match (self.quiet.quiet, self.verbose) {
            (true, _) => Level::Quiet,
            (_, true) => Level::Verbose,
            _ => Level::Normal,
        }
    }
}

/// Where results are kept.
#[derive(Clone, Debug, clap::Args)]
pub struct Out {
    /// The folder that results are written to; it is made if it is not there.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// Whether the project file at hand is the user's own.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Trust {
    /// Run commands and read paths that the smelt.toml of this folder, or a plan of `smelt lab`, names: it is yours, or you have read it.
    #[arg(long, global = true, display_order = 902)]
    pub trust: bool,
}
