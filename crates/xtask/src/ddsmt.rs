//! `cargo xtask ddsmt`: smelt's reducer beside ddSMT 2 on known bugs of released solvers, one process at a time.
//!
//! Part one gives both the same command: it runs the solvers and says by its end whether the fault is there, and counts how often it is run.
//! Part two lets smelt look for the fault itself. Each run of a tool on a trigger is a line of a journal: a run that was broken
//! off goes on where it was, and `--only` does a trigger anew.

mod journal;
mod native;
mod pad;
mod predicate;
mod triggers;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use smelt_solver::{Home, releases};

use self::journal::{Journal, Row};
use self::triggers::{TRIGGERS, Trigger, Wrong};
use crate::judge::install::{packages, target_dir};
use crate::peer::cpu_of_children;

/// What is run.
#[derive(clap::Args)]
pub struct Options {
    /// The folder of known bugs.
    bugs: PathBuf,
    /// The smelt that is run.
    #[arg(long, default_value = "target/release/smelt")]
    smelt: PathBuf,
    /// Seconds that each tool has for a trigger.
    #[arg(long, default_value_t = 300)]
    cap: u64,
    /// Only these triggers, anew.
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Only these tools: ddsmt, smelt (the same command), native.
    #[arg(long, value_delimiter = ',', default_value = "ddsmt,smelt,native")]
    tools: Vec<String>,
    /// Runs nothing: the table of what the journal has.
    #[arg(long)]
    table: bool,
}

/// A tool on one trigger.
struct Run<'a> {
    trigger: &'a Trigger,
    /// The script that is reduced.
    file: &'a Path,
    /// The command that says whether the fault is there.
    predicate: &'a Path,
    /// It writes a character to this file each time.
    calls: &'a Path,
    work: &'a Path,
}

/// Runs the comparison.
pub fn run(o: &Options) -> Result<()> {
    let work = target_dir().join("ddsmt");
    std::fs::create_dir_all(&work)?;
    let mut journal = Journal::open(&work.join("journal.jsonl"))?;
    if !o.table {
        let ddsmt = packages("ddsmt-environment", &["ddsmt==2.0.6"])?.join("ddsmt");
        for trigger in TRIGGERS {
            if !o.only.is_empty() && !o.only.iter().any(|id| id == trigger.name) {
                continue;
            }
            one(o, &ddsmt, trigger, &work, &mut journal)?;
        }
    }
    journal.print();
    Ok(())
}

/// All tools on one trigger, but for those of which the journal has a line.
fn one(
    o: &Options,
    ddsmt: &Path,
    trigger: &Trigger,
    work: &Path,
    journal: &mut Journal,
) -> Result<()> {
    let folder = work.join(trigger.name);
    std::fs::create_dir_all(&folder)?;
    let Some((bad, good)) = programs(o, trigger)? else {
        println!("{}: skipped, {} is not on PATH", trigger.name, trigger.bad);
        return Ok(());
    };
    let file = folder.join("trigger.smt2");
    let source = o.bugs.join(format!("{}.smt2", trigger.id));
    let text = std::fs::read_to_string(&source).with_context(|| source.display().to_string())?;
    let (predicate, calls) = (folder.join("interesting.sh"), folder.join("calls"));
    predicate::write(&predicate, &calls, trigger, &bad, &good)?;
    match trigger.among {
        None => std::fs::write(&file, pad::padded(&text, trigger.pad)?)?,
        // It takes a while: once.
        Some(_) if file.exists() => {}
        Some((logic, bytes)) => {
            let seeds = o.bugs.join("../seeds").join(logic).join("sat");
            let candidate = folder.join("candidate.smt2");
            let shows = |text: &str| {
                std::fs::write(&candidate, text)?;
                predicate::holds(&predicate, &candidate)
            };
            std::fs::write(&file, pad::among(&text, (logic, &seeds), bytes, &shows)?)?;
        }
    }
    let run = Run { trigger, file: &file, predicate: &predicate, calls: &calls, work: &folder };
    if !predicate::holds(&predicate, &file)? {
        bail!("{}: the fault does not show in {}", trigger.name, file.display());
    }
    for tool in &o.tools {
        if o.only.is_empty() && journal.has(trigger.name, tool) {
            continue;
        }
        let row = match tool.as_str() {
            "ddsmt" => {
                measured(o, &run, tool, ddsmt_command(ddsmt, &run), &folder.join("ddsmt.smt2"))?
            }
            "smelt" => {
                measured(o, &run, tool, smelt_command(o, &run), &folder.join("smelt/reduced.smt2"))?
            }
            "native" => {
                let command = native::command(o, &run);
                measured(o, &run, tool, command, &folder.join("native/reduced.smt2"))?
            }
            other => bail!("{other} is no tool: ddsmt, smelt, native"),
        };
        println!("{}", row.line());
        journal.add(row)?;
    }
    Ok(())
}

