//! `smelt reduce` by a test of the user's: a command, two solvers that differ, one that is slower.

use std::path::{Path, PathBuf};

use anyhow::{Context, Error, Result, bail};
use smelt_campaign::reader;
use smelt_solver::{Limits, Registry};
use smelt_trial::Target;
use smelt_trial::shrink::{CommandTest, Compare, Effort, Generic, Progress, Slower, Test, generic};

use crate::args;
use crate::exit::Exit;
use crate::view::reduction::{self, Shown};

/// What must stay true.
#[derive(clap::Args)]
pub struct By {
    /// A text that the output of the command must contain.
    #[arg(long, value_name = "TEXT", requires = "command")]
    match_out: Option<String>,
    /// A text that the standard error of the command must contain.
    #[arg(long, value_name = "TEXT", requires = "command")]
    match_err: Option<String>,
    /// The exit code that the command must have; without it and without texts, that of the first run.
    #[arg(long, value_name = "CODE", requires = "command")]
    exit_code: Option<i32>,
    /// Another solver, which must go on answering otherwise than the one of --solver.
    #[arg(long, value_name = "SOLVER", conflicts_with_all = ["command", "slower_than"])]
    compare: Option<String>,
    /// Another solver, which must go on being faster than the one of --solver.
    #[arg(long, value_name = "SOLVER", conflicts_with = "command")]
    slower_than: Option<String>,
    /// How many times as fast it must be.
    #[arg(long, default_value_t = 10.0, requires = "slower_than")]
    factor: f64,
    /// A command that says by its end whether a script is of interest.
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

impl By {
    /// Whether there is such a test.
    pub fn is_given(&self) -> bool {
        !self.command.is_empty() || self.compare.is_some() || self.slower_than.is_some()
    }
}

/// Reduces a file by such a test.
pub fn run(
    args: &By,
    registry: &Registry,
    file: &Path,
    solvers: Vec<Target>,
    effort: &Effort<'_>,
    shown: &Shown<'_>,
) -> Result<Exit> {
    let text = reader::read(file, reader::MOST)
        .with_context(|| format!("cannot read {}", file.display()))?;
    let text = String::from_utf8(text)
        .map_err(|_| Error::msg(format!("{} is not UTF-8", file.display())))?;
    let name = file.display();
    if !args.command.is_empty() {
        let mut test = CommandTest {
            launcher: registry.launcher(),
            argv: args.command.clone(),
            folder: std::env::current_dir()?,
            cpu: effort.cpu,
            cancel: effort.cancel,
            exit: args.exit_code,
            out: args.match_out.clone(),
            err: args.match_err.clone(),
        };
        test.argv[0] = program(&test.argv[0])?;
        if args.exit_code.is_none() && args.match_out.is_none() && args.match_err.is_none() {
            let first = test.run(&text)?;
            let Some(exit) = first.exit else {
                bail!(
                    "{} does not end within {} s of CPU, or {} s by the clock, on {name} (--limit gives it more)",
                    args.command[0],
                    effort.cpu.as_secs_f64(),
                    Limits::wall_of(effort.cpu).as_secs_f64()
                );
            };
            test.exit = Some(smelt_trial::shrink::code(exit));
        }
        return reduce(&text, &test, file, effort, shown);
    }
    let [one] = &solvers[..] else { bail!("one solver is needed here (--solver)") };
    let other = args
        .compare
        .as_ref()
        .or(args.slower_than.as_ref())
        .into_iter()
        .cloned()
        .collect::<Vec<_>>();
    let other = args::solvers::one(registry, &other)?;
    if args.compare.is_some() {
        match Compare::new([one, &other], effort.cpu, effort.cancel, &text)? {
            Some(test) => reduce(&text, &test, file, effort, shown),
            None => bail!("{} and {} answer {name} alike", one.label, other.label),
        }
    } else {
        let test = Slower {
            slow: one,
            fast: &other,
            factor: args.factor,
            cpu: effort.cpu,
            cancel: effort.cancel,
        };
        reduce(&text, &test, file, effort, shown)
    }
}

/// A program by its name, or by a path that means the same from any folder.
fn program(name: &str) -> Result<String> {
    if !name.contains('/') {
        return Ok(name.to_owned());
    }
    let path: PathBuf = args::from_any_folder(name)?;
    Ok(path.to_string_lossy().into_owned())
}

fn reduce(
    text: &str,
    test: &dyn Test,
    file: &Path,
    effort: &Effort<'_>,
    shown: &Shown<'_>,
) -> Result<Exit> {
    let mut watch = reduction::Watch::new();
    let smaller = generic(text, test, effort, &mut |p: &Progress| watch.tell(p));
    watch.end();
    match smaller {
        Ok(smaller) => shown.text(&file.display().to_string(), text, &smaller),
        Err(Generic::DoesNotHold) => {
            bail!("the test does not hold of {} itself: there is nothing to keep", file.display())
        }
        Err(Generic::HoldsOfNothing) => {
            bail!("the test holds of an empty file, too: it tells nothing about {}", file.display())
        }
        Err(Generic::Run(e)) => Err(e.into()),
    }
}
