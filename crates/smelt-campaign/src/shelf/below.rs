//! Folders of findings that change after they were kept: one that was made smaller, and triggers that are put below their bug
//! (`findings/BUG/triggers/ID`). One thread at a time does so.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{MutexGuard, PoisonError};

use anyhow::{Context, Result};

use super::{Contents, Folders, bug_key, exchange, file, fill};

/// The folders, held by one thread: none of them moves but by what it does.
pub struct Held<'a> {
    folders: &'a Folders,
    _alone: MutexGuard<'a, ()>,
}

impl Folders {
    /// Waits until nobody else writes or moves folders.
    pub fn hold(&self) -> Held<'_> {
        let alone = self.moves.lock().unwrap_or_else(PoisonError::into_inner);
        Held { folders: self, _alone: alone }
    }
}

impl Held<'_> {
    /// Where a finding is: among the bugs, or below one.
    pub fn place(&self, id: &str) -> PathBuf {
        place(&self.folders.path, id)
    }

    /// Writes a finding that is new.
    pub(crate) fn write(&self, contents: &Contents) -> Result<crate::finding::Finding> {
        super::write(&self.folders.path, contents)
    }

    /// Writes `finding.json` and the report anew, wherever the finding is now.
    pub fn rewrite(&self, contents: &Contents) -> Result<()> {
        super::rewrite(&self.place(&contents.finding.id), contents)
    }

    /// Writes the folder of a finding anew, whole or not at all: what was there is gone then, but for the triggers below it. The bug is known
    /// by its new signature, too.
    pub fn renew(&self, contents: &Contents) -> Result<()> {
        let finding = &contents.finding;
        let folder = self.place(&finding.id);
        let temporary = self.folders.path.join(format!(".{}.{}", finding.id, std::process::id()));
        let put = || -> io::Result<()> {
            fill(&temporary, contents, finding)?;
            exchange::exchange(&temporary, &folder, self.folders.swap)?;
            exchange::move_triggers(&temporary, &folder)
        };
        let done = put().with_context(|| format!("cannot write {} anew", folder.display()));
        // Triggers that could not be moved are put back when the campaign is resumed.
        if !temporary.join(file::TRIGGERS).is_dir() {
            let _ = fs::remove_dir_all(&temporary);
        }
        done?;
        let key = bug_key(&finding.accused.label, &finding.signature);
        self.folders.bugs.lock().unwrap_or_else(PoisonError::into_inner).insert(key);
        Ok(())
    }

    /// Puts a finding, and what is below it, below another one. Whatever ends the process in between, all of them are found again.
    pub fn put_below(&self, bug: &str, trigger: &str) -> Result<()> {
        let from = self.place(trigger);
        let below = self.place(bug).join(file::TRIGGERS);
        if from.parent() == Some(below.as_path()) {
            return Ok(());
        }
        let what = || format!("cannot put {trigger} below {bug}");
        fs::create_dir_all(&below).with_context(what)?;
        let own = from.join(file::TRIGGERS);
        for path in entries(&own) {
            if let Some(name) = path.file_name() {
                fs::rename(&path, below.join(name)).with_context(what)?;
            }
        }
        let _ = fs::remove_dir(&own);
        fs::rename(&from, below.join(trigger)).with_context(what)
    }

    /// Puts a finding that leads a bug of its own among the bugs.
    pub fn put_up(&self, id: &str) -> Result<()> {
        let from = self.place(id);
        let to = self.folders.path.join(id);
        if from == to {
            return Ok(());
        }
        fs::rename(&from, &to).with_context(|| format!("cannot move {}", from.display()))
    }
}

/// Where a finding is in a folder of findings: among the bugs, or below one.
pub fn place(findings: &Path, id: &str) -> PathBuf {
    let own = findings.join(id);
    if own.join(file::FINDING).is_file() {
        return own;
    }
    let below = |bug: PathBuf| Some(bug.join(file::TRIGGERS).join(id)).filter(|p| p.is_dir());
    entries(findings).into_iter().find_map(below).unwrap_or(own)
}

/// What is in a folder, by name; nothing if it is none.
pub(crate) fn entries(folder: &Path) -> Vec<PathBuf> {
    let read = fs::read_dir(folder).into_iter().flatten();
    let mut all: Vec<PathBuf> = read.filter_map(|e| Some(e.ok()?.path())).collect();
    all.sort();
    all
}
