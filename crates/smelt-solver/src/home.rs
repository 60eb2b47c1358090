//! The user's data folder: installed releases, probed capabilities, profiles.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// The data folder. `$SMELT_HOME`, else `$XDG_DATA_HOME/smelt`, else `~/.local/share/smelt`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Home {
    root: PathBuf,
}

impl Home {
    /// The folder of this user; `None` when none of the variables is set.
    pub fn of_user() -> Option<Home> {
        let var = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
        let root = var("SMELT_HOME")
            .or_else(|| var("XDG_DATA_HOME").map(|p| p.join("smelt")))
            .or_else(|| var("HOME").map(|p| p.join(".local/share/smelt")))?;
        Some(Home::at(root))
    }

    /// A folder of the caller's choice. Solvers run in folders of their own, so its path is made absolute.
    pub fn at(root: impl Into<PathBuf>) -> Home {
        let root = root.into();
        Home { root: std::path::absolute(&root).unwrap_or(root) }
    }

    /// Why nothing can be written to the folder, if that is so. It is made where it is not there.
    pub fn trouble(&self) -> Option<std::io::Error> {
        let file = self.root.join(format!(".writable.{}", std::process::id()));
        let tried = std::fs::create_dir_all(&self.root).and_then(|()| std::fs::write(&file, ""));
        let _ = std::fs::remove_file(&file);
        tried.err()
    }

    /// The folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Installed releases.
    pub fn solvers(&self) -> PathBuf {
        self.root.join("solvers")
    }

    /// What was probed of solvers.
    pub fn capabilities(&self) -> PathBuf {
        self.root.join("capabilities")
    }

    /// Campaigns that this user has begun: a file for each, named by what the campaign's own folder says it is.
    pub fn campaigns(&self) -> PathBuf {
        self.root.join("campaigns")
    }

    /// Profiles of the user's.
    pub fn profiles(&self) -> PathBuf {
        self.root.join("profiles")
    }
}

/// Writes a file so that a reader sees the old content or the new one, never a part, even after a crash.
pub fn write_atomically(path: &Path, content: &[u8]) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let name = path.file_name().and_then(|n| n.to_str()).unwrap_or("file");
    // Each write has a file of its own, also where threads write the same one.
    static WRITES: AtomicU64 = AtomicU64::new(0);
    let n = WRITES.fetch_add(1, Ordering::Relaxed);
    let temporary = folder.join(format!(".{name}.{}-{n}", std::process::id()));
    let written = (|| {
        // What a killed process of this number has left, or a link that somebody put there, is not written through.
        match std::fs::remove_file(&temporary) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(e),
            _ => {}
        }
        let mut file = std::fs::File::create_new(&temporary)?;
        file.write_all(content)?;
        file.sync_all()?;
        std::fs::rename(&temporary, path)
    })();
    if written.is_err() {
        // Best effort: the error that matters is the one above.
        let _ = std::fs::remove_file(&temporary);
    }
    written
}
