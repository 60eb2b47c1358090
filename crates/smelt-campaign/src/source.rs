//! Where seeds come from: embedded, files, folders; plain or compressed.

use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::seeds;

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
            Self::File(p) => read(p),
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
    let (files, left_out) =
        seeds::readable_files(paths, &["smt2", "smt2.gz", "smt2.xz", "smt2.zst"]);
    Ok((files.into_iter().map(Origin::File).collect(), left_out))
}

fn read(path: &Path) -> Result<Vec<u8>> {
    let file = std::fs::File::open(path).context("cannot open")?;
    let kind = path.extension().and_then(|e| e.to_str()).unwrap_or("");
    let reader: Box<dyn Read> = match kind {
        "gz" => Box::new(flate2::read::MultiGzDecoder::new(file)),
        "xz" => Box::new(liblzma::read::XzDecoder::new_multi_decoder(file)),
        "zst" => Box::new(zstd::stream::read::Decoder::new(file).context("cannot decompress")?),
        _ => Box::new(file),
    };
    let mut text = Vec::new();
    let what = if kind == "smt2" { "cannot read" } else { "cannot decompress" };
    reader.take(MAX_BYTES + 1).read_to_end(&mut text).context(what)?;
    if text.len() as u64 > MAX_BYTES {
        bail!("larger than {} MB", MAX_BYTES >> 20);
    }
    Ok(text)
}
