//! Findings that a worker has and the hub may not: a file for each, from before it is sent until the server says that it is stored.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use smelt_campaign::shelf::Contents;
use smelt_case::digest;
use smelt_solver::write_atomically;

use super::link::Link;
use super::names::{Names, is_digest};
use super::parcel::{PIECE, pack};

/// What waits to be sent.
pub struct Outbox {
    folder: PathBuf,
}

impl Outbox {
    /// The folder in which it waits.
    pub fn open(folder: &Path) -> Result<Self> {
        let say = || format!("cannot write {}", folder.display());
        fs::create_dir_all(folder).with_context(say)?;
        Ok(Self { folder: folder.to_owned() })
    }

    /// Puts a finding in; it is on the disk when this comes back.
    pub fn put(&self, contents: &Contents) -> Result<()> {
        let packed = pack(contents)?;
        let path = self.folder.join(digest(&packed));
        write_atomically(&path, &packed).with_context(|| format!("cannot write {}", path.display()))
    }

    /// The digests of what waits, by name.
    pub fn waiting(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let names = entries.filter_map(|e| e.file_name().into_string().ok());
        let mut all: Vec<String> = names.filter(|n| is_digest(n)).collect();
        all.sort();
        all
    }

    /// Sends one finding, all pieces of it, and forgets it when the last of them is stored.
    pub fn send(&self, link: &Link, names: &Names, worker: &str, name: &str) -> Result<()> {
        let path = self.folder.join(name);
        let packed = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let pieces = packed.len().div_ceil(PIECE).max(1);
        for (i, piece) in packed.chunks(PIECE).enumerate() {
            let subject = names.finding(worker, name, i, pieces);
            link.store(subject, &format!("{name}-{i}"), piece.to_vec())?;
        }
        fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))
    }
}
