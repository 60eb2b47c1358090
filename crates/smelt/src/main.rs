//! The `smelt` command line. Each command is a module with `Args` and `run`.

mod args;
mod cmd;
mod exit;
mod help;
mod interrupt;
mod printable;
mod project;
mod view;
mod voice;

use std::process::ExitCode;

use clap::{FromArgMatches, Parser, Subcommand};
use exit::Exit;
use voice::complain;

/// Tests SMT solvers: makes scripts whose answer is known, runs solvers on them, and proves wrong answers wrong.
#[derive(Parser)]
#[command(name = "smelt", version, propagate_version = true)]
struct Cli {
    #[command(flatten)]
    telling: args::Telling,
    #[command(flatten)]
    trust: args::Trust,
    #[command(subcommand)]
    command: Command,
}

/// The commands; what they are for stands with their arguments, in which order they are shown in [`help`].
#[derive(Subcommand)]
enum Command {
    Bisect(cmd::bisect::Args),
    Check(cmd::check::Args),
    Completions(cmd::completions::Args),
    Enumerate(cmd::enumerate::Args),
    Eval(cmd::eval::Args),
    Evolve(cmd::evolve::Args),
    Fuzz(cmd::fuzz::Args),
    Hub(cmd::hub::Args),
    Janus(cmd::janus::Args),
    Lab(cmd::lab::Args),
    Man(cmd::man::Args),
    Merge(cmd::merge::Args),
    Mutate(cmd::mutate::Args),
    Perf(cmd::perf::Args),
    Recheck(cmd::recheck::Args),
    Reduce(cmd::reduce::Args),
    Replay(cmd::replay::Args),
    Report(cmd::report::Args),
    Rules(cmd::rules::Args),
    Solvers(cmd::solvers::Args),
    Work(cmd::work::Args),
}

fn main() -> ExitCode {
    // The hidden commands by which smelt is its own launcher and solver host come before everything else.
    if let Some(code) = smelt_solver::helper_main() {
        std::process::exit(code);
    }
    let matches = help::command().get_matches();
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|e| e.exit());
    voice::set(cli.telling.level());
    project::trust(cli.trust.trust);
    let result = run(cli.command);
    smelt_campaign::proofs::take_remarks().iter().for_each(|r| complain(r));
    result.unwrap_or_else(|e| {
        if is_unheard(&e) {
            return Exit::Fine.into();
        }
        complain(&format!("{e:#}"));
        Exit::Error.into()
    })
}

fn run(command: Command) -> anyhow::Result<ExitCode> {
    Ok(match command {
        Command::Bisect(args) => cmd::bisect::run(args)?.into(),
        Command::Check(args) => cmd::check::run(args)?.into(),
        Command::Enumerate(args) => cmd::enumerate::run(args)?.into(),
        Command::Eval(args) => cmd::eval::run(args)?.into(),
        Command::Evolve(args) => cmd::evolve::run(args)?.into(),
        Command::Fuzz(args) => cmd::fuzz::run(args)?.into(),
        Command::Hub(args) => cmd::hub::run(&args)?.into(),
        Command::Janus(args) => cmd::janus::run(args)?.into(),
        Command::Lab(args) => cmd::lab::run(args)?.into(),
        Command::Completions(args) => cmd::completions::run(&args)?.into(),
        Command::Man(args) => cmd::man::run(&args)?.into(),
        Command::Merge(args) => cmd::merge::run(&args)?.into(),
        Command::Replay(args) => cmd::replay::run(args)?.into(),
        Command::Mutate(args) => cmd::mutate::run(args)?.into(),
        Command::Perf(args) => cmd::perf::run(args)?.into(),
        Command::Recheck(args) => cmd::recheck::run(args)?.into(),
        Command::Reduce(args) => cmd::reduce::run(args)?.into(),
        Command::Report(args) => cmd::report::run(args)?.into(),
        Command::Rules(args) => cmd::rules::run(args)?.into(),
        Command::Solvers(args) => cmd::solvers::run(args)?.into(),
        Command::Work(args) => cmd::work::run(&args)?.into(),
    })
}

/// Whether nobody reads standard output any more, as behind `| head -1`: no error, and the end.
fn is_unheard(error: &anyhow::Error) -> bool {
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
    use std::os::fd::AsFd;
    let broken = |e: &std::io::Error| e.kind() == std::io::ErrorKind::BrokenPipe;
    if !error.chain().filter_map(|e| e.downcast_ref()).any(broken) {
        return false;
    }
    let stdout = std::io::stdout();
    let mut asked = [PollFd::new(stdout.as_fd(), PollFlags::empty())];
    let said = poll(&mut asked, PollTimeout::ZERO).map(|_| asked[0].revents());
    said.is_ok_and(|events| events.is_some_and(|e| e.contains(PollFlags::POLLERR)))
}
