//! Where scripts come from: files, folders, and the seeds inside the binary.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use include_dir::{Dir, include_dir};

static EMBEDDED: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../corpus");

/// A script that is not parsed yet.
pub struct Source {
    /// The path, or the name of an embedded seed.
    pub name: String,
    /// The text.
    pub text: Vec<u8>,
}

/// The seeds inside the binary, by name.
pub fn embedded() -> Vec<Source> {
    let mut out = Vec::new();
    let mut dirs = vec![&EMBEDDED];
    while let Some(d) = dirs.pop() {
        dirs.extend(d.dirs());
        for f in d.files().filter(|f| f.path().extension().is_some_and(|e| e == "smt2")) {
            let name = format!("corpus/{}", f.path().display());
            out.push(Source { name, text: f.contents().to_vec() });
        }
    }
    out.sort_by(|a, b| a.name.cmp(&b.name));
    out
}

/// The files that paths name: a folder stands for all its `.smt2` files, at any depth.
pub fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let (files, unreadable) = readable_files(paths, &["smt2"]);
    match unreadable.into_iter().next() {
        Some((folder, why)) => bail!("cannot read {}: {why}", folder.display()),
        None => Ok(files),
    }
}

/// Folders that cannot be read, each with the reason.
pub type Unreadable = Vec<(PathBuf, String)>;

/// The same with other endings; and the folders that cannot be read, each with the reason.
pub fn readable_files(paths: &[PathBuf], endings: &[&str]) -> (Vec<PathBuf>, Unreadable) {
    let mut out = (Vec::new(), Vec::new());
    for p in paths {
        if p.is_dir() {
            let from = out.0.len();
            let entries = |d: &Path| -> std::io::Result<Vec<(PathBuf, bool)>> {
                // Links to folders are not followed: they may lead in circles.
                std::fs::read_dir(d)?
                    .map(|e| e.and_then(|e| Ok((e.path(), e.file_type()?.is_dir()))))
                    .collect()
            };
            walk(p, endings, entries, &mut out);
            out.0[from..].sort();
        } else {
            out.0.push(p.clone());
        }
    }
    out
}

/// Goes through a folder and those in it; `entries` gives what is in one, and which of that are folders.
fn walk(
    dir: &Path,
    endings: &[&str],
    entries: impl Fn(&Path) -> std::io::Result<Vec<(PathBuf, bool)>>,
    (files, unreadable): &mut (Vec<PathBuf>, Unreadable),
) {
    let mut dirs = vec![dir.to_owned()];
    while let Some(d) = dirs.pop() {
        let all = match entries(&d) {
            Ok(all) => all,
            Err(e) => {
                unreadable.push((d, e.to_string()));
                continue;
            }
        };
        for (path, is_dir) in all {
            if is_dir {
                dirs.push(path);
            } else if path.file_name().and_then(|n| n.to_str()).is_some_and(|n| {
                endings.iter().any(|e| n.strip_suffix(e).is_some_and(|stem| stem.ends_with('.')))
            }) {
                files.push(path);
            }
        }
    }
}

/// Reads a file.
pub fn read(path: &Path) -> Result<Source> {
    let text = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(Source { name: path.display().to_string(), text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locked_folder_is_left_out() {
        let entries = |d: &Path| match d.to_str() {
            Some("top") => Ok(vec![
                (PathBuf::from("top/a.smt2"), false),
                (PathBuf::from("top/locked"), true),
                (PathBuf::from("top/open"), true),
                (PathBuf::from("top/b.txt"), false),
            ]),
            Some("top/open") => Ok(vec![(PathBuf::from("top/open/c.smt2"), false)]),
            _ => Err(std::io::Error::from(std::io::ErrorKind::PermissionDenied)),
        };
        let mut out = (Vec::new(), Vec::new());
        walk(Path::new("top"), &["smt2"], entries, &mut out);
        assert_eq!(out.0, [PathBuf::from("top/a.smt2"), PathBuf::from("top/open/c.smt2")]);
        assert_eq!(out.1, [(PathBuf::from("top/locked"), "permission denied".to_owned())]);
    }
}
