//! `smelt solvers`: which solvers are at hand, and getting more of them.

use std::io::Write;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use smelt_solver::doctor::{self, Health};
use smelt_solver::releases;
use smelt_solver::{Capabilities, Registry, Solver, SolverSpec, Source};
use smelt_trial::examine::examine_all;

use crate::args::{Json, Walls};
use crate::exit::Exit;
use crate::printable::printable;
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

fn say(text: &str) -> Result<()> {
    writeln!(std::io::stdout(), "{text}").context("cannot write to standard output")
}

/// What is said of one solver after the other: a line or several of text, or a line of JSON of this kind.
struct Rows {
    json: Option<&'static str>,
}

impl Rows {
    fn new(json: Json, kind: &'static str) -> Self {
        Self { json: json.json.then_some(kind) }
    }

    fn add(&self, mut row: Value, text: &str) -> Result<()> {
        match self.json {
            Some(kind) => {
                row["kind"] = json!(kind);
                say(&printable(&row.to_string()))
            }
            None => say(text),
        }
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
    for (label, solver) in chosen(registry, names)? {
        let (row, said) = match solver {
            Ok(s) => (describe(&s), format!("{:<12} {}", version_of(&s), path_of(&s))),
            Err(e) => (json!({ "label": label, "error": e.to_string() }), e.to_string()),
        };
        rows.add(row, &format!("{label:<24} {said}"))?;
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

fn version_of(solver: &Solver) -> String {
    solver.version().map_or_else(|| String::from("?"), ToString::to_string)
}

fn path_of(solver: &Solver) -> String {
    let folder = solver.folder().unwrap_or_else(|| solver.program());
    folder.display().to_string()
}

fn describe(solver: &Solver) -> Value {
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

fn doctor(registry: &Registry, names: &[String], again: bool, json: Json) -> Result<Exit> {
    let solvers = chosen(registry, names)?;
    if solvers.is_empty() {
        bail!("no solver on PATH and none installed; try `smelt solvers install z3 cvc5`");
    }
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

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn report(health: &Health) -> Value {
    let mut row = describe(&health.solver);
    row["complaints"] = json!(health.complaints);
    row["cold_cpu_ms"] = json!(milliseconds(health.cold_cpu));
    row["warm_cpu_ms"] = json!(health.warm_cpu.map(milliseconds));
    row["warm_trouble"] = json!(health.warm_trouble);
    let walls = health.solver.walls();
    row["sandbox"] = json!({
        "file_size": walls.file_size,
        "writes_files": health.solver.profile().writes_files,
        "landlock": walls.landlock,
        "open": if walls.any() { walls.gaps() } else { vec!["everything"] },
    });
    if let Some(known) = &health.capabilities {
        row["theories"] = json!(known.theories());
        row["unsupported_operators"] = json!(known.unsupported);
    }
    row
}

fn text(label: &str, health: &Health) -> String {
    let solver = &health.solver;
    let state = if health.complaints.is_empty() { "ok " } else { "ILL" };
    let warm = |d| format!("warm {:.1} ms", milliseconds(d));
    let warm = health.warm_cpu.map_or_else(|| String::from("no warm mode"), warm);
    let mut lines = vec![format!(
        "{state} {label:<24} {:<12} cold {:.1} ms, {warm}  {}",
        version_of(solver),
        milliseconds(health.cold_cpu),
        path_of(solver)
    )];
    if !solver.profile().tested {
        lines.push("its profile is from the manual and was never tried".to_owned());
    }
    let trouble =
        |why| format!("{why}: every script is run in a process of its own, which is slow");
    lines.extend(health.warm_trouble.map(trouble));
    lines.push(format!("sandbox: {}", solver.sandbox_words()));
    lines.extend(health.complaints.iter().map(ToString::to_string));
    if let Some(known) = &health.capabilities {
        let theory = |(name, supported, all)| match supported {
            n if n == all => name,
            n => format!("{name} ({n}/{all})"),
        };
        let theories = known.theories().into_iter().filter(|(_, supported, _)| *supported > 0);
        lines.push(theories.map(theory).collect::<Vec<_>>().join(", "));
    }
    lines.join("\n      ")
}
