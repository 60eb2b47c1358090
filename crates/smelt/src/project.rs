//! The project file of the folder that smelt is called in, as commands use it.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail};
use smelt_campaign::project::{NAME, Project};
use smelt_solver::{Home, Registry};

use crate::voice;

static TRUST: AtomicBool = AtomicBool::new(false);

/// Sets whether the user trusts the file of the folder (`--trust`).
pub fn trust(trust: bool) {
    TRUST.store(trust, Ordering::Relaxed);
}

/// Whether the user trusts files that may be a stranger's.
pub fn is_trusted() -> bool {
    TRUST.load(Ordering::Relaxed)
}

/// What the project file and the user's own say.
pub fn current() -> Result<Project> {
    let Some(home) = Home::of_user() else { return Ok(Project::default()) };
    let folder = std::env::current_dir().context("cannot find the current folder")?;
    Project::of(&folder, &home, is_trusted())
}

/// Solvers by their names, with those of the project in the place of `smelt.toml`.
pub fn solvers(names: &[String], registry: &Registry) -> Result<Vec<String>> {
    let mut all = Vec::new();
    for name in names {
        if name != NAME {
            all.push(name.clone());
            continue;
        }
        match current()?.solvers(registry)? {
            Some((solvers, file)) => all.extend(told(file, "solvers", solvers.to_vec())),
            None => bail!("--solver {NAME}: there is no {NAME} here, or it names no solvers"),
        }
    }
    Ok(all)
}

/// Solvers of the project, if it names some.
pub fn own_solvers(registry: &Registry) -> Result<Vec<String>> {
    let project = current()?;
    let solvers = project.solvers(registry)?;
    Ok(solvers.map_or_else(Vec::new, |(all, file)| told(file, "solvers", all.to_vec())))
}

/// Seeds of the project, if it names some.
pub fn own_seeds() -> Result<Vec<PathBuf>> {
    let project = current()?;
    let seeds = project.seeds()?;
    Ok(seeds.map_or_else(Vec::new, |(all, file)| {
        told(file, "seeds", all.iter().map(|p| p.display().to_string()).collect());
        all
    }))
}

/// Tells what is taken from a file.
fn told(file: &Path, what: &str, names: Vec<String>) -> Vec<String> {
    voice::remark(&format!("{what} of {}: {}", file.display(), names.join(", ")));
    names
}
