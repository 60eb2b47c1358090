//! Words of one grammar, given to the solvers.

use std::path::Path;

use anyhow::{Context, Result, bail};
use smelt_campaign::campaign::{Campaign, Outcome, Resumed};
use smelt_campaign::finding::Finding;
use smelt_campaign::folder::Folder;
use smelt_campaign::plan::{Config, Plan};
use smelt_campaign::remembered::Remembered;
use smelt_campaign::words::Enumeration;
use smelt_campaign::{claim, oracle};
use smelt_solver::Registry;

use super::{Args, Oracle};
use crate::exit::Exit;
use crate::printable::quoted;
use crate::project;
use crate::view::campaign::{View, exit};
use crate::view::guarantee::{self, Guarantee};
use crate::voice::{needs_home, resolving, show};

/// What came of the words of a grammar.
pub struct Tested {
    /// What holds of all of them.
    pub guarantee: Guarantee,
    /// Findings, time, and how it ended.
    pub outcome: Outcome,
    /// Findings that were in the folder before this process.
    pub earlier: Vec<Finding>,
}

/// Tests with the words that are asked for, or goes on with the last run in the folder.
pub fn run(args: &Args) -> Result<Exit> {
    let path = args.out.out.clone().context("--out has a default")?;
    let asked = if args.resume { None } else { Some(args.asked()?) };
    exit(test(args, asked, &path, args.time)?.outcome)
}

/// Tests with words in a folder, for so many seconds at most; without words it goes on with the last run there.
pub fn test(
    args: &Args,
    asked: Option<Enumeration>,
    path: &Path,
    time: Option<f64>,
) -> Result<Tested> {
    let registry = args.walls.registry()?;
    needs_home(&registry)?;
    let folder = match asked {
        None => Folder::existing(path)?,
        Some(_) => Folder::open(path)?,
    };
    let mut view = View::new(args.json, path);
    view.unreadable(&folder.earlier);
    let (config, resumed) = match asked {
        Some(asked) => {
            let config = configure(args, &registry, asked, time)?;
            claim::claim(registry.home(), &config)?;
            (config, None)
        }
        None => {
            let resumed = Resumed::last(&folder)?;
            claim::check(&registry, &resumed.config)?;
            let time = time.map(|t| resumed.elapsed + t).or(resumed.config.time);
            (Config { time, ..resumed.config.clone() }, Some(resumed))
        }
    };
    let Some(asked) = config.enumerate.clone() else {
        bail!("the last run in {} was none of smelt enumerate", path.display())
    };
    // Of a run that goes on, the walls are those that it was begun with, unless others are given.
    let sandbox = args.walls.given().unwrap_or(config.sandbox);
    let registry = registry.sandboxed(sandbox)?.limiting_memory(config.memory_bytes());
    let plan = resolving(&registry, |r| Plan::new(config, r, &|text| view.on_the_way(text)))?;
    view.begin(&plan);
    view.go_on_with = Some(format!("smelt enumerate --resume --out {}", quoted(path)));
    let mut campaign = Campaign::begin(plan, folder, resumed)?;
    if !asked.ask_again {
        campaign.remembered = remembered(&registry, &campaign);
    }
    let outcome = view.follow(&campaign)?;
    let guarantee = Guarantee::of(&campaign, &outcome).context("the run has words")?;
    guarantee::show(&guarantee, args.json)?;
    let earlier = std::mem::take(&mut campaign.folder.earlier.findings);
    Ok(Tested { guarantee, outcome, earlier })
}

/// Answers of earlier runs; without them every solver is asked, which is no reason not to test.
fn remembered(registry: &Registry, campaign: &Campaign) -> Option<Remembered> {
    let opened = Remembered::open(registry.home().root(), campaign.plan.panel.targets());
    opened
        .inspect_err(|e| show(&format!("smelt: answers of earlier runs are not used: {e:#}")))
        .ok()
}

fn configure(
    args: &Args,
    registry: &Registry,
    mut asked: Enumeration,
    time: Option<f64>,
) -> Result<Config> {
    let (mut solvers, mut options) = (project::solvers(&args.solver, registry)?, "none");
    if args.oracle == Some(Oracle::Test) {
        let panel = resolving(registry, |r| oracle::test(r, &args.solver))?;
        (solvers, asked.varied, options) = (panel.solvers, panel.varied, "regular");
    }
    asked.ask_again = args.ask_again;
    Ok(Config {
        solvers,
        sandbox: args.walls.given().unwrap_or_default(),
        enumerate: Some(asked),
        time,
        seed: args.random.or_zero(),
        jobs: args.jobs.or_cores(),
        options: options.to_owned(),
        limit: args.limit.seconds(),
        memory: Some(args.limit.megabytes()),
        token: claim::new_token(),
        ..Config::default()
    })
}
