//! The `smelt` command line. Each command is a module with `Args` and `run`.

mod check_cmd;
mod check_solvers;
mod eval_cmd;
mod fuzz;
mod janus_cmd;
mod mutate_cmd;
mod params;
mod printable;
mod reduce_cmd;
mod replay_cmd;
mod rules_cmd;
mod solvers_cmd;
mod voice;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Tests SMT solvers: makes scripts whose answer is known, runs solvers on them, and proves wrong answers wrong.
#[derive(Parser)]
#[command(name = "smelt", version, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Parse and sort-check scripts (the embedded seeds if no file is given); with --solver, run solvers on them and judge
    /// their models.
    Check(check_cmd::Args),
    /// Evaluate the assertions of a script under a model, without asking any solver.
    Eval(eval_cmd::Args),
    /// Fuzz solvers: the main job. Runs until it is stopped or its budget is used up, and leaves a folder of confirmed
    /// findings. Exit codes: 0 nothing new found, 10 findings, 2 an error, 3 a finding could not be written.
    Fuzz(fuzz::Args),
    /// Find unknowns that should not be: chains of weaker or stronger scripts, given to releases of one solver.
    Janus(janus_cmd::Args),
    /// Re-run findings, on the accused solver or on others. Exit code 10 if one still holds.
    Replay(replay_cmd::Args),
    /// Print mutants of a script, as a strategy makes them.
    Mutate(mutate_cmd::Args),
    /// Make a script smaller while a solver is still wrong on it.
    Reduce(reduce_cmd::Args),
    /// List, show and verify the rules that strategies use.
    Rules(rules_cmd::Args),
    /// List, install, remove and examine solvers.
    Solvers(solvers_cmd::Args),
}

fn main() -> ExitCode {
    // The hidden commands by which smelt is its own launcher and solver host come before everything else.
    if let Some(code) = smelt_solver::helper_main() {
        std::process::exit(code);
    }
    let result = match Cli::parse().command {
        Command::Check(args) => check_cmd::run(args),
        Command::Eval(args) => eval_cmd::run(args),
        Command::Fuzz(args) => fuzz::run(args),
        Command::Janus(args) => janus_cmd::run(args),
        Command::Replay(args) => replay_cmd::run(args),
        Command::Mutate(args) => mutate_cmd::run(args),
        Command::Reduce(args) => reduce_cmd::run(args),
        Command::Rules(args) => rules_cmd::run(args),
        Command::Solvers(args) => solvers_cmd::run(args),
    };
    smelt_campaign::proofs::take_remarks().iter().for_each(|r| complain(r));
    result.unwrap_or_else(|e| {
        complain(&format!("{e:#}"));
        ExitCode::from(2)
    })
}

#[expect(clippy::print_stderr, reason = "the one place where errors leave the program")]
fn complain(text: &str) {
    eprintln!("smelt: {}", printable::printable(text));
}
