//! `smelt replay`: does a finding still hold?

mod again;

use std::path::PathBuf;

use anyhow::{Result, bail};
use smelt_campaign::shelf;
use smelt_solver::Cancel;
use smelt_triage::Says;
use smelt_trial::in_order::in_order;

use self::again::{Wanted, one, wanted};
use crate::args::{Jobs, Json, Limit, Solvers, Walls};
use crate::exit::Exit;
use crate::interrupt;
use crate::view::replayed::{Replayed, show};

/// Re-run findings, on the accused solver or on those that are given by --solver.
///
/// What a finding names is run only if it is a known solver by name or name@version that is here; a path or a command must be given by
/// --solver. Slowness is waited for a minute, whatever the limit. Exit codes: 10 if one still holds, 3 if nothing was learnt of one, else
/// 0; 2 if one cannot be replayed.
#[derive(clap::Args)]
#[command(mut_arg("limit", |a| a.default_value("10")))]
#[command(mut_arg("jobs", |a| a.help("Findings that are replayed at a time, from 1 to 1024; without it, one per core")))]
pub struct Args {
    /// Folders of findings, of their findings/, or of whole campaigns.
    #[arg(required = true)]
    findings: Vec<PathBuf>,
    #[command(flatten)]
    solvers: Solvers,
    /// Install the release that a finding names, if it is not here.
    #[arg(long)]
    install: bool,
    /// Send scripts as they are, with commands and options that may write and read files. For findings of your own.
    #[arg(long)]
    trust_scripts: bool,
    #[command(flatten)]
    walls: Walls,
    #[command(flatten)]
    limit: Limit,
    #[command(flatten)]
    jobs: Jobs,
    #[command(flatten)]
    json: Json,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    let registry = args.walls.registry_trusting(args.trust_scripts)?;
    let registry = registry.limiting_memory(args.limit.bytes());
    let mut folders = Vec::new();
    for path in &args.findings {
        folders.extend(shelf::folders(path)?);
    }
    let named = match args.solvers.are_given() {
        true => args.solvers.targets(&registry)?,
        false => Vec::new(),
    };
    // Solvers are looked for, and installed, one after the other.
    let wanted: Vec<Wanted> = folders
        .into_iter()
        .map(|path| Wanted { what: wanted(&registry, &path, &args), path })
        .collect();
    let cancel = Cancel::new()?;
    interrupt::ends(&[&cancel], &cancel)?;
    let (mut holds, mut open, mut failed, mut lost) = (false, false, 0, None);
    // What Ctrl-C cuts off says nothing.
    let work = |_: usize, w: &Wanted| {
        let done = (!cancel.is_cancelled())
            .then(|| one(&registry, w, &named, (args.limit.cpu(), &cancel)));
        done.filter(|_| !cancel.is_cancelled())
    };
    let mut each = |done: Option<Replayed>| {
        let Some(done) = done else { return };
        match &done.what {
            // One that cannot be run does not keep the others from it.
            Err(_) => failed += 1,
            Ok(again) => {
                let mut said = again.seen.iter().map(|s| s.says);
                holds |= said.clone().any(|s| s == Says::Holds);
                open |= said.any(|s| matches!(s, Says::Open | Says::Other(_)));
            }
        }
        if let (Err(e), None) = (show(&done, args.json), &lost) {
            lost = Some(e);
        }
    };
    in_order(&wanted, args.jobs.or_cores(), work, &mut each, &|| {});
    lost.map_or(Ok(()), Err)?;
    if interrupt::has_come() {
        bail!("interrupted");
    }
    if failed > 0 {
        bail!("{failed} of {} findings could not be replayed", wanted.len());
    }
    Ok(match (holds, open) {
        (true, _) => Exit::Found,
        (false, true) => Exit::Open,
        (false, false) => Exit::Fine,
    })
}
