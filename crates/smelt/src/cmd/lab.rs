//! `smelt lab`: which technique finds how many distinct bugs under one budget?

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use smelt_campaign::lab::{Lab, LabPlan, Report, Store};
use smelt_solver::Cancel;

use crate::args::{self, Jobs, Json, Out, Walls, time};
use crate::exit::Exit;
use crate::interrupt;
use crate::printable::quoted;
use crate::view::{evolution, lab as view};
use crate::voice::{complain, needs_home, remark, resolving};

/// Compare techniques: each on each target, several times, under one budget of CPU time. Which finds how many distinct bugs?
///
/// The plan (TOML) names techniques (strategies of smelt, agents, other tools), targets, seeds, budget and repetitions. Bugs are told apart by the
/// releases that show the smallest script of each finding, and count where a newer release is right; confirming and reducing is not charged.
/// All is kept in the folder of --out: the same command goes on there after Ctrl-C, --time or kill -9, also with a larger budget or more
/// repetitions. The page index.html, lab.json and tables (CSV) are written to it.
/// Exit codes: 0 all cells are done, 2 an error, a cell that could not be run, or an interruption.
#[derive(clap::Args)]
#[command(mut_arg("out", |a| a.default_value("smelt-lab")))]
#[command(mut_arg("jobs", |a| a.help("Cells at a time, each with one thread (1)")))]
pub struct Args {
    /// The plan. With --trust it may name programs and paths.
    plan: PathBuf,
    /// Seeds in the place of those of the plan: scripts or folders; may be repeated.
    #[arg(long, value_name = "SCRIPTS")]
    seeds: Vec<PathBuf>,
    /// Stop after this time: the same command goes on.
    #[arg(long, value_parser = time::seconds)]
    time: Option<f64>,
    /// Run nothing: only add up what is in the folder.
    #[arg(long)]
    report: bool,
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
    let folder = args.out.out.clone().context("--out has a default")?;
    let registry = args.walls.registry()?;
    needs_home(&registry)?;
    let seeds = args.seeds.iter().map(args::from_any_folder).collect::<Result<Vec<_>>>()?;
    let plan = LabPlan::read(&args.plan, &seeds, crate::project::is_trusted(), &registry)?;
    let store = Store::open(&folder, &plan)?;
    let (cancel, cancel_all) = (Cancel::new()?, Cancel::new()?);
    interrupt::ends(&[&cancel], &cancel_all)?;
    let lab = Lab {
        plan: &plan,
        store: &store,
        registry: &registry,
        sandbox: args.walls.given().unwrap_or_default(),
        jobs: args.jobs.given().unwrap_or(1),
        until: args.time.map(|t| Instant::now() + Duration::from_secs_f64(t)),
        cancel: &cancel,
        cancel_all: &cancel_all,
    };
    let mut whole = true;
    if !args.report {
        resolving(&registry, |resolver| lab.prepare(resolver))?;
        whole = lab.run(&|event| remark(&view::line(&plan, event)))?;
        if !whole {
            complain(&format!(
                "not all is done: the same command with --out {} goes on",
                quoted(&folder)
            ));
        }
    }
    let report = Report { command: evolution::command(), ..lab.report()? };
    view::write(&report, &folder)?;
    view::tell(&report, args.json.json, &folder)?;
    let failed = report.targets.iter().flat_map(|t| &t.techniques).flat_map(|r| &r.cells);
    let failed = failed.filter(|c| c.cell.failure.is_some()).count();
    Ok(if whole && failed == 0 { Exit::Fine } else { Exit::Error })
}
