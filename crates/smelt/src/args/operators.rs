//! Which operators may be brought into scripts.

use anyhow::{Result, bail};
use smelt_campaign::remake;
use smelt_case::OpSet;
use smelt_smtlib::Op;
use smelt_smtlib::op;

use super::Dialect;

/// Operators that may be brought in.
#[derive(Clone, Debug, clap::Args)]
pub struct Operators {
    /// An operator that must not be brought in; may be repeated.
    #[arg(long, value_name = "OPERATOR")]
    without: Vec<String>,
    /// Operators of these dialects may be brought in, besides those of the standard and of the script.
    #[arg(long, value_enum, value_delimiter = ',')]
    dialects: Vec<Dialect>,
}

impl Operators {
    /// The dialects that are named.
    pub fn dialects(&self) -> Vec<op::Dialect> {
        self.dialects.iter().flat_map(|d| d.meant()).copied().collect()
    }

    /// Takes the operators away that must not be brought in.
    pub fn restrict(&self, ops: &mut OpSet) -> Result<()> {
        for name in &self.without {
            let found = Op::by_name(name);
            if found.is_empty() {
                bail!("unknown operator `{name}`");
            }
            found.iter().for_each(|&op| ops.remove(op));
        }
        Ok(())
    }

    /// The names of operators that no mutant gets, and of those that only a seed of theirs has.
    pub fn left_out(&self) -> Result<(Vec<String>, Vec<String>)> {
        let mut ops = OpSet::all();
        self.restrict(&mut ops)?;
        let of_seeds = match self.dialects.is_empty() {
            true => Vec::new(),
            false => remake::without(&smelt_campaign::offline::common(&self.dialects())),
        };
        Ok((remake::without(&ops), of_seeds))
    }
}
