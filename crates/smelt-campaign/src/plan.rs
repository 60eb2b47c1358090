//! What a campaign is asked to do, and with what: from names to solvers, strategies and seeds.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use serde::{Deserialize, Serialize};
use smelt_case::{OpSet, Seed};
use smelt_solver::{Capabilities, Home, OptionClass, Registry, Sandbox, Solver, SolverSpec};
use smelt_strategy::{STRATEGIES, Strategy, by_name};
use smelt_triage::{KnownBugs, Wanted};
use smelt_trial::examine::{self as trial_examine, Far};
use smelt_trial::resolve::{newest_at_hand, newest_of_each};
use smelt_trial::{Notice, Panel, Resolver, Target};

use crate::jobs::When;
use crate::policy::Policy;
use crate::proofs::{Proofs, one_of_each_family};
use crate::seed_files::SeedFile;
use crate::seeds::LeftOut;
use crate::sequence::Part;
use crate::words::{self, Enumeration};
use crate::{offline, parameters, remake, seed_files, seedbank};

/// What a run was asked to do; kept in the journal for `--resume`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Config {
    /// Seed files and folders; empty for the embedded ones.
    pub seeds: Vec<PathBuf>,
    /// Solvers, as they are named from any folder.
    pub solvers: Vec<String>,
    /// Compare: the first of the solvers is the base, only the second is accused.
    pub compare: bool,
    /// The solvers are releases of one: the newest is tested, the others are asked what it does not decide.
    #[serde(default)]
    pub releases: bool,
    /// The scripts are given as they are, each once.
    #[serde(default)]
    pub as_is: bool,
    /// The walls around solvers.
    #[serde(default)]
    pub sandbox: Sandbox,
    /// The cases are words of a grammar; there are no seeds then.
    #[serde(default)]
    pub enumerate: Option<Enumeration>,
    /// The cases are instances of a theory (`smelt perf`, agents in `smelt lab`); there are no seeds then.
    #[serde(default)]
    pub instances: bool,
    /// Words of grammars that are seeds beside the others.
    #[serde(default)]
    pub grammars: Vec<Enumeration>,
    /// Names of strategies.
    pub strategies: Vec<String>,
    /// Parameters of strategies: `strategy.name=value`, with the texts of files, not their names.
    #[serde(rename = "parameter_texts")]
    pub parameters: Vec<String>,
    /// Seconds.
    pub time: Option<f64>,
    /// Tests.
    pub tests: Option<u64>,
    /// New findings.
    pub findings: Option<u64>,
    /// CPU seconds of solvers and smelt on seeds and tests; what confirming and kept findings cost is not among them.
    #[serde(default)]
    pub cpu: Option<f64>,
    /// Positions of the schedule, in all parts of the campaign.
    #[serde(default)]
    pub positions: Option<u64>,
    /// The part of the schedule that is worked on, if other processes work on the others. Words of grammars have their own.
    #[serde(default)]
    pub part: Option<Part>,
    /// Seed of all randomness.
    pub seed: u64,
    /// The schedule does not depend on time or luck.
    pub deterministic: bool,
    /// Worker threads.
    pub jobs: usize,
    /// Class of options.
    pub options: String,
    /// Most CPU seconds per query.
    pub limit: f64,
    /// Megabytes of a solver's process; none is what the solver's limits say.
    #[serde(default)]
    pub memory: Option<u64>,
    /// Options that seeds set are dropped, also those that a solver could be given.
    #[serde(default)]
    pub drop_options: bool,
    /// Operators that must not be brought in, as recipes name them.
    #[serde(default)]
    pub without: Vec<String>,
    /// Operators that only mutants of seeds may have that have them, too, as recipes name them.
    #[serde(default)]
    pub seed_only: Vec<String>,
    /// Most steps of a chain before another seed has its turn, if there is a bound of the user's.
    #[serde(default)]
    pub steps: Option<u32>,
    /// Most bytes of a seed, if there is a bound of the user's.
    #[serde(default)]
    pub max_bytes: Option<u64>,
    /// Report slowness.
    pub performance: bool,
    /// Report `unknown` where an older release decides.
    pub incompleteness: bool,
    /// When findings are made smaller and put together.
    #[serde(default)]
    pub reduce: When,
    /// All releases of a solver are asked for its bugs, also those that are not installed.
    #[serde(default)]
    pub bisect: bool,
    /// The texts of seeds are kept with findings.
    #[serde(default)]
    pub keep_seeds: bool,
    /// List of known bugs.
    pub known: Option<PathBuf>,
    /// A random number by which the user's data folder knows a campaign that was begun here: one that comes from elsewhere may
    /// name any command as its solver.
    #[serde(default)]
    pub token: String,
}

