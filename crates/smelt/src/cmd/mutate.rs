//! `smelt mutate`: what does a strategy make of a script?

mod make;

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use smelt_campaign::offline;
use smelt_campaign::seeds::{self, Source};
use smelt_smtlib::LogicChoice;
use smelt_solver::Cancel;
use smelt_strategy::{STRATEGIES, Strategy};
use smelt_trial::Target;
use smelt_trial::resolve::newest_at_hand;

use self::make::make;
use crate::args;
use crate::exit::Exit;
use crate::view::mutant::Output;
use crate::view::strategies;
use crate::voice::{complain, detail};

/// Print mutants of a script, as a strategy makes them.
///
/// Each mutant is a script behind comment lines that say how it was made and what is expected of each check: `open` (solvers
/// can only be compared), `sat (witness)`, `sat (claim)`, `unsat`. The same arguments give the same mutants, as long as no
/// further rules are proved (see `smelt rules`) and, where solvers are asked about the seeds, they say the same. Exit code: 0 if
/// all were made, 1 if fewer, 2 if something is wrong with the arguments or the script.
#[derive(clap::Args)]
#[command(mut_arg("out", |a| a.alias("out-dir").conflicts_with("json")))]
#[command(mut_arg("limit", |a| a.default_value("2")))]
#[command(mut_arg("solver", |a| a.help("A solver that is asked for status and model of the seeds, if the strategy needs to know them; \
    may be repeated. Without any: the newest of each kind at hand")))]
pub struct Args {
    /// The script, plain or compressed.
    #[arg(required_unless_present = "list")]
    file: Option<PathBuf>,
    /// The strategy.
    #[arg(long, short, value_name = "NAME", required_unless_present = "list")]
    strategy: Option<String>,
    /// List the strategies with their parameters instead.
    #[arg(long)]
    list: bool,
    /// How many mutants.
    #[arg(short, value_name = "N", default_value_t = 10)]
    n: u64,
    #[command(flatten)]
    random: args::Seed,
    #[command(flatten)]
    params: args::Params,
    #[command(flatten)]
    operators: args::Operators,
    /// Another script for a strategy that wants several; may be repeated. Without any, the seeds inside smelt.
    #[arg(long = "partner", value_name = "FILE")]
    partners: Vec<PathBuf>,
    /// A model of the script, as a solver printed it, for strategies that need one.
    #[arg(long, value_name = "MODEL")]
    model: Option<PathBuf>,
    #[command(flatten)]
    solvers: args::Solvers,
    /// Ask no solver about the seeds.
    #[arg(long, conflicts_with = "solver")]
    no_solvers: bool,
    #[command(flatten)]
    limit: args::Limit,
    #[command(flatten)]
    walls: args::Walls,
    /// The logic to write.
    #[arg(long, value_enum, default_value_t = LogicArg::Smallest)]
    logic: LogicArg,
    #[command(flatten)]
    json: args::Json,
    #[command(flatten)]
    out: args::Out,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LogicArg {
    /// The logic of the seed, even if the mutant has more in it than that logic holds.
    Keep,
    /// The smallest standard logic that holds the mutant.
    Smallest,
}

/// Seeds inside smelt that solvers are asked about to find partners.
const PARTNERS: usize = 60;

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    let (Some(file), Some(name), false) = (&args.file, &args.strategy, args.list) else {
        return strategies::list(args.json.json).map(|()| Exit::Fine);
    };
    let strategy = find(name)?;
    if let Some(dir) = &args.out.out {
        std::fs::create_dir_all(dir).with_context(|| format!("cannot make {}", dir.display()))?;
    }
    let (source, model) = (seeds::read(file)?, args.model.as_deref().map(seeds::read).transpose()?);
    let logic = match args.logic {
        LogicArg::Keep => LogicChoice::Keep,
        LogicArg::Smallest => LogicChoice::Smallest,
    };
    let mut out = Output::new(logic, args.json.json, args.out.out.as_deref(), file);
    let offline = |source: &Source| offline::seed(source, None);
    let seed = offline::seed(&source, model.as_ref())?;
    let mut made = make(&args, strategy, seed, (&offline, usize::MAX), &mut out)?;
    if made.0 == 0 && model.is_none() && !args.no_solvers {
        // What a strategy needs to know of its seeds, solvers may know, as in a campaign.
        let targets = solvers(&args)?;
        let (cpu, cancel) = (args.limit.cpu(), Cancel::new()?);
        let asked = |source: &Source| offline::prepared(source, &targets, cpu, &cancel);
        if !targets.is_empty() {
            made = make(&args, strategy, asked(&source)?, (&asked, PARTNERS), &mut out)?;
        }
    }
    match made {
        (made, _) if made == args.n => Ok(Exit::Fine),
        (0, reason) => bail!("{}: {} cannot use it: {reason}", file.display(), strategy.name()),
        (made, reason) => {
            complain(&format!("only {made} of {} mutants were made: {reason}", args.n));
            Ok(Exit::No)
        }
    }
}

/// The solvers that are asked about seeds: those that are named, or the newest of each at hand that answers.
fn solvers(args: &Args) -> Result<Vec<Target>> {
    let registry = args.walls.registry()?;
    if args.solvers.are_given() {
        return args.solvers.targets(&registry);
    }
    let all: Vec<Target> =
        newest_at_hand(&registry).into_iter().filter_map(|s| Target::ready(s).ok()).collect();
    detail(|| {
        let names: Vec<&str> = all.iter().map(|t| t.label.as_str()).collect();
        format!("asked about the seeds: {}", names.join(", "))
    });
    Ok(all)
}

fn find(name: &str) -> Result<&'static dyn Strategy> {
    match smelt_strategy::by_name(name) {
        Some(s) => Ok(s),
        None => {
            let names: Vec<_> = STRATEGIES.iter().map(|s| s.name()).collect();
            bail!("unknown strategy `{name}` (known: {})", names.join(", "))
        }
    }
}
