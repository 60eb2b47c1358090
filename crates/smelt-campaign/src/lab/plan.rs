//! The plan of a lab: which techniques are tried on which targets, how often, and how long. It may come from a stranger: then it names no
//! program and no path, unless the user says so.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use serde::{Deserialize, Serialize};
use smelt_solver::{OptionClass, Registry, SolverSpec, split_words};
use smelt_strategy::bandit::Method;
use smelt_strategy::{STRATEGIES, by_name};
use smelt_trial::resolve::is_harmless;

use crate::{parameters, reader};

/// Most bytes of a plan.
const MOST: u64 = 1 << 20;

/// What is to be compared.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LabPlan {
    /// A name for the page.
    pub title: String,
    /// The technique with which the others are compared.
    pub baseline: String,
    /// CPU seconds of each cell: one technique on one target, once.
    pub budget: f64,
    /// How often each technique has its turn on each target.
    pub repetitions: u32,
    /// The seed of randomness.
    pub seed: u64,
    /// Seeds of all techniques: files and folders; the ones inside smelt, if there are none.
    pub seeds: Vec<PathBuf>,
    /// Most bytes of a seed.
    pub max_bytes: Option<u64>,
    /// Most CPU seconds per query.
    pub limit: f64,
    /// Class of options that are varied.
    pub options: String,
    /// What is tested.
    pub targets: Vec<LabTarget>,
    /// What is compared.
    pub techniques: Vec<Technique>,
}

/// Solvers that are tested together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabTarget {
    /// Its name.
    pub name: String,
    /// The solvers, as on the command line.
    pub solvers: Vec<String>,
}

/// One way of testing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Technique {
    /// Its name.
    pub name: String,
    /// What it is.
    pub how: How,
}

/// What a technique is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum How {
    /// Strategies of smelt, with parameters as `smelt fuzz --param` has them.
    Strategies {
        /// Their names.
        names: Vec<String>,
        /// `strategy.name=value`.
        parameters: Vec<String>,
    },
    /// Instances of a theory that an agent makes, which is rewarded for wrong answers.
    Agent {
        /// The method, as `smelt perf --method` has it.
        method: String,
        /// The theory.
        theory: String,
    },
    /// Another tool: a program with arguments, in which `{seeds}`, `{bugs}` and their like are filled in.
    Peer(Vec<String>),
}

impl How {
    /// In a few words.
    pub fn words(&self) -> String {
        match self {
            Self::Strategies { names, parameters } => {
                let all: Vec<&str> = names.iter().chain(parameters).map(String::as_str).collect();
                all.join(" ")
            }
            Self::Agent { method, theory } => format!("agent {method} on {theory}"),
            Self::Peer(argv) => format!("peer {}", argv.join(" ")),
        }
    }
}

