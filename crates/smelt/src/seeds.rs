//! Where scripts come from: files, folders, and the seeds inside the binary.

use std::os::unix::ffi::OsStrExt;
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

/// Folders that cannot be read, and what is called like a script and is no file, each with the reason.
pub type Unreadable = Vec<(PathBuf, String)>;

/// The same with other endings; and what cannot be read, each with the reason.
pub fn readable_files(paths: &[PathBuf], endings: &[&str]) -> (Vec<PathBuf>, Unreadable) {
    let mut out = (Vec::new(), Vec::new());
    for p in paths {
        if p.is_dir() {
            let from = out.0.len();
            let entries = |d: &Path| -> std::io::Result<Vec<(PathBuf, Entry)>> {
                std::fs::read_dir(d)?
                    .map(|e| {
                        let e = e?;
                        let (path, kind) = (e.path(), e.file_type()?);
                        // Links to folders are not followed: they may lead in circles.
                        let kind = match () {
                            () if kind.is_dir() => Entry::Folder,
                            () if path.is_file() || path.is_dir() => Entry::File,
                            () => Entry::Other,
                        };
                        Ok((path, kind))
                    })
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

#[derive(Clone, Copy)]
enum Entry {
    Folder,
    File,
    /// A pipe, a socket, a link to nothing: reading it may never end.
    Other,
}

/// Whether a file is called like a script.
fn is_script(path: &Path, endings: &[&str]) -> bool {
    let name = path.file_name().map(|n| n.as_bytes()).unwrap_or_default();
    endings.iter().any(|e| name.strip_suffix(e.as_bytes()).is_some_and(|stem| stem.ends_with(b".")))
}

/// Goes through a folder and those in it; `entries` gives what is in one.
fn walk(
    dir: &Path,
    endings: &[&str],
    entries: impl Fn(&Path) -> std::io::Result<Vec<(PathBuf, Entry)>>,
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
        for (path, kind) in all {
            match kind {
                Entry::Folder => dirs.push(path),
                _ if !is_script(&path, endings) => {}
                Entry::File => files.push(path),
                Entry::Other => unreadable.push((path, "it is no file".to_owned())),
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
    use std::ffi::OsStr;

    #[test]
    fn a_locked_folder_is_left_out() {
        let entries = |d: &Path| match d.to_str() {
            Some("top") => Ok(vec![
                (PathBuf::from("top/a.smt2"), Entry::File),
                (PathBuf::from("top/locked"), Entry::Folder),
                (PathBuf::from("top/open"), Entry::Folder),
                (PathBuf::from("top/b.txt"), Entry::File),
                (PathBuf::from("top/pipe"), Entry::Other),
                (PathBuf::from("top/pipe.smt2"), Entry::Other),
                (PathBuf::from(OsStr::from_bytes(b"top/\xff.smt2")), Entry::File),
            ]),
            Some("top/open") => Ok(vec![(PathBuf::from("top/open/c.smt2"), Entry::File)]),
            _ => Err(std::io::Error::from(std::io::ErrorKind::PermissionDenied)),
        };
        let mut out = (Vec::new(), Vec::new());
        walk(Path::new("top"), &["smt2"], entries, &mut out);
        let odd = PathBuf::from(OsStr::from_bytes(b"top/\xff.smt2"));
        assert_eq!(out.0, [PathBuf::from("top/a.smt2"), odd, PathBuf::from("top/open/c.smt2")]);
        let said: Vec<_> = out.1.iter().map(|(p, why)| format!("{}: {why}", p.display())).collect();
        assert_eq!(said, ["top/pipe.smt2: it is no file", "top/locked: permission denied"]);
    }
}
