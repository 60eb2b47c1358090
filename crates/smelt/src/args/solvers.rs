//! Which solvers are asked.

use anyhow::{Error, Result, bail};
use smelt_solver::{Registry, SolverSpec};
use smelt_trial::{Resolver, Target};

use crate::project;
use crate::voice::resolving;

/// Solvers by the names that people give them.
#[derive(Clone, Debug, clap::Args)]
pub struct Solvers {
    /// A solver; may be repeated. `z3`, `z3@4.8.7`, `cvc5:--strings-exp`, a path with arguments, `name=command`, `"a;b"`;
    /// `smelt.toml` for those of the project.
    #[arg(long, value_name = "SOLVER")]
    solver: Vec<String>,
}

impl Solvers {
    /// Whether any is named.
    pub fn are_given(&self) -> bool {
        !self.solver.is_empty()
    }

    /// The solvers that are named, each of which has answered a trivial script. What is missing is installed.
    pub fn targets(&self, registry: &Registry) -> Result<Vec<Target>> {
        let names = project::solvers(&self.solver, registry)?;
        resolving(registry, |r| r.targets(&names))
    }

    /// The one solver that is named, without the options behind its name, and these apart; with them if it cannot be run without.
    pub fn target_and_options(&self, registry: &Registry) -> Result<(Target, Vec<String>)> {
        let specs = self.solver.iter().map(|name| SolverSpec::parse_list(name));
        let specs = specs.collect::<Result<Vec<_>, _>>()?.concat();
        if let [spec] = &specs[..]
            && !spec.args.is_empty()
        {
            let bare = spec.clone().without_options();
            let ready = |r: &Resolver<'_>| Target::ready(r.one(&bare)?).map_err(Error::msg);
            if let Ok(target) = resolving(registry, ready) {
                return Ok((target, spec.args.clone()));
            }
        }
        Ok((self.target(registry)?, Vec::new()))
    }

    /// The one solver that is named.
    pub fn target(&self, registry: &Registry) -> Result<Target> {
        one(registry, &self.solver)
    }
}

/// The one solver of these names.
pub fn one(registry: &Registry, names: &[String]) -> Result<Target> {
    let names = project::solvers(names, registry)?;
    let mut all = resolving(registry, |r| r.targets(&names))?;
    match (all.pop(), all.is_empty()) {
        (Some(target), true) => Ok(target),
        _ => bail!("one solver is needed here, and {} names {}", names.join(";"), all.len() + 1),
    }
}
