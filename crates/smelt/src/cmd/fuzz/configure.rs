//! What a campaign is asked to do, from the command line and from the run that goes on.

use anyhow::Result;
use smelt_campaign::campaign::Resumed;
use smelt_campaign::claim;
use smelt_campaign::jobs::When;
use smelt_campaign::plan::Config;
use smelt_solver::Registry;
use smelt_strategy::by_name;

use super::Args;
use crate::args;
use crate::project;

/// A new run.
pub(super) fn configure(args: &Args, registry: &Registry) -> Result<Config> {
    let (solvers, compare) = match (&args.base, &args.new) {
        (Some(base), Some(new)) => (vec![base.clone(), new.clone()], true),
        _ if args.solver.is_empty() => (project::own_solvers(registry)?, false),
        _ => (project::solvers(&args.solver, registry)?, false),
    };
    let seeds = if args.seeds.is_empty() { project::own_seeds()? } else { args.seeds.clone() };
    let project = project::current()?;
    let known = match &args.known {
        Some(path) => Some(path.clone()),
        None => project.known()?,
    };
    let options = args.options.as_deref().or(project.options()).unwrap_or("common").to_owned();
    let (without, seed_only) = args.operators.left_out()?;
    Ok(Config {
        seeds: seeds.iter().map(args::from_any_folder).collect::<Result<_>>()?,
        solvers,
        compare,
        releases: false,
        as_is: args.as_is,
        sandbox: args.walls.given().unwrap_or_default(),
        enumerate: None,
        instances: false,
        grammars: args.seed_options.grammars()?,
        strategies: args.strategy.clone(),
        parameters: with_texts(&args.param)?,
        time: args.budget.time,
        tests: args.budget.tests,
        findings: args.budget.findings,
        cpu: args.cpu,
        positions: args.positions,
        part: args.shard,
        seed: args.random.or_any(),
        deterministic: args.deterministic,
        jobs: args.jobs.or_cores(),
        options,
        limit: args.limit.seconds(),
        memory: Some(args.limit.megabytes()),
        drop_options: args.seed_options.are_dropped(),
        without,
        seed_only,
        steps: None,
        max_bytes: None,
        performance: args.performance,
        incompleteness: args.incompleteness,
        reduce: args.reduce.unwrap_or(When::Now),
        bisect: args.bisect,
        keep_seeds: args.keep_seeds,
        known: known.map(args::from_any_folder).transpose()?,
        token: claim::new_token(),
    })
}

/// The last run with what is given now. A new budget counts from now on, and nothing of the old one rules beside it; without one,
/// the rest of the old one is used.
pub(super) fn go_on(args: &Args, resumed: &Resumed) -> Result<Config> {
    let mut config = resumed.config.clone();
    if args.budget.is_given() || args.cpu.is_some() {
        let found = resumed.tally.found();
        config.time = args.budget.time.map(|t| resumed.elapsed + t);
        config.tests = args.budget.tests.map(|n| resumed.tally.total.tests.saturating_add(n));
        config.findings = args.budget.findings.map(|n| found.saturating_add(n));
        config.cpu = args.cpu.map(|cpu| resumed.tally.total.spent_cpu + cpu);
    }
    config.positions = args.positions.or(config.positions);
    config.jobs = args.jobs.given().unwrap_or(config.jobs);
    config.sandbox = args.walls.given().unwrap_or(config.sandbox);
    config.performance |= args.performance;
    config.incompleteness |= args.incompleteness;
    config.reduce = args.reduce.unwrap_or(config.reduce);
    config.bisect |= args.bisect;
    config.keep_seeds |= args.keep_seeds;
    config.known = args.known.as_ref().map(args::from_any_folder).transpose()?.or(config.known);
    Ok(config)
}

/// Parameters as they are kept: with the texts of files in the place of their names. Who does not have a parameter says so later.
fn with_texts(parameters: &[String]) -> Result<Vec<String>> {
    let text = |p: &String| match p.split_once('.') {
        Some((name, value)) => match by_name(name) {
            Some(s) => Ok(format!("{name}.{}", args::params::with_file(s, value)?)),
            None => Ok(p.clone()),
        },
        None => Ok(p.clone()),
    };
    parameters.iter().map(text).collect()
}
