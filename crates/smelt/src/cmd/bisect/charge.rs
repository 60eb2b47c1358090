//! What is looked for in builds: the fault of a finding, or of a script.

use anyhow::{Context, Error, Result, bail};
use smelt_campaign::{replay, seeds, shelf};
use smelt_solver::{Cancel, Registry, SolverSpec};
use smelt_triage::Says;
use smelt_trial::Target;
use smelt_trial::exhibit::Exhibit;
use smelt_trial::resolve::{foreign_option, newest_at_hand};

use super::Args;
use crate::voice::detail;

/// A fault, whose it is, and which build is known to have it.
pub(super) struct Charge {
    pub exhibit: Exhibit,
    pub solver: String,
    pub args: Vec<String>,
    pub version: Option<String>,
    /// Whether it shows only sometimes.
    pub flaky: bool,
}

/// The fault of a finding.
pub(super) fn of_finding(registry: &Registry, args: &Args) -> Result<Charge> {
    let finding = shelf::read(&args.fault)?;
    if args.solvers.are_given() {
        // A name that means nothing is said before releases are installed.
        args.solvers.target(registry)?;
    }
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

/// What a build of the user's does wrong on a script.
pub(super) fn of_script(registry: &Registry, args: &Args, cancel: &Cancel) -> Result<Charge> {
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
