//! `smelt fuzz`: the main job.

mod configure;

use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Context, Result};
use smelt_campaign::campaign::{Campaign, Resumed};
use smelt_campaign::claim;
use smelt_campaign::folder::Folder;
use smelt_campaign::jobs::When;
use smelt_campaign::log::Log;
use smelt_campaign::plan::Plan;
use smelt_campaign::sequence::Part;
use smelt_strategy::STRATEGIES;

use self::configure::{configure, go_on};
use crate::args::{self, Budget, Jobs, Json, Limit, Operators, Out, PageAt, SeedOptions, Walls};
use crate::exit::Exit;
use crate::printable::quoted;
use crate::view::campaign::{View, exit};
use crate::view::live::Waiting;
use crate::voice::{needs_home, resolving};

/// Test solvers with mutants of seeds, and keep the findings that are confirmed: the main job.
///
/// Runs until it is stopped or its budget is used up, and leaves a folder of confirmed findings. Exit codes: 0 nothing new found, 10
/// findings, 2 an error, 4 a finding could not be written.
#[derive(clap::Args)]
#[command(mut_arg("limit", |a| a.default_value("2")))]
#[command(mut_arg("out", |a| a.default_value("smelt-campaign")))]
pub struct Args {
    /// Seeds: scripts (also .gz, .xz, .zst) or folders of them; without any, those of smelt.toml, or the seeds inside smelt.
    seeds: Vec<PathBuf>,
    /// A solver to test; may be given several times. `z3`, `z3@4.8.7`, `cvc5:--strings-exp`, a path with arguments,
    /// `name=command`, `"a;b"`. Without any: those of smelt.toml, or the newest of each kind on PATH or installed; if there is none,
    /// the newest z3 and cvc5 are installed.
    #[arg(long, value_name = "SOLVER")]
    solver: Vec<String>,
    /// Compare two builds: report only what --new does worse than this one.
    #[arg(long, value_name = "SOLVER", requires = "new", conflicts_with = "solver")]
    base: Option<String>,
    /// The build to be accused; see --base.
    #[arg(long, value_name = "SOLVER", requires = "base")]
    new: Option<String>,
    /// Give the scripts to the solvers as they are, each once, and make no mutants.
    #[arg(long, conflicts_with_all = ["strategy", "param", "resume"])]
    as_is: bool,
    // Its help names the strategies.
    #[arg(long, value_name = "NAME", help = strategy_help())]
    strategy: Vec<String>,
    /// A parameter of a strategy, as `opfuzz.wild=true`; `smelt mutate --list` shows them all.
    #[arg(long, value_name = "STRATEGY.NAME=VALUE")]
    param: Vec<String>,
    #[command(flatten)]
    operators: Operators,
    #[command(flatten)]
    seed_options: SeedOptions,
    #[command(flatten)]
    budget: Budget,
    /// Stop after so much CPU time of smelt and the solvers on seeds and tests; what confirming and kept findings cost is not counted.
    #[arg(long, value_name = "TIME", value_parser = args::time::seconds)]
    cpu: Option<f64>,
    /// Stop after so many positions of the schedule, in all parts of the campaign together: one chain of mutants each, or one script.
    #[arg(long, value_name = "N", value_parser = args::at_least_one::<u64>)]
    positions: Option<u64>,
    /// Work on the I-th of N parts of the campaign, from 1: each part is another process, on any machine, with the same arguments;
    /// `smelt merge` puts their folders together.
    #[arg(long, value_name = "I/N", value_parser = args::part, requires = "seed")]
    shard: Option<Part>,
    #[command(flatten)]
    random: args::Seed,
    /// Freeze the schedule, and limit solvers by their resource counters instead of time: the same tests and answers again.
    #[arg(long)]
    deterministic: bool,
    #[command(flatten)]
    jobs: Jobs,
    #[command(flatten)]
    out: Out,
    /// Continue the last run in the folder. A budget that is given replaces the old one; --jobs, --known, --performance,
    /// --incompleteness, --reduce, --bisect, --keep-seeds and --sandbox change the run from now on.
    #[arg(long, conflicts_with_all = ["seeds", "solver", "base", "new", "strategy", "param", "seed", "deterministic", "options", "limit", "memory", "without", "dialects", "seed_options", "grammar", "list_skipped", "shard"])]
    resume: bool,
    /// Name the seeds of the last run in the folder that were not used, with the reason of each, and do nothing else.
    #[arg(long, conflicts_with_all = ["seeds", "solver", "base", "new", "strategy", "param"])]
    list_skipped: bool,
    /// Options of solvers to vary: none, common (unless smelt.toml says otherwise), regular or expert. Half of all chains get none.
    #[arg(long)]
    options: Option<String>,
    #[command(flatten)]
    limit: Limit,
    /// Also report what takes a minute where a peer or an older release needs a second.
    #[arg(long)]
    performance: bool,
    /// Also report `unknown` where an older release of the same solver decides, or where the solver itself decides the step before
    /// (strategy janus). Always on with --base and --new.
    #[arg(long)]
    incompleteness: bool,
    /// When findings are made smaller and put together to bugs: now (beside the tests, on at most a fifth of the cores), end (behind
    /// them) or off. What is not done is done when the run is resumed.
    #[arg(long, value_name = "WHEN", value_parser = When::from_str)]
    reduce: Option<When>,
    /// Ask all releases of a solver for its bugs, also those that have to be installed; without it, those that are installed.
    #[arg(long)]
    bisect: bool,
    /// Keep the texts of seeds with each finding; without it, the recipe names them.
    #[arg(long)]
    keep_seeds: bool,
    /// A list of known bugs that need not be reported (TOML); `smelt report --known` writes one.
    #[arg(long, value_name = "FILE")]
    known: Option<PathBuf>,
    /// Write a line for every script that a solver is given: strategy, seed, chain, step, solver, digest of the script, answers.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    #[command(flatten)]
    walls: Walls,
    #[command(flatten)]
    page: PageAt,
    #[command(flatten)]
    json: Json,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    let path = args.out.out.clone().context("--out has a default")?;
    let registry = args.walls.registry()?;
    needs_home(&registry)?;
    let page = Waiting::new(&args.page)?;
    let folder = match args.resume || args.list_skipped {
        true => Folder::existing(&path)?,
        false => Folder::open(&path)?,
    };
    let mut view = View::new(args.json, &path);
    if args.list_skipped {
        view.skipped(&folder.journal.skipped()?)?;
        return Ok(Exit::Fine);
    }
    view.unreadable(&folder.earlier);
    let resumed = args.resume.then(|| Resumed::last(&folder)).transpose()?;
    let config = match &resumed {
        None => {
            let config = configure(&args, &registry)?;
            claim::claim(registry.home(), &config)?;
            config
        }
        Some(resumed) => {
            let config = go_on(&args, resumed)?;
            claim::check(&registry, &config)?;
            config
        }
    };
    // Of a run that goes on, the walls are those that it was begun with.
    let registry = registry.sandboxed(config.sandbox)?.limiting_memory(config.memory_bytes());
    let plan = resolving(&registry, |r| Plan::new(config, r, &|text| view.on_the_way(text)))?;
    view.begin(&plan);
    if !plan.config.as_is {
        view.go_on_with = Some(format!("smelt fuzz --resume --out {}", quoted(&path)));
    }
    let mut campaign = Campaign::begin(plan, folder, resumed)?;
    campaign.registry = Some(registry);
    campaign.log = args.log.as_deref().map(Log::create).transpose()?;
    view.page = page.map(|page| page.show(&campaign)).transpose()?;
    exit(view.follow(&campaign)?)
}

fn strategy_help() -> String {
    let names: Vec<&str> = STRATEGIES.iter().map(|s| s.name()).collect();
    format!("A strategy to use; may be given several times. Without any, all: {}", names.join(", "))
}
