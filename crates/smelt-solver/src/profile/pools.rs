//! What a solver may be told: options that are varied, and what scripts of strangers may say.

use serde::Deserialize;

/// What scripts may say beyond the standard: nothing that writes, reads or runs something, or prints what could be taken for
/// an answer.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Scripts {
    /// Commands.
    pub commands: Vec<String>,
    /// Keys of `set-option`, without the colon. Those of the option pools need not be repeated.
    pub options: Vec<String>,
    /// How what a script sets is given on the command line; without it, nothing is.
    pub style: Option<OptionStyle>,
}

/// How an option is written on a command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OptionStyle {
    /// `key=value`.
    Assign,
    /// `--key=value`; `--key` and `--no-key` for `true` and `false`.
    Long,
}

impl OptionStyle {
    /// An option with a plain value as an argument.
    pub fn write(self, key: &str, value: &str) -> String {
        match (self, value) {
            (Self::Assign, _) => format!("{key}={value}"),
            (Self::Long, "true") => format!("--{key}"),
            (Self::Long, "false") => format!("--no-{key}"),
            (Self::Long, _) => format!("--{key}={value}"),
        }
    }

    /// The key and the value of an argument.
    pub fn read(self, argument: &str) -> Option<(&str, &str)> {
        match self {
            Self::Assign => argument.split_once('='),
            Self::Long => {
                let word = argument.strip_prefix("--")?;
                let plain = || word.strip_prefix("no-").map_or((word, "true"), |k| (k, "false"));
                Some(word.split_once('=').unwrap_or_else(plain))
            }
        }
    }
}

/// Options by class.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OptionPools {
    /// For everybody.
    pub common: Vec<String>,
    /// For those who know.
    pub regular: Vec<String>,
    /// At one's own risk; bugs found only with these are of little worth to maintainers.
    pub expert: Vec<String>,
}

/// An argument that some releases have.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Versioned {
    /// The argument.
    pub arg: String,
    /// Releases that have it.
    pub versions: String,
}

impl OptionPools {
    /// The options of all classes.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        [&self.common, &self.regular, &self.expert].into_iter().flatten().map(String::as_str)
    }
}
