//! Where scripts come from: files, folders, and the seeds inside the binary.

use std::collections::{HashSet, VecDeque};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use include_dir::{Dir, include_dir};
use smelt_eval::{Model, ModelOptions, parse_model};
use smelt_smtlib::{ParseOptions, Script, parse_with};

use crate::reader;

static EMBEDDED: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../corpus");

/// A script that is not parsed yet.
#[derive(Clone, Debug)]
pub struct Source {
    /// The path, or the name of an embedded seed.
    pub name: String,
    /// The text.
    pub text: Vec<u8>,
}

impl Source {
    /// The script in the text; the error shows the place.
    pub fn script(&self, options: &ParseOptions) -> Result<Script> {
        parse_with(&self.text, options).map_err(|e| self.place(&e))
    }

    /// The model in the text, of a script; the error shows the place.
    pub fn model(&self, script: &mut Script, options: &ModelOptions) -> Result<Model> {
        parse_model(script, &self.text, options).map_err(|e| self.place(&e))
    }

    fn place(&self, error: &smelt_smtlib::Error) -> anyhow::Error {
        let name = self.name.replace(char::is_control, "?");
        anyhow!("{}", error.render(&self.text, &name).trim_end())
    }
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

/// The files that paths name: a folder stands for all its scripts, at any depth. What is called like one and is none is among
/// them: reading it says why.
pub fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let (mut files, left_out) = scripts(paths)?;
    for l in left_out {
        if l.kind == Unfit::Folder {
            bail!("cannot read {}: {}", l.path.display(), l.why);
        }
        files.push(l.path);
    }
    Ok(files)
}

/// The scripts that paths name, and what in their folders is left out.
pub fn read_all(paths: &[PathBuf]) -> Result<(Vec<Source>, Vec<LeftOut>)> {
    let (files, mut left_out) = scripts(paths)?;
    let mut sources = Vec::new();
    for path in files {
        match read(&path) {
            Ok(source) => sources.push(source),
            // What was named by the user must be there.
            Err(e) if paths.contains(&path) => return Err(e),
            Err(e) => {
                left_out.push(LeftOut { path, kind: Unfit::Unreadable, why: format!("{e:#}") })
            }
        }
    }
    Ok((sources, left_out))
}

/// What is left out of what was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// What.
    pub path: PathBuf,
    /// Of which kind it is.
    pub kind: Unfit,
    /// The reason.
    pub why: String,
}

/// Why something in a folder cannot be a seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// A folder that cannot be read.
    Folder,
    /// A file that cannot be read.
    Unreadable,
    /// A pipe, a socket or a device that is called like a script: reading it may never end.
    NoFile,
    /// A link that is called like a script and leads nowhere.
    Link,
}

impl Unfit {
    /// The kind in words, for counts.
    pub fn word(self) -> &'static str {
        match self {
            Self::Folder => "a folder that cannot be read",
            Self::Unreadable => "a file that cannot be read",
            Self::NoFile => "a pipe, a socket or a device",
            Self::Link => "a link that leads nowhere",
        }
    }
}

/// The files that are given, and all of the folders that are called like scripts, plain or compressed; and what of the folders
/// cannot be read. It is an error if there is neither.
pub fn scripts(paths: &[PathBuf]) -> Result<(Vec<PathBuf>, Vec<LeftOut>)> {
    let mut out = (Vec::new(), Vec::new());
    for p in paths {
        if p.is_dir() {
            let from = out.0.len();
            walk(p, entries, &mut out);
            out.0[from..].sort();
        } else {
            out.0.push(p.clone());
        }
    }
    if let ([], []) = (&out.0[..], &out.1[..]) {
        let names: Vec<String> = paths.iter().map(|p| p.display().to_string()).collect();
        bail!(
            "there is no script (.smt2, .smt2.gz, .smt2.xz or .smt2.zst) in {}",
            names.join(", ")
        );
    }
    Ok(out)
}

/// What is in a folder, and which folder it is whatever way leads there.
fn entries(folder: &Path) -> std::io::Result<(Place, Vec<(PathBuf, Entry)>)> {
    let place = std::fs::metadata(folder)?;
    let mut all = Vec::new();
    for e in std::fs::read_dir(folder)? {
        let e = e?;
        let (path, link) = (e.path(), e.file_type()?.is_symlink());
        // (Links are followed.)
        let kind = match std::fs::metadata(&path) {
            Ok(m) if m.is_dir() => Entry::Folder { link },
            Ok(m) if m.is_file() => Entry::File,
            Ok(_) => Entry::Other(Unfit::NoFile, "it is no file".to_owned()),
            Err(e) if link => Entry::Other(Unfit::Link, format!("the link leads nowhere: {e}")),
            Err(e) => Entry::Other(Unfit::Unreadable, e.to_string()),
        };
        all.push((path, kind));
    }
    // Which of two ways to a folder is taken is not left to the file system.
    all.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(((place.dev(), place.ino()), all))
}

