//! `smelt replay`: does a finding still hold?

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Error, Result, anyhow, bail};
use smelt_campaign::seedbank;
use smelt_campaign::shelf;
use smelt_case::{OpSet, Seed};
use smelt_smtlib::{LogicChoice, Op, PrintOptions, Script, parse, print};
use smelt_solver::Mode;
use smelt_solver::{Cancel, Home, Launcher, Registry, ResolveError, SolverSpec};
use smelt_strategy::{Input, by_name};
use smelt_triage::{Finding, FollowUp, Says};
use smelt_trial::Target;
use smelt_trial::reproducer::{Reproducer, Scripts, Sought};
use smelt_trial::resolve::newest_at_hand;
use smelt_trial::resolve::{foreign_option, is_harmless};

use crate::args::Limit;
use crate::exit::Exit;
use crate::printable::Printable;
use crate::voice::resolving;

/// Re-run findings. Slowness is waited for a minute, whatever the limit.
#[derive(clap::Args)]
#[command(mut_arg("limit", |a| a.default_value("10")))]
pub struct Args {
    /// Folders of findings.
    #[arg(required = true)]
    findings: Vec<PathBuf>,
    /// Run on this solver instead of the accused one; may be given several times. What a finding names is run only if it is a
    /// known solver by name or name@version that is here; a path or a command must be given with this option.
    #[arg(long, value_name = "SOLVER")]
    solver: Vec<String>,
    /// Install the release that a finding names, if it is not here.
    #[arg(long)]
    install: bool,
    /// Send scripts as they are, with commands and options that may write and read files. For findings of your own.
    #[arg(long)]
    trust_scripts: bool,
    #[command(flatten)]
    limit: Limit,
}

/// The verdict for people, with what was seen.
fn sentence(says: Says, what: &str) -> String {
    match says {
        Says::Holds => format!("still holds: {what}"),
        Says::DoesNot => format!("does not hold: {what}"),
        Says::Open | Says::Other => format!("open: nothing learnt ({what})"),
    }
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    let home = Home::of_user().context("no data folder: set SMELT_HOME")?;
    let registry = Registry::open(home, Launcher::current()?)?.trusting_scripts(args.trust_scripts);
    let mut out = Printable(std::io::stdout().lock());
    let (mut holds, mut open, mut failed) = (false, false, 0);
    for path in &args.findings {
        // One that cannot be run does not keep the others from it.
        match replay(&registry, path, &args, &mut out) {
            Ok(said) => {
                holds |= said.contains(&Says::Holds);
                open |= said.contains(&Says::Open) || said.contains(&Says::Other);
            }
            Err(e) => {
                failed += 1;
                writeln!(out, "{}: cannot be replayed: {e:#}", path.display())?;
            }
        }
    }
    if failed > 0 {
        bail!("{failed} of {} findings could not be replayed", args.findings.len());
    }
    Ok(match (holds, open) {
        (true, _) => Exit::Found,
        (false, true) => Exit::Open,
        (false, false) => Exit::Fine,
    })
}

/// Replays one finding: what each of the solvers says of it.
fn replay(
    registry: &Registry,
    path: &Path,
    args: &Args,
    out: &mut impl Write,
) -> Result<Vec<Says>> {
    let finding = shelf::read(path)?;
    writeln!(out, "{}: {}", finding.id, finding.class)?;
    match rebuild(path, &finding) {
        Ok(true) => writeln!(out, "  the recipe gives the same mutant")?,
        Ok(false) => writeln!(
            out,
            "  the recipe gives another mutant (it was made by smelt {}); the kept script is used",
            finding.recipe.smelt
        )?,
        Err(e) => {
            writeln!(out, "  the recipe cannot be followed ({e:#}); the kept script is used")?
        }
    }
    let mut all = Vec::new();
    for target in solvers(registry, &finding, args)? {
        let mode = mode(&finding, &target)?;
        let (says, what) = rerun(registry, path, &finding, &target, &mode, args.limit.cpu())?;
        all.push(says);
        let other = args.solver.is_empty() && target.solver.hash() != finding.binary;
        let note = if other { " (another binary than the accused one)" } else { "" };
        writeln!(out, "  {}{note}: {}", target.label, sentence(says, &what))?;
    }
    Ok(all)
}

/// The solvers that the user names, else the accused one. A finding may come from anybody: of what it names, only a solver that
/// smelt knows by name is run, with options that smelt itself would give it.
fn solvers(registry: &Registry, f: &Finding, args: &Args) -> Result<Vec<Target>> {
    if !args.solver.is_empty() {
        return resolving(registry, |r| r.targets(&args.solver));
    }
    let spec = SolverSpec::parse(&f.spec)?;
    is_harmless(registry, &spec)?;
    let solver = if args.install {
        resolving(registry, |r| r.one(&spec))?
    } else {
        registry.resolve(&spec).map_err(|e| match e {
            ResolveError::NotInstalled { .. } => anyhow!("{e}, or give --install"),
            e => e.into(),
        })?
    };
    Ok(vec![Target::ready(solver).map_err(Error::msg)?])
}

