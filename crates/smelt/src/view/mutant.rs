//! Mutants for people, machines or a folder.

use std::io::{BufWriter, StdoutLock, Write};
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::json;
use smelt_case::{Mutant, Recipe};
use smelt_smtlib::{LogicChoice, PrintOptions, comment, print};

use crate::printable::in_one_line;

/// Where mutants go.
pub struct Output<'a> {
    to: BufWriter<StdoutLock<'static>>,
    options: PrintOptions,
    json: bool,
    folder: Option<&'a Path>,
    /// The script that they are made of.
    file: &'a Path,
}

impl<'a> Output<'a> {
    /// To standard output, as text or JSON, or to files of a folder.
    pub fn new(logic: LogicChoice, json: bool, folder: Option<&'a Path>, file: &'a Path) -> Self {
        // The seed's status is not the mutant's.
        let options = PrintOptions { logic, strip_status: true, ..PrintOptions::default() };
        Self { to: BufWriter::new(std::io::stdout().lock()), options, json, folder, file }
    }

    /// All that is written so far must be heard.
    pub fn flush(&mut self) -> Result<()> {
        Ok(self.to.flush()?)
    }

    /// One more.
    pub fn mutant(&mut self, number: u64, recipe: &Recipe, mutant: &Mutant<'_>) -> Result<()> {
        let text = print(mutant.script, &self.options);
        let expect: Vec<&str> = mutant.expect.iter().map(|e| e.word()).collect();
        if self.json {
            let line = json!({
                "kind": "mutant",
                "mutant": number,
                "expectation": expect,
                "what": mutant.what,
                "recipe": recipe,
                "script": text,
            });
            writeln!(self.to, "{line}")?;
            return Ok(());
        }
        // What was done may have been said in several lines, and the name of a file may have some.
        let what = comment(&mutant.what.replace('\n', " "));
        let text = format!(
            "; mutant {number} of {}: {} --seed {}, chain {}, step {}\n; done: {what}\n; expectation: {}\n{text}",
            comment(&self.file.display().to_string()),
            recipe.strategy,
            recipe.campaign,
            recipe.chain,
            recipe.step,
            expect.join(", "),
        );
        match self.folder {
            None => writeln!(self.to, "{text}")?,
            Some(dir) => {
                let stem = self.file.file_stem().unwrap_or_default().to_string_lossy();
                let path = dir.join(format!("{stem}-{}-{number:05}.smt2", recipe.strategy));
                std::fs::write(&path, &text)
                    .with_context(|| format!("cannot write {}", path.display()))?;
                writeln!(self.to, "{}", in_one_line(&path.display().to_string()))?;
            }
        }
        Ok(())
    }
}
