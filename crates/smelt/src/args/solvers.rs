//! Which solvers are asked.

use anyhow::{Result, bail};
use smelt_solver::{Registry, Solver};
use smelt_trial::Target;
use smelt_trial::caveat::Caveat;

use crate::voice::{detail, resolving};

/// Solvers by the names that people give them.
#[derive(Clone, Debug, clap::Args)]
pub struct Solvers {
    /// A solver; may be repeated. `z3`, `z3@4.8.7`, `cvc5:--strings-exp`, a path with arguments, `name=command`, `"a;b"`.
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
        targets(registry, &self.solver)
    }

    /// The one solver that is named.
    pub fn target(&self, registry: &Registry) -> Result<Target> {
        one(registry, &self.solver)
    }
}

/// The one solver of these names.
pub fn one(registry: &Registry, names: &[String]) -> Result<Target> {
    let mut all = targets(registry, names)?;
    match (all.pop(), all.is_empty()) {
        (Some(target), true) => Ok(target),
        _ => bail!("one solver is needed here, and {} names {}", names.join(";"), all.len() + 1),
    }
}

fn targets(registry: &Registry, names: &[String]) -> Result<Vec<Target>> {
    let all = resolving(registry, |r| r.targets(names))?;
    all.iter().for_each(|t| detail(|| described(&t.label, &t.solver)));
    Ok(all)
}

/// A solver for who wants to know what is run.
fn described(label: &str, solver: &Solver) -> String {
    let mut text = format!("solver {label}: {}", solver.program().display());
    if !solver.args().is_empty() {
        text += &format!("; options {}", solver.args().join(" "));
    }
    for caveat in Caveat::all(solver) {
        text += &format!("; no verdict where {}", caveat.text);
    }
    text
}
