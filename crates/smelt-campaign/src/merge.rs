//! Folders of campaigns put into one: findings once each, runs counted together.
//!
//! What goes in are plain files: folders of findings, and what each run states of itself (`statement`). No database of anybody else is opened.
//! The same folders may be merged again, one after the other or at once, in any order.

mod runs;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::finding::Finding;
use crate::folder::Folder;
use crate::jobs::docket::Docket;
use crate::journal::Journal;
use crate::shelf::{self, Contents, FINDINGS, Kept, Shelf, bug_key, read_file};
use crate::statement::{RUNS, Run};

pub use runs::Sum;

/// Beside the findings: what people look at. A file of one kind and name has one content.
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
    for path in from {
        let is_folder = |p: PathBuf| fs::symlink_metadata(p).is_ok_and(|m| m.is_dir());
        if !is_folder(path.join(FINDINGS)) && !is_folder(path.join(RUNS)) {
            bail!("{} is no campaign's folder", path.display());
        }
        if path.canonicalize().ok().is_some_and(|p| out.canonicalize().is_ok_and(|o| o == p)) {
            bail!("{} cannot be merged into itself", path.display());
        }
    }
    let folder = Folder::open(out)?;
    let run = runs::of_merged(&folder.journal).with_context(|| {
        format!("{} has a campaign of its own: choose another folder", out.display())
    })?;
    let (mut all, mut unreadable) = Run::read_all(out);
    for path in from {
        let (runs, bad) = Run::read_all(path);
        all.extend(runs);
        unreadable.extend(bad);
        take_notes(path, out);
    }
    unreadable.extend(folder.earlier.unreadable.iter().cloned());
    let twice = take_findings(&folder, from, &mut unreadable)?;
    let findings = shelf::read_all(folder.shelf.path())?.findings;
    let docket = Docket::of(&findings, &|_| false);
    docket.arrange(&folder.shelf.hold())?;
    let mut sum = runs::sum(all, out)?;
    runs::count_findings(&mut sum.tally, &findings, &docket);
    runs::put(&folder.journal, run, &sum, &findings)?;
    let earlier: BTreeSet<&str> = folder.earlier.findings.iter().map(|f| &*f.id).collect();
    let ids = findings.iter().map(|f| f.id.clone());
    Ok(Merged {
        new: ids.filter(|id| !earlier.contains(&**id)).collect(),
        bugs: sum.tally.bugs.values().sum(),
        findings,
        twice,
        sum,
        unreadable,
    })
}

/// A finding that may be kept.
struct Candidate {
    contents: Contents,
    /// Whether it is in the folder already.
    here: bool,
}

impl Candidate {
    /// Of two findings of one bug the one is kept that one campaign on one machine would have met first.
    fn order(&self) -> impl Ord + use<> {
        let f = &self.contents.finding;
        (f.origin.place(), self.contents.original.clone(), f.found, f.id.clone())
    }

    fn keys(&self) -> BTreeSet<String> {
        let f = &self.contents.finding;
        let all = f.signatures.iter().chain([&f.signature]);
        all.map(|s| bug_key(&f.accused.label, s)).collect()
    }
}

/// Takes the findings of other folders that are none of those that are here. Which of two is kept does not depend on which came first; how
/// many are not kept is the result.
fn take_findings(
    folder: &Folder,
    from: &[PathBuf],
    unreadable: &mut Vec<(PathBuf, String)>,
) -> Result<usize> {
    let mut all = Vec::new();
    let mut read = |findings: &Path, here: bool| -> Result<()> {
        let found = shelf::read_all(findings)?;
        if !here {
            unreadable.extend(found.unreadable);
        }
        for f in &found.findings {
            let path = shelf::place(findings, &f.id);
            match Contents::read(&path) {
                Ok(contents) => all.push(Candidate { contents, here }),
                Err(e) => unreadable.push((path, format!("{e:#}"))),
            }
        }
        Ok(())
    };
    read(folder.shelf.path(), true)?;
    for path in from.iter().map(|p| p.join(FINDINGS)).filter(|p| p.is_dir()) {
        read(&path, false)?;
    }
    all.sort_by_cached_key(Candidate::order);
    let mut leaders: Vec<(BTreeSet<String>, Candidate, Vec<Candidate>)> = Vec::new();
    for next in all {
        let keys = next.keys();
        match leaders.iter_mut().find(|(known, ..)| !known.is_disjoint(&keys)) {
            Some((_, _, others)) => others.push(next),
            None => leaders.push((keys, next, Vec::new())),
        }
    }
    let mut twice = 0;
    for (_, leader, others) in leaders {
        twice += others.iter().filter(|o| !o.here).count();
        keep(folder, leader, &others)?;
    }
    Ok(twice)
}

/// Keeps a finding in the place of others that are the same.
fn keep(folder: &Folder, leader: Candidate, others: &[Candidate]) -> Result<()> {
    let mut here = others.iter().filter(|o| o.here).map(|o| o.contents.finding.id.clone());
    let mut contents = leader.contents;
    let id = match if leader.here { Some(contents.finding.id.clone()) } else { here.next() } {
        Some(id) if leader.here => id,
        Some(id) => {
            contents.finding.id.clone_from(&id);
            folder.shelf.hold().renew(&contents)?;
            id
        }
        None => match folder.shelf.keep(contents) {
            Kept::New(finding) => finding.id,
            // It would have been told from the others by its key.
            Kept::Known => bail!("two findings have one key; this is a defect of smelt"),
            Kept::Pending(_, why) => bail!("{why}"),
        },
    };
    // What was two findings is known to be one now.
    let held = folder.shelf.hold();
    here.try_for_each(|other| held.put_below(&id, &other))
}

/// Copies what people look at. What cannot be copied is in the folder that it came from.
fn take_notes(from: &Path, out: &Path) {
    for kind in NOTES {
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
