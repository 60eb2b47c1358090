//! Performance fuzzing (`smelt perf`): which formulas make a solver slow where its peers are fast, and which constructs are to blame?
//!
//! Methods (agents and searches of `smelt_strategy::bandit`) are compared under one budget: each has as many positions of the schedule, and
//! a position as many queries. Cases come from [`Instances`](crate::source::bandit::Instances); they are timed in cold runs (`measure`), and
//! what came of each step is in the journal (`record`), so that whatever ends the process, the next one goes on behind the positions that
//! are done. `sum` makes a [`Report`] of the journal; `confirm` runs instances with other seeds of the solvers and, of releases of one
//! solver, finds the one that brought the slowness (`history`) and makes the script smaller (`smaller`).
//!
//! Where bugs are looked for, and not slowness, solvers are judged as everywhere: each method is a campaign whose cases come from a
//! [`Hunt`](hunt::Hunt), with the same journal of steps beside it.

mod bugs;
mod confirm;
pub mod data;
pub mod follow;
mod history;
pub mod hunt;
mod measure;
pub mod record;
mod run;
mod score;
mod smaller;
pub mod sum;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};
use smelt_case::OpSet;
use smelt_solver::{Cancel, OptionClass, Solver};
use smelt_strategy::bandit::{Language, Method, Objective, Parameters, Preset};
use smelt_trial::content::Content;
use smelt_trial::{Panel, Resolver, Target};

pub use self::data::Report;
pub use self::record::Store;
pub use self::score::Against;
use crate::plan::{distinguish, examine};
use crate::remake::allowed;

/// What a run is asked to do; kept in its folder, so that it goes on only as the same run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    /// What is looked for.
    #[serde(default)]
    pub objective: Objective,
    /// The solver that is to be slow, by its label.
    pub target: String,
    /// Those that are to be fast.
    pub references: Vec<String>,
    /// What instances are made of.
    pub parameters: Parameters,
    /// Operators of the theory that not all of these solvers take, as recipes name them.
    pub without: Vec<String>,
    /// Names of methods.
    pub methods: Vec<String>,
    /// Positions of each method: each begins with a new instance.
    pub restarts: u64,
    /// Queries of a position, at most.
    pub queries: u32,
    /// CPU seconds of a query.
    pub limit: f64,
    /// Which reference counts.
    pub against: Against,
    /// Further rounds with other seeds of the solvers before an improvement is believed.
    pub repeat: u32,
    /// Changes in a row that are no better, before a search begins with a new instance.
    pub patience: u32,
    /// The seed of randomness.
    pub seed: u64,
}

/// Which part of the positions is one's own: of so many machines the how-manieth, from 0.
pub type Shard = (u64, u64);

/// A run.
pub struct Perf<'a> {
    /// What is asked for.
    pub asked: &'a Asked,
    /// The target and its references, in this order.
    pub panel: &'a Panel,
    /// What instances are made of.
    pub language: &'a Language,
    /// Which positions are made here.
    pub shard: Shard,
    /// Threads.
    pub jobs: usize,
    /// Where steps are kept.
    pub store: &'a Store,
    /// When to stop, if it is not done before.
    pub until: Option<Instant>,
    /// Ends it.
    pub cancel: &'a Cancel,
}

/// How far it is: queries that are done, and the most there may be.
pub type Far = (u64, u64);

impl Asked {
    /// The methods.
    pub fn methods(&self) -> Result<Vec<&'static Method>> {
        let named = |name: &String| Method::named(name).map_err(anyhow::Error::msg);
        self.methods.iter().map(named).collect()
    }

    /// What instances are made of.
    pub fn language(&self) -> Result<Language> {
        Language::new(&self.parameters, &allowed(&self.without)).map_err(anyhow::Error::msg)
    }

    /// CPU time of a query.
    pub fn limit(&self) -> Duration {
        Duration::from_secs_f64(self.limit)
    }
}

/// The solvers of these names, examined: which operators they take is found out once.
pub fn targets(resolver: &Resolver<'_>, names: &[String]) -> Result<Vec<Target>> {
    let home = resolver.registry.home();
    let ready = |solver: Solver| {
        let label = solver.label().to_owned();
        examine(home, solver, OptionClass::None, &|_| {}).map_err(|e| format!("{label}: {e:#}"))
    };
    let mut targets = resolver.targets_by(names, ready)?;
    distinguish(&mut targets);
    Ok(targets)
}

/// The special constants of a theory that a solver of a panel reads otherwise, such as strings with escapes.
fn misread(theory: &str, panel: &Panel) -> Result<Vec<String>> {
    let mut all = Preset::named(theory).and_then(Preset::special).map_err(anyhow::Error::msg)?;
    all.retain(|text| {
        let content = Content::of_words(text);
        panel.targets().iter().any(|t| t.caveat(&content).is_some())
    });
    Ok(all)
}

/// The language of operators that all solvers of a panel take. Who has nothing of the theory is named.
pub fn language(parameters: &Parameters, panel: &Panel) -> Result<Language> {
    let without_constants = misread(&parameters.theory, panel)?;
    let parameters = &Parameters { without_constants, ..parameters.clone() };
    let mut ops = OpSet::all();
    for target in panel.targets() {
        let own = Language::new(parameters, &target.ops).map_err(|why| {
            // What is asked for by name may be what this solver lacks.
            match Language::new(parameters, &OpSet::all()) {
                Ok(_) => format!("{} does not take it: {why}", target.label),
                Err(why) => why,
            }
        });
        let own = own.map_err(anyhow::Error::msg)?;
        if let Err(why) = own.is_usable() {
            bail!("{} has no {}: {why}", target.label, parameters.theory);
        }
        ops.intersect(&target.ops);
    }
    let language = Language::new(parameters, &ops).map_err(anyhow::Error::msg)?;
    match language.is_usable() {
        Ok(()) => Ok(language),
        Err(why) => bail!("these solvers have nothing of {} in common: {why}", parameters.theory),
    }
}

impl Perf<'_> {
    /// Makes all positions that are not done; false if it was cut off.
    pub fn run(&self, watch: &mut dyn FnMut(Far) -> Result<()>) -> Result<bool> {
        run::run(self, watch)
    }

    /// What the journal says so far.
    pub fn report(&self) -> Result<Report> {
        let folders = [self.store.folder().to_owned()];
        sum::report(self.asked, self.language, &self.store.read()?, &folders)
    }
}

/// What several journals of one run say together, as of several machines.
pub fn merged(asked: &Asked, language: &Language, stores: &[Store]) -> Result<Report> {
    let mut all = record::Positions::new();
    for store in stores {
        if store.asked() != asked {
            bail!(
                "{} is of another run: it was asked for something else",
                store.folder().display()
            );
        }
        all.extend(store.read()?);
    }
    let folders: Vec<PathBuf> = stores.iter().map(|s| s.folder().to_owned()).collect();
    sum::report(asked, language, &all, &folders)
}

#[cfg(test)]
mod tests;
