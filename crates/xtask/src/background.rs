//! `cargo xtask background`: what reduction beside the tests costs a campaign. The same campaign is run with `--reduce now` and with `--reduce
//! off`, in turns, for the same time each; what is compared is tests per second and per CPU second of smelt and its solvers.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result};
use serde_json::Value as Json;

use crate::judge::install::target_dir;
use crate::peer::cpu_of_children;

/// Which campaign, and how often.
#[derive(clap::Args)]
pub struct Options {
    /// The smelt that is run.
    #[arg(long, default_value = "target/release/smelt")]
    smelt: PathBuf,
    /// The solvers: some that are wrong now and then, so that there is something to reduce.
    #[arg(long, value_delimiter = ';', default_value = "z3@4.8.5;z3@4.8.7;cvc5@1.4.2")]
    solver: Vec<String>,
    /// Seconds of a campaign.
    #[arg(long, default_value_t = 120)]
    seconds: u64,
    /// How often each of the two is run, with another seed each time.
    #[arg(long, default_value_t = 4)]
    pairs: u64,
    /// Worker threads.
    #[arg(long, default_value_t = 2)]
    jobs: u32,
}

/// What a campaign did.
struct Run {
    tests: f64,
    wall: f64,
    cpu: f64,
    findings: usize,
}

/// Runs the comparison.
pub fn run(o: &Options) -> Result<()> {
    let work = target_dir().join("background");
    std::fs::create_dir_all(&work)?;
    let (mut by_wall, mut by_cpu) = (Vec::new(), Vec::new());
    for seed in 1..=o.pairs {
        // Who begins takes turns, too: a machine may get slower while this runs.
        let order = if seed % 2 == 1 { ["now", "off"] } else { ["off", "now"] };
        let first = campaign(o, &work, order[0], seed)?;
        let second = campaign(o, &work, order[1], seed)?;
        let (with, without) = if seed % 2 == 1 { (first, second) } else { (second, first) };
        by_wall.push((with.tests / with.wall) / (without.tests / without.wall));
        by_cpu.push((with.tests / with.cpu) / (without.tests / without.cpu));
    }
    for (what, ratios) in [("second", &mut by_wall), ("CPU second", &mut by_cpu)] {
        ratios.sort_by(f64::total_cmp);
        let mean = (ratios.iter().map(|r| r.ln()).sum::<f64>() / ratios.len() as f64).exp();
        let all: Vec<String> = ratios.iter().map(|r| format!("{r:.2}")).collect();
        println!("tests per {what}, with / without: {mean:.2} ({})", all.join(", "));
    }
    Ok(())
}

/// A campaign in a folder of its own, which is removed.
fn campaign(o: &Options, work: &Path, reduce: &str, seed: u64) -> Result<Run> {
    let out = work.join(format!("{reduce}-{seed}"));
    let _ = std::fs::remove_dir_all(&out);
    let mut command = Command::new(&o.smelt);
    command.args(["fuzz", "--json", "--reduce", reduce, "--seed", &seed.to_string()]);
    command.args(["--time", &format!("{}s", o.seconds), "--jobs", &o.jobs.to_string()]);
    for solver in &o.solver {
        command.args(["--solver", solver]);
    }
    command.arg("--out").arg(&out).stdin(Stdio::null());
    let (begun, before) = (Instant::now(), cpu_of_children()?);
    let said = command.output().with_context(|| o.smelt.display().to_string())?;
    let (wall, cpu) = (begun.elapsed().as_secs_f64(), cpu_of_children()? - before);
    let text = String::from_utf8_lossy(&said.stdout);
    let end: Option<Json> = text.lines().last().and_then(|l| serde_json::from_str(l).ok());
    let end = end.with_context(|| {
        format!("smelt printed no summary: {}", String::from_utf8_lossy(&said.stderr))
    })?;
    let tests = end["counts"]["total"]["tests"].as_f64().context("no count of tests")?;
    let findings = end["new_findings"].as_array().map_or(0, Vec::len);
    let run = Run { tests, wall, cpu, findings };
    println!(
        "--reduce {reduce:<3} --seed {seed}: {:>7} tests, {:>6.1} s, {:>6.1} s CPU, {} findings; {:.1} tests per second, {:.1} per CPU second",
        run.tests,
        run.wall,
        run.cpu,
        run.findings,
        run.tests / run.wall,
        run.tests / run.cpu
    );
    std::fs::remove_dir_all(&out)?;
    Ok(run)
}
