//! What several runs have done together.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Result, bail};

use crate::finding::Finding;
use crate::jobs::docket::Docket;
use crate::journal::{Journal, Sample};
use crate::statement::{Run, Statement};
use crate::tally::{Counts, SeedCounts, Tally};

/// What a merged folder's journal has in the place of what a run was asked to do.
pub(super) const CONFIG: &str = "merged";

/// What several runs have done together.
#[derive(Default)]
pub struct Sum {
    /// How many runs are counted.
    pub runs: usize,
    /// What they have counted.
    pub tally: Tally,
    /// How many positions they have finished.
    pub positions: u64,
    /// Seconds from the first beginning to the last end.
    pub elapsed: f64,
    /// What people should know: parts that are missing, not at their end, or done twice.
    pub remarks: Vec<String>,
    samples: Vec<Sample>,
}

/// The run of a merged folder; an error if its journal is that of a campaign.
pub(super) fn of_merged(journal: &Journal) -> Result<i64> {
    match journal.last_run()? {
        None => journal.begin_run(CONFIG),
        Some(last) if last.config == CONFIG => Ok(last.run),
        Some(_) => bail!("a campaign was begun there"),
    }
}

/// Adds up runs, each once, and writes them into the merged folder.
pub(super) fn sum(all: Vec<Run>, out: &Path) -> Result<Sum> {
    let mut newest: BTreeMap<String, Run> = BTreeMap::new();
    let mut sum = Sum::default();
    for run in all {
        let key = run.statement.key.clone();
        let Some(known) = newest.get(&key) else {
            newest.insert(key, run);
            continue;
        };
        let (less, more) = if extent(known) < extent(&run) { (known, &run) } else { (&run, known) };
        if !less.positions.is_subset(&more.positions) {
            sum.remarks.push(format!("run {key}: two copies of it went on apart: one is counted"));
        }
        // A run that went on has done more than its earlier copy.
        if extent(known) < extent(&run) {
            newest.insert(key, run);
        }
    }
    newest.values().try_for_each(|run| run.copy(out))?;
    let mut campaigns: BTreeMap<String, Vec<Run>> = BTreeMap::new();
    for run in newest.into_values() {
        campaigns.entry(run.statement.campaign.clone()).or_default().push(run);
    }
    let mut counted: Vec<Statement> = Vec::new();
    for runs in campaigns.into_values() {
        let runs = each_position_once(runs, &mut sum.remarks);
        sum.remarks.extend(missing(&runs));
        sum.positions += runs.iter().map(|r| r.positions.len() as u64).sum::<u64>();
        let seeds = seeds(&runs);
        let mut tally = Tally::default();
        runs.iter().for_each(|r| tally.add(&r.statement.tally));
        (tally.seeds, tally.skipped) = seeds;
        count_seeds_once(&mut tally, &runs);
        sum.tally.add(&tally);
        counted.extend(runs.into_iter().map(|r| r.statement));
    }
    sum.runs = counted.len();
    (sum.samples, sum.elapsed) = together(&counted);
    let versions: BTreeSet<&str> = counted.iter().map(|s| &*s.smelt).collect();
    if versions.len() > 1 {
        let versions: Vec<&str> = versions.into_iter().collect();
        sum.remarks.push(format!("runs of several versions of smelt: {}", versions.join(", ")));
    }
    Ok(sum)
}

/// How far a run has come; no two copies that differ are equal.
fn extent(run: &Run) -> impl Ord + use<> {
    let s = &run.statement;
    let text = serde_json::to_string(s).unwrap_or_default();
    (s.tally.total.tests, run.positions.len(), s.done, s.elapsed as u64, text)
}

/// Those of the runs of one campaign that share no position: of two that do, the one that has come further is counted.
fn each_position_once(mut runs: Vec<Run>, remarks: &mut Vec<String>) -> Vec<Run> {
    runs.sort_by_cached_key(|r| std::cmp::Reverse(extent(r)));
    let mut counted: Vec<Run> = Vec::new();
    for run in runs {
        let shared = |c: &Run| c.positions.intersection(&run.positions).count();
        if let Some((other, n)) = counted.iter().map(|c| (c, shared(c))).find(|(_, n)| *n > 0) {
            let (key, other) = (&run.statement.key, &other.statement.key);
            remarks.push(format!(
                "run {key} has {n} positions in common with {other}: its findings are taken, its tests are not counted"
            ));
        } else {
            counted.push(run);
        }
    }
    counted
}

