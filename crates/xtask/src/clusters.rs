//! Are triggers of one issue put together, and those of two issues kept apart? Known bugs of released solvers are given to `smelt fuzz --as-is
//! --reduce end`, each in a folder of its own; what their fingerprints say is compared with the numbers of the issues that they are from.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value as Json;
use smelt_triage::{Fingerprint, Likeness, clusters};

/// What is run.
#[derive(clap::Args)]
pub struct Options {
    /// The folder of known bugs, with `index.tsv`.
    bugs: PathBuf,
    /// The smelt that is run.
    #[arg(long, default_value = "target/release/smelt")]
    smelt: PathBuf,
    /// Where the campaigns are; what is there already is not run again.
    #[arg(long, default_value = "target/clusters")]
    out: PathBuf,
    /// Issues with one trigger that are taken beside those with several.
    #[arg(long, default_value_t = 14)]
    single: usize,
    /// Triggers of one issue at most.
    #[arg(long, default_value_t = 5)]
    most: usize,
    /// Only what is there: run nothing.
    #[arg(long)]
    only_read: bool,
}

/// A trigger of an issue.
struct Trigger {
    issue: String,
    id: String,
    solver: String,
    /// A release that is right, who is asked for models and answers.
    right: &'static str,
}

/// Runs the task.
pub fn run(options: &Options) -> Result<()> {
    let index = options.bugs.join("index.tsv");
    let text = std::fs::read_to_string(&index).with_context(|| index.display().to_string())?;
    let mut issues: BTreeMap<String, Vec<Trigger>> = BTreeMap::new();
    for trigger in text.lines().skip(1).filter_map(trigger) {
        issues.entry(trigger.issue.clone()).or_default().push(trigger);
    }
    let (several, single): (Vec<_>, Vec<_>) = issues.into_values().partition(|t| t.len() > 1);
    let several = several.into_iter().flat_map(|t| t.into_iter().take(options.most));
    let chosen = several.chain(single.into_iter().flatten().take(options.single));
    let mut known: Vec<(Trigger, Fingerprint)> = Vec::new();
    let mut silent = 0;
    for t in chosen {
        let out = options.out.join(&t.id);
        if !options.only_read && !out.join("smelt.db").exists() {
            find(options, &t, &out)?;
        }
        match print(&out)? {
            Some(print) => known.push((t, print)),
            None => silent += 1,
        }
    }
    tell(&known, silent);
    Ok(())
}

/// A line of the index, if the bug shows by itself in a release of z3 or cvc5.
fn trigger(line: &str) -> Option<Trigger> {
    let cells: Vec<&str> = line.split('\t').collect();
    let class = *cells.get(2)?;
    if !["refutation", "solution", "model", "crash"].contains(&class) || *cells.get(8)? != "1" {
        return None;
    }
    // Options that smelt gives by itself where it looks at models.
    let own = ["", "model_validate=true", "--strings-exp", "--check-models"];
    let bad = cells.get(5)?.split(';').find_map(|b| {
        let (build, seen) = b.rsplit_once(':')?;
        let (name, options) = build.split_once('[').unwrap_or((build, "]"));
        let options = options.trim_end_matches(']').split(' ');
        let (solver, version) = name.split_once('-')?;
        let default = options.into_iter().all(|o| own.contains(&o));
        (["z3", "cvc5"].contains(&solver) && default && seen == class)
            .then(|| format!("{solver}@{version}"))
    })?;
    let right = match cells.get(6)?.split(' ').any(|r| r == "z3-5.4.0") {
        true => "z3@5.4.0",
        false => "cvc5@1.4.2",
    };
    let (issue, id) = (cells.get(1)?.to_string(), cells.first()?.to_string());
    Some(Trigger { issue, id, solver: bad, right })
}

/// Finds the bug again, makes it small and asks the installed releases for it.
fn find(options: &Options, t: &Trigger, out: &Path) -> Result<()> {
    let script = options.bugs.join(format!("{}.smt2", t.id));
    let status = Command::new(&options.smelt)
        .args(["-q", "fuzz", "--as-is", "--reduce", "end", "--limit", "3", "--jobs", "1"])
        .args(["--solver", &t.solver, "--solver", t.right, "--out"])
        .arg(out)
        .arg(&script)
        .output()
        .with_context(|| options.smelt.display().to_string())?;
    eprintln!("{} ({}): {}", t.id, t.solver, status.status);
    Ok(())
}

/// The fingerprint of the first finding of a campaign that has one.
fn print(campaign: &Path) -> Result<Option<Fingerprint>> {
    let Ok(entries) = std::fs::read_dir(campaign.join("findings")) else { return Ok(None) };
    let mut folders: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    folders.sort();
    for folder in folders {
        let Ok(text) = std::fs::read(folder.join("finding.json")) else { continue };
        let finding: Json = serde_json::from_slice(&text)?;
        if let Some(print) = finding.get("fingerprint") {
            return Ok(Some(serde_json::from_value(print.clone())?));
        }
    }
    Ok(None)
}

/// Precision and recall of pairs, and which pairs are wrong.
fn tell(known: &[(Trigger, Fingerprint)], silent: usize) {
    let prints: Vec<Fingerprint> = known.iter().map(|(_, p)| p.clone()).collect();
    let mut bug_of = vec![0; known.len()];
    let all = clusters(&prints);
    for (n, cluster) in all.iter().enumerate() {
        cluster.members().for_each(|i| bug_of[i] = n);
    }
    let (mut right, mut wrong, mut missed) = (0u32, 0u32, 0u32);
    for i in 0..known.len() {
        for j in i + 1..known.len() {
            let (a, b) = (&known[i], &known[j]);
            let why = match a.1.compare(&b.1) {
                Likeness::Same(why) | Likeness::Different(why) => why,
            };
            match (a.0.issue == b.0.issue, bug_of[i] == bug_of[j]) {
                (true, true) => right += 1,
                (false, true) => {
                    wrong += 1;
                    println!("together\t{} {}\t{} {}\t{why}", a.0.issue, a.0.id, b.0.issue, b.0.id);
                }
                (true, false) => {
                    missed += 1;
                    println!("apart\t{}\t{} and {}\t{why}", a.0.issue, a.0.id, b.0.id);
                }
                (false, false) => {}
            }
        }
    }
    let mut issues: Vec<&str> = known.iter().map(|(t, _)| t.issue.as_str()).collect();
    issues.dedup();
    let share = |of: u32| 100.0 * f64::from(right) / f64::from(right + of).max(1.0);
    println!(
        "{} triggers of {} issues in {} bugs ({silent} triggers gave no finding): {right} pairs together rightly, {wrong} wrongly, {missed} missed; precision {:.0} %, recall {:.0} %",
        known.len(),
        issues.len(),
        all.len(),
        share(wrong),
        share(missed),
    );
}
