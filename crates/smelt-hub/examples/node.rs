//! A hub or a worker in a process of its own, for the tests: the real programs have terminals and arguments beside this.
//!
//! `node hub FOLDER ADDRESS SOLVER POSITIONS SILENCE SERVER [resume]` prints the line of a worker, and at the end what was counted;
//! `node work URL CAMPAIGN FOLDER SOLVER` prints what it has done. `SMELT_HOME` is the data folder.

#![allow(clippy::print_stdout)]

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use smelt_campaign::campaign::{Campaign, Resumed};
use smelt_campaign::claim;
use smelt_campaign::event::Event;
use smelt_campaign::folder::Folder;
use smelt_campaign::plan::{Config, Plan};
use smelt_hub::nats::{Access, Hub, Joined, Link, Listen, Names, Server, Setup, Terms};
use smelt_solver::{Cancel, Registry};
use smelt_trial::Resolver;

fn main() -> Result<()> {
    if let Some(code) = smelt_solver::helper_main() {
        std::process::exit(code);
    }
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let registry = smelt_trial::resolve::registry()?;
    match &args[..] {
        ["hub", folder, address, solver, positions, silence, server, resume @ ..] => {
            let numbers = (positions.parse()?, silence.parse()?);
            hub(&registry, (folder, address), solver, numbers, server, !resume.is_empty())
        }
        ["work", url, campaign, folder, solver] => work(&registry, url, campaign, folder, solver),
        _ => bail!("see the source"),
    }
}

fn plan(registry: &Registry, config: Config) -> Result<Plan> {
    Plan::new(config, &Resolver { registry, tell: &|_| {} }, &|_| {})
}

fn hub(
    registry: &Registry,
    (path, address): (&str, &str),
    solver: &str,
    (positions, silence): (u64, u64),
    server: &str,
    resume: bool,
) -> Result<()> {
    let folder = Folder::open(Path::new(path))?;
    let resumed = resume.then(|| Resumed::last(&folder)).transpose()?;
    let config = match &resumed {
        Some(resumed) => resumed.config.clone(),
        None => Config {
            seeds: vec![Path::new(path).with_extension("seeds")],
            solvers: vec![solver.to_owned()],
            strategies: vec!["opfuzz,typefuzz".to_owned()],
            positions: Some(positions),
            seed: 9,
            deterministic: true,
            jobs: 1,
            options: "none".to_owned(),
            limit: 2.0,
            token: claim::new_token(),
            ..Config::default()
        },
    };
    let plan = plan(registry, config)?;
    let campaign = Campaign::begin(plan, folder, resumed)?;
    let names = Hub::names(&campaign.plan.config.token)?;
    let listen = Listen {
        address: address.parse()?,
        tls: None,
        store: 1 << 30,
        program: (!server.is_empty()).then(|| server.into()),
    };
    let own = (registry.home(), registry.launcher());
    let server = Server::start(own, &listen, &names, &Path::new(path).join("hub"), &|_| {})?;
    let link = Link::connect(&server.access)?;
    let setup =
        Setup { block: 2, silence: Duration::from_secs(silence), judges: 1, bytes: 64 << 20 };
    let hub = Hub::open((&campaign, registry), setup, link, Some(&server))?;
    println!("ready {} {} {}", server.access.url, names.campaign(), server.pid().unwrap_or(0));
    let mut last = Vec::new();
    let outcome = hub.run(&mut |event| match event {
        Event::Message { message } | Event::Remark { message } => println!("said {message}"),
        Event::Found { finding } => println!("found {}", finding.id),
        Event::Progress(now) => last = now.machines,
        Event::Settled { .. } => {}
    })?;
    server.stop();
    for m in last {
        println!("machine {} {} positions, left {}", m.name, m.positions, m.left);
    }
    let total = &outcome.end.last.counts;
    println!("end {} tests, {} findings", total.total.tests, total.found());
    outcome.end.failure.map_or(Ok(()), Err)
}

fn work(registry: &Registry, url: &str, campaign: &str, folder: &str, solver: &str) -> Result<()> {
    let names = Names::of(campaign).context("no campaign")?;
    let access = Access { url: url.to_owned(), ..Access::default() };
    let joined = Joined::join(&access, names)?;
    let solvers = joined.solvers(registry, &[solver.to_owned()], false)?;
    let config = joined.config(solvers, Path::new(folder))?;
    let plan = plan(registry, config)?;
    let machine = Path::new(folder).file_name().unwrap_or_default().to_string_lossy().into_owned();
    let terms = Terms { jobs: 1, machine, patience: Duration::from_secs(120) };
    let (stop, stop_all) = (Cancel::new()?, Cancel::new()?);
    let done =
        joined.work(&plan, Path::new(folder), &terms, (&stop, &stop_all), &mut |text, _| {
            if !text.is_empty() {
                println!("said {text}");
            }
        })?;
    println!("end {} positions, {} sent, {} waiting", done.positions, done.sent, done.waiting);
    Ok(())
}
