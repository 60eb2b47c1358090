//! A line for every script that a solver is given in a campaign, for comparing two runs: `smelt fuzz --log FILE`.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result};
use smelt_case::{Origin, digest};
use smelt_solver::{Answer, Outcome};

/// Where the lines go.
pub struct Log(Mutex<BufWriter<File>>);

impl Log {
    /// Makes the file, or empties it.
    pub fn create(path: &Path) -> Result<Self> {
        let file =
            File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Self(Mutex::new(BufWriter::new(file))))
    }

    /// Notes what a solver said: strategy, seed, chain, step, solver, digest of the script as it was sent, answers.
    pub fn note(&self, origin: &Origin, solver: &str, sent: &str, outcome: &Outcome) {
        let answers: Vec<&str> = outcome.answers().map(Answer::kind).collect();
        let kin = origin.kin();
        let (chain, step) = origin.place();
        let line = format!(
            "{}\t{}\t{chain}\t{step}\t{solver}\t{}\t{}\n",
            origin.maker(),
            kin.get(..12).unwrap_or(kin),
            &digest(sent.as_bytes())[..12],
            answers.join(" ")
        );
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // A line that is lost is missed by who compares; the campaign goes on.
        let _ = file.write_all(line.as_bytes());
    }

    /// Writes what is still in memory.
    pub fn flush(&self) -> Result<()> {
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        file.flush().context("cannot write the log")
    }
}
