//! `smelt perf`: which formulas make a solver slow where others are fast, and which constructs are to blame?

mod ask;
mod bugs;

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use smelt_campaign::perf::follow::Follow;
use smelt_campaign::perf::sum::script;
use smelt_campaign::perf::{Perf, Report, Store, language, merged};
use smelt_campaign::plan::pinned;
use smelt_campaign::sequence::Part;
use smelt_solver::Cancel;
use smelt_trial::Panel;

use self::ask::Instances;
use crate::args::{self, Jobs, Json, Limit, Out, Walls, time};
use crate::exit::Exit;
use crate::interrupt;
use crate::printable::quoted;
use crate::view::{evolution, perf as view};
use crate::voice::{self, complain, remark, resolving};

/// Look for formulas on which a solver is slow and others are fast, and rank the constructs that make it so.
///
/// Instances of a theory are changed construct by construct; agents learn which constructs pay (BanditFuzz), beside methods that learn nothing.
/// Times are CPU times of fresh processes without their start. The folder of --out has the journal: the same command goes on there after Ctrl-C
/// or kill -9. The page index.html, perf.json and the best instances (suite/) are written to it.
/// With --objective bugs the agents look for instances on which the target is wrong, and findings are kept as in a campaign.
/// Exit codes: 0 nothing is confirmed, 10 a slowness is confirmed with ten seeds (--confirm), or a bug was found, 2 an error.
#[derive(clap::Args)]
#[command(mut_arg("limit", |a| a.default_value("0.25").default_value_if("objective", "bugs", "60")))]
#[command(mut_arg("out", |a| a.default_value("smelt-perf")))]
pub struct Args {
    /// The solver that is to be slow: a name, a release, options behind a colon, or any binary.
    #[arg(long, value_name = "SOLVER", required_unless_present_any = ["merge", "show"])]
    target: Option<String>,
    /// A solver that is to be fast; may be repeated.
    #[arg(long = "ref", value_name = "SOLVER", required_unless_present_any = ["merge", "show"])]
    reference: Vec<String>,
    #[command(flatten)]
    instances: Instances,
    /// Run so many of the best instances with ten seeds of the solvers.
    #[arg(long, value_name = "N", default_value_t = 0)]
    confirm: usize,
    /// CPU seconds of these runs.
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = time::seconds)]
    confirm_limit: f64,
    /// Of two releases of one solver: find the release that brought what is confirmed. Releases are installed as they are needed.
    #[arg(long, requires = "confirm")]
    bisect: bool,
    /// Make what is confirmed smaller.
    #[arg(long, requires = "confirm")]
    reduce: bool,
    /// Make the I-th of N parts of the restarts, from 1.
    #[arg(long, value_name = "I/N", default_value = "1/1", value_parser = args::part)]
    shard: Part,
    /// Only add up the folders of a run's parts; may be repeated.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["target", "reference", "shard", "confirm"])]
    merge: Vec<std::path::PathBuf>,
    /// Only print an instance of the run in --out, as its file is called: `thompson-3-17.smt2`.
    #[arg(long, value_name = "METHOD-RESTART-STEP", conflicts_with_all = ["target", "reference", "merge"])]
    show: Option<String>,
    /// Stop after this time: the same command goes on.
    #[arg(long, value_parser = time::seconds)]
    time: Option<f64>,
    #[command(flatten)]
    limit: Limit,
    #[command(flatten)]
    walls: Walls,
    #[command(flatten)]
    random: args::Seed,
    #[command(flatten)]
    jobs: Jobs,
    #[command(flatten)]
    out: Out,
    #[command(flatten)]
    json: Json,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    let folder = args.out.out.clone().context("--out has a default")?;
    if let Some(name) = &args.show {
        let store = Store::existing(&folder)?;
        return show(&store, name);
    }
    if !args.merge.is_empty() {
        let stores = args.merge.iter().map(|f| Store::existing(f)).collect::<Result<Vec<_>>>()?;
        let asked = stores[0].asked();
        let report = merged(asked, &asked.language()?, &stores)?;
        return finish(report, &args, &folder);
    }
    let registry = args.walls.registry()?.limiting_memory(args.limit.bytes());
    let cancel = Cancel::new()?;
    interrupt::ends(&[&cancel], &cancel)?;
    let panel = panel(&args, &registry)?;
    let parameters = args.instances.parameters()?;
    let language = language(&parameters, &panel)?;
    let asked =
        args.instances.asked(&panel, &language, args.limit.seconds(), args.random.or_zero())?;
    if args.instances.are_for_bugs() {
        let report = bugs::run(&args, &registry, &asked, &folder)?;
        return finish(report, &args, &folder);
    }
    let store = Store::open(&folder, &asked)?;
    let perf = Perf {
        asked: &asked,
        panel: &panel,
        language: &language,
        shard: (args.shard.own, args.shard.of),
        jobs: args.jobs.given().unwrap_or(1),
        store: &store,
        until: args.time.map(|t| Instant::now() + Duration::from_secs_f64(t)),
        cancel: &cancel,
    };
    let bar = voice::bar();
    let whole = perf.run(&mut |far| {
        view::show_far(&bar, far);
        Ok(())
    })?;
    bar.finish_and_clear();
    if !whole {
        complain(&format!(
            "not all is done: the same command with --out {} goes on",
            quoted(&folder)
        ));
    }
    let mut report = perf.report()?;
    resolving(&registry, |resolver| {
        let follow = Follow {
            panel: &panel,
            number: args.confirm,
            limit: Duration::from_secs_f64(args.confirm_limit),
            resolver: args.bisect.then_some(resolver),
            reduce: args.reduce,
            cancel: &cancel,
        };
        follow.run(&mut report, &remark)
    })?;
    finish(report, &args, &folder)
}

