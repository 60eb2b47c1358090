//! `smelt hub`: one campaign on many machines.

#[cfg(feature = "hub")]
mod open;

use std::net::SocketAddr;
use std::path::PathBuf;

use anyhow::Result;

use crate::args::{self, Budget, Jobs, Json, Limit, Out, PageAt, Walls};
use crate::exit::Exit;

/// Divide one campaign among machines that come and go: each runs `smelt work`, and what they find is confirmed here.
///
/// Starts a message server (nats-server, from PATH or installed) in the campaign's folder, or uses one that exists, and prints the line that
/// starts a worker. Exit codes: as of `smelt fuzz`.
#[derive(clap::Args)]
#[command(mut_arg("limit", |a| a.default_value("2")))]
#[command(mut_arg("out", |a| a.default_value("smelt-campaign")))]
#[cfg_attr(not(feature = "hub"), allow(dead_code, reason = "said by what this binary lacks"))]
pub struct Args {
    /// Seeds: scripts or folders of them, which workers get from here; without any, the seeds inside smelt.
    seeds: Vec<PathBuf>,
    /// A solver to test; may be given several times: a release (`z3@4.13.0`), which workers can install, or a program of one's own
    /// (`mine=./build/z3`), which they must have, too.
    #[arg(long, value_name = "SOLVER")]
    solver: Vec<String>,
    /// A strategy to use; may be given several times. Without any, all.
    #[arg(long, value_name = "NAME")]
    strategy: Vec<String>,
    #[command(flatten)]
    budget: Budget,
    /// Stop after so many positions of the schedule: one chain of mutants each.
    #[arg(long, value_name = "N", value_parser = args::at_least_one::<u64>)]
    positions: Option<u64>,
    #[command(flatten)]
    random: args::Seed,
    /// Freeze the schedule: the same tests, whoever makes them.
    #[arg(long)]
    deterministic: bool,
    #[command(flatten)]
    jobs: Jobs,
    #[command(flatten)]
    out: Out,
    /// Continue the last run in the folder; a budget that is given replaces the old one.
    #[arg(long, conflicts_with_all = ["seeds", "solver", "strategy", "seed", "deterministic", "options", "limit", "memory"])]
    resume: bool,
    /// Options of solvers to vary: none, common, regular or expert.
    #[arg(long, default_value = "common")]
    options: String,
    #[command(flatten)]
    limit: Limit,
    /// Where workers come in. Beyond this machine they need the password that the hub writes into a file, and TLS keeps it secret.
    #[arg(
        long,
        value_name = "ADDR:PORT",
        default_value = "127.0.0.1:4222",
        conflicts_with = "nats"
    )]
    listen: SocketAddr,
    /// A certificate for workers from other machines (PEM).
    #[arg(long, value_name = "FILE", requires = "tls_key", conflicts_with = "nats")]
    tls_cert: Option<PathBuf>,
    /// The key of the certificate (PEM).
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// The nats-server to start; without it, the one on PATH, or the newest that can be installed.
    #[arg(long, value_name = "FILE", conflicts_with = "nats")]
    nats_server: Option<PathBuf>,
    /// Disk for what waits to be taken: `512M`, `8G`.
    #[arg(long, value_name = "SIZE", default_value = "8G", value_parser = args::limit::megabytes)]
    store: u64,
    /// Use a server that exists: `nats://host:port`, or `tls://host:port`.
    #[arg(long, value_name = "URL")]
    nats: Option<String>,
    /// A file of credentials for that server.
    #[arg(long, value_name = "FILE", requires = "nats")]
    creds: Option<PathBuf>,
    /// Certificates that are trusted beside those of this machine (PEM).
    #[arg(long, value_name = "FILE", requires = "nats")]
    ca: Option<PathBuf>,
    /// Positions that a worker takes at a time.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=1024))]
    block: u16,
    /// Seconds after which what a silent worker holds is given to others.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u16).range(2..=3600))]
    silence: u16,
    #[command(flatten)]
    walls: Walls,
    #[command(flatten)]
    page: PageAt,
    #[command(flatten)]
    json: Json,
}

/// Runs the command.
#[cfg(feature = "hub")]
pub fn run(args: &Args) -> Result<Exit> {
    open::run(args)
}

/// Says what this binary lacks.
#[cfg(not(feature = "hub"))]
pub fn run(_: &Args) -> Result<Exit> {
    anyhow::bail!(LACKS)
}

/// Why a default build cannot do it: a newcomer would wait for about a hundred crates.
#[cfg(not(feature = "hub"))]
pub const LACKS: &str = "this smelt was built without the message client that many machines need: cargo run --release --features hub -- hub … (and work)";