/// The program that is wrong and the one that is right; `None` if the former is neither a release nor on PATH.
fn programs(o: &Options, trigger: &Trigger) -> Result<Option<(PathBuf, PathBuf)>> {
    let good = release(o, "z3@5.4.0")?;
    if trigger.bad.contains('@') {
        return Ok(Some((release(o, trigger.bad)?, good)));
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|p| p.join(trigger.bad)).find(|p| p.is_file());
    Ok(found.map(|bad| (bad, good)))
}

/// The program of a release, which is installed if need be.
fn release(o: &Options, spec: &str) -> Result<PathBuf> {
    let (name, version) = spec.split_once('@').context("a release has a version")?;
    let home = Home::of_user().context("there is no home folder")?;
    if releases::find(&home, name, version).is_none() {
        Command::new(&o.smelt).args(["solvers", "install", spec]).status()?;
    }
    let found = releases::find(&home, name, version);
    let found = found.with_context(|| format!("{spec} cannot be installed"))?;
    Ok(found.folder.join("bin").join(name))
}

fn ddsmt_command(ddsmt: &Path, run: &Run<'_>) -> Command {
    let mut command = Command::new(ddsmt);
    // The command has limits of its own; what ddSMT would wait for by itself depends on the load of the machine.
    command.args(["-q", "-j", "1", "--timeout", "20"]);
    command.arg(run.file).arg(run.work.join("ddsmt.smt2")).arg(run.predicate);
    command
}

fn smelt_command(o: &Options, run: &Run<'_>) -> Command {
    let mut command = Command::new(&o.smelt);
    command.args(["reduce", "-q", "--jobs", "1", "--limit", "20"]);
    command.args(["--time", &format!("{}s", o.cap)]);
    command.arg("--out").arg(run.work.join("smelt")).arg(run.file).arg("--").arg(run.predicate);
    command
}

/// Runs a tool under the cap, and says what it took and what it left.
fn measured(
    o: &Options,
    run: &Run<'_>,
    tool: &str,
    mut command: Command,
    result: &Path,
) -> Result<Row> {
    let _ = std::fs::remove_file(result);
    std::fs::write(run.calls, "")?;
    let log = std::fs::File::create(run.work.join(format!("{tool}.log")))?;
    command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
    let (before, begun) = (cpu_of_children()?, Instant::now());
    let mut child = command.spawn().with_context(|| format!("{:?}", command.get_program()))?;
    // smelt ends by itself a little later, with what it has.
    let grace = if tool == "ddsmt" { 0 } else { 30 };
    let end = begun + Duration::from_secs(o.cap + grace);
    let mut killed = false;
    while child.try_wait()?.is_none() {
        if Instant::now() >= end {
            killed = true;
            let _ = nix::sys::signal::kill(
                nix::unistd::Pid::from_raw(child.id() as i32),
                nix::sys::signal::Signal::SIGINT,
            );
            std::thread::sleep(Duration::from_secs(2));
            let _ = child.kill();
            child.wait()?;
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let (wall, cpu) = (begun.elapsed().as_secs_f64(), cpu_of_children()? - before);
    // Who makes nothing of it writes nothing.
    let found = result.is_file();
    let text = std::fs::read_to_string(result).or_else(|_| std::fs::read_to_string(run.file))?;
    let script = without_remarks(&text);
    let last = run.work.join(format!("{tool}.result.smt2"));
    std::fs::write(&last, &script)?;
    let calls = std::fs::metadata(run.calls)?.len();
    let holds = predicate::holds(run.predicate, &last)?;
    Ok(Row {
        trigger: run.trigger.name.to_owned(),
        class: run.trigger.wrong.word().to_owned(),
        theory: run.trigger.theory.to_owned(),
        tool: tool.to_owned(),
        from: std::fs::read_to_string(run.file)?.len(),
        bytes: script.trim().len(),
        calls,
        cpu,
        wall,
        capped: killed || wall >= o.cap as f64,
        holds,
        found,
    })
}

/// A result without the comments in which smelt says what proves the fault.
fn without_remarks(text: &str) -> String {
    let lines = text.lines().filter(|l| !l.starts_with(';'));
    lines.collect::<Vec<_>>().join("\n")
}
