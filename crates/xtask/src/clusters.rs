//! Are triggers of one issue put together, and those of two issues kept apart? Known bugs of released solvers are given to `smelt fuzz --as-is
//! --reduce end`, each in a folder of its own; what their fingerprints say is compared with the numbers of the issues that they are from.

mod truth;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value as Json;
use smelt_triage::{Fingerprint, Likeness, clusters};

use self::truth::{COLLECTIONS, Trigger, trigger};

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
    let (mut silent, mut strange) = (0, 0);
    for t in chosen {
        let out = options.out.join(&t.id);
        if !options.only_read && !out.join("smelt.db").exists() {
            find(options, &t, &out)?;
        }
        match print(&out, &t)? {
            Some(print) if t.is_about(&print) => known.push((t, print)),
            Some(_) => strange += 1,
            None => silent += 1,
        }
    }
    println!("{silent} triggers gave no finding; {strange} show a fault that is not the issue's");
    tell(&known);
    Ok(())
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

/// The findings of a campaign, in the order of their names.
fn findings(campaign: &Path) -> Result<Vec<Json>> {
    let Ok(entries) = std::fs::read_dir(campaign.join("findings")) else { return Ok(Vec::new()) };
    let mut folders: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    folders.sort();
    let texts = folders.iter().filter_map(|f| std::fs::read(f.join("finding.json")).ok());
    Ok(texts.map(|text| serde_json::from_slice(&text)).collect::<Result<_, _>>()?)
}

/// The fingerprint of the finding of a campaign that is the trigger's: against its solver, of its class where there is one.
fn print(campaign: &Path, t: &Trigger) -> Result<Option<Fingerprint>> {
    let mut prints: Vec<Fingerprint> = Vec::new();
    for finding in findings(campaign)? {
        if let Some(print) = finding.get("fingerprint") {
            prints.push(serde_json::from_value(print.clone())?);
        }
    }
    prints.retain(|p| t.solver.split('@').next() == Some(&*p.solver));
    prints.sort_by_key(|p| !p.class.word().contains(&t.class));
    Ok(prints.into_iter().next())
}

/// Precision and recall of pairs, and which pairs are wrong.
fn tell(known: &[(Trigger, Fingerprint)]) {
    let prints: Vec<Fingerprint> = known.iter().map(|(_, p)| p.clone()).collect();
    let mut bug_of = vec![0; known.len()];
    let all = clusters(&prints);
    for (n, cluster) in all.iter().enumerate() {
        cluster.members().for_each(|i| bug_of[i] = n);
    }
    let (mut right, mut wrong, mut missed, mut two_bugs) = (0u32, 0u32, 0u32, 0u32);
    for i in 0..known.len() {
        for j in i + 1..known.len() {
            let (a, b) = (&known[i], &known[j]);
            let why = match a.1.compare(&b.1) {
                Likeness::Same(why) | Likeness::Different(why) => why,
            };
            let same_issue = a.0.issue == b.0.issue;
            if same_issue && COLLECTIONS.contains(&&*a.0.issue) {
                continue;
            }
            let apart = a.0.told_apart(&b.0).filter(|_| same_issue);
            if let Some(release) = apart {
                two_bugs += 1;
                println!("two bugs\t{}\t{} and {}\t{release}", a.0.issue, a.0.id, b.0.id);
            }
            match (same_issue && apart.is_none(), bug_of[i] == bug_of[j]) {
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
    let issues: BTreeSet<&str> = known.iter().map(|(t, _)| t.issue.as_str()).collect();
    let share = |of: u32| 100.0 * f64::from(right) / f64::from(right + of).max(1.0);
    println!(
        "{} triggers of {} issues in {} bugs: {right} pairs together rightly, {wrong} wrongly, {missed} missed, {two_bugs} of one issue told apart by the index; precision {:.0} %, recall {:.0} %",
        known.len(),
        issues.len(),
        all.len(),
        share(wrong),
        share(missed),
    );
}
