//! `smelt replay`: does a finding still hold?

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Error, Result, anyhow, bail};
use smelt_campaign::finding::Finding;
use smelt_campaign::{replay, shelf};
use smelt_solver::{Cancel, Registry, ResolveError};
use smelt_triage::Says;
use smelt_trial::Target;

use crate::args::{Limit, Solvers, Walls};
use crate::exit::Exit;
use crate::printable::Printable;
use crate::voice::resolving;

/// Re-run findings, on the accused solver or on those that are given by --solver.
///
/// What a finding names is run only if it is a known solver by name or name@version that is here; a path or a command must be given by
/// --solver. Slowness is waited for a minute, whatever the limit. Exit codes: 10 if one still holds, 3 if nothing was learnt of one, else
/// 0; 2 if one cannot be replayed.
#[derive(clap::Args)]
#[command(mut_arg("limit", |a| a.default_value("10")))]
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
}

/// The verdict for people, with what was seen.
fn sentence(says: Says, what: &str) -> String {
    match says {
        Says::Holds => format!("still holds: {what}"),
        Says::DoesNot => format!("does not hold: {what}"),
        Says::Open | Says::Other(_) => format!("open: nothing learnt ({what})"),
    }
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    let registry = args.walls.registry_trusting(args.trust_scripts)?;
    let registry = registry.limiting_memory(args.limit.bytes());
    let mut out = Printable(std::io::stdout().lock());
    let (mut holds, mut open, mut failed) = (false, false, 0);
    let mut folders = Vec::new();
    for path in &args.findings {
        folders.extend(shelf::folders(path)?);
    }
    for path in &folders {
        // One that cannot be run does not keep the others from it.
        match one(&registry, path, &args, &mut out) {
            Ok(said) => {
                holds |= said.contains(&Says::Holds);
                open |= said.iter().any(|s| matches!(s, Says::Open | Says::Other(_)));
            }
            Err(e) => {
                failed += 1;
                writeln!(out, "{}: cannot be replayed: {e:#}", path.display())?;
            }
        }
    }
    if failed > 0 {
        bail!("{failed} of {} findings could not be replayed", folders.len());
    }
    Ok(match (holds, open) {
        (true, _) => Exit::Found,
        (false, true) => Exit::Open,
        (false, false) => Exit::Fine,
    })
}

/// Replays one finding: what each of the solvers says of it.
fn one(registry: &Registry, path: &Path, args: &Args, out: &mut impl Write) -> Result<Vec<Says>> {
    let finding = shelf::read(path)?;
    writeln!(out, "{}: {}", finding.id, finding.class())?;
    if let Some(why) = finding.withdrawn() {
        writeln!(out, "  withdrawn: {why}")?;
    }
    match replay::is_remade(path, &finding) {
        Ok(true) => writeln!(out, "  the recipe gives the same mutant")?,
        Ok(false) => {
            let by = finding.origin.recipe().map_or("?", |r| &r.smelt);
            writeln!(
                out,
                "  the recipe gives another mutant (it was made by smelt {by}); the kept script is used"
            )?;
        }
        Err(e) => {
            writeln!(out, "  the recipe cannot be followed ({e:#}); the kept script is used")?
        }
    }
    let mut all = Vec::new();
    for target in solvers(registry, &finding, args)? {
        let other = !args.solvers.are_given() && target.solver.hash() != finding.accused.binary;
        let note = if other { " (another binary than the accused one)" } else { "" };
        let label = target.label.clone();
        let (says, what) =
            replay::replay(registry, path, &finding, target, (args.limit.cpu(), &Cancel::new()?))?;
        all.push(says);
        writeln!(out, "  {label}{note}: {}", sentence(says, &what))?;
    }
    Ok(all)
}

/// The solvers that the user names, else the accused one.
fn solvers(registry: &Registry, f: &Finding, args: &Args) -> Result<Vec<Target>> {
    if args.solvers.are_given() {
        return args.solvers.targets(registry);
    }
    let spec = replay::accused(registry, f)?;
    let solver = if args.install {
        resolving(registry, |r| r.one(&spec))?
    } else {
        registry.resolve(&spec).map_err(|e| match e {
            ResolveError::NotInstalled { .. } => anyhow!("{e}, or give --install"),
            e => e.into(),
        })?
    };
    Ok(vec![Target::ready(solver).map_err(Error::msg)?])
}
