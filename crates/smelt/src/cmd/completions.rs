//! `smelt completions`: what a shell needs to complete smelt's arguments.

use std::io::Write;

use anyhow::{Context, Result};
use clap_complete::Shell;

use crate::exit::Exit;

/// Print completions for a shell.
#[derive(clap::Args)]
pub struct Args {
    /// The shell.
    shell: Shell,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<Exit> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut crate::help::command(), "smelt", &mut text);
    std::io::stdout().write_all(&text).context("cannot write to standard output")?;
    Ok(Exit::Fine)
}
