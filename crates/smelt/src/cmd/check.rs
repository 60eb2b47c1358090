//! `smelt check`: is this a script, what is in it, and what do solvers say of it?

mod judge;

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use clap::ValueEnum;
use smelt_campaign::seeds::Source;
use smelt_smtlib::userops::UserOps;
use smelt_smtlib::{LogicChoice, Naming, ParseOptions, PrintOptions, Script, print, totalise};

use crate::args::{Dialect, Jobs, Json, Limit, Out, Seeds, Solvers, Walls};
use crate::exit::Exit;
use crate::printable::in_one_line;
use crate::view;
use crate::voice;

/// Run solvers on scripts and say who is wrong; without --solver, read scripts and check their sorts.
///
/// Models of solvers are judged by smelt's own evaluator. Of several scripts, or a folder, the totals of each solver are shown, who is
/// slower than whom, and what only one decides; lines of single scripts only where something is wrong, or with --verbose.
/// Exit codes: 0 if all are well, 1 if a script is rejected (or cannot be totalised), 2 if one cannot be read, 10 if a solver is
/// accused.
#[derive(clap::Args)]
#[command(mut_arg("solver", |a| a.conflicts_with_all(["print", "totalise", "stats"])))]
#[command(mut_arg("limit", |a| a.default_value("10").requires("solver")))]
#[command(mut_arg("json", |a| a.requires("solver")))]
#[command(mut_arg("jobs", |a| a.requires("solver")))]
#[command(mut_arg("out", |a| a.requires("solver").help("Keep all runs in this folder: the same command goes on there after Ctrl-C or kill -9, \
    and further solvers cost their own runs only. Tables are written to it, too")))]
#[command(mut_arg("sandbox", |a| a.requires("solver")))]
pub struct Args {
    #[command(flatten)]
    seeds: Seeds,
    /// Print each script again, as smelt writes it.
    #[arg(long)]
    print: bool,
    /// With --print: write the smallest standard logic that holds the content.
    #[arg(long, requires = "print")]
    smallest_logic: bool,
    /// With --print: the names of operators.
    #[arg(long, value_enum, default_value_t = Names::Standard, requires = "print")]
    names: Names,
    /// Print each script with names for what the standard leaves open: `(/ x y)` becomes `(ite (= y 0.0) (open.divide x) (/ x y))`.
    /// It is satisfiable exactly if the script is so for some choice of the open values.
    #[arg(long)]
    totalise: bool,
    /// Print logic, sorts, operators, size and depth of each script.
    #[arg(long)]
    stats: bool,
    /// Dialects to understand.
    #[arg(long, value_enum, value_delimiter = ',', default_value = "standard,z3,cvc5,bitwuzla")]
    dialects: Vec<Dialect>,
    #[command(flatten)]
    solvers: Solvers,
    #[command(flatten)]
    limit: Limit,
    /// Send scripts as they are, with commands and options that may write and read files. For scripts of your own. Files in them are
    /// named by absolute paths: solvers run in an empty folder.
    #[arg(long, requires = "solver")]
    trust_scripts: bool,
    #[command(flatten)]
    jobs: Jobs,
    #[command(flatten)]
    out: Out,
    #[command(flatten)]
    walls: Walls,
    #[command(flatten)]
    json: Json,
    /// For spreadsheets: a line per script and solver instead of text.
    #[arg(long, requires = "solver", conflicts_with = "json")]
    csv: bool,
    /// A TOML file with further operators.
    #[arg(long, value_name = "FILE")]
    operators: Option<PathBuf>,
}

/// Names of operators in printed scripts.
#[derive(Clone, Copy, ValueEnum)]
enum Names {
    /// SMT-LIB 2.7.
    Standard,
    /// SMT-LIB 2.6 (`bv2nat`, `int2bv`).
    V26,
    /// z3 (`(_ is (c (Int) (List Int)))` where there are several `c`).
    Z3,
    /// z3 before 4.15 (so, with the names of SMT-LIB 2.6).
    Z3V26,
    /// z3 up to 4.8.8 (so, with `str.in.re`, `int.to.str`).
    Z3Old,
    /// cvc4 (`member`, `union`).
    Cvc4,
}

impl Names {
    fn naming(self) -> Naming {
        match self {
            Self::Standard => Naming::Standard,
            Self::V26 => Naming::V26,
            Self::Z3 => Naming::Z3,
            Self::Z3V26 => Naming::Z3V26,
            Self::Z3Old => Naming::Z3Old,
            Self::Cvc4 => Naming::Cvc4,
        }
    }
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    let options = parse_options(&args)?;
    if args.solvers.are_given() { judge::run(&args, &options) } else { read(&args, &options) }
}

/// Goes through the scripts; how many of them cannot be read.
fn each(args: &Args, mut work: impl FnMut(Source) -> Result<()>) -> Result<u64> {
    let mut unread = 0;
    for source in args.seeds.sources()? {
        match source {
            Ok(source) => work(source)?,
            Err(e) => {
                unread += 1;
                voice::complain(&in_one_line(&format!("{e:#}")));
            }
        }
    }
    Ok(unread)
}

/// Reads the scripts, and shows them.
fn read(args: &Args, options: &ParseOptions) -> Result<Exit> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let (mut ok, mut bad) = (0u64, 0u64);
    let logic = if args.smallest_logic { LogicChoice::Smallest } else { LogicChoice::Keep };
    let printing = PrintOptions { naming: args.names.naming(), logic, ..PrintOptions::default() };
    let silent = args.print || args.totalise;
    let unread = each(args, |source| {
        let total = |s: Script| match args.totalise {
            false => Ok(s),
            true => totalise(&s)
                .map(|t| t.script)
                .map_err(|why| format!("{}: it cannot be totalised: {why}", source.name)),
        };
        let script = match source.script(options).map_err(|e| e.to_string()).and_then(total) {
            Ok(script) => script,
            Err(e) => {
                bad += 1;
                out.flush()?;
                voice::show(&e);
                return Ok(());
            }
        };
        ok += 1;
        if silent {
            out.write_all(print(&script, &printing).as_bytes())?;
        } else if !voice::is_quiet() || args.stats {
            writeln!(out, "ok {}", in_one_line(&source.name))?;
        }
        if args.stats {
            view::content::show(&script, source.text.len(), &mut out)?;
        }
        Ok(())
    })?;
    let not_read = if unread > 0 { format!(", {unread} not read") } else { String::new() };
    if !silent {
        writeln!(out, "{ok} ok, {bad} rejected{not_read}")?;
    }
    out.flush()?;
    Ok(match (bad, unread) {
        (0, 0) => Exit::Fine,
        (_, 0) => Exit::No,
        _ => Exit::Error,
    })
}

fn parse_options(args: &Args) -> Result<ParseOptions> {
    let dialects = args.dialects.iter().flat_map(|d| d.meant()).copied().collect();
    let mut options = ParseOptions { dialects, ..ParseOptions::default() };
    if let Some(file) = &args.operators {
        let text = std::fs::read_to_string(file)
            .with_context(|| format!("cannot read {}", file.display()))?;
        let ops = UserOps::from_toml(&text).map_err(|e| anyhow!("{}: {e}", file.display()))?;
        options.user_ops = Arc::new(ops);
    }
    Ok(options)
}
