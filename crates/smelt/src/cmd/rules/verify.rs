//! `smelt rules verify`: random values first, then solvers.

use anyhow::{Context, Result, bail};
use smelt_campaign::provers::Provers;
use smelt_campaign::verify::Verifier;
use smelt_solver::Registry;
use smelt_strategy::rules::instances::{Coverage, MOST_BITS};
use smelt_trial::Target;

use super::Which;
use crate::args::{Json, Limit, Solvers, Walls};
use crate::exit::Exit;
use crate::view::verification::{Asked, Tally, View};
use crate::voice::{self, needs_home, resolving};

/// Which rules, where, by whom. Without --solver, all solvers at hand are asked.
#[derive(clap::Args)]
#[command(mut_arg("limit", |a| a.default_value("2")))]
pub struct Args {
    /// Which rules.
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    solvers: Solvers,
    /// Random values per rule.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    rounds: u64,
    #[command(flatten)]
    limit: Limit,
    #[command(flatten)]
    walls: Walls,
    /// Widths of bit-vectors instead of the usual ones: `8` or `8,37`.
    #[arg(long, value_name = "WIDTHS", value_delimiter = ',')]
    width: Vec<u32>,
    /// Formats of floating-point sorts instead of the usual ones: `5:11`.
    #[arg(long, value_name = "FORMATS", value_delimiter = ',')]
    format: Vec<String>,
    /// Ask again what is recorded as proved.
    #[arg(long)]
    again: bool,
    /// Ask no solver.
    #[arg(long, conflicts_with = "solver")]
    no_solvers: bool,
    /// Write nothing.
    #[arg(long)]
    dry: bool,
    #[command(flatten)]
    json: Json,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<Exit> {
    let registry = args.walls.registry()?.limiting_memory(args.limit.bytes());
    if !args.dry && args.which.record.is_none() {
        needs_home(&registry)?;
    }
    let book = args.which.load()?;
    let rules = book.chosen(&args.which.names)?;
    let (rounds, again) = (args.rounds, args.again);
    let named = args.solvers.are_given();
    let verifier = Verifier { book: &book, coverage: coverage(args)?, rounds, again, named };
    let mut provers = Provers::of(solvers(args, &registry)?, args.limit.cpu(), None);
    let mut tally = Tally::default();
    let chosen = !(args.width.is_empty() && args.format.is_empty());
    let asked = Asked { rounds, chosen };
    let mut view = View::new(args.json);
    if !args.dry {
        book.prune()?;
    }
    for (_, rule) in rules {
        let (claim, verdict) = (rule.claim(), verifier.verify(&rule, &mut provers));
        tally.count(&asked, &claim, &verdict);
        view.rule(&asked, &claim, &verdict, &provers.names())?;
        // After each rule: a proof can take minutes.
        if !args.dry {
            verifier.keep(&rule, verdict)?;
        }
    }
    view.end(&tally)?;
    let wrong = tally.refuted + tally.unreadable > 0 || tally.unproved && !args.no_solvers;
    Ok(if wrong { Exit::No } else { Exit::Fine })
}

/// The sorts at which rules are verified.
fn coverage(args: &Args) -> Result<Coverage> {
    let mut coverage = Coverage::default();
    if args.width.contains(&0) {
        bail!("--width 0: a bit-vector has at least one bit");
    }
    if !args.width.is_empty() {
        coverage.widths.clone_from(&args.width);
        let pairs = args.width.iter().flat_map(|v| args.width.iter().map(|w| (*v, *w)));
        coverage.pairs = pairs.collect();
    }
    if !args.format.is_empty() {
        let format = |f: &String| {
            let (e, s) = f.split_once(':')?;
            Some((e.parse().ok()?, s.parse().ok()?))
        };
        let all: Option<Vec<(u32, u32)>> = args.format.iter().map(format).collect();
        coverage.formats = all.context("a format is EXPONENT:SIGNIFICAND, as 5:11")?;
        if let Some((e, s)) = coverage.formats.iter().find(|(e, s)| *e < 2 || *s < 2) {
            bail!("--format {e}:{s}: exponent and significand have at least two bits");
        }
    }
    if let Some(w) = args.width.iter().find(|w| **w > MOST_BITS) {
        bail!("--width {w}: rules are tried and proved up to {MOST_BITS} bits");
    }
    if coverage.bits() > MOST_BITS {
        bail!("--format: rules are tried and proved up to {MOST_BITS} bits");
    }
    Ok(coverage)
}

/// Who is asked: each has answered a trivial script. Of those at hand, one that does not answer is left out.
fn solvers(args: &Args, registry: &Registry) -> Result<Vec<Target>> {
    if args.no_solvers {
        return Ok(Vec::new());
    }
    if args.solvers.are_given() {
        return args.solvers.targets(registry);
    }
    let ready = |solver| match Target::ready(solver) {
        Ok(target) => Some(target),
        Err(why) => {
            voice::complain(&format!("{why}; it is not asked"));
            None
        }
    };
    let at_hand = resolving(registry, |r| r.at_hand_or_installed())?;
    Ok(at_hand.into_iter().filter_map(ready).collect())
}
