//! `smelt reduce`: a smaller script on which a solver is still wrong, or of which any test is still true.

mod by;

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Error, Result, anyhow, bail};
use smelt_campaign::{replay, seeds, shelf};
use smelt_eval::{ModelOptions, model_text};
use smelt_smtlib::{ParseOptions, Script};
use smelt_solver::{Cancel, Registry};
use smelt_triage::true_model;
use smelt_trial::shrink::{self, Aim, Effort, Given, NotReduced, Progress, Reduced};
use smelt_trial::{Panel, Reproducer, Target};

use crate::args::{self, Budget, Jobs, Json, Limit, Out, Solvers, Walls};
use crate::exit::Exit;
use crate::interrupt;
use crate::view::reduction;
use crate::voice::resolving;

/// Make a script smaller while a solver is still wrong on it, or while any command says so.
///
/// A finding's folder, or a file with --solver: the fault must still show in fresh processes, and what proves the answer wrong (a witness that smelt's evaluator finds true, a refuted
/// model, what other solvers say) must still stand; a slide to another fault is not taken, and told. Others are asked by --reference.
///
/// A file with a command behind `--`, as for ddSMT and C-Reduce: it is run with the candidate's path behind its arguments (or at {file}), and
/// must end as it did on the first file (or with --exit-code), and print what --match-out and --match-err say. --compare and --slower-than
/// need no command.
///
/// Ctrl-C keeps the smallest so far. Exit code: 0 if something smaller was found, 1 if not or if there is no fault at first, 2 on errors.
#[derive(clap::Args)]
#[command(mut_arg("limit", |a| a.default_value("5")))]
#[command(mut_arg("jobs", |a| a.help("Candidates that are tried at a time (1)")))]
pub struct Args {
    /// A script, or the folder of a finding.
    file: PathBuf,
    #[command(flatten)]
    solvers: Solvers,
    /// A solver to ask for models and answers; may be repeated.
    #[arg(long, value_name = "SOLVER")]
    reference: Vec<String>,
    /// A model of the script, as solvers print it.
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    #[command(flatten)]
    by: by::By,
    #[command(flatten)]
    limit: Limit,
    #[command(flatten)]
    walls: Walls,
    #[command(flatten)]
    jobs: Jobs,
    #[command(flatten)]
    budget: Budget,
    /// Fresh processes in one of which the fault must show: more than one for what does not always show.
    #[arg(long, default_value_t = 1, value_parser = args::at_least_one::<u32>)]
    votes: u32,
    /// Also change names, texts and numbers, as far as the fault shows without them, and say which are left: for a script that must not
    /// leave the house as it is.
    #[arg(long)]
    anonymise: bool,
    #[command(flatten)]
    out: Out,
    #[command(flatten)]
    json: Json,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    let registry = args.walls.registry()?.limiting_memory(args.limit.bytes());
    let cancel = Cancel::new()?;
    interrupt::ends(&[&cancel], &cancel)?;
    let effort = Effort {
        time: args.budget.time.map(Duration::from_secs_f64),
        tests: args.budget.tests,
        threads: args.jobs.given().unwrap_or(1),
        votes: args.votes,
        aim: if args.anonymise { Aim::Anonymous } else { Aim::Smallest },
        ..Effort::new(args.limit.cpu(), &cancel)
    };
    if args.by.is_given() {
        let solvers =
            if args.solvers.are_given() { args.solvers.targets(&registry)? } else { Vec::new() };
        let shown = reduction::Shown { out: &args.out, json: args.json };
        return by::run(&args.by, &registry, &args.file, solvers, &effort, &shown);
    }
    let mut watch = reduction::Watch::new();
    let mut tell = |p: &Progress| watch.tell(p);
    let done = if args.file.is_dir() {
        finding(&args, &registry, &effort, &mut tell)
    } else {
        script(&args, &registry, &effort, &mut tell)
    };
    watch.end();
    let shown = reduction::Shown { out: &args.out, json: args.json };
    match done? {
        (name, Err(NotReduced::Run(e))) => bail!("{name}: {e}"),
        (name, Err(why)) => shown.refused(&name, &why.to_string()),
        (name, Ok((label, reduced))) => shown.script(&name, &label, &reduced),
    }
}

type Done = (String, Result<(String, Reduced), NotReduced>);

/// Reduces the script of a finding.
fn finding(
    args: &Args,
    registry: &Registry,
    effort: &Effort<'_>,
    tell: &mut dyn FnMut(&Progress),
) -> Result<Done> {
    let finding = shelf::read(&args.file)?;
    let target = match args.solvers.are_given() {
        true => args.solvers.target(registry)?,
        false => {
            let spec = replay::accused(registry, &finding)?;
            Target::ready(resolving(registry, |r| r.one(&spec))?).map_err(Error::msg)?
        }
    };
    let exhibit = match replay::exhibit_for(&args.file, &finding, &target)? {
        Ok((exhibit, _)) => exhibit,
        Err(why) => return Ok((finding.id, Err(NotReduced::DoesNotShow(why)))),
    };
    let (mut panel, reproducer) = exhibit.panel(registry, target)?;
    panel.add_arbiters(references(args, registry)?);
    let given = exhibit.given(finding.parameters());
    Ok((finding.id.clone(), reduce(&panel, &reproducer, &given, effort, tell)))
}

/// Reduces a script on which a solver is wrong.
fn script(
    args: &Args,
    registry: &Registry,
    effort: &Effort<'_>,
    tell: &mut dyn FnMut(&Progress),
) -> Result<Done> {
    let source = seeds::read(&args.file)?;
    if !args.solvers.are_given() {
        bail!("a solver is needed (--solver), or a command (-- ./interesting.sh)");
    }
    let mut script = source.script(&ParseOptions::default())?;
    let witness = args.model.as_deref().map(|file| witness(&mut script, file)).transpose()?;
    let (target, options) = args.solvers.target_and_options(registry)?;
    let panel = Panel::new(vec![target], references(args, registry)?);
    let who = panel.targets()[0].id();
    let done = shrink::suspicion(&panel, who, &script, witness.as_deref(), &options, effort);
    let done = done
        .and_then(|reproducer| reduce(&panel, &reproducer, &Given::script(&script), effort, tell));
    Ok((source.name.clone(), done))
}

fn reduce(
    panel: &Panel,
    reproducer: &Reproducer,
    given: &Given<'_>,
    effort: &Effort<'_>,
    tell: &mut dyn FnMut(&Progress),
) -> Result<(String, Reduced), NotReduced> {
    let who = &panel.targets()[0];
    let reduced = shrink::reduce(panel, who.id(), reproducer, given, effort, tell)?;
    Ok((who.label.clone(), reduced))
}

fn references(args: &Args, registry: &Registry) -> Result<Vec<Target>> {
    if args.reference.is_empty() {
        return Ok(Vec::new());
    }
    resolving(registry, |r| r.targets(&args.reference))
}

/// A model that the user gives, in the words of the standard; it must be true.
fn witness(script: &mut Script, file: &Path) -> Result<String> {
    let text = String::from_utf8_lossy(&seeds::read(file)?.text).into_owned();
    let model = true_model(script, &text, &ModelOptions::default()).map_err(Error::msg)?;
    model_text(script, &model).map_err(|name| anyhow!("the value of {name} has no text"))
}
