//! `smelt evolve`: which release may I take, on my own queries? How has a solver evolved?

use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail};
use smelt_campaign::evolve::items::{Items, Words};
use smelt_campaign::evolve::{Evolution, Evolve, in_order};
use smelt_campaign::survey::Store;
use smelt_smtlib::ParseOptions;
use smelt_solver::{Cancel, Registry};
use smelt_trial::resolve::newest_at_hand;
use smelt_trial::{Panel, Target};

use crate::args::grammars::{Model, grammar, numbered, whole};
use crate::args::{self, Jobs, Json, Limit, Out, Seeds, Walls};
use crate::exit::Exit;
use crate::interrupt;
use crate::printable::{in_one_line, quoted};
use crate::view::evolution;
use crate::voice::{self, complain, resolving};

/// Run many releases on your queries: which are wrong, lost something or got slower, and which may you take?
///
/// Queries are scripts, or words of grammars. All runs are kept in the folder of --out: the same command goes on there after Ctrl-C or kill -9,
/// and a release that is added later costs its own runs only. The page index.html, evolution.json, cells.csv and queries.csv are written to
/// it. Exit codes: 0 if no release is accused, 10 if one is, 2 an error.
#[derive(clap::Args)]
#[command(mut_arg("limit", |a| a.default_value("1")))]
#[command(mut_arg("out", |a| a.default_value("smelt-evolve")))]
pub struct Args {
    #[command(flatten)]
    seeds: Seeds,
    /// Take words of a grammar: a file, or the name of one inside smelt, with another number than -n as `ints:500`; may be repeated.
    #[arg(long, value_name = "GRAMMAR[:N]")]
    grammar: Vec<String>,
    /// How many words of each grammar, drawn at random from its smallest ones: the same ones each time, and fewer are a part of more.
    #[arg(short = 'n', value_name = "N", default_value_t = 1000, value_parser = args::at_least_one::<u64>)]
    number: u64,
    /// Take -n random words of each size of a grammar instead; all of a size that has no more.
    #[arg(long, requires = "grammar")]
    each_size: bool,
    /// Take them from among so many smallest words.
    #[arg(long, value_name = "N", default_value = "1e6", value_parser = whole)]
    among: String,
    /// What the size of a word is.
    #[arg(long, value_name = "MODEL", default_value = "thesis")]
    cost: Model,
    /// A solver, or a range of its releases as `z3@4.8.5..latest`; may be repeated. What is missing is installed.
    #[arg(long, value_name = "SOLVER", required = true)]
    solver: Vec<String>,
    /// The release in use, one of those that are asked: which newer one is not worse?
    #[arg(long, value_name = "SOLVER")]
    current: Option<String>,
    /// Runs of each query by each release; means and spreads are shown.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = args::at_least_one::<u32>)]
    repeat: u32,
    /// A name for the page.
    #[arg(long, default_value = "Evolution of solvers")]
    title: String,
    #[command(flatten)]
    limit: Limit,
    #[command(flatten)]
    walls: Walls,
    #[command(flatten)]
    jobs: Jobs,
    #[command(flatten)]
    out: Out,
    #[command(flatten)]
    json: Json,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    let options = ParseOptions::default();
    let items = items(&args, &options)?;
    if let (Some(why), true) = (items.unread.first(), items.all.is_empty()) {
        bail!("{why}");
    }
    items.unread.iter().for_each(|why| complain(&in_one_line(why)));
    let registry = args.walls.registry()?.limiting_memory(args.limit.bytes());
    let cancel = Cancel::new()?;
    interrupt::ends(&[&cancel], &cancel)?;
    let panel = panel(&args, &registry, &cancel)?;
    let current = args.current.as_ref().map(|name| place(&panel, name)).transpose()?;
    let folder = args.out.out.clone().context("--out has a default")?;
    let store = Store::open(&folder)?;
    let (limit, jobs, repeat) = (args.limit.cpu(), args.jobs.or_cores(), args.repeat);
    let evolve = Evolve {
        items: &items,
        panel: &panel,
        options: &options,
        limit,
        repeat,
        current,
        jobs,
        store: &store,
        cancel: &cancel,
    };
    let (begun, bar) = (Instant::now(), voice::bar());
    let found = evolve.run(&mut |far| {
        evolution::show_far(&bar, far);
        Ok(())
    })?;
    bar.finish_and_clear();
    let Some(mut found) = found else {
        complain(&format!("interrupted: the same command with --out {} goes on", quoted(&folder)));
        return Ok(Exit::Error);
    };
    found.title.clone_from(&args.title);
    found.command = evolution::command();
    evolution::write(&found, &items, &folder)?;
    evolution::tell(&found, args.json.json, begun.elapsed(), &folder)?;
    Ok(exit(&found))
}

fn items(args: &Args, options: &ParseOptions) -> Result<Items> {
    let mut items = Items::default();
    if args.seeds.are_given() || args.grammar.is_empty() {
        items.add_files(&args.seeds.files()?, options);
    }
    let among = args.among.parse().map_err(|_| anyhow!("--among: at most {} words", u64::MAX))?;
    for name in &args.grammar {
        let (name, count) = numbered(name, args.number)?;
        let (name, text) = grammar(name)?;
        let (cost, each_size) = (args.cost.into(), args.each_size);
        items.add_words(&Words { name: &name, text: &text, cost, count, among, each_size })?;
    }
    Ok(items)
}

/// The releases in order, and the newest of other solvers at hand, which are asked where somebody may be wrong.
fn panel(args: &Args, registry: &Registry, cancel: &Cancel) -> Result<Panel> {
    let names = crate::project::solvers(&args.solver, registry)?;
    let ready = |solver| Target::ready_for_sessions(solver, cancel);
    let targets = in_order(resolving(registry, |r| r.targets_by(&names, ready))?);
    let other = |t: &Target| targets.iter().all(|own| own.family() != t.family());
    let peers = newest_at_hand(registry).into_iter().filter_map(|s| Target::ready(s).ok());
    let peers: Vec<Target> = peers.filter(other).collect();
    Ok(Panel::new(targets, peers))
}

/// The release that a name means: as it was given, or by its version.
fn place(panel: &Panel, name: &str) -> Result<usize> {
    let means = |t: &Target| {
        t.spec == name
            || t.label == name
            || t.label.strip_prefix(name).is_some_and(|r| r.starts_with(".0"))
    };
    let found = panel.targets().iter().position(means);
    let all = || panel.targets().iter().map(|t| t.label.as_str()).collect::<Vec<_>>().join(", ");
    found.with_context(|| {
        format!("--current {name} is none of the releases that are asked: {}", all())
    })
}

fn exit(found: &Evolution) -> Exit {
    match (found.faults.is_empty(), found.unread.is_empty()) {
        (false, _) => Exit::Found,
        (true, true) => Exit::Fine,
        (true, false) => Exit::Error,
    }
}
