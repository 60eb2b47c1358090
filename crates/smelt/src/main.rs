//! The `smelt` command line. Each command is a module with `Args` and `run`.

mod args;
mod check_cmd;
mod check_solvers;
mod completions_cmd;
mod eval_cmd;
mod exit;
mod fuzz;
mod help;
mod janus_cmd;
mod man_cmd;
mod mutate_cmd;
mod params;
mod printable;
mod reduce_cmd;
mod replay_cmd;
mod rules_cmd;
mod solvers_cmd;
mod voice;

use std::process::ExitCode;

use clap::{FromArgMatches, Parser, Subcommand};
use exit::Exit;

/// Tests SMT solvers: makes scripts whose answer is known, runs solvers on them, and proves wrong answers wrong.
#[derive(Parser)]
#[command(name = "smelt", version, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// The commands; what they are for stands with their arguments, in which order they are shown in [`help`].
#[derive(Subcommand)]
enum Command {
    Check(check_cmd::Args),
    Completions(completions_cmd::Args),
    Eval(eval_cmd::Args),
    Fuzz(fuzz::Args),
    Janus(janus_cmd::Args),
    Man(man_cmd::Args),
    Mutate(mutate_cmd::Args),
    Reduce(reduce_cmd::Args),
    /// Re-run findings, on the accused solver or on others. Exit code 10 if one still holds.
    Replay(replay_cmd::Args),
    Rules(rules_cmd::Args),
    Solvers(solvers_cmd::Args),
}

fn main() -> ExitCode {
    // The hidden commands by which smelt is its own launcher and solver host come before everything else.
    if let Some(code) = smelt_solver::helper_main() {
        std::process::exit(code);
    }
    let matches = help::command().get_matches();
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|e| e.exit());
    let result = run(cli.command);
    smelt_campaign::proofs::take_remarks().iter().for_each(|r| complain(r));
    result.unwrap_or_else(|e| {
        complain(&format!("{e:#}"));
        Exit::Error.into()
    })
}

fn run(command: Command) -> anyhow::Result<ExitCode> {
    Ok(match command {
        Command::Check(args) => check_cmd::run(args)?.into(),
        Command::Eval(args) => eval_cmd::run(args)?.into(),
        Command::Fuzz(args) => fuzz::run(args)?.into(),
        Command::Janus(args) => janus_cmd::run(args)?.into(),
        Command::Completions(args) => completions_cmd::run(&args)?.into(),
        Command::Man(args) => man_cmd::run(&args)?.into(),
        Command::Replay(args) => replay_cmd::run(args)?.into(),
        Command::Mutate(args) => mutate_cmd::run(args)?.into(),
        Command::Reduce(args) => reduce_cmd::run(args)?.into(),
        Command::Rules(args) => rules_cmd::run(args)?.into(),
        Command::Solvers(args) => solvers_cmd::run(args)?.into(),
    })
}

#[expect(clippy::print_stderr, reason = "the one place where errors leave the program")]
fn complain(text: &str) {
    eprintln!("smelt: {}", printable::printable(text));
}
