//! Whether a campaign is shown on a page, and where.

use std::path::PathBuf;

use clap::builder::NonEmptyStringValueParser;

/// The page where it is, if nobody says otherwise.
const DEFAULT: &str = "127.0.0.1:7357";

/// The live page of a campaign.
#[derive(Clone, Debug, clap::Args)]
pub struct PageAt {
    /// Show the campaign on a live page, at IP:PORT or a port of this machine (without either, 127.0.0.1:7357).
    #[arg(long, value_name = "ADDR", num_args = 0..=1, default_missing_value = DEFAULT)]
    #[arg(value_parser = NonEmptyStringValueParser::new())]
    pub page: Option<String>,
    /// A file with the token that is needed to mark bugs on the page, and to see it from other machines; without it, one is made up and
    /// told at the beginning.
    #[arg(long, value_name = "FILE", requires = "page")]
    pub page_token: Option<PathBuf>,
}
