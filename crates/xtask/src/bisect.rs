//! `smelt bisect` on known bugs of released solvers: does it name intervals that agree with what is recorded of their releases?

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value as Json;

/// What is run.
#[derive(clap::Args)]
pub struct Options {
    /// The folder of known bugs, with `index.tsv`.
    bugs: PathBuf,
    /// The smelt that is run.
    #[arg(long, default_value = "target/release/smelt")]
    smelt: PathBuf,
    /// The solver whose bugs are taken.
    #[arg(long, default_value = "z3")]
    solver: String,
    /// Bugs at most.
    #[arg(long, default_value_t = 15)]
    most: usize,
    /// CPU seconds of one run.
    #[arg(long, default_value = "5")]
    limit: String,
    /// Further arguments of `smelt bisect`.
    #[arg(last = true)]
    more: Vec<String>,
}

/// A known bug of the index.
struct Known {
    id: String,
    wrong: &'static str,
    bad: Vec<String>,
    good: Vec<String>,
}

/// Runs the task.
pub fn run(options: &Options) -> Result<()> {
    let index = options.bugs.join("index.tsv");
    let text = std::fs::read_to_string(&index).with_context(|| index.display().to_string())?;
    let known = text.lines().skip(1).filter_map(|line| known(line, &options.solver));
    let (mut right, mut all) = (0, 0);
    println!("bug\tclass\trecorded bad\tspans\tasked\truns\tseconds\tagrees");
    for bug in known.take(options.most) {
        let Some(said) = bisect(options, &bug)? else {
            println!("{}\t{}\t{}\tit does not show", bug.id, bug.wrong, bug.bad.join(" "));
            continue;
        };
        all += 1;
        let against = contradictions(&bug, &said);
        right += usize::from(against.is_empty());
        let spans: Vec<String> = said["spans"].as_array().into_iter().flatten().map(span).collect();
        println!(
            "{}\t{}\t{}\t{}\t{} of {}\t{}\t{:.1}\t{}",
            bug.id,
            bug.wrong,
            bug.bad.join(" "),
            spans.join("; "),
            said["asked"].as_array().map_or(0, Vec::len),
            said["builds"],
            said["runs"],
            said["wall_seconds"].as_f64().unwrap_or(0.0),
            if against.is_empty() { "yes".to_owned() } else { against.join(", ") },
        );
    }
    println!("{right} of {all} agree with the index");
    if right < all {
        bail!("{} do not agree", all - right);
    }
    Ok(())
}

/// A line of the index, if the bug shows with default options in a release of this solver and not in another one.
fn known(line: &str, solver: &str) -> Option<Known> {
    let cells: Vec<&str> = line.split('\t').collect();
    let wrong = match (*cells.get(2)?, *cells.get(4)?) {
        ("refutation", _) => "unsat",
        ("solution", _) => "sat",
        ("model", _) => "model",
        ("crash", _) => "crash",
        _ => return None,
    };
    let release = |text: &str| {
        let name = text.split(['[', ':']).next()?.strip_prefix(solver)?.strip_prefix('-')?;
        Some(name.to_owned())
    };
    let default: Vec<String> = cells
        .get(9)?
        .trim_start_matches("yes:")
        .split([' ', ',', ';'])
        .filter_map(release)
        .collect();
    let listed = cells.get(5)?.split(';').filter(|b| b.ends_with(&format!(":{}", cells[2])));
    let bad: Vec<String> = listed.filter_map(release).filter(|b| default.contains(b)).collect();
    let good: Vec<String> = cells.get(6)?.split(' ').filter_map(release).collect();
    let id = (*cells.first()?).to_owned();
    // Which of several checks it is about, the index does not say.
    if *cells.get(8)? != "1" {
        return None;
    }
    (!bad.is_empty() && !good.is_empty()).then_some(Known { id, wrong, bad, good })
}

/// What is said of a bug; nothing if the release that the index names does not show it.
fn bisect(options: &Options, bug: &Known) -> Result<Option<Json>> {
    let file = options.bugs.join(format!("{}.smt2", bug.id));
    let solver = format!("{}@{}", options.solver, bug.bad[0]);
    let output = Command::new(&options.smelt)
        .args(["bisect", "--json", "-q", "--limit", &options.limit, "--wrong", bug.wrong])
        .args(["--solver", &solver])
        .arg(&file)
        .args(&options.more)
        .output()
        .with_context(|| options.smelt.display().to_string())?;
    let errors = String::from_utf8_lossy(&output.stderr);
    if errors.contains("does not show it") {
        return Ok(None);
    }
    let said = serde_json::from_slice(&output.stdout);
    said.map(Some).with_context(|| format!("{}: {errors}", bug.id))
}

fn span(span: &Json) -> String {
    let name = |key: &str| span[key].as_str().unwrap_or("-").to_owned();
    format!(
        "{} | {}..{} | {}",
        name("last-good"),
        name("first-bad"),
        name("last-bad"),
        name("fixed-in")
    )
}

/// Releases of which the index says something else than the spans.
fn contradictions(bug: &Known, said: &Json) -> Vec<String> {
    let place = |version: &str| -> Vec<u64> {
        let mut parts: Vec<u64> = version.split('.').map(|p| p.parse().unwrap_or(0)).collect();
        parts.resize(5, 0);
        parts
    };
    let inside = |version: &str| {
        said["spans"].as_array().into_iter().flatten().any(|s| {
            let end = |key: &str| s[key].as_str().map(place);
            let at = place(version);
            end("first-bad").is_some_and(|f| f <= at) && end("last-bad").is_some_and(|l| at <= l)
        })
    };
    let bad = bug.bad.iter().filter(|v| !inside(v)).map(|v| format!("{v} is bad"));
    let good = bug.good.iter().filter(|v| inside(v)).map(|v| format!("{v} is good"));
    bad.chain(good).collect()
}
