//! Whether a check is satisfiable: what a script says of itself, a solver says of it, or smelt knows of it.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Whether a check is satisfiable, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Satisfiable.
    Sat,
    /// Unsatisfiable.
    Unsat,
    /// Not known.
    #[default]
    Unknown,
}

impl Status {
    /// The status that a word of the standard stands for: `sat`, `unsat` or `unknown`.
    pub fn of_word(word: &str) -> Option<Self> {
        match word {
            "sat" => Some(Self::Sat),
            "unsat" => Some(Self::Unsat),
            "unknown" => Some(Self::Unknown),
            _ => None,
        }
    }

    /// Whether the check is satisfiable; `None` if that is not known.
    pub fn decided(self) -> Option<bool> {
        match self {
            Self::Sat => Some(true),
            Self::Unsat => Some(false),
            Self::Unknown => None,
        }
    }

    /// Whether the check is known to be satisfiable.
    pub fn is_sat(self) -> bool {
        self == Self::Sat
    }
}

/// A check that is satisfiable, or not.
impl From<bool> for Status {
    fn from(satisfiable: bool) -> Self {
        if satisfiable { Self::Sat } else { Self::Unsat }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sat => "sat",
            Self::Unsat => "unsat",
            Self::Unknown => "unknown",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        let check = |status: Status, word: &str, decided: Option<bool>| {
            assert_eq!(status.to_string(), word);
            assert_eq!(Status::of_word(word), Some(status));
            assert_eq!(status.decided(), decided);
            assert_eq!(decided.map_or(Status::Unknown, Status::from), status);
        };
        check(Status::Sat, "sat", Some(true));
        check(Status::Unsat, "unsat", Some(false));
        check(Status::Unknown, "unknown", None);
        for other in ["SAT", "delta-sat", "", "sat "] {
            assert_eq!(Status::of_word(other), None, "{other:?}");
        }
    }
}
