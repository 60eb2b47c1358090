//! `smelt solvers`: which solvers are at hand, and getting more of them.

use anyhow::{Result, bail};
use serde_json::json;
use smelt_solver::doctor::{self, Health};
use smelt_solver::releases;
use smelt_solver::{Capabilities, Registry, Solver, SolverSpec, Source};
use smelt_trial::examine::examine_all;

use crate::args::{Json, Walls};
use crate::exit::Exit;
use crate::view::solvers::{Rows, describe, path_of, report, say, text, version_of};
use crate::voice::{self, installing};

/// List, install, remove and examine solvers.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Show the solvers on PATH and the installed releases.
    List {
        /// Show the releases that can be installed instead.
        #[arg(long)]
        available: bool,
        /// Only these solvers.
        names: Vec<String>,
        #[command(flatten)]
        json: Json,
    },
    /// Install releases: `z3@4.8.7`, `cvc5@latest`; a bare name means the latest.
    Install {
        /// Releases.
        #[arg(required = true)]
        releases: Vec<String>,
    },
    /// Remove installed releases.
    Remove {
        /// Releases.
        #[arg(required = true)]
        releases: Vec<String>,
    },
    /// Find out which solvers work and what they can do. Exits with 1 when one of them is ill.
    Doctor {
        /// Only these; all at hand by default.
        names: Vec<String>,
        /// Probe again what is known already.
        #[arg(long)]
        again: bool,
        #[command(flatten)]
        walls: Walls,
        #[command(flatten)]
        json: Json,
    },
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    let walls = match &args.command {
        Command::Doctor { walls, .. } => *walls,
        _ => Walls::default(),
    };
    let registry = walls.registry()?;
    match args.command {
        Command::List { available: true, names, json } => available(&registry, &names, json),
        Command::List { available: false, names, json } => list(&registry, &names, json),
        Command::Install { releases } => install_all(&registry, &releases),
        Command::Remove { releases } => remove_all(&registry, &releases),
        Command::Doctor { names, again, json, .. } => doctor(&registry, &names, again, json),
    }
}

/// Name and version of `z3@4.8.7` or `z3`.
fn release_name(text: &str) -> Result<(String, String)> {
    let spec = SolverSpec::parse(text)?;
    match spec.source {
        Source::Release(name, version) if spec.args.is_empty() => Ok((name, version)),
        Source::Named(name) if spec.args.is_empty() => Ok((name, String::from("latest"))),
        _ => bail!("{text:?} names no release; write NAME or NAME@VERSION"),
    }
}

fn install_all(registry: &Registry, names: &[String]) -> Result<Exit> {
    let wanted: Vec<(String, String)> =
        names.iter().map(|n| release_name(n)).collect::<Result<_>>()?;
    let failed: Vec<String> = installing(registry, |resolver| {
        let all = wanted.iter().map(|(name, version)| resolver.install(name, version));
        all.filter_map(|r| r.err().map(|e| format!("{e:#}"))).collect()
    });
    if failed.is_empty() { Ok(Exit::Fine) } else { bail!("{}", failed.join("\n")) }
}

fn remove_all(registry: &Registry, names: &[String]) -> Result<Exit> {
    for text in names {
        let (name, version) = release_name(text)?;
        match releases::remove(registry.home(), &name, &version)? {
            Some(release) => say(&format!("{} {}: removed", release.name, release.version))?,
            None => bail!("{text} is not installed"),
        }
    }
    Ok(Exit::Fine)
}

/// The solvers that the names mean; all at hand without names.
fn chosen(registry: &Registry, names: &[String]) -> Result<Vec<(String, Result<Solver>)>> {
    if names.is_empty() {
        let all = registry.all().into_iter();
        return Ok(all.map(|(spec, solver)| (spec.label, solver.map_err(Into::into))).collect());
    }
    let specs = names.iter().map(|n| SolverSpec::parse_list(n)).collect::<Result<Vec<_>, _>>()?;
    let found = |s: SolverSpec| (s.label.clone(), registry.resolve(&s).map_err(Into::into));
    Ok(specs.into_iter().flatten().map(found).collect())
}

fn list(registry: &Registry, names: &[String], json: Json) -> Result<Exit> {
    let rows = Rows::new(json, "solver");
    let mut missing = 0;
    for (label, solver) in chosen(registry, names)? {
        missing += usize::from(solver.is_err() && !names.is_empty());
        let (row, said) = match solver {
            Ok(s) => (describe(&s), format!("{:<12} {}", version_of(&s), path_of(&s))),
            Err(e) => (json!({ "label": label, "error": e.to_string() }), e.to_string()),
        };
        rows.add(row, &format!("{label:<24} {said}"))?;
    }
    if missing > 0 {
        bail!("{missing} of what was asked for cannot be run");
    }
    Ok(Exit::Fine)
}

fn available(registry: &Registry, names: &[String], json: Json) -> Result<Exit> {
    for profile in registry.profiles().iter().filter(|p| p.package.is_some()) {
        if !names.is_empty() && !names.contains(&profile.name) {
            continue;
        }
        let versions = releases::available(profile, registry.launcher(), None)?;
        if json.json {
            let row = json!({ "kind": "available", "name": profile.name, "versions": versions });
            say(&row.to_string())?;
        } else {
            say(&format!("{}: {}", profile.name, versions.join(" ")))?;
        }
    }
    Ok(Exit::Fine)
}

fn doctor(registry: &Registry, names: &[String], again: bool, json: Json) -> Result<Exit> {
    let solvers = chosen(registry, names)?;
    if solvers.is_empty() {
        bail!("no solver on PATH and none installed; try `smelt solvers install z3 cvc5`");
    }
    voice::looks_at_home(registry);
    let (rows, mut ill, mut failure) = (Rows::new(json, "health"), false, None);
    let examine = |found: &(String, Result<Solver>), tell: &dyn Fn(usize)| match &found.1 {
        Err(e) => Err(e.to_string()),
        Ok(solver) => {
            if again {
                Capabilities::forget(registry.home(), solver).map_err(|e| e.to_string())?;
            }
            Ok(doctor::examine(registry, solver, None, tell))
        }
    };
    let bar = voice::bar();
    let solvers: Vec<_> = solvers.into_iter().map(|s| (s.0.clone(), s)).collect();
    let mut labels = solvers.iter().map(|(label, _)| label);
    let mut each = |health: Result<Health, String>| {
        let label = labels.next().map_or("", String::as_str);
        ill |= health.as_ref().map_or(true, |h| !h.complaints.is_empty());
        let (row, text) = match &health {
            Ok(health) => (report(health), text(label, health)),
            Err(e) => {
                let row = json!({ "label": label, "complaints": [e] });
                (row, format!("ILL {label:<24} {e}"))
            }
        };
        if let (Err(e), None) = (bar.suspend(|| rows.add(row, &text)), &failure) {
            failure = Some(e);
        }
    };
    examine_all(&solvers, examine, &mut each, &|far| voice::show_far(&bar, far));
    bar.finish_and_clear();
    failure.map_or(Ok(()), Err)?;
    Ok(if ill { Exit::No } else { Exit::Fine })
}
