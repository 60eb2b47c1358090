//! Where scripts come from: files, folders, and the seeds inside the binary.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
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
    files_with(paths, &["smt2"])
}

/// The same with other endings.
pub fn files_with(paths: &[PathBuf], endings: &[&str]) -> Result<Vec<PathBuf>> {
    let mut out = Vec::new();
    for p in paths {
        if p.is_dir() {
            let from = out.len();
            folder(p, endings, &mut out)?;
            out[from..].sort();
        } else {
            out.push(p.clone());
        }
    }
    Ok(out)
}

fn folder(dir: &Path, endings: &[&str], out: &mut Vec<PathBuf>) -> Result<()> {
    let mut dirs = vec![dir.to_owned()];
    while let Some(d) = dirs.pop() {
        let entries =
            std::fs::read_dir(&d).with_context(|| format!("cannot read {}", d.display()))?;
        for entry in entries {
            let entry = entry.with_context(|| format!("cannot read {}", d.display()))?;
            let kind = entry.file_type()?;
            let path = entry.path();
            // Links to folders are not followed: they may lead in circles.
            if kind.is_dir() {
                dirs.push(path);
            } else if path.file_name().and_then(|n| n.to_str()).is_some_and(|n| {
                endings.iter().any(|e| n.strip_suffix(e).is_some_and(|stem| stem.ends_with('.')))
            }) {
                out.push(path);
            }
        }
    }
    Ok(())
}

/// Reads a file.
pub fn read(path: &Path) -> Result<Source> {
    let text = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(Source { name: path.display().to_string(), text })
}