/// How the accused was run. Options and tactics must be such that smelt itself gives them to this solver, or be given by the user.
fn mode(f: &Finding, target: &Target) -> Result<Mode> {
    let (profile, typed) = (target.solver.profile(), target.solver.args());
    let options: Vec<String> = f.options.iter().filter(|o| !typed.contains(o)).cloned().collect();
    if let Some(option) = options.iter().find(|o| !profile.gives_option(o)) {
        bail!("{}", foreign_option(option, profile));
    }
    if let Some(tactic) = f.tactic.as_ref().filter(|t| !profile.tactics.contains(t)) {
        bail!("the tactic {tactic:?} is none that smelt gives to {}", profile.name);
    }
    Ok(Mode {
        models: f.models,
        tactic: f.tactic.clone(),
        options,
        self_check: f.self_check,
        cores: f.cores,
        push_pop: f.push_pop,
        ..Mode::plain()
    })
}

/// Follows the recipe; whether it gives the script that was kept.
fn rebuild(path: &Path, f: &Finding) -> Result<bool> {
    let r = &f.recipe;
    let mut used: Vec<Seed> = Vec::new();
    for (i, s) in r.seeds.iter().enumerate() {
        let file = if i == 0 { "seed.smt2".to_owned() } else { format!("seed-{}.smt2", i + 1) };
        let text = shelf::read_file(path, &file)?;
        let script = seedbank::understand(&text).map_err(|e| anyhow!("{file}: {e}"))?;
        let facts = f.seeds.get(i).map_or(&[][..], Vec::as_slice);
        let seed = seedbank::make(s.name.clone(), &text, script, facts);
        if seed.hash != s.hash {
            bail!("{file} is not the seed that was used");
        }
        used.push(seed);
    }
    let Some((seed, partners)) = used.split_first() else { bail!("it names no seed") };
    let kept = read(path, "original.smt2")?;
    let options = PrintOptions {
        logic: LogicChoice::Smallest,
        strip_status: true,
        ..PrintOptions::default()
    };
    if r.strategy == "seed" {
        return Ok(print(&seed.workspace(), &options) == kept);
    }
    let strategy =
        by_name(&r.strategy).with_context(|| format!("there is no strategy {}", r.strategy))?;
    // A file that says otherwise is damaged, and would be followed for ever.
    let most = strategy.chain_length();
    if r.step >= most {
        bail!("step {} of a chain of {most}", r.step);
    }
    let ops: OpSet =
        Op::all().filter(|op| !r.without.iter().any(|w| *w == format!("{op:?}"))).collect();
    let partners: Vec<&Seed> = partners.iter().collect();
    let input = Input { seed, partners: &partners, ops: &ops, parameters: &r.parameters };
    let refused = |e: smelt_strategy::Refusal| anyhow!("{} refuses: {e}", r.strategy);
    let mut random = r.stream();
    let mut chain = strategy.start(&input, &mut random).map_err(refused)?;
    for _ in 0..r.step {
        chain.step(&mut random).map_err(refused)?;
    }
    let last = chain.step(&mut random).map_err(refused)?;
    Ok(print(last.script, &options) == kept)
}

/// Looks for the fault of a finding in fresh processes: whether it holds, and what was seen.
fn rerun(
    registry: &Registry,
    path: &Path,
    f: &Finding,
    target: &Target,
    mode: &Mode,
    limit: Duration,
) -> Result<(Says, String)> {
    // What is slow is waited for a minute, whatever is said.
    let cpu = if f.class.row().slow { limit.max(Duration::from_secs(60)) } else { limit };
    let text = read(path, "bug.smt2")?;
    if let Some(why) = target.caveat_on_text(&text) {
        return Ok((Says::Open, format!("no verdict: {why}")));
    }
    // The script itself is the end of a transcript.
    let file = if f.session_dependent { "original.smt2" } else { "bug.smt2" };
    let script = script(path, file)?;
    has_check(f, file, &script)?;
    let before = match f.class.row().follow_up {
        Some(FollowUp::Before) => Some(self::script(path, "before.smt2")?),
        _ => None,
    };
    // Of an unsat core the solver itself is asked, and those at hand.
    let others: Vec<Target> = match f.class.row().follow_up {
        Some(FollowUp::Core) => newest_at_hand(registry)
            .into_iter()
            .filter(|s| s.hash() != target.solver.hash())
            .map(Target::unprobed)
            .collect(),
        _ => Vec::new(),
    };
    let judges: Vec<&Target> = std::iter::once(target).chain(&others).collect();
    let reproducer = Reproducer {
        class: f.class,
        mode,
        check: f.check - 1,
        crash: Sought::Signed(&f.signature),
        then: None,
        frames: true,
        cpu,
        cancel: &Cancel::new()?,
        judges: &judges,
    };
    let transcript = f.session_dependent.then_some(text.as_str());
    let scripts = Scripts { script: &script, transcript, before: before.as_ref() };
    let shown = reproducer.shows(target, &scripts)?;
    Ok((shown.says, shown.what))
}

/// The text of a file of a finding; whatever else is there under its name is not waited for.
fn read(path: &Path, file: &str) -> Result<String> {
    let text = shelf::read_file(path, file)?;
    String::from_utf8(text).map_err(|_| anyhow!("{file} is not UTF-8"))
}

/// A script of a finding, without what only people need.
fn script(path: &Path, file: &str) -> Result<Script> {
    let text = read(path, file)?;
    let mut script = parse(text.as_bytes()).map_err(|e| anyhow!("{file}: {}", e.message))?;
    script.commands.retain(|c| !matches!(c, smelt_smtlib::Command::Other(_)));
    Ok(script)
}

/// Refuses a finding about a check that its script does not have.
fn has_check(f: &Finding, file: &str, script: &Script) -> Result<()> {
    let n = script.queries().len();
    if !(1..=n).contains(&f.check) {
        bail!("it is about check {}, and {file} has {n}", f.check);
    }
    Ok(())
}
