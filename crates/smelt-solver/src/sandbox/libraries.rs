//! The libraries that a program needs, and those that they need, as far as the files themselves and the system's configuration tell.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::elf::Elf;

/// Where libraries of a program are.
#[derive(Debug, Default)]
pub(super) struct Libraries {
    /// Folders in which its files tell the loader to look.
    pub folders: BTreeSet<PathBuf>,
    /// The libraries that were found, there or in the folders of all programs.
    pub files: BTreeSet<PathBuf>,
}

/// Files of one program that are looked at, at most.
const MOST: usize = 1000;

impl Libraries {
    /// Those of a program.
    pub fn of(program: &Path) -> Self {
        let shared = configured_folders();
        let mut all = Self::default();
        let mut seen = BTreeSet::new();
        let mut todo = both(program);
        while let Some(file) = todo.pop() {
            if seen.len() > MOST || !seen.insert(file.clone()) {
                continue;
            }
            let (Some(elf), Some(origin)) = (Elf::read(&file), file.parent()) else { continue };
            let origin = origin.to_string_lossy();
            let own = elf.folders.iter().filter_map(|f| {
                let folder = f.replace("${ORIGIN}", &origin).replace("$ORIGIN", &origin);
                Path::new(&folder).canonicalize().ok()
            });
            let own: Vec<PathBuf> = own.collect();
            for name in &elf.needed {
                let found = own.iter().chain(&shared).map(|f| f.join(name)).find(|p| p.is_file());
                all.files.extend(found.clone());
                todo.extend(found);
            }
            all.folders.extend(own);
        }
        all
    }
}

/// A path, and where its links lead.
pub(super) fn both(path: &Path) -> Vec<PathBuf> {
    let mut all = vec![path.to_owned()];
    all.extend(path.canonicalize().ok().filter(|p| p != path));
    all
}

/// Folders in which this user's and this system's loader look for libraries of all programs.
pub(super) fn configured_folders() -> Vec<PathBuf> {
    let named = |variable: &str| {
        let text = std::env::var_os(variable).unwrap_or_default();
        std::env::split_paths(&text).collect::<Vec<_>>()
    };
    let mut found = named("LD_LIBRARY_PATH");
    found.extend(named("LD_PRELOAD"));
    let entries = std::fs::read_dir("/etc/ld.so.conf.d").into_iter().flatten().flatten();
    for file in entries.map(|e| e.path()).chain([PathBuf::from("/etc/ld.so.conf")]) {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        found.extend(text.lines().map(str::trim).filter(|l| l.starts_with('/')).map(PathBuf::from));
    }
    found.extend(["/lib64", "/usr/lib64", "/lib", "/usr/lib"].map(PathBuf::from));
    found.retain(|p| p.is_absolute());
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of a Rust program: the C library, in one of the system's folders.
    #[test]
    fn those_of_this_program() {
        let all = Libraries::of(&std::env::current_exe().unwrap());
        let is_libc = |p: &PathBuf| p.file_name().is_some_and(|n| n == "libc.so.6");
        assert!(all.files.iter().any(is_libc), "{all:?}");
        assert!(Libraries::of(Path::new("/etc/passwd")).files.is_empty());
    }
}
