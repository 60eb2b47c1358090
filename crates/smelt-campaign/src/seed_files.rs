//! Where seeds come from: embedded, files, folders; plain or compressed.

use std::path::PathBuf;

use anyhow::{Result, bail};

use crate::{reader, seeds};

/// A seed that is not read yet.
#[derive(Clone, Debug)]
pub enum SeedFile {
    /// Inside of the binary.
    Embedded(seeds::Source),
    /// A file.
    File(PathBuf),
}

impl SeedFile {
    /// Its name.
    pub fn name(&self) -> String {
        match self {
            Self::Embedded(s) => s.name.clone(),
            Self::File(p) => p.display().to_string(),
        }
    }

    /// Whether it has no more than so many bytes, as it lies there.
    pub fn is_within(&self, most: u64) -> bool {
        match self {
            Self::Embedded(s) => s.text.len() as u64 <= most,
            Self::File(path) => std::fs::metadata(path).is_ok_and(|m| m.len() <= most),
        }
    }

    /// Its text, if it has no more than so many bytes.
    pub fn read(&self, most: u64) -> Result<Vec<u8>> {
        match self {
            Self::Embedded(s) if s.text.len() as u64 > most => bail!("{}", reader::too_large(most)),
            Self::Embedded(s) => Ok(s.text.clone()),
            Self::File(p) => reader::read(p, most),
        }
    }
}

/// All seeds that the arguments name, the embedded ones if there are none; and what in folders is left out, with the reason.
pub fn all(paths: &[PathBuf]) -> Result<(Vec<SeedFile>, Vec<seeds::LeftOut>)> {
    if paths.is_empty() {
        return Ok((seeds::embedded().into_iter().map(SeedFile::Embedded).collect(), Vec::new()));
    }
    for p in paths {
        if !p.exists() {
            bail!("{} does not exist", p.display());
        }
        if !p.is_dir() && !p.is_file() {
            bail!("cannot read {}: it is no file", p.display());
        }
        // It is kept with the campaign, as text.
        if p.to_str().is_none() {
            bail!("the name of {} is not UTF-8; a folder that it is in can be given", p.display());
        }
    }
    let (files, left_out) = seeds::scripts(paths)?;
    Ok((files.into_iter().map(SeedFile::File).collect(), left_out))
}
