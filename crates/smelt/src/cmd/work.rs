//! `smelt work`: a machine of a campaign on many.

#[cfg(feature = "hub")]
mod join;

use std::path::PathBuf;

use anyhow::Result;

use crate::args::{Jobs, Json, Out, Walls};
use crate::exit::Exit;

/// Work for a hub: make the tests that it gives away, and send it what is found.
///
/// Ctrl-C leaves cleanly; a worker may be killed at any time, and what it had not told is done by others. Solvers are this machine's own: what the
/// campaign tests must be here, or is installed with --install. Exit codes: 0 the campaign is over or the worker has left, 2 an error.
#[derive(clap::Args)]
#[command(mut_arg("out", |a| a.default_value("smelt-work")))]
#[cfg_attr(not(feature = "hub"), allow(dead_code, reason = "said by what this binary lacks"))]
pub struct Args {
    /// The hub and its campaign, as the hub prints it: `nats://host:port/campaign`.
    url: String,
    /// The file with the password for workers that the hub has written.
    #[arg(long, value_name = "FILE")]
    token: Option<PathBuf>,
    /// A file of credentials, for a server that is not the hub's own.
    #[arg(long, value_name = "FILE", conflicts_with = "token")]
    creds: Option<PathBuf>,
    /// Certificates that are trusted beside those of this machine (PEM).
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
    /// A program of this machine for a solver that the hub has as a program of its own: `mine=./build/z3`.
    #[arg(long, value_name = "NAME=COMMAND")]
    solver: Vec<String>,
    /// Install releases that the campaign tests and this machine lacks.
    #[arg(long)]
    install: bool,
    /// What the hub calls this machine; without it, its host name.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Leave when the hub is silent for so many seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    patience: u64,
    #[command(flatten)]
    jobs: Jobs,
    #[command(flatten)]
    out: Out,
    /// Megabytes of a solver's process, if that is to be less than the hub says: `512M`, `2G`.
    #[arg(long, value_name = "SIZE", value_parser = crate::args::limit::megabytes)]
    memory: Option<u64>,
    #[command(flatten)]
    walls: Walls,
    #[command(flatten)]
    json: Json,
}

/// Runs the command.
#[cfg(feature = "hub")]
pub fn run(args: &Args) -> Result<Exit> {
    join::run(args)
}

/// Says what this binary lacks.
#[cfg(not(feature = "hub"))]
pub fn run(_: &Args) -> Result<Exit> {
    anyhow::bail!(super::hub::LACKS)
}