impl Config {
    /// Most CPU time per query.
    pub fn most(&self) -> Duration {
        Duration::from_secs_f64(self.limit)
    }

    /// CPU time of a fresh run that confirms something.
    pub fn court_limit(&self) -> Duration {
        (self.most() * 2).max(Duration::from_secs(5))
    }

    /// The part of all positions that is worked on.
    pub fn part(&self) -> Part {
        let words =
            self.enumerate.as_ref().map(|words| Part { own: words.shard.0, of: words.shard.1 });
        words.or(self.part).unwrap_or(Part::WHOLE)
    }

    /// The position in the whole campaign of one that a source is given: a source of words counts those of its own part.
    pub fn position(&self, seq: u64) -> u64 {
        if self.enumerate.is_some() { self.part().position(seq) } else { seq }
    }

    /// Bytes of a solver's process, if they are given.
    pub fn memory_bytes(&self) -> Option<u64> {
        self.memory.map(|megabytes| megabytes << 20)
    }

    /// Who is asked, and who is accused.
    pub fn policy(&self) -> Policy {
        match (self.compare, self.releases) {
            (true, _) => Policy::Compare,
            (false, true) => Policy::Releases,
            (false, false) => Policy::Peers,
        }
    }
}

/// A strategy with its parameters.
pub type Chosen = (&'static dyn Strategy, Vec<String>);

/// Everything that a campaign needs, found and examined.
pub struct Plan {
    /// What was asked for, with names that mean the same tomorrow.
    pub config: Config,
    /// Solvers under test, and those that are asked when they cannot settle a disagreement.
    pub panel: Panel,
    /// The seeds, not read yet.
    pub seeds: Vec<SeedFile>,
    /// What in the folders of seeds is no seed.
    pub left_out: Vec<LeftOut>,
    /// The strategies.
    pub strategies: Vec<Chosen>,
    /// Bugs that need not be reported.
    pub known: KnownBugs,
    /// What is proved about rules.
    pub proofs: Proofs,
    /// Who proves more on demand; nobody in a frozen schedule.
    pub provers: Vec<Solver>,
    /// Answers that are missed where they are lacking.
    pub wanted: Wanted,
}

impl Plan {
    /// Finds and examines what the configuration names. `say` is told what people may want to know on the way.
    pub fn new(mut config: Config, resolver: &Resolver<'_>, say: &dyn Fn(&str)) -> Result<Self> {
        let registry = resolver.registry;
        let without_seeds = config.enumerate.is_some() || config.instances;
        let (mut seeds, left_out) = match without_seeds {
            false => seed_files::all(&config.seeds)?,
            true => (Vec::new(), Vec::new()),
        };
        for words in &config.grammars {
            seeds.extend(words::Chosen::new(words)?.sources().into_iter().map(SeedFile::Embedded));
        }
        if seeds.is_empty() && !without_seeds {
            bail!("none of the scripts that were given can be read");
        }
        let solvers = find_solvers(resolver, &mut config)?;
        let class: OptionClass =
            config.options.parse().map_err(|e: String| anyhow!("--options: {e}"))?;
        let mut targets = examine_all(resolver, solvers, (class, config.releases), say)?;
        if let Some((t, why)) = targets.iter().find_map(|t| Some((t, t.asked_otherwise()?))) {
            bail!("{}: {why}, so no answer could be held against it", t.label);
        }
        distinguish(&mut targets);
        config.policy().arrange(&mut targets)?;
        let names: Vec<&str> = targets.iter().map(|t| t.label.as_str()).collect();
        say(&format!("solvers: {}", names.join(", ")));
        let at_hand = newest_at_hand(registry);
        let arbiters = arbiters(resolver, &at_hand, &targets);
        let mut proofs = Proofs::of_user()?;
        let mut asked = one_of_each_family(at_hand);
        if config.deterministic {
            // What is proved on demand is a matter of time, and of earlier campaigns.
            proofs = proofs.without_record();
            asked.clear();
        }
        let strategies = find_strategies(&config, &proofs)?;
        let names: Vec<&str> = strategies.iter().map(|(s, _)| s.name()).collect();
        let made = if config.as_is {
            "as they are".to_owned()
        } else {
            format!("strategies: {}", names.join(", "))
        };
        match &config.enumerate {
            None if config.instances => {}
            None => say(&format!("{} seeds; {made}", seeds.len())),
            Some(asked) => say(&format!("words of the grammar {}", asked.name)),
        }
        let panel = Panel::new(targets, arbiters);
        let wanted = Wanted {
            time: config.performance,
            unknown: config.incompleteness || config.compare,
            older: config.policy().older(&panel),
        };
        Ok(Self {
            known: known_bugs(&config, registry)?,
            config,
            panel,
            seeds,
            left_out,
            strategies,
            proofs,
            provers: asked,
            wanted,
        })
    }

    /// The operators that the user lets into mutants of a seed.
    pub fn operators(&self, seed: &Seed) -> OpSet {
        let mut ops = remake::allowed(&self.config.seed_only);
        ops.unite(&offline::own(seed));
        ops.intersect(&remake::allowed(&self.config.without));
        ops
    }

    /// The largest seed that is used, in bytes.
    pub fn largest_seed(&self) -> u64 {
        self.config.max_bytes.unwrap_or(seedbank::MAX_BYTES).min(seedbank::MAX_BYTES)
    }
}

fn known_bugs(config: &Config, registry: &Registry) -> Result<KnownBugs> {
    let Some(path) = &config.known else { return Ok(KnownBugs::default()) };
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    KnownBugs::from_toml(&text, registry.profiles()).map_err(|e| anyhow!("{}: {e}", path.display()))
}

/// Solvers are known to people by their labels: equal ones are numbered.
pub(crate) fn distinguish(targets: &mut [Target]) {
    for i in 1..targets.len() {
        let same = targets[..i].iter().filter(|t| t.name == targets[i].name).count();
        if same > 0 {
            targets[i].label = format!("{} #{}", targets[i].name, same + 1);
        }
    }
}

/// How to name solvers so that they are the same tomorrow, and from any folder: `z3@latest` is a release then. Those of one list are numbered
/// together, so they stay together, and have the numbers that they will have on resuming.
pub fn pinned(resolver: &Resolver<'_>, name: &str) -> Result<String> {
    let mut pinned = Vec::new();
    for spec in SolverSpec::parse_list(name)? {
        let (solver, spec) = resolver.pinned(spec)?;
        pinned.push(spec.written(solver.program()));
    }
    Ok(pinned.join(";"))
}

/// The solvers to test, each with how to name it from any folder; that is how the run names those that were given, too.
fn find_solvers(resolver: &Resolver<'_>, config: &mut Config) -> Result<Vec<(Solver, String)>> {
    if config.solvers.is_empty() {
        let all = newest_of_each(resolver.at_hand_or_installed()?);
        if all.is_empty() {
            bail!("there is no solver, and none could be installed");
        }
        let named = |s: Solver| {
            let label = s.label().to_owned();
            (s, label)
        };
        return Ok(all.into_iter().map(named).collect());
    }
    let mut out = Vec::new();
    for name in &mut config.solvers {
        *name = pinned(resolver, name)?;
        for spec in SolverSpec::parse_list(name)? {
            let solver = resolver.registry.resolve(&spec)?;
            let written = spec.written(solver.program());
            out.push((solver, written));
        }
    }
    Ok(out)
}

/// Finds out what solvers can do, several at a time, each with how to name it from any folder; they must answer a trivial script.
fn examine_all(
    resolver: &Resolver<'_>,
    solvers: Vec<(Solver, String)>,
    (class, releases): (OptionClass, bool),
    say: &dyn Fn(&str),
) -> Result<Vec<Target>> {
    let home = resolver.registry.home();
    for (solver, _) in solvers.iter().filter(|_| !releases) {
        if Capabilities::load(home, solver).is_none() {
            say(&format!("{}: finding out which operators it takes (once)", solver.label()));
        }
    }
    let work = |(solver, spec): &(Solver, String), tell: &dyn Fn(usize)| -> Result<Target> {
        // A release is asked whether it decides what another decides, whatever operators it takes.
        let mut target = match releases {
            true => Target::ready(solver.clone()).map_err(anyhow::Error::msg)?,
            false => examine(home, solver.clone(), class, tell)?,
        };
        target.spec.clone_from(spec);
        Ok(target)
    };
    let named = |s: (Solver, String)| (s.0.label().to_owned(), s);
    let solvers: Vec<_> = solvers.into_iter().map(named).collect();
    let mut all = Vec::new();
    let far = |far: &Far| (resolver.tell)(&Notice::Examining(far));
    trial_examine::examine_all(&solvers, work, &mut |target| all.push(target), &far);
    let all: Vec<Target> = all.into_iter().collect::<Result<_>>()?;
    for t in &all {
        let label = t.solver.label();
        if t.half_probed {
            say(&format!(
                "{label}: it answers too late to be asked for every operator; the rest is taken for supported, and asked for next time"
            ));
        }
        if let Some(why) = t.cold_because {
            let slow = "every script is run in a process of its own, which is slow";
            say(&format!("{label}: {why}: {slow}"));
        }
    }
    Ok(all)
}

/// Finds out what a solver can do.
pub(crate) fn examine(
    home: &Home,
    solver: Solver,
    class: OptionClass,
    tell: &dyn Fn(usize),
) -> Result<Target> {
    let label = solver.label().to_owned();
    let start = Target::answers(&solver).map_err(|why| anyhow!("{label} cannot be run: {why}"))?;
    let target = Target::examined(home, solver, class, None, tell)
        .with_context(|| format!("{label} cannot be run"))?;
    Ok(target.starting_in(start))
}

/// The solvers at hand that are asked when those under test cannot settle something. Nobody has named them, so nobody waits until it is
/// known what each of them can do.
fn arbiters(resolver: &Resolver<'_>, at_hand: &[Solver], targets: &[Target]) -> Vec<Target> {
    let home = resolver.registry.home();
    let others = at_hand.iter().filter(|s| targets.iter().all(|t| t.solver.hash() != s.hash()));
    let others: Vec<_> = others.map(|s| (s.label().to_owned(), s.clone())).collect();
    let work = |solver: &Solver, _: &dyn Fn(usize)| Target::helper(home, solver.clone());
    let mut all = Vec::new();
    trial_examine::examine_all(&others, work, &mut |target| all.extend(target.ok()), &|_| {});
    all
}

fn find_strategies(config: &Config, proofs: &Proofs) -> Result<Vec<Chosen>> {
    let mut chosen: Vec<Chosen> = Vec::new();
    if config.strategies.is_empty() {
        chosen.extend(STRATEGIES.iter().map(|s| (*s, Vec::new())));
    }
    for name in config.strategies.iter().flat_map(|n| n.split(',')) {
        let Some(s) = by_name(name) else {
            let all: Vec<&str> = STRATEGIES.iter().map(|s| s.name()).collect();
            bail!("{name:?} is no strategy; there are {}", all.join(", "));
        };
        chosen.push((s, Vec::new()));
    }
    for p in &config.parameters {
        let (strategy, value) =
            p.split_once('.').with_context(|| format!("--param {p}: write STRATEGY.NAME=VALUE"))?;
        let Some((_, list)) = chosen.iter_mut().find(|(s, _)| s.name() == strategy) else {
            bail!("--param {p}: {strategy} is not among the strategies of this run");
        };
        list.push(value.to_owned());
    }
    for (s, list) in &chosen {
        parameters::check(*s, list)?;
    }
    chosen.iter_mut().for_each(|(s, list)| proofs.give_rules(*s, list));
    Ok(chosen)
}