/// Which parts of a campaign are missing, or have not come to their end.
fn missing(runs: &[Run]) -> Vec<String> {
    let mut remarks = Vec::new();
    let name = |s: &Statement| format!("campaign seed {}, part {}", s.seed, s.part);
    for run in runs.iter().filter(|r| !r.statement.done) {
        remarks.push(format!("{}: it has not come to its end", name(&run.statement)));
    }
    let parts: BTreeSet<u64> = runs.iter().map(|r| r.statement.part.of).collect();
    for of in parts {
        let own: BTreeSet<u64> = runs
            .iter()
            .filter(|r| r.statement.part.of == of)
            .map(|r| r.statement.part.own)
            .collect();
        let absent = of.saturating_sub(own.len() as u64);
        if absent > 0 {
            let seed = runs[0].statement.seed;
            // A stranger's file may say that there are very many.
            let named: Vec<String> = (0..of)
                .filter(|i| !own.contains(i))
                .take(8)
                .map(|i| format!("{}/{of}", i + 1))
                .collect();
            let more = if absent > 8 { ", …" } else { "" };
            remarks.push(format!(
                "campaign seed {seed}: {absent} of {of} parts are missing: {}{more}",
                named.join(", ")
            ));
        }
    }
    remarks
}

/// What became of the seeds of one campaign: all parts were given the same ones.
fn seeds(runs: &[Run]) -> (SeedCounts, BTreeMap<String, u64>) {
    let given = runs.iter().map(|r| r.statement.given).max().unwrap_or(0);
    let mut fates: BTreeMap<usize, Option<&str>> = BTreeMap::new();
    for (i, fate) in runs.iter().flat_map(|r| &r.statement.fates) {
        let known = fates.entry(*i).or_default();
        // One that is not used any more may have been used elsewhere.
        *known = known.or(fate.as_deref());
    }
    SeedCounts::of(given, fates.into_values())
}

/// What is counted for a seed is counted by every part that has it: the part that has most stands for all.
fn count_seeds_once(tally: &mut Tally, runs: &[Run]) {
    let groups: [fn(&mut Tally) -> &mut Counts; 4] = [
        |t| &mut t.options_kept,
        |t| &mut t.options_dropped,
        |t| &mut t.checks_left_out,
        |t| &mut t.proofs,
    ];
    for group in groups {
        let mut most = Counts::new();
        for run in runs {
            for (name, n) in group(&mut run.statement.tally.clone()) {
                let known = most.entry(name.clone()).or_default();
                *known = (*known).max(*n);
            }
        }
        *group(tally) = most;
    }
}

/// How runs went on beside each other, and how long that was.
fn together(runs: &[Statement]) -> (Vec<Sample>, f64) {
    let begins = runs.iter().filter_map(|s| s.samples.first());
    let Some(begin) = begins.map(|(at, elapsed, _)| at.saturating_sub(*elapsed as u64)).min()
    else {
        return (Vec::new(), runs.iter().map(|s| s.elapsed).fold(0.0, f64::max));
    };
    let mut all: Vec<(u64, usize, u64)> = Vec::new();
    for (i, s) in runs.iter().enumerate() {
        all.extend(s.samples.iter().map(|(at, _, tests)| (*at, i, *tests)));
    }
    all.sort_unstable();
    let mut tests = vec![0; runs.len()];
    let mut out: Vec<Sample> = Vec::new();
    for (at, i, n) in all {
        tests[i] = n;
        let tests = tests.iter().sum();
        out.push(Sample { at, elapsed: at.saturating_sub(begin) as f64, tests });
    }
    let last = out.last().map_or(0.0, |s| s.elapsed);
    (out, runs.iter().map(|s| s.elapsed).fold(last, f64::max))
}

/// Counts the findings that are kept, and the bugs that they are; the others were found twice.
pub(super) fn count_findings(tally: &mut Tally, kept: &[Finding], docket: &Docket) {
    let found = tally.found();
    tally.recount_findings(kept.iter().map(|f| (f.origin.maker(), f.class())));
    tally.total.duplicates += found.saturating_sub(tally.found());
    tally.bugs = docket.counts();
}

/// Writes all of it into the journal of the merged folder.
pub(super) fn put(journal: &Journal, run: i64, sum: &Sum, findings: &[Finding]) -> Result<()> {
    journal.rebuild(findings)?;
    journal.forget_counts(run)?;
    journal.flush(run, (sum.elapsed, true), &sum.tally.rows(), &[], None)?;
    journal.put_samples(run, &sum.samples)?;
    findings.iter().try_for_each(|f| journal.note_found(run, &f.id))
}
