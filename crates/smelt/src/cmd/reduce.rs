//! `smelt reduce`: a smaller script on which a solver is still wrong.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Error, Result, bail};
use smelt_campaign::seeds;
use smelt_case::{Basis, Known, Seed, Status, digest};
use smelt_eval::{ModelOptions, model_text};
use smelt_reduce::storm::{Bounds, minimise};
use smelt_smtlib::{LogicChoice, ParseOptions, PrintOptions, Script, print};
use smelt_solver::{Answer, Cancel, Mode};
use smelt_triage::true_model;
use smelt_trial::Target;

use crate::args::{self, Limit, Solvers, Walls};
use crate::exit::Exit;

/// Make a script smaller while a solver is still wrong on it.
///
/// The solver (one) answers unsat, though a model shows that the script is satisfiable. The script (one check) must have a model: given by --model, or asked from another solver by --reference; smelt's evaluator has
/// to find it true. Every script that is tried is an instance of STORM over the one before, with the model as its witness, so
/// the solver is wrong on each that it calls unsat. The smallest one is printed, with the witness in comments.
///
/// Exit code: 0 if a smaller script was found, 1 if the solver does not answer unsat, nothing smaller does, or there is no verdict on the
/// solver because of a caveat of its profile, 2 on errors.
#[derive(clap::Args)]
#[command(mut_arg("solver", |a| a.required(true)))]
#[command(mut_arg("limit", |a| a.default_value("5")))]
pub struct Args {
    /// The script.
    file: PathBuf,
    /// By binary search on the bounds of STORM: first the number of assertions, then the depth of formulas.
    #[arg(long, required = true)]
    storm: bool,
    #[command(flatten)]
    solvers: Solvers,
    /// A solver to ask for a model.
    #[arg(long, value_name = "SOLVER", conflicts_with = "model")]
    reference: Option<String>,
    /// A model of the script, as solvers print it.
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Scripts that are tried in each round.
    #[arg(long, default_value_t = 100)]
    instances: u32,
    #[command(flatten)]
    limit: Limit,
    #[command(flatten)]
    walls: Walls,
    #[command(flatten)]
    random: args::Seed,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    debug_assert!(args.storm);
    let source = seeds::read(&args.file)?;
    let mut script = source.script(&ParseOptions::default())?;
    if script.queries().len() != 1 {
        bail!("{} has {} checks: one is needed", source.name, script.queries().len());
    }
    let registry = args.walls.registry()?;
    let target = args.solvers.target(&registry)?;
    let (cpu, cancel) = (args.limit.cpu(), Cancel::new()?);
    let ask = |target: &Target, script: &Script| {
        let mode = Mode::plain();
        target.run_cold(&target.print(script, &mode), &mode, cpu, &cancel)
    };
    let (text, options) = match (&args.model, &args.reference) {
        (Some(file), _) => {
            let text = String::from_utf8_lossy(&seeds::read(file)?.text).into_owned();
            (text, ModelOptions::default())
        }
        (None, Some(name)) => {
            let reference = args::solvers::one(&registry, std::slice::from_ref(name))?;
            let outcome = ask(&reference, &script)?;
            let model = outcome.model().map(str::to_owned);
            let said = || outcome.answer().map_or("no answer".to_owned(), ToString::to_string);
            let text = model.with_context(|| format!("{name} gives no model: {}", said()))?;
            (text, reference.model_options().clone())
        }
        (None, None) => bail!("a model is needed: --model FILE, or --reference SOLVER"),
    };
    let model = true_model(&mut script, &text, &options).map_err(Error::msg)?;
    let fails = |script: &Script| {
        let unsat = || ask(&target, script).is_ok_and(|o| o.answer() == Some(&Answer::Unsat));
        target.caveat_on(script).is_none() && unsat()
    };
    let mut out = std::io::stdout().lock();
    if let Some(why) = target.caveat_on(&script) {
        writeln!(out, "; no verdict on what {} says of {}: {why}", target.label, source.name)?;
        return Ok(Exit::No);
    }
    if !fails(&script) {
        writeln!(out, "; {} does not answer unsat to {}", target.label, source.name)?;
        return Ok(Exit::No);
    }
    let before = Bounds::of(&script);
    let known =
        Known { status: Status::Sat, basis: Basis::Evaluated, model: Some(Arc::new(model)) };
    let seed = Seed::new(source.name.clone(), digest(&source.text), script, vec![known]);
    let result = minimise(seed, args.instances, args.random.or_zero(), &mut |s| fails(s));
    let after = Bounds::of(&result.seed.script);
    writeln!(
        out,
        "; {} scripts tried: {} assertions of depth {}, from {} of depth {}",
        result.tried, after.assertions, after.depth, before.assertions, before.depth
    )?;
    writeln!(out, "; {} answers unsat, but this satisfies it:", target.label)?;
    if let Some(model) = result.seed.single().and_then(|k| k.model.as_ref()) {
        let text = model_text(&result.seed.script, model);
        let text = text.unwrap_or_else(|name| format!("(the value of {name} has no text)"));
        text.lines().try_for_each(|l| writeln!(out, "; {l}"))?;
    }
    let options =
        PrintOptions { logic: LogicChoice::Smallest, strip_status: true, ..Default::default() };
    write!(out, "{}", print(&result.seed.script, &options))?;
    Ok(if result.found { Exit::Fine } else { Exit::No })
}
