//! One cell: a campaign, or a peer and a campaign that confirms what it has left.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Result, bail};
use smelt_solver::{Cancel, Solver, SolverSpec};
use smelt_trial::Resolver;

use super::peer::{self, Peer};
use super::plan::{How, LabTarget};
use super::{Cell, Lab, Place};
use crate::campaign::{Campaign, Resumed};
use crate::claim;
use crate::folder::Folder;
use crate::jobs::When;
use crate::journal::Journal;
use crate::plan::{Config, Plan};
use crate::seed_files;
use crate::source::bandit::Player;
use crate::tally::Tally;

/// The campaign of a cell, in the cell's folder.
pub const CAMPAIGN: &str = "campaign";

/// Where a peer works, in the cell's folder.
pub const PEER: &str = "peer";

/// Runs a cell, or goes on with it; nothing if it was cut off.
pub fn run(lab: &Lab<'_>, place: &Place, say: &(dyn Fn(String) + Sync)) -> Result<Option<Cell>> {
    let folder = lab.store.cell_folder(place);
    let (target, technique) =
        (&lab.plan.targets[place.target], &lab.plan.techniques[place.technique]);
    let mut config = config(lab, place, target);
    let mut agent = None;
    match &technique.how {
        How::Peer(argv) => return with_peer(lab, argv, config, place, say),
        How::Strategies { names, parameters } => {
            config.strategies.clone_from(names);
            config.parameters.clone_from(parameters);
        }
        How::Agent { method, theory } => agent = Some((method.as_str(), theory.as_str())),
    }
    config.cpu = Some(lab.plan.budget);
    let Some(counts) = campaign(lab, config, agent, (&folder.join(CAMPAIGN), false), say)? else {
        return Ok(None);
    };
    let yields = || counts.strategies().map(|(_, y)| y);
    Ok(Some(Cell {
        budget: lab.plan.budget,
        spent: counts.total.spent_cpu,
        apart: counts.total.apart_cpu,
        tests: Some(counts.total.tests),
        rejected: Some(yields().map(|y| y.rejected).sum()),
        ..Cell::default()
    }))
}

/// What the campaigns of all cells of a target have in common.
fn config(lab: &Lab<'_>, place: &Place, target: &LabTarget) -> Config {
    let plan = lab.plan;
    Config {
        seeds: plan.seeds.clone(),
        solvers: target.solvers.clone(),
        sandbox: lab.sandbox,
        // The same for all techniques: which seeds come first is no merit of one of them.
        seed: plan.seed.wrapping_add(u64::from(place.repetition)),
        jobs: 1,
        options: plan.options.clone(),
        limit: plan.limit,
        max_bytes: plan.max_bytes,
        reduce: When::End,
        token: claim::new_token(),
        ..Config::default()
    }
}

/// Runs a campaign in this folder, or goes on with it, to its end: tests, and what is done with findings. Nothing if it was cut off.
fn campaign(
    lab: &Lab<'_>,
    config: Config,
    agent: Option<(&str, &str)>,
    (folder, anew): (&Path, bool),
    say: &(dyn Fn(String) + Sync),
) -> Result<Option<Tally>> {
    let folder = match folder.join(Journal::FILE).is_file() {
        true => Folder::existing(folder)?,
        false => Folder::open(folder)?,
    };
    // What a peer has left since is among other scripts: they are looked at in a run of their own.
    let goes_on = folder.journal.last_run()?.is_some() && !(config.as_is && anew);
    let resumed = goes_on.then(|| Resumed::last(&folder)).transpose()?;
    let resolver = Resolver { registry: lab.registry, tell: &|_| {} };
    let config = Config { instances: agent.is_some(), ..config };
    let plan = Plan::new(config, &resolver, &|_| {})?;
    let asked = (plan.config.seed, plan.config.most());
    let player = agent.map(|agent| Player::new(agent, &plan.panel, asked)).transpose()?;
    let mut campaign = Campaign::begin(plan, folder, resumed)?;
    campaign.registry = Some(lab.registry.clone());
    campaign.given = player.map(|player| (Box::new(player) as _, u64::MAX));
    let control = &campaign.control;
    let end = |all: bool| {
        control.cancel.cancel();
        control.cancel_jobs.cancel();
        if all {
            control.cancel_all.cancel();
        }
    };
    let outcome = lab.while_looking(&end, || {
        campaign.run(&mut |event| {
            if let crate::event::Event::Message { message } = event {
                say(message);
            }
        })
    })?;
    if let Some((f, _)) = outcome.unwritten.first() {
        bail!("{} could not be written", f.id);
    }
    if lab.is_over() {
        return Ok(None);
    }
    if let Some(e) = outcome.end.failure {
        return Err(e);
    }
    Ok(Some(campaign.control.counts()))
}

/// Lets a peer work, and confirms what it has left, each script as it is.
fn with_peer(
    lab: &Lab<'_>,
    argv: &[String],
    config: Config,
    at: &Place,
    say: &(dyn Fn(String) + Sync),
) -> Result<Option<Cell>> {
    let folder = lab.store.cell_folder(at);
    let (seeds, _) = seed_files::all(&config.seeds)?;
    let most = config.max_bytes.unwrap_or(u64::MAX);
    let seeds: Vec<_> = seeds.into_iter().filter(|s| s.is_within(most)).collect();
    let solvers = solvers(lab, &config)?;
    let place = folder.join(PEER);
    std::fs::create_dir_all(&place)?;
    let place = place.canonicalize()?;
    let cancel = Cancel::new()?;
    let peer = Peer {
        argv,
        solvers: &solvers,
        seeds: &seeds,
        budget: lab.plan.budget,
        seed: config.seed,
        folder: &place,
        launcher: lab.registry.launcher(),
        cancel: &cancel,
    };
    if !lab.while_looking(&|_| cancel.cancel(), || peer.work(&|_| {}))? {
        return Ok(None);
    }
    let noted = Peer::noted(&place)?;
    let mut ends: BTreeMap<&str, (&str, u64)> = BTreeMap::new();
    for end in noted.iter().filter_map(|n| n.ended.as_deref()) {
        // What it printed at its end is another text each time: the last one stands for all of its kind.
        let kind = end.split(": ").next().unwrap_or(end);
        let before = ends.get(kind).map_or(0, |(_, n)| *n);
        ends.insert(kind, (end, before + 1));
    }
    let bugs = peer::scripts(&Peer::bugs(&place));
    let mut cell = Cell {
        budget: lab.plan.budget,
        spent: noted.last().map_or(0.0, |n| n.cpu),
        triggers: Some(bugs.len() as u64),
        ends: ends.into_values().map(|(end, n)| (end.to_owned(), n)).collect(),
        ..Cell::default()
    };
    if bugs.is_empty() {
        return Ok(Some(cell));
    }
    let config = Config { seeds: vec![Peer::bugs(&place)], as_is: true, max_bytes: None, ..config };
    let earlier = lab.store.read(at);
    let own = (&*folder.join(CAMPAIGN), earlier.is_some());
    let Some(counts) = campaign(lab, config, None, own, say)? else { return Ok(None) };
    cell.apart = earlier.map_or(0.0, |c| c.apart) + counts.total.spent_cpu + counts.total.apart_cpu;
    Ok(Some(cell))
}

fn solvers(lab: &Lab<'_>, config: &Config) -> Result<Vec<Solver>> {
    let mut all = Vec::new();
    for solver in &config.solvers {
        for spec in SolverSpec::parse_list(solver)? {
            all.push(lab.registry.resolve(&spec)?);
        }
    }
    Ok(all)
}
