//! yinyang's tools: run until the time is over. A tool that dies is started again on the seeds that it had not begun.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::{Options, Rate, cpu_of_children, smt2_files};

/// Runs a tool. What it did until it died counts, and so does the time that it took.
pub fn run(bin: &Path, tool: &str, o: &Options, work: &Path) -> Result<Rate> {
    let dir = work.join(format!("yinyang-{tool}"));
    std::fs::create_dir_all(&dir)?;
    let driver = dir.join("driver.py");
    std::fs::write(&driver, include_str!("yinyang.py"))?;
    let mut seeds = smt2_files(&work.join("seeds"), 0)?;
    let before = cpu_of_children()?;
    let begun = Instant::now();
    let time = Duration::from_secs(o.seconds);
    let mut rate = Rate { tests: 0.0, cpu: 0.0, wall: 0.0, bugs: 0, deaths: 0 };
    while !seeds.is_empty() {
        let left = time.saturating_sub(begun.elapsed()).as_secs_f64();
        if left < 1.0 {
            break;
        }
        let text = once(bin, tool, o, &dir, &driver, &seeds, left)?;
        let (calls, bugs) =
            counts(&text).with_context(|| format!("yinyang printed no count:\n{text}"))?;
        rate.tests += calls / 2.0;
        rate.bugs += bugs;
        let Some(why) = death(&text) else { break };
        rate.deaths += 1;
        let had = seeds.len();
        let begun_with = processed(&dir)?;
        seeds.retain(|s| !begun_with.contains(&s.display().to_string()));
        println!("{tool:<9} yinyang  died after {:.0} tests: {why}", calls / 2.0);
        // Without this a tool that dies before its first seed would be started for ever.
        if seeds.len() == had {
            break;
        }
    }
    rate.wall = begun.elapsed().as_secs_f64();
    rate.cpu = cpu_of_children()? - before;
    Ok(rate)
}

fn once(
    bin: &Path,
    tool: &str,
    o: &Options,
    dir: &Path,
    driver: &Path,
    seeds: &[PathBuf],
    seconds: f64,
) -> Result<String> {
    let solvers =
        format!("{} model_validate=true;{} --check-models --strings-exp --lang smt2", o.z3, o.cvc5);
    let out = Command::new("timeout")
        .args(["-s", "INT", "-k", "10", &format!("{seconds:.1}")])
        .arg(bin.join("python"))
        .arg(driver)
        .arg(bin.join(tool))
        .args(["-i", "30", &solvers])
        .args(seeds)
        .current_dir(dir)
        .env("PYTHONHASHSEED", "1")
        .stdin(Stdio::null())
        .output()
        .context("yinyang")?;
    Ok(String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr))
}

/// The solver calls and bug triggers that the driver prints at the end.
fn counts(text: &str) -> Option<(f64, u64)> {
    let line = text.lines().rev().find_map(|l| l.strip_prefix("peer: calls "))?;
    let (calls, bugs) = line.split_once(" bugs ")?;
    Some((calls.parse().ok()?, bugs.trim().parse().ok()?))
}

/// What it died of: the message that the tool prints for its own errors, or the last line of a traceback (unless that was the
/// interrupt at the end of the time).
fn death(text: &str) -> Option<&str> {
    let mut lines = text.lines().skip_while(|l| !l.starts_with("Runtime error at "));
    if let Some(place) = lines.next() {
        return Some(lines.next().and_then(|l| l.strip_prefix("msg: ")).unwrap_or(place));
    }
    let (_, trace) = text.rsplit_once("Traceback (most recent call last)")?;
    let error = |l: &&str| {
        let kind = l.split([':', ' ']).next().unwrap_or("");
        kind.ends_with("Error") || kind.ends_with("Exception") || kind == "KeyboardInterrupt"
    };
    let last = trace.lines().find(error)?;
    (!last.starts_with("KeyboardInterrupt")).then_some(last)
}

/// The seeds that its logs name.
fn processed(dir: &Path) -> Result<Vec<String>> {
    let mut out = Vec::new();
    let logs = dir.join("logs");
    for e in std::fs::read_dir(&logs).with_context(|| logs.display().to_string())? {
        let text = std::fs::read(e?.path())?;
        let text = String::from_utf8_lossy(&text).into_owned();
        let names = text.lines().filter_map(|l| l.split_once("Processing seed "));
        out.extend(names.map(|(_, name)| name.trim().to_owned()));
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed() {
        let died = "[..] Strategy: typefuzz\n\npeer: calls 7 bugs 1\nTraceback (most recent call last):\n  File \"x.py\", line 1\n    f()\nAttributeError: no 'type'\n";
        assert_eq!(counts(died), Some((7.0, 1)));
        assert_eq!(death(died), Some("AttributeError: no 'type'"));
        let ended = "Traceback (most recent call last):\n  File \"x.py\"\nKeyboardInterrupt\npeer: calls 12 bugs 0\n";
        assert_eq!((counts(ended), death(ended)), (Some((12.0, 0)), None));
        assert_eq!(death("peer: calls 12 bugs 0\n"), None);
        let own = "Runtime error at yinyang/src/parsing/Typechecker.py:914\nmsg: argument of type 'Term' is not iterable\ncmd: typefuzz\n";
        assert_eq!(death(own), Some("argument of type 'Term' is not iterable"));
        assert_eq!(counts("nothing"), None);
    }
}
