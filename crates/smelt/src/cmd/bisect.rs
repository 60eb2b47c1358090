//! `smelt bisect`: which release brought a fault, and which one fixed it?

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Error, Result, bail};
use clap::ValueEnum;
use smelt_campaign::shelf::Contents;
use smelt_campaign::{replay, seeds, shelf};
use smelt_solver::{Cancel, Registry, SolverSpec};
use smelt_triage::{Class, Fingerprint, Says};
use smelt_trial::Target;
use smelt_trial::exhibit::Exhibit;
use smelt_trial::fingerprint::{cures, fingerprint};
use smelt_trial::lineup::{Asking, Lineup};
use smelt_trial::resolve::{foreign_option, newest_at_hand};

use crate::args::{Json, Limit, Solvers, Walls, at_least_one};
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
    #[arg(long, requires = "solver", conflicts_with_all = ["builds", "from", "to", "all", "installed"])]
    step: bool,
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

/// A fault, whose it is, and which build is known to have it.
struct Charge {
    exhibit: Exhibit,
    solver: String,
    args: Vec<String>,
    version: Option<String>,
    /// Whether it shows only sometimes.
    flaky: bool,
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
        let mut lineup = match &args.builds {
            Some(folder) => Lineup::of_folder(folder, &charge.solver, &charge.args)?,
            None => Lineup::of_releases(resolver, &charge.solver, &charge.args)?,
        };
        lineup.builds.retain(|b| b.here || !args.installed);
        let lineup = lineup.between(args.from.as_deref(), args.to.as_deref())?;
        let bad = charge.version.as_deref().and_then(|v| lineup.place(v).ok());
        let bad = bad.filter(|_| args.builds.is_none());
        let all = if args.all { 0..lineup.builds.len() } else { 0..0 };
        let asking = Asking { resolver, cpu: args.limit.cpu(), runs, cancel: &cancel };
        let examined =
            lineup.examine(&charge.exhibit, &asking, bad.into_iter().chain(all), |b, t| {
                detail(|| format!("{}: {}", b.name, history::words(t)));
            })?;
        let mut print = fingerprint(&charge.exhibit, &lineup, &examined);
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
            keep(&args.fault, print)?;
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

/// Writes what was found out into the folder of a finding: its draft says between which releases it begins and ends.
fn keep(folder: &Path, print: Fingerprint) -> Result<()> {
    let mut contents = Contents::read(folder)?;
    contents.finding.fingerprint = Some(print);
    shelf::rewrite(folder, &contents)
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

fn of_finding(registry: &Registry, args: &Args) -> Result<Charge> {
    let finding = shelf::read(&args.fault)?;
    let solver = finding.accused.profile.clone();
    let profile = registry.profiles().get(&solver);
    let profile = profile.with_context(|| format!("{solver}: no such solver is known"))?;
    let options = SolverSpec::parse(&finding.accused.spec)?.args;
    if let Some(option) = options.iter().find(|o| !profile.gives_option(o)) {
        bail!("{}", foreign_option(option, profile));
    }
    Ok(Charge {
        exhibit: replay::exhibit(&args.fault, &finding)?,
        solver,
        args: options,
        version: finding.accused.version.clone(),
        flaky: finding.rate.0 < finding.rate.1,
    })
}

fn of_script(registry: &Registry, args: &Args, cancel: &Cancel) -> Result<Charge> {
    let source = seeds::read(&args.fault)?;
    if !args.solvers.are_given() {
        bail!("{}: a script needs --solver: a build that is wrong on it", source.name);
    }
    let accused = args.solvers.target(registry)?;
    let solver = accused.solver.profile().name.clone();
    let options = accused.solver.args().to_vec();
    let version = accused.solver.version().map(ToString::to_string);
    let label = accused.label.clone();
    let again = Target::unprobed(accused.solver.clone());
    let exhibit = match args.wrong {
        Some(wrong) => Exhibit::of_class(&source.text, wrong.class()),
        None => accusation(registry, &source.text, accused, args, cancel),
    };
    let named = |e: Error| Error::msg(format!("{}: {e:#}", source.name));
    let exhibit = exhibit.map_err(named)?;
    let exhibit = shown_by(registry, exhibit, &source.text, &again, args, cancel).map_err(named)?;
    let exhibit = exhibit.with_context(|| {
        format!(
            "{}: {label} does not show it, neither as it is written nor as smelt prints it",
            source.name
        )
    })?;
    Ok(Charge { exhibit, solver, args: options, version, flaky: false })
}

/// A fault in the form in which a build shows it: the script as smelt prints it for each release, or else the text as it is written, which older
/// releases may not take; `None` if neither shows it.
fn shown_by(
    registry: &Registry,
    exhibit: Exhibit,
    text: &[u8],
    accused: &Target,
    args: &Args,
    cancel: &Cancel,
) -> Result<Option<Exhibit>> {
    let runs = args.repeat.unwrap_or(1);
    let shows = |e: &Exhibit| -> Result<bool> {
        let target = Target::unprobed(accused.solver.clone());
        let shown = e.shows_in(registry, target, runs, args.limit.cpu(), cancel)?;
        Ok(matches!(shown.says, Says::Holds | Says::Other(_)))
    };
    if shows(&exhibit)? {
        return Ok(Some(exhibit));
    }
    let written = String::from_utf8_lossy(text).into_owned();
    let exhibit = Exhibit { transcript: Some(written), ..exhibit };
    Ok(if shows(&exhibit)? { Some(exhibit) } else { None })
}

/// What a solver does wrong on a text, as the newest solvers at hand show it.
fn accusation(
    registry: &Registry,
    text: &[u8],
    accused: Target,
    args: &Args,
    cancel: &Cancel,
) -> Result<Exhibit> {
    let label = accused.label.clone();
    let other = |s: &smelt_solver::Solver| s.hash() != accused.solver.hash();
    let others = newest_at_hand(registry).into_iter().filter(other);
    let others = others.map(Target::unprobed).collect();
    let found = Exhibit::of_text(text, accused, others, args.limit.cpu(), cancel)?;
    let Some((exhibit, words)) = found else {
        bail!("nothing shows that {label} is wrong on it; --wrong says what is");
    };
    detail(|| words);
    Ok(exhibit)
}
