//! Folders of campaigns put into one: findings once each, runs counted together.
//!
//! What goes in are plain files: folders of findings, and what each run states of itself (`statement`). No database of anybody else is opened, and
//! no link is followed. The same folders may be merged again, one after the other or at once, in any order.

mod findings;
mod runs;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::finding::Finding;
use crate::folder::Folder;
use crate::jobs::docket::Docket;
use crate::journal::Journal;
use crate::report::queue::Reported;
use crate::shelf::{self, FINDINGS, is_folder, read_file};
use crate::statement::{RUNS, Run};

pub use runs::Sum;

/// Beside the findings: what people look at.
const NOTES: [&str; 3] = ["unsettled", "quarantine", "reprint-failures"];
/// Most notes of a kind that are taken from one folder.
const MOST_NOTES: usize = 10_000;

/// What came of merging.
pub struct Merged {
    /// All findings of the folder now.
    pub findings: Vec<Finding>,
    /// Names of those that were not there before.
    pub new: BTreeSet<String>,
    /// How many findings of the other folders had been found already, in another one or in this one.
    pub twice: usize,
    /// How many bugs the findings are, as far as that is known.
    pub bugs: u64,
    /// What the runs have done together.
    pub sum: Sum,
    /// What could not be read, with the reason.
    pub unreadable: Vec<(PathBuf, String)>,
}

/// Merges campaigns into a folder, which is made if it is not there.
pub fn merge(out: &Path, from: &[PathBuf]) -> Result<Merged> {
    let is_campaign = |p: &PathBuf| is_folder(&p.join(FINDINGS)) || is_folder(&p.join(RUNS));
    for path in from {
        let what = || format!("{} is no campaign's folder", path.display());
        fs::read_dir(path).with_context(what)?;
        if !from.iter().any(is_campaign) {
            bail!(what());
        }
        if path.canonicalize().ok().is_some_and(|p| out.canonicalize().is_ok_and(|o| o == p)) {
            bail!("{} cannot be merged into itself", path.display());
        }
    }
    let folder = Folder::open(out)?;
    let run = runs::of_merged(&folder.journal).with_context(|| {
        format!("{} has a campaign of its own: choose another folder", out.display())
    })?;
    // What an earlier merging has left unfinished is copied again.
    let (mut all, _) = Run::read_all(out);
    let mut unreadable = Vec::new();
    let mut reported = Reported::read(out)?;
    for path in from {
        if !is_campaign(path) {
            unreadable.push((path.clone(), "it has neither findings nor runs".to_owned()));
        }
        let (runs, bad) = Run::read_all(path);
        all.extend(runs);
        unreadable.extend(bad);
        take_notes(path, out);
        reported.add(Reported::read(path).unwrap_or_default());
    }
    let sum = runs::sum(all, out)?;
    let twice = findings::take(&folder, from, &mut unreadable)?;
    let findings = shelf::read_all(folder.shelf.path())?.findings;
    let docket = Docket::of(&findings, &|_| false);
    docket.arrange(&folder.shelf.hold())?;
    if !reported.is_empty() {
        reported.write(out)?;
    }
    // Who is named in the journal was named to people, also if an earlier merging was cut off.
    let earlier = folder.journal.found()?;
    let mut sum = sum;
    runs::count_findings(&mut sum.tally, &findings, &docket);
    runs::put(&folder.journal, run, &sum, &findings)?;
    let ids = findings.iter().map(|f| f.id.clone());
    Ok(Merged {
        new: ids.filter(|id| !earlier.contains_key(id)).collect(),
        bugs: sum.tally.bugs.values().sum(),
        findings,
        twice,
        sum,
        unreadable,
    })
}

/// Copies what people look at: of several files of one name the first. What cannot be copied is in the folder that it came from.
fn take_notes(from: &Path, out: &Path) {
    for kind in NOTES {
        if !is_folder(&from.join(kind)) {
            continue;
        }
        let entries = fs::read_dir(from.join(kind)).into_iter().flatten().take(MOST_NOTES);
        for entry in entries.flatten() {
            let name = entry.file_name();
            let Some(name) = name.to_str().filter(|n| n.ends_with(".smt2")) else { continue };
            let to = out.join(kind).join(name);
            if let Ok(text) = read_file(&from.join(kind), name)
                && fs::symlink_metadata(&to).is_err()
            {
                let _ = smelt_solver::write_atomically(&to, &text);
            }
        }
    }
}

/// Whether a folder was made by merging: there is no run in it that could go on.
pub fn is_merged(journal: &Journal) -> Result<bool> {
    Ok(journal.last_run()?.is_some_and(|last| last.config == runs::CONFIG))
}
