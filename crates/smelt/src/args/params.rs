//! Parameters of strategies on the command line.

use anyhow::{Context, Result};
use smelt_strategy::Strategy;

/// Parameters of a strategy.
#[derive(Clone, Debug, clap::Args)]
pub struct Params {
    /// A parameter of the strategy; may be repeated. Where the strategy wants the text of a file, its name is given. `smelt mutate
    /// --list` shows them all.
    #[arg(long, value_name = "NAME=VALUE")]
    param: Vec<String>,
}

impl Params {
    /// The parameters as a strategy takes them.
    pub fn of(&self, strategy: &dyn Strategy) -> Result<Vec<String>> {
        self.param.iter().map(|p| with_file(strategy, p)).collect()
    }
}

/// A parameter `name=value`; where the strategy wants the text of a file, the value is the file's name and is replaced by its
/// text, so that recipes do not depend on files.
pub fn with_file(strategy: &dyn Strategy, parameter: &str) -> Result<String> {
    let (name, value) = parameter
        .split_once('=')
        .with_context(|| format!("parameter `{parameter}` is not of the form name=value"))?;
    if strategy.file_parameters().contains(&name) {
        let text =
            std::fs::read_to_string(value).with_context(|| format!("cannot read {value}"))?;
        return Ok(format!("{name}={text}"));
    }
    Ok(parameter.to_owned())
}
