//! The folder of a campaign: nobody else may be at work in it, and nothing in it leads elsewhere.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::journal::Journal;
use crate::shelf::{Folders, Found};

/// A campaign's folder that this process alone works in.
pub struct Folder {
    /// Where it is.
    pub path: PathBuf,
    /// The database.
    pub journal: Journal,
    /// The findings.
    pub shelf: Folders,
    /// What was there before.
    pub earlier: Found,
    /// Held as long as the folder is used.
    _lock: std::fs::File,
}

impl Folder {
    /// Opens a folder in which a campaign was begun.
    pub fn existing(path: &Path) -> Result<Self> {
        if !path.join(Journal::FILE).is_file() {
            bail!("there is no campaign in {}", path.display());
        }
        Self::open(path)
    }

    /// Opens a folder, or makes it. The index of the database says afterwards what the folders of findings say.
    pub fn open(path: &Path) -> Result<Self> {
        std::fs::create_dir_all(path)
            .with_context(|| format!("cannot make the campaign's folder {}", path.display()))?;
        check_entries(path)?;
        let lock = lock(path)?;
        let journal = Journal::open(path)?;
        let (shelf, earlier) = Folders::open(path)?;
        journal.rebuild(&earlier.findings)?;
        Ok(Self { path: path.to_owned(), journal, shelf, earlier, _lock: lock })
    }
}

/// Refuses a campaign's folder with a link, a pipe or a device in it. It may come from anybody, and what smelt writes there must
/// not go elsewhere.
fn check_entries(folder: &Path) -> Result<()> {
    let say = || format!("cannot read {}", folder.display());
    for entry in std::fs::read_dir(folder).with_context(say)? {
        let entry = entry.with_context(say)?;
        let kind = entry.file_type().with_context(say)?;
        if !kind.is_file() && !kind.is_dir() {
            bail!("{} is no file or folder of the campaign's own", entry.path().display());
        }
    }
    Ok(())
}

/// One campaign per folder at a time. A child that a killed smelt was about to start may hold the lock for a moment.
fn lock(folder: &Path) -> Result<std::fs::File> {
    let path = folder.join("lock");
    // It is never written to, so what is in it stays.
    let file = std::fs::OpenOptions::new().write(true).create(true).truncate(false).open(&path);
    let file = file.with_context(|| format!("cannot write {}", path.display()))?;
    let end = Instant::now() + Duration::from_secs(3);
    while file.try_lock().is_err() {
        if Instant::now() > end {
            bail!("another smelt is at work in {}", folder.display());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(file)
}
