//! Which scripts are read.

use std::path::PathBuf;

use anyhow::Result;
use smelt_campaign::seed_files::SeedFile;
use smelt_campaign::seeds::{self, Source};

use crate::voice::detail;

/// Scripts by their files and folders.
#[derive(Clone, Debug, clap::Args)]
pub struct Seeds {
    /// Scripts, plain or compressed (.gz, .xz, .zst), or folders of them; without any, the seeds inside smelt.
    #[arg(value_name = "SCRIPTS")]
    seeds: Vec<PathBuf>,
}

impl Seeds {
    /// Whether any are named.
    pub fn are_given(&self) -> bool {
        !self.seeds.is_empty()
    }

    /// Reads the scripts one after the other. One that cannot be read does not keep the others from it.
    pub fn sources(&self) -> Result<impl Iterator<Item = Result<Source>>> {
        let read = |file| match file {
            SeedFile::Embedded(source) => Ok(source),
            SeedFile::File(path) => seeds::read(&path),
        };
        Ok(self.files()?.into_iter().map(read))
    }

    /// The scripts, not read yet.
    pub fn files(&self) -> Result<Vec<SeedFile>> {
        if self.seeds.is_empty() {
            let all = seeds::embedded();
            detail(|| format!("{} scripts inside smelt", all.len()));
            return Ok(all.into_iter().map(SeedFile::Embedded).collect());
        }
        let files = seeds::files(&self.seeds)?;
        let named: Vec<String> = self.seeds.iter().map(|p| p.display().to_string()).collect();
        detail(|| format!("{} scripts in {}", files.len(), named.join(", ")));
        Ok(files.into_iter().map(SeedFile::File).collect())
    }
}
