//! `smelt enumerate`: every small formula of a grammar, in order.

mod ci;
mod test;

use std::io::{BufWriter, Write};

use anyhow::{Result, bail};
use clap::ValueEnum;
use smelt_campaign::words::{Chosen, Enumeration};
use smelt_strategy::grammar::{lint, shipped};

use crate::args::{self, Jobs, Json, Limit, Out, Walls, time};
use crate::exit::Exit;
use crate::voice::complain;

/// Test solvers with every small formula of a grammar, in order, and say what holds of all of them.
///
/// GRAMMAR is a file, or the name of a grammar inside smelt (`--list`); docs/enumerate.md says how they are written. Exit codes: 0 nothing
/// new found, 10 findings, 2 an error, 4 a finding could not be written.
#[derive(clap::Args)]
#[command(mut_arg("limit", |a| a.default_value("0.25")))]
#[command(mut_arg("out", |a| a.default_value("smelt-enumerate")))]
pub struct Args {
    /// A grammar: a file, or the name of one inside smelt. With --ci there may be several.
    #[arg(required_unless_present_any = ["theory", "list", "resume", "ci"])]
    grammar: Vec<String>,
    /// Name the grammars inside smelt.
    #[arg(long)]
    list: bool,
    #[command(flatten)]
    words: args::Words,
    /// Print the grammar, and what is odd about it, and do nothing else.
    #[arg(long)]
    print_grammar: bool,
    /// Print the words instead of testing with them, one a line.
    #[arg(long)]
    print: bool,
    /// Print how many words each size has, up to --size, and do nothing else.
    #[arg(long, requires = "size")]
    count: bool,
    /// Print the place of a word and its size, and do nothing else. The word is one as --print writes it.
    #[arg(long, value_name = "WORD", conflicts_with_all = ["ci", "resume", "print", "count"])]
    index_of: Option<String>,
    /// For continuous integration: several grammars (those of the eight theories but fp, if none is given), -n words of each (51,000), with a
    /// report for machines (junit.xml) and for people (summary.md) in the folder.
    #[arg(long, conflicts_with_all = ["theory", "list", "print", "print_grammar", "count", "size", "from"])]
    ci: bool,
    /// Stop after this time: `90s`, `10m`, `1h30m`; with --ci, grammars share it.
    #[arg(long, value_parser = time::seconds)]
    time: Option<f64>,
    /// A solver to test; may be given several times. Without any: the newest of each kind on PATH or installed.
    #[arg(long, value_name = "SOLVER")]
    solver: Vec<String>,
    /// More configurations: `test` asks the solvers (the newest z3 and cvc5, if none is given), z3's new core, the solvers with options of their
    /// profiles, and cvc4, if it is on PATH.
    #[arg(long)]
    oracle: Option<Oracle>,
    /// Ask every solver, also what the same binary has answered in an earlier run.
    #[arg(long)]
    ask_again: bool,
    #[command(flatten)]
    limit: Limit,
    #[command(flatten)]
    walls: Walls,
    #[command(flatten)]
    random: args::Seed,
    #[command(flatten)]
    jobs: Jobs,
    #[command(flatten)]
    out: Out,
    /// Continue the last run in the folder; with --ci, that of each grammar.
    #[arg(long, conflicts_with_all = ["theory", "print", "print_grammar", "count"])]
    resume: bool,
    #[command(flatten)]
    json: Json,
}

/// Whom to compare.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Oracle {
    Test,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    if args.list {
        let mut out = std::io::stdout().lock();
        shipped::ALL.iter().try_for_each(|(name, _)| writeln!(out, "{name}"))?;
        return Ok(Exit::Fine);
    }
    if args.ci {
        return ci::run(&args);
    }
    if args.resume {
        if !args.grammar.is_empty() || !args.solver.is_empty() || args.oracle.is_some() {
            bail!(
                "--resume goes on with the grammar and the solvers of the run: none can be given"
            );
        }
        return test::run(&args);
    }
    if args.print || args.print_grammar || args.count || args.index_of.is_some() {
        return show(&args, &args.asked()?);
    }
    test::run(&args)
}

impl Args {
    /// The words that are asked for.
    fn asked(&self) -> Result<Enumeration> {
        if let [_, second, ..] = &self.grammar[..] {
            bail!("one grammar at a time, and {second} is a second one; --ci takes several");
        }
        self.words.of(self.grammar.first().map(String::as_str), self.random)
    }
}

/// Prints words, their numbers or places, or the grammar.
fn show(args: &Args, asked: &Enumeration) -> Result<Exit> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    let (grammar, mut words) = asked.enumerator()?;
    if args.print_grammar {
        write!(out, "{}", asked.text)?;
        out.flush()?;
        for warning in lint(&grammar, &mut words, 2_000) {
            complain(warning.render_warning(asked.text.as_bytes(), &asked.name).trim_end());
        }
    } else if args.count {
        let most = args.words.size.unwrap_or_default();
        words.reach_size(most);
        (0..=most).try_for_each(|size| writeln!(out, "{size}\t{}", words.count(size)))?;
    } else if let Some(word) = &args.index_of {
        let Some(place) = words.index_of(word.trim()) else {
            bail!("grammar {} has no such word (words are as --print writes them)", asked.name);
        };
        writeln!(out, "{}\tsize {}", place.index, place.size)?;
    } else {
        let chosen = Chosen::new(asked)?;
        for seq in 0..chosen.positions() {
            chosen.each(seq, &mut || {}, &mut |_, word| {
                writeln!(out, "{}", word.text()).map(|()| true)
            })?;
        }
    }
    out.flush()?;
    Ok(Exit::Fine)
}
