//! `smelt bisect`: which release brought a fault, and which one fixed it?

mod charge;
mod kept;

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result};
use clap::ValueEnum;
use smelt_campaign::{replay, seeds, shelf};
use smelt_solver::{Cancel, Registry};
use smelt_triage::{Class, Says};
use smelt_trial::exhibit::Exhibit;
use smelt_trial::fingerprint::{cures, fingerprint};
use smelt_trial::lineup::{Asking, Lineup};

use self::charge::{of_finding, of_script};
use self::kept::keep;
use crate::args::{Jobs, Json, Limit, Solvers, Walls, at_least_one};
use crate::exit::Exit;
use crate::printable::Printable;
use crate::view::history::{self, Report};
use crate::voice::{detail, resolving};

/// Find the releases of a solver between which a fault begins and ends.
///
/// What is given is the folder of a finding, or a script on which the solver of --solver is wrong; what is wrong there is found out as by
/// `smelt check`, unless --wrong says it. Releases are installed as they are needed. One that refuses the script, gives up or runs into the
/// limit cannot tell and is passed over. A history may have gaps: what was fixed and came back is shown so.
///
/// Exit codes: 0 if the fault shows somewhere, 1 if nowhere, 3 if nobody could tell; with --step 0 (it does not show), 1 (it shows) or 125
/// (skip), as `git bisect run` wants it.
#[derive(clap::Args)]
#[command(mut_arg("limit", |a| a.default_value("10")))]
#[command(mut_arg("jobs", |a| a.help("Builds that are run at a time (1); with more, more builds are asked, and it ends sooner")))]
pub struct Args {
    /// The folder of a finding, or a script.
    fault: PathBuf,
    /// The solver: of a script, a build that is wrong on it.
    #[command(flatten)]
    solvers: Solvers,
    /// What is wrong on the script: the answer, the model, or that it crashes or takes a minute.
    #[arg(long, value_enum, value_name = "WHAT")]
    wrong: Option<Wrong>,
    /// Ask the builds in this folder, in the order of their names, instead of the releases.
    #[arg(long, value_name = "DIR")]
    builds: Option<PathBuf>,
    /// Begin with this release or build.
    #[arg(long, value_name = "VERSION")]
    from: Option<String>,
    /// End with this release or build.
    #[arg(long, value_name = "VERSION")]
    to: Option<String>,
    /// Ask every release, not only those that narrow it down.
    #[arg(long)]
    all: bool,
    /// Ask only releases that are installed.
    #[arg(long)]
    installed: bool,
    /// Also try which options of the solver make the fault vanish.
    #[arg(long)]
    options: bool,
    /// Fresh processes for each build; what does not always show needs several. Without it, 1, or 3 if the finding is one of those.
    #[arg(long, value_name = "N", value_parser = at_least_one::<u32>)]
    repeat: Option<u32>,
    /// Ask only the solver of --solver, and end with 0, 1 or 125: `git bisect run smelt bisect --step FINDING --solver ./build/z3`.
    #[arg(long, requires = "solver", conflicts_with_all = ["builds", "from", "to", "all", "installed", "jobs"])]
    step: bool,
    #[command(flatten)]
    jobs: Jobs,
    #[command(flatten)]
    limit: Limit,
    #[command(flatten)]
    walls: Walls,
    #[command(flatten)]
    json: Json,
}

/// What may be wrong with what a solver says of a script.
#[derive(Clone, Copy, ValueEnum)]
enum Wrong {
    Sat,
    Unsat,
    Unknown,
    Model,
    Crash,
    Slow,
}

