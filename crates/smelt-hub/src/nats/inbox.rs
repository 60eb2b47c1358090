//! Findings that have come to the hub and are not judged yet: on the disk before the server hears that they are there.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use smelt_solver::write_atomically;

use super::names::is_digest;
use super::parcel::{PIECE, PIECES};

/// Most bytes of what waits: who sends more waits with it.
const LARGEST: u64 = 1 << 30;
/// Age at which a finding of which pieces are missing may be forgotten: longer than a server knows an id.
const OLD: Duration = Duration::from_secs(3600);
/// What became of findings, a file for each by its digest.
const DECIDED: &str = "decided";

/// What waits to be judged.
pub struct Inbox {
    folder: PathBuf,
}

impl Inbox {
    /// The folder in which it waits.
    pub fn open(folder: &Path) -> Result<Self> {
        let decided = folder.join(DECIDED);
        fs::create_dir_all(&decided)
            .with_context(|| format!("cannot write {}", decided.display()))?;
        Ok(Self { folder: folder.to_owned() })
    }

    fn own(&self, digest: &str) -> PathBuf {
        self.folder.join(digest)
    }

    /// Keeps a piece of a finding, unless it is known what became of that.
    pub fn put(&self, digest: &str, (piece, pieces): (usize, usize), payload: &[u8]) -> Result<()> {
        if self.folder.join(DECIDED).join(digest).exists() {
            return Ok(());
        }
        if self.bytes() > LARGEST {
            self.forget_parts();
        }
        if self.bytes() > LARGEST {
            bail!("{} has more than {} MB", self.folder.display(), LARGEST >> 20);
        }
        let path = self.own(digest).join(format!("{piece}-{pieces}"));
        if path.exists() {
            return Ok(());
        }
        write_atomically(&path, payload).with_context(|| format!("cannot write {}", path.display()))
    }

    /// Forgets old findings that are not whole: who still has one sends all of it again, as the server has forgotten it, too.
    fn forget_parts(&self) {
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let Ok(name) = entry.file_name().into_string() else { continue };
            let changed = entry.metadata().and_then(|m| m.modified());
            let old = changed.is_ok_and(|at| at.elapsed().is_ok_and(|age| age > OLD));
            if old && is_digest(&name) && self.pieces(&name).is_none() {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }

    fn bytes(&self) -> u64 {
        let folders = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let files = folders.flat_map(|e| fs::read_dir(e.path()).into_iter().flatten().flatten());
        files.filter_map(|f| f.metadata().ok()).map(|m| m.len()).sum()
    }

    /// The findings that are whole, by digest.
    pub fn whole(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let names = entries.filter_map(|e| e.file_name().into_string().ok());
        let mut all: Vec<String> =
            names.filter(|n| is_digest(n) && self.pieces(n).is_some()).collect();
        all.sort();
        all
    }

    /// The pieces of a finding, in order, if all are there.
    fn pieces(&self, digest: &str) -> Option<Vec<PathBuf>> {
        let entries = fs::read_dir(self.own(digest)).ok()?.flatten();
        let number = |name: String| {
            let (piece, pieces) = name.split_once('-')?;
            Some((pieces.parse::<usize>().ok()?, piece.parse::<usize>().ok()?))
        };
        let mut all: Vec<_> =
            entries.filter_map(|e| number(e.file_name().into_string().ok()?)).collect();
        all.sort_unstable();
        // A stranger may have cut one finding in two ways: any that is whole will do.
        let cuts = all.chunk_by(|a, b| a.0 == b.0).find(|cut| cut.len() == cut[0].0)?;
        Some(cuts.iter().map(|(of, n)| self.own(digest).join(format!("{n}-{of}"))).collect())
    }

    /// The text of a finding.
    pub fn read(&self, digest: &str) -> Result<Vec<u8>> {
        let pieces = self.pieces(digest).context("it is not whole")?;
        let mut packed = Vec::new();
        for path in pieces {
            packed.extend(
                fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?,
            );
            if packed.len() > PIECE * PIECES {
                bail!("it is too large");
            }
        }
        Ok(packed)
    }

    /// A folder in which a finding can be looked at; it is gone when it is decided.
    pub fn room(&self, digest: &str) -> PathBuf {
        self.own(digest).join("room")
    }

    /// Notes what became of a finding, for good.
    pub fn decide(&self, digest: &str, word: &str) -> Result<()> {
        let path = self.folder.join(DECIDED).join(digest);
        write_atomically(&path, word.as_bytes())
            .with_context(|| format!("cannot write {}", path.display()))?;
        let _ = fs::remove_dir_all(self.own(digest));
        Ok(())
    }
}
