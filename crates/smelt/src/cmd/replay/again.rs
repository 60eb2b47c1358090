//! One finding, run again.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Error, Result, anyhow};
use smelt_campaign::finding::Finding;
use smelt_campaign::{replay, shelf};
use smelt_solver::{Cancel, Registry, ResolveError, Solver};
use smelt_trial::Target;

use super::Args;
use crate::view::replayed::{Again, Remade, Replayed, Seen};
use crate::voice::resolving;

/// A finding, and the solver that it accuses where that is to be asked.
pub(super) struct Wanted {
    pub path: PathBuf,
    pub what: Result<(Finding, Option<Solver>)>,
}

/// A finding with the solver that it accuses, unless the user names others.
pub(super) fn wanted(
    registry: &Registry,
    path: &Path,
    args: &Args,
) -> Result<(Finding, Option<Solver>)> {
    let finding = shelf::read(path)?;
    let asked = !args.solvers.are_given();
    let solver = asked.then(|| accused(registry, &finding, args.install)).transpose()?;
    Ok((finding, solver))
}

/// The solver that a finding accuses.
fn accused(registry: &Registry, f: &Finding, install: bool) -> Result<Solver> {
    let spec = replay::accused(registry, f)?;
    if install {
        return resolving(registry, |r| r.one(&spec));
    }
    registry.resolve(&spec).map_err(|e| match e {
        ResolveError::NotInstalled { .. } => anyhow!("{e}, or give --install"),
        e => e.into(),
    })
}

/// Replays one finding: what each of the solvers says of it.
pub(super) fn one(
    registry: &Registry,
    wanted: &Wanted,
    named: &[Target],
    terms: (Duration, &Cancel),
) -> Replayed {
    let path = &wanted.path;
    let again = || -> Result<Again> {
        let (finding, accused) = wanted.what.as_ref().map_err(|e| anyhow!("{e:#}"))?;
        let remade = match replay::is_remade(path, finding) {
            Ok(true) => Remade::Alike,
            Ok(false) => Remade::Otherwise,
            Err(e) => Remade::Not(format!("{e:#}")),
        };
        let targets = match accused {
            Some(solver) => vec![Target::ready(solver.clone()).map_err(Error::msg)?],
            None => named.iter().map(Target::again).collect(),
        };
        let seen = targets.into_iter().map(|target| {
            let (label, is_named) = (target.label.clone(), accused.is_none());
            let is_accused = target.solver.hash() == finding.accused.binary;
            let (says, what) = replay::replay(registry, path, finding, target, terms)?;
            Ok(Seen { label, is_accused, is_named, says, what })
        });
        let seen = seen.collect::<Result<_>>()?;
        Ok(Again { finding: finding.clone(), remade, seen })
    };
    let what = again().map(Box::new).map_err(|e| format!("{e:#}"));
    Replayed { path: path.clone(), what }
}
