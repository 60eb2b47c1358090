//! Where seeds come from: embedded, files, folders; plain or compressed.

use std::path::PathBuf;

use anyhow::{Result, bail};

use crate::{reader, seeds};

/// Largest seed that is read, decompressed.
const MAX_BYTES: u64 = 4 << 20;

/// A seed that is not read yet.
pub enum Origin {
    /// Inside of the binary.
    Embedded(seeds::Source),
    /// A file.
    File(PathBuf),
}

impl Origin {
    /// Its name.
    pub fn name(&self) -> String {
        match self {
            Self::Embedded(s) => s.name.clone(),
            Self::File(p) => p.display().to_string(),
        }
    }

    /// Its text.
    pub fn read(&self) -> Result<Vec<u8>> {
        match self {
            Self::Embedded(s) => Ok(s.text.clone()),
            Self::File(p) => reader::read(p, MAX_BYTES),
        }
    }
}

/// All seeds that the arguments name, the embedded ones if there are none; and what in folders is left out, with the reason.
pub fn origins(paths: &[PathBuf]) -> Result<(Vec<Origin>, Vec<seeds::LeftOut>)> {
    if paths.is_empty() {
        return Ok((seeds::embedded().into_iter().map(Origin::Embedded).collect(), Vec::new()));
    }
    for p in paths {
        if !p.exists() {
            bail!("{} does not exist", p.display());
        }
        if !p.is_dir() && !p.is_file() {
            bail!("{} is no file", p.display());
        }
        // It is kept with the campaign, as text.
        if p.to_str().is_none() {
            bail!("the name of {} is not UTF-8; a folder that it is in can be given", p.display());
        }
    }
    let (files, left_out) = seeds::scripts(paths)?;
    Ok((files.into_iter().map(Origin::File).collect(), left_out))
}