impl Wrong {
    fn class(self) -> Class {
        match self {
            Self::Sat => Class::SolutionSoundness,
            Self::Unsat => Class::RefutationSoundness,
            Self::Unknown => Class::IncompletenessRegression,
            Self::Model => Class::InvalidModel,
            Self::Crash => Class::Crash,
            Self::Slow => Class::Performance,
        }
    }
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    let registry = args.walls.registry()?;
    let cancel = Cancel::new()?;
    if args.step {
        return step(&registry, &args, &cancel);
    }
    let charge = if args.fault.is_dir() {
        of_finding(&registry, &args)?
    } else {
        of_script(&registry, &args, &cancel)?
    };
    let runs = args.repeat.unwrap_or(if charge.flaky { 3 } else { 1 });
    let begun = Instant::now();
    resolving(&registry, |resolver| {
        let lineup = match &args.builds {
            Some(folder) => Lineup::of_folder(folder, &charge.solver, &charge.args)?,
            None if args.installed => Lineup::of_installed(resolver, &charge.solver, &charge.args),
            None => Lineup::of_releases(resolver, &charge.solver, &charge.args)?,
        };
        let lineup = lineup.between(args.from.as_deref(), args.to.as_deref())?;
        let bad = charge.version.as_deref().and_then(|v| lineup.place(v).ok());
        let bad = bad.filter(|_| args.builds.is_none());
        let all = if args.all { 0..lineup.builds.len() } else { 0..0 };
        let (cpu, threads) = (args.limit.cpu(), args.jobs.given().unwrap_or(1));
        let asking = Asking { resolver, cpu, runs, threads, pause: &|| {}, cancel: &cancel };
        let examined =
            lineup.examine(&charge.exhibit, &asking, bad.into_iter().chain(all), |b, t| {
                detail(|| format!("{}: {}", b.name, history::words(t)));
            })?;
        let mut print = fingerprint(&charge.exhibit, &lineup, bad, &examined);
        if let Some(at) = bad.filter(|_| args.options) {
            let accused = resolver.one(&lineup.builds[at].spec)?;
            print.options = cures(&charge.exhibit, &accused, &asking)?;
        }
        let class = charge.exhibit.reproducer.class;
        let seconds = begun.elapsed().as_secs_f64();
        let report = Report { lineup: &lineup, examined: &examined, print: &print, class, seconds };
        let mut out = Printable(std::io::stdout().lock());
        if args.json.json {
            writeln!(out, "{}", report.json())?;
        } else {
            report.print(&mut out)?;
        }
        if args.fault.is_dir() && args.builds.is_none() {
            let all = !args.installed && args.from.is_none() && args.to.is_none();
            keep(&args.fault, print, all)?;
        }
        let said = examined.history.said.iter().flatten();
        let is_told = said.clone().any(|s| matches!(s, Says::Holds | Says::DoesNot));
        Ok(match (said.clone().any(|s| *s == Says::Holds), is_told) {
            (true, _) => Exit::Fine,
            (false, true) => Exit::No,
            (false, false) => Exit::Open,
        })
    })
}

/// One step of `git bisect`.
fn step(registry: &Registry, args: &Args, cancel: &Cancel) -> Result<Exit> {
    let (exhibit, flaky) = if args.fault.is_dir() {
        let finding = shelf::read(&args.fault)?;
        (replay::exhibit(&args.fault, &finding)?, finding.rate.0 < finding.rate.1)
    } else {
        let class = args.wrong.context("a script needs --wrong here")?.class();
        (Exhibit::of_class(&seeds::read(&args.fault)?.text, class)?, false)
    };
    let runs = args.repeat.unwrap_or(if flaky { 3 } else { 1 });
    // A build that does not work at all is one to skip.
    let target = match args.solvers.target(registry) {
        Ok(target) => target,
        Err(e) => {
            detail(|| format!("{e:#}"));
            return Ok(Exit::Skip);
        }
    };
    let shown = exhibit.shows_in(registry, target, runs, args.limit.cpu(), cancel)?;
    detail(|| shown.what.clone());
    Ok(match shown.says {
        Says::Holds => Exit::No,
        Says::DoesNot => Exit::Fine,
        Says::Other(class) if class == exhibit.reproducer.class => Exit::No,
        Says::Open | Says::Other(_) => Exit::Skip,
    })
}
