//! All that was found: in groups, and in a folder from the moment on that it is found.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::finding::Finding;

/// What was found until now.
pub struct Found {
    /// One finding of each group, in the order of the groups.
    pub list: Vec<Finding>,
    folder: Option<Folder>,
}

/// Where findings are written: at once as they are found to `unranked`, which the ranked ones replace at the end.
struct Folder {
    dir: PathBuf,
    /// What this run wrote to `unranked`, by the number of the group. A run that was killed may have left others there.
    unranked: Vec<PathBuf>,
    /// Whether somebody was told that something could not be written.
    told: bool,
}

impl Found {
    /// Nothing yet. The error is that the folder cannot be written to.
    pub fn new(dir: Option<&Path>) -> Result<Self> {
        if let Some(dir) = dir {
            let say = || format!("cannot write to {}", dir.display());
            std::fs::create_dir_all(dir).with_context(say)?;
            // It may be there and not be ours.
            let probe = dir.join(format!(".smelt-{}", std::process::id()));
            std::fs::create_dir(&probe).with_context(say)?;
            std::fs::remove_dir(&probe).with_context(say)?;
        }
        let folder = dir.map(|d| Folder { dir: d.to_owned(), unranked: Vec::new(), told: false });
        Ok(Self { list: Vec::new(), folder })
    }

    /// Adds a finding, and writes it if it is the smallest of its group.
    pub fn add(&mut self, f: Finding) {
        let Some(i) = f.join(&mut self.list) else { return };
        if let Some(folder) = &mut self.folder {
            folder.write_unranked(i, &self.list[i]);
        }
    }

    /// Writes the ranked findings. Those that cannot be written are named; where they are.
    pub fn write_ranked(&mut self) -> Vec<usize> {
        let mut unwritten = Vec::new();
        let Some(folder) = &mut self.folder else { return unwritten };
        for (i, f) in self.list.iter().enumerate() {
            if let Err(e) = whole(f, &folder.dir.join(format!("{:03}-{}", i + 1, f.name()))) {
                complain(&format!("{e:#}"));
                unwritten.push(i);
            }
        }
        if unwritten.is_empty() {
            for path in &folder.unranked {
                let _ = std::fs::remove_dir_all(path);
            }
            // Unless another run left something there.
            let _ = std::fs::remove_dir(folder.dir.join(UNRANKED));
        }
        unwritten
    }
}

/// The folder of what is not ranked yet.
const UNRANKED: &str = "unranked";

impl Folder {
    /// Writes the `group`th finding, or the one that is there now in its place.
    fn write_unranked(&mut self, group: usize, f: &Finding) {
        if self.unranked.len() == group {
            let all = self.dir.join(UNRANKED);
            let free = |n: &usize| !all.join(format!("{n:03}-{}", f.name())).exists();
            let n = (group + 1..).find(free).unwrap_or(group + 1);
            self.unranked.push(all.join(format!("{n:03}-{}", f.name())));
        }
        if let Err(e) = whole(f, &self.unranked[group])
            && !std::mem::replace(&mut self.told, true)
        {
            complain(&format!("{e:#}; it is tried again at the end"));
        }
    }
}

/// Writes a finding whole or not at all.
fn whole(f: &Finding, path: &Path) -> Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let part = path.with_file_name(format!(".{name}.part"));
    let _ = std::fs::remove_dir_all(&part);
    f.write(&part)?;
    let say = || format!("cannot write {}", path.display());
    if path.is_dir() {
        std::fs::remove_dir_all(path).with_context(say)?;
    }
    std::fs::rename(&part, path).with_context(say)
}

#[expect(clippy::print_stderr, reason = "the run goes on")]
pub fn complain(text: &str) {
    eprintln!("smelt: {text}");
}
