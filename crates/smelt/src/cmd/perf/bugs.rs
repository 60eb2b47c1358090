//! `smelt perf --objective bugs`: each method is a campaign in a folder of its own, below that of the run.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Result, bail};
use smelt_campaign::campaign::Campaign;
use smelt_campaign::folder::Folder;
use smelt_campaign::jobs::When;
use smelt_campaign::perf::hunt::Hunt;
use smelt_campaign::perf::{Asked, Report, Store, merged};
use smelt_campaign::plan::{Config, Plan};
use smelt_solver::Registry;
use smelt_strategy::bandit::Method;

use super::Args;
use crate::exit::Exit;
use crate::interrupt;
use crate::printable::quoted;
use crate::project;
use crate::view::campaign::{View, exit};
use crate::voice::{complain, needs_home, resolving};

/// Looks for bugs by one method after the other, each with its share of the time, and says what came of it.
pub fn run(args: &Args, registry: &Registry, asked: &Asked, folder: &Path) -> Result<Report> {
    if args.confirm > 0 {
        bail!("--confirm is about slowness: with --objective bugs every finding is confirmed");
    }
    needs_home(registry)?;
    let store = Arc::new(Store::open(folder, asked)?);
    let end = args.time.map(|t| (Instant::now(), t));
    let methods = asked.methods()?;
    for (i, method) in methods.iter().enumerate() {
        let left = end.map(|(begun, t)| t - begun.elapsed().as_secs_f64());
        if interrupt::has_come() || left.is_some_and(|t| t <= 0.0) {
            break;
        }
        let share = left.map(|t| t / (methods.len() - i) as f64);
        let ended = one(args, registry, &store, method, &folder.join(method.name), share)?;
        if ended == Exit::Unwritten {
            bail!("findings of {} could not be written: they are told above", method.name);
        }
    }
    let (own, of) = (args.shard.own, args.shard.of);
    let positions = (0..asked.restarts).filter(|seq| seq % of == own).count();
    let known = store.read()?;
    let done = known.keys().filter(|(_, seq)| seq % of == own).count();
    if done < positions * methods.len() {
        complain(&format!(
            "not all is done: the same command with --out {} goes on",
            quoted(folder)
        ));
    }
    merged(asked, &asked.language()?, std::slice::from_ref(&*store))
}

/// One method, for so many seconds at most. It is a new run of its folder each time: the journal of steps says what is done.
fn one(
    args: &Args,
    registry: &Registry,
    store: &Arc<Store>,
    method: &'static Method,
    path: &Path,
    time: Option<f64>,
) -> Result<Exit> {
    let asked = store.asked();
    let names: Vec<String> = args.target.iter().chain(&args.reference).cloned().collect();
    let config = Config {
        solvers: project::solvers(&names, registry)?,
        instances: true,
        sandbox: args.walls.given().unwrap_or_default(),
        part: Some(args.shard),
        time,
        seed: asked.seed,
        jobs: args.jobs.or_cores(),
        options: "none".to_owned(),
        limit: asked.limit,
        memory: Some(args.limit.megabytes()),
        reduce: When::Now,
        ..Config::default()
    };
    let folder = Folder::open(path)?;
    let mut view = View::new(args.json, path);
    view.unreadable(&folder.earlier);
    view.on_the_way(&format!("method {}: {}", method.name, method.about));
    let plan = resolving(registry, |r| Plan::new(config, r, &|text| view.on_the_way(text)))?;
    let hunt = Hunt::new(Arc::clone(store), method, &plan.panel)?;
    let mut campaign = Campaign::begin(plan, folder, None)?;
    campaign.given = Some((Box::new(hunt), asked.restarts));
    campaign.registry = Some(registry.clone());
    exit(view.follow(&campaign)?)
}