/// Writes and tells what came of it.
fn finish(mut report: Report, args: &Args, folder: &std::path::Path) -> Result<Exit> {
    report.command = evolution::command();
    view::write(&report, folder)?;
    view::tell(&report, args.json.json, folder)?;
    let bugs = report.methods.iter().filter_map(|m| m.hunted.as_ref()).any(|h| !h.bugs.is_empty());
    Ok(match bugs || report.slow.iter().any(|s| s.confirmed) {
        true => Exit::Found,
        false => Exit::Fine,
    })
}

/// The target and its references.
fn panel(args: &Args, registry: &smelt_solver::Registry) -> Result<Panel> {
    let names: Vec<String> = args.target.iter().chain(&args.reference).cloned().collect();
    let mut names = crate::project::solvers(&names, registry)?;
    if args.instances.are_for_bugs() {
        // A campaign names releases so, and findings name whom they accuse.
        let pin = |name: &mut String| -> Result<()> {
            *name = resolving(registry, |r| pinned(r, name))?;
            Ok(())
        };
        names.iter_mut().try_for_each(pin)?;
    }
    let targets = resolving(registry, |r| smelt_campaign::perf::targets(r, &names))?;
    if targets.len() <= args.reference.len() {
        bail!("--target and --ref name one solver each, and a range of releases is several");
    }
    let id = |t: &smelt_trial::Target| (t.solver.hash().to_owned(), t.solver.args().to_vec());
    if let Some(same) = targets[1..].iter().find(|t| id(t) == id(&targets[0])) {
        bail!("{} is its own reference: {}", targets[0].label, same.label);
    }
    Ok(Panel::new(targets, Vec::new()))
}

/// Prints an instance, made again from the journal.
fn show(store: &Store, name: &str) -> Result<Exit> {
    use std::io::Write;
    let parts: Vec<&str> = name.trim_end_matches(".smt2").split('-').collect();
    let [method, seq, step] = parts[..] else {
        bail!("--show {name}: METHOD-RESTART-STEP is needed, as thompson-3-17");
    };
    let found = || -> Option<String> {
        let all = store.read().ok()?;
        let (seq, step) = (seq.parse().ok()?, step.parse().ok()?);
        let steps = all.get(&(method.to_owned(), seq))?;
        script(store.asked(), &store.asked().language().ok()?, seq, steps, step)
    };
    let Some(text) = found() else {
        bail!("--show {name}: {} has no such step that is done", store.folder().display());
    };
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(Exit::Fine)
}
