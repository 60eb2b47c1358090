//! A worker as its arguments say.

use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::json;
use smelt_campaign::plan::Plan;
use smelt_hub::nats::{Access, Joined, Names, Summary, Terms};
use smelt_solver::Cancel;

use super::Args;
use crate::exit::Exit;
use crate::interrupt;
use crate::printable::{in_one_line, printable};
use crate::voice::{needs_home, remark, resolving};

/// How often it is told how it goes.
const EVERY: Duration = Duration::from_secs(10);

/// Runs the command.
pub(super) fn run(args: &Args) -> Result<Exit> {
    let (url, names) = address(&args.url)?;
    let registry = args.walls.registry()?;
    needs_home(&registry)?;
    let password = args.token.as_ref().map(|path| {
        let text = std::fs::read_to_string(path);
        text.with_context(|| format!("cannot read {}", path.display()))
    });
    let user = password.transpose()?.map(|p| ("worker".to_owned(), p.trim().to_owned()));
    let access =
        Access { url, user, creds: args.creds.clone(), ca: args.ca.clone(), is_hub: false };
    let joined = Joined::join(&access, names)?;
    let out = args.out.out.clone().context("--out has a default")?;
    let solvers = joined.solvers(&registry, &args.solver, args.install)?;
    let mut config = joined.config(solvers, &out)?;
    config.sandbox = args.walls.given().unwrap_or_default();
    config.memory = config.memory.into_iter().chain(args.memory).min();
    let registry = registry.limiting_memory(config.memory_bytes());
    let plan = resolving(&registry, |r| Plan::new(config, r, &remark))?;
    let terms = Terms {
        jobs: args.jobs.or_cores(),
        machine: args.name.clone().unwrap_or_else(host),
        patience: Duration::from_secs(args.patience),
    };
    let (stop, stop_all) = (Cancel::new()?, Cancel::new()?);
    interrupt::ends(&[&stop], &stop_all)?;
    let mut last: Option<Instant> = None;
    let summary = joined.work(&plan, &out, &terms, (&stop, &stop_all), &mut |text, now| {
        if !text.is_empty() {
            remark(&in_one_line(text));
        } else if last.is_none_or(|at| at.elapsed() >= EVERY) {
            last = Some(Instant::now());
            // Nobody hears it if this fails.
            let _ = say(args, "working", now);
        }
    })?;
    say(args, "worked", &summary)?;
    Ok(Exit::Fine)
}

/// The server and the campaign.
fn address(text: &str) -> Result<(String, Names)> {
    let parts = text.rsplit_once('/').filter(|(url, _)| {
        let host = url.strip_prefix("nats://").or(url.strip_prefix("tls://"));
        host.is_some_and(|h| !h.is_empty() && !h.contains(['/', '@']))
    });
    let named = parts.and_then(|(url, key)| Some((url.to_owned(), Names::of(key)?)));
    match named {
        Some(named) => Ok(named),
        None => bail!(
            "{text:?} is no campaign of a hub: give what the hub prints, nats://host:port/campaign"
        ),
    }
}

/// What this machine is called.
fn host() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let plain = |c: &char| c.is_ascii_alphanumeric() || "-_.".contains(*c);
    let name: String = name.trim().chars().filter(plain).take(60).collect();
    if name.is_empty() { "worker".to_owned() } else { name }
}

fn say(args: &Args, kind: &str, now: &Summary) -> Result<()> {
    let Summary { positions, tests, sent, waiting, ended } = now;
    let mut out = std::io::stdout().lock();
    let line = match args.json.json {
        true => json!({
            "kind": kind, "positions": positions, "tests": tests, "findings_sent": sent,
            "findings_waiting": waiting, "campaign_over": ended,
        })
        .to_string(),
        false => {
            let over = if *ended { "; the campaign is over" } else { "" };
            format!(
                "{positions} positions, {tests} tests; {sent} findings sent, {waiting} waiting{over}"
            )
        }
    };
    Ok(writeln!(out, "{}", printable(&line))?)
}
