//! A hub as its arguments say.

use std::time::Duration;

use anyhow::{Context, Result};
use smelt_campaign::campaign::{Campaign, Resumed};
use smelt_campaign::claim;
use smelt_campaign::folder::Folder;
use smelt_campaign::jobs::When;
use smelt_campaign::plan::{Config, Plan};
use smelt_hub::nats::{Access, Hub, Link, Listen, Server, Setup, Tls};

use super::Args;
use crate::args;
use crate::exit::Exit;
use crate::printable::quoted;
use crate::view::campaign::{View, exit};
use crate::view::live::Waiting;
use crate::voice::{complain, needs_home, remark, resolving, show};

/// Runs the command.
pub(super) fn run(args: &Args) -> Result<Exit> {
    let path = args.out.out.clone().context("--out has a default")?;
    let registry = args.walls.registry()?;
    needs_home(&registry)?;
    let page = Waiting::new(&args.page)?;
    let folder = if args.resume { Folder::existing(&path)? } else { Folder::open(&path)? };
    let mut view = View::new(args.json, &path);
    view.unreadable(&folder.earlier);
    let resumed = args.resume.then(|| Resumed::last(&folder)).transpose()?;
    let config = match &resumed {
        None => {
            let config = configure(args)?;
            claim::claim(registry.home(), &config)?;
            config
        }
        Some(resumed) => {
            let config = go_on(args, resumed);
            claim::check(&registry, &config)?;
            config
        }
    };
    let registry = registry.sandboxed(config.sandbox)?.limiting_memory(config.memory_bytes());
    let plan = resolving(&registry, |r| Plan::new(config, r, &|text| view.on_the_way(text)))?;
    view.begin(&plan);
    view.go_on_with = Some(format!("smelt hub --resume --out {}", quoted(&path)));
    let mut campaign = Campaign::begin(plan, folder, resumed)?;
    campaign.registry = Some(registry.clone());
    let names = Hub::names(&campaign.plan.config.token)?;
    let server = match &args.nats {
        Some(_) => None,
        None => {
            let listen = listen(args);
            let own = (registry.home(), registry.launcher());
            Some(Server::start(own, &listen, &names, &path.join("hub"), &remark)?)
        }
    };
    let access = match (&server, &args.nats) {
        (Some(server), _) => server.access.clone(),
        (None, url) => Access {
            url: url.clone().unwrap_or_default(),
            creds: args.creds.clone(),
            ca: args.ca.clone(),
            is_hub: true,
            user: None,
        },
    };
    let link = Link::connect(&access)?;
    remark(&format!("nats-server {} on {}", link.server_version(), access.url));
    if let Some(warning) = server.as_ref().and_then(|s| s.warning.as_ref()) {
        complain(warning);
    }
    let setup = Setup {
        block: args.block.into(),
        silence: Duration::from_secs(args.silence.into()),
        judges: campaign.plan.config.jobs,
        // All four of them, and what a server needs beside them.
        bytes: (args.store << 20) / 8,
    };
    let hub = Hub::open((&campaign, &registry), setup, link, server.as_ref())?;
    view.page = page.map(|page| page.show(&campaign)).transpose()?;
    show(&format!("worker: {}", line(args, &access, server.as_ref(), names.campaign())));
    let outcome = view.follow_by(&campaign, &mut |watch| hub.run(watch))?;
    drop(hub);
    if let Some(server) = &server {
        server.stop();
    }
    exit(outcome)
}

/// The line that starts a worker.
fn line(args: &Args, access: &Access, server: Option<&Server>, campaign: &str) -> String {
    let mut line = format!("smelt work {}/{campaign}", access.url);
    if args.listen.ip().is_unspecified() && server.is_some() {
        line = line.replace("127.0.0.1", "HOST");
    }
    if let Some(token) = server.and_then(|s| s.token.as_ref()) {
        line += &format!(" --token {}", quoted(token));
    }
    if args.creds.is_some() {
        line += " --creds FILE";
    }
    if let Some(ca) = &access.ca {
        line += &format!(" --ca {}", quoted(ca));
    }
    line
}

fn listen(args: &Args) -> Listen {
    let tls = args.tls_cert.clone().zip(args.tls_key.clone());
    Listen {
        address: args.listen,
        tls: tls.map(|(cert, key)| Tls { cert, key }),
        store: args.store << 20,
        program: args.nats_server.clone(),
    }
}

/// A new run.
fn configure(args: &Args) -> Result<Config> {
    Ok(Config {
        seeds: args.seeds.iter().map(args::from_any_folder).collect::<Result<_>>()?,
        solvers: args.solver.clone(),
        sandbox: args.walls.given().unwrap_or_default(),
        strategies: args.strategy.clone(),
        time: args.budget.time,
        tests: args.budget.tests,
        findings: args.budget.findings,
        positions: args.positions,
        seed: args.random.or_any(),
        deterministic: args.deterministic,
        jobs: args.jobs.or_cores(),
        options: args.options.clone(),
        limit: args.limit.seconds(),
        memory: Some(args.limit.megabytes()),
        reduce: When::Now,
        token: claim::new_token(),
        ..Config::default()
    })
}

/// The last run with what is given now.
fn go_on(args: &Args, resumed: &Resumed) -> Config {
    let mut config = resumed.config.clone();
    if args.budget.is_given() {
        config.time = args.budget.time.map(|t| resumed.elapsed + t);
        config.tests = args.budget.tests.map(|n| resumed.tally.total.tests.saturating_add(n));
        config.findings = args.budget.findings.map(|n| resumed.tally.found().saturating_add(n));
    }
    config.positions = args.positions.or(config.positions);
    config.jobs = args.jobs.given().unwrap_or(config.jobs);
    config.sandbox = args.walls.given().unwrap_or(config.sandbox);
    config
}
