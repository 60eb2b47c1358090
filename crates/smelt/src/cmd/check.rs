//! `smelt check`: is this a script, and what is in it?

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use clap::ValueEnum;
use smelt_campaign::seeds::{self, Source};
use smelt_smtlib::op::Dialect;
use smelt_smtlib::userops::UserOps;
use smelt_smtlib::{
    Head, LogicChoice, Naming, ParseOptions, PrintOptions, Script, parse_with, print, print_sort,
    smallest_logic,
};

use super::check_solvers::Solvers;
use crate::args::{Json, Limit};
use crate::exit::Exit;
use crate::printable::{Printable, printable};

/// Run solvers on scripts and say who is wrong; without --solver, read scripts and check their sorts.
///
/// Without files: the seeds inside smelt. Models of solvers are judged by smelt's own evaluator.
/// Exit codes: 0 if all are well, 1 if a script is rejected, 2 if one cannot be read, 10 if a solver is accused.
#[derive(clap::Args)]
#[command(mut_arg("limit", |a| a.default_value("10").requires("solver")))]
#[command(mut_arg("json", |a| a.requires("solver")))]
pub struct Args {
    /// Scripts, or folders of scripts; without any, the seeds inside smelt.
    files: Vec<PathBuf>,
    /// Print each script again, as smelt writes it.
    #[arg(long)]
    print: bool,
    /// With --print: write the smallest standard logic that holds the content.
    #[arg(long, requires = "print")]
    smallest_logic: bool,
    /// With --print: the names of operators.
    #[arg(long, value_enum, default_value_t = Names::Standard, requires = "print")]
    names: Names,
    /// Print logic, sorts, operators, size and depth of each script.
    #[arg(long)]
    stats: bool,
    /// Dialects to understand.
    #[arg(long, value_enum, value_delimiter = ',', default_value = "standard,z3,cvc5,bitwuzla")]
    dialects: Vec<DialectArg>,
    /// Run this solver on each file and judge its model; may be given several times. `z3`, `z3@4.8.7`,
    /// `cvc5:--strings-exp`, a path with arguments, `name=command`.
    #[arg(long, value_name = "SOLVER", conflicts_with_all = ["print", "stats"])]
    solver: Vec<String>,
    #[command(flatten)]
    limit: Limit,
    /// With --solver: send scripts as they are, with commands and options that may write and read files. For scripts of your own.
    #[arg(long, requires = "solver")]
    trust_scripts: bool,
    #[command(flatten)]
    json: Json,
    /// A TOML file with further operators.
    #[arg(long, value_name = "FILE")]
    operators: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DialectArg {
    Standard,
    Z3,
    Cvc5,
    Bitwuzla,
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

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    let options = parse_options(&args)?;
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    if !args.solver.is_empty() {
        return with_solvers(&args, &options, &mut Printable(out));
    }
    let (mut ok, mut bad, mut unread) = (0u64, 0u64, 0u64);
    let mut one = |source: Result<Source>| -> Result<()> {
        *match source {
            Ok(s) if check(&s, &options, &args, &mut out)? => &mut ok,
            Ok(_) => &mut bad,
            Err(e) => {
                complain(&format!("smelt: {e:#}\n"));
                &mut unread
            }
        } += 1;
        Ok(())
    };
    if args.files.is_empty() {
        seeds::embedded().into_iter().try_for_each(|s| one(Ok(s)))?;
    } else {
        seeds::files(&args.files)?.iter().try_for_each(|f| one(seeds::read(f)))?;
    }
    if !args.print {
        let not_read = if unread > 0 { format!(", {unread} not read") } else { String::new() };
        writeln!(out, "{ok} ok, {bad} rejected{not_read}")?;
    }
    out.flush()?;
    Ok(match (bad, unread) {
        (0, 0) => Exit::Fine,
        (_, 0) => Exit::No,
        _ => Exit::Error,
    })
}

fn with_solvers(args: &Args, options: &ParseOptions, out: &mut impl Write) -> Result<Exit> {
    let solvers = Solvers::find(&args.solver, args.limit.cpu(), args.trust_scripts)?;
    let sources: Vec<Result<Source>> = if args.files.is_empty() {
        seeds::embedded().into_iter().map(Ok).collect()
    } else {
        seeds::files(&args.files)?.iter().map(|f| seeds::read(f)).collect()
    };
    let (mut accused, mut unread) = (false, false);
    for source in sources {
        match source {
            Ok(s) => accused |= solvers.check(&s, options, args.json.json, out)?.accused,
            Err(e) => {
                unread = true;
                complain(&format!("smelt: {e:#}\n"));
            }
        }
        out.flush()?;
    }
    Ok(match (accused, unread) {
        (true, _) => Exit::Found,
        (false, true) => Exit::Error,
        (false, false) => Exit::Fine,
    })
}

fn complain(text: &str) {
    // Nothing can be done if even this fails.
    let _ = std::io::stderr().write_all(text.as_bytes());
}

fn parse_options(args: &Args) -> Result<ParseOptions> {
    let mut options = ParseOptions { dialects: Vec::new(), ..ParseOptions::default() };
    for d in &args.dialects {
        match d {
            DialectArg::Standard => options.dialects.push(Dialect::Standard),
            DialectArg::Z3 => options.dialects.extend([Dialect::Z3, Dialect::Common]),
            DialectArg::Cvc5 => options.dialects.extend([Dialect::Cvc5, Dialect::Common]),
            DialectArg::Bitwuzla => options.dialects.push(Dialect::Bitwuzla),
        }
    }
    if let Some(file) = &args.operators {
        let text = std::fs::read_to_string(file)
            .with_context(|| format!("cannot read {}", file.display()))?;
        let ops = UserOps::from_toml(&text).map_err(|e| anyhow!("{}: {e}", file.display()))?;
        options.user_ops = Arc::new(ops);
    }
    Ok(options)
}

fn check(s: &Source, options: &ParseOptions, args: &Args, out: &mut impl Write) -> Result<bool> {
    let script = match parse_with(&s.text, options) {
        Ok(script) => script,
        Err(e) => {
            out.flush()?;
            complain(&e.render(&s.text, &s.name));
            return Ok(false);
        }
    };
    if args.print {
        let logic = if args.smallest_logic { LogicChoice::Smallest } else { LogicChoice::Keep };
        let naming = match args.names {
            Names::Standard => Naming::Standard,
            Names::V26 => Naming::V26,
            Names::Z3 => Naming::Z3,
            Names::Z3V26 => Naming::Z3V26,
            Names::Z3Old => Naming::Z3Old,
            Names::Cvc4 => Naming::Cvc4,
        };
        let text = print(&script, &PrintOptions { naming, logic, ..PrintOptions::default() });
        out.write_all(text.as_bytes())?;
    } else {
        writeln!(out, "ok {}", printable(&s.name))?;
    }
    if args.stats {
        stats(&script, s.text.len(), out)?;
    }
    Ok(true)
}

fn stats(script: &Script, bytes: usize, out: &mut impl Write) -> Result<()> {
    let a = &script.arena;
    let roots = script.roots();
    let dag = a.dag(&roots);
    let mut ops: BTreeMap<&str, u64> = BTreeMap::new();
    let mut sorts: BTreeMap<String, u64> = BTreeMap::new();
    for &t in &dag {
        let name = match a.head(t) {
            Head::Op(op, _) => op.info().name,
            Head::Bind(b, _) => b.name(),
            Head::Match(_) => "match",
            _ => "",
        };
        if !name.is_empty() {
            *ops.entry(name).or_default() += 1;
        }
        *sorts.entry(print_sort(a, a.sort(t))).or_default() += 1;
    }
    let tree = roots.iter().fold(0u64, |n, &t| n.saturating_add(a.tree_size(t)));
    let depth = roots.iter().map(|&t| a.depth(t)).max().unwrap_or(0);
    let list = |m: Vec<(String, u64)>| {
        m.iter().map(|(k, n)| format!("{k} {n}")).collect::<Vec<_>>().join(", ")
    };
    let declared = script.logic().unwrap_or("none");
    writeln!(out, "  logic    {declared} declared, {} smallest", smallest_logic(script))?;
    writeln!(
        out,
        "  size     {bytes} bytes, {} commands, {} checks, {} terms, {tree} as a tree, depth {depth}",
        script.commands.len(),
        script.queries().len(),
        dag.len(),
    )?;
    writeln!(out, "  sorts    {}", list(sorts.into_iter().collect()))?;
    let ops = ops.into_iter().map(|(k, n)| (k.to_owned(), n)).collect();
    writeln!(out, "  operators {}", list(ops))?;
    Ok(())
}