/// What is in the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Content {
    title: Option<String>,
    baseline: Option<String>,
    budget: f64,
    repetitions: u32,
    #[serde(default)]
    seed: u64,
    #[serde(default)]
    seeds: Vec<PathBuf>,
    max_bytes: Option<u64>,
    limit: Option<f64>,
    options: Option<String>,
    #[serde(default)]
    target: Vec<TargetContent>,
    #[serde(default)]
    technique: Vec<TechniqueContent>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TargetContent {
    name: Option<String>,
    solvers: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TechniqueContent {
    name: Option<String>,
    #[serde(default)]
    strategies: Vec<String>,
    #[serde(default)]
    parameters: Vec<String>,
    agent: Option<String>,
    theory: Option<String>,
    peer: Option<String>,
}

impl LabPlan {
    /// Reads a plan. `seeds` take the place of those that it names. A plan that is not trusted may be a stranger's.
    pub fn read(
        path: &Path,
        seeds: &[PathBuf],
        trusted: bool,
        registry: &Registry,
    ) -> Result<Self> {
        let say = || format!("cannot read {}", path.display());
        let text =
            String::from_utf8(reader::read(path, MOST).with_context(say)?).with_context(say)?;
        let plan = Self::of_text(&text, path.parent().unwrap_or(Path::new(".")), seeds);
        let plan = plan.with_context(|| path.display().to_string())?;
        if !trusted {
            let own_seeds = if seeds.is_empty() { &plan.seeds[..] } else { &[] };
            plan.is_harmless(own_seeds, registry).with_context(|| {
                format!(
                    "{} is not trusted (--trust does so; it may be a stranger's)",
                    path.display()
                )
            })?;
        }
        Ok(plan)
    }

    /// The plan of a text; paths in it are seen from this folder.
    fn of_text(text: &str, folder: &Path, seeds: &[PathBuf]) -> Result<Self> {
        let c: Content =
            toml::from_str(text).map_err(|e| anyhow!("{}", e.to_string().trim_end()))?;
        let techniques = c.technique.into_iter().map(technique).collect::<Result<Vec<_>>>()?;
        let targets = c.target.into_iter().map(|t| {
            let name = t.name.unwrap_or_else(|| t.solvers.join("+"));
            LabTarget { name, solvers: t.solvers }
        });
        let seeds = match seeds {
            [] => c.seeds.iter().map(|s| folder.join(s)).collect(),
            given => given.to_vec(),
        };
        let plan = Self {
            title: c.title.unwrap_or_else(|| "Techniques compared".to_owned()),
            baseline: c.baseline.or(techniques.first().map(|t| t.name.clone())).unwrap_or_default(),
            budget: c.budget,
            repetitions: c.repetitions,
            seed: c.seed,
            seeds,
            max_bytes: c.max_bytes,
            limit: c.limit.unwrap_or(1.0),
            options: c.options.unwrap_or_else(|| "none".to_owned()),
            targets: targets.collect(),
            techniques,
        };
        plan.check()?;
        Ok(plan)
    }

    /// Refuses what cannot be run.
    fn check(&self) -> Result<()> {
        let is_time = |t: f64| t.is_finite() && t > 0.0;
        if !is_time(self.budget) {
            bail!("budget = {}: a number of CPU seconds above 0 is needed", self.budget);
        }
        if !is_time(self.limit) {
            bail!("limit = {}: a number of CPU seconds above 0 is needed", self.limit);
        }
        if self.repetitions == 0 {
            bail!("repetitions = 0: each technique needs one at least");
        }
        if self.targets.is_empty() || self.techniques.is_empty() {
            bail!("a plan has a [[target]] and a [[technique]] at least");
        }
        self.options.parse::<OptionClass>().map_err(|e| anyhow!("options: {e}"))?;
        for path in &self.seeds {
            if !path.exists() {
                bail!("seeds: {} does not exist", path.display());
            }
        }
        distinct("target", self.targets.iter().map(|t| t.name.as_str()))?;
        distinct("technique", self.techniques.iter().map(|t| t.name.as_str()))?;
        for target in &self.targets {
            if target.solvers.is_empty() {
                bail!("target {} has no solvers", target.name);
            }
            for solver in &target.solvers {
                SolverSpec::parse_list(solver)?;
            }
        }
        for t in &self.techniques {
            t.check().with_context(|| format!("technique {}", t.name))?;
        }
        if self.techniques.iter().all(|t| t.name != self.baseline) {
            bail!("the baseline {:?} is none of the techniques", self.baseline);
        }
        Ok(())
    }

    /// Refuses programs, options and paths that only a plan of the user's own may name.
    fn is_harmless(&self, seeds: &[PathBuf], registry: &Registry) -> Result<()> {
        for solver in self.targets.iter().flat_map(|t| &t.solvers) {
            for spec in SolverSpec::parse_list(solver)? {
                is_harmless(registry, &spec)?;
            }
        }
        for t in &self.techniques {
            if let How::Peer(argv) = &t.how {
                bail!("its technique {} runs a program: {}", t.name, argv.join(" "));
            }
        }
        match seeds.first() {
            Some(path) => bail!("it names the path {}", path.display()),
            None => Ok(()),
        }
    }

    /// Whether cells of an earlier run of this plan are cells of this one: only budget, repetitions and title may have changed.
    pub fn goes_on_with(&self, earlier: &Self) -> bool {
        let title = self.title.clone();
        let (budget, repetitions) = (self.budget, self.repetitions);
        *self == Self { title, budget, repetitions, ..earlier.clone() }
    }
}

impl Technique {
    fn check(&self) -> Result<()> {
        match &self.how {
            How::Strategies { names, parameters: all } => {
                for name in names {
                    let Some(strategy) = by_name(name) else {
                        let all: Vec<&str> = STRATEGIES.iter().map(|s| s.name()).collect();
                        bail!("{name:?} is no strategy; there are {}", all.join(", "));
                    };
                    let own = all.iter().filter_map(|p| Some((p, p.split_once('.')?)));
                    let own = own.filter(|(_, (s, _))| s == name).map(|(_, (_, p))| p.to_owned());
                    parameters::check(strategy, &own.collect::<Vec<_>>())?;
                }
                let stranger = all
                    .iter()
                    .find(|p| p.split_once('.').is_none_or(|(s, _)| names.iter().all(|n| n != s)));
                match stranger {
                    Some(p) => {
                        bail!("{p}: a parameter is STRATEGY.NAME=VALUE of one of its strategies")
                    }
                    None => Ok(()),
                }
            }
            How::Agent { method, .. } => {
                Method::named(method).map(drop).map_err(anyhow::Error::msg)
            }
            How::Peer(argv) => super::peer::check(argv),
        }
    }
}

fn technique(c: TechniqueContent) -> Result<Technique> {
    let kinds = [!c.strategies.is_empty(), c.agent.is_some(), c.peer.is_some()];
    let told = c.name.clone().or(c.strategies.first().cloned()).unwrap_or_default();
    if kinds.iter().filter(|k| **k).count() != 1 {
        bail!("technique {told:?}: it has either strategies, an agent or a peer");
    }
    if c.theory.is_some() != c.agent.is_some() {
        bail!("technique {told:?}: an agent has a theory, and nothing else has one");
    }
    let how = match (c.agent, c.peer) {
        (Some(method), _) => How::Agent { method, theory: c.theory.unwrap_or_default() },
        (None, Some(peer)) => {
            let argv = split_words(&peer)
                .with_context(|| format!("peer: a quote is not closed: {peer}"))?;
            How::Peer(argv)
        }
        (None, None) => How::Strategies { names: c.strategies, parameters: c.parameters },
    };
    let name = c.name.unwrap_or_else(|| match &how {
        How::Strategies { names, .. } => names.join("+"),
        How::Agent { method, .. } => method.clone(),
        How::Peer(argv) => argv.first().cloned().unwrap_or_default(),
    });
    Ok(Technique { name, how })
}

/// Names are folders, too: they differ, and lead nowhere else.
fn distinct<'a>(what: &str, names: impl Iterator<Item = &'a str>) -> Result<()> {
    let mut seen = Vec::new();
    for name in names {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_+.@:".contains(c);
        if name.is_empty() || name.starts_with('.') || !name.chars().all(plain) {
            bail!("{what} {name:?}: a name of letters, digits and -_+.@: is needed");
        }
        if seen.contains(&name) {
            bail!("there are two of {what} {name}");
        }
        seen.push(name);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
