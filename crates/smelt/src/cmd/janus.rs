//! `smelt janus`: unknowns that should not be. Chains of weaker (sat) or stronger (unsat) scripts, given to releases of one solver.

use std::path::PathBuf;

use anyhow::{Context, Result};
use smelt_campaign::campaign::Campaign;
use smelt_campaign::claim;
use smelt_campaign::folder::Folder;
use smelt_campaign::plan::{Config, Plan};
use smelt_solver::Registry;
use smelt_strategy::{Strategy, janus};

use crate::args::{self, Budget, Jobs, Json, Limit, Out, Walls};
use crate::exit::Exit;
use crate::project;
use crate::view::campaign::{View, exit};
use crate::view::top;
use crate::voice::{needs_home, resolving};

/// Find unknowns that should not be, in chains of weaker or stronger scripts given to releases of one solver.
///
/// Each seed becomes weaker (if it is sat) or stronger (if it is unsat), step by step, by rules that are proved. The newest solver is the
/// one that is tested. *implication incompleteness*: it decides a step and answers `unknown` to the next. *incompleteness regression*: an
/// older one decides what it does not, or (every 20th mutant is given to all) what a release between them does not; seeds included.
/// *refutation soundness*: it calls a script unsat that smelt's evaluator finds true under a model. *neighbour contradiction*: its
/// answers to the two scripts of a step exclude each other, and no model settles which is wrong; if it is the rule, smelt says so.
/// Answers that limits or missing features explain do not count. The findings are those of `smelt fuzz`: folders that `smelt replay`
/// reads. Exit codes: 0 nothing found, 10 findings, 5 a rule of smelt is wrong and nothing was found, 2 wrong use, 4 a finding could not
/// be written (it is printed then).
#[derive(clap::Args)]
#[command(mut_arg("limit", |a| a.default_value("2")))]
#[command(mut_arg("time", |a| a.default_value("1m")))]
#[command(mut_arg("out", |a| a.default_value("smelt-janus")))]
pub struct Args {
    /// Scripts or folders; the seeds inside smelt by default.
    seeds: Vec<PathBuf>,
    /// Releases of one solver; may be repeated. The newest (of those without a version the last) is tested. One alone is tested for
    /// implications only.
    #[arg(long, value_name = "SOLVER", required = true)]
    solver: Vec<String>,
    #[command(flatten)]
    budget: Budget,
    #[command(flatten)]
    limit: Limit,
    /// Steps of a chain before another seed has its turn.
    #[arg(long, value_name = "N", default_value_t = 25, value_parser = args::at_least_one::<u32>)]
    steps: u32,
    /// How many findings are shown with their scripts: the worst class first, then the shortest.
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
    #[command(flatten)]
    random: args::Seed,
    #[command(flatten)]
    jobs: Jobs,
    #[command(flatten)]
    out: Out,
    /// Seeds larger than this are left out.
    #[arg(long, value_name = "BYTES", default_value_t = 8192)]
    max_bytes: u64,
    /// A parameter of the strategy `janus`; may be repeated.
    #[arg(long = "param", value_name = "NAME=VALUE")]
    parameters: Vec<String>,
    #[command(flatten)]
    walls: Walls,
    #[command(flatten)]
    json: Json,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    let path = args.out.out.clone().context("--out has a default")?;
    let registry = args.walls.registry()?;
    let config = configure(&args, &registry)?;
    needs_home(&registry)?;
    let folder = Folder::open(&path)?;
    let mut view = View::new(args.json, &path);
    view.unreadable(&folder.earlier);
    let registry = registry.limiting_memory(config.memory_bytes());
    claim::claim(registry.home(), &config)?;
    let plan = resolving(&registry, |r| Plan::new(config, r, &|text| view.on_the_way(text)))?;
    view.begin(&plan);
    let campaign = Campaign::begin(plan, folder, None)?;
    let outcome = view.follow(&campaign)?;
    if !args.json.json {
        top::show(&outcome.new, campaign.folder.shelf.path(), args.top)?;
    }
    let wrong = outcome.end.last.counts.total.own_errors > 0;
    Ok(match exit(outcome)? {
        Exit::Fine if wrong => Exit::OwnError,
        exit => exit,
    })
}

fn configure(args: &Args, registry: &Registry) -> Result<Config> {
    let name = janus::Janus.name();
    // A parameter that is given counts: it comes later.
    let mut parameters = vec![format!("{name}.steps={}", args.steps)];
    for p in &args.parameters {
        parameters.push(format!("{name}.{}", args::params::with_file(&janus::Janus, p)?));
    }
    Ok(Config {
        seeds: args.seeds.iter().map(args::from_any_folder).collect::<Result<_>>()?,
        solvers: project::solvers(&args.solver, registry)?,
        compare: false,
        releases: true,
        as_is: false,
        sandbox: args.walls.given().unwrap_or_default(),
        enumerate: None,
        instances: false,
        grammars: Vec::new(),
        strategies: vec![name.to_owned()],
        parameters,
        time: args.budget.time,
        tests: args.budget.tests,
        findings: args.budget.findings,
        seed: args.random.or_zero(),
        deterministic: false,
        jobs: args.jobs.or_cores(),
        options: "none".to_owned(),
        limit: args.limit.seconds(),
        memory: Some(args.limit.megabytes()),
        drop_options: false,
        without: Vec::new(),
        seed_only: Vec::new(),
        steps: Some(args.steps),
        max_bytes: Some(args.max_bytes),
        performance: false,
        incompleteness: true,
        known: None,
        token: claim::new_token(),
        ..Config::default()
    })
}
