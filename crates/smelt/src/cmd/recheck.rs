//! `smelt recheck`: does smelt still stand by its findings, and which of them does another build show?

mod build;

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, bail};
use smelt_campaign::recheck::{self, Judged};
use smelt_campaign::shelf;

use crate::args::{Jobs, Limit, Solvers, Walls};
use crate::exit::Exit;
use crate::printable::{Printable, in_one_line};

/// Judge kept findings again, after smelt has changed; or run them on another build of the solver.
///
/// With --judge, what a finding rests on is evaluated anew, from the files in its folder: models, witnesses, small domains. No solver is run.
/// A finding that no longer stands is marked as withdrawn, with the reason; nothing is deleted. Exit codes: 0 if all stand, 1 if one does
/// not, 2 if one cannot be read or written.
///
/// With --solver, all triggers are run on that build: which bugs are gone, which remain, and where another fault shows. Exit codes: 0 if all
/// are gone, 10 if one remains or is new, 3 if nobody can tell of one.
#[derive(clap::Args)]
#[command(mut_arg("limit", |a| a.default_value("10")))]
#[command(group(clap::ArgGroup::new("mode").required(true).args(["judge", "solver"])))]
pub struct Args {
    /// Folders of findings, of several findings, or of campaigns.
    #[arg(required = true)]
    folders: Vec<PathBuf>,
    /// Judge again what solvers said, without running them.
    #[arg(long)]
    judge: bool,
    #[command(flatten)]
    solvers: Solvers,
    /// Also write what became of each trigger as JUnit's XML, for CI.
    #[arg(long, value_name = "FILE", requires = "solver")]
    junit: Option<PathBuf>,
    #[command(flatten)]
    limit: Limit,
    #[command(flatten)]
    walls: Walls,
    #[command(flatten)]
    jobs: Jobs,
    /// For machines: JSON instead of text, one object per line.
    #[arg(long)]
    json: bool,
}

/// What is said of a verdict, in a word, and why.
fn words(judged: &Judged) -> (&'static str, &str) {
    match judged {
        Judged::Stands(why) => ("stands", why),
        Judged::Falls(why) => ("falls", why),
        Judged::Open(why) => ("open", why),
    }
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    if args.solvers.are_given() {
        return build::run(&args);
    }
    let mut out = Printable(std::io::stdout().lock());
    let mut all = Vec::new();
    for folder in &args.folders {
        all.extend(shelf::folders(folder)?);
    }
    if all.is_empty() {
        bail!("there is no finding in {}", args.folders[0].display());
    }
    let (mut withdrawn, mut failed) = (0, 0);
    for path in &all {
        // One that cannot be read does not keep the others from it.
        let done = match recheck::recheck(path) {
            Ok(done) => done,
            Err(e) => {
                failed += 1;
                let why = in_one_line(&format!("{}: cannot be judged: {e:#}", path.display()));
                writeln!(out, "{why}")?;
                continue;
            }
        };
        withdrawn += usize::from(done.finding.withdrawn().is_some());
        if args.json {
            let said = done.said.iter().map(|(class, judged)| {
                let (says, why) = words(judged);
                serde_json::json!({ "class": class.word(), "says": says, "why": why })
            });
            let line = serde_json::json!({
                "kind": "recheck",
                "id": done.finding.id,
                "withdrawn": done.finding.withdrawn(),
                "verdicts": said.collect::<Vec<_>>(),
            });
            writeln!(out, "{line}")?;
            continue;
        }
        let word = if done.finding.withdrawn().is_some() { "withdrawn" } else { "stands" };
        writeln!(out, "{}: {word}", in_one_line(&done.finding.id))?;
        for (class, judged) in &done.said {
            let (says, why) = words(judged);
            writeln!(out, "  {class}: {says}: {}", in_one_line(why))?;
        }
    }
    if !args.json {
        writeln!(out, "{} judged again, {withdrawn} withdrawn", all.len() - failed)?;
    }
    if failed > 0 {
        bail!("{failed} of {} findings could not be judged", all.len());
    }
    Ok(if withdrawn > 0 { Exit::No } else { Exit::Fine })
}