/// Device and inode.
type Place = (u64, u64);

#[derive(Clone)]
enum Entry {
    Folder {
        link: bool,
    },
    File,
    /// Not to be read.
    Other(Unfit, String),
}

/// Whether a file is called like a script.
fn is_script(path: &Path) -> bool {
    let name = path.file_name().map(|n| n.as_bytes()).unwrap_or_default();
    let ends = |e: &&str| name.strip_suffix(e.as_bytes()).is_some_and(|stem| stem.ends_with(b"."));
    reader::ENDINGS.iter().any(ends)
}

/// Goes through a folder and those in it, each once, though links may lead in circles; `entries` gives what is in one.
fn walk(
    dir: &Path,
    entries: impl Fn(&Path) -> std::io::Result<(Place, Vec<(PathBuf, Entry)>)>,
    (files, left_out): &mut (Vec<PathBuf>, Vec<LeftOut>),
) {
    let mut seen: HashSet<Place> = HashSet::new();
    // A folder has its own name, if it is reached by that, too: links come last.
    let (mut dirs, mut links) = (vec![dir.to_owned()], VecDeque::new());
    while let Some(d) = dirs.pop().or_else(|| links.pop_front()) {
        let all = match entries(&d) {
            Ok((place, all)) => {
                if !seen.insert(place) {
                    continue;
                }
                all
            }
            Err(e) => {
                left_out.push(LeftOut { path: d, kind: Unfit::Folder, why: e.to_string() });
                continue;
            }
        };
        for (path, kind) in all {
            match kind {
                Entry::Folder { link: false } => dirs.push(path),
                Entry::Folder { link: true } => links.push_back(path),
                _ if !is_script(&path) => {}
                Entry::File => files.push(path),
                Entry::Other(kind, why) => left_out.push(LeftOut { path, kind, why }),
            }
        }
    }
}

/// Reads a script, plain or compressed.
pub fn read(path: &Path) -> Result<Source> {
    let name = path.display().to_string();
    let text = reader::read(path, reader::MOST).with_context(|| format!("cannot read {name}"))?;
    Ok(Source { name, text })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsStr;

    #[test]
    fn a_locked_folder_is_left_out() {
        let folder = || Entry::Folder { link: false };
        let other = |kind: Unfit| Entry::Other(kind, "it is no file".to_owned());
        let entries = |d: &Path| match d.to_str() {
            Some("top") => Ok((
                (1, 1),
                vec![
                    (PathBuf::from("top/a.smt2"), Entry::File),
                    (PathBuf::from("top/again"), Entry::Folder { link: true }),
                    (PathBuf::from("top/locked"), folder()),
                    (PathBuf::from("top/open"), folder()),
                    (PathBuf::from("top/b.txt"), Entry::File),
                    (PathBuf::from("top/pipe"), other(Unfit::NoFile)),
                    (PathBuf::from("top/pipe.smt2"), other(Unfit::NoFile)),
                    (PathBuf::from(OsStr::from_bytes(b"top/\xff.smt2")), Entry::File),
                ],
            )),
            Some("top/open" | "top/again") => Ok((
                (1, 2),
                vec![(d.join("c.smt2"), Entry::File), (d.join("up"), Entry::Folder { link: true })],
            )),
            Some("top/open/up") => Ok(((1, 1), vec![(d.join("a.smt2"), Entry::File)])),
            _ => Err(std::io::Error::from(std::io::ErrorKind::PermissionDenied)),
        };
        let mut out = (Vec::new(), Vec::new());
        walk(Path::new("top"), entries, &mut out);
        let odd = PathBuf::from(OsStr::from_bytes(b"top/\xff.smt2"));
        assert_eq!(out.0, [PathBuf::from("top/a.smt2"), odd, PathBuf::from("top/open/c.smt2")]);
        let said: Vec<_> =
            out.1.iter().map(|l| format!("{}: {}", l.path.display(), l.why)).collect();
        assert_eq!(said, ["top/pipe.smt2: it is no file", "top/locked: permission denied"]);
        assert_eq!([out.1[0].kind, out.1[1].kind], [Unfit::NoFile, Unfit::Folder]);
    }
}
