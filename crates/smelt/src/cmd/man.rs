//! `smelt man`: the manual.

use std::io::Write;

use anyhow::{Context, Result};
use clap_mangen::Man;

use crate::args::Out;
use crate::exit::Exit;

/// Print the manual page of smelt; with --out, write the pages of all commands.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    out: Out,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<Exit> {
    let command = crate::help::command();
    match &args.out.out {
        None => {
            let mut text = Vec::new();
            Man::new(command).render(&mut text)?;
            std::io::stdout().write_all(&text).context("cannot write to standard output")?;
        }
        Some(folder) => std::fs::create_dir_all(folder)
            .and_then(|()| clap_mangen::generate_to(command, folder))
            .with_context(|| format!("cannot write to {}", folder.display()))?,
    }
    Ok(Exit::Fine)
}
