//! `smelt solvers`: which solvers are at hand, and getting more of them.

use std::io::Write;

use anyhow::{Context, Result, bail};
use serde_json::json;
use smelt_solver::doctor::{self, Health};
use smelt_solver::releases;
use smelt_solver::{Registry, Solver, SolverSpec, Source};
use smelt_trial::resolve::registry;

use crate::args::Json;
use crate::exit::Exit;
use crate::voice::installing;

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
        json: Json,
    },
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    let registry = registry()?;
    match args.command {
        Command::List { available: true, names, json } => {
            list_available(&registry, &names, json.json)
        }
        Command::List { available: false, names, json } => list(&registry, &names, json.json),
        Command::Install { releases } => install_all(&registry, &releases),
        Command::Remove { releases } => remove_all(&registry, &releases),
        Command::Doctor { names, again, json } => examine_all(&registry, &names, again, json.json),
    }
}

fn say(text: &str) -> Result<()> {
    writeln!(std::io::stdout(), "{text}").context("cannot write to standard output")
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
    Ok(specs
        .into_iter()
        .flatten()
        .map(|s| (s.label.clone(), registry.resolve(&s).map_err(Into::into)))
        .collect())
}

fn list(registry: &Registry, names: &[String], json: bool) -> Result<Exit> {
    let mut rows = Vec::new();
    for (label, solver) in chosen(registry, names)? {
        match solver {
            Ok(solver) if json => rows.push(describe(&solver)),
            Ok(solver) => {
                say(&format!("{label:<24} {:<12} {}", version_of(&solver), path_of(&solver)))?
            }
            Err(e) if json => rows.push(json!({ "label": label, "error": e.to_string() })),
            Err(e) => say(&format!("{label:<24} {e}"))?,
        }
    }
    if json {
        say(&serde_json::to_string_pretty(&rows)?)?;
    }
    Ok(Exit::Fine)
}

fn list_available(registry: &Registry, names: &[String], json: bool) -> Result<Exit> {
    let mut rows = serde_json::Map::new();
    for profile in registry.profiles().iter().filter(|p| p.package.is_some()) {
        if !names.is_empty() && !names.contains(&profile.name) {
            continue;
        }
        let versions = releases::available(profile, registry.launcher(), None)?;
        if json {
            rows.insert(profile.name.clone(), json!(versions));
        } else {
            say(&format!("{}: {}", profile.name, versions.join(" ")))?;
        }
    }
    if json {
        say(&serde_json::to_string_pretty(&rows)?)?;
    }
    Ok(Exit::Fine)
}

fn version_of(solver: &Solver) -> String {
    solver.version().map_or_else(|| String::from("?"), ToString::to_string)
}

fn path_of(solver: &Solver) -> String {
    let folder = solver.folder().unwrap_or_else(|| solver.program());
    folder.display().to_string()
}

fn describe(solver: &Solver) -> serde_json::Value {
    json!({
        "label": solver.label(),
        "name": solver.profile().name,
        "family": solver.profile().family,
        "version": solver.version().map(ToString::to_string),
        "path": path_of(solver),
        "digest": solver.hash(),
        "hosted": solver.hosted(),
        "profile_tested": solver.profile().tested,
    })
}

fn examine_all(registry: &Registry, names: &[String], again: bool, json: bool) -> Result<Exit> {
    let mut ill = 0;
    let mut rows = Vec::new();
    let solvers = chosen(registry, names)?;
    if solvers.is_empty() {
        bail!("no solver on PATH and none installed; try `smelt solvers install z3 cvc5`");
    }
    for (label, solver) in solvers {
        let health = match solver {
            Ok(solver) => {
                if again {
                    smelt_solver::Capabilities::forget(registry.home(), &solver)?;
                }
                Ok(doctor::examine(registry, &solver, None))
            }
            Err(e) => Err(e),
        };
        let well = health.as_ref().is_ok_and(|h| h.complaints.is_empty());
        ill += usize::from(!well);
        match (&health, json) {
            (Ok(health), true) => rows.push(report(health)),
            (Err(e), true) => rows.push(json!({ "label": label, "complaints": [e.to_string()] })),
            (Ok(health), false) => show(&label, health)?,
            (Err(e), false) => say(&format!("ILL {label:<24} {e}"))?,
        }
    }
    if json {
        say(&serde_json::to_string_pretty(&rows)?)?;
    }
    Ok(if ill == 0 { Exit::Fine } else { Exit::No })
}

fn report(health: &Health) -> serde_json::Value {
    let mut row = describe(&health.solver);
    row["complaints"] = json!(health.complaints);
    row["cold_cpu_ms"] = json!(health.cold_cpu.as_secs_f64() * 1e3);
    row["warm_cpu_ms"] = json!(health.warm_cpu.map(|d| d.as_secs_f64() * 1e3));
    if let Some(known) = &health.capabilities {
        row["theories"] = json!(known.theories());
        row["unsupported_operators"] = json!(known.unsupported);
    }
    row
}

fn show(label: &str, health: &Health) -> Result<()> {
    let solver = &health.solver;
    let state = if health.complaints.is_empty() { "ok " } else { "ILL" };
    let warm = health.warm_cpu.map_or_else(
        || String::from("no warm mode"),
        |d| format!("warm {:.1} ms", d.as_secs_f64() * 1e3),
    );
    let cold = health.cold_cpu.as_secs_f64() * 1e3;
    say(&format!(
        "{state} {label:<24} {:<12} cold {cold:.1} ms, {warm}  {}",
        version_of(solver),
        path_of(solver)
    ))?;
    if !solver.profile().tested {
        say("      its profile is from the manual and was never tried")?;
    }
    for complaint in &health.complaints {
        say(&format!("      {complaint}"))?;
    }
    if let Some(known) = &health.capabilities {
        let theories: Vec<String> = known
            .theories()
            .into_iter()
            .filter(|(_, supported, _)| *supported > 0)
            .map(
                |(name, supported, all)| {
                    if supported == all { name } else { format!("{name} ({supported}/{all})") }
                },
            )
            .collect();
        say(&format!("      {}", theories.join(", ")))?;
    }
    Ok(())
}
