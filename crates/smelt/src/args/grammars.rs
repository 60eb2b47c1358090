//! Grammars by the names that people give them.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use smelt_case::Cost;
use smelt_strategy::grammar::shipped;

/// A cost model on the command line.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Model {
    Thesis,
    Published,
}

impl From<Model> for Cost {
    fn from(model: Model) -> Self {
        match model {
            Model::Thesis => Self::Thesis,
            Model::Published => Self::Published,
        }
    }
}

/// A grammar's name and how many words of it: `ints:5000`; the number given beside it where there is none.
pub fn numbered(text: &str, otherwise: u64) -> Result<(&str, u64)> {
    match text.rsplit_once(':').map(|(name, n)| (name, n.parse())) {
        Some((name, Ok(n @ 1u64..))) => Ok((name, n)),
        Some((_, Ok(0))) => bail!("--grammar {text}: a number from 1 on is needed"),
        _ => Ok((text, otherwise)),
    }
}

/// The name and text of a grammar: a file, or one inside smelt.
pub fn grammar(name: &str) -> Result<(String, String)> {
    let path = PathBuf::from(name);
    if !path.exists()
        && let Some(text) = shipped::text(name)
    {
        return Ok((name.to_owned(), text.to_owned()));
    }
    if !path.exists() && !name.contains(['/', '.']) {
        bail!(
            "{name} is no file and no grammar inside smelt (`smelt enumerate --list` names them)"
        );
    }
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {name}"))?;
    Ok((name.to_owned(), text))
}

/// A whole number in decimal digits, or as `1e275`.
pub fn whole(text: &str) -> Result<String, String> {
    let digits = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
    let (number, zeros) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    match zeros.parse::<usize>() {
        Ok(zeros) if digits(number) && zeros <= 10_000 => {
            Ok(format!("{number}{}", "0".repeat(zeros)))
        }
        _ => Err("a whole number is needed, such as 12 or 1e275".into()),
    }
}
